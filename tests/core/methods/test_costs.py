from dataclasses import replace

import pytest

from cadena.core.graph.fault import Refused
from cadena.core.methods.answer import Cancelled
from cadena.core.methods.costs import costs, node_of_several
from cadena.core.teaching.lessons import open_lesson


def test_forward_mode_takes_a_pass_for_each_input():
    node, rows = costs(open_lesson("11"), "inputs")
    assert node == "L"
    assert [row.forward_passes for row in rows] == [row.inputs for row in rows]
    assert {row.reverse_passes for row in rows} == {1}
    assert rows[0].inputs == 1 and rows[-1].inputs == 15


def test_reverse_mode_takes_a_pass_for_each_output():
    node, rows = costs(open_lesson("11"), "outputs")
    assert node == node_of_several(open_lesson("11"))
    assert [row.outputs for row in rows] == [1, 2, 3, 4, 5, 6] == [row.reverse_passes for row in rows]
    assert {row.forward_passes for row in rows} == {15} == {row.inputs for row in rows}
    assert all(row.forward_seconds > 0.0 and row.reverse_seconds > 0.0 for row in rows)


def test_what_has_no_cost_is_refused():
    with pytest.raises(Refused, match="no node before L has several elements"):
        costs(open_lesson("1"), "outputs")
    with pytest.raises(Refused, match="there is no output that runs"):
        costs(replace(open_lesson("1"), output=None), "outputs")


def test_measuring_can_be_cancelled():
    with pytest.raises(Cancelled):
        costs(open_lesson("11"), "inputs", lambda: True)
