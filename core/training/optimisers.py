"""Optimisers: one record each, whose step is PyTorch's formula with PyTorch's defaults, on one vector of parameters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np


class Moments(NamedTuple):
    """The memory of an optimiser: the number of steps, and what it sums up of the gradients and of their squares."""

    steps: int
    first: np.ndarray
    second: np.ndarray


def no_moments(parameters: np.ndarray) -> Moments:
    """The memory before the first step."""
    return Moments(0, np.zeros_like(parameters), np.zeros_like(parameters))


Update = Callable[[np.ndarray, np.ndarray, Moments, float], tuple[np.ndarray, Moments]]

MOMENTUM = 0.9
DECAY, EPSILON = 0.99, 1e-8  # of RMSProp
BETA_1, BETA_2 = 0.9, 0.999  # of Adam


@dataclass(frozen=True)
class Optimiser:
    """How parameters follow from gradients: `update(parameters, gradient, moments, rate)`.

    `rules` are its formulas in LaTeX for a parameter w with the gradient g, and the rate in the place of @.
    """

    name: str
    title: str
    rules: tuple[str, ...]
    update: Update


def _sgd(w: np.ndarray, g: np.ndarray, state: Moments, rate: float) -> tuple[np.ndarray, Moments]:
    return w - rate * g, state._replace(steps=state.steps + 1)


def _momentum(w: np.ndarray, g: np.ndarray, state: Moments, rate: float) -> tuple[np.ndarray, Moments]:
    v = MOMENTUM * state.first + g  # in the first step v is g, as in PyTorch
    return w - rate * v, state._replace(steps=state.steps + 1, first=v)


def _rmsprop(w: np.ndarray, g: np.ndarray, state: Moments, rate: float) -> tuple[np.ndarray, Moments]:
    s = DECAY * state.second + (1.0 - DECAY) * g * g
    return w - rate * g / (np.sqrt(s) + EPSILON), state._replace(steps=state.steps + 1, second=s)


def _adam(w: np.ndarray, g: np.ndarray, state: Moments, rate: float) -> tuple[np.ndarray, Moments]:
    steps = state.steps + 1
    m = BETA_1 * state.first + (1.0 - BETA_1) * g
    s = BETA_2 * state.second + (1.0 - BETA_2) * g * g
    root = np.sqrt(s) / (1.0 - BETA_2**steps) ** 0.5 + EPSILON
    return w - rate / (1.0 - BETA_1**steps) * m / root, Moments(steps, m, s)


OPTIMISERS = {
    record.name: record
    for record in (
        Optimiser("sgd", "SGD", (r"w \leftarrow w - @ \, g",), _sgd),
        Optimiser("momentum", "momentum", (r"v \leftarrow 0.9 \, v + g", r"w \leftarrow w - @ \, v"), _momentum),
        Optimiser(
            "rmsprop",
            "RMSProp",
            (r"s \leftarrow 0.99 \, s + 0.01 \, g^2", r"w \leftarrow w - @ \, \frac{g}{\sqrt{s}}"),
            _rmsprop,
        ),
        Optimiser(
            "adam",
            "Adam",
            (
                r"m \leftarrow 0.9 \, m + 0.1 \, g",
                r"s \leftarrow 0.999 \, s + 0.001 \, g^2",
                r"w \leftarrow w - @ \, \frac{\hat{m}}{\sqrt{\hat{s}}}",
            ),
            _adam,
        ),
    )
}
