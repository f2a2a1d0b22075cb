from __future__ import annotations

import pytest

from cadena.core.graph.fault import Refused
from cadena.core.storage.files import save
from tests.core.graphs import graph


def test_json_is_as_the_contract_says(do, lesson):
    status, report, errors = do("paths", lesson, "--from", "a1", "--json")
    assert (status, errors) == (0, [])
    assert report == {
        "from": "a1",
        "to": "L",
        "paths": [
            {"nodes": ["a1", "m1", "b1", "m3", "c", "L"], "factors": [2.0, 1.0, 7.0, 1.0, -1.0], "product": -14.0},
            {"nodes": ["a1", "b2", "m4", "c", "L"], "factors": [9.0, 3.0, 1.0, -1.0], "product": -27.0},
        ],
        "sum": -41.0,
        "count": 2,
    }


def test_the_calculation_is_printed_with_every_path_and_the_sum(do, lesson):
    status, told, errors = do("paths", lesson, "--from", "a1")
    assert (status, errors) == (0, [])
    assert told.startswith("From a1 to L: 2 paths, all through c\n")
    assert "1. a1 → m1 → b1 → m3 → c → L" in told and "= (-1) · 1 · 7 · 1 · 2 = -14" in told
    assert "∂L/∂a1 = -14 + (-27) = -41" in told


def test_a_matrix_product_has_no_factor_and_its_path_a_product(do, tmp_path):
    save(graph(W=[[1.0, 2.0]], x=("input", [3.0, 4.0]), y=("matmul", "W", "x"), L=("sum", "y")), tmp_path / "m.cadena")
    _, report, _ = do("paths", tmp_path / "m.cadena", "--from", "W", "--json")
    (path,) = report["paths"]
    assert path["factors"][0] is None and path["product"] == report["sum"] == [[3.0, 4.0]]


def test_another_value_and_output_are_taken(do, lesson):
    _, report, _ = do("paths", lesson, "--from", "w0", "--json", "--set", "a1=5", "--output", "b1")
    assert (report["to"], report["sum"]) == ("b1", 5.0)


def test_no_path_is_told_and_is_no_fault(do, lesson):
    status, told, errors = do("paths", lesson, "--from", "L", "--output", "w0")
    assert (status, told.strip(), errors) == (0, "No gradient flows from w0 back to L.", [])
    _, report, _ = do("paths", lesson, "--from", "L", "--output", "w0", "--json")
    assert (report["paths"], report["sum"], report["count"]) == ([], None, 0)


def test_too_many_paths_are_counted(do, tmp_path):
    doubled = {f"n{k}": ("add", f"n{k - 1}", f"n{k - 1}") for k in range(1, 21)}
    save(graph(**{"n0": 1.0}, **doubled), tmp_path / "d.cadena")
    _, report, _ = do("paths", tmp_path / "d.cadena", "--from", "n0", "--json")
    assert (report["paths"], report["sum"], report["count"]) == ([], 2.0**20, 2**20)
    _, told, _ = do("paths", tmp_path / "d.cadena", "--from", "n0")
    assert "they are more than 64" in told


def test_an_unknown_node_is_named(do, lesson):
    with pytest.raises(Refused, match="--from: there is no node 'zz'"):
        do("paths", lesson, "--from", "zz")
