"""A user's hand for tests: real mouse and key events on a canvas, aimed at places of the graph."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from cadena.core.graph import edits
from cadena.core.graph.document import Document, Value
from cadena.gui.canvas.interaction.canvas import Canvas
from tests.gui.mouse import wait_for_space

Button, Key, Modifier = Qt.MouseButton, Qt.Key, Qt.KeyboardModifier
NONE, SHIFT, CTRL = Modifier.NoModifier, Modifier.ShiftModifier, Modifier.ControlModifier


def small_graph() -> Document:
    """y = w0 · x0 + w1 with room between the cards; y is the output; s waits for an operand."""
    document = Document(nodes={})
    for op, name, place in (
        ("parameter", "w0", (0, 0)),
        ("input", "x0", (0, 120)),
        ("parameter", "w1", (0, 240)),
        ("multiply", "m", (200, 64)),
        ("add", "y", (400, 160)),
        ("sin", "s", (400, 0)),
    ):
        document = edits.add(document, op, place, name, value=2.0 if op != "multiply" else None)
    for source, target, slot in (("w0", "m", 0), ("x0", "m", 1), ("m", "y", 0), ("w1", "y", 1)):
        document = edits.connect(document, source, target, slot)
    return edits.set_output(document, "y")


def leaf(name: str, value: Value, op: str = "parameter", place: tuple[float, float] = (0, 0)) -> Document:
    """A document of one leaf."""
    return edits.add(Document(nodes={}), op, place, name, value)


class Hand:
    """The mouse and the keys of one canvas. Places on the canvas are given by what is there."""

    def __init__(self, canvas: Canvas) -> None:
        self.canvas = canvas

    # --- where things are, in pixels

    def at(self, place: QPointF) -> QPoint:
        return self.canvas.camera.to_view(place).toPoint()

    def name(self, node: str) -> QPoint:
        return self.at(self.canvas.places.name_area(node).center())

    def value(self, node: str) -> QPoint:
        area = self.canvas.places.value_area(node)
        return self.at(QPointF(area.right() - area.width() * 0.3, area.center().y()))

    def body(self, node: str) -> QPoint:
        value = self.canvas.places.value_area(node)
        return self.at(value.translated(0.0, value.height()).center())

    def output(self, node: str) -> QPoint:
        return self.at(self.canvas.places.output_port(node))

    def input(self, node: str, slot: int = 0) -> QPoint:
        return self.at(self.canvas.places.input_port(node, slot))

    def wire(self, source: str, target: str, slot: int = 0) -> QPoint:
        return self.at(self.canvas.places.wire(source, target, slot).pointAtPercent(0.5))

    def empty(self) -> QPoint:
        """A place with nothing near it: below everything."""
        return self.at(self.canvas.places.bounds().bottomLeft() + QPointF(160.0, 0.0))

    # --- what a hand does

    def press(self, at: QPoint, modifiers: Modifier = NONE, button: Button = Button.LeftButton) -> None:
        QTest.mousePress(self.canvas, button, modifiers, at)

    def move(self, at: QPoint, modifiers: Modifier = NONE, button: Button = Button.LeftButton) -> None:
        place, overall = QPointF(at), QPointF(self.canvas.mapToGlobal(at))
        event = QMouseEvent(QEvent.Type.MouseMove, place, overall, Button.NoButton, button, modifiers)
        QApplication.sendEvent(self.canvas, event)

    def hover(self, at: QPoint) -> None:
        """Move with no button down."""
        self.move(at, button=Button.NoButton)

    def release(self, at: QPoint, modifiers: Modifier = NONE, button: Button = Button.LeftButton) -> None:
        QTest.mouseRelease(self.canvas, button, modifiers, at)

    def drag(self, start: QPoint, end: QPoint, modifiers: Modifier = NONE, button: Button = Button.LeftButton) -> None:
        self.lift(start, end, modifiers, button)
        self.release(end, modifiers, button)

    def lift(self, start: QPoint, end: QPoint, modifiers: Modifier = NONE, button: Button = Button.LeftButton) -> None:
        """Press, move half way, move to the end; the button stays down."""
        self.press(start, modifiers, button)
        self.move((start + end) / 2, modifiers, button)
        self.move(end, modifiers, button)

    def click(self, at: QPoint, modifiers: Modifier = NONE, button: Button = Button.LeftButton) -> None:
        QTest.mouseClick(self.canvas, button, modifiers, at)

    def double_click(self, at: QPoint) -> None:
        QTest.mouseDClick(self.canvas, Button.LeftButton, NONE, at)

    def key(self, key: Key, modifiers: Modifier = NONE) -> None:
        QTest.keyClick(self.canvas, key, modifiers)
        wait_for_space(self.canvas)

    def type(self, text: str) -> None:
        """Type into the field with the focus on the canvas, replacing its selection."""
        field = self.canvas.focusWidget() or self.canvas
        for letter in text:
            QApplication.sendEvent(field, QKeyEvent(QEvent.Type.KeyPress, 0, NONE, letter))

    def type_key(self, key: Key) -> None:
        QTest.keyClick(self.canvas.focusWidget() or self.canvas, key)
