"""What traced code computes on the user's behalf warns nobody; the user's own numpy warns as it always does."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np
import pytest

from cadena.core.graph.fault import Refused
from cadena.core.methods.checking import check_grads
from cadena.core.ops.primitive import REGISTRY
from cadena.core.tracing.trace import trace
from cadena.core.tracing.traced import apply
from cadena.core.tracing.transforms import grad, hessian, hvp, jacobian, jvp, value_and_grad, vjp
from tests import thorough
from tests.thorough import in_turn

BAD = (np.nan, np.inf, -np.inf, 0.0, 1e308, -1e308, 5e-324)


@contextmanager
def seen() -> Iterator[list[str]]:
    """The warnings raised in the block, as text."""
    texts: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield texts
    texts += [str(warning.message) for warning in caught]


def bad_operands(name: str, bad: float) -> list[tuple[list[Any], dict[str, Any]]]:
    """The examples of an operation with their numbers replaced, but for those that only choose."""
    found = []
    for example in REGISTRY[name].examples:
        attributes = example[-1] if isinstance(example[-1], dict) else {}
        operands = [np.asarray(item, dtype=float) for item in example if not isinstance(item, dict)]
        for slot, item in enumerate(operands):
            if REGISTRY[name].slot(slot).differentiable:
                operands[slot] = np.where(np.arange(item.size).reshape(item.shape) % 2 == 0, bad, item)
        found.append((operands, attributes))
    return found


@in_turn("name", REGISTRY)
def test_an_operation_in_traced_code_warned_of_inf_and_nan(name: str) -> None:
    for bad in BAD:
        for operands, attributes in bad_operands(name, bad)[: 3 if thorough.everything else 1]:
            wanted = [slot for slot in range(len(operands)) if REGISTRY[name].slot(slot).differentiable]

            def total(*parts: Any, operands: Any = operands, wanted: Any = wanted, attributes: Any = attributes) -> Any:
                full = list(operands)
                for slot, part in zip(wanted, parts, strict=True):
                    full[slot] = part
                return np.sum(apply(name, full, attributes) * 2.0)

            parts = [operands[slot] for slot in wanted]
            if parts:
                with seen() as warned, suppress(Refused):  # of a second derivative at a corner
                    made = trace(lambda *parts: trace(total, *parts).vjp(1.0), *parts)
                    made.vjp(tuple(np.ones(np.shape(part)) for part in parts))
                    made.jvp(*parts)
                assert not warned, f"{name} of {bad}"


def wild(x: Any) -> Any:
    """Traced code that divides by 0, overflows, and takes the logarithm of 0 and less."""
    y = np.exp(x * 1e4) / (x - x) + np.log(-x) ** 0.5
    y[0] = np.float64(1e300) * x[1] * 1e300
    return np.sum(y.astype(np.float32) * np.linalg.norm(np.outer(x, x) * 1e300, "nuc") ** 9)


CALLS: dict[str, Callable[[Any], Any]] = {
    "trace": lambda x: trace(wild, x).value,
    "grad": grad(wild),
    "value_and_grad": value_and_grad(wild),
    "vjp": lambda x: vjp(wild, x)[1](1e300),
    "jvp": lambda x: jvp(wild, (x,), (1e308 * np.ones(2),)),
    "jacobian": jacobian(wild),
    "hessian": hessian(wild),
    "hvp": lambda x: hvp(wild, (x,), (np.ones(2),)),
}


def leaves(result: Any) -> list[Any]:
    return [leaf for part in result for leaf in leaves(part)] if isinstance(result, tuple) else [result]


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_every_way_to_differentiate_traced_code_warned_of_bad_numbers(call: Callable[[Any], Any]) -> None:
    with seen() as warned:
        result = call(np.array([1.0, 0.0]))
    assert not warned
    assert not np.all(np.isfinite(np.concatenate([np.ravel(part) for part in leaves(result)]))), "nothing was bad"


def test_check_grads_warned_where_it_displaced_the_function_itself() -> None:
    with seen() as warned:
        check_grads(lambda x: np.sum(x * x * (np.log(x - x) < 0.0)), [np.array([1.0, 2.0])])
    assert not warned


def test_numpy_on_plain_arrays_in_a_traced_function_still_warns() -> None:
    """That is the user's code."""
    with pytest.warns(RuntimeWarning, match="divide by zero"):
        grad(lambda x: x * np.where(np.isinf(np.log(np.zeros(1)[0])), 1.0, 2.0))(1.0)
    with seen() as warned:
        assert grad(lambda x: np.log(x))(0.0) == np.inf
    assert not warned
