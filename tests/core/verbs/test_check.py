from __future__ import annotations

import re

import pytest

from cadena.core.graph.fault import Refused
from cadena.core.storage.files import save
from cadena.core.teaching.lessons import lesson_path, lessons
from tests.core.graphs import graph

METHODS = ["reverse", "forward", "derivative vectors", "central difference", "complex step", "symbolic"]


def test_the_table_shows_every_method_on_every_leaf_what_it_cost_and_the_verdict(do, lesson):
    status, shown, errors = do("check", lesson)
    assert (status, errors) == (0, [])
    lines = shown.splitlines()
    assert lines[0] == "L = -254 in float64"
    in_columns = [method for method in METHODS if method != "derivative vectors"]  # forward mode has one
    assert re.split(r"  +", lines[2]) == ["gradient of", *in_columns, "deviation"]
    assert re.match(r"w0 +-28 +-28 +-28 ± [0-9e-]+ +-28 +-28 ", lines[3])
    costs = dict(re.split(r"  +", line)[:2] for line in lines[5:-2] if line)
    assert (costs["reverse"], costs["forward"]) == ("1 reverse pass", "5 tangent passes")
    assert costs["derivative vectors"] == "1 pass carrying 5 tangents"
    assert re.fullmatch("[0-9]+ runs", costs["complex step"]) and costs["symbolic"] == "-"
    assert lines[-1].startswith("All methods agree, to within ")


def test_json_has_all_answers_and_the_rows(do, lesson):
    status, report, _ = do("check", lesson, "--json")
    assert (status, report["agree"], report["value"], report["output"]) == (0, True, -254.0, "L")
    assert [method["method"] for method in report["methods"]] == METHODS
    assert all(method["fault"] is None and method["seconds"] > 0 for method in report["methods"])
    assert report["methods"][1]["gradients"]["w3"] == -23.0 and report["methods"][3]["errors"]["w3"] < 1e-8
    assert [leaf["leaf"] for leaf in report["leaves"]] == ["w0", "w1", "w2", "w3", "w4"]
    assert {leaf["status"] for leaf in report["leaves"]} == {"agree"}
    assert (report["compared"], report["elements"]) == (5, 5)


INFINITE = "no_derivative_at_zero"  # the lesson on slopes that are infinite in float64 too


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.name)
def test_it_agrees_on_every_lesson(do, lesson):
    status, shown, errors = do("check", lesson_path(lesson.name), "--dtype", "float64")
    assert (status, errors) == (int(lesson.name == INFINITE), []), shown


@pytest.fixture
def seven(tmp_path):
    path = tmp_path / "seven.cadena"
    save(graph(x=100.0, one=("constant", 1.0), e=("exp", "x"), y=("divide", "one", "e")), path)
    return path


def test_where_methods_disagree_the_exit_status_is_1_and_the_verdict_says_which_to_believe(do, seven):
    assert do("check", seven)[0] == 0
    status, shown, _ = do("check", seven, "--dtype", "float32")
    assert status == 1
    assert "reverse and forward nan, central difference 0" in shown
    assert "-3.72·10⁻⁴⁴: believe symbolic, as numbers overflow" in shown
    status, report, _ = do("check", seven, "--dtype", "float32", "--json")
    (leaf,) = report["leaves"]
    assert (status, leaf["status"], leaf["believe"]) == (1, "differ", "symbolic")
    assert leaf["numbers"]["reverse"] == "nan" and leaf["deviation"] == "inf"


@pytest.mark.parametrize(
    ("mode", "methods"),
    [
        ("reverse", METHODS[:1]),
        ("forward", METHODS[:3]),
        ("difference", [METHODS[0], *METHODS[3:5]]),
        ("symbolic", [METHODS[0], METHODS[5]]),
    ],
)
def test_mode_leaves_one_method_beside_reverse_mode(do, lesson, mode, methods):
    _, report, _ = do("check", lesson, "--mode", mode, "--json")
    assert [method["method"] for method in report["methods"]] == methods


def test_options_are_those_of_run(do, lesson):
    _, report, _ = do("check", lesson, "--output", "b1", "--wrt", "w0,a1", "--set", "w0=3", "--seed", "2", "--json")
    assert (report["output"], report["value"], report["agree"]) == ("b1", 27.0, True)
    assert {leaf["leaf"]: leaf["numbers"]["reverse"] for leaf in report["leaves"]} == {"w0": 8.0, "a1": 6.0}


def test_a_method_that_cannot_be_used_says_why_and_the_others_go_on(do, tmp_path):
    path = tmp_path / "steps.cadena"
    save(graph(x=1.5, z=2.0, f=("floor", "x"), a=("abs", "z"), y=("multiply", "f", "a")), path)
    status, shown, _ = do("check", path)
    assert status == 0
    assert "complex step: f: the complex step cannot go through floor, which rounds" in shown
    assert "symbolic: f: floor has no symbolic form here; use another method." in shown


def test_what_cannot_run_is_a_fault_on_standard_error(do, faulty):
    status, shown, errors = do("check", faulty)
    assert status == 1 and "All methods agree" in shown
    assert {error.split(": ")[2] for error in errors} <= {"p", "q", "u"} and len(errors) == 2


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            ["--set", "w0=[1, 2]"],
            "L has shape (2,), and a gradient is that of a single number; add a sum behind it, or",
        ),
        (["--wrt", "k2"], "--wrt: there is no node 'k2'"),
        (["--seed", "[1, 2]"], "--seed: the seed must be a number or have the shape () of L"),
        (["--output", "m2", "--wrt", "w0"], "m2 depends on no leaf whose gradient is wanted; make a leaf a parameter"),
    ],
)
def test_what_cannot_be_checked_is_refused_with_the_file(do, lesson, options, sentence):
    with pytest.raises(Refused) as refused:
        do("check", lesson, *options)
    assert str(refused.value).startswith(f"{lesson}: {sentence}")


def test_a_fault_was_listed_and_the_exit_status_was_0(do, tmp_path):
    save(graph(x=[0.0, 4.0], r=("sqrt", "x"), y=("sum", "r")), tmp_path / "root.cadena")
    status, shown, _ = do("check", tmp_path / "root.cadena")
    assert status == 1 and "sqrt is infinitely steep at 0" in shown
