"""Two checkouts of Cadena act in turns: what a change gains, where a machine's speed varies by more than that.

Run as a script, this is one of the two: in a process of its own, with the program of the checkout that it stands in.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from tests.benchmarks import acting

HERE = Path(__file__).resolve()
ACTS, IN_A_ROW, IN_A_DRAG = 39, 3, 13  # a drag that pauses would have panels follow in each of its moves
WARM = 3
DONE = "done"


class Pair(NamedTuple):
    """The medians of one action here and in the other checkout, in seconds."""

    action: str
    ours: float
    theirs: float


def pairs(other: Path) -> Iterator[Pair]:
    """Each action on each graph, in this checkout and in the other one."""
    both = [_Process(root) for root in (HERE.parents[2], other)]
    while (said := {process.read() for process in both}) != {DONE}:
        (action,) = said  # both act in the same order
        for process in both:
            process.act(WARM)
        taken: list[list[float]] = [[], []]
        in_a_row = IN_A_DRAG if action.endswith(acting.DRAGS) else IN_A_ROW
        for number in range(ACTS // in_a_row):
            for which in (0, 1) if number % 2 else (1, 0):
                taken[which] += both[which].act(in_a_row)
        yield Pair(action, *map(median, taken))
        for process in both:
            process.write("next")


class _Process:
    """A window in another process, which waits for the order to act."""

    def __init__(self, root: Path) -> None:
        environment = {**os.environ, "PYTHONPATH": str(root)}
        self._process = subprocess.Popen(
            [sys.executable, "-P", str(HERE)], cwd=root, env=environment, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip

    def read(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, f"{self._process.args} has ended"
        return line.strip()

    def write(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def act(self, times: int) -> list[float]:
        self.write(str(times))
        return [float(seconds) for seconds in self.read().split()]


def _serve() -> None:
    """Say an action, do it as often as a line says, until one says "next"."""
    acts = _acting()
    for nodes in acts.GRAPHS:
        actor = acts.Actor(nodes)
        for zoom in acts.ZOOMS:
            for name, act, *before in actor.actions(zoom):
                print(f"{nodes:,} nodes, {zoom}: {name}", flush=True)
                while (line := sys.stdin.readline().strip()) != "next":
                    taken = []
                    for _ in range(int(line)):
                        taken.append(actor.seconds(act, *before))
                        if name not in acts.DRAGS:
                            actor.follow()
                    print(*taken, flush=True)
        actor.close()
    print(DONE, flush=True)


def _acting() -> Any:
    """The actions as they are defined here: the other checkout may know others."""
    spec = spec_from_file_location("acting", HERE.with_name("acting.py"))
    assert spec is not None and spec.loader is not None
    module = sys.modules[spec.name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    _serve()
