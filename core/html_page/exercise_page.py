"""Exercise sheets as one page of HTML, which is filled in on a screen or printed. It holds no answer and no program."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path

from cadena.core.html_page.mathml import mathml
from cadena.core.html_page.notebook_picture import svg
from cadena.core.html_page.page import digest, resource
from cadena.core.storage.files import write
from cadena.core.teaching.exercise_sheet import ExerciseSheet
from cadena.core.text.plain_text import cleaned

PAGE = (
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{hash}'\">\n"
    '<meta name="generator" content="Cadena">\n<title>{title}</title>\n<style>{style}</style>\n</head>\n'
    "<body>\n<main>\n{sheets}\n</main>\n</body>\n</html>\n"
)
SHEET = (
    '<section>\n<h1>{title}</h1>\n<p class="student">{student}</p>\n{picture}\n<h2>Given</h2>\n'
    '<ul class="given">{given}</ul>\n<h2>Questions</h2>\n<ol class="questions">{questions}</ol>\n</section>'
)
QUESTION = (
    '<li><span class="number">{number}</span>{formula}<input type="text" aria-label="Question {number}: {subject}" '
    'autocomplete="off" spellcheck="false"></li>'
)


def writing(sheets: Iterable[ExerciseSheet], title: str, out: Path) -> Iterator[int]:
    """Write the page; yields how many sheets are done. Raises Refused where it cannot be saved."""
    done = list[ExerciseSheet]()
    for sheet in sheets:
        done.append(sheet)
        yield len(done)
    write(exercise_page(done, title).encode(), out)


def exercise_page(sheets: Sequence[ExerciseSheet], title: str) -> str:
    """The sheets below each other, each a page when printed."""
    style, heading = resource("exercise.css"), escape(cleaned(title))
    sections = "\n".join(_section(sheet, heading) for sheet in sheets)
    return PAGE.format(hash=digest(style), title=heading, style=style, sheets=sections)


def _section(sheet: ExerciseSheet, heading: str) -> str:
    formulas = "".join(f"<li>{mathml(item.latex)}</li>" for item in sheet.leaf_formulas)
    questions = "".join(
        QUESTION.format(number=number, formula=mathml(f"{question.latex} ="), subject=escape(cleaned(question.subject)))
        for number, question in enumerate(sheet.questions, start=1)
    )
    picture, student = svg(sheet.document, results=False), escape(cleaned(sheet.student))
    return SHEET.format(title=heading, student=student, picture=picture, given=formulas, questions=questions)
