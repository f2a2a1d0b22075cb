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
    """How parameters follow from gradients: `update(parameters, gradient, moments, rate)`; `formula` is for people."""

    name: str
    title: str
    formula: str
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
        Optimiser("sgd", "SGD", "w ← w − η g", _sgd),
        Optimiser("momentum", "momentum", "v ← 0.9 v + g; w ← w − η v", _momentum),
        Optimiser("rmsprop", "RMSProp", "s ← 0.99 s + 0.01 g²; w ← w − η g / (√s + 10⁻⁸)", _rmsprop),
        Optimiser("adam", "Adam", "m ← 0.9 m + 0.1 g; s ← 0.999 s + 0.001 g²; w ← w − η m̂ / (√ŝ + 10⁻⁸)", _adam),
    )
}
