"""Composite operations and their pieces: the same at every finite point, or told where not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from cadena.core.front import compile
from cadena.core.graph.document import Document
from cadena.core.ops.primitive import REGISTRY
from cadena.core.rewriting.atoms import difference, expand
from tests.core.graphs import graph

COMPOSITE = [name for name, primitive in REGISTRY.items() if primitive.definition is not None]
POINTS = (0.0, -1e-9, 1e-9, 0.5, 1.0, -1.0, 3.0, 6.0, 30.0, -30.0, 1000.0, -1000.0, 1e200, -1e200)
CHOOSING = {"nll_loss": 1, "cross_entropy": 1, "hinge": 1, "hinge_embedding_loss": 1}  # slots of classes and labels


def awkward(op: str) -> Iterator[Document]:
    """The first example of an operation, with one element of an operand, or all of them, at one of the points."""
    *numbers, last = REGISTRY[op].examples[0]
    attributes = last if isinstance(last, dict) else {}
    operands = [np.asarray(item, float) for item in (numbers if isinstance(last, dict) else [*numbers, last])]
    for slot, operand in enumerate(operands):
        for point in POINTS if slot != CHOOSING.get(op) else ():
            one = operand.copy()
            one.flat[0] = point
            for moved in (one, np.full_like(operand, point)):
                leaves = {f"x{i}": moved if i == slot else item for i, item in enumerate(operands)}
                yield graph(**leaves, y=(op, *leaves, attributes))


def differ(document: Document) -> bool:
    """Whether value or gradients differ by more than rounding, which differences of large numbers make large."""
    fused, taken = compile(document).run(), compile(expand(document, "y")).run()
    op = document.nodes["y"].op
    absolute = 1e-20 if REGISTRY[op].elementwise else 1e-12
    pairs = [(taken.value("y"), fused.value("y"), absolute)]
    for name in [name for name, node in document.nodes.items() if node.is_leaf]:
        found, expected = taken.gradient(name), fused.gradient(name)
        if found is not None and expected is not None:
            pairs.append((found, expected, 1e-12))
    return not all(np.allclose(*pair, rtol=1e-9, atol=atol, equal_nan=True) for *pair, atol in pairs)


@pytest.mark.parametrize("op", COMPOSITE)
def test_where_the_pieces_differ_is_told_and_where_nothing_is_told_they_never_do(op):
    with np.errstate(all="ignore"):
        assert any(map(differ, awkward(op))) == bool(REGISTRY[op].differs)


@pytest.mark.parametrize("op", [op for op in COMPOSITE if REGISTRY[op].differs])
def test_what_is_told_is_one_sentence_of_plain_words(op):
    assert difference(op).startswith(f"the pieces of {op} differ from it: ")
    assert not difference(op).endswith(".") and len(difference(op)) < 220


def test_elementary_operations_have_nothing_to_tell():
    assert difference("exp") == difference("gelu") == ""


@pytest.mark.parametrize(
    ("op", "x", "dtype", "fused", "taken"),
    [
        ("sigmoid", -40.0, "float32", 4.2e-18, 4.2e-18),  # gradients
        ("sigmoid", -53.0, "float32", 9.6e-24, 0.0),
        ("sigmoid", -90.0, "float32", 8.2e-40, np.nan),
        ("sigmoid", -350.0, "float64", 1e-152, 1e-152),
        ("sigmoid", -400.0, "float64", 1.9e-174, 0.0),
        ("sigmoid", -710.0, "float64", 4.5e-309, np.nan),
        ("softplus", 710.0, "float64", 1.0, np.nan),
        ("erfc", 5.0, "float64", -1.567e-11, -1.567e-11),
        ("clip", 1.0, "float64", 1.0, 0.5),
        ("relu6", 6.0, "float64", 0.0, 0.5),
        ("sinc", 0.0, "float64", 0.0, np.nan),
    ],
)
def test_the_limits_that_are_told_are_right(op, x, dtype, fused, taken):
    attributes = {"min": 0.0, "max": 1.0} if op == "clip" else {}
    document = replace(graph(x=x, y=(op, "x", attributes)), dtype=dtype)
    for one, expected in ((document, fused), (expand(document, "y"), taken)):
        np.testing.assert_allclose(compile(one).run().gradient("x"), expected, rtol=0.05)
