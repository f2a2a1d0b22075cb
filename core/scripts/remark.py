"""What to know of how a graph came from its script: data that the child process sends and the window shows."""

from __future__ import annotations

from dataclasses import dataclass

LOOP, BRANCH, OUTPUT, LOST, BAD = "loop", "branch", "output", "lost", "bad"


@dataclass(frozen=True)
class Remark:
    """A line of the script, what the remark is about, and a sentence. `count` says how often a loop was unrolled."""

    line: int
    kind: str  # LOOP, BRANCH, OUTPUT, LOST or BAD
    sentence: str
    count: int = 1
