"""Conditions, places and orders of computed values: recorded, so that they follow new numbers, or guarded."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import cadena
from cadena.core.tracing.recording import Tape
from cadena.core.tracing.traced import Traced, plain

A, B = np.array([1.0, 2.0, 3.0]), np.array([2.0, 2.0, -1.0])
NEW = np.array([2.5, -1.0, 0.5])
COMPARISONS = [operator.gt, operator.ge, operator.lt, operator.le, operator.eq, operator.ne]


@pytest.mark.parametrize("compare", COMPARISONS)
def test_a_comparison_is_recorded_as_1_or_0(compare):
    tape = Tape()
    a, b = tape.leaf(A), tape.leaf(B)
    for left, right in ((a, b), (a, 2.0), (2.0, b)):
        made = compare(left, right)
        assert isinstance(made, Traced) and made.dtype == bool
        assert plain(made).tolist() == compare(plain(left), plain(right)).astype(float).tolist()


def test_choices_combine_and_where_chooses_by_them():
    tape = Tape()
    a, b = tape.leaf(A), tape.leaf(B)
    both, either = (a > 1.0) & (b > 0.0), (a > 2.0) | (b > 0.0)
    assert plain(both).tolist() == [0, 1, 0] and plain(either).tolist() == [1, 1, 1]
    assert plain(~(a > 1.0)).tolist() == [1, 0, 0] and plain((a > 1.0) ^ (b > 0.0)).tolist() == [1, 0, 1]
    chosen = np.where(a > b, a, b)
    assert plain(chosen).tolist() == [2, 2, 3]


# Each is a function of a vector x of three numbers, one number out.
FOLLOWS: dict[str, Callable[[Any], Any]] = {
    "where": lambda x: np.sum(np.where(x > 1.0, np.log2(np.abs(x)), 3.0 * x)),
    "relu by hand": lambda x: np.sum(x * (x > 0)),
    "hinge": lambda x: np.sum((1 - x) * (1 - x > 0)),
    "huber": lambda x: np.sum(np.where(np.abs(x) <= 1.0, 0.5 * x**2, np.abs(x) - 0.5)),
    "clamp by mask": lambda x: np.sum(x * ((x > 0) & (x < 2)) + 2.0 * (x >= 2)),
    "argmax": lambda x: x[np.argmax(x)] * x[0],
    "argmin": lambda x: np.take(x**2, np.argmin(x)),
    "argmax of rows": lambda x: np.sum(np.outer(x, A)[np.arange(3), np.argmax(np.outer(x, B), axis=1)]),
    "argmax and a slice": lambda x: np.sum(np.outer(x, A)[np.argmax(x), 1:] * x[0]),
    "the last but": lambda x: x[np.argmax(x) - 1],
    "argsort": lambda x: np.sum(x[np.argsort(x)] * A),
    "two largest": lambda x: np.sum(x[np.argsort(x)[-2:]]),
    "take_along_axis": lambda x: np.sum(np.take_along_axis(np.outer(x, A), np.argsort(np.outer(x, B)), axis=1) * B),
    "median": lambda x: np.median(x) * x[0],
    "quantile": lambda x: np.quantile(x, 0.3) * x[1],
    "sort": lambda x: np.sum(np.sort(x) * A),
    "max": lambda x: np.max(np.outer(x, B), axis=1)[0],
    "one-hot": lambda x: np.sum((np.arange(3) == np.argmax(x)) * x**2),
    "searchsorted": lambda x: np.sum(np.minimum(np.searchsorted(A, x), 2) * x),
    "interp": lambda x: np.sum(np.interp(x, A, B)),
    "digitize": lambda x: np.sum(np.digitize(x, A) * x),
    "any": lambda x: np.where(np.any(x < 0), np.sum(x), np.prod(x)),
    "all": lambda x: np.where(np.all(x > 0), np.sum(x), np.prod(x)),
    "isclose": lambda x: np.sum(np.where(np.isclose(x, 0.5), x, -x)),
    "count_nonzero": lambda x: np.count_nonzero(x > 1) * np.sum(x),
    "nansum": lambda x: np.nansum(np.sqrt(np.where(x < 0, np.nan, x))),
    "isin": lambda x: np.sum(np.where(np.isin(np.floor(x), [2.0, -1.0]), x, 0.0)),
    "select": lambda x: np.sum(np.select([x > 2, x > 0], [x**2, x], -x)),
    "clip": lambda x: np.sum(np.clip(x, 0.0, 1.0) * x),
    "maximum": lambda x: np.sum(np.maximum(x, 0.7) * x),
    "copysign": lambda x: np.sum(np.copysign(A, x) * x),
    "heaviside": lambda x: np.sum(np.heaviside(x, 0.5) * x),
    "a hard top-1": lambda x: np.sum(np.where(x >= np.max(x), x, 0.0)),
}


def put(x: Any) -> Any:
    y = x * 1.0
    y[np.argmax(x)] = 10.0 * x[0]
    return np.sum(y * A)


def masked(x: Any) -> Any:
    y = x * 1.0
    y[y < 0] = 0.5
    return np.sum(y * A)


def added(x: Any) -> Any:
    y = x * 1.0
    np.add.at(y, np.argsort(x)[[0, 0]], x[:2])
    return np.sum(y * A)


FOLLOWS |= {"put": put, "masked assignment": masked, "add.at": added}


@pytest.mark.parametrize("name", FOLLOWS)
def test_a_choice_stayed_as_it_was_at_the_numbers_of_the_trace(name):
    function = FOLLOWS[name]
    program = cadena.compile(cadena.trace(function, A).document)
    run = program.run({program.document.output and next(iter(program.document.nodes)): NEW})
    assert not [fault for fault in run.faults if fault.severity == "fault"]
    assert np.allclose(run.value(program.document.output), function(NEW), equal_nan=True)
    expected = cadena.grad(lambda x: np.sum(function(x)))(NEW)
    assert np.allclose(run.gradient("x" if "x" in program.document.nodes else "x0"), expected)


def branch(x: Any) -> Any:
    if x[0] < 2:
        return np.sum(x)
    return np.sum(x**2)


def loop(x: Any) -> Any:
    y = x
    while np.sum(y) > 5.5:
        y = y / 2.0
    return np.sum(y * x)


def turns(x: Any) -> Any:
    y = x
    for _ in range(int(x[0] + 0.5)):
        y = y * x
    return np.sum(y)


# function, and what its guard says at NEW
GUARDED: dict[str, tuple[Callable[[Any], Any], str]] = {
    "if": (branch, "took the branch x[0] < 2; with these numbers it would not"),
    "while": (loop, "took the branch np.sum(y) > 5.5; with these numbers it would not"),
    "int": (turns, "went on with int(x[0] + 0.5) = 1; with these numbers it is 3"),
    "a mask": (lambda x: np.sum(x[x > 1.5]), "chose elements by x[x > 1.5]"),
    "nonzero": (lambda x: np.sum(x[np.nonzero(x > 1.5)]), "chose elements by np.nonzero(x > 1.5)"),
    "argpartition": (lambda x: x[np.argpartition(x, 1)[0]] * 2, "chose elements by np.argpartition(x, 1)"),
    "a slice": (lambda x: np.sum(x[: np.argmax(x)]), "went on with"),
    "allclose": (lambda x: x[0] if np.allclose(x, A) else x[1], "took the branch"),
}


@pytest.mark.parametrize("name", GUARDED)
def test_a_branch_of_python_was_taken_in_silence_with_numbers_that_take_the_other(name):
    function, sentence = GUARDED[name]
    document = cadena.trace(function, A).document
    program = cadena.compile(document)
    leaf = next(iter(document.nodes))
    assert not program.run().faults
    new = np.array([2.5, 2.0, 0.5])
    messages = [fault.message for fault in program.run({leaf: new}).faults]
    assert any(sentence in message and "line " in message for message in messages), messages


def test_the_expansion_of_an_operation_had_the_choices_of_its_numbers():
    from cadena.core.rewriting.atoms import expand
    from tests.core.graphs import graph

    document = graph(x=[1.0, -2.0], y=("selu", "x"), s=("sum", "y"))
    program, before = cadena.compile(expand(document, "y")), cadena.compile(document)
    new = {"x": [-1.0, 3.0]}
    assert np.allclose(program.run(new).value("s"), before.run(new).value("s"))
    assert np.allclose(program.run(new).gradient("x"), before.run(new).gradient("x"))
