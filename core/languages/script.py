"""What a program is to say, whatever its language: the part of the graph behind the output, checked, and its names."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from cadena.core.functions.calls import FunctionCall
from cadena.core.graph import order as graph
from cadena.core.graph.document import Document, Node, as_array, as_value
from cadena.core.graph.fault import Refused, why_stopped
from cadena.core.ops.primitive import Primitive
from cadena.core.ops.walk import Instruction
from cadena.core.run.plan import Plan, make_plan

MOST_GUARDS = 4  # conditions that a program names


@dataclass(frozen=True)
class Script:
    """A document that can be run, cut down to what its output needs."""

    document: Document
    plan: Plan
    output: str
    wanted: tuple[str, ...]  # the leaves whose gradients the program prints
    unreached: tuple[str, ...]  # the leaves that want a gradient, and on which the output does not depend
    guards: str = ""  # a sentence on the conditions that the program does not look at

    @property
    def title(self) -> str:
        """The title of the document, on one line."""
        return " ".join(self.document.title.split()) or f"The graph of {self.output}"

    @property
    def ndim(self) -> int:
        """How many axes the output has."""
        return len(self.plan.shapes[self.plan.index[self.output]] or ())

    @cached_property
    def leaves(self) -> Mapping[str, np.ndarray]:
        """The leaves in the order of the document, their values in its number type."""
        nodes = ((name, node) for name, node in self.document.nodes.items() if node.is_leaf)
        with np.errstate(over="ignore"):
            return {name: as_array(node.value).astype(self.document.dtype) for name, node in nodes}  # type: ignore[arg-type]

    @cached_property
    def dtypes(self) -> Mapping[int, str]:
        """The number type of each node, by its number: an `astype` changes it, the widest operand decides."""
        known = dict.fromkeys(range(len(self.plan.names)), self.document.dtype)
        if any(node.op == "astype" for node in self.document.nodes.values()):
            for out, record, operands, attributes, _ in self.plan.instructions:
                widest = str(np.result_type(*(known[operand] for operand in operands)))
                known[out] = (record.name == "astype" and attributes["dtype"]) or widest
        return known

    def refuse_unknown(self, can_say: Callable[[Instruction], bool], language: str) -> None:
        """Raises Refused for the first operation that cannot be said, in a function too."""
        for instruction in self.plan.instructions:
            if (inner := _unknown(instruction, can_say)) is not None:
                name = self.plan.names[instruction.out]
                raise Refused(
                    "{name}: {op} cannot be said in {language}",
                    "replace it, or choose another language",
                    name=name,
                    op=inner.name,
                    language=language,
                )


def _unknown(instruction: Instruction, can_say: Callable[[Instruction], bool]) -> Primitive | None:
    record = instruction.primitive
    if not isinstance(record, FunctionCall):
        return None if can_say(instruction) else record
    assert record.rules is not None
    bodies = [body for body in (record.rules.body, record.rules.backward) if body is not None]
    inner = (_unknown(step, can_say) for body in bodies for step in body.steps)
    return next((one for one in inner if one is not None), None)


def prepare(document: Document, output: str | None = None, wrt: Collection[str] | None = None) -> Script:
    """What a program about `output` (default: the document's) and its gradients has to say.

    Raises Refused, with the node named, where the output cannot run.
    """
    output = document.output if output is None else output
    if output is None:
        raise Refused("the graph has no output", "choose the node that the program is to compute")
    if output not in document.nodes:
        raise Refused("there is no node {output}", "choose one of the graph's nodes", output=output)
    behind = graph.ancestors(document, output) | {output}
    nodes = {name: node for name, node in document.nodes.items() if name in behind}
    for name in nodes:
        checked_name(name)
    part = replace(document, nodes=nodes, output=output)
    plan = make_plan(part, output, wrt)
    if plan.faults or plan.output is None:
        what = "{output} has no value, so that there is no program to write: {why}"
        raise Refused(what, output=output, why=why_stopped(plan.faults, behind))
    asked = [name for name, node in document.nodes.items() if (node.wants_gradient if wrt is None else name in wrt)]
    if inner := next((name for name in asked if not document.nodes[name].is_leaf), None):
        raise Refused(
            "{inner} is computed from its operands, and a program prints gradients of leaves",
            "choose parameters, inputs or constants",
            inner=inner,
        )
    wanted = tuple(name for name in asked if name in behind and plan.reached[plan.index[name]])
    unwanted = tuple(name for name in asked if name not in wanted)
    return Script(part, plan, output, wanted, unwanted, guards_of(document))


def guards_of(document: Document) -> str:
    """A sentence on the conditions that a program cannot look at: with other numbers the code would do other things."""
    guards = [node.guard for node in document.guarded if node.guard is not None]
    if not guards:
        return ""
    read = [f"{one.condition or 'a number'} in line {one.line}" for one in guards[:MOST_GUARDS]]
    more = [f"{len(guards) - MOST_GUARDS} more"] if len(guards) > MOST_GUARDS else []
    return f"Holds for numbers with which the code still goes the same way: {', '.join([*read, *more])}."


def of_function(document: Document, name: str, shapes: Iterable[tuple[int, ...]]) -> Script:
    """The subgraph of a function, for operands of these shapes."""
    function = document.functions[name]
    return _part(document, zip(function.inputs, shapes, strict=True), function.nodes, function.output)


def of_gradient(document: Document, name: str, shapes: Iterable[tuple[int, ...]], output: str) -> Script:
    """The custom gradient of a function for one operand; `shapes` are those of its operands, result and upstream."""
    backward = document.functions[name].gradient
    assert backward is not None
    return _part(document, zip(backward.inputs, shapes, strict=True), backward.nodes, output)


def _part(
    document: Document, inputs: Iterable[tuple[str, tuple[int, ...]]], nodes: Mapping[str, Node], output: str
) -> Script:
    leaves = {name: Node(name, "input", value=as_value(np.zeros(shape))) for name, shape in inputs}
    inside = replace(document, nodes={**leaves, **nodes}, output=output, extra={}, layout={})
    return Script(inside, make_plan(inside, output, ()), output, (), ())


def checked_name(text: str) -> str:
    """`text`, which is to stand in a program. Raises Refused for what is no name, and would be code there."""
    if not text.isidentifier():  # no file can hold it, a document made by hand can
        raise Refused("{text!r} cannot be a name in a program", "rename it", text=text)
    return text


@dataclass
class Names:
    """The names of the nodes in a program: as in the graph, unless the language forbids it."""

    taken: set[str]  # words of the language, its modules, helpers and functions, then also the names that are given
    codes: dict[str, str] = field(default_factory=dict)
    inline: set[str] = field(default_factory=set)  # the nodes that stand as code where they are used

    def of(self, name: str) -> str:
        """The name in the program for a node of the graph."""
        if name not in self.codes:
            self.codes[name] = self.fresh(name)
        return self.codes[name]

    def fresh(self, like: str) -> str:
        """A free name: `like`, or with an underscore or a number behind it. Raises Refused where `like` is no name."""
        name, number = checked_name(like), 1
        while (as_read := unicodedata.normalize("NFKC", name)) in self.taken:
            name, number = like + ("_" if number == 1 else str(number)), number + 1
        self.taken.add(as_read)
        return name

    def spell(self, code: Mapping[str, str]) -> None:
        """Let code stand for these nodes, in place of a name."""
        self.codes.update(code)
        self.inline.update(code)

    def remark(self, name: str) -> str:
        """A comment for a node that is not called as in the graph."""
        return "" if self.codes.get(name, name) == name else f"  # {name} in the graph"
