"""The state of an open document: all that is shown of it, as one frozen record."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cadena.core.graph.document import Document
from cadena.core.graph.fault import Fault, Refused
from cadena.core.graph.history import History
from cadena.core.methods.names import Method
from cadena.core.rewriting.opening import outputs_of, with_body, with_gradient
from cadena.core.run.accumulation import Accumulated
from cadena.core.teaching.hiding import NOTHING_HIDDEN, Hidden, hidden_at_first
from cadena.core.teaching.lessons import opening_method
from cadena.core.text.numbers import number_of

if TYPE_CHECKING:
    from cadena.core.teaching.asking import AskedQuantity
    from cadena.core.teaching.score import Attempt

FEW_NAMES, FEW_NODES, SHORT = 3, 12, 30  # names in a tab, nodes whose expression may be short, letters of it


@dataclass(frozen=True)
class StoryProgress:
    """Progress through a lesson's story: the number of the current text, and texts whose question was dealt with."""

    number: int = 0
    opened: frozenset[int] = frozenset()  # the texts whose answer is shown
    answered: frozenset[int] = frozenset()  # of these the ones that were answered right


@dataclass(frozen=True)
class Predictions:
    """The answers to prediction questions: all attempts, and the questions that are not asked again."""

    attempts: tuple[Attempt, ...] = ()
    answered: frozenset[tuple[AskedQuantity, str, int]] = frozenset()


@dataclass(frozen=True)
class OwnResult:
    """A learner's own result for the gradient of a node, as it was typed; whether it was handed in."""

    text: str = ""
    judged: bool = False


@dataclass(frozen=True, eq=False)
class OpenedLevel:
    """A document around the shown one, which is the function `op`, entered at its call `call`."""

    around: DocumentState  # as it was left
    call: str
    op: str
    labels: tuple[str, ...]  # the operands
    base: Document  # the level below is written into it: the document around, or that with a new gradient
    body: Document  # the function as it was entered
    camera: Any

    @property
    def is_gradient(self) -> bool:
        """Whether the custom gradient of the function is shown."""
        return outputs_of(self.body) is not None

    @property
    def description(self) -> str:
        """The description of this level for the user."""
        if self.is_gradient:
            return f"what goes back, for every call of {self.op}; the numbers are those of {self.call}"
        return f"what every call of {self.op} does; the numbers are those of {self.call}"

    def written(self, body: Document) -> Document:
        """Write `body` into the document around; the same object while nothing has changed. May raise Refused."""
        if body == self.body:
            return self.base
        base = replace(self.base, dtype=body.dtype)  # the number type is that of the whole graph
        return with_gradient(base, self.op, body) if self.is_gradient else with_body(base, self.op, body)


@dataclass(frozen=True, eq=False)
class DocumentState:
    """A document with all that is shown of it: it can be shown again as it was left, in this window or another."""

    history: History
    saved: Document | None  # as its file holds it; None: no file does
    path: Path | None
    method: Method
    taught: Method | None = None  # the lesson's own method; None: the method is the user's choice
    file_lost: bool = False  # the file no longer holds what was saved
    levels: tuple[OpenedLevel, ...] = ()  # the levels around the shown document, from the graph inwards
    seed: np.ndarray | None = None  # the start of the reverse pass; None: ones
    target: str | None = None  # the quantity whose gradient the seed is; None: the output itself
    outer_faults: tuple[Fault, ...] = ()  # faults of the shown function as a part of the graph
    selection: frozenset[str] = frozenset()
    breakpoints: frozenset[str] = frozenset()  # nodes before whose steps playing pauses
    accumulated: Accumulated | None = None  # gradients of several passes; None until they are accumulated
    section: tuple[int, int] | None = None  # of the steps, which a loop plays
    live: bool = False  # everything is shown as it is at the end; else the frame at `time`
    time: float = 0.0  # in steps
    hidden: Hidden = NOTHING_HIDDEN
    story: StoryProgress = StoryProgress()
    predictions: Predictions = Predictions()
    own_results: Mapping[str, OwnResult] = field(default_factory=dict)  # by the node

    @classmethod
    def opening(cls, document: Document, path: Path | None, saved: Document | None, method: Method) -> DocumentState:
        """A document from its first step, by its lesson's method, else by `method`."""
        taught = opening_method(document)
        return cls(History(document), saved, path, taught or method, taught, hidden=hidden_at_first(document))

    @property
    def graph(self) -> Document:
        """The open document itself, also while a function in it is shown."""
        return (self.levels[0].around if self.levels else self).history.present


def name_of(path: Path | None, graph: Document) -> str:
    """The name of a document: its file's, else its title, else what it holds."""
    return path.stem if path else graph.title or _contents(graph)


def _contents(graph: Document) -> str:
    """A few words on a graph without a name: its expression if that is short, "L, 16 nodes", "w0, x0"."""
    names, output = list(graph.nodes), graph.output
    if not names:
        return "untitled"
    if output is None or output not in graph.nodes or graph.nodes[output].is_leaf:
        return ", ".join(names) if len(names) <= FEW_NAMES else number_of(len(names), "node")
    if len(names) <= FEW_NODES:
        from cadena.core.expressions.writing import expression_of

        with suppress(Refused):
            line = expression_of(graph)
            if len(line) <= SHORT and "\n" not in line:
                return line
    return f"{output}, {number_of(len(names), 'node')}"
