"""The modules of Keras, by the names under which scripts import them."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from cadena.core.scripts.library import Library
from cadena.core.scripts.tensor_flow import initializers, training
from cadena.core.scripts.tensor_flow.dice import SEEDS
from cadena.core.scripts.tensor_flow.feeding import METRICS
from cadena.core.scripts.tensor_flow.layers import (
    ACTIVATIONS,
    Activation,
    Add,
    Concatenate,
    Dense,
    Dropout,
    Flatten,
    Layer,
    Multiply,
    Reshape,
    activation,
    clear_names,
)
from cadena.core.scripts.tensor_flow.models import Input, Model, Sequential

INITIALIZERS = Library("tensorflow.keras.initializers", {item.__name__: item for item in initializers.KINDS})
MODELS = Library("tensorflow.keras.models", {"Sequential": Sequential, "Model": Model})
LAYERS = Library(
    "tensorflow.keras.layers",
    {
        item.__name__: item
        for item in (
            Layer,
            Dense,
            Flatten,
            Reshape,
            Activation,
            Dropout,
            Add,
            Multiply,
            Concatenate,
            Input,
        )
    }
    | {
        "InputLayer": Input,
        "add": lambda inputs, **options: Add(**options)(inputs),
        "concatenate": lambda inputs, axis=-1, **options: Concatenate(axis, **options)(inputs),
    },
)
LOSSES = Library("tensorflow.keras.losses", training.LOSSES)
SCHEDULES = Library("tensorflow.keras.optimizers.schedules", training.SCHEDULES)
OPTIMIZERS = Library("tensorflow.keras.optimizers", training.OPTIMIZERS | {"schedules": SCHEDULES})


def to_categorical(x: Any, num_classes: int | None = None) -> Any:
    classes = np.asarray(x, dtype=np.int64)
    return np.eye(num_classes or int(classes.max()) + 1)[classes]


def _set_random_seed(seed: int) -> None:
    random.seed(seed)
    np.random.seed(seed)
    SEEDS.set(seed)
    initializers.set_seed(seed)


KERAS_UTILS = Library("tensorflow.keras.utils", {"to_categorical": to_categorical, "set_random_seed": _set_random_seed})
BACKEND = Library("tensorflow.keras.backend", {"clear_session": clear_names})
ACTIVATION = Library(
    "tensorflow.keras.activations",
    {},
    lambda name: activation(name) if name in ACTIVATIONS else None,
    lambda: ACTIVATIONS,
)
KERAS = Library(
    "tensorflow.keras",
    {
        "layers": LAYERS, "losses": LOSSES, "optimizers": OPTIMIZERS, "activations": ACTIVATION,
        "Sequential": Sequential, "Model": Model, "Input": Input, "models": MODELS, "metrics": METRICS,
        "initializers": INITIALIZERS, "utils": KERAS_UTILS, "backend": BACKEND,
    },
)  # fmt: skip
MODULES = (
    KERAS,
    LAYERS,
    LOSSES,
    OPTIMIZERS,
    ACTIVATION,
    MODELS,
    METRICS,
    INITIALIZERS,
    SCHEDULES,
    KERAS_UTILS,
    BACKEND,
)
