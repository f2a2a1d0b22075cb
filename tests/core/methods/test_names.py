"""One vocabulary of the methods, for the window, the command line, files and Python."""

from __future__ import annotations

from dataclasses import replace

import pytest

import cadena
from cadena.core.methods.choosing import timeline_of
from cadena.core.methods.compare import compare
from cadena.core.methods.difference import KINDS
from cadena.core.methods.difference.complex_timeline import TIMELINES
from cadena.core.methods.forward import VECTORS
from cadena.core.methods.names import FORMER, METHODS, Method
from cadena.core.teaching.lessons import method_of, open_lesson
from cadena.core.verbs.parser import parse

LESSON = open_lesson("1")


@pytest.mark.parametrize("name", METHODS)
def test_timelines_and_the_command_line_say_the_same_names(name):
    run = cadena.compile(LESSON).run()
    assert timeline_of(run, Method(name)).method == name
    assert parse(["steps", "x.cadena", "--mode", name]).mode == name


def test_every_kind_of_difference_has_its_steps():
    assert set(TIMELINES) == set(KINDS)


def test_the_table_of_the_methods_says_the_same_names():
    """The window, the command line, files and Python had four vocabularies."""
    told = {answer.method for answer in compare(LESSON).answers}
    assert told == {"reverse", "forward", VECTORS, KINDS["central"], KINDS["complex"], "symbolic"}


@pytest.mark.parametrize(("former", "name"), FORMER.items())
def test_a_lesson_with_a_former_name_opens_in_its_method(former, name):
    lesson = replace(LESSON, extra={"lesson": {"name": "mine", "method": former}})
    assert method_of(lesson) == name
