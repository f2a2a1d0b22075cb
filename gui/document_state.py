"""A document with all that a session shows of it, to be shown again as it was left, there or in another window."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from cadena.core.graph.document import Document
from cadena.core.graph.history import History
from cadena.core.methods.names import Method
from cadena.core.run.accumulation import Accumulated


class Around(Protocol):
    """A document around the shown one, which is a function in it."""

    call: str  # whose function is shown
    history: History

    @property
    def is_gradient(self) -> bool: ...  # whether its custom gradient is shown

    def written(self, body: Document) -> Document: ...  # with the edits of the function; may raise Refused


@dataclass(frozen=True, eq=False)
class DocumentState:
    """The fields are those of the session by the same names."""

    history: History
    saved: Document | None  # as its file holds it; None: no file does
    path: Path | None
    method: Method
    taught: Method | None = None  # the lesson's own method
    file_lost: bool = False
    levels: tuple[Around, ...] = ()
    seed: np.ndarray | None = None
    target: str | None = None
    selection: frozenset[str] = frozenset()
    breakpoints: frozenset[str] = frozenset()
    accumulated: Accumulated | None = None
    section: tuple[int, int] | None = None  # of the steps, which a loop plays
    live: bool = False
    time: float = 0.0
    story: Any = None  # what was read and answered of it
    predictions: Any = None  # what was answered of the predictions

    @property
    def graph(self) -> Document:
        """The open document itself, also while a function in it is shown."""
        return (self.levels[0].history if self.levels else self.history).present


def name_of(path: Path | None, graph: Document) -> str:
    """The name of a document: its file's, else its title."""
    return path.stem if path else graph.title or "untitled"
