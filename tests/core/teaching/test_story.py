from __future__ import annotations

from dataclasses import replace

import pytest

from cadena.core.front import compile
from cadena.core.graph.fault import Refused
from cadena.core.methods.answer import element_of
from cadena.core.methods.names import Method
from cadena.core.storage.files import read
from cadena.core.teaching.lessons import opening_method
from cadena.core.teaching.moments import Moment
from cadena.core.teaching.story import NO_STORY, Choices, StoryBeside, StoryQuestion, missing_moments, story_of, times
from tests.core.graphs import graph
from tests.core.storage.test_migrations import FROZEN

FILE = FROZEN / "v2_story.cadena"
START = {"phase": "start"}


def told(*steps, **lesson):
    document = graph(x=3.0, y=("multiply", "x", "x"))
    return story_of(replace(document, extra={"lesson": {"story": list(steps), **lesson}}))


def sentences(*steps, **lesson):
    return [str(fault) for fault in told(*steps, **lesson).faults]


def test_a_story_is_read_from_a_file():
    document = read(FILE)
    story = story_of(document)
    assert story.faults == ()
    assert (story.view.panel, story.view.node, story.view.at, story.view.plot) == (
        "paths", "x", Moment("start"), "function",
    )  # fmt: skip
    assert story.view.hide == ("gradients", "x") and story.view.beside == StoryBeside("forward")
    assert [step.text for step in story.steps][:2] == ["The square of $x$.", "It is **used twice**."]
    assert [step.pause for step in story.steps] == [False, True, False, False]
    timeline = compile(document).run().timeline
    assert [time.time for time in times(story, timeline)] == [0, 2, 2, 4]
    assert missing_moments(story, timeline) == ()


@pytest.mark.parametrize(
    "extra", [{}, {"lesson": None}, {"lesson": "text"}, {"lesson": {"title": "t"}}, {"lesson": []}]
)
def test_a_document_without_a_story_has_none(extra):
    assert story_of(replace(graph(x=1.0), extra=extra)) == NO_STORY


def test_numbers_fractions_and_expressions_are_right_answers():
    question = StoryQuestion("?", "-27 - 14")
    assert question.is_right("-41") and question.is_right("−82/2") and not question.is_right("41")
    with pytest.raises(Refused):
        question.is_right("forty")
    assert StoryQuestion("?", -28.0).solution == "−28" and StoryQuestion("?", -28.0).is_right("-28")


def test_a_choice_is_right_by_its_text():
    question = StoryQuestion("?", Choices(("nothing", "the other way"), 1))
    assert question.solution == "the other way"
    assert question.is_right("the other way") and not question.is_right("nothing")


def test_an_open_question_has_no_solution():
    assert StoryQuestion("?").solution == ""


MALFORMED = [
    ("text", "lesson, story step 1: this must be an object; correct it"),
    ({"at": START}, "lesson, story step 1: the key text is missing; add it"),
    ({"text": "t"}, "lesson, story step 1: the key at is missing; add it"),
    ({"at": START, "text": 3}, "lesson, story step 1: text must be a text; correct it"),
    ({"at": START, "text": "t", "pause": "yes"}, "lesson, story step 1: pause must be true or false; correct it"),
    ({"at": 3, "text": "t"}, 'lesson, story step 1: at must be a moment such as {"phase": "reverse", '),
    ({"at": {"phase": "start", "slot": "a"}, "text": "t"},
     "lesson, story step 1, at: slot must be the number of a slot, from 0; correct it"),
    ({"at": {"phase": "noon"}, "text": "t"},
     "lesson, story step 1: the moment has no phase of the steps; choose one of start, forward, seed, reverse"),
    ({"at": {"phase": "forward", "node": "z"}, "text": "t"},
     "lesson, story step 1: there is no node z; choose one of x, y"),
    ({"at": START, "text": "t", "node": "q"}, "lesson, story step 1: there is no node q; choose one of x, y"),
    ({"at": START, "text": "t", "question": {"ask": "?", "answer": "six"}},
     "lesson, story step 1: the answer cannot be read: 'six' is not a number"),
    ({"at": START, "text": "t", "question": {"ask": "?", "answer": {"choices": ["a", "b"], "right": 2}}},
     "lesson, story step 1: the right choice is number 2, and there are 2, counted from 0; correct it"),
    ({"at": START, "text": "t", "question": {"ask": "?", "answer": {"choices": ["a", "b"]}}},
     "lesson, story step 1, question, answer: the key right is missing; add it"),
    ({"at": START, "text": "t", "question": {"answer": 3}},
     "lesson, story step 1, question: the key ask is missing; add it"),
    ({"at": START, "text": "t", "question": "why?"},
     "lesson, story step 1: question must be an object with ask, answer and because; correct it"),
]  # fmt: skip


@pytest.mark.parametrize(("step", "sentence"), MALFORMED, ids=lambda item: item[:60] if isinstance(item, str) else "")
def test_what_cannot_be_read_is_a_sentence_with_its_place(step, sentence):
    (fault,) = sentences(step)
    assert fault.startswith(sentence)


def test_a_story_that_is_no_list_and_a_view_that_is_none_are_faults():
    assert sentences(story=3) == ["lesson: story must be a list of objects; correct it"]
    assert sentences(view=[]) == ["lesson, view: this must be an object; correct it"]
    assert sentences(view={"node": "q", "hide": "all"}) == [
        "lesson, view: hide must be a list of results, gradients, values, names or the names of nodes; correct it",
        "lesson, view: there is no node q; choose one of x, y",
    ]


def test_the_rest_of_a_story_is_told_without_what_cannot_be_read():
    story = told({"at": START}, {"at": START, "text": "told", "pause": 3, "question": {"ask": "?", "answer": "six"}})
    assert [(step.text, step.pause) for step in story.steps] == [("told", False)]
    assert story.steps[0].question == StoryQuestion("?")  # it can only be opened
    assert story.numbers == (1,) and len(story.faults) == 3


def test_a_moment_that_the_steps_lack_is_a_fault():
    document = graph(x=3.0, y=("multiply", "x", "x"))
    story = told({"at": START, "text": "a"}, {"at": {"phase": "tangent", "node": "y"}, "text": "b"},
                 {"at": {"phase": "forward", "node": "gone"}, "text": "c"})  # fmt: skip
    timeline = compile(document).run().timeline
    assert [str(fault) for fault in missing_moments(story, timeline)] == [
        "lesson, story step 2: there is no such moment in the steps, so that it shows at the one before; "
        "choose another moment"
    ]
    assert [time.time for time in times(story, timeline)] == [0, 0, 0]


@pytest.mark.parametrize("key", ["at", "text", "panel", "node", "pause", "question"])
@pytest.mark.parametrize("junk", [None, 3, "x", [], {}, [{}], {"ask": []}, True, 1e308])
def test_junk_under_any_key_raises_nothing(key, junk):
    step = {"at": START, "text": "t", key: junk}
    assert len(told(step).steps) <= 1
    told(view={key: junk, "at": junk, "beside": junk, "hide": junk})


def test_a_lesson_opens_with_the_settings_of_its_method_and_a_text_changes_the_step_size():
    document = read(FROZEN / "v2_settings.cadena")
    story = story_of(document)
    assert story.faults == ()
    assert opening_method(document) == Method("difference", "x", 0, 0.1, "forward", 2)
    assert [story.step_size_at(number) for number in (-1, 0, 1, 2)] == [0.1, 0.1, 0.01, 0.01]


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (3, 'lesson, view: settings must be an object such as {"step_size": 0.1}; correct it'),
        ({"step_size": 0}, "lesson, view, settings: step_size must be a number above 0; correct it"),
        ({"kind": "one"}, "lesson, view, settings: kind must be one of forward, central, complex; correct it"),
        ({"width": 0}, "lesson, view, settings: width must be a whole number from 1, or null for all tangents; "
                       "correct it"),
        ({"leaf": "q"}, "lesson, view, settings: there is no node q; choose one of x, y"),
    ],
)  # fmt: skip
def test_settings_that_cannot_be_are_a_fault_and_the_lesson_opens_without_them(settings, sentence):
    assert sentences(view={"settings": settings}) == [sentence]
    document = replace(graph(x=3.0, y=("sin", "x")), extra={"lesson": {"view": {"settings": settings}}})
    leaf = settings.get("leaf") if isinstance(settings, dict) else None
    assert opening_method(document) == Method(leaf=leaf)


def test_an_element_that_is_not_there_is_the_first_one():
    document = replace(graph(x=3.0, y=("sin", "x")), extra={"lesson": {"view": {"settings": {"index": 10**30}}}})
    assert element_of(compile(document).run(), opening_method(document)) == ("x", 0)
