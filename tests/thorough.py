"""The choice among similar cases, by the seed that a run prints: some of each kind, all with --thorough.

`some(cases)`, `in_turn` and `tries` are for tests of many quick cases. The mark `some(N)` is for those whose cases are
slow: N of them are tried, with `some(0)` none but with --thorough. `--sample N` keeps one in N of all tests, for CI,
which passes the date as the seed.
"""

from __future__ import annotations

import functools
import inspect
import random
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import pytest
from hypothesis import settings

Case = TypeVar("Case")
WithId: Any = type(pytest.param())
Test = Callable[..., None]
OF_THE_WINDOW = 1  # cases of a test
RANDOM_EXAMPLES = 100  # of a random test that asks for no other number

# conftest sets these before it collects.
everything = False  # --thorough
seed = 0  # --randomly-seed


def operation(case: Any) -> object:
    """The kind of most cases: the name of the operation, which or whose record comes first in them."""
    while isinstance(case, tuple):  # what pytest.param makes is one too
        case = case[0]
    return getattr(case, "name", case)


def family(case: Any) -> object:
    """The kind of cases in which many operations say the same: the category of the operation."""
    from cadena.core.ops.primitive import REGISTRY

    name = operation(case)
    return REGISTRY[name].category if name in REGISTRY else name


def some(cases: Iterable[Case], kind: Callable[[Case], object] = operation, most: int = 1) -> list[Case]:
    """At most so many cases of each kind, drawn for itself: a new kind changes nothing for the others."""
    of_kind = by_kind(cases, kind)
    if everything:
        return [case for same in of_kind.values() for case in same]
    return [case for name, same in of_kind.items() for case in drawn(same, most, name)]


def drawn(cases: list[Case], most: int, name: object) -> list[Case]:
    return random.Random(f"{seed} {name!r}").sample(cases, min(most, len(cases)))


def marked(items: list[pytest.Item]) -> list[pytest.Item]:
    """As many cases of each test as its mark `some` wants; without one, one of those of the window, else all."""
    kept = []
    for name, same in by_kind(items, function_of).items():
        mark = same[0].get_closest_marker("some")
        most = mark.args[0] if mark else OF_THE_WINDOW if name.startswith("tests/gui") else len(same)
        kept += drawn(same, most, name)
    return kept


def function_of(item: pytest.Item) -> str:
    return item.nodeid.partition("[")[0]


def sample(items: list[pytest.Item], one_in: int) -> list[pytest.Item]:
    """One in so many of the cases of each test; of a test with fewer cases one, or none, as often."""
    kept = []
    for name, same in by_kind(items, function_of).items():
        whole, rest = divmod(len(same), one_in)
        kept += drawn(same, whole + (random.Random(f"{name} {seed}").randrange(one_in) < rest), name)
    return kept


def by_kind(cases: Iterable[Case], kind: Callable[[Case], object]) -> dict[object, list[Case]]:
    found: dict[object, list[Case]] = {}
    for case in cases:
        found.setdefault(kind(case), []).append(case)
    return found


def in_turn(names: str, cases: Iterable[Any], kind: Callable[[Any], object] = family) -> Callable[[Test], Test]:
    """Parametrize by kind, and try the cases of a kind one after the other; a failure names the cases.

    For quick tests of many cases: pytest takes longer to make, report and send a test than such a one takes.
    """
    arguments, of_kind = names.replace(" ", "").split(","), by_kind(cases, kind)

    def decorate(test: Test) -> Test:
        def each(cases_of_a_kind: list[Any], **others: Any) -> None:
            skips, errors = [], []
            for case in cases_of_a_kind:
                try:
                    test(**dict(zip(arguments, _values(case, len(arguments)))), **others)
                except pytest.skip.Exception as skip:
                    skips.append(skip)
                except Exception as error:
                    error.add_note(f"in the case {_label(case)}")
                    errors.append(error)
            if errors:
                raise errors[0] if len(errors) == 1 else ExceptionGroup(f"{len(errors)} cases fail", errors)
            if len(skips) == len(cases_of_a_kind):
                raise skips[0]

        functools.update_wrapper(each, test)
        del each.__wrapped__  # type: ignore[attr-defined]  # pytest would read its arguments
        kept = [one for one in inspect.signature(test).parameters.values() if one.name not in arguments]
        first = inspect.Parameter("cases_of_a_kind", inspect.Parameter.POSITIONAL_OR_KEYWORD)
        each.__signature__ = inspect.Signature([first, *kept])  # type: ignore[attr-defined]
        return pytest.mark.parametrize("cases_of_a_kind", list(of_kind.values()), ids=map(str, of_kind))(each)

    return decorate


def _label(case: Any) -> object:
    """What a failure calls a case: its id, its name, or all of it."""
    return getattr(case, "id", None) or getattr(case, "name", None) or getattr(case, "__name__", None) or case


def _values(case: Any, count: int) -> tuple[Any, ...]:
    """The arguments of a case in the form of parametrize."""
    if isinstance(case, WithId):
        return case.values
    return tuple(case) if count > 1 else (case,)


def tries(most: int = RANDOM_EXAMPLES, **others: Any) -> settings:
    """Settings of a random test: so many examples with --thorough, else a quarter; the next run draws others."""
    return settings(max_examples=most if everything else max(10, most // 4), **others)
