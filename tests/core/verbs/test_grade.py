"""`cadena grade`: a table of scores and mistakes, JSON, CSV, and errors with their lines."""

from __future__ import annotations

import json

import pytest

from cadena.core.graph.fault import Refused
from cadena.core.storage.files import load, save
from cadena.core.teaching.exercise_sheet import asked_of, sheet_for
from cadena.core.verbs.grade import grade
from cadena.core.verbs.parser import parse


@pytest.fixture
def mark(lesson, capsys):
    """mark(answers, ...) -> (exit status, standard output, lines on standard error)."""

    def marking(answers, *options, sheet=lesson):
        status = grade(parse(["grade", str(answers), str(sheet), *map(str, options)]))
        shown = capsys.readouterr()
        return status, json.loads(shown.out) if "--json" in options else shown.out, shown.err.splitlines()

    return marking


@pytest.fixture
def answers(lesson, tmp_path):
    """A table in which Anna has all answers right and Ben has the signs of two wrong."""
    path = tmp_path / "answers.csv"
    rows = ["student,1,2,3,4,5,6"]
    for student, signs in (("Anna", "++++++"), ("Ben", "+--+++")):
        document = load(lesson)
        numbers = [float(question.expected) for question in sheet_for(document, student, asked_of(document)).questions]
        rows.append(",".join([student, *(f"{float(sign + '1') * number:g}" for sign, number in zip(signs, numbers))]))
    path.write_text("\n".join(rows), "utf-8")
    return path


def test_scores_and_mistakes_are_tables(mark, answers):
    status, told, errors = mark(answers)
    assert (status, errors) == (0, [])
    assert told.splitlines() == [
        "student  right   answers      mistakes",
        "Anna     6 of 6  + + + + + +",
        "Ben      4 of 6  + - - + + +  wrong sign (2)",
        "",
        "times  mistake",
        "    2  wrong sign",
    ]


def test_json_has_what_was_expected_and_counts_mistakes(mark, answers):
    status, report, _ = mark(answers, "--json")
    anna, ben = report["students"]
    assert status == 0 and report["mistakes"] == {"wrong sign": 2} and (anna["right"], anna["of"]) == (6, 6)
    wrong = ben["answers"][1]
    assert wrong["question"] == 2 and wrong["subject"] == "∂L/∂w0" and wrong["mistake"] == "wrong sign"
    assert float(wrong["answer"]) == -wrong["expected"] and not wrong["right"]


def test_scores_are_written_and_who_is_absent_is_listed(mark, answers, tmp_path):
    (tmp_path / "names.txt").write_text("Anna\nBen\nChloé", "utf-8")
    status, told, _ = mark(answers, "--students", tmp_path / "names.txt", "-o", tmp_path / "scores.csv")
    assert status == 0 and told.splitlines()[3] == "Chloé    0 of 6  . . . . . ."
    lines = (tmp_path / "scores.csv").read_text("utf-8").splitlines()
    assert lines[1:] == ["Anna,6,6,1,1,1,1,1,1,", "Ben,4,6,1,0,0,1,1,1,wrong sign (2)", "Chloé,0,6,,,,,,,"]


def test_a_students_own_file_is_the_sheet_too(mark, answers, lesson, tmp_path):
    document = load(lesson)
    save(sheet_for(document, "Ben", asked_of(document)).document, tmp_path / "ben.cadena")
    assert mark(answers, sheet=tmp_path / "ben.cadena") == mark(answers)


def test_what_cannot_be_read_is_a_line_on_standard_error(mark, answers):
    answers.write_text(answers.read_text("utf-8").replace("Ben,", "Anna,") + "\nZoe,what?,,,,,")
    status, told, errors = mark(answers)
    assert status == 1 and "Zoe      0 of 6  - . . . . .  no number" in told
    assert errors[0] == f"cadena: {answers}: line 3: Anna has answers in line 2 already; keep one of the rows"
    assert errors[1].startswith(f"cadena: {answers}: line 4, question 1: 'what?' is not a number; ")


@pytest.mark.parametrize(
    ("head", "sentence"),
    [
        ("who,1,2,3,4,5,6", "answers.csv: line 1: no column says whose answers these are; name one student"),
        ("student,1,2,3,4,5", "answers.csv: line 1: there is no column for question 6 of 6; name it 6, or Response 6"),
        ("student,1,2,3,4,5,6,7", "answers.csv: line 1: the column 7 has no question, as the sheet has 6; remove it"),
    ],
)
def test_a_table_that_does_not_fit_is_refused(mark, answers, head, sentence):
    answers.write_text(f"{head}\nAnna,1,2,3,4,5,6\n", "utf-8")
    with pytest.raises(Refused) as refusal:
        mark(answers)
    assert sentence in str(refusal.value)


def test_what_is_no_sheet_is_refused(mark, answers):
    with pytest.raises(Refused, match=r"answers\.csv: this is not a Cadena file"):
        mark(answers, sheet=answers)


def test_an_output_without_gradients_is_no_sheet(mark, answers, tmp_path):
    from tests.core.graphs import graph

    save(graph(x=1.0), tmp_path / "x.cadena")
    with pytest.raises(Refused, match=r"x\.cadena: there is no output that is computed"):
        mark(answers, sheet=tmp_path / "x.cadena")
