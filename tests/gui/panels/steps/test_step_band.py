"""The step band: a sentence and a formula for what is to be seen, at a height that never changes."""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication, QStyle, QStyleOptionButton, QWidget

from cadena.core.expressions.reading import parse
from cadena.core.graph import edits
from cadena.core.graph.document import Document
from cadena.core.methods.choosing import computed_timeline
from cadena.core.methods.names import METHODS, Method
from cadena.core.methods.reverse.step_parts import step_parts
from cadena.core.methods.reverse.step_text import step_title
from cadena.core.methods.reverse.timeline import ARRIVAL, MEETING
from cadena.core.notation.parts import QUAD
from cadena.core.teaching.lessons import open_lesson
from cadena.core.training.optimisers import OPTIMISERS
from cadena.core.training.settings import TrainingSettings, with_settings
from cadena.gui.background import worker
from cadena.gui.formulas import typesetter
from cadena.gui.formulas.pictures import colored
from cadena.gui.look import style
from cadena.gui.look import theme as look
from cadena.gui.look.theme import DARK, LIGHT, PROJECTOR
from cadena.gui.panels.steps.step_band import StepBand
from cadena.gui.session import run_steps
from cadena.gui.session.run_steps import Steps
from cadena.gui.session.session import Session
from tests.core.graphs import graph
from tests.core.training.networks import network
from tests.gui.panels.conftest import matrices
from tests.gui.user import calm, settle
from tests.waiting import SECONDS, until

IS_SET = typesetter.is_set  # as it is outside tests, which set formulas at once


@pytest.fixture
def band(session, show):
    return show(StepBand(session, LIGHT), 1000, 160)


def go(band, time):
    """Go to a moment, and wait until the band tells it."""
    band.session.set_time(time)
    calm(band, band.session)


def captions(band):
    return [part.caption for part in band.formula.parts if part.caption]


@pytest.mark.parametrize("method", list(METHODS))
def test_a_band_showed_a_part_of_itself_as_a_window_while_it_was_made(qapp, method):
    """Which took the keys away from the window that it was made for."""
    session, shown = Session(open_lesson("1")), []
    session.set_method(Method(method))

    class Watch(QObject):
        def eventFilter(self, watched, event) -> bool:
            if event.type() is QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
                shown.append(watched)
            return False

    watch = Watch()
    qapp.installEventFilter(watch)
    band = StepBand(session, LIGHT)
    qapp.removeEventFilter(watch)
    band.deleteLater()
    assert shown == []


def test_a_forward_step_has_its_title_and_its_formula_with_numbers(band, session):
    go(band, 0.5)
    assert band.title.text() == step_title(session.timeline, 0, has_landed=False) == "m is w0 times x0."
    latex = " ".join(part.latex for part in band.formula.parts)
    assert latex.count(LIGHT.value) == 3
    assert "8" in band.formula.parts[-1].latex
    assert captions(band) == []


def test_a_reverse_step_names_upstream_local_derivative_and_contribution(band, session):
    go(band, len(session.timeline))
    assert captions(band) == ["upstream", "local derivative", "contribution"]
    assert LIGHT.gradient in band.formula.parts[1].latex
    assert band.formula.parts[-1].latex.endswith("{-4}")


def test_a_matrix_rule_has_no_local_derivative_to_name(session, show):
    session.open(matrices(), None)
    band = show(StepBand(session, LIGHT), 1000, 160)
    go(band, len(session.timeline))
    assert captions(band) == ["contribution"]


def test_in_a_sweep_the_band_does_not_flicker_through_steps(band, session):
    session.playback.sweep()
    for _ in range(3):
        session.playback.advance(0.3)
        assert band.title.text().startswith("The reverse pass") and not band.formula.parts
    session.playback.toggle()
    assert not session.playback.playing and "receives" in band.title.text()


def test_within_a_step_nothing_is_done_again_until_it_lands(band, session, monkeypatch):
    go(band, 1.2)
    shown = []
    monkeypatch.setattr(band, "_show", shown.append)
    for count, moments in enumerate([(1.3, 1.5, 1.7), (1.0 + ARRIVAL, 1.99, 2.0), (2.1,)]):
        for moment in moments:
            go(band, moment)
        assert len(shown) == count


def test_another_step_is_told_with_the_canvas_and_its_formula_once_it_is_set(band, session, monkeypatch):
    monkeypatch.setattr(typesetter, "is_set", IS_SET)
    go(band, 0.2)
    before = band.title.text()
    typesetter._cache.clear()
    session.set_time(1.2)
    assert band.title.text() == step_title(session.timeline, 1, has_landed=False) != before
    assert not band.formula.parts
    calm(band, session)
    assert band.formula.parts
    seen = len(band.formula.seen)
    session.set_time(1.0 + MEETING)
    assert len(band.formula.seen) > seen
    session.set_time(1.0 + ARRIVAL)
    assert band.formula.seen == band.formula.parts, "the result came later than on the card"


def test_nothing_is_shown_before_it_is_computed(band, session):
    go(band, 0.0)
    assert [part.latex for part in band.formula.seen] == ["m", "w_{0}", "x_{0}"]
    assert "8" not in band.formula.accessibleName()
    go(band, MEETING)
    assert len(band.formula.seen) == len(band.formula.parts) - 1
    go(band, ARRIVAL)
    assert band.formula.seen == band.formula.parts and "8" in band.formula.accessibleName()


def test_the_local_derivative_appears_where_the_upstream_gradient_meets_it(band, session):
    begin = len(session.timeline) - 1
    go(band, begin + 0.1)
    assert captions(band)[1] == "local derivative"
    assert [part.caption for part in band.formula.seen if part.caption] == ["upstream"]
    go(band, begin + MEETING)
    assert [part.caption for part in band.formula.seen if part.caption] == ["upstream", "local derivative"]
    go(band, begin + ARRIVAL)
    assert [part.caption for part in band.formula.seen if part.caption] == captions(band)


def test_the_next_formula_is_set_while_nothing_moves(band, session, qtbot, monkeypatch):
    calm(band, session)
    session.playback.playing = True
    go(band, 1.2)
    following = {part.latex for part in step_parts(session.timeline, 2, colored(LIGHT))}
    monkeypatch.setattr(typesetter, "_cache", OrderedDict())
    session.set_time(1.0 + ARRIVAL + 0.05)
    session.playback.playing = False
    qtbot.waitUntil(lambda: following <= set(typesetter._cache))
    assert following and following <= set(typesetter._cache)


def test_in_build_mode_it_tells_the_chosen_nodes_value_and_gradient(band, session, qtbot):
    session.show_live()
    session.select(["w0"])
    assert band.title.text() == "Live: all values and gradients follow your edits."
    latex = [part.latex for part in band.formula.parts]
    assert latex[0] == "w_{0}"
    assert any("-4" in piece for piece in latex)


def test_in_build_mode_it_follows_edits(band, session, qtbot):
    session.show_live()
    session.edit(lambda d: edits.set_value(d, "w0", 3.0), "Set w0")
    qtbot.waitUntil(lambda: band.formula.parts[-1].latex.endswith("{3}"))
    assert session.live


def test_without_an_output_it_asks_for_one(band, session, qtbot):
    session.edit(lambda d: edits.set_output(d, None), "No output")
    qtbot.waitUntil(lambda: band.title.text() == "Live: all values follow your edits.")
    assert band.text.text() == "Choose an output to see gradients."


def test_a_fault_is_told_in_its_sentence(band, session, qtbot):
    session.edit(lambda d: edits.disconnect(d, "m", 0), "Disconnect")
    qtbot.waitUntil(lambda: band.title.text() == "Open slot at m")
    assert band.text.text() == f"{session.faults[0].message}."
    assert band.text.isVisible()
    assert not band.formula.isVisible()


def test_the_sign_of_a_fault_stood_above_its_sentence(band, session, qtbot):
    session.edit(lambda d: edits.disconnect(d, "m", 0), "Disconnect")
    qtbot.waitUntil(lambda: band.title.text() == "Open slot at m")
    picture = band.grab().toImage()
    ground = picture.pixelColor(0, band.title.y())
    beside = range(band.title.y(), band.title.geometry().bottom())
    sign = [y for y in beside for x in range(band.title.x()) if picture.pixelColor(x, y) != ground]
    assert abs((min(sign) + max(sign)) / 2 - band.title.geometry().center().y()) < 2


def test_a_chosen_node_that_is_well_keeps_its_formula_beside_a_fault_elsewhere(band, session, qtbot):
    session.edit(lambda d: edits.add(d, "sin", (0.0, 0.0)), "Add")
    session.select(["m"])
    qtbot.waitUntil(lambda: band.title.text() == f"Open slot at sin1: {session.faults[0].message}.")
    assert band.formula.isVisible()
    assert band.formula.parts[0].latex == "m"
    session.select(["sin1"])
    qtbot.waitUntil(band.text.isVisible)
    assert band.text.text().startswith("sin1 waits")


def test_a_chosen_node_that_has_just_gone_was_looked_for_beside_a_fault(band, session):
    """A function was entered while a node was chosen: KeyError."""
    session.edit(lambda d: edits.add(d, "sin", (0.0, 0.0)), "Add")
    session.state = replace(session.state, selection=frozenset({"of another graph"}))
    session.selectionChanged.emit()
    settle()
    assert band.title.text() == "Open slot at sin1"


def test_an_empty_graph_leaves_the_band_empty(qapp, show, qtbot):
    band = show(StepBand(Session(Document({})), LIGHT), 1000, 160)
    settle()
    assert (band.title.text(), band.text.text(), band.formula.parts) == ("", "", ())


def height_of(band: StepBand, width: int) -> int:
    """The height that `GraphRoom` gives the band: the hint alone keeps that of a narrow text."""
    layout = band.layout()
    return layout.totalHeightForWidth(width) if layout.hasHeightForWidth() else layout.sizeHint().height()


@pytest.mark.parametrize("theme", [LIGHT, DARK, PROJECTOR], ids=lambda theme: theme.name)
@pytest.mark.parametrize("width", [520, 900, 1400])
def test_its_height_depends_on_nothing_but_the_width(session, show, theme, width, qtbot):
    session.open(matrices(), None)
    band = show(StepBand(session, theme), width, 200)
    heights = set()
    for moment in range(len(session.timeline) + 1):
        session.set_time(moment)
        settle()
        heights.add(height_of(band, width))
    session.show_live()
    session.open(Document({}), None)
    qtbot.waitUntil(lambda: not band.title.text())
    heights.add(height_of(band, width))
    assert len(heights) == 1


@pytest.mark.parametrize("width", [420, 640, 1400])
def test_no_formula_is_ever_wider_or_higher_than_its_room(session, show, width, qtbot):
    session.open(matrices(), None)
    band = show(StepBand(session, PROJECTOR), width, 300)
    qtbot.waitUntil(lambda: band.formula.width() <= width)
    for moment in range(1, len(session.timeline) + 1):
        go(band, moment)
        lines = band.formula.lines(band.formula.width(), band.formula.height())
        assert lines.width <= band.formula.width()
        assert lines.height <= band.formula.height()


def test_a_hidden_band_does_nothing(session, qtbot, monkeypatch):
    band = StepBand(session, LIGHT)
    qtbot.addWidget(band)
    shown = []
    monkeypatch.setattr(band, "_show", shown.append)
    session.set_time(2.0)
    session.edit(lambda d: edits.set_value(d, "w0", 3.0), "Set w0")
    calm(band, session)
    assert not shown


# --- other methods


def test_forward_mode_tells_value_and_derivative_and_has_a_lane_for_each_pass(band, session):
    session.set_method(Method("forward"))
    go(band, 1.0)
    assert band.title.text() == "Forward mode, pass 1 of 1, along w0: m has value 8, derivative 4."
    assert [lane.name for lane in band.lanes.lanes] == ["∂L/∂w0"] and band.lanes.isVisible()
    assert any(LIGHT.tangent in part.latex for part in band.formula.parts)
    session.set_method(Method())
    assert not band.lanes.isVisible()


def test_differences_offer_the_element_and_the_step(band, session, qtbot):
    session.set_method(Method("difference"))
    settings = band.settings.differences
    assert settings.element.currentText() == "w0" and settings.step.currentText().startswith("best: ")
    settings.step.setCurrentIndex(2)
    settings.step.activated.emit(2)
    assert session.method == Method("difference", "w0", 0, 0.01) and session.timeline.h == 0.01
    go(band, 99.0)
    assert band.title.text().startswith("Quotient −4")


def test_symbols_end_with_the_derivative_as_a_formula(band, session):
    session.set_method(Method("symbolic"))
    go(band, 99.0)
    assert band.title.text() == "Symbols: the derivative with respect to w0 has 1 operation and is −4."


def test_a_method_that_cannot_be_used_is_told_in_the_colour_of_faults(band, session, qtbot):
    session.set_method(Method("difference", "w0", 0, 1e-300))
    assert band.title.text() == "Differences cannot be used here" and "w0" in band.text.text()
    session.set_method(Method())
    assert "cannot" not in band.title.text()


def test_steps_that_take_long_are_said_to_be_worked_out(band, session, qtbot, monkeypatch):
    may = threading.Event()
    monkeypatch.setattr(Steps, "patience", 0)
    monkeypatch.setattr(run_steps, "computed_timeline", lambda *asked: may.wait(SECONDS) and computed_timeline(*asked))
    session.set_method(Method("forward"))
    assert band.title.text() == "Computing the tangents …" and "choose another method" in band.text.text()
    may.set()
    qtbot.waitUntil(lambda: not session.working)
    qtbot.waitUntil(lambda: not worker.running)
    assert "Working" not in band.title.text()


def test_an_output_of_many_numbers_is_offered_a_sum(session, show, qtbot):
    document = matrices()
    session.open(edits.set_output(document, "Y"), None)
    band = show(StepBand(session, LIGHT), 1000, 160)
    qtbot.waitUntil(lambda: band.settings.sum.isVisible())
    assert "Y has 3 elements" in band.settings.sum.toolTip()
    qtbot.mouseClick(band.settings.sum, Qt.MouseButton.LeftButton)
    assert session.document.output == "sum1"
    qtbot.waitUntil(lambda: not band.settings.sum.isVisible())


@pytest.mark.parametrize("theme", [LIGHT, DARK, PROJECTOR], ids=lambda theme: theme.name)
@pytest.mark.parametrize("method", METHODS)
def test_the_band_keeps_its_height_through_all_steps_of_a_method(session, show, qtbot, theme, method):
    band = show(StepBand(session, LIGHT), 1000, 160)
    band.set_theme(theme)
    session.set_method(Method(method))
    heights = set()
    for step in range(len(session.timeline) + 1):
        session.set_time(step)
        calm(band, session)
        heights.add(band.sizeHint().height())
    assert len(heights) == 1 and band.lanes.height() == band.formula.height()


@pytest.mark.parametrize(("theme", "width"), [(LIGHT, 766), (PROJECTOR, 664)], ids=["light", "projector"])
@pytest.mark.parametrize(("method", "lesson"), [("forward", "11"), ("difference", "13"), ("reverse", "1")])
def test_settings_left_the_sentence_no_room_on_a_small_screen(session, show, qtbot, theme, width, method, lesson):
    """At 1280 x 720 with both panels open, in the projector's type: "Quotient 0.5403…"."""
    session.open(open_lesson(lesson), None)
    session.show_live()
    band = show(StepBand(session, theme), width, 200)
    session.set_method(Method("reverse"))
    calm(band, session)
    height = band.sizeHint().height()
    session.set_method(Method(method))
    session.set_time(len(session.timeline))
    calm(band, session)
    assert band.title.shown.replace("\n", " ") == band.title.text()
    assert band.sizeHint().height() == height
    assert band.settings.isHidden() or band.rect().contains(band.settings.geometry())
    assert not band.settings.geometry().intersects(band.title.geometry()) or band.settings.isHidden()


def test_patterns_are_named_where_they_are_wanted_once_the_step_is_done(user):
    band, session = user.window.step_band, user.session
    session.open(open_lesson("two_paths"), None)
    user.pass_questions()
    step = next(index for index in range(len(session.timeline)) if session.timeline[index].operand == "m3")
    height = band.height()
    go(band, step + 1.0)
    assert band.pattern.isHidden()
    user.do("view.name-patterns")
    try:
        assert band.pattern.isVisible() and band.height() == height and user.window.settings.name_patterns
        assert band.pattern.text() == "Add distributes: each operand gets the gradient."
        go(band, step + 0.5)
        assert band.pattern.text() == ""
    finally:
        user.do("view.name-patterns")
    assert band.pattern.isHidden() and not user.window.settings.name_patterns


def test_settings_in_a_row_of_their_own_left_a_low_formula_less_than_nothing(qapp, qtlog):
    """Qt complained about negative sizes."""
    session = Session(open_lesson("13"))
    session.set_method(Method("difference"))
    band = StepBand(session, PROJECTOR)
    band.resize(560, 200)
    band.show()
    band.set_formula_height(20.0)
    settle()
    assert band.formula.height() == 20 and band.settings.isHidden()
    band.deleteLater()
    assert not [record.message for record in qtlog.records if "Negative" in record.message]


def test_the_title_of_a_fault_named_its_node_twice(show):
    session = Session(parse("M = x @ y"))
    band = show(StepBand(session, LIGHT), 1000, 160)
    session.select({"x"})
    calm(session)
    settle()
    assert band.title.text().startswith("Shapes do not fit at M: matmul needs")


def test_add_a_sum_stood_lower_than_matrices_beside_it(show):
    band = show(StepBand(Session(open_lesson("5")), LIGHT), 1000, 160)
    band.session.edit(lambda document: edits.set_output(document, "Z"), "Make Z the output")
    band.session.select({"Z"})
    calm(band, band.session)
    settle()
    both = [button.mapTo(band, button.rect().center()).y() for button in (band.elements, band.settings.sum)]
    assert band.elements.isVisible() and band.settings.sum.isVisible()
    assert band.elements.height() == band.settings.sum.height() and both[0] == both[1]


def test_the_word_matrices_was_cut_off_above_and_below_in_large_type(session, show):
    band = show(StepBand(session, PROJECTOR), 1000, 200)
    before = QApplication.font()
    style.apply(band, PROJECTOR)  # after it is shown, which gives it the light theme
    band.elements.show()
    settle()
    option = QStyleOptionButton()
    band.elements.initStyleOption(option)
    inside = band.elements.style().subElementRect(QStyle.SubElement.SE_PushButtonContents, option, band.elements)
    QApplication.setFont(before)
    assert inside.height() >= QFontMetrics(look.font(PROJECTOR)).ascent()


@pytest.mark.parametrize("optimiser", OPTIMISERS)
def test_the_band_shows_the_rule_of_the_optimiser_while_it_learns(band, optimiser):
    band.session.open(with_settings(network(), TrainingSettings(optimiser=optimiser, rate=0.25)), None)
    band.session.learning.toggle()
    until(lambda: band.formula.parts, "there is no formula", settle)
    parts = [part.latex for part in band.formula.parts]
    assert len(parts) == 1 + len(OPTIMISERS[optimiser].rules) and "0.25" in parts[-1] and "@" not in "".join(parts)
    assert all(typesetter.setting(part) for part in parts)
    band.session.learning.settle()


def test_a_loss_of_data_is_told_from_that_of_the_cards(band):
    band.session.open(with_settings(network(), TrainingSettings(data="moons", batch=16)), None)
    band.session.learning.toggle()
    until(lambda: band.title.text().startswith("Step "), "it learns nothing", settle)
    assert ": the loss over 16 of 200 examples is 0." in band.title.text()
    until(lambda: band.text.text(), "nothing is said", settle)
    assert band.text.text().startswith("The cards show L and its gradients for the graph's own inputs;")
    band.session.learning.settle()


def test_a_later_backward_pass_shows_what_the_parameter_holds(band, session):
    """The band of the second pass was that of the first, and said that there are 21 steps, not 47."""
    session.open(open_lesson("1"), None)
    session.set_method(Method("reverse", passes=3, zero_before=2))
    go(band, 0.0)
    assert band.title.text().startswith("Before the first of 47 steps.")
    sums = []
    for end in (21, 34, 47):
        go(band, float(end))
        assert band.title.text() == "w0 receives −28 from m1: −7 · 4."
        begin = next((place for place, part in enumerate(band.formula.seen) if part.mark == QUAD), None)
        sums.append("" if begin is None else " ".join(part.latex for part in band.formula.seen[begin + 1 :]))
    number = [re.sub(r"\\textcolor\{[^}]*\}|[{}]|\\left|\\right", "", text) for text in sums]
    assert number == ["", "-28 (-28) -56", "0 (-28) -28"]


def test_the_sum_over_a_batch_is_shown_with_its_rows(session, show):
    rows = {"x": ("input", [[1.0, 2.0], [3.0, 4.0]]), "b": [0.5, 0.5]}
    session.open(graph(**rows, y=("add", "x", "b"), L=("sum", "y")), None)
    band = show(StepBand(session, LIGHT), 1000, 160)
    go(band, float(len(session.timeline)))
    assert band.title.text() == "b receives a gradient of 2 numbers from y."
    latex = [part.latex for part in band.formula.seen]
    assert sum(r"\sum_{\text{rows}}" in piece for piece in latex) == 2
    assert sum("bmatrix" in piece for piece in latex) == 3
