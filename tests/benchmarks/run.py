"""Times the engine, files, layout and canvas: `make bench`; with --write the table goes to RESULTS.md."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from statistics import median

# One thread, so that the numbers compare; set before numpy reads it.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from tests.benchmarks import acting, beside, large, learning
from tests.benchmarks.canvas import canvas_cases
from tests.benchmarks.capturing import capture_cases
from tests.benchmarks.cases import OURS, Case, bytes_per_node, cases, crossing_counts
from tests.benchmarks.diagnosing import diagnosis_cases
from tests.benchmarks.exporting import export_cases
from tests.benchmarks.expressing import expression_cases
from tests.benchmarks.growing import growing_cases
from tests.benchmarks.scripting import script_cases
from tests.benchmarks.starting import starting_cases
from tests.benchmarks.timing import additions, machine, medians, shown

RESULTS = Path(__file__).parent / "RESULTS.md"
WIDTHS = (44, 12, 18, 10, 10)


def row(*cells: str) -> str:
    return "| " + " | ".join(cell.ljust(width) for cell, width in zip(cells, WIDTHS, strict=False)) + " |"


def head(*cells: str) -> Iterator[str]:
    yield row(*cells)
    yield row(*("-" * width for width in WIDTHS[: len(cells)]))


def timed(case: Case) -> str:
    """The line of one case; a target that is missed is marked."""
    seconds = medians(case.actions())
    ours, peer = seconds[OURS], seconds.get(case.peer)
    times = None if peer is None else peer / ours
    targets = [] if case.target is None else [f"< {shown(case.target)}"]
    targets += [] if case.times is None else [f"> {case.times:.3g}"]
    late = case.target is not None and ours > case.target
    slow = times is not None and case.times is not None and times < case.times
    told = "" if times is None else f"{times:.3g}"
    return row(case.name, shown(ours), shown(peer), told, ", ".join(targets) + (" (!)" if late or slow else ""))


def lines(only: str) -> Iterator[str]:
    """The tables, line by line, as they become known; `only` is a part of the group's name."""
    group = None
    others = (
        *diagnosis_cases(),
        *growing_cases(),
        *expression_cases(),
        *script_cases(),
        *export_cases(),
        *capture_cases(),
        *canvas_cases(),
        *starting_cases(),
    )
    for case in (*cases(), *others):
        if only not in case.group:
            continue
        if case.group != group:
            group = case.group
            yield from ("", f"## {group}", "", *head("", OURS, case.peer, "times", "target"))
        yield timed(case)
    if only in "acting":
        yield from (
            "",
            "## acting on a large graph",
            "",
            *head("until the window is painted", OURS, "the longest", "what follows", "target"),
        )
        speeds = [additions()]
        for action in acting.rows():
            yield row(*action.cells())
            speeds.append(additions())
        yield row("meanwhile: 100,000 additions in Python", shown(median(speeds)), shown(max(speeds)))
    if only in "large":
        yield from ("", "## large graphs in the window", "", *head("the longest it is held up", OURS, "", "", "target"))
        for figure in large.rows():
            yield row(*figure.cells())
    if only in "learning":
        yield from ("", "## learning", "", *head("updates a second", OURS, "the slowest", "", "target"))
        for pace in learning.paces():
            yield row(*pace.cells())
    if only in "layout":
        yield from ("", "## wires that cross (a count)", "", *head("random graph", OURS, "networkx"))
        for name, ours, theirs in crossing_counts():
            yield row(name, f"{ours:,}", f"{theirs:,}")
    if only in "memory":
        yield from ("", "## memory at 1e6 numbers", "", *head("", "bytes a node", "target"))
        for name, count, most in bytes_per_node():
            yield row(name, f"{count:.0f}", f"< {most:.0f}" + (" (!)" if count > most else ""))


def compared(other: Path) -> Iterator[str]:
    """What a person does, with this checkout and another one in turns."""
    yield from ("", "## acting on a large graph", "", *head("until the window is painted", OURS, str(other), "times"))
    for pair in beside.pairs(other):
        yield row(pair.action, shown(pair.ours), shown(pair.theirs), f"{pair.theirs / pair.ours:.3g}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("only", nargs="?", default="", help="a part of a group's name, e.g. layout")
    parser.add_argument("--write", action="store_true", help=f"write the table to {RESULTS.name}")
    parser.add_argument(
        "--beside", metavar="DIR", type=Path, help="only act, in turns with the Cadena of this checkout"
    )
    options = parser.parse_args()
    title = [f"# Times, {date.today():%B %Y}", "", f"Medians; what is compared takes turns. {machine()}."]
    print("\n".join(title))
    table = []
    for line in compared(options.beside.resolve()) if options.beside else lines(options.only):
        print(line, flush=True)
        table.append(line)
    if options.write:
        RESULTS.write_text("\n".join([*title, *table]) + "\n", "utf-8")


if __name__ == "__main__":
    main()
