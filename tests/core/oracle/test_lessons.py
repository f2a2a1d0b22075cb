"""The lessons on networks, written by hand in PyTorch: the same losses, gradients and training."""

from __future__ import annotations

import numpy as np
import pytest

from cadena.core.front import compile
from cadena.core.teaching.lessons import open_lesson
from tests.core.lesson_claims import descended

pytestmark = pytest.mark.oracle
torch = pytest.importorskip("torch")


@pytest.mark.parametrize(("output", "activation"), [("s10", "sigmoid"), ("r10", "relu")])
def test_lesson_14_has_the_gradient_of_ten_activations(output, activation):
    run = compile(open_lesson("14"), output).run()
    x = torch.tensor(1.0, dtype=torch.float64, requires_grad=True)
    y = x
    for _ in range(10):
        y = getattr(torch, activation)(y)
    y.backward()
    np.testing.assert_allclose([run.value(output), run.gradient("x")], [y.item(), x.grad.item()], rtol=1e-13)


@pytest.mark.parametrize("shift", [0.0, 1000.0])
def test_lesson_15_has_the_fused_loss_and_loses_its_pieces_where_pytorch_does(shift):
    z = torch.tensor([2.0, 1.0, 0.0], requires_grad=True)
    y = torch.tensor([1.0, 0.0, 0.0])
    fused = torch.nn.functional.cross_entropy(z + shift, y)
    fused.backward()
    run = compile(open_lesson("15"), "fused").run({"shift": shift})
    np.testing.assert_allclose(run.value("fused"), fused.item(), rtol=1e-6)
    np.testing.assert_allclose(run.gradient("z"), z.grad.numpy(), rtol=1e-5)
    z.grad = None
    u = torch.exp(z + shift)
    pieces = -torch.sum(torch.log(u / u.sum()) * y)
    pieces.backward()
    run = compile(open_lesson("15")).run({"shift": shift})
    np.testing.assert_allclose(run.value("L"), pieces.item(), rtol=1e-6, equal_nan=True)
    np.testing.assert_allclose(run.gradient("z"), z.grad.numpy(), rtol=1e-5, equal_nan=True)


def test_lesson_16_learns_as_pytorch_does():
    nodes, names = open_lesson("16").nodes, ("W1", "b1", "W2", "b2")
    x, y = (torch.tensor(nodes[name].value.array) for name in "XY")
    w1, b1, w2, b2 = weights = [torch.tensor(nodes[name].value.array, requires_grad=True) for name in names]
    optimiser, losses = torch.optim.SGD(weights, lr=1.0), []
    for _ in range(301):
        optimiser.zero_grad()
        p = torch.sigmoid(torch.tanh(x @ w1 + b1) @ w2 + b2)
        loss = torch.nn.functional.binary_cross_entropy(p, y)
        loss.backward()
        losses.append(loss.item())
        optimiser.step()
    np.testing.assert_allclose(descended("16", names, 1.0, 300), losses, rtol=1e-9)
