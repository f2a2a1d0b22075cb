"""What is said about what lies under the pointer, and to a screen reader."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from cadena.core.graph import edits
from cadena.core.ops.primitive import REGISTRY
from cadena.core.teaching.hiding import NOTHING_HIDDEN
from cadena.gui.canvas.interaction.canvas import Canvas
from cadena.gui.canvas.interaction.tooltips import ONLY_CHOOSES, facts_of, plain
from cadena.gui.canvas.rendering.hit_boxes import Hit
from cadena.gui.look import theme as look
from cadena.gui.look.theme import LIGHT
from cadena.gui.session.session import Session
from cadena.gui.widgets import decimals
from tests.core.languages.programs import of_record
from tests.gui.user import settle
from tests.waiting import until


def test_what_is_hovered_is_shown(canvas, hand):
    hand.hover(hand.name("m"))
    assert canvas.scene.hovered == "m"
    hand.hover(hand.wire("w1", "y", 1))
    assert canvas.scene.hovered is None
    assert canvas.decorations.hovered_wire == ("y", 1)
    QApplication.sendEvent(canvas, QEvent(QEvent.Type.Leave))
    assert canvas.decorations.hovered_wire is None


def tip(canvas: Canvas, at: QPoint) -> str:
    QApplication.sendEvent(canvas, QHelpEvent(QEvent.Type.ToolTip, at, canvas.mapToGlobal(at)))
    return plain(canvas.tip.facts)


def tooltip(session: Session, hit: Hit) -> str:
    return plain(facts_of(session, hit))


def test_the_tooltip_holds_the_full_number(canvas, session, hand):
    session.edit(lambda document: edits.set_value(document, "w0", 1 / 3), "Set")
    session.run_now()
    shown = tip(canvas, hand.value("w0"))
    assert "0.3333333333333333" in shown
    assert "gradient  2" in shown
    assert "multiplication" in tip(canvas, hand.body("m"))


def test_the_tooltip_does_not_tell_what_is_still_to_come(canvas, session, hand):
    session.set_time(0.0)
    assert "gradient  · not yet" in tip(canvas, hand.value("w0"))
    assert "value  · not yet" in tip(canvas, hand.body("m"))
    session.set_time(float("inf"))
    assert "gradient  2" in tip(canvas, hand.value("w0"))
    assert "value  4" in tip(canvas, hand.body("m"))


def test_the_tooltip_of_a_port_names_the_operand(canvas, hand):
    assert "'left' of m: w0" in tip(canvas, hand.input("m", 0))
    assert "open" in tip(canvas, hand.input("s"))
    assert "waits for its operand" in tip(canvas, hand.body("s"))


def test_a_selected_node_is_described_to_a_screen_reader(canvas, session):
    assert canvas.accessibleName() == "Canvas"
    session.select(["w0"])
    assert canvas.accessibleDescription().startswith("w0: parameter")
    session.select(["w0", "m"])
    assert canvas.accessibleDescription() == "2 nodes selected"


def test_every_slot_of_an_operation_with_any_number_of_operands_is_named(canvas, session):
    session.edit(lambda document: edits.set_operation(document, "y", "concatenate"), "Change")
    for slot in range(3):
        assert "operand 'part' of y" in tooltip(session, Hit("input_port", "y", slot))


def test_the_tooltip_of_a_wire_has_all_that_travels_along_it(canvas, session, hand):
    session.set_time(float("inf"))
    lines = tip(canvas, hand.wire("w1", "y", 1)).splitlines()
    assert lines[0].startswith("w1 → y (")
    assert [line.split("  ")[0] for line in lines[1:]] == [
        "value of w1", "gradient of y", "local derivative", "contribution",
    ]  # fmt: skip


def test_the_tooltip_of_a_wire_does_not_tell_what_is_still_to_come(canvas, session, hand):
    session.set_time(0.0)
    told = tip(canvas, hand.wire("w1", "y", 1))
    assert "value of w1" in told and "gradient" not in told and "contribution" not in told


def test_the_tooltip_of_a_wire_knows_every_method(canvas, session, hand):
    for method in ("forward", "difference", "symbolic"):
        session.choose_method(method)
        session.finish_steps()
        session.set_time(float(len(session.timeline)))
        told = tip(canvas, hand.wire("w1", "y", 1))
        assert "value of w1" in told and "local derivative" in told and len(told.splitlines()) >= 4, method


@pytest.mark.some(20)
@pytest.mark.parametrize("op", sorted(op for op, record in REGISTRY.items() if record.slots))
def test_a_wire_that_only_chooses_had_no_tooltip(canvas, session, op):
    """There is no local derivative along it, and asking for its formula was a TypeError."""
    document = next(of_record(REGISTRY[op]))
    session.open(document, None)
    session.set_time(float("inf"))
    for slot, source in enumerate(document.nodes["y"].inputs):
        told = tooltip(session, Hit("wire", "y", slot))
        assert told.startswith(f"{source} → y")
        assert (ONLY_CHOOSES in told) is (slot in REGISTRY[op].choosers)


def test_the_tooltip_of_a_wire_keeps_what_is_hidden(canvas, session, hand):
    session.set_time(float("inf"))
    session.set_hidden(session.hidden.toggled("values"))
    assert "value of" not in tip(canvas, hand.wire("w1", "y", 1))
    session.set_hidden(NOTHING_HIDDEN)


# --- the card


def test_the_tooltip_comes_when_the_pointer_rests_and_goes_with_it(canvas, session, hand):
    hand.hover(hand.body("m"))
    assert canvas.tip.isHidden()
    until(canvas.tip.isVisible, "no tooltip comes", settle)
    assert plain(canvas.tip.facts).startswith("m: ")
    hand.hover(hand.empty())
    assert canvas.tip.isHidden()


def test_a_press_a_key_and_the_next_step_put_the_tooltip_away(canvas, session, hand):
    for act in (
        lambda: QTest.mousePress(canvas, Qt.MouseButton.LeftButton, pos=hand.body("m")),
        lambda: QTest.keyClick(canvas, Qt.Key.Key_Escape),
        lambda: session.set_time(1.0),
    ):
        tip(canvas, hand.body("m"))
        assert canvas.tip.isVisible()
        act()
        assert canvas.tip.isHidden()
        QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=hand.body("m"))


def test_the_tooltip_covers_no_card_of_the_step(user):
    canvas, session = user.canvas, user.session
    session.set_time(15.5)
    step = session.frame.step
    assert step is not None
    for name in session.document.nodes:
        tip(canvas, user.name_of(name))
        shown = QRectF(canvas.tip.geometry())
        for other in {step.node, step.operand, name}:
            assert not shown.intersects(canvas.camera.transform.mapRect(canvas.places.card(other))), (name, other)
        assert canvas.rect().contains(canvas.tip.geometry())


def test_the_points_of_numbers_stand_below_each_other(user):
    user.session.edit(lambda document: edits.set_value(document, "w0", 1 / 3), "Set")
    user.session.run_now()
    user.session.show_live()
    user.window.choose_theme("light")
    tip(user.canvas, user.name_of("w0"))
    numbers = [fact.text for fact in user.canvas.tip.facts if fact.number is not None]
    metrics = QFontMetricsF(look.font(LIGHT, look.LABEL, bold=True))
    assert len(numbers) == 2 and any("." in number for number in numbers)
    assert user.canvas.tip.width() >= decimals.column_width(numbers, metrics)


def test_formulas_in_the_tooltip_are_mathematics(user):
    user.session.set_time(float("inf"))
    tip(user.canvas, user.name_of("m3"))
    assert [fact.latex for fact in user.canvas.tip.facts if fact.latex] == [r"m_{3} = w_{3} \cdot b_{1}"]
