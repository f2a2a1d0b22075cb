"""Explanations of bad numbers, as lines for people and as objects for JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import numpy as np

from cadena.core.graph.fault import Fault
from cadena.core.text.numbers import number_of
from cadena.core.text.plain_text import ascii_minus, number_text
from cadena.core.text.wording import Listing
from cadena.core.verbs.printing import plain
from cadena.core.verbs.wording import REMEDIES

if TYPE_CHECKING:
    from cadena.core.doctor.fixes.fix import Fix

MAX_LISTED = 12  # hints that are listed, and faults that are repeated; JSON has all
MAX_GRADIENTS = 3  # gradients that are named in a line


class Output(NamedTuple):
    """The output of a fixed graph; `changed`: it differs from before."""

    name: str
    value: np.ndarray | None
    changed: bool


class Tried(NamedTuple):
    """A fix with its results: the output of the fixed graph, if it has one, and the gradients that it fixes."""

    fix: Fix
    output: Output | None
    gradients: dict[str, np.ndarray]


class Finding(msgspec.Struct, frozen=True):
    """A fault or hint with its fixes, None where no search was made, and its line, "line 3 of model.py"."""

    fault: Fault
    fixes: tuple[Tried, ...] | None = None
    line: str = ""

    @property
    def report(self) -> dict[str, Any]:
        """As an object for JSON."""
        tried = None if self.fixes is None else [_report(one) for one in self.fixes]
        fault = self.fault
        return {
            "node": fault.node,
            "line": self.line or None,
            "kind": fault.kind,
            "message": fault.worded(REMEDIES),
            "rule": fault.rule or None,
            "fixes": tried,
        }


class Explanation(msgspec.Struct, frozen=True):
    """The faults and hints of a run; `explained`: fixes and hints were searched for."""

    faults: tuple[Finding, ...]
    hints: tuple[Finding, ...] = ()
    explained: bool = False
    causes: tuple[str, ...] = ()  # a sentence for each cause of the faults
    unfixed: tuple[str, ...] = ()  # the nodes of the causes for which no fix was found

    @property
    def report(self) -> dict[str, Any]:
        """As keys for JSON."""
        return {
            "faults": [finding.report for finding in self.faults],
            "hints": [finding.report for finding in self.hints],
            "explained": self.explained,
        }

    def lines(self, whole: bool = False) -> Iterator[str]:
        """Lines for people; none where there is nothing to explain. With `whole`, they repeat the faults' sentences."""
        yield from _fault_lines(self.faults, self.causes, whole)
        if self.unfixed:
            yield f"No fix is known for {Listing(self.unfixed, most=MAX_LISTED).worded()}."
        for hint in self.hints[:MAX_LISTED]:
            yield f"Hint: {_hint(hint)}."
            yield from _fix_lines(hint.fixes)
        yield from _more(len(self.hints), "hint")
        bad = [finding for finding in (*self.faults, *self.hints) if finding.fault.rule]
        untried = sum(finding.fixes is None for finding in bad)
        if untried == len(bad) > 0:
            if self.explained:
                yield "--explain looks for fixes, which may take long in this graph."
            else:
                yield "--explain looks for fixes and hints, which may take long in this graph."
        elif untried:
            yield f"--explain looks for what fixes the other {untried} too."


def _hint(hint: Finding) -> str:
    fault = hint.fault
    if not hint.line:
        return ascii_minus(fault.worded(REMEDIES))
    return ascii_minus(f"{fault.node} ({hint.line}): {fault.after_node(REMEDIES)}")


def _report(tried: Tried) -> dict[str, Any]:
    return {
        "label": tried.fix.title,
        "sentence": tried.fix.sentence,
        "value": None if tried.output is None else plain(tried.output.value),
        "gradients": {name: plain(array) for name, array in tried.gradients.items()},
    }


def _fault_lines(findings: Sequence[Finding], causes: Sequence[str], whole: bool) -> Iterator[str]:
    """List each fix once, with all the faults that it fixes."""
    if whole:
        yield from (f"{ascii_minus(sentence)}." for sentence in causes[:MAX_LISTED])
        yield from _more(len(causes), "fault")
    fixed: dict[str, tuple[Tried, list[Finding]]] = {}
    for finding in findings:
        for tried in finding.fixes or ():
            key = f"{tried.fix.title} {tried.fix.sentence}"
            fixed.setdefault(key, (tried, []))[1].append(finding)
    together: dict[tuple[int, ...], tuple[list[Finding], list[Tried]]] = {}
    for tried, cured in fixed.values():
        together.setdefault(tuple(map(id, cured)), (cured, []))[1].append(tried)
    for cured, offered in together.values():
        yield f"What fixes {_named(cured)}, each tried on these numbers:"
        yield from _fix_lines(offered)


def _more(count: int, word: str) -> Iterator[str]:
    if (left := count - MAX_LISTED) > 0:
        yield f"{number_of(left, f'more {word}')} of these kinds; --json has all of them."


def _named(findings: Sequence[Finding]) -> str:
    """ "e (overflow of exp, 0 · inf)" """
    rules: dict[str, list[str]] = {}
    for finding in findings:
        rules.setdefault(finding.fault.node, []).append(ascii_minus(finding.fault.rule))
    return Listing(tuple(f"{node} ({', '.join(dict.fromkeys(causes))})" for node, causes in rules.items())).worded()


def _fix_lines(fixes: Sequence[Tried] | None) -> Iterator[str]:
    for fix, output, gradients in fixes or ():
        numbers = [f"the gradient of {name} is {number_text(array)}" for name, array in gradients.items()]
        if len(numbers) > MAX_GRADIENTS:
            numbers[MAX_GRADIENTS:] = [f"{len(numbers) - MAX_GRADIENTS} more gradients change"]
        if output is not None and output.changed:
            numbers.insert(0, f"{output.name} is {number_text(output.value)}")
        then = f" Then {', '.join(numbers)}." if numbers else ""
        yield f"  {ascii_minus(fix.title)}: {ascii_minus(fix.sentence)}.{then}"
