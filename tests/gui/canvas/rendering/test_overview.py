"""From afar a card's colour tells what is known, and agrees with what the frame says of every node at every moment."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QRectF

import cadena
from cadena.core.expressions.reading import parse
from cadena.core.graph.edits import move, rename
from cadena.core.layout.arrange import arrange
from cadena.core.rewriting.function_edits import make_function
from cadena.core.teaching.hiding import Hidden
from cadena.core.teaching.lessons import lessons, open_lesson
from cadena.gui.canvas.rendering import cards, overview
from cadena.gui.canvas.rendering.camera import Camera
from cadena.gui.canvas.rendering.overview import FAULT, GRADIENT, UNKNOWN, VALUE
from tests.gui.canvas.pictures import faulty, paint, random_graph, scene

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.mark.parametrize("document", [open_lesson("two_paths"), random_graph(120)], ids=["lesson 2", "random"])
def test_states_and_carried_wires_agree_with_the_frame_at_every_moment(document):
    length = len(scene(document).frame.timeline)
    for time in np.linspace(0.0, length, 23):
        made = scene(document, float(time))
        for name, state in zip(made.geometry.names, overview.states(made).tolist()):
            known = VALUE if made.frame.value(name) is not None else UNKNOWN
            assert state == (GRADIENT if made.frame.gradient(name) is not None else known)
        assert_knows_what_is_carried(made)


def assert_knows_what_is_carried(made) -> None:
    assert not len(overview.carried(made.frame, made.geometry, np.empty(0, dtype=np.intp))), "and of none, nothing"
    names, rows = made.geometry.names, np.arange(len(made.geometry.wires))[::-1]
    carried = overview.carried(made.frame, made.geometry, rows)
    for (_, target, slot), back in zip(made.geometry.wires[rows].tolist(), carried, strict=True):
        assert back == (made.frame.contribution(names[target], slot) is not None)


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.name)
def test_the_wires_that_have_carried_a_gradient_are_known_in_every_lesson(lesson):
    document = open_lesson(lesson.name)
    length = len(scene(document).frame.timeline)
    for time in (0.3, 0.6, 0.8, 1.0):
        assert_knows_what_is_carried(scene(document, time * length))


def test_faulty_cards_have_a_state_of_their_own():
    made = scene(faulty())
    states = dict(zip(made.geometry.names, overview.states(made).tolist()))
    assert states["M"] == states["nan_"] == FAULT
    assert states["open"] == UNKNOWN  # it is but unfinished
    assert states["A"] == VALUE
    assert states["x"] == GRADIENT


def test_each_state_has_its_own_colour():
    colours = overview.state_colours(scene(faulty()).theme)
    assert len({color.name() for color in colours}) == 4


def names_painted(monkeypatch, made) -> list[str]:
    """The texts that are written on cards, and on plates over them."""
    texts: list[str] = []
    for module in (overview, cards):
        monkeypatch.setattr(module, "write", lambda painter, text, *place, **how: texts.append(text))
    paint(made)
    return texts


def test_a_tensor_card_keeps_its_name_where_a_number_card_has_no_room_for_one(monkeypatch):
    """Beside the code panel in a small window, all cards were blocks without a name."""
    document = arrange(cadena.parse("W = [[1, 2], [3, 4]]; Y = W @ W; L = sum(Y) * 2"))
    made = replace(scene(document), camera=Camera(0.0, 0.0, cards.COMPACT * 0.95))
    texts = names_painted(monkeypatch, made)
    assert {"W", "Y", "L"} <= set(texts)  # the output's on a plate
    far = replace(made, camera=Camera(-400.0, -400.0, cards.COMPACT * 0.3))
    assert names_painted(monkeypatch, far)[:3] == ["L", "W", "Y"]  # the output, the parameter, then all


def test_from_afar_modules_are_named_before_their_parameters(monkeypatch):
    """Of a captured ResNet the names of weights covered those of its layers."""
    document = cadena.parse("W = [[1, 2], [3, 4]]; H = W @ W; Y = sin(H); L = sum(Y) * 2")
    document = arrange(make_function(document, ["H", "Y"], "layer"))
    made = replace(scene(document), camera=Camera(0.0, 0.0, cards.COMPACT * 0.3))
    assert names_painted(monkeypatch, made)[:2] == ["L", "Y"]


def test_from_afar_the_most_important_names_are_painted_and_none_covers_another(monkeypatch):
    document = random_graph(400)
    made = scene(document)
    plates: list[QRectF] = []
    monkeypatch.setattr(overview, "write", lambda painter, text, plate, *rest, **how: plates.append(QRectF(plate)))
    paint(made)
    assert 0 < len(plates) <= overview.MAX_NAMES
    assert not any(one.intersects(other) for number, one in enumerate(plates) for other in plates[:number])
    texts = names_painted(monkeypatch, made)
    assert texts[0] == document.output
    assert names_painted(monkeypatch, replace(made, selection=frozenset({"n17"})))[0] == "n17"


def test_from_afar_names_are_spread_over_the_picture_and_whole(monkeypatch):
    """The names of a graph of a thousand nodes stood in its first rows, and were cut at the edge."""
    text = "; ".join(
        ["a0 = 1", *(f"a_long_name_{at} = sin(a{'_long_name_' * (at > 1)}{at - 1})" for at in range(1, 900))]
    )
    made = scene(arrange(cadena.parse(text)))
    plates: list[QRectF] = []
    monkeypatch.setattr(overview, "write", lambda painter, text, plate, *rest, **how: plates.append(QRectF(plate)))
    paint(made)
    view = made.camera.visible(made.view)
    assert len(plates) > 20 and all(view.contains(plate) for plate in plates)
    picture = made.geometry.bounds()
    quarters = {
        (plate.center().x() > picture.center().x(), plate.center().y() > picture.center().y()) for plate in plates
    }
    assert len(quarters) == 4


@pytest.mark.parametrize("theme", ["light", "projector"])
def test_from_afar_a_name_takes_half_of_its_card_in_every_theme(monkeypatch, theme):
    """In the projector's type, all of a card was squeezed into a third of its size."""
    heights: dict[str, float] = {}
    write = lambda painter, text, place, size, *rest, **how: heights.setdefault(text, place.height())  # noqa: E731
    monkeypatch.setattr(cards, "write", write)
    document = arrange(cadena.parse("w = 2; x = 3; L = w * x"))
    paint(scene(document, theme=theme, camera=Camera(0.0, 0.0, 0.32)))
    assert heights["w"] >= 0.4 * cards.NUMBER_CARD[1] and heights["2"] >= 0.4 * cards.NUMBER_CARD[1]


def test_from_afar_names_follow_their_cards_and_what_they_are_called(monkeypatch):
    document = move(cadena.parse("w = 2; x = 3; L = w * x"), {"w": (0.0, 0.0), "x": (0.0, 900.0), "L": (900.0, 0.0)})
    far = {"camera": Camera(0.0, 0.0, cards.COMPACT * 0.3)}
    covered = move(document, {"w": document.layout["L"]})
    assert names_painted(monkeypatch, scene(document, **far)) == ["L", "w", "x"]
    assert names_painted(monkeypatch, scene(covered, **far)) == ["L", "x"]
    assert names_painted(monkeypatch, scene(rename(document, "w", "weight"), **far)) == ["L", "weight", "x"]
    unnamed = replace(scene(document, **far), hidden=Hidden(nodes=frozenset({"x"})))
    assert "x" not in names_painted(monkeypatch, unnamed)
    assert names_painted(monkeypatch, scene(document, **far)) == ["L", "w", "x"]


def test_wires_of_a_number_that_all_steps_use_hid_the_steps():
    lines = ["w0 = 1", "r = 0.5", *(f"w{step + 1} = w{step} - r*w{step}" for step in range(40))]
    document = arrange(parse("\n".join(lines)))
    geometry, small = scene(document).geometry, scene(open_lesson("1")).geometry
    faint = overview._in_fans(geometry, np.arange(len(geometry.wires)))
    assert {geometry.names[source] for source in geometry.wires[faint, 0]} == {"r"}
    assert not overview._in_fans(small, np.arange(len(small.wires))).any()
