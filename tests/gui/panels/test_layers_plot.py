"""The plot of gradients by layer."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QPixmap

from cadena.core.doctor.findings.layers import by_layer
from cadena.core.graph import edits
from cadena.core.graph.document import Node
from cadena.gui.panels.layers_plot import EXPLAINED, NOTHING, LayersPlot, power
from cadena.gui.session import Session
from cadena.gui.theme import LIGHT, THEMES
from tests.effort import effort
from tests.gui.panels.conftest import document_of


def chain(op: str, count: int, start: float = 0.5):
    nodes = [Node("s0", "parameter", value=start), *(Node(f"s{n}", op, (f"s{n - 1}",)) for n in range(1, count + 1))]
    return document_of(*nodes, output=f"s{count}")


@pytest.fixture
def plot(qapp, show):
    return show(LayersPlot(Session(chain("sigmoid", 10)), LIGHT), 480, 200)


def test_the_output_stands_at_the_right_and_smaller_gradients_lower(plot):
    points = plot.curve.points()
    assert [layer.nodes for layer in plot.curve.layers] == [(f"s{n}",) for n in range(10, -1, -1)]
    assert all(after.x() < before.x() and after.y() > before.y() for before, after in pairwise(points))
    area = plot.curve.area()
    assert all(area.adjusted(-1, -1, 1, 1).contains(point) for point in points)


def test_ticks_are_whole_powers_of_ten_around_the_numbers(plot):
    low, high = plot.curve.decades
    norms = [layer.norm for layer in plot.curve.layers]
    assert 10.0**low <= min(norms) and max(norms) <= 10.0**high
    assert 2 <= len(plot.curve.ticks) <= 5
    assert [power(0), power(-3), power(12)] == ["1", "10⁻³", "10¹²"]


def test_keys_tell_layers_and_choose_their_nodes(plot, qtbot):
    chosen = []
    plot.nodesChosen.connect(chosen.append)
    assert plot.told.text() == EXPLAINED
    qtbot.keyClick(plot.curve, Qt.Key.Key_Left)
    assert plot.told.text().startswith("Layer 0: s10. Root mean square 1")
    qtbot.keyClick(plot.curve, Qt.Key.Key_Left)
    assert plot.told.text().startswith("Layer 1: s9.")
    qtbot.keyClick(plot.curve, Qt.Key.Key_Return)
    assert chosen == [["s9"]]
    qtbot.keyClick(plot.curve, Qt.Key.Key_Right)
    assert plot.told.text().startswith("Layer 0")


def test_a_click_chooses_the_layer_under_the_mouse(plot, qtbot):
    chosen = []
    plot.nodesChosen.connect(chosen.append)
    qtbot.mouseClick(plot.curve, Qt.MouseButton.LeftButton, pos=plot.curve.points()[10].toPoint())
    assert chosen == [["s0"]]


def test_it_follows_the_run(plot, qtbot):
    before = plot.curve.layers
    plot.session.edit(lambda d: edits.set_operation(d, "s3", "exp"), "Change s3")
    qtbot.waitUntil(lambda: plot.curve.layers != before)
    assert plot.curve.layers == by_layer(plot.session.run)
    assert [layer.nodes for layer in plot.curve.layers] == [layer.nodes for layer in before]


def test_without_several_layers_it_says_what_is_missing(qapp, show):
    plot = show(LayersPlot(Session(document_of(Node("x", "parameter", value=1.0), output=None)), LIGHT), 480, 200)
    assert plot.curve.layers == () and plot.told.text() == NOTHING


@pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))
def test_zero_and_numbers_that_are_not_finite_have_their_places(qapp, show, theme):
    nodes = (
        Node("x", "parameter", value=-1.0), Node("r", "relu", ("x",)), Node("z", "parameter", value=0.0),
        Node("q", "sqrt", ("z",)), Node("q2", "square", ("q",)), Node("p", "multiply", ("r", "q2")),
        Node("L", "add", ("p", "q")),
    )  # fmt: skip
    plot = show(LayersPlot(Session(document_of(*nodes)), theme), 480, 200)
    norms = {layer.nodes: layer.norm for layer in plot.curve.layers}
    assert any(norm == 0.0 for norm in norms.values()) and any(not math.isfinite(norm) for norm in norms.values())
    area, points = plot.curve.area(), plot.curve.points()
    for layer, point in zip(plot.curve.layers, points):
        if layer.norm == 0.0:
            assert point.y() > area.bottom()
        elif not math.isfinite(layer.norm):
            assert point.y() < area.top()
    plot.grab()


def test_a_layer_of_ten_thousand_takes_no_longer_to_paint_than_one_of_a_thousand(qapp, show):
    def painting(layers: int) -> int:
        plot = show(LayersPlot(Session(chain("sin", layers)), LIGHT), 480, 200)
        return effort(lambda: plot.curve.render(QPixmap(480, 200)))

    assert painting(10_000) < 11 * painting(1_000)
