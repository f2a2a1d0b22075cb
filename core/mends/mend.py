"""What a mend is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from core.document import Document
from core.fault import Fault

if TYPE_CHECKING:
    from core.program import Run


class Mend(NamedTuple):
    """`title` for a button, `sentence` on what it does to the numbers, `apply` as one edit.

    `apply` raises Refused where the document has changed so far that the mend no longer fits.
    """

    title: str
    sentence: str
    apply: Callable[[Document], Document]


# Looks at a document, a run of it and one of the run's faults or hints, and offers what it knows against it.
Provider = Callable[[Document, "Run", Fault], Iterator[Mend]]
