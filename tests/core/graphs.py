"""Graphs for tests: a short way to write one down, the usual large ones, and hypothesis strategies for random ones."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, product
from typing import Any

import numpy as np
from hypothesis import strategies as st

from cadena.core.graph import edits
from cadena.core.graph.document import LEAVES, Document, Node, as_value
from cadena.core.graph.fault import Refused
from cadena.core.ops.primitive import REGISTRY, Primitive, Shape, ShapeError

SHAPES: tuple[Shape, ...] = ((), (), (2,), (3,), (2, 3), (3, 2), (1, 3), (2, 1))
NUMBERS = st.floats(-2.0, 2.0).map(lambda x: round(x, 3) + 0.0)  # + 0.0: no negative zero
NAMES = st.from_regex(r"[a-zα-ω][a-z0-9_]{0,5}", fullmatch=True).filter(lambda name: edits.fresh_name((), name) == name)
INDICES = ("0", "-1", "1:", "::-1", "...", "None", "[0, 0]", "..., 0", ":, None", "..., ::2")


def graph(output: str | None = None, /, **nodes: Any) -> Document:
    """A document written down: numbers are parameters, ("input", x) is another leaf, ("multiply", "a", "b") a node.

    A dictionary at the end of an operation holds its attributes. The output is the last node unless given.
    """
    made = {name: _node(name, item) for name, item in nodes.items()}
    return Document(made, output=output or (list(made)[-1] if made else None))


def _node(name: str, item: Any) -> Node:
    if not isinstance(item, tuple):
        return Node(name, "parameter", value=as_value(item))
    op, *rest = item
    if op in LEAVES:
        return Node(name, op, value=as_value(rest[0]))
    attributes = rest.pop() if rest and isinstance(rest[-1], dict) else {}
    return Node(name, op, inputs=tuple(rest), attributes=attributes)


def chain(count: int, op: str = "sin") -> Document:
    """A parameter and `count` operations of one operand, each fed by the one before."""
    nodes = {"x": Node("x", "parameter", value=0.5)}
    for number in range(count):
        nodes[f"n{number}"] = Node(f"n{number}", op, inputs=(f"n{number - 1}" if number else "x",))
    return Document(nodes, output=list(nodes)[-1])


def wide(count: int, leaves: int = 64, seed: int = 0) -> Document:
    """About `count` numbers: random sums, products, differences, sines and tanh over earlier nodes, all summed up."""
    random = np.random.default_rng(seed)
    nodes = {f"w{i}": Node(f"w{i}", "parameter", value=float(random.uniform(-1, 1))) for i in range(leaves)}
    names, used = list(nodes), set[str]()
    while len(names) + len(names) - len(used) < count:  # each one still unused costs a sum
        name, op = f"n{len(names)}", str(random.choice(["add", "multiply", "subtract", "sin", "tanh"]))
        recent = min(len(names), 4 * leaves)  # an index, no list of them: a million nodes would take minutes
        inputs = tuple(names[i - recent] for i in random.integers(recent, size=len(REGISTRY[op].slots)))
        nodes[name] = Node(name, op, inputs=inputs)
        names.append(name)
        used.update(inputs)
    return _summed(nodes, [name for name in names if name not in used])


def _summed(nodes: dict[str, Node], queue: list[str]) -> Document:
    """The document that adds the nodes of `queue` in pairs until one is left: the output."""
    for number in range(len(queue) - 1):
        name = f"s{number}"
        nodes[name] = Node(name, "add", inputs=(queue[2 * number], queue[2 * number + 1]))
        queue.append(name)
    return Document(nodes, output=queue[-1])


def mlp(
    sizes: tuple[int, ...] = (784, 128, 64, 10), batch: int = 64, dtype: str = "float64", seed: int = 0
) -> Document:
    """Layers of matmul, bias and tanh (none after the last) on random data; the output is the mean of squares."""
    random = np.random.default_rng(seed)
    nodes: dict[str, Any] = {"x": ("input", random.standard_normal((batch, sizes[0])).astype(dtype))}
    last = "x"
    for layer, (wide_in, wide_out) in enumerate(pairwise(sizes)):
        nodes[f"W{layer}"] = (random.standard_normal((wide_in, wide_out)) / wide_in**0.5).astype(dtype)
        nodes[f"b{layer}"] = np.zeros(wide_out, dtype)
        nodes[f"z{layer}"] = ("matmul", last, f"W{layer}")
        nodes[f"a{layer}"] = ("add", f"z{layer}", f"b{layer}")
        last = f"a{layer}"
        if layer < len(sizes) - 2:
            last = f"h{layer}"
            nodes[last] = ("tanh", f"a{layer}")
    nodes |= {"square": ("multiply", last, last), "L": ("mean", "square")}
    return replace(graph(**nodes), dtype=dtype)


@st.composite
def documents(
    draw: st.DrawFn,
    *,
    shapes: tuple[Shape, ...] = SHAPES,
    ops: tuple[str, ...] | None = None,
    max_leaves: int = 4,
    max_operations: int = 10,
) -> Document:
    """Random graphs that run: every slot is wired to an earlier node, all shapes fit, any node may be the output.

    Numbers may still become inf or nan. Some operands are used by several nodes, some nodes by none.
    """
    nodes: dict[str, Node] = {}
    known: dict[str, Shape] = {}
    for _ in range(draw(st.integers(1, max_leaves))):
        shape = draw(st.sampled_from(shapes))
        leaf = draw(leaves(edits.fresh_name(nodes, "x0"), shape))
        nodes[leaf.name], known[leaf.name] = leaf, shape
    for _ in range(draw(st.integers(0, max_operations))):
        node, shape = draw(operations(edits.fresh_name(nodes, "n0"), known, ops or tuple(REGISTRY)))
        nodes[node.name], known[node.name] = node, shape
    layout = {name: (draw(st.integers(-9, 9)) * 8.0, 0.0) for name in nodes if draw(st.booleans())}
    return Document(nodes, output=draw(st.sampled_from(list(nodes))), layout=layout)


@st.composite
def leaves(draw: st.DrawFn, name: str, shape: Shape) -> Node:
    """A parameter, input (its gradient wanted or not) or constant of this shape."""
    op = draw(st.sampled_from(LEAVES))
    count = int(np.prod(shape))
    numbers = draw(st.lists(NUMBERS, min_size=count, max_size=count))
    value = as_value(np.reshape(numbers, shape)) if shape else numbers[0]
    return Node(name, op, value=value, gradient=op == "input" and draw(st.booleans()))


@st.composite
def operations(draw: st.DrawFn, name: str, known: dict[str, Shape], ops: tuple[str, ...]) -> tuple[Node, Shape]:
    """An operation on nodes of the `known` shapes that its shape rule takes, and the shape of its result."""
    primitive = REGISTRY[draw(st.sampled_from([op for op in ops if len(REGISTRY[op].slots) <= 2]))]
    pairs = list(product(known, repeat=len(primitive.slots)))
    inputs, attributes = draw(st.sampled_from(pairs)), dict[str, Any]()
    if primitive.attributes:
        attributes = draw(settings(primitive, known[inputs[0]]))
        pairs = [inputs, *pairs]
    full = primitive.complete(attributes)
    fitting = [pair for pair in pairs if _fits(primitive.name, [known[one] for one in pair], **full)]
    if not fitting:  # no two shapes that matmul could multiply, say: any one node will do for this
        primitive, fitting, attributes = REGISTRY["negative"], [(one,) for one in known], {}
    inputs = fitting[0] if attributes else draw(st.sampled_from(fitting))
    shape = primitive.shape(*(known[one] for one in inputs), **primitive.complete(attributes))
    return Node(name, primitive.name, inputs=inputs, attributes=attributes), shape


def settings(primitive: Primitive, shape: Shape) -> st.SearchStrategy[dict[str, Any]]:
    """Attributes for an operand of this shape: drawn by kind where the kind says what fits, else an example's."""
    if all(attribute.kind in KINDS for attribute in primitive.attributes):
        return st.fixed_dictionaries({one.name: attribute_values(one.kind, shape) for one in primitive.attributes})
    return st.sampled_from([item[-1] if isinstance(item[-1], dict) else {} for item in primitive.examples])


def _fits(op: str, shapes: list[Shape], **attributes: Any) -> bool:
    try:
        REGISTRY[op].shape(*shapes, **attributes)
    except ShapeError:
        return False
    return True


KINDS = ("axis", "axes", "shape", "index", "flag")


def attribute_values(kind: str, shape: Shape) -> st.SearchStrategy[Any]:
    """Settings of this kind that fit an operand of this shape."""
    count = int(np.prod(shape))
    if kind == "axis":
        return st.none() | (st.integers(-len(shape), len(shape) - 1) if shape else st.none())
    if kind == "axes":
        return st.none() | st.permutations(range(len(shape)))
    if kind == "shape":
        return st.sampled_from([[-1], [count], [1, count], [count, 1], list(shape)])
    if kind == "index":
        return st.sampled_from([index for index in INDICES if _fits("getitem", [shape], index=index)])
    assert kind == "flag", kind
    return st.booleans()


@st.composite
def edit_sequences(draw: st.DrawFn, *, max_edits: int = 8) -> list[Document]:
    """A random document and what it becomes by random edits, one after the other; refused edits are left out."""
    states = [draw(documents(max_operations=5))]
    for _ in range(draw(st.integers(1, max_edits))):
        try:
            states.append(draw(edited(states[-1])))
        except Refused:
            continue
    return states


@st.composite
def edited(draw: st.DrawFn, document: Document) -> Document:
    """`document` after one random edit. May raise Refused."""
    names = list(document.nodes)
    place = draw(st.tuples(st.integers(-500, 500), st.integers(-500, 500)))
    if not names:
        return edits.add(document, draw(st.sampled_from([*LEAVES, *REGISTRY])), place)
    one, other = draw(st.sampled_from(names)), draw(st.sampled_from(names))
    some = draw(st.sets(st.sampled_from(names)))
    slot = draw(st.integers(0, 1))
    kinds = [
        lambda: edits.add(document, draw(st.sampled_from([*LEAVES, *REGISTRY])), place),
        lambda: edits.connect(document, one, other, slot),
        lambda: edits.disconnect(document, other, slot),
        lambda: edits.set_value(document, one, draw(NUMBERS)),
        lambda: edits.set_attribute(document, one, "axis", draw(st.none() | st.integers(-2, 1))),
        lambda: edits.set_wants_gradient(document, one, draw(st.booleans())),
        lambda: edits.set_operation(document, one, draw(st.sampled_from([*LEAVES, *REGISTRY]))),
        lambda: edits.rename(document, one, draw(NAMES)),
        lambda: edits.remove(document, some),
        lambda: edits.move(document, dict.fromkeys(some, place)),
        lambda: edits.set_output(document, draw(st.none() | st.just(one))),
        lambda: edits.set_dtype(document, draw(st.sampled_from(["float16", "float32", "float64"]))),
        lambda: edits.set_title(document, draw(st.text(max_size=5))),
        lambda: edits.paste(document, edits.fragment(document, some))[0],
    ]
    return draw(st.sampled_from(kinds))()
