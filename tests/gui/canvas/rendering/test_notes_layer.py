"""Notes in pictures."""

from __future__ import annotations

import pytest

from cadena.core.front import compile
from cadena.core.graph.memos import add_memo
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.export.picture import render

pytestmark = pytest.mark.usefixtures("qapp")


def test_an_exported_picture_has_the_note(tmp_path):
    plain, noted = tmp_path / "plain.svg", tmp_path / "noted.svg"
    lesson = open_lesson("1")
    for document, path in ((lesson, plain), (add_memo(lesson, r"$\frac{a}{b}$ here", (0.0, -100.0)), noted)):
        render(compile(document).run().timeline, path)
    assert noted.read_bytes() != plain.read_bytes()
