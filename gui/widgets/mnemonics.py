"""Letters with Alt for the buttons and fields of a question, so that it is answered without a mouse."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from PySide6.QtWidgets import QAbstractButton, QDialog, QFormLayout, QLabel


def give_mnemonics(dialog: QDialog) -> None:
    """Underline a letter of every button, and of every label of a field, that has none yet; each letter once."""
    for form in dialog.findChildren(QFormLayout):
        for row in range(form.rowCount()):
            places = (QFormLayout.ItemRole.LabelRole, QFormLayout.ItemRole.FieldRole)
            label, field = (item.widget() if (item := form.itemAt(row, place)) else None for place in places)
            if isinstance(label, QLabel) and field is not None:
                label.setBuddy(field)
    labels = [label for label in dialog.findChildren(QLabel) if label.buddy() is not None]
    underline([*dialog.findChildren(QAbstractButton), *labels])


def underline(parts: Iterable[Any], taken: Iterable[str] = ()) -> None:
    """Underline a letter of each of these buttons and labels that has none; each letter once, none that is taken."""
    parts = [part for part in parts if part.text()]
    taken = {*taken, *(letter for part in parts if (letter := mnemonic(part.text())))}
    for part in parts:
        text = part.text()
        if mnemonic(text) is None and (place := _free(text, taken)) is not None:
            taken.add(text[place].lower())
            part.setText(f"{text[:place]}&{text[place:]}")


def mnemonic(text: str) -> str | None:
    """The letter that is underlined in a text; None for none."""
    rest = text.replace("&&", "")
    place = rest.find("&") + 1
    return rest[place].lower() if 0 < place < len(rest) else None


def _free(text: str, taken: set[str]) -> int | None:
    """The place of a letter that is free: one that begins a word, else any."""
    starts = [place for place in range(len(text)) if place == 0 or text[place - 1] == " "]
    places = (place for place in (*starts, *range(len(text))) if text[place].isalnum())
    return next((place for place in places if text[place].lower() not in taken), None)
