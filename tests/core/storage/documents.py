"""Random documents, and the one of the contract, for the tests of files."""

from __future__ import annotations

import keyword
import math
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays, from_dtype

from cadena.core.graph.document import (
    DTYPES,
    LEAVES,
    Backward,
    Document,
    Function,
    Node,
    Tensor,
    as_value,
    is_name,
)
from cadena.core.ops.primitive import REGISTRY
from cadena.core.storage.records import StoredBackward, StoredDocument, StoredFunction, StoredNode

EXAMPLE = b"""\
{"format": "cadena", "version": 2, "title": "...", "dtype": "float64", "output": "L",
 "nodes": [
  {"name": "w0", "op": "parameter", "value": 2.0},
  {"name": "a1", "op": "input", "value": 4.0},
  {"name": "m1", "op": "multiply", "inputs": ["w0", "a1"]},
  {"name": "s", "op": "sum", "inputs": ["m1"], "attributes": {"axis": 0, "keepdims": false}}
 ],
 "layout": {"w0": [0, 0], "a1": [0, 80], "m1": [160, 40], "s": [320, 40]}}
"""

texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=12)
finite = st.floats(allow_nan=False, allow_infinity=False)
names = st.one_of(
    st.from_regex(r"\A[^\W\d]\w{0,6}\Z").filter(is_name),
    st.sampled_from(["w0", "a1", "λ", "größe", "重み", "_x", "match"]),
)
json_items = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(10**25), 10**25), finite, texts),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(texts, inner, max_size=3)),
    max_leaves=6,
)


@st.composite
def tensors(draw: Any) -> Tensor:
    """An array of any dtype and shape, empty ones and one just over the limit for lists included."""
    dtype = np.dtype(draw(st.sampled_from(DTYPES)))
    shape = draw(st.one_of(array_shapes(min_dims=1, max_dims=4, min_side=0, max_side=4), st.just((7, 143))))
    array = draw(arrays(dtype, shape, elements=from_dtype(dtype)))
    return Tensor(array.shape, dtype.name, np.ascontiguousarray(array, dtype.newbyteorder("<")).tobytes())


values = st.one_of(st.floats().map(as_value), st.sampled_from([math.nan, math.inf, -math.inf, -0.0]), tensors())


def extras(known: tuple[str, ...]) -> st.SearchStrategy[dict[str, Any]]:
    keys = st.one_of(texts, st.sampled_from(["notes", "frames", "lesson", "training", "functions", "code"]))
    return st.dictionaries(keys.filter(lambda key: key not in known), json_items, max_size=2)


@st.composite
def nodes(draw: Any, name: str, others: list[str]) -> Node:
    op = draw(st.one_of(st.sampled_from([*LEAVES, *REGISTRY]), texts))
    sources = st.one_of(st.none(), st.sampled_from(others), texts)
    return Node(
        name,
        op,
        inputs=tuple(draw(st.lists(sources, max_size=3))),
        value=draw(st.one_of(st.none(), values)),
        attributes=draw(st.dictionaries(texts, json_items, max_size=2)),
        gradient=draw(st.booleans()),
        extra=draw(extras(StoredNode.__struct_fields__)),
        line=draw(texts),
    )


@st.composite
def subgraphs(draw: Any) -> dict[str, Node]:
    chosen = draw(st.lists(names, unique=True, min_size=1, max_size=4))
    return {name: draw(nodes(name, chosen)) for name in chosen}


layouts = st.dictionaries(texts, st.tuples(finite, finite), max_size=2)
backwards = st.builds(
    Backward,
    inputs=st.lists(texts, max_size=3).map(tuple),
    nodes=subgraphs(),
    outputs=st.lists(st.none() | texts, max_size=3).map(tuple),
    layout=layouts,
    extra=extras(StoredBackward.__struct_fields__),
)
functions = st.builds(
    Function,
    inputs=st.lists(texts, max_size=3).map(tuple),
    nodes=subgraphs(),
    output=texts,
    gradient=st.none() | backwards,
    doc=texts,
    layout=layouts,
    extra=extras(StoredFunction.__struct_fields__),
)


@st.composite
def documents(draw: Any) -> Document:
    """Any document: cycles, unknown operations, wires to nowhere and keys of other versions included."""
    chosen = draw(st.lists(names, unique=True, max_size=6))
    assert not any(keyword.iskeyword(name) for name in chosen)
    made = {name: draw(nodes(name, chosen)) for name in chosen}
    places = st.tuples(finite, finite)
    return Document(
        nodes=made,
        output=draw(st.one_of(st.none(), texts, st.sampled_from(chosen or ["L"]))),
        title=draw(texts),
        dtype=draw(st.sampled_from(DTYPES)),
        layout=draw(st.dictionaries(st.sampled_from(chosen), places)) if chosen else {},
        extra=draw(extras(StoredDocument.__struct_fields__)),
        functions=draw(st.dictionaries(names, functions, max_size=2)),
    )
