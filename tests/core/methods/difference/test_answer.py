from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest

from cadena.core.front import compile
from cadena.core.graph.document import DTYPES
from cadena.core.graph.fault import Refused
from cadena.core.methods.answer import Cancelled
from cadena.core.methods.difference.answer import KINDS, difference, slope_at
from cadena.core.methods.difference.displaced import Displaced
from cadena.core.methods.difference.sweep import sweep
from cadena.core.methods.reverse.answer import reverse
from cadena.core.teaching.lessons import open_lesson
from tests.core.graphs import graph, mlp

SMOOTH = {
    "sine": graph(x=1.0, y=("sin", "x")),
    "far out": graph(x=1e6, y=("sin", "x")),
    "close to the end of its domain": graph(x=1e-12, y=("log", "x")),
    "steep": graph(x=3.0, a=("exp", "x"), y=("exp", "a")),
    "straight": graph(x=2.0, z=5.0, y=("multiply", "x", "z")),
    "cancelling": graph(x=1.0, big=("constant", 1e10), s=("add", "big", "x"), y=("subtract", "s", "big")),
    "constant in x": graph(x=2.0, k=("constant", 0.0), y=("multiply", "x", "k")),
    "near an edge": graph(x=1e-6, y=("relu", "x")),
    "arrays": mlp((3, 4, 2), batch=5),
}


@pytest.mark.parametrize("kind", ["forward", "central"])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("name", SMOOTH)
def test_the_best_quotient_is_off_by_no_more_than_it_says(name, dtype, kind):
    run = compile(SMOOTH[name]).run(dtype=dtype)
    answer, exact = difference(run, kind), compile(SMOOTH[name]).run()
    for leaf, gradient in reverse(exact).gradients.items():
        about = np.abs(gradient) * np.finfo(dtype).eps
        assert np.all(np.abs(answer.gradients[leaf] - gradient) <= 2.0 * answer.errors[leaf] + about)
        assert answer.gradients[leaf].shape == gradient.shape
    assert answer.passes > 0 and answer.kind == "run"


def test_central_differences_are_better_than_forward_ones_and_the_complex_step_is_exact():
    run = compile(open_lesson("5")).run()
    exact = run.gradient("W")
    off = {kind: np.max(np.abs(difference(run, kind).gradients["W"] - exact)) for kind in ("forward", "central")}
    assert off["central"] < 1e-8 < off["forward"] < 1e-4
    np.testing.assert_allclose(difference(run, "complex").gradients["W"], exact, rtol=1e-13)


def test_a_chosen_step_is_taken_and_its_error_estimated():
    run = compile(SMOOTH["sine"]).run()
    for kind, most in (("forward", 1e-2), ("central", 1e-4)):
        answer = difference(run, kind, step=1e-2)
        off = abs(float(answer.gradients["x"]) - np.cos(1.0))
        assert 0.3 * off < float(answer.errors["x"]) < 3.0 * off
        assert off < most
        assert answer.steps["x"] == 1e-2


@pytest.mark.parametrize("kind", ["forward", "central", "complex"])
@pytest.mark.parametrize("step", [0.0, np.inf, np.nan])
def test_a_step_without_a_quotient_is_refused_with_the_node(kind, step):
    with pytest.raises(Refused, match=r"^x\[1\]: a .*step of .* has no quotient; give a small number"):
        difference(compile(graph(x=[1.0, 2.0], s=("sum", "x"))).run(), kind, step=step, elements={"x": np.array([1])})


@pytest.mark.parametrize(("dtype", "step", "least"), [("float64", 1e-17, "2.2e-16"), ("float32", 1e-8, "1.2e-07")])
def test_a_step_that_changes_nothing_is_refused_with_the_node_and_the_least_step(dtype, step, least):
    with pytest.raises(Refused) as refused:
        difference(compile(SMOOTH["sine"]).run(dtype=dtype), step=step)
    lost = f"x: a step of {step:g} is lost when it is added to 1 in {dtype}; give one of at least {least}"
    assert str(refused.value) == lost


def test_a_complex_step_that_loses_digits_is_refused_and_one_that_is_lost_in_the_sum_is_not():
    run = compile(SMOOTH["sine"]).run()
    assert difference(run, "complex", step=1e-100).gradients["x"] == np.cos(1.0)
    with pytest.raises(Refused, match=r"x: a complex step of 1e-300 is so small that digits are lost"):
        difference(run, "complex", step=1e-300)


def test_an_unknown_kind_of_difference_is_refused():
    with pytest.raises(Refused, match="backward is not a kind of difference; choose forward, central, complex"):
        difference(compile(SMOOTH["sine"]).run(), "backward")


def test_the_values_of_the_run_count_not_those_of_the_document():
    run = compile(SMOOTH["sine"]).run({"x": 0.5})
    for kind, off in (("forward", 1e-5), ("central", 1e-8), ("complex", 1e-15)):
        assert abs(float(difference(run, kind).gradients["x"]) - np.cos(0.5)) < off


def test_the_seed_weighs_the_elements_of_the_output():
    run = compile(graph(x=[1.0, 2.0, 3.0], y=("square", "x"))).run(seed=[1.0, 0.0, -2.0])
    for kind in ("forward", "central", "complex"):
        np.testing.assert_allclose(difference(run, kind).gradients["x"], [2.0, 0.0, -12.0], atol=1e-5)


def test_a_quotient_that_does_not_settle_says_so_by_its_error():
    answer = difference(compile(graph(x=3.0, y=("floor", "x"))).run())
    assert answer.errors["x"] > abs(answer.gradients["x"])


# --- lesson 13: the V


def test_the_error_of_differences_is_a_v_and_that_of_the_complex_step_is_not():
    made = sweep(SMOOTH["sine"], "x")
    assert made.reference == np.cos(1.0) and made.steps[0] == 0.1 and made.steps[-1] == 1e-16
    for kind, best in (("forward", 1e-8), ("central", 1e-5)):
        errors, bottom = made.errors[kind], list(made.steps).index(made.best(kind))
        assert made.best(kind) == pytest.approx(best)
        assert np.all(np.diff(np.log10(errors[:bottom])) < -0.5)
        assert errors[-1] > 1e-3 > errors[bottom] * 1e3
    assert np.all(made.errors["complex"][8:] <= 1e-16)
    assert made.quotients["forward"][-1] == 0.0  # 1 + 1e-16 is 1


def test_a_sweep_over_one_element_of_an_array():
    made = sweep(open_lesson("5"), "W", index=(1, 0), steps=(1e-4, 1e-6))
    assert made.element == "W[1, 0]"
    assert np.all(made.errors["central"] < 1e-6)


def test_a_sweep_without_a_complex_form_says_why():
    made = sweep(graph(x=1.0, s=("softsign", "x")), "x")
    assert set(made.quotients) == {"forward", "central"}
    assert str(made.missing["complex"]).startswith("s: the complex step cannot go through softsign")


@pytest.mark.parametrize(
    ("leaf", "index", "steps", "said"),
    [
        ("q", (), (1e-3,), "there is no node q"),
        ("y", (), (1e-3,), "y is computed from its operands; choose a leaf"),
        ("k", (), (1e-3,), "k: no gradient reaches it"),
        ("x", (0,), (1e-3,), "x has shape () and no element at (0,)"),
        ("x", (), (0.0,), "x: a step of 0 or inf has no quotient"),
    ],
)
def test_what_cannot_be_swept_is_refused(leaf, index, steps, said):
    with pytest.raises(Refused) as refused:
        sweep(graph("y", x=1.0, y=("sin", "x"), k=2.0), leaf, index, steps)
    assert str(refused.value).startswith(said)


def test_in_float32_the_reference_is_taken_at_the_rounded_values():
    """0.1 is another number in float32, and the slope there another one: no complex step could ever come near it."""
    made = sweep(graph(x=0.1, y=("exp", "x")), "x", dtype="float32")
    assert np.min(made.errors["complex"]) < 1e-15
    assert made.best("central") > 1e-3 and np.min(made.errors["central"]) < 1e-4


def test_a_sweep_weighs_an_output_of_many_numbers_with_the_seed():
    document = graph(x=[1.0, 2.0], y=("square", "x"))
    assert sweep(document, "x", (1,), seed=[1.0, -3.0]).reference == -12.0
    assert sweep(document, "x", (1,)).reference == 4.0


def test_a_sweep_that_is_cancelled_ends():
    with pytest.raises(Cancelled):
        sweep(SMOOTH["sine"], "x", cancelled=lambda: True)


@pytest.mark.parametrize(("kind", "order"), [("forward", 1), ("central", 2), ("complex", 2)])
def test_on_the_truncation_side_the_v_falls_as_the_order_of_the_kind(kind, order):
    made = sweep(SMOOTH["sine"], "x", steps=(1e-1, 1e-2, 1e-3))
    slopes = np.diff(np.log10(made.errors[kind])) / np.diff(np.log10(made.steps))
    np.testing.assert_allclose(slopes, order, atol=0.03)


@pytest.mark.parametrize("kind", ["forward", "central"])
def test_on_the_rounding_side_the_error_grows_as_one_over_h(kind):
    """Rounding errors jump about; the largest of each decade lie on a line of slope -1."""
    steps = 10.0 ** -np.arange(10.0, 15.0, 0.02)
    errors = sweep(SMOOTH["sine"], "x", steps=steps).errors[kind].reshape(5, -1).max(axis=1)
    slope = np.polyfit(np.arange(10.0, 15.0), np.log10(errors), 1)[0]
    assert slope == pytest.approx(1.0, abs=0.1)


def test_the_complex_step_is_exact_at_a_step_that_is_lost_in_the_sum():
    made = sweep(SMOOTH["sine"], "x")
    assert made.errors["complex"][-1] == 0.0 and made.errors["forward"][-1] == np.cos(1.0)


@pytest.mark.parametrize("kind", ["forward", "central"])
@pytest.mark.parametrize("step", [10.0**-power for power in range(1, 16)])
def test_a_chosen_step_gives_the_quotient_of_the_v_and_an_error_that_covers_it(kind, step):
    """The quotient was over the step that x moved by after rounding: 0.5 at 1e-15, where the V has 0.555."""
    run = compile(SMOOTH["sine"]).run()
    made, answer = sweep(SMOOTH["sine"], "x", steps=(step,)), difference(run, kind, step)
    assert answer.gradients["x"] == made.quotients[kind][0]
    assert made.errors[kind][0] <= 2.0 * answer.errors["x"]


# --- whether the error that is told is an error bound

KNOWN = {  # the derivative, with 100 digits, so that where it is small it is right too
    "sin": mpmath.cos,
    "cos": lambda x: -mpmath.sin(x),
    "exp": mpmath.exp,
    "expm1": mpmath.exp,
    "square": lambda x: 2 * x,
    "log": lambda x: 1 / x,
    "sqrt": lambda x: 1 / (2 * mpmath.sqrt(x)),
    "reciprocal": lambda x: -1 / x**2,
    "tanh": lambda x: 1 / mpmath.cosh(x) ** 2,
    "arctan": lambda x: 1 / (1 + x * x),
}
# Forward differences in float16 have so few steps between truncation and rounding that some are off by more.
SURE = [(kind, dtype) for kind in KINDS for dtype in DTYPES if (kind, dtype) != ("forward", "float16")]


@pytest.mark.some(30)
@pytest.mark.parametrize(("kind", "dtype"), SURE)
@pytest.mark.parametrize("op", KNOWN)
def test_the_error_that_is_told_bounds_the_true_one(op, kind, dtype):
    """In float32 the quotient of a square near 0 was off by 35 times what was told: numbers that were larger than the
    one in the middle had been rounded too."""
    random = np.random.default_rng(0)
    points = [*10.0 ** random.uniform(-8, 2, 20), *-(10.0 ** random.uniform(-4, 1, 10)), 0.5, 1.0, 2.0, 100.0, 1e-12]
    program = compile(graph(x=1.0, y=(op, "x")))
    for x in np.asarray(points, dtype).astype(float).tolist():
        run = program.run({"x": x}, dtype=dtype)
        if x == 0.0 or run.faults:  # left of 0, or an overflow in float16
            continue
        slope = difference(run, kind)
        with mpmath.workdps(100):
            away = abs(mpmath.mpf(float(slope.gradients["x"])) - KNOWN[op](mpmath.mpf(x)))
        assert not away > 2.0 * float(slope.errors["x"]), x


@pytest.mark.parametrize("x", [1e-310, 5e-324, -1e-310, 1e-295])
@pytest.mark.parametrize("kind", KINDS)
def test_a_number_next_to_0_has_steps_all_the_same(x, kind):
    """There was an OverflowError: infinitely many steps, each a fraction of the one before, would have led there."""
    slope = difference(compile(graph(x=x, y=("sin", "x"))).run(), kind)
    np.testing.assert_allclose(slope.gradients["x"], 1.0, rtol=1e-6)


def test_a_quotient_of_numbers_below_the_smallest_is_told_to_be_unsure():
    run = compile(graph(x=1e300, y=("log", "x"))).run()
    slope = difference(run, "complex")
    assert slope.gradients["x"] == 0.0 and slope.errors["x"] > 1e-300
    underflown = difference(compile(graph(x=1e-200, y=("square", "x"))).run(), "central")
    assert underflown.errors["x"] > 2e-200


def test_the_error_of_a_quotient_that_is_inf_where_the_derivative_is_gives_no_warning():
    made = sweep(graph(x=0.0, y=("log", "x")), "x")
    assert np.isnan(made.errors["forward"]).any() and np.isinf(made.reference)
    assert np.isnan(made.best("forward"))


@pytest.mark.parametrize("kind", ["forward", "central"])
@pytest.mark.parametrize("step", [None, 0.5])
def test_a_quotient_of_lesson_7_was_0_off_by_8e_46_where_the_truth_is_4e_44(kind, step):
    run = compile(graph("y", x=100.0, one=("constant", 1.0), e=("exp", "x"), y=("divide", "one", "e"))).run(
        dtype="float32"
    )
    slope = slope_at(Displaced(run), "x", 0, kind, step)
    assert slope.value == 0.0 and slope.error == math.inf


@pytest.mark.parametrize("x", [90.0, 100.0, 104.0, 110.0, 120.0])
@pytest.mark.parametrize("kind", ["forward", "central"])
def test_an_underflow_within_was_not_seen_by_the_estimate(x, kind):
    """exp(-x) · 1e30 in float32: what is lost of exp(-x) below its smallest number counts 1e30 times."""
    document = graph("y", x=x, n=("negative", "x"), e=("exp", "n"), k=("constant", 1e30), y=("multiply", "e", "k"))
    slope = slope_at(Displaced(compile(document).run(dtype="float32")), "x", 0, kind)
    assert abs(slope.value + math.exp(-x) * 1e30) <= slope.error < math.inf


def test_an_inf_that_is_meant_does_not_hide_the_error():
    """A mask of -inf is no overflow: the quotient still knows how far off it is."""
    mask = np.array([0.0, 0.0, -np.inf])
    document = graph("y", x=[1.0, 2.0, 3.0], m=("constant", mask), s=("add", "x", "m"), p=("softmax", "s"),
                     y=("getitem", "p", {"index": 0}))  # fmt: skip
    slope = slope_at(Displaced(compile(document).run()), "x", 0, "central")
    p = math.exp(1.0) / (math.exp(1.0) + math.exp(2.0))
    assert abs(slope.value - p * (1.0 - p)) <= slope.error < 1e-6


def test_a_sweep_over_an_element_that_overflows_where_the_seed_is_0_was_a_warning_in_a_thread():
    document = graph(x=[1.0, 800.0], y=("exp", "x"))
    made = sweep(document, "x", (1,), seed=[1.0, 0.0])
    assert np.isnan(made.quotients["complex"]).all()
