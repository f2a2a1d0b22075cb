"""From afar a card's colour tells what is known, and agrees with what the frame says of every node at every moment."""

from __future__ import annotations

import numpy as np
import pytest

from cadena.core.lessons import open_lesson
from cadena.gui.canvas.picture import overview
from cadena.gui.canvas.picture.overview import FAULT, GRADIENT, UNKNOWN, VALUE
from tests.gui.canvas.pictures import faulty, random_graph, scene

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.mark.parametrize("document", [open_lesson("two_paths"), random_graph(120)], ids=["lesson 2", "random"])
def test_states_and_carried_wires_agree_with_the_frame_at_every_moment(document):
    length = len(scene(document).frame.timeline)
    for time in np.linspace(0.0, length, 23):
        made = scene(document, float(time))
        for name, state in zip(made.geometry.names, overview.states(made).tolist()):
            known = VALUE if made.frame.value(name) is not None else UNKNOWN
            assert state == (GRADIENT if made.frame.gradient(name) is not None else known)
        names = made.geometry.names
        for (_, target, slot), back in zip(made.geometry.wires.tolist(), overview.carried(made.frame, made.geometry)):
            assert back == (made.frame.contribution(names[target], slot) is not None)


def test_faulty_cards_have_a_state_of_their_own():
    made = scene(faulty())
    states = dict(zip(made.geometry.names, overview.states(made).tolist()))
    assert states["open"] == states["M"] == states["nan_"] == FAULT
    assert states["A"] == VALUE
    assert states["x"] == GRADIENT


def test_each_state_has_its_own_colour():
    colours = overview.state_colours(scene(faulty()))
    assert len({color.name() for color in colours}) == 4
