"""Graphs built from an empty canvas by real key events alone."""

from __future__ import annotations

import numpy as np
import pytest

from cadena.core.teaching.lessons import open_lesson
from cadena.gui.session.session import Session
from tests.gui.conftest import STAGES
from tests.gui.user import User, settle
from tests.waiting import until


class Keyboard:
    """Someone without a mouse, who knows the names of nodes and the keys of the page of keys."""

    def __init__(self, user: User) -> None:
        self.user, self.session = user, user.session
        user.press("Ctrl+N")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.user.press(key)

    def do(self, command: str) -> None:
        """Choose a command without a key, as Ctrl+K does."""
        self.user.do(command)

    def choose(self, text: str) -> None:
        """Type into the field that is open, and take its first line."""
        assert self.user.canvas.fields.search is not None, "no search is open"
        self.user.type(text)

    @property
    def here(self) -> str:
        (name,) = self.session.selection
        return name

    def call(self, name: str) -> None:
        self.press("F2")
        self.user.type(name)
        assert self.here == name

    def add_leaf(self, kind: str, name: str, value: str) -> None:
        self.press("A")
        self.choose(kind)
        self.call(name)
        self.press("Return")
        self.user.type(value)

    def add_on(self, op: str, name: str, *operands: str) -> None:
        self.gather(*operands)
        self.press("A")
        self.choose(op)
        self.call(name)

    def gather(self, *names: str) -> None:
        """Go to the first of these nodes and mark it, then to the others."""
        for number, name in enumerate(names):
            self.go(name)
            if number < len(names) - 1:
                self.do("go.mark")
        assert self.session.selection == set(names)

    def go(self, name: str) -> None:
        """Go to a node with Ctrl+K, as someone does who sees many of them."""
        self.press("Ctrl+K")
        self.user.type(name)
        assert self.user.canvas.hasFocus() and self.user.canvas.walk.here == name


@pytest.fixture
def keyboard(user: User) -> Keyboard:
    return Keyboard(user)


def gradients(session: Session) -> dict[str, float]:
    names = [node.name for node in session.document.nodes.values() if node.wants_gradient]
    return {name: float(session.run.gradient(name)) for name in names}


def test_lesson_1_is_built_from_an_empty_canvas_by_keys_alone(keyboard):
    for kind, name, value in (
        ("parameter", "w0", "2"), ("input", "a1", "4"), ("parameter", "w1", "5"), ("input", "a2", "3"),
        ("parameter", "w2", "9"), ("parameter", "w3", "7"), ("parameter", "w4", "3"), ("constant", "k", "15"),
    ):  # fmt: skip
        keyboard.add_leaf(kind, name, value)
    for op, name, operands in (
        ("multiply", "m1", ("w0", "a1")), ("multiply", "m2", ("w1", "a2")), ("add", "b1", ("m1", "m2")),
        ("multiply", "b2", ("w2", "a1")), ("multiply", "m3", ("w3", "b1")), ("multiply", "m4", ("w4", "b2")),
        ("add", "c", ("m3", "m4")), ("subtract", "L", ("k", "c")),
    ):  # fmt: skip
        keyboard.add_on(op, name, *operands)
    keyboard.press("O")
    session = keyboard.session
    assert session.run.value("L") == -254.0
    lesson = Session(open_lesson("1"))
    assert gradients(session) == gradients(lesson)
    keyboard.press("Home")
    for time in (1.0, 2.0):
        keyboard.do("run.step")
        until(lambda time=time: session.time == time, "the step does not come to its end", settle)
    cards = [keyboard.user.canvas.places.card(name) for name in session.document.nodes]
    assert not any(one.intersects(other) for one in cards for other in cards if one is not other)


@pytest.mark.some(1)
@pytest.mark.parametrize(("theme", "size"), STAGES)
def test_a_perceptron_with_a_loss_is_built_by_keys_alone(keyboard, theme, size):
    keyboard.user.window.choose_theme(theme)
    keyboard.user.window.resize(*size)
    numbers = {
        "x": ("input", "[1, -2]"), "W1": ("parameter", "[[0.5, -1], [1.5, 2], [-0.5, 1]]"),
        "b1": ("parameter", "[0, 1, 2]"), "W2": ("parameter", "[1, -1, 0.5]"),
        "b2": ("parameter", "0.25"), "t": ("input", "1"),
    }  # fmt: skip
    for name, (kind, value) in numbers.items():
        keyboard.add_leaf(kind, name, value)
    for op, name, operands in (
        ("matmul", "m1", ("W1", "x")), ("add", "s1", ("m1", "b1")), ("tanh", "h", ("s1",)),
        ("matmul", "m2", ("W2", "h")), ("add", "y", ("m2", "b2")), ("subtract", "e", ("y", "t")),
    ):  # fmt: skip
        keyboard.add_on(op, name, *operands)
    keyboard.add_on("square", "loss", "e")
    keyboard.press("O")
    h = np.tanh(np.array([[0.5, -1], [1.5, 2], [-0.5, 1]]) @ [1, -2] + [0, 1, 2])
    error = np.array([1, -1, 0.5]) @ h + 0.25 - 1
    run = keyboard.session.run
    assert np.isclose(run.value("loss"), error**2)
    assert np.allclose(run.gradient("W2"), 2 * error * h)
    assert np.allclose(run.gradient("b1"), 2 * error * np.array([1, -1, 0.5]) * (1 - h**2))


def test_the_ports_that_fit_are_offered_and_one_is_connected(keyboard):
    keyboard.add_leaf("parameter", "a", "2")
    keyboard.add_leaf("parameter", "b", "3")
    keyboard.add_on("multiply", "m", "a")
    keyboard.go("b")
    keyboard.press("W")
    search = keyboard.user.canvas.fields.search
    assert [search.list.item(row).text() for row in range(search.list.count())] == [
        "m: operand 'right', open",
        "m: operand 'left', in the place of a",
    ]
    keyboard.press("Return")
    assert keyboard.session.document.nodes["m"].inputs == ("a", "b")
    assert keyboard.session.run.value("m") == 6.0 and keyboard.here == "b"
    keyboard.go("m")
    keyboard.do("graph.feed")
    keyboard.choose("b")
    assert keyboard.session.document.nodes["m"].inputs == ("b", "b")


def test_nothing_that_fits_is_said_in_a_sentence(keyboard):
    said: list[str] = []
    keyboard.session.message.connect(said.append)
    keyboard.add_leaf("parameter", "a", "2")
    keyboard.press("W")
    assert keyboard.user.canvas.fields.search is None
    assert said[-1] == "Nothing has room for a; add an operation first (A)"


def test_too_many_operands_are_named(keyboard):
    said: list[str] = []
    keyboard.session.message.connect(said.append)
    keyboard.add_leaf("parameter", "a", "2")
    keyboard.add_leaf("parameter", "b", "3")
    keyboard.add_on("sin", "s", "a", "b")
    assert keyboard.session.document.nodes["s"].inputs == ("a",)
    assert "sin1 takes 1 operand: a" in said


def test_a_wire_is_selected_and_deleted_by_keys(keyboard):
    keyboard.add_leaf("parameter", "a", "2")
    keyboard.add_leaf("parameter", "b", "3")
    keyboard.add_on("multiply", "m", "a", "b")
    canvas = keyboard.user.canvas
    keyboard.do("go.wire")
    assert canvas.selected_wire == ("m", 0)
    keyboard.do("go.wire")
    assert canvas.selected_wire == ("m", 1)
    keyboard.press("Esc")
    assert canvas.selected_wire is None and keyboard.here == "m"
    keyboard.do("go.wire")
    keyboard.press("Del")
    assert keyboard.session.document.nodes["m"].inputs == (None, "b")
    keyboard.press("Ctrl+Z")
    assert keyboard.session.document.nodes["m"].inputs == ("a", "b")


def test_commands_go_along_the_wires_and_from_wire_to_wire(user):
    user.click(user.name_of("w0"))
    for way, name in (
        ("consumer", "m1"), ("consumer", "b1"), ("operand", "m1"), ("next", "m2"), ("next", "m1"), ("previous", "m2"),
        ("operand", "w1"), ("operand", "w1"), ("right", "m2"), ("down", "w2"),
    ):  # fmt: skip
        user.do(f"go.{way}")
        assert user.session.selection == {name}, way


def test_one_marked_node_was_told_in_the_plural(user):
    said = []
    user.session.message.connect(said.append)
    user.click(user.name_of("m1"))
    user.do("go.mark")
    user.do("go.consumer")
    user.do("go.mark")
    assert said == ["Marked m1: it stays selected as you go on", "Marked m1, b1: they stay selected as you go on"]


def test_marked_nodes_stay_selected_and_are_grouped(user):
    user.click(user.name_of("m1"))
    user.do("go.mark")
    user.do("go.consumer")
    assert user.session.selection == {"m1", "b1"}
    user.do("go.mark")
    user.do("go.operand")
    assert user.session.selection == {"m1", "b1"}
    user.press("Ctrl+G")
    user.type("sum_of_one")
    assert set(user.session.document.functions["sum_of_one"].nodes) == {"m1", "b1"}
