"""The graph of one backward pass of a script, as a document whose nodes have the names of its variables."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from itertools import compress
from typing import Any, NamedTuple

import msgspec
import numpy as np

from cadena.core.functions.calls import FunctionCall
from cadena.core.graph.document import DTYPES, NOTHING, Document, Function, Node, as_value
from cadena.core.graph.edits import FreeNames
from cadena.core.graph.subgraphs import used_functions
from cadena.core.graph.unconnected import UNCONNECTED, NoPath, Unconnected
from cadena.core.ops.shaping import getitem
from cadena.core.scripts.asked import ASKED, cut, names_after
from cadena.core.scripts.followed import is_choosing
from cadena.core.scripts.tape import ScriptTape, line_at, lines_at
from cadena.core.tracing.recording import RecordedCall
from cadena.core.tracing.tapes import shortened
from cadena.core.tracing.traced import Traced

CONSTANT = re.compile(r"k\d+")  # the name of a constant that nobody gave one
FIRST_NAMES = {"parameter": "w0", "input": "x0"}
FLOATS = (float, np.floating)


class Drawn(NamedTuple):
    """A document, and for its nodes that stand for something in the script the lines and the indices."""

    document: Document
    lines: dict[str, int]
    labels: dict[str, str]  # what a node is called where its name can be no index: w_0 is w[0]
    calls: dict[int, int]  # the line of each call, by its number on the tape


def drawn(
    tape: ScriptTape, root: int, chosen: int = 0, text: str = "", end: int | None = None, start: int = 0
) -> Drawn:
    """The graph behind the value `root` of a tape, and the leaves without a gradient that backward pass `chosen` was
    asked for. `end` is the length of the tape at that pass: later guards do not count. `start` is that of the pass
    before."""
    drawing, needed = Drawing(tape), with_guards(tape, ancestors(tape, root), end, start)
    needed, drawing.prepared = without_preparations(tape, needed)
    for number in needed:  # variables get their names first
        if number in tape.names:
            drawing.names[number] = drawing.free.fresh(tape.names[number])
    for number in needed:
        drawing.add(number)
    dtype = np.result_type(tape.values[root]).name
    nodes, names = drawing.nodes, drawing.names
    functions = functions_of(tape.calls[number] for number in needed if number not in drawing.prepared)
    document = Document(nodes, names[root], dtype=dtype if dtype in DTYPES else "float64", functions=functions)
    lines = [*zip(needed, lines_at([tape.places[number] for number in needed]), strict=True)]
    calls = {
        number: line for number, line in lines if tape.calls[number] is not None and number not in drawing.prepared
    }
    of_nodes = {names[number]: line for number, line in lines}
    _add_asked(drawing, chosen, of_nodes, text, with_gradient(tape, root))
    return Drawn(document, of_nodes, drawing.labels, calls)


def with_gradient(tape: ScriptTape, root: int) -> set[int]:
    """The values to which a gradient comes from the value `root`."""
    reached, waiting = set[int](), [root]
    while waiting:
        number = waiting.pop()
        call = tape.calls[number]
        if number not in reached and call is not None:
            slots = enumerate(call.operands)
            carrying = [item for slot, item in slots if call.primitive.slot(slot).differentiable]
            waiting += [item.number for item in carrying if type(item) is Traced and item.tape is tape]
        reached.add(number)
    return reached


def _add_asked(drawing: Drawing, chosen: int, lines: dict[str, int], text: str, with_gradient: Container[int]) -> None:
    """Note the reasons at the leaves of a drawing, and add the leaves that are not in it, after pass `chosen`."""
    seen = set[tuple[str, Any]]()
    variables = set(drawing.names.values())
    for item in ASKED:
        if item.passes != chosen + 1 or (item.name, item.place) in seen:
            continue
        seen.add((item.name, item.place))
        own = next((drawing.names[number] for number in item.numbered if number in drawing.names), "")
        if item.reason is NoPath.UNUSED and any(number in with_gradient for number in item.numbered):
            continue  # it has a gradient; the script read it after it was set to None
        known = own or (item.name if item.reason is not NoPath.UNUSED and item.name in drawing.nodes else "")
        line = line_at(item.place)
        if known:
            node = drawing.nodes[known]
        else:
            known = drawing.free.fresh(item.name)
            kind = "parameter" if item.reason is NoPath.UNUSED else "input"
            node = drawing.leaf(known, kind, item.numbers)
            if line:
                lines[known] = line
        is_replaced = item.reason is NoPath.UNUSED and item.name in variables and not own
        note = Unconnected(NoPath.REPLACED if is_replaced else item.reason, line if is_replaced else 0)
        if note.reason is NoPath.UNUSED:
            note = cut(text, {item.name} | names_after(drawing.tape, item.numbered)) or note
            if own and note.reason is NoPath.UNUSED:
                continue  # something chooses by it, which the graph shows
        note = msgspec.structs.replace(note, zeros=drawing.tape.gives_zeros)
        drawing.nodes[known] = msgspec.structs.replace(node, extra={UNCONNECTED: msgspec.to_builtins(note)})


class Drawing:
    """The nodes for some values of a tape, and their names and labels."""

    def __init__(self, tape: ScriptTape, names: Mapping[int, str] = {}, free: FreeNames | None = None) -> None:
        self.tape, self.nodes, self.labels = tape, dict[str, Node](), dict[str, str]()
        self.names = dict(names)
        self.free = free or FreeNames(())
        self.prepared = set[int]()  # values that are drawn as leaves, without what they were computed from

    def add(self, number: int, leaf: str = "") -> None:
        """Add the node of a value, whose operands have their nodes; leaves of the kind `leaf`, or of their own."""
        call, names = self.tape.calls[number], self.names
        if call is None or number in self.prepared:
            kind = leaf or ("input" if number in self.tape.data else "parameter")
            name = names.get(number) or self._named(number, None, FIRST_NAMES.get(kind, "k0"))
            if kind == "input" and CONSTANT.fullmatch(name):  # which a program has to give a line
                kind = "constant"
            self.nodes[name] = Node(
                name, kind, value=_value(self.tape.values[number]), guard=self.tape.guards.get(number)
            )
            return
        op = call.primitive.name
        name = names.get(number) or self._named(number, call, f"{op}1")
        inputs = [names[item.number] if type(item) is Traced else self.constant(item) for item in call.operands]
        attributes = shortened(call.primitive, call.attributes) if call.attributes else NOTHING
        guard = self.tape.guards.get(number)
        self.nodes[name] = Node(name, op, tuple(inputs), None, attributes, guard=guard)

    def leaf(self, name: str, kind: str, numbers: Any) -> Node:
        """Add a leaf that holds numbers."""
        self.nodes[name] = Node(name, kind, value=_value(numbers))
        return self.nodes[name]

    def constant(self, numbers: Any) -> str:
        """Add a node that holds numbers; its name."""
        name = self.free.fresh("k0")
        self.nodes[name] = Node(name, "constant", (), _value(numbers))
        return name

    def _named(self, number: int, call: RecordedCall | None, like: str) -> str:
        """Name a value after its variable, its place in another one, or else `like` others of its operation."""
        label = ""
        if number in self.tape.names:
            like = self.tape.names[number]
        elif call is not None and (label := _label(call, self.names)):
            element = _element_name(label)
            if element in self.free.taken:  # w[0] once more, which is not to be called w_1
                element += "_again1"
            like = element or like
        name = self.names[number] = self.free.fresh(like)
        if label:
            self.labels[name] = label
        return name


def _label(call: RecordedCall, names: Mapping[int, str]) -> str:
    """An element, as the script writes it: w[0]; "" for anything else."""
    if call.primitive is not getitem or type(source := call.operands[0]) is not Traced:
        return ""
    return f"{names[source.number]}[{call.attributes['index']}]"


def _element_name(label: str) -> str:
    """The name of a node for one element, W_0_1 for W[0, 1]; "" for a slice or a list of elements."""
    stem, _, index = label[:-1].rpartition("[")
    parts = [part.strip() for part in index.split(",")]
    return "_".join([stem, *parts]) if stem and all(part.isdecimal() for part in parts) else ""


def ancestors(tape: ScriptTape, root: int, known: Container[int] = ()) -> list[int]:
    """The numbers of a value and of all that it was computed from, in the order of the tape, without what is known."""
    wanted = bytearray(root + 1)
    wanted[root] = root not in known
    for number in range(root, -1, -1):
        if wanted[number] and (call := tape.calls[number]) is not None:
            for item in call.operands:
                if type(item) is Traced and item.tape is tape and item.number not in known:
                    wanted[item.number] = True
    return [*compress(range(root + 1), wanted)]


def with_guards(tape: ScriptTape, needed: list[int], end: int | None = None, start: int = 0) -> list[int]:
    """The values of a graph with those that led the script to it, and what these were computed from.

    What a script reads later leads to nothing that is here. What it read in an earlier turn of a loop, of a parameter
    that has another value by now, led to values that the graph takes as given. So did what it read of data before
    `start`, where it reads that once more after it. Places in data that is not in the graph cannot be changed there.
    """
    known = set(needed)
    leaves = {number for number in needed if tape.calls[number] is None}
    names = {tape.names[number] for number in leaves if number in tape.names}
    guards = {number: one for number, one in sorted(tape.guards.items()) if end is None or number < end}
    again = {(one.line, one.condition) for number, one in guards.items() if number >= start}
    waiting, visits = list[int](), MOST_VISITS  # guards of data that is not in the graph so far
    for number, one in guards.items():
        if number in known:
            continue
        behind, is_joined = _behind(tape, number, known)
        new = {place for place in behind if tape.calls[place] is None}
        if new <= tape.data:
            own = {number} if one.kind == "number" else set[int]()  # int(x) is no choice of the script's
            if number < start and (one.line, one.condition) in again:
                continue
            if is_joined or _is_choosing_there(tape, behind - own):
                known |= behind
            else:
                waiting.append(number)
            continue
        is_current = all(place in tape.names and tape.names[place] not in names for place in new)
        if is_current and (is_joined or end is not None):  # in numpy counters are numbers as any
            known |= behind
            names |= {tape.names[place] for place in new}
    is_new = True
    while is_new and visits > 0:
        is_new = False
        for number in waiting:
            if number not in known and visits > 0:
                behind, is_joined = _behind(tape, number, known)
                visits -= len(behind)
                known |= behind if is_joined else set()
                is_new = is_new or is_joined
    return sorted(known)


def _is_choosing_there(tape: ScriptTape, numbers: Iterable[int]) -> bool:
    return any(call is not None and is_choosing(call.primitive) for call in map(tape.calls.__getitem__, numbers))


def without_preparations(tape: ScriptTape, needed: list[int]) -> tuple[list[int], set[int]]:
    """The values of a graph without those that only prepare its data, and the variables that hold what they prepared.

    Such a variable, as a batch or data that were scaled, is computed from data without a choice, and nothing else in
    the graph reads that data: so it stands for it.
    """
    fixed, choosing, readers = set[int](), set[int](), dict[int, set[int]]()
    shared = {number for number in needed if number in tape.guards}  # what something else reads
    below = set[int]()  # what is computed from something shared, so that its variable does not stand for it
    for number in needed:
        call = tape.calls[number]
        if call is None:
            fixed |= {number} & tape.data
            continue
        sources = {item.number for item in call.operands if type(item) is Traced and item.tape is tape}
        if not sources <= fixed:
            shared |= sources
            continue
        fixed.add(number)
        for source in sources:
            readers.setdefault(source, set()).add(number)
        if is_choosing(call.primitive) or sources & choosing:
            choosing.add(number)
    for number in needed:
        if readers.get(number) and (number in shared or number in below):
            below |= readers[number]
    prepared, dropped, visits = set[int](), set[int](), MOST_VISITS
    for number in sorted(fixed - choosing - below, reverse=True):
        if number in dropped or tape.calls[number] is None or number not in tape.names or visits < 0:
            continue
        behind = _behind(tape, number, ())[0] - {number}
        visits -= len(behind)
        is_renamed = len(behind) > SHORT or all(tape.names.get(one) != tape.names[number] for one in behind)
        whole = behind | {number}
        if is_renamed and all(readers[one] <= whole for one in behind):
            prepared.add(number)
            dropped |= behind
    return [number for number in needed if number not in dropped], prepared


SHORT = 20  # operations of a preparation such as x = x / 255, of which both values of x are in the graph
MOST_VISITS = 1_000_000  # of values while preparations are looked for; without one the graph is larger


def _behind(tape: ScriptTape, number: int, known: Container[int]) -> tuple[set[int], bool]:
    """A value and what it was computed from, without what is known; and whether something of it is known."""
    behind, waiting, is_joined = set[int](), [number], False
    while waiting:
        one = waiting.pop()
        is_joined = is_joined or one in known
        if one in known or one in behind:
            continue
        behind.add(one)
        call = tape.calls[one]
        waiting += [item.number for item in call.operands if type(item) is Traced and item.tape is tape] if call else []
    return behind, is_joined


def functions_of(calls: Iterable[RecordedCall | None]) -> dict[str, Function]:
    """The functions that some calls use, and those that these use."""
    functions: dict[str, Function] = {}
    for record in dict.fromkeys([call.primitive for call in calls if call]):
        if isinstance(record, FunctionCall):
            functions |= used_functions([Node("", record.name)], record.functions)
    return functions


def _value(numbers: Any) -> Any:
    if isinstance(numbers, FLOATS):
        return as_value(float(numbers))
    array = np.asarray(numbers)
    return as_value(array.astype(np.float64) if array.dtype.kind == "b" else array)
