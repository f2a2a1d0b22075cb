"""The number of a fuzzer's attempts, and the report of its figures."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Rounds = Callable[[int, int], int]
Report = Callable[[str, str], None]
FIGURE = "fuzz"  # the key of a user property that holds a row of the summary


@pytest.fixture
def rounds(request: pytest.FixtureRequest) -> Rounds:
    """rounds(short, long): the number of tries, the second one with --long."""
    return lambda short, long: long if request.config.getoption("--long") else short


@pytest.fixture
def report(record_property) -> Report:
    """report(what, figures): one row of the table that ends a run with --long."""
    return lambda what, figures: record_property(FIGURE, f"{what}: {figures}")
