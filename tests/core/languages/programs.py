"""Exported programs run and read back: what they print, beside what the engine says."""

from __future__ import annotations

import io
import math
import sys
from collections.abc import Iterator, Mapping
from contextlib import redirect_stdout
from dataclasses import replace

import numpy as np

from cadena.core.front import compile
from cadena.core.graph.document import Document, Node, as_array, as_value
from cadena.core.languages.record import LANGUAGES
from cadena.core.ops.primitive import Primitive

UP_TO_SIGN = ("eigh", "svd")  # vectors, of which each library chooses the sign
NUMBERS = {"nan": np.nan, "inf": np.inf}
PROGRAMS = {name: record.write for name, record in LANGUAGES.items() if record.table}  # the classes that write them


def of_record(record: Primitive) -> Iterator[Document]:
    """A document for each of its examples: the operands are parameters, or inputs where there is no gradient."""
    for example in record.examples:
        *operands, attributes = example if isinstance(example[-1], dict) else (*example, {})
        nodes = {}
        for slot, operand in enumerate(operands):
            name = f"x{slot}"
            op = "parameter" if record.slot(slot).differentiable else "input"
            nodes[name] = Node(name, op, value=as_value(operand))
        nodes["y"] = Node("y", record.name, inputs=tuple(nodes), attributes=attributes)
        yield weighted(Document(nodes, output="y"), squared=record.name in UP_TO_SIGN)


def weighted(document: Document, squared: bool) -> Document:
    """The document with a number as output: the sum of y, or of its squares, each element with a weight of its own."""
    shape = np.shape(compile(document).run().value("y"))
    weights = np.cos(1.0 + np.arange(math.prod(shape), dtype=float)).reshape(shape)
    more = {"weights": Node("weights", "constant", value=as_value(weights))}
    if squared:
        more["y2"] = Node("y2", "square", inputs=("y",))
    more["p"] = Node("p", "multiply", inputs=("y2" if squared else "y", "weights"))
    more["L"] = Node("L", "sum", inputs=("p",))
    return Document({**document.nodes, **more}, output="L")


def printed(text: str) -> dict[str, np.ndarray]:
    """What a program printed: the array behind each label."""
    found = {}
    for line in text.splitlines():
        label, _, numbers = line.partition(" = ")
        found[label] = np.array(eval(numbers, {"__builtins__": {}}, NUMBERS), dtype=np.float64)
    return found


def run(code: str, file: str = "program.py") -> dict[str, np.ndarray]:
    """A program run in this process, and what it printed."""
    output = io.StringIO()
    arguments, sys.argv = sys.argv, [file]  # programs read their own, not pytest's
    try:
        with redirect_stdout(output), np.errstate(all="ignore"):
            exec(code, {"__name__": "__main__", "__file__": file})
    finally:
        sys.argv = arguments
        if torch := sys.modules.get("torch"):  # programs set it, and other tests run in the same process
            torch.set_default_dtype(torch.float32)
    return printed(output.getvalue())


def expected(document: Document) -> dict[str, np.ndarray]:
    """The same by the engine."""
    made = compile(document).run()
    output = str(document.output)
    found = {output: made.value(output)}
    for name, node in document.nodes.items():
        if node.wants_gradient and (gradient := made.gradient(name)) is not None:
            found[f"d{output}/d{name}"] = gradient
    return {label: np.asarray(array) for label, array in found.items() if array is not None}


def differences(found: Mapping[str, np.ndarray], wanted: Mapping[str, np.ndarray], relative: float) -> Iterator[str]:
    """A sentence for each number that is not as it should be."""
    if missing := wanted.keys() ^ found.keys():
        yield f"only one of the two has {sorted(missing)}"
    for label in wanted.keys() & found.keys():
        mine, other = wanted[label].astype(float), found[label]
        if mine.size == other.size == 0:  # lists do not tell (0, 3) from (0,)
            continue
        if mine.shape != other.shape:
            yield f"{label} has shape {other.shape}, not {mine.shape}"
            continue
        scale = np.max(np.abs(mine[np.isfinite(mine)]), initial=0.0)
        if not np.allclose(other, mine, rtol=relative, atol=relative * max(scale, 1.0), equal_nan=True):
            yield f"{label} is {other.tolist()}, not {mine.tolist()}"


def is_healthy(document: Document) -> bool:
    """Whether no number goes bad: what nan times 0 is has no meaning that libraries agree on."""
    numbers = expected(document).values()
    return not compile(document).run().faults and all(np.isfinite(array).all() for array in numbers)


def is_smooth(document: Document) -> bool:
    """Whether no number jumps to either side: at a kink, as of abs at 0, libraries choose a derivative each."""
    here = expected(document)
    return not any(list(differences(expected(moved(document, side)), here, 1e-3)) for side in (1e-7, -1e-7))


def moved(document: Document, way: float) -> Document:
    """The document with its leaves moved by up to so much, each element by itself; by its negative the opposite way."""
    random, nodes = np.random.default_rng(1), dict(document.nodes)
    for name, node in nodes.items():
        if node.is_leaf and node.value is not None:
            value = as_array(node.value)
            nodes[name] = Node(
                name,
                node.op,
                value=as_value(value + way * random.uniform(-1.0, 1.0, value.shape)),
                gradient=node.gradient,
            )
    return replace(document, nodes=nodes)


def is_well_conditioned(single: Document, document: Document) -> bool:
    """Whether float32 gives what float64 does but for a few roundings."""
    return not list(differences(expected(single), expected(document), 5e-7))
