"""A user of the real window, who has a mouse and a keyboard and reads what is on the canvas."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QEvent, QMimeData, QObject, QPoint, QPointF, Qt, QTimer, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QWidget

from cadena.gui.files.questions import Conflict, SaveAnswer
from cadena.gui.session.state import StoryProgress
from cadena.gui.window.window import Window
from tests.gui import mouse
from tests.gui.mouse import drag_to, wait_for_space
from tests.waiting import until

LEFT = Qt.MouseButton.LeftButton
NO_KEY = Qt.KeyboardModifier.NoModifier
OPERATION = "application/x-cadena-operation"
AnyDialog = TypeVar("AnyDialog", bound=QDialog)


class Answers:
    """The user's answers to questions; tests set them beforehand."""

    def __init__(self) -> None:
        self.path: Path | None = None
        self.leave: SaveAnswer = "discard"
        self.conflict: Conflict = "cancel"
        self.gives_up = True
        self.asked: list[str] = []

    def open_path(self, folder: Path) -> Path | None:
        self.asked.append("open")
        return self.path

    def save_path(self, suggestion: Path) -> Path | None:
        self.asked.append("save")
        return self.path

    def plot_path(self, suggestion: Path) -> Path | None:
        self.asked.append(suggestion.name)
        return self.path

    def export_path(self, suggestion: Path, kinds: str) -> Path | None:
        self.asked.append(suggestion.name)
        return self.path

    def script_path(self, folder: Path) -> Path | None:
        self.asked.append("script")
        return self.path

    def code_path(self, suggestion: Path) -> Path | None:
        self.asked.append(suggestion.name)
        return self.path

    def unsaved(self, name: str) -> SaveAnswer:
        self.asked.append("unsaved")
        return self.leave

    def all_unsaved(self, names: list[str]) -> SaveAnswer:
        self.asked.append(f"unsaved: {', '.join(names)}")
        return self.leave

    def give_up(self, names: list[str]) -> bool:
        self.asked.append(f"give up {', '.join(names)}")
        return self.gives_up

    def changed_on_disk(self, name: str) -> Conflict:
        self.asked.append("changed")
        return self.conflict


class User:
    """Mouse and keyboard for one window. Places are nodes' parts, never numbers that a change of layout would spoil."""

    def __init__(self, window: Window, answers: Answers) -> None:
        self.window, self.answers = window, answers
        self.session, self.canvas = window.session, window.canvas

    # --- keys

    def press(self, keys: str) -> None:
        """Press a key such as "Ctrl+Z" in the widget with the focus."""
        key = QKeySequence(keys)[0]
        QTest.keyClick(self._focus(), key.key(), key.keyboardModifiers())
        wait_for_space(self.canvas)
        settle()

    def do(self, command: str) -> None:
        """Choose a command, by its id, where it has no key."""
        self.window.menus.action(command).trigger()
        settle()

    def type(self, text: str) -> None:
        """Type letters and Enter in the widget with the focus."""
        QTest.keyClicks(self._focus(), text)
        QTest.keyClick(self._focus(), Qt.Key.Key_Return)
        settle()

    def _focus(self) -> QWidget:
        return QApplication.focusWidget() or self.window

    def pass_questions(self) -> None:
        """Let the answers to all questions of the lesson be shown, so that they hold nothing up."""
        steps = range(len(self.session.telling.story.steps))
        self.session.state = replace(self.session.state, story=StoryProgress(opened=frozenset(steps)))

    # --- the mouse on the canvas

    def click(self, place: QPoint, keys: Qt.KeyboardModifier = NO_KEY) -> None:
        QTest.mouseClick(self.canvas, LEFT, keys, place)
        settle()

    def double_click(self, place: QPoint) -> None:
        QTest.mouseClick(self.canvas, LEFT, NO_KEY, place)
        QTest.mouseDClick(self.canvas, LEFT, NO_KEY, place)
        settle()

    def drag(self, start: QPoint, end: QPoint) -> None:
        """Press, move in several steps, release."""
        mouse.point_at(self.canvas, start)
        QTest.mousePress(self.canvas, LEFT, NO_KEY, start)
        for part in (0.2, 0.5, 0.8, 1.0):
            drag_to(self.canvas, start + (end - start) * part)
        QTest.mouseRelease(self.canvas, LEFT, NO_KEY, end)
        settle()

    def drop_operation(self, op: str, place: QPoint) -> None:
        """Let go of a chip of the palette over the canvas."""
        drop(self.canvas, operation_dragged(op), place)

    def drop_file(self, target: QWidget, *paths: Path) -> None:
        mime = QMimeData()
        mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
        drop(target, mime, target.rect().center())

    # --- nodes

    def name_of(self, name: str) -> QPoint:
        return self._seen(self.canvas.places.name_area(name).center())

    def value_of(self, name: str) -> QPoint:
        area = self.canvas.places.value_area(name)
        return self._seen(QPointF(area.right() - 20, area.center().y()))

    def output_port(self, name: str) -> QPoint:
        return self._seen(self.canvas.places.output_port(name))

    def input_port(self, name: str, slot: int) -> QPoint:
        return self._seen(self.canvas.places.input_port(name, slot))

    def _seen(self, point: QPointF) -> QPoint:
        return self.canvas.camera.to_view(point).toPoint()

    def connect(self, source: str, target: str, slot: int) -> None:
        self.drag(self.output_port(source), self.input_port(target, slot))

    def rename(self, old: str, new: str) -> None:
        self.click(self.name_of(old))
        self.press("F2")
        self.type(new)

    def set_value(self, name: str, text: str) -> None:
        self.double_click(self.value_of(name))
        assert isinstance(QApplication.focusWidget(), QLineEdit), f"no field opened over the value of {name}"
        self.type(text)


def operation_dragged(op: str) -> QMimeData:
    """What is dragged when a chip of the palette is."""
    mime = QMimeData()
    mime.setData(OPERATION, op.encode())
    return mime


def drop(target: QWidget, mime: QMimeData, place: QPoint) -> None:
    """A drag that enters `target` and ends at `place`."""
    action = Qt.DropAction.CopyAction
    enter = QDragEnterEvent(place, action, mime, LEFT, NO_KEY)
    QApplication.sendEvent(target, enter)
    assert enter.isAccepted(), f"{target.objectName() or type(target).__name__} takes no such drop"
    QApplication.sendEvent(target, QDropEvent(QPointF(place), action, mime, LEFT, NO_KEY))
    settle()


def shown_dialog(user: User, kind: type[AnyDialog]) -> AnyDialog | None:
    """The dialog of this kind that is open; it need not be active yet."""
    dialog = user.window._pages.page
    return dialog if isinstance(dialog, kind) and dialog.isVisible() else None


def calm(*widgets: QObject) -> None:
    """Wait until none of the single-shot timers of these objects runs."""

    def calmed() -> bool:
        timers = (timer for widget in widgets for timer in widget.findChildren(QTimer))
        return not any(timer.isSingleShot() and timer.isActive() for timer in timers)

    until(calmed, "there is always something to come", settle)
    rest()


def rest() -> None:
    """Let the event loop turn until what follows a deletion has happened, too."""
    settle()
    settle()


def settle() -> None:
    """Let the event loop turn, so that runs are made, repaints happen and what is no longer used is deleted."""
    for _ in range(3):
        QApplication.processEvents()
    delete_what_is_due()


def delete_what_is_due() -> None:
    """Carry out `deleteLater`, which processEvents does not: the widgets of all tests before would be styled again."""
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
