"""Architectures of torchvision, the smallest of each family, for tests with `pytest.mark.oracle`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch")
nn = torch.nn


def _torchvision() -> Any:
    """torchvision's models. With a PyTorch for CPUs its own operators may be missing; no model here calls one."""
    try:
        from torchvision import models
    except RuntimeError:
        library = torch.library.Library("torchvision", "DEF")
        for name in ("nms", "qnms"):
            library.define(f"{name}(Tensor boxes, Tensor scores, float most) -> Tensor")
        _torchvision.kept = library  # type: ignore[attr-defined]
        from torchvision import models
    return models


def vgg() -> Any:
    """With 64 in place of 4096 hidden units, which are 120 of its 130 million numbers and no other operations."""
    model = _torchvision().vgg11_bn(num_classes=5)
    model.classifier[0], model.classifier[3] = nn.Linear(512 * 49, 64), nn.Linear(64, 64)
    model.classifier[6] = nn.Linear(64, 5)
    return model


def vit() -> Any:
    return _torchvision().VisionTransformer(32, 8, 2, 4, 32, 64, num_classes=5)


def swin() -> Any:
    return _torchvision().SwinTransformer([4, 4], 16, [2, 2], [2, 4], [3, 3], num_classes=5)


def swin_v2() -> Any:
    block = _torchvision().swin_transformer
    return _torchvision().SwinTransformer([4, 4], 16, [2, 2], [2, 4], [3, 3], num_classes=5,
                                          block=block.SwinTransformerBlockV2,
                                          downsample_layer=block.PatchMergingV2)  # fmt: skip


def densenet() -> Any:
    return _torchvision().DenseNet(8, (2, 2, 2), 16, num_classes=5)


def maxvit() -> Any:
    return _torchvision().MaxVit((64, 64), 16, 4, [16, 32], [1, 1], 8, 0.1, num_classes=5)


def convnext() -> Any:
    from_home = _torchvision().convnext
    sizes = [from_home.CNBlockConfig(8, 16, 1), from_home.CNBlockConfig(16, None, 1)]
    return from_home.ConvNeXt(sizes, num_classes=5)


def named(name: str, **settings: Any) -> Callable[[], Any]:
    return lambda: getattr(_torchvision(), name)(num_classes=5, **settings)


# A model and the length of its images.
ARCHITECTURES: dict[str, tuple[Callable[[], Any], int]] = {
    "resnet18": (named("resnet18"), 32),
    "vgg11_bn": (vgg, 32),
    "densenet": (densenet, 32),
    "mobilenet_v2": (named("mobilenet_v2"), 32),
    "mobilenet_v3_small": (named("mobilenet_v3_small"), 32),
    "efficientnet_b0": (named("efficientnet_b0"), 32),
    "vit": (vit, 32),
    "swin": (swin, 24),
    "swin_v2": (swin_v2, 24),
    "squeezenet1_1": (named("squeezenet1_1"), 48),
    "shufflenet_v2_x0_5": (named("shufflenet_v2_x0_5"), 32),
    "mnasnet0_5": (named("mnasnet0_5"), 32),
    "regnet_y_400mf": (named("regnet_y_400mf"), 32),
    "convnext": (convnext, 32),
    "googlenet": (named("googlenet", aux_logits=False, init_weights=False), 48),
    "maxvit": (maxvit, 64),
}  # fmt: skip
