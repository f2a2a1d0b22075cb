"""Exercise sheets as PDF: each student's pages by themselves, with what is given and without any answer."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from cadena.core.teaching.exercise_sheet import asked_of, sheet_for
from cadena.core.teaching.lessons import open_lesson
from cadena.core.text.numbers import short
from cadena.gui.export.exercise_pdf import writing
from tests.gui.export.test_pdf import pages

pytestmark = pytest.mark.usefixtures("qapp")


def sheets(lesson, *students):
    document = open_lesson(lesson)
    return [sheet_for(document, student, asked_of(document)) for student in students]


def text_of(path):
    return subprocess.run(["pdftotext", "-layout", path, "-"], capture_output=True, text=True, check=True).stdout


def test_each_student_has_pages_of_their_own(tmp_path):
    two, one = tmp_path / "two.pdf", tmp_path / "one.pdf"
    assert list(writing(sheets("two_paths", "Anna", "Ben"), "Two paths", "A4", two)) == [1, 2, 3, 4]
    assert pages(two.read_bytes()) == 2
    list(writing(sheets("learning_xor", "Anna"), "XOR", "Letter", one))
    assert pages(one.read_bytes()) == 2  # 14 questions below the graph


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext is not installed (poppler-utils)")
def test_a_sheet_has_its_numbers_and_no_answer(tmp_path):
    """As text: the formulas are drawn, the numbers on the cards and the words are letters."""
    made = sheets("two_paths", "Anna Müller", "Ben Okafor")
    list(writing(made, "Two paths", "A4", tmp_path / "x.pdf"))
    first, second = text_of(tmp_path / "x.pdf").split("\f")[:2]
    assert "Anna Müller" in first and "Ben Okafor" in second and "1/1" in first and "1/1" in second
    assert all(f"Question {number}" in first for number in range(1, 8)) and "∂L/∂a1" in first
    words, numbers = set(first.split()), [short(value) for value in made[0].run.value("w0").ravel()]
    assert set(numbers) <= words and "−5" in words
    answers = {short(question.expected) for question in made[0].questions} - {"15"}
    assert answers and not answers & words


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext is not installed (poppler-utils)")
def test_every_page_of_a_long_sheet_has_its_name_and_is_numbered_for_itself(tmp_path):
    list(writing(sheets("learning_xor", "Anna", "Ben"), "XOR", "A4", tmp_path / "x.pdf"))
    texts = text_of(tmp_path / "x.pdf").split("\f")[:4]
    assert [("Anna" in text, "Ben" in text) for text in texts] == [(True, False)] * 2 + [(False, True)] * 2
    assert [text.split()[-1] for text in texts] == ["1/2", "2/2"] * 2
