"""Questions to the user, with Qt's dialogs; tests answer in their place."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from cadena.core.text.wording import Listing
from cadena.gui.look.text_cleaning import title
from cadena.gui.widgets.mnemonics import give_mnemonics

SaveAnswer = Literal["save", "discard", "cancel"]
Conflict = Literal["reload", "copy", "overwrite", "cancel"]

SUFFIX, SCRIPT, MODEL = ".cadena", ".py", ".onnx"
GRAPHS = f"Cadena graphs (*{SUFFIX});;All files (*)"
SCRIPTS = f"Python scripts and ONNX models (*{SCRIPT} *{MODEL})"
DRAWN = "PNG picture (*.png);;SVG drawing (*.svg)"
PLOTS = f"{DRAWN};;CSV table (*.csv)"

MOST_LISTED = 12  # names in a question


class Dialogs:
    """Questions to the user of one window; None when the user cancels."""

    def __init__(self, parent: QWidget) -> None:
        self._parent = parent

    def open_path(self, folder: Path) -> Path | None:
        name, _ = QFileDialog.getOpenFileName(self._parent, "Open a graph", str(folder), GRAPHS)
        return Path(name) if name else None

    def script_path(self, folder: Path) -> Path | None:
        name, _ = QFileDialog.getOpenFileName(self._parent, "Import a script or a model", str(folder), SCRIPTS)
        return Path(name) if name else None

    def save_path(self, suggestion: Path) -> Path | None:
        return self._place("Save the graph", suggestion, GRAPHS)

    def plot_path(self, suggestion: Path) -> Path | None:
        return self._place("Export a plot", suggestion, PLOTS)

    def export_path(self, suggestion: Path, kinds: str) -> Path | None:
        return self._place("Export", suggestion, kinds)

    def code_path(self, suggestion: Path) -> Path | None:
        return self._place("Export as code", suggestion, f"Code (*{suggestion.suffix})")

    def _place(self, title: str, suggestion: Path, filters: str) -> Path | None:
        dialog = QFileDialog(self._parent, title, str(suggestion.parent), filters)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.selectFile(suggestion.name)
        dialog.setDefaultSuffix(suggestion.suffix)  # here, so that the dialog asks before a file is replaced
        kinds = {match[1]: kind for kind in filters.split(";;") if (match := re.search(r"\*(\.\w+)", kind))}
        dialog.selectNameFilter(kinds[suggestion.suffix])
        suffixes = {kind: suffix for suffix, kind in kinds.items()}
        dialog.filterSelected.connect(lambda kind: dialog.setDefaultSuffix(suffixes.get(kind, suggestion.suffix)))
        return Path(dialog.selectedFiles()[0]) if dialog.exec() and dialog.selectedFiles() else None

    def _box(self) -> QMessageBox:
        box = QMessageBox(self._parent)  # without an icon, whose blue means values here
        box.setTextFormat(Qt.TextFormat.PlainText)
        return box

    def unsaved(self, name: str) -> SaveAnswer:
        return self._ask_to_save(f"Save the changes to “{title(name)}”?", QMessageBox.StandardButton.Save)

    def all_unsaved(self, names: list[str]) -> SaveAnswer:
        listed = "\n".join(f"• {title(name)}" for name in names[:MOST_LISTED])
        more = f"\n• and {len(names) - MOST_LISTED} more" if len(names) > MOST_LISTED else ""
        question = f"Save the changes to these {len(names)} graphs?\n\n{listed}{more}"
        return self._ask_to_save(question, QMessageBox.StandardButton.SaveAll)

    def _ask_to_save(self, question: str, save: QMessageBox.StandardButton) -> SaveAnswer:
        box, kind = self._box(), QMessageBox.StandardButton
        box.setText(question)
        box.setInformativeText("Without saving they are lost.")
        box.setStandardButtons(save | kind.Discard | kind.Cancel)
        box.setDefaultButton(save)
        give_mnemonics(box)
        pressed = box.exec()
        return "save" if pressed == save else "discard" if pressed == kind.Discard else "cancel"

    def give_up(self, names: list[str]) -> bool:
        """Ask whether to close although these files are still being written."""
        box = self._box()
        box.setText(f"{Listing(tuple(map(title, names)), most=MOST_LISTED).worded()}: still being written.")
        box.setInformativeText("Closing now gives it up; no file is written then.")
        give_up = box.addButton("Give it up", QMessageBox.ButtonRole.DestructiveRole)
        box.setDefaultButton(box.addButton("Go on writing", QMessageBox.ButtonRole.RejectRole))
        give_mnemonics(box)
        box.exec()
        return box.clickedButton() is give_up

    def changed_on_disk(self, name: str) -> Conflict:
        box = self._box()
        box.setText(f"“{title(name)}” was changed on disk since you opened or saved it.")
        box.setInformativeText(
            "Overwriting loses what another program has written there. "
            "Reloading shows that; Ctrl+Z then brings your own graph back."
        )
        role = QMessageBox.ButtonRole
        copy = box.addButton("Save a copy…", role.AcceptRole)
        overwrite = box.addButton("Overwrite", role.DestructiveRole)
        reload = box.addButton("Reload", role.ResetRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(copy)
        give_mnemonics(box)
        box.exec()
        answers: dict[object, Conflict] = {copy: "copy", overwrite: "overwrite", reload: "reload"}
        return answers.get(box.clickedButton(), "cancel")
