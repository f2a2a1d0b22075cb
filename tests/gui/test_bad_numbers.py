"""Bad numbers in the window: every step of matrices that cannot be taken apart is painted, and formulas are set."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

import cadena
from cadena.core.expressions.reading import parse
from cadena.core.layout.arrange import arrange
from cadena.core.methods.names import METHODS, Method
from cadena.core.methods.reverse.step_text import step_latex
from cadena.core.ops.primitive import REGISTRY
from cadena.core.teaching.lessons import open_lesson
from cadena.core.text.painted_text import mark, pieces
from cadena.gui.formulas import pictures
from cadena.gui.panels.inspector.facts import Facts
from tests.core.graphs import graph
from tests.fuzz.bad_numbers import NON_FINITE, SINGULAR, spoiled
from tests.gui.user import calm, settle
from tests.waiting import until

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


LOG = "x = -1\ny = log(x)\nL = 2*y"


def open_log(user) -> None:
    user.session.open(arrange(parse(LOG)), None)
    user.session.show_live()
    settle()
    user.canvas.zoom_to_fit()
    user.canvas.grab()  # which places the badges


def test_nan_was_as_blue_as_a_value(user):
    open_log(user)
    user.window.open_panel("inspector")
    settle()
    fault = user.window.shown_theme.fault
    assert f"color: {fault}" in user.window.inspector.graph.value.styleSheet()
    user.session.select(["y"])
    calm(user.window.inspector)
    numbers = [facts.value.number for facts in user.window.inspector.findChildren(Facts) if facts.isVisible()]
    assert numbers and all(f"color: {fault}" in number.styleSheet() for number in numbers)
    assert user.session.frame.lines("y")[0].ink == "fault" and user.session.frame.lines("x")[0].ink == "value"


def test_bad_elements_of_a_matrix_stand_out_in_its_formula(user):
    theme = user.window.shown_theme
    paint = pictures.colored(theme)
    assert paint("value", r"\mathrm{nan}") == rf"\textcolor{{{theme.fault}}}{{\mathrm{{nan}}}}"
    part = paint("value", r"\begin{bmatrix} 1 & -\infty \end{bmatrix}")
    assert part.startswith(rf"\textcolor{{{theme.value}}}") and rf"\textcolor{{{theme.fault}}}{{-\infty}}" in part
    inner, plate = pictures.on_plate(part, theme)
    assert theme.fault not in inner and plate == theme.value_strong
    assert pieces(f"L is {mark('value', 'nan')}.")[1].role == "fault"


def test_a_click_on_a_badge_leads_to_its_problem(user):
    open_log(user)
    (badge,) = user.canvas._layers.badges
    user.click(user.canvas.camera.to_view(badge.place.center()).toPoint())
    (entry,) = user.window.problems.entries
    assert entry.isVisible() and entry.lit and user.session.selection == {"y"}
    assert QApplication.focusWidget() is entry
    user.window.close_panel("problems")
    user.session.select(())
    band = user.window.step_band
    QTest.mouseClick(band.title, Qt.MouseButton.LeftButton)
    settle()
    assert user.window.problems.isVisible() and user.session.selection == {"y"}


def test_no_fix_was_known_of_a_number_outside_the_domain(user):
    open_log(user)
    user.window.open_panel("problems")
    until(lambda: not user.window.problems.doctor.busy, "fixes are tried for ever", settle)
    (entry,) = user.window.problems.entries
    told = "No rewriting helps, as the input is outside the domain of log: change x."
    assert entry.accessibleName().endswith(told) and not entry.buttons


def test_a_pass_along_an_element_of_x_was_named_after_another_node(user):
    user.session.open(arrange(parse("X = [[1, 2], [3, 4]]\nL = sum(X)")), None)
    user.session.choose_method("forward")
    settle()
    texts = user.window.transport.scrubber.labels(user.session.timeline)
    assert texts[0].startswith("Along X[0, 0]")
