"""Each step in one sentence and one formula, with the numbers of the run."""

import re

import numpy as np

import cadena
from cadena.core.graph.document import Document, Node
from cadena.core.methods.reverse.derivation import derivation, result_latex
from cadena.core.methods.reverse.step_text import (
    before_title,
    local_label,
    rule,
    step_latex,
    step_place,
    step_sentence,
    step_title,
)
from cadena.core.methods.reverse.timeline import Timeline
from cadena.core.ops.primitive import REGISTRY
from cadena.core.rewriting.function_edits import make_function
from cadena.core.rewriting.opening import opened
from cadena.core.teaching.lessons import open_lesson
from tests.core.graphs import graph as written
from tests.core.notation.graphs import LAYER, OVERFLOW, TWO_PATHS, graph, leaf
from tests.thorough import in_turn


def timeline(document: Document) -> Timeline:
    return cadena.compile(document).run().timeline


def sentences(document: Document) -> list[str]:
    steps = timeline(document)
    return [step_sentence(steps, index) for index in range(len(steps))]


def test_a_forward_step_says_what_is_computed_from_what() -> None:
    assert sentences(TWO_PATHS)[0] == "b1 is w0 times a1: 2 · 4 = 8."


def test_a_constant_stands_in_sentences_by_its_value() -> None:
    assert sentences(TWO_PATHS)[3] == "L is 15 minus c: 15 − 44 = −29."


def test_one_step_was_told_in_the_plural() -> None:
    assert before_title(timeline(Document({"x": Node("x", "parameter", value=2.0)}, "x"))) == "Before the only step."
    assert before_title(timeline(TWO_PATHS)).startswith("Before the first of ")


def test_the_seed_is_one() -> None:
    expected = "The reverse pass begins at L: the gradient of L with respect to itself is 1."
    assert sentences(TWO_PATHS)[4] == expected


def test_the_chain_rule_is_told_with_upstream_and_local() -> None:
    told = sentences(TWO_PATHS)
    assert told[5] == "c receives −1 from L: ∂L/∂c += ∂L/∂L · ∂L/∂c = 1 · (−1) = −1."
    assert told[-2] == "a1 receives −9 from b2: ∂L/∂a1 += ∂L/∂b2 · ∂b2/∂a1 = −1 · 9 = −9."


def test_a_second_path_says_what_the_gradient_has_come_to() -> None:
    assert sentences(TWO_PATHS)[-1].endswith("= −1 · 2 = −2; with −9 from before, ∂L/∂a1 is now −11.")


def test_a_title_says_what_happens_with_its_numbers() -> None:
    steps = timeline(TWO_PATHS)
    last = len(steps)
    assert step_title(steps, 0) == "b1 is w0 times a1: 2 · 4 = 8."
    assert step_title(steps, last - 1) == "a1 receives −2 from b1: −1 · 2."
    assert step_place(steps, last - 1) == f"Reverse pass, step {last} of {last}"


def test_a_title_has_no_number_before_it_has_landed() -> None:
    steps = timeline(TWO_PATHS)
    told = [step_title(steps, index, has_landed=False) for index in range(len(steps))]
    assert told[0] == "b1 is w0 times a1." and told[-1] == "a1 receives a gradient from b1."
    assert told[4] == "The reverse pass begins at L."


def test_the_numbers_of_a_title_are_marked_by_their_role() -> None:
    steps = timeline(TWO_PATHS)
    marked = step_title(steps, len(steps) - 1, paint=lambda role, text: f"<{role[0]}>{text}</>")
    assert marked == "a1 receives <g>−2</> from b1: <g>−1</> · <v>2</>."


def test_arrays_are_left_to_the_formula() -> None:
    steps = timeline(LAYER)
    assert step_title(steps, len(steps) - 1) == "W receives a gradient of shape 3 × 2 from Z."
    assert step_title(steps, 0) == "Z is the matrix product of X and W."


def test_an_operand_used_twice_is_told_apart_by_its_slot() -> None:
    doubled = graph(leaf("a", 1.0), Node("b", "add", ("a", "a")), output="b")
    told = sentences(doubled)
    assert "from b as its left operand" in told[-2]
    assert "from b as its right operand" in told[-1]


def test_a_matrix_step_prints_the_transposed_operand() -> None:
    steps = timeline(LAYER)
    told = step_latex(steps, len(steps) - 1)
    assert r"= X^{\top} \, \frac{\partial L}{\partial Z} = " in told and r"= \begin{bmatrix} -1.899 &" in told
    assert local_label(steps.run, "Z", 1) == "∂L/∂W += Xᵀ ∂L/∂Z"


def test_the_derivative_of_a_square_is_printed_as_two_y() -> None:
    assert local_label(timeline(LAYER).run, "S", 0) == "∂S/∂Y = 2 · Y"


def test_a_scalar_label_gives_symbol_then_number() -> None:
    assert local_label(timeline(TWO_PATHS).run, "b2", 1) == "∂b2/∂a1 = w2 = 9"
    assert local_label(timeline(TWO_PATHS).run, "c", 0) == "∂c/∂b1 = 1"


def test_the_step_that_makes_nan_shows_zero_times_inf() -> None:
    assert sentences(OVERFLOW)[-1] == "x receives nan from e: ∂y/∂x += ∂y/∂e · ∂e/∂x = 0 · inf = nan."


def test_values_and_gradients_are_painted_by_their_role() -> None:
    steps = timeline(TWO_PATHS)
    formula = step_latex(steps, len(steps) - 1, lambda role, latex: f"<{role[0]}>{latex}</>")
    assert formula.startswith(r"<g>\frac{\partial L}{\partial a_{1}}</> \mathrel{+}=")
    contribution, sum_ = formula.split(r" \quad ")
    assert contribution.endswith(r"= <g>-1</> \cdot <v>2</> = <g>-2</>")
    assert sum_ == r"<g>\frac{\partial L}{\partial a_{1}}</> = <g>-9</> + <g>\left(-2\right)</> = <g>-11</>"


def test_a_seed_of_an_array_names_the_sum() -> None:
    vector = graph(leaf("x", [1.0, 2.0]), Node("y", "sin", ("x",)), output="y")
    assert "has 2 elements: the seed is 1 for each" in sentences(vector)[1]


NAMES_NAN = ("fmax", "fmin", "isnan", "leaky_relu", "nan_to_num")  # their rules speak of it


@in_turn("name", sorted(REGISTRY))
def test_every_operation_can_tell_its_steps(name: str) -> None:
    primitive = REGISTRY[name]
    for example in primitive.examples:
        attributes = example[-1] if isinstance(example[-1], dict) else {}
        operands = [item for item in example if not isinstance(item, dict)]
        leaves = [leaf("pqrstu"[index], operand) for index, operand in enumerate(operands)]
        node = Node("y", name, tuple(item.name for item in leaves), attributes=attributes)
        steps = timeline(graph(*leaves, node, output="y"))
        flowing = [slot for slot in range(len(operands)) if primitive.slot(slot).differentiable]
        assert len(steps) == 2 + len(flowing)
        for index, step in enumerate(steps[i] for i in range(len(steps))):
            texts = [step_title(steps, index), step_sentence(steps, index), step_latex(steps, index)]
            texts += [local_label(steps.run, "y", step.slot)] if step.slot is not None else []
            assert all(texts)
            assert not any(rest in text for text in texts for rest in ("x0", "x1", "{index}"))
            assert name in NAMES_NAN or not any(re.search(r"\bnan\b", text) for text in texts)


def test_braces_of_every_formula_are_balanced() -> None:
    for document in (TWO_PATHS, LAYER, OVERFLOW):
        steps = timeline(document)
        for index in range(len(steps)):
            formula = step_latex(steps, index)
            assert formula.count("{") == formula.count("}")
            assert formula.count(r"\left(") == formula.count(r"\right)")


def test_numbers_in_a_formula_are_those_of_the_run() -> None:
    run = cadena.compile(TWO_PATHS).run({"a1": 5.0})
    assert step_sentence(run.timeline, 0) == "b1 is w0 times a1: 2 · 5 = 10."
    assert np.isclose(float(run.gradient("a1")), -11.0)  # type: ignore[arg-type]


def test_the_words_of_a_rule_stay_apart_in_latex():
    run = cadena.compile(written(x=[1.0, 2.0], y=("pad", "x", {"pad_width": 1}), L=("sum", "y"))).run()
    assert r"\text{ without its border, and each copy" in rule(run, "y", 0, True)


def test_a_derivation_does_not_pass_through_a_slot_that_only_chooses():
    """L = where(a, b, a · d) with d = where(a, b, b): d is computed from a, but its gradient never reaches a."""
    d, m, total = ("where", "a", "b", "b"), ("multiply", "a", "d"), ("where", "a", "b", "m")
    run = cadena.compile(written(a=0.0, b=2.0, d=d, m=m, L=total)).run()
    lines = [left for left, _ in derivation(run, "a")]
    assert [line.split(" = ")[0] for line in lines] == ["L", "m"]


def inside_a_call() -> cadena.Run:
    """What runs inside b1 = affine(w0, a1, w1, a2) of lesson 1, with what comes back to b1 from L."""
    whole = make_function(open_lesson("1"), ["m1", "m2", "b1"], "affine")
    run = cadena.compile(whole).run()
    return cadena.compile(opened(whole, "b1", run)).run(seed=run.gradient("b1"), target=run.target)


def test_inside_a_function_the_gradients_are_those_of_the_graphs_output() -> None:
    """They were told as ∂b1/∂b1 = −7 and ∂b1/∂m1 += ∂b1/∂b1 · ∂b1/∂m1."""
    steps = inside_a_call().timeline
    assert step_title(steps, 3, has_landed=False) == "The reverse pass begins at b1 with the gradient from L."
    assert step_sentence(steps, 3) == "The reverse pass begins at b1 with the gradient that has come to it from L, −7."
    assert step_latex(steps, 3) == r"\frac{\partial L}{\partial b_{1}} = -7"
    told = step_sentence(steps, 4)
    assert told == "m1 receives −7 from b1: ∂L/∂m1 += ∂L/∂b1 · ∂b1/∂m1 = −7 · 1 = −7."
    assert local_label(steps.run, "b1", 0) == "∂b1/∂m1 = 1"


def test_inside_a_function_the_product_along_the_way_begins_with_what_came_from_outside() -> None:
    """It was told as 1 · 4 = −28."""
    run = inside_a_call()
    assert result_latex(run, "w0") == r"\frac{\partial L}{\partial w_{0}} = \left(-7\right) \cdot 1 \cdot 4 = -28"
    assert derivation(run, "w0")[0] == ("", r"\frac{\partial L}{\partial b_{1}} = -7")


def test_the_label_of_a_call_of_numbers_is_its_local_derivative_and_not_a_long_rule() -> None:
    """It was "∂L/∂w0 += reverse pass inside(∂L/∂b1)", which covered the cards around it."""
    run = cadena.compile(make_function(open_lesson("1"), ["b1", "m1", "m2", "m3", "c"], "f")).run()
    assert local_label(run, "c", 0) == "∂c/∂w0 = 28"
    run = cadena.compile(make_function(open_lesson("1"), ["b1", "m2"], "f")).run()
    assert [local_label(run, "b1", slot) for slot in (0, 2)] == ["∂b1/∂w1 = a2 = 3", "∂b1/∂m1 = 1"]
    own = cadena.compile(open_lesson("8")).run()
    assert local_label(own, "y", 0) == "∂y/∂x += ∂y/∂y · (−exp(−x))"  # a custom gradient need not be a derivative
