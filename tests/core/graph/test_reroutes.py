"""Reroute points: kept with the node that a wire ends at, whatever a file holds there."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec.structs import replace as with_fields

from cadena.core.graph import edits
from cadena.core.graph.document import changes
from cadena.core.graph.reroutes import KEY, place_for, points_of, reroutes, with_points, without_points
from cadena.core.storage import files
from cadena.core.teaching.lessons import open_lesson

LESSON = open_lesson("1")
WIRE = ("m1", 1)
BENT = with_points(LESSON, WIRE, [(10.0, 20.0), (30.0, 40.0)])


def test_points_are_read_as_they_were_set_and_no_number_changes():
    assert points_of(BENT, WIRE) == ((10.0, 20.0), (30.0, 40.0)) and points_of(BENT, ("m1", 0)) == ()
    assert not changes(LESSON, BENT).structural
    assert with_points(BENT, WIRE, ()).nodes == without_points(BENT, ["m1", "c"]).nodes == LESSON.nodes


def test_points_go_along_with_the_card_and_into_a_copy():
    x, y = BENT.layout["m1"]
    moved = edits.move(BENT, {"m1": (x + 5.0, y - 5.0)})
    assert points_of(moved, WIRE) == ((15.0, 15.0), (35.0, 35.0))
    renamed = edits.rename(BENT, "m1", "product")
    assert points_of(renamed, ("product", 1)) == points_of(BENT, WIRE)
    pasted, (copy,) = edits.paste(BENT, edits.fragment(BENT, ["m1"]), (100.0, 0.0))
    assert points_of(pasted, (copy, 1)) == ((110.0, 20.0), (130.0, 40.0))


def test_a_file_keeps_them(tmp_path):
    files.save(BENT, tmp_path / "bent.cadena")
    assert points_of(files.load(tmp_path / "bent.cadena"), WIRE) == points_of(BENT, WIRE)


@pytest.mark.parametrize(
    "stored",
    [3, [], {"x": [[1, 2]]}, {"1": 3}, {"1": [3]}, {"1": [[1]]}, {"1": [[1, "2"]]}, {"1": [[1e300, 0]]},
     {"1": [[float("nan"), 0.0]]}, {"1": [[0.0, 0.0]] * 101}],
)  # fmt: skip
def test_what_nobody_can_read_bends_nothing(stored):
    node = with_fields(LESSON.nodes["m1"], extra={KEY: stored})
    document = replace(LESSON, nodes={**LESSON.nodes, "m1": node})
    assert reroutes(document, "m1") == {}
    assert points_of(with_points(document, WIRE, [(1.0, 2.0)]), WIRE) == ((1.0, 2.0),)


def test_a_new_point_comes_where_it_makes_the_way_least_longer():
    points = [(100.0, 0.0), (200.0, 0.0)]
    assert [place_for(points, (x, 5.0), (0.0, 0.0), (300.0, 0.0)) for x in (50.0, 150.0, 290.0)] == [0, 1, 2]
