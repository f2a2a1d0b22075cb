"""What a tape holds, without the calls that change nothing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cadena.core.graph.edits import FreeNames, fresh_name
from cadena.core.tracing.recording import Tape
from cadena.core.tracing.tapes import Tidy
from cadena.core.tracing.traced import apply

X = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
NO, SOME = np.zeros((2, 3)), np.array([1.0, 0.0, 1.0])


def tidied(fn, value=X):
    """What stands for `fn(x)`: x itself (0), a literal, or the operations in order."""
    tape = Tape()
    x = tape.leaf(value)
    tidy = Tidy(tape)
    result = fn(x)
    tidy.read()
    term = tidy.term(result)
    return (
        term
        if not isinstance(term, int) or term == 0
        else [tidy.calls[n].op for n in tidy.needed([term], {0}.__contains__)]
    )


@pytest.mark.parametrize(
    "fn",
    [
        lambda x: x * 1.0,
        lambda x: 1.0 * x,
        lambda x: x * np.ones((2, 3)),
        lambda x: x / 1.0,
        lambda x: x + 0.0,
        lambda x: np.zeros(3) + x,
        lambda x: x - 0.0,
        lambda x: x**1.0,
        lambda x: np.reshape(x, (2, 3)),
        lambda x: np.broadcast_to(x, (2, 3)),
        lambda x: np.positive(x),
        lambda x: x.astype("float64"),
        lambda x: x + np.zeros((1, 3)),
        lambda x: np.sum(x, axis=(), keepdims=True),
        lambda x: apply("where", [np.ones((2, 3)), x, 7.0]),
        lambda x: apply("where", [NO, 7.0, x]),
    ],
)
def test_a_call_that_changes_nothing_is_left_out(fn):
    assert tidied(fn) == 0


@pytest.mark.parametrize(
    ("fn", "ops"),
    [
        (lambda x: x * -1.0, ["negative"]),
        (lambda x: x / -1.0, ["negative"]),
        (lambda x: 1.0 / x, ["divide"]),
        (lambda x: 0.0 - x, ["subtract"]),
        (lambda x: 1.0**x, ["power"]),
        (lambda x: x * np.ones((4, 2, 3)), ["multiply"]),
        (lambda x: x + np.zeros((4, 1, 1)), ["add"]),
        (lambda x: apply("where", [SOME, x, 0.0]), ["where"]),
        (lambda x: apply("where", [np.ones((4, 1, 1)), x, 0.0]), ["broadcast_to"]),
        (lambda x: np.broadcast_to(np.reshape(x, (1, 2, 3)), (4, 2, 3)), ["broadcast_to"]),
        (lambda x: np.broadcast_to(np.reshape(x, (2, 1, 3)), (2, 4, 3)), ["reshape", "broadcast_to"]),
        (lambda x: np.sin(x) * np.sin(x), ["sin", "multiply"]),
        (lambda x: np.sum(x, axis=0) + np.sum(x, axis=1)[0], ["sum", "sum", "getitem", "add"]),
    ],
)
def test_calls_that_do_something_stay_in_their_shortest_form(fn, ops):
    assert tidied(fn) == ops


def test_what_reads_only_literals_is_a_literal():
    assert tidied(lambda x: apply("where", [NO, x, 2.0]) + 1.0).tolist() == np.full((2, 3), 3.0).tolist()


def test_calls_that_are_read_as_they_are_stay_although_they_change_nothing():
    tape = Tape()
    x = tape.leaf(X)
    y, z = np.positive(x), np.positive(x)
    tidy = Tidy(tape)
    tidy.read(as_they_are=True)
    assert [tidy.term(one) for one in (x, y, z)] == [0, 1, 2]
    again = np.positive(x) * 2.0
    tidy.read()
    assert tidy.calls[again.number].operands[0] == 0  # a rule's own copy of x is x


@given(st.lists(st.sampled_from(["a", "a1", "a2", "b", "def", "7", "k0", ""]), max_size=12), st.sets(st.text("ab12")))
def test_names_are_those_that_an_edit_would_give(likes, taken):
    names, known = FreeNames(taken), set(taken)
    for like in likes:
        expected = fresh_name(known, like)
        assert names.fresh(like) == expected
        known.add(expected)
