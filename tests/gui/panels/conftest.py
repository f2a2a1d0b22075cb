"""Sessions on two small graphs, and panels that are shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from cadena.core.graph.document import Document, Node, as_value
from cadena.gui.look import style
from cadena.gui.look.theme import LIGHT
from cadena.gui.panels.code.code_panel import CodePanel
from cadena.gui.panels.inspector.inspector import Inspector
from cadena.gui.session.session import Session
from tests.gui.user import calm, settle


def document_of(*nodes: Node, output: str | None = "L") -> Document:
    return Document({node.name: node for node in nodes}, output=output, title="a test")


def scalars() -> Document:
    """L = 15 - w0 x0, at 2 and 4."""
    return document_of(
        Node("w0", "parameter", value=2.0),
        Node("x0", "input", value=4.0),
        Node("k", "constant", value=15.0),
        Node("m", "multiply", ("w0", "x0")),
        Node("L", "subtract", ("k", "m")),
    )


def matrices() -> Document:
    """L = sum(sin(X W))."""
    return document_of(
        Node("X", "input", value=as_value([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])),
        Node("W", "parameter", value=as_value([[0.5], [-0.5]])),
        Node("Z", "matmul", ("X", "W")),
        Node("Y", "sin", ("Z",)),
        Node("L", "sum", ("Y",)),
    )


def retype(qtbot, field: QLineEdit, text: str) -> None:
    """Replace what is in a field and press Enter; any character may be typed (QTest itself knows only ASCII)."""
    field.setFocus()
    field.selectAll()
    for letter in text:
        QApplication.sendEvent(field, QKeyEvent(QEvent.Type.KeyPress, 0, Qt.KeyboardModifier.NoModifier, letter))
    qtbot.keyClick(field, Qt.Key.Key_Return)
    calm(field.window())


@pytest.fixture
def session(qapp) -> Iterator[Session]:
    made = Session(scalars())
    yield made
    made.playback.pause()


@pytest.fixture
def show(qtbot) -> Callable[..., QWidget]:
    """Show a panel in the light theme, as the window does."""
    kept = []  # qtbot keeps no reference, and a panel must not be collected while it is being painted

    def shown(panel: QWidget, width: int = 0, height: int = 0) -> QWidget:
        kept.append(panel)
        style.apply(panel, LIGHT)
        qtbot.addWidget(panel)
        if width:
            panel.resize(width, height)
        panel.show()
        qtbot.waitExposed(panel)
        return panel

    return shown


@pytest.fixture
def inspector(session, show) -> Inspector:
    made = show(Inspector(session, LIGHT), 300, 900)
    made.activateWindow()
    settle()
    return made


@pytest.fixture
def panel(user) -> Iterator[CodePanel]:
    user.do("view.code")
    panel: CodePanel = user.window.panels["code"].open()
    panel.as_script.setChecked(True)
    panel.script.editor.setFocus()
    yield panel
    panel.script.run.cancel()
