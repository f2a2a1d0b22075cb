"""A call of PyTorch on traced values: by the table of the language, or for what is several operations, written out."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from cadena.core.capture import torch_conditions, torch_gradients, torch_kernels, torch_layers, torch_shapes
from cadena.core.capture.record import Unknown
from cadena.core.capture.torch_tensors import DTYPES
from cadena.core.languages.torch_programs import TORCH
from cadena.core.tracing.traced import Traced, apply

OPERATORS = {
    "__add__": "+", "__sub__": "-", "__mul__": "*", "__truediv__": "/", "__pow__": "**", "__matmul__": "@",
    "__mod__": "%", "__floordiv__": "//",
}  # fmt: skip
REFLECTED = {f"__r{name[2:]}": sign for name, sign in OPERATORS.items()} | {"__rdiv__": "/"}


def _functions(*modules: Any) -> dict[str, Callable[..., Any]]:
    return {
        name if name.startswith("__") else name.rstrip("_"): function
        for module in modules
        for name, function in vars(module).items()
        if inspect.isfunction(function) and function.__module__ == module.__name__
        if name.startswith("__") or not name.startswith("_")
    }


COMPOSED = torch_conditions.BY_NUMPY | _functions(torch_shapes, torch_layers, torch_conditions, torch_gradients)
KERNELS = _functions(torch_kernels)


def read(name: str, function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """The value of a call of PyTorch, named as PyTorch does ("torch.Tensor.add"), on traced values.

    Raises Unknown for one that is not known, or not with these arguments.
    """
    plain, why = plain_name(name), f"{name} is no operation of Cadena"
    kwargs = {key: item for key, item in kwargs.items() if key != "out"}  # the result is known by its tensor
    args, kwargs = _cast(args, kwargs)
    for key in [plain] if plain in COMPOSED else _keys(name, plain):
        for form in _forms(args):
            try:
                if key in COMPOSED:
                    return COMPOSED[key](*form, **kwargs)
                return _by_the_table(key, *_arguments(function, form, kwargs))
            except ERRORS as error:
                why = str(error) or why
    raise Unknown(why)


def read_kernel(name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """The value of a call of ATen, whose names are mostly PyTorch's own, on traced values. Raises Unknown as `read`."""
    plain, why = name if name.startswith("__") else name.strip("_"), ""
    if plain not in KERNELS:
        return read(f"torch.{plain}", None, args, kwargs)
    args, kwargs = _cast(args, kwargs)
    for form in _forms(args):
        try:
            return KERNELS[plain](*form, **kwargs)
        except ERRORS as error:
            why = str(error)
    raise Unknown(why)


def _cast(args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[Sequence[Any], Mapping[str, Any]]:
    """The arguments without `dtype`, to which PyTorch casts the first before it computes."""
    wanted = DTYPES.get(str(kwargs.get("dtype")))
    if not wanted or not args or not isinstance(args[0], Traced):
        return args, {key: item for key, item in kwargs.items() if key != "dtype" or item is not None}
    first = args[0] if args[0].dtype == wanted else apply("astype", [args[0]], {"dtype": wanted})
    return [first, *args[1:]], {key: item for key, item in kwargs.items() if key != "dtype"}


ERRORS = (TypeError, ValueError, IndexError, KeyError, AttributeError, ArithmeticError, Unknown)


def _forms(args: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """The arguments; where a number is among them once more with a row of it, since PyTorch gives numbers an axis 0.

    Then with the plain numbers of computed conditions and places: the choice stays as it is, with a guard.
    """
    yield args
    if any(isinstance(item, Traced) and not item.shape for item in args):
        is_number = [isinstance(item, Traced | np.ndarray) and not item.shape for item in args]
        yield [np.reshape(item, [1]) if number else item for item, number in zip(args, is_number)]
    if any(map(_is_choice, _flat(args))):
        yield [_held(item) for item in args]


def _flat(items: Sequence[Any]) -> Iterator[Any]:
    for item in items:
        if isinstance(item, tuple | list):
            yield from _flat(item)
        else:
            yield item


def _is_choice(item: Any) -> bool:
    return isinstance(item, Traced) and item.is_whole


def _held(item: Any) -> Any:
    if isinstance(item, tuple | list):
        return type(item)(map(_held, item))
    if not _is_choice(item):
        return item
    return np.asarray(item.guard("elements")).astype(bool if item.is_truth else int)


def plain_name(name: str) -> str:
    """The last part of a name, without the mark of an in-place call."""
    last = name.removesuffix(".__get__").rpartition(".")[2]
    if last.startswith("__"):
        return (
            f"__{last[3:]}" if last.startswith("__i") and last not in ("__invert__", "__index__", "__int__") else last
        )
    return last.rstrip("_")


def _keys(name: str, plain: str) -> list[str]:
    """What the table may call it: a method is the function of its name."""
    if plain in OPERATORS or plain in REFLECTED:
        return [OPERATORS.get(plain) or REFLECTED[plain]]
    if plain == "__neg__":
        return ["-"]
    homes = ["torch.{}", "F.{}", ".{}", "torch.special.{}", "torch.linalg.{}"]
    if ".functional." in name:
        homes = ["F.{}", *homes]
    if name.startswith("torch.linalg."):
        homes = ["torch.linalg.{}", *homes]
    return [key for key in dict.fromkeys(home.format(plain) for home in homes) if key in TORCH.signatures]


def _arguments(
    function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> tuple[Sequence[Any], Mapping[str, Any]]:
    """The arguments without those that are the function's defaults; for a reflected operator the other way round."""
    if getattr(function, "__name__", "") in REFLECTED:
        return args[::-1], kwargs
    try:
        bound = inspect.signature(function).bind(*args, **kwargs)
    except (TypeError, ValueError):
        return args, {name: item for name, item in kwargs.items() if item is not None}
    parameters = inspect.signature(function).parameters
    if any(item.kind in (item.VAR_POSITIONAL, item.VAR_KEYWORD) for item in parameters.values()):
        return args, kwargs
    operands = [item for item in bound.arguments.values() if isinstance(item, Traced)]
    named = {
        name: item
        for name, item in bound.arguments.items()
        if not isinstance(item, Traced) and item is not parameters[name].default and item != parameters[name].default
    }
    named.pop("inplace", None)
    return operands, named


def _by_the_table(key: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    signatures, why = TORCH.signatures[key], TypeError(key)
    for signature in signatures:
        try:
            operands, attributes = signature.bind(args, kwargs)
        except TypeError as error:
            why = error
            continue
        return apply(signature.op, operands, {name: _listed(item) for name, item in attributes.items()})
    raise why


def _listed(item: Any) -> Any:
    """Sizes and tuples as the lists that attributes hold."""
    return [_listed(part) for part in item] if isinstance(item, tuple | list) else item
