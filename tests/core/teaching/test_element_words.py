"""The calculation of one element: what stands in it, what appears when, and that it can be checked by hand."""

from __future__ import annotations

import re

import numpy as np
import pytest

from cadena.core.front import compile
from cadena.core.methods.reverse.timeline import ARRIVAL, MEETING
from cadena.core.ops.primitive import REGISTRY
from cadena.core.ops.traits import Trait
from cadena.core.teaching.element_words import element_parts, element_text, meeting_sentence
from cadena.core.teaching.lessons import open_lesson
from cadena.core.teaching.schemes import scheme_of
from tests.core.graphs import graph
from tests.core.teaching.test_schemes import PRODUCTS, TENSORS, scheme


def written(found, element):
    return element_text(found, found.meeting(element))


def test_a_product_of_matrices_is_written_as_on_paper():
    found = scheme_of(compile(open_lesson("custom_layer")).run(), "Z", 1)
    assert found is not None
    assert written(found, 2) == (
        "∂L/∂W[1, 0] = 0 · (−0.93204) + 3 · (−0.97385) + (−5) · 0.88345 = 0 − 2.922 − 4.417 = −7.339"
    )
    assert meeting_sentence(found, found.meeting(2)) == "Row 1 of Xᵀ meets column 0 of ∂L/∂Z."


@pytest.mark.parametrize("lesson", ["custom_layer", "gradient_of_the_input"])
def test_what_is_written_can_be_checked_by_hand(lesson):
    run = compile(open_lesson(lesson)).run()
    for node, item in run.program.document.nodes.items():
        for slot in (None, *range(len(item.inputs))):
            found = scheme_of(run, node, slot)
            for element in range(found.result.array.size) if found else ():
                if found.meeting(element).adds and "…" not in written(found, element):
                    sides = written(found, element).partition(" = ")[2].split(" = ")
                    shown = [eval(side.replace("−", "-").replace("·", "*").replace(",", "")) for side in sides]
                    digits = len(re.sub(r"[^\d]", "", sides[-1].split(".")[-1])) if "." in sides[-1] else 0
                    assert max(shown) - min(shown) <= 1.01 * 10.0**-digits / 2, written(found, element)


@pytest.mark.parametrize(
    ("node", "slot", "element", "text", "sentence"),
    [
        ("s", None, 3, "s[1, 1] = 4 + 20 = 24", "Element beside element; what is smaller was stretched."),
        ("s", 1, 0, "∂L/∂b[0] = 1 + 1 + 1 = 3",
         "It was stretched to 3 elements, so that 3 contributions are summed back."),
        ("m", 0, 0, "∂L/∂X[0, 0] = 1 · 0.1667 = 0.1667", "One element of the result depends on this one."),
        ("r", None, 0, "r = max(1, 2, 3, 4, 5, 6) = 6", "It depends on 6 of the numbers."),
        ("r", 0, 1, "∂L/∂X[0, 1] = 1 · 0 = 0", "One element of the result depends on this one."),
    ],
)  # fmt: skip
def test_reductions_and_broadcasting_say_what_flows_where(node, slot, element, text, sentence):
    found = scheme(TENSORS, node, slot)
    assert written(found, element) == text
    assert meeting_sentence(found, found.meeting(element)) == sentence


def test_an_element_of_a_softmax_says_which_one_it_is():
    assert written(scheme("z=[0, 0]; p=softmax(z)", "p", None), 1) == "p[1] = softmax(0, 0)[1] = 0.5"


def test_what_is_passed_on_is_not_written_twice():
    assert written(scheme("X=[1,2]; s=sum(X)", "s", 0), 1) == "∂L/∂X[1] = 1"


ONLY_FLOAT64 = [name for name, record in REGISTRY.items() if record.elementwise and Trait.ONLY_FLOAT64 in record.traits]


@pytest.mark.parametrize("op", ONLY_FLOAT64)
def test_an_operation_of_scipy_was_asked_for_more_digits_than_it_has(op):
    example = [item for item in REGISTRY[op].examples[0] if not isinstance(item, dict)]
    leaves = {f"x{slot}": [float(np.ravel(item)[0])] * 2 for slot, item in enumerate(example)}
    found = scheme_of(compile(graph(**leaves, y=(op, *leaves), s=("sum", "y"))).run(), "y", None)
    assert found is not None and written(found, 0).startswith("y[0] = ")


def test_of_many_products_the_first_and_the_last_are_written():
    found = scheme(f"x={list(range(1, 21))}; d=dot(x, x)", "d", None)
    text = written(found, 0)
    assert text.startswith("d = 1 · 1 + 2 · 2") and text.endswith("= 2\u202f870")
    assert " + … + 19 · 19 + 20 · 20 = " in text


def test_the_result_comes_last_and_the_numbers_where_they_meet():
    found = scheme(PRODUCTS, "z", None)
    parts = element_parts(found, found.meeting(0), lambda role, latex: f"<{role} {latex}>")
    assert [part.appears for part in parts] == [MEETING] * 4 + [ARRIVAL] * 3
    assert parts[0].latex == "<value 0.1>" and parts[-1].latex == "<value -0.3>"
