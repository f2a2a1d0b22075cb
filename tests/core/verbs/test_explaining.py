"""What run and check say about bad numbers: rules, fixes with what they give, hints; nothing for healthy graphs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cadena.core.graph.document import Document, Node
from cadena.core.storage.files import save
from cadena.core.teaching.lessons import lesson_path, lessons, open_lesson
from cadena.core.verbs import explaining
from cadena.core.verbs.explanation import MAX_LISTED
from tests.core.graphs import graph

SEVEN = lesson_path("7")
HEALTHY = [lesson for lesson in lessons() if lesson.number not in (7, 9, 14)]


@pytest.fixture
def chain(tmp_path, monkeypatch):
    """1 / exp(x) behind more operations than are looked through unasked."""
    monkeypatch.setattr(explaining, "MAX_EXPLAINED", 100)
    path = tmp_path / "chain.cadena"
    nodes = {f"n{number}": ("negative", f"n{number - 1}") for number in range(1, 101)}
    document = graph(
        "y", n0=1000.0, **nodes, e=("exp", f"n{len(nodes)}"), one=("constant", 1.0), y=("divide", "one", "e")
    )
    save(document, path)
    return path


def test_lesson_7_in_float32_names_the_rules_and_the_fixes_with_their_gradients(do):
    status, report, errors = do("run", SEVEN, "--dtype", "float32", "--json")
    assert (status, len(errors), report["explained"], report["hints"]) == (1, 1, True, [])
    assert [(fault["node"], fault["kind"], fault["rule"]) for fault in report["faults"]] == [
        ("u", "inf-value", "overflow of exp"),
        ("u", "nan-gradient", "0 · inf"),
    ]
    for fault in report["faults"]:
        fixes = {fix["label"]: fix for fix in fault["fixes"]}
        assert list(fault["fixes"][0])[:4] == ["label", "sentence", "value", "gradients"]
        assert next(iter(fixes)) == "Write exp(−x) for 1 / exp(x)"
        for label, gradient in GRADIENTS_OF_7.items():
            assert fixes[label]["gradients"]["x"] == pytest.approx(gradient, rel=1e-6, abs=0.0)


GRADIENTS_OF_7 = {
    "Write exp(−x) for 1 / exp(x)": float(np.float32(-3.78e-44)),  # subnormal, so it has two digits
    "Give y a gradient of its own": float(np.float32(-3.78e-44)),
    "Run in float64": -np.exp(-100.0),
}


@pytest.mark.parametrize("verb", ["run", "check"])
def test_lesson_7_is_explained_on_the_terminal(do, verb):
    _, shown, _ = do(verb, SEVEN, "--dtype", "float32")
    told = shown[shown.index("\n\n" if verb == "check" else "\ny ") :]
    assert "What fixes u (overflow of exp, 0 · inf), each tried on these numbers:" in told
    assert "  Write exp(-x) for 1 / exp(x): y is the same function of its operands, but " in told
    assert "Then y is 3.78351e-44, the gradient of x is -3.78351e-44." in told
    assert told.count("(this also spoils the gradient of x: 0 · inf)") == (verb == "check")  # else on standard error
    assert told.count("What fixes") == 1 and told.count("Write exp(-x) for 1 / exp(x)") == 1


def test_check_has_the_faults_of_numbers_in_its_json_and_not_as_errors(do):
    status, report, errors = do("check", lesson_path("9"), "--json")
    assert (status, errors) == (1, [])
    assert {fault["rule"] for fault in report["faults"]} >= {"infinite slope of sqrt", "inf · 0"}


def test_a_fix_tells_only_the_gradients_that_it_fixes(do):
    _, report, _ = do("run", lesson_path("9"), "--json")
    cube = next(fault for fault in report["faults"] if fault["node"] == "cube")
    assert [list(fix["gradients"]) for fix in cube["fixes"]] == [["x2"]] * len(cube["fixes"])


def test_a_gradient_that_vanished_silently_is_a_hint_and_no_error(do):
    status, shown, errors = do("run", SEVEN, "--dtype", "float32", "--set", "x=60")
    assert (status, errors) == (0, [])
    assert "\nHint: y: the gradient of u vanishes here: " in shown
    assert "  Write exp(-x) for 1 / exp(x): " in shown
    _, report, _ = do("run", SEVEN, "--dtype", "float32", "--set", "x=60", "--json")
    (hint,) = report["hints"]
    assert (hint["node"], hint["kind"], report["faults"]) == ("y", "vanished-gradient", [])
    assert hint["fixes"][0]["gradients"]["x"] == pytest.approx(-8.75651e-27, rel=1e-5)


def test_dead_relus_and_lost_digits_are_hints(do, tmp_path):
    path = tmp_path / "hints.cadena"
    save(
        graph(
            x=-2.0, r=("relu", "x"), c=1.0, t=1e-12, a=("add", "c", "t"), d=("subtract", "a", "c"), y=("add", "r", "d")
        ),
        path,
    )
    _, report, _ = do("run", path, "--json")
    assert {(hint["node"], hint["kind"]) for hint in report["hints"]} == {("r", "dead-relu"), ("d", "lost-digits")}


@pytest.mark.parametrize("lesson", HEALTHY, ids=lambda lesson: lesson.name)
def test_a_healthy_graph_prints_nothing_more(do, lesson):
    options = ("--dtype", "float64")
    status, shown, errors = do("run", lesson_path(lesson.name), *options)
    assert (status, errors) == (0, [])
    assert len(shown.splitlines()) == 1 + len(open_lesson(lesson.name).nodes)
    _, report, _ = do("run", lesson_path(lesson.name), *options, "--json")
    assert (report["faults"], report["hints"], report["explained"]) == ([], [], True)


def test_a_graph_that_is_not_small_is_explained_only_when_asked(do, chain):
    status, shown, errors = do("run", chain, "--dtype", "float32")
    assert (status, len(errors)) == (1, 1)
    assert shown.endswith("\n--explain looks for fixes and hints, which may take long in this graph.\n")
    _, report, _ = do("run", chain, "--dtype", "float32", "--json")
    assert [fault["fixes"] for fault in report["faults"]] == [None, None] and not report["explained"]
    _, shown, _ = do("run", chain, "--dtype", "float32", "--explain")
    assert "Write exp(-x) for 1 / exp(x): " in shown and "--explain" not in shown


def test_nothing_is_looked_for_in_a_large_healthy_graph(do, chain, monkeypatch):
    monkeypatch.setattr("cadena.core.doctor.findings.hints.hints", lambda run: pytest.fail("hints cost time"))
    monkeypatch.setattr("cadena.core.doctor.fixes.offers.fixes", lambda *given: pytest.fail("fixes cost time"))
    status, shown, errors = do("run", chain, "--set", "n0=1")
    assert (status, errors, len(shown.splitlines())) == (0, [], 1 + 104)


def test_fixes_are_tried_for_some_faults_only(do, monkeypatch):
    monkeypatch.setattr(explaining, "MAX_TRIED", 30)
    _, report, _ = do("run", SEVEN, "--dtype", "float32", "--json")
    assert [fault["fixes"] is None for fault in report["faults"]] == [False, True]
    _, shown, _ = do("run", SEVEN, "--dtype", "float32")
    assert shown.endswith("\n--explain looks for what fixes the other 1 too.\n")
    _, report, _ = do("run", SEVEN, "--dtype", "float32", "--explain", "--json")
    assert all(fault["fixes"] for fault in report["faults"])


def test_where_many_numbers_are_bad_only_their_places_and_rules_are_told_unasked(do, tmp_path, monkeypatch):
    monkeypatch.setattr(explaining, "MAX_EXPLAINED", 20)
    _, report, _ = do("run", SEVEN, "--dtype", "float32", "--json")
    assert report["explained"] and [fault["fixes"] for fault in report["faults"]] == [None, None]
    _, shown, _ = do("run", SEVEN, "--dtype", "float32")
    assert shown.endswith("\n--explain looks for fixes, which may take long in this graph.\n")


def test_lost_digits_are_looked_for_in_small_graphs_and_when_asked(do, tmp_path, monkeypatch):
    monkeypatch.setattr(explaining, "MAX_DIGITS_COMPARED", 1)
    path = tmp_path / "digits.cadena"
    save(graph(c=1.0, t=1e-12, a=("add", "c", "t"), d=("subtract", "a", "c")), path)
    assert do("run", path, "--json")[1]["hints"] == []
    assert [hint["kind"] for hint in do("run", path, "--explain", "--json")[1]["hints"]] == ["lost-digits"]


def test_the_same_hint_is_not_repeated_for_pages(do, tmp_path):
    path = tmp_path / "relus.cadena"
    sums = {f"t{number}": ("add", f"r{number}", f"t{number - 1}" if number else "x0") for number in range(40)}
    leaves = {f"x{number}": -1.0 for number in range(41)}
    relus = {f"r{number}": ("relu", f"x{number + 1}") for number in range(40)}
    save(graph(**leaves, **relus, **sums), path)
    _, shown, _ = do("run", path)
    assert sum(line.startswith("Hint: ") for line in shown.splitlines()) == MAX_LISTED
    assert "\n28 more hints of these kinds; --json has all of them.\n" in shown
    _, report, _ = do("run", path, "--json")
    assert len(report["hints"]) == 40


@pytest.mark.parametrize("mode", ["forward", "difference", "symbolic"])
def test_in_other_modes_the_values_are_explained_and_the_reverse_pass_is_not(do, mode):
    _, report, _ = do("run", SEVEN, "--dtype", "float32", "--mode", mode, "--json")
    assert [fault["kind"] for fault in report["faults"]] == ["inf-value"] and report["hints"] == []
    assert report["faults"][0]["fixes"]


def test_a_graph_without_an_output_has_fixes_that_tell_no_output(do, tmp_path):
    path = tmp_path / "none.cadena"
    document = graph(x=100.0, e=("exp", "x"), one=("constant", 1.0), y=("divide", "one", "e"))
    save(replace(document, output=None), path)
    _, report, _ = do("run", path, "--dtype", "float32", "--json")
    assert report["output"] is None
    assert all(fix["value"] is None for fault in report["faults"] for fix in fault["fixes"])
    assert isinstance(do("run", path, "--dtype", "float32")[1], str)


def test_an_array_output_is_compared_with_nan_in_it(do, tmp_path):
    path = tmp_path / "array.cadena"
    save(graph(x=[-1.0, 100.0], e=("exp", "x"), one=("constant", 1.0), y=("divide", "one", "e")), path)
    _, shown, _ = do("run", path, "--dtype", "float32")
    assert "the gradient of x is [-2.718282, -3.78351e-44]" in shown


def test_nothing_said_that_no_fix_is_known_nor_the_line(do, tmp_path):
    nodes = {"x": Node("x", "parameter", value=1000.0), "y": Node("y", "exp", ("x",), line="train.py:20")}
    save(Document(nodes, output="y"), path := tmp_path / "captured.cadena")
    _, shown, errors = do("run", path)
    assert shown.splitlines()[-1] == "No fix is known for y." and "y (line 20 of train.py): y = exp(x) is " in errors[0]
    _, shown, _ = do("check", path)
    assert "\ny (line 20 of train.py): y = exp(x) is " in shown and shown.endswith("\nNo fix is known for y.\n")
    _, report, _ = do("run", path, "--json")
    assert {fault["line"] for fault in report["faults"]} == {"line 20 of train.py"}
