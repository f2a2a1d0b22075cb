"""Each step of a run in one sentence and one formula: the rule in symbols, the same with numbers, the result."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import numpy as np

from cadena.core.functions.calls import FunctionCall, operation
from cadena.core.methods.reverse.timeline import PLACED, Paint, Step, Timeline
from cadena.core.notation.calls import call_with_numbers, constant_number, latex_definition, shown_latex, written_name
from cadena.core.notation.in_script import line_of, shown_name, with_shown_names
from cadena.core.ops.expression import CALL, POWER, SUM, Symbol, Written, free_names, listed, written, written_number
from cadena.core.ops.primitive import Primitive, operand_names
from cadena.core.run.program import Run
from cadena.core.text.numbers import ELLIPSIS, PLAIN, Figures, figures, fits, latex_number, shape_text, short

MAX_FOR_A_LABEL = 1000  # operations in a call that are gone through for one label
NUMBER = re.compile(r"-?[\d.]+(\\,\d+)*(\\ldots)?( \\cdot 10\^\{-?\d+\})?")  # in LaTeX, and nothing else
PHASES = {"forward": "Forward pass", "seed": "Seed", "reverse": "Reverse pass", "quotient": "Quotient"}


def no_paint(role: str, latex: str) -> str:
    """Formulas without colours, for text files."""
    return latex


def ratio(run: Run, top: str, bottom: str, latex: bool) -> str:
    """The derivative of one node with respect to another, in symbols."""
    if latex:
        return rf"\frac{{\partial {shown_latex(run, top)}}}{{\partial {shown_latex(run, bottom)}}}"
    return f"∂{shown_name(run.program.document, top)}/∂{shown_name(run.program.document, bottom)}"


def _record(run: Run, node: str) -> Primitive:
    """The record of the operation of `node`, which has run."""
    document = run.program.document
    record = operation(document, document.nodes[node].op)
    assert record is not None, node
    return record


def local_symbol(run: Run, node: str, slot: int, latex: bool = False) -> Written:
    """The local derivative of an elementwise node for one slot, in the names of its operands."""
    item = run.program.document.nodes[node]
    record = _record(run, node)
    own = record.slot(slot)
    shown: Any = own.shown or own.partial
    attributes = record.complete(item.attributes)
    return _read(run, node, partial(shown, **attributes), latex)


def _read(run: Run, node: str, law: Any, latex: bool, upstream: str | None = None) -> Written:
    """A rule printed with the names of `node` and its operands; `upstream` is how its first parameter is written."""
    document = run.program.document
    item = document.nodes[node]
    names = {"y": written_name(document, node, latex), "g": Written(upstream or "", CALL)}
    free = [Symbol("g"), Symbol("y")] if upstream else [Symbol("y")]
    keys = operand_names(_record(run, node), len(item.inputs))
    for key, operand in zip(keys, map(str, item.inputs), strict=True):
        value = constant_number(document, operand)
        free.append(Symbol(key if value is None else value))
        names[key] = written_name(document, operand, latex)
    symbol = law(*free)
    return written(symbol if isinstance(symbol, Symbol) else Symbol(float(symbol)), names, latex)


def local_sources(run: Run, node: str, slot: int) -> frozenset[str]:
    """The nodes whose values the local derivative of a wire is computed from: for a product the other factor."""
    if run.local(node, slot) is None:
        return frozenset()
    item, record = run.program.document.nodes[node], _record(run, node)
    own = record.slot(slot)
    law: Any = own.shown or own.partial
    names = {"y": node} | dict(zip(operand_names(record, len(item.inputs)), map(str, item.inputs), strict=True))
    symbol = law(*map(Symbol, names), **record.complete(item.attributes))
    return frozenset(names[key] for key in free_names(symbol) if key in names)


def local_label(run: Run, node: str, slot: int) -> str:
    """The label at a wire in the reverse pass: "∂m3/∂b1 = w3 = 7"; for a matrix rule "∂L/∂W += Xᵀ ∂L/∂Z"."""
    operand = str(run.program.document.nodes[node].inputs[slot])
    local = run.local(node, slot)
    if local is None:
        if (slope := _slope_of_call(run, node, slot)) is not None:
            shown: Any = _record(run, node).slot(slot).shown
            by_name = "" if isinstance(shown, str) else _read(run, node, partial(shown, Symbol(1.0)), False).text
            return " = ".join(
                dict.fromkeys(part for part in (ratio(run, node, operand, False), by_name, short(slope)) if part)
            )
        return f"{ratio(run, str(run.target), operand, False)} += {rule(run, node, slot, False)}"
    parts = [ratio(run, node, operand, False), local_symbol(run, node, slot).text]
    if local.ndim == 0 and short(local) != parts[-1].replace(ELLIPSIS, ""):
        parts.append(short(local))
    return " = ".join(parts)


def _slope_of_call(run: Run, node: str, slot: int) -> Any:
    """The local derivative of a function of numbers, which has no formula of its own; None for all else."""
    record = _record(run, node)
    if not isinstance(record, FunctionCall) or record.size > MAX_FOR_A_LABEL:
        return None
    if record.rules is None or record.rules.backward is not None:  # a custom gradient need not be a product
        return None
    y, *operands = [np.asarray(run.value(str(name))) for name in (node, *run.program.document.nodes[node].inputs)]
    if y.ndim or operands[slot].ndim:
        return None
    with np.errstate(all="ignore"):
        return np.asarray(record.vjp(slot, np.ones((), y.dtype), y, operands, {}))


def has_local(run: Run, node: str, slot: int) -> bool:
    """Whether the contribution of a wire is upstream times a local derivative that has a number of its own."""
    if run.local(node, slot) is not None:
        return True
    return isinstance(_record(run, node).slot(slot).shown, str) and _slope_of_call(run, node, slot) is not None


def rule(run: Run, node: str, slot: int, latex: bool, paint: Paint = no_paint) -> str:
    """The contribution of a wire in symbols: upstream times local derivative, or the rule of a matrix operation."""
    primitive = _record(run, node)
    upstream = paint("gradient", ratio(run, str(run.target), node, latex))
    operand = str(run.program.document.nodes[node].inputs[slot])
    if primitive.elementwise:
        is_array = bool(run.plan.shapes[run.plan.index[node]])
        dot = (r" \odot " if latex else " ⊙ ") if is_array else (r" \cdot " if latex else " · ")
        return f"{upstream}{dot}{ratio(run, node, operand, latex)}"
    attributes = primitive.complete(run.program.document.nodes[node].attributes)
    shown: Any = primitive.slot(slot).printed(attributes)
    if has_local(run, node, slot):
        dot = r" \cdot " if latex else " · "
        return f"{upstream}{dot}{ratio(run, node, operand, latex)}"
    if isinstance(shown, str):
        return rf"\text{{{shown}}}\left({upstream}\right)" if latex else f"{shown}({upstream})"
    return _read(run, node, shown, latex, upstream).text


def before_title(timeline: Timeline) -> str:
    """The title before the first step."""
    return f"Before the first of {len(timeline)} steps." if len(timeline) else "There are no steps."


def step_title(timeline: Timeline, index: int, has_landed: bool = True) -> str:
    """The title of a step: "Reverse pass, step 21 of 34: L depends on b1 through m3, line 8.".

    Other methods name their results in it; before they have landed it names the node alone.
    """
    document = timeline.run.program.document
    title = with_shown_names(document, _title(timeline, index, has_landed))
    line = line_of(document, timeline[index].node)
    return f"{title.removesuffix('.')}, line {line}{'.' if title.endswith('.') else ''}" if line else title


def _title(timeline: Timeline, index: int, has_landed: bool) -> str:
    if own := timeline.describe(index):
        unfinished = PLACED.format(place=own.place or PHASES["quotient"], outcome=timeline[index].node)
        return own.title if has_landed else unfinished
    step, head = timeline[index], step_place(timeline, index)
    if step.phase == "forward":
        title = f"{head}: {step.node} is {_phrase(timeline.run, step.node)}"
        return title if title.endswith(ELLIPSIS) else f"{title}."
    if step.phase == "seed":
        if timeline.run.target == step.node:
            return f"{head}: the reverse pass begins at {step.node}."
        return f"{head}: the reverse pass begins at {step.node} with the gradient from {timeline.run.target}."
    return f"{head}: {_dependence(timeline.run, step)}."


def step_place(timeline: Timeline, index: int) -> str:
    """The part of a method to which a step belongs: "Reverse pass, step 21 of 34", "Run 1 of 2, at x + h"."""
    own = timeline.describe(index)
    return own.place if own else f"{PHASES[timeline[index].phase]}, step {index + 1} of {len(timeline)}"


def _phrase(run: Run, node: str) -> str:
    """The operation of a node in words: "w0 times a1"."""
    item = run.program.document.nodes[node]
    primitive = _record(run, node)
    attributes = primitive.complete(item.attributes)
    axis = attributes.get("axis")
    tail = "" if axis is None else f" over axis {axis}" if isinstance(axis, int) else f" over axes {axis}"
    operands = [written_name(run.program.document, str(source), False).text for source in item.inputs]
    return primitive.phrase.format(*operands, **attributes, operands=listed(operands)) + tail


def _dependence(run: Run, step: Step) -> str:
    target, inputs = run.target, run.program.document.nodes[step.node].inputs
    if step.slot is None or inputs.count(step.operand) == 1:
        if step.node == target:
            return f"{target} depends directly on {step.operand}"
        return f"{target} depends on {step.operand} through {step.node}"
    label = _record(run, step.node).slot(step.slot).label
    if step.node == target:
        return f"{target} depends directly on {step.operand} (as its operand {label!r})"
    return f"{target} depends on {step.operand} through {step.node} (as its operand {label!r})"


def step_sentence(timeline: Timeline, index: int) -> str:
    """The step in one plain sentence with its numbers."""
    return with_shown_names(timeline.run.program.document, _sentence(timeline, index))


def _sentence(timeline: Timeline, index: int) -> str:
    if own := timeline.describe(index):
        return own.sentence
    step = timeline[index]
    if step.phase == "forward":
        return value_sentence(timeline.run, step.node)
    return (_seed_sentence if step.phase == "seed" else _reverse_sentence)(timeline, step)


def value_sentence(run: Run, node: str) -> str:
    """The sentence of an operation with its numbers: "m1 is w0 times a1: 2 · 4 = 8."."""
    return f"{value_clause(run, node)}."


def value_clause(run: Run, node: str) -> str:
    """The same as a clause of a longer sentence."""
    value = np.asarray(run.value(node))
    head = f"{node} is {_phrase(run, node)}"
    operands = [np.asarray(run.value(str(source))) for source in run.program.document.nodes[node].inputs]
    if value.ndim == 0 and all(operand.ndim == 0 for operand in operands):
        return f"{head}: {call_with_numbers(run, node)} {short(value)}"
    if value.ndim == 0:
        return f"{head}: {short(value)}"
    return f"{head}, {_with_article(value)}{_written_out(value)}"


def _with_article(value: Any) -> str:
    text = shape_text(np.shape(value))
    return f"a {text}" if text.startswith("vector") else f"an array of shape {text}"


def _written_out(value: Any) -> str:
    return f": {short(value)}" if fits(value) else ""


def _seed_sentence(timeline: Timeline, step: Step) -> str:
    run, output = timeline.run, step.node
    seed = run.seed
    if run.target != output:
        arrived = f", {short(seed)}" if fits(seed) else ""
        return f"The reverse pass begins at {output} with the gradient that has come to it from {run.target}{arrived}."
    if seed.ndim == 0:
        return f"The reverse pass begins at {output}: the gradient of {output} with respect to itself is {short(seed)}."
    return (
        f"The reverse pass begins at {output}, which has {seed.size} elements: the seed is 1 for each, so the "
        f"gradients are those of their sum."
        if bool((seed == 1).all())
        else f"The reverse pass begins at {output} with the seed {short(seed)}."
    )


def _reverse_sentence(timeline: Timeline, step: Step) -> str:
    run = timeline.run
    assert step.slot is not None and step.operand is not None
    target = ratio(run, str(run.target), step.operand, False)
    contribution = _contribution(run, step)
    head = f"{_dependence(run, step)}: {target} += {rule(run, step.node, step.slot, False)}"
    of_sum = _sum_figures(timeline, step)
    of_product = _product_figures(timeline, step, of_sum.digits)
    product = _product(run, step.node, step.slot, of_product, False)
    equals = of_product.equals if product else "="
    result = f" {equals} {short(contribution, of_sum.digits, of_sum.marked)}" if fits(contribution) else ""
    return f"{head}{product}{result}{_total(timeline, step, target, of_sum)}."


def _sum_figures(timeline: Timeline, step: Step) -> Figures:
    """The digits of a contribution, and of the sum before it, beside their sum."""
    assert step.slot is not None
    before, total = (timeline.accumulated(str(step.operand), step.index + after) for after in (0, 1))
    if before is None or total is None:
        return PLAIN
    return figures(np.add, (before, _contribution(timeline.run, step)), total)


def _product_figures(timeline: Timeline, step: Step, digits: int) -> Figures:
    """The digits of the upstream gradient and of the local derivative beside the contribution, shown to `digits`."""
    assert step.slot is not None
    run = timeline.run
    local, upstream = _factor(run, step.node, step.slot), run.gradient(step.node)
    if local is None or upstream is None:
        return PLAIN
    return figures(np.multiply, (upstream, local), _contribution(run, step), digits)


def _contribution(run: Run, step: Step) -> np.ndarray:
    """The contribution of a reverse step to the gradient of its operand."""
    assert step.slot is not None
    return np.asarray(run.contribution(step.node, step.slot))


def _factor(run: Run, node: str, slot: int) -> Any:
    """The local derivative that the upstream gradient is multiplied by; None for a rule that is no product."""
    local = run.local(node, slot)
    return _slope_of_call(run, node, slot) if local is None and has_local(run, node, slot) else local


def _product(run: Run, node: str, slot: int, precision: Figures, latex: bool, paint: Paint = no_paint) -> str:
    """The contribution of a scalar wire with numbers, led by "=": " = −7 · 4"; empty for arrays in plain text."""
    local, upstream = _factor(run, node, slot), run.gradient(node)
    if local is None or upstream is None or not (fits(local) and fits(upstream)):
        return ""
    if local.ndim and not latex:
        return ""
    left, right = (written_number(number, latex, precision) for number in (upstream, local))
    dot = (r" \odot " if local.ndim else r" \cdot ") if latex else " · "
    first = left.text if left.binding >= SUM or not latex else rf"\left({left.text}\right)"
    second = right.text if right.binding >= POWER else (rf"\left({right.text}\right)" if latex else f"({right.text})")
    return f" = {paint('gradient', first)}{dot}{paint('value', second)}"


def _total(timeline: Timeline, step: Step, target: str, precision: Figures) -> str:
    """The gradient so far, when this was not the first contribution."""
    arrivals = timeline.arrivals[str(step.operand)]
    if len(arrivals) == 1 or step.index == arrivals[0][0]:
        return ""
    total = timeline.accumulated(str(step.operand), step.index + 1)
    if not fits(total):
        return f"; the sum of {sum(at <= step.index for at, _, _ in arrivals)} contributions so far"
    before = short(timeline.accumulated(str(step.operand), step.index), precision.digits, precision.marked)
    return f"; with {before} from before, {target} is now {short(total)}"


def step_latex(timeline: Timeline, index: int, paint: Paint | None = None) -> str:
    """The step as a formula; `paint(role, latex)` colours its parts, role "value" or "gradient"."""
    paint = paint or no_paint
    if own := timeline.describe(index, paint):
        return r" \quad ".join(own.formulas)
    run, step = timeline.run, timeline[index]
    if step.phase == "forward":
        return value_latex(run, step.node, paint)
    if step.phase == "seed":
        seed = paint("gradient", latex_number(run.seed))
        return f"{paint('gradient', ratio(run, str(run.target), step.node, True))} = {seed}"
    return _reverse_latex(timeline, step, paint)


def value_latex(run: Run, node: str, paint: Paint = no_paint) -> str:
    """The formula of an operation in symbols, with numbers, and its result."""
    value = run.value(node)
    parts = [latex_definition(run, node)]
    operands = [run.value(str(source)) for source in run.program.document.nodes[node].inputs]
    result = paint("value", latex_number(value))
    if all(fits(operand) for operand in operands):
        numbers = call_with_numbers(run, node, latex=True, mark=lambda text: paint("value", text))
        result = f"{numbers} {result}"
    return " = ".join([*parts, result])


def _reverse_latex(timeline: Timeline, step: Step, paint: Paint) -> str:
    run = timeline.run
    assert step.slot is not None and step.operand is not None
    target = paint("gradient", ratio(run, str(run.target), step.operand, True))
    symbols = rule(run, step.node, step.slot, True, paint)
    of_sum = _sum_figures(timeline, step)
    of_product = _product_figures(timeline, step, of_sum.digits)
    middle = _symbols_between(run, step, of_product, paint)
    product = _product(run, step.node, step.slot, of_product, True, paint)
    equals = of_product.relation(latex=True) if product else "="
    contribution = latex_number(_contribution(run, step), of_sum.digits, of_sum.marked)
    own = rf"{target} \mathrel{{+}}= {symbols}{middle}{product} {equals} {paint('gradient', contribution)}"
    return f"{own}{_sum_latex(timeline, step, target, of_sum, paint)}"


def _sum_latex(timeline: Timeline, step: Step, target: str, precision: Figures, paint: Paint) -> str:
    """The addition to what had arrived before, as a formula that follows: "∂L/∂a1 = −27 + (−14) = −41"; else empty."""
    before, total = (timeline.accumulated(str(step.operand), step.index + after) for after in (0, 1))
    if before is None or total is None or not fits(total):
        return ""
    first, second = (written_number(number, True, precision) for number in (before, _contribution(timeline.run, step)))
    added = second.text if second.binding >= SUM and not second.text.startswith("-") else rf"\left({second.text}\right)"
    equals, result = precision.relation(latex=True), paint("gradient", latex_number(total))
    return rf" \quad {target} = {paint('gradient', first.text)} + {paint('gradient', added)} {equals} {result}"


def _symbols_between(run: Run, step: Step, precision: Figures, paint: Paint) -> str:
    r"""The rule with its local derivative computed in symbols: " = (-1) \cdot w_{3}"."""
    assert step.slot is not None
    local, upstream = run.local(step.node, step.slot), run.gradient(step.node)
    if local is None:
        return ""
    symbol = local_symbol(run, step.node, step.slot, latex=True)
    if NUMBER.fullmatch(symbol.text):
        return ""  # a plain number stands in the product already
    in_symbols = local.ndim or not fits(upstream)
    factor = (
        ratio(run, str(run.target), step.node, True) if in_symbols else written_number(upstream, True, precision).text
    )
    dot = r" \odot " if local.ndim else r" \cdot "
    shown = symbol.text if symbol.binding >= POWER or symbol.binding == 0 else rf"\left({symbol.text}\right)"
    return f" = {paint('gradient', factor)}{dot}{shown}"
