from __future__ import annotations

import re

import pytest

from cadena.core.graph.fault import Refused
from cadena.core.storage.files import save
from cadena.core.teaching.lessons import lesson_path
from tests.core.graphs import graph


def test_the_steps_tell_the_chain_rule_in_numbered_sentences(do, lesson):
    status, told, errors = do("steps", lesson)
    assert (status, errors) == (0, [])
    lines = told.splitlines()
    assert [int(line.split(".")[0]) for line in lines] == list(range(1, len(lines) + 1))
    assert all(line.endswith(".") for line in lines)
    assert re.search(r" 9\. The reverse pass begins at L", told)
    assert re.search(r"w0 receives -28 from m1: .*-7 · 4 = -28\.", lines[-1])
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


# --- forward mode


def test_forward_mode_tells_value_and_derivative_together_pass_by_pass(do, lesson):
    status, told, errors = do("steps", lesson, "--mode", "forward")
    lines = told.splitlines()
    assert (status, errors) == (0, [])
    assert lines[0] == "Pass 1 of 5: the tangent of w0 is 1, all others are 0."
    assert lines[1] == " 1. m1 is w0 times a1: 2 · 4 = 8; its derivative ∂m1/∂w0 is 4 · 1 = 4."
    assert lines[2] == " 2. m2 is w1 times a2: 5 · 3 = 15; its derivative ∂m2/∂w0 is 0."
    assert lines[8] == " 8. L is 15 minus c: 15 - 269 = -254; its derivative ∂L/∂w0 is (-1) · 28 = -28."
    assert len(lines) == 5 * 9


def test_forward_mode_in_json_has_the_phase_tangent(do, lesson):
    _, report, _ = do("steps", lesson, "--mode", "forward", "--wrt", "w0,a1", "--json")
    steps = report["steps"]
    assert [step["index"] for step in steps] == list(range(16))
    assert {step["phase"] for step in steps} == {"tangent"}
    assert [step["direction"] for step in steps] == ["w0"] * 8 + ["a1"] * 8
    ends = [(step["node"], step["value"], step["tangent"]) for step in steps if step["node"] == "L"]
    assert ends == [("L", -254.0, -28.0), ("L", -254.0, -41.0)]
    assert [step["pass"] for step in steps] == [0] * 8 + [1] * 8
    assert steps[0]["latex"].startswith(r"m_{1} = w_{0} \cdot a_{1} = 8 \quad \frac{\partial m_{1}}{\partial w_{0}} = ")
    assert steps[0]["latex"].endswith(r" = 4 \cdot 1 = 4")


def test_a_step_of_forward_mode_through_arrays_shows_the_tangent(do, tmp_path):
    path = tmp_path / "sum.cadena"
    save(graph(w=[1.0, 2.0], q=("square", "w"), s=("sum", "q")), path)
    _, told, _ = do("steps", path, "--mode", "forward")
    assert "its derivative ∂q/∂w[1] is [0, 4]." in told
    assert told.splitlines()[-1].endswith("its derivative ∂s/∂w[1] is 4.")


def test_forward_mode_goes_through_all_passes_not_only_as_many_as_the_window_shows(do, tmp_path):
    path = tmp_path / "many.cadena"
    save(graph(w=[float(number) for number in range(20)], q=("square", "w"), s=("sum", "q")), path)
    _, told, _ = do("steps", path, "--mode", "forward")
    assert told.splitlines()[0].startswith("Pass 1 of 20: ") and told.splitlines()[-1].endswith("∂s/∂w[19] is 38.")
    _, report, _ = do("steps", path, "--mode", "forward", "--json")
    assert [step["direction"] for step in report["steps"]][::2] == [f"w[{number}]" for number in range(20)]


def test_forward_mode_without_an_output_is_refused(do, tmp_path):
    path = tmp_path / "none.cadena"
    path.write_text('{"format": "cadena", "version": 1, "nodes": []}')
    with pytest.raises(Refused, match="--mode forward: the graph has no output; choose one with --output"):
        do("steps", path, "--mode", "forward")


def test_forward_mode_carries_several_tangents_in_a_pass(do, lesson):
    status, told, errors = do("steps", lesson, "--mode", "forward", "--width", "all")
    lines = told.splitlines()
    assert (status, errors, len(lines)) == (0, [], 1 + 8)
    assert lines[0] == "Pass 1 of 1, 5 tangents, along w0 to w4: each is 1 at its element, 0 at all others."
    _, report, _ = do("steps", lesson, "--mode", "forward", "--width", "2", "--json")
    outputs = [step for step in report["steps"] if step["node"] == "L"]
    assert [step["directions"] for step in outputs] == [["w0", "w1"], ["w2", "w3"], ["w4"]]
    assert [step["tangents"] for step in outputs] == [[-28.0, -21.0], [-12.0, -23.0], [-36.0]]
    assert [step["pass"] for step in outputs] == [0, 1, 2] and {step["phase"] for step in report["steps"]} == {
        "tangent"
    }


# --- differences and symbols


def test_differences_tell_both_runs_and_the_quotient(do, lesson):
    status, told, errors = do("steps", lesson, "--mode", "difference", "--step-size", "0.5", "--along", "w3")
    lines = told.splitlines()
    assert (status, errors, len(lines)) == (0, [], 3 + 17)
    assert [line for line in lines if line.endswith(":")] == ["At w3 + h:", "At w3 - h:", "Quotient:"]
    assert lines[-2] == "Quotient:" and "Quotient -23, " in lines[-1] and "everse mode gives -23." in lines[-1]


@pytest.mark.parametrize("kind", ["central", "forward", "complex"])
def test_every_kind_of_difference_has_steps_in_json(do, lesson, kind):
    _, report, _ = do("steps", lesson, "--mode", "difference", "--kind", kind, "--along", "w3", "--json")
    *runs, last = report["steps"]
    assert [step["index"] for step in report["steps"]] == list(range(len(report["steps"])))
    assert {step["kind"] for step in report["steps"]} == {kind}
    assert {step["direction"] for step in report["steps"]} == {"w3"}
    assert len({step["step_size"] for step in report["steps"]}) == 1
    assert (last["phase"], last["node"], last["gradient"]) == ("quotient", "w3", -23.0)
    assert abs(last["quotient"] - -23.0) <= max(3.0 * last["error"], 1e-9)
    outputs = [step for step in runs if step["node"] == "L"]
    h = last["step_size"]
    if kind == "complex":
        assert [step["imaginary"] / h for step in outputs] == pytest.approx([-23.0])
    else:
        times = {"central": (1.0, -1.0), "forward": (0.0, 1.0)}[kind]
        assert [step["value"] for step in outputs] == pytest.approx([-254.0 - 23.0 * h * many for many in times])


def test_differences_of_an_array_move_the_element_that_is_asked_for(do, tmp_path):
    path = tmp_path / "sum.cadena"
    save(graph(w=[[1.0, 2.0], [3.0, 4.0]], q=("square", "w"), s=("sum", "q")), path)
    _, report, _ = do("steps", path, "--mode", "difference", "--along", " w [1, 0] ", "--step-size", "0.25", "--json")
    assert report["steps"][-1]["direction"] == "w[1, 0]" and report["steps"][-1]["quotient"] == 6.0
    assert report["steps"][0]["value"] == [[1.0, 4.0], [3.25**2, 16.0]]
    _, report, _ = do("steps", path, "--mode", "difference", "--along", "w", "--json")
    assert report["steps"][-1]["direction"] == "w[0, 0]"


def test_symbols_tell_the_expressions_and_all_derivatives(do, tmp_path):
    path = tmp_path / "many.cadena"
    save(graph(w=[float(number) for number in range(8)], q=("square", "w"), s=("sum", "q")), path)
    _, told, _ = do("steps", path, "--mode", "symbolic")
    lines = told.splitlines()
    assert lines[0] == "Expressions:" and lines[3] == "Derivatives:" and len(lines) == 2 + 2 + 8
    _, report, _ = do("steps", path, "--mode", "symbolic", "--json")
    square, total, *derivatives = report["steps"]
    assert square["expression"][:2] == ["w[0]**2", "w[1]**2"] and total["phase"] == "expression"
    assert total["operations"] == 15 and total["value"] == 140.0
    assert derivatives[7]["direction"] == "w[7]" and derivatives[7]["derivative"] == "2*w[7]"
    assert [step["value"] for step in derivatives] == [2.0 * number for number in range(8)]


def test_a_lesson_that_goes_back_three_times_tells_all_passes(do):
    """Only the first pass was listed, without the accumulated sum that lesson 4 is about."""
    _, told, _ = do("steps", lesson_path("4"))
    lines = told.splitlines()
    assert len(lines) == 47 + 4
    assert [line for line in lines if line.endswith(":")] == [
        "Forward pass:", "Backward pass 1:", "Backward pass 2:", "Backward pass 3 after zero_grad:",
    ]  # fmt: skip
    assert "34. w0 receives -28 from m1: " in told and "w0 now holds the sum -56." in told
    _, report, _ = do("steps", lesson_path("4"), "--json")
    held = [step["accumulated"] for step in report["steps"] if step.get("operand") == "w0"]
    assert held == [-28.0, -56.0, -28.0]
