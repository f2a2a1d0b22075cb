"""Expressions: read into a graph, and graphs written as expressions."""

from __future__ import annotations

from collections.abc import Iterator

from cadena.core.expressions.reading import parse
from cadena.core.expressions.writing import expression_of
from cadena.core.teaching.lessons import open_lesson
from tests.benchmarks.cases import OURS, Case
from tests.core.graphs import wide

USUAL = "L = (w*x + b - y)**2; y_hat = sigmoid(w @ x)"
LONG = " + ".join(f"a{n}*sin(b{n})" for n in range(30))
LINES = "\n".join(["x0 = 1", *(f"x{n} = sin(x{n - 1}) + 1" for n in range(1, 10_000))])
GROUP = "expressions"


def expression_cases() -> Iterator[Case]:
    yield Case(GROUP, "read L = (w*x + b - y)**2; y_hat = ...", lambda: {OURS: lambda: parse(USUAL)}, 5e-3)
    yield Case(GROUP, "read a sum of 30 products", lambda: {OURS: lambda: parse(LONG)}, 5e-3)
    yield Case(GROUP, "read 10,000 lines", lambda: {OURS: lambda: parse(LINES)})
    lesson, large = open_lesson("1"), wide(10_000, leaves=500)
    yield Case(GROUP, "write lesson 1", lambda: {OURS: lambda: expression_of(lesson)}, 5e-3)
    yield Case(GROUP, "write 1e4 nodes", lambda: {OURS: lambda: expression_of(large)})
