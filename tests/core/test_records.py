"""What the user reads about every operation, tested by its own record: texts, notation, derivatives in print."""

from __future__ import annotations

import re

import numpy as np
import pytest

from cadena.core.notation.calls import plain_call
from cadena.core.ops.expression import Symbol, Written, show
from cadena.core.ops.primitive import KINDS, REGISTRY, operand_names
from cadena.core.text import numbers
from tests.core.graphs import graph
from tests.core.test_primitives import ALL, CASES, case
from tests.thorough import in_turn


@ALL
def test_a_record_is_complete(primitive):
    assert all([primitive.doc, primitive.symbol, primitive.phrase, primitive.title, primitive.category])
    assert primitive.doc.endswith(".") and len(primitive.examples) >= 2
    for attribute in primitive.attributes:
        assert attribute.doc and attribute.kind in KINDS and attribute.expected


@ALL
def test_every_slot_has_a_label_and_a_rule_for_both_directions(primitive):
    labels = [slot.label for slot in primitive.slots]
    assert all(labels) and len(set(labels)) == len(labels)
    for slot in primitive.slots:
        if not slot.differentiable:
            assert slot.partial is slot.transpose is slot.push is None
            continue
        assert (slot.partial is None) != (slot.transpose is None)
        assert primitive.elementwise == (slot.partial is not None)
        assert slot.partial or slot.push
        assert slot.partial or slot.shown


@pytest.mark.parametrize("latex", [False, True])
@in_turn("case", CASES)
def test_notation_and_phrase_can_be_written_for_every_example(case, latex):
    names = [f"v{i}" for i in range(len(case.operands))]
    text = case.primitive.notation.write([Written(name) for name in names], latex, case.attributes).text
    phrase = case.primitive.phrase.format(*names, **case.attributes, operands=", ".join(names))
    assert all(name in text for name in names)
    assert names[0] in phrase
    assert text.count("{") == text.count("}") and len(re.findall(r"\\left\b", text)) == len(
        re.findall(r"\\right\b", text)
    )
    assert latex or not set(text) & set("{}\\")


@ALL
def test_every_elementwise_local_derivative_can_be_printed(primitive):
    names = operand_names(primitive)
    free = [Symbol(name) for name in ["y", *names]]
    for slot in primitive.slots:
        rule = slot.shown or slot.partial
        if not callable(rule) or not primitive.elementwise:
            continue
        read = rule(*free, **primitive.complete({}))
        symbol = read if isinstance(read, Symbol) else Symbol(float(read))
        for latex in (False, True):
            text = show(symbol, {name: Written(name) for name in names}, latex)
            assert text and "Symbol" not in text and "lambda" not in text


LESS_EXACT_AS_SHOWN = {"sinc": 1e-8}  # near 0 the form shown loses the digits that the rule keeps


@in_turn("primitive", [p for p in REGISTRY.values() if p.elementwise])
def test_what_is_shown_for_a_derivative_is_what_the_rule_computes(primitive):
    """`shown` may be simpler than the rule, but at ordinary points it is the same number."""
    for example in primitive.examples:
        _, operands, attributes = case(primitive, example)
        y = primitive.value(*operands, **attributes)
        for slot in primitive.slots:
            if callable(slot.shown):
                shown, computed = slot.shown(y, *operands, **attributes), slot.partial(y, *operands, **attributes)
                np.testing.assert_allclose(shown, computed, rtol=LESS_EXACT_AS_SHOWN.get(primitive.name, 1e-14))


def test_a_call_is_written_with_the_names_of_its_operands():
    document = graph(w0=2.0, a1=4.0, m1=("multiply", "w0", "a1"))
    assert plain_call(document, "m1") == "w0 · a1"
    assert numbers.short(-254.0) == "−254"
