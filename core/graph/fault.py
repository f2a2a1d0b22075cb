"""User errors as values: a fault names the node, what is wrong and what to do; the rest of the graph still runs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from enum import StrEnum
from typing import Any, Literal

import msgspec

from cadena.core.text.causes import Cause
from cadena.core.text.wording import PYTHON, Clause, Operands, Remedies, WordedError, comparable, fill, sentence

About = Literal["value", "gradient"]


class Kind(StrEnum):
    """The kind of a fault, as the word that files, JSON and other programs read."""

    CYCLE = "cycle"
    OPEN_SLOT = "open-slot"
    MISSING_INPUT = "missing-input"
    TOO_MANY_INPUTS = "too-many-inputs"
    UNKNOWN_OPERATION = "unknown-operation"
    ATTRIBUTE = "attribute"
    SHAPE = "shape"
    NO_VALUE = "no-value"
    FUNCTION = "function"
    OUTPUT = "output"
    VIOLATED_GUARD = "violated-guard"  # the code that was recorded would choose otherwise
    # numbers gone bad
    INF_VALUE = "inf-value"
    NAN_VALUE = "nan-value"
    INF_GRADIENT = "inf-gradient"
    NAN_GRADIENT = "nan-gradient"
    # hints
    VANISHED_GRADIENT = "vanished-gradient"
    SUBNORMAL_GRADIENT = "subnormal-gradient"
    DEAD_RELU = "dead-relu"
    VANISHING_BY_LAYER = "vanishing-by-layer"
    EXPLODING_BY_LAYER = "exploding-by-layer"
    LOST_DIGITS = "lost-digits"
    RECORDED_VALUE = "recorded-value"  # of a capture: the graph, and with it the gradient, ends there

    @property
    def about(self) -> About | None:
        """Which number went bad, a value or a gradient; None where none did."""
        return "value" if self in BAD_VALUES.values() else "gradient" if self in BAD_GRADIENTS.values() else None


BAD_VALUES = {"inf": Kind.INF_VALUE, "nan": Kind.NAN_VALUE}
BAD_GRADIENTS = {"inf": Kind.INF_GRADIENT, "nan": Kind.NAN_GRADIENT}
BAD_NUMBERS = frozenset((*BAD_VALUES.values(), *BAD_GRADIENTS.values()))
BY_LAYER = frozenset((Kind.VANISHING_BY_LAYER, Kind.EXPLODING_BY_LAYER))
LOST_GRADIENTS = frozenset((Kind.VANISHED_GRADIENT, Kind.SUBNORMAL_GRADIENT))
HINTS = frozenset((*LOST_GRADIENTS, *BY_LAYER, Kind.DEAD_RELU, Kind.LOST_DIGITS))


class Fault(msgspec.Struct, frozen=True):
    """What is wrong at one node, as data; `message` is the sentence for it.

    `what` and `remedy` are templates with places for the `operands` and for {node}; the name of the node stands before
    the sentence unless the template `names_node` itself. `slot` is set where a single operand is meant, `path` where
    several nodes are. For numbers gone bad, `node` is where that happened first and `cause` the arithmetic that did it.

    A hint (`severity`) is about numbers that are finite and yet not to be trusted, and never fails a run.
    """

    node: str
    kind: Kind
    what: str
    remedy: str = ""
    operands: Operands = {}
    cause: Cause = Cause.UNKNOWN
    slot: int | None = None
    path: tuple[str, ...] = ()
    severity: Literal["fault", "hint"] = "fault"
    names_node: bool = False

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "operands", comparable(self.operands))

    def __hash__(self) -> int:  # operands may be lists
        return hash((self.node, self.kind, self.what, self.remedy, self.cause, self.slot, self.path))

    @property
    def message(self) -> str:
        """The sentence, in Python's terms."""
        return self.worded()

    @property
    def rule(self) -> str:
        """The arithmetic at fault in a few words, such as "log of 0"; "" where there is none."""
        return fill(self.cause, self._places)

    def worded(self, remedies: Remedies = PYTHON) -> str:
        """The sentence, with the remedy in the terms of a front end."""
        message = self.after_node(remedies)
        return message if self.names_node else fill("{node}: {message}", {"node": self.node, "message": message})

    def after_node(self, remedies: Remedies = PYTHON) -> str:
        """The sentence without the node's name at its beginning, for callers that name the node before it."""
        return sentence(self.what, self.remedy, self._places, remedies)

    @property
    def _places(self) -> Mapping[str, Any]:
        return {"node": self.node, **self.operands}


def why_stopped(faults: Iterable[Fault], nodes: Collection[str]) -> Fault | Clause:
    """The reason why one of these nodes cannot run: the first of their faults."""
    return next((fault for fault in faults if fault.node in nodes), Clause("fix the nodes before it"))


class Refused(WordedError):
    """An edit, a file or a request that cannot be carried out; its text is one sentence for the user."""


class TooNew(Refused):
    """A file that only a newer Cadena can read: nothing is wrong with it."""
