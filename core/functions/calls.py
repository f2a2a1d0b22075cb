"""Functions of a document as operations: records like those in `cadena.core.ops`, built from their subgraphs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any

import numpy as np

from cadena.core.functions.body import FunctionFault, flatten
from cadena.core.functions.library_gradient import as_in
from cadena.core.functions.rules import Rules
from cadena.core.graph import order as graph
from cadena.core.graph.document import LEAVES, OFF, Document, Function
from cadena.core.graph.subgraphs import calls_graph
from cadena.core.ops.expression import CALL, Notation, upright
from cadena.core.ops.primitive import REGISTRY, Primitive, Slot, fit
from cadena.core.text.wording import Clause

MAX_STEPS = 1_000_000  # operations of one call, forward and back: some seconds
MAX_CALL_DEPTH = 40  # calls within calls; each takes a few levels of Python's stack


class FunctionCall(Primitive, frozen=True, kw_only=True, eq=False):
    """A function as an operation. An invalid one has a `fault` in place of `rules`."""

    functions: Mapping[str, Function]  # all functions of the document
    rules: Rules | None
    fault: Clause | None = None
    size: int = 0  # operations of one call, those of the calls in it included
    work: int = 0  # the same, counting that a reverse pass computes the values of the calls in it anew at every level
    depth: int = 1

    @property
    def is_custom(self) -> bool:
        """Whether a custom gradient takes the place of the chain rule, in it or in a call within."""
        if self.rules is None or self.rules.backward is not None:
            return self.rules is not None
        inner = [step.primitive for step in self.rules.body.steps]
        return any(item.is_custom for item in inner if isinstance(item, FunctionCall))

    def vjps(
        self, slots: Iterable[int], upstream: Any, y: Any, operands: Sequence[Any], attributes: dict[str, Any]
    ) -> Iterable[tuple[int, Any]]:
        """For all operands at once: the rule of one slot would go through the whole subgraph for each."""
        assert self.rules is not None, self.fault
        parts = self.rules.pull(upstream, y, operands)
        return [(slot, fit(parts[slot], operands[slot])) for slot in slots]

    def jvps(self, tangents: Mapping[int, Any], y: Any, operands: Sequence[Any], attributes: dict[str, Any]) -> Any:
        """For all operands at once, as above."""
        assert self.rules is not None, self.fault
        return fit(self.rules.push(tangents, y, operands), y)

    def parts(self, upstream: Any, y: Any, operands: Sequence[Any]) -> list[np.ndarray | None]:
        """The contribution to each operand's gradient, of its shape; None where there is none."""
        assert self.rules is not None, self.fault
        contributions = self.rules.pull(upstream, y, operands)
        return [
            np.asarray(part) if slot.differentiable else None
            for part, slot in zip(contributions, self.slots, strict=True)
        ]


class _IdentityKey:
    """A mapping as a key: equal to itself only, since comparing all functions would take longer than making them."""

    __slots__ = ("functions",)

    def __init__(self, functions: Mapping[str, Function]) -> None:
        self.functions = functions

    def __hash__(self) -> int:
        return id(self.functions)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _IdentityKey) and self.functions is other.functions


def operation(document: Document, op: str) -> Primitive | None:
    """The record of the operation `op` in this document; None for a leaf and for an unknown operation.

    A function of the document goes first: an operation of that name which comes with a later Cadena changes no file.
    """
    if op in document.functions:
        return operations(document.functions)[op]
    return None if op in LEAVES else REGISTRY.get(op)


def operations(functions: Mapping[str, Function]) -> Mapping[str, FunctionCall]:
    """Every function as an operation; built once for a mapping, which is never changed in place."""
    return _operations(_IdentityKey(functions))


def guarded_functions(functions: Mapping[str, Function]) -> frozenset[str]:
    """The functions with a guard in them, or in a function that they call."""
    return _guarded_functions(_IdentityKey(functions)) if functions else frozenset()


@lru_cache(maxsize=8)
def _guarded_functions(key: _IdentityKey) -> frozenset[str]:
    names = {name for name, one in key.functions.items() if any(node.guard for node in one.nodes.values())}
    callers = calls_graph(key.functions).consumers if names else {}
    waiting = [*names]
    for name in waiting:
        new = {caller for caller, _ in callers[name]} - names
        names |= new
        waiting += new
    return frozenset(names)


@lru_cache(maxsize=8)
def _operations(key: _IdentityKey) -> Mapping[str, FunctionCall]:
    functions = key.functions
    ordered, cycles = graph.order(calls_graph(functions))
    on_cycle = {name: tuple(reversed(path)) for path in cycles for name in path}
    built: dict[str, FunctionCall] = {}
    for name in ordered:
        built[name] = _build(name, functions, built, on_cycle.get(name))
    return built


def _build(
    name: str, functions: Mapping[str, Function], built: Mapping[str, FunctionCall], cycle: Sequence[str] | None
) -> FunctionCall:
    function = functions[name]
    try:
        if cycle:
            path = " → ".join(cycle)
            raise FunctionFault(
                "the function {name} contains itself: {path}", "take one of these calls out of it", name=name, path=path
            )
        rules = _rules(name, function, built)
        return _call(name, functions, rules)
    except FunctionFault as fault:
        return _faulty_call(name, function, fault.clause)


def _rules(name: str, function: Function, built: Mapping[str, FunctionCall]) -> Rules:
    try:
        body = flatten(function.inputs, function.nodes, [function.output], built)
    except FunctionFault as fault:
        raise FunctionFault("in function {name}, {fault}", name=name, fault=fault) from None
    if not function.inputs:
        raise FunctionFault("the function {name} has no operand", "give it one, or make a constant of it", name=name)
    backward, custom = None, function.gradient
    if custom is not None and custom.used:
        count = len(function.inputs)
        if len(custom.inputs) != count + 2 or len(custom.outputs) != count:
            raise FunctionFault(
                "the custom gradient of {name} must read the operands ({inputs}), the result and the upstream gradient,"
                " and give one gradient for each operand",
                "correct its inputs and outputs",
                name=name,
                inputs=", ".join(function.inputs),
            )
        try:
            backward = flatten(custom.inputs, custom.nodes, custom.outputs, built)
        except FunctionFault as fault:
            raise FunctionFault("in the custom gradient of {name}, {fault}", name=name, fault=fault) from None
    return Rules(name, function.inputs, body, backward)


def _call(name: str, functions: Mapping[str, Function], rules: Rules) -> FunctionCall:
    inner = [step for body in (rules.body, rules.backward) if body for step in body.steps]
    calls = [step.primitive for step in inner if isinstance(step.primitive, FunctionCall)]
    if fault := next((item.fault for item in calls if item.fault is not None), None):
        raise FunctionFault.of(fault)
    size, depth = len(inner) + sum(item.size for item in calls), 1 + max((item.depth for item in calls), default=0)
    work = size + sum(item.work for item in calls)
    if work > MAX_STEPS or depth > MAX_CALL_DEPTH:
        what = "the function {name} is nested so that one call takes {work} operations"
        if depth > MAX_CALL_DEPTH:
            what = "the function {name} is nested {depth} levels deep"
        raise FunctionFault(what, "make it simpler", name=name, work=work, depth=depth)
    slots = tuple(
        Slot(
            label,
            transpose=partial(rules.transpose, slot),
            push=partial(rules.push_slot, slot),
            shown=rules.shown(slot),
            differentiable=rules.carries(slot),
        )
        for slot, label in enumerate(rules.labels)
    )
    record = _words(name, functions[name]) | {"value": rules.value, "slots": slots, "shape": rules.shape}
    return FunctionCall(**record, functions=functions, rules=rules, size=size, work=work, depth=depth)


def _faulty_call(name: str, function: Function, fault: Clause) -> FunctionCall:
    """The record of a function that cannot be called: its shape and value rules raise the reason."""

    def refuse(*operands: Any) -> Any:
        raise FunctionFault.of(fault)

    slots = tuple(Slot(label, transpose=refuse, push=refuse, shown="") for label in function.inputs)
    return FunctionCall(
        **_words(name, function), value=refuse, slots=slots, shape=refuse, functions={}, rules=None, fault=fault
    )


def _words(name: str, function: Function) -> dict[str, Any]:
    """The title, phrase and help of a function."""
    latex = upright(name).replace("{", "{{").replace("}", "}}")
    if function.off:
        return _words_off(name, function)
    if (own := as_in(function)) and (record := REGISTRY.get(own.node.op)) and not record.attributes:
        doc = f"{record.doc} The gradient is that of {own.library}, which differs from Cadena's own at some points."
        words = {key: getattr(record, key) for key in ("notation", "title", "symbol", "phrase")}
        return {**words, "name": name, "category": "Functions", "doc": doc, "examples": ()}
    return {
        "name": name,
        "notation": Notation(f"{name}({{operands}})", rf"{latex}\left({{operands}}\right)", CALL),
        "title": name,
        "symbol": name,
        "phrase": f"{name} of {{operands}}",
        "category": "Functions",
        "doc": function.doc or f"A function of this graph: {', '.join(function.inputs)} to {function.output}.",
        "examples": (),
    }


def _words_off(name: str, function: Function) -> dict[str, Any]:
    """The words for the call of a node that is off: what comes out of it, and that its operation is not carried out."""
    inner = function.nodes[function.extra[OFF]["node"]].op
    passing = function.inputs.index(function.output) if function.output in function.inputs else None
    result = "0" if passing is None else f"{{{passing}}}"
    return {
        "name": name,
        "notation": Notation(result, result, CALL, (CALL,)),
        "title": f"{inner}, {function.off}",
        "symbol": REGISTRY[inner].symbol if inner in REGISTRY else inner,
        "phrase": f"{result}, as {inner} is {function.off}",
        "category": "Functions",
        "doc": f"The operation {inner} is {function.off}; switch it on to carry it out again.",
        "examples": (),
    }
