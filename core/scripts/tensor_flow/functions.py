"""Functions of TensorFlow: those of the table that programs are written with, and what is more than a row of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from cadena.core.languages.tensorflow_programs import TENSORFLOW
from cadena.core.scripts.calls import all_checked, checked, forms_of
from cadena.core.scripts.conventions import steep_root
from cadena.core.scripts.followed import followed
from cadena.core.scripts.tensor_flow.tensor import STATE, DType, Tensor, join_tensors, numbers_of, operate
from cadena.core.tracing.traced import apply

FORMS = forms_of(Path(__file__).with_name("signatures.txt").read_text("utf-8"))


def known(module: str) -> list[str]:
    """The names that the signatures have in a module."""
    start = f"{module}."
    return [name[len(start) :] for name in FORMS if name.startswith(start) and "." not in name[len(start) :]]


def in_module(module: str, names: Mapping[str, Any]) -> dict[str, Any]:
    """The names of a module, called as in TensorFlow."""
    return all_checked(module, names, FORMS)


def bound(name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    """A method that is called as TensorFlow's of this full name."""
    return checked(name, FORMS[name], method, bound=True)  # type: ignore[no-any-return]


def silu(features: Any) -> Any:
    return operate("silu", (features,))


def from_table(name: str) -> Callable[..., Any] | None:
    """The function of this full name, in whatever module the table of programs has it."""
    short, table = name.rpartition(".")[2], TENSORFLOW.signatures
    places = ("tf", "tf.math", "tf.nn", "tf.linalg")
    signatures = next((table[f"{place}.{short}"] for place in places if f"{place}.{short}" in table), None)
    if signatures is None or name not in FORMS:
        return None
    signature, (form,) = signatures[-1], FORMS[name]
    count = sum(not item.keyword for item in signature.parameters)
    used = {*form.positional[:count], *(item.keyword for item in signature.parameters)}

    def call(*arguments: Any, **keywords: Any) -> Any:
        positional = [*arguments, *(keywords.pop(key) for key in form.positional[:count] if key in keywords)]
        operands, attributes = signature.bind(positional, keywords)
        return operate(signature.op, operands, {key: plain(value) for key, value in attributes.items()})

    call.__name__ = short
    return checked(name, [form], call, used=used)  # type: ignore[no-any-return]


def plain(value: Any) -> Any:
    """An attribute without tensors and tuples."""
    if isinstance(value, Tensor):
        return value.array.tolist()
    return [plain(item) for item in value] if isinstance(value, tuple | list) else value


def _two(op: str) -> Callable[..., Any]:
    return lambda x, y: operate(op, (x, y))


def matmul(a: Any, b: Any, transpose_a: bool = False, transpose_b: bool = False) -> Any:
    left = operate("swapaxes", (a,), {"axis1": -1, "axis2": -2}) if transpose_a else a
    right = operate("swapaxes", (b,), {"axis1": -1, "axis2": -2}) if transpose_b else b
    return operate("matmul", (left, right))


def transpose(a: Any, perm: Any = None) -> Any:
    return operate("transpose", (a,), {} if perm is None else {"axes": plain(perm)})


def _along(op: str) -> Callable[..., Any]:
    return lambda logits, axis=None: operate(op, (logits,), {"axis": -1 if axis is None else axis})


def _listing(op: str) -> Callable[..., Any]:
    return lambda values, axis=0: operate(op, [*values], {"axis": axis})


def expand_dims(input: Any, axis: int) -> Any:
    return operate("expand_dims", (input,), {"axis": axis})


def cast(x: Any, dtype: Any) -> Any:
    tensor = x if isinstance(x, Tensor) else Tensor(numbers_of(x)[()])
    name = dtype.name if isinstance(dtype, DType) else str(np.dtype(dtype))
    if tensor.array.dtype.name == name:
        return tensor
    if tensor.is_tracked and name.startswith("float") and tensor.array.dtype.kind == "f":
        return operate("astype", (tensor,), {"dtype": name})
    result = Tensor(np.asarray(tensor.array).astype(name)[()])
    if (place := tensor.follows()) is not None:
        kind = np.dtype(name).kind
        return result.keep(np.not_equal(place, 0.0) if kind == "b" else place if place.is_whole else place.astype(name))
    if not tensor.is_tracked:  # the same numbers, as places for example, have the same name
        result._name, result._place = tensor._name, tensor._place
    return result


def where(condition: Any, x: Any = None, y: Any = None) -> Any:
    if x is None:
        condition.guarded("elements")
        return Tensor(np.argwhere(condition.array))
    kind = next((item.array.dtype for item in (x, y) if isinstance(item, Tensor)), np.dtype(np.float32))
    sides = [item if isinstance(item, Tensor) else Tensor(numbers_of(item, kind)[()]) for item in (x, y)]
    chosen = condition if isinstance(condition, Tensor) else Tensor(np.asarray(numbers_of(condition))[()])
    return operate("where", (chosen, *sides))


def clip_by_value(t: Any, clip_value_min: Any, clip_value_max: Any) -> Any:
    return operate("clip", (t,), {"min": plain(clip_value_min), "max": plain(clip_value_max)})


def _norm(tensor: Any, ord: Any = "euclidean", axis: Any = None, keepdims: Any = None) -> Any:
    if axis is None and tensor.ndim != 1:
        tensor = operate("reshape", (tensor,), {"shape": [-1]})
    order = {"euclidean": None}.get(ord, ord) if isinstance(ord, str) else ord
    reduced = {"axis": plain(axis), "keepdims": bool(keepdims)}
    if order in (None, 2):
        return steep_root(operate("sqrt", (operate("sum", (tensor * tensor,), reduced),)), "norm", "TensorFlow")
    if isinstance(order, int | float) and order > 0.0 and not isinstance(axis, list | tuple):  # in TensorFlow's steps
        length = operate("abs", (tensor,))
        if order in (1, np.inf):
            return operate("sum" if order == 1 else "max", (length,), reduced)
        return operate("power", (operate("sum", (operate("power", (length, float(order))),), reduced), 1.0 / order))
    return operate("norm", (tensor,), {"ord": order, **reduced})


def _filled(number: float) -> Callable[..., Any]:
    def call(shape: Any, dtype: Any = "float32") -> Any:
        return Tensor(numbers_of(np.full(plain(shape), number), dtype)[()])

    return call


def _like(number: float) -> Callable[..., Any]:
    return lambda input, dtype=None: Tensor(np.full_like(numbers_of(input, dtype), number)[()])


def constant(value: Any, dtype: Any = None, shape: Any = None) -> Any:
    array = numbers_of(value, dtype)
    if shape is not None:
        array = array.reshape(plain(shape)) if array.size > 1 else np.full(plain(shape), array)
    return Tensor(array[()])


def convert_to_tensor(value: Any, dtype: Any = None) -> Any:
    joined = join_tensors(value)
    return (
        constant(joined, dtype) if not isinstance(joined, Tensor) else joined if dtype is None else cast(joined, dtype)
    )


def range_(start: Any, limit: Any = None, delta: Any = 1, dtype: Any = None) -> Any:
    first, last = (0, start) if limit is None else (start, limit)
    array = np.arange(plain(first), plain(last), plain(delta))
    return Tensor(numbers_of(array, dtype or (np.float32 if array.dtype.kind == "f" else np.int32)))


def linspace(start: Any, stop: Any, num: int) -> Any:
    return Tensor(np.linspace(start, stop, num).astype(np.float32))


def fill(dims: Any, value: Any) -> Any:
    return Tensor(np.full(plain(dims), numbers_of(value)))


def stop_gradient(input: Any) -> Any:
    return followed(Tensor(input.array), lambda place: apply("stop_gradient", [place]), input)


def _truth(ufunc: Any) -> Callable[..., Any]:
    return lambda x, y: followed(Tensor(np.asarray(ufunc(numbers_of(x), numbers_of(y)))[()]), ufunc, x, y)


def argmax(input: Any, axis: Any = None) -> Any:
    return followed(Tensor(np.asarray(np.argmax(numbers_of(input), axis or 0))), np.argmax, input, axis=axis or 0)


def argmin(input: Any, axis: Any = None) -> Any:
    return followed(Tensor(np.asarray(np.argmin(numbers_of(input), axis or 0))), np.argmin, input, axis=axis or 0)


def tf_print(*inputs: Any) -> None:
    print(*(item.array if isinstance(item, Tensor) else item for item in inputs))


def sparse_cross_entropy(labels: Any, logits: Any) -> Any:
    return operate("cross_entropy", (logits, Tensor(numbers_of(labels))), {"reduction": "none"})


def sigmoid_cross_entropy(labels: Any, logits: Any) -> Any:
    return operate("binary_cross_entropy_with_logits", (logits, labels), {"reduction": "none"})


def cross_entropy(labels: Any, logits: Any) -> Any:
    """Of labels that do not add up to 1 with TensorFlow's gradient, which takes them for such that do."""
    numbers = numbers_of(logits), numbers_of(labels)
    if not np.allclose(np.sum(numbers[1], axis=-1), 1.0) and numbers[0].shape == numbers[1].shape:
        return operate(STATE.tape.ruled("softmax_cross_entropy", numbers, {"axis": -1}), (logits, labels))
    return operate("cross_entropy", (logits, labels), {"reduction": "none"})


FUNCTIONS: dict[str, Any] = {
    "add": _two("add"), "subtract": _two("subtract"), "multiply": _two("multiply"), "divide": _two("divide"),
    "truediv": _two("divide"), "pow": _two("power"), "silu": silu, "swish": silu,
    "squared_difference": lambda x, y: operate("square", (operate("subtract", (x, y)),)),
    "negative": lambda x: operate("negative", (x,)),
    "matmul": matmul, "transpose": transpose, "concat": _listing("concatenate"), "stack": _listing("stack"),
    "expand_dims": expand_dims, "cast": cast, "where": where, "clip_by_value": clip_by_value, "norm": _norm,
    "softmax": _along("softmax"), "log_softmax": _along("log_softmax"), "convert_to_tensor": convert_to_tensor,
    "zeros": _filled(0), "ones": _filled(1), "zeros_like": _like(0), "ones_like": _like(1), "constant": constant,
    "range": range_, "linspace": linspace, "fill": fill, "stop_gradient": stop_gradient,
    "argmax": argmax, "argmin": argmin,
    "greater": _truth(np.greater), "less": _truth(np.less), "equal": _truth(np.equal), "print": tf_print,
    "softmax_cross_entropy_with_logits": cross_entropy, "sigmoid_cross_entropy_with_logits": sigmoid_cross_entropy,
    "sparse_softmax_cross_entropy_with_logits": sparse_cross_entropy,
    "add_n": lambda inputs: sum(inputs[1:], inputs[0]),
    "shape": lambda input: Tensor(np.asarray(input.shape, np.int32)),
    "size": lambda input: Tensor(np.int32(input.array.size)), "rank": lambda input: Tensor(np.int32(input.ndim)),
}  # fmt: skip
