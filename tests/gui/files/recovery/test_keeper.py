"""After a crash the unsaved graph is there again; after a proper end nothing is."""

from __future__ import annotations

import pytest

from cadena.core.graph import edits
from cadena.core.graph.fault import Refused
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.files.recovery.copies import read
from cadena.gui.session.session import Session
from tests.gui.files.recovery.conftest import graph, modify


def crash(keeper) -> None:
    """Leave what a program leaves that is killed."""
    keeper.try_to_write()
    keeper.copy.writer._lock.unlock()


def test_unsaved_work_is_found_after_a_crash(session, keep):
    keeper = keep(session)
    modify(session)
    crash(keeper)
    heir = keep(Session(graph()))
    assert heir.look() == []
    (copy,) = heir.offered
    assert copy.path == keeper.path and copy.work.documents == (session.document,)


def test_a_proper_end_leaves_nothing(session, keep, folder):
    keeper = keep(session)
    modify(session)
    assert keeper.try_to_write() and keeper.path.exists()
    keeper.close()
    assert list(folder.iterdir()) == []


def test_what_is_saved_needs_no_copy(session, keep, tmp_path):
    keeper = keep(session)
    modify(session)
    keeper.try_to_write()
    session.mark_saved(tmp_path / "x.cadena")
    keeper.copy.writer.flush()
    assert not keeper.path.exists()


def test_what_is_undone_needs_no_copy(session, keep):
    keeper = keep(session)
    modify(session)
    session.undo()
    keeper.copy.writer.flush()
    assert not keeper.path.exists()


def test_without_changes_nothing_is_written(session, keep, folder):
    keeper = keep(session)
    session.set_time(1.0)
    assert keeper.try_to_write() and not folder.exists() and keeper.look() == keeper.offered == []


def test_a_copy_knows_the_file_that_it_belongs_to_and_what_was_known_of_it(session, keep, tmp_path):
    session.open(graph(), tmp_path / "lesson.cadena")
    keeper = keep(session)
    keeper.seen = lambda: "12ab"
    modify(session)
    keeper.try_to_write()
    found = read(keeper.path)
    assert found.path == tmp_path / "lesson.cadena" and found.seen == "12ab"


def test_what_is_shown_as_unsaved_work_has_a_copy_before_it_is_edited(session, keep):
    keeper = keep(session)
    session.open(graph(5.0), None, modified=True)
    keeper.try_to_write()
    assert read(keeper.path).documents == (graph(5.0),)


@pytest.mark.parametrize("hold_up", ["compile", "run"])
def test_what_an_edit_sets_off_kept_it_from_being_written(session, keep, monkeypatch, hold_up):
    """A graph that takes minutes to run, or ends the process, is kept before it runs."""
    keeper = keep(session)
    kept: list[float] = []

    def look(*anything, **settings):
        keeper.try_to_write()
        kept.append(read(keeper.path).documents[0].nodes["w0"].value)
        raise Refused("it ends here")

    if hold_up == "compile":
        monkeypatch.setattr("cadena.gui.session.shown_document.Program", look)
    else:
        monkeypatch.setattr(session, "_run", look)
    with pytest.raises(Refused):
        session.edit(lambda document: edits.add(edits.set_value(document, "w0", 7.0), "sin", (0.0, 0.0)), "Add")
    assert kept == [7.0]


@pytest.mark.parametrize("state", ["playing", "dragged"])
def test_nothing_was_kept_while_the_graph_played_or_was_dragged(session, keep, state):
    keeper = keep(session)
    session.playback.play()
    for value in (3.0, 4.0, 5.0):  # one undo step, which goes on
        session.edit(lambda document, value=value: edits.set_value(document, "w0", value), "Set w0", merge="drag")
        if state == "playing":
            session.playback.play()
        keeper.try_to_write()
        assert read(keeper.path).documents[0].nodes["w0"].value == value


def test_taking_over_keeps_the_work_until_it_has_a_copy_of_its_own(session, keep):
    keeper = keep(session)
    modify(session)
    crash(keeper)
    other = Session(graph())
    heir = keep(other)
    heir.look()
    (copy,) = heir.offered
    other.open(copy.work.documents[0], copy.work.path, modified=True)
    heir.take_over(copy)
    assert heir.try_to_write()
    assert not keeper.path.exists() and read(heir.path).documents == (session.document,)


def test_what_was_offered_and_not_answered_is_offered_again(session, keep):
    keeper = keep(session)
    modify(session)
    crash(keeper)
    first = keep(Session(graph()))
    first.look()
    assert len(first.offered) == 1
    first.close()
    second = keep(Session(graph()))
    second.look()
    assert len(second.offered) == 1


def test_a_folder_that_cannot_be_written_is_told(session, keep, folder, qtbot):
    folder.write_text("in the way")
    keeper = keep(session)
    with qtbot.waitSignal(keeper.troubled) as told:
        modify(session)
    assert told.args[0].startswith("No recovery copy can be written, so save often: ") and not keeper.try_to_write()


def test_a_closed_program_keeps_nothing_more(session, keep, folder):
    keeper = keep(session)
    keeper.close()
    modify(session)
    keeper.close()
    assert not folder.exists()


def test_a_title_that_looks_like_a_copy_is_a_title(session, keep, tmp_path):
    document = open_lesson("1")
    keeper = keep(session)
    title = f'x\n{{"recovery": 1, "path": "{tmp_path}/victim.cadena", "seen": "", "steps": []}}\n'
    session.open(edits.set_title(document, title), None, modified=True)
    keeper.try_to_write()
    found = read(keeper.path)
    assert found.path is None and found.documents[0].title == title
