"""The optimisers against PyTorch's, fifty steps on the gradients of a bent valley."""

from __future__ import annotations

import numpy as np
import pytest

from cadena.core.training.optimisers import OPTIMISERS, no_moments

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.oracle
THEIRS = {
    "sgd": lambda w, rate: torch.optim.SGD([w], lr=rate),
    "momentum": lambda w, rate: torch.optim.SGD([w], lr=rate, momentum=0.9),
    "rmsprop": lambda w, rate: torch.optim.RMSprop([w], lr=rate),
    "adam": lambda w, rate: torch.optim.Adam([w], lr=rate),
}


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("name", OPTIMISERS)
def test_fifty_steps_are_those_of_pytorch(name, dtype):
    start, rate = np.array([1.5, -0.7, 0.3], dtype), 0.003
    w, state = start, no_moments(start)
    theirs = torch.tensor(start, requires_grad=True)
    optimiser = THEIRS[name](theirs, rate)
    for _ in range(50):
        loss = (theirs[0] - 1.0) ** 2 + 10.0 * (theirs[1] - theirs[0] ** 2) ** 2 + torch.sin(theirs[2])
        optimiser.zero_grad()
        loss.backward()
        slope = np.array(
            [2 * (w[0] - 1) - 40 * w[0] * (w[1] - w[0] ** 2), 20 * (w[1] - w[0] ** 2), np.cos(w[2])], dtype
        )
        optimiser.step()
        w, state = OPTIMISERS[name].update(w, slope, state, rate)
    assert np.allclose(w, theirs.detach().numpy(), rtol=1e-12 if dtype == "float64" else 2e-5)
    assert not np.allclose(w, start, rtol=1e-2)
