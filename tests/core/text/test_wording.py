"""Sentences from templates, and one fault in the words of Python, the command line and the window."""

from __future__ import annotations

import copy
import math
import pickle
import re
from string import Formatter

import pytest

import cadena
from cadena.core.graph.document import Document, Node
from cadena.core.graph.fault import Fault, Kind, Refused
from cadena.core.text.causes import Cause
from cadena.core.text.wording import Clause, Place, Remedy, fill
from cadena.core.verbs import wording as command_line
from tests.core.graphs import graph


def test_a_template_is_filled_with_numbers_places_and_clauses():
    why = Clause("{operand} is 0, and 1/0 is inf", operands={"operand": "x"})
    operands = {"number": -1e300, "place": Place((2, 0), 3, 12), "why": why}
    assert fill("it is {number}{place}: {why}", operands) == (
        "it is −1·10³⁰⁰ at [2, 0] (3 of 12 places): x is 0, and 1/0 is inf"
    )
    assert fill("it is {number:g}{place}", {"number": 0.5, "place": Place((), 1, 1)}) == "it is 0.5"


def test_a_text_without_operands_keeps_its_braces():
    assert str(Refused('begins with {"format": "cadena"}')) == 'begins with {"format": "cadena"}'


def test_what_a_file_says_is_no_template():
    assert str(Refused("there is no node {name}", "choose another", name="{remedy}")) == (
        "there is no node {remedy}; choose another"
    )


def test_the_remedy_of_a_refusal_within_another_is_worded_by_the_same_front_end():
    inner = Refused("{node} has no value", Remedy.GIVE_VALUE, node="w")
    outer = inner.at("x.cadena").at("cadena")
    assert str(outer) == "cadena: x.cadena: w has no value; give it one in the document"
    assert outer.worded(command_line.REMEDIES) == "cadena: x.cadena: w has no value; give it one with --set w=VALUE"


def test_faults_with_the_same_nan_are_equal_and_can_be_keys():
    one, other = (Fault("x", Kind.NAN_VALUE, "{number}", operands={"number": float("nan")}) for _ in range(2))
    assert one == other and hash(one) == hash(other)
    assert one != Fault("x", Kind.NAN_VALUE, "{number}", operands={"number": math.inf})


def test_a_refusal_survives_being_copied_and_sent_to_another_process():
    refusal = Refused("{node} is gone", Remedy.FIX_FAULTS, node="w")
    for made in (pickle.loads(pickle.dumps(refusal)), copy.copy(refusal)):
        assert str(made) == str(refusal) == "w is gone; fix its faults first"


# --- what runs is told by its data

BAD = {
    Cause.LOG_AT_POLE: graph(x=0.0, y=("log", "x")),
    Cause.OVERFLOW: graph(x=1000.0, y=("exp", "x")),
    Cause.ZERO_BY_ZERO: graph(x=0.0, y=("divide", "x", "x")),
    Cause.OUTSIDE_DOMAIN: graph(x=2.0, y=("arcsin", "x")),
    Cause.OVERFLOW_WITHIN: graph(x=[1e200, 1e200], y=("norm", "x")),
}


@pytest.mark.parametrize("cause", BAD)
def test_a_number_gone_bad_carries_cause_operands_and_remedy(cause):
    fault = cadena.compile(BAD[cause]).run().faults[0]
    assert (fault.node, fault.cause) == ("y", cause) and fault.remedy and fault.operands
    assert fault.message.endswith(f"; {fill(fault.remedy, fault.operands)}")


@pytest.mark.parametrize("template", [*Cause, *Remedy])
def test_every_template_has_places_that_can_be_filled(template):
    assert all(place is None or place.isidentifier() for _, place, _, _ in Formatter().parse(template))


# --- the three front ends

EMPTY = Document({"w": Node("w", "parameter"), "y": Node("y", "sin", ("w",))}, output="y")


def test_python_words_the_remedy_for_the_document():
    (fault,) = cadena.compile(EMPTY).run().faults
    assert (fault.kind, fault.remedy) == ("no-value", Remedy.GIVE_VALUE)
    assert fault.message == "w has no value; give it one in the document"
    with pytest.raises(Refused, match=r"so it is not a function: w has no value; give it one in the document$"):
        cadena.as_function(EMPTY, wrt=[])


def test_the_command_line_words_remedies_in_its_options(tmp_path, capsys):
    path = tmp_path / "empty.cadena"
    cadena.save(EMPTY, path)
    from cadena import main

    assert main.main(["run", str(path)]) == 1
    assert capsys.readouterr().err == f"cadena: {path}: w: w has no value; give it one with --set w=VALUE\n"
    assert main.main(["run", str(path), "--json"]) == 1
    assert '"message": "w has no value; give it one with --set w=VALUE"' in capsys.readouterr().out
    cadena.save(graph(w=("constant", 1.0), y=("sin", "w")), path)
    assert main.main(["steps", str(path), "--mode", "forward"]) == 2
    assert capsys.readouterr().err.endswith("; make a leaf a parameter, or name one with --wrt\n")


def test_every_remedy_that_the_command_line_words_names_an_option_a_verb_or_the_file():
    for words in command_line.REMEDIES.values():
        assert re.search(r"--[a-z]|cadena [a-z]|the file", words), words
