"""The record of a method of differentiation: its words, and what others need to know to treat all methods alike."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Any, NamedTuple


class Precision(IntEnum):
    """How many digits an answer has at best; of methods that agree, the more precise one is believed."""

    QUOTIENT = 1  # rounded, and truncated
    RULES = 2  # rounded in the run's number type
    DOUBLE = 3  # rounded in float64, whatever the run's number type is
    EXACT = 4  # computed with so many digits that no rounding shows


class Variant(NamedTuple):
    """One answer of a method in a comparison: `label` names it, `settings` are the fields of `Method` that it needs."""

    label: str
    settings: Mapping[str, Any] = {}
    precision: Precision = Precision.QUOTIENT
    uses_rules: bool = False  # answers from the same rules count once
    has_own_numbers: bool = True  # else it differs in its cost alone
    shows_error: bool = False  # beside its number in a table
    is_repeated: bool = False  # where it is quick, for its least time
    min_elements: int = 1  # below which it is not compared


class MethodRecord(NamedTuple):
    """A method of differentiation: the record `RECORD` of the folder with its name.

    In that folder `steps.py` has the timeline, `steps(run, method, whole, cancelled)`, and `answer.py` the gradients,
    `answer(run, method, elements, cancelled)`.
    """

    name: str
    title: str
    tip: str  # how it works, in a line
    result: str  # what it computes
    variants: tuple[Variant, ...]
    follows: str = ""  # what follows an edit at once, where it is not all gradients
    options: tuple[str, ...] = ()  # of the command line, for this method alone
    former_name: str = ""  # in older files
    is_built_in: bool = False  # a run has its gradients, steps and faults without asking this method
