"""The answers of a class as spreadsheets and Moodle export them: CSV with a row for each student.

A column named student or name, or Moodle's pair of first and last name, says whose row it is; one named by a number (1,
Q1, Question 1, Response 1, Antwort 1) has the answers to that question. All other columns are passed over.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cadena.core.graph.fault import Refused

WHOLE_NAME = frozenset(("student", "name", "full name", "vollständiger name"))
FIRST_NAME, LAST_NAME = frozenset(("first name", "vorname")), frozenset(("last name", "surname", "nachname"))
NUMBERED = re.compile(r"(?:[^\W\d_]+\.?\s*)?(\d{1,4})\.?")
DELIMITERS = (",", ";", "\t")


class StudentAnswers(NamedTuple):
    """The answers of one student, in the order of the questions, and the line of the file that has them."""

    line: int
    student: str
    answers: tuple[str, ...]


@dataclass(frozen=True)
class AnswerTable:
    """What a file holds. Where `delimiter` is a semicolon, commas are decimal, as in spreadsheets of such countries."""

    delimiter: str
    rows: tuple[StudentAnswers, ...]


def answer_table(text: str, questions: int) -> AnswerTable:
    """Read a table of the answers to so many questions. Raises Refused where a column is missing, or there twice."""
    text = text.lstrip("\ufeff")
    head = text.partition("\n")[0]
    delimiter = max(DELIMITERS, key=head.count)
    reader = csv.reader(text.splitlines(keepends=True), delimiter=delimiter)
    rows = list[tuple[int, list[str]]]()
    try:
        begin = 1
        for row in reader:
            rows.append((begin, [cell.strip() for cell in row]))
            begin = reader.line_num + 1  # a cell may hold line breaks
    except csv.Error as error:
        raise Refused("line {line}: this is no CSV ({reason})", "export it again", line=begin, reason=error) from None
    heads = rows[0][1] if rows else []
    names, columns = _names(heads), _columns(heads, questions)
    read = [
        StudentAnswers(line, " ".join(filter(None, (_cell(row, place) for place in names))),
                  tuple(_cell(row, columns[number]) for number in range(1, questions + 1)))
        for line, row in rows[1:] if any(row)
    ]  # fmt: skip
    if not read:
        raise Refused("there are no answers", "export a row for each student")
    return AnswerTable(delimiter, tuple(read))


def _cell(row: Sequence[str], place: int) -> str:
    return row[place] if place < len(row) else ""


def _names(heads: Sequence[str]) -> tuple[int, ...]:
    """The columns that make up the name."""
    folded = [head.casefold() for head in heads]
    for parts in ((WHOLE_NAME,), (FIRST_NAME, LAST_NAME)):
        places = [next((place for place, head in enumerate(folded) if head in part), None) for part in parts]
        if None not in places:
            return tuple(place for place in places if place is not None)
    raise Refused("line 1: no column says whose answers these are", "name one student")


def _columns(heads: Sequence[str], questions: int) -> Mapping[int, int]:
    """For each question its column."""
    columns = dict[int, int]()
    for place, head in enumerate(heads):
        if (match := NUMBERED.fullmatch(head)) is None:
            continue
        if (number := int(match[1])) in columns:
            what = "line 1: the columns {first} and {second} are both of question {number}"
            raise Refused(what, "keep that of the answers", first=heads[columns[number]], second=head, number=number)
        columns[number] = place
    if missing := next((number for number in range(1, questions + 1) if number not in columns), None):
        what = "line 1: there is no column for question {number} of {count}"
        raise Refused(what, "name it {number}, or Response {number}", number=missing, count=questions)
    if (largest := max(columns)) > questions:
        what = "line 1: the column {head} has no question, as the sheet has {count}"
        raise Refused(
            what, "remove it, or choose the sheet of these answers", head=heads[columns[largest]], count=questions
        )
    return columns
