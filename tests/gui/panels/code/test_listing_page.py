"""The graph as code in the real window: every language, edits, lines and nodes."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from cadena.core.graph.document import Document
from cadena.core.languages.export import export
from cadena.core.languages.record import LANGUAGES
from cadena.gui.panels.code.code_panel import CodePanel
from tests.gui.user import settle
from tests.waiting import until


def show_as(panel: CodePanel, language: str) -> None:
    """Turn to the page of the graph as code, and choose a language."""
    QTest.mouseClick(panel.as_code, Qt.MouseButton.LeftButton)
    panel.language.setCurrentIndex(panel.language.findData(language))
    panel.language.activated.emit(panel.language.currentIndex())
    until(lambda: panel.listing.text and panel.listing._work is None, "no code comes", settle)


@pytest.mark.some(3)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_graph_is_shown_as_code_in_every_language(user, panel, language):
    show_as(panel, language)
    assert panel.listing.text == export(user.session.document, language).text
    assert panel.listing.editor.toPlainText() == panel.listing.text
    QTest.mouseClick(panel.act, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == panel.listing.text


def test_the_graph_as_code_follows_an_edit(user, panel):
    show_as(panel, "torch")
    before = panel.listing.editor.toPlainText()
    assert "w0 = torch.tensor(2.0" in before
    user.set_value("w0", "2.125")
    until(lambda: panel.listing.editor.toPlainText() != before, "the code is the old one", settle)
    assert panel.listing.editor.toPlainText() == before.replace("w0 = torch.tensor(2.0", "w0 = torch.tensor(2.125")
    user.session.undo()
    until(lambda: panel.listing.editor.toPlainText() == before, "the undone edit stays in the code", settle)
    assert panel.listing.text == before


PROGRAMS = ("numpy", "torch", "jax", "tensorflow", "eigen")


def line_with(panel: CodePanel, text: str) -> int:
    """The first line of the listing that begins with a text, from 1."""
    lines = panel.listing.text.splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.strip().startswith(text))


@pytest.mark.parametrize("language", PROGRAMS)
def test_lines_of_a_program_and_nodes_mark_each_other(user, panel, language, monkeypatch):
    show_as(panel, language)
    editor, word = panel.listing.editor, "const T " if language == "eigen" else ""
    line = line_with(panel, f"{word}m3 = ")
    editor.go_to(line)
    QTest.mouseClick(editor.viewport(), Qt.MouseButton.LeftButton, pos=editor.cursorRect().center())
    settle()
    assert user.session.selection == {"m3"} and editor.marks.chosen == {line}
    user.click(user.name_of("w0"))
    assert editor.marks.chosen == {line_with(panel, f"{word}w0 = ")}
    monkeypatch.setattr(user.session.telling, "is_shown", False)  # its open questions hold the steps
    user.session.set_time(0.5)
    assert editor.marks.now == (line_with(panel, f"{word}m1 = "), "value")
    user.session.set_time(len(user.session.timeline) - 0.5)
    assert editor.marks.now == (line_with(panel, f"{word}m1 = "), "gradient")


def test_texts_that_are_no_programs_mark_no_lines(user, panel):
    show_as(panel, "torch")
    user.click(user.name_of("w0"))
    assert panel.listing.editor.marks.chosen
    show_as(panel, "markdown")
    user.click(user.name_of("m1"))
    assert panel.listing.editor.marks.chosen == frozenset()


def test_code_of_a_graph_without_an_output_says_what_is_missing(user, panel):
    QTest.mouseClick(panel.as_code, Qt.MouseButton.LeftButton)
    user.session.open(Document({}), None)
    until(lambda: bool(panel.listing.sentence.text), "nothing is said", settle)
    assert panel.listing.sentence.text.startswith("the graph has no output; choose the node")
    assert panel.listing.editor.toPlainText() == ""
