"""The program of an edited document, made of the one before, is the one that is compiled anew."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cadena.core.front import Program, compile
from cadena.core.graph import edits
from cadena.core.graph import order as graph_order
from cadena.core.graph.document import Document
from cadena.core.graph.fault import Refused
from cadena.core.run.passes import FloatPass, LevelPass
from tests.core.graph.test_wiring import ACTS, edited
from tests.core.graphs import graph, wide
from tests.thorough import tries

LARGE = wide(150, leaves=20)
OTHERS = ("output", "hold")


def after(document: Document, act: str, one: str, other: str) -> Document:
    """The document after one edit, the same one where the edit is refused."""
    try:
        match act:
            case "output":
                return edits.set_output(document, one)
            case "hold":
                return edits.set_operation(document, one, "constant")
        return edited(document, act, one, other)
    except Refused:
        return document


def check_same(program: Program, fresh: Program) -> None:
    plan, anew = program.plan, fresh.plan
    assert plan.names == anew.names and plan.index == anew.index and plan.order == anew.order
    assert plan.leaves == anew.leaves and plan.reached == anew.reached and plan.output == anew.output
    assert [fault.message for fault in plan.faults] == [fault.message for fault in anew.faults]
    assert (plan.ways is None) == (anew.ways is None)
    for kept, new in zip(plan.ways or (), anew.ways or (), strict=True):
        np.testing.assert_array_equal(kept, new)
    run, other = program.run(), fresh.run()
    for name in plan.names:
        np.testing.assert_array_equal(run.value(name), other.value(name))
        np.testing.assert_array_equal(run.gradient(name), other.gradient(name))


@tries(60)
@given(
    st.lists(
        st.tuples(st.sampled_from((*ACTS, *OTHERS)), st.integers(0, 400), st.integers(0, 400)),
        min_size=1,
        max_size=8,
    )
)
def test_a_program_after_edits_is_the_one_that_is_compiled_anew(acts):
    document = LARGE
    program = compile(document)
    for act, one, other in acts:
        names = list(document.nodes)
        document = after(document, act, names[one % len(names)], names[other % len(names)])
        program = program.edited(document)
        check_same(program, compile(document))


def test_a_change_that_goes_on_along_a_long_chain_is_followed_to_its_end():
    chain = {"x0": 0.5} | {f"x{number}": ("sin", f"x{number - 1}") for number in range(1, 200)}
    document = edits.set_output(graph(y=1.0, **chain), "x199")
    program = compile(document)
    for source in ("y", "x0"):
        document = edits.connect(document, source, "x1", 0)
        program = program.edited(document)
        check_same(program, compile(document))


def test_a_new_node_between_old_ones_is_computed_before_what_reads_it():
    """Its place in the document is the last; the operations of such a graph were read one by one."""
    document = edits.add(LARGE, "sin", (0.0, 0.0))
    (new,) = document.nodes.keys() - LARGE.nodes.keys()
    target = next(name for name, node in LARGE.nodes.items() if len(node.inputs) == 2)
    document = edits.connect(edits.connect(document, "w1", new, 0), new, target, 1)
    program = compile(LARGE).edited(document)
    assert program.plan.columns is not None
    ordered = [name for name in graph_order.order(document)[0] if not document.nodes[name].is_leaf]
    assert [program.plan.names[number] for number in program.plan.order] == ordered
    check_same(program, compile(document))
    assert len(program.run().timeline) == len(compile(document).run().timeline)


def test_an_edit_of_one_wire_plans_that_part_anew_and_no_other():
    document = wide(3000, leaves=300)
    before = compile(document)
    before.run()
    assert isinstance(before.passes.fast, LevelPass)
    target = next(name for name, node in document.nodes.items() if len(node.inputs) == 2)
    source = next(name for name in ("w1", "w2") if name not in document.nodes[target].inputs)
    changed = edits.connect(document, source, target, 0)
    program = before.edited(changed)
    check_same(program, compile(changed))
    assert isinstance(program.passes.fast, LevelPass)
    known = {id(part) for part in before.passes.fast.planned.parts.values()}
    new = [part for part in program.passes.fast.planned.parts.values() if id(part) not in known]
    assert len(new) == 1 < len(known)


def test_an_edit_of_one_wire_makes_few_rows_of_floats_anew():
    document = wide(1000, leaves=125)
    before = compile(document)
    before.run()
    target = next(name for name, node in document.nodes.items() if len(node.inputs) == 2)
    program = before
    for source in ("w1", "w2", "w1"):  # the first may change how many operations lie before the node
        changed = edits.connect(document, source, target, 0)
        before, program = program, program.edited(changed)
        check_same(program, compile(changed))
    assert isinstance(program.passes.fast, FloatPass) and isinstance(before.passes.fast, FloatPass)
    for which in ("forward", "reverse"):
        rows, known = (getattr(one.passes.fast.floats, which) for one in (program, before))
        new = [row for row, old in zip(rows, known, strict=True) if row is not old]
        assert len(new) == 1 < len(rows)
