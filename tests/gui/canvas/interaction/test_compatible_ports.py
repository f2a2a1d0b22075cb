"""Which ports fit a wire."""

from __future__ import annotations

import pytest

from cadena.core.front import compile
from cadena.core.graph import edits
from cadena.core.graph.document import Document, Node, as_value
from cadena.gui.canvas.interaction import compatible_ports as fitting_module
from cadena.gui.canvas.interaction.compatible_ports import Fitting
from tests.gui.canvas.real_hand import small_graph


def fitting(document: Document, name: str, slot: int | None = None) -> set:
    plan = compile(document).plan
    return set(Fitting(document, dict(zip(plan.names, plan.shapes)), (name, slot)))


def test_no_port_that_would_close_a_cycle_fits():
    assert fitting(small_graph(), "m") == {("y", 0), ("y", 1), ("s", 0)}
    assert fitting(small_graph(), "y") == {("s", 0)}
    assert fitting(small_graph(), "m", 0) == {("w0", None), ("x0", None), ("w1", None), ("s", None)}


def test_an_input_takes_outputs_and_an_output_inputs():
    assert all(slot is None for _, slot in fitting(small_graph(), "s", 0))
    assert all(slot is not None for _, slot in fitting(small_graph(), "w0"))


def with_shapes(**values) -> Document:
    document = Document(nodes={})
    for name, value in values.items():
        document = edits.add(document, "parameter", (0, 0), name, as_value(value))
    return document


@pytest.mark.parametrize(
    ("op", "other", "offered", "fits"),
    [
        ("add", [1.0, 2.0], 3.0, True),
        ("add", [1.0, 2.0], [3.0, 4.0], True),
        ("add", [1.0, 2.0], [3.0, 4.0, 5.0], False),
        ("add", [[1.0], [2.0]], [3.0, 4.0, 5.0], True),
        ("matmul", [[1.0, 2.0]], [[1.0], [2.0]], True),
        ("matmul", [[1.0, 2.0]], [[1.0, 2.0]], False),
        ("matmul", [[1.0, 2.0]], 2.0, False),
    ],
)
def test_shapes_must_go_together(op, other, offered, fits):
    document = edits.add(with_shapes(a=other, b=offered), op, (0, 0), "y")
    document = edits.connect(document, "a", "y", 0)
    assert (("y", 1) in fitting(document, "b")) is fits
    assert (("b", None) in fitting(document, "y", 1)) is fits


def test_while_another_slot_is_open_any_shape_may_fit():
    document = edits.add(with_shapes(a=[1.0, 2.0]), "add", (0, 0), "y")
    assert fitting(document, "a") == {("y", 0), ("y", 1)}


def test_a_missing_setting_is_not_the_wires_fault():
    document = edits.add(with_shapes(a=[1.0, 2.0]), "reshape", (0, 0), "y")
    assert ("y", 0) in fitting(document, "a")


def test_an_operation_that_is_not_known_takes_everything():
    document = with_shapes(a=[1.0, 2.0])
    nodes = {**document.nodes, "u": Node("u", "fourier", inputs=(None,))}
    assert ("u", 0) in fitting(Document(nodes=nodes), "a")


def test_an_operation_with_any_number_of_operands_offers_one_slot_more_for_what_fits_the_others():
    document = edits.add(with_shapes(a=[[1.0, 2.0]], b=[[3.0, 4.0]], c=[1.0]), "concatenate", (0, 0), "y")
    assert fitting(document, "a") == {("y", 0)}
    document = edits.connect(document, "a", "y", 0)
    assert fitting(document, "b") == {("y", 0), ("y", 1)}
    document = edits.connect(document, "b", "y", 1)
    assert fitting(document, "c") == set()
    assert fitting(document, "a") == {("y", 0), ("y", 1), ("y", 2)}


def test_a_wire_in_hand_asked_of_all_ten_thousand_nodes_whether_they_fit(monkeypatch):
    """A press on a port took a tenth of a second before the wire could be pulled."""
    asked, misfit = [], fitting_module.misfit
    monkeypatch.setattr(fitting_module, "misfit", lambda node, *of: asked.append(node.name) or misfit(node, *of))
    document = small_graph()
    plan = compile(document).plan
    ports = Fitting(document, dict(zip(plan.names, plan.shapes)), ("m", None))
    assert ("w0", 0) not in ports and ("s", None) not in ports and asked == ["s"]
    assert ports.of("y") == (("y", 0), ("y", 1)) and ports.of("y") and asked == ["s", "y", "y"]
    assert len(ports) == 3
