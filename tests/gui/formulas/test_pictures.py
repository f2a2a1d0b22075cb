"""Formulas become pictures: every formula that Cadena writes can be set, in the colours of its parts."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage

from cadena.core.front import compile
from cadena.core.graph.document import Document, Node, as_value
from cadena.core.methods.reverse import derivation, step_text
from cadena.core.notation.definition import definition, derivatives
from cadena.core.notation.parts import PLUS_EQUALS, FormulaPart, parts_of, split
from cadena.core.ops.primitive import REGISTRY
from cadena.core.text.numbers import latex_number
from cadena.gui.formulas import pictures, typesetter
from cadena.gui.look.theme import DARK, LIGHT
from tests import thorough
from tests.thorough import in_turn, some

# What ziamath sets rightly (looked at); it drops some commands that it does not know without a word.
LOOKED_AT = set(
    r"""\frac \partial \left \right \textcolor \cdot \odot \times \begin \end \text \mathrm \tanh \sin \cos \log \max
    \sum \sqrt \sigma \top \infty \cdots \geq \wedge \alpha
    \Gamma \psi \zeta \min \vee \leq \langle \rangle \otimes \prod \det \Delta \nabla \ldots \pi \lVert \rVert \lfloor
    \rfloor \lceil \rceil \neq \leftarrow \oplus \neg \tan \arcsin \arccos \arctan \sinh \cosh""".split()
)


def graph_of(op: str) -> Document:
    """The operation on its first example, summed up; one name is Greek, one is a word."""
    example = REGISTRY[op].examples[0]
    attributes = example[-1] if isinstance(example[-1], dict) else {}
    operands = [item for item in example if not isinstance(item, dict)]
    names = ("alpha", "rate_of", "x_3")[: len(operands)]
    leaves = [Node(name, "parameter", value=as_value(value)) for name, value in zip(names, operands)]
    nodes = [*leaves, Node("y1", op, inputs=names, attributes=attributes), Node("L", "sum", inputs=("y1",))]
    return Document({node.name: node for node in nodes}, output="L")


@cache
def formulas_of(op: str) -> tuple[str, ...]:
    """Everything that the window may show about this operation."""
    run, paint = compile(graph_of(op)).run(), pictures.colored(LIGHT)
    found = [step_text.step_latex(run.timeline, index, paint) for index in range(len(run.timeline))]
    for name in run.program.document.nodes:
        found += [*sum(derivation.derivation(run, name), ()), derivation.result_latex(run, name, paint)]
    found += [definition(op), *derivatives(op)]
    return tuple(latex for latex in found if latex)


def colors_of(image: QImage) -> set[str]:
    points = ((x, y) for x in range(image.width()) for y in range(image.height()))
    pixels = (image.pixelColor(x, y) for x, y in points)
    return {pixel.name() for pixel in pixels if pixel.alpha() == 255}


def sort_of(latex: str) -> str:
    """Of what sort a formula is; those of one sort are built alike."""
    return "contribution" if r"\mathrel{+}=" in latex else "derivative" if r"\partial" in latex else "value"


@pytest.mark.some(12)
@pytest.mark.parametrize("op", REGISTRY)
def test_every_formula_about_every_operation_can_be_set(op, qapp):
    tried = formulas_of(op)
    if not thorough.everything:  # what is about the sum L is alike for all
        tried = some((latex for latex in tried if not latex.startswith("L")), sort_of)
    assert not [latex for latex in tried if pictures.setting(latex).svg is None]


@in_turn("op", REGISTRY)
def test_formulas_use_only_commands_that_are_set_and_not_dropped(op):
    used = {
        command for latex in formulas_of(op) for command in re.findall(r"\\[a-zA-Z]+", typesetter.for_ziamath(latex))
    }
    assert used <= LOOKED_AT


def test_values_are_blue_gradients_orange_and_the_rest_has_the_ink_of_the_theme(qapp):
    paint = pictures.colored(DARK)
    latex = f"x = {paint('value', '1')} + {paint('gradient', '1')}"
    colors = colors_of(pictures.render(latex, 60, DARK.text, 1.0).toImage())
    assert {DARK.value, DARK.gradient, DARK.text} <= colors


def test_a_part_that_is_one_colour_is_set_once_for_all_themes(qapp):
    blue, orange = (pictures.setting(rf"\textcolor{{{ink}}}{{7.25}}") for ink in (LIGHT.value, LIGHT.gradient))
    assert blue.svg and orange.svg
    assert blue.svg.replace(LIGHT.value, LIGHT.gradient) == orange.svg
    assert blue.width == pictures.setting("7.25").width


def test_two_painted_parts_side_by_side_keep_their_colours(qapp):
    latex = pictures.colored(LIGHT)("value", "3") + pictures.colored(LIGHT)("gradient", "4")
    assert {LIGHT.value, LIGHT.gradient} <= colors_of(pictures.render(latex, 60, LIGHT.text, 1.0).toImage())


@pytest.mark.parametrize("bad", ["", "{", r"\frac{1}", "a_{0}_{1}", "a & b", r"\left( x", r"\begin{matrix} 1"])
def test_what_cannot_be_read_is_shown_as_its_source(bad, qapp):
    assert pictures.setting(bad).svg is None
    pixmap = pictures.render(bad, 40, "#ff0000", 1.0)
    if bad:
        assert QColor("#ff0000").name() in colors_of(pixmap.toImage())
        assert pixmap.width() >= pictures.size(bad, 40).width()


def test_twice_as_many_device_pixels_take_the_same_room_and_are_sharper(qapp):
    one, two = (pictures.render("x^{2}", 24, "#000000", ratio) for ratio in (1.0, 2.0))
    assert two.width() == pytest.approx(2 * one.width(), abs=2)
    assert two.deviceIndependentSize().width() == pytest.approx(one.width(), abs=1)


def test_a_formula_is_drawn_once_and_then_taken_from_the_cache(qapp):
    first, again = (pictures.render("x + y", 24, "#000000", 1.0) for _ in range(2))
    assert first.cacheKey() == again.cacheKey()
    assert pictures.render("x + y", 25, "#000000", 1.0).cacheKey() != first.cacheKey()


def test_the_room_grows_with_the_size_of_type(qapp):
    small, large = pictures.size(r"\frac{a}{b}", 10), pictures.size(r"\frac{a}{b}", 30)
    assert large.width() == pytest.approx(3 * small.width())
    assert large.height() == pytest.approx(3 * small.height())


def test_a_sign_is_not_spaced_like_a_difference(qapp):
    gap = pictures.setting("a - 7").width - pictures.setting("a").width - pictures.setting("-7").width
    assert gap > 0
    plain = pictures.setting("7").width + pictures.setting(r"\left(\right)").width
    assert pictures.setting(r"\left(-7\right)").width - plain < pictures.setting("-").width * 1.3


def test_plus_equals_shows_both_signs(qapp):
    assert pictures.setting(PLUS_EQUALS).width > 1.8 * pictures.setting("=").width


@pytest.mark.parametrize(
    ("latex", "pieces"),
    [
        ("a = b", [("", "a"), ("=", "b")]),
        (r"\left(a = b\right) = {c=d}", [("", r"\left(a = b\right)"), ("=", "{c=d}")]),
        (r"a \mathrel{+}= b \cdot c", [("", "a"), (r"\mathrel{+}=", "b"), (r"\cdot", "c")]),
        (r"\begin{bmatrix} 1 = 2 \end{bmatrix}", [("", r"\begin{bmatrix} 1 = 2 \end{bmatrix}")]),
        ("= 3", [("=", "3")]),
        ("", []),
    ],
)
def test_a_formula_is_cut_only_outside_braces_and_brackets(latex, pieces):
    assert split(latex, r"\mathrel{+}=", "=", r"\cdot") == pieces


@in_turn("op", REGISTRY)
def test_cutting_a_formula_leaves_every_command_whole(op):
    r"""The inspector showed "· s" for an ellipsis: \cdots was cut into the mark \cdot and an s."""
    for latex in (*formulas_of(op), r"\cdots", r"a = \begin{bmatrix} 1 & \cdots & 9 \end{bmatrix} \cdot \cdots"):
        cut = " ".join(f"{part.mark} {part.latex}" for part in parts_of(latex))
        assert typesetter.TOKEN.findall(cut.replace(" ", "")) == typesetter.TOKEN.findall(latex.replace(" ", ""))
        assert re.findall(r"\\[a-zA-Z]+", cut) == re.findall(r"\\[a-zA-Z]+", latex)


def test_an_ellipsis_between_the_lines_of_a_derivation_is_three_dots():
    document, name = Document({"w": Node("w", "parameter", value=1.0)}), "w"
    for number in range(20):
        document = Document(
            document.nodes | {f"s{number}": Node(f"s{number}", "sin", inputs=(name,))}, output=f"s{number}"
        )
        name = f"s{number}"
    lines = [line for line, _ in derivation.derivation(compile(document).run(), "w")]
    assert r"\cdots" in lines
    assert parts_of(r"\cdots") == (FormulaPart(r"\cdots"),)
    assert pictures.setting(r"\cdots").width > 2 * pictures.setting(r"\cdot").width


def test_the_underscores_of_a_name_were_spaced_like_operators():
    def width(name: str) -> float:
        return pictures.setting(rf"\mathrm{{{name}}}").width

    assert width(r"a\_b") == pytest.approx(width(r"a{\_}b"))
    assert width(r"a\_b") < width("ab") + 0.6 * pictures.REFERENCE


NESTED = [
    r"\sin{\left(%s \right)}",
    r"\frac{1}{1 + %s}",
    r"e^{- %s}",
    r"\left|\frac{a}{\sqrt{b + \left(%s\right)^{2}}}\right|",
]


def nested(around: str, depth: int, inner: str = "x") -> str:
    return around % nested(around, depth - 1, inner) if depth else inner


@pytest.mark.some(1)
@pytest.mark.parametrize("around", NESTED)
def test_what_is_measured_once_is_set_as_before(around, qapp, monkeypatch):
    latex = nested(around, 3 if thorough.everything else 2)
    made = typesetter._set(latex)
    from ziamath.nodes.mrow import Mrow

    monkeypatch.setattr(Mrow, "_get_height_nostretch", Mrow._get_height_nostretch.__wrapped__)
    assert typesetter._set(latex) == made


@pytest.mark.some(1)
@pytest.mark.parametrize("around", NESTED)
def test_a_formula_inside_another_did_not_take_several_times_as_long(around, qapp, monkeypatch):
    """A sine of a sine of ..., eight deep, took minutes, on the interface thread: ever more rows were set."""
    pictures.setting("x")
    from ziamath.nodes.mrow import Mrow

    rows, setup, unmeasured = [], Mrow._setup, Mrow._get_height_nostretch.__wrapped__
    monkeypatch.setattr(Mrow, "_setup", lambda row, **kwargs: (rows.append(row), setup(row, **kwargs))[1])
    counts = []
    for depth in (4, 8):
        with typesetter._ziamath:  # else what a thread sets for a window is counted too
            monkeypatch.setattr(Mrow, "_get_height_nostretch", unmeasured)
            typesetter._adapt_ziamath.cache_clear()  # else the count hangs on what earlier tests measured
            rows.clear()
            typesetter._set(nested(around, depth, f"x_{depth}"))
        counts.append(len(rows))
    assert counts[1] <= 10 * counts[0]  # it was 16 times as many at least


def test_a_matrix_of_too_many_rows_is_written_as_its_shape():
    paint = pictures.colored(LIGHT, rows=2)
    two, three = (latex_number(np.ones((rows, 2))) for rows in (2, 3))
    assert two in paint("value", two)
    assert three not in paint("value", three) and r"\left(3 \times 2\right)" in paint("value", three)
    assert three in pictures.colored(LIGHT)("value", three)
