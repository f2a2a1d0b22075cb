"""Every question is answered with Alt and a letter."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QAbstractButton, QDialog, QFormLayout, QLabel, QMessageBox, QPushButton

from cadena.gui.export.dialogs import DIALOGS
from cadena.gui.files.questions import Dialogs
from cadena.gui.widgets.mnemonics import give_mnemonics, mnemonic
from tests.gui.user import settle
from tests.waiting import until


def letters(dialog: QDialog) -> list[str | None]:
    """The letter of each button and of each field's label."""
    labels = [label for label in dialog.findChildren(QLabel) if label.buddy() is not None]
    return [mnemonic(part.text()) for part in (*dialog.findChildren(QAbstractButton), *labels) if part.text()]


@pytest.fixture
def asked(monkeypatch) -> list[QMessageBox]:
    """The message boxes that were opened; nobody answers them."""
    boxes: list[QMessageBox] = []
    monkeypatch.setattr(QMessageBox, "exec", lambda box: boxes.append(box) or 0)
    return boxes


def test_every_question_has_a_letter_for_each_answer(user, asked):
    dialogs = Dialogs(user.window)
    dialogs.unsaved("a")
    dialogs.all_unsaved(["a", "b"])
    dialogs.changed_on_disk("a")
    assert len(asked) == 3
    for box in asked:
        found = letters(box)
        assert len(found) >= 3 and None not in found and len(set(found)) == len(found), box.text()


def test_an_answer_in_the_banner_had_no_letter(user):
    """Its letters are none of the menus': Qt would not know which is meant."""
    banner, answers = user.window.banner, list[str]()
    choices = [(text, lambda text=text: answers.append(text)) for text in ("Save it again", "Save a copy…")]
    menus = {mnemonic(action.text()) for action in user.window.menuBar().actions()}
    banner.ask("The file is gone", *choices)
    settle()
    found = [mnemonic(button.text()) for button in banner.buttons]
    assert None not in found and len({*found, *menus}) == len(found) + len(menus)
    user.press(f"Alt+{found[1]}")
    until(lambda: answers == ["Save a copy…"] and banner.isHidden(), "it is not answered", settle)


@pytest.mark.parametrize("kind", DIALOGS)
def test_every_export_has_a_letter_for_each_field_and_button(user, kind, qtbot):
    dialog = DIALOGS[kind](user.window, user.session, user.window.files, user.window.theme)
    qtbot.addWidget(dialog)
    found = letters(dialog)
    assert len(found) >= 3 and None not in found and len(set(found)) == len(found)


def test_letters_that_are_there_stay_and_each_is_used_once(qtbot):
    dialog = QDialog()
    qtbot.addWidget(dialog)
    form = QFormLayout(dialog)
    for text in ("Sa&ve", "Save all", "Save && go", "Save", "vvv"):
        form.addRow(QPushButton(text, dialog))
    give_mnemonics(dialog)
    assert [button.text() for button in dialog.findChildren(QPushButton)] == [
        "Sa&ve", "&Save all", "Save && &go", "S&ave", "vvv"
    ]  # fmt: skip
