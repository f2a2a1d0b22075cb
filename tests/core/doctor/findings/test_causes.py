"""What went bad is told once, with what it spoiled."""

from __future__ import annotations

import numpy as np
import pytest

import cadena
from cadena.core.doctor.findings.causes import FaultChain, causes, worded
from cadena.core.graph.fault import Fault, Kind
from cadena.core.teaching.lessons import open_lesson
from cadena.core.text.causes import Cause
from tests.core.doctor.findings.cases import CASES
from tests.core.graphs import graph
from tests.thorough import in_turn

CONSTANT = "constant"


def grouped(run: cadena.Run) -> list[tuple[str, list[str]]]:
    """Each cause as "node rule", with its results as "node rule"."""
    return [
        (f"{cause.fault.node} {cause.fault.rule}", [f"{fault.node} {fault.rule}" for fault in cause.results])
        for cause in run.causes
    ]


def test_one_overflow_was_shown_as_several_problems():
    document = graph("L", x=[1000.0, 1.0], e=("exp", "x"), s=("sum", "e"), p=("divide", "e", "s"), l=("log", "p"),
                     L=("sum", "l"))  # fmt: skip
    run = cadena.compile(document).run()
    assert len(run.faults) == 4
    assert grouped(run) == [("e overflow of exp", ["p inf / inf", "l log of 0", "p inf · 0"])]


def test_lesson_7_has_one_cause_and_lesson_9_three():
    assert grouped(cadena.compile(open_lesson("7")).run(dtype="float32"))[0][1] != []
    assert len(cadena.compile(open_lesson("7")).run(dtype="float32").causes) == 1
    assert len(cadena.compile(open_lesson("9")).run().causes) == 3


def test_two_causes_stay_two():
    run = cadena.compile(graph("L", x=-1.0, y=1000.0, a=("log", "x"), b=("exp", "y"), L=("add", "a", "b"))).run()
    assert grouped(run) == [("a log of a negative number", []), ("b overflow of exp", [])]


def test_a_division_by_the_0_that_an_inf_left_comes_of_the_inf():
    run = cadena.compile(graph("z", x=1000.0, e=("exp", "x"), r=("reciprocal", "e"), z=("reciprocal", "r"))).run()
    assert [cause for cause, _ in grouped(run)] == ["e overflow of exp"]


def test_a_leaf_that_is_nan_is_the_cause_and_one_that_is_inf_only_where_nothing_makes_a_nan_of_it():
    run = cadena.compile(graph("z", x=np.nan, y=("subtract", "x", "x"), z=("exp", "y"))).run()
    assert [cause for cause, _ in grouped(run)] == ["x given"]
    run = cadena.compile(graph("z", x=np.inf, y=("subtract", "x", "x"), z=("exp", "y"))).run()
    assert [cause for cause, _ in grouped(run)] == ["y inf − inf"]
    run = cadena.compile(graph("z", x=np.inf, y=("add", "x", "x"), z=("exp", "y"))).run()
    assert [cause for cause, _ in grouped(run)] == ["x given"]


def test_faults_that_are_not_about_numbers_are_causes_of_their_own():
    run = cadena.compile(graph("y", x=1.0, y=("add", "x", None), z=("sin", None))).run()
    assert [cause.fault for cause in run.causes] == list(run.faults) and len(run.faults) == 2


@in_turn("case", [pytest.param(case, id=name) for name, case in CASES.items()], kind=lambda _: "cases")
def test_every_fault_stands_in_exactly_one_place(case):
    run = cadena.compile(case.document).run()
    faults = [fault for fault in run.faults if fault.severity == "fault"]
    listed = [fault for cause in run.causes for fault in (cause.fault, *cause.results)]
    assert sorted(listed, key=faults.index) == faults
    order = [faults.index(cause.fault) for cause in run.causes]
    assert order == sorted(order)
    assert all(faults.index(cause.fault) < faults.index(fault) for cause in run.causes for fault in cause.results)


def test_a_cause_is_told_with_what_it_spoiled():
    run = cadena.compile(open_lesson("7")).run(dtype="float32")
    (sentence,) = [worded(run, cause) for cause in run.causes]
    assert sentence.startswith("e = exp(x) is inf") or "exp" in sentence
    assert sentence.endswith("(this also spoils the gradient of x: 0 · inf)")


def test_of_many_results_the_first_are_told_and_the_others_counted():
    run = cadena.compile(open_lesson("1")).run()
    results = tuple(Fault(f"n{number}", Kind.NAN_VALUE, "m", cause=Cause.INF_MINUS_INF) for number in range(5))
    assert worded(run, FaultChain(Fault("a", Kind.INF_VALUE, "{node} is inf", "do", names_node=True), results)) == (
        "a is inf; do (this also spoils n0: inf − inf, n1: inf − inf and 3 more)"
    )


def test_many_faults_are_grouped_in_one_walk():
    nodes: dict[str, object] = {"x": 1000.0, "e0": ("exp", "x")}
    for number in range(1100):  # a chain in which every second node makes a nan of an inf, deeper than Python recurses
        nodes |= {f"d{number}": ("subtract", f"e{number}", f"e{number}"), f"e{number + 1}": ("exp", "x")}
    nodes["L"] = ("stack", *(f"d{number}" for number in range(1100)))
    run = cadena.compile(graph("L", **nodes)).run()
    assert len(run.causes) == 1101 and sum(len(cause.results) for cause in run.causes) == 2200
    assert causes(run, ()) == ()
