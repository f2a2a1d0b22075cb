"""A document made flat."""

from __future__ import annotations

from cadena.core.run.plan import make_plan
from tests.core.graphs import wide


def test_two_plans_of_large_graphs_are_compared_without_a_word_about_arrays():
    """Their columns have no truth value: ValueError, in a showEvent of the window, of which the process died."""
    document = wide(1_000)
    one, other = (make_plan(document, document.output, None) for _ in range(2))
    assert one.columns is not None
    assert one == one and one != other
