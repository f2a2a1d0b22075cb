"""The plot of gradients by layer."""

from __future__ import annotations

import math
from itertools import combinations, pairwise

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPixmap

from cadena.core.doctor.findings.layers import by_layer
from cadena.core.graph import edits
from cadena.core.graph.document import Node
from cadena.core.text.numbers import short
from cadena.gui.background import worker
from cadena.gui.look.theme import LIGHT, THEMES
from cadena.gui.panels.plots.layers_plot import EXPLAINED, NOTHING, LayersPlot
from cadena.gui.session.session import Session
from tests.effort import effort
from tests.gui.panels.conftest import document_of


def chain(op: str, count: int, start: float = 0.5):
    nodes = [Node("s0", "parameter", value=start), *(Node(f"s{n}", op, (f"s{n - 1}",)) for n in range(1, count + 1))]
    return document_of(*nodes, output=f"s{count}")


@pytest.fixture
def plotted(qapp, show, qtbot):
    """The plot of a document."""

    def make(document, theme=LIGHT) -> LayersPlot:
        plot = show(LayersPlot(Session(document), theme), 480, 200)
        qtbot.waitUntil(lambda: plot.plot is not None)
        return plot

    yield make
    qtbot.waitUntil(lambda: not worker.running)


@pytest.fixture
def plot(plotted):
    return plotted(chain("sigmoid", 10))


def points(plot) -> list[QPointF]:
    """The pixels of the layers."""
    return [plot.plot.place_of(index) for index in range(len(plot.layers))]


def drawn(axis) -> list[str]:
    """The texts that are painted at an axis, from its beginning."""
    painter = QPainter(paper := QPixmap(500, 300))
    _, _, texts = axis.generateDrawSpecs(painter)
    painter.end()
    assert not paper.isNull()
    for (one, *_), (other, *_) in combinations(texts, 2):
        assert not one.intersects(other), "two texts lie on each other"
    return [text for _, _, text in sorted(texts, key=lambda text: (text[0].x(), text[0].y()))]


def test_the_output_stands_at_the_right_and_smaller_gradients_lower(plot):
    places, seen = points(plot), plot.plot.view.sceneBoundingRect()
    assert [layer.nodes for layer in plot.layers] == [(f"s{n}",) for n in range(10, -1, -1)]
    assert all(after.x() < before.x() and after.y() > before.y() for before, after in pairwise(places))
    assert all(seen.contains(place) for place in places)


def test_ticks_are_whole_powers_of_ten_around_the_numbers(plot):
    scale, norms = plot.plot.left.log, [layer.norm for layer in plot.layers]
    assert 10.0**scale.low <= min(norms) and max(norms) <= 10.0**scale.high
    texts = drawn(plot.plot.left)
    assert 2 <= len(texts) <= 8 and all(text == "1" or text.startswith("10") for text in texts)


def test_names_stand_below_the_layers_as_far_as_there_is_room(plot, plotted):
    assert drawn(plot.plot.bottom) == [f"s{n}" for n in range(11)]
    many = drawn(plotted(chain("sin", 1000)).plot.bottom)
    assert many[0] == "s0" and many[-1] == "s1000" and 5 < len(many) < 20


def test_keys_tell_layers_and_choose_their_nodes(plot, qtbot):
    chosen = []
    plot.nodeActivated.connect(chosen.append)
    assert plot.caption.text() == EXPLAINED
    qtbot.keyClick(plot.plot, Qt.Key.Key_Left)
    assert plot.caption.text().startswith("Layer 0: s10. Root mean square 1")
    qtbot.keyClick(plot.plot, Qt.Key.Key_Left)
    assert plot.caption.text().startswith("Layer 1: s9.")
    qtbot.keyClick(plot.plot, Qt.Key.Key_Return)
    assert chosen == ["s9"] and plot.session.selection == {"s9"}
    qtbot.keyClick(plot.plot, Qt.Key.Key_Right)
    assert plot.caption.text().startswith("Layer 0")


def test_a_click_chooses_the_layer_under_the_mouse(plot, qtbot):
    chosen = []
    plot.nodeActivated.connect(chosen.append)
    qtbot.mouseClick(plot.plot.viewport(), Qt.MouseButton.LeftButton, pos=points(plot)[10].toPoint())
    assert chosen == ["s0"] and plot.session.selection == {"s0"}


def test_it_follows_the_run(plot, qtbot):
    before = plot.layers
    plot.session.edit(lambda d: edits.set_operation(d, "s3", "exp"), "Change s3")
    qtbot.waitUntil(lambda: plot.layers != before)
    assert plot.layers == by_layer(plot.session.run)
    assert [layer.nodes for layer in plot.layers] == [layer.nodes for layer in before]


def test_the_cross_hair_stays_while_numbers_change(plot, qtbot):
    qtbot.keyClick(plot.plot, Qt.Key.Key_Home)
    before = plot.caption.text()
    plot.session.edit(lambda d: edits.set_value(d, "s0", 0.7), "Value")
    qtbot.waitUntil(lambda: plot.caption.text() != before)
    assert plot.caption.text().startswith("Layer 10: s0. ") and plot.plot.at == 10


def test_without_several_layers_it_says_what_is_missing(plotted):
    plot = plotted(document_of(Node("x", "parameter", value=1.0), output=None))
    assert not plot.layers and plot.caption.text() == NOTHING


@pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))
def test_zero_and_numbers_that_are_not_finite_have_their_places(plotted, theme):
    nodes = (
        Node("x", "parameter", value=-1.0), Node("r", "relu", ("x",)), Node("z", "parameter", value=0.0),
        Node("q", "sqrt", ("z",)), Node("q2", "square", ("q",)), Node("p", "multiply", ("r", "q2")),
        Node("L", "add", ("p", "q")),
    )  # fmt: skip
    plot = plotted(document_of(*nodes), theme)
    norms = {layer.nodes: layer.norm for layer in plot.layers}
    assert any(norm == 0.0 for norm in norms.values()) and any(not math.isfinite(norm) for norm in norms.values())
    scale, view = plot.plot.left.log, plot.plot.view
    bottom, top = (view.mapViewToScene(QPointF(0.0, place)).y() for place in (scale.low, scale.high))
    for layer, point in zip(plot.layers, points(plot)):
        if layer.norm == 0.0:
            assert point.y() > bottom
        elif not math.isfinite(layer.norm):
            assert point.y() < top
    assert {"0", short(max(norms.values()))} <= set(drawn(plot.plot.left))
    plot.plot.grab()


def test_a_layer_of_ten_thousand_takes_no_longer_to_paint_than_one_of_a_thousand(plotted):
    def painting(layers: int) -> int:
        plot = plotted(chain("sin", layers))
        return effort(plot.plot.grab)

    painting(10)  # the first one loads fonts
    assert painting(10_000) < 1.1 * painting(1_000)
