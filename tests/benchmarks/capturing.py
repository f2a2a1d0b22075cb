"""Models of PyTorch captured, where it is installed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec
from typing import Any

import cadena
from tests.benchmarks.cases import OURS, Case
from tests.benchmarks.timing import Action


def capture_cases() -> Iterator[Case]:
    if find_spec("torch") is not None:
        yield Case("capture", "a transformer block of PyTorch", _block, 3.0)
    if find_spec("torchvision") is not None:
        yield Case("capture", "ResNet-18 of torchvision", _resnet, 10.0)


def _block() -> dict[str, Action]:
    import torch

    block = torch.nn.TransformerEncoderLayer(512, 8, 2048, dropout=0.0, batch_first=True)
    return _captured(block, torch.randn(8, 64, 512))


def _resnet() -> dict[str, Action]:
    import torch

    from tests.core.capture.architectures import ARCHITECTURES

    make, size = ARCHITECTURES["resnet18"]
    return _captured(make().eval(), torch.randn(2, 3, size, size))


def _captured(model: Any, x: Any) -> dict[str, Action]:
    return {OURS: partial(cadena.capture, lambda x: model(x).square().mean(), x, model=model)}
