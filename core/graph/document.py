"""The content of a file as frozen values: a Document of Nodes. Edits make new documents; undo keeps old ones."""

from __future__ import annotations

import keyword
import math
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress
from operator import attrgetter, is_not
from typing import Any

import msgspec
import numpy as np

from cadena.core.graph.guards import Guard
from cadena.core.text.wording import Clause

LEAVES = ("parameter", "input", "constant")
DTYPES = ("float64", "float32", "float16")
OFF = "off"  # key in `extra` of a function that stands for a node that is off
KEYWORDS = frozenset(keyword.kwlist)
Position = tuple[float, float]
MAX_COORDINATE = 1e9  # canvas units: numbers near the largest cannot be added, and no card there could be brought back


def is_within_reach(place: Position) -> bool:
    """Whether a card at `place` can be seen; cards beyond count as unplaced and are placed anew."""
    return -MAX_COORDINATE <= place[0] <= MAX_COORDINATE and -MAX_COORDINATE <= place[1] <= MAX_COORDINATE


def are_within_reach(places: Collection[Position]) -> bool:
    """Whether `is_within_reach` holds for all places. To call it for each is a twelfth of the time of a load."""
    least, most = -MAX_COORDINATE, MAX_COORDINATE  # local variables, which are quicker to read
    for x, y in places:  # noqa: SIM110 -- all() takes twice as long
        if not (least <= x <= most and least <= y <= most):
            return False
    return True


class Tensor(msgspec.Struct, frozen=True, gc=False):
    """An array as an immutable value: equal when shape, dtype and bytes are equal (so nan equals nan)."""

    shape: tuple[int, ...]
    dtype: str
    data: bytes

    @property
    def array(self) -> np.ndarray:
        """A read-only numpy view on the bytes (little-endian); nothing is copied."""
        return np.frombuffer(self.data, dtype=np.dtype(self.dtype).newbyteorder("<")).reshape(self.shape)


Value = float | Tensor
NUMBERS = (float, int)


def as_value(numbers: Any) -> Value:
    """Convert a number, nested lists of numbers or a numpy array to the Value of a leaf.

    Raises TypeError or ValueError when the lists are ragged or hold something else than numbers.
    """
    if isinstance(numbers, Tensor):
        return numbers
    if isinstance(numbers, NUMBERS) and not isinstance(numbers, bool):
        return math.nan if numbers != numbers else float(numbers)  # the one nan object, so that documents compare equal
    array = np.asarray(numbers)
    if array.dtype.kind not in "fiu":
        raise TypeError("a value is a number or nested lists of numbers")
    if array.ndim == 0:
        return as_value(float(array))
    dtype = array.dtype.name if array.dtype.name in DTYPES else "float64"
    little = np.ascontiguousarray(array, dtype=np.dtype(dtype).newbyteorder("<"))
    return Tensor(array.shape, dtype, little.tobytes())


def as_array(value: Value) -> np.ndarray:
    """The Value of a leaf as a numpy array; float64 unless the value brings its own dtype."""
    return value.array if isinstance(value, Tensor) else np.asarray(value, dtype=np.float64)


class _Nothing(dict[str, Any]):
    """An empty dictionary that stays empty, so that all nodes can share it: one each would take 128 bytes a node."""

    def _refuse(self, *items: Any, **named: Any) -> Any:
        raise TypeError("a node is a frozen value; make a new one with a dictionary of its own")

    __setitem__ = __ior__ = setdefault = update = _refuse


NOTHING = _Nothing()


class Node(msgspec.Struct, frozen=True, gc=False):  # a node never holds itself: no search for cycles need look at it
    """A leaf (`value`) or an operation (`inputs` in slot order, None for an open slot)."""

    name: str
    op: str
    inputs: tuple[str | None, ...] = ()
    value: Value | None = None
    attributes: dict[str, Any] = NOTHING
    gradient: bool = False  # an input whose gradient is computed too
    extra: dict[str, Any] = NOTHING  # keys of the file that this version does not know; saved again unchanged
    guard: Guard | None = None  # what the value had to be where code read it
    line: str = ""  # of the code that computed it, with its file: "model.py:12"

    @property
    def is_leaf(self) -> bool:
        return self.op in LEAVES

    @property
    def wants_gradient(self) -> bool:
        """Whether a gradient is wanted for this leaf: parameters always, inputs when asked for, constants never."""
        return self.op == "parameter" or (self.op == "input" and self.gradient)


@dataclass(frozen=True)
class Backward:
    """A custom gradient: a subgraph over a function's operands, its result and the upstream gradient.

    `inputs` names these, in this order; `outputs` is for each operand the node that is its gradient, or None where no
    gradient is to go.
    """

    inputs: tuple[str, ...]
    nodes: Mapping[str, Node]
    outputs: tuple[str | None, ...]
    layout: Mapping[str, Position] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def used(self) -> bool:
        """Whether it replaces the chain rule; one that is set aside stays in the document and does nothing."""
        return self.extra.get("used") is not False


@dataclass(frozen=True)
class Function:
    """A named subgraph that is used as a node: a node whose operation is the function's name calls it.

    `inputs` names the operands in slot order; `nodes` holds operations and constants, which read these names and each
    other; `output` is the node whose value the call has. Without `gradient` the chain rule goes through the subgraph.
    """

    inputs: tuple[str, ...]
    nodes: Mapping[str, Node]
    output: str
    gradient: Backward | None = None
    doc: str = ""
    layout: Mapping[str, Position] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def off(self) -> str:
        """How the node is off that calls it, "bypassed" or "muted"; "" for a function like any other."""
        record = self.extra.get(OFF)
        way, inner = (record.get("way"), record.get("node")) if isinstance(record, dict) else (None, None)
        return way if way in ("bypassed", "muted") and isinstance(inner, str) and inner in self.nodes else ""


@dataclass(frozen=True)
class Document:
    """A graph with its title, chosen output, number type and layout. Its mappings are never changed in place."""

    nodes: Mapping[str, Node]
    output: str | None = None
    title: str = ""
    dtype: str = "float64"
    layout: Mapping[str, Position] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)
    functions: Mapping[str, Function] = field(default_factory=dict)

    def _repr_html_(self) -> str:
        """What a notebook shows: a page that plays the steps of a run."""
        # Notebooks ask the value itself; nothing else in this room knows how a document is shown.
        from cadena.core.html_page.page import in_notebook

        return in_notebook(self)

    @cached_property
    def consumers(self) -> Mapping[str, tuple[tuple[str, int], ...]]:
        """For each node the (consumer, slot) pairs that it feeds, in document order."""
        consumers: dict[str, list[tuple[str, int]]] = {name: [] for name in self.nodes}
        for node in self.nodes.values():
            for slot, source in enumerate(node.inputs):
                if source in consumers:
                    consumers[source].append((node.name, slot))
        return {name: tuple(pairs) for name, pairs in consumers.items()}

    def forget_consumers(self) -> None:
        """Drop `consumers` until they are asked for again: they take five times the room of the nodes, and a history
        has hundreds of documents."""
        with suppress(AttributeError):  # nobody has asked
            object.__delattr__(self, "consumers")

    @cached_property
    def noted(self) -> tuple[Node, ...]:
        """The nodes that have keys of their own in `extra`: few, and asked for with each picture."""
        nodes = self.nodes.values()
        return tuple(compress(nodes, map(attrgetter("extra"), nodes)))

    @cached_property
    def guarded(self) -> tuple[Node, ...]:
        """The nodes with a guard: few, and asked for after each run."""
        nodes = self.nodes.values()
        return tuple(compress(nodes, map(attrgetter("guard"), nodes)))

    @cached_property
    def has_lines(self) -> bool:
        """Whether some node has the line of the code that computed it."""
        return any(map(attrgetter("line"), self.nodes.values()))

    def function_of(self, name: str) -> Function | None:
        """The function that a node calls; None for any other node, and for one that is off."""
        function = self.functions.get(self.nodes[name].op)
        return None if function is None or function.off else function

    def source_of(self, name: str, slot: int) -> str | None:
        """The node whose wire ends in a slot; None when the slot is open."""
        inputs = self.nodes[name].inputs if name in self.nodes else ()
        source = inputs[slot] if slot < len(inputs) else None
        return source if source in self.nodes else None


def is_name(text: str) -> bool:
    """Whether `text` may name a node: a Python identifier, letters of any script, and no keyword."""
    return text.isidentifier() and text not in KEYWORDS


def name_fault(text: str) -> Clause | None:
    """Why `text` can name neither a node nor a function, and what to do; None where it can."""
    joined, operands = "_".join(text.split()), {"name": text}
    if is_name(text):
        return None
    if not text.strip():
        return Clause("a name is missing", "type one such as w0")
    if text in KEYWORDS:
        return Clause("{name} is a Python keyword", "choose another name, such as {name}_", operands)
    if joined != text and is_name(joined):
        return Clause("{name!r} has spaces in it", "write {joined}", {"name": text, "joined": joined})
    if text[0].isdigit() and is_name(f"_{text}"):
        return Clause("{name} begins with a digit", "put a letter or _ before it", operands)
    wrong = "".join(dict.fromkeys(sign for sign in text if not f"_{sign}".isidentifier() and not sign.isspace()))
    written = "_".join("".join(" " if sign in wrong else sign for sign in text).split())
    if wrong.isprintable() and is_name(written):
        return Clause("{name!r} has {wrong} in it", "write {written}", operands | {"wrong": wrong, "written": written})
    return Clause("{name!r} cannot be a name", "use letters, digits and _, not beginning with a digit", operands)


class Changes(msgspec.Struct, frozen=True):
    """The differences between two documents, so that views and programs redo only what they must."""

    added: frozenset[str]
    removed: frozenset[str]
    valued: frozenset[str]  # only the value differs
    rewired: frozenset[str]  # anything else about the node differs
    moved: frozenset[str]
    output: bool
    dtype: bool
    functions: bool = False  # the subgraph or the custom gradient of a function

    @property
    def structural(self) -> bool:
        """Whether a program compiled for the old document is out of date."""
        return bool(self.added or self.removed or self.rewired or self.output or self.functions)

    @property
    def anything_runs(self) -> bool:
        """Whether values or gradients may differ."""
        return self.structural or bool(self.valued) or self.dtype


def _value_only(old: Node, new: Node) -> bool:
    same_kind = old.op == new.op and old.inputs == new.inputs and old.attributes == new.attributes
    same_shape = _shape(old.value) == _shape(new.value)
    return same_kind and same_shape and old.gradient == new.gradient and old.guard == new.guard


def _shape(value: Value | None) -> tuple[int, ...] | None:
    return None if value is None else value.shape if isinstance(value, Tensor) else ()


def renewed(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[str, ...]:
    """The names under which `after` has another object than `before`, or one where `before` has none."""
    if before is after:
        return ()
    # No step in Python for each name: under a millisecond for ten thousand nodes.
    return (*compress(after, map(is_not, after.values(), map(before.get, after))),)


def changes(old: Document, new: Document) -> Changes:
    """The differences between `old` and `new`; cheap where the nodes are the same objects."""
    before, after = old.nodes, new.nodes
    differing = renewed(before, after)
    added = frozenset(name for name in differing if name not in before)
    changed = [name for name in differing if name in before and before[name] != after[name]]
    valued = frozenset(name for name in changed if _value_only(before[name], after[name]))
    loses = len(before) + len(added) != len(after)
    moved = (name for name in renewed(old.layout, new.layout) if old.layout.get(name) != new.layout[name])
    return Changes(
        added=added,
        removed=frozenset(before.keys() - after.keys()) if loses else frozenset(),
        valued=valued,
        rewired=frozenset(changed) - valued,
        moved=frozenset(moved),
        output=old.output != new.output,
        dtype=old.dtype != new.dtype,
        functions=old.functions is not new.functions and old.functions != new.functions,
    )
