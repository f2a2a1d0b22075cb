"""While a question is open, no panel, card or tooltip shows its answer, though most know all numbers of the run."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pytest

from cadena.core.teaching.answers import is_right, read_answer
from cadena.core.teaching.lessons import lessons, open_lesson
from cadena.core.teaching.story import Choices, StoryQuestion
from cadena.gui.background import worker
from cadena.gui.panels.table import PANELS
from cadena.gui.session.asking import HELD_BACK, NUMBERS_HELD_BACK, NUMBERS_TO_COME
from tests.gui.reading import Seen, everything, numbers_in, on_canvas
from tests.gui.user import settle
from tests.waiting import until

COMMON = 20  # a smaller whole number stands in many places for another reason
WORDS = {"nan", "inf"}  # choices that may be read off the graph
FREE = (
    "OperationHelp",
    "QPushButton",
    "CodeEditor",
    "Transport",
)  # texts of no graph, or the user's own
WHOLE = ("methods", "paths", "tangent", "contour", "layers", "cost", "text")  # panels that show more than the frame


@pytest.fixture(autouse=True)
def at_once(user):
    user.session.reduce_motion = True


def open_questions(user, lesson: str) -> Iterator[StoryQuestion]:
    """Walk a lesson by its key from text to text, and stop at each open question."""
    user.session.open(open_lesson(lesson), None)
    settle()
    telling = user.session.telling
    for place, step in enumerate(telling.story.steps):
        while telling.number < place:
            user.canvas.setFocus()
            user.press("PgDown")
        if step.question is not None:
            assert telling.asks and telling.question is step.question, place
            yield step.question


def open_panel(user, name: str) -> None:
    user.window.open_panel(name)
    until(lambda: not worker.running, f"{name} is still computing", settle)
    settle()


def says(question: StoryQuestion, text: str) -> bool:
    if isinstance(question.answer, Choices):
        return re.search(rf"(?<!\w){re.escape(question.solution)}(?!\w)", text) is not None
    answer = read_answer(question.solution)
    return any(is_right(np.array(number), answer) for number in numbers_in(text))


def can_be_looked_for(user, question: StoryQuestion) -> bool:
    """Whether the answer stands nowhere on the screen but as an answer."""
    if isinstance(question.answer, Choices):
        is_telling = question.solution in WORDS
    else:
        answer = float(read_answer(question.solution))
        is_telling = not (answer.is_integer() and 0 <= answer < COMMON)
    cards = [text for place, text in on_canvas(user) if not place.startswith("tooltip")]
    return is_telling and not any(says(question, text) for text in cards)


def shown(user) -> list[Seen]:
    texts = everything(user, besides=(user.window.desk.strip,))
    return [(place, text) for place, text in texts if not any(part in place for part in FREE)]


def waits(user) -> bool:
    """Whether a panel says that it waits for an answer."""
    return any(said in text for _, text in shown(user) for said in (HELD_BACK, NUMBERS_HELD_BACK))


def nodes_of(user) -> list[str]:
    """The nodes of the step that comes next, which a question is mostly about."""
    session = user.session
    step = session.timeline[min(int(session.moment), len(session.timeline) - 1)]
    return [name for name in (step.node, step.operand) if name]


@pytest.mark.slow
@pytest.mark.parametrize("lesson", [str(lesson.number) for lesson in lessons()])
def test_no_panel_shows_the_answer_to_an_open_question(user, lesson):
    for question in open_questions(user, lesson):
        if not can_be_looked_for(user, question):
            continue
        for panel in PANELS:
            if panel.name == "story":  # the editor, for who writes the lesson
                continue
            for name in nodes_of(user) if panel.name == "inspector" else (None,):
                user.session.select([name] if name else user.session.selection)
                open_panel(user, panel.name)
                told = [(place, text) for place, text in shown(user) if says(question, text)]
                assert user.session.telling.asks, f"{panel.name} has passed over {question.ask}"
                assert not told, (question.ask, panel.name)


@pytest.mark.parametrize("panel", WHOLE)
def test_what_shows_the_whole_run_waits_for_the_answer(user, panel):
    for place, _ in enumerate(open_questions(user, "1")):
        open_panel(user, panel)
        assert waits(user) is (place < 2 or panel not in ("paths", "layers")), place  # at the end the cards show it
        user.canvas.setFocus()
        user.press("Right")
        until(lambda: not waits(user), f"{panel} waits on", settle)


@pytest.mark.parametrize(
    ("lesson", "panel", "told"),
    [("12", "paths", "5 paths"), ("11", "cost", "15 passes"), ("7", "problems", "Gradient is not a number")],
)
def test_numbers_of_things_are_no_hint_either(user, lesson, panel, told):
    """How many paths, passes and problems there are is what some questions ask for, or gives it away."""
    next(open_questions(user, lesson))
    for each in ("inspector", "paths", "methods", "cost", panel):
        open_panel(user, each)
        assert not [text for _, text in shown(user) if told in text], each
    user.canvas.setFocus()
    user.press("Right")
    until(lambda: any(told in text for _, text in shown(user)), f"{told} does not come", lambda: user.press("Right"))


def test_the_naive_order_waits_with_its_sum(user):
    assert len(list(open_questions(user, "3"))) == 2
    open_panel(user, "order")
    assert not [text for place, text in shown(user) if place.startswith("OrderPanel") and "has 6" in text]
    assert "6.  b → a: pushes 2, adds 2; a has ?" in [text for _, text in shown(user)]
    user.canvas.setFocus()
    user.press("Right")
    assert "6.  b → a: pushes 2, adds 2; a has 6" in [text for _, text in shown(user)]


def test_problems_come_with_the_steps_of_a_story(user):
    """Lesson 9 says that nothing in the forward pass hints at trouble, below a header with four problems."""
    user.session.open(open_lesson("9"), None)
    settle()
    chip, seen_ = user.window.header.problems, []
    while user.session.telling.number < len(user.session.telling.story.steps) - 1:
        seen_.append(chip.text())
        user.canvas.setFocus()
        user.press("PgDown")
    assert seen_[:2] == ["", ""] and "1 problem" in seen_ and chip.text() == "3 problems"
    user.session.set_time(0.0)
    assert chip.isHidden()
    user.press("B")
    assert chip.text() == "3 problems"


@pytest.mark.parametrize(
    ("lesson", "panel", "told"), [("13", "tangent", "the secant's for h"), ("17", "contour", "0.1975")]
)
def test_a_plot_told_the_answer_before_its_question(user, lesson, panel, told):
    user.session.open(open_lesson(lesson), None)
    open_panel(user, panel)

    def read() -> str:
        return " ".join(text for place, text in shown(user) if "Plot" in place or "Panel" in place)

    assert NUMBERS_TO_COME in read() and told not in read()
    user.press("B")  # in Build all numbers are there
    until(lambda: told in read(), "no numbers in Build", settle)
    user.press("B")
    until(lambda: NUMBERS_TO_COME in read(), "numbers in Watch", settle)
    user.canvas.setFocus()
    for _ in range(2 * len(user.session.telling.story.steps)):
        if user.session.asking.holds_numbers:
            user.press("Right" if user.session.asking.is_open else "PgDown")
    until(lambda: told in read(), "no numbers after the questions", settle)
