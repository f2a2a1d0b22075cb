"""The nodes read from an expression so far, with names for those that it does not name."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any

import numpy as np

from cadena.core.graph.document import Document, Node, Value, as_array, as_value
from cadena.core.graph.edits import FreeNames, first_name

NodeKey = tuple[Any, ...]


class Sketch:
    """New nodes beside those of a document. Equal numbers become one constant."""

    def __init__(self, document: Document, reserved: Collection[str]) -> None:
        self.document = document
        self.nodes: dict[str, Node] = {}
        self._free = FreeNames([*document.nodes, *reserved])
        self._constants: dict[NodeKey, str] = {}

    def __contains__(self, name: str) -> bool:
        return name in self.nodes or name in self.document.nodes

    def leaf(self, op: str, value: Value, name: str | None = None, gradient: bool = False) -> str:
        """A new leaf, and its name."""
        return self._add(Node(name or self._free.fresh(first_name(op)), op, value=value, gradient=gradient))

    def constant(self, numbers: Any) -> str:
        """The constant that holds a number, or lists of numbers."""
        value = as_value(numbers)
        key = value_key(value)
        if key not in self._constants:
            self._constants[key] = self.leaf("constant", value)
        return self._constants[key]

    def call(self, op: str, inputs: tuple[str, ...], attributes: dict[str, Any], name: str | None = None) -> str:
        """The node of an operation on these operands, and its name."""
        return self._add(Node(name or self._free.fresh(first_name(op)), op, inputs=inputs, attributes=attributes))

    def _add(self, node: Node) -> str:
        self.nodes[node.name] = node
        return node.name


def value_key(value: Value) -> NodeKey:
    """A key for equal values: 2 and 2.0 are one number, 0 and -0 are two."""
    if isinstance(value, float):
        return (math.copysign(1.0, value) < 0.0, "nan" if value != value else value)
    array = np.asarray(as_array(value))
    return (array.dtype.name, array.shape, array.tobytes())
