"""A small picture of a moment: what the canvas would show of the whole graph then."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from cadena.core.graph.document import Document
from cadena.core.layout.arrange import complete
from cadena.gui.canvas.rendering.painting import Layers
from cadena.gui.canvas.rendering.static_layer import HINTS
from cadena.gui.export.sheet import Sheet, paint_graph
from cadena.gui.formulas.typesetter import typesetter
from cadena.gui.look.theme import Theme
from cadena.gui.presenting.speaker.next_step import LectureMoment

LEAST = QSize(200, 110)


class MomentPicture(QWidget):
    """Paints the moment that it was handed last, a pure function of document, run and time."""

    def __init__(self, name: str, theme: Theme) -> None:
        super().__init__()
        self._theme, self._layers = theme, Layers()
        self._moment: LectureMoment | None = None
        self._placed: tuple[Document, Document] | None = None  # the document, and the same with a place for each node
        self.setAccessibleName(name)
        self.setMinimumSize(LEAST)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        typesetter.formulas_set.connect(self._come)

    def set_theme(self, theme: Theme) -> None:
        self._theme = replace(theme, grid=theme.canvas, type=1.0)  # the camera makes it small; nobody moves cards here
        self.update()

    def show_moment(self, moment: LectureMoment) -> None:
        """Show another moment."""
        if moment == self._moment:
            return
        self._moment = moment
        self.setAccessibleDescription(moment.sentence)
        self.update()

    def _come(self) -> None:
        self._layers.forget()
        self.update()

    def _document(self, document: Document) -> Document:
        """The document with a place for each node."""
        if self._placed is None or self._placed[0] is not document:
            self._placed = document, complete(document)
        return self._placed[1]

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, moment = QPainter(self), self._moment
        painter.setRenderHints(HINTS)
        painter.fillRect(self.rect(), self._theme.color("canvas"))
        if moment is not None and moment.frame is not None:
            document = self._document(moment.document)
            sheet = Sheet(document, moment.frame, self._theme, self.size(), live=moment.live)
            paint_graph(painter, QRectF(self.rect()), sheet, self._layers)
        painter.end()
