"""The program with its window: start, the first document, and the rescue of unsaved work after an internal error."""

from __future__ import annotations

import signal
import socket
import sys
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from types import FrameType, TracebackType

from PySide6.QtCore import QSocketNotifier, QTimer
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from cadena.core.teaching.lessons import open_lesson
from cadena.gui.background.garbage_collector import Collector
from cadena.gui.background.worker import end_all
from cadena.gui.files.recovery.keeper import Recovery, user_folder
from cadena.gui.files.settings import Settings, user_store
from cadena.gui.look import style
from cadena.gui.session.session import Session
from cadena.gui.window.window import Window

FIRST_LESSON = "1"


def start(path: str | None, *more: str) -> int:
    """Open the window, on these files or on lesson 1, and run until it is closed; the exit status."""
    application = make_application()
    window = make_window(Settings(user_store(), style.usual_type()), user_folder())
    bell = end_on_signal(application, window)
    sys.excepthook = rescue(window)
    if path is not None:
        for name in (path, *more):
            window.files.open_path(Path(name))
    window.show()
    if path is None and window.settings.reopens:
        window.windows.restore()  # before anything is painted, at the size that the views are for
    QTimer.singleShot(0, application, lambda: Collector(application))
    QTimer.singleShot(0, window, window.offer.make)
    try:
        return application.exec()
    finally:
        for widget in application.topLevelWidgets():
            widget.hide()  # Qt ends in a fault where a window without a parent is still shown, as the speaker view
        end_all()  # also work that began after the application announced that it quits
        bell.setEnabled(False)
        sys.excepthook = sys.__excepthook__


def make_application() -> QApplication:
    """The one QApplication, with the program's name and icon."""
    application = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(application, QApplication)
    application.setApplicationName("cadena")
    application.setApplicationDisplayName("Cadena")
    application.setDesktopFileName("cadena")
    application.setWindowIcon(QIcon(str(files("cadena.resources").joinpath("icons", "cadena.svg"))))
    return application


def make_window(settings: Settings, recovery_folder: Path) -> Window:
    """A window on lesson 1, laid out, before its first step."""
    session = Session(open_lesson(FIRST_LESSON))
    return Window(session, settings, Recovery(session, recovery_folder))


def end_on_signal(application: QApplication, window: Window) -> QSocketNotifier:
    """End on Ctrl+C in the terminal and when the system asks, with unsaved work kept for the next start.

    Python looks for signals only between its own steps, and Qt's loop takes none while nothing happens: the notifier
    wakes it.
    """

    def end(number: int, frame: FrameType | None) -> None:
        window.windows.try_to_write()
        application.exit(0)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end)
    ear, mouth = socket.socketpair()
    mouth.setblocking(False)
    signal.set_wakeup_fd(mouth.detach())
    bell = QSocketNotifier(ear.detach(), QSocketNotifier.Type.Read, window)
    bell.activated.connect(lambda *_: bell.setEnabled(False))
    return bell


def rescue(window: Window) -> Callable[[type[BaseException], BaseException, TracebackType | None], None]:
    """An excepthook that saves the work: the window stays, one sentence reports the error, a copy is written."""

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        sys.__excepthook__(kind, error, trace)
        if window.windows.try_to_write():
            window.session.news.emit(
                f"Something went wrong inside Cadena ({kind.__name__}: {error}); save your graph to be safe"
            )

    return hook
