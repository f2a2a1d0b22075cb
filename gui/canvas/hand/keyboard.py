"""The canvas without a mouse: which key does what, and which keys the canvas keeps from the window's shortcuts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QKeyEvent

from cadena.gui.canvas.hand.placement import GRID
from cadena.gui.canvas.picture.geometry import Geometry

if TYPE_CHECKING:
    from cadena.gui.canvas.hand.canvas import Canvas

Key, Modifier = Qt.Key, Qt.KeyboardModifier
ARROWS = {Key.Key_Left: (-1, 0), Key.Key_Right: (1, 0), Key.Key_Up: (0, -1), Key.Key_Down: (0, 1)}
LARGE, SMALL = 5 * GRID, 1.0  # canvas units that an arrow key moves a card with Shift, with Ctrl


def press(canvas: Canvas, event: QKeyEvent) -> bool:
    """Do what a key asks for; False when it means nothing here."""
    key, modifiers = event.key(), event.modifiers() & ~Modifier.KeypadModifier
    name = next(iter(canvas.session.selection)) if len(canvas.session.selection) == 1 else None
    if key == Key.Key_Escape:
        canvas.escape()
    elif key == Key.Key_Space and not modifiers:
        if not event.isAutoRepeat():  # else a key still held when the focus comes back would play at its release
            canvas.press_space()
    elif key in (Key.Key_Delete, Key.Key_Backspace):
        canvas.delete_selection()
    elif key == Key.Key_F2 and name:
        canvas.start_rename(name)
    elif key in (Key.Key_Return, Key.Key_Enter) and name:
        canvas.open_node(name)
    elif key in ARROWS and canvas.session.selection:
        _arrow(canvas, key, modifiers)
    else:
        return False
    return True


def _arrow(canvas: Canvas, key: int, modifiers: Qt.KeyboardModifier) -> None:
    x, y = ARROWS[Key(key)]
    if modifiers & Modifier.AltModifier:
        _step_to(canvas, x, y)
        return
    way = LARGE if modifiers & Modifier.ShiftModifier else SMALL if modifiers & Modifier.ControlModifier else GRID
    canvas.nudge(x * way, y * way)


def _step_to(canvas: Canvas, x: int, y: int) -> None:
    start = canvas.places.bounds(canvas.session.selection).center()
    if name := neighbour(canvas.places, start, x, y):
        canvas.select_only(name)
        canvas.show_node(name)


def neighbour(places: Geometry, start: QPointF, x: int, y: int) -> str | None:
    """The nearest card from `start` in the direction (x, y); what lies aside counts as twice as far."""
    best, found = float("inf"), None
    for name, (left, top, right, bottom) in zip(places.names, places.boxes.tolist()):
        way = QPointF((left + right) / 2, (top + bottom) / 2) - start
        ahead, aside = way.x() * x + way.y() * y, abs(way.x() * y) + abs(way.y() * x)
        if ahead > GRID and aside <= 2 * ahead and ahead + 2 * aside < best:
            best, found = ahead + 2 * aside, name
    return found


def keeps(canvas: Canvas, event: QKeyEvent) -> bool:
    """Whether a key is the canvas's although the window has a shortcut on it.

    The space bar held pans; the arrows move cards in build mode, but step through time while it is played.
    """
    plain = not event.modifiers() & ~(Modifier.KeypadModifier | Modifier.ShiftModifier)
    if event.key() == Key.Key_Escape:
        return canvas.gesture is not None
    if event.key() == Key.Key_Space:
        return not event.modifiers()
    return plain and event.key() in ARROWS and canvas.session.live and bool(canvas.session.selection)
