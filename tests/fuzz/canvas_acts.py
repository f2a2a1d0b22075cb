"""What a monkey does with its hand on the canvas."""

from __future__ import annotations

from collections import deque
from random import Random

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QHelpEvent, QKeyEvent, QKeySequence, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from cadena.core.ops.primitive import REGISTRY
from cadena.gui.window.window import Window
from tests.gui.canvas.real_hand import CTRL, NONE, SHIFT, Button, Hand, Key
from tests.gui.user import drop, operation_dragged, settle

ALT = Qt.KeyboardModifier.AltModifier
NUMBERS = (
    "0",
    "-0.0",
    "1",
    "-2.5",
    "1e-320",
    "1e200",
    "-1e308",
    "inf",
    "nan",
    "[1, 2]",
    "[[1, 2], [3, 4]]",
    "[]",
    "1/3",
)
FOR_NODES = (
    "graph.expand graph.fold edit.duplicate edit.cut edit.paste graph.output graph.disconnect graph.change edit.rename "
    "function.make function.inline function.rename function.use-gradient function.remove-gradient graph.gradient "
    "graph.kind-parameter graph.kind-input graph.kind-constant graph.sum edit.value graph.unfold run.backward"
).split()


class CanvasActs:
    """Acts at random places of the graph; each returns what it did, in words. `done` lists the last acts."""

    def __init__(self, window: Window, seed: int) -> None:
        self.window, self.session, self.canvas = window, window.session, window.canvas
        self.hand, self.chance = Hand(window.canvas), Random(seed)
        self.done: deque[str] = deque(maxlen=12)

    def somewhere(self) -> QPoint:
        """A part of a node, a wire, or any place at all."""
        nodes = self.session.document.nodes
        if not nodes or self.chance.random() < 0.2:
            return QPoint(self.chance.randrange(self.canvas.width()), self.chance.randrange(self.canvas.height()))
        hand, node = self.hand, nodes[self.chance.choice(list(nodes))]
        if self.chance.random() < 0.15:
            wires = [slot for slot, source in enumerate(node.inputs) if source in nodes]
            if wires and (slot := self.chance.choice(wires)) is not None:
                return hand.wire(str(node.inputs[slot]), node.name, slot)
        part = self.chance.choice((hand.name, hand.value, hand.body, hand.output, hand.input, hand.input))
        return part(node.name)

    def keys_held(self) -> Qt.KeyboardModifier:
        return self.chance.choice((NONE, NONE, NONE, SHIFT, CTRL, ALT))

    def drag_on_canvas(self) -> str:
        """Press, move, and let go; or Esc in the middle, a key, or another button."""
        held = self.keys_held()
        button = self.chance.choice([Button.LeftButton] * 6 + [Button.MiddleButton, Button.RightButton])
        start, end, space = self.somewhere(), self.somewhere(), self.chance.random() < 0.05
        if space:
            QTest.keyPress(self.canvas, Key.Key_Space)
        self.hand.lift(start, end, held, button)
        settle()
        between = self.chance.choice((None,) * 6 + ("Esc", "Ctrl+Z", "Del", "Ctrl+Shift+Z", "Space"))
        if between:
            self.press(between)
        if self.chance.random() < 0.1:
            self.canvas.grab()
        self.hand.release(end, held, button)
        if space:
            QTest.keyRelease(self.canvas, Key.Key_Space)
        return f"{button.name} {held.name} {start.toTuple()} {end.toTuple()} {between or ''} {'space' if space else ''}"

    def connect(self) -> str:
        """Drag from the output of a node to an input of another, or the other way round."""
        names = list(self.session.document.nodes)
        if not names:
            return "nothing there"
        one, other = self.chance.choice(names), self.chance.choice(names)
        ends = [self.hand.output(one), self.hand.input(other, self.chance.randrange(2))]
        self.chance.shuffle(ends)
        self.hand.drag(*ends)
        return f"{one} {other}"

    def set_value(self) -> str:
        """A double click on the value of a leaf, and a number."""
        leaves = [node.name for node in self.session.document.nodes.values() if node.is_leaf]
        if not leaves:
            return "no leaf"
        leaf, text = self.chance.choice(leaves), self.chance.choice(NUMBERS)
        self.hand.double_click(self.hand.value(leaf))
        settle()
        field = QApplication.focusWidget()
        if isinstance(field, QLineEdit):
            field.selectAll()
            self.type_in(field, text)
            QTest.keyClick(field, Key.Key_Return)
        return f"{leaf} {text}"

    def select_and_command(self) -> str:
        """A command for one or a few nodes: expanded, folded, duplicated, made a function, disconnected."""
        names = list(self.session.document.nodes)
        self.session.select(self.chance.sample(names, min(len(names), self.chance.choice((1, 1, 2, 4)))))
        command = self.chance.choice(FOR_NODES)
        if self.window.menus.by_id[command].enabled():
            self.run(command)
        return f"{sorted(self.session.selection)}"

    def click_on_canvas(self) -> str:
        at, held = self.somewhere(), self.keys_held()
        self.hand.click(at, held)
        return f"{at.toTuple()} {held.name}"

    def double_click_on_canvas(self) -> str:
        at = self.somewhere()
        self.hand.click(at)
        self.hand.double_click(at)
        return f"{at.toTuple()}"

    def hover(self) -> str:
        at = self.somewhere()
        self.hand.hover(at)
        QApplication.sendEvent(self.canvas, QHelpEvent(QEvent.Type.ToolTip, at, self.canvas.mapToGlobal(at)))
        return f"{at.toTuple()}"

    def turn_wheel(self) -> str:
        at, by = self.somewhere(), self.chance.choice((120, -120, 240, -480))
        turn(self.canvas, at, by, self.keys_held())
        return f"{at.toTuple()} {by}"

    def open_menu(self) -> str:
        """The right button's menu, of which `_answer` chooses."""
        at = self.somewhere()
        self.hand.click(at, NONE, Button.RightButton)
        return f"{at.toTuple()}"

    def drop_operation(self) -> str:
        op, at = (
            self.chance.choice([*REGISTRY, "parameter", "input", *self.session.document.functions]),
            self.somewhere(),
        )
        drop(self.canvas, operation_dragged(op), at)
        return f"{op} {at.toTuple()}"

    def resize(self) -> str:
        size = self.chance.choice(((900, 600), (1280, 720), (1600, 1000)))
        self.window.resize(*size)
        return f"{size}"

    # --- how it does them

    def type_in(self, field: QLineEdit, word: str) -> None:
        if self.chance.random() < 0.7:
            field.selectAll()
        for letter in word:
            QApplication.sendEvent(field, QKeyEvent(QEvent.Type.KeyPress, 0, NONE, letter))

    def press(self, keys: str) -> None:
        """Press a key in the widget with the focus."""
        key = QKeySequence(keys)[0]
        QTest.keyClick(QApplication.focusWidget() or self.window, key.key(), key.keyboardModifiers())
        settle()

    def run(self, command: str) -> None:
        self.done.append(command)
        self.window.menus.action(command).trigger()
        settle()


def turn(widget: QWidget, at: QPoint, by: int, held: Qt.KeyboardModifier) -> None:
    """The mouse wheel over a widget."""
    place, overall = QPointF(at), QPointF(widget.mapToGlobal(at))
    none, phase = Qt.MouseButton.NoButton, Qt.ScrollPhase.NoScrollPhase
    QApplication.sendEvent(widget, QWheelEvent(place, overall, QPoint(), QPoint(0, by), none, held, phase, False))
