"""The stories of the lessons: every moment is one of the steps, every answer and every number what the engine gives."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np
import pytest

from cadena.core.front import Run, compile
from cadena.core.graph.edits import set_wants_gradient
from cadena.core.graph.shape import path_summary
from cadena.core.methods.choosing import timeline_of
from cadena.core.methods.names import Method
from cadena.core.run.accumulation import NOTHING, accumulate, zero_grad
from cadena.core.run.passes.naive import naive
from cadena.core.teaching.answers import is_right, read_answer
from cadena.core.teaching.lessons import lessons, open_lesson, opening_method
from cadena.core.teaching.story import Choices, Story, missing_moments, story_of, times
from tests.core.lesson_claims import descended, run_of, sizes_of_sigmoids

NUMBERS = [str(lesson.number) for lesson in lessons()]
EVERY = pytest.mark.parametrize("number", NUMBERS)
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?: \\cdot 10\^\{-?\d+\})?")
NAME = re.compile(r"[A-Za-z_]\w*_\d+|\b[A-Za-z]\w*\d\w*|s_\{10\}|\blesson \d+|float32|\^[234]", re.IGNORECASE)


def story(number: str) -> Story:
    return story_of(open_lesson(number))


@EVERY
def test_a_story_has_2_to_12_texts_at_moments_of_its_steps_in_their_order(number: str) -> None:
    document, told = open_lesson(number), story(number)
    method = opening_method(document)
    assert method is not None
    timeline = timeline_of(compile(document).run(), method)
    assert 2 <= len(told.steps) <= 12 and not told.faults and not [*missing_moments(told, timeline)]
    assert all(before.time <= after.time for before, after in pairwise(times(told, timeline)))
    assert times(told, timeline)[0].time == 0


@EVERY
def test_a_story_asks_and_says_why_the_answer_is_right(number: str) -> None:
    asked = [step.question for step in story(number).steps if step.question is not None]
    assert asked
    for question in asked:
        assert question.ask.endswith("?") and question.because.endswith(".") and question.answer is not None
        assert question.is_right(question.solution)


@EVERY
def test_the_speaker_has_notes_on_every_text(number: str) -> None:
    for step in story(number).steps:
        assert step.notes.endswith((".", "?")) and step.notes != step.text


def by_passes(steps: str) -> float:
    """The gradient that leaf `w0`, or another, of lesson 4 holds after passes (b) and zero_grad (0)."""
    leaf, run, held = steps.partition(":")[0], run_of("4"), NOTHING
    for step in steps.partition(":")[2]:
        held = accumulate(held, run) if step == "b" else zero_grad(held)
    return float(held.gradients[leaf])


def after_step(rate: float | None) -> float:
    """f of lesson 17 after a gradient step with a rate, or after the Newton step."""
    run = run_of("17")
    slope = np.array([run.gradient("x"), run.gradient("y")])
    step = -np.linalg.solve(HESSIAN, slope) if rate is None else -rate * slope
    return float(run_of("17", x=1 + step[0], y=2 + step[1]).value("f"))


def carried(name: str) -> np.ndarray:
    """The vectors of derivatives that a node of lesson 19 carries."""
    steps = timeline_of(run_of("19"), Method("forward", width=None))
    number = steps.frame(float(len(steps))).lines(name)[1].number
    assert number is not None
    return number


def _without_x() -> int:
    return len(compile(set_wants_gradient(open_lesson("6"), "X", False)).run().timeline)


HESSIAN = np.array([[14.0, -2.0], [-2.0, 2.0]])  # held against the unfolded graph in test_lessons
# (lesson, words of the question) -> what the engine computes for it.
ANSWERS: dict[tuple[str, str], Callable[[], float]] = {
    ("1", "arrives at b1"): lambda: run_of("1").contribution("m3", 1),
    ("1", "gradient of w0"): lambda: run_of("1").gradient("w0"),
    ("1", "w0 grows by 0.5"): lambda: run_of("1", w0=2.5).value("L") - run_of("1").value("L"),
    ("2", "How many paths"): lambda: path_summary(open_lesson("2"), "a1", "L").number,
    ("2", "gradient of a1 when"): lambda: run_of("2").gradient("a1"),
    ("2", "b2 were forgotten"): lambda: run_of("2").contribution("m1", 1),
    ("3", "along each of the two wires"): lambda: run_of("3").contribution("b", 0),
    ("3", "At which number does it end"): lambda: naive(run_of("3")).gradients["a"],
    ("4", "called a second time"): lambda: by_passes("w0:bb"),
    ("4", "after this pass"): lambda: by_passes("w0:bb0b"),
    ("4", "would w4 hold"): lambda: by_passes("w4:bbb"),
    ("5", "first row and the first column"): lambda: run_of("5").value("Z")[0, 0],
    ("6", "How many numbers"): lambda: run_of("6").gradient("X").size,
    ("6", "How many reverse steps"): lambda: len(run_of("6").timeline) - _without_x(),
    ("9", "x1 is 0.25"): lambda: run_of("9", x1=0.25).gradient("x1"),
    ("10", "Which number is that"): lambda: run_of("10").gradient("x"),
    ("11", "How many passes"): lambda: timeline_of(run_of("11"), Method("forward")).passes_needed,
    ("11", "how many reverse passes"): lambda: run_of("11").value("L").size,
    ("12", "How many terms"): lambda: sum(node.op == "sigmoid" for node in open_lesson("12").nodes.values()),
    ("12", "does the graph grow"): lambda: sizes_of_sigmoids("y")[0] - sizes_of_sigmoids("p4")[0],
    ("13", "slope of this secant"): lambda: (math.sin(1.1) - math.sin(1.0)) / 0.1,
    ("13", "slope now"): lambda: (math.sin(1.1) - math.sin(0.9)) / 0.2,
    ("14", "largest number that"): lambda: run_of("14", x=0.0).local("s1", 0),
    ("14", "gradient of x then"): lambda: run_of("14", "r10").gradient("x"),
    ("15", "their sum"): lambda: np.sum(run_of("15").value("p")),
    ("15", "first element of p"): lambda: run_of("15").gradient("x")[0],
    ("16", "always says 0.5"): lambda: -math.log(0.5),
    ("16", "its first element"): lambda: run_of("16").gradient("A2")[0, 0],
    ("16", "What is b2"): lambda: (run_of("16").value("b2") - run_of("16").gradient("b2"))[0],
    ("17", "gradient of x"): lambda: run_of("17").gradient("x"),
    ("17", "leads to $(0.8, 1.8)$"): lambda: after_step(0.1),
    ("17", "determinant"): lambda: np.linalg.det(HESSIAN),
    ("17", "leads to $(2/3, 2/3)$"): lambda: after_step(None),
    ("18", "will db1 be"): lambda: run_of("18").value("db1"),
    ("18", "derivative of dw0"): lambda: run_of("18").gradient("w3"),
    ("19", "does W begin"): lambda: run_of("19").value("X").size,
    ("19", "At which place is its 1"): lambda: 9 + np.ravel_multi_index((1, 0), run_of("19").value("W").shape),
    ("19", "are not 0"): lambda: np.count_nonzero(carried("Z")[:, 1, 0]),
    ("19", "derivative by x"): lambda: run_of("10").gradient("x"),
    ("20", "range(5)"): lambda: 5,
    ("20", "not chosen receive"): lambda: run_of("20").gradient("minus"),
    ("20", "gradient of w_d then"): lambda: run_of("20").gradient("w_d"),
    ("19", "derivative by W[2, 1]"): lambda: 9 + np.ravel_multi_index((2, 1), run_of("19").value("W").shape),
    ("21", "is it made of"): lambda: sum(name in ("minus_x", "u", "d", "y") for name in open_lesson("21").nodes),
    ("21", "Which number is that"): lambda: run_of("21").local("y", 0),
    ("21", "arrives at x"): lambda: run_of("21").gradient("x"),
}
# What is chosen: (lesson, words of the question) -> the right text.
CHOSEN = {
    ("5", "shape does the gradient"): lambda: " × ".join(map(str, run_of("5").gradient("W").shape)),
    ("7", "0 times inf"): lambda: str(float(run_of("7").gradient("x"))),
    ("7", "noticed at once"): lambda: str(float(run_of("7", x=95.0).gradient("x"))),
    ("8", "Which sign"): lambda: "minus" if run_of("8", x=1.0).gradient("x") < 0 else "plus",
    ("8", "wrong custom gradient"): lambda: "it is used",  # test_lesson_numbers shows it
    ("9", "arrives at x4"): lambda: str(float(run_of("9").gradient("x4"))),
    ("10", "do to the derivative"): lambda: "nothing" if run_of("10").local("d", 1) == 1 else "",
    ("13", "very small h"): lambda: "digits cancel",
    ("20", "other branch"): lambda: "nothing",
    ("20", "made again"): lambda: "the tape's" if run_of("20", x=-3.0).value("y") != 12 else "",
    ("15", "in float32"): lambda: str(float(run_of("15", shift=1000.0).value("L"))),
}


def questions() -> Iterator[tuple[str, str, object]]:
    for number in NUMBERS:
        for step in story(number).steps:
            if step.question is not None:
                yield number, f"{step.text} {step.question.ask}", step.question.answer


def test_each_answer_is_computed_and_right() -> None:
    used = set()
    for number, asked, answer in questions():
        table = CHOSEN if isinstance(answer, Choices) else ANSWERS
        keys = [key for key in table if key[0] == number and key[1] in asked]
        assert len(keys) == 1, (number, asked, keys)
        used.add(keys[0])
        computed = table[keys[0]]()
        if isinstance(answer, Choices):
            right = answer.choices[answer.right]
            assert computed and str(computed) in right, (number, asked)
            assert not any(computed in other for other in answer.choices if other != right)
        else:
            assert is_right(read_answer(str(answer)), np.asarray(float(computed))), (number, asked, computed)
    assert used == ANSWERS.keys() | CHOSEN.keys()


# --- the numbers in the texts


def known_numbers(number: str) -> list[float]:
    """What a run of the lesson shows: values, gradients, local derivatives and contributions; and small counts."""
    run, found = compile(open_lesson(number)).run(), [*map(float, range(-2, 11))]
    for name, node in run.program.document.nodes.items():
        for shown in (run.value(name), run.gradient(name)):
            found += [] if shown is None else np.ravel(shown).tolist()
        for slot in range(len(node.inputs)):
            found += _at_the_wire(run, name, slot)
    return found + [float(more) for more in MORE.get(number, list)()]


def _at_the_wire(run: Run, name: str, slot: int) -> list[float]:
    found = list[float]()
    for read in (run.local, run.contribution):
        shown = read(name, slot)
        found += [] if shown is None or not isinstance(shown, np.ndarray | float) else np.ravel(shown).tolist()
    return found


def _secants() -> list[float]:
    secants = [(math.sin(1 + h) - math.sin(1)) / h for h in (0.1, 0.01, 0.001)]
    sines = [math.sin(x) for x in (1.1, 1.0, 0.9)]
    central = [(math.sin(1 + h) - math.sin(1 - h)) / (2 * h) for h in (0.1, 0.01)]
    errors = [math.cos(1) - secants[0], math.cos(1) - central[0]]
    return [*secants, *central, *sines, *errors, 1.1, 0.9, 0.1, 0.2, 0.01, 0.001, math.cos(1), 16, 12]


# Numbers that a story says beside those of the lesson's own run.
MORE: dict[str, Callable[[], list[float]]] = {
    "1": lambda: [0.5, -14, 15],
    "2": lambda: [-14, -27, -41],
    "4": lambda: [-28, -56, -108, -36],
    "7": lambda: [math.exp(100), 3.4028e38, float(np.float32(math.exp(-100))), 40, 100, 43.668, 51.99, 88.73],
    "9": lambda: [0.25, 0.5],
    "11": lambda: [15, 60, 6, 9],
    "12": lambda: [20, 28, 123, 59, 82, 46, 13, 41],
    "13": _secants,
    "14": lambda: [0.25, 0.5],
    "15": lambda: [1000],
    "16": lambda: [
        0.5,
        math.log(2),
        17,
        0.125,
        100,
        262,
        0.01,
        descended("16", ("W1", "b1", "W2", "b2"), 1.0, 100)[100],
    ],
    "19": lambda: [15, 11, 14, run_of("10").value("y"), 0.1192, run_of("10").gradient("x")],
    "20": lambda: [24 * 6, 48 * 3],
    "21": lambda: [15, run_of("10").gradient("x")],
    "17": lambda: [0.1, 0.8, 1.8, 1.4096, 0.4096, 12, 14, 28, 24, 81, 16, 16 / 81],
}


@EVERY
def test_no_number_of_a_story_comes_from_nowhere(number: str) -> None:
    known = np.array(known_numbers(number))
    for step in story(number).steps:
        question = step.question
        said = [step.text, *([question.ask, question.because] if question else [])]
        for one in NUMBER.findall(NAME.sub("", " ".join(said).replace("−", "-").replace("- ", " "))):
            mantissa, _, power = one.partition(r" \cdot 10^{")
            value, unit = float(mantissa), 10.0 ** int(power.rstrip("}") or 0)
            digits = len(mantissa.partition(".")[2])
            rounding = 0.51 * 10.0**-digits * unit if digits else 0.0  # whole numbers are meant exactly
            near = np.isclose(np.abs(known), abs(value) * unit, rtol=1e-9, atol=rounding)
            assert near.any(), (step.text, one)
