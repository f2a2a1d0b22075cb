"""Every operation on inf, nan, huge, tiny, singular and empty operands, through all that Cadena does with a graph.

Nothing raises but what is refused with a sentence, nothing warns, and nothing is printed, by LAPACK either.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

import cadena
from cadena.core.ops.primitive import REGISTRY, Primitive
from tests.fuzz.bad_numbers import (
    EXTREME,
    LONGER,
    NON_FINITE,
    QUICK,
    SINGULAR,
    Case,
    Stage,
    empty,
    settings,
    spoiled,
)

Trial = tuple[Case, tuple[Stage, ...]]
CATEGORIES = sorted({record.category for record in REGISTRY.values()})


@pytest.mark.some(3)
@pytest.mark.parametrize("category", CATEGORIES)
def test_bad_numbers_raise_nothing_and_print_nothing(category, rounds, report, tmp_path, capfd):
    records = [(number, one) for number, one in enumerate(REGISTRY.values()) if one.category == category]
    choose = (_some, _all)[rounds(0, 1)]
    trials = [trial for number, record in records for trial in choose(record, number)]
    for case, stages in trials:
        document = case.document
        run = cadena.compile(document).run()
        for stage in stages:
            where = f"{stage.__name__.rstrip('_')} of {case.label}"
            try:
                stage(document, run, tmp_path)
            except Exception as error:
                raise AssertionError(f"{where} raised {error!r}") from error
            assert capfd.readouterr() == ("", ""), where
    report(f"bad numbers, {category}", f"{len(trials)} graphs of {len(records)} operations")


def _kinds(record: Primitive) -> tuple[list[Case], list[Case], list[Case]]:
    not_finite = [*spoiled(record, NON_FINITE)]
    without_rank = [*spoiled(record, SINGULAR), *empty(record)]
    return not_finite, without_rank, [*spoiled(record, EXTREME), *settings(record)]


def _some(record: Primitive, number: int) -> Iterator[Trial]:
    """One case of each kind, one of the first two with one of the longer stages."""
    pick = random.Random(record.name).choice
    for place, cases in enumerate(_kinds(record)):
        longer = LONGER[(number + place) % len(LONGER)]
        yield pick(cases), ((*QUICK, longer) if place == number % 2 else QUICK)


def _all(record: Primitive, number: int) -> Iterator[Trial]:
    """All cases, each with one of the longer stages in turn."""
    for place, case in enumerate(case for cases in _kinds(record) for case in cases):
        yield case, (*QUICK, LONGER[place % len(LONGER)])
