"""Graphs with functions for tests: the one of lesson 8, and random graphs with random parts made into functions."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from cadena.core.graph.document import Backward, Document, Function
from cadena.core.graph.edits import fresh_name
from cadena.core.ops.primitive import REGISTRY
from cadena.core.rewriting.function_edits import make_function
from tests.core.graphs import documents, graph

# --- 1 / exp(x) as a function, and its gradient as one writes it by hand: -exp(-x) times the upstream gradient

RECIPROCAL = Function(
    inputs=("x",),
    nodes=graph(one=("constant", 1.0), e=("exp", "x"), y=("divide", "one", "e")).nodes,
    output="y",
)
STABLE = Backward(
    inputs=("x", "y", "upstream"),
    nodes=graph(
        m=("negative", "x"), e=("exp", "m"), local=("negative", "e"), dx=("multiply", "upstream", "local")
    ).nodes,
    outputs=("dx",),
)


def calling(function: Function, *values: object, **more: Function) -> Document:
    """A document whose output L calls `function`, under the name f, on a parameter for each of the values."""
    leaves = {f"x{index}": value for index, value in enumerate(values)}
    made = graph(**leaves, L=("f", *leaves))
    return replace(made, functions={"f": function, **more})


def custom(function: Function, nodes: Document, *outputs: str | None) -> Function:
    """The function with a custom gradient over its operands, y and g."""
    return replace(function, gradient=Backward((*function.inputs, "y", "g"), nodes.nodes, outputs))


SMOOTH = ("add", "multiply", "subtract", "sin", "tanh", "exp", "matmul", "sum", "transpose", "negative", "square")


@st.composite
def parts(draw: st.DrawFn, document: Document) -> set[str]:
    """Nodes that make a function: one result, and what only these nodes need, leaves included at random."""
    operations = [name for name, node in document.nodes.items() if not node.is_leaf]
    chosen = {draw(st.sampled_from(operations))}
    for _ in range(draw(st.integers(0, 5))):
        inner = [
            source
            for name in sorted(chosen)
            for source in document.nodes[name].inputs
            if source not in chosen and source != document.output and is_needed_only_by(document, source, chosen)
        ]
        if not inner:
            break
        chosen.add(draw(st.sampled_from(inner)))
    return chosen


def is_needed_only_by(document: Document, name: str, chosen: set[str]) -> bool:
    return all(consumer in chosen for consumer, _ in document.consumers[name])


def has_operand(document: Document, chosen: set[str]) -> bool:
    read = {source for name in chosen for source in document.nodes[name].inputs} - chosen
    leaves = [name for name in chosen if document.nodes[name].op in ("parameter", "input")]
    return bool(read or leaves)


@st.composite
def with_functions(draw: st.DrawFn, *, ops: tuple[str, ...] = tuple(REGISTRY)) -> tuple[Document, Document]:
    """A random document, and the same with one to three parts made into functions, nested in each other at times."""
    plain = draw(
        documents(ops=ops).filter(
            lambda made: any(has_operand(made, {n}) for n, node in made.nodes.items() if not node.is_leaf)
        )
    )
    made = plain
    for number in range(draw(st.integers(1, 3))):
        chosen = draw(parts(made))
        if has_operand(made, chosen):
            made = make_function(made, chosen, fresh_name(made.functions, f"f{number}"))
    return plain, made
