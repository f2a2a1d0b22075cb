"""Sentences from templates: the one place where a fault or a refusal becomes text, in the terms of a front end.

A template is a whole clause with named places, such as "{operand} is 0, and 1/0 is inf"; what fills the places is data
until the sentence is shown. So a translation is a table of templates, and a front end that has other words for what to
do (an option, a button, a call) has a table of remedies.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from enum import StrEnum
from string import Formatter
from typing import Any, Literal, NamedTuple, Self

import msgspec

from cadena.core.text.numbers import short
from cadena.core.text.plain_text import cleaned

Operands = Mapping[str, Any]


class Remedy(StrEnum):
    """Advice that front ends word differently or that several faults share; the value is Python's wording."""

    CHOOSE_OUTPUT = "choose the node to differentiate"
    FINITE_ALL_THE_SAME = "the output and the gradients of the leaves are finite nevertheless"  # nothing need be done
    GIVE_SEED = "add a sum behind it, or give a seed that says how much each element counts"
    GIVE_VALUE = "give it one in the document"
    FIX_FAULTS = "fix its faults first"
    SEE_FAULT = "see its fault in run.faults"
    SET_ATTRIBUTE = "set it among the node's attributes"
    WANT_LEAF = "make a leaf a parameter"
    # of formulas; each with its form for number types that have a wider one
    CHANGE_FORMULA = "change its operands or rewrite the formula"
    CHANGE_FORMULA_OR_TYPE = "change its operands, rewrite the formula, or take a wider number type"
    KEEP_SMALL = "write the formula so that it keeps small numbers"
    KEEP_SMALL_OR_TYPE = "write the formula so that it keeps small numbers, or take a wider number type"
    SCALE = "scale its operands"
    SCALE_OR_TYPE = "scale its operands, or take a wider number type"
    SCALE_DOWN = "scale its operands down"
    SCALE_DOWN_OR_TYPE = "scale its operands down, or take a wider number type"

    def in_type(self, dtype: str) -> Remedy:
        """This remedy in a number type: a wider one helps too, where there is one."""
        return self if dtype == "float64" else Remedy[f"{self.name}_OR_TYPE"]


Remedies = Mapping[str, str]  # a front end's own words for remedies; those that are not in it stay as they are
PYTHON: Remedies = {}


class Place(NamedTuple):
    """Where in an array something is, and in how many places; at () it is a single number."""

    at: tuple[int, ...]
    places: int
    size: int

    @property
    def words(self) -> str:
        """ " at [2, 0] (3 of 12 places)" for an array, nothing for a single number."""
        template = AT_SEVERAL if self.places > 1 else AT
        return template.format(at=list(self.at), count=self.places, size=self.size) if self.at else ""


AT = " at {at}"
AT_SEVERAL = " at {at} ({count} of {size} places)"


class Listing(NamedTuple):
    """Items in a sentence: "a, b and c", "a, b or c", or "a, b, c"; of more than `most` items the first ones."""

    items: tuple[Any, ...]
    conjunction: Literal["and", "or", ""] = "and"
    most: int | None = None

    def worded(self, remedies: Remedies = PYTHON) -> str:
        texts = [fill("{item}", {"item": item}, remedies) for item in self.items]
        if self.most is not None and len(texts) > self.most:
            shown = ", ".join(texts[: self.most])
            return fill(SHORTENED, {"items": shown, "count": len(texts) - self.most})
        if not self.conjunction or len(texts) < 2:
            return ", ".join(texts)
        return fill(ENUMERATED[self.conjunction], {"items": ", ".join(texts[:-1]), "last": texts[-1]})


ENUMERATED = {"and": "{items} and {last}", "or": "{items} or {last}"}
SHORTENED = "{items} and {count} more"


def choices(names: Iterable[str]) -> Listing:
    """The names that there are, or twelve of them; "none" where there is none."""
    return Listing(tuple(names) or ("none",), conjunction="", most=12)


class Clause(msgspec.Struct, frozen=True):
    """What is wrong and what to do about it: the part of a sentence that a fault or a refusal takes over."""

    what: str
    remedy: str = ""
    operands: Operands = {}

    def __hash__(self) -> int:  # operands may be lists
        return hash((self.what, self.remedy))

    def __str__(self) -> str:
        return self.worded()

    def worded(self, remedies: Remedies = PYTHON) -> str:
        return sentence(self.what, self.remedy, self.operands, remedies)


class WordedError(Exception):
    """An error shown to users, as data; its text is one sentence, or a clause of one.

    `what` and `remedy` are templates with places for the operands.
    """

    def __init__(self, what: str = "", remedy: str = "", /, **operands: Any) -> None:
        super().__init__(what, remedy)
        self.what, self.remedy, self.operands = what, remedy, comparable(operands)

    def __str__(self) -> str:
        return self.worded()

    def worded(self, remedies: Remedies = PYTHON) -> str:
        """The sentence, with the remedy in the terms of a front end."""
        return sentence(self.what, self.remedy, self.operands, remedies)

    @property
    def clause(self) -> Clause:
        """The content of the error, as a clause."""
        return Clause(self.what, self.remedy, self.operands)

    @property
    def begins_with_operand(self) -> bool:
        """Whether the sentence begins with an operand, such as a node's name, which must not be capitalized."""
        return not next(iter(Formatter().parse(self.what)), ("",))[0]

    @classmethod
    def of(cls, clause: Clause) -> Self:
        """Make an error from a clause."""
        return cls(clause.what, clause.remedy, **clause.operands)

    def at(self, where: str) -> Self:
        """The same error, preceded by the place where it occurred."""
        return type(self)("{where}: {error}", where=where, error=self)

    def without(self, where: str) -> Self:
        """The same error, no longer preceded by this place."""
        error = self.operands.get("error")
        if str(self.operands.get("where")) == where and isinstance(error, Clause):
            return type(self).of(error)
        return self


def comparable(operands: Operands) -> Operands:
    """Replace operands that do not compare: an error by its clause, any nan by the one that is equal to itself."""
    return {name: _comparable(operand) for name, operand in operands.items()}


def _comparable(operand: Any) -> Any:
    if isinstance(operand, WordedError):
        return operand.clause
    if isinstance(operand, Exception):
        return str(operand)
    return math.nan if isinstance(operand, float) and math.isnan(operand) else operand


def sentence(what: str, remedy: str, operands: Operands, remedies: Remedies = PYTHON) -> str:
    """The sentence "what is wrong; what to do", without the control characters that a file may have brought."""
    message = fill(what, operands, remedies)
    return f"{message}; {fill(remedies.get(remedy, remedy), operands, remedies)}" if remedy else message


def fill(template: str, operands: Operands, remedies: Remedies = PYTHON) -> str:
    """A template with its operands, on one line; one without operands is taken as it is, braces and all."""
    return cleaned(_Filler(remedies).vformat(template, (), operands) if operands else template)


class _Filler(Formatter):
    """Format strings whose places take numbers, places of arrays, and clauses with their own operands."""

    def __init__(self, remedies: Remedies) -> None:
        self._remedies = remedies

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec:
            return format(value, format_spec)
        if isinstance(value, float):
            return short(value)
        if isinstance(value, Place):
            return value.words
        return value.worded(self._remedies) if hasattr(value, "worded") else str(value)
