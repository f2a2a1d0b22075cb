"""A perceptron with a loss, from an empty canvas, by real mouse events alone."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QMenu, QSpinBox, QStyle, QStyleOptionSpinBox

from cadena.core.graph.document import Tensor, as_array
from tests.fuzz.canvas_acts import turn
from tests.gui.conftest import STAGES
from tests.gui.mouse import point_at
from tests.gui.user import LEFT, NO_KEY, User, drop, settle
from tests.waiting import until


class Mouse:
    """Someone without a keyboard."""

    def __init__(self, user: User) -> None:
        self.user, self.session, self.canvas = user, user.session, user.canvas
        self.choose_in_menu("File", "New")
        assert not self.session.document.nodes

    def choose_in_menu(self, title: str, *texts: str) -> None:
        bar = self.user.window.menuBar()
        (entry,) = (action for action in bar.actions() if action.text().replace("&", "") == title)
        QTest.mouseClick(bar, LEFT, NO_KEY, bar.actionGeometry(entry).center())
        menu = entry.menu()
        for text in texts:
            menu = self.choose(menu, text)

    def choose(self, menu: QMenu, text: str) -> QMenu | None:
        """Click on an entry of a menu; the menu that opens there."""
        settle()
        (entry,) = (action for action in menu.actions() if action.text() == text and action.isEnabled())
        QTest.mouseClick(menu, LEFT, NO_KEY, menu.actionGeometry(entry).center())
        settle()
        return entry.menu()

    def bring(self, op: str, x: float, y: float) -> str:
        """Drag a chip of the palette to a place of the canvas; the name of the new node."""
        palette = self.user.window.operations
        if op not in (chip.operation.name for chip in palette.chips):
            QTest.mouseClick(palette.more, LEFT)
            settle()
        (chip,) = (chip for chip in palette.chips if chip.operation.name == op)
        before = set(self.session.document.nodes)
        drop(self.canvas, chip.mime(), self.at(x, y))
        (name,) = set(self.session.document.nodes) - before
        return name

    def at(self, x: float, y: float) -> QPoint:
        return self.canvas.camera.to_view(QPointF(x, y)).toPoint()

    def shape(self, name: str, text: str, fill: str, seed: int = 0) -> None:
        """Choose a leaf's shape in the inspector, and fill it there."""
        self.user.click(self.user.name_of(name))
        page = self.user.window.inspector.node
        until(lambda: page.name == name and page.value.shape.isVisible(), "the inspector does not follow", settle)
        editor = page.value
        pick(editor.shape, text)
        until(editor.fill.kind.isVisible, "the inspector does not follow", settle)
        pick(editor.fill.kind, fill)
        for _ in range(seed):
            step_up(editor.fill.seed)

    def make_output(self, name: str) -> None:
        self.user.click(self.user.name_of(name))
        page = self.user.window.inspector.node
        until(lambda: page.name == name, "the inspector does not follow", settle)
        button = page.output
        QTest.mouseClick(button, LEFT, NO_KEY, button.rect().center())
        settle()


def pick(box: QComboBox, text: str) -> None:
    """Open a combo box and click on an entry."""
    assert box.isVisible(), f"{box.accessibleName()} is not there"
    QTest.mouseClick(box, LEFT, NO_KEY, QPoint(box.width() - 8, box.height() // 2))
    settle()
    view = box.view()
    assert view.isVisible()
    index = view.model().index(box.findText(text), 0)
    view.scrollTo(index)
    for place in (view.viewport().rect().topLeft(), view.visualRect(index).center()):
        point_at(view.viewport(), place)  # a list that opens under a mouse at rest takes no release at first
    QTest.mouseClick(view.viewport(), LEFT, NO_KEY, view.visualRect(index).center())
    settle()


def step_up(box: QSpinBox) -> None:
    until(box.isVisible, "there is no seed to choose", settle)
    option = QStyleOptionSpinBox()
    box.initStyleOption(option)
    part = QStyle.SubControl.SC_SpinBoxUp
    up = box.style().subControlRect(QStyle.ComplexControl.CC_SpinBox, option, part, box)
    QTest.mouseClick(box, LEFT, NO_KEY, up.center())
    settle()


@pytest.fixture
def hand(user: User) -> Mouse:
    return Mouse(user)


@pytest.mark.some(1)
@pytest.mark.parametrize(("theme", "size"), STAGES)
def test_a_perceptron_with_a_loss_is_built_by_mouse_alone(hand, theme, size):
    user = hand.user
    user.window.choose_theme(theme)
    user.window.resize(*size)
    settle()
    if not user.window.inspector.isVisible():  # a small window folds it
        hand.choose_in_menu("View", "Panels", "Inspector")
    while hand.canvas.width() < 1700 * hand.canvas.camera.zoom:
        turn(hand.canvas, QPoint(), -120, NO_KEY)
    camera = hand.canvas.camera
    for name, (op, x, y) in {
        "w0": ("parameter", 100, 100), "x0": ("input", 100, 300), "w1": ("parameter", 100, 500),
        "w2": ("parameter", 600, 80), "x1": ("input", 800, 500),
    }.items():  # fmt: skip
        assert hand.bring(op, x, y) == name
    hand.shape("w0", "3 × 2", "random, about 0", seed=2)
    hand.shape("x0", "2", "ones")
    hand.shape("w1", "3", "zeros")
    hand.shape("w2", "3", "random for a layer", seed=1)
    for op, x, y in (("matmul", 350, 200), ("add", 580, 350), ("tanh", 800, 200), ("matmul", 1020, 200),
                     ("subtract", 1240, 400), ("square", 1460, 250)):  # fmt: skip
        hand.bring(op, x, y)
    for source, target, slot in (
        ("w0", "matmul1", 0), ("x0", "matmul1", 1), ("matmul1", "add1", 0), ("w1", "add1", 1), ("add1", "tanh1", 0),
        ("w2", "matmul2", 0), ("tanh1", "matmul2", 1), ("matmul2", "subtract1", 0), ("x1", "subtract1", 1),
        ("subtract1", "square1", 0),
    ):  # fmt: skip
        user.connect(source, target, slot)
        assert hand.session.document.nodes[target].inputs[slot] == source
    hand.make_output("square1")
    assert hand.canvas.camera == camera, "the view moved while the graph was built"
    first, second = (as_array(hand.session.document.nodes[name].value) for name in ("w0", "w2"))
    hidden = np.tanh(first @ np.ones(2))
    run = hand.session.run
    assert np.isclose(run.value("square1"), (second @ hidden - 1.0) ** 2)
    assert np.allclose(run.gradient("w2"), 2 * (second @ hidden - 1.0) * hidden)
    assert not hand.session.faults


def test_another_seed_gives_other_numbers_and_the_same_one_the_same_again(hand):
    hand.bring("parameter", 100, 100)
    hand.shape("w0", "2 × 3", "random, −1 to 1")
    first = hand.session.document.nodes["w0"].value
    assert isinstance(first, Tensor) and first.shape == (2, 3) and len(np.unique(first.array)) == 6
    editor = hand.user.window.inspector.node.value
    step_up(editor.fill.seed)
    assert hand.session.document.nodes["w0"].value != first
    pick(editor.fill.kind, "ones")
    until(lambda: not editor.fill.seed.isVisible(), "ones have a seed", settle)
    hand.user.press("Ctrl+Z")
    hand.user.press("Ctrl+Z")
    assert hand.session.document.nodes["w0"].value == first
    assert hand.session.history.undo_label == "Fill w0 with random, −1 to 1"


def test_a_number_is_not_filled(hand):
    hand.bring("parameter", 100, 100)
    assert not hand.user.window.inspector.node.value.fill.isVisible()


def test_a_wire_aimed_at_a_port_that_does_not_fit_does_not_take_its_neighbour(hand):
    """The port beside it was within reach and fitted: the wire ended there without a word."""
    for name, shape, y in (("w0", "2 × 3", 100), ("w1", "2 × 2", 400)):
        hand.bring("parameter", 100, y)
        hand.shape(name, shape, "ones")
    hand.bring("matmul", 450, 300)
    hand.user.connect("w0", "matmul1", 0)
    left, right = (hand.user.input_port("matmul1", slot) for slot in (0, 1))
    hand.user.drag(hand.user.output_port("w1"), right + (left - right) * 0.2)
    assert hand.session.document.nodes["matmul1"].inputs == ("w0", "w1")
    assert [fault.node for fault in hand.session.faults] == ["matmul1"]


def test_filling_is_forgotten_with_the_array_that_was_filled(hand):
    """A number of the same name in another graph was held against the array's filling, and raised an exception."""
    hand.bring("parameter", 100, 100)
    hand.shape("w0", "3", "random for a layer")
    hand.choose_in_menu("File", "New")
    hand.bring("parameter", 100, 100)
    page = hand.user.window.inspector.node
    until(lambda: page.name == "w0" and not page.value.fill.isVisible(), "the inspector does not follow", settle)
    assert hand.user.session.document.nodes["w0"].value == 1.0 and page.field.text() == "w0"


def test_a_window_that_is_made_larger_does_not_move_a_graph_that_is_being_built(hand):
    hand.bring("parameter", 100, 100)
    camera = hand.canvas.camera
    hand.user.window.resize(1500, 900)
    settle()
    assert hand.canvas.camera == camera
    hand.choose_in_menu("View", "Zoom to fit")
    assert hand.canvas.camera != camera
