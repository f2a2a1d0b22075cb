"""Steps that are worked out in a thread: all the work is done there, and it can be cancelled."""

from __future__ import annotations

import numpy as np
import pytest

from cadena.core.front import compile
from cadena.core.graph.fault import Refused
from cadena.core.methods.answer import Cancelled
from cadena.core.methods.choosing import computed_timeline, timeline_of
from cadena.core.methods.difference import KINDS
from cadena.core.methods.names import Method
from cadena.core.teaching.lessons import open_lesson
from tests.core.graphs import graph, wide

WAYS = [
    Method("forward"),
    Method("forward", width=2),
    Method("symbolic"),
    *(Method("difference", kind=one) for one in KINDS),
]


def passes(timeline) -> int:
    """How many runs, passes or derivatives were made."""
    if timeline.method == "difference":
        return timeline.point.runs + ("_values" in vars(timeline))
    return (timeline.derivative if timeline.method == "symbolic" else timeline._moved).cache_info().misses


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_what_is_worked_out_takes_no_more_work_to_be_looked_at(way):
    made = computed_timeline(compile(open_lesson("5")).run(), way)
    before = passes(made)
    assert before > 0
    for time in (len(made) - 0.5, len(made)):
        assert made.lanes(made.frame(time))
    assert made.describe(len(made) - 1)
    assert passes(made) == before


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_it_is_the_timeline_that_is_made_at_once(way):
    run = compile(open_lesson("1")).run()
    one, other = computed_timeline(run, way), timeline_of(run, way)
    assert type(one) is type(other) and len(one) == len(other) and one.run is run
    assert one.lanes(one.frame(len(one))) == other.lanes(other.frame(len(other)))


def test_reverse_mode_has_the_timeline_of_the_run():
    run = compile(open_lesson("1")).run()
    assert list(computed_timeline(run, Method())) == list(run.timeline)


@pytest.mark.parametrize("way", WAYS, ids=str)
@pytest.mark.parametrize("patience", [0, 1])
def test_it_can_be_cancelled_between_any_two_passes(way, patience):
    left = iter(range(patience))
    with pytest.raises(Cancelled):
        computed_timeline(compile(open_lesson("5")).run(), way, lambda: next(left, None) is None)


def test_derivative_vectors_that_are_forgotten_are_not_computed_again_for_the_results():
    """Of many passes two are kept; the lanes at the end went through all of them again, at every look."""
    run = compile(graph(x=np.linspace(0.1, 1.0, 12), y=("sin", "x"), L=("sum", "y"))).run()
    made = computed_timeline(run, Method("forward", width=2))
    before = passes(made)
    assert len(made.lanes(made.frame(len(made)))) == 12 and passes(made) == before == 6


def test_on_the_cards_of_many_nodes_stand_numbers_in_the_place_of_expressions():
    """A hundred formulas are not read, and setting them took a quarter of a minute."""
    for count, written in ((12, True), (60, False)):
        made = computed_timeline(compile(wide(count, 4)).run(), Method("symbolic"))
        lines = [line for name in made.run.plan.names for line in made.lines(made.frame(len(made)), name)]
        assert any(line.latex for line in lines) is written and bool(list(made.formulas)) is written
        assert all(line.latex or line.number is not None or line.text for line in lines if line.expected)


NOTHING = {
    "y depends on no leaf whose gradient is wanted; make a leaf a parameter": ("constant", 2.0),
    "the leaves have no elements, so there is nothing to move; give one of them a number": np.zeros((0, 2)),
}


@pytest.mark.parametrize(("sentence", "leaf"), NOTHING.items())
@pytest.mark.parametrize("method", [Method("forward"), Method("forward", width=None), Method("difference")])
def test_without_a_number_to_move_a_method_says_so_and_shows_no_steps_of_nothing(sentence, leaf, method):
    run = compile(graph(x=leaf, s=("sum", "x"), y=("sin", "s"))).run()
    with pytest.raises(Refused, match=f"^{sentence}$"):
        timeline_of(run, method)
    assert len(timeline_of(run, Method("symbolic"))) > 0
