"""torch.nn.functional: what is more than a row of the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from cadena.core.scripts.followed import followed
from cadena.core.scripts.library import Library
from cadena.core.scripts.pytorch import table
from cadena.core.scripts.pytorch.selecting import norm
from cadena.core.scripts.pytorch.tensor import TENSOR, operate


def linear(input: Any, weight: Any, bias: Any = None) -> Any:
    product = operate("matmul", (input, weight.T))
    if bias is None:
        return product
    result = operate("add", (product, bias))
    result._fn = "AddmmBackward0" if input.ndim == 2 else "ViewBackward0"
    return result


def cross_entropy(input: Any, target: Any, ignore_index: int = -100, reduction: str = "mean") -> Any:
    return operate("cross_entropy", (input, target), {"ignore_index": ignore_index, "reduction": reduction})


def nll_loss(input: Any, target: Any, ignore_index: int = -100, reduction: str = "mean") -> Any:
    return operate("nll_loss", (input, target), {"ignore_index": ignore_index, "reduction": reduction})


def kl_div(input: Any, target: Any, reduction: str = "mean", log_target: bool = False) -> Any:
    return operate("kl_div", (input, target), {"log_target": log_target, "reduction": reduction})


def hinge_embedding_loss(input: Any, target: Any, margin: float = 1.0, reduction: str = "mean") -> Any:
    return operate("hinge_embedding_loss", (input, target), {"margin": margin, "reduction": reduction})


def softmax(input: Any, dim: int | None = None) -> Any:
    return operate("softmax", (input,), {"axis": _axis(input, dim)})


def log_softmax(input: Any, dim: int | None = None) -> Any:
    return operate("log_softmax", (input,), {"axis": _axis(input, dim)})


def _axis(input: Any, dim: int | None) -> int:
    return (0 if input.ndim in (0, 1, 3) else 1) if dim is None else dim


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


def max_pool2d(input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1) -> Any:
    return _pooled("max_pool2d", input, kernel_size, stride, {"padding": padding, "dilation": dilation})


def avg_pool2d(
    input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, count_include_pad: bool = True
) -> Any:
    options = {"padding": padding, "count_include_pad": count_include_pad}
    return _pooled("avg_pool2d", input, kernel_size, stride, options)


def _pooled(op: str, input: Any, kernel_size: Any, stride: Any, options: dict[str, Any]) -> Any:
    attributes = {"kernel_size": kernel_size, **({} if stride is None else {"stride": stride}), **options}
    return operate(op, (input,), {key: table.plain(value) for key, value in attributes.items()})


def pad(input: Any, pad: Sequence[int], mode: str = "constant", value: float | None = None) -> Any:
    """Widths of the last axis first, as PyTorch takes them."""
    pairs = [[pad[place], pad[place + 1]] for place in range(0, len(pad), 2)][::-1]
    widths = [[0, 0]] * (input.ndim - len(pairs)) + pairs
    attributes = {"pad_width": widths, "mode": {"replicate": "edge", "circular": "wrap"}.get(mode, mode)}
    return operate("pad", (input,), attributes | ({"constant_values": value or 0} if mode == "constant" else {}))


def embedding(input: Any, weight: Any) -> Any:
    return operate("embedding", (input, weight))


def layer_norm(input: Any, normalized_shape: Any, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Any:
    shape = [normalized_shape] if isinstance(normalized_shape, int) else [*normalized_shape]
    normal = operate("layer_norm", (input,), {"normalized_shape": shape, "eps": eps})
    normal = normal if weight is None else normal * weight
    return normal if bias is None else normal + bias


def batch_norm(
    input: Any, running_mean: Any, running_var: Any, weight: Any = None, bias: Any = None, training: bool = False,
    eps: float = 1e-5,
) -> Any:  # fmt: skip
    """By the batch alone: without numbers that run along from batch to batch."""
    if running_mean is not None or running_var is not None or not training:
        raise TypeError("batch_norm is built in without running numbers, and for training alone; write None, None")
    spread = (1, -1, *(1,) * (input.ndim - 2))
    normal = operate("batch_norm", (input,), {"eps": eps})
    normal = normal if weight is None else normal * weight.reshape(spread)
    return normal if bias is None else normal + bias.reshape(spread)


def normalize(input: Any, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Any:
    return input / operate("clip", (norm(input, p, dim, True),), {"min": eps, "max": None})


def cosine_similarity(x1: Any, x2: Any, dim: int = 1, eps: float = 1e-8) -> Any:
    lengths = (operate("clip", (norm(item, 2, dim, True),), {"min": eps, "max": None}) for item in (x1, x2))
    left, right = (item / length for item, length in zip((x1, x2), lengths, strict=True))
    return operate("sum", (left * right,), {"axis": dim})


def one_hot(tensor: Any, num_classes: int = -1) -> Any:
    count = int(tensor.array.max()) + 1 if num_classes < 0 else num_classes

    def rows(places: Any) -> Any:
        return np.equal(np.expand_dims(places, -1), np.arange(count))

    return followed(TENSOR[0](np.eye(count, dtype=np.int64)[tensor.array]), rows, tensor)


GIVEN: dict[str, Any] = {
    **{item.__name__: item for item in (
        linear, cross_entropy, nll_loss, kl_div, hinge_embedding_loss, softmax, log_softmax, max_pool2d, avg_pool2d,
        pad, embedding, layer_norm, batch_norm, normalize, cosine_similarity, one_hot,
    )},
    "conv1d": _conv("conv1d"), "conv2d": _conv("conv2d"),
}  # fmt: skip
FUNCTIONAL = Library(
    table.FUNCTIONAL,
    table.in_module(table.FUNCTIONAL, GIVEN),
    lambda name: table.function(f"{table.FUNCTIONAL}.{name}"),
    lambda: table.known(table.FUNCTIONAL),
)
