"""The score as a table and as a level."""

from __future__ import annotations

import csv

from cadena.core.teaching.score import Attempt, as_csv, quantity_by_level, summary

RIGHT = Attempt("gradient", "∂L/∂b1", "-7", 1, 0, True, ())
LATE = Attempt("gradient", "∂L/∂a1", "-41", 2, 1, True, ("forgot the other path",))
SHOWN = Attempt("value", "x, y", "4", 1, 3, False, ("wrong sign",))


def test_the_table_has_a_row_for_each_question():
    rows = list(csv.DictReader(as_csv([RIGHT, LATE, SHOWN]).splitlines()))
    assert [row["right"] for row in rows] == ["yes", "yes", "no"]
    assert rows[1]["mistakes"] == "forgot the other path" and rows[2]["question"] == "x, y"


def test_the_summary_counts_what_was_right_and_which_mistakes_were_made():
    assert summary([RIGHT, RIGHT]) == "2 of 2 right, 2 at once"
    assert summary([RIGHT, LATE, SHOWN]) == (
        "2 of 3 right, 1 at once. What went wrong: forgot the other path, wrong sign"
    )
    assert summary([SHOWN, LATE, SHOWN]).endswith("What went wrong: wrong sign (2), forgot the other path")


def test_the_level_rises_with_answers_at_once_and_falls_with_others():
    assert quantity_by_level([]) == "value"
    assert quantity_by_level([RIGHT] * 3) == "local derivative"
    assert quantity_by_level([RIGHT] * 20) == "gradient"
    assert quantity_by_level([RIGHT] * 6 + [SHOWN] * 2) == "local derivative"
    assert quantity_by_level([SHOWN] * 9) == "value"
