"""Architectures of torchvision run again: the same loss and every gradient."""

from __future__ import annotations

import numpy as np
import pytest

import cadena
from tests import thorough
from tests.core.capture.architectures import ARCHITECTURES

torch = pytest.importorskip("torch")
pytest.importorskip("PIL")  # with torchvision
pytestmark = pytest.mark.oracle
IN_FLOAT64 = ("resnet18", "mobilenet_v2", "densenet", "vit", "swin", "swin_v2")  # the others with --thorough
IN_FLOAT32 = [(name, "float32") for name in ARCHITECTURES]


@pytest.mark.parametrize(
    ("name", "dtype"),
    [*IN_FLOAT32, *((name, "float64") for name in (ARCHITECTURES if thorough.everything else IN_FLOAT64))],
)
def test_an_architecture_has_the_loss_and_every_gradient_of_pytorch(name, dtype):
    torch.manual_seed(1)
    make, size = ARCHITECTURES[name]
    model = make().to(getattr(torch, dtype)).eval()
    images, classes = torch.randn(2, 3, size, size, dtype=getattr(torch, dtype)), torch.tensor([1, 3])
    captured = cadena.capture(lambda x: torch.nn.functional.cross_entropy(model(x), classes), images, model=model)
    assert captured.notes == () and captured.document.dtype == dtype
    assert len(captured.gradients) == len(list(model.parameters()))
    loss = torch.nn.functional.cross_entropy(model(images), classes)
    loss.backward()
    assert float(captured.value) == pytest.approx(loss.item(), rel=1e-5)
    for parameter, item in model.named_parameters():
        np.testing.assert_allclose(captured.gradients[parameter], item.grad.numpy(), rtol=1e-4, atol=1e-6)
    assert captured.check().ok, captured.check()
    assert len(captured.document.functions) > 10
