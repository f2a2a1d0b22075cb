"""What is found out once and kept: about a plan, for all its runs, or about a run, for all who ask."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, TypeVar
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from core.program import Run

T = TypeVar("T")
Find = Callable[["Run"], T]


def once_a_plan(find: Find[T]) -> Find[T]:
    """`find(run)`, computed once for all runs of one plan: it must look at the plan alone.

    What it returns must not hold the run or its program, which would then never be forgotten.
    """
    return _once(find, lambda run: run.program.passes)  # shared by programs that differ in values only


def once_a_run(find: Find[T]) -> Find[T]:
    """`find(run)`, computed once for each run; what it returns must not hold the run."""
    return _once(find, lambda run: run)


def _once(find: Find[T], owner: Callable[[Run], object]) -> Find[T]:
    known: WeakKeyDictionary[object, T] = WeakKeyDictionary()

    @wraps(find)
    def found(run: Run) -> T:
        key = owner(run)
        if key not in known:
            known[key] = find(run)
        return known[key]

    return found
