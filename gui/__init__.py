"""The window: canvas, panels and export around one Session. May import cadena; nothing in core imports this."""

# The engine that every window needs, before Qt: from then on PySide6 reads the source of each module that is imported,
# to see whether it asks for snake_case, which takes longer than the import itself.
# ruff: noqa: F401
from cadena.core import front, lessons
from cadena.core.doctor.findings import causes, origins
from cadena.core.layout import arrange
from cadena.core.methods import choosing
from cadena.core.methods.reverse import derivation, timeline, words
from cadena.core.notation import calls, definition, reading
from cadena.core.rewriting import atoms, custom_gradients
from cadena.core.run import accumulation
from cadena.core.storage import pieces
