"""The editor of code: indentation, comments, completion, finding, colours and line numbers."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt, QThread
from PySide6.QtWidgets import QApplication

from cadena.gui.look.theme import DARK, LIGHT, PROJECTOR
from cadena.gui.panels.code import colors
from cadena.gui.panels.code.colors import lexer, spans
from cadena.gui.panels.code.editor import CodeEditor
from cadena.gui.panels.code.find_bar import FindRow
from tests.gui.user import settle
from tests.waiting import until

CONTROL, SHIFT, NONE = (
    Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.NoModifier,
)  # fmt: skip


@pytest.fixture
def editor(show) -> CodeEditor:
    made = show(CodeEditor(LIGHT, lambda owner: ("torch.sin", "torch.sinh") if owner == "torch" else ("w0",)), 500, 300)
    made.setFocus()
    return made


def test_return_keeps_the_indentation_and_goes_deeper_after_a_colon(editor, qtbot):
    qtbot.keyClicks(editor, "for i in x:")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.keyClicks(editor, "a")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.keyClick(editor, Qt.Key.Key_Backspace)
    qtbot.keyClicks(editor, "b")
    assert editor.toPlainText() == "for i in x:\n    a\nb"


def test_tab_indents_and_backtab_takes_back(editor, qtbot):
    editor.setPlainText("a\nb")
    editor.selectAll()
    qtbot.keyClick(editor, Qt.Key.Key_Tab)
    assert editor.toPlainText() == "    a\n    b"
    editor.selectAll()
    qtbot.keyClick(editor, Qt.Key.Key_Backtab, SHIFT)
    assert editor.toPlainText() == "a\nb"
    editor.undo()
    assert editor.toPlainText() == "    a\n    b"


def test_ctrl_slash_comments_out_and_in(editor, qtbot):
    editor.setPlainText("a\n\n    b")
    editor.selectAll()
    qtbot.keyClick(editor, Qt.Key.Key_Slash, CONTROL)
    assert editor.toPlainText() == "# a\n\n    # b"
    editor.selectAll()
    qtbot.keyClick(editor, Qt.Key.Key_Slash, CONTROL)
    assert editor.toPlainText() == "a\n\n    b"


def test_names_are_offered_and_taken_by_return(editor, qtbot):
    qtbot.keyClicks(editor, "torch.sinh")
    qtbot.keyClick(editor, Qt.Key.Key_Escape)
    qtbot.keyClicks(editor, " + torch.si")
    assert editor.completion.is_open
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert editor.toPlainText() == "torch.sinh + torch.sin" and not editor.completion.is_open


def test_names_of_the_text_and_of_the_graph_are_offered(editor, qtbot):
    editor.setPlainText("weight = 1\n")
    editor.moveCursor(editor.textCursor().MoveOperation.End)
    qtbot.keyClicks(editor, "w")
    qtbot.keyClick(editor, Qt.Key.Key_Space, CONTROL)
    model = editor.completion.completionModel()
    assert [model.index(row, 0).data() for row in range(model.rowCount())] == ["w0", "weight", "while", "with"]


def test_find_goes_round(editor, qtbot, show):
    editor.setPlainText("one two\ntwo one")
    row = show(FindRow(editor))
    row.open()
    qtbot.keyClicks(row.field, "one")
    assert row.count.text() == "2" and editor.textCursor().selectionStart() == 0
    qtbot.keyClick(row.field, Qt.Key.Key_Return)
    assert editor.textCursor().selectionStart() == 12
    qtbot.keyClick(row.field, Qt.Key.Key_Return)
    assert editor.textCursor().selectionStart() == 0
    qtbot.keyClick(row.field, Qt.Key.Key_Return, SHIFT)
    assert editor.textCursor().selectionStart() == 12


def test_a_text_from_outside_keeps_the_cursors_line_and_is_undone_elsewhere(editor, qtbot):
    editor.setPlainText("a\nb\nc")
    editor.go_to(2)
    editor.show_text("a\nbb\nc")
    assert editor.textCursor().blockNumber() == 1
    with qtbot.waitSignal(editor.undoAsked):
        qtbot.keyClick(editor, Qt.Key.Key_Z, CONTROL)
    with qtbot.waitSignal(editor.redoAsked):
        qtbot.keyClick(editor, Qt.Key.Key_Z, CONTROL | SHIFT)
    assert editor.toPlainText() == "a\nbb\nc"


def test_a_string_over_several_lines_is_coloured_as_one():
    found = spans('x = """a\nimport b\n"""\nimport c', lexer("python"))
    assert found[1] == [(0, 8, "heat_high")] and found[3] == [(0, 6, "heat_low")]


@pytest.mark.parametrize("language", ["python", "cpp", "tex", "markdown", "graphviz", "xml"])
def test_every_language_has_a_lexer_that_keeps_the_lines(language):
    text = "a = 1\n\n  b\n"
    assert len(spans(text, lexer(language))) == len(text.split("\n"))


@pytest.mark.parametrize("theme", [LIGHT, DARK, PROJECTOR], ids=lambda theme: theme.name)
def test_a_number_has_the_colour_of_values_in_every_theme(show, theme):
    editor = show(CodeEditor(theme), 300, 100)
    editor.colors.set_language("python")
    editor.show_text("x = 12")
    formats = editor.document().firstBlock().layout().formats()
    assert [f.format.foreground().color().name() for f in formats] == [theme.value]


def test_the_numbers_have_room_for_the_last_line(editor):
    before = editor.numbers.room()
    editor.setPlainText("\n" * 1200)
    assert editor.numbers.room() > before


LONG = "".join(f"y = y + {number} * w\n" for number in range(2000))


def roles_at(editor: CodeEditor, line: int) -> set[str]:
    """The colours in a line, from 1."""
    block = editor.document().findBlockByNumber(line - 1)
    return {part.format.foreground().color().name() for part in block.layout().formats()}


def test_ten_thousand_lines_are_read_in_a_thread(editor, monkeypatch):
    """The window stood still for seconds after they were pasted."""
    editor.colors.set_language("python")
    read: list[QThread] = []
    monkeypatch.setattr(colors, "spans", lambda *given: read.append(QThread.currentThread()) or spans(*given))
    editor.setPlainText(LONG)
    editor.colors.rehighlight()
    until(lambda: roles_at(editor, 1999) == {LIGHT.value.lower()}, "it stays without colours", settle)
    here = [thread for thread in read if thread == QApplication.instance().thread()]
    assert len(here) <= colors.MAX_SINGLY and len(read) == len(here) + 1


def test_a_long_text_that_is_edited_while_it_is_read_has_the_colours_of_the_last(editor):
    editor.colors.set_language("python")
    editor.setPlainText(LONG)
    editor.colors.rehighlight()
    editor.setPlainText('"""\n' + LONG)
    editor.colors.rehighlight()
    until(lambda: roles_at(editor, 1999) == {LIGHT.heat_high.lower()}, "it stays without colours", settle)
    editor.setPlainText("x = 1")
    editor.colors.rehighlight()
    assert roles_at(editor, 1) == {LIGHT.value.lower()}
