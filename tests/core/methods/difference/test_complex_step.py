"""The set of operations that the complex step cannot go through, held exact by what the records' own examples give."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import msgspec
import numpy as np
import pytest

from cadena.core.front import compile
from cadena.core.graph.document import Document, Function, Node, as_value
from cadena.core.graph.fault import Refused
from cadena.core.methods.difference.answer import difference
from cadena.core.methods.difference.complex_step import on_complex
from cadena.core.ops.primitive import REGISTRY, Primitive
from tests.core.graphs import graph
from tests.thorough import in_turn

CASES = [
    pytest.param(primitive, example, id=f"{primitive.name}-{number}")
    for primitive in REGISTRY.values()
    for number, example in enumerate(primitive.examples)
]

ANALYTIC = [name for name, primitive in REGISTRY.items() if primitive.analytic is not None]
ONLY_REAL = [
    (primitive, slot)
    for primitive in REGISTRY.values()
    for slot in (None, *range(len(primitive.slots)))
    if (primitive if slot is None else primitive.slots[slot]).only_real
]
ROUNDED = (2.0, {"dtype": "float32"})  # astype's own examples keep the number type, and complex numbers with it


def by_complex_step(primitive: Primitive, example: tuple, slots: Iterable[int]) -> tuple[np.ndarray, np.ndarray]:
    """Tangents along random directions of some operands, by the rules and by the complex step."""
    attributes = primitive.complete(example[-1] if isinstance(example[-1], dict) else {})
    operands = [np.asarray(item, np.float64) for item in example if not isinstance(item, dict)]
    y, random = primitive.value(*operands, **attributes), np.random.default_rng(0)
    rules, steps = [], []
    for slot, operand in enumerate(operands):
        if primitive.slot(slot).differentiable and slot in slots:
            direction = random.standard_normal(operand.shape)
            shifted = [item + 1e-30j * direction if i == slot else item for i, item in enumerate(operands)]
            rules.append(np.ravel(primitive.jvp(slot, np.asarray(direction), y, operands, attributes)))
            steps.append(np.ravel(np.imag(on_complex(primitive, shifted, attributes)) / 1e-30))
    return np.concatenate([*rules, []]), np.concatenate([*steps, []])


@in_turn("primitive, example", CASES)
def test_an_operation_that_is_said_to_be_analytic_gives_its_derivative(primitive, example):
    if not primitive.only_real:
        operands = [item for item in example if not isinstance(item, dict)]
        slots = [slot for slot in range(len(operands)) if not primitive.slot(slot).only_real]
        expected, got = by_complex_step(primitive, example, slots)
        np.testing.assert_allclose(got, expected, rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize(("primitive", "slot"), ONLY_REAL, ids=[f"{item.name}-{slot}" for item, slot in ONLY_REAL])
def test_an_operation_that_is_said_not_to_be_analytic_is_really_wrong_on_complex_numbers(primitive, slot):
    def agrees(example: tuple) -> bool:
        try:
            expected, got = by_complex_step(primitive, example, range(len(example)) if slot is None else [slot])
        except (TypeError, ValueError, IndexError, ArithmeticError, RuntimeWarning):  # the last: digits are dropped
            return False
        return expected.size > 0 and np.allclose(got, expected, rtol=1e-13, atol=1e-14)

    examples = [*primitive.examples, *([ROUNDED] if primitive.name == "astype" else [])]
    assert not all(map(agrees, examples))


BY_ORDER = {"sigmoid", "silu"}  # right by the way in which numpy orders complex numbers, which is none in mathematics


@pytest.mark.parametrize("name", [name for name in ANALYTIC if name not in BY_ORDER])
def test_an_operation_that_goes_by_its_definition_has_a_rule_that_is_wrong_on_complex_numbers(name):
    primitive = REGISTRY[name]

    def agrees(example: tuple) -> bool:
        expected, _ = by_complex_step(primitive, example, range(len(example)))
        try:
            _, got = by_complex_step(msgspec.structs.replace(primitive, analytic=None), example, range(len(example)))
        except (TypeError, ValueError):
            return False
        return np.allclose(got, expected, rtol=1e-13, atol=1e-14)

    assert not all(map(agrees, primitive.examples))


def test_the_complex_step_goes_through_a_sigmoid():
    answer = difference(compile(graph("y", x=2.0, y=("sigmoid", "x"))).run(), "complex")
    assert answer.gradients["x"] == pytest.approx(0.10499358540350652, rel=1e-15)


def test_a_definition_that_overflows_is_not_trusted():
    answer = difference(compile(graph("y", x=1000.0, y=("softplus", "x"))).run(), "complex")
    assert np.isnan(answer.gradients["x"]) and answer.errors["x"] == np.inf


def test_the_node_and_the_operation_are_named_where_it_cannot_go_through():
    with pytest.raises(Refused) as refused:
        difference(compile(graph(x=1.0, a=("sin", "x"), m=("hypot", "a", "x"))).run(), "complex")
    assert str(refused.value) == (
        "m: the complex step cannot go through hypot, which is computed for real numbers only; use central differences"
    )


def test_an_operation_on_numbers_that_do_not_move_is_no_hindrance():
    document = graph("y", x=1.0, k=("constant", -3.0), a=("abs", "k"), y=("multiply", "x", "a"))
    assert difference(compile(document).run(), "complex").gradients["x"] == 3.0


def test_a_slot_that_only_chooses_sees_real_numbers():
    document = graph("y", x=2.0, z=5.0, y=("where", "x", "x", "z"))
    answer = difference(compile(document).run(), "complex")
    assert (answer.gradients["x"], answer.gradients["z"]) == (1.0, 0.0)


def test_at_a_branch_point_the_error_is_as_large_as_the_quotient():
    for op in ("sqrt", "log"):
        answer = difference(compile(graph(x=[1.0, 0.0], r=(op, "x"), s=("sum", "r"))).run(), "complex")
        assert answer.errors["x"][1] > 0.2 * abs(answer.gradients["x"][1])


def test_where_complex_rules_go_on_and_real_ones_give_nan_the_answer_is_not_trusted():
    answer = difference(compile(graph(x=-1.0, a=("log", "x"), y=("square", "a"))).run(), "complex")
    assert answer.errors["x"] == np.inf


def test_operations_inside_a_function_count_too():
    body = {"r": Node("r", "abs", ("a",))}
    nodes = {"x": Node("x", "parameter", value=1.0), "y": Node("y", "size", ("x",))}
    document = Document(nodes, output="y", functions={"size": Function(("a",), body, "r")})
    with pytest.raises(Refused, match="y: the complex step cannot go through abs"):
        difference(compile(document).run(), "complex")


@pytest.mark.parametrize("op", ANALYTIC)
def test_inside_a_function_an_operation_gives_what_it_gives_outside(op):
    """Inside functions the rules against overflow ran on complex numbers: silu(-3) had a slope of 0.047."""
    primitive = REGISTRY[op]
    *operands, last = primitive.examples[-1]
    operands, attributes = (operands, last) if isinstance(last, dict) else ([*operands, last], {})
    letters = ("a", "b", "c")[: len(operands)]
    body = {"r": Node("r", op, letters, attributes=attributes), "s": Node("s", "sin", ("r",))}
    leaves = {
        one: Node(one, "parameter", value=as_value(-3.0 * np.asarray(item)))
        for one, item in zip(letters, operands, strict=True)
    }
    call, sums = {"s": Node("s", "f", letters)}, {"y": Node("y", "sum", ("s",))}
    outside = difference(compile(Document(leaves | body | sums, output="y")).run(), "complex")
    within = Document(leaves | call | sums, output="y", functions={"f": Function(letters, body, "s")})
    inside = difference(compile(within).run(), "complex")
    for letter in letters:
        np.testing.assert_array_equal(inside.gradients[letter], outside.gradients[letter])


@pytest.mark.parametrize(
    ("nodes", "slope"),
    [
        ({"x": -40.0, "y": ("mish", "x")}, -1.6568572e-16),
        ({"x": 1e-12, "l": ("log1p", "x"), "y": ("multiply", "x", "l")}, 2e-12),
        ({"x": -100.0, "s": ("softplus", "x"), "y": ("log", "s")}, 1.0),
    ],
)
def test_small_numbers_are_not_lost_in_complex_rules(nodes, slope):
    answer = difference(compile(graph(**nodes)).run(), "complex")
    assert answer.gradients["x"] == pytest.approx(slope, rel=1e-7)
    assert answer.errors["x"] < 1e-9 * abs(slope)


def test_the_exponent_of_a_negative_base_has_no_slope():
    """(-1.5) to the power -1 + ih is complex: its angle counted as a slope of -1e14."""
    raised = Function(("b", "e"), {"p": Node("p", "power", ("b", "e"))}, "p")
    for op in ("power", "raised"):
        document = graph("y", x=-1.0, k=("constant", -1.5), y=(op, "k", "x"))
        document = replace(document, functions={"raised": raised})
        answer = difference(compile(document).run(), "complex")
        assert np.isnan(answer.gradients["x"]) and answer.errors["x"] == np.inf


def test_a_branch_that_is_not_taken_and_has_no_real_value_is_no_hindrance():
    document = graph(x=-1.0, l=("log", "x"), s=("square", "x"), p=("relu", "x"), y=("where", "p", "l", "s"))
    answer = difference(compile(document).run(), "complex")
    assert answer.gradients["x"] == -2.0 and answer.errors["x"] < 1e-12


def test_a_chosen_complex_step_in_float16_is_judged_by_float64():
    answer = difference(compile(replace(graph(x=0.3, y=("exp", "x")), dtype="float16")).run(), "complex")
    assert answer.errors["x"] < 1e-12


@pytest.mark.parametrize("h", [1.0, 0.1, 1e-2, 1e-4])
def test_the_truncation_of_a_large_complex_step_is_in_its_error(h):
    document = graph(x=3.0, k=("constant", 20.0), m=("multiply", "k", "x"), s=("sin", "m"), e=("exp", "s"))
    answer = difference(compile(document).run(), "complex", h)
    true = 20.0 * np.cos(60.0) * np.exp(np.sin(60.0))
    assert abs(answer.gradients["x"] - true) <= 1.001 * answer.errors["x"]
