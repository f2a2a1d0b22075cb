"""The plots of the panel of elements: a heat map with its colour scale, and a histogram."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QWidget

from cadena.core.text.numbers import number_of, short
from cadena.gui.look import theme as look
from cadena.gui.look.heat_colors import colours
from cadena.gui.look.theme import Theme
from cadena.gui.panels.plots.plot_frame import PlotFrame

if TYPE_CHECKING:
    from cadena.gui.plots.element_map import ElementMap
    from cadena.gui.plots.histograms import Histograms

STEPS = 129  # colours of the scale
MAP = "Cool colours are values and warm ones gradients; what is not finite has the colour of faults."
MOST = "; the highest bar stands for {most}"
LEFT_OUT = "{count} that are not finite are left out."


class ColorScale(QWidget):
    """The colours from the largest negative number to the largest positive one, by absolute value, with 0 between."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self._role, self._most = theme, "value", 0.0
        self.setSizePolicy(self.sizePolicy().Policy.Expanding, self.sizePolicy().Policy.Fixed)

    def show_scale(self, role: str, most: float) -> None:
        """Show the scale up to `most`."""
        self._role, self._most = role, most
        self.setAccessibleName(f"Colour scale from {short(-most)} to {short(most)}")
        self.update()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(100, round(34 * self._theme.type))

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        bar = QRectF(0.0, 0.0, self.width(), self.height() * 0.42)
        rgb = np.ascontiguousarray(colours(np.linspace(-1.0, 1.0, STEPS)[None, :], self._theme, self._role))
        painter.drawImage(bar, QImage(rgb.data, STEPS, 1, 3 * STEPS, QImage.Format.Format_RGB888))
        painter.setPen(self._theme.color("border"))
        painter.drawRect(bar.adjusted(0, 0, -1, 0))
        painter.setPen(self._theme.color("text"))
        painter.setFont(look.font(self._theme, look.CAPTION))
        words, align = QRectF(0.0, bar.bottom(), self.width(), self.height() - bar.bottom()), Qt.AlignmentFlag
        for number, side in ((-self._most, align.AlignLeft), (0.0, align.AlignHCenter), (self._most, align.AlignRight)):
            painter.drawText(words, side | align.AlignVCenter, short(number))


class ElementMapFrame(PlotFrame):
    """The heat map of one matrix, with its scale. `chosen(element)`, flat."""

    chosen = Signal(int)

    plot: ElementMap | None
    module = "cadena.gui.plots.element_map"
    shows = "heat map"

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.matrix, self.role = np.zeros((0, 0)), "value"
        self.scale = ColorScale(theme)
        self.column.addWidget(self.scale)

    def make_plot(self, module) -> ElementMap:
        plot: ElementMap = module.ElementMap(self._theme)
        return plot

    def _open(self, work, module) -> None:
        self.column.removeWidget(self.scale)
        super()._open(work, module)
        self.column.addWidget(self.scale)

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self.scale.set_theme(theme)

    def show_matrix(self, matrix: np.ndarray, role: str) -> None:
        """Show another matrix."""
        self.matrix, self.role = matrix, role
        self.fill_plot()
        self.describe_point(None)

    def fill_plot(self) -> None:
        finite = self.matrix[np.isfinite(self.matrix)]
        self.scale.show_scale(self.role, float(np.abs(finite).max(initial=0.0)))
        if self.plot is not None:
            self.plot.show_matrix(self.matrix, self.role)

    def describe_point(self, index: int | None) -> None:
        """Read out an element, or say what the colours mean."""
        if index is None:
            self.describe(MAP)
        else:
            row, column = divmod(index, self.matrix.shape[1])
            self.describe(f"[{row}, {column}]: {short(self.matrix[row, column])}")

    def choose(self, index: int) -> None:
        self.chosen.emit(index)


class ElementHistogram(PlotFrame):
    """How many elements lie where."""

    plot: Histograms | None
    module = "cadena.gui.plots.histograms"
    shows = "histogram"

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.array, self.role = np.zeros(0), "value"

    def make_plot(self, module) -> Histograms:
        plot: Histograms = module.Histograms(self._theme)
        return plot

    def show_array(self, array: np.ndarray, role: str) -> None:
        """Show another array."""
        self.array, self.role = array, role
        self.fill_plot()
        self.describe_point(None)

    def fill_plot(self) -> None:
        if self.plot is not None:
            from cadena.gui.plots.histograms import Histogram

            numbers = self.array.astype(np.float64).ravel()
            self.plot.show_histograms([Histogram(self.role, numbers)] if numbers.size else [], self.role)

    def describe_point(self, index: int | None) -> None:
        """Say how many elements a bar stands for, or all of them."""
        numbers = self.array.astype(np.float64).ravel()
        if index is None or self.plot is None:
            bad = int((~np.isfinite(numbers)).sum())
            most = "" if self.plot is None or not self.plot.layers else MOST.format(most=self.plot.counts[0].max())
            text = f"{number_of(len(numbers) - bad, 'element')}{most}."
            self.describe(f"{text} {LEFT_OUT.format(count=bad)}" if bad else text)
        else:
            low, high = self.plot.edges[index : index + 2]
            count = int(self.plot.counts[0][index])
            self.describe(f"{number_of(count, 'element')} from {short(low)} to {short(high)}.")

    def choose(self, index: int) -> None:
        """Nothing is chosen by a click."""
