"""The graph of one backward pass of a script, as a document whose nodes have the names of its variables."""

from __future__ import annotations

import re
from collections.abc import Container
from typing import Any, NamedTuple

import numpy as np

from cadena.core.functions.calls import FunctionCall
from cadena.core.graph.document import DTYPES, Document, Function, Node, as_value
from cadena.core.graph.edits import FreeNames
from cadena.core.graph.subgraphs import used_functions
from cadena.core.ops.shaping import getitem
from cadena.core.scripts.tape import ScriptPlace, ScriptTape, lines_at
from cadena.core.tracing.recording import RecordedCall
from cadena.core.tracing.tapes import shortened
from cadena.core.tracing.traced import Traced

CONSTANT = re.compile(r"k\d+")  # the name of a constant that nobody gave one
FIRST_NAMES = {"parameter": "w0", "input": "x0"}


class Drawn(NamedTuple):
    """A document, and for its nodes that stand for something in the script the lines, the indices and the places."""

    document: Document
    lines: dict[str, int]
    labels: dict[str, str]  # what a node is called where its name can be no index: w_0 is w[0]
    places: dict[int, ScriptPlace]  # of the calls, by their numbers on the tape


def drawn(tape: ScriptTape, root: int) -> Drawn:
    """What the value `root` of a tape was computed from."""
    nodes: dict[str, Node] = {}
    names, free = dict[int, str](), FreeNames(())
    needed = ancestors(tape, root)
    for number in needed:  # variables get their names first
        if number in tape.names:
            names[number] = free.fresh(tape.names[number])
    for number in needed:
        add_node(tape, number, nodes, names, free)
    dtype = np.result_type(tape.values[root]).name
    functions = functions_of([call for number in needed if (call := tape.calls[number]) is not None])
    document = Document(nodes, output=names[root], dtype=dtype if dtype in DTYPES else "float64", functions=functions)
    return Drawn(
        document,
        dict(zip(map(names.__getitem__, needed), lines_at([tape.places[number] for number in needed]), strict=True)),
        {names[number]: label for number in needed if (label := _label(tape, number, names))},
        {number: tape.places[number] for number in needed if tape.calls[number] is not None},
    )


def _label(tape: ScriptTape, number: int, names: dict[int, str]) -> str:
    """An element that has no variable of its own, as the script writes it: w[0]; "" for anything else."""
    call = tape.calls[number]
    if call is None or call.primitive is not getitem or number in tape.names:
        return ""
    source = call.operands[0]
    return f"{names[source.number]}[{call.attributes['index']}]" if type(source) is Traced else ""


def _element_name(label: str) -> str:
    """The name of a node for one element, W_0_1 for W[0, 1]; "" for a slice or a list of elements."""
    stem, _, index = label[:-1].rpartition("[")
    parts = [part.strip() for part in index.split(",")]
    return "_".join([stem, *parts]) if stem and all(part.isdecimal() for part in parts) else ""


def add_node(
    tape: ScriptTape, number: int, nodes: dict[str, Node], names: dict[int, str], free: FreeNames, leaf: str = ""
) -> None:
    """Add the node of a value, whose operands have their nodes; leaves of the kind `leaf`, or of their own."""
    call = tape.calls[number]
    kind = leaf or ("input" if number in tape.data else "parameter")
    name = names.get(number) or names.setdefault(number, _free_name(tape, number, kind, names, free))
    if call is None:
        if kind == "input" and CONSTANT.fullmatch(name):  # which a program has to give a line
            kind = "constant"
        nodes[name] = Node(name, kind, value=_value(tape.values[number]))
        return
    inputs = [names[item.number] if type(item) is Traced else add_constant(item, nodes, free) for item in call.operands]
    attributes = shortened(call.primitive, call.attributes)
    nodes[name] = Node(name, call.primitive.name, inputs=tuple(inputs), attributes=attributes)


def _free_name(tape: ScriptTape, number: int, kind: str, names: dict[int, str], free: FreeNames) -> str:
    """A name for a value: that of its variable, of its place in another one, or of its operation."""
    call = tape.calls[number]
    if number in tape.names:
        return free.fresh(tape.names[number])
    if label := _label(tape, number, names):
        element = _element_name(label)
        if element in free.taken:  # w[0] once more, which is not to be called w_1
            element += "_again1"
        if element:
            return free.fresh(element)
    return free.fresh(f"{call.primitive.name}1" if call is not None else FIRST_NAMES.get(kind, "k0"))


def add_constant(numbers: Any, nodes: dict[str, Node], free: FreeNames) -> str:
    """Add a node that holds numbers."""
    name = free.fresh("k0")
    nodes[name] = Node(name, "constant", value=_value(numbers))
    return name


def ancestors(tape: ScriptTape, root: int, known: Container[int] = ()) -> list[int]:
    """The numbers of a value and of all that it was computed from, in the order of the tape, without what is known."""
    if root in known:
        return []
    seen, queue = {root}, [root]
    while queue:
        call = tape.calls[queue.pop()]
        for item in call.operands if call else ():
            if type(item) is Traced and item.tape is tape and item.number not in seen and item.number not in known:
                seen.add(item.number)
                queue.append(item.number)
    return sorted(seen)


def functions_of(calls: list[RecordedCall]) -> dict[str, Function]:
    """The functions that some calls use, and those that these use."""
    functions: dict[str, Function] = {}
    for record in dict.fromkeys([call.primitive for call in calls]):
        if isinstance(record, FunctionCall):
            functions |= used_functions([Node("", record.name)], record.functions)
    return functions


def _value(numbers: Any) -> Any:
    if isinstance(numbers, float):
        return as_value(float(numbers))
    array = np.asarray(numbers)
    return as_value(array.astype(np.float64) if array.dtype.kind == "b" else array)
