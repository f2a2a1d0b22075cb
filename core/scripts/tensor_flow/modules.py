"""The modules of `tensorflow`, by the names under which scripts import them."""

from __future__ import annotations

from typing import Any

from cadena.core.scripts.library import Library, extend
from cadena.core.scripts.skipped import switches
from cadena.core.scripts.tensor_flow import functions, initializers, layers, training
from cadena.core.scripts.tensor_flow.composed import COMPOSED, EXPERIMENTAL, TNP
from cadena.core.scripts.tensor_flow.tapes import GradientTape, custom_gradient
from cadena.core.scripts.tensor_flow.tensor import DTYPES, STATE, Shape, Tensor, Variable
from cadena.core.scripts.tensor_flow.tensor import operate as operate


def _function(func: Any = None) -> Any:
    """tf.function: the function itself."""
    return func if func is not None else lambda decorated: decorated


def _module(name: str, names: dict[str, Any]) -> Library:
    return Library(
        name,
        functions.in_module(name, names),
        lambda short: functions.from_table(f"{name}.{short}"),
        lambda: functions.known(name),
    )


def _computing(name: str, names: dict[str, Any]) -> Library:
    """A module that has some of the functions."""
    known = {*functions.known(name)}
    return _module(name, {key: one for key, one in (functions.FUNCTIONS | COMPOSED).items() if key in known} | names)


KERAS = _module("tensorflow.keras", {"Sequential": layers.Sequential, "Model": layers.Model, "Input": layers.Input})
INITIALIZERS = _module("tensorflow.keras.initializers", {item.__name__: item for item in initializers.KINDS})
LOSSES = _module("tensorflow.keras.losses", training.LOSSES)
OPTIMIZERS = _module("tensorflow.keras.optimizers", training.OPTIMIZERS)
MODELS = Library("tensorflow.keras.models", {name: getattr(KERAS, name) for name in ("Sequential", "Model")})
extend(KERAS, {
    "layers": layers.LAYERS, "losses": LOSSES, "optimizers": OPTIMIZERS, "activations": layers.ACTIVATION,
    "models": MODELS, "initializers": INITIALIZERS,
})  # fmt: skip
PARTS = {name: _computing(f"tensorflow.{name}", {}) for name in ("math", "nn", "linalg")}
RANDOM = _module("tensorflow.random", {"normal": initializers.normal, "uniform": initializers.uniform})
CONFIG = _module("tensorflow.config", {"list_physical_devices": lambda device_type=None: []})
extend(CONFIG, switches("tensorflow.config", "run_functions_eagerly set_visible_devices"))
TENSORFLOW = _computing("tensorflow", {
    **DTYPES, **PARTS, "double": DTYPES["float64"], "Tensor": Tensor, "Variable": Variable, "TensorShape": Shape,
    "GradientTape": GradientTape, "custom_gradient": custom_gradient, "function": _function, "Module": layers.Module,
    "experimental": EXPERIMENTAL, "keras": KERAS, "random": RANDOM, "config": CONFIG, "newaxis": None,
    "is_tensor": lambda x: isinstance(x, Tensor), "__version__": "2.0",
    "UnconnectedGradients": Library("tensorflow.UnconnectedGradients", {"NONE": "none", "ZERO": "zero"}),
})  # fmt: skip
extend(TENSORFLOW, switches("tensorflow", "get_logger autograph debugging"))
FOUND = (
    TENSORFLOW, EXPERIMENTAL, TNP, RANDOM, CONFIG, KERAS, layers.LAYERS, LOSSES, OPTIMIZERS, layers.ACTIVATION, MODELS,
    INITIALIZERS, *PARTS.values(),
)  # fmt: skip
MODULES = {item.__name__: item for item in FOUND}
PASSES = STATE.passes
