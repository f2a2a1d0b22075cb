"""The parts of Keras that a first course uses: layers and initializers; training has its losses and optimizers."""

from __future__ import annotations

import inspect
import math
import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from cadena.core.scripts.library import Library
from cadena.core.scripts.missing import missing
from cadena.core.scripts.tensor_flow import functions, training
from cadena.core.scripts.tensor_flow.dice import SEEDS
from cadena.core.scripts.tensor_flow.feeding import METRICS
from cadena.core.scripts.tensor_flow.tensor import Tensor, Variable, operate

RANDOM = np.random.RandomState(0)


def initial(kind: Any, shape: tuple[int, ...]) -> Any:
    """The first numbers of a weight."""
    if callable(kind):
        return kind(shape)
    if kind in ("zeros", "ones"):
        return np.full(shape, float(kind == "ones"), np.float32)
    if kind not in (None, "glorot_uniform", "uniform"):
        raise ValueError(f"the initializer {kind!r} is not known here; there are zeros, ones and glorot_uniform")
    fans = (shape[0], shape[-1]) if len(shape) > 1 else (shape[0], shape[0]) if shape else (1, 1)
    bound = math.sqrt(6.0 / sum(fans))
    return RANDOM.uniform(-bound, bound, shape).astype(np.float32)


class Layer:
    """The base of layers: weights are made by `build` at the first call."""

    def __init__(self, trainable: bool = True, name: str | None = None, dtype: Any = None, **options: Any) -> None:
        self.name, self.built, self._own = name or type(self).__name__.lower(), False, list[Variable]()

    def __getattr__(self, name: str) -> Any:
        if name in ("_own", "built", "name"):
            raise AttributeError(f"{type(self).__name__}.__init__ must call super().__init__() first")
        raise missing(type(self).__name__, name, [*dir(type(self)), *self.__dict__])

    def add_weight(
        self, *words: Any, shape: Any = (), initializer: Any = None, trainable: bool = True, **options: Any
    ) -> Variable:
        """A new variable; its name and shape may come in either order, as in older and newer versions."""
        name = options.get("name") or next((item for item in words if isinstance(item, str)), "weight")
        listed = next((item for item in words if isinstance(item, list | tuple)), shape)
        numbers = initial(initializer, tuple(int(size) for size in listed))
        variable = Variable(numbers, trainable=trainable, name=name)
        self._own.append(variable)
        return variable

    def build(self, input_shape: Any) -> None:
        pass

    def call(self, inputs: Any) -> Any:
        return inputs

    def get_weights(self) -> list[Any]:
        return [item.numpy() for item in self.weights]

    def set_weights(self, weights: Any) -> None:
        for item, numbers in zip(self.weights, weights, strict=True):
            item.assign(numbers)

    def __call__(self, inputs: Any, *arguments: Any, **keywords: Any) -> Any:
        if isinstance(inputs, Input):
            advice = "write a class with tf.keras.Model, or tf.keras.Sequential"
            raise TypeError(f"models of functions of keras.Input are not known here; {advice}")
        tensor = functions.constant(inputs) if not isinstance(inputs, Tensor | list | tuple) else inputs
        if not self.built:
            self.built = True
            self.build(tensor.shape if isinstance(tensor, Tensor) else [item.shape for item in tensor])
        if "training" in keywords and "training" not in inspect.signature(self.call).parameters:
            del keywords["training"]
        return self.call(tensor, *arguments, **keywords)

    def _inner(self) -> Iterator[Layer]:
        for item in self.__dict__.values():
            for part in item if isinstance(item, list) else [item]:
                if isinstance(part, Layer):
                    yield part

    @property
    def weights(self) -> list[Any]:
        attributes = [item for item in self.__dict__.values() if isinstance(item, Variable)]
        by_id = {id(item): item for item in (*self._own, *attributes)}
        for layer in self._inner():
            by_id |= {id(item): item for item in layer.weights}
        return [*by_id.values()]

    @property
    def trainable_variables(self) -> list[Any]:
        return [item for item in self.weights if item.trainable]

    variables, trainable_weights = weights, trainable_variables


ACTIVATIONS = ("relu", "sigmoid", "tanh", "softmax", "softplus", "selu", "softsign", "silu", "relu6")


def activation(kind: Any) -> Any:
    """The function that an activation is given as: by name, as a function, or none."""
    if kind is None or kind == "linear":
        return lambda x: x
    if callable(kind):
        return kind
    if kind not in ACTIVATIONS:
        raise ValueError(f"the activation {kind} is not known here; there are {', '.join(ACTIVATIONS)}")
    return functions.FUNCTIONS.get(kind) or functions.from_table(kind)


class Dense(Layer):
    """An activation of x W + b."""

    def __init__(
        self,
        units: int,
        activation: Any = None,
        use_bias: bool = True,
        kernel_initializer: Any = None,
        bias_initializer: Any = "zeros",
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self.units, self.use_bias, self._activation = units, use_bias, activation
        self._initializers = kernel_initializer, bias_initializer

    def build(self, input_shape: Any) -> None:
        first, second = self._initializers
        self.kernel = self.add_weight(name="kernel", shape=[input_shape[-1], self.units], initializer=first)
        self.kernel.named(f"{self.name}_kernel")
        if self.use_bias:
            self.bias = self.add_weight(name="bias", shape=[self.units], initializer=second)
            self.bias.named(f"{self.name}_bias")

    def call(self, inputs: Any) -> Any:
        result = functions.matmul(inputs, self.kernel)
        return activation(self._activation)(result + self.bias if self.use_bias else result)


class Input:
    """keras.Input at the start of a Sequential: a shape, which the first call tells too."""

    def __init__(self, shape: Any = None, **options: Any) -> None:
        self.shape = shape


class Flatten(Layer):
    """All axes but the first as one."""

    def call(self, inputs: Any) -> Any:
        return operate("reshape", (inputs,), {"shape": [inputs.shape[0], -1]})


class Reshape(Layer):
    """Each example in another shape."""

    def __init__(self, target_shape: Any, **options: Any) -> None:
        super().__init__(**options)
        self.target_shape = tuple(target_shape)

    def call(self, inputs: Any) -> Any:
        return operate("reshape", (inputs,), {"shape": [inputs.shape[0], *self.target_shape]})


class Activation(Layer):
    """A function of each element, by its name."""

    def __init__(self, activation: Any, **options: Any) -> None:
        super().__init__(**options)
        self._activation = activation

    def call(self, inputs: Any) -> Any:
        return activation(self._activation)(inputs)


class Dropout(Layer):
    """Zeros at random while training."""

    def __init__(self, rate: float, **options: Any) -> None:
        super().__init__(**options)
        self.rate = rate

    def call(self, inputs: Any, training: bool = False) -> Any:
        if not training or not self.rate:
            return inputs
        kind = inputs.array.dtype.type
        return inputs * np.where(RANDOM.uniform(size=inputs.shape) < self.rate, kind(0), kind(1 / (1 - self.rate)))


class Sequential(Layer):
    """Layers one after the other."""

    def __init__(self, layers: Any = (), **options: Any) -> None:
        super().__init__(**options)
        self.layers = list[Any]()
        for layer in layers or ():
            self.add(layer)

    def add(self, layer: Any) -> None:
        if not isinstance(layer, Input):
            self.layers.append(layer)

    def call(self, inputs: Any, training: bool = False) -> Any:
        for layer in self.layers:
            inputs = layer(inputs, training=training)
        return inputs


class Constant:
    """The initializer that fills a weight with one number."""

    def __init__(self, value: float = 0.0) -> None:
        self.value = value

    def __call__(self, shape: Any, dtype: Any = None) -> Any:
        return np.full(shape, self.value, np.float32)


def Zeros() -> Constant:
    return Constant(0.0)


def Ones() -> Constant:
    return Constant(1.0)


INITIALIZERS = Library("tensorflow.keras.initializers", {item.__name__: item for item in (Constant, Zeros, Ones)})
MODELS = Library("tensorflow.keras.models", {"Sequential": Sequential, "Model": Layer})
LAYERS = Library(
    "tensorflow.keras.layers",
    {item.__name__: item for item in (Layer, Dense, Flatten, Reshape, Activation, Dropout)} | {"InputLayer": Input},
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


KERAS_UTILS = Library("tensorflow.keras.utils", {"to_categorical": to_categorical, "set_random_seed": _set_random_seed})
BACKEND = Library("tensorflow.keras.backend", {"clear_session": lambda: None})
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
        "Sequential": Sequential, "Model": Layer, "Input": Input, "models": MODELS, "metrics": METRICS,
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
