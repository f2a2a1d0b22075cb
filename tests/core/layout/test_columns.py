"""Columns of the automatic layout: operands left of consumers, short wires, few crossings."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cadena.core.layout.columns import BENDS_PER_NODE, Wires, crossings, layers, make_columns
from tests.thorough import tries


@st.composite
def wires(draw: st.DrawFn, most: int = 14) -> Wires:
    """Any graph without cycles; a node may feed another through several slots."""
    count = draw(st.integers(1, most))
    pairs = st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)).filter(lambda pair: pair[0] < pair[1])
    drawn = draw(st.lists(pairs, max_size=3 * count)) if count > 1 else []
    return Wires.of(count, [(source, target, draw(st.sampled_from([-0.17, 0.0, 0.17]))) for source, target in drawn])


def ends(graph: Wires) -> list[tuple[int, int]]:
    return list(zip(graph.source.tolist(), graph.target.tolist(), strict=True))


@given(wires())
def test_every_operand_stands_left_of_its_consumers_and_wires_are_not_longer_than_needed(graph):
    column = layers(graph)
    assert all(column[source] < column[target] for source, target in ends(graph)) and min(column) >= 0
    for node in range(graph.count):
        consumers = [column[target] for source, target in ends(graph) if source == node]
        if consumers and not any(target == node for _, target in ends(graph)):
            assert column[node] == min(consumers) - 1  # a leaf stands next to its first consumer


@given(wires())
def test_every_node_has_a_place_and_every_long_wire_a_bend_in_each_column_that_it_passes(graph):
    columns = make_columns(graph)
    items = np.concatenate(columns.members).tolist()
    assert sorted(items) == list(range(len(columns.column)))
    assert all(np.all(columns.column[members] == number) for number, members in enumerate(columns.members))
    passed = columns.column[graph.target] - columns.column[graph.source] - 1
    bends = np.bincount(columns.bend_wire, minlength=len(graph.source))
    assert np.all((bends == passed) | (bends == 0)) and len(columns.bend_wire) <= BENDS_PER_NODE * graph.count
    if passed.sum() <= BENDS_PER_NODE * graph.count:
        assert np.array_equal(bends, passed)


@tries(40)
@given(st.lists(st.tuples(*[st.integers(0, 6)] * 4), min_size=1, max_size=8))
def test_crossings_are_counted_as_by_looking_at_every_pair_of_lines(lines):
    def side(line: tuple[int, ...], x: int, y: int) -> int:
        return int(np.sign((line[2] - line[0]) * (y - line[1]) - (line[3] - line[1]) * (x - line[0])))

    def cross(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
        return side(a, b[0], b[1]) * side(a, b[2], b[3]) < 0 and side(b, a[0], a[1]) * side(b, a[2], a[3]) < 0

    assert crossings(*np.array(lines, dtype=float).T) == sum(cross(a, b) for a, b in combinations(lines, 2))


@pytest.mark.parametrize("height", [4, 16])
def test_a_tree_is_laid_out_without_any_crossing(height):
    """Leaves in an order that has nothing to do with the tree."""
    leaves = list(np.random.default_rng(height).permutation(height))
    level, made, pairs = [int(leaf) for leaf in leaves], height, []
    while len(level) > 1:
        merged = []
        for left, right in zip(level[::2], level[1::2], strict=True):
            pairs += [(left, made, -0.17), (right, made, 0.17)]
            merged.append(made)
            made += 1
        level = merged
    columns = make_columns(Wires.of(made, pairs))
    place = {int(item): i for members in columns.members for i, item in enumerate(members)}
    lines = np.array([(columns.column[a], place[a], columns.column[b], place[b] + offset) for a, b, offset in pairs])
    assert crossings(*lines.T) == 0


def test_operands_stand_in_the_order_of_their_slots():
    columns = make_columns(Wires.of(3, [(0, 2, 0.17), (1, 2, -0.17)]))
    assert [members.tolist() for members in columns.members] == [[1, 0], [2]]


def test_a_graph_without_wires_is_one_column():
    assert [members.tolist() for members in make_columns(Wires.of(3, [])).members] == [[0, 1, 2]]
