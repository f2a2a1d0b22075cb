"""The commonest losses that go bad, as captures of PyTorch and JAX hold them: the fixes, and what they bring."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import cadena
from cadena.core.capture.captured import Captured
from cadena.core.doctor.fixes.offers import fixes

pytestmark = pytest.mark.oracle
ROWS = [[1000.0, 0.0], [5.0, -200.0]]
Case = tuple[Callable[[Any], Any], Any, list[str], Any]  # the loss, its parameter, the fixes, and the true gradient


def check(captured: Captured, titles: list[str], gradient: Any) -> None:
    """The capture has the framework's numbers, and these fixes bring this gradient."""
    assert captured.notes == () and captured.check().ok
    run, done = cadena.compile(captured.document).run(), list[str]()
    while bad := [fault for fault in run.faults if fault.severity == "fault"]:
        offered = (fixes(run.program.document, run, fault) for fault in bad)
        best = next(one[0] for one in offered if one)
        done.append(best.title)
        run = cadena.compile(best.apply(run.program.document)).run()
    assert done == titles
    (leaf,) = captured.gradients
    np.testing.assert_allclose(np.asarray(run.gradient(leaf)), gradient, rtol=1e-4, atol=1e-6)


def of_torch() -> dict[str, Case]:
    torch = pytest.importorskip("torch")
    second, picked = torch.tensor([[False, True], [False, True]]), [[0.5, -0.5], [0.5, -0.5]]
    hidden = torch.tensor([[True, True], [False, False]])
    classes, of_shares = torch.tensor([1, 1]), "Use log_softmax for the logarithm of softmax"
    labels = torch.tensor([0.0, 1.0])

    def by_parts(s: Any) -> Any:
        p = torch.sigmoid(s)
        return -(labels * torch.log(p) + (1 - labels) * torch.log(1 - p)).mean()

    return {
        "index": (lambda z: -torch.log(torch.softmax(z, 1)[torch.arange(2), classes]).mean(), ROWS,
            [f"{of_shares}, ahead of getitem1"], picked),
        "gather": (lambda z: -torch.log(torch.softmax(z, 1).gather(1, classes[:, None])).mean(), ROWS,
            [f"{of_shares}, ahead of take_along_axis1"], picked),
        "mask": (lambda z: -torch.log(torch.softmax(z, 1)[second]).mean(), ROWS,
            [f"{of_shares}, ahead of getitem1"], picked),
        "by parts": (by_parts, [200.0, -200.0], ["Use logsigmoid for the logarithm of sigmoid",
            "Use logsigmoid of −x for log(1 − sigmoid(x))"], [0.5, -0.5]),
        "masked rows": (lambda z: (torch.softmax(z.masked_fill(hidden, -math.inf), 1) * z).sum(), ROWS,
            ["Let softmax1 be 0 in rows of nothing but −inf"], [[0.0, 0.0], [1.0, 0.0]]),
        "arccos": (lambda q: (torch.acos(q) * labels).sum(), [1.0, 0.5],
            ["Give arccos1 a gradient of its own"], [0.0, -1.1547005]),
        "std": (lambda c: ((c - c.mean()) / c.std()).sum(), [3.0, 3.0],
            ["Let divide1 be 0 where std1 is 0"], [0.0, 0.0]),
        "entropy": (lambda p: (p * torch.log(p)).sum(), [0.0, 0.5], ["Let multiply1 be 0 where p is 0"],
            [0.0, 0.3068528]),
        "sinc": (lambda x: ((1 / x) * torch.sin(x)).sum(), [0.0, 1.0], ["Use sinc for sin(x) / x"], [0.0, -0.3011687]),
        "where": (lambda x: torch.where(x > 0, torch.log(x), 0.0).sum(), [0.0, 1.0],
            ["Keep x harmless where where1 does not choose it"], [0.0, 1.0]),
    }  # fmt: skip


def of_jax() -> dict[str, Case]:
    jax = pytest.importorskip("jax")
    jnp, softmax = jax.numpy, jax.nn.softmax
    classes, picked = jnp.array([1, 1]), [[0.5, -0.5], [0.5, -0.5]]
    of_shares = "Use log_softmax for the logarithm of softmax"
    hidden = jnp.array([[True, True], [False, False]])
    return {
        "index": (lambda z: -jnp.log(softmax(z, axis=1)[jnp.arange(2), classes]).mean(), ROWS,
            [f"{of_shares}, ahead of take1"], picked),
        "one-hot": (lambda z: -(jnp.log(softmax(z, axis=1)) * jax.nn.one_hot(classes, 2)).sum(1).mean(), ROWS,
            [of_shares], picked),
        "masked rows": (lambda z: (softmax(jnp.where(hidden, -jnp.inf, z), axis=1) * z).sum(), ROWS,
            ["Let softmax1 be 0 in rows of nothing but −inf"], [[0.0, 0.0], [1.0, 0.0]]),
        "by hand": (lambda z: (jnp.exp(z) / jnp.exp(z).sum(1, keepdims=True))[0, 1] + z[1].sum(), ROWS,
            ["Use softmax for exp(x) / sum(exp(x))"], [[0.0, 0.0], [1.0, 1.0]]),
        "logaddexp": (lambda p: jnp.logaddexp(jnp.log(p[0]), jnp.log(p[1])), [0.0, 1.0],
            ["Write log(p + q) for logaddexp(log(p), log(q))"], [1.0, 1.0]),
        "logsumexp": (lambda p: jax.nn.logsumexp(jnp.log(p)), [0.0, 1.0], ["Write log(Σ x) for logsumexp(log(x))"],
            [1.0, 1.0]),
        "norm": (lambda n: (n / jnp.linalg.norm(n)).sum(), [0.0, 0.0], ["Let divide1 be 0 where norm is 0",
            "Inside norm1: Give sqrt1 the gradient 0 where sum1 is 0"], [0.0, 0.0]),
        "lgamma": (lambda m: jax.scipy.special.gammaln(m).sum(), [0.0, 2.0], ["Keep m above 0"], [0.0, 0.4227843]),
    }  # fmt: skip


def test_losses_captured_from_pytorch_are_fixed():
    torch = pytest.importorskip("torch")
    for loss, start, titles, gradient in of_torch().values():
        check(cadena.capture(loss, torch.tensor(start, requires_grad=True)), titles, gradient)


def test_softmax_and_logsumexp_of_jax_were_ten_operations_for_which_no_fix_was_known():
    jax = pytest.importorskip("jax")
    for loss, start, titles, gradient in of_jax().values():
        check(cadena.capture(loss, jax.numpy.array(start)), titles, gradient)


def test_a_softmax_of_jax_that_is_put_together_again_follows_new_numbers():
    jax = pytest.importorskip("jax")

    def loss(x: Any) -> Any:
        return (jax.nn.softmax(x, axis=0) * x).sum() + jax.nn.logsumexp(x, axis=1, keepdims=True).prod()

    x, moved = np.array([[1.0, 2.0], [0.5, -1.0]], np.float32), np.array([[4.0, -2.0], [0.5, 3.0]], np.float32)
    captured = cadena.capture(loss, x)
    assert {node.op for node in captured.document.nodes.values()} >= {"softmax", "logsumexp"}
    run = cadena.compile(captured.document).run({"x": moved})
    np.testing.assert_allclose(run.gradient("x"), jax.grad(loss)(moved), rtol=1e-4)
