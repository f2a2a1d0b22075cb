"""The output over the selected node, as a curve with its tangent."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRectF, QSizeF

from cadena.core.front import compile
from cadena.core.methods.nudging import response
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.look.theme import LIGHT, THEMES
from cadena.gui.panels.inspector.derivation_view import DerivationView
from cadena.gui.panels.inspector.response_plot import ResponsePlot, _Scale
from tests.core.graphs import graph
from tests.gui.canvas.pictures import count_of

ROOM = QRectF(40.0, 10.0, 200.0, 100.0)


@pytest.fixture
def run():
    return compile(open_lesson("1")).run()


def test_the_inspector_plots_the_output_over_a_node_once_its_gradient_is_there(run, qtbot):
    view = DerivationView(LIGHT)
    qtbot.addWidget(view)
    view.resize(300, 600)
    view.follow(run.timeline.frame(10.0), "b1")
    assert view.plot.isHidden()
    view.follow(run.timeline.frame(float(len(run.timeline))), "b1")
    qtbot.waitUntil(lambda: not view.plot.isHidden())
    assert view.plot.accessibleName() == "L over b1: slope −7 at 23"
    first = view.plot.response
    view.follow(run.timeline.frame(float(len(run.timeline))), "b1")
    assert view.plot.response is first  # computed once for a run
    view.follow(run.timeline.frame(float(len(run.timeline))), "L")
    assert view.isHidden()


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_curve_tangent_and_point_have_their_colours(run, show, theme):
    plot = show(ResponsePlot(theme), 300, 150)
    plot.show_response(response(run, "b1"), "b1", "L")
    plot.resize(300, plot.sizeHint().height())
    image = plot.grab().toImage()
    assert count_of(image, theme.value_strong) > 20 and count_of(image, theme.gradient_strong) > 20
    assert count_of(image, theme.card) > 20


def test_words_stand_in_the_corner_that_the_curve_leaves_free():
    for text, x, y in (("rises", 0.25, 0.25), ("falls", 0.75, 0.25)):
        factor = 2.0 if text == "rises" else -2.0
        made = response(compile(graph(x=1.0, k=("constant", factor), y=("multiply", "x", "k"))).run(), "x")
        assert made is not None
        scale = _Scale(ROOM, made)
        place = scale.free(QSizeF(50.0, 15.0))
        middle = place.center() - ROOM.topLeft()
        assert abs(middle.x() / ROOM.width() - x) < 0.2 and abs(middle.y() / ROOM.height() - y) < 0.2, text
        assert ROOM.contains(place) and not any(place.contains(point) for line in scale.lines() for point in line)


def test_the_tangent_touches_the_curve_and_a_pole_parts_it():
    made = response(compile(graph(x=0.5, y=("log", "x"))).run(), "x")
    assert made is not None
    scale = _Scale(ROOM, made)
    (line,) = scale.lines()
    assert len(line) < len(made.places)
    start, end = scale.tangent()
    assert (start + end) / 2 == scale.point(made.at, made.height) and end.y() < start.y()
