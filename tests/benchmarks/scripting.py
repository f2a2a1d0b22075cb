"""Scripts: from the text to the graph, the start of the process included."""

from __future__ import annotations

from collections.abc import Iterator

from cadena.core.scripts.running import ScriptResult, run
from tests.benchmarks.cases import OURS, Case
from tests.core.scripts.test_running import LISTING

LOOP = """
import torch
x = w = torch.tensor(1., requires_grad=True)
for step in range(50_000):
    x = x * 1.00001 + 0.1
w.backward()
"""
GROUP = "scripts"


def script_cases() -> Iterator[Case]:
    yield Case(GROUP, "PyTorch listing, from the text to the graph", lambda: {OURS: lambda: _run(LISTING)}, 1.0)
    yield Case(GROUP, "a loop of 1e5 operations", lambda: {OURS: lambda: _run(LOOP)}, 2.0)


def _run(text: str) -> ScriptResult:
    result = run(text, seconds=60)
    assert result.fault is None, result.fault
    return result
