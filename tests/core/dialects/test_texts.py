from __future__ import annotations

import re
from dataclasses import replace

import pytest

from cadena.core.dialects.export import export
from cadena.core.lessons import lessons, open_lesson
from tests.core.graphs import graph
from tests.thorough import some

NUMBERS = [str(lesson.number) for lesson in lessons()]


def formulas(text):
    """What stands in the gather environments, a formula each."""
    for inside in re.findall(r"\\begin\{gather\*\}\n(.*?)\n\\end\{gather\*\}", text, re.DOTALL):
        yield from (line.strip() for line in inside.split(" \\\\\n"))


def test_markdown_tells_the_graph_and_every_step():
    text = export(open_lesson("1"), "markdown").text
    assert text.startswith("# Lesson 1: first chain rule\n")
    assert "| L | subtract | 15 − c | number | -254 | 1 |" in text
    assert "\n## Reverse pass\n\n10. L depends directly on c: " in text
    assert len(re.findall(r"^\d+\. ", text, re.MULTILINE)) == 21


@pytest.mark.parametrize("number", NUMBERS)
def test_every_row_of_a_markdown_table_has_its_cells(number):
    document = open_lesson(number)
    rows = [line for line in export(document, "markdown").text.splitlines() if line.startswith("|")]
    assert len(rows) == 2 + len(document.nodes)
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {7}


def test_markdown_signs_in_names_stay_text():
    text = export(graph(_w_=2.0, a_b=("exp", "_w_")), "markdown").text
    assert r"| \_w\_ | parameter |" in text


def test_latex_has_the_chain_rule_with_its_numbers():
    text = export(open_lesson("1"), "latex").text
    assert r"L = 15 - c = 15 - 269 = -254" in list(formulas(text))
    assert r"\frac{\partial L}{\partial w_{0}} = -28" in list(formulas(text))
    assert text.count(r"\begin{") == text.count(r"\end{")


def signs(formula):
    """The commands and signs in a formula, on which it depends whether it can be set."""
    return tuple(sorted(set(re.findall(r"\\[A-Za-z]+|\W", formula))))


@pytest.mark.parametrize("number", NUMBERS)
def test_every_formula_can_be_set(number):
    """By ziamath, which draws formulas in the window; there is no LaTeX to ask here."""
    import ziamath

    for formula in some(formulas(export(open_lesson(number), "latex").text), kind=signs):
        plain = formula.replace(r"\end{bmatrix}^{2}", r"\end{bmatrix}")  # which ziamath cannot set, and LaTeX can
        assert ziamath.Latex(plain).svg()


def test_a_title_cannot_break_the_document():
    text = export(replace(graph(x=1.0, y=("exp", "x")), title=r"50% of \input{x} & $y_1$"), "latex").text
    assert r"\title{50\% of \textbackslash{}input\{x\} \& \$y\_1\$}" in text


def test_letters_beyond_ascii_are_told_of():
    assert export(graph(ñu=1.0, y=("exp", "ñu")), "latex").text.startswith("% Needs lualatex")
    assert export(graph(nu=1.0, y=("exp", "nu")), "latex").text.startswith(r"\documentclass")
