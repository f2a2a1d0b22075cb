from __future__ import annotations

import copy
from dataclasses import replace

import pytest
from msgspec.structs import replace as with_fields

from cadena.core.graph.fault import Refused
from cadena.core.storage.decoding import decode
from cadena.core.storage.encoding import encode
from cadena.core.storage.files import read
from cadena.core.teaching.moments import Moment
from cadena.core.teaching.story import Choices, StoryQuestion, StoryStep, StoryView, notes_of, story_of
from cadena.core.teaching.story_edits import (
    MOST,
    insert_step,
    move_step,
    remove_step,
    set_about,
    set_notes,
    set_step,
    set_view,
)
from tests.core.graphs import graph
from tests.core.teaching.test_story import FILE

PLAIN = graph(x=3.0, y=("multiply", "x", "x"))
STEP = StoryStep(Moment("start"), "first")


def texts(document):
    return [step.text for step in story_of(document).steps]


@pytest.fixture
def lesson():
    return read(FILE)


def test_an_edit_leaves_the_document_before_as_it_was(lesson):
    before = copy.deepcopy(lesson)
    for edit in (
        lambda document: set_step(document, 1, STEP),
        lambda document: insert_step(document, 0, STEP),
        lambda document: remove_step(document, 0),
        lambda document: move_step(document, 0, 1),
        lambda document: set_view(document, StoryView()),
        lambda document: set_about(document, "other", ""),
        lambda document: set_notes(document, "notes"),
    ):
        assert edit(lesson) != before and lesson == before


def test_a_step_that_is_put_back_as_it_is_changes_no_byte(lesson):
    for number, step in enumerate(story_of(lesson).steps):
        assert encode(set_step(lesson, number, step)) == encode(lesson)
    assert encode(set_view(lesson, story_of(lesson).view)) == encode(lesson)
    about = lesson.extra["lesson"]
    assert encode(set_about(lesson, about["title"], about["summary"])) == encode(lesson)


def test_unknown_keys_of_a_step_survive_its_edit(lesson):
    new = set_step(lesson, 0, with_fields(story_of(lesson).steps[0], text="other", pause=True))
    assert new.extra["lesson"]["story"][0] == {"at": {"phase": "start"}, "text": "other", "later": 1, "pause": True}


def test_a_question_that_is_taken_away_leaves_no_key(lesson):
    new = set_step(lesson, 1, with_fields(story_of(lesson).steps[1], question=None, panel="", node="", pause=False))
    assert set(new.extra["lesson"]["story"][1]) == {"at", "text"}


def test_steps_are_put_in_moved_and_taken_out():
    document = insert_step(PLAIN, 0, STEP)
    document = insert_step(document, 1, StoryStep(Moment("end"), "last"))
    document = insert_step(document, 1, StoryStep(Moment("seed"), "middle"))
    assert texts(document) == ["first", "middle", "last"]
    assert texts(move_step(document, 0, 1)) == ["middle", "first", "last"]
    assert texts(move_step(document, 2, -1)) == ["first", "last", "middle"]
    assert texts(remove_step(document, 1)) == ["first", "last"]
    for number, by in ((0, -1), (2, 1)):
        with pytest.raises(Refused, match="already at the end"):
            move_step(document, number, by)
    with pytest.raises(Refused, match="there is no text 4"):
        remove_step(document, 3)


def test_without_its_last_step_a_document_is_what_it_was_before():
    assert remove_step(insert_step(PLAIN, 0, STEP), 0) == PLAIN
    assert set_about(set_about(PLAIN, "title", "summary"), "", "") == PLAIN
    assert set_view(set_view(PLAIN, StoryView(node="x")), StoryView()) == PLAIN


def test_steps_that_cannot_be_read_keep_their_places():
    document = replace(PLAIN, extra={"lesson": {"story": [{"text": 3}, {"at": {"phase": "start"}, "text": "a"}, 7]}})
    document = set_step(document, 0, STEP)
    document = insert_step(document, 1, StoryStep(Moment("end"), "b"))
    stored = document.extra["lesson"]["story"]
    assert (stored[0], stored[2]) == ({"text": 3}, 7) and texts(document) == ["first", "b"]


def test_what_is_edited_is_what_a_file_brings_back():
    question = StoryQuestion("$dy/dx$?", Choices(("3", "6"), 1), "twice")
    step = StoryStep(Moment("reverse", "y", "x", 1, before=True), "text", "paths", "x", True, question)
    document = insert_step(set_about(PLAIN, "squares", "short"), 0, step)
    document = set_view(document, StoryView("paths", "x", Moment(step=2), hide=("names",)))
    back = decode(encode(document))
    assert back == document
    assert story_of(back).steps == (step,) and story_of(back).view.at == Moment(step=2) and not story_of(back).faults


def test_a_story_does_not_grow_without_end():
    document = replace(PLAIN, extra={"lesson": {"story": [{"at": {"phase": "start"}, "text": "a"}] * MOST}})
    with pytest.raises(Refused, match="at most 200 texts"):
        insert_step(document, 0, STEP)


@pytest.mark.parametrize("lesson", [None, 3, [], "text", {"story": 3}, {"story": {}}])
def test_whatever_stands_in_the_place_of_a_lesson_a_step_can_be_put_in(lesson):
    assert texts(insert_step(replace(PLAIN, extra={"lesson": lesson}), 0, STEP)) == ["first"]


def test_notes_are_kept_in_the_file_beside_the_text_and_beside_the_graph():
    document = insert_step(set_notes(PLAIN, "on *all*"), 0, with_fields(STEP, notes="ask"))
    again = decode(encode(document))
    assert notes_of(again) == "on *all*" and story_of(again).steps[0].notes == "ask"
    assert story_of(again).faults == ()
    assert set_notes(again, "").extra.keys() == {"lesson"}
    assert set_notes(PLAIN, "") == PLAIN
