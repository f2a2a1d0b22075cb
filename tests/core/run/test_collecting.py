"""No search for cycles while very much is made, none through all of it right after, and all the same none is missed."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from cadena.core.run.collecting import no_collection


@pytest.fixture(autouse=True)
def collecting() -> Iterator[None]:
    """As in a program without a window, which does its own collecting and leaves it so."""
    was_enabled = gc.isenabled()
    gc.enable()
    yield
    if not was_enabled:
        gc.disable()


class Knot:
    """Something that holds itself."""

    def __init__(self) -> None:
        self.self = self


def collections() -> int:
    return sum(generation["collections"] for generation in gc.get_stats())


def test_no_cycles_are_looked_for_while_much_is_made_nor_in_all_of_it_right_after():
    gc.collect()
    before = collections()
    with no_collection():
        made = [(number, [number]) for number in range(50_000)]
        assert not gc.isenabled()
    assert gc.isenabled() and gc.get_count()[0] < 100
    assert collections() == before and len(made) == 50_000


def test_cycles_made_meanwhile_are_still_found_later():
    with no_collection():
        knot = weakref.ref(Knot())
    gc.collect()
    assert knot() is None


def test_who_had_switched_the_search_off_finds_it_off():
    gc.disable()
    try:
        with no_collection():
            made = [(number, [number]) for number in range(50_000)]
        assert not gc.isenabled() and gc.get_count()[0] < 100 and len(made) == 50_000
    finally:
        gc.enable()


def test_the_search_goes_on_after_an_error():
    with pytest.raises(ZeroDivisionError), no_collection():
        1 / 0  # noqa: B018
    assert gc.isenabled()


def test_what_a_program_froze_stays_frozen():
    gc.freeze()
    try:
        frozen = gc.get_freeze_count()
        with no_collection():
            pass
        assert gc.get_freeze_count() > frozen / 2 > 0
    finally:
        gc.unfreeze()
