"""The real window, without a screen, with settings and recovery copies of its own."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from functools import partialmethod
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QSplitter, QWidget
from pytestqt.qtbot import QtBot

from cadena.core.graph.document import Document
from cadena.core.methods.names import Method
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.background import worker
from cadena.gui.background.tasks import Tasks
from cadena.gui.files.recovery.keeper import Recovery
from cadena.gui.files.settings import Settings
from cadena.gui.formulas import typesetter
from cadena.gui.look import style
from cadena.gui.look.theme import LIGHT, font
from cadena.gui.panels.parts.panel_layout import PanelLayout
from cadena.gui.session.run_steps import Steps
from cadena.gui.session.session import Session
from cadena.gui.widgets.segments import Segments
from cadena.gui.widgets.slide import Slide
from cadena.gui.window.window import Window
from tests.gui.gate import Gate
from tests.gui.user import Answers, User, delete_what_is_due, settle
from tests.waiting import MILLISECONDS, until

SIZE = (1600, 1000)
STAGES = [("light", SIZE), ("projector", (1280, 720))]  # themes and sizes of the window in which people work


class Patient(QtBot):
    """A qtbot that waits for conditions, however busy the machine is."""

    waitUntil = partialmethod(QtBot.waitUntil, timeout=MILLISECONDS)
    waitSignal = partialmethod(QtBot.waitSignal, timeout=MILLISECONDS)
    waitSignals = partialmethod(QtBot.waitSignals, timeout=MILLISECONDS)
    waitActive = partialmethod(QtBot.waitActive, timeout=MILLISECONDS)
    waitExposed = partialmethod(QtBot.waitExposed, timeout=MILLISECONDS)


@pytest.fixture
def qtbot(qapp, request) -> QtBot:
    return Patient(request)


class _Anybody(QWidget):
    """Takes every release of the mouse."""

    def mouseReleaseEvent(self, event) -> None:
        event.accept()


@pytest.fixture(autouse=True)
def no_button_stays_down() -> Iterator[None]:
    """QTest remembers buttons that a cancelled drag left down; sliders would ignore the press of the next test."""
    yield
    if QApplication.instance() is not None:
        for button in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton, Qt.MouseButton.RightButton):
            QTest.mouseRelease(_Anybody(), button)


@pytest.fixture(autouse=True)
def widgets_of_the_test_before_are_deleted() -> None:
    if QApplication.instance() is not None:
        delete_what_is_due()


@pytest.fixture(autouse=True)
def steps_are_waited_for(monkeypatch) -> None:
    """Finish the steps of a method when it is chosen, however busy the machine is."""
    monkeypatch.setattr(Steps, "patience", MILLISECONDS)


@pytest.fixture(autouse=True)
def tasks_are_waited_for(monkeypatch) -> None:
    """Finish what takes a while when it is begun, however busy the machine is."""
    monkeypatch.setattr(Tasks, "patience", MILLISECONDS)


@pytest.fixture(autouse=True)
def panels_are_there_at_once(monkeypatch) -> None:
    """Show and hide panels, and choose segments, without their way."""
    monkeypatch.setattr(Slide, "milliseconds", 0)
    monkeypatch.setattr(Segments, "milliseconds", 0)


@pytest.fixture(autouse=True)
def formulas_are_waited_for(monkeypatch) -> None:
    """Set formulas when a widget asks for them, however busy the machine is."""

    def set_at_once(self: typesetter.Typesetter, formulas: Iterable[str]) -> None:
        for latex in formulas:
            typesetter.setting(latex)

    monkeypatch.setattr(typesetter.Typesetter, "ask", set_at_once)
    monkeypatch.setattr(typesetter, "is_set", lambda latex: bool(typesetter.setting(latex)))


@pytest.fixture(autouse=True, scope="session")
def garbage_is_collected_in_this_thread() -> None:
    """As in the program: Python collects in whichever thread allocates, and deletes Qt's objects there, which crashes.

    From now on `pytest_runtest_teardown` does it.
    """
    gc.disable()


@pytest.fixture(autouse=True, scope="session")
def no_thread_outlives_the_tests() -> Iterator[None]:
    yield
    for thread in worker.running:
        thread.cancel()
    for thread in tuple(worker.running):
        thread.wait()


def make_user(folder: Path, size: tuple[int, int] | None = SIZE) -> User:
    """A user before a new window with lesson 1, as after the first start."""
    settings = Settings(QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat))
    session, answers = Session(open_lesson("1")), Answers()
    window = Window(session, settings, Recovery(session, folder / "recovery"), answers)
    if size:
        window.resize(*size)
    window.show()
    assert QTest.qWaitForWindowActive(window, MILLISECONDS)
    settle()
    return User(window, answers)


def leave(user: User) -> None:
    """Close the window for good."""
    user.session.playback.pause()
    user.answers.leave = "discard"
    user.window.close()
    user.session.open(open_lesson("1"), None)  # no file is watched when another thread collects the garbage
    user.window.deleteLater()
    settle()


def activate(window: Window) -> None:
    """Give the window the keys, again and again: a window of the test before may take them while it goes."""
    while (left := QApplication.activePopupWidget() or QApplication.activeModalWidget()) is not None:
        left.hide()
    for other in QApplication.topLevelWidgets():  # such as a second window that a test opened
        if other.isVisible() and other is not window and other.parent() is None:
            other.hide()

    def ask() -> None:
        window.showNormal() if window.isMinimized() else window.show()
        window.raise_()
        window.activateWindow()
        settle()

    until(window.isActiveWindow, "another window keeps the keys", ask)


@pytest.fixture(scope="session")
def shared_user(qapp, tmp_path_factory) -> Iterator[User]:
    qapp.setQuitOnLastWindowClosed(False)  # a test that closes its own window would close this one, too
    user = make_user(tmp_path_factory.mktemp("home"))
    user.first_sizes = {part: part.saveState() for part in user.window.findChildren(QSplitter)}
    yield user
    leave(user)


@pytest.fixture
def user(shared_user) -> Iterator[User]:
    """A user at the first start. The window is kept from test to test and put back here."""
    window, session = shared_user.window, shared_user.session
    QGuiApplication.clipboard().clear()
    if window.presenting:
        window.stage.toggle()
    while len(window.documents) > 1:
        window.documents.take(0)
    window.documents._closed.clear()
    for path in window.settings.pinned_files:
        window.settings.set_pinned(path, False)
    window.settings.forget_files()
    window.banner.withdraw_all()
    window.choose_theme("light")
    if (QApplication.palette(), QApplication.font()) != (style.palette(LIGHT), font(LIGHT)):
        style.apply(window, LIGHT)  # another window has given the application its own
    window.settings.panel_layout, window.panels.own = "", PanelLayout()
    window.panels.leave_out(None)  # which other tests may have asked for
    window.panels.show(None)
    window.make_room()
    window.menus.refresh()
    window.operations.search.clear()
    window.resize(*SIZE)
    for part, sizes in shared_user.first_sizes.items():
        part.restoreState(sizes)  # a panel on a large screen stays as wide on a smaller one
    window.settings.reduce_motion = session.reduce_motion = False
    session.playback.set_speed(1.0)
    session.playback.set_loop(False)
    session.predicting.set_on(False)
    session.predicting.ask_for(("gradient",), by_level=False)
    session.blockSignals(True)  # the window follows the last of these alone
    session.open(Document({}), None)  # a lesson has a method of its own: what is chosen there is not the user's choice
    session.set_method(Method())
    session.blockSignals(False)
    session.open(open_lesson("1"), None)
    activate(window)
    window.canvas.setFocus()
    settle()
    session.select(())
    window.canvas.zoom_to_fit()
    answers = shared_user.answers = window.files.questions = Answers()
    yield User(window, answers)
    assert window in window.windows.all, "this test, or one without a `user` before it, closed the window of all tests"


@pytest.fixture
def gate(user: User, monkeypatch) -> Iterator[Gate]:
    """Nothing is waited for, and each task is shown at once."""
    monkeypatch.setattr(Tasks, "patience", 0)
    monkeypatch.setattr(Tasks, "unseen", 0)
    gate = Gate(monkeypatch)
    yield gate
    gate.open()
    until(lambda: not worker.running and not user.session.tasks.under_way, "a task does not end", settle)


@pytest.fixture
def lesson8(user) -> User:
    """The same, on the custom gradient of lesson 8."""
    user.session.open(open_lesson("8"), None)
    user.session.show_live()
    settle()
    return user


@pytest.fixture
def own_user(qapp, tmp_path) -> Iterator[User]:
    """A user with a window that the test may close."""
    user = make_user(tmp_path)
    yield user
    leave(user)
