"""The content of a .cadena file as typed records, which check files that are read and define the JSON Schema."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_type_hints

from msgspec import Meta, Struct

from cadena.core.graph.guards import Guard
from cadena.core.graph.unconnected import Unconnected

DTYPE = Literal["float64", "float32", "float16"]

# The descriptions complete the sentence "KEY must be ...", both in the schema and in the messages to the user.
Length = Annotated[int, Meta(ge=0)]
Text = Annotated[str, Meta(description="a text")]


class StoredTensor(Struct, forbid_unknown_fields=True):
    """An array in row-major order, little-endian."""

    shape: tuple[Length, ...]
    dtype: DTYPE
    base64: str


StoredValue = float | Literal["nan", "inf", "-inf"] | list[Any] | StoredTensor


class StoredNode(Struct, omit_defaults=True):
    """A leaf (parameter, input or constant, with a value) or an operation (with inputs)."""

    name: Annotated[str, Meta(description="a text of letters (any script), digits and _")]
    op: Annotated[str, Meta(description="the name of an operation, or parameter, input or constant")]
    inputs: Annotated[
        tuple[str | None, ...], Meta(description="a list of node names in slot order, with null for an open slot")
    ] = ()
    value: Annotated[
        StoredValue | None,
        Meta(
            description='a number, "nan", "inf" or "-inf", or nested lists of these, '
            'or {"shape": [2, 3], "dtype": "float64", "base64": "..."}'
        ),
    ] = None
    dtype: Annotated[
        DTYPE | None,
        Meta(description='"float64", "float32" or "float16" (of a value in nested lists; without it, float64)'),
    ] = None
    attributes: Annotated[dict[str, Any], Meta(description='settings by name, such as {"axis": 0}')] = {}
    gradient: Annotated[bool, Meta(description="true or false (whether the gradient of an input is wanted)")] = False
    guard: Annotated[
        Guard | None,
        Meta(description='an object such as {"outcome": 1, "condition": "x > 0", "line": 7, "kind": "branch"}'),
    ] = None
    line: Annotated[str, Meta(description='a text such as "model.py:12" (the code that computed it)')] = ""
    unconnected: Annotated[
        Unconnected | None,
        Meta(
            description='an object such as {"reason": "item", "line": 7, "call": "y.item()", "source": "y"} '
            "(why a leaf has no gradient in its script)"
        ),
    ] = None


StoredNodes = Annotated[list[StoredNode], Meta(description='a list of nodes such as {"name": "w0", "op": "parameter"}')]
StoredLayout = Annotated[
    dict[str, tuple[float, float]],
    Meta(description='places by node name: two numbers each, such as {"w0": [0, 80]}'),
]


class StoredBackward(Struct, omit_defaults=True):
    """A custom gradient: a subgraph over a function's operands, its result and the upstream gradient."""

    inputs: Annotated[
        tuple[str, ...],
        Meta(description="a list of names for the operands, the result and the upstream gradient, in this order"),
    ]
    nodes: StoredNodes
    outputs: Annotated[
        tuple[str | None, ...],
        Meta(description="a list with a node name for each operand: its gradient, or null where none is to go"),
    ]
    layout: StoredLayout = {}


class StoredFunction(Struct, omit_defaults=True):
    """A named subgraph: a node whose op is the function's name calls it. Keys not listed here are kept as they are."""

    inputs: Annotated[tuple[str, ...], Meta(description="a list of names for the operands, in slot order")]
    nodes: StoredNodes
    output: Annotated[str, Meta(description="the name of a node or of an operand")]
    gradient: Annotated[
        StoredBackward | None, Meta(description="an object with inputs, nodes and outputs (a custom gradient), or null")
    ] = None
    doc: Text = ""
    layout: StoredLayout = {}


class StoredDocument(Struct, omit_defaults=True):
    """The graph of one .cadena file. Keys that are not listed here are kept as they are."""

    format: Annotated[Literal["cadena"], Meta(description='"cadena"')]
    version: Annotated[int, Meta(ge=1, description="a whole number from 1")]
    nodes: StoredNodes
    title: Text = ""
    dtype: Annotated[DTYPE, Meta(description='"float64", "float32" or "float16"')] = "float64"
    output: Annotated[str | None, Meta(description="the name of a node, or null")] = None
    layout: StoredLayout = {}
    functions: Annotated[
        dict[str, StoredFunction],
        Meta(description="functions by name, each an object with inputs, nodes and output"),
    ] = {}


def must_be(record: type[Struct], key: str) -> str:
    """Describe what the value of `key` must be, with the record's own description."""
    hint = get_type_hints(record, include_extras=True)[key]
    return str(hint.__metadata__[0].description)
