"""Places with closed and open blocks: cards, the ends of their wires, rows of leaves; those between two pictures."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF

from cadena.core.expressions.reading import parse
from cadena.core.front import compile
from cadena.core.graph.edits import move
from cadena.core.graph.frames import put_into_frame, set_collapsed
from cadena.core.graph.reroutes import with_points
from cadena.core.layout.arrange import arrange
from cadena.gui.canvas.rendering import leaf_rows
from cadena.gui.canvas.rendering.folded_positions import (
    BELOW_ROWS,
    LEAF_ROW,
    between,
    fold,
    leaves_in_cards,
    nested,
    with_frames,
)
from cadena.gui.canvas.rendering.folding import layout_of
from cadena.gui.canvas.rendering.geometry import Geometry
from cadena.gui.canvas.rendering.hit_boxes import Hit, HitMap

LEAVES = "; ".join(f"w{at} = 0.{at}" for at in range(1, 9))
CHAIN = "; ".join(f"y{at} = sin(y{at - 1}*w{at})" for at in range(1, 9))
TEXT = f"x = 1; v = 2; {LEAVES}; y0 = exp(x)*v; {CHAIN}; z = cos(y0); L = y8 + z*v + y0"


def geometry(document) -> Geometry:
    plan = compile(document).plan
    return Geometry(document, dict(zip(plan.names, plan.shapes, strict=True)))


@pytest.fixture(scope="module")
def flat():
    return geometry(arrange(parse(TEXT)))


@pytest.fixture(scope="module")
def layout(flat):
    return layout_of(flat, True)


@pytest.fixture(scope="module")
def places(flat, layout):
    return nested(flat, layout, layout.places(()))


@pytest.fixture(scope="module")
def opened(flat, layout):
    (repeat,) = (part for part in layout.blocks.root.parts if not isinstance(part, int))
    first = repeat.parts[0]
    return nested(flat, layout, layout.places([layout.blocks.key(repeat), layout.blocks.key(first)]))


def test_a_closed_block_is_one_card_in_the_name_of_its_result(places):
    (block,) = places.folds.values()
    assert set(places.folds) == {"y8"} and block.count == 8 and "w3" in block.members
    seen = {places.names[number] for number in places.cards_in(places.bounds()).tolist()}
    assert {"y0", "y8", "z", "L"} <= seen and not seen & {*block.members} - {"y8"}
    assert places.stands_in("w3") == places.stands_in("y2") == "y8"


def test_no_card_covers_another_and_the_frame_holds_its_cards(opened):
    cards = [opened.card(opened.names[number]) for number in opened.shown_numbers]
    assert not any(one.intersects(other) for at, one in enumerate(cards) for other in cards[:at])
    assert [block.title for block in opened.open_blocks] == ["multiply + sin × 8", "y1"]
    outer = opened.open_blocks[0].edges
    assert QRectF(QPointF(*outer[:2]), QPointF(*outer[2:])).contains(opened.card("y1"))


def test_a_leaf_of_one_operation_is_a_row_of_its_card_and_is_hit_there(opened):
    name = opened.stands_in("w1")
    assert opened.inside[name] == ("w1",) and not opened.is_shown("w1") and not opened.has_port(name, 1)
    assert (name, 0) in opened.ports_of(name) and (name, 1) not in opened.ports_of(name)
    row = leaf_rows.areas(opened, name)["w1"]
    assert opened.card(name).contains(row) and not opened.face(name).intersects(row.adjusted(0, 1, 0, 0))
    assert HitMap(opened).at(row.center(), 1.0) == Hit("leaf_row", "w1")


def test_a_wire_into_a_block_ends_at_its_card_and_those_within_are_gone(places):
    card, first = places.card("y8"), places.names[int(layout_of(places, True).blocks.order[2])]
    start = places.wire("y0", first, 0).currentPosition()
    assert start.x() == card.left() and card.top() < start.y() < card.bottom()
    assert places.output_port("y8").x() == card.right()
    assert not places.shows_wire("y5", 0) and places.shows_wire("L", 0)


def test_a_place_leads_home_to_the_same_place_beside_its_card(flat, places):
    for name in ("L", "z", "y0"):
        beside = QPointF(5.0, 3.0)
        assert places.home(places.card(name).topLeft() + beside) == flat.card(name).topLeft() + beside, name


def test_on_the_way_cards_come_out_of_the_block_and_nothing_jumps(places, opened):
    pictures = [between(places, opened, share) for share in np.linspace(0.0, 1.0, 21)]
    assert np.allclose(pictures[0].boxes, places.boxes) and np.allclose(pictures[-1].boxes, opened.boxes)
    steps = np.abs(np.diff([picture.boxes for picture in pictures], axis=0))
    assert np.allclose(steps, steps[0])
    frames = [picture.open_blocks[0].edges for picture in pictures]
    assert frames[-1] == opened.open_blocks[0].edges
    assert frames[0] == pytest.approx(tuple(places.boxes[places.numbers["y8"]]))


def test_on_the_way_to_a_graph_with_other_nodes_new_ones_are_where_they_will_be(places):
    other = geometry(arrange(parse(f"{TEXT}; M = L*x")))
    assert between(places, other, 0.3).card("M") == other.card("M")
    assert between(other, places, 0.3).names == places.names


def test_a_frame_that_is_collapsed_leaves_the_other_cards_and_closes_up(qapp):
    document = arrange(parse("x = 1; a = sin(x); b = cos(a); c = exp(b); L = c*x"))
    folded = with_frames(geometry(set_collapsed(put_into_frame(document, ["a", "b", "c"], "middle"), "middle", True)))
    assert set(folded.folds) == {"c"} and not folded.is_arranged
    assert folded.card("L").left() < document.layout["L"][0]
    assert folded.home(folded.card("L").topLeft()).toTuple() == pytest.approx(document.layout["L"])


def test_without_blocks_leaves_stand_in_cards_that_stay_where_they_are(flat):
    places = fold(flat, (), leaves_in_cards(flat))
    assert len(places.inside) >= 8
    card = places.stands_in("w3")
    assert card != "w3" and not places.is_shown("w3") and places.is_shown("L") and not places.is_arranged
    assert places.card(card).height() == flat.card(card).height() + LEAF_ROW
    assert places.face(card).size() == flat.card(card).size()
    cards = [places.card(places.names[number]) for number in places.shown_numbers]
    assert not any(one.intersects(other) for at, one in enumerate(cards) for other in cards[:at])
    row = leaf_rows.areas(places, card)["w3"]
    assert row == places.card("w3") and row.contains(places.value_area("w3")) and row.contains(places.name_area("w3"))
    assert places.together({card}) == places.together({"w3"}) == {card, "w3"} and places.together({"L"}) == {"L"}


@pytest.mark.parametrize(("gap", "goes"), [(LEAF_ROW + BELOW_ROWS, True), (LEAF_ROW, False)])
def test_a_leaf_keeps_its_card_where_that_of_its_operation_has_no_room_to_grow(gap, goes):
    document = arrange(parse("x = 1; w = 2; a = x*w; b = sin(x); L = a + b + x"))
    card = geometry(document).card("a")
    document = move(document, {"b": (card.left() + 10.0, card.bottom() + gap + 0.5), "w": (-500.0, -500.0)})
    flat = geometry(document)
    places = fold(flat, (), leaves_in_cards(flat))
    assert places.is_shown("w") is not goes and places.stands_in("w") == ("a" if goes else "w")


def test_wires_go_through_their_points_where_leaves_stand_in_cards(flat):
    """They ran straight from 60 nodes on, as they do where cards have moved up."""
    wire = next((target, slot) for target, slot in flat.document.consumers["x"])
    bent = geometry(with_points(flat.document, wire, [(700.0, -300.0)]))
    places = fold(bent, (), leaves_in_cards(bent))
    row = places.row(*wire)
    assert places.inside and places.reroutes == bent.reroutes == {row: [QPointF(700.0, -300.0)]}
    assert places.home(QPointF(700.0, -300.0)) == QPointF(700.0, -300.0)


def test_in_a_drag_rows_neither_come_nor_go(flat):
    before = fold(flat, (), leaves_in_cards(flat))
    card = before.stands_in("w3")
    other = flat.card("L").topLeft()
    moved = flat.moved(move(flat.document, {card: (other.x(), other.y() - 90.0)}))
    after = fold(moved, (), leaves_in_cards(moved), before)
    assert after.inside == before.inside and after.closings is before.closings
