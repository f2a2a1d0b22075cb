"""What a panel around the canvas is: ONE record, which the View menu, the keys, the settings and the window read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from PySide6.QtWidgets import QWidget

from cadena.gui.session import Session
from cadena.gui.theme import Theme


class Side(Enum):
    """Where a panel stands, seen from the canvas."""

    LEFT = "left"
    RIGHT = "right"
    BELOW = "below"


@dataclass(frozen=True)
class PanelRecord:
    """A panel: a widget made from session and theme, with `set_theme(theme)`.

    The window connects the signals that it has of these: `nodeActivated(name)`, bring the node into view;
    `pointedAt(fault)`, show where it is; `enterAsked(name)` and `gradientAsked(name)`, show a call, or its custom
    gradient, from within; `operationActivated(name)`, add the operation; `exportAsked(name, extension, write)`, save
    a plot.
    """

    name: str  # in the View menu, which capitalizes it, and in the settings
    make: Callable[[Session, Theme], Any]
    side: Side
    key: str
    tip: str
    shown_at_first: bool = True


def connect(panel: QWidget, slots: Mapping[str, Callable[..., Any]]) -> None:
    """Connect those of the named signals that the panel has."""
    for name, slot in slots.items():
        if signal := getattr(panel, name, None):
            signal.connect(slot)
