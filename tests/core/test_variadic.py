"""Operations that take any number of operands: the last slot repeats, and there is always an open one."""

from typing import Any

import numpy as np
import pytest

import cadena
from cadena.core.graph import edits
from cadena.core.graph.document import Document, Node
from cadena.core.methods.reverse.step_text import step_sentence
from cadena.core.notation.calls import plain_call
from cadena.core.ops.expression import Notation
from cadena.core.ops.primitive import REGISTRY, Primitive, Slot
from tests.core.graphs import graph


def weighted(*operands: Any) -> Any:
    """1 · the first + 2 · the second + ..."""
    return sum((index + 1) * operand for index, operand in enumerate(operands))


@pytest.fixture(autouse=True)
def _operation(monkeypatch: pytest.MonkeyPatch) -> None:
    rule = Slot(
        "operand",
        transpose=lambda g, y, *operands, slot: (slot + 1) * g,
        push=lambda t, y, *operands, slot: (slot + 1) * t,
        shown="weigh",
    )
    made = Primitive(
        name="weighted",
        value=weighted,
        slots=(rule,),
        shape=lambda *shapes: np.broadcast_shapes(*shapes),
        notation=Notation("weighted({operands})", ""),
        title="weighted sum",
        symbol="w",
        phrase="the weighted sum of {operands}",
        category="Test",
        doc="",
        examples=(),
        variadic=True,
    )
    monkeypatch.setitem(REGISTRY, "weighted", made)


def test_each_operand_gets_its_own_gradient() -> None:
    document = graph(a=1.0, b=[1.0, 2.0], c=3.0, y=("weighted", "a", "b", "c"))
    run = cadena.compile(document).run()
    assert run.value("y").tolist() == [12.0, 14.0]  # type: ignore[union-attr]
    assert [run.gradient(name).tolist() for name in "abc"] == [2.0, [2.0, 2.0], 6.0]  # type: ignore[union-attr]
    assert plain_call(document, "y") == "weighted(a, b, c)"
    assert "the weighted sum of a, b and c" in step_sentence(run.timeline, 0)
    assert "weigh(∂y/∂y)" in step_sentence(run.timeline, 4)


def test_a_tangent_enters_by_each_slot() -> None:
    operands = [np.array(1.0), np.array(2.0)]
    primitive = REGISTRY["weighted"]
    assert primitive.jvp(1, np.array(3.0), np.array(5.0), operands, {}) == 6.0


def test_an_operand_wired_twice_gets_both_contributions() -> None:
    assert cadena.compile(graph(a=1.0, y=("weighted", "a", "a"))).run().gradient("a") == 3.0


def test_there_is_one_open_slot_after_the_last_wire() -> None:
    document = graph(a=1.0, b=2.0)
    document = edits.add(document, "weighted", (0.0, 0.0), "y")
    assert document.nodes["y"].inputs == () and edits.slot_count(document.nodes["y"]) == 1
    for slot, source in enumerate("aba"):
        document = edits.connect(document, source, "y", slot)
        assert edits.slot_count(document.nodes["y"]) == slot + 2
    assert document.nodes["y"].inputs == ("a", "b", "a")
    with pytest.raises(cadena.Refused, match="no slot 5"):
        edits.connect(document, "a", "y", 4)


def test_wires_taken_away_leave_gaps_only_in_the_middle() -> None:
    document = graph(a=1.0, b=2.0, y=("weighted", "a", "b", "a"))
    gap = edits.disconnect(document, "y", 1)
    assert gap.nodes["y"].inputs == ("a", None, "a")
    assert edits.disconnect(document, "y", 2).nodes["y"].inputs == ("a", "b")
    assert edits.disconnect(gap, "y", 2).nodes["y"].inputs == ("a",)
    assert edits.remove(document, ["a"]).nodes["y"].inputs == (None, "b")
    assert edits.remove(document, ["a", "b"]).nodes["y"].inputs == ()


def test_another_operation_keeps_the_wires_it_has_slots_for() -> None:
    document = graph(a=1.0, y=("add", "a", "a"))
    many = edits.set_operation(document, "y", "weighted")
    assert many.nodes["y"].inputs == ("a", "a")
    many = edits.connect(many, "a", "y", 2)
    assert edits.set_operation(many, "y", "add").nodes["y"].inputs == ("a", "a")
    open_slots = edits.set_operation(edits.add(document, "add", (0.0, 0.0), "z"), "z", "weighted")
    assert open_slots.nodes["z"].inputs == ()


@pytest.mark.parametrize(("inputs", "slot"), [((), 0), ((None,), 0), (("a", None, "a"), 1), (("a", None), 1)])
def test_an_open_slot_is_a_fault(inputs: tuple[str | None, ...], slot: int) -> None:
    nodes = {"a": Node("a", "parameter", value=1.0), "y": Node("y", "weighted", inputs)}
    (fault,) = cadena.compile(Document(nodes, output="y")).faults
    assert fault.kind == "open-slot" and fault.slot == slot
    assert fault.message == f"y waits for its operand 'operand'; connect a wire to slot {slot + 1}"
