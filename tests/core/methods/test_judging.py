"""Which method is believed, and why."""

from __future__ import annotations

import numpy as np
import pytest

from cadena.core.methods.compare import compare
from cadena.core.methods.judging import Evidence, judge
from tests.core.graphs import graph

HIDDEN = {
    "relu": {"x": 0.0, "a": ("relu", "x"), "n": ("negative", "x"), "b": ("relu", "n"), "y": ("subtract", "a", "b")},
    "floor": {"x": 1.0, "a": ("floor", "x"), "y": ("maximum", "x", "a")},
}


@pytest.mark.parametrize(("kind", "nodes"), [("a tie of a", HIDDEN["relu"]), ("an edge of a", HIDDEN["floor"])])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_edges_that_cancel_leave_a_slope_that_the_rules_do_not_give(kind, nodes, dtype):
    """Such a rule was accused, or believed: relu(x) - relu(-x) is x."""
    (row,) = (found := compare(graph(**nodes), dtype=dtype)).rows
    assert not found.agrees and row.judgement.believed == "central difference"
    said = f"the point is {kind}, where the rules take a slope by convention, and the output has none there"
    assert row.judgement.sentence.endswith(f"believe central difference, as {said}")


def test_a_vague_quotient_that_agrees_with_everybody_is_not_believed():
    numbers = {"reverse": 8.022e-12, "forward": 8.022e-12, "central difference": 7.9e-12, "symbolic": 8.023e-12}
    evidence = Evidence("x", numbers, {"central difference": 1e-12}, 1.0, 1e-16)
    assert judge(evidence, None, "float64", None).believed == "symbolic"


def test_an_edge_next_to_the_point_that_quotients_do_not_see_apart_hides_nothing():
    """At 1e-7 beyond the bound the slope is 0, and float32's quotient of 0.5 was believed."""
    bounds = {"min": 1e-7, "max": 1 - 1e-7}
    found = compare(graph(x=[0.0, 1.0, 0.5], p=("clip", "x", bounds), l=("log", "p"), y=("sum", "l")), dtype="float32")
    assert found.rows[0].judgement.believed == "symbolic" and "edge" not in found.verdict


def test_a_method_that_judging_does_not_know_left_nobody_to_believe():
    judged = judge(
        Evidence("x", {"reverse": np.nan, "forward": np.nan, "new": 2.0}, {}, 2.0, 1e-9), None, "float64", None
    )
    assert judged.believed == "new"


def test_no_rule_is_accused_where_forward_mode_overflows():
    evidence = Evidence("x", {"reverse": 1.0, "forward": np.nan, "symbolic": 0.0, "complex step": 0.0}, {}, 1.0, 1e-3)
    said = "believe symbolic, as numbers overflow, vanish or lose their meaning in float16 on the way, first at l"
    assert judge(evidence, None, "float16", "l").sentence.endswith(said)


def test_symbols_are_believed_where_all_others_share_a_rounding():
    """sigmoid(100) − 1 is 0 in float64, and so said everybody but symbols."""
    loss = ("binary_cross_entropy_with_logits", "x", "t")
    (row,) = compare(graph(x=[100.0, -100.0], t=("input", [1.0, 0.0]), y=loss)).rows
    assert row.judgement.believed == "symbolic"
    assert row.evidence.numbers["symbolic"] == pytest.approx(-1.86003798e-44)


def test_where_reverse_mode_is_believed_no_rule_is_accused():
    """Central differences were wrong, symbols and the rules right, and the sentence suspected a custom gradient."""
    numbers = {"reverse": 2.0, "forward": 2.0, "central difference": 5.0, "symbolic": 2.0}
    judged = judge(Evidence("x", numbers, {}, 2.0, 1e-9), None, "float64", None)
    assert judged.status == "differ" and judged.others == ("central difference",)
    assert judged.sentence.endswith(
        "believe symbolic, as reverse mode, whose rules are exact, gives the same, and the others lose digits here"
    )
