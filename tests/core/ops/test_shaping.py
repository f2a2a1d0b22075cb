"""Operations that move, join and choose elements."""

from typing import Any

import numpy as np
import pytest

from cadena.core.front import compile
from cadena.core.graph.document import Document, Node
from cadena.core.ops.primitive import REGISTRY, ShapeError
from tests.core.ops import checks

RNG = np.random.default_rng(5)


def gradient(op: str, *operands: Any, upstream: Any = None, slot: int = 0, **attributes: Any) -> Any:
    arrays = [np.asarray(item, dtype=float) for item in operands]
    full = REGISTRY[op].complete(attributes)
    y = np.asarray(REGISTRY[op].value(*arrays, **full))
    seed = np.ones(y.shape) if upstream is None else np.asarray(upstream, dtype=float)
    return REGISTRY[op].vjp(slot, seed, y, arrays, full)


# Operation, operands, attributes, slot, upstream gradient, gradient.
EDGES = [
    ("sort", ([2.0, 1.0, 1.0],), {}, 0, [1.0, 2.0, 3.0], [3.0, 1.0, 2.0]),
    ("sort", ([np.nan, 1.0, 0.0],), {}, 0, [1.0, 2.0, 3.0], [3.0, 2.0, 1.0]),
    ("take", ([5.0, 6.0],), {"indices": [0, 0, 1]}, 0, [1.0, 1.0, 1.0], [2.0, 1.0]),
    ("take", ([5.0, 6.0],), {"indices": []}, 0, [], [0.0, 0.0]),
    ("take_along_axis", ([[5.0, 6.0]], [[1.0, 1.0, 7.0]]), {}, 0, [[1.0, 2.0, 4.0]], [[0.0, 3.0]]),
    ("repeat", ([5.0, 6.0, 7.0],), {"repeats": [2, 0, 1]}, 0, [1.0, 2.0, 4.0], [3.0, 0.0, 4.0]),
    ("where", (0.0, 1.0, 2.0), {}, 1, np.inf, 0.0),
    ("where", (0.0, 1.0, 2.0), {}, 1, np.nan, 0.0),
    ("where", (1.0, 1.0, 2.0), {}, 2, np.inf, 0.0),
    ("where", ([1.0, 0.0], 5.0, [1.0, 2.0]), {}, 1, [3.0, 4.0], 3.0),
    ("index_put", ([1.0, 2.0], [7.0, 8.0]), {"index": "[0, 0]"}, 1, [3.0, 4.0], [0.0, 3.0]),
    ("index_put", ([1.0, 2.0], [7.0, 8.0]), {"index": "[0, 0]"}, 0, [3.0, 4.0], [0.0, 4.0]),
    ("index_put", ([1.0, 2.0], 7.0), {"index": "[True, True]"}, 1, [3.0, 4.0], 7.0),
    ("index_put", ([1.0, 2.0], np.zeros((0,))), {"index": "2:"}, 0, [3.0, 4.0], [3.0, 4.0]),
    ("pad", ([1.0, 2.0],), {"pad_width": 1, "mode": "edge"}, 0, [1.0, 2.0, 4.0, 8.0], [3.0, 12.0]),
    ("pad", ([1.0],), {"pad_width": 2, "mode": "reflect"}, 0, [1.0, 2.0, 4.0, 8.0, 16.0], [31.0]),
    ("diff", ([1.0],), {}, 0, [], [0.0]),
    ("diff", ([1.0, 2.0],), {"n": 3}, 0, [], [0.0, 0.0]),
    ("tile", ([1.0, 2.0],), {"reps": 0}, 0, [], [0.0, 0.0]),
    ("broadcast_to", ([1.0],), {"shape": [0]}, 0, [], [0.0]),
    ("concatenate", (np.zeros((0,)), [1.0, 2.0]), {}, 0, [1.0, 2.0], []),
]


@pytest.mark.parametrize(("op", "operands", "attributes", "slot", "upstream", "expected"), EDGES)
def test_edge_points(op: str, operands: Any, attributes: Any, slot: int, upstream: Any, expected: Any) -> None:
    found = gradient(op, *operands, upstream=upstream, slot=slot, **attributes)
    np.testing.assert_array_equal(found, np.asarray(expected, dtype=float))


FAULTS = [
    ("squeeze", [(2, 1)], {"axis": 0}, "length 1"),
    ("expand_dims", [(2,)], {"axis": 3}, "no axis 3"),
    ("broadcast_to", [(2,)], {"shape": [3]}, "(2,)"),
    ("tile", [(2,)], {"reps": -1}, "at least 0"),
    ("repeat", [(2,)], {"repeats": [1, 2, 3]}, "3 entries for 2"),
    ("roll", [(2,)], {"axis": 1}, "no axis 1"),
    ("flip", [(2,)], {"axis": 1}, "no axis 1"),
    ("rot90", [(2,)], {}, "no axis 1"),
    ("rot90", [(2, 2)], {"axes": [0, 0]}, "twice"),
    ("concatenate", [(2, 3), (2, 4)], {}, "(2, 3) and (2, 4)"),
    ("concatenate", [()], {}, "no axes"),
    ("stack", [(2,), (3,)], {}, "one shape"),
    ("stack", [(2,)], {"axis": 2}, "no axis 2"),
    ("hstack", [(2, 3), (3, 3)], {}, "cannot join"),
    ("split", [(3,)], {}, "array_split"),
    ("split", [(4,)], {"part": 2}, "no piece 2"),
    ("vsplit", [(4,)], {}, "two axes"),
    ("pad", [(2, 2)], {"pad_width": [[1, 1], [1, 1], [1, 1]]}, "2 axes"),
    ("pad", [(2,)], {"pad_width": -1}, "at least 0"),
    ("pad", [(0,)], {"pad_width": 1, "mode": "edge"}, "empty axis"),
    ("pad", [(2,)], {"pad_width": 1, "mode": "mirror"}, "constant, edge, reflect, symmetric or wrap"),
    ("pad", [()], {"pad_width": 1}, "at least one axis"),
    ("diff", [()], {}, "no axes"),
    ("gradient", [(1,)], {}, "at least 2"),
    ("gradient", [(4,)], {"part": 1}, "part 1"),
    ("sort", [()], {}, "no axes"),
    ("partition", [(2,)], {"kth": 2}, "out of range"),
    ("partition", [(2,)], {"kth": []}, "at least one place"),
    ("roll", [(2,)], {"axis": []}, "give one at least"),
    ("where", [(2,), (3,), ()], {}, "where cannot pair"),
    ("take", [(3,)], {"indices": [3]}, "out of range"),
    ("take", [(0,)], {"indices": [0], "mode": "clip"}, "out of range"),
    ("take", [(0,)], {"indices": 0, "mode": "wrap"}, "out of range"),
    ("take", [(3,)], {"indices": [0.5]}, "whole numbers"),
    ("take", [(3,)], {"indices": [[0], [1, 2]]}, "different lengths"),
    ("take_along_axis", [(3, 2), (2, 2)], {}, "all axes but axis 1"),
    ("take_along_axis", [(0,), (1,)], {}, "nothing to take"),
    ("index_put", [(3,), (2,)], {"index": "0"}, "do not fill"),
    ("index_put", [(3,), ()], {"index": "3"}, "does not fit shape"),
]


@pytest.mark.parametrize(("op", "shapes", "attributes", "words"), FAULTS)
def test_what_does_not_fit_is_told(op: str, shapes: Any, attributes: Any, words: str) -> None:
    with pytest.raises(ShapeError) as raised:
        REGISTRY[op].shape(*shapes, **REGISTRY[op].complete(attributes))
    assert words in str(raised.value)


NUMPY = [
    ("rot90", lambda x: np.rot90(x, 3, (1, 2)), {"k": 3, "axes": [1, 2]}),
    ("tile", lambda x: np.tile(x, (2, 1, 1, 3)), {"reps": [2, 1, 1, 3]}),
    ("repeat", lambda x: np.repeat(x, [2, 0, 1, 3], 2), {"repeats": [2, 0, 1, 3], "axis": 2}),
    ("pad", lambda x: np.pad(x, 5, mode="reflect"), {"pad_width": 5, "mode": "reflect"}),
    ("pad", lambda x: np.pad(x, ((3, 4),), mode="wrap"), {"pad_width": [3, 4], "mode": "wrap"}),
    ("gradient", lambda x: np.gradient(x, 0.3, edge_order=1)[2], {"spacing": 0.3, "part": 2}),
    ("array_split", lambda x: np.array_split(x, 3, 2)[1], {"indices_or_sections": 3, "axis": 2, "part": 1}),
    ("split", lambda x: np.split(x, [3, 2, 9], 2)[1], {"indices_or_sections": [3, 2, 9], "axis": 2, "part": 1}),
    ("hsplit", lambda x: np.hsplit(x, 3)[2], {"indices_or_sections": 3, "part": 2}),
    ("sort", lambda x: np.sort(x, 0), {"axis": 0}),
    ("take", lambda x: np.take(x, [[5, -1]], mode="wrap"), {"indices": [[5, -1]], "mode": "wrap"}),
]


@pytest.mark.parametrize(("op", "numpys", "attributes"), NUMPY, ids=lambda item: item if isinstance(item, str) else "")
def test_numpys_names_mean_what_numpy_means(op: str, numpys: Any, attributes: Any) -> None:
    x = RNG.normal(size=(2, 3, 4))
    full = REGISTRY[op].complete(attributes)
    np.testing.assert_array_equal(REGISTRY[op].value(x, **full), numpys(x))
    assert REGISTRY[op].shape(x.shape, **full) == numpys(x).shape
    checks.check_reverse((REGISTRY[op], [x], full))


def test_shown_pieces_of_one_split_together_carry_the_whole_gradient() -> None:
    x = np.arange(7.0)
    parts = [gradient("array_split", x, indices_or_sections=3, part=part) for part in range(3)]
    np.testing.assert_array_equal(np.sum(parts, axis=0), np.ones(7))


def test_no_gradient_flows_through_an_operand_that_only_chooses() -> None:
    leaves = [Node(name, "parameter", value=value) for name, value in (("c", 1.0), ("a", 2.0), ("b", 3.0))]
    square = Node("d", "square", inputs=("c",))
    choice = Node("y", "where", inputs=("d", "a", "b"))
    run = compile(Document({node.name: node for node in (*leaves, square, choice)}, output="y")).run()
    assert [run.gradient(name) for name in "cdab"] == [None, None, 1.0, 0.0]
    assert run.faults == ()


def test_a_parameter_that_both_chooses_and_counts_gets_the_gradient_of_the_part_that_counts() -> None:
    nodes = [Node("x", "parameter", value=3.0), Node("k", "constant", value=0.0)]
    nodes.append(Node("y", "where", inputs=("x", "x", "k")))
    run = compile(Document({node.name: node for node in nodes}, output="y")).run()
    assert run.gradient("x") == 1.0
