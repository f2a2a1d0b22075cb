from __future__ import annotations

import pytest

from cadena.core.graph.fault import Refused
from cadena.core.storage.files import save
from tests.core.graphs import graph


@pytest.fixture
def dead(tmp_path):
    path = tmp_path / "dead.cadena"
    save(graph(w=-2.0, v=3.0, unused=1.0, r=("relu", "w"), L=("add", "r", "v")), path)
    return path


def test_without_a_name_every_leaf_without_a_gradient_is_explained(do, dead):
    status, told, errors = do("why", dead)
    assert (status, errors) == (0, [])
    first, second = told.splitlines()
    assert first.startswith("The gradient of w is 0: relu in r is closed: its operand w = -2 is not positive; ")
    assert second.startswith("The gradient of unused is None: no operation reads it, so L does not depend on it; ")


def test_a_name_that_has_a_gradient_is_answered_with_it(do, dead):
    assert do("why", dead, "v")[:2] == (0, "The gradient of v is 1: neither None nor 0.\n")
    assert do("why", dead, "w", "--set", "w=2")[1] == "The gradient of w is 1: neither None nor 0.\n"


def test_json_has_the_reasons_of_each_name(do, dead):
    status, report, _ = do("why", dead, "--json")
    assert status == 0 and report["output"] == "L"
    assert [(one["name"], one["gradient"], len(one["reasons"])) for one in report["gradients"]] == [
        ("w", 0.0, 1),
        ("unused", None, 1),
    ]


def test_a_graph_with_a_fault_is_answered_where_it_runs(do, faulty):
    status, told, errors = do("why", faulty, "p")
    assert status == 0 and "a fault keeps the node from running; fix its faults, which cadena validate lists" in told
    assert errors


def test_an_unknown_name_is_refused(do, dead):
    with pytest.raises(Refused, match="NAME: there is no node 'zz'"):
        do("why", dead, "zz")
