"""torch.nn: layers, activations and losses."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from cadena.core.scripts.library import Library
from cadena.core.scripts.pytorch import functional
from cadena.core.scripts.pytorch.creating import draw
from cadena.core.scripts.pytorch.functional import FUNCTIONAL
from cadena.core.scripts.pytorch.initial import INIT, UTILS
from cadena.core.scripts.pytorch.measures import MEASURE_LAYERS
from cadena.core.scripts.pytorch.module import Module, ModuleDict, ModuleList, Parameter, Sequential
from cadena.core.scripts.pytorch.recurrent import RECURRENT
from cadena.core.scripts.pytorch.state import STATE
from cadena.core.scripts.pytorch.tensor import TENSOR


def uniform(shape: tuple[int, ...], low: float, high: float) -> Any:
    """Random numbers between two bounds, as PyTorch draws them."""
    dtype = STATE.dtype.type
    return TENSOR[0](draw("uniform", shape, STATE.dtype) * dtype(high - low) + dtype(low))


class Linear(Module):
    """x W' + b."""

    def __init__(self, in_features: int, out_features: int, bias: bool = True, **options: Any) -> None:
        self.in_features, self.out_features = in_features, out_features
        bound = 1.0 / math.sqrt(in_features) if in_features else 0.0
        # PyTorch draws the weights within sqrt(6 / ((1 + 5) in_features))
        self.weight = Parameter(uniform((out_features, in_features), -bound, bound))
        self.bias = Parameter(uniform((out_features,), -bound, bound)) if bias else None

    def forward(self, input: Any) -> Any:
        return functional.linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"


class Conv2d(Module):
    """A convolution of images."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        bias: bool = True,
    ) -> None:
        self.size = kernel_size if isinstance(kernel_size, tuple) else (kernel_size, kernel_size)
        self.channels, self.stride, self.padding = (in_channels, out_channels), stride, padding
        bound = 1.0 / math.sqrt(in_channels * self.size[0] * self.size[1])
        self.weight = Parameter(uniform((out_channels, in_channels, *self.size), -bound, bound))
        self.bias = Parameter(uniform((out_channels,), -bound, bound)) if bias else None

    def forward(self, input: Any) -> Any:
        return FUNCTIONAL.conv2d(input, self.weight, self.bias, self.stride, self.padding)

    def extra_repr(self) -> str:
        pair = self.stride if isinstance(self.stride, tuple) else (self.stride, self.stride)
        padded = f", padding={(self.padding, self.padding)}" if self.padding else ""
        unbiased = "" if self.bias is not None else ", bias=False"
        return f"{self.channels[0]}, {self.channels[1]}, kernel_size={self.size}, stride={pair}{padded}{unbiased}"


class Flatten(Module):
    """All axes but the first as one."""

    def forward(self, input: Any) -> Any:
        return input.flatten(1)

    def extra_repr(self) -> str:
        return "start_dim=1, end_dim=-1"


class Dropout(Module):
    """Zeros at random while training."""

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        self.p = p

    def forward(self, input: Any) -> Any:
        return functional.dropout(input, self.p, self.training)

    def extra_repr(self) -> str:
        return f"p={self.p}, inplace=False"


def _layer(name: str, function: str, options: Mapping[str, Any], shown: str) -> type[Module]:
    """The module of a function without parameters, with its options and their defaults."""

    class Layer(Module):
        def __init__(self, *arguments: Any, **keywords: Any) -> None:
            settings = dict(zip(options, arguments, strict=False)) | keywords
            changed = {key for key, value in settings.items() if value not in (None, False, 0.0)}
            if unknown := changed - options.keys() - {"inplace"}:
                raise TypeError(f"torch.nn.{name} is not known here with {min(unknown)}=; leave it away")
            self.options = {**options, **{key: settings[key] for key in options if key in settings}}
            self.inplace = bool(settings.get("inplace"))

        def forward(self, *operands: Any) -> Any:
            settings = {key: value for key, value in self.options.items() if value is not None}
            return getattr(FUNCTIONAL, function)(*operands, **settings)

        def extra_repr(self) -> str:
            return ", ".join(filter(None, [shown.format(**self.options), "inplace=True" if self.inplace else ""]))

    Layer.__name__ = Layer.__qualname__ = name
    return Layer


MEAN = {"reduction": "mean"}
LAYERS: dict[str, tuple[str, Mapping[str, Any], str]] = {
    "ReLU": ("relu", {}, ""), "Sigmoid": ("sigmoid", {}, ""), "Tanh": ("tanh", {}, ""), "SiLU": ("silu", {}, ""),
    "Softplus": ("softplus", {}, "beta=1.0, threshold=20.0"), "Softsign": ("softsign", {}, ""),
    "SELU": ("selu", {}, ""), "ReLU6": ("relu6", {}, ""), "Mish": ("mish", {}, ""),
    "LogSigmoid": ("logsigmoid", {}, ""), "Hardtanh": ("hardtanh", {}, "min_val=-1.0, max_val=1.0"),
    "ELU": ("elu", {"alpha": 1.0}, "alpha={alpha}"),
    "GELU": ("gelu", {"approximate": "none"}, "approximate='{approximate}'"),
    "LeakyReLU": ("leaky_relu", {"negative_slope": 0.01}, "negative_slope={negative_slope}"),
    "Softmax": ("softmax", {"dim": None}, "dim={dim}"), "LogSoftmax": ("log_softmax", {"dim": None}, "dim={dim}"),
    "MSELoss": ("mse_loss", MEAN, ""), "L1Loss": ("l1_loss", MEAN, ""), "BCELoss": ("binary_cross_entropy", MEAN, ""),
    "BCEWithLogitsLoss": ("binary_cross_entropy_with_logits", MEAN, ""),
    "CrossEntropyLoss": ("cross_entropy", {"ignore_index": -100, **MEAN}, ""),
    "NLLLoss": ("nll_loss", {"ignore_index": -100, **MEAN}, ""), "KLDivLoss": ("kl_div", MEAN, ""),
    "SmoothL1Loss": ("smooth_l1_loss", {"beta": 1.0, **MEAN}, ""),
    "TripletMarginLoss": ("triplet_margin_loss", {"margin": 1.0, **MEAN}, ""),
    "HuberLoss": ("huber_loss", {"delta": 1.0, **MEAN}, ""),
    "MaxPool2d": ("max_pool2d", {"kernel_size": None, "stride": None, "padding": 0},
                  "kernel_size={kernel_size}, stride={kernel_size}, padding={padding}, dilation=1, ceil_mode=False"),
    "AvgPool2d": ("avg_pool2d", {"kernel_size": None, "stride": None, "padding": 0},
                  "kernel_size={kernel_size}, stride={kernel_size}, padding={padding}"),
}  # fmt: skip


class Embedding(Module):
    """A row of the weights for each whole number."""

    def __init__(self, num_embeddings: int, embedding_dim: int) -> None:
        self.sizes = num_embeddings, embedding_dim
        self.weight = Parameter(TENSOR[0](draw("normal", self.sizes, STATE.dtype)))

    def forward(self, input: Any) -> Any:
        return FUNCTIONAL.embedding(input, self.weight)

    def extra_repr(self) -> str:
        return f"{self.sizes[0]}, {self.sizes[1]}"


def _filled(shape: tuple[int, ...], number: float) -> Any:
    return TENSOR[0](np.full(shape, number, STATE.dtype))


class LayerNorm(Module):
    """Each example with mean 0 and variance 1, then scaled and shifted."""

    def __init__(self, normalized_shape: Any, eps: float = 1e-5, elementwise_affine: bool = True) -> None:
        self.size = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.eps, self.affine = eps, elementwise_affine
        self.weight = Parameter(_filled(self.size, 1.0)) if elementwise_affine else None
        self.bias = Parameter(_filled(self.size, 0.0)) if elementwise_affine else None

    def forward(self, input: Any) -> Any:
        return FUNCTIONAL.layer_norm(input, self.size, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        return f"{self.size}, eps={self.eps}, elementwise_affine={self.affine}, bias={self.affine}"


class BatchNorm1d(Module):
    """Each channel with mean 0 and variance 1 over the batch, then scaled and shifted."""

    def __init__(self, num_features: int, eps: float = 1e-5, momentum: float = 0.1, affine: bool = True) -> None:
        self.count, self.eps, self.momentum, self.affine = num_features, eps, momentum, affine
        self.weight = Parameter(_filled((num_features,), 1.0)) if affine else None
        self.bias = Parameter(_filled((num_features,), 0.0)) if affine else None
        self.register_buffer("running_mean", _filled((num_features,), 0.0))
        self.register_buffer("running_var", _filled((num_features,), 1.0))
        self.register_buffer("num_batches_tracked", TENSOR[0](np.array(0)))

    def forward(self, input: Any) -> Any:
        running = self.running_mean, self.running_var
        if self.training:
            self.num_batches_tracked.write(self.num_batches_tracked.array + 1)
        return FUNCTIONAL.batch_norm(input, *running, self.weight, self.bias, self.training, self.momentum, self.eps)

    def extra_repr(self) -> str:
        rest = f"affine={self.affine}, bias={self.affine}, track_running_stats=True"
        return f"{self.count}, eps={self.eps}, momentum={self.momentum}, {rest}"


class BatchNorm2d(BatchNorm1d):
    """The same for images."""


class Identity(Module):
    """Its operand."""

    def forward(self, input: Any) -> Any:
        return input


# Where PyTorch has them, as scripts print the type of a layer; activations are the others.
HOMES = {
    "linear": "Linear Identity", "conv": "Conv2d", "flatten": "Flatten Unflatten", "dropout": "Dropout",
    "sparse": "Embedding", "distance": "CosineSimilarity",
    "normalization": "LayerNorm", "batchnorm": "BatchNorm1d BatchNorm2d",
    "container": "Sequential ModuleList ModuleDict", "module": "Module", "pooling": "MaxPool2d AvgPool2d",
    "rnn": "RNN LSTM GRU RNNCell LSTMCell GRUCell",
    "loss": "MSELoss L1Loss BCELoss BCEWithLogitsLoss CrossEntropyLoss NLLLoss KLDivLoss HuberLoss SmoothL1Loss "
    "TripletMarginLoss",
}  # fmt: skip
NN = Library(
    "torch.nn",
    {
        **{item.__name__: item for item in (
            Module, ModuleDict, ModuleList, Parameter, Sequential, Linear, Conv2d, Flatten, Dropout, Identity,
            Embedding, LayerNorm, BatchNorm1d, BatchNorm2d,
        )},
        **{name: _layer(name, *row) for name, row in LAYERS.items()}, **RECURRENT, **MEASURE_LAYERS,
        "functional": FUNCTIONAL, "init": INIT, "utils": UTILS,
    },
)  # fmt: skip
for _home in HOMES:
    for _name in HOMES[_home].split():
        getattr(NN, _name).__module__ = f"torch.nn.modules.{_home}"
for _name in LAYERS.keys() - {_name for _names in HOMES.values() for _name in _names.split()}:
    getattr(NN, _name).__module__ = "torch.nn.modules.activation"
