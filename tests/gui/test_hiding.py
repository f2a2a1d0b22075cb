"""Hidden values, gradients and names are nowhere to be read until a click, or a key, reveals them."""

from __future__ import annotations

import pytest

from cadena.core.methods.reverse.activity import activity
from cadena.core.teaching.hiding import NOTHING_HIDDEN
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.canvas.interaction.tooltips import REVEAL, facts_of, plain
from cadena.gui.canvas.rendering.card import card_of
from tests.gui.user import calm, settle

HIDE = {"values": "hide.values", "gradients": "hide.gradients", "names": "hide.names"}


@pytest.fixture
def lesson(user):
    user.session.open(open_lesson("1"), None)
    user.session.set_time(float(len(user.session.timeline)))
    settle()
    yield user
    user.session.set_hidden(NOTHING_HIDDEN)
    settle()


def card(user, name: str):
    scene = user.canvas.scene
    return card_of(scene, name, activity(scene.frame, scene.live), frozenset())


@pytest.mark.parametrize(("kind", "row"), [("values", 0), ("gradients", 1)])
def test_a_question_mark_stands_in_the_place_of_each_number(lesson, kind, row):
    before = card(lesson, "w0")
    lesson.do(HIDE[kind])
    rows = card(lesson, "w0").rows
    assert rows[row].text == "?" and rows[row].number is None
    assert rows[1 - row].number == before.rows[1 - row].number
    lesson.do(HIDE[kind])
    assert card(lesson, "w0").rows == before.rows


def test_a_hidden_name_is_a_question_mark(lesson):
    lesson.do(HIDE["names"])
    assert card(lesson, "w0").title == "?" and card(lesson, "w0").rows[0].text == ""


def test_a_click_on_a_card_reveals_it_alone(lesson):
    lesson.do(HIDE["gradients"])
    lesson.click(lesson.name_of("w0"))
    assert card(lesson, "w0").rows[1].number is not None and card(lesson, "w1").rows[1].text == "?"


def test_the_selected_nodes_are_hidden_and_revealed_by_keys(lesson):
    lesson.session.select(["w0"])
    lesson.do("hide.selected")
    assert card(lesson, "w0").title == "?" and card(lesson, "w1").title == "w1"
    lesson.do("hide.reveal")
    assert card(lesson, "w0").title == "w0" and card(lesson, "w0").rows[0].number is not None


def test_the_picture_changes_and_comes_back(lesson):
    calm(lesson.window)
    before = lesson.canvas.grab().toImage()
    lesson.do(HIDE["values"])
    assert lesson.canvas.grab().toImage() != before
    lesson.do("hide.nothing")
    calm(lesson.window)
    assert lesson.canvas.grab().toImage() == before


def test_the_band_says_no_hidden_number(lesson):
    lesson.do(HIDE["gradients"])
    for step in range(lesson.session.timeline.forward_length + 1, len(lesson.session.timeline) + 1):
        lesson.session.set_time(float(step))
        settle()
        band = lesson.window.step_band
        gradient = lesson.session.frame.gradient(
            str(lesson.session.frame.step.operand or lesson.session.frame.step.node)
        )
        assert "?" in band.formula.parts[-1].latex, step
        assert f"{float(gradient):g}".replace("-", "−") not in band.title.text().split()


def test_tooltips_and_the_inspector_keep_the_secret(lesson):
    lesson.do(HIDE["values"])
    hit = lesson.canvas.hit(lesson.canvas.camera.to_view(lesson.canvas.places.name_area("w0").center()))
    assert plain(facts_of(lesson.session, hit)).splitlines()[1:] == [REVEAL]
    lesson.session.select(["m1"])
    settle()
    facts = lesson.window.inspector.node.facts
    lesson.window.inspector.follow()
    assert facts.value.number.text() == "hidden"


def test_another_document_hides_nothing(lesson):
    lesson.do(HIDE["values"])
    lesson.session.open(open_lesson("2"), None)
    assert not lesson.session.hidden
