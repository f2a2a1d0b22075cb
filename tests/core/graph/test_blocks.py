"""Blocks: repeated structure and modules named by leaves, found alike whatever the names of the operations are."""

from __future__ import annotations

import pytest

from cadena.core.expressions.reading import parse
from cadena.core.graph.blocks import Block, Blocks, own_leaves

CHAIN = "; ".join(["y0 = 0.5", *(f"y{at} = sin(y{at - 1})" for at in range(1, 201))])
LOOP = "; ".join(
    ["w0 = 0.3; x = 2; lr = 0.1"]
    + [f"e{at} = w{at - 1}*x - 1; g{at} = e{at}*x; w{at} = w{at - 1} - lr*g{at}" for at in range(1, 61)]
)
MLP = "; ".join(
    ["h0 = 0.5", *(f"w{at} = 0.3; b{at} = 0.1" for at in range(1, 13))]
    + [f"h{at} = relu(w{at}*h{at - 1} + b{at})" for at in range(1, 13)]
    + ["L = h12**2"]
)
LAYERS = "; ".join(
    ["h0 = 0.5", *(f"layer_{at}_w = 0.3; layer_{at}_b = 0.1" for at in range(1, 31))]
    + [f"h{at} = tanh(layer_{at}_w*h{at - 1} + layer_{at}_b)" for at in range(1, 31)]
    + ["L = (h30 - 1)**2"]
)
STAGES = "; ".join(
    ["x = 0.5; conv1_w = 1; conv1_b = 2"]
    + [f"fire{at}_squeeze_w = 1; fire{at}_expand_w = 2" for at in range(1, 6)]
    + ["stem = exp(conv1_w*x + conv1_b)", "s0 = maximum(stem, x)"]
    + [f"s{at} = sin(fire{at}_squeeze_w*s{at - 1}) * cos(fire{at}_expand_w*s{at - 1})" for at in range(1, 6)]
)


def outline(block: Block, blocks: Blocks) -> list[object]:
    """The parts of a block: titles with counts, and names of operations."""
    return [blocks.name(part) if isinstance(part, int) else (part.title, part.count) for part in block.parts]


def found(text: str) -> tuple[Blocks, list[object]]:
    blocks = Blocks(parse(text))
    return blocks, outline(blocks.root, blocks)


@pytest.mark.parametrize(
    ("text", "outlined"),
    [
        (CHAIN, [("sin", 200)]),
        (LOOP, [("multiply + subtract", 60)]),
        (MLP, [("multiply + add + relu", 12), "L"]),
        ("x = 1; y = sin(x); z = cos(y) + sin(y)", ["y", "cos1", "sin1", "z"]),
    ],
)
def test_repeats_are_found_without_names(text, outlined):
    assert found(text)[1] == outlined


def test_leaves_name_the_modules_and_a_series_of_equal_ones_is_a_repeat():
    blocks, outlined = found(LAYERS)
    assert outlined == [("layer", 1)]
    (layers,) = blocks.root.parts
    assert outline(layers, blocks) == [("layer_1–30", 30), "subtract1", "L"]
    first = layers.parts[0].parts[0]
    assert outline(first, blocks) == ["multiply1", "add1", "h1"]


def test_a_block_without_a_series_stays_one_by_its_name():
    blocks, outlined = found(STAGES)
    assert outlined == [("conv1", 1), ("fire1–5", 5)]
    fire = blocks.root.parts[1].parts[0]
    assert fire.title == "fire1" and outline(fire, blocks) == [("squeeze", 1), ("expand", 1), "s1"]


def test_a_turn_that_is_built_otherwise_ends_the_repeat():
    def turn(at: int, other: str) -> str:
        return f"a{at} = sin(y{at - 1}); b{at} = cos(a{at}); y{at} = b{at} + {other}"

    turns = [turn(at, f"a{at}" if at != 6 else f"y{at - 1}") for at in range(1, 11)]
    assert [part[1] for part in found("; ".join(["y0 = 1", *turns]))[1] if isinstance(part, tuple)] == [5, 4]


def test_blocks_do_not_depend_on_the_order_of_the_file():
    nodes = parse(LOOP).nodes
    turned = Blocks(parse(LOOP).__class__(dict(reversed(nodes.items())), output="w60"))
    assert [part.count for part in turned.root.parts if isinstance(part, Block)] == [60]


def test_blocks_follow_each_other_and_hold_all_operations():
    for text in (CHAIN, LOOP, MLP, LAYERS, STAGES):
        blocks = Blocks(parse(text))
        waiting = [blocks.root]
        while waiting:
            block, at = waiting.pop(), 0
            at = block.start
            for part in block.parts:
                start, stop = (part, part + 1) if isinstance(part, int) else part.span
                assert start == at
                at = stop
                waiting += [part] if isinstance(part, Block) else []
            assert at == block.stop


def test_a_shared_leaf_is_needed_from_its_first_to_its_last_operation():
    blocks = Blocks(parse(LOOP))
    x, own = blocks.wired.numbers["x"], own_leaves(blocks.wired)
    assert (blocks.first[x], blocks.last[x]) == (0, len(blocks.order) - 3) and not own[x]


def test_few_cards_are_open_at_first_sight():
    blocks = Blocks(parse(LAYERS))
    assert blocks.at_first == {("multiply1", "L")}
    assert Blocks(parse(CHAIN)).at_first == frozenset()
