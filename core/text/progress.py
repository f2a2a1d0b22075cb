"""How much of a long piece of work is done, for somebody who waits, and who may no longer want it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import TypeVar

Item = TypeVar("Item")
Report = Callable[[float], object]  # is told the share that is done, 0 to 1, as often as can be; it may raise to stop


def unreported(share: float) -> None:
    """Nobody waits."""


def stretch(report: Report, begin: float, end: float) -> Report:
    """The report of a stretch of the work, from one share of the whole to another."""
    return lambda share: report(begin + (end - begin) * share)


def one_by_one(items: Collection[Item], report: Report) -> Iterator[Item]:
    """Give the items in turn, and tell before each how many of them are done."""
    for number, item in enumerate(items):
        report(number / len(items))
        yield item
