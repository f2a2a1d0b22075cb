"""torch.nn: layers, activations and losses."""

from __future__ import annotations

import math
from typing import Any

from cadena.core.scripts.calls import bound, refuse
from cadena.core.scripts.library import Library
from cadena.core.scripts.pytorch import functional, table
from cadena.core.scripts.pytorch.creating import draw
from cadena.core.scripts.pytorch.functional import FUNCTIONAL
from cadena.core.scripts.pytorch.initial import INIT
from cadena.core.scripts.pytorch.module import Module, ModuleList, Parameter, Sequential
from cadena.core.scripts.pytorch.state import STATE
from cadena.core.scripts.pytorch.tensor import TENSOR


def uniform(shape: tuple[int, ...], low: float, high: float) -> Any:
    """Random numbers between two bounds, as PyTorch draws them."""
    dtype = STATE.dtype.type
    return TENSOR[0](draw("uniform", shape, STATE.dtype) * dtype(high - low) + dtype(low))


class Linear(Module):
    """x W' + b."""

    def __init__(self, in_features: int, out_features: int, bias: bool = True) -> None:
        self.in_features, self.out_features = in_features, out_features
        bound = 1.0 / math.sqrt(in_features) if in_features else 0.0
        # PyTorch draws the weights within sqrt(6 / ((1 + 5) in_features))
        self.weight = Parameter(uniform((out_features, in_features), -bound, bound))
        self.bias = Parameter(uniform((out_features,), -bound, bound)) if bias else None

    def forward(self, input: Any) -> Any:
        return functional.linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"


class Flatten(Module):
    """Some axes as one."""

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        self.start_dim, self.end_dim = start_dim, end_dim

    def forward(self, input: Any) -> Any:
        return input.flatten(self.start_dim, self.end_dim)

    def extra_repr(self) -> str:
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"


class Identity(Module):
    """Its operand; it takes any arguments."""

    def __init__(self, *args: Any) -> None:
        pass

    def forward(self, input: Any) -> Any:
        return input


def _layer(name: str, function: str, shown: str) -> type[Module]:
    """The module of a function without parameters, with PyTorch's options and defaults."""
    call, full = getattr(FUNCTIONAL, function), f"torch.nn.{name}"
    (form,) = table.FORMS[full]

    class Layer(Module):
        def __init__(self, *arguments: Any, **keywords: Any) -> None:
            settings = dict(form.defaults) | bound(full, form, arguments, keywords).values
            for key, value in settings.items():
                if key not in call.used:
                    refuse(full, key, value, form.defaults[key])
            for key, value in settings.items():
                setattr(self, key, value)

        def forward(self, *operands: Any) -> Any:
            return call(*operands, **{key: getattr(self, key) for key in form.names if key in call.used})

        def extra_repr(self) -> str:
            written = "inplace=True" if getattr(self, "inplace", False) else ""
            return ", ".join(filter(None, [shown.format(**vars(self)), written]))

    Layer.__name__ = Layer.__qualname__ = name
    Layer.__init__.forms = [form]  # type: ignore[attr-defined]  # a function may have attributes
    return Layer


LAYERS: dict[str, tuple[str, str]] = {
    "ReLU": ("relu", ""), "Sigmoid": ("sigmoid", ""), "Tanh": ("tanh", ""), "SiLU": ("silu", ""),
    "Softplus": ("softplus", "beta={beta}, threshold={threshold}"), "Softsign": ("softsign", ""), "SELU": ("selu", ""),
    "ReLU6": ("relu6", ""), "Mish": ("mish", ""), "LogSigmoid": ("logsigmoid", ""),
    "Hardtanh": ("hardtanh", "min_val={min_val}, max_val={max_val}"), "ELU": ("elu", "alpha={alpha}"),
    "GELU": ("gelu", "approximate={approximate!r}"),
    "LeakyReLU": ("leaky_relu", "negative_slope={negative_slope}"),
    "Softmax": ("softmax", "dim={dim}"), "LogSoftmax": ("log_softmax", "dim={dim}"),
    "MSELoss": ("mse_loss", ""), "L1Loss": ("l1_loss", ""), "BCELoss": ("binary_cross_entropy", ""),
    "BCEWithLogitsLoss": ("binary_cross_entropy_with_logits", ""), "CrossEntropyLoss": ("cross_entropy", ""),
    "NLLLoss": ("nll_loss", ""), "KLDivLoss": ("kl_div", ""), "HuberLoss": ("huber_loss", ""),
}  # fmt: skip
# Where PyTorch has them, as scripts print the type of a layer; activations are the others.
HOMES = {
    "linear": "Linear Identity", "flatten": "Flatten", "container": "Sequential ModuleList", "module": "Module",
    "loss": "MSELoss L1Loss BCELoss BCEWithLogitsLoss CrossEntropyLoss NLLLoss KLDivLoss HuberLoss",
}  # fmt: skip
MODULES = (Module, ModuleList, Parameter, Sequential, Linear, Flatten, Identity)
NN = Library(
    "torch.nn",
    table.in_module("torch.nn", {item.__name__: item for item in MODULES})
    | {name: _layer(name, *row) for name, row in LAYERS.items()}
    | {"functional": FUNCTIONAL, "init": INIT},
    listed=lambda: table.known("torch.nn"),
)
for _home in HOMES:
    for _name in HOMES[_home].split():
        getattr(NN, _name).__module__ = f"torch.nn.modules.{_home}"
for _name in LAYERS.keys() - {_name for _names in HOMES.values() for _name in _names.split()}:
    getattr(NN, _name).__module__ = "torch.nn.modules.activation"
