"""The lessons: their files, and the numbers that a class will see."""

from __future__ import annotations

import re
from dataclasses import replace

import mpmath
import numpy as np
import pytest

from cadena.core.front import compile
from cadena.core.graph.document import Document
from cadena.core.graph.edits import set_operation, set_wants_gradient
from cadena.core.graph.fault import Refused
from cadena.core.graph.frames import frames
from cadena.core.layout.arrange import card_sizes
from cadena.core.methods.choosing import timeline_of
from cadena.core.methods.compare import compare
from cadena.core.methods.difference.sweep import sweep
from cadena.core.methods.forward import VECTORS
from cadena.core.methods.names import Method
from cadena.core.rewriting.function_edits import automatic
from cadena.core.rewriting.opening import compare_gradients, opened
from cadena.core.rewriting.unfolding import unfold, unfolded
from cadena.core.run.accumulation import NOTHING, accumulate, zero_grad
from cadena.core.run.passes.naive import naive
from cadena.core.storage.encoding import encode
from cadena.core.teaching.lessons import lesson_path, lessons, method_of, open_lesson, opening_method
from cadena.core.teaching.story import story_of
from cadena.core.text.numbers import short
from cadena.core.tracing.trace import trace
from cadena.core.tracing.transforms import jvp
from cadena.core.training.settings import settings_of
from cadena.core.training.trainer import Trainer
from tests.core.graphs import graph

EVERY = pytest.mark.parametrize("name", [lesson.name for lesson in lessons()])
DW = [[-1.899111, 0.165564], [-7.338816, 5.009843], [-3.060520, -0.398308]]
DX = [[-0.293119, 0.120218, 1.065764], [-0.120695, -0.245535, 0.556853], [0.274753, -0.107779, -1.000951]]


def test_lessons_are_listed_in_order_with_what_a_menu_needs():
    numbers = [lesson.number for lesson in lessons()]
    assert numbers == [*range(1, 22)]
    assert len({lesson.name for lesson in lessons()}) == len(numbers)
    assert all(lesson.name.isidentifier() and lesson.title and lesson.summary for lesson in lessons())


def test_a_lesson_opens_by_its_name_and_by_its_number():
    for lesson in lessons():
        assert open_lesson(lesson.name) == open_lesson(str(lesson.number))


def test_a_lesson_says_by_which_method_it_is_to_be_seen():
    told = {lesson.number: method_of(open_lesson(lesson.name)) for lesson in lessons()}
    others = {number: "reverse" for number in told if number not in (10, 11, 12, 13, 19)}
    assert told == others | {10: "forward", 11: "forward", 12: "symbolic", 13: "difference", 19: "forward"}
    assert method_of(Document({})) is None


def test_an_unknown_lesson_is_refused_with_the_names_of_those_there_are():
    with pytest.raises(Refused, match="there is no lesson 99; choose one of 1 first_chain_rule, 2 two_paths"):
        open_lesson("99")


# Lessons that are about numbers that go wrong -> the faults that a class must see.
FAULTS = {
    "where_autodiff_fails": {("u", "inf-value"), ("u", "nan-gradient")},
    "no_derivative_at_zero": {
        ("root", "inf-gradient"),
        ("cube", "inf-gradient"),
        ("length", "inf-gradient"),
        ("q", "nan-gradient"),
    },
}


@EVERY
def test_a_lesson_has_the_faults_that_it_is_about_and_no_others_and_every_node_is_placed(name):
    document = open_lesson(name)
    assert {(fault.node, fault.kind) for fault in compile(document).run().faults} == FAULTS.get(name, set())
    assert document.layout.keys() == document.nodes.keys()


@EVERY
def test_the_text_of_a_lesson_says_what_it_is_about_what_to_look_at_and_what_to_try(name):
    document = open_lesson(name)
    about = document.extra["lesson"]
    assert document.title == f"Lesson {about['number']}: {about['title']}"
    assert about["text"].keys() == {"idea", "look", "try"}
    for text in about["text"].values():
        assert 2 <= len(re.findall(r"[.?](?: |$)", text)) <= 4


@EVERY
def test_saving_a_lesson_again_changes_no_byte_of_its_file(name):
    assert encode(open_lesson(name)) == lesson_path(name).read_bytes()


@EVERY
def test_no_card_of_a_lesson_covers_another(name):
    document = open_lesson(name)
    boxes = [(*document.layout[node], *size) for node, size in card_sizes(document).items()]
    for i, (x, y, width, height) in enumerate(boxes):
        assert not any(a < x + width and x < a + w and b < y + height and y < b + h for a, b, w, h in boxes[i + 1 :])


@EVERY
def test_names_and_numbers_of_a_lesson_can_be_read_as_soon_as_it_is_open(name):
    """Lessons 14 to 16 and 18 were so wide that they showed at half their size in a window of 1600 x 1000."""
    document = open_lesson(name)
    sizes = card_sizes(document)
    rights, bottoms = zip(*((x + sizes[node][0], y + sizes[node][1]) for node, (x, y) in document.layout.items()))
    lefts, tops = zip(*document.layout.values())
    width, height = max(rights) - min(lefts) + 60, max(bottoms) - min(tops) + 60
    assert min(1256 / width, 600 / height) >= (0.66 if name == "learning_xor" else 0.72)


def test_lesson_1_follows_one_path_to_each_parameter():
    run = compile(open_lesson("1")).run()
    assert [float(run.value(name)) for name in ("b1", "b2", "c", "L")] == [23, 36, 269, -254]
    assert [float(run.gradient(f"w{i}")) for i in range(5)] == [-28, -21, -12, -23, -36]
    assert run.gradient("a1") is None and run.gradient("k") is None
    assert run.gradient("w0") == run.local("L", 1) * run.local("m3", 1) * run.local("m1", 0) == -1 * 7 * 4


def test_lesson_2_adds_up_one_contribution_per_path():
    run = compile(open_lesson("2")).run()
    assert [float(run.contribution(node, slot)) for _, node, slot in run.timeline.arrivals["a1"]] == [-27, -14]
    assert run.gradient("a1") == -41


@pytest.mark.parametrize("number", ["5", "6"])
def test_lessons_5_and_6_differentiate_a_layer(number):
    run = compile(open_lesson(number)).run()
    np.testing.assert_allclose(run.value("L"), 2.034992, atol=5e-7)
    np.testing.assert_allclose(run.gradient("W"), DW, atol=5e-7)


def test_lesson_5_is_a_layer_with_a_name_and_its_leaves_make_the_gradient():
    lesson = open_lesson("5")
    assert frames(lesson) == {"custom_layer": ("Z", "Y")} and lesson.nodes["Y"].op == "sin_activation"
    run = compile(lesson).run()
    x, z = run.value("X"), run.value("Z")
    np.testing.assert_allclose(run.gradient("W"), x.T @ (2 * np.sin(z) * np.cos(z)), rtol=1e-12)
    assert any(r"X^T (2 \sin Z \odot \cos Z)" in step.text for step in story_of(lesson).steps)


def test_only_lesson_6_carries_the_gradient_on_to_x():
    assert compile(open_lesson("5")).run().gradient("X") is None
    np.testing.assert_allclose(compile(open_lesson("6")).run().gradient("X"), DX, atol=5e-7)


# What each lesson's own run shows, to the digits that its text gives: values, then gradients.
GOLDEN = [
    ("3", {"b": 2, "c": 4}, {"a": 4, "b": 2}),
    ("4", {"L": -254}, {"w0": -28, "w1": -21, "w2": -12, "w3": -23, "w4": -36}),
    ("9", {"root": 0, "cube": 0, "corner": 0, "length": 0}, {"x1": np.inf, "x2": np.inf, "x3": 0, "x4": np.nan}),
    ("10", {"n": -2, "u": 0.135335, "d": 1.135335, "y": 0.880797}, {"x": 0.104994}),
    ("11", {"L": 2.034992}, {"W": DW, "X": DX}),
    ("12", {"y": 0.598312}, {"x": 0.451746}),
    ("13", {"y": np.sin(1.0)}, {"x": 0.540302}),
    ("14", {"s10": 0.659046, "r10": 1}, {"s10": 1, "s9": 0.224704, "s8": 0.050492, "s2": 6.456808e-06, "x": 2.785e-07}),
    ("15", {"L": 0.407606, "fused": 0.407606, "s": 11.107338}, {"z": [-0.334759, 0.244728, 0.090031]}),
    ("16", {"L": 0.695687}, {"A2": [[0.125], [-0.145290], [-0.116165], [0.112038]], "b2": -0.024417}),
    ("17", {"f": 2}, {"x": 2, "y": 2}),
    ("18", {"L": -254, "dw0": -28, "dw1": -21, "dw2": -12, "dw3": -23, "dw4": -36}, {"w3": -4}),
]


@pytest.mark.parametrize(("number", "values", "gradients"), GOLDEN, ids=[number for number, *_ in GOLDEN])
def test_a_lesson_shows_its_golden_numbers(number, values, gradients):
    run = compile(open_lesson(number)).run()
    for name, expected in values.items():
        np.testing.assert_allclose(run.value(name), expected, atol=5e-7)
    for name, expected in gradients.items():
        np.testing.assert_allclose(run.gradient(name), expected, atol=5e-7)


def test_lesson_3_goes_wrong_without_an_order():
    wrong = naive(compile(open_lesson("3")).run())
    assert wrong.gradients["a"] == 6
    assert [float(visit.pushed) for visit in wrong.visits if visit.node == "b"] == [1, 1, 2, 2]


def test_lesson_4_adds_up_until_the_gradients_are_cleared():
    run, seen, state = compile(open_lesson("4")).run(), [], NOTHING
    for _ in range(3):
        state = accumulate(state, run)
        seen.append(float(state.gradients["w0"]))
    assert seen == [-28, -56, -84]
    assert set(map(float, zero_grad(state).gradients.values())) == {0.0}


def test_lesson_9_has_a_gradient_again_with_the_operation_that_knows_its_corner():
    run = compile(graph(x=[0.0, 0.0], y=("norm", "x"))).run()
    assert run.gradient("x").tolist() == [0, 0]


def test_lesson_10_carries_value_and_derivative_together():
    value, tangent = jvp(lambda x: 1.0 / (1.0 + np.exp(-x)), [2.0], [1.0])
    np.testing.assert_allclose([value, tangent], [0.880797, 0.104994], atol=5e-7)


def test_lesson_10_carries_a_vector_of_two_derivatives_once_the_one_is_a_parameter_too():
    document = set_operation(open_lesson("10"), "one", "parameter")
    steps = timeline_of(compile(document).run(), Method("forward", width=None))
    assert (len(steps), steps.names) == (4, ["x", "one"])
    np.testing.assert_allclose(steps.frame(2.0).lines("u")[1].number, [-0.135335, 0], atol=5e-7)
    np.testing.assert_allclose(steps.frame(4.0).lines("y")[1].number, [0.104994, 0.104994], atol=5e-7)


@pytest.mark.parametrize(("wanted", "count"), [(True, 15), (False, 6)])
def test_lesson_11_takes_a_pass_for_each_number_or_one_with_a_derivative_vector(wanted, count):
    run = compile(set_wants_gradient(open_lesson("11"), "X", wanted)).run()
    dual, vectors = (timeline_of(run, Method("forward", width=width)) for width in (1, None))
    assert (len(dual.lanes(dual.frame(0.0))), dual.passes_needed, vectors.passes_needed) == (count, count, 1)
    assert (len(dual), len(vectors)) == (4 * count, 4)
    derivatives = vectors.frame(4.0).lines("L")[1].number
    np.testing.assert_allclose(derivatives[-6:].reshape(3, 2), DW, atol=5e-7)
    if wanted:
        np.testing.assert_allclose(derivatives[:9].reshape(3, 3), DX, atol=5e-7)


def test_lesson_11_compares_one_pass_back_with_15_forward_or_one_that_carries_15_tangents():
    costs = {answer.method: answer.cost for answer in compare(open_lesson("11"), methods=["forward", VECTORS]).answers}
    assert costs == {
        "reverse": "1 reverse pass",
        "forward": "15 tangent passes",
        VECTORS: "1 pass carrying 15 tangents",
    }


def test_lesson_11_asks_for_15_numbers_of_which_6_are_those_of_w():
    document = open_lesson("11")
    wanted = {name: node.value.array.size for name, node in document.nodes.items() if node.wants_gradient}
    assert wanted == {"X": 9, "W": 6}


def test_lesson_12_grows_by_the_same_few_steps_back_with_each_factor():
    document, products = open_lesson("12"), ("p2", "p3", "p4", "y")
    steps = [sum(step.phase == "reverse" for step in compile(document, one).run().timeline) for one in products]
    assert np.diff(steps).tolist() == [4, 4, 4]  # two at the product, one at the sigmoid, one at the multiple of x


def test_lesson_13_has_a_best_step_between_truncation_and_rounding():
    made, exact = sweep(open_lesson("13"), "x"), np.cos(1.0)
    assert made.reference == exact and made.steps[0] == 1e-1 and made.steps[-1] == 1e-16
    assert (made.best("forward"), made.best("central")) == (pytest.approx(1e-8), pytest.approx(1e-5))
    least = {kind: np.min(errors) for kind, errors in made.errors.items()}
    assert 1e-12 < least["central"] < 1e-10 < 1e-9 < least["forward"] < 1e-8
    assert made.quotients["forward"][-1] == 0.0  # 1 + 1e-16 is 1
    assert not made.errors["complex"][8:].any()  # no V: it stays down


def test_lesson_13_has_deeper_and_steeper_slopes_for_central_differences():
    made = sweep(open_lesson("13"), "x", steps=(1e-1, 1e-2, 1e-3))
    slopes = {kind: np.log10(errors[0] / errors[-1]) / 2 for kind, errors in made.errors.items()}
    assert slopes == {"forward": pytest.approx(1, abs=0.02), "central": pytest.approx(2, abs=0.02),
                      "complex": pytest.approx(2, abs=0.02)}  # fmt: skip


def test_lesson_13_in_float32_has_its_tips_at_larger_steps():
    made = sweep(open_lesson("13"), "x", dtype="float32")
    assert made.best("forward") >= 1e-4 and made.best("central") >= 1e-3


def test_lesson_13_plots_the_v_that_its_text_tells_of():
    made = sweep(open_lesson("13"), "x")
    assert made.reference == np.cos(1.0) and made.steps[0] == 1e-1 and made.steps[-1] == 1e-16
    assert (made.best("forward"), made.best("central")) == (pytest.approx(1e-8), pytest.approx(1e-5))
    least = {kind: np.min(errors) for kind, errors in made.errors.items()}
    assert 1e-12 < least["central"] < 1e-10 < 1e-9 < least["forward"] < 1e-8
    assert made.quotients["forward"][-1] == 0.0  # 1 + 1e-16 is 1
    assert not made.errors["complex"][8:].any()  # no V: it comes down to 0 and stays there


def test_lesson_13_has_a_steeper_v_for_central_differences():
    made = sweep(open_lesson("13"), "x", steps=(1e-1, 1e-2, 1e-3))
    slopes = {kind: np.log10(errors[0] / errors[-1]) / 2 for kind, errors in made.errors.items()}
    assert slopes == {kind: pytest.approx(order, abs=0.02) for kind, order in zip(slopes, (1, 2, 2), strict=True)}


def test_lesson_13_has_its_tips_at_larger_steps_in_float32():
    made = sweep(open_lesson("13"), "x", dtype="float32")
    assert made.best("forward") >= 1e-4 and made.best("central") >= 1e-3


def test_lesson_17_has_the_hessian_and_the_newton_step_that_its_text_says():
    first = unfolded(open_lesson("17"))
    rows = []
    for leaf in ("x", "y"):
        second = unfolded(first.document, first.gradients[leaf])
        run = compile(second.document).run()
        rows.append([float(run.value(second.gradients[name])) for name in ("x", "y")])
    assert rows == [[14, -2], [-2, 2]]
    newton = -np.linalg.solve(rows, [2.0, 2.0])
    np.testing.assert_allclose(newton, [-1 / 3, -4 / 3])
    program = compile(open_lesson("17"))
    after = [float(program.run({"x": x, "y": y}).value("f")) for x, y in ((0.8, 1.8), (1 + newton[0], 2 + newton[1]))]
    np.testing.assert_allclose(after, [1.41, 0.20], atol=0.005)


def test_lesson_18_is_lesson_1_unfolded_and_ends_with_a_gradient_of_a_gradient():
    lesson, made = open_lesson("18"), unfold(open_lesson("1"))
    assert lesson.nodes == made.nodes and lesson.output == "dw0"
    ending = [(step.phase, step.operand) for step in compile(lesson).run().timeline][-3:]
    assert ending == [("seed", None), ("reverse", "db1"), ("reverse", "w3")]
    twice = unfolded(lesson, "dw0")
    assert twice.gradients.keys() == {"w3"}  # the only parameter that dw0 depends on


def test_lesson_19_fills_one_vector_with_the_derivatives_of_x_and_w():
    steps = timeline_of(compile(open_lesson("19")).run(), opening_method(open_lesson("19")))
    derivatives = steps.frame(float(len(steps))).lines("L")[1].number
    np.testing.assert_allclose(derivatives, [*np.ravel(DX), *np.ravel(DW)], atol=5e-7)
    ends = [steps.frame(0.0).lines(name)[1].number for name in "XW"]  # what convert makes: Unit(15, offset + index)
    for offset, unit in zip((0, 9), ends, strict=True):
        count = unit[0].size
        np.testing.assert_array_equal(unit.reshape(15, count), np.eye(15)[:, offset : offset + count])
    places = steps.frame(1.0).lines("Z")[1].number[:, 1, 0]
    assert np.flatnonzero(places).tolist() == [3, 4, 5, 9, 11, 13]  # a row of X, a column of W


def test_lesson_19_runs_its_template_with_a_double_and_with_an_autodiff_scalar():
    lesson = open_lesson("19")
    np.testing.assert_allclose(compile(lesson).run().value("sigma"), 0.880797, atol=5e-7)
    watched = compile(replace(set_wants_gradient(lesson, "x", True), output="sigma")).run()
    steps = timeline_of(watched, opening_method(lesson))
    value, slope = steps.frame(float(len(steps))).lines("sigma")
    np.testing.assert_allclose([value.number, *slope.number.ravel()], [0.880797, 0.104994], atol=5e-7)


def f_of_lesson_20(w: float, x: float) -> float:
    h = x
    for _ in range(2):
        h = w * h
    return h * h if h > 0 else -h


@pytest.mark.parametrize("x", [3.0, -3.0, 0.5])
def test_lesson_20_declares_all_of_f_where_the_tape_holds_one_branch(x):
    run = compile(open_lesson("20")).run({"x": x, "x_d": x})
    assert run.value("chosen") == f_of_lesson_20(2.0, x)
    assert (run.value("y") == f_of_lesson_20(2.0, x)) == (x > 0)


def test_lesson_20_holds_what_tracing_f_records():
    traced = trace(lambda w, x: f_of_lesson_20(w, x), 2.0, 3.0)
    recorded = [node.op for node in traced.document.nodes.values() if not node.is_leaf]
    tape = [node.op for name, node in open_lesson("20").nodes.items() if name in ("h1", "h2", "y")]
    assert tape == ["multiply"] * 3 and [op for op in recorded if op != "greater"] == tape


def test_lesson_21_takes_lessons_1_and_10_apart_and_keeps_their_numbers():
    run, first, sigmoid = (compile(open_lesson(number)).run() for number in ("21", "1", "10"))
    for index in range(5):
        assert run.gradient(f"w{index}") == first.gradient(f"w{index}")
    assert run.value("L") == first.value("L")
    np.testing.assert_allclose(run.gradient("x"), sigmoid.gradient("x"), rtol=1e-15)


def test_lesson_7_loses_its_gradient_in_float32_and_keeps_it_in_float64():
    program = compile(open_lesson("7"))
    single = program.run()
    assert single.dtype == "float32" and single.value("y") == 0 and np.isnan(single.gradient("x"))
    assert single.gradient("u") == 0 and single.local("u", 0) == np.inf
    told = [fault.message for fault in single.faults if fault.kind == "nan-gradient"]
    assert len(told) == 1 and told[0].startswith("u: the gradient of x becomes nan here") and " 0 · inf" in told[0]
    double = program.run(dtype="float64")
    assert [f"{float(x):.2e}" for x in (double.value("y"), double.gradient("x"))] == ["3.72e-44", "-3.72e-44"]
    assert not double.faults


@pytest.mark.parametrize(("dtype", "silent", "nan"), [("float32", 51.99, 88.73), ("float64", 372.57, 709.79)])
def test_lesson_7_is_silently_zero_before_it_is_nan(dtype, silent, nan):
    program = compile(open_lesson("7"))

    def gradient(x: float) -> float:
        return float(program.run({"x": x}, dtype=dtype).gradient("x"))

    assert gradient(silent - 0.01) < 0 and gradient(silent) == 0 and np.isnan(gradient(nan))
    assert gradient(nan - 0.02) == 0


def float32_1_over_exp(x):
    """The gradient of 1 / exp(x) as numpy computes it by the rules of the quotient and of exp."""
    with np.errstate(all="ignore"):
        u = np.exp(np.float32(x))
        return float(-(np.float32(1) / u) / u * u)


@pytest.mark.parametrize(
    ("x", "shown", "true"),
    [
        (40.0, -4.248e-18, -4.248e-18),
        (43.6, -1.161e-19, -1.161e-19),
        (50.0, -1.962e-22, -1.929e-22),
        (51.9, -4.858e-23, -2.885e-23),
        (51.99, -0.0, -2.637e-23),
        (88.72, -0.0, -2.947e-39),
        (88.73, np.nan, -2.918e-39),
        (100.0, np.nan, -3.720e-44),
    ],
)
def test_lesson_7_said_that_the_gradient_is_right_where_it_has_lost_its_digits(x, shown, true):
    found = compile(open_lesson("7")).run({"x": x}).gradient("x")
    assert float(f"{float(found):.3e}") == pytest.approx(shown, rel=1e-9, abs=0.0, nan_ok=True)
    assert float(found) == pytest.approx(float32_1_over_exp(x), rel=1e-6, abs=0.0, nan_ok=True)
    with mpmath.workdps(30):
        assert float(-mpmath.exp(-mpmath.mpf(float(np.float32(x))))) == pytest.approx(true, rel=5e-4)
    if x in (50.0, 51.9):
        assert f"{short(shown)} for {short(true)}" in open_lesson("7").extra["lesson"]["text"]["try"]


@pytest.mark.parametrize(("dtype", "border"), [("float32", 43.668), ("float64", 354.198)])
def test_lesson_7_loses_digits_from_where_the_slope_of_the_quotient_is_subnormal(dtype, border):
    assert 0.5 * -np.log(float(np.finfo(dtype).tiny)) == pytest.approx(border, abs=5e-4)  # 1 / u^2 = exp(-2 x)
    program, kind = compile(open_lesson("7")), np.dtype(dtype).type
    off = []
    for x in map(kind, np.linspace(border - 3, border, 200)):
        exact = mpmath.exp(-mpmath.mpf(float(x)))
        off.append(float(abs(program.run({"x": float(x)}, dtype=dtype).gradient("x") / -exact - 1)))
    assert max(off) < 4 * np.finfo(dtype).eps  # right up to there
    beyond = program.run({"x": border + 5}, dtype=dtype)
    assert abs(float(beyond.gradient("x")) / -float(mpmath.exp(-(kind(border + 5)))) - 1) > 20 * np.finfo(dtype).eps


def test_lesson_7_called_a_value_of_0_right_though_float32_has_a_better_one():
    nearest = np.float32(float(mpmath.exp(-100)))
    assert f"{nearest:.2e}" == "3.78e-44" and compile(open_lesson("7")).run().value("y") == 0
    about = open_lesson("7").extra["lesson"]
    assert "right" not in about["summary"] and "3.78·10⁻⁴⁴" in about["text"]["idea"]


def test_no_node_of_a_lesson_reads_as_eulers_number():
    for lesson in lessons():
        document = open_lesson(lesson.name)
        bodies = [function.nodes for function in document.functions.values()]
        bodies += [function.gradient.nodes for function in document.functions.values() if function.gradient]
        assert all("e" not in nodes for nodes in (document.nodes, *bodies))


def test_lesson_8_has_the_right_gradient_beside_the_automatic_one():
    lesson = open_lesson("8")
    run = compile(lesson).run()
    assert run.value("y") == 0 and f"{float(run.gradient('x')):.2e}" == "-3.78e-44"
    (compared,) = compare_gradients(lesson, "y", run)
    assert compared.custom == run.gradient("x") and np.isnan(compared.automatic)
    assert np.isnan(compile(automatic(lesson, "one_over_exp")).run().gradient("x"))
    seven, inside = open_lesson("7"), opened(lesson, "y", run)
    assert {name: node.op for name, node in inside.nodes.items()} == {
        name: "input" if name == "x" else node.op for name, node in seven.nodes.items()
    }


def test_lesson_16_trains_below_a_hundredth_by_the_settings_in_its_file():
    document = open_lesson("16")
    trainer = Trainer(document, settings_of(document))
    for _ in range(263):
        trainer.step()
    assert list(trainer.losses)[261] > 0.01 > list(trainer.losses)[262]
