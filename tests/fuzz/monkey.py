"""A monkey in the real window: mouse, wheel and keys, anywhere, by a seed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QPoint
from PySide6.QtGui import QContextMenuEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QApplication, QLineEdit, QMenu, QPushButton, QToolButton, QWidget

from cadena.gui.panels.parts.chips import Chip
from cadena.gui.window.window import Window
from tests.fuzz.canvas_acts import turn
from tests.fuzz.drawing_acts import DrawingActs
from tests.gui.canvas.pictures import random_graph
from tests.gui.canvas.real_hand import NONE, Button, Key
from tests.gui.mouse import drag_to
from tests.gui.user import Answers, rest, settle

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
NEVER = ("file.quit", "tab.window", "tab.move")  # all else would end, or go on in a window that is closed at once
MAX_TABS = 5
MAX_NODES, MIN_NODES = 60, 3  # an empty canvas is soon tried out, and a full one slow


class Monkey(DrawingActs):
    """A user who acts at random; `done` lists the last acts."""

    fewest, most = MIN_NODES, MAX_NODES

    def __init__(self, window: Window, answers: Answers, folder: Path, seed: int) -> None:
        super().__init__(window, seed)
        self.answers, self.folder = answers, folder
        self._acts: list[tuple[int, Callable[[], str]]] = [
            (14, self.drag_on_canvas), (6, self.click_on_canvas), (3, self.double_click_on_canvas),
            (2, self.turn_wheel), (3, self.open_menu), (8, self.press_key), (8, self.press_shortcut),
            (5, self.search_command), (12, self.use_widget), (2, self.drop_operation), (5, self.step_in_or_out),
            (3, self.hover), (1, self.resize), (6, self.connect), (4, self.set_value), (4, self.select_and_command),
            (3, self.use_tabs), (4, self.use_frame), (4, self.use_note), (5, self.bend_wire), (2, self.cut_wires),
            (3, self.drop_on_wire), (4, self.switch_off), (3, self.lay_out), (5, self.look), (2, self.edit_several),
            (3, self.write_expression),
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
            self.type_in(field, word)
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

    def _keep_in_bounds(self) -> None:
        """Close other windows, and replace a graph that is too large or too small by a lesson."""
        for other in QApplication.topLevelWidgets():
            if other is not self.window and other.isVisible() and other.isWindow():
                if isinstance(other, Window):
                    if other not in self.window.windows.all:
                        other.hide()  # the window that the tests of the window share
                        continue
                    # It would ask what to do with its work, and wait for ever.
                    self.answers.leave, other.files.questions = "discard", self.answers
                other.close()
        if not self.window.isActiveWindow():
            self.window.activateWindow()
            QTest.qWaitForWindowActive(self.window)
        count = len(self.session.document.nodes)
        if count > self.most:
            self.begin_anew()
        elif count < self.fewest:
            # Of an empty graph with nothing to undo, Ctrl+W would close the window.
            self.press("Ctrl+Z") if self.session.history.past and self.chance.random() < 0.8 else self.begin_anew()

    def begin_anew(self) -> None:
        self.open_lesson()

    def open_lesson(self) -> None:
        lessons = [command.id for command in self.window.menus.commands if command.id.startswith("lesson.")]
        self.run(self.chance.choice(lessons))

    # --- keys and commands

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
        key = self.chance.choice(("Ctrl+N", "Ctrl+Tab", "Ctrl+Tab", "Ctrl+Shift+Tab", "Ctrl+W", "Ctrl+Shift+T"))
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
        self.type_in(field, letters)
        down = self.chance.randrange(12)
        for _ in range(down):
            QTest.keyClick(field, Key.Key_Down)
        shown, row = self.window.search.shown, self.window.search.card.row
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
        waits = (
            isinstance(widget, QToolButton | QPushButton) and widget.menu() is not None
        )  # till something of its menu is chosen
        is_ready = widget.isVisible() and widget.isEnabled() and not waits
        return is_ready and widget is not self.canvas and not isinstance(widget, QMenu)


class MonkeyAmongMany(Monkey):
    """The same in a graph of 900 nodes, of which most acts are on the canvas."""

    fewest, most = 600, 1200  # from `painting.MANY` on

    def __init__(self, window: Window, answers: Answers, folder: Path, seed: int) -> None:
        super().__init__(window, answers, folder, seed)
        self._acts += [(12, self.look), (8, self.drag_on_canvas), (6, self.turn_wheel), (6, self.press_key)]

    def begin_anew(self) -> None:
        self.session.open(random_graph(900, self.chance.randrange(1000)), None)
        settle()


def path_of(widget: QObject) -> str:
    """The path of a widget in the window: its class and those of its parents."""
    names = []
    around: QObject | None = widget
    while around is not None and len(names) < 4:
        names.append(type(around).__name__)
        around = around.parent()
    return " in ".join(names)
