"""Exported programs are scripts too: run here, they print the engine's values and gradients, without the libraries."""

from __future__ import annotations

import io
import sys
from contextlib import redirect_stdout

import numpy as np
import pytest

from cadena.core.dialects.export import export
from cadena.core.lessons import lessons, open_lesson
from cadena.core.ops.primitive import REGISTRY
from cadena.core.scripts import imports
from tests.core.dialects.programs import differences, expected, of_record, printed


@pytest.fixture(params=["torch", "tensorflow", "jax"])
def language(request, monkeypatch):
    monkeypatch.setattr(imports, "CHOSEN", [request.param])
    monkeypatch.setattr(sys, "argv", ["script.py"])  # programs read their own, not pytest's
    return request.param


def run_here(code: str) -> dict[str, np.ndarray]:
    """What a program prints as a script, in this process: the limits of a script's own are tested elsewhere."""

    def refuse(what: str):
        raise AssertionError(what)

    output = io.StringIO()
    with redirect_stdout(output), np.errstate(all="ignore"):
        exec(compile(code, "<script>", "exec"), {"__name__": "__main__", "__builtins__": imports.names(refuse)})
    return printed(output.getvalue())


def test_every_operation_that_is_written_is_read_back_with_its_result_and_gradients(language):
    found = {}
    for op, record in REGISTRY.items():
        for number, document in enumerate(of_record(record)):
            wrong = list(differences(run_here(export(document, language).text), expected(document), 1e-10))
            if wrong:
                found[op, number] = wrong
    assert not found


def test_every_lesson_is_read_back(language):
    found = {}
    for lesson in lessons():
        document = open_lesson(str(lesson.number))
        wrong = list(differences(run_here(export(document, language).text), expected(document), 1e-6))
        if wrong:
            found[language, lesson.number] = wrong
    assert not found
