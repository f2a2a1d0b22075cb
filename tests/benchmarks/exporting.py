"""Graphs exported to every language."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from cadena.core.languages.export import export
from cadena.core.languages.record import LANGUAGES
from tests.benchmarks.cases import OURS, Case
from tests.benchmarks.timing import Action
from tests.core.graphs import wide


def export_cases() -> Iterator[Case]:
    large = wide(10_000)
    for language in LANGUAGES:
        yield Case("export", f"1e4 nodes to {language}", partial(_one, partial(export, large, language)), 1.0)


def _one(action: Action) -> dict[str, Action]:
    return {OURS: action}
