"""The answers of a class to an exercise sheet, judged as predictions are, with the mistakes that were made."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from cadena.core.graph.document import Document
from cadena.core.graph.fault import Refused
from cadena.core.teaching.answer_table import AnswerTable
from cadena.core.teaching.answers import is_right, mistake_of, read_answer
from cadena.core.teaching.class_list import key_of, known_as
from cadena.core.teaching.exercise_sheet import AskedNodes, ExerciseSheet, SheetQuestion, sheet_for
from cadena.core.teaching.score import Attempt, named

UNREADABLE = "no number"


@dataclass(frozen=True)
class GradedStudent:
    """The questions of a student's sheet, and the answer to each; one that was left out is ""."""

    student: str
    questions: tuple[SheetQuestion, ...]
    attempts: tuple[Attempt, ...]

    @property
    def score(self) -> int:
        """How many answers are right."""
        return sum(attempt.right for attempt in self.attempts)

    @property
    def mistakes(self) -> Counter[str]:
        return Counter(name for attempt in self.attempts for name in attempt.mistakes)


@dataclass(frozen=True)
class Grades:
    """The students in the order of the table, then those of the class who are not in it; and what could not be read."""

    students: tuple[GradedStudent, ...]
    problems: tuple[Refused, ...]

    @property
    def mistakes(self) -> Counter[str]:
        """How often each typical mistake was made."""
        return sum((one.mistakes for one in self.students), Counter[str]())


def grade(document: Document, asked: AskedNodes, table: AnswerTable, students: tuple[str, ...] = ()) -> Grades:
    """Judge each row by the numbers of its student. Without a list of `students`, any name is one.

    A row that belongs to nobody is a problem and has no score; an answer that is no number is one, too, and wrong.
    """
    graded, problems, lines = list[GradedStudent](), list[Refused](), dict[str, int]()
    for row in table.rows:
        try:
            student = _student(row.student, students)
            if (first := lines.setdefault(key_of(student), row.line)) != row.line:
                what = "{student} has answers in line {first} already"
                raise Refused(what, "keep one of the rows", student=student, first=first)
        except Refused as refusal:
            problems.append(refusal.at(f"line {row.line}"))
            continue
        one, unreadable = _graded(document, asked, student, row.answers, table.delimiter == ";")
        graded.append(one)
        problems += [refusal.at(f"line {row.line}, question {number}") for number, refusal in unreadable]
    absent = [student for student in students if key_of(student) not in lines]
    graded += [_graded(document, asked, student, (), False)[0] for student in absent]
    return Grades(tuple(graded), tuple(problems))


def _student(name: str, students: tuple[str, ...]) -> str:
    if not name:
        raise Refused("there is no name", "write whose answers these are")
    return known_as(name, students) if students else name


def _graded(
    document: Document, asked: AskedNodes, student: str, answers: Sequence[str], has_commas: bool
) -> tuple[GradedStudent, list[tuple[int, Refused]]]:
    """The score of a student, and the answers that are no numbers."""
    sheet, unreadable, attempts = sheet_for(document, student, asked), [], list[Attempt]()
    for number, question in enumerate(sheet.questions, start=1):
        answer = answers[number - 1] if answers else ""
        try:
            attempts.append(_attempt(sheet, question, answer, has_commas))
        except Refused as refusal:
            unreadable.append((number, refusal))
            attempts.append(Attempt(question.quantity, question.subject, answer, 1, 0, False, (UNREADABLE,)))
    return GradedStudent(student, sheet.questions, tuple(attempts)), unreadable


def _attempt(sheet: ExerciseSheet, question: SheetQuestion, answer: str, has_commas: bool) -> Attempt:
    if not answer:
        return Attempt(question.quantity, question.subject, "", 0, 0, False, ())
    number = read_answer(answer.replace(",", ".") if has_commas and "[" not in answer else answer)
    right = is_right(number, question.expected)
    mistake = None if right else mistake_of(number, question.expected, sheet.mistakes(question))
    return Attempt(question.quantity, question.subject, answer, 1, 0, right, (mistake.name,) if mistake else ())


def scores_csv(grades: Grades, delimiter: str = ",") -> str:
    """The scores for a spreadsheet: a row for each student, 1 for a right answer, 0 for a wrong one, "" for none."""
    text = io.StringIO()
    table = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    count = len(grades.students[0].questions) if grades.students else 0
    table.writerow(["student", "right", "of", *range(1, count + 1), "mistakes"])
    for one in grades.students:
        marks = [int(attempt.right) if attempt.answer else "" for attempt in one.attempts]
        table.writerow([one.student, one.score, count, *marks, named(one.mistakes)])
    return text.getvalue()
