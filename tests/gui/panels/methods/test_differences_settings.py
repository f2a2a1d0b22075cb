"""The settings of differences: kind, element, and a step that is chosen or typed."""

from __future__ import annotations

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from cadena.core.graph.document import Document
from cadena.core.graph.fault import Refused
from cadena.core.methods.difference import KINDS
from cadena.core.methods.names import Method
from cadena.gui.panels.methods.differences_settings import NAMES, STEPS, DifferencesSettings, StepBox, read_step
from cadena.gui.session.session import Session
from tests.core.graphs import graph
from tests.gui.panels.conftest import retype


@pytest.fixture
def settings(session, show):
    session.set_method(Method("difference"))
    made = show(DifferencesSettings(session), 600, 40)
    session.methodChanged.connect(made.follow)
    made.follow()
    return made


def pick(box, index: int) -> None:
    box.setCurrentIndex(index)
    box.activated.emit(index)


@pytest.mark.parametrize("kind", KINDS)
def test_the_kind_is_chosen_beside_the_element_and_keeps_the_step(settings, session, kind):
    pick(settings.step, 3)
    pick(settings.kind, settings.kind.findText(NAMES[kind]))
    assert session.method == Method("difference", "w0", 0, 1e-3, kind)
    assert session.timeline.kind == kind and session.timeline.h == 1e-3
    assert settings.words[1].text() == ("ih" if kind == "complex" else "h")


def test_every_step_of_the_v_is_offered(settings):
    assert [settings.step.itemData(index) for index in range(settings.step.count())] == [None, *STEPS]
    assert STEPS[0] == 1e-1 and STEPS[-1] == 1e-16
    assert settings.step.currentText().startswith("best: ")


@pytest.mark.parametrize(
    ("text", "step"),
    [("2e-5", 2e-5), ("1/3", 1 / 3), ("3·10⁻⁷", 3e-7), ("best", None), ("0", 0.0), ("1e-300", 1e-300)],
)
def test_any_step_can_be_typed(settings, session, qtbot, text, step):
    pick(settings.step, 5)
    retype(qtbot, settings.step.field, text)
    assert session.method.step == step and not settings.step.is_wrong
    assert not settings.step.field.hasFocus()  # Space plays again


def test_a_typed_step_is_shown_and_stays_when_another_kind_is_chosen(settings, session, qtbot):
    retype(qtbot, settings.step.field, "0.00002")
    assert settings.step.currentText() == "2·10⁻⁵"
    pick(settings.kind, 0)
    assert session.method.step == 2e-5 and settings.step.currentText() == "2·10⁻⁵"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("abc", "abc is not a number; type a number above 0 such as 1e-6, or best"),
        ("-0.1", "−0.1 is not above 0; type"),
        ("nan", "nan is not above 0; type"),
        ("[1, 2]", "[1, 2] is a list; type"),
    ],
)
def test_a_bad_text_is_answered_in_a_sentence_and_nothing_is_lost(settings, session, qtbot, text, said):
    retype(qtbot, settings.step.field, "0.01")
    before, heard = session.method, []
    session.message.connect(heard.append)
    retype(qtbot, settings.step.field, text)
    assert len(heard) == 1 and heard[0].startswith(f"The step h of w0: {said}")
    assert session.method == before and settings.step.is_wrong
    assert settings.step.field.text() == text  # to be fixed
    qtbot.keyClick(settings.step.field, Qt.Key.Key_Escape)
    assert settings.step.currentText() == "0.01" and not settings.step.is_wrong


def test_a_choice_from_the_list_takes_the_place_of_a_bad_text(settings, session, qtbot):
    retype(qtbot, settings.step.field, "abc")
    pick(settings.step, 2)
    assert session.method.step == 0.01 and settings.step.currentText() == "0.01"
    assert not settings.step.is_wrong


def test_a_step_that_cannot_be_used_leaves_the_settings_to_choose_another(settings, session, qtbot):
    retype(qtbot, settings.step.field, "0")
    assert session.method_fault == "w0: a step of 0 has no quotient; give a small number such as 1e-6"
    assert settings.isVisible() and settings.step.currentText() == "0" and settings.element.currentText() == "w0"


def test_qt_complained_of_the_element_that_was_chosen(qapp, show, capfd):
    session = Session(graph(x=[1.0, 2.0], y=("sum", "x")))
    session.set_method(Method("difference"))
    settings = show(DifferencesSettings(session), 600, 40)
    settings.follow()
    QTest.keyClick(settings.element, Qt.Key.Key_Down)
    assert (session.method.leaf, session.method.index) == ("x", 1)
    assert "convert" not in "".join(capfd.readouterr())  # of a tuple, told through a signal of texts


def test_an_element_beyond_those_offered_is_shown_too(qapp, show):
    session = Session(graph(W=[[0.1] * 40] * 3, L=("sum", "W")))
    session.set_method(Method("difference", "W", 119))
    settings = show(DifferencesSettings(session), 600, 40)
    settings.follow()
    assert settings.element.currentText() == "W[2, 39]"


def test_the_words_of_a_step_are_read():
    assert read_step("best: 2.7·10⁻⁶") is None and read_step(" Best ") is None and read_step("") is None
    with pytest.raises(Refused, match="is not a number"):
        read_step("import os")


def test_one_element_alone_leaves_no_choice(qapp, show):
    for document, offered in ((graph(x=1.0, y=("sin", "x")), False), (graph(x=[1.0, 2.0], y=("sum", "x")), True)):
        session = Session(document)
        session.set_method(Method("difference"))
        settings = show(DifferencesSettings(session), 600, 40)
        settings.follow()
        assert settings.element.isVisible() is offered and settings.step.isVisible()


def test_a_text_that_is_fixed_takes_its_sentence_away(settings, session, qtbot):
    heard = []
    session.message.connect(heard.append)
    for text in ("abc", "0.5", "0.25"):
        retype(qtbot, settings.step.field, text)
    assert len(heard) == 2 and heard[1] == "" and session.method.step == 0.25


def test_after_a_choice_from_the_list_keys_go_to_the_steps_again(settings, qtbot):
    """The list gave the keys back to the box once its window was active again: only the field had let them go."""
    settings.step.field.setFocus()
    settings.step.showPopup()
    settings.step.hidePopup()
    assert settings.window().focusWidget() is settings.step
    qtbot.waitUntil(lambda: settings.window().focusWidget() is None)
    assert not settings.step.field.hasFocus()


def test_a_list_closes_with_its_panel_without_a_fault(qapp):
    """The keys were to be given back a moment later, by a box that was deleted by then."""
    box = StepBox()
    box.hidePopup()
    shiboken6.delete(box)
    qapp.processEvents()  # an error in a timer is raised here
    assert not shiboken6.isValid(box)


def test_after_enter_keys_go_to_the_steps_again(settings, qtbot):
    settings.step.field.setFocus()
    retype(qtbot, settings.step.field, "0.25")
    assert settings.window().focusWidget() is None and not settings.step.field.hasFocus()


def test_another_kind_with_no_element_to_choose_was_a_traceback(qapp, show):
    session = Session(Document({}))
    session.set_method(Method("difference"))
    settings = show(DifferencesSettings(session), 600, 40)
    settings.follow()
    assert not settings.element.count()
    pick(settings.kind, 1)
    assert session.method.kind == settings.kind.currentData() and session.method.leaf is None
