"""Ports: what waits for an operand is dashed and quiet, and stands in Watch too; wires end in ports in Build alone."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QImage

from cadena.core.expressions.reading import parse
from cadena.core.graph.document import Document, Function, Node
from cadena.core.graph.frames import put_into_frame, set_collapsed
from cadena.core.layout.arrange import arrange
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.canvas.rendering import ports, wires
from cadena.gui.canvas.rendering.camera import Camera
from cadena.gui.canvas.rendering.folded_positions import with_frames
from cadena.gui.canvas.rendering.painting import Layers
from cadena.gui.canvas.rendering.ports import is_spare
from cadena.gui.look.theme import LIGHT
from tests.gui.canvas.pictures import count_of, graph, operation, paint, parameter, scene

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture
def labels(monkeypatch) -> list[str]:
    """The names of open slots that are written from now on."""
    written: list[str] = []
    monkeypatch.setattr(ports, "write", lambda painter, text, *rest, **more: written.append(text))
    return written


def painted(*inputs: str | None, op: str = "concatenate", time: float | None = 0.0) -> QImage:
    """A node with these wires, by itself in Watch, with its operands out of sight."""
    nodes = [parameter("a", [1.0, 2.0]), parameter("b", [1.0, 2.0]), operation("y", op, *inputs)]
    document = replace(graph(*nodes, output="y"), layout={"a": (-900.0, 0.0), "b": (-900.0, 200.0), "y": (0.0, 0.0)})
    return paint(scene(document, time, camera=Camera(-80.0, -80.0, 1.0)))


def test_a_slot_for_one_more_operand_waits_for_nothing(labels):
    painted("a", "b")
    assert not labels


@pytest.mark.parametrize("time", [None, 0.0])
@pytest.mark.parametrize(("inputs", "op"), [((), "stack"), (("a", None, "b"), "stack"), (("a", None), "add")])
def test_an_unfinished_node_says_what_it_waits_for_and_is_quiet(labels, inputs, op, time):
    image = painted(*inputs, op=op, time=time)
    assert labels and not count_of(image, LIGHT.fault)


def test_a_wire_from_a_node_that_is_not_there_is_loud(labels):
    image = painted("ghost", op="sin")
    assert labels == ["ghost?"] and count_of(image, LIGHT.fault) > 50


def test_wires_end_in_ports_in_build_and_in_arrows_in_watch(monkeypatch):
    """Never in both."""
    heads, ends = [], []
    monkeypatch.setattr(wires, "arrow", lambda *args: heads.append(args))
    monkeypatch.setattr(ports, "_port", lambda *args: ends.append(args))
    lesson = open_lesson("first_chain_rule")
    paint(scene(lesson))
    assert not heads and len(ends) == 32  # 16 outputs, 16 slots
    ends.clear()
    paint(scene(lesson, 3.0))
    assert len(heads) == 16 and not ends


@pytest.mark.parametrize(("inputs", "spare"), [((), None), (("a",), 1), (("a", "b"), 2), (("a", None, "b"), 3)])
def test_the_spare_slot_is_the_one_after_the_last_wire(inputs, spare):
    node = Node("y", "stack", inputs=inputs)
    assert [slot for slot in range(5) if is_spare(node, slot)] == ([] if spare is None else [spare])
    assert not any(is_spare(Node("y", "add", inputs=inputs), slot) for slot in range(5))


def test_an_open_slot_of_a_call_has_the_name_of_the_operand_and_not_its_number(labels):
    called = Document(
        {"y": Node("y", "f", inputs=(None,))},
        functions={"f": Function(("speed",), {"s": Node("s", "square", inputs=("speed",))}, "s")},
    )
    paint(scene(called, camera=Camera(-40.0, -40.0, 1.0)))
    assert labels == ["speed"]


def collapsed(text: str, *names: str) -> Document:
    return set_collapsed(put_into_frame(arrange(parse(text)), names, "f"), "f", True)


def with_folds(document: Document):
    """Its scene in Build, with its frame as one card in the same place of the view."""
    made = scene(document)
    places = with_frames(made.geometry)
    corner = places.card("c").topLeft() - QPointF(60.0, 60.0)
    return replace(made, geometry=places, camera=Camera(corner.x(), corner.y(), 1.0))


def test_a_block_was_shown_with_the_ports_of_one_that_had_as_many_elsewhere():
    """After a command in a graph of 900 nodes, where a block had hundreds: what was kept knew their number alone."""
    layers = Layers()
    first = with_folds(collapsed("x = 1; y = 2; a = sin(x); b = a + y; c = cos(b); L = b*c", "a", "b", "c"))
    other = with_folds(collapsed("x = 1; y = 2; a = sin(x); b = exp(a); c = cos(b); L = a*b*c*y", "a", "b", "c"))
    assert [len(made.geometry.ports_of("c")) for made in (first, other)] == [4, 4]
    paint(first, layers)
    assert paint(other, layers) == paint(other, Layers())


def test_of_hundreds_of_ports_those_that_can_be_told_apart_are_painted(monkeypatch):
    ends: list[float] = []
    monkeypatch.setattr(ports, "_port", lambda painter, made, port, at: ends.append(at.y()))
    leaves = [f"x{at}" for at in range(120)]
    text = "; ".join(f"{leaf} = 0.5" for leaf in leaves) + f"; c = sin({' + '.join(leaves)}); L = cos(c)"
    made = with_folds(collapsed(text, "c", *(name for name in parse(text).nodes if name not in (*leaves, "L"))))
    assert len(made.geometry.ports_of("c")) > 100
    ports.paint(None, made, "c")
    assert 10 < len(ends) < 25
