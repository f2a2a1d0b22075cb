"""Several documents in one window: each goes on as it was left, and none is lost."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

import cadena
from cadena.core.graph import edits
from cadena.core.graph.document import Document, Node
from cadena.core.methods.names import Method
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.files.recovery.copies import read
from tests.gui.user import User, settle
from tests.waiting import until


def graph(value: float, name: str = "theta", title: str = "") -> Document:
    node = Node(name, "parameter", value=value)
    return Document({name: node}, output=name, title=title, layout={name: (0.0, 0.0)})


def save(folder: Path, *names: str) -> list[Path]:
    paths = [folder / f"{name}.cadena" for name in names]
    for number, path in enumerate(paths):
        cadena.save(graph(float(number), path.stem), path)
    return paths


def change(user: User, value: float) -> Document:
    name = next(iter(user.session.document.nodes))
    user.session.edit(lambda document: edits.set_value(document, name, value), f"Set {name}")
    return user.session.document


def names(user: User) -> list[str]:
    return [label.name for label in user.window.documents.labels]


# --- opening


def test_an_untouched_lesson_gives_way_to_a_file_and_a_file_does_not(user, tmp_path):
    one, other = save(tmp_path, "one", "other")
    user.window.files.open_path(one)
    assert names(user) == ["one"]
    user.window.files.open_path(other)
    assert names(user) == ["one", "other"] and user.session.path == other


def test_a_lesson_in_which_something_was_done_stays_when_another_is_opened(user):
    change(user, 7.0)
    user.window.files.open_lesson("2")
    user.window.files.open_lesson("3")  # in the place of the second, in which nothing was done
    assert len(user.window.documents) == 2 and not user.answers.asked


def test_a_lesson_whose_edit_was_undone_stays_for_its_redo(user):
    change(user, 7.0)
    user.press("Ctrl+Z")
    user.window.files.open_lesson("2")
    user.press("Ctrl+Shift+Tab")
    user.press("Ctrl+Y")
    assert user.session.document.nodes["w0"].value == 7.0


def test_a_file_that_is_open_is_shown_and_not_opened_twice(user, tmp_path):
    one, other = save(tmp_path, "one", "other")
    user.window.files.open_path(one)
    changed = change(user, 5.0)
    user.window.files.open_path(other)
    link = tmp_path / "link.cadena"
    link.symlink_to(one)
    assert user.window.files.open_path(link)
    assert names(user) == ["one", "other"] and user.session.document is changed and user.session.modified


def test_a_file_that_cannot_be_read_opens_no_tab(user, tmp_path):
    change(user, 7.0)
    (tmp_path / "bad.cadena").write_text("{")
    user.window.files.open_path(tmp_path / "bad.cadena")
    assert len(user.window.documents) == 1 and user.session.modified


# --- going on as it was left


def test_a_document_goes_on_at_its_moment_with_its_method_and_its_undo_history(user):
    session, documents = user.session, user.window.documents
    changed = change(user, 7.0)
    session.set_method(Method("forward"))
    session.set_time(3.5)
    session.select(["m1"])
    session.toggle_breakpoint("c")
    user.canvas.move_camera(user.canvas.camera.panned(40.0, 30.0))
    camera = user.canvas.camera
    user.press("Ctrl+N")
    session.set_method(Method())
    assert session.document.nodes == {} and session.breakpoints == frozenset() and session.live
    documents.show(0)
    settle()
    assert session.document is changed and (session.time, session.live) == (3.5, False)
    assert session.method.name == "forward" and session.selection == {"m1"} and session.breakpoints == {"c"}
    assert user.canvas.camera == camera and session.modified
    user.press("Ctrl+Z")
    assert session.document.nodes["w0"].value == 2.0 and not session.modified


def test_the_whole_graph_stays_in_view_when_the_window_has_changed_its_size(user):
    change(user, 7.0)
    user.press("Ctrl+N")
    user.window.resize(1100, 700)
    settle()
    user.press("Ctrl+Tab")
    assert user.canvas.shows_all


def test_playing_pauses_when_another_document_is_shown(user):
    change(user, 7.0)
    user.press("Ctrl+N")
    user.press("Ctrl+Tab")
    user.session.playback.play()
    user.press("Ctrl+Tab")
    assert not user.session.playback.playing
    user.press("Ctrl+Tab")
    assert not user.session.playback.playing


def test_a_function_that_was_entered_is_shown_again_with_its_edits(user):
    session, inside = user.session, user.window.inside
    session.open(open_lesson("8"), None)
    call = next(name for name, node in session.document.nodes.items() if node.op in session.document.functions)
    assert inside.enter(call)
    leaf = next(name for name, node in session.document.nodes.items() if node.op == "constant" or node.is_leaf)
    session.edit(lambda document: edits.move(document, {leaf: (5.0, 6.0)}), "Move")
    inner = session.document
    user.window.files.new()
    assert inside.levels == () and not user.window.breadcrumb.isVisible()
    user.window.documents.show(0)
    settle()
    assert session.document is inner and len(inside.levels) == 1 and user.window.breadcrumb.isVisible()
    inside.leave()
    assert call in session.document.nodes and session.modified


def test_what_was_read_and_answered_stays_with_its_document(user):
    session = user.session
    change(user, 7.0)
    session.telling.show(4)
    session.telling.show_answer()
    shown, moment = session.telling.number, session.time
    user.press("Ctrl+N")
    assert (session.telling.number, session.telling.opened) == (0, set())
    user.press("Ctrl+Tab")
    assert (session.telling.number, session.telling.opened, session.time) == (shown, {shown}, moment)


def test_the_score_of_predictions_stays_with_its_document(user):
    session = user.session
    change(user, 7.0)
    session.predicting.set_on(True)
    session.set_time(float(len(session.timeline)) - 2)
    session.playback.play()
    until(lambda: session.predicting.open is not None, "no question came", settle)
    session.predicting.show_answer()
    user.press("Ctrl+N")
    assert session.predicting.attempts == ()
    user.press("Ctrl+Tab")
    assert len(session.predicting.attempts) == 1
    session.predicting.set_on(False)


def test_a_lesson_that_is_shown_again_opens_no_panels(user):
    """A lesson opens what it is about when it is opened, not each time its tab is shown."""
    user.window.files.open_lesson("13")
    settle()
    change(user, 7.0)
    user.press("Ctrl+N")
    user.press("Ctrl+Tab")
    user.do("view.inspector")
    user.press("Ctrl+Tab")
    user.press("Ctrl+Tab")
    settle()
    assert user.session.document.title.startswith("Lesson 13") and user.window.inspector.isVisible()


def test_each_document_has_its_own_panels(user):
    """What was open around one graph was open around all."""
    window, panels = user.window, user.window.panels
    change(user, 7.0)
    user.do("view.paths")
    user.do("view.code")
    user.press("Ctrl+N")
    user.do("view.contour")
    user.do("view.code")
    assert panels["contour"].isVisible() and window.left.isHidden()
    user.press("Ctrl+Tab")
    assert panels["paths"].isVisible() and panels["code"].isVisible() and panels["contour"].isHidden()
    window.across.setSizes([330, 1000])
    window.across.splitterMoved.emit(330, 1)
    user.press("Ctrl+Tab")
    assert panels["contour"].isVisible() and panels["code"].isHidden()
    user.press("Ctrl+Tab")
    assert panels["code"].isVisible() and window.left.width() == 330


def test_a_new_document_begins_with_what_the_user_has_open_and_can_be_used_there(user):
    user.do("view.paths")
    user.do("view.problems")
    change(user, 7.0)
    user.press("Ctrl+N")
    panels = user.window.panels
    assert panels["paths"].isHidden() and user.window.inspector.isVisible(), "there are no steps"
    user.window.files.open_lesson("2")
    settle()
    assert panels["paths"].isVisible()


def test_a_training_ends_as_one_undo_step_when_another_document_is_shown(user):
    session = user.session
    session.open(open_lesson("16"), None)
    before = session.document
    session.learning.toggle()
    if not session.learning.running:
        pytest.skip(session.learning.refusal)
    until(lambda: session.learning.trainer.steps > 2, "no step was taken", settle)
    user.press("Ctrl+N")
    assert not session.learns and session.document.nodes == {}
    user.press("Ctrl+Tab")
    assert session.history.undo_label.startswith("Train ")
    user.press("Ctrl+Z")
    assert session.document == before


# --- files


def test_a_change_by_another_program_is_told_when_the_document_is_shown(user, tmp_path):
    one, other = save(tmp_path, "one", "other")
    user.window.files.open_path(one)
    user.window.files.open_path(other)
    cadena.save(graph(99.0), one)
    assert not user.window.banner.isVisible()
    user.window.documents.show(0)
    settle()
    assert "one.cadena was changed on disk" in user.window.banner.text.text()
    user.window.documents.show(1)
    settle()
    assert not user.window.banner.isVisible()
    assert cadena.load(one) == graph(99.0)


def test_a_file_that_is_deleted_while_its_tab_is_hidden_is_unsaved_work_then(user, tmp_path):
    one, other = save(tmp_path, "one", "other")
    user.window.files.open_path(one)
    user.window.files.open_path(other)
    one.unlink()
    user.window.documents.show(0)
    settle()
    assert user.session.modified and "one.cadena no longer exists" in user.window.banner.text.text()


def test_each_document_is_saved_to_its_own_file(user, tmp_path):
    one, other = save(tmp_path, "one", "other")
    user.window.files.open_path(one)
    change(user, 10.0)
    user.window.files.open_path(other)
    change(user, 11.0)
    user.press("Ctrl+S")
    user.press("Ctrl+Tab")
    assert cadena.load(one).nodes["one"].value == 0.0
    user.press("Ctrl+S")
    assert (cadena.load(one).nodes["one"].value, cadena.load(other).nodes["other"].value) == (10.0, 11.0)


# --- closing


def test_closing_asks_for_unsaved_work_and_shows_it(user, tmp_path):
    one, other = save(tmp_path, "one", "other")
    user.window.files.open_path(one)
    changed = change(user, 10.0)
    user.window.files.open_path(other)
    user.answers.leave = "cancel"
    user.window.documents.close(0)
    assert user.answers.asked == ["unsaved"] and user.session.document is changed and len(user.window.documents) == 2
    user.answers.leave = "save"
    user.press("Ctrl+W")
    assert names(user) == ["other"] and cadena.load(one).nodes["one"].value == 10.0


def test_the_last_document_leaves_an_empty_graph(user):
    user.press("Ctrl+W")
    assert user.session.document.nodes == {} and user.session.live and user.window.isVisible()
    assert len(user.window.documents) == 1


def test_a_closed_document_comes_back_with_its_history(user):
    changed = change(user, 7.0)
    user.press("Ctrl+N")
    user.press("Ctrl+Tab")
    user.answers.leave = "discard"
    user.press("Ctrl+W")
    assert user.session.document.nodes == {} and len(user.window.documents) == 1
    user.press("Ctrl+Shift+T")
    assert user.session.document is changed and user.session.modified
    user.press("Ctrl+Z")
    assert user.session.document.nodes["w0"].value == 2.0


def test_closing_the_window_asks_once_for_all_that_changed(own_user, tmp_path):
    one, other, third = save(tmp_path, "one", "other", "third")
    for path, value in ((one, 10.0), (other, 11.0), (third, None)):
        own_user.window.files.open_path(path)
        if value:
            change(own_user, value)
    own_user.answers.leave = "cancel"
    own_user.window.close()
    assert own_user.answers.asked == ["unsaved: one, other"] and own_user.window.isVisible()
    own_user.answers.leave = "save"
    own_user.window.close()
    assert not own_user.window.isVisible()
    assert [cadena.load(path).nodes[path.stem].value for path in (one, other, third)] == [10.0, 11.0, 2.0]


def test_a_save_that_fails_keeps_the_window_with_that_document(own_user, tmp_path):
    one, other = save(tmp_path, "one", "other")
    for path in (one, other):
        own_user.window.files.open_path(path)
        change(own_user, 10.0)
    own_user.session.state = replace(own_user.session.state, path=tmp_path / "no" / "such.cadena")
    own_user.answers.leave, own_user.answers.path = "save", None
    own_user.window.close()
    assert own_user.window.isVisible() and own_user.session.modified
    assert own_user.session.document.nodes.keys() == {"other"}


# --- recovery


def copies(user: User) -> list[Path]:
    return sorted(user.window.recovery.folder.glob("*.recovery"))


def test_every_open_document_has_a_copy_also_when_it_is_not_shown(own_user, tmp_path):
    own_user.set_value("w0", "10")
    own_user.press("Ctrl+N")
    own_user.session.edit(lambda _: graph(11.0), "Make")
    assert own_user.window.recovery.try_to_write()
    works = [read(path) for path in copies(own_user)]
    assert sorted(next(iter(work.documents[0].nodes.values())).value for work in works) == [10.0, 11.0]
    own_user.press("Ctrl+Tab")
    own_user.set_value("w0", "12")
    assert own_user.window.recovery.try_to_write() and len(copies(own_user)) == 2


def test_a_closed_document_leaves_no_copy(own_user):
    own_user.set_value("w0", "10")
    own_user.press("Ctrl+N")
    own_user.press("Ctrl+Tab")
    assert own_user.window.recovery.try_to_write() and len(copies(own_user)) == 1
    own_user.answers.leave = "discard"
    own_user.press("Ctrl+W")
    assert copies(own_user) == []
    own_user.press("Ctrl+Shift+T")
    assert own_user.window.recovery.try_to_write() and len(copies(own_user)) == 1


def test_a_recovered_file_takes_the_place_of_the_file_that_is_open(own_user, tmp_path):
    from tests.gui.files.recovery.test_offer import crashed, press

    (path,) = save(tmp_path, "one")
    own_user.window.files.open_path(path)
    own_user.session.open(open_lesson("1"), None)
    crashed(own_user, 10.0, path=path)
    own_user.window.files.open_path(path)
    own_user.window.offer.make()
    press(own_user, "Open", row=0)
    assert names(own_user) == ["one"] and own_user.session.modified
    assert own_user.session.document.nodes["w0"].value == 10.0


# --- copy and paste


def test_nodes_are_copied_from_one_document_to_another(user):
    user.session.select(["w0", "a1", "m1"])
    user.press("Ctrl+C")
    change(user, 7.0)
    user.press("Ctrl+N")
    user.press("Ctrl+V")
    assert user.session.document.nodes.keys() == {"w0", "a1", "m1"}
    assert user.session.document.nodes["m1"].inputs == ("w0", "a1")
    assert '"cadena"' in QApplication.clipboard().text()
