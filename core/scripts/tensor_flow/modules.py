"""The modules of `tensorflow`, by the names under which scripts import them."""

from __future__ import annotations

from typing import Any

import numpy as np

from cadena.core.scripts.library import Library
from cadena.core.scripts.tensor_flow import keras
from cadena.core.scripts.tensor_flow.composed import COMPOSED, EXPERIMENTAL, TNP
from cadena.core.scripts.tensor_flow.functions import FUNCTIONS, from_table, known, plain
from cadena.core.scripts.tensor_flow.tapes import GradientTape, custom_gradient
from cadena.core.scripts.tensor_flow.tensor import DTYPES, STATE, Shape, Tensor, Variable


def function(call: Any = None, **options: Any) -> Any:
    """tf.function: the function itself."""
    return call if call is not None else lambda decorated: decorated


def _set_seed(seed: int) -> None:
    keras.RANDOM.seed(seed)


def _normal(shape: Any, mean: float = 0.0, stddev: float = 1.0, dtype: Any = None, seed: Any = None) -> Any:
    return Tensor(keras.RANDOM.normal(mean, stddev, plain(shape)).astype(np.float32))


def _uniform(shape: Any, minval: float = 0.0, maxval: float = 1.0, dtype: Any = None, seed: Any = None) -> Any:
    return Tensor(keras.RANDOM.uniform(minval, maxval, plain(shape)).astype(np.float32))


RANDOM = Library("tensorflow.random", {"set_seed": _set_seed, "normal": _normal, "uniform": _uniform})
PARTS = {
    name: Library(f"tensorflow.{name}", FUNCTIONS | COMPOSED, from_table, known) for name in ("math", "nn", "linalg")
}

TENSORFLOW = Library(
    "tensorflow",
    {
        **FUNCTIONS, **COMPOSED, **DTYPES, **PARTS, "double": DTYPES["float64"], "Tensor": Tensor, "Variable": Variable,
        "TensorShape": Shape, "GradientTape": GradientTape, "custom_gradient": custom_gradient, "function": function,
        "experimental": EXPERIMENTAL, "keras": keras.KERAS, "random": RANDOM, "__version__": "2.0",
    },
    from_table,
    known,
)  # fmt: skip
KERAS = (keras.KERAS, keras.LAYERS, keras.LOSSES, keras.OPTIMIZERS, keras.ACTIVATION)
MODULES = {item.__name__: item for item in (TENSORFLOW, EXPERIMENTAL, TNP, RANDOM, *PARTS.values(), *KERAS)}
PASSES = STATE.passes
