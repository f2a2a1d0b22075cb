"""Handouts: the graph, a table of all steps, blanks that give nothing away, and a key of the answers at the end."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from cadena.core.front import compile
from cadena.core.graph.fault import Refused
from cadena.core.methods.choosing import timeline_of
from cadena.core.methods.names import METHODS, Method
from cadena.core.methods.reverse.step_parts import step_parts
from cadena.core.teaching.lessons import lessons, open_lesson
from cadena.gui.export import handout
from cadena.gui.export.handout import BLANK, LONG_BLANK, blanked, handout_of
from tests.gui.export.test_pdf import pages

pytestmark = pytest.mark.usefixtures("qapp")


def written(parts) -> str:
    return " ".join(f"{part.mark} {part.latex}".strip() for part in parts)


def test_a_blank_formula_has_its_symbols_and_none_of_its_numbers():
    timeline = compile(open_lesson("1")).run().timeline
    assert written(blanked(step_parts(timeline, 0))) == rf"m_{{1}} = w_{{0}} \cdot a_{{1}} = {LONG_BLANK} = {BLANK}"
    assert written(blanked(step_parts(timeline, 8))) == rf"\frac{{\partial L}}{{\partial L}} = {BLANK}"
    last = written(blanked(step_parts(timeline, 20)))
    assert last.endswith(rf"\frac{{\partial m_{{1}}}}{{\partial w_{{0}}}} = {LONG_BLANK} = {BLANK}")
    assert "28" not in last and "-7" not in last


def test_a_blank_sum_gave_its_summands_away():
    timeline = compile(open_lesson("two_paths")).run().timeline
    parts = written(blanked(step_parts(timeline, len(timeline) - 1)))
    assert not {"27", "14", "41"} & set(re.findall(r"\d+", parts))
    assert parts.count(BLANK) == 2 and parts.count(LONG_BLANK) == 2


def test_no_blank_of_a_lesson_shows_a_number_of_the_run():
    """What is painted as a gradient or a value is a number of the run, unless it is a ratio or a name."""
    for lesson in lessons():
        timeline = compile(open_lesson(lesson.name)).run().timeline
        for index in range(len(timeline)):
            kept = written(blanked(step_parts(timeline, index, mark_numbers)))
            assert "<" not in kept, (lesson.name, index, kept)


def mark_numbers(role: str, latex: str) -> str:
    return f"<{latex}>" if re.match(r"-?\d", latex) else latex


def test_with_blanks_the_answers_follow_on_pages_of_their_own():
    timeline = compile(open_lesson("1")).run().timeline
    plain, exercise = handout_of(timeline, "Lesson 1"), handout_of(timeline, "Lesson 1", blanks=True)
    assert plain.startswith(b"%PDF") and pages(plain) == 2 and pages(exercise) == 4


@pytest.mark.parametrize(("paper", "box"), [("A4", (595, 842)), ("Letter", (612, 792))])
def test_the_paper_is_the_one_asked_for(paper, box):
    content = handout_of(compile(open_lesson("3")).run().timeline, "Lesson 3", paper=paper)
    width, height = re.search(rb"/MediaBox \[\s*0 0 ([\d.]+) ([\d.]+)", content).groups()
    assert (float(width), float(height)) == pytest.approx(box, abs=1)


@pytest.mark.some(2)
@pytest.mark.parametrize("method", METHODS)
def test_every_method_has_a_handout(method):
    timeline = timeline_of(compile(open_lesson("custom_layer")).run(), Method(method), whole=True)
    assert pages(handout_of(timeline, "Lesson 5", blanks=True)) >= 2


def test_more_steps_than_anyone_reads_are_refused(monkeypatch):
    monkeypatch.setattr(handout, "MAX_STEPS", 20)
    with pytest.raises(Refused, match="a handout of 21 steps would be a book, and 20 is the most; choose an output"):
        handout_of(compile(open_lesson("1")).run().timeline, "Lesson 1")


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext is not installed (poppler-utils)")
def test_the_exercise_has_no_answer_and_the_key_has_them(tmp_path):
    """As text: the formulas are drawn, the numbers on the cards are letters."""
    (tmp_path / "x.pdf").write_bytes(handout_of(compile(open_lesson("1")).run().timeline, "Lesson 1", blanks=True))
    text = subprocess.run(["pdftotext", tmp_path / "x.pdf", "-"], capture_output=True, text=True, check=True).stdout
    exercise, _, key = text.partition("Lesson 1: answers")
    assert "−254" not in exercise and "−28" not in exercise and "Reverse pass, step 21 of 21" in exercise
    assert "−254" in key and "−28" in key
