"""What the search for faults in a healthy graph adds to a run: under a tenth of it. Hints follow in a thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import cadena
from cadena.core.doctor.findings.digits import lost_digits
from cadena.core.doctor.findings.hints import hints
from cadena.core.graph.document import Document
from tests.benchmarks.cases import OURS, Case
from tests.benchmarks.healthy import NODES, healthy
from tests.benchmarks.timing import Action, After
from tests.core.graphs import mlp, wide

MIN_RATIO = 10  # times as fast as the run
RUN = "the run"


def diagnosis_cases() -> Iterator[Case]:
    """Healthy graphs of 1e4 nodes, and one of few nodes; last, what is done only when asked for."""
    for name, made in healthy().items():
        yield Case("faults of 1e4 nodes", name, lambda made=made: _searched(made, _faults), None, MIN_RATIO, RUN)  # type: ignore[misc]
    for name, made in healthy().items():
        yield Case("hints of 1e4 nodes", name, lambda made=made: _searched(made, _hints), None, None, RUN)  # type: ignore[misc]
    yield Case("faults of few nodes", "MLP 784-128-64-10, float64", lambda: _searched(mlp, _faults), None, None, RUN)
    yield Case("diagnosis, lost digits as well", "wide, float64", lambda: _with_digits("float64"), None, None, RUN)
    yield Case("diagnosis, lost digits as well", "wide, float32", lambda: _with_digits("float32"), None, None, RUN)


def _searched(made: Callable[[], Document], search: Callable[[cadena.Run], None]) -> dict[str, Action]:
    program = cadena.compile(made())
    return {OURS: After(lambda: _run(program), search), RUN: lambda: _run(program)}


def _faults(run: cadena.Run) -> None:
    assert run.faults == ()


def _hints(run: cadena.Run) -> None:
    assert hints(run) == ()


def _with_digits(dtype: str) -> dict[str, Action]:
    program = cadena.compile(replace(wide(NODES, leaves=NODES // 20), dtype=dtype))
    return {OURS: After(lambda: _run(program), lambda run: [*lost_digits(run)]), RUN: lambda: _run(program)}


def _run(program: cadena.Program) -> cadena.Run:
    run = program.run()
    assert len(run.gradients) == len(program.plan.names)
    return run
