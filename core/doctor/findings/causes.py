"""Faults by cause: a bad number makes numbers that are computed from it bad, often in other ways."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cadena.core.doctor.findings.marks import Marks, marks
from cadena.core.doctor.findings.places import known_values
from cadena.core.graph.fault import BAD_NUMBERS, About, Fault
from cadena.core.text.wording import PYTHON, Remedies, fill

if TYPE_CHECKING:
    from cadena.core.run.program import Run


class FaultChain(NamedTuple):
    """A fault that no other one explains, with its consequences."""

    fault: Fault
    results: tuple[Fault, ...] = ()


def causes(run: Run, faults: Sequence[Fault]) -> tuple[FaultChain, ...]:
    """Group the faults of a run: each is a cause or a consequence of one."""
    if sum(fault.kind in BAD_NUMBERS for fault in faults) < 2:
        return tuple(map(FaultChain, faults))
    first = _Origins(run, faults).first
    results: dict[int, list[Fault]] = {place: [] for place, fault in enumerate(faults) if first[place] is fault}
    places = {id(faults[place]): place for place in results}
    for place, fault in enumerate(faults):
        if place not in results:
            results[places[id(first[place])]].append(fault)
    return tuple(FaultChain(faults[place], tuple(others)) for place, others in results.items())


AFFECTS = "{fault} (this also spoils {results})"
SEVERAL, MORE = "{results} and {last}", "{count} more"
OF_VALUE, OF_GRADIENT = "{node}: {rule}", "the gradient of {node}: {rule}"


def worded(run: Run, origin: FaultChain, remedies: Remedies = PYTHON, most: int = 3, after_node: bool = False) -> str:
    """The sentence of a fault, with its consequences in brackets; `after_node`: the node was named before it."""
    sentence = origin.fault.after_node(remedies) if after_node else origin.fault.worded(remedies)
    if not origin.results:
        return sentence
    parts = list(dict.fromkeys(_result_text(run, fault) for fault in origin.results))
    if len(parts) > most:
        parts[most - 1 :] = [fill(MORE, {"count": len(parts) - most + 1})]
    listed = fill(SEVERAL, {"results": ", ".join(parts[:-1]), "last": parts[-1]}) if len(parts) > 1 else parts[0]
    return fill(AFFECTS, {"fault": sentence, "results": listed})


def _result_text(run: Run, fault: Fault) -> str:
    """ "p: inf / inf", or "the gradient of x: 0 · inf"."""
    node, what = fault.node, OF_VALUE
    if fault.kind.about == "gradient":
        what, inputs = OF_GRADIENT, run.program.document.nodes[fault.node].inputs
        node = fault.node if fault.slot is None else str(inputs[fault.slot])
    return fill(what, {"node": node, "rule": fault.rule})


class _Origins:
    """A forward and a backward walk, which carry from node to node the fault that made its numbers bad."""

    def __init__(self, run: Run, faults: Sequence[Fault]) -> None:
        self._plan, self._faults = run.plan, faults
        self.first = list(faults)  # for each fault its cause, itself where there is none
        self._at: dict[tuple[str, About | None], list[int]] = {}
        for place, fault in enumerate(faults):
            if fault.kind in BAD_NUMBERS:
                self._at.setdefault((fault.node, fault.kind.about), []).append(place)
        self._values: dict[int, Fault] = {}  # by node: the fault that made its value bad
        self._absorbed: dict[int, Fault] = {}  # what made an operand bad of a value that is not, as in 1 / inf
        self._gradients: dict[int, Fault] = {}
        self._forward(marks(run.values, known_values(run)))
        if run.plan.output is not None:
            self._back(marks(run.gradients, run.plan.reached))

    def _forward(self, bad: Marks) -> None:
        for leaf in self._plan.leaves:
            self._settle(leaf, "value", None, self._values)
        for item in self._plan.instructions:
            brought = _first(self._values, item.operands)
            self._settle(item.out, "value", brought or _first(self._absorbed, item.operands), self._values)
            if brought is not None:
                (self._values if bad.any_at([item.out]) else self._absorbed).setdefault(item.out, brought)

    def _back(self, bad: Marks) -> None:
        for item in reversed(self._plan.instructions):
            before = _first(self._values, (item.out, *item.operands)) or self._gradients.get(item.out)
            self._settle(item.out, "gradient", before, self._gradients)
            origin = before or self._gradients.get(item.out)
            for operand in {item.operands[slot] for slot in item.active}:
                if origin is not None and bad.any_at([operand]):
                    self._gradients.setdefault(operand, origin)
        for leaf in self._plan.leaves:
            self._settle(leaf, "gradient", self._gradients.get(leaf), self._gradients)

    def _settle(self, number: int, about: About, before: Fault | None, known: dict[int, Fault]) -> None:
        """Note the faults of a node as consequences of the one before, else as causes; either goes on from the node."""
        for place in self._at.get((self._plan.names[number], about), ()):
            self.first[place] = before or self._faults[place]
            known.setdefault(number, self.first[place])


def _first(known: dict[int, Fault], numbers: Iterable[int]) -> Fault | None:
    return next((known[number] for number in numbers if number in known), None)
