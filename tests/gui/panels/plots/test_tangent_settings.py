"""How many tangents a pass carries is chosen beside the step, and the count of passes is always in sight."""

from __future__ import annotations

import pytest

from cadena.core.graph import edits
from cadena.core.methods.names import METHODS, Method
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.look.theme import LIGHT
from cadena.gui.panels.steps.step_band import StepBand
from tests.gui.user import calm


@pytest.fixture
def band(session, show):
    session.open(open_lesson("one_pass_per_input"), None)
    return show(StepBand(session, LIGHT), 1000, 160)


def test_one_tangent_or_all_of_them_go_through_the_graph_at_once(band, session):
    session.set_method(Method("forward"))
    tangents = band.settings.tangents
    assert tangents.isVisible() and tangents.width_.isVisible() and tangents.width_.itemText(1) == "all (15)"
    assert (tangents.width_.currentText(), tangents.passes.text()) == ("1", "15 passes")
    tangents.width_.setCurrentIndex(1)
    tangents.width_.activated.emit(1)
    assert session.method == Method("forward", width=None) and len(session.timeline) == 4
    assert tangents.passes.text() == "1 pass"
    session.set_time(1.0)
    calm(band)
    assert band.title.text().startswith("Forward mode, pass 1 of 1, 15 tangents: Z has")
    assert len(band.lanes.lanes) == 15 and all(lane.now for lane in band.lanes.lanes)


def test_the_count_follows_what_is_asked_for(band, session, qtbot):
    session.set_method(Method("forward", width=None))
    session.edit(lambda document: edits.set_wants_gradient(document, "X", False), "W alone")
    tangents = band.settings.tangents
    qtbot.waitUntil(lambda: tangents.width_.itemText(1) == "all (6)")
    assert tangents.width_.currentText() == "all (6)" and tangents.passes.text() == "1 pass"
    session.set_method(Method("forward"))
    qtbot.waitUntil(lambda: tangents.passes.text() == "6 passes")  # the thread of the steps before may not have ended


def test_one_element_alone_leaves_no_choice_but_its_pass_is_counted(band, session):
    session.open(open_lesson("dual_numbers"), None)
    session.set_method(Method("forward", width=None))
    tangents = band.settings.tangents
    assert tangents.passes.text() == "1 pass" and not tangents.width_.isVisible()


@pytest.mark.parametrize("method", [name for name in METHODS if name != "forward"])
def test_other_methods_have_no_tangents(band, session, method):
    session.set_method(Method(method))
    assert not band.settings.tangents.isVisible()


@pytest.mark.parametrize("width", [700, 900, 1086, 1400])
def test_the_lanes_keep_their_width_from_the_first_step_to_the_last(session, show, width):
    """The words "under way" made their columns wider than the numbers that came."""
    session.open(open_lesson("one_pass_per_input"), None)
    band = show(StepBand(session, LIGHT), width, 160)
    session.set_method(Method("forward"))
    widths = set()
    for time in (0.0, 3.0, 30.0, float(len(session.timeline))):
        session.set_time(time)
        widths.add(band.lanes.sizeHint().width())
    assert len(widths) == 1
