"""Chosen cards in line, evenly spread, and pushed aside by what grows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cadena.core.graph import edits
from cadena.core.graph.document import Document
from cadena.core.layout import aligning
from cadena.core.layout.arrange import COLUMN_GAP, NUMBER_CARD, card_sizes, tensor_card

WIDTH, HEIGHT = NUMBER_CARD
TENSOR_CARD = tensor_card((3, 2))
coordinates = st.integers(-40, 40).map(lambda at: 30.0 * at)


def cards(*places: tuple[float, float]) -> Document:
    document = Document({})
    for number, place in enumerate(places):
        document = edits.add(document, "parameter", place, f"w{number}")
    return document


def overlaps(document: Document, sizes) -> list[tuple[str, str]]:
    boxes = {name: aligning._box(at, sizes[name]) for name, at in document.layout.items()}
    return [(a, b) for a in boxes for b in boxes if a < b and aligning._meet(boxes[a], boxes[b])]


@pytest.mark.parametrize(
    ("side", "places"),
    [
        ("left", [(0, 0), (0, 100), (0, 300)]), ("right", [(90, 0), (90, 100), (90, 300)]),
        ("centre", [(50, 0), (50, 100), (50, 300)]), ("top", [(0, 0), (60, 0), (90, 0)]),
        ("bottom", [(0, 300), (60, 300), (90, 300)]),
    ],
)  # fmt: skip
def test_a_side_of_the_cards_comes_into_line(side, places):
    document = cards((0, 0), (60, 100), (90, 300))
    aligned = aligning.align(document, list(document.nodes), side, card_sizes(document))
    assert list(aligned.layout.values()) == places


def test_cards_of_different_sizes_are_aligned_by_their_sides():
    document, sizes = cards((0, 0), (60, 100)), {"w0": NUMBER_CARD, "w1": TENSOR_CARD}
    aligned = aligning.align(document, ["w0", "w1"], "right", sizes)
    assert aligned.layout["w0"][0] + NUMBER_CARD[0] == aligned.layout["w1"][0] + TENSOR_CARD[0] == 244.0


def test_gaps_become_equal_and_the_ends_stay():
    document = cards((0, 0), (150, 0), (900, 0))
    spread = aligning.distribute(document, list(document.nodes), 0, card_sizes(document))
    assert [x for x, _ in spread.layout.values()] == [0.0, 450.0, 900.0]


def test_cards_without_room_for_gaps_are_spread_all_the_same():
    document = cards((0, 0), (0, 10), (0, 20))
    spread = aligning.distribute(document, list(document.nodes), 1, card_sizes(document))
    assert overlaps(spread, card_sizes(document)) == []


def test_cards_of_one_column_were_distributed_as_the_order_of_a_set_had_it():
    document = cards((0, 128), (0, 0), (300, 64))
    sizes = card_sizes(document)
    for names in (["w0", "w1", "w2"], ["w2", "w1", "w0"]):
        layout = aligning.distribute(document, names, 0, sizes).layout
        assert layout["w1"][0] < layout["w0"][0] < layout["w2"][0]


def test_a_straightened_wire_runs_level_and_a_card_covers_no_other():
    document = edits.add(cards((0, 0)), "sin", (200, 60), "s")
    document = edits.connect(document, "w0", "s", 0)
    sizes = card_sizes(document)
    assert aligning.straighten(document, ["s"], sizes).layout["s"] == (200.0, 0.0)
    blocked = edits.add(document, "parameter", (210, -20), "in_the_way")
    assert aligning.straighten(blocked, ["s"], card_sizes(blocked)).layout["s"] == (200.0, 60.0)


def test_a_selection_is_arranged_by_itself_and_covers_nothing():
    document = cards((0, 0), (5, 5), (300, 20))
    for name, source in (("s", "w0"), ("t", "s")):
        document = edits.connect(edits.add(document, "sin", (10, 10), name), source, name, 0)
    arranged = aligning.arrange_part(document, ["w0", "s", "t"], card_sizes(document))
    assert arranged.layout["w1"] == (5.0, 5.0) and arranged.layout["w2"] == (300.0, 20.0)
    assert arranged.layout["w0"][0] < arranged.layout["s"][0] < arranged.layout["t"][0]
    assert overlaps(arranged, card_sizes(document)) == []


@given(st.lists(st.tuples(coordinates, coordinates), min_size=2, max_size=12, unique=True))
def test_what_grows_covers_nothing_that_it_did_not_cover(places):
    document = cards(*places)
    before = card_sizes(document)
    after = {**before, "w0": TENSOR_CARD}
    covered = overlaps(document, before)
    roomy = aligning.make_room(document, before, after)
    assert roomy.layout["w0"] == document.layout["w0"]
    if not covered:
        assert overlaps(roomy, after) == []


def test_nothing_moves_where_nothing_grows():
    document = cards((0, 0), (130, 0))
    assert aligning.make_room(document, card_sizes(document), card_sizes(document)) is document


def chain(*places):
    """w0, then sines of each other."""
    document = cards(places[0])
    for number, place in enumerate(places[1:]):
        source = "w0" if number == 0 else f"s{number - 1}"
        document = edits.connect(edits.add(document, "sin", place, f"s{number}"), source, f"s{number}", 0)
    return document


@given(st.lists(st.tuples(coordinates, coordinates), min_size=3, max_size=12, unique=True))
def test_a_card_between_two_others_covers_none_behind_it(places):
    document = chain(*places)
    sizes = card_sizes(document)
    roomy = aligning.make_room_between(document, "s0", "w0", "s1", sizes)
    if overlaps(document, {name: sizes[name] for name in sizes if name != "s0"} | {"s0": (0.0, 0.0)}):
        return
    if document.layout["s1"][0] > document.layout["w0"][0]:
        left, right = roomy.layout["s0"][0], roomy.layout["s0"][0] + NUMBER_CARD[0]
        assert roomy.layout["w0"][0] + NUMBER_CARD[0] + COLUMN_GAP <= left
        assert right + COLUMN_GAP <= roomy.layout["s1"][0]
        assert not any("s0" in pair for pair in overlaps(roomy, sizes))
    else:
        assert roomy is document


def test_a_gap_is_closed_where_a_column_is_empty_now():
    wide, step = NUMBER_CARD[0], NUMBER_CARD[0] + COLUMN_GAP
    document = chain((0, 0), (step, 0), (2 * step, 200), (3 * step, 0))
    closed = aligning.close_gaps(edits.remove(document, ["s0"]), document, card_sizes(document))
    assert [closed.layout[name] for name in ("w0", "s1", "s2")] == [(0, 0), (step, 200), (2 * step, 0)]
    beside = edits.add(document, "parameter", (step + wide / 2, 400), "k")
    closed = aligning.close_gaps(edits.remove(beside, ["s0"]), beside, card_sizes(beside))
    assert closed.layout["s1"] == (2 * step, 200)  # k stands in that column
