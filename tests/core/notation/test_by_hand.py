"""What people check by hand comes out: every formula of every lesson, computed from the digits that it shows."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cadena
from cadena.core.front import Run
from cadena.core.graph.fault import Refused
from cadena.core.methods.answer import all_elements
from cadena.core.methods.choosing import timeline_of
from cadena.core.methods.names import Method
from cadena.core.methods.reverse.derivation import result_latex
from cadena.core.methods.reverse.step_text import step_latex, step_sentence, step_title
from cadena.core.teaching.lessons import lessons, open_lesson
from cadena.core.text.numbers import Figures, figures, latex_number, rounded, short
from tests.core.graphs import graph
from tests.core.notation.by_hand import Unreadable, computed, disagreement, from_latex, from_plain, relations
from tests.thorough import some

SUM = re.compile(r"= (\S+|\[.*\]); with (\S+|\[.*\]) from before, \S+ is now (\S+|\[.*\])\.$")
METHODS = [
    Method("reverse"),
    Method("forward"),
    Method("forward", width=None),
    Method("symbolic"),
    *(Method("difference", kind=kind, step=step) for kind in ("forward", "central", "complex")
      for step in (None, 0.1, 1e-3, 1e-5, 1e-8)),
]  # fmt: skip


def _equations(run: Run, method: Method) -> list[tuple[str, str]]:
    """All pairs of a formula and its result that the steps of a method show, in words and in LaTeX."""
    try:
        steps = timeline_of(run, method)
    except Refused:
        return []
    found = []
    for index in range(len(steps)):
        for formula in step_latex(steps, index).split(r"\quad"):
            found += relations(from_latex(formula))
        sentence = step_sentence(steps, index)
        if arrived := SUM.search(sentence):
            part, before, total = map(from_plain, arrived.groups())
            found.append((f"M({before}) + M({part})", total))
        for clause in re.split(r"; |: |\bis\b", sentence.removesuffix(".")):
            found += relations(from_plain(clause))
    return found


def _wrong(equations: list[tuple[str, str]]) -> tuple[int, list[str]]:
    """How many equations could be computed, and those that do not come out."""
    told = []
    for equation in equations:
        try:
            told.append(disagreement(*equation))
        except (Unreadable, SyntaxError):
            continue
    return len(told), [each for each in told if each]


@pytest.mark.some(6)
@pytest.mark.parametrize(
    ("name", "dtype"), some(product([lesson.name for lesson in lessons()], ("float64", "float32")))
)
def test_every_step_of_every_lesson_comes_out_by_hand(name: str, dtype: str) -> None:
    run = cadena.compile(open_lesson(name)).run(dtype=dtype)
    read = 0
    for method in some(METHODS, kind=lambda method: (name, method.name, method.kind, method.width)):
        count, wrong = _wrong(_equations(run, method))
        assert not wrong, method
        read += count
    assert read >= len(all_elements(run))  # the formulas were read, not skipped


@pytest.mark.parametrize("name", [lesson.name for lesson in lessons()])
def test_the_gradient_in_the_inspector_follows_from_the_factors_and_parts_beside_it(name: str) -> None:
    run = cadena.compile(open_lesson(name)).run()
    _, wrong = _wrong([pair for node in run.plan.names for pair in relations(from_latex(result_latex(run, node)))])
    assert not wrong


ROWS: dict[str, Any] = {"X": ("input", [[1.1, -2.3], [3.7, 0.4], [0.9, 6.2]]), "b": [0.25, -0.35]}
BATCHES = {
    "bias": graph(
        **ROWS, W=[[0.5, -1.1], [2.3, 0.7]], Z=("matmul", "X", "W"), A=("add", "Z", "b"), H=("tanh", "A"),
        L=("sum", "H"),
    ),
    "scale": graph(**ROWS, y=("multiply", "X", "b"), z=("sin", "y"), L=("mean", "z")),
    "column": graph(**ROWS, c=[[0.7], [1.3], [-2.9]], y=("divide", "X", "c"), L=("sum", "y")),
    "number": graph(v=("input", [1.7, -0.3, 2.9]), a=2.1, y=("multiply", "a", "v"), z=("exp", "y"), L=("sum", "z")),
    "mean": graph(
        x=[[1.1, -2.3], [3.7, 0.4]], m=("mean", "x", {"axis": 0}), d=("subtract", "x", "m"), q=("multiply", "d", "x"),
        L=("sum", "q"),
    ),
    "repeated": graph(x=[1.3, 2.7], y=("broadcast_to", "x", {"shape": [3, 2]}), z=("sin", "y"), L=("sum", "z")),
}  # fmt: skip


@pytest.mark.parametrize("name", BATCHES)
def test_sums_over_batches_and_products_of_matrices_come_out_by_hand(name: str) -> None:
    run = cadena.compile(BATCHES[name]).run()
    read, wrong = _wrong(_equations(run, Method("reverse")))
    _, in_inspector = _wrong(
        [pair for node in run.plan.names for pair in relations(from_latex(result_latex(run, node)))]
    )
    assert not wrong and not in_inspector
    assert read  # the formulas were read, not skipped


def test_the_quotient_of_lesson_13_was_0_55_by_hand_where_0_5403_was_shown() -> None:
    steps = timeline_of(cadena.compile(open_lesson("13")).run(), Method("difference", step=1e-3))
    formula = step_latex(steps, len(steps) - 1).split(r"\quad")[0]
    assert r"\frac{0.84201086629 - 0.84093026186}{2 \cdot 0.001} = 0.54030222" in formula
    outputs = [lane.text for lane in steps.frame(len(steps)).lanes[:2]]
    assert outputs == ["0.84201086629", "0.84093026186"]
    assert [line.digits for line in steps.frame(2).lines("y")] == [11, 11]  # on the card, too


numbers = st.floats(min_value=-1e5, max_value=1e5).filter(lambda number: number == 0 or abs(number) > 1e-5)


@given(numbers, numbers, st.sampled_from(["add", "subtract", "multiply"]))
def test_sums_differences_and_products_of_any_numbers_come_out_by_hand(a: float, b: float, op: str) -> None:
    steps = cadena.compile(graph(a=a, b=b, y=(op, "a", "b"))).run().timeline
    formula = step_latex(steps, 0)
    count, wrong = _wrong(relations(from_latex(formula)))
    assert (count == 1 and not wrong) or r"\approx" in formula  # where not even all digits of a float64 are enough


def test_numbers_of_which_only_the_last_digit_differs_are_about_their_difference() -> None:
    steps = cadena.compile(graph(a=513.0, b=-512.9999999999854, y=("add", "a", "b"))).run().timeline
    assert step_sentence(steps, 0) == "y is a plus b: 513 + (−512.9999999999854) ≈ 1.455·10⁻¹¹."


@given(numbers, numbers, st.sampled_from(["float32", "float16"]))
def test_in_coarse_number_types_what_does_not_come_out_is_marked(a: float, b: float, dtype: str) -> None:
    steps = cadena.compile(graph(a=a, b=b, y=("multiply", "a", "b"))).run(dtype=dtype).timeline
    formula = step_latex(steps, 0)
    if r"\ldots" in formula or r"\approx" in formula:
        return
    ((formula, result),) = relations(from_latex(formula))
    shown = float(computed(result))
    assert not np.isfinite(shown) or float(computed(formula)) == pytest.approx(shown, rel=5.1e-4, abs=1e-7)


def test_close_numbers_that_are_subtracted_get_the_digits_that_their_difference_needs() -> None:
    assert figures(np.subtract, (0.842, 0.8409), 0.0011).digits == 4
    assert figures(np.subtract, (1.00000012, 1.0), 1.00000012 - 1.0).digits == 9
    assert figures(np.multiply, (2.0, 4.0), 8.0) == Figures()


def test_a_number_below_a_thousandth_with_more_digits_lost_its_parentheses() -> None:
    steps = cadena.compile(graph(a=-3.3805, b=9.9999e-4, y=("multiply", "a", "b"))).run().timeline
    assert step_sentence(steps, 0) == "y is a times b: (−3.3805) · (9.9999·10⁻⁴) = −0.00338."


def test_a_cut_number_is_marked_where_more_digits_do_not_help() -> None:
    matrix = np.array([[1 / 3, 2 / 3]])
    found = figures(lambda shown: shown * 0.1234567 + 1e-9, (matrix,), matrix)
    assert found == Figures(4, True, "=")
    assert short(matrix, *found[:2]) == "[[0.3333…, 0.6666…]]"
    assert latex_number(1 / 3 * 1e-9, *found[:2]) == r"3.333\ldots \cdot 10^{-10}"
    assert short(0.5, *found[:2]) == "0.5" and short(np.float32(0.1), *found[:2]) == "0.1"


def test_a_result_that_the_number_type_rounded_is_about_its_formula() -> None:
    steps = cadena.compile(graph(a=2048.0, b=1.0, y=("add", "a", "b"))).run(dtype="float16").timeline
    assert step_sentence(steps, 0) == "y is a plus b: 2\u202f048 + 1 ≈ 2\u202f048."
    assert step_latex(steps, 0) == r"y = a + b = 2\,048 + 1 \approx 2\,048"


def test_an_operation_that_refuses_rounded_operands_marks_them() -> None:
    close = [[1.0, 0.99999999], [0.99999999, 1.0]]  # positive definite, but not with six digits
    steps = cadena.compile(graph(x=close, y=("cholesky", "x"))).run().timeline
    assert r"\ldots" in step_latex(steps, 0)


def test_rounded_numbers_are_those_that_are_shown() -> None:
    assert rounded(np.array([1 / 3, 12345.678, -1e-9 / 3])).astype(float).tolist() == [0.3333, 12346.0, -3.333e-10]


def test_a_constant_in_symbols_says_that_it_is_cut() -> None:
    steps = cadena.compile(graph(x=3.0, third=("constant", 1 / 3), y=("multiply", "x", "third"))).run().timeline
    assert step_sentence(steps, 0) == "y is x times 0.3333…: 3 · 0.3333 = 1."
    assert step_title(steps, 0, has_landed=False).endswith("y is x times 0.3333…")
