"""The keys of the canvas, and those that it keeps from the window's shortcuts."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from cadena.gui.canvas.interaction.commands import Commands
from cadena.gui.canvas.interaction.placement import GRID

Key, Modifier = Qt.Key, Qt.KeyboardModifier
ARROWS = {Key.Key_Left: (-1, 0), Key.Key_Right: (1, 0), Key.Key_Up: (0, -1), Key.Key_Down: (0, 1)}
LARGE, SMALL = 5 * GRID, 1.0  # canvas units that an arrow key moves a card with Shift, with Ctrl


def press(commands: Commands, key: int, modifiers: Qt.KeyboardModifier) -> bool:
    """Carry out a key; False when it has no meaning here."""
    session = commands.session
    name = next(iter(session.selection)) if len(session.selection) == 1 else None
    if key in (Key.Key_Delete, Key.Key_Backspace) and not modifiers & Modifier.ControlModifier:
        commands.delete_selection()
    elif key == Key.Key_F2 and name:
        commands.start_rename(name)
    elif key in ARROWS and commands.wiring.point is not None and not modifiers & Modifier.AltModifier:
        commands.wiring.move_point(*_way(Key(key), modifiers))
    elif key in ARROWS and session.selection and not modifiers & Modifier.AltModifier:
        commands.nudge(*_way(Key(key), modifiers))
    else:
        return False
    return True


def _way(key: Qt.Key, modifiers: Qt.KeyboardModifier) -> tuple[float, float]:
    way = LARGE if modifiers & Modifier.ShiftModifier else SMALL if modifiers & Modifier.ControlModifier else GRID
    x, y = ARROWS[key]
    return x * way, y * way


def keeps(commands: Commands, event: QKeyEvent, dragging: bool) -> bool:
    """Whether a key is the canvas's although the window has a shortcut on it.

    The space bar held pans; the arrows move cards in build mode, but step through time while it is played. A reroute
    point that is marked is moved in both.
    """
    session = commands.session
    plain = not event.modifiers() & ~(Modifier.KeypadModifier | Modifier.ShiftModifier)
    if event.key() == Key.Key_Escape:
        return dragging
    if event.key() == Key.Key_Space:
        return not event.modifiers()
    if event.key() in ARROWS and commands.wiring.point is not None:
        return not event.modifiers() & Modifier.AltModifier
    return plain and event.key() in ARROWS and session.live and bool(session.selection)
