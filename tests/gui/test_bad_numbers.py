"""Bad numbers in the window: every step of matrices that cannot be taken apart is painted, and formulas are set."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

import cadena
from cadena.core.methods.names import METHODS, Method
from cadena.core.methods.reverse.step_text import step_latex
from cadena.core.ops.primitive import REGISTRY
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.formulas import pictures
from tests.core.graphs import graph
from tests.fuzz.bad_numbers import NON_FINITE, SINGULAR, spoiled

SCRIPTED = [record for record in REGISTRY.values() if {"^", "_"} & {*record.notation.latex}]
MATRICES = ("eigh", "svd", "pinv", "inv", "solve", "slogdet")


def paint_every_step(user, method: str) -> None:
    user.session.set_method(Method(method))
    for step in range(len(user.session.timeline) + 1):
        user.session.set_time(step - 0.5)
        user.window.grab()
    for name in user.session.document.nodes:
        user.session.select([name])
        QApplication.processEvents()
        user.window.grab()


def open_matrix(user, op: str, number: float) -> None:
    operands = {"A": [[number, 1.0], [1.0, 3.0]], **({"b": [1.0, number]} if op == "solve" else {})}
    made = graph(**operands, y=(op, *operands), L=("sum", "y"))
    user.session.open(replace(open_lesson("1"), nodes=made.nodes, output="L", layout={}), None)
    user.window.toggle_panel("problems")


@pytest.mark.some(1)
@pytest.mark.parametrize("number", [-np.inf, np.nan])
def test_cholesky_of_inf_or_nan_does_not_end_the_program(user, number, capfd):
    open_matrix(user, "cholesky", number)
    for method in METHODS:
        paint_every_step(user, method)
    assert capfd.readouterr() == ("", "")


@pytest.mark.some(2)
@pytest.mark.parametrize("op", MATRICES)
def test_a_matrix_with_inf_is_painted_at_every_step(user, op, capfd):
    open_matrix(user, op, -np.inf)
    paint_every_step(user, "reverse")
    assert capfd.readouterr() == ("", "")


def test_formulas_with_exponents_and_indices_can_be_set(qapp):
    """ziamath takes neither an exponent after a bare matrix, nor an index after a name that has one."""
    for place, record in enumerate(SCRIPTED):
        cases = [*spoiled(record, NON_FINITE | SINGULAR)]
        run = cadena.compile(cases[37 * place % len(cases)].document).run()
        latex = step_latex(run.timeline, 0)
        assert pictures.setting(latex).svg is not None, latex
