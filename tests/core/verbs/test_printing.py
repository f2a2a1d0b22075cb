from __future__ import annotations

import sys

import numpy as np
import pytest

from cadena.core.graph.fault import Fault, Kind
from cadena.core.verbs.printing import complain, complain_of_faults, plain, print_table


def test_values_for_other_programs_are_exact_and_plain_json():
    assert plain(np.asarray(0.1 + 0.2)) == 0.30000000000000004
    assert plain(np.array([[1.0, np.nan], [np.inf, -np.inf]])) == [[1.0, "nan"], ["inf", "-inf"]]
    assert plain(None) is None


def test_columns_of_numbers_line_up_on_the_right(capsys):
    print_table(("node", "value"), [("w0", "2"), ("loss", "-254")], numbers=("value",))
    assert capsys.readouterr().out == "node  value\nw0        2\nloss   -254\n"


def test_an_error_is_one_line_whatever_it_quotes(capsys):
    complain("a\nb\tc\x1b[31m: wrong; fix it")
    assert capsys.readouterr().err == "cadena: a b c\N{REPLACEMENT CHARACTER}[31m: wrong; fix it\n"


def test_an_error_went_among_the_results_where_standard_error_is_closed(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    complain("a: wrong; fix it")
    assert capsys.readouterr().out == ""


class Full:
    """A disk on which nothing has room, with what was to be written to it."""

    def __init__(self):
        self.asked = []

    def write(self, text):
        self.asked.append(text)
        raise OSError(28, "No space left on device")


@pytest.mark.parametrize(("severity", "status"), [("fault", 1), ("hint", 0)])
def test_an_error_that_cannot_be_written_was_another_error(capsys, monkeypatch, severity, status):
    full = Full()
    monkeypatch.setattr(sys, "stderr", full)
    faults = [Fault(node, Kind.NAN_VALUE, "bad", "fix it", severity=severity) for node in "ab"]
    assert complain_of_faults(faults, "x.cadena") == status
    assert full.asked == ["cadena: x.cadena: a: bad; fix it", "cadena: x.cadena: b: bad; fix it"]
    assert capsys.readouterr().out == ""
