"""What is found out once and kept: about a plan, for all its runs, or about a run, for all who ask."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, TypeVar, cast

if TYPE_CHECKING:
    from cadena.core.run.program import Run

T = TypeVar("T")
Find = Callable[["Run"], T]


def once_a_plan(find: Find[T]) -> Find[T]:
    """`find(run)`, computed once for all runs of one plan: it must look at the plan alone."""
    key = f"{find.__module__}.{find.__qualname__}"

    @wraps(find)
    def found(run: Run) -> T:
        known = run.program.passes.__dict__  # shared by programs that differ in values only
        if key not in known:
            known[key] = find(run)
        return cast(T, known[key])

    return found


def once_a_run(find: Find[T]) -> Find[T]:
    """`find(run)`, computed once for each run, as a cached property of it would be."""
    key = f"{find.__module__}.{find.__qualname__}"

    @wraps(find)
    def found(run: Run) -> T:
        known = run.__dict__
        if key not in known:
            known[key] = find(run)
        return cast(T, known[key])

    return found
