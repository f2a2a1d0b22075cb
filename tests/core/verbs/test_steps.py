from __future__ import annotations

import re


def test_the_steps_tell_the_chain_rule_in_numbered_sentences(do, lesson):
    status, told, errors = do("steps", lesson)
    assert (status, errors) == (0, [])
    lines = told.splitlines()
    assert [int(line.split(".")[0]) for line in lines] == list(range(1, len(lines) + 1))
    assert all(line.endswith(".") for line in lines)
    assert re.search(r" 9\. The reverse pass begins at L", told)
    assert re.search(r"w0 through m1: .*-7 · 4 = -28\.", lines[-1])
    assert "−" not in told


def test_json_is_as_the_contract_says(do, lesson):
    status, report, errors = do("steps", lesson, "--json")
    assert (status, errors, list(report)) == (0, [], ["steps"])
    steps = report["steps"]
    assert [step["index"] for step in steps] == list(range(21))
    assert [step["phase"] for step in steps] == ["forward"] * 8 + ["seed"] + ["reverse"] * 12
    assert list(steps[0]) == ["index", "phase", "node", "sentence", "latex"]
    last = steps[-1]
    assert (last["node"], last["slot"], last["operand"]) == ("m1", 0, "w0")
    assert (last["upstream"], last["local"], last["contribution"], last["accumulated"]) == (-7.0, 4.0, -28.0, -28.0)
    assert all(step["sentence"] and step["latex"] for step in steps)


def test_contributions_accumulate_where_two_paths_meet(do, lesson):
    _, report, _ = do("steps", lesson, "--wrt", "a1", "--json")
    arrivals = [step for step in report["steps"] if step.get("operand") == "a1"]
    assert sorted(step["contribution"] for step in arrivals) == [-27.0, -14.0]
    assert arrivals[0]["accumulated"] == arrivals[0]["contribution"]
    assert arrivals[1]["accumulated"] == -41.0


def test_a_step_of_a_matrix_operation_has_no_local_derivative(do, tmp_path):
    path = tmp_path / "sum.cadena"
    path.write_text(
        '{"format": "cadena", "version": 1, "output": "s", "nodes": ['
        '{"name": "w", "op": "parameter", "value": [1, 2]}, {"name": "s", "op": "sum", "inputs": ["w"]}]}'
    )
    _, report, _ = do("steps", path, "--json")
    assert report["steps"][-1]["local"] is None
    assert report["steps"][-1]["contribution"] == [1.0, 1.0]


def test_a_graph_with_faults_tells_what_runs_and_what_does_not(do, faulty):
    status, told, errors = do("steps", faulty)
    assert (status, len(errors)) == (1, 3)
    assert "z is" in told
