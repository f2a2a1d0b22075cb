"""The whole text of a lesson."""

from __future__ import annotations

from cadena.core.graph.document import Document, Node
from cadena.gui.look.theme import LIGHT
from cadena.gui.panels.lessons.lesson_text import LessonText
from cadena.gui.session.session import Session


def test_the_lessons_text_is_shown(qtbot):
    session = Session(Document({}))
    page = LessonText(session, LIGHT)
    qtbot.addWidget(page)
    lesson = {"summary": "What it is.", "text": {"idea": "a < b", "try": "Do it."}}
    session.open(Document({"x": Node("x", "parameter", value=1.0)}, extra={"lesson": lesson}), None)
    assert "What it is." in page.text.text() and "<b>Idea.</b> a &lt; b" in page.text.text()
