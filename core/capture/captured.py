"""The result of a capture: the document, and the value and gradients as the framework computed them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cadena.core.capture.modules import node_name
from cadena.core.capture.record import Leaf, Record
from cadena.core.front import Program, compile
from cadena.core.graph.document import NOTHING, Document, as_array
from cadena.core.graph.fault import Refused
from cadena.core.html_page import notebook_picture
from cadena.core.html_page.page import in_notebook
from cadena.core.ops.selection import EACH, TWICE
from cadena.core.storage.files import save
from cadena.core.tracing.traced import Traced

MAX_KEPT = 1 << 28  # elements of one array that are kept; of larger ones shape, statistics and a sample
RELATIVE = {"float64": 1e-8, "float32": 1e-4, "float16": 2e-2}  # of the largest element
# A gradient this much smaller than the largest of all is what cancelled, as of a bias before a batch norm, and its
# digits are those of rounding: it is compared as if it were so large.
ROUNDING = 1e-2


class Gradients(dict[str, Any]):
    """Gradients by the names of their nodes; the framework's own names ("layers.0.weight") are understood too."""

    def __init__(self, gradients: Mapping[str, Any] = NOTHING, own: Mapping[str, str] = NOTHING, **named: Any) -> None:
        super().__init__(gradients, **named)
        self.own = own  # the framework's name -> the node's

    def __missing__(self, name: str) -> Any:
        node = self.own.get(name) or node_name(name)
        if node != name and node in self:
            return self[node]
        raise KeyError(name)


@dataclass(frozen=True)
class Agreement:
    """How far our value and gradients are from the framework's, each relative to its largest element."""

    differences: Mapping[str, float]  # by node; the value under the output's name, first
    tolerance: float
    notes: tuple[str, ...] = ()

    @property
    def differing(self) -> tuple[str, ...]:
        """The nodes that differ by more than the tolerance."""
        return tuple(name for name, difference in self.differences.items() if not difference <= self.tolerance)

    @property
    def gradients(self) -> int:
        """How many gradients were compared."""
        return len(self.differences) - 1

    @property
    def ok(self) -> bool:
        """Whether the value and all gradients agree; never where there was no gradient to compare."""
        return not self.differing and self.gradients > 0

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        worst = max(self.differences, key=lambda name: np.nan_to_num(self.differences[name], nan=np.inf))
        count = f"{self.gradients} gradient{'' if self.gradients == 1 else 's'}"
        if self.differing:
            result = f"differs at {', '.join(self.differing[:8])}"
        elif self.gradients:
            result = "agrees"
        else:
            result = (
                "no gradient was compared, since no tensor that the function uses requires one; the value is the same"
            )
        largest = f"largest difference {self.differences[worst]:.2g}, at {worst}; value and {count} compared"
        return "\n".join([": ".join((result, largest)), *self.notes])


@dataclass
class Captured:
    """A captured run. `notes` says what could not be expressed, and where PyTorch's rule is kept, a sentence each."""

    document: Document = field(default_factory=lambda: Document({}))
    value: Any = None
    gradients: Gradients = field(default_factory=Gradients)
    notes: tuple[str, ...] = ()

    def check(self) -> Agreement:
        """Run the document, and compare its value and every gradient with the framework's.

        Raises Refused for a document that cannot run, as without the values that a limit has left out.
        """
        document = self.document
        if document.output is None:
            raise Refused("nothing was captured", "call backward() on the loss within the block")
        program = compile(document)
        run = program.run()
        if (value := run.value(document.output)) is None:
            raise Refused("the captured graph cannot run: {why}", why=run.faults[0])
        largest = max((_largest(theirs) for theirs in self.gradients.values()), default=0.0)
        differences = {document.output: _difference(value, self.value)}
        tolerance = _tolerance(document, [self.value, *self.gradients.values()])
        for name, theirs in self._expected().items():
            ours = run.gradient(name) if name in document.nodes else None
            ours = np.zeros_like(theirs) if ours is None else ours
            differences[name] = _difference(ours, theirs, ROUNDING * largest)
            is_there = name in document.nodes and differences[name] > tolerance
            if is_there and _is_rounding(program, name, ours, theirs, _largest(value)):
                differences[name] = 0.0
        return Agreement(differences, tolerance, self.notes)

    def _expected(self) -> dict[str, Any]:
        """The framework's gradients by node, 0 for a parameter of the graph through which it has none."""
        expected = dict(self.gradients)
        for name, node in self.document.nodes.items() if expected else ():
            if node.op == "parameter" and name not in expected and node.value is not None:
                expected[name] = np.zeros_like(as_array(node.value))
        return expected

    def _repr_svg_(self) -> str:
        return notebook_picture.svg(self.document)

    def _repr_html_(self) -> str:
        """What a notebook shows: a page that plays the steps, and what could not be expressed."""
        return in_notebook(self.document, self.notes)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the document to a file."""
        save(self.document, path)


def fill(
    captured: Captured,
    record: Record,
    output: Traced,
    value: Any,
    gradients: Iterable[tuple[Leaf, Any]],
    limit: int,
) -> Captured:
    """Put the graph of `output` into `captured`, beside the framework's own value and gradients by leaf."""
    record.hints.setdefault(output.number, "loss" if not output.ndim else "output")
    captured.document, names = record.document(output, limit=limit)
    nodes = {id(record.leaves[number]): name for number, name in names.items()}
    captured.value = value
    rows = [(leaf.like, nodes.get(id(leaf), node_name(leaf.like)), gradient) for leaf, gradient in gradients]
    captured.gradients = Gradients(
        {node: gradient for _, node, gradient in rows}, {like: node for like, node, _ in rows}
    )
    repeated = any(call and call.attributes.get("repeated") == EACH for call in record.tape.calls)
    captured.notes = tuple(dict.fromkeys([*record.notes, *([TWICE] if repeated else [])]))
    return captured


def _tolerance(document: Document, arrays: Iterable[Any]) -> float:
    """What the coarsest number type rounds away that the document or the framework has."""
    types = [node.attributes.get("dtype") for node in document.nodes.values() if node.op == "astype"]
    return max(
        RELATIVE[name]
        for name in (document.dtype, *types, *(np.asarray(item).dtype.name for item in arrays))
        if name in RELATIVE
    )


def _is_rounding(program: Program, name: str, ours: Any, theirs: Any, value: float) -> bool:
    """Whether both gradients are 0 but for rounding: ours changes as much when the last digit of the operand does.

    A gradient times its operand changes the value; what would change no digit of the value has no digits itself.
    """
    operand = as_array(program.document.nodes[name].value or 0.0)
    eps = float(np.finfo(operand.dtype).eps)
    if not max(_largest(ours), _largest(theirs)) * _largest(operand) <= 1e3 * eps * value:
        return False
    signs = np.where(np.arange(operand.size).reshape(operand.shape) % 3 > 0, 1.0, -1.0)
    moved = [program.run({name: operand * (1.0 + side * eps * signs)}).gradient(name) for side in (1.0, -1.0)]
    reached = max(_largest(item - ours) for item in moved)
    return _largest(np.asarray(ours) - theirs) <= 1e2 * max(reached, eps * _largest(theirs))


def _largest(numbers: Any) -> float:
    array = np.asarray(numbers, np.float64)
    return float(np.max(np.abs(array[np.isfinite(array)]), initial=0.0))


def _difference(ours: Any, theirs: Any, least: float = 0.0) -> float:
    """The largest difference, relative to the largest element, or to `least` where all are smaller."""
    ours, theirs = np.asarray(ours, np.float64), np.asarray(theirs, np.float64)
    if ours.shape != theirs.shape:
        return np.inf
    usual = np.isfinite(theirs)
    if not np.array_equal(ours[~usual], theirs[~usual], equal_nan=True):
        return np.inf
    deviation = float(np.max(np.abs(ours[usual] - theirs[usual]), initial=0.0))
    scale = max(_largest(theirs), least)
    return deviation / scale if scale else deviation
