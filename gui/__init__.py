"""The window: canvas, panels and export around one Session. May import cadena; nothing in core imports this."""

# The engine that every window needs, before Qt: see import_qt.
# ruff: noqa: F401

from __future__ import annotations

import builtins

from cadena.core import front, lessons
from cadena.core.doctor.findings import causes, origins
from cadena.core.layout import arrange
from cadena.core.methods import choosing
from cadena.core.methods.reverse import derivation, timeline, words
from cadena.core.notation import calls, definition, reading
from cadena.core.rewriting import atoms, custom_gradients
from cadena.core.run import accumulation
from cadena.core.storage import pieces


def import_qt() -> None:
    """Import Qt, and put Python's own `import` back.

    PySide6 puts another in its place, which reads and searches the source of each module that comes after, to see
    whether it asks for snake_case (`__feature__`): a tenth of the start. No module of Cadena does.
    """
    from PySide6 import QtCore

    builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)
