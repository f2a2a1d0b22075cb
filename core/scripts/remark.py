"""What to know of how a graph came from its script: data that the child process sends and the window shows."""

from __future__ import annotations

from dataclasses import dataclass

LOOP, BRANCH, OUTPUT, LOST, BAD, UNLIKE = "loop", "branch", "output", "lost", "bad", "unlike"
STEP, LATE = "step", "late"  # a loop whose turns are steps of their own; a fault after the last backward pass
KEPT = "kept"  # a number that left the graph, and goes on as it was


@dataclass(frozen=True)
class Remark:
    """A line of the script, what the remark is about, and a sentence. `count` says how often a loop was unrolled."""

    line: int
    kind: str  # one of the above
    sentence: str
    count: int = 1
