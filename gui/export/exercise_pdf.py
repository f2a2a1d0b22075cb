"""Exercise sheets as PDF, laid out as handouts are: the graph, the given numbers, and a row for each question."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from PySide6.QtCore import QByteArray, QRectF

from cadena.core.front import compile
from cadena.core.notation.parts import QUAD, FormulaPart, parts_of
from cadena.core.storage.files import write
from cadena.core.teaching.exercise_sheet import ExerciseSheet
from cadena.gui.export.handout import (
    LONG_BLANK,
    HandoutPage,
    HandoutRow,
    graph_of,
    inner_of,
    laid_out,
    pages_of,
    painted_pages,
)
from cadena.gui.export.sheet import application
from cadena.gui.formulas.typesetter import setting_what_is_painted

QUESTION = "Question {number}"


def writing(sheets: Iterable[ExerciseSheet], title: str, paper: str, out: Path) -> Iterator[int]:
    """Write the sheets, each from a page of its own on; yields how much is done: each is laid out, then painted.

    Raises Refused where it cannot be saved.
    """
    application()
    inner, pages, data, done = inner_of(paper), list[HandoutPage](), QByteArray(), 0
    for sheet in sheets:
        pages += _pages(sheet, title, inner)
        done += 1
        yield done
    for page in painted_pages(pages, title, paper, data):
        done += page.graph is not None
        yield done
    write(bytes(data.data()), out)


def _pages(sheet: ExerciseSheet, title: str, inner: QRectF) -> list[HandoutPage]:
    graph = graph_of(compile(sheet.document).run().timeline, inner, blanks=True)
    with setting_what_is_painted():
        return list(pages_of(title, graph, list(_rows(sheet, inner.width())), inner, sheet.student))


def _rows(sheet: ExerciseSheet, wide: float) -> Iterator[HandoutRow]:
    """The single numbers side by side, each matrix by itself, then the questions."""
    single = [FormulaPart(item.latex, QUAD) for item in sheet.leaf_formulas if not item.is_array]
    if single:
        yield laid_out("Given", "", [single[0]._replace(mark=""), *single[1:]], wide)
    for item in sheet.leaf_formulas:
        if item.is_array:
            yield laid_out("Given", "", parts_of(item.latex), wide)
    for number, question in enumerate(sheet.questions, start=1):
        blank = parts_of(f"{question.latex} = {LONG_BLANK}")
        yield laid_out(QUESTION.format(number=number), question.subject, blank, wide)
