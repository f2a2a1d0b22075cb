"""Tooltips of buttons and fields: after half a second, with their keys in boxes."""

from __future__ import annotations

import re
from html import escape

from PySide6.QtCore import QEvent, QObject, QPoint, QTimer
from PySide6.QtGui import QCursor, QGuiApplication, QHelpEvent, QPalette
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

RESTING = 500  # milliseconds
KEYS = re.compile(r"(.+?) \(([^()]+)\)", re.DOTALL)  # "Step back (←)"
NAMED = r"Space|Home|End|Esc|Tab|Enter|Return|Del|Backspace|PgUp|PgDown|PageUp|PageDown|F\d+|[A-Z0-9,.\[\]←→↑↓+−-]"
KEY = re.compile(rf"((Ctrl|Shift|Alt|Meta)\+)*({NAMED})")
Event = QEvent.Type


class KeyTips(QObject):
    """Filter for the application. It sees every event, so it is put in place once the window is shown."""

    def __init__(self, application: QApplication) -> None:
        super().__init__(application)
        self._under: QWidget | None = None
        self._soon = QTimer(self, singleShot=True, interval=RESTING)
        self._soon.timeout.connect(self._ask)
        application.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind is Event.Enter and isinstance(watched, QWidget) and watched.toolTip():
            self._under = watched
            self._soon.start()
        elif kind in (Event.Leave, Event.MouseButtonPress, Event.KeyPress, Event.Wheel):
            self._soon.stop()
        elif kind is Event.ToolTip and isinstance(watched, QWidget) and (text := typeset(watched.toolTip())):
            QToolTip.showText(event.globalPos() if isinstance(event, QHelpEvent) else QCursor.pos(), text, watched)
            return True
        return False

    def _ask(self) -> None:
        """Ask for the tooltip now; Qt would do so 200 milliseconds later."""
        under, at = QApplication.widgetAt(QCursor.pos()), QCursor.pos()
        if under is not None and under is self._under:
            QApplication.sendEvent(under, QHelpEvent(Event.ToolTip, under.mapFromGlobal(at), QPoint(at)))


def typeset(tip: str) -> str:
    """A tooltip as HTML with its keys in boxes; "" for one without keys, which is shown as it is."""
    match = KEYS.fullmatch(tip)
    keys = match[2].split(", ") if match else []
    if match is None or not all(map(KEY.fullmatch, keys)):
        return ""
    edge = QGuiApplication.palette().color(QPalette.ColorRole.Mid).name()
    boxes = "".join(
        f"<td width='8'></td><td style='border: 1px solid {edge}; padding: 0 5px'>{escape(key)}</td>" for key in keys
    )
    return f"<table cellspacing='0'><tr><td>{escape(match[1])}</td>{boxes}</tr></table>"
