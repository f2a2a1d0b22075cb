"""Functions of TensorFlow: those of the table that programs are written with, and what is more than a row of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from cadena.core.dialects.tensorflow_programs import TENSORFLOW
from cadena.core.scripts.tensor_flow.tensor import DType, Tensor, join_tensors, numbers_of, operate

PLACES = ("tf", "tf.math", "tf.nn", "tf.linalg")  # where a function may stand in the table
FIRST = ("x", "a", "input", "input_tensor", "features", "logits", "value", "tensor", "params")
SECOND = ("y", "b")


def from_table(name: str) -> Callable[..., Any] | None:
    """The function of this name, in whatever module the table has it."""
    table = TENSORFLOW.signatures
    signatures = next((table[f"{place}.{name}"] for place in PLACES if f"{place}.{name}" in table), None)
    if signatures is None:
        return None

    def call(*arguments: Any, **keywords: Any) -> Any:
        positional, named = [*arguments], dict[str, Any]()
        for key, value in keywords.items():
            if key in FIRST:
                positional.insert(0, value)
            elif key in SECOND:
                positional.append(value)
            elif key != "name":
                named[key] = value
        operands, attributes = signatures[-1].bind(positional, named)
        return operate(signatures[-1].op, operands, {key: plain(value) for key, value in attributes.items()})

    call.__name__ = name
    return call


def known() -> list[str]:
    """The names of the table's functions."""
    return [name.rsplit(".", 1)[-1] for name in TENSORFLOW.signatures if name.rpartition(".")[0] in PLACES]


def plain(value: Any) -> Any:
    """An attribute without tensors and tuples."""
    if isinstance(value, Tensor):
        return value.array.tolist()
    return [plain(item) for item in value] if isinstance(value, tuple | list) else value


def _two(op: str) -> Callable[..., Any]:
    return lambda x, y, name=None: operate(op, (x, y))


def matmul(a: Any, b: Any, transpose_a: bool = False, transpose_b: bool = False, name: Any = None) -> Any:
    left = operate("swapaxes", (a,), {"axis1": -1, "axis2": -2}) if transpose_a else a
    right = operate("swapaxes", (b,), {"axis1": -1, "axis2": -2}) if transpose_b else b
    return operate("matmul", (left, right))


def transpose(a: Any, perm: Any = None, name: Any = None) -> Any:
    return operate("transpose", (a,), {} if perm is None else {"axes": plain(perm)})


def _along(op: str) -> Callable[..., Any]:
    return lambda logits, axis=-1, name=None: operate(op, (logits,), {"axis": axis})


def _listing(op: str) -> Callable[..., Any]:
    return lambda values, axis=0, name=None: operate(op, [*values], {"axis": axis})


def expand_dims(input: Any, axis: int, name: Any = None) -> Any:
    return operate("expand_dims", (input,), {"axis": axis})


def cast(x: Any, dtype: Any, name: Any = None) -> Any:
    tensor = x if isinstance(x, Tensor) else Tensor(numbers_of(x)[()])
    name = dtype.name if isinstance(dtype, DType) else str(np.dtype(dtype))
    if tensor.array.dtype.name == name:
        return tensor
    if tensor.is_tracked and name.startswith("float"):
        return operate("astype", (tensor,), {"dtype": name})
    result = Tensor(np.asarray(tensor.array).astype(name)[()])
    if not tensor.is_tracked:  # the same numbers, as places for example, have the same name
        result._name, result._place = tensor._name, tensor._place
    return result


def where(condition: Any, x: Any = None, y: Any = None, name: Any = None) -> Any:
    if x is None:
        return Tensor(np.argwhere(condition.array))
    kind = next((item.array.dtype for item in (x, y) if isinstance(item, Tensor)), np.dtype(np.float32))
    sides = [item if isinstance(item, Tensor) else Tensor(numbers_of(item, kind)[()]) for item in (x, y)]
    return operate("where", (Tensor(np.asarray(numbers_of(condition), kind)[()]), *sides))


def clip_by_value(t: Any, clip_value_min: Any, clip_value_max: Any, name: Any = None) -> Any:
    return operate("clip", (t,), {"min": plain(clip_value_min), "max": plain(clip_value_max)})


def _norm(tensor: Any, ord: Any = "euclidean", axis: Any = None, keepdims: bool = False, name: Any = None) -> Any:
    if axis is None and tensor.ndim != 1:
        tensor = operate("reshape", (tensor,), {"shape": [-1]})
    order = {"euclidean": None}.get(ord, ord) if isinstance(ord, str) else ord
    return operate("norm", (tensor,), {"ord": order, "axis": plain(axis), "keepdims": keepdims})


def _filled(number: float) -> Callable[..., Any]:
    def call(shape: Any, dtype: Any = "float32", name: Any = None) -> Any:
        return Tensor(numbers_of(np.full(plain(shape), number), dtype)[()])

    return call


def _like(number: float) -> Callable[..., Any]:
    return lambda input, dtype=None, name=None: Tensor(np.full_like(numbers_of(input, dtype), number)[()])


def constant(value: Any, dtype: Any = None, shape: Any = None, name: Any = None) -> Any:
    array = numbers_of(value, dtype)
    return Tensor((array if shape is None else np.broadcast_to(array, plain(shape)))[()])


def convert_to_tensor(value: Any, dtype: Any = None, dtype_hint: Any = None, name: Any = None) -> Any:
    joined = join_tensors(value)
    return (
        constant(joined, dtype) if not isinstance(joined, Tensor) else joined if dtype is None else cast(joined, dtype)
    )


def range_(start: Any, limit: Any = None, delta: Any = 1, dtype: Any = None, name: Any = None) -> Any:
    first, last = (0, start) if limit is None else (start, limit)
    array = np.arange(plain(first), plain(last), plain(delta))
    return Tensor(numbers_of(array, dtype or (np.float32 if array.dtype.kind == "f" else np.int32)))


def linspace(start: Any, stop: Any, num: int, name: Any = None) -> Any:
    return Tensor(np.linspace(start, stop, num).astype(np.float32))


def fill(dims: Any, value: Any, name: Any = None) -> Any:
    return Tensor(np.full(plain(dims), numbers_of(value)))


def stop_gradient(input: Any, name: Any = None) -> Any:
    return Tensor(input.array)


def _truth(ufunc: Any) -> Callable[..., Any]:
    return lambda x, y, name=None: Tensor(np.asarray(ufunc(numbers_of(x), numbers_of(y)))[()])


def argmax(input: Any, axis: int = 0, output_type: Any = None, name: Any = None) -> Any:
    return Tensor(np.asarray(np.argmax(numbers_of(input), axis)))


def argmin(input: Any, axis: int = 0, output_type: Any = None, name: Any = None) -> Any:
    return Tensor(np.asarray(np.argmin(numbers_of(input), axis)))


def tf_print(*values: Any, **options: Any) -> None:
    print(*(item.array if isinstance(item, Tensor) else item for item in values))


def sparse_cross_entropy(labels: Any, logits: Any, name: Any = None) -> Any:
    return operate("cross_entropy", (logits, Tensor(numbers_of(labels))), {"reduction": "none"})


def sigmoid_cross_entropy(labels: Any, logits: Any, name: Any = None) -> Any:
    return operate("binary_cross_entropy_with_logits", (logits, labels), {"reduction": "none"})


def cross_entropy(labels: Any, logits: Any, axis: int = -1, name: Any = None) -> Any:
    return operate("cross_entropy", (logits, labels), {"reduction": "none"})


FUNCTIONS: dict[str, Any] = {
    "add": _two("add"), "subtract": _two("subtract"), "multiply": _two("multiply"), "divide": _two("divide"),
    "truediv": _two("divide"), "pow": _two("power"), "squared_difference": lambda x, y: operate("square", (x - y,)),
    "negative": lambda x, name=None: operate("negative", (x,)),
    "matmul": matmul, "transpose": transpose, "concat": _listing("concatenate"), "stack": _listing("stack"),
    "expand_dims": expand_dims, "cast": cast, "where": where, "clip_by_value": clip_by_value, "norm": _norm,
    "softmax": _along("softmax"), "log_softmax": _along("log_softmax"), "convert_to_tensor": convert_to_tensor,
    "zeros": _filled(0), "ones": _filled(1), "zeros_like": _like(0), "ones_like": _like(1), "constant": constant,
    "range": range_, "linspace": linspace, "fill": fill, "stop_gradient": stop_gradient,
    "argmax": argmax, "argmin": argmin,
    "greater": _truth(np.greater), "less": _truth(np.less), "equal": _truth(np.equal), "print": tf_print,
    "softmax_cross_entropy_with_logits": cross_entropy, "sigmoid_cross_entropy_with_logits": sigmoid_cross_entropy,
    "sparse_softmax_cross_entropy_with_logits": sparse_cross_entropy,
    "add_n": lambda inputs, name=None: sum(inputs[1:], inputs[0]),
    "shape": lambda input: Tensor(np.asarray(input.shape, np.int32)),
    "size": lambda input: Tensor(np.int32(input.array.size)), "rank": lambda input: Tensor(np.int32(input.ndim)),
}  # fmt: skip
