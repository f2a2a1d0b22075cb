"""Bookmarks of views are kept in the file, and nothing in a file breaks them."""

from __future__ import annotations

import pytest

from cadena.core.graph.bookmarks import KEY, Bookmark, bookmarks, with_bookmarks
from cadena.core.graph.document import Document
from cadena.core.storage.files import load, save
from cadena.core.teaching.lessons import open_lesson

MARKS = (Bookmark("w0", 1.0, -2.5, 0.8), Bookmark("L", 300.0, 40.0, 2.0))


def test_a_file_keeps_them(tmp_path):
    document = with_bookmarks(open_lesson("1"), MARKS)
    save(document, tmp_path / "marked.cadena")
    assert bookmarks(load(tmp_path / "marked.cadena")) == MARKS


def test_without_any_the_document_is_as_before():
    document = open_lesson("1")
    assert with_bookmarks(with_bookmarks(document, MARKS), ()) == document and bookmarks(document) == ()


@pytest.mark.parametrize(
    "stored",
    [None, 3, "w0", {"name": "a"}, [1], [{"name": 1}], [{"name": "a", "x": "0", "y": 0, "zoom": 1}],
     [{"name": "a", "x": 0, "y": float("nan"), "zoom": 1}], [{"name": "a", "x": 0, "y": 0, "zoom": 0}]],
)  # fmt: skip
def test_what_is_no_bookmark_is_passed_over(stored):
    assert bookmarks(Document({}, extra={KEY: stored})) == ()
