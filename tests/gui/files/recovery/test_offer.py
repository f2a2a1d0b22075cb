"""What a crash left is offered until it is answered, all of it together."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel

import cadena
from cadena.core.graph import edits
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.files.recovery.copies import UnsavedWork, read
from cadena.gui.files.recovery.left_behind import look_through
from cadena.gui.files.recovery.offer import shown_path, time_text
from tests.gui.files.recovery.conftest import leave
from tests.gui.user import User, settle


def folder_of(user: User) -> Path:
    return user.window.recovery.path.parent


def crashed(user: User, *values: float, path: Path | None = None, seen: str = "") -> None:
    """What programs leave that are killed while `w0` is each of these values; the first was killed last."""
    for age, value in enumerate(values):
        document = edits.set_title(edits.set_value(user.session.document, "w0", value), f"graph {value:g}")
        copy = leave(folder_of(user), UnsavedWork((document,), path=path, seen=seen), f"copy{value:g}")
        os.utime(copy, (1e9 - age, 1e9 - age))


def offered(user: User) -> list[str]:
    """The first button of each copy that is offered."""
    return [row[0].accessibleName() for row in user.window.banner.rows]


def press(user: User, text: str, row: int | None = None) -> None:
    banner = user.window.banner
    buttons = banner.buttons if row is None else banner.rows[row]
    next(button for button in buttons if button.text().replace("&", "") == text).click()
    settle()


def in_folder(user: User) -> list[str]:
    return sorted(path.name for path in folder_of(user).glob("copy*.recovery"))


@pytest.fixture
def window(own_user):
    return own_user.window


@pytest.mark.parametrize("changed", [False, True])
def test_a_file_that_changed_after_a_crash_is_not_overwritten_by_what_was_recovered(own_user, tmp_path, changed):
    path, answers = tmp_path / "lesson.cadena", own_user.answers
    cadena.save(open_lesson("1"), path)
    assert own_user.window.files.open_path(path)
    crashed(own_user, 10.0, path=path, seen=own_user.window.files.known)
    own_user.session.open(open_lesson("1"), None)
    if changed:
        cadena.save(open_lesson("2"), path)
    own_user.window.offer.make()
    press(own_user, "Open", row=0)
    assert ("was changed on disk" in own_user.window.banner.text.text()) is changed
    assert own_user.window.files.save() is not changed
    assert answers.asked.count("changed") == changed
    assert cadena.load(path) == (open_lesson("2") if changed else own_user.session.document)


def test_a_file_that_was_not_there_before_the_crash_is_not_overwritten_by_what_was_recovered(own_user, tmp_path):
    """As when it was deleted while it was open, and somebody has put another in its place since."""
    path = tmp_path / "lesson.cadena"
    crashed(own_user, 10.0, path=path)
    cadena.save(open_lesson("2"), path)
    own_user.window.offer.make()
    press(own_user, "Open", row=0)
    assert "was changed on disk" in own_user.window.banner.text.text()
    assert not own_user.window.files.save() and cadena.load(path) == open_lesson("2")


def test_a_copy_says_what_was_known_of_the_file(own_user, tmp_path):
    path = tmp_path / "lesson.cadena"
    cadena.save(open_lesson("1"), path)
    own_user.window.files.open_path(path)
    own_user.set_value("w0", "10")
    assert own_user.window.recovery.try_to_write()
    assert read(own_user.window.recovery.path).seen == own_user.window.files.known != ""


def test_unsaved_work_of_a_crash_is_offered_and_opened(own_user, window, tmp_path):
    crashed(own_user, 10.0, path=tmp_path / "lesson.cadena")
    window.offer.make()
    assert window.banner.isVisible() and "one graph was not saved" in window.banner.text.text()
    press(own_user, "Open", row=0)
    assert own_user.session.document.nodes["w0"].value == 10.0 and window.isWindowModified()
    assert own_user.session.path == tmp_path / "lesson.cadena" and not window.banner.isVisible()
    assert window.recovery.try_to_write() and in_folder(own_user) == []
    assert read(window.recovery.path).path == tmp_path / "lesson.cadena"


def test_each_graph_is_listed_with_title_place_nodes_time_and_picture(own_user, window, tmp_path):
    crashed(own_user, 10.0, path=tmp_path / "lesson.cadena")
    crashed(own_user, 11.0)
    window.offer.make()
    labels = window.banner.findChildren(QLabel)
    texts = [label.toolTip() for label in labels]
    assert "16 nodes" in texts and "never saved" in texts and any("lesson" in text for text in texts)
    assert len([label for label in labels if not label.pixmap().isNull()]) == len(window.banner.rows)


def test_all_are_opened_at_once(own_user, window):
    crashed(own_user, 10.0, 11.0, 12.0)
    window.offer.make()
    press(own_user, "Open all")
    values = {one.state.history.present.nodes["w0"].value for one in window.documents.noted() if one.state.graph.nodes}
    assert {10.0, 11.0, 12.0} <= values and not window.banner.isVisible()


def test_only_the_newest_of_several_copies_was_offered(own_user, window):
    crashed(own_user, 10.0, 11.0, 12.0, 13.0)
    window.offer.make()
    assert offered(own_user) == ["Open: graph 10", "Open: graph 11", "Open: graph 12", "Open: graph 13"]
    own_user.answers.leave = "discard"
    press(own_user, "Open", row=2)
    assert own_user.session.document.nodes["w0"].value == 12.0
    assert offered(own_user) == ["Open: graph 10", "Open: graph 11", "Open: graph 13"]
    press(own_user, "Open", row=0)
    assert own_user.session.document.nodes["w0"].value == 10.0 and len(offered(own_user)) == 2


def test_a_recovered_graph_leaves_unsaved_work_open(own_user, window):
    crashed(own_user, 10.0)
    own_user.set_value("w0", "3")
    window.offer.make()
    press(own_user, "Open", row=0)
    assert own_user.session.document.nodes["w0"].value == 10.0 and own_user.session.modified
    own_user.press("Ctrl+Tab")
    assert own_user.session.document.nodes["w0"].value == 3.0 and own_user.session.modified
    assert not own_user.answers.asked and offered(own_user) == []


def test_recovered_work_can_be_thrown_away(own_user, window):
    crashed(own_user, 10.0, 11.0)
    window.offer.make()
    press(own_user, "Throw away", row=0)
    assert in_folder(own_user) == ["copy11.recovery"] and offered(own_user) == ["Open: graph 11"]
    assert own_user.session.document.nodes["w0"].value == 2.0


def test_all_recovered_work_is_thrown_away_only_when_that_is_meant(own_user, window):
    crashed(own_user, 10.0, 11.0, 12.0)
    window.offer.make()
    press(own_user, "Throw all away…")
    assert len(in_folder(own_user)) == 3 and "for good?" in window.banner.text.text()
    press(own_user, "Keep them")
    assert len(offered(own_user)) == 3
    press(own_user, "Throw all away…")
    press(own_user, "Throw away")
    assert in_folder(own_user) == [] and not window.banner.isVisible()


def test_a_copy_that_cannot_be_thrown_away_is_told_and_still_offered(own_user, window, monkeypatch):
    crashed(own_user, 10.0)
    window.offer.make()
    monkeypatch.setattr(Path, "unlink", lambda *anything, **settings: os.close(-1))
    press(own_user, "Throw away", row=0)
    assert "graph 10 cannot be thrown away" in window.toast.text.text() and len(offered(own_user)) == 1


def test_not_now_keeps_the_work_for_the_next_start(own_user, window):
    crashed(own_user, 10.0)
    window.offer.make()
    press(own_user, "Not now")
    assert not window.banner.isVisible() and in_folder(own_user) == ["copy10.recovery"]
    found, _ = look_through(folder_of(own_user))  # as another program, which may offer it at once
    assert len(found) == 1
    found[0].release()


def test_closing_the_program_without_an_answer_keeps_the_work(own_user, window):
    crashed(own_user, 10.0)
    window.offer.make()
    folder = folder_of(own_user)
    window.close()
    found, _ = look_through(folder)
    assert [copy.path.name for copy in found] == ["copy10.recovery"]
    found[0].release()


def test_the_offer_was_lost_when_something_else_was_asked(own_user, window):
    crashed(own_user, 10.0)
    window.offer.make()
    window.files.saveFailed.emit("Not saved. The disk is full")
    assert "disk is full" in window.banner.text.text() and not offered(own_user)
    press(own_user, "Close")
    assert offered(own_user) == ["Open: graph 10"]


def test_a_damaged_copy_hid_the_good_ones(own_user, window):
    crashed(own_user, 10.0, 11.0)
    (folder_of(own_user) / "copy10.recovery").write_bytes(b"{")
    window.offer.make()
    assert offered(own_user) == ["Open: graph 11"]
    press(own_user, "Not now")
    assert "damaged" in window.banner.text.text() and "copy10.recovery" in window.banner.text.text()
    assert (folder_of(own_user) / "damaged" / "copy10.recovery").exists()


def test_nothing_is_offered_after_a_proper_end(own_user, window):
    window.offer.make()
    assert not window.banner.isVisible()


def test_a_copy_of_the_first_version_is_opened_as_unsaved_work(own_user, window, tmp_path):
    document = edits.set_value(own_user.session.document, "w0", 10.0)
    folder_of(own_user).mkdir()
    cadena.save(
        cadena.Document(document.nodes, document.output, extra={"recovered-from": str(tmp_path / "victim.cadena")}),
        folder_of(own_user) / "old.cadena",
    )
    window.offer.make()
    press(own_user, "Open", row=0)
    assert own_user.session.document.nodes["w0"].value == 10.0 and own_user.session.path is None
    window.recovery.try_to_write()
    assert not (folder_of(own_user) / "old.cadena").exists() and window.recovery.path.exists()


def test_a_trouble_with_copies_is_said_until_it_is_over(own_user, window):
    window.recovery.troubled.emit("No recovery copy can be written.")
    assert window.banner.text.text() == "No recovery copy can be written."
    window.recovery.troubled.emit("")
    assert not window.banner.isVisible()


# --- functions from within


def test_what_was_edited_within_a_function_was_lost_while_that_was_not_in_order(own_user, window):
    session = own_user.session
    session.open(open_lesson("8"), None)
    window.levels.enter("y")
    session.edit(lambda document: edits.set_output(document, None), "No output")
    session.edit(lambda document: edits.add(document, "constant", (0.0, 0.0), name="mine"), "Add")
    graph, shown = session.levels[0].around.history.present, session.document
    with pytest.raises(cadena.Refused):
        _ = session.whole
    copy = abandon(own_user)
    window.offer.make()
    press(own_user, "Open", row=0)
    assert session.document == shown and [level.around.history.present for level in session.levels] == [graph]
    assert window.breadcrumb.isVisible() and window.recovery.try_to_write() and not copy.exists()
    own_user.session.edit(lambda document: edits.set_output(document, "mine"), "Output")
    window.levels.leave()
    assert "mine" in next(iter(session.document.functions.values())).nodes


def test_a_custom_gradient_that_is_edited_is_recovered_with_its_outputs(own_user, window):
    session = own_user.session
    session.open(open_lesson("8"), None)
    window.levels.enter_gradient("y")
    session.edit(lambda document: edits.add(document, "constant", (0.0, 0.0), name="mine"), "Add")
    window.inside.set_output(0, "mine")
    abandon(own_user)
    window.offer.make()
    press(own_user, "Open", row=0)
    assert window.inside.outputs == ("mine",)
    window.levels.leave()
    assert next(iter(session.document.functions.values())).gradient.outputs == ("mine",)


def abandon(user: User) -> Path:
    """Let the copy of what is open be one that another program left, and open lesson 1."""
    recovery = user.window.recovery
    assert recovery.try_to_write()
    copy = recovery.path.with_name("copy-left.recovery")
    recovery.path.rename(copy)
    user.session.open(open_lesson("1"), None)
    return copy


# --- words


def test_places_and_times_are_short(monkeypatch):
    monkeypatch.setattr(Path, "home", lambda: Path("/home/ann"))
    assert shown_path(Path("/home/ann/a/x.cadena")) == "~/a/x.cadena" and shown_path(Path("/tmp/x")) == "/tmp/x"
    now = datetime(2026, 3, 1, 9, 0)
    assert time_text(datetime(2026, 3, 1, 8, 5), now) == "today, 08:05"
    assert time_text(datetime(2026, 2, 28, 23, 59), now) == "yesterday, 23:59"
    assert time_text(datetime(2025, 12, 24, 18, 0), now) == "24 December 2025, 18:00"
