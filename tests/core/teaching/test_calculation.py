"""The complete calculation of a gradient in each form."""

from __future__ import annotations

import numpy as np
import pytest

from cadena.core.expressions.reading import parse
from cadena.core.front import compile
from cadena.core.methods.reverse.paths import PathSum
from cadena.core.methods.reverse.timeline import Timeline
from cadena.core.teaching.answers import mistake_of
from cadena.core.teaching.asking import ADDED, FORGOT_FACTOR, FORGOT_PATH, MULTIPLIED, SIGN
from cadena.core.teaching.calculation import calculation, count_of, path_title, steps_to, typical_mistakes
from cadena.core.teaching.lessons import open_lesson


@pytest.fixture(scope="module")
def paths():
    return PathSum(compile(open_lesson("two_paths")).run(), "a1")


def test_a_path_is_named_by_its_nodes_and_the_paths_by_where_they_meet(paths):
    assert path_title(paths, paths.listed[1].nodes) == "a1 → b2 → m4 → c → L"
    assert count_of(paths) == "2 paths, all through c"


def test_the_steps_to_a_gradient_are_those_whose_wires_carry_to_it(paths):
    timeline = Timeline(paths.run)
    carried = [(timeline[step].node, timeline[step].operand) for step in steps_to(timeline, "a1")]
    assert carried == [
        ("L", "c"), ("c", "m3"), ("c", "m4"), ("m4", "b2"), ("m3", "b1"), ("b2", "a1"), ("b1", "m1"), ("m1", "a1"),
    ]  # fmt: skip


def test_the_text_holds_paths_sum_and_steps(paths):
    lines = calculation(paths, "text").splitlines()
    assert lines[0] == "From a1 to L: 2 paths, all through c"
    assert lines[4] == "   ∂L/∂c · ∂c/∂m4 · ∂m4/∂b2 · ∂b2/∂a1 = (−1) · 1 · 3 · 9 = −27"
    assert lines[5] == "∂L/∂a1 = −14 + (−27) = −41"
    assert lines[-1].startswith("8. a1 receives −14 from m1: ") and lines[-1].endswith("∂L/∂a1 is now −41.")


def test_latex_and_markdown_hold_the_same_formulas(paths):
    latex, markdown = calculation(paths, "latex"), calculation(paths, "markdown")
    for formula in (paths.sum_formula(True), *(paths.path_formula(path, True) for path in paths.listed)):
        assert formula in latex and formula in markdown
    assert latex.count(r"\\" + "\n") == 10 and markdown.count("$$") == 6


@pytest.mark.parametrize(
    ("answer", "name"),
    [
        (41, SIGN),
        (-14, FORGOT_PATH),
        (-27, FORGOT_PATH),
        (-14 * -27, MULTIPLIED),
        (-2 - 27, FORGOT_FACTOR),  # 7, of the first path
        (-14 - 9, FORGOT_FACTOR),  # 3, of the second
        (-1 + 1 + 7 + 1 + 2 - 27, ADDED),
        (17, None),
    ],
)
def test_the_mistakes_of_a_sum_over_paths_have_names(paths, answer, name):
    """∂L/∂a1 = (−1)·1·7·1·2 + (−1)·1·3·9 = −14 − 27."""
    mistake = mistake_of(np.asarray(float(answer)), paths.gradient, typical_mistakes(paths))
    assert (mistake and mistake.name) == name


def test_where_three_paths_meet_the_sum_of_two_is_a_forgotten_path():
    paths = PathSum(compile(parse("L = 2*x + 3*x + 5*x")).run(), "x")
    mistake = mistake_of(np.asarray(7.0), paths.gradient, typical_mistakes(paths))
    assert mistake.sentence == "That is without path 2: add its product too."
