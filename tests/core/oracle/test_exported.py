"""Exported programs run in the real libraries: every operation, every lesson and random graphs, value and gradients."""

from __future__ import annotations

import io
import warnings
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from cadena.core.graph.document import Backward, Document, Function, Node
from cadena.core.languages.export import export
from cadena.core.ops.primitive import REGISTRY
from cadena.core.teaching.lessons import lessons, open_lesson
from tests.core.graphs import documents, graph
from tests.core.languages.programs import (
    UP_TO_SIGN,
    differences,
    expected,
    is_healthy,
    is_smooth,
    is_well_conditioned,
    of_record,
    run,
)

pytestmark = pytest.mark.oracle
MODULES = {"torch": "torch", "jax": "jax", "tensorflow": "tensorflow"}
RELATIVE = {"float64": 1e-12, "float32": 1e-6}

# (language, operation, number of its example) -> why its gradient there is not ours.
KNOWN: dict[tuple[str, str, int], str] = {
    ("torch", "det", 3): "PyTorch's gradient of a singular matrix's determinant is 0; ours has the cofactors",
    ("torch", "det", 4): "the same, in a stack of matrices",
}
# What a lesson's program prints otherwise: (language, number) -> the differences.
AT_LESSONS = {("jax", 9): ["dL/dx3 is 1.0, not 0.0"]}  # JAX's derivative of abs at 0 is 1
IN_FLOAT32: dict[tuple[str, str, int], str] = {
    **{(language, "sinc", 2): "their quotient cancels near 0" for language in MODULES},
}


@pytest.fixture(scope="module", params=MODULES)
def language(request: pytest.FixtureRequest) -> str:
    pytest.importorskip(MODULES[request.param])
    return str(request.param)


def wrong(document: Document, language: str, relative: float) -> list[str]:
    """What the exported program prints otherwise than the engine."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Using padding='same'")
        return list(differences(run(export(document, language).text), expected(document), relative))


@pytest.mark.parametrize("dtype", RELATIVE)
@pytest.mark.parametrize("op", REGISTRY)
def test_every_operation(language: str, op: str, dtype: Any) -> None:
    for number, document in enumerate(of_record(REGISTRY[op])):
        relative = 1e-5 if dtype == "float32" and op in UP_TO_SIGN else RELATIVE[dtype]
        found = wrong(replace(document, dtype=dtype), language, relative)
        if (language, op, number) in (KNOWN if dtype == "float64" else KNOWN | IN_FLOAT32):
            assert found, "the libraries agree by now; the table of known differences is stale"
        else:
            assert not found, (number, found)


def test_every_lesson(language: str) -> None:
    for lesson in lessons():
        document = open_lesson(str(lesson.number))
        found = wrong(document, language, RELATIVE[document.dtype])
        assert found == AT_LESSONS.get((language, lesson.number), []), lesson.name


def test_large_parameters_lie_beside_the_program(language: str, tmp_path: Path) -> None:
    numbers = np.random.default_rng(5).normal(size=(40, 30))
    for dtype in ("float64", "float32"):
        document = replace(graph(w=numbers, s=("square", "w"), L=("sum", "s")), dtype=dtype)
        made = export(document, language, stem="big")
        assert made.data is not None
        (tmp_path / "big.npz").write_bytes(made.data)
        assert len(made.text) < 2000
        found = run(made.text, str(tmp_path / "big.py"))
        assert not list(differences(found, expected(document), RELATIVE[dtype]))


def test_a_custom_gradient_with_two_operands_one_of_them_broadcast(language: str) -> None:
    nodes = {"y": Node("y", "multiply", inputs=("a", "b"))}
    back = {
        "twice": Node("twice", "add", inputs=("up", "up")),
        "da": Node("da", "multiply", inputs=("twice", "b")),
        "db": Node("db", "multiply", inputs=("up", "a")),
    }
    for outputs in (("da", "db"), ("da", None)):
        own = Function(("a", "b"), nodes, "y", Backward(("a", "b", "y", "up"), back, outputs))
        document = replace(
            graph(a=[[1.0, 2.0], [3.0, 4.0]], b=[5.0, 6.0], m=("own", "a", "b"), q=("square", "m"), L=("sum", "q")),
            functions={"own": own},
        )
        assert not wrong(document, language, 1e-12)


@settings(max_examples=150)
@given(document=documents())
def test_random_graphs(language: str, document: Document) -> None:
    if is_healthy(document) and is_smooth(document):
        assert not wrong(document, language, 1e-12)


@settings(max_examples=75)
@given(document=documents())
def test_random_graphs_in_float32(language: str, document: Document) -> None:
    """Rounding may grow from operation to operation, which the same numbers in float64 show."""
    single = replace(document, dtype="float32")
    if is_healthy(single) and is_smooth(document) and is_well_conditioned(single, document):
        assert not wrong(single, language, 1e-6)


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
def test_numbers_are_printed_in_their_shortest_exact_form_on_one_line(language: str, dtype: Any) -> None:
    numbers = [[0.1, 1.0 / 3.0], [-254.0, 1e-7]]
    document = replace(graph(w=numbers, L=("positive", "w")), dtype=dtype)
    output = io.StringIO()
    with redirect_stdout(output), np.errstate(all="ignore"):
        exec(export(document, language).text, {"__name__": "__main__", "__file__": "program.py"})
    rows = [[float(str(number)) for number in row] for row in np.array(numbers, dtype=dtype)]
    assert output.getvalue().splitlines() == [f"L = {rows}", "dL/dw = [[1.0, 1.0], [1.0, 1.0]]"]


@pytest.mark.parametrize("op", ["cholesky", "eigh"])
def test_of_a_matrix_that_is_not_symmetric_both_triangles_count(language: str, op: str) -> None:
    assert not wrong(graph("L", x=[[4.0, 1.0], [0.5, 3.0]], y=(op, "x"), L=("sum", "y")), language, 1e-12)
