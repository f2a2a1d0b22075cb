from __future__ import annotations

from pathlib import Path

import pytest

from cadena.core.graph.fault import Refused
from cadena.core.storage.files import save
from tests.core.graphs import graph

GOLDEN = {"w0": -28, "w1": -21, "w2": -12, "w3": -23, "w4": -36}


def rows(table):
    return {line.split()[0]: line.split()[1:] for line in table.splitlines()[1:]}


def test_the_table_shows_the_first_lessons_numbers(do, lesson):
    status, table, errors = do("run", lesson)
    assert (status, errors) == (0, [])
    assert table.splitlines()[0].split() == ["node", "operation", "shape", "value", "gradient"]
    assert rows(table)["L"] == ["subtract", "number", "-254", "1"]
    assert {name: int(row[-1]) for name, row in rows(table).items() if name in GOLDEN} == GOLDEN
    assert rows(table)["a1"] == ["input", "number", "4", "-"]
    assert table.isascii()


def test_json_is_as_the_contract_says(do, lesson):
    status, report, errors = do("run", lesson, "--json")
    assert (status, errors) == (0, [])
    promised = ["file", "output", "value", "dtype", "mode", "nodes", "faults", "seconds"]
    assert list(report) == [*promised, "hints", "explained"]
    assert (report["file"], report["output"], report["value"]) == (str(lesson), "L", -254.0)
    assert (report["dtype"], report["mode"], report["faults"]) == ("float64", "reverse", [])
    w0 = {"op": "parameter", "shape": [], "dtype": "float64", "value": 2.0, "gradient": -28.0}
    assert report["nodes"]["w0"] == w0
    assert report["nodes"]["a1"]["gradient"] is None
    assert set(report["seconds"]) == {"compile", "forward", "reverse"}
    assert all(seconds > 0.0 for seconds in report["seconds"].values())


def test_faults_are_lines_on_standard_error_and_the_rest_still_runs(do, faulty):
    status, table, errors = do("run", faulty)
    assert status == 1
    assert rows(table)["z"] == ["negative", "number", "1", "1"]
    assert rows(table)["x"][-1] == "-1"
    assert rows(table)["y"] == ["log", "number", "nan", "-"]
    assert rows(table)["u"] == ["teleport", "-", "-", "-"]
    places = [line.split(": ")[:3] for line in errors]
    assert all(place[:2] == ["cadena", str(faulty)] for place in places)
    assert {place[2] for place in places} == {"y", "p", "u"} or {place[2] for place in places} == {"y", "q", "u"}
    assert all("; " in line for line in errors)


def test_faults_are_in_the_json_too(do, faulty):
    status, report, errors = do("run", faulty, "--json")
    assert (status, len(errors)) == (1, 3)
    assert {fault["kind"] for fault in report["faults"]} == {"cycle", "unknown-operation", "nan-value"}
    assert all(list(fault) == ["node", "line", "kind", "message", "rule", "fixes"] for fault in report["faults"])
    rules = {fault["kind"]: fault["rule"] for fault in report["faults"]}
    assert rules == {"cycle": None, "unknown-operation": None, "nan-value": "log of a negative number"}
    assert report["nodes"]["y"]["value"] == "nan"
    assert report["nodes"]["u"] == {
        "op": "teleport",
        "shape": None,
        "dtype": "float64",
        "value": None,
        "gradient": None,
    }


def test_options_change_the_run_not_the_file(do, lesson):
    before = lesson.read_bytes()
    _, report, _ = do("run", lesson, "--set", "w0=3", "--set", "a1=1e1", "--output", "b1", "--json")
    assert (report["output"], report["value"]) == ("b1", 45.0)
    assert report["nodes"]["w0"]["gradient"] == 10.0
    assert report["nodes"]["w3"]["gradient"] is None
    _, report, _ = do("run", lesson, "--wrt", "a1, a2", "--seed", "-2", "--dtype", "float32", "--json")
    assert (report["nodes"]["a1"]["gradient"], report["nodes"]["w0"]["gradient"]) == (82.0, None)
    assert report["dtype"] == report["nodes"]["a1"]["dtype"] == "float32"
    assert lesson.read_bytes() == before


def test_a_leaf_may_be_set_to_an_array_and_the_seed_too(do, lesson):
    _, report, _ = do("run", lesson, "--set", "w0=[[1, 2], [3, 4]]", "--seed", "[[1, 0], [0, 2]]", "--json")
    assert report["nodes"]["L"]["shape"] == [2, 2]
    assert report["nodes"]["w0"]["gradient"] == [[-28.0, 0.0], [0.0, -56.0]]


def test_nan_and_inf_are_texts_in_json(do, lesson):
    status, report, _ = do("run", lesson, "--set", "w0=inf", "--set", "a2=nan", "--json")
    assert status == 1
    assert report["nodes"]["w0"]["value"] == "inf"
    assert report["nodes"]["L"]["value"] == "nan"


@pytest.mark.parametrize("value", ["1e300", "-1e300"])
def test_a_value_too_large_for_the_number_type_is_a_fault_not_a_warning(do, lesson, value):
    status, report, errors = do("run", lesson, "--set", f"w0={value}", "--dtype", "float32", "--json")
    assert status == 1
    assert report["nodes"]["w0"]["value"] == value.replace("1e300", "inf")
    assert len(errors) == len(report["faults"]) > 0


def test_a_graph_without_nodes_or_output_is_no_fault(do, tmp_path):
    path = tmp_path / "empty.cadena"
    path.write_text('{"format": "cadena", "version": 1, "nodes": []}')
    status, report, errors = do("run", path, "--json")
    assert (status, errors, report["output"], report["value"], report["nodes"]) == (0, [], None, None, {})
    assert do("run", path)[1].split() == ["node", "operation", "shape", "value", "gradient"]


# --- other methods than reverse mode


@pytest.mark.parametrize("mode", ["forward", "difference", "symbolic"])
def test_every_mode_gives_the_first_lessons_gradients(do, lesson, mode):
    status, report, errors = do("run", lesson, "--mode", mode, "--json")
    assert (status, errors, report["mode"]) == (0, [], mode)
    assert {name: round(report["nodes"][name]["gradient"], 6) for name in GOLDEN} == GOLDEN
    assert report["nodes"]["m1"]["gradient"] is None and report["value"] == -254.0
    assert {"compile", "forward", "reverse"} < set(report["seconds"])
    table = rows(do("run", lesson, "--mode", mode)[1])
    assert {name: round(float(table[name][-1])) for name in GOLDEN} == GOLDEN


@pytest.mark.parametrize(
    ("mode", "gradient"), [("reverse", "nan"), ("forward", "nan"), ("difference", 0.0), ("symbolic", -3.72e-44)]
)
def test_lesson_7_in_float32_by_every_mode(do, tmp_path, mode, gradient):
    path = tmp_path / "seven.cadena"
    save(graph(x=100.0, one=("constant", 1.0), e=("exp", "x"), y=("divide", "one", "e")), path)
    status, report, errors = do("run", path, "--dtype", "float32", "--mode", mode, "--json")
    got = report["nodes"]["x"]["gradient"]
    assert got == gradient if isinstance(gradient, str) else got == pytest.approx(gradient, rel=1e-3)
    assert (status, report["dtype"]) == (1, "float32") and len(errors) == 1
    kinds = {fault["kind"] for fault in report["faults"]}
    assert ("nan-gradient" in kinds) == (mode == "reverse")


def test_a_seed_says_what_the_gradient_of_an_array_is_in_every_mode(do, lesson):
    options = ("--set", "w0=[1, 2]", "--seed", "[1, -1]", "--wrt", "w0,w1", "--json")
    for mode in ("reverse", "forward", "difference", "symbolic"):
        _, report, _ = do("run", lesson, *options, "--mode", mode)
        assert [round(item, 6) for item in report["nodes"]["w0"]["gradient"]] == [-28.0, 28.0]
        assert round(report["nodes"]["w1"]["gradient"], 6) == 0.0


def test_an_operation_without_symbolic_form_is_refused_by_its_node(do, tmp_path):
    path = tmp_path / "floor.cadena"
    save(graph(x=1.5, y=("floor", "x")), path)
    with pytest.raises(Refused) as refused:
        do("run", path, "--mode", "symbolic")
    assert str(refused.value) == f"{path}: --mode symbolic: y: floor has no symbolic form here; use another method"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--output", "Q"], "--output: there is no node 'Q'; the nodes are w0, w1"),
        (["--wrt", "w0,Q"], "--wrt: there is no node 'Q'; the nodes are w0, w1"),
        (["--set", "Q=1"], "--set: there is no node 'Q'; the nodes are w0, w1"),
        (["--set", "c=1"], "--set c: c is computed from its operands; set the value of"),
        (["--set", "w0=two"], "--set w0: 'two' is not a number; type a number such as"),
        (["--set", "w0=__import__('os')"], "--set w0: "),
        (["--set", "w0=[[1], [2, 3]]"], "--set w0: the rows of"),
        (["--set", "w0"], "--set w0: a value is missing; write NAME=VALUE"),
        (["--seed", "[1, 2]"], "--seed: the seed must be a number or have the shape () of L"),
        (["--seed", "one"], "--seed: 'one' is not a number; type"),
        (["--mode", "symbolic", "--set", "k=inf"], "--mode symbolic: k is inf, which has no place in an expression"),
        (["--mode", "forward", "--set", "w0=[1, 2]"], "--mode forward: L has shape (2,), and a gradient is that of a"),
    ],
)
def test_what_cannot_be_done_is_refused_with_file_and_option(do, lesson, options, sentence):
    with pytest.raises(Refused) as refused:
        do("run", lesson, *options)
    assert str(refused.value).startswith(f"{lesson}: {sentence}")


def test_a_table_of_the_gradients_of_an_array_did_not_say_that_they_are_those_of_its_sum(do, tmp_path):
    path = tmp_path / "array.cadena"
    save(graph("y", x=[1.0, 2.0], y=("sin", "x")), path)
    told = "y has 2 elements, and the gradients are those of their sum; --seed weights them.\n"
    assert do("run", path)[1].endswith(told)
    assert told not in do("run", path, "--seed", "[1, 2]")[1]


@pytest.mark.parametrize("engine", ["torch", "jax"])
def test_an_engine_that_is_not_installed_is_said_with_the_line_that_installs_it(do, lesson, monkeypatch, engine):
    from cadena.core.languages import engines

    monkeypatch.setattr(engines, "find_spec", lambda name: None)
    with pytest.raises(Refused, match=rf"{lesson}: the engine {engine} needs .*; pip install {engine}"):
        do("run", lesson, "--engine", engine)


def test_an_engine_is_for_reverse_mode(do, lesson):
    with pytest.raises(Refused, match="--engine jax: this is for reverse mode; leave out --mode forward"):
        do("run", lesson, "--engine", "jax", "--mode", "forward")


@pytest.mark.parametrize("devices", ["0", "-1", "two", "1.5"])
def test_devices_are_counted(do, lesson, devices):
    with pytest.raises(Refused, match=r"argument --devices: .* is not a number of devices; write 1, 2, 3"):
        do("run", lesson, "--engine", "jax", f"--devices={devices}")


def test_numpy_has_no_devices_to_share_out(do, lesson):
    with pytest.raises(Refused, match="the engine numpy runs on one device; choose the engine jax"):
        do("run", lesson, "--devices", "2")


def test_numbers_that_take_another_branch_exited_with_0(do, tmp_path):
    frozen = Path(__file__).parents[1] / "storage" / "frozen" / "v2_guards.cadena"
    for verb in ("run", "check"):
        status, _, errors = do(verb, frozen, "--set", "x=-2.5")
        assert status == 1
        said = " ".join(map(str, errors))
        assert "line 7 took the branch x > 0; with these numbers it would not" in said
        assert "line 9 went on with int(x) = 2; with these numbers it is" in said
    do("export", frozen, "--to", "numpy", "-o", str(tmp_path / "program.py"))
    program = (tmp_path / "program.py").read_text("utf-8")
    assert "Holds for numbers with which the code still goes the same way: x > 0 in line 7" in program
