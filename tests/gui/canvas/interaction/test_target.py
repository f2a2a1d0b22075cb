"""What a command is done to: the selected node, or that of an open context menu."""

from __future__ import annotations

from PySide6.QtCore import QPointF

AT = QPointF(10.0, 20.0)


def test_the_node_is_the_one_that_is_selected(canvas, session):
    target = canvas.target
    assert target.node is None and not target.fits()
    session.select(["m"])
    assert target.node.name == "m" and target.fits() and not target.fits(lambda node: node.is_leaf)
    session.select(["m", "s"])
    assert target.node is None


def test_an_open_menu_comes_before_the_selection_and_the_mouse(canvas, session):
    session.select(["m", "s"])
    closed = canvas.target.point("s", AT)
    named: list[str] = []
    canvas.target.do(named.append)
    assert named == ["s"] and canvas.target.place == AT
    closed()
    canvas.target.do(named.append)
    assert named == ["s"]


def test_a_second_menu_is_not_forgotten_with_the_first(canvas):
    first, second = canvas.target.point("m", AT), canvas.target.point("s", AT)
    first()
    assert canvas.target.node.name == "s"
    second()
    assert canvas.target.node is None


def test_a_node_that_is_gone_is_no_target(canvas, session):
    canvas.target.point("m", AT)
    session.select(["m"])
    canvas.commands.delete_selection()
    assert canvas.target.node is None
