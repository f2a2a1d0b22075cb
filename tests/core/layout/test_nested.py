"""The layout of blocks: closed ones are cards, open ones frames around their parts, and nothing covers anything."""

from __future__ import annotations

import numpy as np
import pytest

from cadena.core.graph.blocks import Block, Blocks, own_leaves
from cadena.core.layout.nested import NestedLayout, NestedPlaces
from tests.core.graph.test_blocks import CHAIN, LAYERS, LOOP, STAGES, parse


def layout_of(text: str) -> NestedLayout:
    blocks = Blocks(parse(text))
    sizes = np.tile([136.0, 88.0], (len(blocks.wired.names), 1))
    return NestedLayout(blocks, sizes, own_leaves(blocks.wired), lambda block: (200.0, 96.0))


def words(layout: NestedLayout, picture: NestedPlaces) -> list[str]:
    """What the cards stand for: names, and titles with counts."""
    names = layout.blocks.wired.names
    return [
        names[card.node] if card.block is None else f"{card.block.title} × {card.block.count}" for card in picture.cards
    ]


def assert_clear(picture: NestedPlaces) -> None:
    """Fail where a card covers another."""
    left, top, right, bottom = np.array([card.edges for card in picture.cards]).T
    apart = (right[:, None] <= left) | (left[:, None] >= right) | (bottom[:, None] <= top) | (top[:, None] >= bottom)
    assert (apart | np.eye(len(left), dtype=bool)).all()


def test_a_closed_repeat_is_one_card():
    layout = layout_of(CHAIN)
    assert words(layout, layout.places(())) == ["sin × 200"]


def test_shared_leaves_come_out_of_a_repeat_that_is_cut():
    layout = layout_of(LOOP)
    assert words(layout, layout.places(())) == ["multiply + subtract × 60"]
    cut = words(layout, layout.places((), (150,)))
    assert cut[:4] == ["x", "lr", "k0", "multiply + subtract × 30"] and cut[-1] == "multiply + subtract × 29"


def test_an_open_repeat_has_a_frame_and_its_rows_fill_a_canvas():
    layout = layout_of(CHAIN)
    picture = layout.places({("y1", "y200")})
    assert len(picture.cards) == 200 and [frame.block.title for frame in picture.frames] == ["sin"]
    assert 1.5 < picture.size[0] / picture.size[1] < 3.0
    assert_clear(picture)


def test_a_step_within_a_repeat_cuts_it_into_runs():
    layout = layout_of(CHAIN)
    picture = layout.places((), (57,))
    assert words(layout, picture) == ["sin × 57", "y58", "sin × 142"] and not picture.frames
    layout = layout_of(LAYERS)
    picture = layout.places(layout.blocks.at_first, (30,))
    assert {"layer_1–10 × 10", "multiply11", "layer_12–30 × 19"} <= {*words(layout, picture)}


@pytest.mark.parametrize("text", [CHAIN, LOOP, LAYERS, STAGES])
def test_whatever_is_open_no_card_covers_another_and_frames_hold_their_cards(text):
    layout, opened = layout_of(text), set()
    waiting: list[Block] = [layout.blocks.root]
    while waiting:
        block = waiting.pop()
        opened.add(layout.blocks.key(block))
        waiting += [part for part in block.parts if isinstance(part, Block)][:3]
        picture = layout.places(frozenset(opened), (3,))
        assert_clear(picture)
        for frame in picture.frames:
            assert any(
                frame.edges[0] < card.edges[0] and card.edges[2] < frame.edges[2] and frame.edges[1] < card.edges[1]
                and card.edges[3] < frame.edges[3] for card in picture.cards
            )  # fmt: skip
