"""Random edits of random graphs with functions: each makes a document that runs and is saved, or a sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from cadena.core.front import compile
from cadena.core.graph import edits
from cadena.core.graph.document import LEAVES, Document, as_value
from cadena.core.graph.fault import Refused
from cadena.core.methods.reverse.step_text import step_latex, step_sentence
from cadena.core.rewriting.atoms import expand, fold
from cadena.core.rewriting.custom_gradients import begin_gradient, use_gradient
from cadena.core.rewriting.function_edits import (
    inline,
    make_function,
    remove_function,
    remove_unused,
    rename_function,
    set_gradient,
)
from cadena.core.rewriting.opening import compare_gradients, opened, opened_gradient, with_body, with_gradient
from cadena.core.rewriting.unfolding import unfold
from cadena.core.storage.decoding import decode
from cadena.core.storage.encoding import encode
from tests.core.graphs import graph
from tests.thorough import tries

OPERATIONS = "sin multiply add exp sum matmul transpose where softmax log stack cross_entropy layer_norm relu".split()
NAMES = ("f", "g", "h", "sin", "x", "1a", "lambda", "é", "a", "b", "y", "dx", "L", "upstream")
VALUES = (1.0, -2.0, [1.0, 2.0], [[1.0, 2.0], [3.0, 0.5]], np.nan, np.zeros(0))
MAX_NODES = 40  # nodes


@st.composite
def edited(draw: st.DrawFn, document: Document, inside: bool = False) -> Document:
    """The document after one random edit. May raise Refused."""
    nodes, functions = list(document.nodes) or ["none"], list(document.functions) or ["none"]
    one, other, function = draw(st.sampled_from(nodes)), draw(st.sampled_from(nodes)), draw(st.sampled_from(functions))
    some, name = draw(st.sets(st.sampled_from(nodes), max_size=4)), draw(st.sampled_from(NAMES))
    slot, op = draw(st.integers(0, 2)), draw(st.sampled_from([*OPERATIONS, *LEAVES, *document.functions]))
    kinds: list[Callable[[], Any]] = [
        lambda: edits.add(document, op, (0, 0)),
        lambda: edits.connect(document, one, other, slot),
        lambda: edits.disconnect(document, other, slot),
        lambda: edits.set_value(document, one, as_value(draw(st.sampled_from(VALUES)))),
        lambda: edits.set_operation(document, one, op),
        lambda: edits.rename(document, one, name),
        lambda: edits.remove(document, some),
        lambda: edits.set_output(document, one),
        lambda: edits.paste(document, edits.fragment(document, some))[0],
        lambda: make_function(document, some, name),
        lambda: make_function(document, {one}, name),
        lambda: inline(document, one),
        lambda: rename_function(document, function, name),
        lambda: remove_function(document, function),
        lambda: remove_unused(document),
        lambda: begin_gradient(document, one),
        lambda: use_gradient(document, function, draw(st.booleans())),
        lambda: set_gradient(document, function, None),
        lambda: expand(document, one),
        lambda: fold(document, some),
        lambda: unfold(document),
        lambda: (compare_gradients(document, one), document)[1],
    ]
    if not inside:
        kinds += 3 * [lambda: draw(edited_inside(document, one))]
    return draw(st.sampled_from(kinds))()  # type: ignore[no-any-return]


@st.composite
def edited_inside(draw: st.DrawFn, document: Document, name: str) -> Document:
    """The document after edits of the subgraph, or of the custom gradient, of the function that a node calls."""
    within = draw(st.sampled_from([opened, opened_gradient]))(document, name)
    for _ in range(draw(st.integers(0, 2))):
        within = draw(edited(within, inside=True))
    op = document.nodes[name].op
    if draw(st.booleans()):
        return with_body(document, op, within)
    operands = st.sampled_from([None, *within.nodes])
    return with_gradient(document, op, within, [draw(operands) for _ in document.functions[op].inputs])


@tries(150, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_any_edit_is_a_document_that_runs_and_is_saved_or_is_refused_in_one_sentence(data):
    value = data.draw(st.sampled_from([0.5, [1.0, 2.0]]))
    document = graph(x=value, w=1.5, m=("multiply", "x", "w"), s=("sin", "m"), L=("sum", "s"))
    document = make_function(document, {"m", "s"}, "f")
    for _ in range(data.draw(st.integers(1, 12))):
        old, before = document, encode(document)
        try:
            document = data.draw(edited(old))
            sentences = [fault.message for fault in compile(document).plan.faults]
        except Refused as refusal:
            sentences = [str(refusal)]
        assert all(sentence and "\n" not in sentence for sentence in sentences)
        assert encode(old) == before
        if len(document.nodes) > MAX_NODES:
            return
        assert decode(encode(document)) == document
        with np.errstate(all="ignore"):
            run = compile(document).run()
            for name in document.nodes:
                run.gradient(name)
            assert all(fault.message and "\n" not in fault.message for fault in run.faults)
            for step in range(len(run.timeline)):
                assert step_sentence(run.timeline, step) and step_latex(run.timeline, step)
