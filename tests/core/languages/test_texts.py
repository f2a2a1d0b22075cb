from __future__ import annotations

import re
from dataclasses import replace

import pytest

from cadena.core.languages.export import export
from cadena.core.ops.primitive import REGISTRY
from cadena.core.teaching.lessons import lessons, open_lesson
from tests.core.graphs import graph
from tests.core.languages.programs import of_record
from tests.thorough import family, in_turn, some

NUMBERS = [str(lesson.number) for lesson in lessons()]


def formulas(text):
    """What stands in the gather environments, a formula each."""
    for inside in re.findall(r"\\begin\{gather\*\}\n(.*?)\n\\end\{gather\*\}", text, re.DOTALL):
        yield from (line.strip() for line in inside.split(" \\\\\n"))


def test_markdown_tells_the_graph_and_every_step():
    text = export(open_lesson("1"), "markdown").text
    assert text.startswith("# Lesson 1: first chain rule\n")
    assert "| L | subtract | 15 − c | number | -254 | 1 |" in text
    assert "\n## Reverse pass\n\n10. c receives −1 from L: " in text
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


@pytest.mark.some(6)
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


TOKENS = re.compile(r"\\[A-Za-z]+|\\.|[{}&^_$#%~]|[^\\{}&^_$#%~]+", re.DOTALL)


def mistakes(formula):  # noqa: C901, PLR0912, a flat list of mistakes
    """What TeX would refuse in a formula of an environment such as gather*: a strict reading of its tokens."""
    depth, environments, pairs, before = 0, [], 0, ""
    tokens = TOKENS.findall(formula)
    if "".join(tokens) != formula:
        yield "a token that is none"
    for place, token in enumerate(tokens):
        if token in ("{", "}"):
            depth += 1 if token == "{" else -1
            if depth < 0:
                yield "a brace is closed that is not open"
        elif token in ("$", "#", "%", "~"):
            yield f"{token} is not escaped"
        elif token == "&" and not environments:
            yield "& outside a matrix"
        elif token in ("^", "_"):
            if before in ("", "{", "^", "_", "&"):
                yield f"{token} with nothing before it"
            if place + 1 == len(tokens) or tokens[place + 1] in ("}", "^", "_", "&"):
                yield f"{token} with nothing behind it"
        elif token in (r"\begin", r"\end"):
            name = tokens[place + 2]
            if token == r"\begin":
                environments.append(name)
            elif not environments or environments.pop() != name:
                yield f"{name} ends and has not begun"
        elif token in (r"\left", r"\right"):
            pairs += 1 if token == r"\left" else -1
            if pairs < 0:
                yield "right without left"
        elif token == r"\text" and (place + 1 == len(tokens) or tokens[place + 1] != "{"):
            yield "text without braces"
        before = token
    if depth or environments or pairs:
        yield "something is left open"
    if re.search(r"(?:_(?:\w|\{[^{}]*\})){2}|(?:\^(?:\w|\{[^{}]*\})){2}", formula):
        yield "two scripts on one sign"


@pytest.mark.parametrize("number", NUMBERS)
def test_the_tokens_of_every_formula_are_those_of_tex(number):
    text = export(open_lesson(number), "latex").text
    assert [found for formula in formulas(text) for found in mistakes(formula)] == []
    assert list(mistakes(re.sub(r"(?s).*\\begin\{document\}|\\end\{document\}.*|[&]", "", text))) == []


@in_turn("op", REGISTRY)
def test_the_tokens_of_the_formulas_of_every_operation(op):
    for document in some(of_record(REGISTRY[op]), kind=lambda document: op):
        text = export(document, "latex").text
        assert [found for formula in formulas(text) for found in mistakes(formula)] == []
        assert text.count(r"\begin{") == text.count(r"\end{")


@pytest.mark.parametrize("op", some(REGISTRY, family))
def test_the_longest_formula_of_an_operation_can_be_set(op):
    import ziamath

    formula = max(formulas(export(next(of_record(REGISTRY[op])), "latex").text), key=len)
    assert ziamath.Latex(re.sub(r"(\\end\{bmatrix\})\^\{[^}]*\}", r"\1", formula)).svg()


@pytest.mark.parametrize(
    "formula",
    ["{", "}", "a & b", "a^", "_2", r"\begin{bmatrix} 1", r"\left( 1", "50%", "x_1_2", "x^{a}^{b}", r"\text x"],
)
def test_the_strict_reading_finds_what_is_wrong(formula):
    assert list(mistakes(formula))


def test_names_of_all_kinds_are_set():
    names = ("a_b_c", "_x", "x__", "alpha", "w_0_again1", "ñu", "x1_2", "_")
    document = graph(
        "L",
        **dict.fromkeys(names, 2.0),
        **{f"s{i}": ("exp", name) for i, name in enumerate(names)},
        L=("add", "s0", "s1"),
    )
    for name in names:
        text = export(replace(document, output=f"s{names.index(name)}"), "latex").text
        assert [found for formula in formulas(text) for found in mistakes(formula)] == []
