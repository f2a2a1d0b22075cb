"""The page of exercise sheets: printable, safe against what names hold, and without a single answer in it."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from dataclasses import replace
from hashlib import sha256

import pytest

from cadena.core.html_page.exercise_page import exercise_page, writing
from cadena.core.teaching.exercise_sheet import asked_of, sheet_for
from cadena.core.teaching.lessons import open_lesson
from cadena.core.text.numbers import short
from tests.chromium import BINARY, chromium

TWO_PATHS = open_lesson("two_paths")
HOSTILE = "<script>alert(1)</script>\"'&"


def sheets(*students, document=TWO_PATHS):
    return [sheet_for(document, student, asked_of(document)) for student in students]


def shown_numbers(page):
    """The numbers between the tags of the page."""
    body = page.partition("<body>")[2]
    return set(re.findall(r"[−-]?\d+(?:\.\d+)?", re.sub(r"<[^>]*>", " ", body).replace("−", "-")))


def test_no_answer_is_in_the_page():
    """The numbers on it are those that are given, the names of nodes, and the numbers of the questions."""
    (sheet,) = sheets("Anna Müller")
    page = exercise_page([sheet], "Two paths")
    run, leaves = sheet.run, [name for name, node in sheet.document.nodes.items() if node.is_leaf]
    given = {short(run.value(name)).replace("−", "-") for name in leaves}
    assert given <= shown_numbers(page) <= given | {str(number) for number in range(9)}
    answers = {short(question.expected).replace("−", "-") for question in sheet.questions} - given
    assert {"50", "25"} <= answers and not answers & shown_numbers(page)
    assert "<script" not in page and 'cadena"' not in page


def test_each_student_has_a_section_with_a_field_for_each_question():
    page = exercise_page(sheets("Anna", "Ben"), "Two paths")
    assert page.count("<section>") == 2 and page.count("<input") == 14 and page.count("<svg") == 2
    assert 'aria-label="Question 7: ∂L/∂a1"' in page


def test_matrices_are_written_out_however_large():
    page = exercise_page(sheets("Anna", document=open_lesson("learning_xor")), "XOR")
    assert page.count("<mtd") >= 4 * 2 + 2 * 4 + 4 + 4 + 1 + 4


def test_names_and_titles_are_texts_and_the_policy_allows_the_style_alone():
    document = replace(TWO_PATHS, title=HOSTILE)
    page = exercise_page(sheets(HOSTILE, document=document), HOSTILE)
    assert "<script" not in page and page.count("&lt;script&gt;") == 3
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)[1]
    digest = b64encode(sha256(style.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'sha256-{digest}'" in page


@pytest.mark.skipif(BINARY is None, reason="no Chromium")
def test_a_browser_shows_it_without_a_request_and_prints_a_page_for_each_student(tmp_path):
    assert list(writing(sheets("Anna Müller", "Ben Okafor"), "Two paths", tmp_path / "x.html")) == [1, 2]
    with chromium(tmp_path / "profile") as browser:
        browser.open(tmp_path / "x.html", (1000, 1400))
        assert browser.errors() == [] and len(browser.requests()) == 1
        browser.click(".questions li:nth-child(2) input")
        browser.type("-28")
        assert browser.run("document.querySelectorAll('input')[1].value") == "-28"
        width = browser.run("document.documentElement.scrollWidth")
        assert width <= 1000 and browser.text("section:nth-of-type(2) .student") == "Ben Okafor"
        printed = b64decode(browser.call("Page.printToPDF", printBackground=True)["data"])
    assert len(re.findall(rb"/Type /Page\b", printed)) == 2
