"""Grading: each row by its student's own numbers, mistakes by their names, and what cannot be read by its line."""

from __future__ import annotations

from cadena.core.teaching.answer_table import AnswerTable, StudentAnswers
from cadena.core.teaching.asking import SIGN
from cadena.core.teaching.exercise_sheet import asked_of, sheet_for
from cadena.core.teaching.grading import UNREADABLE, grade, scores_csv
from cadena.core.teaching.lessons import open_lesson

LESSON = open_lesson("first_chain_rule")
ASKED = asked_of(LESSON)


def right_answers(student):
    return [f"{float(question.expected):g}" for question in sheet_for(LESSON, student, ASKED).questions]


def table(*rows, delimiter=","):
    lines = (StudentAnswers(line, student, tuple(answers)) for line, (student, answers) in enumerate(rows, start=2))
    return AnswerTable(delimiter, tuple(lines))


def graded(*rows, students=(), delimiter=","):
    return grade(LESSON, ASKED, table(*rows, delimiter=delimiter), students)


def test_each_student_is_judged_by_numbers_of_their_own():
    anna = right_answers("Anna")
    grades = graded(("Anna", anna), ("Ben", anna))
    assert [one.score for one in grades.students] == [6, sum(a == b for a, b in zip(anna, right_answers("Ben")))]
    assert not grades.problems and not grades.students[0].mistakes


def test_a_wrong_sign_is_counted_and_an_answer_that_was_left_out_is_none():
    anna = right_answers("Anna")
    turned = [anna[0], "", *(f"{-float(answer):g}" for answer in anna[2:4]), "0.123", anna[5]]
    (one,) = graded(("ANNA", turned)).students
    assert one.score == 2 and one.mistakes == {SIGN: 2}
    assert [attempt.right for attempt in one.attempts] == [True, False, False, False, False, True]


def test_answers_are_within_the_tolerance_of_predictions_and_may_be_arithmetic():
    first, *others = right_answers("Anna")
    close = f"{float(first) * 1.004:.6f}"
    (one,) = graded(("Anna", [close, f"{others[0]}·2/2", *others[1:]])).students
    assert one.score == 6


def test_commas_are_decimal_where_semicolons_part_the_cells():
    anna = right_answers("Anna")
    commas = [f"{float(answer):.3f}".replace(".", ",") for answer in anna]
    assert graded(("Anna", commas), delimiter=";").students[0].score == 6
    grades = graded(("Anna", commas))
    assert any("is a thousand to some and" in str(problem) for problem in grades.problems)


def test_what_cannot_be_read_has_its_line_and_the_rest_is_graded():
    anna, ben = right_answers("Anna"), right_answers("Ben")
    rows = ("Anna", ["no idea", *anna[1:]]), ("Bem", ben), ("", ben), ("anna", anna), ("Ben", ben)
    grades = graded(*rows, students=("Anna", "Ben", "Chloé"))
    assert [(one.student, one.score) for one in grades.students] == [("Anna", 5), ("Ben", 6), ("Chloé", 0)]
    assert grades.students[0].mistakes == {UNREADABLE: 1}
    first, *others = map(str, grades.problems)
    assert first.startswith("line 2, question 1: 'no idea' is not a number; type a number such as")
    assert others == [
        "line 3: Bem is not in the list of students; is Ben meant?",
        "line 4: there is no name; write whose answers these are",
        "line 5: Anna has answers in line 2 already; keep one of the rows",
    ]


def test_scores_are_a_table_for_a_spreadsheet():
    anna = right_answers("Anna")
    wrong = [anna[0], f"{-float(anna[1]):g}", f"{-float(anna[2]):g}", *anna[3:5], ""]
    lines = scores_csv(graded(("Anna", wrong), students=("Anna", "Ben")), ";").splitlines()
    assert lines == ["student;right;of;1;2;3;4;5;6;mistakes", "Anna;3;6;1;0;0;1;1;;wrong sign (2)", "Ben;0;6;;;;;;;"]
