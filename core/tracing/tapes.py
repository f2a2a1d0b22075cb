"""The calls of a tape as nodes of a document, without those that have no effect: times 1, plus 0, equal shapes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec
import numpy as np

from cadena.core.graph.document import Node, as_value
from cadena.core.ops.arithmetic import divide, multiply, negative
from cadena.core.ops.primitive import REGISTRY, Primitive, Shape
from cadena.core.ops.rearranging import broadcast_to
from cadena.core.ops.selection import where
from cadena.core.ops.shaping import astype, reshape
from cadena.core.ops.traits import Trait
from cadena.core.tracing.recording import RecordedCall, Tape
from cadena.core.tracing.traced import Traced, plain

Literal = np.ndarray[Any, Any]  # constants of a rule
TapeOperand = int | Literal  # an operand of a call: another call by its number on the tape, or a literal


class TidyCall(msgspec.Struct, frozen=True):
    """One call with an effect, in the form of a node."""

    op: str
    operands: tuple[TapeOperand, ...]
    attributes: dict[str, Any]


class Tidy:
    """A growing tape without needless calls: `terms[number]` stands for a value, `calls` holds those that remain.

    Equal calls are merged. The tape's leaves, and calls that were added `as_they_are`, stand for themselves.
    """

    def __init__(self, tape: Tape) -> None:
        self.tape = tape
        self.terms: list[TapeOperand] = []
        self.calls: dict[int, TidyCall] = {}
        self._numbers: dict[Any, int] = {}

    def read(self, as_they_are: bool = False) -> None:
        """Read the calls that the tape has recorded since the last time."""
        for number in range(len(self.terms), len(self.tape.calls)):
            call = self.tape.calls[number]
            self.terms.append(number if call is None else self._term(number, call, as_they_are))

    def _term(self, number: int, call: RecordedCall, as_it_is: bool) -> TapeOperand:
        tidy_call = TidyCall(call.primitive.name, tuple(map(self.term, call.operands)), explicit_attributes(call))
        if not as_it_is:
            if int not in map(type, tidy_call.operands):
                return _literal(call.value)
            simpler = self._simplified(tidy_call, call.value)
            if not isinstance(simpler, TidyCall):
                return simpler
            tidy_call = simpler
        attributes = repr(sorted(tidy_call.attributes.items())) if tidy_call.attributes else ""
        key = (tidy_call.op, tuple(map(_key, tidy_call.operands)), attributes)
        if as_it_is or key not in self._numbers:
            self._numbers.setdefault(key, number)
            self.calls[number] = tidy_call
            return number
        return self._numbers[key]

    def term(self, operand: Any) -> TapeOperand:
        """The term for a traced value of this tape, or for numbers."""
        if isinstance(operand, Traced) and operand.tape is self.tape:
            return self.terms[operand.number]
        return _literal(operand)

    def shape(self, term: TapeOperand) -> Shape:
        """The shape of a term."""
        return term.shape if isinstance(term, np.ndarray) else np.shape(plain(self.tape.values[term]))

    def _simplified(self, tidy_call: TidyCall, value: Any) -> TapeOperand | TidyCall:
        """Simplify `tidy_call`: to one of its operands or to a simpler call, where that has the same `value`."""
        record = REGISTRY.get(tidy_call.op)
        if record is None:  # a call of a function
            return tidy_call
        if record.neutral is not None:
            has_literal = {*map(type, tidy_call.operands)} != {int}
            return self._without_neutral(tidy_call, record, np.shape(plain(value))) if has_literal else tidy_call
        if record is where:
            return self._chosen(tidy_call, np.shape(plain(value)))
        if record is astype:
            (operand,) = tidy_call.operands
            now = np.result_type(self.tape.values[operand] if isinstance(operand, int) else operand).name
            return (
                operand if tidy_call.attributes.get("dtype", now) == now else tidy_call
            )  # without the attribute the type stays
        if Trait.RESHAPES in record.traits:
            for operand in tidy_call.operands:
                if self.shape(operand) == np.shape(plain(value)):
                    return operand
        if record is broadcast_to:
            return TidyCall(tidy_call.op, (self._without_leading_ones(tidy_call.operands[0]),), tidy_call.attributes)
        return tidy_call

    def _without_neutral(self, tidy_call: TidyCall, record: Primitive, shape: Shape) -> TapeOperand | TidyCall:
        """x for x * 1, x / 1, x + 0, x - 0 and x ** 1, and -x for x * -1, where the shape stays."""
        left, right = tidy_call.operands
        pairs = [(left, right), (right, left)] if Trait.COMMUTES in record.traits else [(left, right)]
        for operand, other in pairs:
            if isinstance(other, np.ndarray) and self.shape(operand) == shape:
                if np.all(other == record.neutral):
                    return operand
                if (record is multiply or record is divide) and np.all(other == -1.0):
                    return TidyCall(negative.name, (operand,), {})
        return tidy_call

    def _chosen(self, tidy_call: TidyCall, shape: Shape) -> TapeOperand | TidyCall:
        """The branch of a where whose condition is the same everywhere."""
        condition, yes, no = tidy_call.operands
        if not isinstance(condition, np.ndarray) or bool(np.all(condition)) != bool(np.any(condition)):
            return tidy_call
        branch = yes if np.all(condition) else no
        if isinstance(branch, np.ndarray):
            return np.broadcast_to(branch, shape)
        return branch if self.shape(branch) == shape else TidyCall(broadcast_to.name, (branch,), {"shape": list(shape)})

    def _without_leading_ones(self, term: TapeOperand) -> TapeOperand:
        """The operand of a reshape that only puts axes of length 1 in front, which broadcasting does by itself."""
        call = self.calls.get(term) if isinstance(term, int) else None
        if call is None or call.op != reshape.name:
            return term
        old, new = self.shape(call.operands[0]), self.shape(term)
        return call.operands[0] if new == (1,) * (len(new) - len(old)) + old else term

    def needed(self, roots: Iterable[TapeOperand], known: Callable[[int], bool]) -> list[int]:
        """The calls and leaves that `roots` depend on, in the order of the tape, without those that are `known`."""
        needed_, queue = set[int](), [root for root in roots if isinstance(root, int)]
        while queue:
            number = queue.pop()
            if number not in needed_ and not known(number):
                needed_.add(number)
                queue += (
                    [item for item in self.calls[number].operands if isinstance(item, int)]
                    if (number in self.calls)
                    else []
                )
        return sorted(needed_)


def _literal(numbers: Any) -> Literal:
    return np.asarray(plain(numbers), dtype=np.float64)


def _key(term: TapeOperand) -> Any:
    return term if isinstance(term, int) else (term.shape, term.tobytes())


def explicit_attributes(call: RecordedCall) -> dict[str, Any]:
    """The attributes of a call that differ from their defaults, as a file holds them."""
    return shortened(call.primitive, call.attributes)


def shortened(primitive: Primitive, attributes: Mapping[str, Any]) -> dict[str, Any]:
    """Complete `attributes` without those that have their default; tuples as lists."""
    if not attributes:
        return {}
    defaults = {attribute.name: attribute.default for attribute in primitive.attributes}
    listed = {key: list(value) if isinstance(value, tuple) else value for key, value in attributes.items()}
    return {
        key: value
        for key, value in listed.items()
        if key not in defaults or type(value) is not type(defaults[key]) or value != defaults[key]
    }


def constant(name: str, literal: Literal) -> Node:
    """A node that holds a literal."""
    return Node(name, "constant", value=as_value(literal))
