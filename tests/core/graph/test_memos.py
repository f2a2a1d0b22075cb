"""Notes on the canvas: added, changed, moved, and kept whatever else a file holds in their list."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cadena.core.graph.fault import Refused
from cadena.core.graph.memos import MAX_LETTERS, Memo, add_memo, memos, move_memo, set_text
from cadena.core.storage import files
from cadena.core.teaching.lessons import open_lesson

LESSON = open_lesson("1")
NOTED = add_memo(add_memo(LESSON, " one ", (1.0, 2.0)), "two", (3.0, 4.0))


def test_notes_are_added_changed_moved_and_taken_away():
    assert memos(NOTED) == {0: Memo("one", (1.0, 2.0)), 1: Memo("two", (3.0, 4.0))}
    assert memos(move_memo(set_text(NOTED, 0, "1"), 0, (5.0, 6.0)))[0] == Memo("1", (5.0, 6.0))
    assert memos(set_text(NOTED, 0, " ")) == {0: Memo("two", (3.0, 4.0))}
    assert set_text(set_text(NOTED, 0, ""), 0, "").extra == LESSON.extra


def test_a_file_keeps_notes(tmp_path):
    files.save(NOTED, tmp_path / "noted.cadena")
    assert memos(files.load(tmp_path / "noted.cadena")) == memos(NOTED)


@pytest.mark.parametrize("stored", [3, {}, "text"])
def test_what_is_no_list_holds_no_notes(stored):
    assert memos(replace(LESSON, extra={**LESSON.extra, "notes": stored})) == {}


@pytest.mark.parametrize(
    "item", [3, {}, {"text": 1, "at": [0, 0]}, {"text": "x"}, {"text": "x", "at": [0]}, {"text": "x", "at": [1e300, 0]}]
)
def test_what_nobody_can_read_stays_in_its_place(item):
    document = replace(LESSON, extra={**LESSON.extra, "notes": [item, {"text": "x", "at": [0, 0]}]})
    assert list(memos(document)) == [1]
    assert set_text(document, 1, "y").extra["notes"][0] == item


@pytest.mark.parametrize("text", ["", " \n", "x" * (MAX_LETTERS + 1)])
def test_a_note_without_text_and_one_that_nobody_reads_are_refused(text):
    with pytest.raises(Refused):
        add_memo(LESSON, text, (0.0, 0.0))
