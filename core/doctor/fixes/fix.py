"""The record of a fix."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Literal, NamedTuple

from cadena.core.graph.document import Document
from cadena.core.graph.fault import Fault
from cadena.core.text.wording import Clause

if TYPE_CHECKING:
    from cadena.core.run.program import Run


EQUAL_FORM = "{root} is the same function of its operands, but {advantage}"
Promise = Literal["same", "convention", "at the edge", "other"]


class Fix(NamedTuple):
    """A fix: its `action`, its `effect` on the numbers, and `apply` as one edit.

    `apply` raises Refused where the document has changed so far that the fix no longer fits. `promise` is the standard
    for its test: "same" for the same function in another form, "convention" for one that is the same wherever it has a
    value and a derivative, "at the edge" where that holds inside a domain and a slope from one side does not count,
    "other" for another function, as its sentence says. One that `is_inside` changes the subgraph of a function.
    """

    action: Clause
    effect: Clause
    apply: Callable[[Document], Document]
    promise: Promise = "same"
    is_inside: bool = False

    @property
    def title(self) -> str:
        """The action in words, for a button."""
        return str(self.action)

    @property
    def sentence(self) -> str:
        """The effect in words."""
        return str(self.effect)


# Takes a document, a run of it and one of the run's faults or hints, and offers fixes.
Provider = Callable[[Document, "Run", Fault], Iterator[Fix]]
