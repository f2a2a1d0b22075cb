"""Where cards come to lie."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QLineF, QPointF, QRectF

from cadena.core.graph.document import Document, Node
from cadena.gui.canvas.interaction import placement
from cadena.gui.canvas.interaction.placement import GRID, centred, free_offset, free_place, guides, snapped
from cadena.gui.canvas.rendering.geometry import NUMBER_CARD, Geometry

places = st.tuples(st.floats(-400, 400), st.floats(-400, 400))


def geometry(*corners: tuple[float, float]) -> Geometry:
    names = [f"n{index}" for index in range(len(corners))]
    nodes = {name: Node(name, "input", value=1.0) for name in names}
    return Geometry(Document(nodes=nodes, layout=dict(zip(names, corners))), dict.fromkeys(names, ()))


@given(places)
def test_a_snapped_point_is_on_the_grid_and_near(place):
    point = snapped(QPointF(*place))
    assert point.x() % GRID == 0 and point.y() % GRID == 0
    assert abs(point.x() - place[0]) <= GRID / 2 and abs(point.y() - place[1]) <= GRID / 2


def test_a_centred_card_has_its_middle_at_the_place():
    middle = QRectF(centred(QPointF(500, 400)), QPointF(0, 0)).topLeft() + QPointF(*NUMBER_CARD) / 2
    assert (middle - QPointF(500, 400)).manhattanLength() <= GRID


@given(st.lists(places, max_size=30), places)
def test_a_free_place_covers_no_card(corners, wanted):
    among = geometry(*corners)
    corner = free_place(among, QPointF(*wanted))
    assert not len(among.cards_in(QRectF(corner.x(), corner.y(), *NUMBER_CARD)))


def test_a_place_that_is_free_is_taken_as_it_is():
    assert free_place(geometry((0, 0)), QPointF(300, 0)) == QPointF(300, 0)


def test_what_is_pasted_covers_no_card_and_stays_near():
    there, part = geometry((40.0, 40.0), (64.0, 64.0)), geometry((0.0, 0.0), (0.0, 100.0))
    offset = free_offset(there, part, QPointF(40, 40))
    moved = geometry(*((x + offset.x(), y + offset.y()) for x, y in ((0.0, 0.0), (0.0, 100.0))))
    assert not any(there.card(a).intersects(moved.card(b)) for a in there.names for b in moved.names)
    assert (offset - QPointF(40, 40)).manhattanLength() < 400
    assert free_offset(there, part, QPointF(400, 40)) == QPointF(400, 40)


def test_thousands_of_cards_on_thousands_come_below_without_a_search(monkeypatch):
    monkeypatch.setattr(placement, "_spiral", lambda _: pytest.fail("each place was tried"))
    square = [(200.0 * x, 150.0 * y) for x in range(50) for y in range(60)]
    there = geometry(*square)
    offset = free_offset(there, geometry(*square), QPointF(40, 40))
    assert offset.x() == 40 and offset.y() >= there.bounds().height() - GRID


def test_guides_join_cards_in_line():
    among = geometry((0, 0), (0, 300), (500, 304))
    card = QRectF(0, 300, *NUMBER_CARD)
    assert guides(among, frozenset(["n1"]), card) == (QLineF(0, 0, 0, 388),)
    assert guides(among, frozenset(["n1"]), card.translated(100, 4)) == (QLineF(100, 348, 636, 348),)
    assert guides(among, frozenset(["n0", "n1", "n2"]), card) == ()
