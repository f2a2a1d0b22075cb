"""The elements of a matrix as colours, row by row from the top, cool for values and warm for gradients."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF

from cadena.core.text.numbers import full, short
from cadena.gui.look.heat_colors import colours
from cadena.gui.look.theme import Theme
from cadena.gui.plots.axes import IndexAxis
from cadena.gui.plots.plane import PlanePlot

MOST = 1000  # rows or columns of pixels; of a larger matrix a pixel stands for a block


def farthest_of_blocks(matrix: np.ndarray, most: int = MOST) -> np.ndarray:
    """At most `most` rows and columns: of each block the element farthest from 0; one that is not finite wins."""
    rows, columns = (-(-size // most) for size in matrix.shape)
    if rows == columns == 1:
        return matrix
    extra = -matrix.shape[0] % rows, -matrix.shape[1] % columns
    padded = np.pad(matrix.astype(np.float64), ((0, extra[0]), (0, extra[1])))
    tall, wide = padded.shape[0] // rows, padded.shape[1] // columns
    blocks = padded.reshape(tall, rows, wide, columns).swapaxes(1, 2).reshape(tall, wide, -1)
    far = np.where(np.isfinite(blocks), np.abs(blocks), np.inf).argmax(axis=2)
    return np.take_along_axis(blocks, far[..., None], axis=2)[..., 0]


class ElementMap(PlanePlot):
    """The pointer reads an element, and a click chooses it: `pointed` and `chosen` have its number (flat)."""

    axis = IndexAxis

    def __init__(self, theme: Theme) -> None:
        self.matrix, self.role = np.zeros((0, 0)), "value"
        super().__init__(theme, "Heat map", "column", "row")
        self.view.invertY(True)

    def show_matrix(self, matrix: np.ndarray, role: str) -> None:
        """Show another matrix, of the role "value" or "gradient"."""
        self.matrix, self.role = matrix, role
        self.shows_all = True
        self.draw()

    def draw(self) -> None:
        self.clear_drawn()
        self.plotItem.setOpacity(float(self.matrix.size > 0))
        self.xs = range(self.matrix.shape[1]) if self.matrix.size else ()
        if not self.matrix.size:
            return
        rows, columns = self.matrix.shape
        self.set_ends(-0.5, columns - 0.5, -0.5, rows - 0.5)
        shown = farthest_of_blocks(self.matrix)
        rgb = colours(shown, self._theme, self.role).swapaxes(0, 1) / 255.0
        blocks = -(-columns // MOST), -(-rows // MOST)  # the last ones may reach beyond the matrix
        area = QRectF(-0.5, -0.5, blocks[0] * shown.shape[1], blocks[1] * shown.shape[0])
        self.put_image(area, rgb, np.ones(rgb.shape[:2]))

    def element_at(self, at: QPointF) -> int | None:
        """The element (flat) under a pixel."""
        if not self.matrix.size or not self.view.sceneBoundingRect().contains(at):
            return None
        place = self.view.mapSceneToView(at)
        row, column = round(place.y()), round(place.x())
        inside = 0 <= row < self.matrix.shape[0] and 0 <= column < self.matrix.shape[1]
        return row * self.matrix.shape[1] + column if inside else None

    def _hover(self, at: QPointF) -> None:
        element = self.element_at(at)
        for line in (self.upright, self.across):
            line.setVisible(element is not None)
        if element is not None:
            row, column = divmod(element, self.matrix.shape[1])
            self._read(self.upright, column, f"{column}: {short(self.matrix[row, column])}")
            self._read(self.across, row, str(row))
        if element != self.at:
            self.at = element
            self.pointed.emit(element)

    def table(self) -> list[list[object]]:
        return [
            ["row", *range(self.matrix.shape[1])],
            *([row, *map(full, line)] for row, line in enumerate(self.matrix)),
        ]
