"""Exported C++ compiled by g++ with Eigen: every operation, the lessons and random graphs, value and gradients."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

from cadena.core.graph.document import Document
from cadena.core.languages.export import export
from cadena.core.ops.primitive import REGISTRY
from cadena.core.teaching.lessons import lessons, open_lesson
from tests.core.graphs import documents, graph
from tests.core.languages.cpp_programs import OPTIONS, decomposes, run_all, why_not
from tests.core.languages.programs import differences, expected, is_healthy, is_smooth, of_record, printed

pytestmark = [pytest.mark.oracle, pytest.mark.skipif(bool(why_not()), reason=why_not())]
# A derivative vector has 0 for the other parameters, and 0 times an infinite slope is nan.
INFINITE = {"Lesson 9: no derivative at 0": {"dL/dx1", "dL/dx2", "dL/dx3"}}
SCALARS = {"float64": ("double", 1e-12), "float32": ("float", 1e-5)}


def assert_right(documents: dict[str, Document], folder: Path, dtype: str) -> None:
    scalar, relative = SCALARS[dtype]
    programs = [export(document, "eigen").text for document in documents.values()]
    wrong = {}
    for (label, document), found in zip(documents.items(), run_all(programs, folder, scalar), strict=True):
        if told := list(differences(found, expected(document), relative)):
            wrong[label] = told
        if {sentence.split()[0] for sentence in told} == INFINITE.get(label):
            del wrong[label]
    assert not wrong


@pytest.mark.parametrize("apart", [False, True], ids=["usual", "decompositions"])
def test_every_operation(tmp_path: Path, apart: bool) -> None:
    said = {f"{op} {number}": document for op in REGISTRY for number, document in enumerate(of_record(REGISTRY[op]))}
    chosen = {label: one for label, one in sorted(said.items()) if decomposes(export(one, "eigen").text) == apart}
    assert chosen
    assert_right(chosen, tmp_path, "float64")


def test_every_operation_in_float32(tmp_path: Path) -> None:
    """One example each: what is compiled is the same, but for the numbers."""
    said = {op: replace(next(of_record(REGISTRY[op])), dtype="float32") for op in sorted(REGISTRY)}
    assert_right(said, tmp_path, "float32")


@pytest.mark.parametrize("dtype", SCALARS)
def test_every_lesson(tmp_path: Path, dtype: str) -> None:
    opened = [open_lesson(str(lesson.number)) for lesson in lessons()]
    assert_right({one.title: one for one in opened if one.dtype == dtype}, tmp_path, dtype)


def test_large_arrays_are_read_from_the_file_beside_the_program(tmp_path: Path) -> None:
    """Such a program had never been run."""
    for dtype, (_, relative) in SCALARS.items():
        x, w = (np.random.default_rng(seed).normal(size=(40, 30)) for seed in (5, 6))
        nodes = {"p": ("multiply", "x", "w"), "q": ("square", "p"), "L": ("mean", "q")}
        document = replace(graph(x=("input", x), w=w, **nodes), dtype=dtype)
        made = export(document, "eigen", stem="big")
        assert made.data is not None
        (tmp_path / made.data_name("big")).write_bytes(made.data)
        (tmp_path / "big.cpp").write_text(made.text)
        assert len(made.text) < 20_000
        subprocess.run(["g++", *OPTIONS, "big.cpp", "-o", "big"], check=True, cwd=tmp_path)
        done = subprocess.run(["./big"], capture_output=True, text=True, check=True, cwd=tmp_path)
        assert not list(differences(printed(done.stdout), expected(document), relative))


def test_random_graphs(tmp_path: Path) -> None:
    found: dict[str, Document] = {}

    @seed(12)
    @settings(max_examples=200, phases=[Phase.generate], suppress_health_check=list(HealthCheck), database=None)
    @given(documents(ops=tuple(sorted(REGISTRY))))
    def collect(document: Document) -> None:
        if (
            is_healthy(document)
            and is_smooth(document)
            and any(node.wants_gradient for node in document.nodes.values())
        ):
            found[str(len(found))] = document

    collect()
    assert len(found) > 50
    assert_right(dict(list(found.items())[:120]), tmp_path, "float64")
