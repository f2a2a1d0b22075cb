"""Commands for frames around cards: make, name, colour, collapse, take away."""

from __future__ import annotations

from collections.abc import Callable, Collection

from PySide6.QtCore import QRectF

from cadena.core.graph import frames as core
from cadena.core.graph.document import Document
from cadena.gui.canvas.interaction.editors import InPlaceEditor
from cadena.gui.canvas.interaction.fields import Fields
from cadena.gui.canvas.rendering import frames
from cadena.gui.canvas.rendering.geometry import TITLE_HEIGHT
from cadena.gui.canvas.rendering.view import CanvasView
from cadena.gui.session.graph_edits import Edit, named

WIDE = 200.0  # canvas units: the field for a title


class FrameCommands:
    """Each command is one undo step."""

    def __init__(self, view: CanvasView, fields: Fields) -> None:
        self.session, self.view, self._fields = view.session, view, fields

    @property
    def titles(self) -> list[str]:
        """The frames of the selected nodes, by title."""
        chosen = self.session.selection
        return sorted(
            title for title, names in core.frames(self.session.document).items() if not chosen.isdisjoint(names)
        )

    def start(self) -> None:
        """Ask on the canvas for the title of a frame around the selected nodes."""
        names, label = self.session.selection, f"Frame {named(self.session.selection)}"
        self._ask(names, "", lambda typed: Edit(lambda now: core.put_into_frame(now, names, typed), label), label)

    def start_rename(self, title: str) -> None:
        """Ask on the canvas for another title of a frame."""
        names, label = core.frames(self.session.document)[title], f"Rename the frame {title}"
        self._ask(names, title, lambda typed: Edit(lambda now: core.rename_frame(now, title, typed), label), label)

    def rename(self) -> None:
        """Ask for another title of the frame of the selected nodes."""
        self.start_rename(self.titles[0])

    def _ask(self, names: Collection[str], title: str, edit: Callable[[str], Edit], label: str) -> None:
        first = next(name for name in self.session.document.nodes if name in names)
        editor = InPlaceEditor(self.view, first, title, lambda: self._title_field(names), edit, label)
        editor.setPlaceholderText("its title…")
        editor.place()
        self._fields.edit_with(editor)

    def _title_field(self, names: Collection[str]) -> QRectF:
        bounds = self.view.places.bounds(names)
        around = frames.AROUND
        return QRectF(bounds.left() + around, bounds.top() - TITLE_HEIGHT / 2, WIDE, TITLE_HEIGHT)

    def change_color(self) -> None:
        """Give the frames of the selected nodes their next colour."""
        titles = self.titles

        def change(document: Document) -> Document:
            for title in titles:
                document = core.set_color(document, title, core.color_of(document, title) + 1)
            return document

        self.session.edit(change, "Colour a frame")

    def toggle(self, *titles: str) -> None:
        """Collapse these frames, by default those of the selected nodes, or expand them if all are collapsed."""
        titles = titles or tuple(self.titles)
        collapsed = core.collapsed_titles(self.session.document)
        closing = [title for title in titles if title not in collapsed]

        def change(document: Document) -> Document:
            for title in closing or titles:
                document = core.set_collapsed(document, title, bool(closing))
            return document

        known = core.frames(self.session.document)
        listed = ", ".join(closing or titles)
        label = f"Collapse {listed}" if closing else f"Expand {listed}"

        def edit() -> None:
            if self.session.edit(change, label):
                self.session.select(name for title in titles for name in known[title])  # a part would keep it open

        self.view.refold(edit)

    def take_away(self) -> None:
        """Take the selected nodes out of their frames; a frame without nodes goes."""
        names = self.session.selection
        self.session.edit(lambda document: core.put_into_frame(document, names, ""), f"Take {named(names)} out")
