"""How the loops and branches of a script became a graph: what ran, not what stands there (define-by-run)."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from cadena.core.scripts.remark import BRANCH, LOOP, Remark


def remarks(
    tree: ast.Module, calls: Mapping[int, int], assignments: Iterable[tuple[int, int]], turns: Turns
) -> list[Remark]:
    """The loops that were unrolled and the branches that were followed on the way to some calls, by line.

    `calls` has the line of each call in the graph, by its number; `assignments` the lines and numbers of values;
    `turns` the iterations of each loop.
    """
    lines = {*calls.values()} | {line for line, number in assignments if number in calls}
    numbers = np.array(sorted(calls), dtype=int)
    notes = [*_branches(tree, lines)]
    for line, marks in turns.items():
        starts, inside = map(np.array, zip(*marks, strict=True))
        held = np.unique(np.searchsorted(starts, numbers, side="right") - 1)  # the turns that the calls stand in
        count = int(inside[held[held >= 0]].sum())
        if count > 1:
            notes.append(Remark(line, LOOP, f"the loop of line {line} was unrolled {count} times", count))
    return sorted(notes, key=lambda remark: remark.line)


Turns = Mapping[int, list[tuple[int, bool]]]  # a loop's line -> the length of the tape at each start, and at its end


def _branches(tree: ast.Module, lines: Iterable[int]) -> Iterator[Remark]:
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and not _is_main(node.test):
            yes, no = (any(_is_in(line, body) for line in lines) for body in (node.body, node.orelse))
            if yes or no:
                way = "both ways stand" if yes and no else "its body stands" if yes else "the way past its body stands"
                sentence = f"the branch of line {node.lineno} followed its values: {way} in the graph"
                yield Remark(node.lineno, BRANCH, sentence)


def _is_in(line: int, statements: list[ast.stmt]) -> bool:
    """Whether a line lies within some statements."""
    return bool(statements) and statements[0].lineno <= line <= (statements[-1].end_lineno or 0)


def _is_main(test: ast.expr) -> bool:
    """Whether a test asks whether the script is run at all."""
    return any(isinstance(node, ast.Name) and node.id == "__name__" for node in ast.walk(test))
