"""PDFs: one page a step, of one size, with text that can be searched."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from cadena.core.front import compile
from cadena.core.graph.fault import Refused
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.export import pdf, picture
from cadena.gui.export.pdf import pdf_of, step_pages
from cadena.gui.look.theme import LIGHT

pytestmark = pytest.mark.usefixtures("qapp")


def pages(content: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", content))


def test_a_pdf_has_a_page_for_each_step():
    timeline = compile(open_lesson("1")).run().timeline
    content = pdf_of(step_pages(timeline, 0, len(timeline), None, LIGHT))
    assert content.startswith(b"%PDF") and pages(content) == len(timeline)
    assert len(set(re.findall(rb"/MediaBox \[([^\]]*)\]", content))) == 1


def test_a_single_step_is_a_single_page_of_its_size(tmp_path):
    timeline = compile(open_lesson("1")).run().timeline
    picture.render(timeline, tmp_path / "x.pdf", 13, (1600, 900))
    content = (tmp_path / "x.pdf").read_bytes()
    assert pages(content) == 1 and re.search(rb"/MediaBox \[0 0 1200[. 0]* 675", content)


def test_a_document_without_steps_is_a_page():
    timeline = compile(open_lesson("1").__class__({})).run().timeline
    assert pages(pdf_of(step_pages(timeline, 0, 0, None, LIGHT))) == 1


def test_more_pages_than_anyone_turns_are_refused(monkeypatch):
    monkeypatch.setattr(pdf, "MAX_PAGES", 20)
    timeline = compile(open_lesson("1")).run().timeline
    with pytest.raises(Refused, match="one page a step makes 21 pages, and 20 is the most; choose a part"):
        step_pages(timeline, 0, 21, None, LIGHT)


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext is not installed (poppler-utils)")
def test_the_words_and_the_numbers_of_a_page_can_be_searched(tmp_path):
    timeline = compile(open_lesson("1")).run().timeline
    (tmp_path / "x.pdf").write_bytes(pdf_of(step_pages(timeline, 20, 21, None, LIGHT)))
    text = subprocess.run(["pdftotext", tmp_path / "x.pdf", "-"], capture_output=True, text=True, check=True).stdout
    assert "Reverse pass, step 21 of 21" in text and "w0 receives −28 from m1: −7 · 4." in text
