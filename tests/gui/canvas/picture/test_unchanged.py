"""What is taken over from the picture before an edit is what would be drawn anew."""

from __future__ import annotations

from collections import Counter
from functools import partial
from random import Random

import pytest

from cadena.core.graph import edits
from cadena.core.graph.document import Document, Node
from cadena.core.layout.arrange import arrange
from cadena.gui.canvas.picture.contents import Contents
from cadena.gui.canvas.picture.scene import Scene
from cadena.gui.canvas.picture.unchanged import take_over
from tests.core.graphs import wide
from tests.gui.canvas.picture.test_damage import close_up
from tests.gui.user import settle

MIDDLING = arrange(wide(300, leaves=40))


@pytest.fixture
def scene_after(session, canvas, showing_large):
    """What the canvas shows after an edit, in build mode, close up at what most nodes use."""
    session.follow_steps = False
    showing_large(MIDDLING, (1200, 900))
    session.edit(partial(edits.set_value, name="w1", value=0.5), "Set")
    settle()
    inputs = Counter(name for node in session.document.nodes.values() for name in node.inputs)
    close_up(canvas, inputs.most_common(1)[0][0])

    def after(change) -> Scene:
        session.edit(change, "Change")
        settle()
        return canvas.scene

    return after


def both(before: Contents, scene: Scene) -> tuple[Contents, Contents]:
    """The contents of a scene with what is taken over, and those made anew."""
    taken, anew = Contents(scene), Contents(scene)
    take_over(before, taken)
    return taken, anew


def looks(contents: Contents) -> list:
    """What is seen of each card, in the order of painting."""
    return [(name, *card[1:]) for name, card in contents.shown.items()]


def changes(document: Document, chance: Random):
    """Edits of all kinds that a picture shows."""
    names, leaves = list(document.nodes), [name for name, node in document.nodes.items() if node.op == "parameter"]
    operations = [name for name, node in document.nodes.items() if len(node.inputs) == 2]
    source, target, slot = chance.choice(names), chance.choice(operations), chance.randrange(2)
    yield partial(edits.set_value, name=chance.choice(leaves), value=chance.choice([0.0, -0.0, 0.7, 1e300, 2.5]))
    yield lambda document: edits.connect(document, chance.choice(leaves), target, slot)
    yield partial(edits.disconnect, target=target, slot=slot)
    yield lambda document: edits.move(document, {source: (chance.uniform(0, 900), chance.uniform(0, 900))})
    yield lambda document: edits.set_output(document, chance.choice(operations))
    yield lambda document: edits.remove(document, [chance.choice(operations)])


@pytest.mark.parametrize("seed", range(6))
def test_what_is_taken_over_is_what_would_be_drawn_anew(scene_after, canvas, session, seed):
    chance, before, taken_over = Random(seed), Contents(canvas.scene), 0
    for turn in range(25):
        taken, anew = both(before, scene_after(chance.choice(list(changes(session.document, chance)))))
        assert looks(taken) == looks(anew) and list(taken.drawn.items()) == list(anew.drawn.items()), turn
        taken_over += sum(card is before.shown.get(name) for name, card in taken.shown.items())
        if session.faults or chance.random() < 0.3:
            session.undo()
            settle()
            taken = Contents(canvas.scene)
        before = taken
    assert taken_over > 20


def test_only_cards_with_other_numbers_are_made_anew(scene_after, canvas, session):
    before, run = Contents(canvas.scene), session.run
    leaf = next(name for name in before.shown if session.document.nodes[name].op == "parameter")
    taken, _ = both(before, scene_after(partial(edits.set_value, name=leaf, value=0.123)))

    def numbers(one) -> list:
        return [[one.value(name), one.gradient(name)] for name in taken.shown]

    is_same = [old == new for old, new in zip(numbers(run), numbers(session.run), strict=True)]
    assert any(is_same) and not all(is_same)
    assert [taken.shown[name] is before.shown[name] for name in taken.shown] == is_same


def test_where_a_card_alone_has_moved_at_any_moment_all_others_are_taken_over(scene_after, canvas, session):
    session.set_time(0.4 * len(session.timeline))
    before = Contents(canvas.scene)
    moved = list(before.shown)[3]
    x, y = session.document.layout[moved]
    taken, anew = both(before, scene_after(lambda document: edits.move(document, {moved: (x + 9.0, y)})))
    assert not session.live
    assert {name: card[1:] for name, card in taken.shown.items()} == {
        name: card[1:] for name, card in anew.shown.items()
    }
    assert taken.drawn == anew.drawn
    assert [name for name, card in taken.shown.items() if card is not before.shown[name]] == [moved]


def test_a_wire_is_drawn_anew_where_the_other_factor_alone_differs(scene_after, canvas, session):
    """The product stays 0, its gradient 1, and so does its card."""
    new = Node("zero", "parameter", value=0.0), Node("factor", "parameter", value=2.0)
    places = {"zero": (-900.0, -60.0), "factor": (-900.0, 60.0), "p": (-700.0, 0.0)}

    def product(document: Document) -> Document:
        document = edits.with_nodes(document, *new, Node("p", "multiply", ("zero", "factor")))
        return edits.set_output(edits.move(document, places), "p")

    scene_after(product)
    close_up(canvas, "p")
    before = Contents(canvas.scene)
    taken, anew = both(before, scene_after(partial(edits.set_value, name="factor", value=2000.0)))
    assert taken.shown["p"] is before.shown["p"] and taken.drawn == anew.drawn
    assert taken.drawn["p", 0].look.width > before.drawn["p", 0].look.width


def test_nothing_is_taken_over_where_a_mark_differs(scene_after, canvas, session):
    before = Contents(canvas.scene)
    session.select([next(iter(before.shown))])
    taken = Contents(canvas.scene)
    take_over(before, taken)
    assert "shown" not in vars(taken) and "drawn" not in vars(taken)
