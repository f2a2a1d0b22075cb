"""Every kind of difference step by step: forward, central and the complex step."""

from __future__ import annotations

import re

import numpy as np
import pytest

from cadena.core.front import compile
from cadena.core.graph.fault import Refused
from cadena.core.methods.choosing import timeline_of
from cadena.core.methods.difference import KINDS
from cadena.core.methods.difference.sweep import sweep
from cadena.core.methods.difference.timeline import DifferencesTimeline
from cadena.core.methods.names import Method
from cadena.core.methods.reverse.timeline import Frame, Line
from cadena.core.teaching.lessons import lessons, open_lesson
from tests.core.graphs import graph

SINE = graph(x=1.0, y=("sin", "x"))
EXACT = float(np.cos(1.0))
REFUSED = {
    ("no_derivative_at_zero", "central"): "^x1: no step gives a quotient that is a number; ",
}


def steps_of(document, kind: str, step: float | None = None, leaf: str = "x", index: int = 0, **run):
    made = timeline_of(compile(document).run(**run), Method("difference", leaf, index, step, kind))
    assert isinstance(made, DifferencesTimeline)
    return made


def end(steps: DifferencesTimeline) -> Frame:
    return steps.frame(len(steps))


def numbers(lines: tuple[Line, Line]) -> list[float]:
    return [float(line.number) for line in lines]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("lesson", [lesson.name for lesson in lessons()])
def test_every_moment_of_every_kind_can_be_shown_or_is_refused_in_one_sentence(lesson, kind):
    run, method = compile(open_lesson(lesson)).run(), Method("difference", kind=kind)
    if said := REFUSED.get((lesson, kind)):
        with pytest.raises(Refused, match=said):
            timeline_of(run, method)
        return
    steps = timeline_of(run, method)
    for time in np.arange(0.0, len(steps) + 0.1, 0.45)[:60]:
        frame = steps.frame(float(time))
        assert all(len(frame.lines(name)) == 2 for name in run.plan.names[:12])
        assert len(frame.lanes) == 4
        assert all(0.0 <= token.fraction <= 1.0 for token in frame.tokens)
    for index in [*range(min(len(steps), 20)), len(steps) - 1]:
        told = steps.describe(index)
        assert told.title.endswith(".") and told.sentence.endswith(".") and told.formulas


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("step", [1e-1, 1e-3, 1e-6, 1e-9, 1e-12, 1e-15])
def test_the_quotient_is_that_of_the_v_at_this_step(kind, step):
    steps = steps_of(SINE, kind, step)
    assert steps.quotient == sweep(SINE, "x", steps=(step,)).quotients[kind][0]
    assert steps.h == step and abs(steps.quotient - EXACT) <= 3.0 * steps.slope.error
    assert numbers(end(steps).lines("x")) == [steps.quotient, EXACT]
    assert float(end(steps).gradient("x")) == steps.quotient


def test_forward_differences_show_the_run_as_it_is_and_the_one_at_x_plus_h():
    steps = steps_of(SINE, "forward", 0.5)
    assert [stretch.word for stretch in steps.stretches] == ["as it is", "at x + h", "quotient"]
    assert [line.label for line in steps.frame(1.0).lines("y")] == ["value", "+ h"]
    upper, lower = steps.frame(1.0).lines("y")
    assert float(upper.number) == np.sin(1.0) and lower.number is None
    assert numbers(end(steps).lines("y")) == [np.sin(1.0), np.sin(1.5)]
    assert [float(steps.frame(time).tokens[0].number) for time in (0.3, 1.3)] == [1.0, 1.5]
    assert [lane.name for lane in end(steps).lanes] == ["y as it is", "y at + h", "quotient", "reverse mode"]
    assert steps.describe(0).title == "Run 1 of 2, as it is: y is 0.8415."
    assert steps.describe(1).sentence == "y is 0.9975 where x is larger by h = 0.5."
    assert steps.describe(2).formulas[0].startswith(r"\frac{y(x + h) - y(x)}{h} = \frac{0.9975 - 0.8415}{0.5} = ")


def test_central_differences_show_both_moved_runs():
    steps = steps_of(SINE, "central", 0.5)
    assert numbers(end(steps).lines("y")) == [np.sin(1.5), np.sin(0.5)]
    assert steps.describe(1).title == "Run 2 of 2, at x − h: y is 0.4794."
    assert (
        steps.describe(2)
        .formulas[0]
        .startswith(r"\frac{y(x + h) - y(x - h)}{2 h} = \frac{0.9975 - 0.4794}{2 \cdot 0.5}")
    )


def test_the_complex_step_shows_real_and_imaginary_part():
    steps = steps_of(SINE, "complex", 1e-20)
    assert [stretch.word for stretch in steps.stretches] == ["at x + ih", "quotient"]
    upper, lower = steps.frame(1.0).lines("y")
    assert (upper.label, upper.role, float(upper.number)) == ("Re", "value", np.sin(1.0))
    assert (lower.label, lower.role, float(lower.number)) == ("Im", "tangent", 1e-20 * EXACT)
    token = steps.frame(0.3).tokens[0]
    assert (float(token.number), float(token.tangent)) == (1.0, 1e-20)
    assert steps.describe(0).title == "One run, at x + ih: y is 0.8415 + 5.403·10⁻²¹ i."
    assert steps.describe(1).formulas[0].startswith(r"\frac{\mathrm{Im}\, y(x + i h)}{h} = ")
    assert [lane.text for lane in end(steps).lanes] == ["0.8415", "5.403·10⁻²¹", "0.5403", "0.5403"]


def test_the_complex_step_on_arrays_moves_one_element_and_has_no_minus_zeros():
    steps = steps_of(open_lesson("5"), "complex", leaf="W", index=3)
    real, imaginary = (line.number for line in end(steps).lines("Z"))
    assert real.shape == imaginary.shape == (3, 2) and not np.any(imaginary[:, 0]) and imaginary[1, 1] > 0.0
    assert not np.any(np.signbit(steps.parts("S")[1]) & (steps.parts("S")[1] == 0.0))
    assert end(steps).gradient("W") is None  # one element is known of six
    assert steps.describe(0).title == "One run, at W[1, 1] + ih: Z has complex elements."


def test_a_negative_imaginary_part_is_subtracted():
    steps = steps_of(graph(x=2.0, y=("cos", "x")), "complex", 1e-30)
    assert steps.describe(0).title == "One run, at x + ih: y is −0.4161 − 9.093·10⁻³¹ i."
    assert steps.describe(0).formulas[0].endswith(r"= -0.4161 - 9.093 \cdot 10^{-31} \, i")


def test_where_the_complex_step_cannot_be_used_the_node_and_the_operation_are_named():
    with pytest.raises(Refused) as refused:
        steps_of(graph(x=1.0, s=("abs", "x"), y=("sin", "s")), "complex")
    assert str(refused.value) == (
        "s: the complex step cannot go through abs, which asks for a sign or a magnitude, which loses the imaginary "
        "part; use central differences"
    )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("step", [0.0, np.inf, np.nan, 1e-320])
def test_a_step_that_cannot_be_used_is_refused_with_the_leaf_and_what_to_do(kind, step):
    with pytest.raises(Refused, match=r"^x: a .*step of .*; give "):
        steps_of(SINE, kind, step)


def test_the_least_steps_are_shown_with_the_digits_that_tell_the_runs_apart():
    """(0.8415 - 0.8415) / 10⁻¹⁵ = 0.5551 is no reason to believe anything."""
    steps = steps_of(SINE, "forward", 1e-15)
    first, second = (lane.text for lane in end(steps).lanes[:2])
    assert first == "0.8414709848078965" and second == "0.8414709848078971"
    assert second in steps.describe(2).formulas[0]


def test_a_large_complex_step_has_an_error_and_not_a_warning():
    """Its real part strays by h² / 2, which is truncation and no other branch of the function."""
    steps = steps_of(SINE, "complex", 0.1)
    assert abs(steps.quotient - EXACT) <= steps.slope.error < 1e-2
    assert "give or take" in steps.describe(1).title


@pytest.mark.parametrize("kind", KINDS)
def test_a_bound_of_the_error_was_told_as_the_error(kind):
    """Off by about 1.8·10⁻¹⁰, it said, beside two numbers that differ in the eleventh digit."""
    steps = timeline_of(compile(open_lesson("13")).run(), Method("difference", kind=kind), whole=True)
    title = steps.describe(len(steps) - 1).title
    assert abs(steps.quotient - EXACT) <= steps.slope.error
    assert re.fullmatch(r"Quotient 0\.5403\d*, give or take \S+\.", title)


def test_the_complex_step_of_a_run_in_float32_has_the_digits_of_float64():
    steps = steps_of(SINE, "complex", dtype="float32")
    assert abs(steps.quotient - EXACT) < 1e-15 and steps.describe(1).title.startswith("Quotient 0.5403")


@pytest.mark.parametrize(("kind", "order"), [("forward", 1), ("central", 2), ("complex", 2)])
def test_the_error_of_the_shown_quotient_falls_as_the_order_of_its_kind(kind, order):
    coarse, fine = (abs(steps_of(SINE, kind, step).quotient - EXACT) for step in (1e-2, 1e-3))
    assert np.log10(coarse / fine) == pytest.approx(order, abs=0.03)


def test_two_runs_weigh_an_output_of_many_numbers_with_the_seed():
    for kind in KINDS:
        steps = steps_of(graph(x=2.0, k=("constant", [1.0, 3.0]), y=("multiply", "x", "k")), kind, seed=[1.0, -1.0])
        assert steps.quotient == pytest.approx(-2.0) and steps.exact == -2.0
