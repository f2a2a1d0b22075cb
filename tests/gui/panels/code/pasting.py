"""A user of the code panel: a script, pasting it, running it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from cadena.gui.panels.code.code_panel import CodePanel
from tests.gui.user import settle
from tests.waiting import until

SCRIPT = """import torch

w = torch.tensor(2., requires_grad=True)
x = torch.tensor(3.)
m = w * x
L = 15 - m
L.backward()
print(w.grad)
"""
CONTROL = Qt.KeyboardModifier.ControlModifier


def paste(panel: CodePanel, text: str) -> None:
    """Replace what is in the editor, as a user does who pastes."""
    editor = panel.script.editor
    editor.setFocus()
    editor.selectAll()
    QGuiApplication.clipboard().setText(text)
    editor.paste()
    settle()


def run(panel: CodePanel, text: str = "") -> None:
    if text:
        paste(panel, text)
    QTest.keyClick(panel.script.editor, Qt.Key.Key_Return, CONTROL)
    until(lambda: not panel.script.run.running, "the script runs on", settle)
    settle()
