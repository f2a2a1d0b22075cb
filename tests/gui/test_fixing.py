"""Bad numbers in the real window: the node is lit, one click fixes, one undo takes it back, and the list is clean."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from cadena.core.graph import edits
from cadena.core.graph.document import Backward, Document, Node
from cadena.core.layout.arrange import arrange, complete
from cadena.core.rewriting.function_edits import make_function, set_gradient
from cadena.gui.panels.problems.problem_entry import ProblemEntry
from tests.core.doctor.findings.cases import CASES
from tests.core.doctor.findings.test_healthy import attention
from tests.gui.user import User, calm, settle
from tests.waiting import until

LEFT = Qt.MouseButton.LeftButton
LESSON = CASES["1/exp(x) (lesson 7)"].document
INSIDE = replace(make_function(LESSON, ["one", "e", "y"], "decay"), dtype="float32")
# The graph, the node at which the first number was born, the click, and the gradient of a leaf after it.
CLICKS = {
    "lesson 7": (LESSON, "e", "Write exp(−x) for 1 / exp(x)", ("x", -3.78e-44)),
    "inside a function": (INSIDE, "y", "Inside decay: Write exp(−x) for 1 / exp(x)", ("x", -3.78e-44)),
    "row norms": (CASES["pairwise distances"].document, "r", "Use norm for the root of the sum of squares", None),
    "masked row": (CASES["softmax of an all-masked row"].document, "p", "Let p be 0 in rows of nothing but −inf", None),
    "untaken branch": (
        CASES["exp behind where"].document,
        "e",
        "Keep a harmless where y does not choose it",
        ("a", 1.0),
    ),
}


def open_with_problems(user: User, document: Document) -> list[ProblemEntry]:
    """The list of problems of a graph, all fixes tried."""
    user.session.open(complete(document), None)
    user.session.show_live()
    if user.window.problems.isHidden():
        user.window.toggle_panel("problems")
    return wait(user)


def wait(user: User) -> list[ProblemEntry]:
    settle()
    until(lambda: not user.window.problems.doctor.busy, "fixes are tried for ever", settle)
    calm(user.window.problems)
    return [entry for entry in user.window.problems.entries if entry.fault]


@pytest.mark.some(2)
@pytest.mark.parametrize(("document", "node", "title", "gradient"), CLICKS.values(), ids=CLICKS)
def test_one_click_fixes_and_one_undo_takes_it_back(user, document, node, title, gradient):
    first, *_ = open_with_problems(user, document)
    QTest.mouseClick(first, LEFT, pos=QPoint(60, 8))
    settle()
    assert first.lit and user.session.selection == frozenset({node})
    before = user.session.document
    button = next(one for one in first.buttons if one.accessibleName() == title)
    QTest.mouseClick(button, LEFT)
    left = [entry.fault for entry in wait(user)]
    assert [fault for fault in left if fault.severity == "fault"] == [] and user.session.faults == ()
    if gradient:
        assert float(user.session.run.gradient(gradient[0])) == pytest.approx(gradient[1], rel=2e-2)
    user.press("Ctrl+Z")
    settle()
    assert user.session.document == before and user.session.faults


@pytest.mark.parametrize("moved", [False, True])
@pytest.mark.parametrize("name", ["exp behind where", "softmax of an all-masked row", "1/exp(x) (lesson 7)"])
def test_nodes_of_a_fix_came_out_of_view_and_on_top_of_others(user, name, moved):
    document = arrange(CASES[name].document)
    if moved:
        first = next(iter(document.nodes))
        x, y = document.layout[first]
        document = edits.move(document, {first: (x - 40.0, y + 32.0)})
    entries = open_with_problems(user, document)
    user.canvas.zoom_to_fit()
    button = next(button for entry in entries for button in entry.buttons)
    before = set(user.session.document.nodes)
    QTest.mouseClick(button, LEFT)
    wait(user)
    now, places = user.session.document, user.canvas.places
    new = set(now.nodes) - before
    seen = user.canvas.camera.visible(user.canvas.size().toSizeF())
    assert new and now.layout.keys() == now.nodes.keys()
    assert all(seen.contains(places.card(one)) for one in new)
    for one in new:
        others = [places.card(other) for other in now.nodes if other != one]
        assert not any(places.card(one).intersects(other) for other in others)
        wires = [(source, one) for source in now.nodes[one].inputs] + [(one, to) for to, _ in now.consumers[one]]
        assert all(places.card(source).right() < places.card(to).left() for source, to in wires)


def test_a_mask_of_minus_infinity_was_a_hint(user):
    assert not open_with_problems(user, attention(0)) and user.session.faults == ()
    assert user.window.problems.summary == "No problems"


def press(entry: ProblemEntry, text: str) -> None:
    QTest.mouseClick(next(one for one in entry.buttons if one.accessibleName() == text), LEFT)
    settle()


def test_the_list_did_not_lead_to_the_node_inside_a_call_where_a_number_went_bad(user):
    first, *_ = open_with_problems(user, replace(make_function(INSIDE, ["y"], "whole"), dtype="float32"))
    for depth in (1, 2):
        press(first, "Enter y")
        assert len(user.window.inside.levels) == depth
        first, *_ = wait(user)
    assert {fault.node for fault in user.session.faults} == {"e"}
    QTest.mouseClick(first, LEFT, pos=QPoint(60, 8))
    settle()
    assert user.session.selection == {"e"} and not any("Enter" in one.accessibleName() for one in first.buttons)


def test_a_bad_number_of_a_custom_gradient_leads_into_its_graph(user):
    nodes = {"m": Node("m", "negative", inputs=("g",)), "dx": Node("dx", "log", inputs=("m",))}
    document = set_gradient(INSIDE, "decay", Backward(("x", "y", "g"), nodes, ("dx",)))
    first, *_ = open_with_problems(user, replace(document, dtype="float64"))
    assert np.isnan(user.session.run.gradient("x"))
    press(first, "Show its custom gradient")
    assert user.window.inside.levels[-1].is_gradient and {fault.node for fault in user.session.faults} == {"dx"}
