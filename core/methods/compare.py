"""All methods of differentiation side by side: where they agree, what they cost, and which one to believe."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from cadena.core.doctor.findings.origins import number_faults
from cadena.core.functions.calls import FunctionCall
from cadena.core.graph.document import Document
from cadena.core.graph.fault import BAD_NUMBERS, Refused
from cadena.core.methods.answer import (
    Answer,
    Cancel,
    Elements,
    NoStep,
    element_name,
    never,
    output_number,
    require_single_number,
    require_wanted_leaf,
    spread_elements,
    stop_if,
    wanted_leaves,
)
from cadena.core.methods.choosing import answer_of
from cadena.core.methods.comparison import Comparison, Row
from cadena.core.methods.difference import KINDS
from cadena.core.methods.difference.displaced import Displaced
from cadena.core.methods.difference.edges import edge_at, hidden_edge, narrow_region
from cadena.core.methods.forward.answer import widest
from cadena.core.methods.judging import (
    WIDE,
    Evidence,
    Judgement,
    at_infinity,
    differing,
    is_alone,
    judge,
    undefined,
)
from cadena.core.methods.names import METHODS, REFERENCE, Method
from cadena.core.methods.record import Variant
from cadena.core.methods.reverse.answer import reverse
from cadena.core.methods.scale import magnitudes
from cadena.core.run.program import Run, compile
from cadena.core.text.wording import Clause

MAX_ELEMENTS = 200  # compared one by one; of more, this many are picked, spread evenly over the leaves
MAX_WORK = 200_000  # elements times operations: a large graph is compared at fewer elements
QUICK, TIMES = 0.01, 3  # seconds up to which a method is timed again, and how often in all
MAX_CARRIED = 50_000  # tangents of a pass times operations: between two passes the comparison can be cancelled


def compare(
    document: Document,
    output: str | None = None,
    wrt: Collection[str] | None = None,
    dtype: str | None = None,
    cancelled: Cancel = never,
    seed: Any = None,
    methods: Collection[str] | None = None,
) -> Comparison:
    """Every method on every wanted leaf of `document`, at its values; or reverse mode and those in `methods` alone.

    Raises Refused when there is no output that runs, it is not a single number and no `seed` is given, or no leaf's
    gradient is wanted; Cancelled as soon as `cancelled()` is true, which is asked between any two passes.
    """
    if inner := next((name for name in wrt or () if name in document.nodes and not document.nodes[name].is_leaf), None):
        raise Refused(
            "{inner} is computed from its operands", "choose parameters, inputs or constants to compare", inner=inner
        )
    run = compile(document, output, wrt).run(dtype=dtype, seed=seed)
    return compare_run(run, cancelled, methods, is_seeded=seed is not None)


def compare_run(
    run: Run,
    cancelled: Cancel = never,
    methods: Collection[str] | None = None,
    is_seeded: bool = False,
    kinds: Sequence[str] = ("central", "complex"),
    step: float | None = None,
) -> Comparison:
    """The same for a run that is there already; `is_seeded`: it was given a seed, so its output may be an array.

    `kinds` are the kinds of differences, of `difference.KINDS`, and `step` that of the first one in the place of the
    best: raises NoStep, which is Refused, where it has no quotient.
    """
    output_number(run)
    if not is_seeded:
        require_single_number(run)
    require_wanted_leaf(run)
    most = min(MAX_ELEMENTS, max(MAX_WORK // max(len(run.plan.instructions), 1), 2))
    elements = spread_elements(run, most)
    variants = _variants(kinds, step, sum(map(len, elements.values())))
    answers = tuple(_answers(run, elements, cancelled, variants, methods))
    rows = tuple(_rows(run, answers, elements, cancelled))
    total = sum(map(math.prod, wanted_leaves(run).values()))
    return Comparison(run, answers, rows, sum(map(len, elements.values())), total)


def _variants(kinds: Sequence[str], step: float | None, count: int) -> Iterator[tuple[Variant, Method]]:
    """The variants of all methods that are compared at `count` elements, in the order of the table."""
    for record in METHODS.values():
        for variant in record.variants:
            kind = variant.settings.get("kind")
            if count >= variant.min_elements and (kind is None or kind in kinds):
                yield variant, Method(record.name, **variant.settings, step=step if kind == kinds[0] else None)


def _answers(
    run: Run,
    elements: Elements,
    cancelled: Cancel,
    variants: Iterable[tuple[Variant, Method]],
    methods: Collection[str] | None,
) -> Iterator[Answer]:
    for variant, method in variants:
        settings = replace(method, width=_width(run)) if method.width is None else method
        if methods is None or variant.label in methods or method.is_built_in:
            compute = partial(answer_of, run, settings, elements, cancelled)
            yield _answer(variant.label, partial(_timed, compute) if variant.is_repeated else compute, cancelled)
    if run.dtype != "float64" and (methods is None or WIDE in methods):
        yield _answer(WIDE, partial(_in_float64, run), cancelled)


def _answer(label: str, compute: Callable[[], Answer], cancelled: Cancel) -> Answer:
    stop_if(cancelled)
    try:
        return replace(compute(), method=label)
    except NoStep:  # what was requested cannot be done
        raise
    except Refused as refusal:  # an operation that is not analytic
        return Answer(label, fault=refusal.clause)


def _timed(compute: Callable[[], Answer]) -> Answer:
    """Repeat a quick answer and keep its least time: the first one also waits for caches and threads."""
    answer = compute()
    if answer.seconds > QUICK:
        return answer
    return replace(answer, seconds=min(answer.seconds, *(compute().seconds for _ in range(TIMES - 1))))


def _width(run: Run) -> int:
    """The number of tangents that a pass carries."""
    return max(min(widest(run), MAX_CARRIED // max(len(run.plan.instructions), 1)), 1)


def _in_float64(run: Run) -> Answer:
    wide = _wide(run)
    return replace(reverse(wide), value=Displaced(wide).value)


def _wide(run: Run) -> Run:
    wide: Run = Displaced(run).program.run(dtype="float64", seed=run.seed)
    return wide


def _rows(run: Run, answers: tuple[Answer, ...], elements: Elements, cancelled: Cancel) -> list[Row]:
    """For each leaf the element about which the methods disagree most."""
    point, sizes, rows = Displaced(run, cancelled), magnitudes(run), []
    points = [point] if run.dtype == "float64" else [Displaced(_wide(run), cancelled), point]
    is_defined = any(math.isfinite(value) for value in [point.value, *(answer.value for answer in answers)])
    no_value, custom = undefined(str(run.program.output), point.value), _custom_gradients(run)
    order = ["agree", "none", "edge", "differ"]
    bad = next((fault.node for fault in number_faults(run) if fault.kind in BAD_NUMBERS), None)
    for name, indices in elements.items():
        candidates = [
            Row(name, evidence, _judged(points, name, index, evidence, bad, custom) if is_defined else no_value)
            for index in indices.tolist()
            for evidence in [_evidence(point, answers, name, index, sizes[name])]
        ]
        if candidates:
            rows.append(max(candidates, key=lambda row: (order.index(row.judgement.status), row.relative)))
    return rows


def _evidence(point: Displaced, answers: tuple[Answer, ...], name: str, index: int, sizes: np.ndarray) -> Evidence:
    """Collect the results of the methods for one element, and the limits of what rounding may have done to them.

    Half the digits of the gradient's size, what one rounding of the output amounts to, and the last digits of the
    largest number in the same array: what is smaller cannot be told in this number type.
    """
    usable = [answer for answer in answers if name in answer.gradients and answer.is_sound]
    numbers = {answer.method: float(answer.gradients[name].flat[index]) for answer in usable}
    errors = {answer.method: float(answer.errors[name].flat[index]) for answer in usable if name in answer.errors}
    about, x, size = point.about, abs(point.coordinate(name, index)), float(sizes.flat[index])
    eps, largest = float(about.eps), float(np.max(sizes, initial=0.0, where=np.isfinite(sizes)))
    slack = eps**0.5 * size + point.noise / max(x if math.isfinite(x) else 1.0, 1.0) + 16.0 * eps * largest
    slack += float(about.tiny)
    shape = np.shape(point.array(name))
    return Evidence(element_name(name, index, shape), numbers, errors, size, slack)


def _judged(
    points: Sequence[Displaced],
    name: str,
    index: int,
    evidence: Evidence,
    bad: str | None,
    custom: Clause | None,
) -> Judgement:
    """Judge one element. Edges are looked for in float64 first, where rounding hides none, then as the run has it."""
    point, own = points[-1], evidence.numbers[REFERENCE]
    if not math.isfinite(point.coordinate(name, index)):
        return at_infinity(evidence, point.coordinate(name, index))
    differ, is_finite = differing(evidence), math.isfinite(own)
    if not (differ or not is_finite or is_alone(evidence)):
        return judge(evidence, None, point.run.dtype, bad, custom)
    has_quotient = KINDS["central"] in evidence.numbers
    if is_finite and has_quotient and (narrow := narrow_region(points[0], name, index, own)):
        return judge(evidence, None, point.run.dtype, bad, custom, narrow=narrow)
    edge = next(filter(None, (edge_at(one, name, index) for one in points)), None)
    hidden = hidden_edge(points[0], name, index, evidence.deviation) if differ and is_finite and edge is None else None
    return judge(evidence, edge, point.run.dtype, bad, custom, hidden)


CUSTOM_GRADIENT = "the custom gradient of {function} at {node}"


def _custom_gradients(run: Run) -> Clause | None:
    """The first custom gradient on the way back, for a sentence; None without one."""
    plan = run.plan
    for item in plan.instructions if run.program.document.functions else ():
        if plan.reached[item.out] and isinstance(item.primitive, FunctionCall) and item.primitive.is_custom:
            return Clause(CUSTOM_GRADIENT, operands={"function": item.primitive.name, "node": plan.names[item.out]})
    return None
