"""The window: canvas, panels and export around one Session. May import cadena; nothing in core imports this."""

# What every window needs of the engine comes before Qt: PySide6 replaces `import` with one that reads the source of
# each module that comes after it (it looks for `__feature__`), which makes these take a third longer.
# ruff: noqa: F401

from __future__ import annotations

from cadena.core import front
from cadena.core.doctor.findings import causes, origins
from cadena.core.layout import arrange
from cadena.core.methods import choosing
from cadena.core.methods.reverse import derivation, step_text, timeline
from cadena.core.notation import calls, definition, reading
from cadena.core.rewriting import atoms, custom_gradients
from cadena.core.run import accumulation
from cadena.core.storage import encoding
from cadena.core.teaching import lessons
