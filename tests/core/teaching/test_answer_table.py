"""Tables of answers, as spreadsheets and Moodle export them."""

from __future__ import annotations

import pytest

from cadena.core.graph.fault import Refused
from cadena.core.teaching.answer_table import answer_table

MOODLE = (
    '\ufeff"Last name","First name","ID number","Email address",State,"Started on",'
    '"Grade/10.00","Response 1","Response 2"\r\n'
    'Müller,Anna,17,anna@example.org,Finished,"28 November 2026  10:00 AM",-,-28,"1/3"\r\n'
    'Okafor,Ben,18,ben@example.org,Finished,"28 November 2026  10:02 AM",-,,0.5\r\n'
)


def test_the_export_of_moodle_is_read_as_it_comes():
    table = answer_table(MOODLE, 2)
    assert table.delimiter == ","
    assert table.rows == ((2, "Anna Müller", ("-28", "1/3")), (3, "Ben Okafor", ("", "0.5")))


def test_a_spreadsheet_with_semicolons_is_read():
    table = answer_table("student;1;2\nAnna;2,5;-1,250\n\n;;\nBen;3\n", 2)
    assert table.delimiter == ";"
    assert table.rows == ((2, "Anna", ("2,5", "-1,250")), (5, "Ben", ("3", "")))


@pytest.mark.parametrize("heads", ["Name,Q1,Q2", "full name,Question 1,Q2", "Student\t1.\t2.", "NAME,Q. 1,Q. 2"])
def test_many_ways_to_name_the_columns(heads):
    delimiter = "\t" if "\t" in heads else ","
    (row,) = answer_table(f"{heads}\n{delimiter.join(['Anna', '7', '8'])}", 2).rows
    assert row == (2, "Anna", ("7", "8"))


def test_a_cell_may_hold_a_line_break_and_lines_are_counted_on():
    rows = answer_table('student,remark,1\nAnna,"one\ntwo",4\nBen,,5', 1).rows
    assert [(row.line, row.answers) for row in rows] == [(2, ("4",)), (4, ("5",))]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("who,1,2\nAnna,1,2", "line 1: no column says whose answers these are; name one student"),
        ("", "line 1: no column says whose answers these are"),
        ("student,1\nAnna,1", "line 1: there is no column for question 2 of 2; name it 2, or Response 2"),
        ("student,1,2,3\nAnna,1,2,3", "line 1: the column 3 has no question, as the sheet has 2; remove it, or choose"),
        ("student,Question 1,Response 1,2\nA,1,1,1", "line 1: the columns Question 1 and Response 1 are both of"),
        ("student,1,2\n", "there are no answers; export a row for each student"),
    ],
)  # fmt: skip
def test_what_is_missing_is_a_sentence(text, sentence):
    with pytest.raises(Refused) as refusal:
        answer_table(text, 2)
    assert str(refusal.value).startswith(sentence)
