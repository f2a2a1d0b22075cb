"""`cadena grade ANSWERS.csv SHEET`: the scores of a class, and the typical mistakes that were made."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from cadena.core.graph.fault import Refused
from cadena.core.storage.files import write
from cadena.core.teaching.answer_table import answer_table
from cadena.core.teaching.exercise_sheet import sheet_for
from cadena.core.teaching.grading import Grades, scores_csv
from cadena.core.teaching.grading import grade as graded
from cadena.core.teaching.score import named
from cadena.core.verbs.exercise import STUDENTS, add_asked, listed_students, requested_sheet, text_of
from cadena.core.verbs.printing import complain, plain, print_json, print_line, print_table
from cadena.core.verbs.wording import REMEDIES

MARKS = {True: "+", False: "-"}  # of an answer in the table; "." where there is none


def add_options(verb: ArgumentParser) -> None:
    """Add the options of this verb."""
    option = verb.add_argument
    option("answers", metavar="ANSWERS.csv", help="a row for each student, and a column for each question")
    option("file", metavar="SHEET", help="the .cadena file that the sheets were made from, or a student's")
    option("-o", "--out", metavar="SCORES.csv", type=Path, help="write the scores as a table for a spreadsheet")
    option("--students", metavar="NAMES.txt", help=f"{STUDENTS}: other names are errors, and who is absent is listed")
    add_asked(verb)


def grade(options: Namespace) -> int:
    """Exit status 0, or 1 where a row or an answer could not be read; each is a line on standard error."""
    document, asked = requested_sheet(options, options.file)
    students = () if options.students is None else listed_students(options.students)
    text, where = text_of(options.answers), options.file
    try:
        count = len(sheet_for(document, "", asked).questions)
        where = options.answers
        table = answer_table(text, count)
        where = options.file
        grades = graded(document, asked, table, students)
    except Refused as refusal:
        raise refusal.at(where) from None
    if options.out is not None:
        write(scores_csv(grades, table.delimiter).encode(), options.out)
    if options.json:
        print_json(_report(grades, options.file))
    else:
        _print(grades)
    for problem in grades.problems:
        complain(f"{options.answers}: {problem.worded(REMEDIES)}")
    return int(bool(grades.problems))


def _print(grades: Grades) -> None:
    count = max((len(one.questions) for one in grades.students), default=0)
    rows = [
        [one.student, f"{one.score} of {count}",
         " ".join(MARKS[attempt.right] if attempt.answer else "." for attempt in one.attempts),
         named(one.mistakes)]
        for one in grades.students
    ]  # fmt: skip
    print_table(["student", "right", "answers", "mistakes"], rows)
    if grades.mistakes:
        print_line("")
        print_table(
            ["times", "mistake"], [[str(times), name] for name, times in grades.mistakes.most_common()], ["times"]
        )


def _report(grades: Grades, file: str) -> dict[str, Any]:
    """The scores for other programs; an answer that was left out is ""."""
    return {
        "sheet": file,
        "students": [
            {
                "student": one.student,
                "right": one.score,
                "of": len(one.questions),
                "answers": [
                    {
                        "question": number,
                        "subject": question.subject,
                        "answer": attempt.answer,
                        "expected": plain(question.expected),
                        "right": attempt.right,
                        "mistake": next(iter(attempt.mistakes), None),
                    }
                    for number, (question, attempt) in enumerate(zip(one.questions, one.attempts, strict=True), start=1)
                ],
            }
            for one in grades.students
        ],
        "mistakes": dict(grades.mistakes.most_common()),
    }
