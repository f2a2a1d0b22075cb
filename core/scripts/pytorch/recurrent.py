"""torch.nn's recurrent layers and cells, unrolled: a node for each operation of each time step."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from cadena.core.scripts.pytorch import functional, table
from cadena.core.scripts.pytorch.creating import draw
from cadena.core.scripts.pytorch.module import Module, Parameter
from cadena.core.scripts.pytorch.state import STATE
from cadena.core.scripts.pytorch.tensor import TENSOR

States = tuple[Any, ...]  # the hidden state, and the cell's state of an LSTM
Weights = tuple[Any, Any, Any, Any]  # of the input, of the state; their biases


def _rnn(x: Any, states: States, weights: Weights, size: int) -> States:
    w_ih, w_hh, b_ih, b_hh = weights
    return ((functional.linear(x, w_ih, b_ih) + functional.linear(states[0], w_hh, b_hh)).tanh(),)


def _lstm(x: Any, states: States, weights: Weights, size: int) -> States:
    w_ih, w_hh, b_ih, b_hh = weights
    gates = functional.linear(x, w_ih, b_ih) + functional.linear(states[0], w_hh, b_hh)
    update, forget, candidate, output = (gates[..., at * size : (at + 1) * size] for at in range(4))
    cell = forget.sigmoid() * states[1] + update.sigmoid() * candidate.tanh()
    return output.sigmoid() * cell.tanh(), cell


def _gru(x: Any, states: States, weights: Weights, size: int) -> States:
    w_ih, w_hh, b_ih, b_hh = weights
    ours, theirs = functional.linear(x, w_ih, b_ih), functional.linear(states[0], w_hh, b_hh)
    (r, z, n), (r_h, z_h, n_h) = (
        [part[..., at * size : (at + 1) * size] for at in range(3)] for part in (ours, theirs)
    )
    reset, keep = (r + r_h).sigmoid(), (z + z_h).sigmoid()
    candidate = (n + reset * n_h).tanh()
    return (candidate + keep * (states[0] - candidate),)


class _Weighted(Module):
    """What layers and cells share: their weights, drawn in PyTorch's order, and their states."""

    step: ClassVar[Callable[[Any, States, Weights, int], States]]
    gates: ClassVar[int]
    state_count: ClassVar[int] = 1

    def __init__(self, input_size: int, hidden_size: int, bias: bool, options: dict[str, Any]) -> None:
        self.input_size, self.hidden_size, self.has_bias = input_size, hidden_size, bias
        if unknown := [name for name, value in options.items() if value not in (None, False, 0.0, 0)]:
            raise TypeError(f"{type(self).__name__}({unknown[0]}=...) is not known here; leave it out")

    def _draw(self, suffix: str, input_size: int) -> None:
        rows, bound = self.gates * self.hidden_size, 1.0 / math.sqrt(self.hidden_size)
        shapes: dict[str, tuple[int, ...]] = {"weight_ih": (rows, input_size), "weight_hh": (rows, self.hidden_size)}
        shapes |= {"bias_ih": (rows,), "bias_hh": (rows,)} if self.has_bias else {}
        for name, shape in shapes.items():
            numbers = draw("uniform", shape, STATE.dtype) * STATE.dtype.type(2 * bound) - STATE.dtype.type(bound)
            setattr(self, f"{name}{suffix}", Parameter(TENSOR[0](numbers)))

    def _next(self, suffix: str, x: Any, states: States) -> States:
        names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        w_ih, w_hh, b_ih, b_hh = (getattr(self, f"{name}{suffix}", None) for name in names)
        return type(self).step(x, states, (w_ih, w_hh, b_ih, b_hh), self.hidden_size)

    def _states(self, hx: Any, shape: tuple[int, ...]) -> States:
        """The states that a call got; zeros where it got none."""
        if hx is None:
            return tuple(TENSOR[0](np.zeros(shape, STATE.dtype)) for _ in range(self.state_count))
        return tuple(hx) if self.state_count > 1 else (hx,)

    def extra_repr(self) -> str:
        return f"{self.input_size}, {self.hidden_size}"


class _Layer(_Weighted):
    """One or more layers over a sequence."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        **options: Any,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, options)
        self.num_layers, self.batch_first = num_layers, batch_first
        for layer in range(num_layers):
            self._draw(f"_l{layer}", hidden_size if layer else input_size)

    def forward(self, input: Any, hx: Any = None) -> Any:
        axis = 1 if self.batch_first and input.dim() == 3 else 0
        batch = tuple(input.shape[1 - axis : 2 - axis]) if input.dim() == 3 else ()
        first = self._states(hx, (self.num_layers, *batch, self.hidden_size))
        stack: Any = table.function("torch.stack")
        ends: list[States] = []
        steps = [input[:, at] if axis else input[at] for at in range(input.shape[axis])]
        for layer in range(self.num_layers):
            states = tuple(state[layer] for state in first)
            for at, x in enumerate(steps):
                states = self._next(f"_l{layer}", x, states)
                steps[at] = states[0]
            ends.append(states)
        last = tuple(stack([states[at] for states in ends], 0) for at in range(self.state_count))
        return stack(steps, axis), last if self.state_count > 1 else last[0]

    def extra_repr(self) -> str:
        text = super().extra_repr()
        text += f", num_layers={self.num_layers}" if self.num_layers != 1 else ""
        text += ", bias=False" if not self.has_bias else ""
        return text + (", batch_first=True" if self.batch_first else "")


class _Cell(_Weighted):
    """One time step."""

    def __init__(self, input_size: int, hidden_size: int, bias: bool = True, **options: Any) -> None:
        super().__init__(input_size, hidden_size, bias, options)
        self._draw("", input_size)

    def forward(self, input: Any, hx: Any = None) -> Any:
        states = self._next("", input, self._states(hx, (*input.shape[:-1], self.hidden_size)))
        return states if self.state_count > 1 else states[0]

    def extra_repr(self) -> str:
        return super().extra_repr() + ("" if self.has_bias else ", bias=False")


def _module(name: str, base: type[_Weighted], step: Callable[..., States], gates: int, states: int) -> type[_Weighted]:
    return type(name, (base,), {"step": staticmethod(step), "gates": gates, "state_count": states})


KINDS: dict[str, tuple[Callable[..., States], int, int]] = {
    "RNN": (_rnn, 1, 1),
    "LSTM": (_lstm, 4, 2),
    "GRU": (_gru, 3, 1),
}
RECURRENT = {name: _module(name, _Layer, *kind) for name, kind in KINDS.items()}
RECURRENT |= {f"{name}Cell": _module(f"{name}Cell", _Cell, *kind) for name, kind in KINDS.items()}
