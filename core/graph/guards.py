"""Guards: what Python code read from a computed number, and with that number a choice that the graph has not.

A Python `if`, `while`, `int()` or an index that is computed decides while the code runs; the graph holds what followed.
So the node that was read keeps the outcome. A run whose numbers give another one is not a run of that code: it has a
fault of the kind `violated-guard` at the node.

Whoever records code adds the node of the condition (operations of `core.ops.comparison`: greater, logical_and ...) and
gives it the guard: `Node(name, "greater", inputs, guard=Guard(1.0, "x > 0", 7))`. Tapes note guards by the number of
the value (`Tape.guard`), and drawing the document keeps these nodes and their ancestors, although the output does not
depend on them. A guard belongs to its node: edits that rename, copy, move or delete the node take it along.
"""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal

import msgspec
import numpy as np
from msgspec import Meta

from cadena.core.graph.fault import Fault, Kind

Outcome = float | Literal["nan", "inf", "-inf"] | list[Any]  # nested lists for arrays; JSON has no nan


class Guard(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a node had to be for the graph to be what the code computes.

    A `branch` is a condition that Python asked for; a `number` one that it went on with, as int(n); `elements` are a
    condition or places that chose elements, which makes the shapes of the graph; a `value` is anything computed outside
    the graph, where other digits are taken for other numbers.
    """

    outcome: Annotated[Outcome, Meta(description='a number, "nan", "inf" or "-inf", or nested lists of these')]
    condition: Annotated[str, Meta(description="the condition as the code has it, such as x > 0")] = ""
    line: Annotated[int, Meta(ge=0, description="the line of the code, 0 where it is not known")] = 0
    kind: Annotated[
        Literal["branch", "number", "elements", "value"], Meta(description="branch, number, elements or value")
    ] = "branch"

    def __post_init__(self) -> None:
        _ = self.expected  # ValueError and TypeError are refusals where a file is read

    @property
    def expected(self) -> np.ndarray:
        """The outcome as an array."""
        return np.array(self.outcome, dtype=np.float64)

    def holds(self, value: Any) -> bool:
        """Whether a value of the node is the outcome; for what was computed outside, up to the digits of float32."""
        expected, actual = self.expected, np.asarray(value, dtype=np.float64)
        if expected.shape != actual.shape:
            return False
        if self.kind == "branch":
            return bool(np.array_equal(expected != 0.0, actual != 0.0))
        if self.kind == "value":
            return bool(np.allclose(actual, expected, rtol=1e-5, atol=1e-7, equal_nan=True))
        return bool(np.array_equal(expected, actual, equal_nan=True))


def guard(value: Any, condition: str = "", line: int = 0, kind: Any = "branch") -> Guard:
    """The guard of a node that has this value."""
    return Guard(_listed(np.asarray(value, dtype=np.float64).tolist()), condition, line, kind)


def _listed(numbers: Any) -> Outcome:
    if isinstance(numbers, list):
        return [_listed(item) for item in numbers]
    return float(numbers) if math.isfinite(numbers) else str(numbers)  # type: ignore[return-value]


AGAIN = "run the code again with them"
# kind -> what the code did, and would do
TOOK = "{place} took the branch {condition}; with these numbers it would not"
PASSED = "{place} did not take the branch {condition}; with these numbers it would"
NUMBER = "{place} went on with {condition} = {before}; with these numbers it is {now}"
ELEMENTS = "{place} chose elements by {condition}; with these numbers it would choose others"
VALUE = "{place} computed with {condition} outside the graph; with these numbers it would differ"


def violation(name: str, one: Guard, value: Any) -> Fault:
    """The fault of node `name`, whose value violates the guard."""
    expected, actual = one.expected, np.asarray(value)
    what = {"number": NUMBER, "elements": ELEMENTS, "value": VALUE}.get(one.kind, TOOK if expected.any() else PASSED)
    operands: dict[str, Any] = {
        "place": f"line {one.line}" if one.line else "the code",
        "condition": one.condition or name,
        "before": float(expected.flat[0]) if expected.size else 0.0,
        "now": float(actual.flat[0]) if actual.size else 0.0,
    }
    return Fault(name, Kind.VIOLATED_GUARD, what, AGAIN, operands)
