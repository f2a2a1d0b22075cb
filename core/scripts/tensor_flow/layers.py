"""tf.Module, and the layers of Keras that a first course uses."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import numpy as np

from cadena.core.scripts.library import Library
from cadena.core.scripts.missing import missing
from cadena.core.scripts.tensor_flow import functions
from cadena.core.scripts.tensor_flow.initializers import initializer
from cadena.core.scripts.tensor_flow.tensor import Shape, Tensor, Variable, numbers_of, operate


def _parts_of(item: Any, kinds: type | tuple[type, ...]) -> Iterator[Any]:
    """The variables, modules and layers in an attribute: itself, or in lists, tuples and dictionaries."""
    if isinstance(item, kinds):
        yield item
    elif isinstance(item, list | tuple):
        for part in item:
            yield from _parts_of(part, kinds)
    elif isinstance(item, dict):
        for key in sorted(item):
            yield from _parts_of(item[key], kinds)


class Module:
    """tf.Module: variables and modules, in the order of their attributes' names."""

    def __init__(self, name: str | None = None) -> None:
        self.name = name or type(self).__name__.lower()

    @property
    def variables(self) -> tuple[Any, ...]:
        attributes = [item for _, item in sorted(vars(self).items())]
        own = [*_parts_of(attributes, Variable)]
        inner = [item for module in _parts_of(attributes, (Module, Layer)) for item in module.variables]
        return tuple({id(item): item for item in (*own, *inner)}.values())

    @property
    def trainable_variables(self) -> tuple[Any, ...]:
        return tuple(item for item in self.variables if item.trainable)

    @property
    def submodules(self) -> tuple[Any, ...]:
        inner = [*_parts_of([item for _, item in sorted(vars(self).items())], (Module, Layer))]
        return tuple(inner + [part for item in inner for part in getattr(item, "submodules", ())])


class Layer:
    """The base of layers: weights are made by `build` at the first call."""

    def __init__(
        self, *, name: str | None = None, trainable: bool = True, input_shape: Any = None, input_dim: int | None = None
    ) -> None:
        self.name, self.trainable, self.built = name or type(self).__name__.lower(), trainable, False
        self._own, self._shape = list[Variable](), (input_dim,) if input_dim is not None else input_shape

    def __getattr__(self, name: str) -> Any:
        if name in ("_own", "built", "name"):
            raise AttributeError(f"{type(self).__name__}.__init__ must call super().__init__() first")
        raise missing("tensorflow.keras.layers.Layer", name, [*dir(type(self)), *vars(self)])

    def add_weight(
        self, *args: Any, shape: Any = None, initializer: Any = None, trainable: bool = True, name: str | None = None
    ) -> Variable:
        """A new variable; its name and shape may come in either order, as in older and newer versions."""
        name = name or next((item for item in args if isinstance(item, str)), "weight")
        listed = next((item for item in args if isinstance(item, list | tuple)), shape or ())
        numbers = numbers_of(_initializer(initializer)(tuple(int(size) for size in listed)))
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
        tensor = functions.constant(inputs) if not isinstance(inputs, Tensor | list | tuple) else inputs
        if isinstance(tensor, Tensor) and tensor.array.dtype == np.float64:  # layers compute in float32
            tensor = functions.cast(tensor, "float32")
        if not self.built:
            self.built = True
            self.build(tensor.shape if isinstance(tensor, Tensor) else [item.shape for item in tensor])
        if "training" in keywords and "training" not in inspect.signature(self.call).parameters:
            del keywords["training"]
        return self.call(tensor, *arguments, **keywords)

    def count_params(self) -> int:
        return sum(int(item.array.size) for item in self.weights)

    def _inner(self) -> list[Any]:
        return [*_parts_of([*vars(self).values()], Layer)]

    @property
    def weights(self) -> list[Any]:
        own = [*self._own, *_parts_of([*vars(self).values()], Variable)]
        by_id = {id(item): item for item in own}
        for layer in self._inner():
            by_id |= {id(item): item for item in layer.weights}
        return [*by_id.values()]

    @property
    def trainable_variables(self) -> list[Any]:
        frozen = {id(item) for layer in self._all() if not layer.trainable for item in layer.weights}
        return [item for item in self.weights if item.trainable and id(item) not in frozen]

    def _all(self) -> Iterator[Any]:
        yield self
        for layer in self._inner():
            yield from layer._all()

    variables, trainable_weights = weights, trainable_variables


_initializer = initializer  # which `add_weight` has as a parameter
ACTIVATIONS = ("relu", "sigmoid", "tanh", "softmax", "softplus", "selu", "softsign", "silu", "relu6")


def activation(kind: Any) -> Any:
    """The function that an activation is given as: by name, as a function, or none."""
    if kind is None or kind == "linear":
        return lambda x: x
    if callable(kind):
        return kind
    if kind not in ACTIVATIONS:
        raise ValueError(f"the activation {kind} is not built in; there are {', '.join(ACTIVATIONS)}")
    return functions.FUNCTIONS.get(kind) or functions.from_table(f"tensorflow.nn.{kind}") or functions.silu


class Dense(Layer):
    """An activation of x W + b."""

    def __init__(
        self, units: int, activation: Any = None, use_bias: bool = True, kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros", *, name: str | None = None, trainable: bool = True, input_shape: Any = None,
        input_dim: int | None = None,
    ) -> None:  # fmt: skip
        super().__init__(name=name, trainable=trainable, input_shape=input_shape, input_dim=input_dim)
        self.units, self.use_bias, self._activation = units, use_bias, activation
        self._initializers = initializer(kernel_initializer), initializer(bias_initializer)

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


class Flatten(Layer):
    """All axes but the first as one."""

    def call(self, inputs: Any) -> Any:
        return operate("reshape", (inputs,), {"shape": [inputs.shape[0], -1]})


class Activation(Layer):
    """A function of each element, by its name."""

    def __init__(self, activation: Any, *, name: str | None = None) -> None:
        super().__init__(name=name)
        self._activation = activation

    def call(self, inputs: Any) -> Any:
        return activation(self._activation)(inputs)


class Model(Layer):
    """The base of the script's own models; they are trained by a GradientTape."""

    def __init__(self, *, trainable: bool = True, name: str | None = None) -> None:
        super().__init__(trainable=trainable, name=name)

    def call(self, inputs: Any) -> Any:
        raise NotImplementedError(f"Model {type(self).__name__} does not have a `call()` method implemented.")


def Input(shape: Any = None) -> Shape:
    """keras.Input, which says what shape the examples of a Sequential model have."""
    return Shape(shape or ())


class Sequential(Model):
    """Layers one after the other."""

    def __init__(self, layers: Any = None, trainable: bool = True, name: str | None = None) -> None:
        super().__init__(trainable=trainable, name=name)
        self.layers = list[Any]()
        for layer in layers or ():
            self.add(layer)

    def add(self, layer: Any) -> None:
        """Add a layer; where the shape of the examples is known, its weights are made at once."""
        if isinstance(layer, Shape):
            self._shape = layer
            return
        self.layers.append(layer)
        names = [type(item).__name__.lower() for item in self.layers]
        if layer.name == names[-1] and names.count(names[-1]) > 1:  # dense, dense_1, as Keras names them
            layer.name = f"{layer.name}_{names.count(names[-1]) - 1}"
        if len(self.layers) == 1 and self._shape is None:
            self._shape = layer._shape
        if self._shape is not None:
            self.built, self._shape = True, layer(functions.FUNCTIONS["zeros"]([1, *self._shape])).shape[1:]

    def call(self, inputs: Any, training: bool = False) -> Any:
        for layer in self.layers:
            inputs = layer(inputs, training=training)
        return inputs


LAYERS = Library(
    "tensorflow.keras.layers",
    functions.in_module(
        "tensorflow.keras.layers", {item.__name__: item for item in (Layer, Dense, Flatten, Activation)}
    )
    | functions.in_module("tensorflow.keras.layers", {"Input": Input}),
    listed=lambda: functions.known("tensorflow.keras.layers"),
)
Layer.add_weight = functions.bound("tensorflow.keras.layers.Layer.add_weight", Layer.add_weight)  # type: ignore[method-assign]
ACTIVATION = Library(
    "tensorflow.keras.activations", {}, lambda name: activation(name) if name in ACTIVATIONS else None,
    lambda: ACTIVATIONS,
)  # fmt: skip
