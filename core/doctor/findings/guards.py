"""Guards that a run violates: its numbers choose otherwise than the code did from which the graph comes."""

from __future__ import annotations

from collections.abc import Iterator

from cadena.core.functions.calls import guarded_functions
from cadena.core.graph.fault import Fault, Kind
from cadena.core.graph.guards import violation
from cadena.core.rewriting.opening import opened
from cadena.core.run.program import Run, compile

INSIDE = "inside {function}, {problem}"
MOST_CALLS = 300  # that are run by themselves, a millisecond or two each
TOO_MANY = "{function} and the functions in it have more guards than are looked at"


def violated_guards(run: Run) -> Iterator[Fault]:
    """A fault for each guard that the values of `run` violate, also inside functions."""
    return _violated(run, [MOST_CALLS])


def _violated(run: Run, calls_left: list[int]) -> Iterator[Fault]:
    document = run.program.document
    for node in document.guarded:
        value = run.value(node.name) if run.plan.shape_of(node.name) is not None else None
        if node.guard is not None and value is not None and not node.guard.holds(value):
            yield violation(node.name, node.guard, value)
    inner = guarded_functions(document.functions)
    for node in document.nodes.values() if inner else ():
        if node.op in inner and run.plan.shape_of(node.name) is not None:
            yield from _violated_inside(run, node.name, calls_left)


def _violated_inside(run: Run, name: str, calls_left: list[int]) -> Iterator[Fault]:
    function = run.program.document.nodes[name].op
    calls_left[0] -= 1
    if calls_left[0] < 0:
        what, remedy = TOO_MANY, "call them less often"
        yield Fault(name, Kind.VIOLATED_GUARD, what, remedy, {"function": function})
        return
    body = compile(opened(run.program.document, name, run, is_shown=False)).run(dtype=run.dtype)
    for fault in _violated(body, calls_left):
        operands = {"function": function, "problem": fault.after_node()}
        yield Fault(name, Kind.VIOLATED_GUARD, INSIDE, "", operands)
        return
