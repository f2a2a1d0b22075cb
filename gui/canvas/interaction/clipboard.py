"""Nodes as text on the clipboard, which can be pasted into another window, a mail or an editor."""

from __future__ import annotations

from PySide6.QtCore import QPointF

from cadena.core.graph import edits
from cadena.core.graph.document import Document
from cadena.core.graph.fault import Refused
from cadena.core.layout.arrange import complete, shapes_of
from cadena.core.storage import decoding, encoding
from cadena.core.text.progress import Report, unreported
from cadena.gui.canvas.interaction.placement import free_offset, snapped
from cadena.gui.canvas.rendering.geometry import MARGIN, Geometry
from cadena.gui.canvas.rendering.view import CanvasView
from cadena.gui.session.graph_edits import named
from cadena.gui.session.session import Session

NOTHING_TO_PASTE = (
    "the clipboard holds no nodes of a graph and no expression; copy some first, or paste a script into the code panel"
)


def copied(session: Session) -> str:
    """The selected nodes as text."""
    return encoding.encode(edits.fragment(session.document, session.selection)).decode()


def read(text: str, report: Report = unreported) -> Document:
    """Read the nodes in a text. Raises Refused with one sentence when there are none."""
    if not (text.lstrip().startswith("{") and '"cadena"' in text):
        raise Refused(NOTHING_TO_PASTE)
    part = decoding.decode(text.encode(), "clipboard")
    if not part.nodes:
        raise Refused(NOTHING_TO_PASTE)
    return complete(part, report)


def paste(view: CanvasView, part: Document, at: QPointF | None, label: str) -> None:
    """Add the nodes of `part` and select them: their top left corner at `at`, else a little off where it was.

    Where that would cover other cards they come to the nearest place that is free.
    """
    session, there = view.session, Geometry(part, shapes_of(part))
    offset = snapped(at - there.bounds().topLeft() - MARGIN) if at is not None else QPointF(*edits.PASTE_OFFSET)
    offset = free_offset(view.places, there, offset, onwards=at is None)
    names: tuple[str, ...] = ()

    def change(document: Document) -> Document:
        nonlocal names
        pasted, names = edits.paste(document, part, (offset.x(), offset.y()))
        return pasted

    if session.edit(change, f"{label} {named(part.nodes)}"):
        session.select(names)
