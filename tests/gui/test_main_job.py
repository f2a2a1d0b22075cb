"""The main job, end to end: build lesson 1 from nothing by mouse and keyboard, run it, step through it, save it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest

import cadena
from cadena.core.graph.document import Document
from cadena.core.teaching.lessons import open_lesson
from tests.gui.user import LEFT, User

# Names as lesson 1 has them, in columns from left to right.
LEAVES = {
    "w0": ("parameter", "2"),
    "a1": ("input", "4"),
    "w1": ("parameter", "5"),
    "a2": ("input", "3"),
    "w2": ("parameter", "9"),
    "w3": ("parameter", "7"),
    "w4": ("parameter", "3"),
    "k": ("constant", "15"),
}
OPERATIONS = {
    "m1": ("multiply", "w0", "a1"),
    "m2": ("multiply", "w1", "a2"),
    "b2": ("multiply", "w2", "a1"),
    "b1": ("add", "m1", "m2"),
    "m3": ("multiply", "w3", "b1"),
    "m4": ("multiply", "w4", "b2"),
    "c": ("add", "m3", "m4"),
    "L": ("subtract", "k", "c"),
}
COLUMNS = ("w0 a1 w1 a2 w2", "m1 m2 b2", "w3 b1 w4", "m3 m4", "k c", "L")
PLACES = {
    name: QPoint(90 + 170 * column, 60 + 120 * row)
    for column, names in enumerate(COLUMNS)
    for row, name in enumerate(names.split())
}
GRADIENTS = {"w0": -28.0, "w1": -21.0, "w2": -12.0, "w3": -23.0, "w4": -36.0}


def build_lesson_1(user: User) -> None:
    user.press("Ctrl+N")
    for name, (op, *_) in {**LEAVES, **OPERATIONS}.items():
        before = set(user.session.document.nodes)
        user.drop_operation(op, PLACES[name])
        (new,) = set(user.session.document.nodes) - before
        if new != name:
            user.rename(new, name)
    for name, (_, value) in LEAVES.items():
        user.set_value(name, value)
    for name, (_, *operands) in OPERATIONS.items():
        for slot, operand in enumerate(operands):
            user.connect(operand, name, slot)
    user.click(user.name_of("L"))
    user.press("O")


def meaning(document: Document) -> object:
    """What a document computes, whatever its places and the order of its nodes."""
    nodes = {name: (node.op, node.inputs, node.value) for name, node in document.nodes.items()}
    return nodes, document.output


@pytest.fixture
def built(user) -> User:
    build_lesson_1(user)
    return user


def test_lesson_1_can_be_built_from_nothing_by_mouse(built):
    assert meaning(built.session.document) == meaning(open_lesson("1"))


def test_the_built_graph_runs_to_the_golden_numbers(built):
    run = built.session.run
    assert run.value("L") == -254.0 and not built.session.faults
    assert {name: run.gradient(name) for name in GRADIENTS} == GRADIENTS


def test_stepping_by_key_shows_each_number_when_its_step_is_done(built):
    session = built.session
    built.do("view.reduce-motion")  # without travel
    built.press("Home")
    steps = list(session.timeline)
    assert len(steps) == 8 + 1 + 12 and session.frame.value("m1") is None
    for step in steps:
        built.press("Right")
        assert session.time == step.index + 1
        shown = session.frame.gradient(step.operand) if step.operand else session.frame.value(step.node)
        assert shown is not None
    assert {name: session.frame.gradient(name) for name in GRADIENTS} == GRADIENTS
    for step in reversed(steps):
        built.press("Left")
        assert session.time == step.index
    assert session.frame.value("m1") is None and session.frame.gradient("w0") is None


def test_everything_can_be_undone_and_done_again(built):
    final = built.session.document
    undone = 0
    while built.session.history.undo_label:
        built.press("Ctrl+Z")
        undone += 1
    assert built.session.document == Document({}) and undone >= len(LEAVES) * 2 + len(OPERATIONS) * 3
    for _ in range(undone):
        built.press("Ctrl+Shift+Z")
    assert built.session.document == final and built.session.run.value("L") == -254.0


def test_what_was_built_is_the_same_after_saving_and_opening(built, tmp_path):
    final = built.session.document
    built.answers.path = tmp_path / "mine.cadena"
    built.press("Ctrl+S")
    assert not built.window.isWindowModified() and built.window.windowTitle() == "mine[*] — Cadena"
    built.press("Ctrl+N")
    assert built.session.document == Document({})
    built.press("Ctrl+O")
    assert built.session.document == final == cadena.load(tmp_path / "mine.cadena")
    assert built.session.run.value("L") == -254.0


def test_chips_can_be_put_onto_the_canvas_by_double_click(user):
    user.press("Ctrl+N")
    for chip in user.window.operations.chips[:4]:
        QTest.mouseClick(chip, LEFT)
        QTest.mouseDClick(chip, LEFT)
    assert len(user.session.document.nodes) == 4
    user.press("Space")
    assert len(user.session.document.nodes) == 4 and user.canvas.hasFocus()
