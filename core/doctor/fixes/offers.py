"""The fixes on offer: those that fit the graph where the number went bad, and that cure it when tried."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from cadena.core.doctor.findings.hints import hints
from cadena.core.doctor.findings.origins import number_faults
from cadena.core.doctor.findings.places import original_numbers
from cadena.core.doctor.findings.vanishing import vanished
from cadena.core.doctor.findings.within import LOST, inside
from cadena.core.doctor.fixes.choices import (
    BY_ZERO,
    fixed_exponent,
    leaky,
    rows_of_masks,
    safe_at_zero,
    safe_product,
    safe_where,
    wider_type,
)
from cadena.core.doctor.fixes.custom import custom_gradient
from cadena.core.doctor.fixes.exponentials import log_of_exponentials
from cadena.core.doctor.fixes.fallbacks import away_from_zero, finite_leaf, inside_domain, spread_above_zero
from cadena.core.doctor.fixes.fix import EQUAL_FORM, Fix, Promise, Provider
from cadena.core.doctor.fixes.formulas import FORMULAS, Formula
from cadena.core.doctor.fixes.patterns import Match, above, matches
from cadena.core.doctor.fixes.rewriting import FormulaTerm, rewritten
from cadena.core.doctor.fixes.selections import rewrites_ahead
from cadena.core.doctor.fixes.trust import is_whole, keeps_the_rest
from cadena.core.graph.document import Document
from cadena.core.graph.fault import BAD_NUMBERS, HINTS, Fault, Kind, Refused
from cadena.core.notation.in_script import LIBRARY, library_of
from cadena.core.ops.magnitudes import norm, std
from cadena.core.rewriting.opening import opened, with_body
from cadena.core.run.program import Run, compile
from cadena.core.text.wording import Clause


def fixes(document: Document, run: Run, fault: Fault) -> tuple[Fix, ...]:
    """The fixes of `fault`, a fault or hint of `run`, which is a run of `document`; the best first.

    Each has been tried: with it the fault disappears and nothing else goes bad. That costs a run each.
    """
    if fault.node not in document.nodes or fault.kind not in ABOUT_NUMBERS:
        return ()
    offered: dict[Fix, bool] = {}
    for provider in PROVIDERS:
        if not (offered and provider in FALLBACKS):
            tried = ((fix, _tried(fix, document, run, fault)) for fix in provider(document, run, fault))
            offered |= {fix: is_whole(run, after) for fix, after in tried if after is not None}
    return tuple(fix for fix, whole in offered.items() if whole or not any(offered.values()))


ABOUT_NUMBERS = BAD_NUMBERS | HINTS


NAN_AT_0 = ("jax", "tensorflow", "autograd")  # libraries whose norm and std have the gradient nan where they are 0


def rewrites(document: Document, run: Run, fault: Fault) -> Iterator[Fix]:
    """Rewrite the formulas around the fault that have a safer form; at each place the largest one.

    At a division by 0 its operands are among the places: 1 / (1 - sigmoid(x)) divides by a 0 that is none.
    """
    candidates = list[tuple[str, Formula, Match, FormulaTerm]]()
    is_nan_at_0 = library_of(document) in NAN_AT_0
    below = [str(source) for source in document.nodes[fault.node].inputs if fault.cause in BY_ZERO]
    for root in [one for one in [*above(document, fault.node), *below] if run.value(one) is not None]:
        advantages = set[str]()
        for formula in FORMULAS:
            if is_nan_at_0 and formula.term[0] in (norm.name, std.name):
                continue  # which the user's library has no gradient for either
            for match in matches(document, root, formula.pattern):
                covers = root in below or match.covers(fault.node)
                term = formula.filled(match, run) if covers else None
                if term is not None and formula.advantage not in advantages:
                    advantages.add(formula.advantage)
                    candidates.append((root, formula, match, term))
    for root, formula, match, term in candidates:
        if not formula.form.nearly or not any(
            _contains(other, match) for _, one, other, _ in candidates if one.form.nearly
        ):
            yield _rewrite(root, formula, match, term)
    for root in above(document, fault.node):
        yield from rewrites_ahead(document, run, root)


def _contains(larger: Match, match: Match) -> bool:
    """Whether a formula stands within a larger one, of which it would change but a part."""
    return set(match.nodes) < set(larger.nodes)


NEARLY_EQUAL = "{root} is the function that was meant, without the number that kept it from going bad: {advantage}"
INSIDE = "Inside {function}: {action}"
EFFECT_INSIDE = "inside the function {function}, {effect}"


def _rewrite(root: str, formula: Formula, match: Match, term: FormulaTerm) -> Fix:
    def apply(now: Document) -> Document:
        if not any(other == match for other in matches(now, root, formula.pattern)):
            raise Refused("{root} has changed since this fix was offered", "look at its problem again", root=root)
        return rewritten(now, root, term, match.letters, match.nodes)

    what = NEARLY_EQUAL if formula.form.nearly else EQUAL_FORM
    promise: Promise = "other" if formula.form.nearly else "same"
    effect = Clause(what, operands={"root": root, "advantage": Clause(formula.advantage)})
    return Fix(Clause(formula.title), effect, apply, promise)


def inside_a_call(document: Document, run: Run, fault: Fault) -> Iterator[Fix]:
    """Fix the subgraph of the function that the node calls, for all calls of that function."""
    function = document.functions.get(document.nodes[fault.node].op)
    if function is not None and function.gradient is not None and function.gradient.used:
        return  # whose gradient would stay as it is
    search = vanished if fault.kind in LOST else number_faults
    inner = inside(run, fault.node, fault.kind, search) if fault.severity == "fault" or fault.kind in LOST else None
    if inner is None:
        return
    body = replace(inner.body, extra={**inner.body.extra, LIBRARY: library_of(document)})
    for fix in fixes(body, inner.run, inner.fault):
        if fix.apply(inner.body).dtype == document.dtype:  # the number type is the whole graph's
            yield _outside(document.nodes[fault.node].op, fault.node, run, fix)


def _outside(function: str, name: str, run: Run, fix: Fix) -> Fix:
    def apply(now: Document) -> Document:
        return with_body(now, function, fix.apply(opened(now, name, run)))

    effect = Clause(EFFECT_INSIDE, operands={"function": function, "effect": fix.effect})
    action = Clause(INSIDE, operands={"function": function, "action": fix.action})
    return Fix(fix.action if fix.is_inside else action, effect, apply, fix.promise, is_inside=True)


def _tried(fix: Fix, document: Document, run: Run, fault: Fault) -> Run | None:
    """The fixed run, if it has neither the fault nor another in its place; else None."""
    try:
        after = run_fixed(fix, document, run)
    except Refused:  # such as a function of nodes of which others use two: it cannot be carried out here
        return None
    good = after is not None and _is_cured(run, after, fault) and keeps_the_rest(fix, run, after)
    return after if good else None


def _is_cured(run: Run, after: Run, fault: Fault) -> bool:
    before = _kinds(number_faults(run))
    now = {key for key in _kinds(number_faults(after)) if key in before or not _was_hidden(run, *key)}
    if (fault.node, fault.kind) in before:
        return now <= before - {(fault.node, fault.kind)}
    was, hinted = (_kinds(hints(one, digits=True)) for one in (run, after))
    # In another number type digits are lost elsewhere; in the same one a formula may lose others than it keeps.
    nothing_new = hinted <= was if after.dtype == run.dtype else len(hinted) <= len(was)
    return now <= before and (fault.node, fault.kind) not in hinted and nothing_new


def _was_hidden(run: Run, name: str, kind: Kind) -> bool:
    """Whether a fault that appears now was hidden before, as its number was bad already."""
    if name not in run.plan.index:
        return False
    node = run.program.document.nodes[name]
    number_of = run.value if kind.about == "value" else run.gradient
    numbers = [number_of(one) for one in (name, *node.inputs) if one is not None]
    return any(array is not None and not np.isfinite(array).all() for array in numbers)


def _kinds(faults: Iterable[Fault]) -> set[tuple[str, Kind]]:
    return {(fault.node, fault.kind) for fault in faults}


def run_fixed(fix: Fix, document: Document, run: Run) -> Run | None:
    """Run the document with this fix on the numbers of its run; None where it cannot run as far as before.

    Raises Refused where the fix cannot be applied.
    """
    fixed = fix.apply(document)
    plan, output = run.plan, run.program.output
    leaves = [plan.names[leaf] for leaf in plan.leaves if plan.names[leaf] in fixed.nodes]
    kept = [name for name in leaves if fixed.nodes[name].value == document.nodes[name].value]  # not those it sets
    requested = [name for name in leaves if plan.reached[plan.index[name]]]
    program = compile(fixed, output, requested)
    if len(program.faults) > len(run.program.faults):
        return None
    dtype = run.dtype if fixed.dtype == document.dtype else fixed.dtype
    return program.run({name: original_numbers(run, plan.index[name]) for name in kept}, dtype, run.seed)


# In the order of the offers. A list, so that other parts of the engine may add theirs.
PROVIDERS: list[Provider] = [
    rewrites, log_of_exponentials, safe_where, safe_at_zero, safe_product, rows_of_masks, fixed_exponent, leaky,
    custom_gradient, inside_a_call, spread_above_zero, away_from_zero, inside_domain, finite_leaf, wider_type,
]  # fmt: skip
FALLBACKS: tuple[Provider, ...] = (
    spread_above_zero,
    away_from_zero,
    inside_domain,
    finite_leaf,
)  # where no other has a fix
