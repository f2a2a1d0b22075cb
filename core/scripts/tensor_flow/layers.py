"""Keras layers and their first weights."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from cadena.core.scripts.missing import missing
from cadena.core.scripts.operators import Operators
from cadena.core.scripts.tensor_flow import functions
from cadena.core.scripts.tensor_flow.initializers import DICE, initializer
from cadena.core.scripts.tensor_flow.tensor import Shape, Tensor, Variable, numbers_of, operate


def initial(kind: Any, shape: tuple[int, ...]) -> Any:
    """The first numbers of a weight."""
    return numbers_of(initializer(kind)(shape))


class Symbolic(Operators):
    """A place in a model that has no numbers yet: what keras.Input gives, and layers of it; `operands` come before."""

    __slots__ = ("is_list", "layer", "operands", "shape")

    def __init__(self, layer: Any, operands: tuple[Symbolic, ...], shape: Sequence[Any], is_list: bool = False) -> None:
        self.layer, self.operands, self.shape, self.is_list = layer, operands, Shape(shape), is_list

    def combine(self, op: str, other: Any, swapped: bool) -> Any:
        return Combined(op, other, swapped)([self, other] if isinstance(other, Symbolic) else self)

    def __repr__(self) -> str:
        shape = tuple(self.shape)
        return f"<KerasTensor shape={shape}, dtype=float32, sparse=False, ragged=False, name={self.layer.name}>"


_counts = Counter[str]()
clear_names = _counts.clear


def own_name(kind: str) -> str:
    """A name as Keras gives them: dense, dense_1, my_layer."""
    stem = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", kind).lower()
    _counts[stem] += 1
    return stem if _counts[stem] == 1 else f"{stem}_{_counts[stem] - 1}"


class Layer:
    """The base of layers: weights are made by `build` at the first call."""

    input_shape: Any = None
    output_shape: Any = None  # of its last result

    def __init__(
        self, trainable: bool = True, name: str | None = None, dtype: Any = None, input_shape: Any = None,
        kind: str = "", **options: Any,
    ) -> None:  # fmt: skip
        if "input_dim" in options:
            input_shape = (options["input_dim"],)
        self.name, self.built, self._own = name or own_name(kind or type(self).__name__), False, list[Variable]()
        self.input_shape, self.trainable = input_shape, trainable

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
        if any(isinstance(item, Symbolic) for item in (inputs if isinstance(inputs, list | tuple) else [inputs])):
            return self._placed(inputs)
        tensor = functions.constant(inputs) if not isinstance(inputs, Tensor | list | tuple) else inputs
        if isinstance(tensor, Tensor) and tensor.array.dtype == np.float64:  # layers compute in float32
            tensor = functions.cast(tensor, "float32")
        if not self.built:
            self.built = True
            self.build(tensor.shape if isinstance(tensor, Tensor) else [item.shape for item in tensor])
        if "training" in keywords and "training" not in inspect.signature(self.call).parameters:
            del keywords["training"]
        result = self.call(tensor, *arguments, **keywords)
        if isinstance(result, Tensor) and result.array.ndim:
            self.output_shape = (None, *result.shape[1:])
        return result

    def _placed(self, inputs: Any) -> Symbolic:
        """The place of this layer's result in a model; a try with zeros makes the weights and tells its shape."""
        is_list = isinstance(inputs, list | tuple)
        operands = tuple(inputs) if is_list else (inputs,)
        zeros = [Tensor(np.zeros([size or 1 for size in item.shape], np.float32)) for item in operands]
        result = self(zeros if is_list else zeros[0])
        return Symbolic(self, operands, (None, *result.shape[1:]), is_list)

    def count_params(self) -> int:
        return sum(int(item.array.size) for item in self.weights)

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
        frozen = {id(item) for layer in self._all() if not layer.trainable for item in layer.weights}
        return [item for item in self.weights if item.trainable and id(item) not in frozen]

    def _all(self) -> Iterator[Layer]:
        yield self
        for layer in self._inner():
            yield from layer._all()

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
        kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros",
        **options: Any,
    ) -> None:
        super().__init__(**options)
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


class Combined(Layer):
    """An operator between places of a model, or with a number."""

    def __init__(self, op: str, other: Any, swapped: bool) -> None:
        super().__init__(kind=op)
        self.op, self.other, self.swapped = op, other, swapped

    def call(self, inputs: Any) -> Any:
        left, right = inputs if isinstance(inputs, list) else (inputs, self.other)
        return operate(self.op, (right, left) if self.swapped else (left, right))


class Concatenate(Layer):
    """Several operands side by side."""

    def __init__(self, axis: int = -1, **options: Any) -> None:
        super().__init__(**options)
        self.axis = axis

    def call(self, inputs: Any) -> Any:
        return operate("concatenate", [*inputs], {"axis": self.axis})


class Add(Layer):
    """The sum of several operands."""

    op = "add"

    def call(self, inputs: Any) -> Any:
        result, *others = inputs
        for item in others:
            result = operate(self.op, (result, item))
        return result


class Multiply(Add):
    """Their product."""

    op = "multiply"


class Dropout(Layer):
    """Zeros at random while training."""

    def __init__(self, rate: float, **options: Any) -> None:
        super().__init__(**options)
        self.rate = rate

    def call(self, inputs: Any, training: bool = False) -> Any:
        if not training or not self.rate:
            return inputs
        kind = inputs.array.dtype.type
        return inputs * np.where(DICE.uniform(size=inputs.shape) < self.rate, kind(0), kind(1 / (1 - self.rate)))
