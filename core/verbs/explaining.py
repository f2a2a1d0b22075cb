"""Explanations of bad numbers for `run` and `check`: fixes, tried on this very run, and hints at finite numbers.

Either search may take longer than a run, so in a large graph it is done only on request.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from cadena.core.doctor.findings.causes import FaultChain, causes, worded
from cadena.core.graph.fault import Fault
from cadena.core.notation.in_script import line_of_fault
from cadena.core.run.program import Run
from cadena.core.verbs.explanation import Explanation, Finding, Output, Tried
from cadena.core.verbs.wording import REMEDIES

# A graph weighs as much as it has operations, and one more for every thousand numbers in its arrays.
MAX_DIGITS_COMPARED, MAX_EXPLAINED = (
    1_000,
    20_000,
)  # up to which lost digits, and up to which anything is looked for unasked
MAX_TRIED = 2_000  # weight times the fixed faults and hints, unasked: a second or two
EACH = 10  # more, for each fault: every fix is tried against all of them


def explain(run: Run, faults: Sequence[Fault], requested: bool, with_hints: bool = True) -> Explanation:
    """Explain these faults of `run`, and give hints; if `requested`, however long it takes."""
    document, chains = run.program.document, causes(run, faults)
    sentences = tuple(_sentence(run, chain) for chain in chains)
    weight = _weight(run)
    if not requested and weight > MAX_EXPLAINED:
        findings = [Finding(fault, line=line_of_fault(document, fault)) for fault in faults]
        return Explanation(tuple(findings), causes=sentences)
    hinted = (
        _hints(run, digits=requested or weight <= MAX_DIGITS_COMPARED)
        if with_hints and run.plan.output is not None
        else ()
    )
    together = [*faults, *hinted]
    most = len(together) if requested else _affordable(weight + EACH * len(faults))
    tried = [_tried(run, fault) for fault in together[:most]] + [None] * len(together[most:])
    findings = [Finding(fault, fixes, line_of_fault(document, fault)) for fault, fixes in zip(together, tried)]
    fixes_of = {id(finding.fault): finding.fixes for finding in findings}
    unfixed = [
        chain.fault.node
        for chain in chains
        if chain.fault.rule and all(fixes_of[id(fault)] == () for fault in (chain.fault, *chain.results))
    ]
    of_faults, of_hints = tuple(findings[: len(faults)]), tuple(findings[len(faults) :])
    return Explanation(of_faults, of_hints, True, sentences, tuple(dict.fromkeys(unfixed)))


def _sentence(run: Run, chain: FaultChain) -> str:
    """The sentence of a fault, with its line where one is known."""
    line = line_of_fault(run.program.document, chain.fault)
    sentence = worded(run, chain, REMEDIES, after_node=bool(line))
    return f"{chain.fault.node} ({line}): {sentence}" if line else sentence


def affordable_hints(run: Run) -> tuple[Fault, ...]:
    """The hints that are looked for unasked: fewer kinds in a larger graph, and none in a very large one."""
    weight = _weight(run)
    if weight > MAX_EXPLAINED or run.plan.output is None:
        return ()
    return _hints(run, digits=weight <= MAX_DIGITS_COMPARED)


def fix_titles(run: Run, faults: Sequence[Fault]) -> dict[str, str] | None:
    """The title of the best fix for each node with a fault that no other explains, "" where there is none.

    None where the graph is too large to try them unasked.
    """
    from cadena.core.doctor.fixes.offers import fixes

    if len(faults) > _affordable(_weight(run) + EACH * len(faults)):
        return None
    titles = dict[str, str]()
    for cause in causes(run, faults):
        tried = (fixes(run.program.document, run, fault) for fault in (cause.fault, *cause.results))
        titles.setdefault(cause.fault.node, next((offered[0].title for offered in tried if offered), ""))
    return titles


def _affordable(weight: int) -> int:
    """The number of faults and hints for which fixes are tried without a request."""
    return 0 if weight > MAX_EXPLAINED else max(MAX_TRIED // weight, 1)


def _weight(run: Run) -> int:
    sizes = sum(math.prod(shape) for shape in run.plan.shapes if shape)
    return max(len(run.plan.instructions) + sizes // 1000, 1)


def _hints(run: Run, digits: bool) -> tuple[Fault, ...]:
    from cadena.core.doctor.findings.hints import hints

    return hints(run, digits)


def _tried(run: Run, fault: Fault) -> tuple[Tried, ...]:
    from cadena.core.doctor.fixes.offers import fixes, run_fixed

    document, tried = run.program.document, []
    for fix in fixes(document, run, fault):
        after = run_fixed(fix, document, run)
        assert after is not None, fix.title  # fixes that do not run are not offered
        tried.append(Tried(fix, _output(run, after), _fixed(run, after)))
    return tuple(tried)


def _output(before: Run, after: Run) -> Output | None:
    name = before.program.output
    if name is None or name not in before.plan.index:
        return None
    old, new = before.value(name), after.value(name)
    return Output(name, new, old is None or new is None or not np.array_equal(old, new, equal_nan=True))


def _fixed(before: Run, after: Run) -> dict[str, np.ndarray]:
    """The new gradients of the leaves whose old ones were bad and are not now; if none, of those that are others."""
    names = [before.plan.names[leaf] for leaf in before.plan.leaves if before.plan.reached[leaf]]
    pairs = {name: (before.gradient(name), after.gradient(name)) for name in names if name in after.plan.index}
    known = {name: (old, new) for name, (old, new) in pairs.items() if old is not None and new is not None}
    bad = {name: new for name, (old, new) in known.items() if _is_good(new) and not _is_good(old)}
    return bad or {name: new for name, (old, new) in known.items() if not np.array_equal(old, new, equal_nan=True)}


def _is_good(array: np.ndarray) -> bool:
    return bool(np.isfinite(array).all())
