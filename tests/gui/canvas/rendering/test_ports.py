"""Ports: what waits for an operand is a fault in dashes, what may take one more is not."""

from __future__ import annotations

import pytest

from cadena.core.graph.document import Document, Function, Node
from cadena.gui.canvas.rendering.camera import Camera
from cadena.gui.canvas.rendering.ports import is_spare
from cadena.gui.look.theme import LIGHT
from tests.gui.canvas.pictures import count_of, graph, operation, paint, parameter, scene

pytestmark = pytest.mark.usefixtures("qapp")


def magenta(*inputs: str | None, op: str = "concatenate") -> int:
    """How many pixels have the fault's colour around a card with these wires."""
    nodes = [parameter("a", [1.0, 2.0]), parameter("b", [1.0, 2.0]), operation("y", op, *inputs)]
    return count_of(paint(scene(graph(*nodes, output="y"), camera=Camera(-40.0, -40.0, 1.0))), LIGHT.fault)


def test_a_slot_for_one_more_operand_is_no_fault():
    assert magenta("a", "b") == 0


def test_a_slot_that_waits_is_a_fault_also_in_the_middle():
    assert magenta() > 50
    assert magenta("a", None, "b") > 50
    assert magenta("a", None, op="add") > 50


@pytest.mark.parametrize(("inputs", "spare"), [((), None), (("a",), 1), (("a", "b"), 2), (("a", None, "b"), 3)])
def test_the_spare_slot_is_the_one_after_the_last_wire(inputs, spare):
    node = Node("y", "stack", inputs=inputs)
    assert [slot for slot in range(5) if is_spare(node, slot)] == ([] if spare is None else [spare])
    assert not any(is_spare(Node("y", "add", inputs=inputs), slot) for slot in range(5))


def test_an_open_slot_of_a_call_has_the_name_of_the_operand_and_not_its_number(monkeypatch):
    called = Document(
        {"y": Node("y", "f", inputs=(None,))},
        functions={"f": Function(("speed",), {"s": Node("s", "square", inputs=("speed",))}, "s")},
    )
    written = []
    monkeypatch.setattr(
        "cadena.gui.canvas.rendering.ports.write", lambda painter, text, *rest, **more: written.append(text)
    )
    paint(scene(called, camera=Camera(-40.0, -40.0, 1.0)))
    assert written == ["speed"]
