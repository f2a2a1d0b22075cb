"""What is said of a gate is true of its numbers, for every operation; and where nothing is true nothing is said."""

from __future__ import annotations

import numpy as np
import pytest

from cadena.core.expressions.reading import parse
from cadena.core.front import compile
from cadena.core.graph.document import Document, Node, as_value
from cadena.core.teaching.lessons import open_lesson
from cadena.core.teaching.patterns import pattern_line
from tests.core.test_primitives import CASES, Case
from tests.thorough import in_turn


def graph_of(case: Case) -> Document:
    """The sum of an operation's result, weighted so that no two upstream gradients are equal."""
    names = [f"x{at}" for at in range(len(case.operands))]
    leaves = [
        Node(name, "parameter", value=as_value(operand)) for name, operand in zip(names, case.operands, strict=True)
    ]
    settings = {name: value for name, value in case.attributes.items() if value is not None}
    y = np.asarray(case.value(*case.operands))
    weights = as_value(np.arange(2.0, y.size + 2.0).reshape(y.shape))
    nodes = (
        *leaves,
        Node("r", case.primitive.name, tuple(names), attributes=settings),
        Node("k", "constant", value=weights),
        Node("p", "multiply", ("r", "k")),
        Node("L", "sum", ("p",)),
    )
    return Document({node.name: node for node in nodes}, output="L")


def holds(
    line: str, case: Case, slot: int, g: np.ndarray, y: np.ndarray, carried: np.ndarray, part: np.ndarray
) -> bool:
    """Whether a line is true: `carried` is the contribution before it is summed over what was stretched."""
    others = [operand for at, operand in enumerate(case.operands) if at != slot]
    gate = line.partition(";")[0]
    checks = {
        "distributes": lambda: np.allclose(carried, g),
        "as it is": lambda: np.allclose(carried, g),
        "turns the sign": lambda: np.allclose(carried, -g),
        "swaps": lambda: np.allclose(carried, g * others[0]),
        "its own result": lambda: np.allclose(carried, g * y),
        "blocks the gradient.": lambda: not carried.any(),
        "blocks it elsewhere": lambda: np.allclose(carried, np.where(case.operands[0] > 0, g, 0.0)),
        "lets the gradient through.": lambda: np.allclose(carried, g),
        "was chosen and gets": lambda: np.allclose(carried, g) and np.allclose(y, case.operands[slot]),
        "was not chosen": lambda: not carried.any() and np.allclose(y, others[0]),
        "only what was chosen": lambda: np.isin(carried, [0.0, *np.ravel(g)]).all(),
        "Sum broadcasts": lambda: np.isin(part, g).all(),
        "moves": lambda: np.isin(part, g).all(),
        "shares out": lambda: np.isclose(part.sum(), g.sum()) and g.size * np.ptp(part[..., :1].ravel()[:1]) == 0,
        "transposes": lambda: np.allclose(part, g @ others[0].T if slot == 0 else others[0].T @ g),
        "whatever the operand": lambda: np.allclose(carried / g, np.ravel(carried / g)[0]),
        "broadcasting sums": lambda: True,
    }
    return all(check() for words, check in checks.items() if words in f"{gate.removesuffix('.')}.")


@in_turn("case", CASES)
def test_what_is_said_is_true(case: Case):
    if not np.size(case.value(*case.operands)):
        return
    timeline = compile(graph_of(case)).run().timeline
    for index in range(len(timeline)):
        step = timeline[index]
        if step.phase != "reverse" or step.node != "r":
            continue
        line, run = pattern_line(timeline, index), timeline.run
        g, y = np.asarray(run.gradient("r")), np.asarray(run.value("r"))
        with np.errstate(all="ignore"):
            carried = np.asarray(case.primitive.carried(step.slot, g, y, case.operands, case.attributes))
        assert holds(line, case, step.slot, g, y, carried, np.asarray(run.contribution("r", step.slot))), line
        if "broadcasting sums" in line:
            assert case.primitive.elementwise and y.size > case.operands[step.slot].size


def lines(text: str, node: str) -> list[str]:
    timeline = compile(parse(text)).run().timeline
    steps = [
        index for index in range(len(timeline)) if timeline[index].node == node and timeline[index].slot is not None
    ]
    return [pattern_line(timeline, index) for index in steps if timeline[index].phase == "reverse"]


@pytest.mark.parametrize(
    ("text", "node", "said"),
    [
        ("a=2; b=3; s=a+b; L=s*s", "s", ["Add distributes: each operand gets the gradient."] * 2),
        ("a=2; b=3; L=a*b", "L", ["Multiply swaps: a gets the gradient times b.",
                                  "Multiply swaps: b gets the gradient times a."]),
        ("a=2; b=3; L=maximum(a, b)", "L", ["Maximum routes: a was not chosen and gets nothing.",
                                            "Maximum routes: b was chosen and gets all."]),
        ("a=2; b=2; L=maximum(a, b)", "L", ["", ""]),
        ("a=2; L=exp(a)", "L", ["Exp multiplies by its own result."]),
        ("a=2; L=sin(a)", "L", [""]),
        ("a=2; r=relu(a); L=r*3", "r", ["Relu lets the gradient through."]),
        ("a=-2; r=relu(a); L=r*3", "r", ["Relu blocks the gradient."]),
        ("x=[1,2]; L=sum(x)", "L", ["Sum broadcasts: each element gets the gradient of its sum."]),
        ("x=[1,2]; L=mean(x)", "L", ["Mean shares out: each element gets the same part."]),
    ],
)  # fmt: skip
def test_teachers_words(text, node, said):
    assert sorted(lines(text, node)) == sorted(said)


def test_a_value_that_is_used_twice_adds_up():
    timeline = compile(open_lesson("two_paths")).run().timeline
    said = [pattern_line(timeline, index) for index in range(len(timeline)) if timeline[index].operand == "a1"]
    assert len(said) == 2
    assert all(line.endswith("; copy adds up: a1 is used 2 times.") for line in said)


def test_a_matrix_product_transposes_and_a_bias_sums():
    assert lines("X=[[1,2],[3,4]]; W=[[1,0],[2,1]]; Z=X@W; L=sum(Z)", "Z") == [
        "Matmul transposes: the gradient meets Wᵀ.",
        "Matmul transposes: the gradient meets Xᵀ.",
    ]
    assert lines("X=[[1,2],[3,4]]; b=[1,2]; Z=X+b; L=sum(Z)", "Z")[1] == (
        "Add distributes: each operand gets the gradient; broadcasting sums: 2 for each element of b."
    )


def test_the_forward_pass_says_nothing():
    timeline = compile(open_lesson("two_paths")).run().timeline
    assert not any(
        pattern_line(timeline, index) for index in range(len(timeline)) if timeline[index].phase != "reverse"
    )
