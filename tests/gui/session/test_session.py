"""The session is where all parts of the window meet: its state is whole at each of its signals."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cadena.core.graph import edits
from cadena.core.graph.document import Document, Node, as_value
from cadena.core.graph.fault import Refused
from cadena.core.methods.names import Method
from cadena.core.teaching.lessons import open_lesson, opening_method
from cadena.gui.session import graph_edits
from cadena.gui.session.session import Session
from tests.gui.user import calm


def product() -> Document:
    """L = w0 x0, at 2 and 3."""
    nodes = (
        Node("w0", "parameter", value=2.0),
        Node("x0", "input", value=3.0),
        Node("L", "multiply", inputs=("w0", "x0")),
    )
    return Document({node.name: node for node in nodes}, output="L")


@pytest.fixture
def session(qapp):
    made = Session(product())
    yield made
    made.playback.pause()


def set_w0(session: Session, value: float, merge: str | None = None) -> bool:
    return session.edit(lambda document: edits.set_value(document, "w0", value), "Set w0", merge)


def count(signal) -> list[None]:
    heard: list[None] = []
    signal.connect(lambda *_: heard.append(None))
    return heard


# --- edits and runs


def test_many_values_in_one_turn_of_the_event_loop_are_run_once(session, qtbot):
    ran = count(session.runChanged)
    for value in (5.0, 6.0, 7.0):
        set_w0(session, value)
    qtbot.waitUntil(lambda: bool(ran))
    assert len(ran) == 1
    assert session.run.value("L") == 21.0


def test_a_value_edit_needs_no_new_plan(session):
    plan = session.program.plan
    set_w0(session, 5.0)
    assert session.program.plan is plan


def test_whoever_hears_of_a_new_node_finds_it_in_the_run(session):
    seen = []
    session.documentChanged.connect(lambda _: seen.append(session.run.value("x1")))
    session.edit(lambda document: edits.add(document, "input", (0.0, 0.0), "x1", 8.0), "Add")
    assert seen == [8.0]


def test_the_values_of_an_edit_are_live_at_once(session):
    session.set_time(1.0)
    set_w0(session, 5.0)
    assert session.live


def test_moving_a_node_neither_runs_nor_leaves_the_moment(session):
    session.set_time(1.0)
    ran = count(session.runChanged)
    session.edit(lambda document: edits.move(document, {"w0": (9.0, 9.0)}), "Move w0")
    calm(session)
    assert not ran and not session.live and session.time == 1.0


def test_a_refused_edit_says_why_and_changes_nothing(session):
    said: list[str] = []
    session.message.connect(said.append)

    def refuse(document: Document) -> Document:
        raise Refused("no")

    assert not session.edit(refuse, "Try")
    assert said == ["no"] and session.document == product() and session.history.undo_label is None


def test_edits_with_one_merge_key_are_one_undo_step_until_sealed(session):
    for value in (5.0, 6.0):
        set_w0(session, value, "drag")
    session.seal()
    set_w0(session, 7.0, "drag")
    session.undo()
    assert session.document.nodes["w0"].value == 6.0
    session.undo()
    assert session.document == product()


def test_undo_and_redo_bring_the_numbers_along(session, qtbot):
    set_w0(session, 5.0)
    session.undo()
    session.run_now()
    assert session.run.value("L") == 6.0
    session.redo()
    session.run_now()
    assert session.run.value("L") == 15.0


def test_what_is_removed_is_no_longer_selected(session):
    session.select(["w0", "L"])
    session.edit(lambda document: edits.remove(document, ["w0"]), "Delete")
    assert session.selection == {"L"}


# --- the file


def test_a_document_is_modified_while_it_differs_from_its_file(session, tmp_path):
    assert not session.modified
    set_w0(session, 5.0)
    assert session.modified
    session.undo()
    assert not session.modified
    session.redo()
    session.mark_saved(tmp_path / "x.cadena")
    assert not session.modified and session.path == tmp_path / "x.cadena"


def test_a_recovered_document_counts_as_modified(session):
    session.open(product(), None, modified=True)
    assert session.modified


def test_opening_starts_anew(session):
    opened = count(session.opened)
    session.select(["L"])
    set_w0(session, 5.0)
    session.open(product(), None)
    assert session.history.undo_label is None and not session.selection
    assert session.time == 0.0 and not session.live and not session.modified and opened


# --- time


def test_time_stays_between_the_first_and_the_last_step(session):
    session.set_time(99.0)
    assert session.time == len(session.timeline) == 3
    session.set_time(-1.0)
    assert session.time == 0.0


def test_build_mode_shows_the_end_whatever_the_time(session):
    session.set_time(0.0)
    assert session.frame.value("L") is None
    session.show_live()
    assert session.frame.value("L") == 6.0 and session.frame.gradient("w0") == 3.0


def test_only_nodes_of_the_graph_can_be_selected(session):
    changed = count(session.selectionChanged)
    session.select(["w0", "nobody"])
    session.select(["w0"])
    assert session.selection == {"w0"} and len(changed) == 1


# --- methods


@pytest.mark.parametrize("name", ["forward", "difference", "symbolic"])
def test_another_method_has_steps_of_its_own_from_their_start(session, name):
    session.set_time(2.0)
    heard = count(session.methodChanged)
    session.set_method(Method(name))
    assert session.time == 0.0 and session.timeline.method == name and len(heard) == 1
    assert session.timeline is session.timeline  # made once for a run
    session.set_method(Method(name))
    assert len(heard) == 1


def test_another_step_of_differences_is_one_motion(session):
    """The moment stays, also over a step that cannot be used, and what plays goes on."""
    session.set_method(Method("difference", step=0.1))
    session.set_time(2.5)
    for step, fault in ((0.01, False), (0.0, True), (0.1, False)):
        session.set_method(Method("difference", step=step))
        assert session.time == 2.5 and bool(session.method_fault) is fault
    session.set_method(Method("difference", "w0", 0, 0.1))  # the same element, now by its name
    assert session.time == 2.5
    session.playback.play()
    session.set_method(Method("difference", step=None))
    assert session.playback.playing
    session.set_method(Method("difference", step=None, kind="forward"))
    assert session.time == 0.0 and not session.playback.playing


def test_the_steps_of_a_method_follow_the_values(session):
    session.set_method(Method("forward"))
    set_w0(session, 7.0)
    session.run_now()
    session.set_time(99.0)
    assert float(session.frame.value("L")) == 21.0 and session.frame.lanes[0].text == "3"


def test_a_method_that_cannot_be_used_says_why_and_shows_the_values(session):
    session.edit(lambda document: edits.set_output(document, None), "No output")
    session.set_method(Method("forward"))
    assert "no output" in session.method_fault
    session.set_time(99.0)
    assert float(session.frame.value("L")) == 6.0 and session.frame.gradient("w0") is None
    session.edit(lambda document: edits.set_output(document, "L"), "Output")
    assert not session.method_fault


LESSON_METHODS = {"9": "reverse", "10": "forward", "11": "forward", "12": "symbolic", "13": "difference"}


@pytest.mark.parametrize(("lesson", "method"), LESSON_METHODS.items())
def test_lessons_10_to_13_opened_in_reverse_mode(session, lesson, method):
    session.open(open_lesson(lesson), None)
    assert session.method == opening_method(session.document) and session.method.name == method
    assert not session.method_fault


def test_the_method_of_a_lesson_stayed_for_the_next_document(session):
    session.open(open_lesson("12"), None)
    session.open(product(), None)
    assert session.method == Method() and session.timeline is session.run.timeline


def test_the_users_own_method_comes_back_after_a_lesson_but_not_the_element_and_h(session):
    session.set_method(Method("difference", "w0", 0, 1e-3, "forward"))
    session.open(open_lesson("10"), None)
    session.choose_method("symbolic")  # to compare, in this lesson
    session.open(open_lesson("2"), None)
    assert session.method == Method()
    session.open(product(), None)
    assert session.method == Method("difference", kind="forward")


@pytest.mark.parametrize("lesson", [None, "text", {}, {"method": "newton"}, {"method": ["forward"]}])
def test_a_lesson_that_names_no_method_is_seen_in_reverse_mode(session, lesson):
    session.open(replace(product(), extra={"lesson": lesson}), None)
    assert session.method == Method()


def test_a_sum_behind_an_output_of_many_numbers_is_one_undo_step(session):
    session.edit(lambda document: edits.set_value(document, "w0", as_value([1.0, 2.0])), "Value")
    assert session.output_shape == (2,)
    session.edit(*graph_edits.sum_output(session.document.output))
    assert session.output_shape == () and session.document.output == "sum1"
    session.undo()
    assert session.document.output == "L"
