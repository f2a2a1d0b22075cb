"""Each step of a run in one sentence and one formula: the rule in symbols, the same with numbers, the result."""

from __future__ import annotations

import math
import re
from functools import partial
from types import FunctionType
from typing import Any, NamedTuple

import msgspec
import numpy as np
from msgspec.structs import replace

from cadena.core.functions.calls import FunctionCall, operation
from cadena.core.methods.reverse.summation import Summation, summation_of
from cadena.core.methods.reverse.timeline import PLACED, Paint, Step, Timeline
from cadena.core.notation.calls import call_with_numbers, latex_definition, shown_latex, written_name
from cadena.core.notation.in_script import code_line, short_line, shown_name, with_shown_names
from cadena.core.notation.parts import PLUS_EQUALS
from cadena.core.notation.rules import written_rule
from cadena.core.ops.expression import MAX_LISTED, POWER, PRODUCT, SUM, Symbol, Written, free_names, written_number
from cadena.core.ops.primitive import Primitive, operand_names
from cadena.core.run.program import Run
from cadena.core.text.numbers import (
    ELLIPSIS,
    MAX_WRITTEN_OUT,
    PLAIN,
    Figures,
    figures,
    fits,
    latex_number,
    number_of,
    shape_text,
    short,
)
from cadena.core.text.wording import Listing

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
    """The contribution of a wire in symbols: upstream times local derivative, or the rule of a matrix operation; summed
    over the axes along which the operand was broadcast."""
    primitive, document = _record(run, node), run.program.document
    upstream = paint("gradient", ratio(run, str(run.target), node, latex))
    operand = str(document.nodes[node].inputs[slot])
    local = ratio(run, node, operand, latex)
    if primitive.elementwise:
        is_array = bool(run.plan.shapes[run.plan.index[node]])
        return summed(run, node, slot, Written(f"{upstream}{_dot(is_array, latex)}{local}", PRODUCT), latex)
    if has_local(run, node, slot):
        return f"{upstream}{_dot(False, latex)}{local}"
    shown: Any = primitive.slot(slot).printed(primitive.complete(document.nodes[node].attributes) | _counts(run, node))
    if isinstance(shown, str):
        return rf"\text{{{shown}}}\left({upstream}\right)" if latex else f"{shown}({upstream})"
    printed = written_rule(document, node, shown, latex, upstream)
    if isinstance(primitive, FunctionCall) and run.plan.shapes[run.plan.index[node]]:  # its rule is that of numbers
        of_numbers, of_arrays = (upstream + _dot(is_array, latex) for is_array in (False, True))
        printed = Written(printed.text.replace(of_numbers, of_arrays, 1), printed.binding)
    return summed(run, node, slot, printed, latex)


def summed(run: Run, node: str, slot: int, summand: Written, latex: bool) -> str:
    """A contribution already written, with the sign of the sum over the axes along which its operand was broadcast."""
    summation = summation_of(run, node, slot)
    return summand.text if summation is None else summation.write(summand, latex)


def _dot(is_array: bool, latex: bool) -> str:
    """The sign of a product; between arrays it is that of their elements."""
    return (r" \odot " if is_array else r" \cdot ") if latex else (" ⊙ " if is_array else " · ")


def _counts(run: Run, node: str) -> dict[str, Any]:
    """What the rules of means and of sums say beside names: how many elements go into each number of the result."""
    shapes = [run.plan.shapes[run.plan.index[str(name)]] for name in (node, *run.program.document.nodes[node].inputs)]
    result, operand = (math.prod(shape or ()) for shape in shapes[:2])
    return {"count": float(operand // max(result, 1)), "dimensions": len(shapes[1] or ())}


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
    head = _received(timeline.run, wire, has_landed, paint)
    if not has_landed or wire.contribution.ndim:
        return head, ""
    calculation = _calculation(wire, wire.figures_for(wire.sum_figures.digits), False, paint)
    return head, calculation.replace(" = ", ": ", 1)


def _received(run: Run, wire: _Wire, has_landed: bool = True, paint: Paint = no_paint) -> str:
    """What happens in a reverse step: "b1 receives −7 from m3", "W receives a gradient of shape 3 × 2 from Z"."""
    what = f"a gradient{_of_shape(wire.contribution)}"
    if has_landed and not wire.contribution.ndim:
        of_sum = wire.sum_figures
        what = paint("gradient", short(wire.contribution, of_sum.digits, of_sum.marked))
    return f"{wire.operand} receives {what} from {wire.node}{_as_operand(run, wire)}"


def step_place(timeline: Timeline, index: int) -> str:
    """The part of a method to which a step belongs: "Reverse pass, step 21 of 34", "Run 1 of 2, at x + h"."""
    if own := timeline.describe(index):
        return own.place
    return f"{timeline.part(index) or PHASES[timeline[index].phase]}, step {index + 1} of {len(timeline)}"


def _phrase(run: Run, node: str) -> str:
    """The operation of a node in words: "w0 times a1"."""
    item = run.program.document.nodes[node]
    primitive = _record(run, node)
    attributes = primitive.complete(item.attributes)
    axis = attributes.get("axis")
    tail = "" if axis is None else f" over axis {short(axis)}" if isinstance(axis, int) else f" over axes {axis}"
    operands = [written_name(run.program.document, str(source), False).text for source in item.inputs]
    listed = Listing(tuple(operands), most=MAX_LISTED).worded()
    return primitive.phrase.format(*operands, **attributes, operands=listed) + tail


def _as_operand(run: Run, wire: _Wire) -> str:
    """The slot of a wire in words, where another one leads from the same operand to the same node."""
    if run.program.document.nodes[wire.node].inputs.count(wire.operand) == 1:
        return ""
    label = _record(run, wire.node).slot(wire.slot).label
    return f" as its {label} operand" if label in ("left", "right") else f" as its operand {label!r}"


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
    return (
        f" of {number_of(gradient.size, 'number')}" if gradient.ndim == 1 else f" of shape {shape_text(gradient.shape)}"
    )


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
        f"The reverse pass begins at {output}, which has {number_of(seed.size, 'element')}: the seed is 1 for each, so "
        f"the gradients are those of their sum."
        if bool((seed == 1).all())
        else f"The reverse pass begins at {output} with the seed {short(seed)}."
    )


class _Wire(msgspec.Struct, frozen=True):
    """A wire of the reverse pass and its numbers: what flows back along it, and the gradient that it adds to."""

    node: str
    slot: int
    operand: str
    factors: tuple[WireFactor, ...]  # whose product is the contribution, or what is summed to it; none for other rules
    is_matrix_product: bool
    summation: Summation | None
    spread: np.ndarray | None  # what is summed to the contribution
    contribution: np.ndarray
    before: np.ndarray | None = None  # the sum of the contributions that came earlier
    total: np.ndarray | None = None  # the sum with this one, where others came earlier
    is_kept: bool = False  # the sum is what a leaf keeps over several backward passes
    arrived: int = 1  # the number of contributions with this one

    @classmethod
    def at(cls, run: Run, node: str, slot: int) -> _Wire:
        """The wire into this slot of a node."""
        operand, upstream = str(run.program.document.nodes[node].inputs[slot]), run.gradient(node)
        local, matrices = local_slope(run, node, slot), _matrices(run, node, slot)
        factors = matrices
        if local is not None and upstream is not None:
            factors = (WireFactor(upstream, "gradient"), WireFactor(local, "value"))
        summation, contribution = summation_of(run, node, slot), np.asarray(run.contribution(node, slot))
        spread = None if summation is None else run.carried(node, slot)
        return cls(node, slot, operand, factors, bool(matrices), summation, spread, contribution)

    @classmethod
    def of(cls, timeline: Timeline, step: Step) -> _Wire:
        """The wire of a reverse step, with the sums before it and after it."""
        assert step.slot is not None and step.operand is not None
        wire = cls.at(timeline.run, step.node, step.slot)
        before, total = timeline.sums(step)
        if before is None:
            return wire
        arrived = sum(at <= step.index for at, _, _ in timeline.arrivals[step.operand])
        return replace(wire, before=before, total=total, is_kept=timeline.is_kept(step), arrived=arrived)

    @property
    def sum_figures(self) -> Figures:
        """The digits of the contribution, and of the sum before it, beside their sum."""
        if self.before is None or self.total is None:
            return PLAIN
        return figures(np.add, (self.before, self.contribution), self.total)

    def figures_for(self, digits: int) -> Figures:
        """The digits of the numbers in the calculation of the contribution, which is shown to `digits`."""
        if terms := self.terms:
            return figures(lambda *numbers: sum(numbers), terms, self.contribution, digits)
        if not self.factors:
            return PLAIN
        local = self.factors[-1].number
        if digits == PLAIN.digits and not np.ndim(local) and abs(local) == 1.0:  # as of every sum
            return PLAIN
        return figures(self._multiply, [factor.number for factor in self.factors], self.contribution, digits)

    def _multiply(self, one: np.ndarray, other: np.ndarray) -> np.ndarray:
        product = np.asarray(np.matmul(one, other) if self.is_matrix_product else one * other)
        return product if self.summation is None else self.summation.total(product)

    @property
    def terms(self) -> list[np.ndarray]:
        """What is summed to the contribution, where that says more than the factors: numbers, and unchanged rows."""
        if self.summation is None or self.spread is None:
            return []
        if self.contribution.ndim and self.factors and not _is_one_number(self.factors[1].number):
            return []
        terms = self.summation.terms(self.spread)
        return terms if sum(term.size for term in terms) <= MAX_WRITTEN_OUT and all(map(fits, terms)) else []


class WireFactor(NamedTuple):
    """A number in the calculation of a contribution; its role, "value" or "gradient", is its colour."""

    number: np.ndarray
    role: str


def _matrices(run: Run, node: str, slot: int) -> tuple[WireFactor, ...]:
    """The two matrices, as they are multiplied, whose product a contribution is: Xᵀ and ∂L/∂Z; none for other rules."""
    document, record = run.program.document, _record(run, node)
    shown = record.slot(slot).shown
    if record.elementwise or not isinstance(shown, FunctionType) or record.attributes or record.variadic:
        return ()
    names = ["", node, *map(str, document.nodes[node].inputs)]  # of what a rule takes: upstream, result, operands
    from cadena.core.ops.linear_algebra import matmul, transpose

    tree = shown(*map(Symbol, map(str, range(len(names)))))
    if not isinstance(tree, Symbol) or tree.content != matmul.name or tree.operands is None:
        return ()
    factors = []
    for factor in tree.operands:
        is_turned = factor.content == transpose.name and factor.operands is not None
        leaf = factor.operands[0] if is_turned and factor.operands else factor
        if leaf.operands is not None or not isinstance(leaf.content, str):
            return ()
        name = names[int(leaf.content)]
        number = run.value(name) if name else run.gradient(node)
        if number is None or number.ndim != 2:
            return ()
        factors.append(WireFactor(number.T if is_turned else number, "value" if name else "gradient"))
    return tuple(factors)


def _is_one_number(array: Any) -> bool:
    """Whether all elements are the same."""
    return bool(np.size(array)) and bool((array == np.ravel(array)[0]).all())


def local_slope(run: Run, node: str, slot: int) -> Any:
    """The local derivative that the upstream gradient is multiplied by; None for a rule that is no product."""
    local = run.local(node, slot)
    return _slope_of_call(run, node, slot) if local is None and has_local(run, node, slot) else local


def _reverse_sentence(timeline: Timeline, step: Step) -> str:
    run, wire = timeline.run, _Wire.of(timeline, step)
    target = ratio(run, str(run.target), wire.operand, False)
    head = f"{_received(run, wire)}: {target} += {rule(run, wire.node, wire.slot, False)}"
    of_sum = wire.sum_figures
    precision = wire.figures_for(of_sum.digits)
    calculation = _calculation(wire, precision, False)
    equals = precision.equals if calculation else "="
    result = f" {equals} {short(wire.contribution, of_sum.digits, of_sum.marked)}" if fits(wire.contribution) else ""
    return f"{head}{calculation}{result}{_total(wire, target, of_sum)}."


def _calculation(wire: _Wire, precision: Figures, latex: bool, paint: Paint = no_paint) -> str:
    """The contribution of a wire with numbers, led by "=": " = −7 · 4", or the summands one by one; empty where arrays
    are too large, and in plain text for products of arrays."""
    if terms := wire.terms:
        written = [written_number(term, latex, precision) for term in terms]
        return f" = {' + '.join(_added(paint('gradient', term.text), term, latex) for term in written)}"
    numbers = [factor.number for factor in wire.factors]
    if not numbers or not all(map(fits, numbers)):
        return ""
    is_array = any(map(np.ndim, numbers))
    if is_array and not latex:
        return ""
    if is_array and not wire.is_matrix_product and _is_one_number(numbers[1]):
        one = np.ravel(numbers[1])[0]
        if abs(one) == 1:  # which stands in the symbols already
            return ""
        numbers, is_array = [numbers[0], one], False
    left, right = (written_number(number, latex, precision) for number in numbers)
    parenthesised = rf"\left({left.text}\right)" if latex else left.text
    first = left.text if left.binding >= SUM or not latex else parenthesised
    second = right.text if right.binding >= POWER else (rf"\left({right.text}\right)" if latex else f"({right.text})")
    dot = r" \, " if wire.is_matrix_product else _dot(is_array, latex)
    product = f"{paint(wire.factors[0].role, first)}{dot}{paint(wire.factors[1].role, second)}"
    return f" = {product if wire.summation is None else wire.summation.write(Written(product, PRODUCT), latex)}"


def _added(painted: str, number: Written, latex: bool) -> str:
    """A summand, in brackets if it has a sign."""
    if number.binding > SUM:
        return painted
    return rf"\left({painted}\right)" if latex else f"({painted})"


def _total(wire: _Wire, target: str, precision: Figures) -> str:
    """The gradient so far, when this was not the first contribution."""
    if wire.before is None:
        return ""
    if not fits(wire.total):
        return "" if wire.is_kept else f"; {target} is now the sum of {wire.arrived} contributions"
    before, total = short(wire.before, precision.digits, precision.marked), short(wire.total)
    if wire.is_kept:
        return f"; with {before} from before, {wire.operand} now holds the sum {total}"
    return f"; with {before} from before, {target} is now {total}"


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
    of_sum = wire.sum_figures
    own = rf"{target} {PLUS_EQUALS} {_contribution_latex(run, wire, of_sum, paint)}"
    return f"{own}{_sum_latex(run, wire, target, of_sum, paint)}"


def contribution_latex(run: Run, node: str, slot: int, paint: Paint = no_paint) -> str:
    """The contribution of a wire in symbols, with numbers, and its result."""
    return _contribution_latex(run, _Wire.at(run, node, slot), PLAIN, paint)


def _contribution_latex(run: Run, wire: _Wire, of_sum: Figures, paint: Paint) -> str:
    symbols = rule(run, wire.node, wire.slot, True, paint)
    precision = wire.figures_for(of_sum.digits)
    calculation = _calculation(wire, precision, True, paint)
    equals = precision.relation(latex=True) if calculation else "="
    result = paint("gradient", latex_number(wire.contribution, of_sum.digits, of_sum.marked))
    return f"{symbols}{_symbols_between(run, wire, precision, paint)}{calculation} {equals} {result}"


def _sum_latex(run: Run, wire: _Wire, target: str, precision: Figures, paint: Paint) -> str:
    """The addition to what had arrived before, as a formula that follows: "∂L/∂a1 = −27 + (−14) = −41"; else empty.

    What a leaf keeps over several backward passes is no derivative; it is written as on its card, with a sum's sign."""
    if wire.before is None or not fits(wire.total):
        return ""
    first, second = (written_number(number, True, precision) for number in (wire.before, wire.contribution))
    added = second.text if second.binding >= SUM and not second.text.startswith("-") else rf"\left({second.text}\right)"
    equals, result = precision.relation(latex=True), paint("gradient", latex_number(wire.total))
    name = paint("gradient", rf"\Sigma_{{{shown_latex(run, wire.operand)}}}") if wire.is_kept else target
    return rf" \quad {name} = {paint('gradient', first.text)} + {paint('gradient', added)} {equals} {result}"


def _symbols_between(run: Run, wire: _Wire, precision: Figures, paint: Paint) -> str:
    r"""The rule with its local derivative computed in symbols: " = (-1) \cdot w_{3}"."""
    node = wire.node
    local, upstream = run.local(node, wire.slot), run.gradient(node)
    if local is None:
        return ""
    symbol = local_symbol(run, node, wire.slot, latex=True)
    if NUMBER.fullmatch(symbol.text) and not local.ndim:
        return ""  # a plain number stands in the product already
    in_symbols = local.ndim or not fits(upstream)
    factor = ratio(run, str(run.target), node, True) if in_symbols else written_number(upstream, True, precision).text
    dot = _dot(bool(local.ndim) and not NUMBER.fullmatch(symbol.text), True)
    shown = symbol.text if symbol.binding >= POWER or symbol.binding == 0 else rf"\left({symbol.text}\right)"
    product = Written(f"{paint('gradient', factor)}{dot}{shown}", PRODUCT)
    return f" = {product.text if wire.summation is None else wire.summation.write(product, True)}"
