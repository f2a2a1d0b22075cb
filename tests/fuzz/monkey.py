"""A monkey in the real window: mouse, wheel and keys, anywhere, by a seed."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from pathlib import Path
from random import Random

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QHelpEvent, QKeyEvent, QKeySequence, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QApplication, QLineEdit, QMenu, QWidget

from cadena.core.ops.primitive import REGISTRY
from cadena.gui.panels.chips import Chip
from cadena.gui.window import Window
from tests.gui.canvas.real_hand import CTRL, NONE, SHIFT, Button, Hand, Key
from tests.gui.mouse import drag_to
from tests.gui.user import Answers, drop, operation_dragged, rest, settle

ALT = Qt.KeyboardModifier.AltModifier
WORDS = (
    "sin",
    "add",
    "mat",
    "2.5",
    "-1e300",
    "qqq",
    "w0",
    "if",
    "[[1, 2]]",
    "[]",
    "nan",
    "λ",
    "x" * 60,
    "fold",
    "f1",
    "g",
    "y",
    "loss",
)
PLAIN_KEYS = (
    "Del Backspace Esc Tab Shift+Tab Left Right Up Down Alt+Left Alt+Right Alt+Up Ctrl+Left Shift+Down F2 Return Space "
    "Home End PgUp PgDown F1 F5 F6 F7 F8 F9 F10 F11 Menu"
).split()
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
NEVER = ("file.quit", "tab.window", "tab.move")  # all else would end, or go on in a window that is closed at once
MAX_TABS = 5
MAX_NODES, MIN_NODES = 60, 3  # an empty canvas is soon tried out, and a full one slow


class Monkey:
    """A user who acts at random; `done` lists the last acts."""

    def __init__(self, window: Window, answers: Answers, folder: Path, seed: int) -> None:
        self.window, self.answers, self.folder = window, answers, folder
        self.session, self.canvas, self.hand = window.session, window.canvas, Hand(window.canvas)
        self.chance = Random(seed)
        self.done: deque[str] = deque(maxlen=12)
        self._acts: list[tuple[int, Callable[[], str]]] = [
            (14, self.drag_on_canvas), (6, self.click_on_canvas), (3, self.double_click_on_canvas),
            (2, self.turn_wheel), (3, self.open_menu), (8, self.press_key), (8, self.press_shortcut),
            (5, self.search_command), (12, self.use_widget), (2, self.drop_operation), (5, self.step_in_or_out),
            (2, self.hover), (1, self.resize), (6, self.connect), (4, self.set_value), (4, self.select_and_command),
            (3, self.use_tabs),
        ]  # fmt: skip

    def act(self) -> None:
        """Do one act, answer what it opened, and let the events that follow happen."""
        weights, acts = zip(*self._acts)
        (what,) = self.chance.choices(acts, weights)
        self.done.append(what.__name__)  # were it to raise
        self.done[-1] = f"{what.__name__} {what()}"
        self._answer()
        rest()
        self._keep_in_bounds()

    def _answer(self) -> None:
        """A menu, a list or a field that is open: choose, type, or close it."""
        if isinstance(menu := QApplication.activePopupWidget(), QWidget):
            self._choose_from(menu)
        field = QApplication.focusWidget()
        if isinstance(field, QLineEdit) and field.isVisible() and not field.isReadOnly() and self.chance.random() < 0.8:
            word = self.chance.choice(WORDS)
            self._type(field, word)
            end = self.chance.choice((Key.Key_Return, Key.Key_Return, Key.Key_Escape, Key.Key_Tab))
            QTest.keyClick(field, end)
            self.done.append(f"typed {word!r} {end.name}")

    def _choose_from(self, popup: QWidget) -> None:
        for _ in range(self.chance.randrange(8)):
            QTest.keyClick(popup, self.chance.choice((Key.Key_Down, Key.Key_Down, Key.Key_Right)))
        keys = popup if isinstance(popup, QMenu) else popup.findChild(QAbstractItemView) or popup
        QTest.keyClick(keys, self.chance.choice((Key.Key_Return, Key.Key_Return, Key.Key_Escape)))
        for _ in range(8):
            if (left := QApplication.activePopupWidget()) is None:
                break
            QTest.keyClick(left, Key.Key_Escape)
            left.close()
        self.done.append(f"chose from {type(popup).__name__}")

    def _type(self, field: QLineEdit, word: str) -> None:
        if self.chance.random() < 0.7:
            field.selectAll()
        for letter in word:
            QApplication.sendEvent(field, QKeyEvent(QEvent.Type.KeyPress, 0, NONE, letter))

    def _keep_in_bounds(self) -> None:
        """Close other windows, and replace a graph that is too large or too small by a lesson."""
        for other in QApplication.topLevelWidgets():
            if other is not self.window and other.isVisible() and other.isWindow():
                other.close()
        if not self.window.isActiveWindow():
            self.window.activateWindow()
            QTest.qWaitForWindowActive(self.window)
        count = len(self.session.document.nodes)
        if count > MAX_NODES:
            self.open_lesson()
        elif count < MIN_NODES:
            self.press("Ctrl+Z") if self.chance.random() < 0.8 else self.open_lesson()

    def open_lesson(self) -> None:
        lessons = [command.id for command in self.window.menus.commands if command.id.startswith("lesson.")]
        self.run(self.chance.choice(lessons))

    def run(self, command: str) -> None:
        self.done.append(command)
        self.window.menus.action(command).trigger()
        settle()

    # --- the canvas

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
            self._type(field, text)
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

    # --- keys and commands

    def press(self, keys: str) -> None:
        """Press a key in the widget with the focus."""
        key = QKeySequence(keys)[0]
        QTest.keyClick(QApplication.focusWidget() or self.window, key.key(), key.keyboardModifiers())
        settle()

    def press_key(self) -> str:
        key = self.chance.choice(PLAIN_KEYS)
        self.press(key)
        return key

    def press_shortcut(self) -> str:
        """The keys of any command, or its entry in the menu."""
        command = self.chance.choice([one for one in self.window.menus.commands if one.id not in NEVER])
        self._prepare_answers()
        if command.keys and self.chance.random() < 0.7:
            self.press(self.chance.choice(command.keys))
        elif command.enabled():
            self.run(command.id)
        return command.id

    def use_tabs(self) -> str:
        """A new document, another one, or one closed; by keys or on the bar. There are a few at most."""
        documents, bar = self.window.documents, self.window.tabs.bar
        self._prepare_answers()
        if len(documents) > MAX_TABS:
            documents.close(self.chance.randrange(len(documents)))
            return "close one of many"
        if bar is not None and bar.isVisible() and self.chance.random() < 0.5:
            at = bar.tabs.tabRect(self.chance.randrange(bar.tabs.count())).center()
            button = self.chance.choice((Button.LeftButton, Button.LeftButton, Button.MiddleButton))
            QTest.mouseClick(bar.tabs, button, NONE, at)
            return f"{button.name} {at.toTuple()}"
        key = self.chance.choice(("Ctrl+T", "Ctrl+Tab", "Ctrl+Tab", "Ctrl+Shift+Tab", "Ctrl+W", "Ctrl+Shift+T"))
        self.press(key)
        return key

    def search_command(self) -> str:
        """Ctrl+K, some letters, some rows down, Enter."""
        self.press("Ctrl+K")
        field, letters = (
            QApplication.focusWidget(),
            self.chance.choice(("un", "ma", "m1", "st", "fu", "e", "x0", "gra")),
        )
        if not isinstance(field, QLineEdit):
            return "not open"
        self._type(field, letters)
        down = self.chance.randrange(12)
        for _ in range(down):
            QTest.keyClick(field, Key.Key_Down)
        shown, row = self.window.search.shown, self.window.search._popup.row if self.window.search._popup else -1
        title = shown[row].title if 0 <= row < len(shown) else "nothing"
        self._prepare_answers()
        QTest.keyClick(field, Key.Key_Escape if title == "Quit" else Key.Key_Return)
        return f"{letters} {down}: {title}"

    def _prepare_answers(self) -> None:
        self.answers.leave = self.chance.choice(("discard", "discard", "cancel", "save"))
        self.answers.path = self.chance.choice((None, self.folder / "a.cadena", self.folder / "b.png"))

    def step_in_or_out(self) -> str:
        """Into a call, or out again; where there is no call, one is made."""
        session, calls = (
            self.session,
            [name for name in self.session.document.nodes if self.canvas.functions.is_call(name)],
        )
        if self.window.inside.levels and self.chance.random() < 0.5:
            self.press("Ctrl+Backspace")
            return "out"
        if not calls:
            operations = [node.name for node in session.document.nodes.values() if not node.is_leaf]
            session.select(self.chance.sample(operations, min(len(operations), self.chance.choice((1, 1, 2)))))
            self.canvas.setFocus()
            self.press("Ctrl+G")
            return "make"
        session.select([self.chance.choice(calls)])
        way = self.chance.choice(("function.enter", "function.enter", "function.gradient"))
        self.run(way)
        return way

    # --- everything around the canvas

    def use_widget(self) -> str:
        """Click, wheel, type or press a key on anything else that is to be seen."""
        kinds: dict[type, list[QWidget]] = {}
        for one in self.window.findChildren(QWidget):
            if self._may_use(one):
                kinds.setdefault(type(one), []).append(one)
        widget = self.chance.choice(
            kinds[self.chance.choice(list(kinds))]
        )  # of each kind as often, however many it has
        at = QPoint(self.chance.randrange(max(widget.width(), 1)), self.chance.randrange(max(widget.height(), 1)))
        how = self.chance.choice(("click", "click", "click", "double", "wheel", "key", "drag", "menu"))
        self._prepare_answers()
        match how:
            case "click":
                QTest.mouseClick(widget, Button.LeftButton, NONE, at)
            case "double":
                QTest.mouseDClick(widget, Button.LeftButton, NONE, at)
            case "wheel":
                turn(widget, at, self.chance.choice((120, -120)), NONE)
            case "key":
                key = self.chance.choice(("Space", "Return", "Down", "Up", "Right", "PgDown", "Esc", "Tab", "5"))
                QTest.keyClick(widget, QKeySequence(key)[0].key())
            case "drag" if not isinstance(widget, Chip):  # a chip's drag is the desktop's, and waits for its mouse
                QTest.mousePress(widget, Button.LeftButton, NONE, at)
                drag_to(widget, at + QPoint(self.chance.randint(-60, 60), self.chance.randint(-20, 20)))
                QTest.mouseRelease(widget, Button.LeftButton, NONE, at)
            case "menu":
                event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, widget.mapToGlobal(at))
                QApplication.sendEvent(widget, event)
        return f"{how} {path_of(widget)}"

    def _may_use(self, widget: QWidget) -> bool:
        return widget.isVisible() and widget.isEnabled() and widget is not self.canvas and not isinstance(widget, QMenu)


def turn(widget: QWidget, at: QPoint, by: int, held: Qt.KeyboardModifier) -> None:
    """The mouse wheel over a widget."""
    place, overall = QPointF(at), QPointF(widget.mapToGlobal(at))
    none, phase = Qt.MouseButton.NoButton, Qt.ScrollPhase.NoScrollPhase
    QApplication.sendEvent(widget, QWheelEvent(place, overall, QPoint(), QPoint(0, by), none, held, phase, False))


def path_of(widget: QObject) -> str:
    """The path of a widget in the window: its class and those of its parents."""
    names = []
    around: QObject | None = widget
    while around is not None and len(names) < 4:
        names.append(type(around).__name__)
        around = around.parent()
    return " in ".join(names)
