"""Every formula that a fix writes in another form is equal to that form, in value and gradients."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

import cadena
from cadena.core.doctor.fixes.formulas import FORMULAS, Formula
from cadena.core.doctor.fixes.patterns import Either, Match, matches
from cadena.core.doctor.fixes.rewriting import rewritten, subgraph
from cadena.core.graph.document import Document, Node, as_value
from cadena.core.ops.primitive import REGISTRY
from tests.thorough import in_turn

VECTORS = {
    "x": [0.3, -0.7, 1.2],
    "a": [1.5, 2.5, -0.5],
    "b": [0.4, -1.1, 2.0],
    "t": [0.2, 0.7, 0.1],
    "c": 0.1,
    "e": 1e-14,
    "f": 1e-14,
    "u": [0.8, 0.3, 0.9],
    "w": [0.2, 0.5, 0.3],
    "n": 3.0,
}
POSITIVE = VECTORS | {"x": [0.3, 0.7, 1.2], "a": [1.5, 2.5, 3.0], "b": [0.4, 1.1, 2.0]}
NEGATIVE = VECTORS | {"x": [-0.3, -0.7, -1.2]}
MATRIX = VECTORS | {"x": [[2.0, 0.5], [-0.3, 1.0]]}
SETS = (VECTORS, POSITIVE, NEGATIVE, MATRIX)
CLASSES = {"x": [[0.3, -0.7, 1.2], [1.0, 0.5, -2.0]], "t": [2.0, 0.0]}


def ways(pattern: Any) -> Iterator[Any]:
    """Every way to write a pattern, without the choices in it."""
    if isinstance(pattern, Either):
        for way in pattern.forms:
            yield from ways(way)
    elif isinstance(pattern, tuple):
        for operands in product(*(list(ways(operand)) for operand in pattern[1:])):
            yield (pattern[0], *operands)
    else:
        yield pattern


def letters_of(pattern: Any) -> set[str]:
    if isinstance(pattern, tuple):
        return set().union(*map(letters_of, pattern[1:]))
    return {pattern} if isinstance(pattern, str) else set()


def written_down(way: Any) -> Document:
    """The formula `way` of parameters at which it has a value."""
    every = [_written_down(way, values) for values in ([CLASSES] if way[0] == "nll_loss" else SETS)]
    return next(document for document in every if not cadena.compile(document).run().faults)


def _written_down(way: Any, values: Any) -> Document:
    """A document with the formula `way` of parameters, its last node the output, every node with a place."""
    kind = dict.fromkeys("nwef", "constant")  # a count, weights and guards are no parameters
    leaves = {
        name: Node(name, kind.get(name, "parameter"), value=as_value(values[name])) for name in sorted(letters_of(way))
    }
    nodes = leaves | subgraph(way, {name: name for name in leaves}, leaves)
    layout = {name: (10.0 * place, 5.0) for place, name in enumerate(nodes)}
    return Document(nodes, output=list(nodes)[-1], title="kept", layout=layout)


def occurrence(formula: Formula, document: Document, run: cadena.Run) -> tuple[Match, Any]:
    """The first occurrence of a formula at the output where its safer form is equal, and that form."""
    found = ((match, formula.filled(match, run)) for match in matches(document, str(document.output), formula.pattern))
    return next((match, term) for match, term in found if term is not None)


CASES = [(formula, way) for formula in FORMULAS for way in ways(formula.pattern)]


@in_turn("formula, way", CASES, kind=lambda case: case[0].title)
def test_both_forms_have_the_same_value_and_gradients(formula: Formula, way: Any) -> None:
    document = written_down(way)
    root = str(document.output)
    run = cadena.compile(document).run()
    match, term = occurrence(formula, document, run)
    after = rewritten(document, root, term, match.letters, match.nodes)
    fixed = cadena.compile(after).run()
    assert fixed.faults == ()
    np.testing.assert_allclose(fixed.value(root), run.value(root), rtol=1e-12, atol=1e-14)
    for name in letters_of(way):
        wanted = run.gradient(name)
        if wanted is None or (name == "t" and way[0] == "nll_loss"):
            continue  # classes get no gradient
        given = fixed.gradient(name)  # None: it has no influence, as a in (a + b) - a
        np.testing.assert_allclose(0.0 if given is None else given, wanted, rtol=1e-11, atol=1e-13)


@in_turn("formula, way", CASES, kind=lambda case: case[0].title)
def test_name_output_places_and_leaves_stay_and_nothing_idle_is_left(formula: Formula, way: Any) -> None:
    document = written_down(way)
    root = str(document.output)
    match, term = occurrence(formula, document, cadena.compile(document).run())
    after = rewritten(document, root, term, match.letters, match.nodes)
    assert (after.output, after.title) == (root, "kept")
    assert after.nodes[root].op == formula.term[0]
    assert after.layout[root] == document.layout[root]
    for name in letters_of(way):
        assert after.nodes[name] is document.nodes[name] and after.layout[name] == document.layout[name]
    idle = [name for name, fed in after.consumers.items() if not fed and name != root and name not in letters_of(way)]
    assert idle == []
    order = list(after.nodes)
    assert all(order.index(str(one)) < order.index(node.name) for node in after.nodes.values() for one in node.inputs)


def test_nodes_that_others_use_stay() -> None:
    document = written_down(("divide", 1.0, ("exp", "x")))
    root = str(document.output)
    e = str(document.nodes[root].inputs[1])
    shared = replace(document, nodes={**document.nodes, "z": Node("z", "sin", (e,))})
    (formula,) = [one for one in FORMULAS if one.title == "Write exp(−x) for 1 / exp(x)"]
    match = next(matches(shared, root, formula.pattern))
    after = rewritten(shared, root, formula.term, match.letters, match.nodes)
    assert e in after.nodes and str(document.nodes[root].inputs[0]) not in after.nodes
    assert after.nodes["z"].inputs == (e,)


@pytest.mark.parametrize("attributes", [{"axis": 0}, {"axis": 1, "keepdims": True}, {"axis": -1}, {}])
def test_logsumexp_takes_the_axis_of_the_sum(attributes: dict[str, Any]) -> None:
    nodes = [
        Node("x", "parameter", value=as_value([[1.0, 2.0], [3.0, -4.0]])),
        Node("e", "exp", ("x",)),
        Node("s", "sum", ("e",), attributes=attributes),
        Node("y", "log", ("s",)),
    ]
    document = Document({node.name: node for node in nodes}, output="y")
    (formula,) = [one for one in FORMULAS if one.title == "Use logsumexp for log(sum(exp(x)))"]
    run = cadena.compile(document).run()
    match = next(matches(document, "y", formula.pattern))
    term = formula.filled(match, run)
    after = rewritten(document, "y", term, match.letters, match.nodes)
    assert list(after.nodes) == ["x", "y"]
    np.testing.assert_allclose(cadena.compile(after).run().value("y"), run.value("y"), rtol=1e-14)


def test_softmax_is_not_offered_where_the_sum_stands_against_another_axis() -> None:
    nodes = [
        Node("x", "parameter", value=as_value([[1.0, 2.0], [3.0, -4.0]])),
        Node("e", "exp", ("x",)),
        Node("s", "sum", ("e",), attributes={"axis": 1}),  # a row against the columns
        Node("y", "divide", ("e", "s")),
    ]
    document = Document({node.name: node for node in nodes}, output="y")
    (formula,) = [one for one in FORMULAS if one.title == "Use softmax for exp(x) / sum(exp(x))"]
    match = next(matches(document, "y", formula.pattern))
    assert formula.filled(match, cadena.compile(document).run()) is None


@pytest.mark.parametrize("formula", FORMULAS, ids=[formula.title for formula in FORMULAS])
def test_patterns_and_terms_use_operations_that_exist(formula: Formula) -> None:
    def operations(term: Any) -> Iterator[str]:
        if isinstance(term, tuple) and term:
            yield term[0]
            for operand in term[1:]:
                yield from operations(operand)

    assert all(name in REGISTRY for way in [*ways(formula.pattern), formula.term] for name in operations(way))
