"""One graph on which people got a bad number, with what the doctor is to say about it."""

from __future__ import annotations

from dataclasses import replace
from math import inf, nan
from typing import NamedTuple

from cadena.core.graph.document import Document

__all__ = ["CONSTANT", "INPUT", "ONE", "TWO", "ZERO", "Case", "Problem", "inf", "nan"]
CONSTANT, INPUT = "constant", "input"
ZERO, ONE, TWO = (CONSTANT, 0.0), (CONSTANT, 1.0), (CONSTANT, 2.0)
Problem = tuple[str, str]  # node and kind


class Case(NamedTuple):
    """`source` is where somebody reported it, if not a common thing. `problems` are the faults, then the hints, each
    with its rule and the titles of its fixes. `clean` unless fixes alone do not bring the graph in order."""

    source: str
    dtype: str
    graph: Document
    problems: dict[Problem, tuple[str, tuple[str, ...]]]
    clean: bool = True

    @property
    def document(self) -> Document:
        return replace(self.graph, dtype=self.dtype)
