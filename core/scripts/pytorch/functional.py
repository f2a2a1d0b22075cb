"""torch.nn.functional: what is more than a row of the table."""

from __future__ import annotations

from typing import Any

import numpy as np

from cadena.core.scripts.library import Library
from cadena.core.scripts.pytorch import table
from cadena.core.scripts.pytorch.composed import COMPOSED_FUNCTIONAL
from cadena.core.scripts.pytorch.creating import draw
from cadena.core.scripts.pytorch.measures import MEASURES
from cadena.core.scripts.pytorch.tensor import TENSOR, operate


def linear(input: Any, weight: Any, bias: Any = None) -> Any:
    product = operate("matmul", (input, weight.T))
    if bias is None:
        return product
    result = operate("add", (product, bias))
    result._fn = "AddmmBackward0" if input.ndim == 2 else "ViewBackward0"
    return result


def _loss(op: str, *known: str) -> Any:
    def call(input: Any, target: Any, reduction: str = "mean", **options: Any) -> Any:
        if left := [name for name, value in options.items() if name not in known and value not in (None, 0.0)]:
            raise TypeError(f"{op} is not known here with {left[0]}=; leave it away")
        attributes = {key: value for key, value in options.items() if key in known and value is not None}
        return operate(op, (input, target), {"reduction": reduction} | attributes)

    call.__name__ = op
    return call


def dropout(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    if not training or not p:
        return input
    kept = (draw("uniform", input.array.shape, input.array.dtype) < 1 - p).astype(input.array.dtype)
    return operate("multiply", (input, TENSOR[0](kept / input.array.dtype.type(1 - p))))


def _along(op: str) -> Any:
    def call(input: Any, dim: int | None = None, dtype: Any = None) -> Any:
        axis = (0 if input.ndim in (0, 1, 3) else 1) if dim is None else dim
        return operate(op, (input,), {"axis": axis})

    return call


def _conv(op: str) -> Any:
    def call(
        input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1
    ) -> Any:
        attributes = {"stride": stride, "padding": padding, "dilation": dilation, "groups": groups}
        product = operate(op, (input, weight), {key: table.plain(value) for key, value in attributes.items()})
        if bias is None:
            return product
        result = product + bias.reshape(-1, *[1] * (weight.ndim - 2))
        result._fn = "ConvolutionBackward0"
        return result

    return call


def _pool(op: str) -> Any:
    def call(input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, **options: Any) -> Any:
        attributes = {"kernel_size": kernel_size, "stride": stride, "padding": padding, **options}
        return operate(
            op, (input,), {key: table.plain(value) for key, value in attributes.items() if value is not None}
        )

    return call


def one_hot(tensor: Any, num_classes: int = -1) -> Any:
    count = int(tensor.array.max()) + 1 if num_classes < 0 else num_classes
    return TENSOR[0](np.eye(count, dtype=np.int64)[tensor.array])


LOSSES = {
    "mse_loss": (), "l1_loss": (), "huber_loss": ("delta",), "binary_cross_entropy": (), "kl_div": ("log_target",),
    "binary_cross_entropy_with_logits": (), "cross_entropy": ("ignore_index",), "nll_loss": ("ignore_index",),
    "hinge_embedding_loss": ("margin",),
}  # fmt: skip
GIVEN: dict[str, Any] = {
    **COMPOSED_FUNCTIONAL, **MEASURES,
    "linear": linear, "dropout": dropout, "one_hot": one_hot,
    "softmax": _along("softmax"), "log_softmax": _along("log_softmax"),
    "conv1d": _conv("conv1d"), "conv2d": _conv("conv2d"),
    "max_pool2d": _pool("max_pool2d"), "avg_pool2d": _pool("avg_pool2d"),
    **{name: _loss(name, *known) for name, known in LOSSES.items()},
}  # fmt: skip
FUNCTIONAL = Library("torch.nn.functional", GIVEN, lambda name: table.function(f"F.{name}"), lambda: table.known("F"))
