"""What `run` and `check` find out about bad numbers: what mends them, tried on this very run, and hints at finite ones.

Looking for either may take longer than a run, so in a large graph it is done only when asked for.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.fault import Fault
from core.plain_text import ascii_minus, number_text
from core.program import Run
from core.verbs.printing import plain

if TYPE_CHECKING:
    from core.mends import Mend

# A graph weighs as much as it has operations, and one more for every thousand numbers in its arrays.
MOST_LOOKED, MOST_EXPLAINED = 1_000, 20_000  # up to which lost digits, and up to which anything is looked for unasked
MOST_TRIED = 2_000  # weight times the mended faults and hints, unasked: a second or two
EACH = 10  # more, for each fault: every mend is tried against all of them
MOST_LISTED = 12  # hints that are listed, and faults that are repeated; JSON has all
MOST_TOLD = 3  # gradients that are told in a line


class Output(NamedTuple):
    """The output of a mended graph; `changed`: it is another than before."""

    name: str
    value: np.ndarray | None
    changed: bool


class Tried(NamedTuple):
    """A mend, and what the mended graph gives: its output, if it has one, and the gradients that it mends."""

    mend: Mend
    output: Output | None
    gradients: dict[str, np.ndarray]


@dataclass(frozen=True)
class Finding:
    """A fault or hint with its mends, None where none were looked for."""

    fault: Fault
    mends: tuple[Tried, ...] | None = None

    @property
    def report(self) -> dict[str, Any]:
        """As an object for JSON."""
        tried = None if self.mends is None else [_report(one) for one in self.mends]
        fault = self.fault
        return {
            "node": fault.node,
            "kind": fault.kind,
            "message": fault.message,
            "rule": fault.rule or None,
            "mends": tried,
        }


@dataclass(frozen=True)
class Explanation:
    """The faults and hints of a run; `explained` says whether mends and hints were looked for."""

    faults: tuple[Finding, ...]
    hints: tuple[Finding, ...] = ()
    explained: bool = False

    @property
    def report(self) -> dict[str, Any]:
        """As keys for JSON."""
        return {
            "faults": [finding.report for finding in self.faults],
            "hints": [finding.report for finding in self.hints],
            "explained": self.explained,
        }

    def lines(self, whole: bool = False) -> Iterator[str]:
        """For people; nothing where nothing was found. `whole` repeats what is wrong and not only by which rule."""
        yield from _told_faults(self.faults, whole)
        for hint in self.hints[:MOST_LISTED]:
            yield f"Hint: {ascii_minus(hint.fault.message)}."
            yield from _told_mends(hint.mends)
        yield from _more(len(self.hints), "hint")
        bad = [finding for finding in (*self.faults, *self.hints) if finding.fault.rule]
        untried = sum(finding.mends is None for finding in bad)
        if untried == len(bad) > 0:
            what = "mends" if self.explained else "mends and hints"
            yield f"--explain looks for {what}, which may take long in this graph."
        elif untried:
            yield f"--explain looks for what mends the other {untried} too."


def explain(run: Run, faults: Sequence[Fault], asked: bool, with_hints: bool = True) -> Explanation:
    """What is to be said about these faults of `run`, and the hints at it; `asked`: however long it takes."""
    weight = _weight(run)
    if not asked and weight > MOST_EXPLAINED:
        return Explanation(tuple(map(Finding, faults)))
    hinted = _hints(run, digits=asked or weight <= MOST_LOOKED) if with_hints and run.plan.output is not None else ()
    every = [*faults, *hinted]
    most = len(every) if asked else _affordable(weight + EACH * len(faults))
    found = [Finding(fault, _tried(run, fault)) for fault in every[:most]]
    found += map(Finding, every[most:])
    return Explanation(tuple(found[: len(faults)]), tuple(found[len(faults) :]), True)


def _affordable(weight: int) -> int:
    """For how many faults and hints mends are tried unasked."""
    return 0 if weight > MOST_EXPLAINED else max(MOST_TRIED // weight, 1)


def _weight(run: Run) -> int:
    sizes = sum(math.prod(shape) for shape in run.plan.shapes if shape)
    return max(len(run.plan.instructions) + sizes // 1000, 1)


def _hints(run: Run, digits: bool) -> tuple[Fault, ...]:
    from core.diagnosis import hints

    return hints(run, digits)


def _tried(run: Run, fault: Fault) -> tuple[Tried, ...]:
    from core.mends import mends, run_mended

    document, made = run.program.document, []
    for mend in mends(document, run, fault):
        after = run_mended(mend, document, run)
        assert after is not None, mend.title  # mends that do not run are not offered
        made.append(Tried(mend, _output(run, after), _mended(run, after)))
    return tuple(made)


def _output(before: Run, after: Run) -> Output | None:
    name = before.program.output
    if name is None or name not in before.plan.index:
        return None
    old, new = before.value(name), after.value(name)
    return Output(name, new, old is None or new is None or not np.array_equal(old, new, equal_nan=True))


def _mended(before: Run, after: Run) -> dict[str, np.ndarray]:
    """The new gradients of the leaves whose old ones were bad and are not now; if none, of those that are others."""
    names = [before.plan.names[leaf] for leaf in before.plan.leaves if before.plan.reached[leaf]]
    pairs = {name: (before.gradient(name), after.gradient(name)) for name in names if name in after.plan.index}
    known = {name: (old, new) for name, (old, new) in pairs.items() if old is not None and new is not None}
    bad = {name: new for name, (old, new) in known.items() if _is_good(new) and not _is_good(old)}
    return bad or {name: new for name, (old, new) in known.items() if not np.array_equal(old, new, equal_nan=True)}


def _is_good(array: np.ndarray) -> bool:
    return bool(np.isfinite(array).all())


def _report(tried: Tried) -> dict[str, Any]:
    return {
        "label": tried.mend.title,
        "sentence": tried.mend.sentence,
        "value": None if tried.output is None else plain(tried.output.value),
        "gradients": {name: plain(array) for name, array in tried.gradients.items()},
    }


def _told_faults(findings: Sequence[Finding], whole: bool) -> Iterator[str]:
    """Faults that have the same mends are told together."""
    groups: dict[tuple[str, ...], list[Finding]] = {}
    for finding in findings:
        key = tuple(f"{one.mend.title} {one.mend.sentence}" for one in finding.mends or ())
        groups.setdefault(key, []).append(finding)
    for mended, group in groups.items():
        if whole:
            yield from (f"{ascii_minus(finding.fault.message)}." for finding in group[:MOST_LISTED])
            yield from _more(len(group), "fault")
        if mended:
            yield f"What mends {_named(group)}, each tried on these numbers:"
            yield from _told_mends(group[0].mends)


def _more(count: int, word: str) -> Iterator[str]:
    if (left := count - MOST_LISTED) > 0:
        yield f"{left} more {word}{'' if left == 1 else 's'} of these kinds; --json has all of them."


def _named(findings: Sequence[Finding]) -> str:
    """ "e (overflow of exp, 0 · inf)" """
    rules: dict[str, list[str]] = {}
    for finding in findings:
        rules.setdefault(finding.fault.node, []).append(ascii_minus(finding.fault.rule))
    return " and ".join(f"{node} ({', '.join(dict.fromkeys(told))})" for node, told in rules.items())


def _told_mends(mends: Sequence[Tried] | None) -> Iterator[str]:
    for mend, output, gradients in mends or ():
        numbers = [f"the gradient of {name} is {number_text(array)}" for name, array in gradients.items()]
        if len(numbers) > MOST_TOLD:
            numbers[MOST_TOLD:] = [f"{len(numbers) - MOST_TOLD} more gradients change"]
        if output is not None and output.changed:
            numbers.insert(0, f"{output.name} is {number_text(output.value)}")
        then = f" Then {', '.join(numbers)}." if numbers else ""
        yield f"  {ascii_minus(mend.title)}: {ascii_minus(mend.sentence)}.{then}"
