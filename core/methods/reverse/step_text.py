"""Each step of a run in one sentence and one formula: the rule in symbols, the same with numbers, the result."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import msgspec
import numpy as np

from cadena.core.functions.calls import FunctionCall, operation
from cadena.core.methods.reverse.timeline import PLACED, Paint, Step, Timeline
from cadena.core.notation.calls import call_with_numbers, latex_definition, shown_latex, written_name
from cadena.core.notation.in_script import code_line, short_line, shown_name, with_shown_names
from cadena.core.notation.parts import PLUS_EQUALS
from cadena.core.notation.rules import written_rule
from cadena.core.ops.expression import POWER, SUM, Symbol, Written, free_names, listed, written_number
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
    law = partial(shown, **attributes) if attributes else shown
    return written_rule(run.program.document, node, law, latex)


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
            shown, by_name = _record(run, node).slot(slot).shown, ""
            if callable(shown):
                by_name = written_rule(run.program.document, node, partial(shown, Symbol(1.0)), False).text
            return " = ".join(
                dict.fromkeys(part for part in (ratio(run, node, operand, False), by_name, short(slope)) if part)
            )
        return f"{ratio(run, str(run.target), operand, False)} += {rule(run, node, slot, False)}"
    parts = [ratio(run, node, operand, False), local_symbol(run, node, slot).text]
    if local.ndim == 0 and short(local) != parts[-1].replace(ELLIPSIS, ""):
        parts.append(short(local))
    return " = ".join(parts)


def local_latex(run: Run, node: str, slot: int, paint: Paint = no_paint) -> str:
    """The label as mathematics; "" for a call, whose own is words and numbers."""
    operand = str(run.program.document.nodes[node].inputs[slot])
    local = run.local(node, slot)
    if local is None:
        shown = _record(run, node).slot(slot).shown
        if isinstance(shown, str) or _slope_of_call(run, node, slot) is not None:
            return ""
        return f"{ratio(run, str(run.target), operand, True)} {PLUS_EQUALS} {rule(run, node, slot, True)}"
    top, bottom = (rf"\partial {shown_latex(run, name)}" for name in (node, operand))
    parts = [f"{top}/{bottom}", local_symbol(run, node, slot, latex=True).text]
    if local.ndim == 0 and latex_number(local) != parts[-1].replace(r"\ldots", ""):
        parts.append(paint("value", latex_number(local)))
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
    return written_rule(run.program.document, node, shown, latex, upstream).text


def before_title(timeline: Timeline) -> str:
    """The title before the first step."""
    if len(timeline) == 1:
        return "Before the only step."
    return f"Before the first of {len(timeline)} steps." if len(timeline) else "There are no steps."


def step_title(timeline: Timeline, index: int, has_landed: bool = True, paint: Paint | None = None) -> str:
    """What happens in a step: "m1 is w0 times a1: 2 · 4 = 8.", "b1 receives −7 from m3: −1 · 7.".

    Arrays stand in the formula alone, and numbers come once they have landed. `paint(role, text)` marks them, role
    "value" or "gradient".
    """
    document, step = timeline.run.program.document, timeline[index]
    line = short_line(document, code_line(document, step.node))
    line = f", {line}" if line else ""
    if own := timeline.describe(index):
        title = own.title if has_landed else PLACED.format(place=own.place or PHASES["quotient"], outcome=step.node)
        title = f"{title.removesuffix('.')}{line}{'.' if title.endswith('.') else ''}"
    elif step.phase == "seed":
        title = _seed_title(timeline, step, has_landed, line, paint or no_paint)
    else:
        describe = _value_title if step.phase == "forward" else _wire_title
        head, numbers = describe(timeline, step, has_landed, paint or no_paint)
        title = f"{head}{line}{numbers}"
        title += "" if title.endswith(ELLIPSIS) else "."
    return with_shown_names(document, title)


def _value_title(timeline: Timeline, step: Step, has_landed: bool, paint: Paint) -> tuple[str, str]:
    head, numbers = _value_words(timeline.run, step.node, paint)
    return head, numbers if has_landed and not np.asarray(timeline.run.value(step.node)).ndim else ""


def _seed_title(timeline: Timeline, step: Step, has_landed: bool, line: str, paint: Paint) -> str:
    if has_landed:
        return _seed_sentence(timeline, step, paint)
    if timeline.run.target == step.node:
        return f"The reverse pass begins at {step.node}{line}."
    return f"The reverse pass begins at {step.node} with the gradient from {timeline.run.target}{line}."


def _wire_title(timeline: Timeline, step: Step, has_landed: bool, paint: Paint) -> tuple[str, str]:
    wire = _Wire.of(timeline, step)
    source = f"from {step.node}{_as_operand(timeline.run, step)}"
    if not has_landed or wire.contribution.ndim:
        return f"{wire.operand} receives a gradient{_of_shape(wire.contribution)} {source}", ""
    of_sum = wire.sum_figures
    number = paint("gradient", short(wire.contribution, of_sum.digits, of_sum.marked))
    product = _product(wire, wire.product_figures(of_sum.digits), False, paint).removeprefix(" = ")
    return f"{wire.operand} receives {number} {source}", f": {product}" if product else ""


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
    how = "directly on {0}" if step.node == run.target else "on {0} through {1}"
    return f"{run.target} depends {how.format(step.operand, step.node)}{_as_operand(run, step)}"


def _as_operand(run: Run, step: Step) -> str:
    """The slot of a wire in words, where another one leads from the same operand to the same node."""
    inputs = run.program.document.nodes[step.node].inputs
    if step.slot is None or inputs.count(step.operand) == 1:
        return ""
    return f" (as its operand {_record(run, step.node).slot(step.slot).label!r})"


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
    return "".join(_value_words(run, node, no_paint))


def _value_words(run: Run, node: str, paint: Paint) -> tuple[str, str]:
    """An operation in words, "m1 is w0 times a1", and its numbers, ": 2 · 4 = 8"."""
    value = np.asarray(run.value(node))
    head = f"{node} is {_phrase(run, node)}"
    operands = run.operands(run.instruction_of[run.plan.index[node]])
    if value.ndim:
        return head, f", {_with_article(value)}{_written_out(value, paint)}"
    result = paint("value", short(value))
    if any(operand.ndim for operand in operands):
        return head, f": {result}"
    return head, f": {_once(call_with_numbers(run, node, mark=partial(paint, 'value')), result)}"


def _of_shape(gradient: np.ndarray) -> str:
    if not gradient.ndim:
        return ""
    return f" of {gradient.size} numbers" if gradient.ndim == 1 else f" of shape {shape_text(gradient.shape)}"


def _with_article(value: Any) -> str:
    text = shape_text(np.shape(value))
    return f"a {text}" if text.startswith("vector") else f"an array of shape {text}"


def _written_out(value: Any, paint: Paint) -> str:
    return f": {paint('value', short(value))}" if fits(value) else ""


def _seed_sentence(timeline: Timeline, step: Step, paint: Paint = no_paint) -> str:
    run, output = timeline.run, step.node
    seed = run.seed
    if run.target != output:
        arrived = f", {paint('gradient', short(seed))}" if fits(seed) else ""
        return f"The reverse pass begins at {output} with the gradient that has come to it from {run.target}{arrived}."
    if seed.ndim == 0:
        one = paint("gradient", short(seed))
        return f"The reverse pass begins at {output}: the gradient of {output} with respect to itself is {one}."
    return (
        f"The reverse pass begins at {output}, which has {seed.size} elements: the seed is 1 for each, so the "
        f"gradients are those of their sum."
        if bool((seed == 1).all())
        else f"The reverse pass begins at {output} with the seed {short(seed)}."
    )


class _Wire(msgspec.Struct, frozen=True):
    """A reverse step and its numbers: what flows back along a wire, and the gradient that it adds to."""

    step: Step
    slot: int
    operand: str
    upstream: np.ndarray | None
    factor: Any  # that the upstream gradient is multiplied by; None for a rule that is no product
    contribution: np.ndarray
    before: np.ndarray | None  # the sum of the contributions that came earlier
    total: np.ndarray | None  # the sum with this one, where others came earlier

    @classmethod
    def of(cls, timeline: Timeline, step: Step) -> _Wire:
        run, slot, operand = timeline.run, step.slot, step.operand
        assert slot is not None and operand is not None
        factor, contribution = local_slope(run, step.node, slot), np.asarray(run.contribution(step.node, slot))
        before = timeline.accumulated(operand, step.index)
        total = None if before is None else timeline.accumulated(operand, step.index + 1)
        return cls(step, slot, operand, run.gradient(step.node), factor, contribution, before, total)

    @property
    def sum_figures(self) -> Figures:
        """The digits of the contribution, and of the sum before it, beside their sum."""
        if self.before is None or self.total is None:
            return PLAIN
        return figures(np.add, (self.before, self.contribution), self.total)

    def product_figures(self, digits: int) -> Figures:
        """The digits of the upstream gradient and of the factor beside the contribution, shown to `digits`."""
        if self.factor is None or self.upstream is None:
            return PLAIN
        if digits == PLAIN.digits and not np.ndim(self.factor) and abs(self.factor) == 1.0:  # as of every sum
            return PLAIN
        return figures(np.multiply, (self.upstream, self.factor), self.contribution, digits)


def local_slope(run: Run, node: str, slot: int) -> Any:
    """The local derivative that the upstream gradient is multiplied by; None for a rule that is no product."""
    local = run.local(node, slot)
    return _slope_of_call(run, node, slot) if local is None and has_local(run, node, slot) else local


def _reverse_sentence(timeline: Timeline, step: Step) -> str:
    run, wire = timeline.run, _Wire.of(timeline, step)
    target = ratio(run, str(run.target), wire.operand, False)
    head = f"{_dependence(run, step)}: {target} += {rule(run, step.node, wire.slot, False)}"
    of_sum = wire.sum_figures
    of_product = wire.product_figures(of_sum.digits)
    product = _product(wire, of_product, False)
    equals = of_product.equals if product else "="
    result = f" {equals} {short(wire.contribution, of_sum.digits, of_sum.marked)}" if fits(wire.contribution) else ""
    return f"{head}{product}{result}{_total(timeline, wire, target, of_sum)}."


def _product(wire: _Wire, precision: Figures, latex: bool, paint: Paint = no_paint) -> str:
    """The contribution of a scalar wire with numbers, led by "=": " = −7 · 4"; empty for arrays in plain text."""
    local, upstream = wire.factor, wire.upstream
    if local is None or upstream is None or not (fits(local) and fits(upstream)):
        return ""
    if local.ndim and not latex:
        return ""
    left, right = written_number(upstream, latex, precision), written_number(local, latex, precision)
    dot = (r" \odot " if local.ndim else r" \cdot ") if latex else " · "
    first = left.text if left.binding >= SUM or not latex else rf"\left({left.text}\right)"
    second = right.text if right.binding >= POWER else (rf"\left({right.text}\right)" if latex else f"({right.text})")
    return f" = {paint('gradient', first)}{dot}{paint('value', second)}"


def _total(timeline: Timeline, wire: _Wire, target: str, precision: Figures) -> str:
    """The gradient so far, when this was not the first contribution."""
    if wire.before is None:
        return ""
    if not fits(wire.total):
        arrivals = timeline.arrivals[wire.operand]
        return f"; the sum of {sum(at <= wire.step.index for at, _, _ in arrivals)} contributions so far"
    before = short(wire.before, precision.digits, precision.marked)
    return f"; with {before} from before, {target} is now {short(wire.total)}"


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
    result = paint("value", latex_number(value))
    if parts[0].endswith(f" = {latex_number(value)}"):  # as of a node that is muted
        return " = ".join([shown_latex(run, node), result])
    if all(map(fits, run.operands(run.instruction_of[run.plan.index[node]]))):
        numbers = call_with_numbers(run, node, latex=True, mark=lambda text: paint("value", text))
        result = _once(numbers, result)
    return " = ".join([*parts, result])


def _once(numbers: str, result: str) -> str:
    """The numbers of a call, with their relation, and its result; that alone where both are the same text."""
    return result if numbers.rpartition(" ")[0] == result else f"{numbers} {result}"


def _reverse_latex(timeline: Timeline, step: Step, paint: Paint) -> str:
    run, wire = timeline.run, _Wire.of(timeline, step)
    target = paint("gradient", ratio(run, str(run.target), wire.operand, True))
    symbols = rule(run, step.node, wire.slot, True, paint)
    of_sum = wire.sum_figures
    of_product = wire.product_figures(of_sum.digits)
    middle = _symbols_between(run, wire, of_product, paint)
    product = _product(wire, of_product, True, paint)
    equals = of_product.relation(latex=True) if product else "="
    contribution = latex_number(wire.contribution, of_sum.digits, of_sum.marked)
    own = rf"{target} \mathrel{{+}}= {symbols}{middle}{product} {equals} {paint('gradient', contribution)}"
    return f"{own}{_sum_latex(wire, target, of_sum, paint)}"


def _sum_latex(wire: _Wire, target: str, precision: Figures, paint: Paint) -> str:
    """The addition to what had arrived before, as a formula that follows: "∂L/∂a1 = −27 + (−14) = −41"; else empty."""
    if wire.before is None or not fits(wire.total):
        return ""
    first, second = (written_number(number, True, precision) for number in (wire.before, wire.contribution))
    added = second.text if second.binding >= SUM and not second.text.startswith("-") else rf"\left({second.text}\right)"
    equals, result = precision.relation(latex=True), paint("gradient", latex_number(wire.total))
    return rf" \quad {target} = {paint('gradient', first.text)} + {paint('gradient', added)} {equals} {result}"


def _symbols_between(run: Run, wire: _Wire, precision: Figures, paint: Paint) -> str:
    r"""The rule with its local derivative computed in symbols: " = (-1) \cdot w_{3}"."""
    node = wire.step.node
    local = run.local(node, wire.slot)
    if local is None:
        return ""
    symbol = local_symbol(run, node, wire.slot, latex=True)
    if NUMBER.fullmatch(symbol.text):
        return ""  # a plain number stands in the product already
    in_symbols = local.ndim or not fits(wire.upstream)
    factor = (
        ratio(run, str(run.target), node, True) if in_symbols else written_number(wire.upstream, True, precision).text
    )
    dot = r" \odot " if local.ndim else r" \cdot "
    shown = symbol.text if symbol.binding >= POWER or symbol.binding == 0 else rf"\left({symbol.text}\right)"
    return f" = {paint('gradient', factor)}{dot}{shown}"
