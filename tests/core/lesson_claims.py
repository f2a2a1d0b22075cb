"""What the texts of lessons say in numbers: phrases, and beside each what the engine computes for it."""

from __future__ import annotations

import re
from collections.abc import Callable

import mpmath
import numpy as np

from cadena.core.doctor.fixes.offers import fixes
from cadena.core.front import Run, compile
from cadena.core.graph.document import Document
from cadena.core.graph.edits import set_wants_gradient
from cadena.core.graph.order import ancestors
from cadena.core.languages.export import export
from cadena.core.methods.choosing import timeline_of
from cadena.core.methods.difference.sweep import sweep
from cadena.core.methods.difference.timeline import DifferencesTimeline
from cadena.core.methods.names import Method
from cadena.core.rewriting.unfolding import unfolded
from cadena.core.run.accumulation import NOTHING, accumulate, zero_grad
from cadena.core.run.passes.naive import naive
from cadena.core.teaching.lessons import open_lesson
from cadena.core.teaching.story import story_of
from tests.core.graphs import graph
from tests.core.methods.symbolic.growth import growth

Claims = list[tuple[str, tuple[float, ...]]]


def run_of(lesson: str, output: str | None = None, **values: object) -> Run:
    return compile(open_lesson(lesson), output).run(values)


def gradients_of(run, *names: str) -> tuple[float, ...]:
    return tuple(float(run.gradient(name)) for name in names)


def values_of(run, *names: str) -> tuple[float, ...]:
    return tuple(float(run.value(name)) for name in names)


def _one() -> Claims:
    run = run_of("1")
    locals_ = [float(run.local(*wire)) for wire in (("L", 1), ("m3", 1), ("m1", 0))]
    fall = values_of(run, "L")[0] - values_of(run_of("1", w0=3.0), "L")[0]
    return [
        ("L = 15 - c", values_of(run, "k")),
        ("15 - c changes", values_of(run, "k")),
        ("dL/dc = -1, dc/db1 = w3 = 7 and db1/dw0 = a1 = 4 give -28", (*locals_, *gradients_of(run, "w0"))),
        ("up to L = -254", values_of(run, "L")),
        ("the seed, 1,", (float(run.seed),)),
        ("a1, a2 and 15", values_of(run, "k")),
        ("Raise w0 by 1 and see L fall by exactly 28", (1, fall)),
    ]


def _two() -> Claims:
    run = run_of("2")
    parts = [float(run.contribution(node, slot)) for _, node, slot in run.timeline.arrivals["a1"]]
    cancelled = gradients_of(run_of("2", w2=-14 / 3), "a1")
    return [
        ("-w3 w0 = -14 and -w4 w2 = -27", (parts[1], parts[0])),
        ("are added: -41", gradients_of(run, "a1")),
        ("dL/da1 is 0", cancelled),
    ]


def _three() -> Claims:
    run = run_of("3")
    wrong = naive(run)
    pushed = tuple(float(visit.pushed) for visit in wrong.visits if visit.node == "b")
    b, a = (float(run.gradient(name)) for name in "ba")
    return [
        ("c = 4 a and dc/da = 4", (values_of(run, "c")[0] / values_of(run, "a")[0], a)),
        ("its gradient is 2, and each of its two wires brings 2 to a: 4", (b, float(run.contribution("b", 0)), a)),
        ("It pushes 1, 1, 2 and 2, and ends at 6", (*pushed, float(wrong.gradients["a"]))),
    ]


def _four() -> Claims:
    run = run_of("4")
    once = accumulate(NOTHING, run)
    twice = accumulate(once, run)
    cleared = {float(gradient) for gradient in zero_grad(twice).gradients.values()}
    assert len(zero_grad(twice).gradients) == 5 and len(cleared) == 1
    first, second = (float(state.gradients["w0"]) for state in (once, twice))
    again = float(accumulate(zero_grad(twice), run).gradients["w0"])
    return [
        ("w0 holds -28, after the second -56", (first, second)),
        ("all five are 0, and the third pass brings -28 again", (cleared.pop(), again)),
    ]


def _seven() -> Claims:
    lesson = open_lesson("7")
    run = run_of("7")
    fixed = compile(next(iter(fixes(lesson, run, run.faults[-1]))).apply(lesson)).run()
    exact = float(mpmath.exp(-100))
    near = [gradients_of(run_of("7", x=x), "x")[0] for x in (50.0, 51.9)]
    true = [-float(mpmath.exp(-mpmath.mpf(float(np.float32(x))))) for x in (50.0, 51.9)]
    border = -0.5 * float(np.log(float(np.finfo("float32").tiny)))  # from where 1 / u^2 is subnormal
    steps = np.arange(5000, 9000) / 100
    found = np.array([gradients_of(run_of("7", x=float(x)), "x")[0] for x in steps])
    zero, nan = steps[np.argmax(found == 0.0)], steps[np.argmax(np.isnan(found))]
    return [
        ("1 / exp(x) at x = 100 in float32: a value that has become 0", (1, *values_of(run, "x", "y"))),
        ("at 100 that is 3.72e-44, and the derivative is -3.72e-44", (100, exact, -exact)),
        ("exp(100) is more than", values_of(run, "x")),
        ("1 / inf is 0", (1, *values_of(run, "y"))),
        ("close to the right one, 3.78e-44", (float(np.float32(exact)),)),
        ("-1 / u^2, which is 0,", (-1, 2, float(run.local("y", 1)))),
        ("0 times inf", (0,)),
        ("The value of y is 0", values_of(run, "y")),
        ("upstream gradient 0", gradients_of(run, "u")),
        ("y becomes 3.78e-44, and its gradient -3.78e-44", (*values_of(fixed, "y"), *gradients_of(fixed, "x"))),
        ("from about 43.7 on", (border,)),
        ("(at 50 it is -1.962e-22 for -1.929e-22, at 51.9 -4.858e-23 for -2.885e-23)",
         (50, near[0], true[0], 51.9, near[1], true[1])),
        ("from 51.99 on it is silently 0, and from 88.73 on nan", (zero, 0, nan)),
    ]  # fmt: skip


def _eight() -> Claims:
    run = run_of("8")
    numbers = (*values_of(run, "y"), *gradients_of(run, "x"))
    return [("The value is 0 as before, and the gradient is -3.78e-44", numbers)]


def _nine() -> Claims:
    run = run_of("9")
    roots = compile(graph(x=[0.0, 0.0], y=("norm", "x"))).run()
    assert {float(run.value(name)) for name in ("root", "cube", "corner", "length", "L")} == {0.0}
    assert np.isinf(gradients_of(run, "x1", "x2")).all() and np.isnan(gradients_of(run, "x4")[0])
    return [
        ("by convention it is 0", gradients_of(run, "x3")),
        ("the square says 0, and inf times 0 is nan", (float(run.local("q", 0)), 0)),
        ("All four values are 0", values_of(run, "L")),
        ("get inf, the third 0 and the last nan", gradients_of(run, "x3")),
        ("its gradient is 0", (float(np.max(np.abs(roots.gradient("x")))),)),
    ]


def _ten() -> Claims:
    run = run_of("10")
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


def sizes_of_sigmoids(output: str) -> tuple[int, int]:
    """How many operations lesson 12 takes with its reverse pass unfolded, and how many of them go forward.

    A sigmoid counts as the four operations with which it is written, as it does in an expression.
    """
    lesson, nodes = open_lesson("12"), open_lesson("12").nodes
    needed = [name for name in ancestors(lesson, output) if not nodes[name].is_leaf]
    forward = sum(4 if nodes[name].op == "sigmoid" else 1 for name in needed)
    made = unfolded(lesson, output).document
    return forward + sum(not node.is_leaf for name, node in made.nodes.items() if name not in nodes), forward


def _twelve() -> Claims:
    run = run_of("12")
    sizes = {size.node: size for size in growth(run, "x")}
    names = ("s1", "p2", "p3", "p4", "y")
    graphs = [sizes_of_sigmoids(name) for name in names]
    assert [forward for _, forward in graphs] == [sizes[name].graph for name in names]
    assert sizes["y"].expression < sizes["y"].graph  # up to here the formula is no longer
    return [
        ("has 7, 24, 49, 82 and 123 operations", tuple(sizes[name].derivative for name in names)),
        (
            "7, 20, 33, 46 and 59 as the graph with its reverse pass unfolded, always 13 more",
            (*(whole for whole, _ in graphs), graphs[-1][0] - graphs[-2][0]),
        ),
        (
            "At x = 1, where y is 0.5983, both give 0.4517",
            (*values_of(run, "x"), *values_of(run, "y"), *gradients_of(run, "x")),
        ),
    ]


def _opening_step() -> float:
    """The step of the differences that lesson 13 shows first."""
    opening = story_of(open_lesson("13")).view.settings
    assert opening is not None
    shown = timeline_of(run_of("13"), opening.of_method("difference"))
    assert isinstance(shown, DifferencesTimeline)
    return shown.h


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
        ("opens with h = 0.1", (_opening_step(),)),
        ("Type 1e-16 as h", (1e-16,)),
    ]


def _fourteen() -> Claims:
    run, relus = run_of("14"), run_of("14", "r10")
    slopes = [float(run.local(f"s{index}", 0)) for index in range(1, 11)]
    assert max(slopes) < 0.25 and 0.25 ** len(slopes) < 1e-6
    assert {float(relus.gradient(name)) for name in (*(f"r{index}" for index in range(1, 11)), "x")} == {1.0}
    steepest = 1 / float(run_of("14", x=0.0).local("s1", 0))
    return [
        ("the gradient shrinks from 1 to 2.785e-7", gradients_of(run, "s10", "x")),
        ("that of a relu is 1 wherever", (float(relus.local("r1", 0)),)),
        ("the gradient is 1 at every relu", gradients_of(relus, "r5")),
        ("never more than 1/4", (1, steepest)),
        ("Drag x to 0 and see the local derivative of s1 reach 1/4", (0, 1, steepest)),
        ("set x to -1: the relus pass nothing", (-1 + float(run_of("14", "r10", x=-1.0).gradient("x")),)),
    ]


def _fifteen() -> Claims:
    lesson, run, large = open_lesson("15"), run_of("15"), run_of("15", shift=1000.0)
    right, over = run.value("p") - run.value("y"), run_of("15", "fused", shift=1000.0)
    np.testing.assert_allclose(run.gradient("x"), right, rtol=1e-6)
    np.testing.assert_allclose(over.gradient("z"), right, rtol=1e-6)
    assert np.isinf(large.value("u")).all() and np.isnan(large.value("p")).all() and np.isnan(large.gradient("z")).all()
    assert np.isnan(large.value("L")) and lesson.dtype == "float32"
    steps = np.arange(8600, 8700) / 100
    at = [run_of("15", shift=float(shift)) for shift in steps]
    lost, summed, over_all = (
        float(steps[np.argmax([not np.isfinite(run.value(name)).all() for run in at])]) for name in "Lsu"
    )
    assert lost == summed
    return [
        ("Both losses are 0.4076, and", values_of(run, "L")),
        ("gradient of z is (-0.3348, 0.2447, 0.09003), which is p - y and adds up to 0",
         (*run.gradient("z"), float(np.sum(run.gradient("z"))))),
        ("Yet exp(1000) is inf", (float(large.value("x")[2]),)),
        ("the fused loss stays at 0.4076", values_of(large, "fused")),
        ("y marks with a 1", (float(np.max(run.value("y"))),)),
        ("L is nan from about 86.32 on, where the sum s overflows, before u does at 86.73", (lost, over_all)),
    ]  # fmt: skip


def _sixteen() -> Claims:
    run, parameters = run_of("16"), ("W1", "b1", "W2", "b2")
    assert np.abs(run.value("P") - 0.5).max() < 0.1
    np.testing.assert_allclose(run.gradient("A2"), (run.value("P") - run.value("Y")) / 4)
    losses = descended("16", parameters, 1.0, 300)
    zeros = run_of("16", W1=np.zeros((2, 4)))
    assert not any(np.any(zeros.gradient(name)) for name in parameters) and not np.any(zeros.value("H"))
    step = run_of("16", b2=run.value("b2") - run.gradient("b2"))
    assert step.value("L") < run.value("L")
    return [
        ("The exclusive or is 1 where exactly", (1,)),
        ("gradients of all 17 numbers", (sum(run.value(name).size for name in parameters),)),
        ("near 0.5, and the loss L is 0.6957, close to log 2 = 0.6931", (0.5, *values_of(run, "L"), 2, np.log(2.0))),
        ("At A2 the gradient is (P - Y) / 4", (len(run.value("P")),)),
        ("With the rate 1, gradient descent brings the loss to 0.0391 in 100 steps, and below 0.01 in 262",
         (1, losses[100], 100, 0.01, next(number for number, loss in enumerate(losses) if loss < 0.01))),
        ("every gradient is then 0", (0,)),
    ]  # fmt: skip


def descended(lesson: str, parameters: tuple[str, ...], rate: float, steps: int) -> list[float]:
    """The losses of gradient descent, the first before its first step."""
    program, losses = compile(open_lesson(lesson)), list[float]()
    values = {name: program.run().value(name) for name in parameters}
    for _ in range(steps + 1):
        run = program.run(values)
        losses += values_of(run, str(program.output))
        values = {name: value - rate * run.gradient(name) for name, value in values.items()}
    return losses


def _seventeen() -> Claims:
    lesson = open_lesson("17")
    run = compile(lesson).run()
    first = unfolded(lesson)
    rows = []
    for leaf in ("x", "y"):
        second = unfolded(first.document, first.gradients[leaf])
        found = compile(second.document).run()
        rows.append([float(found.value(second.gradients[name])) for name in ("x", "y")])
    gradient = np.array(gradients_of(run, "x", "y"))
    newton = -np.linalg.solve(rows, gradient)
    low, point = np.array([1.0, 2.0]) - 0.1 * gradient, np.array([1.0, 2.0]) + newton
    at = [values_of(run_of("17", x=float(x), y=float(y)), "f")[0] for x, y in (low, point)]
    flat = float(np.linalg.det([[2.0 + 12.0 * 0.0**2, -2.0], [-2.0, 2.0]]))
    return [
        ("its lowest point (0, 0)", tuple(map(float, mpmath.matrix([0, 0])))),
        ("here [[2 + 12 x^2, -2], [-2, 2]]", (rows[0][0] - 12, 12, 2, rows[0][1], *rows[1])),
        ("At (1, 2) f is 2, the gradient (2, 2) and the Hessian [[14, -2], [-2, 2]]",
         (1, 2, *values_of(run, "f"), *gradient, *rows[0], *rows[1])),
        ("rate 0.1 leads to (0.8, 1.8), where f is 1.41", (0.1, *low, at[0])),
        ("(-1/3, -4/3), leads to (2/3, 2/3), where f is 0.20",
         (newton[0] * 3, 3, newton[1] * 3, 3, point[0] * 3, 3, point[1] * 3, 3, at[1])),
        ("the determinant of the Hessian is 0 there", (flat,)),
    ]  # fmt: skip


def _eighteen() -> Claims:
    names = [f"dw{index}" for index in range(5)]
    run = run_of("18")
    return [
        ("dL is the constant 1", values_of(run, "dL")),
        ("dw0 to dw4 end with -28, -21, -12, -23 and -36", values_of(run, *names)),
    ]


def _lanes(document: Document) -> list[str]:
    """The places of the vector that forward mode carries in one pass."""
    steps = timeline_of(compile(document).run(), Method("forward", width=None))
    return [lane.name for lane in steps.lanes(steps.frame(0.0))]


def _nineteen() -> Claims:
    lesson = open_lesson("19")
    lanes, left = _lanes(lesson), _lanes(set_wants_gradient(lesson, "X", False))
    offsets = [lanes.index(f"∂L/∂{name}[0, 0]") for name in "XW"]
    code = export(lesson, "eigen").text
    (converted,) = re.findall(r"const Array W = variables\(.*, (\d+)\);", code)
    unpacked = re.search(r'print\("dL/dW", gradient\(L, (\d+), (\d+)\)', code)
    assert unpacked is not None
    return [
        ("the vector has 15 places: X begins at offset 0, W at offset 9", (len(lanes), *offsets)),
        ("15 lanes fill in a single pass", (len(lanes),)),
        ("Unit(15, offset + index)", (len(lanes),)),
        ("variables(…, 9) converts W, gradient(L, 9, 6) unpacks", tuple(map(int, (converted, *unpacked.groups())))),
        ("W now begins at offset 0, and 6 places are left", (left.index("∂L/∂W[0, 0]"), len(left))),
    ]


def _twenty() -> Claims:
    run, other = run_of("20"), run_of("20", x=-3.0, x_d=-3.0)
    assert run.gradient("x") is None and other.value("test") == 0
    return [
        ("after f(2, 3)", values_of(run, "w", "x")),
        ("Both give 144, and the gradient 288", (*values_of(run, "y"), *gradients_of(run, "w"))),
        ("Set x and x_d to -3: f is then 12", (*values_of(other, "x"), *values_of(other, "chosen"))),
        ("says 144", values_of(other, "y")),
    ]


def _twenty_one() -> Claims:
    run = run_of("21")
    assert {node.op for node in open_lesson("21").nodes.values() if not node.is_leaf} == {
        "add", "multiply", "exp", "reciprocal",
    }  # fmt: skip
    slope = float(run.local("y", 0)) * float(run.value("d")) ** 2
    return [
        ("1/d by -1/d^2", (1, slope, 2)),
        ("15 - c is written as the sum of 15 and (-1) · c", (*values_of(run, "k", "k", "neg_c"),)),
        ("1 / (1 + exp((-1) · x))", (1, *values_of(run, "one", "neg_x"))),
        ("-28, -21, -12, -23 and -36", gradients_of(run, *(f"w{index}" for index in range(5)))),
        ("0.105 at x", gradients_of(run, "x")),
    ]


CLAIMS: dict[str, Callable[[], Claims]] = {
    "1": _one, "2": _two, "3": _three, "4": _four, "7": _seven, "8": _eight, "9": _nine, "10": _ten, "11": _eleven,
    "12": _twelve, "13": _thirteen, "14": _fourteen, "15": _fifteen, "16": _sixteen, "17": _seventeen, "18": _eighteen,
    "19": _nineteen, "20": _twenty, "21": _twenty_one,
}  # fmt: skip
