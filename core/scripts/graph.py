"""The graph of one backward pass of a script, as a document whose nodes have the names of its variables."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from cadena.core.functions.calls import FunctionCall
from cadena.core.graph.document import DTYPES, Document, Function, Node, as_value
from cadena.core.graph.edits import FreeNames
from cadena.core.graph.subgraphs import used_functions
from cadena.core.scripts.tape import ScriptTape, line_at
from cadena.core.tracing.recording import RecordedCall
from cadena.core.tracing.tapes import shortened
from cadena.core.tracing.traced import Traced


class Drawn(NamedTuple):
    """A document, and for each of its nodes that stands for something in the script the line of that."""

    document: Document
    lines: dict[str, int]


def drawn(tape: ScriptTape, root: int) -> Drawn:
    """What the value `root` of a tape was computed from."""
    nodes: dict[str, Node] = {}
    names, lines, free = dict[int, str](), dict[str, int](), FreeNames(())
    needed = ancestors(tape, root)
    for number in needed:  # variables get their names first
        if number in tape.names:
            names[number] = free.fresh(tape.names[number])
    for number in needed:
        call = tape.calls[number]
        name = names[number] if number in names else free.fresh(_default_name(call, number in tape.data))
        names[number], lines[name] = name, line_at(tape.places[number])
        if call is None:
            kind = "input" if number in tape.data else "parameter"
            nodes[name] = Node(name, kind, value=_value(tape.values[number]))
        else:
            inputs = tuple(_input(item, nodes, names, free) for item in call.operands)
            attributes = shortened(call.primitive, call.attributes)
            nodes[name] = Node(name, call.primitive.name, inputs=inputs, attributes=attributes)
    dtype = np.result_type(tape.values[root]).name
    functions = functions_of([call for number in needed if (call := tape.calls[number]) is not None])
    document = Document(nodes, output=names[root], dtype=dtype if dtype in DTYPES else "float64", functions=functions)
    return Drawn(document, lines)


def ancestors(tape: ScriptTape, root: int) -> list[int]:
    """The numbers of a value and of all that it was computed from, in the order of the tape."""
    seen, queue = {root}, [root]
    while queue:
        call = tape.calls[queue.pop()]
        for item in call.operands if call else ():
            if type(item) is Traced and item.tape is tape and item.number not in seen:
                seen.add(item.number)
                queue.append(item.number)
    return sorted(seen)


def functions_of(calls: list[RecordedCall]) -> dict[str, Function]:
    """The functions that some calls use, and those that these use."""
    functions: dict[str, Function] = {}
    for record in {id(call.primitive): call.primitive for call in calls}.values():
        if isinstance(record, FunctionCall):
            functions |= used_functions([Node("", record.name)], record.functions)
    return functions


def _input(item: Any, nodes: dict[str, Node], names: dict[int, str], free: FreeNames) -> str:
    if type(item) is Traced:
        return names[item.number]
    name = free.fresh("k0")
    nodes[name] = Node(name, "constant", value=_value(item))
    return name


def _value(numbers: Any) -> Any:
    array = np.asarray(numbers)
    return as_value(array.astype(np.float64) if array.dtype.kind == "b" else array)


def _default_name(call: RecordedCall | None, is_data: bool) -> str:
    return f"{call.primitive.name}1" if call is not None else "x0" if is_data else "w0"
