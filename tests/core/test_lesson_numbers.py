"""Every number in the text of a lesson, held against the engine; what belongs to a formula or a name is listed."""

from __future__ import annotations

import re

import numpy as np
import pytest

from cadena.core.doctor.findings.origins import number_faults
from cadena.core.doctor.fixes.offers import fixes
from cadena.core.front import compile
from cadena.core.graph.edits import set_operation, set_value
from cadena.core.methods.choosing import answer_of
from cadena.core.methods.compare import compare
from cadena.core.methods.names import Method
from cadena.core.rewriting.unfolding import unfolded
from cadena.core.teaching.lessons import lessons, open_lesson
from tests.core.graphs import graph
from tests.core.lesson_claims import CLAIMS, run_of

NAME = re.compile(r"[A-Za-z_]\w*\d\w*|\blessons? \d+( to \d+)?", re.IGNORECASE)
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e-?\d+)?")
TYPED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
# What is a formula, a place to set a number to, or the name of the lesson.
PLACES = {
    "4": ["Set all gradients to 0"],
    "5": ["2 Y", "a 3 × 2 matrix", "then 2 Y cos Z"],
    "7": ["1 / exp(x) is", "x from 40 up to 100", "as 1 / u^2"],
    "8": ["Set x to 1", "at x = 100", "at 100 the nan"],
    "9": [
        "where(x > 0, 1 / (2 sqrt(x)), 0)",
        "no derivative at 0",
        "continuous at 0",
        "vertical at 0",
        "between -1 and 1",
        "away from 0",
        "the vector [0, 0]",
    ],
    "10": ["constants with 0", "1 / (1 + exp(-x))", "adding 1 changes", "y (1 - y)"],
    "13": ["sin at 1 as", "(sin(1 + h) - sin(1)) / h", "sin(1 + h) and sin(1) share", "with 1/h"],
    "14": ["s (1 - s)"],
    "15": ["Set shift to 1000", "with shift at 1000", "slowly from 80"],
    "16": ["subtracts", "inputs is 1"],
    "17": ["(x - y)^2 + x^4", "Put x at 0, where x^4"],
}


def _text(number: str) -> str:
    """The text of a lesson, its minus signs and powers as they are typed."""
    about = open_lesson(number).extra["lesson"]
    text = "\n".join([about["title"], about["summary"], *about["text"].values()]).replace("−", "-")
    text = re.sub("(·?)10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", lambda power: f"{'' if power[1] else 1}e{power[2].translate(TYPED)}", text)
    return re.sub("[⁰¹²³⁴⁵⁶⁷⁸⁹]", lambda power: f"^{power[0].translate(TYPED)}", text)


def _numbers(text: str) -> list[str]:
    return NUMBER.findall(NAME.sub("", text))


def _digits(number: str, value: float) -> float:
    """A computed number with as many decimals as the text gives."""
    mantissa, _, power = number.partition("e")
    scale = 10.0 ** int(power or 0)
    return round(value / scale, len(mantissa.partition(".")[2]))


@pytest.mark.parametrize("number", CLAIMS)
def test_each_number_in_a_lessons_text_is_what_the_engine_gives(number: str) -> None:
    text = _text(number)
    for phrase, computed in CLAIMS[number]():
        assert phrase in text
        said = _numbers(phrase)
        assert len(said) == len(computed), phrase
        for one, value in zip(said, computed, strict=True):
            assert float(one.partition("e")[0]) == pytest.approx(_digits(one, float(value)), abs=1e-12), (
                phrase,
                one,
                value,
            )


@pytest.mark.some(6)
@pytest.mark.parametrize("number", [str(lesson.number) for lesson in lessons()])
def test_no_number_in_a_lessons_text_is_left_unchecked(number: str) -> None:
    text = _text(number)
    phrases = [phrase for phrase, _ in CLAIMS[number]()] if number in CLAIMS else []
    for phrase in sorted([*phrases, *PLACES.get(number, [])], key=len, reverse=True):
        assert phrase in text
        text = text.replace(phrase, "")
    assert _numbers(text) == []


# --- what the texts say, without a number


def test_lesson_1_said_of_small_changes_what_holds_for_all_since_l_is_linear_in_w0() -> None:
    run = run_of("1")
    for change in (0.5, -3.0, 100.0):
        assert run_of("1", w0=2.0 + change).value("L") - run.value("L") == run.gradient("w0") * change
    sine = run_of("13")
    assert abs(run_of("13", x=1.5).value("y") - sine.value("y") - 0.5 * sine.gradient("x")) > 0.01


def test_lesson_11_said_that_all_agree_where_methods_differ_by_rounding_and_differences_by_more() -> None:
    run = run_of("11")
    off = {
        answer.method: max(float(np.abs(answer.gradients[name] - run.gradient(name)).max()) for name in ("X", "W"))
        for answer in compare(open_lesson("11")).answers
    }
    assert 1e-11 < off.pop("central difference") < 1e-8 and off.pop("reverse") == 0.0
    assert 0.0 < max(off.values()) < 1e-14


def test_lesson_13_says_that_differences_cost_runs_for_each_parameter() -> None:
    def runs(count: int, kind: str) -> int:
        document = graph(x=[1.0] * count, s=("sin", "x"), y=("sum", "s"))
        return int(
            answer_of(compile(document).run(), Method("difference", step=1e-5, kind=kind)).cost.partition(" ")[0]
        )

    for kind in ("forward", "central", "complex"):
        assert runs(3, kind) == 3 * runs(1, kind)
    assert runs(1, "central") == 2 * runs(1, "forward")


def test_lesson_9_has_its_custom_gradients_offered_in_the_list_of_problems() -> None:
    lesson, run = open_lesson("9"), run_of("9")
    fault = next(fault for fault in run.faults if fault.node == "root")
    (offer,) = (fix for fix in fixes(lesson, run, fault) if "gradient 0 where" in str(fix))
    assert compile(offer.apply(lesson)).run().gradient("x1") == 0.0


def test_lesson_16_said_that_zeros_never_learn_which_is_so_for_balanced_classes_alone() -> None:
    zeros, names = np.zeros((2, 4)), ("W1", "b1", "W2", "b2")
    assert not any(np.any(run_of("16", W1=zeros).gradient(name)) for name in names)
    inclusive = run_of("16", W1=zeros, Y=np.array([[0.0], [1.0], [1.0], [1.0]]))
    assert np.any(inclusive.gradient("W1")) and np.any(inclusive.gradient("b2"))


def test_lesson_16_learns_with_equal_columns_which_stay_equal() -> None:
    program, losses = compile(open_lesson("16")), list[float]()
    values = {name: np.array(program.run().value(name)) for name in ("W1", "b1", "W2", "b2")}
    values |= {"W1": np.repeat([[0.5], [-0.6]], 4, axis=1), "W2": np.full((4, 1), 0.4)}
    for _ in range(300):
        run = program.run(values)
        losses.append(float(run.value("L")))
        values = {name: value - run.gradient(name) for name, value in values.items()}
    assert losses[-1] < losses[0] - 0.1
    assert not np.ptp(values["W1"], axis=1).any() and not np.ptp(values["W2"]) and not np.ptp(values["b1"])


def test_lesson_16_said_that_the_untrained_network_is_no_better_where_it_is_worse() -> None:
    assert run_of("16").value("L") > np.log(2.0)


def test_lesson_17_called_its_valley_curved_though_the_floor_is_a_straight_line() -> None:
    for x in (-1.5, 0.0, 0.7, 2.0):
        assert run_of("17", x=x, y=x).gradient("y") == 0.0  # lowest across the valley
        assert run_of("17", x=x, y=x + 0.1).value("f") > run_of("17", x=x, y=x).value("f")


# --- what the texts say to try


def test_lesson_1_with_w3_at_0_keeps_its_own_gradient_and_loses_those_before_it() -> None:
    run = run_of("1", w3=0.0)
    assert [name for name in ("w0", "w1", "w2", "w3", "w4") if run.gradient(name) == 0] == ["w0", "w1"]


def test_lesson_5_with_a_row_of_x_at_0_has_no_gradient_from_that_example() -> None:
    x = np.array(open_lesson("5").nodes["X"].value.array)
    x[1] = 0.0
    run = run_of("5", X=x)
    others = [0, 2]
    np.testing.assert_allclose(run.gradient("W"), x[others].T @ run.gradient("Z")[others])


def test_lesson_5_with_another_activation_changes_one_local_derivative() -> None:
    for op, slope in (("tanh", lambda z: 1 - np.tanh(z) ** 2), ("relu", lambda z: (z > 0).astype(float))):
        run = compile(set_operation(open_lesson("5"), "Y", op)).run()
        np.testing.assert_allclose(run.local("Y", 0), slope(run.value("Z")))
        np.testing.assert_allclose(run.local("S", 0), 2 * run.value("Y"))


def test_lesson_6_goes_one_step_further_back_and_a_small_step_against_dx_makes_l_fall() -> None:
    run = run_of("6")
    assert len(run.timeline) == len(run_of("5").timeline) + 1
    assert run_of("6", X=run.value("X") - 0.05 * run.gradient("X")).value("L") < run.value("L")


def test_lesson_8_with_a_wrong_gradient_is_caught_at_1_and_at_100_by_nobody() -> None:
    """It was said to be caught at 100, where all methods agree as far as float32 can tell."""
    import msgspec

    lesson = open_lesson("8")
    function = lesson.functions["one_over_exp"]
    nodes = dict(function.gradient.nodes)
    nodes["dx"] = msgspec.structs.replace(nodes["dx"], inputs=("upstream", "v"))
    wrong = _replaced(lesson, function, nodes)
    caught = compare(set_value(wrong, "x", 1.0))
    assert set(caught.rows[0].judgement.others) == {"central difference", "complex step", "symbolic"}
    assert not [*number_faults(caught.run)] and compare(wrong).agrees
    assert "the custom gradient of one_over_exp at y is not the derivative here" in caught.verdict
    assert "reverse mode gives 0.3679 in float64, too" in caught.verdict  # not that float32 has lost its digits


def _replaced(lesson, function, nodes):
    from dataclasses import replace

    gradient = replace(function.gradient, nodes=nodes)
    return replace(lesson, functions={"one_over_exp": replace(function, gradient=gradient)})


def test_lesson_9_with_a_negative_x_has_no_square_root_and_a_little_away_from_0_all_is_well() -> None:
    away = {f"x{index}": 0.01 for index in range(1, 5)}
    assert run_of("9", **away).faults == ()
    assert {fault.node for fault in run_of("9", **dict.fromkeys(away, -0.01)).faults} == {"root"}


def test_lesson_9_has_a_gradient_again_where_a_custom_one_mends_the_root() -> None:
    from cadena.core.graph.document import Backward
    from cadena.core.rewriting.function_edits import make_function, set_gradient

    lesson = make_function(open_lesson("9"), ["root"], "safe_root")
    pieces = graph(
        zero=("constant", 0.0), half=("constant", 0.5), above=("greater", "x1", "zero"),
        slope=("divide", "half", "root"), chosen=("where", "above", "slope", "zero"),
        dx=("multiply", "upstream", "chosen"),
    ).nodes  # fmt: skip
    mended = set_gradient(lesson, "safe_root", Backward(("x1", "root", "upstream"), pieces, ("dx",)))
    assert compile(mended).run().gradient("x1") == 0.0
    assert compile(mended).run({"x1": 0.25}).gradient("x1") == run_of("9", x1=0.25).gradient("x1") == 1.0


def test_lesson_18_has_the_second_derivative_by_w0_and_w3_that_it_asks_for() -> None:
    made = unfolded(open_lesson("18"), "dw0")
    assert compile(made.document).run().value(made.gradients["w3"]) == -4
