"""The modules of `tensorflow`, by the names under which scripts import them."""

from __future__ import annotations

from typing import Any

from cadena.core.scripts.library import Library
from cadena.core.scripts.tensor_flow import keras
from cadena.core.scripts.tensor_flow.composed import COMPOSED, EXPERIMENTAL, TNP
from cadena.core.scripts.tensor_flow.dice import RANDOM
from cadena.core.scripts.tensor_flow.feeding import DATA
from cadena.core.scripts.tensor_flow.functions import FUNCTIONS, from_table, known
from cadena.core.scripts.tensor_flow.tapes import GradientTape, custom_gradient
from cadena.core.scripts.tensor_flow.tensor import DTYPES, STATE, Shape, Tensor, Variable


def function(call: Any = None, **options: Any) -> Any:
    """tf.function: the function itself."""
    return call if call is not None else lambda decorated: decorated


PARTS = {
    name: Library(f"tensorflow.{name}", FUNCTIONS | COMPOSED, from_table, known) for name in ("math", "nn", "linalg")
}

CONFIG = Library("tensorflow.config", {"list_physical_devices": lambda kind=None: []})
TENSORFLOW = Library(
    "tensorflow",
    {
        **FUNCTIONS, **COMPOSED, **DTYPES, **PARTS, "double": DTYPES["float64"], "Tensor": Tensor, "Variable": Variable,
        "TensorShape": Shape, "GradientTape": GradientTape, "custom_gradient": custom_gradient, "function": function,
        "experimental": EXPERIMENTAL, "keras": keras.KERAS, "random": RANDOM, "data": DATA, "config": CONFIG,
        "is_tensor": lambda x: isinstance(x, Tensor), "__version__": "2.0",
    },
    from_table,
    known,
)  # fmt: skip
MODULES = {
    item.__name__: item for item in (TENSORFLOW, EXPERIMENTAL, TNP, RANDOM, DATA, *PARTS.values(), *keras.MODULES)
}
PASSES = STATE.passes
