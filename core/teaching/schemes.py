"""The arrays of a step as matrices, and how they stand: a product in Falk's scheme, where a row and a column meet."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Literal

import numpy as np

from cadena.core.methods.reverse.step_text import ratio
from cadena.core.notation.in_script import shown_name
from cadena.core.run.program import Run
from cadena.core.teaching.elements import Meeting, beside_of, meeting, stretched_to
from cadena.core.teaching.probing import CONSTANT, DERIVATIVE, UPSTREAM, Factor, Gate, column_of, row_of

RESULT = -4  # the place of the result beside those of `probing`
NumberKind = Literal["value", "gradient"]


@dataclass(frozen=True, eq=False)
class MatrixForm:
    """An array as a matrix: a vector is a row, leading axes become rows; `transposed` rows are columns."""

    place: int
    title: str
    caption: str
    role: NumberKind
    array: np.ndarray
    transposed: bool = False

    @property
    def _base(self) -> tuple[int, int]:
        columns = self.array.shape[-1] if self.array.ndim > 1 else self.array.size
        return self.array.size // max(columns, 1), columns

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns as shown."""
        rows, columns = self._base
        return (columns, rows) if self.transposed else (rows, columns)

    def flat(self, row: int, column: int) -> int:
        """The element of the array, flat, that stands in a cell."""
        first, second = (column, row) if self.transposed else (row, column)
        return first * self._base[1] + second

    def cell(self, flat: int) -> tuple[int, int]:
        """Row and column of an element."""
        first, second = divmod(flat, max(self._base[1], 1))
        return (second, first) if self.transposed else (first, second)

    def number(self, row: int, column: int) -> np.number:
        number: np.number = self.array.reshape(-1)[self.flat(row, column)]
        return number

    def index(self, flat: int) -> str:
        """The index of an element as in Python: "[1, 0]"; "" of a number."""
        if not self.array.ndim:
            return ""
        return str([int(place) for place in np.unravel_index(flat, self.array.shape)])


@dataclass(frozen=True, eq=False)
class Scheme:
    """The matrices of a step: of a value where `slot` is None, else of the contribution to an operand.

    Where it `is_product` the two operands are the matrix on the left, whose row meets a column of the one above.
    """

    run: Run
    node: str
    slot: int | None
    gate: Gate
    operands: tuple[MatrixForm, ...]
    result: MatrixForm
    is_product: bool = False

    @property
    def matrices(self) -> tuple[MatrixForm, ...]:
        return (*self.operands, self.result)

    def meeting(self, element: int) -> Meeting:
        """The numbers that meet in an element of the result, in the order in which the matrices stand."""
        item = meeting(self.gate, self.slot, element)
        places = [form.place for form in self.operands]
        return item.ordered(places) if self.is_product else item

    def at(self, item: Meeting) -> Scheme:
        """The scheme with the derivatives for the element of a meeting, where each element has others."""
        return replace(self, operands=tuple(self._with_derivatives(form, item) for form in self.operands))

    def _with_derivatives(self, form: MatrixForm, item: Meeting) -> MatrixForm:
        if form.place != DERIVATIVE or self.gate.primitive.elementwise:
            return form
        array = np.zeros(self.gate.y.shape)
        for factor in _factors(item):
            if factor.place == DERIVATIVE and factor.at is not None:
                array.reshape(-1)[factor.at] = factor.numbers
        return replace(form, array=array)

    def reached_from(self, form: MatrixForm, element: int) -> np.ndarray:
        """The elements of the result (flat) into which an element of an operand flows, or an upstream gradient."""
        gate, slot, at = self.gate, self.slot, np.zeros(0, dtype=int)
        with np.errstate(all="ignore"):
            if slot is None and form.place in gate.smooth:
                if gate.primitive.elementwise:
                    return stretched_to(form.array, element, gate.y.shape)
                at = gate.points.local(form.place, column_of(form.place, element)).at
            elif slot is not None and form.place in (UPSTREAM, DERIVATIVE):
                if gate.primitive.elementwise:
                    return beside_of(gate.operands[slot], np.array([element]), gate.y.shape)
                at = gate.points.local(slot, row_of(slot, element)).at
        return at

    def on_cards(self, item: Meeting) -> dict[tuple[str, NumberKind], np.ndarray]:
        """The elements (flat) that are marked on the cards of nodes, among their values or their gradients."""
        inputs = self.run.program.document.nodes[self.node].inputs
        result = self.node if self.slot is None else str(inputs[self.slot])
        marked = {(result, self.result.role): [np.array([item.element])]}
        for form in self.operands:
            if form.place != DERIVATIVE:
                node = self.node if form.place == UPSTREAM else str(inputs[form.place])
                marked.setdefault((node, form.role), []).append(item.lit(form.place))
        return {key: np.unique(np.concatenate(parts)) for key, parts in marked.items()}


def scheme_of(run: Run, node: str, slot: int | None) -> Scheme | None:
    """The matrices of a step; None where there is no array in it, and where it has not run."""
    gate = Gate.of(run, node)
    if gate is None or (slot is not None and gate.upstream is None):
        return None
    if not any(array.ndim for array in (gate.y, *gate.operands)):
        return None
    result = _result(run, node, slot, gate)
    if result is None or not result.array.size:
        return None
    scheme = Scheme(run, node, slot, gate, (), result)
    return _as_product(scheme) or replace(scheme, operands=_participants(scheme))


def _result(run: Run, node: str, slot: int | None, gate: Gate) -> MatrixForm | None:
    if slot is None:
        return MatrixForm(RESULT, shown_name(run.program.document, node), "result", "value", gate.y)
    operand, array = str(run.program.document.nodes[node].inputs[slot]), run.contribution(node, slot)
    if array is None:
        return None
    return MatrixForm(RESULT, ratio(run, str(run.target), operand, False), "contribution", "gradient", array)


def _form(scheme: Scheme, place: int) -> MatrixForm:
    """The array at a place as a matrix that is not transposed."""
    run, node, slot = scheme.run, scheme.node, scheme.slot
    if place == UPSTREAM:
        title = ratio(run, str(run.target), node, False)
        return MatrixForm(place, title, "upstream", "gradient", scheme.gate.array(place))
    inputs = run.program.document.nodes[node].inputs
    if place == DERIVATIVE:
        assert slot is not None
        local = run.local(node, slot)
        array = np.zeros(scheme.gate.y.shape) if local is None else local
        return MatrixForm(place, ratio(run, node, str(inputs[slot]), False), "local derivative", "value", array)
    caption = "value" if slot is None else "local derivative"
    title = shown_name(run.program.document, str(inputs[place]))
    return MatrixForm(place, title, caption, "value", scheme.gate.array(place))


def _factors(item: Meeting) -> Iterator[Factor]:
    return (factor for group in item.groups for factor in group.factors)


def _participants(scheme: Scheme) -> tuple[MatrixForm, ...]:
    """The arrays from which the result comes: all operands, or the upstream gradient and what it is multiplied by."""
    if scheme.slot is None:
        places = list(range(len(scheme.gate.operands)))
    else:
        middle = scheme.result.array.size // 2  # an element like others: those at the edge may depend on less
        places = [factor.place for factor in _factors(scheme.meeting(middle)) if factor.place != CONSTANT]
        places = list(dict.fromkeys([UPSTREAM, *places]))
    return tuple(_form(scheme, place) for place in places)


# --- products of matrices ------------------------------------------------------------


def _as_product(scheme: Scheme) -> Scheme | None:
    """The scheme with a matrix on the left and one above, where each element is the sum of products of two lines."""
    array = scheme.result.array
    if scheme.gate.primitive.elementwise or array.ndim > 2:
        return None
    samples = [scheme.meeting(element) for element in _corners(array)]
    first = samples[0]
    places = [factor.place for factor in _factors(first)]
    if not first.adds or len(first.groups) != 1 or len(places) != 2 or min(places) < UPSTREAM:
        return None
    forms = [_form(scheme, place) for place in places]
    if any(form.array.ndim > 2 for form in forms):
        return None
    for left, above, result in _candidates(forms, scheme.result, first.count):
        if all(_meets(left, above, result, sample) for sample in samples):
            operands = (_titled(left), _titled(above))
            return replace(scheme, operands=operands, result=result, is_product=True)
    return None


def _corners(array: np.ndarray) -> list[int]:
    """Two elements in different rows and in different columns, none of which has the number of the other's row."""
    columns = array.shape[-1] if array.ndim > 1 else 1
    return list(dict.fromkeys((columns - 1, array.size - columns)))


def _candidates(
    forms: list[MatrixForm], result: MatrixForm, inner: int
) -> Iterator[tuple[MatrixForm, MatrixForm, MatrixForm]]:
    """The ways in which two matrices and their product may stand, the most natural one first."""
    column_first = (True, False) if result.array.ndim == 1 else (False,)
    for result_turned, (left, above) in product(column_first, (forms, forms[::-1])):
        shown = replace(result, transposed=result_turned)
        rows, columns = shown.shape
        for turned in product((False, True), repeat=2):
            pair = replace(left, transposed=turned[0]), replace(above, transposed=turned[1])
            if pair[0].shape == (rows, inner) and pair[1].shape == (inner, columns):
                yield *pair, shown


def _meets(left: MatrixForm, above: MatrixForm, result: MatrixForm, sample: Meeting) -> bool:
    """Whether a row on the left and a column above are the numbers that meet."""
    row, column = result.cell(sample.element)
    at = {factor.place: factor.at for factor in _factors(sample)}
    inner = range(sample.count)
    return (
        len(sample.groups) == 1
        and set(at) == {left.place, above.place}
        and left.shape[1] == len(inner)
        and np.array_equal(at[left.place], [left.flat(row, item) for item in inner])  # type: ignore[arg-type]
        and np.array_equal(at[above.place], [above.flat(item, column) for item in inner])  # type: ignore[arg-type]
    )


def _titled(form: MatrixForm) -> MatrixForm:
    """The form whose title says that it is transposed; vectors are not."""
    if not form.transposed or form.array.ndim < 2 or math.prod(form.array.shape) == 0:
        return form
    return replace(form, title=f"{form.title}ᵀ" if "/" not in form.title else f"({form.title})ᵀ")
