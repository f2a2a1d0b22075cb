"""What happens in one element of a tensor step: the sum of products with its numbers, and a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cadena.core.methods.reverse.step_text import no_paint
from cadena.core.methods.reverse.timeline import ARRIVAL, MEETING, Paint
from cadena.core.notation.calls import computing
from cadena.core.notation.parts import FormulaPart
from cadena.core.ops.expression import Written, written_number
from cadena.core.teaching.elements import Meeting, Products
from cadena.core.teaching.probing import CONSTANT, UPSTREAM
from cadena.core.teaching.schemes import Scheme
from cadena.core.text.numbers import PLAIN, Figures, figures

MAX_WRITTEN, HEAD, TAIL = 8, 5, 2  # terms that are written out; of more the first and the last ones
DOTS = {False: "…", True: r"\ldots"}


@dataclass(frozen=True)
class _NumberWriter:
    """How numbers are written: in LaTeX or as text, with which colours."""

    latex: bool
    paint: Paint

    def number(self, value: Any, role: str, shown: Figures, signed: bool = False) -> str:
        """A number in its colour, in parentheses where it has a sign that is not the formula's own."""
        text = written_number(value, self.latex, shown).text
        if text.startswith(("-", "−")) and not signed:
            text = rf"\left({text}\right)" if self.latex else f"({text})"
        return self.paint(role, text)


def element_parts(scheme: Scheme, item: Meeting, paint: Paint = no_paint) -> tuple[FormulaPart, ...]:
    """The calculation of an element as a formula: products, summands, result; the result appears at the end."""
    return tuple(_parts(scheme, item, _NumberWriter(True, paint)))


def element_text(scheme: Scheme, item: Meeting, until: float = 1.0) -> str:
    """The parts that appear `until` this part of the step as plain text: "Z[1, 0] = 2 · 3 + 1 · 4 = 6 + 4 = 10"."""
    marks = {r"\cdot": "·", r"\approx": "≈", "-": "−"}
    parts = [part for part in _parts(scheme, item, _NumberWriter(False, no_paint)) if part.appears <= until]
    pieces = "".join(f" {marks.get(part.mark, part.mark)} {part.latex}" for part in parts).strip()
    name = f"{scheme.result.title}{scheme.result.index(item.element)}"
    return f"{name} = {pieces}" if pieces else name


def _parts(scheme: Scheme, item: Meeting, writer: _NumberWriter) -> Iterator[FormulaPart]:
    number = scheme.result.array.reshape(-1)[item.element]
    if not item.adds:
        yield from _call(scheme, item, number, writer)
        return
    terms = [(group, index) for group in item.groups for index in range(min(group.count, MAX_WRITTEN + 1))]
    if len(terms) > MAX_WRITTEN or item.count > MAX_WRITTEN:
        terms = _ends(item)
    products = [group.results[index] for group, index in terms]
    has_products = any(len(group.factors) > 1 for group in item.groups)
    of_sum = figures(_added, products, number) if item.count <= MAX_WRITTEN and products else PLAIN
    of_terms = _figures_of(terms, number, of_sum) if item.count <= MAX_WRITTEN else PLAIN
    gap = HEAD if item.count > MAX_WRITTEN else -1
    result = writer.number(number, scheme.result.role, Figures(), signed=True)
    if item.count == 1 and not has_products:  # it is passed on as it is
        yield FormulaPart(result, appears=ARRIVAL)
        return
    yield from _products(terms, writer, of_terms, gap)
    if has_products and item.count > 1:
        yield from _summands(products, writer, of_sum, gap)
    shown = of_terms if not of_terms.follows or not has_products or item.count == 1 else of_sum
    yield FormulaPart(result, r"\approx" if shown.equals == "≈" else "=", appears=ARRIVAL)


def _ends(item: Meeting) -> list[tuple[Products, int]]:
    """The first and the last products of many."""
    begin = [(group, index) for group in item.groups for index in range(min(group.count, HEAD))][:HEAD]
    end = [(group, group.count - 1 - index) for group in item.groups[::-1] for index in range(min(group.count, TAIL))]
    return begin + end[:TAIL][::-1]


def _added(*numbers: Any) -> Any:
    return sum(numbers[1:], numbers[0]) if numbers else 0.0


def _figures_of(terms: Sequence[tuple[Products, int]], number: Any, of_sum: Figures) -> Figures:
    """The digits of the factors with which the shown sum follows, and each product that is shown."""
    of_products = [
        figures(np.multiply, [factor.numbers[index] for factor in group.factors], group.results[index], of_sum.digits)
        for group, index in terms
        if len(group.factors) == 2
    ]
    numbers = [factor.numbers[index] for group, index in terms for factor in group.factors]
    if not numbers:
        return PLAIN

    def compute(*flat: Any) -> Any:
        rest, total = iter(flat), 0.0
        for group, _ in terms:
            term = 1.0
            for _ in group.factors:
                term = term * next(rest)
            total = total + term
        return total

    shown = figures(compute, numbers, number, least=max([PLAIN.digits, *(one.digits for one in of_products)]))
    return shown if shown.follows else next((one for one in of_products if one.marked), shown)


def _role(place: int) -> str:
    return "gradient" if place == UPSTREAM else "text" if place == CONSTANT else "value"


def _products(
    terms: Sequence[tuple[Products, int]], writer: _NumberWriter, shown: Figures, gap: int
) -> Iterator[FormulaPart]:
    if not terms:
        yield FormulaPart("0")
    for place, (group, index) in enumerate(terms):
        if place == gap:
            yield FormulaPart(DOTS[writer.latex], "+", appears=MEETING)
        for order, factor in enumerate(group.factors):
            mark = r"\cdot" if order else "+" if place else ""
            alone = len(group.factors) == 1 and place == 0
            text = writer.number(factor.numbers[index], _role(factor.place), shown, signed=alone)
            yield FormulaPart(text, mark, appears=MEETING)


def _summands(products: Sequence[float], writer: _NumberWriter, shown: Figures, gap: int) -> Iterator[FormulaPart]:
    for place, number in enumerate(products):
        if place == gap:
            yield FormulaPart(DOTS[writer.latex], "+", appears=ARRIVAL)
        negative = place > 0 and bool(number < 0)
        mark = "=" if place == 0 else "-" if negative else "+"
        yield FormulaPart(
            writer.number(-number if negative else number, "text", shown, signed=True), mark, appears=ARRIVAL
        )


# --- elements that are no sums ------------------------------------------------------------


def _call(scheme: Scheme, item: Meeting, number: Any, writer: _NumberWriter) -> Iterator[FormulaPart]:
    """The operation on the elements that count: "max(1, 4, 2) = 4"."""
    gate = scheme.gate
    shown = PLAIN
    if gate.primitive.elementwise:
        numbers = [group.factors[0].numbers[0] for group in item.groups]
        shown = figures(computing(gate.primitive, gate.attributes), numbers, number)
        operands = [_painted(value, writer, shown) for value in numbers]
    else:
        lists = [_few(group.factors[0].numbers) for group in item.groups]
        operands = [Written(", ".join(_listed(values, writer, shown))) for values in lists]
    count = len(gate.primitive.slots) if not gate.primitive.variadic else len(operands)
    operands += [Written(DOTS[writer.latex])] * (count - len(operands))
    attributes = {key: str(value) for key, value in gate.attributes.items()}
    text = gate.primitive.notation.write(operands[:count], writer.latex, attributes).text
    yield FormulaPart(f"{text}{_position(scheme, item)}", appears=MEETING)
    yield FormulaPart(
        writer.number(number, scheme.result.role, PLAIN, signed=True), shown.relation(True), appears=ARRIVAL
    )


def _painted(value: Any, writer: _NumberWriter, shown: Figures) -> Written:
    plain = written_number(value, writer.latex, shown)
    return Written(writer.paint("value", plain.text), plain.binding)


def _few(numbers: np.ndarray) -> list[Any]:
    return [*numbers[:HEAD], None, *numbers[-TAIL:]] if len(numbers) > MAX_WRITTEN else list(numbers)


def _listed(values: Sequence[Any], writer: _NumberWriter, shown: Figures) -> Iterator[str]:
    for value in values:
        yield DOTS[writer.latex] if value is None else writer.number(value, "value", shown, signed=True)


def _position(scheme: Scheme, item: Meeting) -> str:
    """Which of several results this is, as an index: of a softmax of three numbers the second is [1]."""
    gate = scheme.gate
    if gate.primitive.elementwise or len(item.groups) != 1 or gate.y.shape != gate.operands[0].shape:
        return ""
    lit = item.lit(item.groups[0].factors[0].place).tolist()
    return f"[{lit.index(item.element)}]" if len(lit) > 1 and item.element in lit else ""


# --- in words ------------------------------------------------------------


def meeting_sentence(scheme: Scheme, item: Meeting) -> str:
    """One sentence on what meets in an element, or what was stretched and is summed back."""
    if scheme.is_product:
        (row, column), (left, above) = scheme.result.cell(item.element), scheme.operands
        return f"Row {row} of {left.title} meets column {column} of {above.title}."
    if scheme.gate.primitive.elementwise:
        return _elementwise_sentence(scheme, item)
    if scheme.slot is None:
        if item.adds:
            return "It is one element, moved." if item.count == 1 else f"{item.count} numbers are added."
        return f"It depends on {item.count} of the numbers."
    if not item.count:
        return "No element of the result depends on this one: nothing flows back."
    if item.count == 1:
        return "One element of the result depends on this one."
    return f"{item.count} elements of the result depend on this one, so that as many contributions are added."


def _elementwise_sentence(scheme: Scheme, item: Meeting) -> str:
    shapes = {operand.shape for operand in scheme.gate.operands} | {scheme.gate.y.shape}
    if scheme.slot is not None and item.count > 1:
        return f"It was stretched to {item.count} elements, so that {item.count} contributions are summed back."
    if len(shapes) > 1:
        return "Element beside element; what is smaller was stretched."
    return "Element beside element."
