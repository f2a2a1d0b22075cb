"""A test whether a fix leaves correct numbers correct: values and gradients compared with the graph's meaning.

The graph's meaning at a bad point is known from two sources: the same graph in float64, and the limit from points
nearby. Where neither helps, a fix passes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from cadena.core.doctor.findings.places import original_numbers
from cadena.core.doctor.fixes.fix import Fix

if TYPE_CHECKING:
    from cadena.core.run.program import Program, Run

NEAR, NEARER = 1e-4, 1e-6  # steps away from the bad point, relative to numbers of size 1 and more
AGREE, WRONG = 1e-2, 5e-2  # how much two estimates of a limit may differ, and by how much a fix must miss it
ROUNDINGS = 4.0  # of the largest number, that may be in a result
DIRECTIONS = 2  # each forwards and backwards


def keeps_the_rest(fix: Fix, run: Run, after: Run) -> bool:
    """Whether the fixed run has the values and gradients that the graph of `run` means, as far as these are known."""
    if fix.promise == "other" or run.plan.output is None:
        return True
    if not _agrees_with_float64(run, after) or (fix.promise != "same" and not _keeps_values(run, after)):
        return False
    return fix.promise == "same" or _agrees_with_the_limit(run, after, fix.promise == "at the edge")


def is_whole(run: Run, after: Run) -> bool:
    """Whether the output and the gradients of the fixed run are finite."""
    return all(np.isfinite(fixed).all() for fixed in results(after, leaves_of(run, after)))


def results(run: Run, names: list[str]) -> Iterator[np.ndarray]:
    """The value of the output and the gradients of some leaves, in float64."""
    output = run.program.output
    if output is not None and (value := run.value(output)) is not None:
        yield np.asarray(value, dtype=np.float64)
        for name in names:
            gradient = run.gradient(name)
            yield np.asarray(math.nan if gradient is None else gradient, dtype=np.float64)


def leaves_of(run: Run, after: Run) -> list[str]:
    """The leaves that have a gradient before and after."""
    plan, other = run.plan, after.plan
    names = [plan.names[leaf] for leaf in plan.leaves if plan.reached[leaf]]
    return [name for name in names if name in other.index and other.reached[other.index[name]]]


def _keeps_values(run: Run, after: Run) -> bool:
    """Whether numbers that were finite stay: clip(1 / 0, max=1) is 1, and 0 where the quotient is made 0.

    Conditions are left out: isfinite may be another one now.
    """
    noise = float(np.finfo(after.dtype).tiny)
    for item in run.plan.instructions:
        name = run.plan.names[item.out]
        if len(item.primitive.choosers) == len(item.primitive.slots) or name not in after.plan.index:
            continue
        old, new = run.value(name), after.value(name)
        if old is None or new is None or old.shape != new.shape:
            continue
        known = np.isfinite(old)
        scale = np.max(np.abs(old), initial=0.0, where=known)
        with np.errstate(all="ignore"):
            if np.any(known & ~(np.abs(new - old) <= AGREE * scale + noise)):
                return False
    return True


def _agrees_with_float64(run: Run, after: Run) -> bool:
    names = leaves_of(run, after)
    wide = _again(run).run(_original_values(run), "float64", run.seed) if run.dtype != "float64" else run
    whole = all(np.isfinite(array).all() for array in wide.arrays if array is not None)
    if not whole:  # then finite numbers may result from an overflow
        return True
    limits = np.finfo(after.dtype)
    noise = float(limits.tiny) + ROUNDINGS * float(limits.eps) * _largest(wide)
    for original, true, fixed in zip(results(run, names), results(wide, names), results(after, names), strict=True):
        known = np.isfinite(true) & (np.abs(true) < float(limits.max))
        scale = np.max(np.abs(true), initial=0.0, where=known)
        with np.errstate(all="ignore"):
            close = (np.abs(fixed - true) <= AGREE * scale + noise) | (
                np.abs(fixed - original) <= AGREE * scale + noise
            )
        if not np.all(close | ~known):
            return False
    return True


def _again(run: Run) -> Program[Run]:
    """Compile the program of a run again: fixes are tried in another thread than the run's, which has its memory."""
    from cadena.core.run.program import compile

    plan = run.plan
    requested = [plan.names[leaf] for leaf in plan.leaves if plan.reached[leaf]]
    return compile(run.program.document, run.program.output, requested)


def _largest(run: Run) -> float:
    """The largest magnitude of all values: their rounding errors may be all that is left of a result."""
    return max((float(np.max(np.abs(array), initial=0.0)) for array in run.arrays if array is not None), default=0.0)


def _original_values(run: Run) -> dict[str, np.ndarray]:
    return {run.plan.names[leaf]: original_numbers(run, leaf) for leaf in run.plan.leaves}


def _agrees_with_the_limit(run: Run, after: Run, from_both_sides: bool) -> bool:
    """Whether the fixed numbers are the limits from nearby, where such limits exist; if so asked, from both sides."""
    names = leaves_of(run, after)
    sides = [
        [list(results(one, names)) for one in _nearby(run, names, direction, sign)]
        for direction in range(DIRECTIONS)
        for sign in (1.0, -1.0)
    ]
    for place, fixed in enumerate(results(after, names)):
        limit = _limit([(near[place], nearer[place]) for near, nearer in sides], from_both_sides)
        with np.errstate(all="ignore"):
            if np.any(np.abs(fixed - limit) > WRONG * (1.0 + np.abs(limit))):
                return False
    return True


def _nearby(run: Run, names: list[str], direction: int, sign: float) -> Iterator[Run]:
    """Two runs in float64, each nearer than the one before, with the leaves moved in one direction."""
    random, program = np.random.default_rng(direction), _again(run)
    values = _original_values(run)
    moves = {name: random.uniform(0.5, 1.0, np.shape(values[name])) for name in names}
    if direction:  # the first moves all numbers alike in sign, the others do not
        moves = {name: move * random.choice([-1.0, 1.0], np.shape(move)) for name, move in moves.items()}
    for step in (NEAR, NEARER):
        moved = {name: _moved(values[name], sign * step * moves[name]) for name in names}
        yield program.run(values | moved, "float64", run.seed)


def _moved(value: np.ndarray, by: np.ndarray) -> np.ndarray:
    """Move a value in proportion to its size; numbers that are not finite stay."""
    return np.where(np.isfinite(value), value + by * np.fmin(np.fmax(np.abs(value), 1.0), 1e300), value)


def _limit(sides: list[tuple[np.ndarray, np.ndarray]], from_both_sides: bool) -> np.ndarray:
    """The number that all sides with a value tend to; nan where one of them has no limit, or they differ."""
    with np.errstate(all="ignore"):
        near, nearer = (np.array(numbers) for numbers in zip(*sides, strict=True))
        there = np.isfinite(near) & np.isfinite(nearer)
        settled = np.abs(near - nearer) <= AGREE * (1.0 + np.abs(nearer))
        first = np.take_along_axis(nearer, np.argmax(there, axis=0)[None], axis=0)[0]
        same = np.abs(nearer - first) <= AGREE * (1.0 + np.abs(first))
        enough = there.all(axis=0) if from_both_sides else there.any(axis=0)
        return np.where(enough & np.all(~there | (settled & same), axis=0), first, math.nan)
