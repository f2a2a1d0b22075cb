"""Every number in the text of a lesson, held against the engine; what belongs to a formula or a name is listed."""

from __future__ import annotations

import re
from collections.abc import Callable

import mpmath
import numpy as np
import pytest

from cadena.core.doctor.findings.origins import number_faults
from cadena.core.doctor.fixes.offers import fixes
from cadena.core.front import compile
from cadena.core.graph.edits import set_operation, set_value, set_wants_gradient
from cadena.core.lessons import lessons, open_lesson
from cadena.core.methods.choosing import timeline_of
from cadena.core.methods.compare import compare
from cadena.core.methods.difference.sweep import sweep
from cadena.core.methods.names import Method
from cadena.core.rewriting.unfolding import unfolded
from cadena.core.run.accumulation import NOTHING, accumulate, zero_grad
from cadena.core.run.passes.naive import naive
from tests.core.graphs import graph
from tests.core.methods.symbolic.growth import growth

NAME = re.compile(r"[A-Za-z_]\w*\d\w*|\blessons? \d+( to \d+)?", re.IGNORECASE)
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e-?\d+)?")
TYPED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
Claims = list[tuple[str, tuple[float, ...]]]


def _run(lesson: str, output: str | None = None, **values: float):
    return compile(open_lesson(lesson), output).run(values)


def _gradients(run, *names: str) -> tuple[float, ...]:
    return tuple(float(run.gradient(name)) for name in names)


def _values(run, *names: str) -> tuple[float, ...]:
    return tuple(float(run.value(name)) for name in names)


def _one() -> Claims:
    run = _run("1")
    locals_ = [float(run.local(*wire)) for wire in (("L", 1), ("m3", 1), ("m1", 0))]
    fall = _values(run, "L")[0] - _values(_run("1", w0=3.0), "L")[0]
    return [
        ("L = 15 - c", _values(run, "k")),
        ("dL/dc = -1, dc/db1 = w3 = 7 and db1/dw0 = a1 = 4 give -28", (*locals_, *_gradients(run, "w0"))),
        ("up to L = -254", _values(run, "L")),
        ("the seed, 1,", (float(run.seed),)),
        ("a1, a2 and 15", _values(run, "k")),
        ("Raise w0 by 1 and see L fall by exactly 28", (1, fall)),
    ]


def _two() -> Claims:
    run = _run("2")
    parts = [float(run.contribution(node, slot)) for _, node, slot in run.timeline.arrivals["a1"]]
    cancelled = _gradients(_run("2", w2=-14 / 3), "a1")
    return [
        ("-w3 w0 = -14 and -w4 w2 = -27", (parts[1], parts[0])),
        ("are added: -41", _gradients(run, "a1")),
        ("dL/da1 is 0", cancelled),
    ]


def _three() -> Claims:
    run = _run("3")
    wrong = naive(run)
    pushed = tuple(float(visit.pushed) for visit in wrong.visits if visit.node == "b")
    b, a = (float(run.gradient(name)) for name in "ba")
    return [
        ("c = 4 a and dc/da = 4", (_values(run, "c")[0] / _values(run, "a")[0], a)),
        ("its gradient is 2, and each of its two wires brings 2 to a: 4", (b, float(run.contribution("b", 0)), a)),
        ("It pushes 1, 1, 2 and 2, and ends at 6", (*pushed, float(wrong.gradients["a"]))),
    ]


def _four() -> Claims:
    run = _run("4")
    once = accumulate(NOTHING, run)
    twice = accumulate(once, run)
    cleared = {float(gradient) for gradient in zero_grad(twice).gradients.values()}
    assert len(zero_grad(twice).gradients) == 5 and len(cleared) == 1
    first, second = (float(state.gradients["w0"]) for state in (once, twice))
    again = float(accumulate(zero_grad(twice), run).gradients["w0"])
    return [
        ("w0 holds -28, after the second -56", (first, second)),
        ("all five are 0, and the next pass brings -28 again", (cleared.pop(), again)),
    ]


def _seven() -> Claims:
    lesson = open_lesson("7")
    run = _run("7")
    fixed = compile(next(iter(fixes(lesson, run, run.faults[-1]))).apply(lesson)).run()
    exact = float(mpmath.exp(-100))
    near = [_gradients(_run("7", x=x), "x")[0] for x in (50.0, 51.9)]
    true = [-float(mpmath.exp(-mpmath.mpf(float(np.float32(x))))) for x in (50.0, 51.9)]
    border = -0.5 * float(np.log(float(np.finfo("float32").tiny)))  # from where 1 / u^2 is subnormal
    steps = np.arange(5000, 9000) / 100
    found = np.array([_gradients(_run("7", x=float(x)), "x")[0] for x in steps])
    zero, nan = steps[np.argmax(found == 0.0)], steps[np.argmax(np.isnan(found))]
    return [
        ("1 / exp(x) at x = 100 in float32: a value that has become 0", (1, *_values(run, "x"), *_values(run, "y"))),
        ("at 100 that is 3.72e-44, and the derivative is -3.72e-44", (100, exact, -exact)),
        ("exp(100) is more than", _values(run, "x")),
        ("1 / inf is 0", (1, *_values(run, "y"))),
        ("close to the right one, 3.78e-44", (float(np.float32(exact)),)),
        ("-1 / u^2, which is 0,", (-1, 2, float(run.local("y", 1)))),
        ("0 times inf", (0,)),
        ("The value of y is 0", _values(run, "y")),
        ("upstream gradient 0", _gradients(run, "u")),
        ("y becomes 3.78e-44, and its gradient -3.78e-44", (*_values(fixed, "y"), *_gradients(fixed, "x"))),
        ("from about 43.7 on", (border,)),
        ("(at 50 it is -1.962e-22 for -1.929e-22, at 51.9 -4.858e-23 for -2.885e-23)",
         (50, near[0], true[0], 51.9, near[1], true[1])),
        ("from 51.99 on it is silently 0, and from 88.73 on nan", (zero, 0, nan)),
    ]  # fmt: skip


def _eight() -> Claims:
    run = _run("8")
    return [("The value is 0 as before, and the gradient is -3.78e-44", (*_values(run, "y"), *_gradients(run, "x")))]


def _nine() -> Claims:
    run = _run("9")
    roots = compile(graph(x=[0.0, 0.0], y=("norm", "x"))).run()
    assert {float(run.value(name)) for name in ("root", "cube", "corner", "length", "L")} == {0.0}
    assert np.isinf(_gradients(run, "x1", "x2")).all() and np.isnan(_gradients(run, "x4")[0])
    return [
        ("by convention it is 0", _gradients(run, "x3")),
        ("the square says 0, and inf times 0 is nan", (float(run.local("q", 0)), 0)),
        ("All four values are 0", _values(run, "L")),
        ("get inf, the third 0 and the last nan", _gradients(run, "x3")),
        ("its gradient is 0", (float(np.max(np.abs(roots.gradient("x")))),)),
    ]


def _ten() -> Claims:
    run = _run("10")
    steps = timeline_of(run, Method("forward"))
    pairs = {name: [float(line.number) for line in steps.frame(len(steps)).lines(name)] for name in "xnuy"}
    return [
        ("x = 2 and the derivative 1, since dx/dx = 1", (*pairs["x"], pairs["x"][1])),
        ("the pair is (-2, -1)", tuple(pairs["n"])),
        ("after exp (0.1353, -0.1353)", tuple(pairs["u"])),
        ("At y it is (0.8808, 0.105)", tuple(pairs["y"])),
    ]


def _eleven() -> Claims:
    lesson = open_lesson("11")
    sizes = {name: node.value.array.size for name, node in lesson.nodes.items() if node.wants_gradient}
    run = compile(lesson).run()
    passes = timeline_of(run, Method("forward")).passes_needed
    lanes = len((steps := timeline_of(run, Method("forward", width=None))).lanes(steps.frame(0.0)))
    alone = compile(set_wants_gradient(lesson, "X", False)).run()
    left = len((steps := timeline_of(alone, Method("forward", width=None))).lanes(steps.frame(0.0)))
    return [
        ("W holds 6 numbers, so that forward mode carries 6 derivatives", (sizes["W"], left)),
        ("the 9 numbers of X there are 15", (sizes["X"], passes)),
        ("derivative vectors carry all 15 in one pass", (lanes,)),
        ("gets all 15 in one pass", (passes,)),
        ("count of passes below the canvas: 15", (passes,)),
        ("15 lanes fill", (lanes,)),
        ("carry 15 derivative arrays", (lanes,)),
        ("W alone leaves 6 lanes", (left,)),
        ("a layer of 784 to 128", (784, 128)),
    ]


def _twelve() -> Claims:
    run = _run("12")
    sizes = {size.node: size for size in growth(run, "x")}
    names = ("s1", "p2", "p3", "p4", "y")
    steps = [sum(step.phase == "reverse" for step in _run("12", name).timeline) for name in names]
    return [
        ("y takes 28 as a graph, and 20 as an expression", (sizes["y"].graph, sizes["y"].expression)),
        ("has 7, 24, 49, 82 and 123 operations", tuple(sizes[name].derivative for name in names)),
        ("has 1, 5, 9, 13 and 17 steps", tuple(steps)),
        (
            "At x = 1, where y is 0.5983, both give 0.4517",
            (*_values(run, "x"), *_values(run, "y"), *_gradients(run, "x")),
        ),
    ]


def _thirteen() -> Claims:
    made = sweep(open_lesson("13"), "x")
    assert not made.errors["complex"][8:].any()
    return [
        ("cos(1) = 0.540302", (1, float(np.cos(1.0)))),
        ("A number has 16 digits", (round(-np.log10(np.finfo(float).eps)),)),
        ("a best step, near 1e-8", (made.best("forward"),)),
        ("from 1e-1 to 1e-16", (made.steps[0], made.steps[-1])),
        ("whose tip is deeper, near 1e-5", (made.best("central"),)),
        ("its error comes down to 0", (made.errors["complex"][-1],)),
        ("Type 1e-16 as h", (1e-16,)),
    ]


def _seventeen() -> Claims:
    lesson = open_lesson("17")
    run = compile(lesson).run()
    first = unfolded(lesson)
    rows = []
    for leaf in ("x", "y"):
        second = unfolded(first.document, first.gradients[leaf])
        found = compile(second.document).run()
        rows.append([float(found.value(second.gradients[name])) for name in ("x", "y")])
    gradient = np.array(_gradients(run, "x", "y"))
    newton = -np.linalg.solve(rows, gradient)
    low, point = np.array([1.0, 2.0]) - 0.1 * gradient, np.array([1.0, 2.0]) + newton
    at = [_values(_run("17", x=float(x), y=float(y)), "f")[0] for x, y in (low, point)]
    flat = float(np.linalg.det([[2.0 + 12.0 * 0.0**2, -2.0], [-2.0, 2.0]]))
    return [
        ("lowest point at (0, 0)", tuple(map(float, mpmath.matrix([0, 0])))),
        ("here [[2 + 12 x^2, -2], [-2, 2]]", (rows[0][0] - 12, 12, 2, rows[0][1], *rows[1])),
        ("At (1, 2) f is 2, the gradient (2, 2) and the Hessian [[14, -2], [-2, 2]]",
         (1, 2, *_values(run, "f"), *gradient, *rows[0], *rows[1])),
        ("rate 0.1 leads to (0.8, 1.8), where f is 1.41", (0.1, *low, at[0])),
        ("(-1/3, -4/3), leads to (2/3, 2/3), where f is 0.20",
         (newton[0] * 3, 3, newton[1] * 3, 3, point[0] * 3, 3, point[1] * 3, 3, at[1])),
        ("the determinant of the Hessian is 0 there", (flat,)),
    ]  # fmt: skip


def _eighteen() -> Claims:
    names = [f"dw{index}" for index in range(5)]
    run = _run("18")
    return [
        ("dL is the constant 1", _values(run, "dL")),
        ("dw0 to dw4 end with -28, -21, -12, -23 and -36", _values(run, *names)),
    ]


CLAIMS: dict[str, Callable[[], Claims]] = {
    "1": _one, "2": _two, "3": _three, "4": _four, "7": _seven, "8": _eight, "9": _nine, "10": _ten, "11": _eleven,
    "12": _twelve, "13": _thirteen, "17": _seventeen, "18": _eighteen,
}  # fmt: skip
# What is a formula, a place to set a number to, or the name of the lesson.
PLACES = {
    "4": ["Set all gradients to 0"],
    "5": ["2 Y", "a 3 x 2 matrix", "then 2 Y cos Z"],
    "7": ["1 / exp(x) is", "x from 40 up to 100", "as 1 / u^2"],
    "8": ["Set x to 1", "at x = 100", "at 100 the nan"],
    "9": [
        "no derivative at 0",
        "continuous at 0",
        "vertical at 0",
        "between -1 and 1",
        "away from 0",
        "the vector [0, 0]",
    ],
    "10": ["constants with 0", "1 / (1 + exp(-x))", "adding 1 changes", "y (1 - y)"],
    "13": ["sin at 1 as", "(sin(1 + h) - sin(1)) / h", "sin(1 + h) and sin(1) share", "with 1/h"],
    "17": ["(x - y)^2 + x^4", "Put x at 0, where x^4"],
}


def _text(number: str) -> str:
    """The text of a lesson, its minus signs and powers as they are typed."""
    about = open_lesson(number).extra["lesson"]
    text = "\n".join([about["title"], about["summary"], *about["text"].values()]).replace("−", "-")
    text = re.sub("(·?)10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", lambda power: f"{'' if power[1] else 1}e{power[2].translate(TYPED)}", text)
    return re.sub("[⁰¹²³⁴⁵⁶⁷⁸⁹]", lambda power: f"^{power[0].translate(TYPED)}", text)


def _numbers(text: str) -> list[str]:
    return NUMBER.findall(NAME.sub("", text))


def _digits(number: str, value: float) -> float:
    """A computed number with as many decimals as the text gives."""
    mantissa, _, power = number.partition("e")
    scale = 10.0 ** int(power or 0)
    return round(value / scale, len(mantissa.partition(".")[2]))


@pytest.mark.parametrize("number", CLAIMS)
def test_each_number_in_a_lessons_text_is_what_the_engine_gives(number: str) -> None:
    text = _text(number)
    for phrase, computed in CLAIMS[number]():
        assert phrase in text
        said = _numbers(phrase)
        assert len(said) == len(computed), phrase
        for one, value in zip(said, computed, strict=True):
            assert float(one.partition("e")[0]) == pytest.approx(_digits(one, float(value)), abs=1e-12), (
                phrase,
                one,
                value,
            )


@pytest.mark.parametrize("number", [str(lesson.number) for lesson in lessons()])
def test_no_number_in_a_lessons_text_is_left_unchecked(number: str) -> None:
    text = _text(number)
    phrases = [phrase for phrase, _ in CLAIMS[number]()] if number in CLAIMS else []
    for phrase in sorted([*phrases, *PLACES.get(number, [])], key=len, reverse=True):
        assert phrase in text
        text = text.replace(phrase, "")
    assert _numbers(text) == []


# --- what the texts say to try


def test_lesson_1_with_w3_at_0_keeps_its_own_gradient_and_loses_those_before_it() -> None:
    run = _run("1", w3=0.0)
    assert [name for name in ("w0", "w1", "w2", "w3", "w4") if run.gradient(name) == 0] == ["w0", "w1"]


def test_lesson_5_with_a_row_of_x_at_0_has_no_gradient_from_that_example() -> None:
    x = np.array(open_lesson("5").nodes["X"].value.array)
    x[1] = 0.0
    run = _run("5", X=x)
    others = [0, 2]
    np.testing.assert_allclose(run.gradient("W"), x[others].T @ run.gradient("Z")[others])


def test_lesson_5_with_another_activation_changes_one_local_derivative() -> None:
    for op, slope in (("tanh", lambda z: 1 - np.tanh(z) ** 2), ("relu", lambda z: (z > 0).astype(float))):
        run = compile(set_operation(open_lesson("5"), "Y", op)).run()
        np.testing.assert_allclose(run.local("Y", 0), slope(run.value("Z")))
        np.testing.assert_allclose(run.local("S", 0), 2 * run.value("Y"))


def test_lesson_6_goes_one_step_further_back_and_a_small_step_against_dx_makes_l_fall() -> None:
    run = _run("6")
    assert len(run.timeline) == len(_run("5").timeline) + 1
    assert _run("6", X=run.value("X") - 0.05 * run.gradient("X")).value("L") < run.value("L")


def test_lesson_8_with_a_wrong_gradient_is_caught_at_1_and_at_100_by_nobody() -> None:
    """It was said to be caught at 100, where all methods agree as far as float32 can tell."""
    import msgspec

    lesson = open_lesson("8")
    function = lesson.functions["one_over_exp"]
    nodes = dict(function.gradient.nodes)
    nodes["dx"] = msgspec.structs.replace(nodes["dx"], inputs=("upstream", "v"))
    wrong = _replaced(lesson, function, nodes)
    caught = compare(set_value(wrong, "x", 1.0))
    assert set(caught.rows[0].judgement.others) == {"central difference", "complex step", "symbolic"}
    assert not [*number_faults(caught.run)] and compare(wrong).agrees
    assert "the custom gradient of one_over_exp at y is not the derivative here" in caught.verdict
    assert "reverse mode gives 0.3679 in float64, too" in caught.verdict  # not that float32 has lost its digits


def _replaced(lesson, function, nodes):
    from dataclasses import replace

    gradient = replace(function.gradient, nodes=nodes)
    return replace(lesson, functions={"one_over_exp": replace(function, gradient=gradient)})


def test_lesson_9_with_a_negative_x_has_no_square_root_and_a_little_away_from_0_all_is_well() -> None:
    away = {f"x{index}": 0.01 for index in range(1, 5)}
    assert _run("9", **away).faults == ()
    assert {fault.node for fault in _run("9", **dict.fromkeys(away, -0.01)).faults} == {"root"}


def test_lesson_18_has_the_second_derivative_by_w0_and_w3_that_it_asks_for() -> None:
    made = unfolded(open_lesson("18"), "dw0")
    assert compile(made.document).run().value(made.gradients["w3"]) == -4
