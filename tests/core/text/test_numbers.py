"""Numbers for people: every digit that is shown is right, and every case of the house style has its form."""

import math
import re
from dataclasses import replace
from decimal import ROUND_DOWN, Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cadena.core.front import compile
from cadena.core.graph.document import Document, Node
from cadena.core.methods.choosing import timeline_of
from cadena.core.methods.names import Method
from cadena.core.methods.reverse.step_text import step_latex, step_sentence, step_title
from cadena.core.teaching.lessons import open_lesson
from cadena.core.text.numbers import (
    MINUS,
    NARROW_SPACE,
    SUPERSCRIPTS,
    figures,
    fits,
    full,
    latex_number,
    shape_text,
    short,
)
from cadena.core.text.plain_text import number_text

FORMS = [
    (0.0, "0", "0"),
    (-0.0, "0", "0"),
    (-254.0, "−254", "-254"),
    (0.1, "0.1", "0.1"),
    (1 / 3, "0.3333", "0.3333"),
    (0.012346, "0.01235", "0.01235"),
    (1234.5678, f"1{NARROW_SPACE}235", r"1\,235"),
    (12345.678, f"12{NARROW_SPACE}346", r"12\,346"),
    (999999.0, f"999{NARROW_SPACE}999", r"999\,999"),
    (0.00099999, "0.001", "0.001"),
    (999999.9, "1·10⁶", r"1 \cdot 10^{6}"),
    (1e6, "1·10⁶", r"1 \cdot 10^{6}"),
    (-3.72e-44, "−3.72·10⁻⁴⁴", r"-3.72 \cdot 10^{-44}"),
    (math.nan, "nan", r"\mathrm{nan}"),
    (math.inf, "inf", r"\infty"),
    (-math.inf, "−inf", r"-\infty"),
]


@pytest.mark.parametrize(("number", "plain", "latex"), FORMS)
def test_each_kind_of_number_has_its_form(number: float, plain: str, latex: str) -> None:
    assert short(number) == plain
    assert latex_number(number) == latex


def _read_back(text: str) -> float:
    digits, _, power = text.replace(MINUS, "-").replace(NARROW_SPACE, "").partition("·10")
    back = {value: key for key, value in SUPERSCRIPTS.items()}
    return float(digits) * 10.0 ** int(power.translate(back) or "0") if power else float(digits)


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e300, max_value=1e300))
def test_a_short_number_is_right_to_four_digits(number: float) -> None:
    if number == 0 or abs(number) > 1e-290:
        assert _read_back(short(number)) == pytest.approx(number, rel=5.1e-4)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_short_number_is_short(number: float) -> None:
    assert len(short(number)) <= len("−9.999·10⁻³⁰⁸")


@given(st.floats(allow_nan=False, allow_infinity=False, width=64))
def test_a_full_number_loses_nothing(number: float) -> None:
    assert float(full(number).replace(MINUS, "-")) == number


def test_a_full_float32_shows_only_digits_that_float32_has() -> None:
    assert full(np.float32(0.1)) == "0.1"


def test_small_arrays_are_written_out_and_large_ones_by_shape() -> None:
    assert short(np.array([[1.0, -2.0], [3.0, 4.5]])) == "[[1, −2], [3, 4.5]]"
    assert short(np.zeros((64, 10))) == "(64 × 10)"
    assert latex_number(np.array([1.0, 2.0])) == r"\begin{bmatrix} 1 & 2 \end{bmatrix}"
    assert latex_number(np.zeros((64, 10))) == r"\left(64 \times 10\right)"


MARKED = [
    (math.pi, "3.141…", r"3.141\ldots"),
    (math.degrees(1.0), "57.29…", r"57.29\ldots"),
    (0.1 + 0.2, "0.3000…", r"0.3000\ldots"),
    (-12345.678, f"−12{NARROW_SPACE}345…", r"-12\,345\ldots"),
    (-1e300 / 3, "−3.333…·10²⁹⁹", r"-3.333\ldots \cdot 10^{299}"),
    (0.5, "0.5", "0.5"),
    (0.0, "0", "0"),
    (math.inf, "inf", r"\infty"),
]


@pytest.mark.parametrize(("number", "plain", "latex"), MARKED)
def test_a_number_that_is_marked_as_cut_shows_the_digits_that_it_begins_with(
    number: float, plain: str, latex: str
) -> None:
    assert short(number, 4, marked=True) == plain
    assert latex_number(number, 4, marked=True) == latex


def test_all_digits_of_a_number_are_no_more_than_tell_it_from_its_neighbours() -> None:
    assert short(1e-5, 17) == "1·10⁻⁵" and short(0.1 + 0.2, 17) == "0.30000000000000004"


@pytest.mark.parametrize(
    ("shape", "written_out"),
    [
        *(((4, 4), True), ((6, 4), True), ((3, 8), True), ((8,), True)),
        *(((5, 5), False), ((8, 3), False), ((9,), False), ((2, 2, 2), False)),
    ],
)
def test_matrices_of_up_to_24_cells_are_written_out(shape: tuple[int, ...], written_out: bool) -> None:
    assert fits(np.ones(shape)) is written_out
    assert ("bmatrix" in latex_number(np.ones(shape))) is written_out


def test_an_empty_array_is_told_by_its_shape() -> None:
    assert not fits(np.zeros((0, 3)))
    assert latex_number(np.zeros((0, 3))) == r"\left(0 \times 3\right)"


def test_nothing_is_a_dot() -> None:
    assert short(None) == "·"
    assert full(None) == "·"


@pytest.mark.parametrize(("shape", "text"), [((), "number"), ((3,), "vector of 3"), ((3, 2), "3 × 2")])
def test_shapes_in_words(shape: tuple[int, ...], text: str) -> None:
    assert shape_text(shape) == text


def test_zeros_of_an_array_had_a_sign_that_was_not_meant():
    tangent = np.array([[0.0, -2.0], [-0.0, 3.0]])
    assert short(tangent) == "[[0, −2], [0, 3]]" and "-0" not in latex_number(tangent)
    assert short(np.float32([-0.0, 1.5])) == "[0, 1.5]"
    assert number_text(tangent) == "[[0, -2], [0, 3]]"


MINUS_ZERO = Document(
    {
        "z": Node("z", "parameter", value=0.0),
        "k": Node("k", "constant", value=-2.0),
        "one": Node("one", "constant", value=1.0),
        "n": Node("n", "negative", ("z",)),
        "m": Node("m", "multiply", ("z", "k")),
        "s": Node("s", "add", ("n", "m")),
        "g": Node("g", "multiply", ("s", "z")),
        "L": Node("L", "negative", ("g",)),
    },
    output="L",
)


@pytest.mark.parametrize("method", ["reverse", "forward", "difference", "symbolic"])
def test_a_minus_zero_was_shown_where_0_is_meant(method):
    run = compile(MINUS_ZERO).run()
    assert all(np.signbit(run.value(name)) and run.value(name) == 0 for name in "nms")  # it is there all the same
    timeline = timeline_of(run, Method(method), whole=True)
    for index in range(len(timeline)):
        told = [step_sentence(timeline, index), step_title(timeline, index), step_latex(timeline, index)]
        computed_timeline = [re.sub("[−-]0 = 0", "0", text) for text in told]  # that minus is the operation of n
        assert not [text for text in computed_timeline if re.search(r"[−-]0(?![.\d])", text)], told
    for number in (-0.0, np.float32(-0.0), np.array(-0.0)):
        assert short(number) == full(number) == latex_number(number) == number_text(np.asarray(number)) == "0"
    assert full(np.array([-0.0, 1.0])) == "[0. 1.]" and number_text(np.full(20, -0.0)) == "20 numbers, 0 to 0"


def test_a_minus_zero_on_which_the_result_depends_lost_its_sign():
    divided = compile(replace(MINUS_ZERO, nodes=MINUS_ZERO.nodes | {"g": Node("g", "divide", ("one", "n"))})).run()
    timeline = divided.timeline
    at = next(index for index, step in enumerate(timeline) if step.node == "g")
    assert "1 / (−0) = −inf" in step_sentence(timeline, at) and r"{-0} = -\infty" in step_latex(timeline, at)
    assert "n = −0" in next(fault.message for fault in divided.faults if fault.node == "g")
    turned = figures(np.arctan2, (0.0, -0.0), math.pi)
    assert turned.signed and turned.follows and not figures(np.multiply, (-0.0, 3.0), -0.0).signed


def test_no_array_of_a_lesson_is_told_with_minus_zeros():
    run = compile(open_lesson("11")).run()
    timeline = timeline_of(run, Method("forward"), whole=True)
    told = [step_sentence(timeline, index) for index in range(len(timeline))]
    assert any("0, " in sentence for sentence in told)
    assert not [sentence for sentence in told if re.search(r"−0(?![.\d])", sentence)]


@given(st.floats(), st.integers(1, 6))
def test_python_floats_are_marked_as_cut_like_those_of_numpy(number, digits):
    """They are judged by a quicker way."""
    assert short(number, digits, marked=True) == short(np.float64(number), digits, marked=True)


@given(st.floats(1e-3, 1e6, exclude_max=True), st.integers(1, 12))
def test_the_digits_before_a_cut_are_those_of_the_exact_number(number, digits):
    """Numbers without a power of ten are cut by a quicker way than decimal arithmetic."""
    text = short(number, digits, marked=True).replace(NARROW_SPACE, "")
    if text.endswith("…"):
        shown, exact = Decimal(text[:-1]), Decimal(number)
        unit = Decimal(1).scaleb(min(exact.adjusted() - digits + 1, 0))
        assert shown == exact.quantize(unit, ROUND_DOWN) and -shown.as_tuple().exponent == -unit.adjusted()


@pytest.mark.parametrize(
    ("dtype", "shown"), [("float16", "65\u202f504"), ("float32", "3.402…·10³⁸"), ("float64", "1.797…·10³⁰⁸")]
)
def test_the_largest_number_is_marked_as_cut_without_a_warning(dtype, shown):
    assert short(np.finfo(dtype).max, 4, marked=True) == shown
