"""The timelines of all methods, on the lessons: what is shown at each step comes from the method's own numbers."""

from __future__ import annotations

import numpy as np
import pytest

from cadena.core.front import compile
from cadena.core.graph.document import Document, Node, as_value
from cadena.core.graph.fault import Refused
from cadena.core.methods.choosing import timeline_of
from cadena.core.methods.forward.answer import forward
from cadena.core.methods.names import METHODS, Method
from cadena.core.methods.symbolic.latex import glyphs
from cadena.core.teaching.lessons import lessons, open_lesson
from cadena.core.text.numbers import distinguishing_digits, short

CASES = [(lesson.name, method) for lesson in lessons() for method in [*METHODS][1:]]


def timeline(lesson: str, method: Method | str, **values):
    run = compile(open_lesson(lesson)).run(values or None)
    return timeline_of(run, Method(method) if isinstance(method, str) else method)


@pytest.mark.parametrize(("lesson", "method"), CASES)
def test_every_moment_of_every_method_can_be_shown(lesson, method):
    if lesson == "no_derivative_at_zero" and method == "difference":
        with pytest.raises(Refused, match="x1: no step gives a quotient"):
            timeline(lesson, method)
        return
    if lesson == "learning_xor" and method == "symbolic":
        with pytest.raises(Refused, match="L: its expression has grown to"):
            timeline(lesson, method)
        return
    steps = timeline(lesson, method)
    names = steps.run.plan.names
    for time in np.arange(0.0, len(steps) + 0.1, 0.45)[:60]:
        frame = steps.frame(float(time))
        assert all(len(frame.lines(name)) == 2 for name in names[:12])
        assert frame.lanes
        assert all(0.0 <= token.fraction <= 1.0 for token in frame.tokens)
    for index in range(min(len(steps), 40)):
        told = steps.describe(index)
        assert told.title.endswith(".") and told.sentence and told.formulas


@pytest.mark.parametrize("lesson", [lesson.name for lesson in lessons()])
def test_forward_mode_ends_with_the_gradients_that_its_method_gives(lesson):
    steps = timeline(lesson, "forward")
    answer = forward(steps.run)
    for name, gradient in answer.gradients.items():
        shown = steps.frame(len(steps)).gradient(name)
        assert shown is None or np.array_equal(shown, gradient, equal_nan=True)
    shown = [float(steps.result(number)) for number in range(len(steps.directions))]
    numbers = [answer.gradients[name].flat[index] for name, index in steps.directions]
    assert np.array_equal(shown, numbers, equal_nan=True) and shown


def test_forward_mode_has_a_pass_for_each_parameter_and_says_which():
    steps = timeline("1", "forward")
    assert len(steps) == 5 * 8
    assert steps.describe(10).title == "Forward mode, pass 2 of 5, along w1: b1 has value 23, derivative 3."
    assert [lane.text for lane in steps.frame(40.0).lanes] == ["−28", "−21", "−12", "−23", "−36"]
    assert [lane.now for lane in steps.frame(10.0).lanes] == [False, True, False, False, False]


def test_a_dual_number_travels_as_value_and_derivative():
    token = timeline("10", "forward").frame(1.4).tokens[0]
    assert (token.source, float(token.number), float(token.tangent)) == ("n", -2.0, -1.0)


def test_a_new_pass_begins_with_its_own_direction_and_keeps_the_values():
    steps = timeline("1", "forward")
    assert [float(line.number) for line in steps.frame(8.5).lines("w1")] == [5.0, 1.0]
    value, tangent = steps.frame(8.5).lines("L")
    assert float(value.number) == -254.0 and tangent.number is None


def test_differences_show_both_runs_and_their_quotient_beside_reverse_mode():
    steps = timeline("1", Method("difference", "w0", 0, 0.5))
    end = steps.frame(len(steps))
    assert [float(line.number) for line in end.lines("m1")] == [10.0, 6.0]
    assert [float(line.number) for line in end.lines("w0")] == pytest.approx([-28.0, -28.0])
    assert [lane.text for lane in end.lanes] == ["−268", "−240", "−28", "−28"]
    assert steps.frame(8.0).lines("m1")[1].number is None  # the second run has not come yet


def test_the_second_of_two_runs_travels_with_its_own_numbers():
    steps = timeline("1", Method("difference", "w0", 0, 0.5))
    assert [float(steps.frame(time).tokens[0].number) for time in (0.1, 8.1)] == [2.5, 1.5]
    assert [float(steps.frame(time).tokens[0].number) for time in (2.2, 10.2)] == [10.0, 6.0]


def test_two_runs_are_shown_with_the_digits_that_tell_them_apart():
    steps = timeline("10", Method("difference", "x", 0, 1e-6))
    upper, lower = steps.frame(len(steps)).lines("y")
    assert upper.digits > 6 and upper.digits == lower.digits
    assert distinguishing_digits(np.asarray(1.0), np.asarray(1.0)) == 4


def test_numbers_that_rounding_tells_apart_by_chance_are_shown_with_more_digits():
    """0.841 and 0.842 differ, and with one digit more both are 0.8415: so they stood on the card."""
    one, other = np.asarray(0.84147), np.asarray(0.84153)
    digits = distinguishing_digits(one, other)
    assert all(short(one, more) != short(other, more) for more in (digits - 1, digits))
    steps = timeline("13", Method("difference", "x", 0, 1e-4, "forward"))
    upper, lower = steps.frame(len(steps)).lines("y")
    assert short(upper.number, upper.digits) != short(lower.number, lower.digits)


def test_a_quotient_that_is_right_in_all_digits_of_a_card_leaves_room_for_its_label():
    steps = timeline("10", Method("difference"))
    upper, lower = steps.frame(len(steps)).lines("x")
    assert short(upper.number, 7) == short(lower.number, 7) and upper.digits == lower.digits == 4


def test_the_title_of_an_array_in_forward_mode_counts_its_numbers():
    """ "a value and a derivative for each element" was cut off beside the settings of lesson 11."""
    title = timeline("11", Method("forward")).describe(2).title
    assert title == "Forward mode, pass 1 of 15, along X[0, 0]: S has 6 values, 6 derivatives."


@pytest.mark.parametrize("step", [0.0, 1e-30])
def test_a_step_that_changes_nothing_is_refused_with_the_element(step):
    with pytest.raises(Refused, match="w0"):
        timeline("1", Method("difference", "w0", 0, step))


def test_an_element_that_is_no_longer_there_gives_way_to_the_first():
    assert timeline("5", Method("difference", "gone", 3)).element == "W[0, 0]"
    assert timeline("5", Method("difference", "W", 3)).element == "W[1, 1]"


def test_symbols_grow_node_by_node_and_end_in_derivatives():
    steps = timeline("1", "symbolic")
    assert len(steps) == 8 + 5
    assert steps.frame(3.0).lines("b1")[1].text == "3 operations"
    assert steps.frame(2.0).lines("b1")[0].empty
    assert float(steps.frame(13.0).gradient("w0")) == -28.0 and steps.frame(8.0).gradient("w0") is None


def test_a_long_expression_is_cut_with_dots_and_whole_in_full():
    steps = timeline("5", "symbolic")
    output = steps.expression("L").item()
    assert r"\ldots" in steps.latex(output, 4) and r"\ldots" not in steps.latex(output)
    lengths = [len(latex) for latex in steps.frame(len(steps)).lines("L")[0].latex]
    assert lengths == sorted(lengths, reverse=True)


def test_symbols_name_the_node_whose_expression_is_too_large():
    """Each node uses the one before twice: the graph grows by two operations, the expression doubles."""
    nodes = [Node("y0", "parameter", value=0.5)]
    for number in range(12):
        nodes.append(Node(f"s{number}", "sin", (f"y{number}",)))
        nodes.append(Node(f"y{number + 1}", "multiply", (f"s{number}", f"y{number}")))
    run = compile(Document({node.name: node for node in nodes}, output="y12")).run()
    with pytest.raises(Refused, match=r"^[sy]\d+: its expression has grown"):
        timeline_of(run, Method("symbolic"))


@pytest.mark.parametrize("method", [*METHODS][1:])
def test_without_an_output_every_method_but_reverse_is_refused(method):
    document = Document({"x": Node("x", "parameter", value=1.0)})
    run = compile(document).run()
    assert list(timeline_of(run, Method())) == list(run.timeline)
    with pytest.raises(Refused, match="output"):
        timeline_of(run, Method(method))


def test_an_output_of_many_numbers_is_weighed_with_the_seed():
    nodes = (Node("x", "parameter", value=2.0), Node("k", "constant", value=as_value([1.0, 3.0])))
    nodes += (Node("y", "multiply", ("x", "k")),)
    run = compile(Document({node.name: node for node in nodes}, output="y")).run()
    for method in [*METHODS][1:]:
        steps = timeline_of(run, Method(method))
        assert float(steps.frame(len(steps)).gradient("x")) == pytest.approx(4.0)


def test_derivatives_that_are_not_worked_out_are_not_shown_as_nan():
    """Six of nine were, and the card of lesson 11 showed three nan in the colour of faults."""
    steps = timeline("11", "symbolic")
    texts = [steps.frame(time).lines("X")[1].text for time in range(len(steps) + 1)]
    assert texts[-1] == "6 of 9 derivatives" and texts[-2] == "5 of 9 derivatives" and texts[0] == ""
    assert all(steps.frame(time).lines("X")[1].number is None for time in range(len(steps) + 1))
    assert not steps.frame(0).lines("W")[1].expected  # no step comes to it
    whole = timeline("5", "symbolic")
    assert np.isfinite(whole.frame(len(whole)).lines("W")[1].number).all()


def test_the_band_holds_what_can_be_read_in_it():
    """The sums of lesson 11 were set in letters of six pixels."""
    for lesson in ("11", "12", "10"):
        steps = timeline(lesson, "symbolic")
        assert all(glyphs(formula) < 100 for index in range(len(steps)) for formula in steps.describe(index).formulas)
