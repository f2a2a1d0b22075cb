"""Programs in which somebody edits are killed at random moments: what is offered then lacks at most a second of it."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import cadena
from cadena.gui.files.recovery.left_behind import look_through
from tests.fuzz.editing import BEATS, KINDS, NODES
from tests.thorough import some

ROOT = Path(__file__).parents[2]
LONGEST_LIFE = 3.0  # seconds from the first edit to the kill


@dataclass
class Life:
    """What a program did until it was killed."""

    folder: Path
    kind: str
    seed: int
    lines: list[list[str]] = field(default_factory=list)

    def begin(self) -> None:
        words = [sys.executable, "-m", "tests.fuzz.editing", str(self.folder), self.kind, str(self.seed)]
        self.folder.mkdir(parents=True)
        self.child = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def end(self, seconds: float) -> None:
        """Kill the program so many seconds after its first edit."""
        try:
            assert self.child.stdout is not None and self.child.stderr is not None
            while not (line := self.child.stdout.readline()).startswith("edit"):
                assert line, self.child.stderr.read()
            time.sleep(seconds)
            assert self.child.poll() is None, self.child.stderr.read()
        finally:
            self.child.kill()
            rest, _ = self.child.communicate()
        whole = (line + rest).rpartition("\n")[0]
        self.lines = [words.split() for words in whole.splitlines()]

    @property
    def edits(self) -> list[tuple[float, float]]:
        """The number and the time of each edit."""
        return [(float(words[1]), float(words[2])) for words in self.lines if words[0] == "edit"]

    @property
    def promised(self) -> float:
        """The newest edit that was a second old, 0 if there was none: one with so many beats after it."""
        beats, numbers = 0, []
        for words in reversed(self.lines):
            beats += words[0] == "beat"
            if words[0] == "edit" and beats >= BEATS:
                numbers.append(float(words[1]))
        return max(numbers, default=0.0)

    def found(self) -> float:
        """The number in what is offered, or saved; 0 if there is nothing."""
        copies, remarks = look_through(self.folder / "recovery")
        assert remarks == [] and len(copies) <= 1
        documents = [copy.work.documents[-1] for copy in copies]
        if (saved := self.folder / "saved.cadena").exists():
            documents.append(cadena.load(saved))
        for copy in copies:
            copy.throw_away()
        values = [document.nodes[NODES.get(self.kind, "w0")].value for document in documents]
        return max((value for value in values if isinstance(value, float)), default=0.0)

    def lost(self, found: float) -> float:
        """The seconds before the kill that are lost: the age of the oldest edit that is missing."""
        missing = [at for number, at in self.edits if number > found]
        return float(self.lines[-1][-1]) - missing[0] if missing else 0.0


def test_a_killed_program_loses_at_most_a_second_of_editing(tmp_path, rounds, report):
    """In a graph that plays, in the middle of a drag, between saves, in a function not in order, among 10,000 nodes."""
    moments, count, edited, losses = random.Random(10), rounds(1, 60), 0, []
    for number in range(count):
        kinds = some(KINDS, kind=lambda _: "life", most=2 if count == 1 else len(KINDS))
        lives = [Life(tmp_path / f"{kind}{number}", kind, moments.randrange(1000)) for kind in kinds]
        for life in lives:
            life.begin()
        for life in lives:
            life.end(moments.uniform(0.0, LONGEST_LIFE) if number else LONGEST_LIFE / 2)
            found = life.found()
            assert found >= life.promised, f"{life.kind} with seed {life.seed}: {life.promised} was lost"
            edited += len(life.edits)
            losses.append(life.lost(found))
            shutil.rmtree(life.folder)
    worst, median = max(losses), sorted(losses)[len(losses) // 2]
    report(
        "kills while editing",
        f"{len(losses)} kills, {edited} edits, {median:.2f} s lost at the median, {worst:.2f} at most",
    )
