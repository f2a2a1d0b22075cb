"""How one operation is compared with the same one of another library, in tests with `pytest.mark.oracle`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import cadena.core.ops  # noqa: F401  (fills the table)
from cadena.core.ops.primitive import REGISTRY

RELATIVE = 1e-12
RELATIVE_IN_FLOAT32 = 1e-5
RNG = np.random.default_rng(11)


@dataclass(frozen=True)
class Case:
    """Operation `op` on `operands`; `peer` is the other library's function of as many tensors."""

    op: str
    operands: Sequence[Any]
    peer: Callable[..., Any]
    attributes: dict[str, Any]
    sign_axis: int | None = None  # vectors along it are known only up to their sign
    relative: float = RELATIVE_IN_FLOAT32  # in float32

    @property
    def label(self) -> str:
        """The operation with its attributes: sum axis=1."""
        return " ".join([self.op, *(f"{key}={value}" for key, value in self.attributes.items())])

    def __str__(self) -> str:
        """What pytest calls it: sum axis=1 of 2x3."""
        return f"{self.label} of " + ", ".join("x".join(map(str, np.shape(item))) or "1" for item in self.operands)


def case(op: str, operands: Sequence[Any], peer: Callable[..., Any], **attributes: Any) -> Case:
    """A row of a table of comparisons."""
    return Case(op, [np.asarray(item, dtype=np.float64) for item in operands], peer, attributes)


def normal(*shape: int) -> Any:
    return RNG.normal(size=shape)


def whole(high: int, *shape: int) -> Any:
    """Whole numbers below `high`, so that there are ties."""
    return RNG.integers(0, high, size=shape).astype(float)


def shares(*shape: int) -> Any:
    """Positive numbers that sum to 1 along axis 1."""
    e = np.exp(normal(*shape))
    return e / e.sum(axis=1, keepdims=True)


@np.errstate(all="ignore")  # as the engine runs them
def ours(given: Case, operands: Sequence[Any], upstream: Callable[[Any], Any]) -> tuple[Any, list[Any]]:
    """Our value and the gradient of each slot, None for a slot that gets none."""
    record = REGISTRY[given.op]
    full = record.complete(given.attributes)
    y = np.asarray(record.value(*operands, **full))
    assert np.shape(y) == record.shape(*map(np.shape, operands), **full)
    g = upstream(y)
    slots = [record.slot(index).differentiable for index in range(len(operands))]
    return y, [record.vjp(i, g, y, operands, full) if wanted else None for i, wanted in enumerate(slots)]


def theirs(given: Case, operands: Sequence[Any], upstream: Callable[[Any], Any]) -> tuple[Any, list[Any]]:
    """PyTorch's value and gradients, None where it has none."""
    import torch

    slots = [REGISTRY[given.op].slot(index).differentiable for index in range(len(operands))]
    leaves = [torch.tensor(item, requires_grad=wanted) for item, wanted in zip(operands, slots)]
    y = given.peer(*leaves)
    if y.requires_grad:
        y.backward(torch.tensor(upstream(y.detach().numpy()), dtype=y.dtype))
    return y.detach().numpy(), [None if leaf.grad is None else leaf.grad.numpy() for leaf in leaves]


def assert_agreement(given: Case, dtype: Any = np.float64) -> None:
    """The same value and gradients, within 1e-12 (in float32: 1e-5) of the largest element, and the same number type.

    Of the largest, because cancellation may take digits from small elements, here as there.
    """
    operands = [np.asarray(item, dtype=dtype) for item in given.operands]
    weights = np.random.default_rng(3).normal(size=10_000)
    y, gradients = ours(given, operands, lambda y: np.resize(weights, y.shape).astype(dtype))
    sign = 1.0
    if given.sign_axis is not None:
        sign = signed(theirs(given, operands, np.ones_like)[0], y, given.sign_axis)
    expected, wanted = theirs(given, operands, lambda y: sign * np.resize(weights, y.shape).astype(dtype))
    relative = RELATIVE if dtype == np.float64 else given.relative
    assert_close(y, sign * expected, relative)
    assert y.dtype == dtype
    for found, gradient in zip(gradients, wanted):
        assert (found is None) == (gradient is None) or not np.any(found)
        if gradient is not None:
            assert_close(found, gradient, relative)
            assert found.dtype == dtype


def signed(x: Any, y: Any, axis: int) -> Any:
    """+1 or -1 for each vector along `axis`, so that the largest element of `x` gets the sign that it has in `y`."""
    largest = np.expand_dims(np.argmax(np.abs(x), axis=axis), axis)
    return np.sign(np.take_along_axis(x, largest, axis) * np.take_along_axis(y, largest, axis))


def assert_close(found: Any, expected: Any, relative: float) -> None:
    """Within `relative` of the largest element; nan and inf in the same places."""
    assert np.shape(found) == np.shape(expected)
    scale = np.max(np.abs(expected[np.isfinite(expected)]), initial=0.0)
    np.testing.assert_allclose(found, expected, rtol=relative, atol=relative * scale)
