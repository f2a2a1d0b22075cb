"""Plots on the screen, and the mouse over them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from cadena.core.doctor.findings.layers import Layer
from cadena.core.methods.difference.sweep import Sweep
from cadena.gui.look.theme import LIGHT, Theme
from cadena.gui.panels.methods.differences_settings import NAMES
from cadena.gui.plots.error_curves import ErrorCurves
from cadena.gui.plots.errors import Chosen, Curves
from cadena.gui.plots.layer_curve import LayerCurve
from cadena.gui.plots.plot import Plot
from tests.gui.mouse import drag_to

shown: list[Plot] = []  # qtbot keeps no reference, and a plot must not be collected while it is being painted


@pytest.fixture(autouse=True)
def no_plot_is_kept(qtbot) -> Iterator[None]:
    yield
    shown.clear()


def show(qtbot, plot: Plot, width: int = 480, height: int = 320) -> Plot:
    shown.append(plot)
    qtbot.addWidget(plot)
    plot.resize(width, height)
    plot.show()
    return plot


@pytest.fixture
def layers(qtbot) -> Callable[..., LayerCurve]:
    """A plot of layers with these norms, from the output back."""

    def make(*norms: float, theme: Theme = LIGHT, size: tuple[int, int] = (480, 320)) -> LayerCurve:
        plot = show(qtbot, LayerCurve(theme), *size)
        plot.show_layers([Layer(depth, (f"n{depth}",), norm, norm) for depth, norm in enumerate(norms)])
        plot.grab()  # the mouse goes by what was painted
        return plot

    return make


@pytest.fixture
def errors(qtbot) -> Callable[..., ErrorCurves]:
    """A plot of the errors that quotients at 0.1, 0.01, ... have."""

    def make(*quotients: float, mark: Chosen | None = None, theme: Theme = LIGHT) -> ErrorCurves:
        plot = show(qtbot, ErrorCurves(theme, NAMES))
        plot.show_curves(Curves(sweep_of(*quotients), "central", mark))
        plot.grab()
        return plot

    return make


def sweep_of(*quotients: float, reference: float = 0.0) -> Sweep:
    """A sweep of central differences alone."""
    steps = 10.0 ** -np.arange(1.0, len(quotients) + 1)
    return Sweep("x", steps, reference, {"central": np.array(quotients)}, {})


def drag(plot: Plot, start: QPoint, end: QPoint, button: Qt.MouseButton) -> None:
    """Press, move, release."""
    QTest.mousePress(plot.viewport(), button, Qt.KeyboardModifier.NoModifier, start)
    for part in (0.3, 0.6, 1.0):
        drag_to(plot.viewport(), start + (end - start) * part, button)
    QTest.mouseRelease(plot.viewport(), button, Qt.KeyboardModifier.NoModifier, end)


def turn_wheel(plot: Plot, at: QPoint, by: int) -> None:
    """Turn the wheel by so many notches."""
    none = Qt.KeyboardModifier.NoModifier
    place = QPointF(at)
    event = QWheelEvent(
        place, QPointF(plot.viewport().mapToGlobal(at)), QPoint(), QPoint(0, 120 * by), Qt.MouseButton.NoButton, none,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(plot.viewport(), event)
