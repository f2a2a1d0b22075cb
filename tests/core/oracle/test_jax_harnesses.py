"""JAX's own harnesses of its primitives, captured: value and gradients agree, or a note says what is opaque.

The harnesses are counted in parts, so that a run may take one of them; AGREE may only rise.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import cadena

jax = pytest.importorskip("jax")
jnp = jax.numpy
pytestmark = pytest.mark.oracle
EVERY = 3  # one of so many of the harnesses, which differ in little
AGREE = [18, 21, 20, 19, 21, 18, 17, 18, 20, 20, 20, 16]
Loss = Callable[..., Any]


@functools.cache
def harnesses() -> list[Any]:
    """Those whose numbers are of float32, by name: JAX's order changes from run to run."""
    from jax._src.internal_test_util import test_harnesses

    real = [item for item in test_harnesses.all_harnesses if item.dtype == np.float32]
    return sorted(real, key=lambda item: str(item.fullname))[::EVERY]


def made(harness: Any) -> tuple[Loss, list[Any]] | None:
    """A loss of all real results, and its arguments; None where one is not of real numbers, or JAX has no gradient."""

    def loss(*args: Any) -> Any:
        results = [item for item in jax.tree_util.tree_leaves(harness.dyn_fun(*args))
                   if jnp.issubdtype(item.dtype, jnp.floating)]  # fmt: skip
        return sum(jnp.sum(item * jnp.linspace(0.5, 1.5, item.size, dtype=item.dtype).reshape(item.shape))
                   for item in results)  # fmt: skip

    try:
        args = list(harness.dyn_args_maker(np.random.RandomState(0)))
        if not args or not all(getattr(item, "dtype", None) == np.float32 for item in args):
            return None
        value = jax.value_and_grad(loss, argnums=tuple(range(len(args))))(*args)[0]
    except Exception:  # whatever a primitive without a gradient, or for another machine, raises
        return None
    return (loss, args) if np.isfinite(float(value)) else None


def verdict(loss: Loss, args: list[Any]) -> str:
    """Whether the capture agrees; what float32 rounds differently must agree in float64."""
    try:
        captured = cadena.capture(loss, *args, argnums=tuple(range(len(args))))
    except cadena.Refused:  # a number type that no document has
        return "opaque"
    agreement = captured.check()
    if captured.notes:
        return "opaque"
    if agreement.ok:
        return "agrees"
    with jax.enable_x64(True):
        wide = [np.asarray(item, np.float64) for item in args]
        agreement = cadena.capture(loss, *wide, argnums=tuple(range(len(args)))).check()
    return "agrees" if agreement.ok else str(agreement)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("part", range(len(AGREE)))
def test_a_primitive_of_jax_agrees_or_is_opaque(part: int) -> None:
    found = {}
    for harness in harnesses()[part :: len(AGREE)]:
        if (case := made(harness)) is not None:
            found[harness.fullname] = verdict(*case)
    assert {name: what for name, what in found.items() if what not in ("agrees", "opaque")} == {}
    assert sum(what == "agrees" for what in found.values()) >= AGREE[part]
