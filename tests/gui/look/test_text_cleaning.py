"""Text from files in the window: as it is, on its line, and never so long that the window waits for it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLabel, QMenu, QWidget

from cadena.core.graph import edits
from cadena.core.graph.document import Document, Node
from cadena.gui.look.text_cleaning import PlainLabel, menu_text, shown, tip, title
from tests.gui.user import settle
from tests.waiting import until

LONG = 3000
IMAGE = "<img src='x'><b>bold</b>"


def renamed_long(count: int) -> Document:
    """y = sin(x) · x with names of `count` letters, which no field would take."""
    x, s, y = (f"{letter}_{'accumulated_' * count}"[:count] for letter in "xsy")
    nodes = (Node(x, "parameter", value=2.0), Node(s, "sin", inputs=(x,)), Node(y, "multiply", inputs=(s, x)))
    return Document({node.name: node for node in nodes}, output=y, title="t" * count)


def test_long_names_are_shown_with_both_ends():
    assert shown(f"go to {'a' * 50}{'b' * 50}.") == f"go to {'a' * 10}…{'b' * 9}."
    assert shown("w0 times a1 " * 5) == "w0 times a1 " * 5
    assert len(title("a b " * LONG)) == 80
    assert len(shown("a b " * LONG * 10)) == 10_000


def test_a_tooltip_has_more_of_a_long_name():
    assert len(tip("a" * 300)) == 300 and len(tip("a" * LONG)) == 400


def test_markup_in_a_tooltip_is_text():
    assert tip("a < b & c\nd") == "<span>a &lt; b &amp; c<br>d</span>"
    assert tip("plain\ntext") == "plain\ntext"


def test_an_ampersand_in_a_name_marked_a_letter_of_the_menu():
    assert menu_text("a & b.cadena") == "a && b.cadena"


def test_a_label_showed_markup_from_a_file(qtbot):
    label = PlainLabel(IMAGE)
    qtbot.addWidget(label)
    assert label.textFormat() is Qt.TextFormat.PlainText and label.text() == IMAGE


def test_no_label_of_the_window_guesses_whether_its_text_is_html(user):
    user.session.open(edits.set_title(user.session.document, IMAGE), None)
    for chosen in ((), ["c"], ["c", "w0"]):
        user.session.select(chosen)
        settle()
        guessing = [
            label.text()
            for label in user.window.findChildren(QLabel)
            if label.textFormat() is Qt.TextFormat.AutoText
            and label.text()
            and not isinstance(label.window(), QMenu)  # pyqtgraph's own, with fixed words and never shown
        ]
        assert not guessing
        assert not [part for part in user.window.findChildren(QWidget) if IMAGE in part.toolTip()]


def labels_and_choices(window: QWidget) -> list[str]:
    boxes = window.findChildren(QComboBox)
    return [
        *(label.text() for label in window.findChildren(QLabel)),
        *(box.itemText(index) for box in boxes for index in range(box.count())),
        window.windowTitle(),
    ]


@pytest.mark.parametrize("count", [100, LONG])
def test_no_text_in_the_window_is_as_long_as_a_long_name(user, count):
    user.session.open(renamed_long(count), None)
    names = list(user.session.document.nodes)
    for chosen in ((), *([name] for name in names), names):
        user.session.select(chosen)
        for time in (0.5, 1.5, 3.5):
            user.session.set_time(time)
            settle()
            assert not [text for text in labels_and_choices(user.window) if any(name in text for name in names)]


def test_a_node_with_a_shortened_name_is_chosen_by_its_whole_name(user):
    user.session.open(renamed_long(LONG), None)
    settle()
    chooser, other = user.window.inspector.graph.output, list(user.session.document.nodes)[1]
    until(lambda: chooser.findData(other) > 0, "the inspector shows another graph", settle)
    chooser.activated.emit(chooser.findData(other))
    assert user.session.document.output == other


def test_a_name_that_is_typed_has_at_most_64_letters(user):
    user.rename("c", "c" * 65)
    assert "c" in user.session.document.nodes
    assert "at most 64 characters, and this one has 65" in user.canvas.fields.editor.problem.text()
    user.press("Esc")


def test_a_title_that_is_typed_has_at_most_200_letters(user):
    user.session.select(())
    settle()
    page = user.window.inspector.graph
    before = user.session.document
    page.title.setFocus()
    page.title.selectAll()
    user.type("t" * 201)
    assert user.session.document is before
    assert page.refusal.text.startswith("Titles have at most 200 characters")
