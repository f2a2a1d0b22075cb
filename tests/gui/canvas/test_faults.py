"""Faults on the canvas: a word for each kind, both shapes where they do not fit."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core import Fault
from gui.canvas import faults
from gui.canvas.clearance import Obstacles
from tests.gui.canvas.pictures import faulty, paint, scene

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture(scope="module")
def made():
    return scene(faulty())


def test_every_kind_of_fault_has_its_word(made):
    kinds = {fault.kind for fault in made.faults}
    assert {"shape", "cycle", "open-slot", "missing-input", "unknown-operation", "no-value", "nan-value"} <= kinds
    for fault in made.faults:
        assert fault.kind == "shape" or fault.kind in faults.WORDS


def test_shapes_that_do_not_fit_are_both_named(made):
    shape = next(fault for fault in made.faults if fault.kind == "shape")
    assert faults.word(made, shape) == "shapes (3, 3) and (2, 4) do not fit"
    assert faults.operand_shapes(made, "M") == [(3, 3), (2, 4)]


def test_a_fault_of_a_node_that_is_not_there_is_left_to_the_list_of_problems(made):
    elsewhere = Fault("gone", "output", "the output gone is not in the graph; choose another output")
    assert paint(replace(made, faults=(elsewhere,))) == paint(replace(made, faults=()))


def test_badges_do_not_cover_each_other(monkeypatch, made):
    placed = []
    place = Obstacles.place
    monkeypatch.setattr(Obstacles, "place", lambda *args: placed.append(place(*args)) or placed[-1])
    paint(made)
    assert len(placed) >= len(made.faults)
    for index, badge in enumerate(placed):
        assert not any(badge.intersects(other) for other in placed[:index])
