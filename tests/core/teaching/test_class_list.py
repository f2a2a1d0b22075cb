"""Names of a class: read from a text, and told apart as people do."""

from __future__ import annotations

import pytest

from cadena.core.graph.fault import Refused
from cadena.core.teaching.class_list import class_list, key_of, known_as


def test_a_name_a_line_without_empty_lines_and_the_mark_that_windows_writes():
    assert class_list("\ufeffAnna  Müller\r\n\n  Ben Okafor \n") == ("Anna Müller", "Ben Okafor")


def test_names_that_differ_in_case_spaces_or_form_are_one():
    assert key_of("ANNA  Mu\u0308ller ") == key_of("anna müller") == "anna müller"


def test_a_name_that_occurs_twice_is_refused_with_both_lines():
    with pytest.raises(Refused, match="line 3: anna is in line 1 already; add what tells the two apart"):
        class_list("Anna\nBen\nanna")


@pytest.mark.parametrize("text", ["", " \n\n"])
def test_a_list_without_names_is_refused(text):
    with pytest.raises(Refused, match="there is no name; write the names of the students, one a line"):
        class_list(text)


def test_an_unknown_name_is_refused_with_the_one_that_may_be_meant():
    students = ("Anna Müller", "Ben Okafor")
    assert known_as(" ben  okafor", students) == "Ben Okafor"
    with pytest.raises(Refused, match="Bem Okafor is not in the list of students; is Ben Okafor meant\\?"):
        known_as("Bem Okafor", students)
    with pytest.raises(Refused, match="Zoe is not in the list of students; add the name to the list, or correct it"):
        known_as("Zoe", students)
