"""Places with folded chains: one card each, closed up, with the ends of their wires; those between two pictures."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF

from cadena.core.expressions.reading import parse
from cadena.core.front import compile
from cadena.core.graph.chains import chains, folded
from cadena.core.graph.edits import move
from cadena.core.layout.arrange import arrange
from cadena.gui.canvas.rendering.folded_positions import between, fold
from cadena.gui.canvas.rendering.geometry import Geometry
from cadena.gui.canvas.rendering.hit_boxes import HitMap

CHAIN = "; ".join(f"y{at} = sin(y{at - 1}*w{at})" for at in range(1, 9))
LEAVES = "; ".join(f"w{at} = 0.{at}" for at in range(1, 9))
TEXT = f"x = 1; v = 2; {LEAVES}; y0 = exp(x)*v; {CHAIN}; z = cos(y0); L = y8 + z*v + y0"


@pytest.fixture(scope="module")
def flat():
    document = arrange(parse(TEXT))
    plan = compile(document).plan
    return Geometry(document, dict(zip(plan.names, plan.shapes, strict=True)))


@pytest.fixture(scope="module")
def places(flat):
    return fold(flat, folded(chains(flat.document), (), ()))


def test_a_chain_is_one_card_in_the_name_of_its_last_node(places):
    (chain,) = places.folds.values()
    assert set(places.folds) == {"y8"} and len(chain.nodes) == 16 and "w3" in chain.members
    seen = {places.names[number] for number in places.cards_in(places.bounds()).tolist()}
    assert seen == set(places.names) - set(chain.members) | {"y8"}


def area(rect) -> float:
    return rect.width() * rect.height()


def test_the_picture_closes_up_and_no_card_covers_another(flat, places):
    assert area(places.bounds()) < 0.5 * area(flat.bounds())
    cards = [places.card(places.names[number]) for number in places.shown_numbers]
    assert not any(one.intersects(other) for at, one in enumerate(cards) for other in cards[:at])


def test_places_lead_back_to_the_document(flat, places):
    for name in ("x", "L", "z", "y0"):
        corner = places.home(places.card(name).topLeft())
        assert corner.toTuple() == pytest.approx(flat.card(name).topLeft().toTuple(), abs=1e-6), name


def test_a_wire_into_the_chain_ends_at_its_card_and_those_within_are_gone(places):
    card, first = places.card("y8"), places.folds["y8"].nodes[0]
    start = places.wire("y0", first, 0).currentPosition()
    assert start.x() == card.left() and card.top() < start.y() < card.bottom()
    assert places.output_port("y8").x() == card.right()
    seen = {(places.names[target], slot) for _, target, slot in places.wires[places.wires_in(places.bounds())].tolist()}
    assert (first, 0) in seen and ("y5", 0) not in seen and not places.shows_wire("y5", 0) and places.shows_wire("L", 0)


def test_hits_agree_with_the_picture(places):
    hits, card, first = HitMap(places), places.card("y8"), places.folds["y8"].nodes[0]
    assert hits.at(card.center(), 1.0).card == "y8"
    assert hits.at(places.output_port("y8") + QPointF(3.0, 0.0), 1.0).port == ("y8", None)
    assert hits.at(places.wire("y0", first, 0).currentPosition() - QPointF(3.0, 0.0), 1.0).port == (first, 0)
    hidden = {name for name in places.folds["y8"].members if name != "y8"}
    met = {hits.at(QPointF(x, y), 1.0) for x in range(0, 2400, 31) for y in range(-100, 700, 17)}
    assert not {one.node for one in met} & hidden - {first}
    assert {one.node for one in met if one.card} == set(places.names) - hidden
    assert hits.cards_in(QRectF(card)) >= set(places.folds["y8"].members)


def test_the_wires_to_several_nodes_of_a_chain_end_one_below_the_other():
    document = arrange(parse("x = 1; v = 2; a = exp(x); b = a*v; c = b*v; d = sin(c); L = d*a"))
    plan = compile(document).plan
    flat = Geometry(document, dict(zip(plan.names, plan.shapes, strict=True)))
    places = fold(flat, folded(chains(document), (), ()))
    assert places.ports_of("d") == [("d", None), ("b", 0), ("b", 1), ("c", 1)]
    heights = [places.input_port(name, slot).y() for name, slot in places.ports_of("d")[1:]]
    assert np.diff(heights).tolist() == pytest.approx([28.0, 28.0]) and sorted(heights) == heights


def test_on_the_way_cards_come_out_of_the_chain_and_nothing_jumps(flat, places):
    pictures = [between(places, flat, share) for share in np.linspace(0.0, 1.0, 21)]
    assert np.allclose(pictures[0].boxes, places.boxes) and np.allclose(pictures[-1].boxes, flat.boxes)
    steps = np.abs(np.diff([picture.boxes for picture in pictures], axis=0))
    assert np.allclose(steps, steps[0])
    assert all(len(picture.shown_numbers) == len(flat.names) for picture in pictures)
    assert "y8" in pictures[3].folds and not pictures[18].folds and pictures[10].is_resized("y8")


def test_on_the_way_to_a_graph_with_other_nodes_new_ones_are_where_they_will_be(places):
    document = arrange(parse(f"{TEXT}; M = L*x"))
    plan = compile(document).plan
    other = Geometry(document, dict(zip(plan.names, plan.shapes, strict=True)))
    assert between(places, other, 0.3).card("M") == other.card("M")
    assert between(other, places, 0.3).names == places.names


def test_nothing_closes_up_where_no_chain_was():
    document = move(arrange(parse("x = 1; a = sin(x); b = cos(a); c = exp(b); L = c*x")), {"L": (4000.0, 900.0)})
    plan = compile(document).plan
    flat = Geometry(document, dict(zip(plan.names, plan.shapes, strict=True)))
    places = fold(flat, folded(chains(document), (), ()))
    gap = places.card("L").left() - places.card("c").right()
    assert gap < 4000.0 and places.home(places.card("L").topLeft()).toTuple() == (4000.0, 900.0)
    assert np.array_equal(fold(flat, ()).boxes, flat.boxes)
