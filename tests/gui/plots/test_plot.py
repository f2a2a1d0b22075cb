"""What all plots can do: wheel, drag, keys, cross-hair, menu, theme; with any numbers."""

from __future__ import annotations

import math
import sys
import warnings
from itertools import combinations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QPainter, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from cadena.core.methods.difference.sweep import sweep
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.look.theme import DARK, LIGHT, PROJECTOR, THEMES
from cadena.gui.panels.methods.differences_settings import NAMES
from cadena.gui.plots.error_curves import ErrorCurves
from cadena.gui.plots.errors import Chosen, Curves
from cadena.gui.plots.histograms import Histogram, Histograms
from cadena.gui.plots.plot import padded
from tests.gui.mouse import drag_to
from tests.gui.plots.conftest import drag, show, turn_wheel

LEFT, MIDDLE, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton, Qt.MouseButton.RightButton
NONE = Qt.KeyboardModifier.NoModifier
Key = Qt.Key
TINY, HUGE = 5e-324, sys.float_info.max


def spans(plot) -> tuple[float, float]:
    """How much is seen of both axes."""
    (left, right), (low, high) = plot.view.viewRange()
    return right - left, high - low


def centre(plot) -> QPoint:
    return plot.view.sceneBoundingRect().center().toPoint()


# --- what is seen


def test_the_wheel_zooms_at_the_pointer_and_never_beyond_all(layers):
    plot = layers(1.0, 1e-2, 1e-4, 1e-6)
    whole, at = plot.view.viewRange(), plot.place_of(1)
    turn_wheel(plot, at.toPoint(), 5)
    assert all(now < before for now, before in zip(spans(plot), (3.0, 6.0)))
    assert (plot.place_of(1) - at).manhattanLength() < 3.0
    turn_wheel(plot, at.toPoint(), -50)
    assert plot.view.viewRange() == [pytest.approx(ends) for ends in whole]


def test_a_drag_moves_the_view_of_what_was_zoomed_and_a_click_chooses(layers):
    plot, chosen = layers(1.0, 1e-2, 1e-4, 1e-6), []
    plot.chosen.connect(chosen.append)
    turn_wheel(plot, centre(plot), 5)
    before = plot.view.viewRange()
    drag(plot, centre(plot), centre(plot) + QPoint(30, 20), LEFT)
    (left, right), (low, high) = plot.view.viewRange()
    assert left < before[0][0] and low > before[1][0] and right - left == pytest.approx(before[0][1] - before[0][0])
    assert high > before[1][1] and chosen == []
    QTest.mouseClick(plot.viewport(), LEFT, NONE, plot.place_of(2).toPoint())
    assert chosen == [2]


def test_a_drag_with_the_left_button_over_errors_chooses_and_does_not_move_the_view(errors):
    plot, chosen = errors(1e-1, 1e-3, 1e-5, 1e-2), []
    plot.chosen.connect(chosen.append)
    turn_wheel(plot, centre(plot), 3)
    before = plot.view.viewRange()
    drag(plot, plot.place_of(1).toPoint(), plot.place_of(2).toPoint(), LEFT)
    assert chosen[0] == 1 and chosen[-1] == 2 and plot.view.viewRange() == before
    drag(plot, centre(plot), centre(plot) + QPoint(20, 0), MIDDLE)
    assert plot.view.viewRange() != before and chosen[-1] == 2


def test_a_drag_with_the_right_button_stretches_and_opens_no_menu(layers):
    plot = layers(1.0, 1e-2, 1e-4, 1e-6)
    before = spans(plot)
    drag(plot, centre(plot), centre(plot) + QPoint(40, -40), RIGHT)
    assert all(now < then for now, then in zip(spans(plot), before)) and QApplication.activePopupWidget() is None


def test_keys_zoom_and_show_all(layers, qtbot):
    plot = layers(1.0, 1e-2, 1e-4, 1e-6)
    whole = plot.view.viewRange()
    qtbot.keyClick(plot, Key.Key_Plus)
    qtbot.keyClick(plot, Key.Key_Equal)
    near = spans(plot)
    assert near[0] < 0.7 * (whole[0][1] - whole[0][0])
    qtbot.keyClick(plot, Key.Key_Minus)
    assert spans(plot)[0] > near[0]
    qtbot.keyClick(plot, Key.Key_0)
    assert plot.view.viewRange() == whole


def test_keys_with_ctrl_are_the_windows(layers, qtbot):
    plot = layers(1.0, 1e-2)
    before = plot.view.viewRange()
    qtbot.keyClick(plot, Key.Key_Plus, Qt.KeyboardModifier.ControlModifier)
    assert plot.view.viewRange() == before


def test_what_shows_all_goes_on_showing_all_in_another_size_and_of_other_numbers(layers):
    plot = layers(1.0, 1e-2, 1e-4)
    plot.resize(700, 200)
    plot.grab()
    seen = plot.view.sceneBoundingRect()
    assert all(seen.contains(plot.place_of(index)) for index in range(3))
    plot.show_layers([layer._replace(norm=layer.norm**9) for layer in plot.layers])
    assert all(plot.view.sceneBoundingRect().contains(plot.place_of(index)) for index in range(3))


# --- cross-hair


def test_the_number_at_the_pointer_is_read(layers):
    plot, pointed = layers(1.0, 1e-2, 1e-4), []
    plot.pointed.connect(pointed.append)
    drag_to(plot.viewport(), plot.place_of(1).toPoint(), Qt.MouseButton.NoButton)
    assert plot.upright.isVisible() and plot.upright.label.toPlainText() == "n1" and pointed == [1]
    place = plot.across.value()
    assert plot.across.label.toPlainText() == plot.left.log.read(place) and place == pytest.approx(-2.0, abs=0.1)
    QApplication.sendEvent(plot, QEvent(QEvent.Type.Leave))
    assert not plot.upright.isVisible() and not plot.across.isVisible() and pointed == [1, None]


def test_arrows_move_the_cross_hair_and_read_the_exact_number(layers, qtbot):
    plot, chosen = layers(1.0, 0.01234, 1e-4), []
    plot.chosen.connect(chosen.append)
    qtbot.keyClick(plot, Key.Key_Left)
    qtbot.keyClick(plot, Key.Key_Left)
    assert (plot.at, plot.upright.value(), plot.across.label.toPlainText()) == (1, -1.0, "0.01234")
    for key, at in ((Key.Key_Right, 0), (Key.Key_Right, 0), (Key.Key_Home, 2), (Key.Key_End, 0)):
        qtbot.keyClick(plot, key)
        assert plot.at == at
    qtbot.keyClick(plot, Key.Key_Return)
    assert chosen == [0]


def test_a_pointer_that_rests_does_not_take_the_cross_hair_back(layers, qtbot):
    """Qt sends a move where a plot comes to lie below the pointer, as when its words get a second line."""
    plot = layers(1.0, 1e-2, 1e-4)
    drag_to(plot.viewport(), plot.place_of(0).toPoint(), Qt.MouseButton.NoButton)
    qtbot.keyClick(plot, Key.Key_Left)
    drag_to(plot.viewport(), plot.place_of(0).toPoint(), Qt.MouseButton.NoButton)
    assert plot.at == 1


def test_an_arrow_brings_its_point_into_view(layers, qtbot):
    plot = layers(*(10.0**-n for n in range(12)))
    for _ in range(8):
        qtbot.keyClick(plot, Key.Key_Plus)
    qtbot.keyClick(plot, Key.Key_Home)
    assert plot.view.sceneBoundingRect().adjusted(-1, -1, 1, 1).contains(plot.place_of(plot.at))


def test_a_name_with_braces_is_read_as_it_is(layers):
    plot = layers(1.0, 1e-2)
    plot.show_layers([layer._replace(nodes=("{x}",)) for layer in plot.layers])
    plot.point_at(1)
    assert plot.upright.label.toPlainText() == "{x}"


# --- menu and accessibility


@pytest.mark.parametrize("way", ["click", "key"])
def test_the_menu_says_in_plain_english_what_can_be_done(layers, way):
    plot, wanted = layers(1.0, 1e-2), []
    plot.exportAsked.connect(wanted.append)
    if way == "click":
        QTest.mouseClick(plot.viewport(), RIGHT, NONE, centre(plot))
    else:
        event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(), plot.mapToGlobal(QPoint()))
        QApplication.sendEvent(plot, event)
    menu = QApplication.activePopupWidget()
    assert menu is not None
    assert [action.text().partition("\t")[0] for action in menu.actions() if action.text()] == [
        "Show all", "Zoom in", "Zoom out", "Export as PNG…", "Export as SVG…", "Export numbers as CSV…"
    ]  # fmt: skip
    plot.zoom(0.5)
    menu.actions()[0].trigger()
    assert plot.shows_all
    for action in menu.actions()[-3:]:
        action.trigger()
    menu.close()
    assert wanted == [".png", ".svg", ".csv"]


def test_it_can_be_reached_by_tab_has_a_name_and_shows_where_the_keys_go(layers):
    plot = layers(1.0, 1e-2)
    assert plot.accessibleName() == "Gradients by layer" and plot.focusPolicy() == Qt.FocusPolicy.StrongFocus
    plot.activateWindow()
    QTest.qWaitForWindowActive(plot)
    plot.clearFocus()
    without = plot.grab().toImage()
    plot.setFocus()
    assert plot.grab().toImage() != without


# --- theme


@pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))
def test_all_is_in_the_colours_of_the_theme(layers, theme):
    picture = layers(1.0, 1e-2, 1e-4, theme=theme).grab().toImage()
    colors = {picture.pixelColor(x, y).name() for x in range(picture.width()) for y in range(picture.height())}
    assert picture.pixelColor(1, 1).name() == theme.window and {theme.gradient, theme.border} <= colors
    others = {other.window for other in THEMES.values()} - {theme.window}
    assert not others & colors - {theme.text}


def test_another_theme_is_as_if_it_had_been_there_from_the_start(layers):
    numbers = (1.0, 1e-2, 0.0, math.inf)
    plot = layers(*numbers)
    for theme in (PROJECTOR, DARK, PROJECTOR, LIGHT, DARK):
        plot.set_theme(theme)
        plot.grab()
    assert plot.grab().toImage() == layers(*numbers, theme=DARK).grab().toImage()


# --- any numbers


ODD = [
    (), (1.0,), (0.0,), (math.nan,), (math.inf, math.inf), (TINY, TINY), (HUGE, HUGE), (TINY, HUGE),
    (0.0, TINY, HUGE, math.inf, math.nan), (0.0, 0.0, 0.0), (1.0, math.nan, 1.0), (5e-324, 0.0), (1.0, 1.0 + 1e-16),
]  # fmt: skip


@pytest.mark.parametrize("numbers", ODD)
@pytest.mark.parametrize("kind", ["layers", "errors"])
def test_any_numbers_can_be_shown_zoomed_pointed_at_and_read(request, qtbot, numbers, kind):
    """Warnings are errors, and an exception in a paint would end the program."""
    with warnings.catch_warnings(), qtbot.captureExceptions() as raised:
        warnings.simplefilter("error")
        plot = request.getfixturevalue(kind)(*numbers)
        plot.grab()
        for key in (
            Key.Key_Left,
            Key.Key_Right,
            Key.Key_Home,
            *[Key.Key_Plus] * 12,
            Key.Key_End,
            Key.Key_Minus,
            Key.Key_0,
        ):
            qtbot.keyClick(plot, key)
            plot.grab()
        for y in (0, 2, 160, 318):
            drag_to(plot.viewport(), QPoint(240, y), Qt.MouseButton.NoButton)
            turn_wheel(plot, QPoint(240, y), 200)
            turn_wheel(plot, QPoint(240, y), -200)
            drag(plot, QPoint(240, y), QPoint(900, -700), RIGHT)
            drag(plot, QPoint(240, y), QPoint(-9000, 7000), MIDDLE)
            plot.grab()
        for size in ((1, 1), (30, 20), (2000, 40)):
            plot.resize(*size)
            plot.grab()
        plot.set_theme(PROJECTOR)
        plot.grab()
        plot.table()
    assert raised == []


@pytest.mark.parametrize("step", [0.0, -1.0, TINY, HUGE, math.inf, math.nan, 1e-2, 0.1])
@pytest.mark.parametrize("error", [0.0, TINY, HUGE, math.inf, math.nan])
def test_any_chosen_step_can_be_shown(errors, step, error):
    plot = errors(1e-3, 1e-6, 0.0)
    for estimate in (0.0, TINY, HUGE, math.inf, math.nan, -1.0):
        plot.show_curves(Curves(plot.curves.sweep, "central", Chosen(step, error, estimate)))
        plot.grab()
        assert all(map(math.isfinite, (*plot.view.viewRange()[0], *plot.view.viewRange()[1])))


@pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))
@pytest.mark.parametrize("size", [(240, 120), (340, 260), (900, 700)])
@pytest.mark.parametrize("zooms", [0, 4, 12])
def test_no_text_of_an_axis_lies_on_another_or_is_cut(layers, theme, size, zooms):
    plot = layers(*(10.0 ** (-1.7 * n) for n in range(14)), 0.0, math.inf, theme=theme, size=size)
    for _ in range(zooms):
        plot.zoom(0.8)
    QApplication.processEvents()
    for axis in (plot.left, plot.bottom):
        painter = QPainter(paper := QPixmap(1000, 1000))
        _, ticks, texts = axis.generateDrawSpecs(painter)
        painter.end()
        near_ends = 2 if zooms else 0  # ticks whose texts would be cut
        assert not paper.isNull() and len(texts) >= len(ticks) - near_ends and (texts or axis is plot.bottom)
        assert not any(one.intersects(other) for (one, *_), (other, *_) in combinations(texts, 2))
        assert all(plot.rect().contains(axis.mapRectToScene(place).toAlignedRect()) for place, *_ in texts)


@pytest.mark.parametrize("size", [(260, 120), (480, 320)])
def test_the_texts_of_an_axis_have_room_in_a_theme_that_is_chosen_later(layers, size):
    plot = layers(*(10.0**-n for n in range(8)), size=size)
    plot.set_theme(PROJECTOR)
    QApplication.processEvents()
    painter = QPainter(paper := QPixmap(1000, 1000))
    _, ticks, texts = plot.left.generateDrawSpecs(painter)
    painter.end()
    assert not paper.isNull() and len(texts) == len(ticks) > 1


def test_long_names_at_the_ends_are_not_cut(layers):
    plot = layers(1.0, 1e-2, 1e-4, size=(300, 200))
    plot.show_layers([layer._replace(nodes=(f"a_rather_long_name_{layer.depth}",)) for layer in plot.layers])
    painter = QPainter(paper := QPixmap(1000, 1000))
    texts = plot.bottom.generateDrawSpecs(painter)[2]
    painter.end()
    assert not paper.isNull() and texts
    assert all(plot.rect().contains(plot.bottom.mapRectToScene(place).toAlignedRect()) for place, *_ in texts)


def test_the_names_of_curves_lie_on_no_line(qtbot):
    plot = show(qtbot, ErrorCurves(LIGHT, NAMES))
    plot.show_curves(Curves(sweep(open_lesson("13"), "x")))
    rooms = [label.mapRectToScene(label.boundingRect()) for label in plot._labels]
    assert not any(one.intersects(other) for one, other in combinations(rooms, 2))
    seen = plot.view.sceneBoundingRect()
    for index in range(16):
        for heights in plot.curves.heights.values():
            at = plot.view.mapViewToScene(QPointF(plot.xs[index], heights[index]))
            assert not any(room.adjusted(2, 2, -2, -2).contains(at) for room in rooms)
    assert all(seen.contains(room) for room in rooms)


def test_keys_of_the_plot_leave_the_canvas_alone(user, qtbot):
    user.session.open(open_lesson("13"), None)
    user.do("view.error")
    try:
        error = user.window.panels["error"].open()
        qtbot.waitUntil(lambda: error.plot is not None and error.sweep is not None)
        error.plot.setFocus()
        canvas, whole = user.canvas.camera, error.plot.view.viewRange()
        user.press("+")
        assert user.canvas.camera == canvas and error.plot.view.viewRange() != whole
        user.press("0")
        assert user.canvas.camera == canvas and error.plot.shows_all
    finally:
        user.window.toggle_panel("error")


def test_names_stand_beside_every_row_that_has_room(qtbot):
    """A long name took the room of the rows above and below, as if they stood side by side."""
    plot = show(qtbot, Histograms(LIGHT), 320, 260)
    plot.show_histograms([Histogram(name, np.arange(5.0)) for name in ("a_rather_long_name", "b", "c", "d")], "value")
    (low, high), size = plot.view.viewRange()[1], plot.view.height()
    ((_, places),) = plot.left.tickValues(low, high, size)
    assert sorted(places) == [-3.0, -2.0, -1.0, 0.0]


def test_a_plot_without_room_and_without_a_margin_divided_by_zero():
    assert padded(0.0, 1.0, pixels=0.0, pad=0.0) == (0.0, 1.0)
