"""What is left out: never a kind of cases, never in another way in another process, nothing with --thorough."""

from __future__ import annotations

from itertools import product
from operator import itemgetter
from types import SimpleNamespace

import pytest

from tests import thorough
from tests.thorough import by_kind, family, in_turn, operation, some, tries

CASES = list(product(("sin", "cos"), range(20)))


@pytest.fixture
def at_work(monkeypatch) -> None:
    monkeypatch.setattr(thorough, "everything", False)


def test_each_kind_keeps_a_case_and_a_new_kind_changes_no_other(at_work):
    drawn = some(CASES)
    assert [name for name, _ in drawn] == ["sin", "cos"]
    assert some([("tan", 0), *CASES])[1:] == drawn
    assert len(some(CASES, most=3)) == 6 and len(set(some(CASES, most=3))) == 6
    assert some(CASES, kind=itemgetter(1, 0)) and len(some(CASES, kind=itemgetter(1, 0))) == 40


def test_another_seed_draws_other_cases_and_the_same_seed_the_same(at_work, monkeypatch):
    drawn = {}
    for seed in (1, 2, 1):
        monkeypatch.setattr(thorough, "seed", seed)
        assert drawn.setdefault(seed, some(CASES, most=5)) == some(CASES, most=5)
    assert drawn[1] != drawn[2]


def test_samples_of_all_seeds_together_miss_no_test(monkeypatch):
    items = [SimpleNamespace(nodeid=f"a.py::many[{case}]") for case in range(40)]
    items += [SimpleNamespace(nodeid=f"a.py::one{test}") for test in range(40)]
    met = set()
    for seed in range(60):
        monkeypatch.setattr(thorough, "seed", seed)
        kept = {item.nodeid for item in thorough.sample(items, 4)}
        assert sum("many" in name for name in kept) == 10
        assert 2 < sum("one" in name for name in kept) < 22
        met |= kept
    assert len(met) == 80


def test_of_a_test_with_the_mark_some_as_many_cases_are_tried_as_it_says():
    mark = pytest.mark.some(2).mark
    items = [SimpleNamespace(nodeid=f"a.py::slow[{case}]", get_closest_marker=lambda _: mark) for case in range(9)]
    items.append(SimpleNamespace(nodeid="a.py::quick", get_closest_marker=lambda _: None))
    names = [item.nodeid for item in thorough.marked(items)]
    assert len(names) == 3 and names[-1] == "a.py::quick"


def test_thorough_leaves_nothing_out(monkeypatch):
    monkeypatch.setattr(thorough, "everything", True)
    assert some(CASES) == CASES
    assert tries(60).max_examples == 60


def test_random_tests_try_a_quarter_and_ten_at_least(at_work):
    assert [tries(most).max_examples for most in (20, 60, 200)] == [10, 15, 50]


def test_the_kind_of_a_case_is_its_operation_however_it_is_written():
    assert operation("sin") == operation(("sin", 1)) == operation(pytest.param(("sin", 1), id="a")) == "sin"
    assert by_kind(CASES, operation)["cos"] == CASES[20:]
    assert family(("sin", 1)) == family("cos") != family("exp") and family("no operation") == "no operation"


def parameters(test) -> list:
    (mark,) = test.pytestmark
    return mark.args[1]


def test_all_cases_are_tried_one_after_the_other_and_a_failure_names_its_own():
    tried = []

    @in_turn("name, number", [*CASES[:3], *CASES[20:22]], kind=operation)
    def each(name, number):
        tried.append((name, number))
        assert number < 2

    first, second = parameters(each)
    with pytest.raises(AssertionError) as failure:
        each(first)
    assert failure.value.__notes__ == ["in the case ('sin', 2)"]
    with pytest.raises(ExceptionGroup) as failures:
        each([*first, *first])
    assert [error.__notes__ for error in failures.value.exceptions] == [["in the case ('sin', 2)"]] * 2
    tried.clear()
    each(second)
    assert tried == CASES[20:22]


def test_a_case_that_is_skipped_takes_no_other_with_it():
    tried = []

    @in_turn("name, number", CASES[:3])
    def each(name, number):
        if number != 1:
            pytest.skip("not this one")
        tried.append(number)

    (cases,) = parameters(each)
    each(cases)
    assert tried == [1]
    with pytest.raises(pytest.skip.Exception):
        each(cases[:1])
