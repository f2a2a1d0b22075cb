"""The speaker view of a window: when and on which screen it is shown, and where its keys lead."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QScreen
from PySide6.QtWidgets import QWidget

from cadena.gui.frame.frame import WindowFrame
from cadena.gui.presenting.speaker.clock import LectureClock, Now, system_now
from cadena.gui.presenting.speaker.view import SpeakerView

LED = ("stage.", "run.", "lesson.", "view.present")  # begins of the commands whose keys hold in the speaker view too


class Speaker(QObject):
    """The speaker view, and the clock, which starts when the view is first shown."""

    def __init__(self, window: WindowFrame, now: Now = system_now) -> None:
        super().__init__(window)
        self._window = window
        self._came_with_stage = False
        self.clock = LectureClock(now)
        self.view = SpeakerView(window.session, self.clock, self._press)
        self.view.swapAsked.connect(self.swap)
        self.view.closed.connect(window.menus.refresh)
        window.installEventFilter(self)

    @property
    def shown(self) -> bool:
        return self.view.isVisible()

    def toggle(self) -> None:
        """Show the view, or close it."""
        if self.shown:
            self.view.close()
        else:
            self.show()

    def show(self) -> None:
        """Show the view on another screen than the window's, or as an ordinary window."""
        self.clock.start()
        self.view.set_theme(self._window.theme)
        other = other_screen(self._window.screen(), QGuiApplication.screens())
        self.view.swap.setVisible(other is not None)
        if other is None:
            self.view.resize(self.view.sizeHint().boundedTo(self._window.screen().availableSize()))
            self.view.show()
        else:
            put(self.view, other, other.availableGeometry(), Qt.WindowState.WindowMaximized)
        self._window.menus.refresh()

    def begin(self) -> None:
        """Show the view as a presentation begins, where there is a screen for it; else it would cover the stage."""
        if not self.shown and other_screen(self._window.screen(), QGuiApplication.screens()) is not None:
            self._came_with_stage = True
            self.show()
            self._window.activateWindow()

    def end(self) -> None:
        """Close the view if it came with the presentation."""
        if self._came_with_stage:
            self.view.close()
        self._came_with_stage = False

    def swap(self) -> None:
        """Let both windows take each other's screen."""
        here, there = self._window.screen(), self.view.screen()
        if here is not there:
            for window, begin, end in ((self._window, here, there), (self.view, there, here)):
                way = end.geometry().topLeft() - begin.geometry().topLeft()
                put(window, end, window.normalGeometry().translated(way), window.windowState())

    # --- keys and events

    def _press(self, event: QKeyEvent) -> bool:
        """Carry out what a key does on the stage; whether it does anything. Esc leaves the stage first."""
        if event.key() == Qt.Key.Key_Escape and not self._window.presenting:
            self.view.close()
            return True
        keys = QKeySequence(event.modifiers().value & ~Qt.KeyboardModifier.KeypadModifier.value | event.key())
        for command in self._window.menus.commands:
            if command.id.startswith(LED) and keys in map(QKeySequence, command.keys_when(True)):
                self._window.menus.run(command.id)
                return True
        return False

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Go with the window, and take over its theme."""
        if event.type() is QEvent.Type.StyleChange:
            self.view.set_theme(self._window.theme)
        elif event.type() is QEvent.Type.Hide and not event.spontaneous():
            self.view.close()
        return False


def other_screen(taken: QScreen, screens: Sequence[QScreen]) -> QScreen | None:
    """The first screen that is not taken."""
    return next((screen for screen in screens if screen is not taken), None)


def put(window: QWidget, screen: QScreen, place: QRect, state: Qt.WindowState) -> None:
    """Put a window on a screen in this state; at this place, where the state leaves it one."""
    window.setWindowState(Qt.WindowState.WindowNoState)
    window.setScreen(screen)
    window.setGeometry(place)
    window.setWindowState(state)
    window.show()
