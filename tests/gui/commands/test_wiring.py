"""Keys that change wires, in the real window."""

from __future__ import annotations

import pytest

import cadena


@pytest.fixture
def graph(user):
    user.session.open(cadena.parse("L = w*x - b"), None)
    user.canvas.setFocus()
    return user.session


def product(session):
    return next(name for name, node in session.document.nodes.items() if node.op == "multiply")


def test_ctrl_del_deletes_a_node_and_heals_the_wire(user, graph):
    before = graph.document
    graph.select([product(graph)])
    user.press("Ctrl+Del")
    assert graph.document.nodes["L"].inputs == ("w", "b")
    graph.undo()
    assert graph.document == before


def test_ctrl_del_says_why_a_leaf_cannot_be_healed(user, graph, qtbot):
    before = graph.document
    graph.select(["b"])
    with qtbot.waitSignal(graph.message) as said:
        user.press("Ctrl+Del")
    assert said.args == ["b has no operand that could take its place in L; delete it together with its wires"]
    assert graph.document is before


def test_shift_w_swaps_the_operands(user, graph):
    before = product(graph)
    graph.select(["L"])
    user.do("graph.swap")
    assert graph.document.nodes["L"].inputs == ("b", before)
    assert graph.history.undo_label == "Swap the operands of L"


def test_swapping_is_offered_only_where_there_are_two_operands(user, graph):
    graph.select(["w"])
    assert not enabled(user, "graph.swap")
    graph.select(["L"])
    assert enabled(user, "graph.swap")


def enabled(user, command):
    user.window.menus.refresh()
    return user.window.menus.action(command).isEnabled()
