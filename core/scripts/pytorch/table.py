"""Functions and methods as the table of the language torch has them: the one that programs are written with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from cadena.core.dialects.pattern import ALL, Signature
from cadena.core.dialects.torch_programs import TORCH
from cadena.core.scripts.pytorch.state import STATE
from cadena.core.scripts.pytorch.tensor import Core, operate

# PyTorch takes numpy's keywords as well, and has names for operands.
KEYWORDS = {"axis": "dim", "keepdims": "keepdim", "axes": "dims"}
FIRST, SECOND = ("input", "self"), ("other", "target", "exponent", "mat2", "vec", "vec2", "tensor2")
# Methods that take a list of sizes or axes also as single arguments: x.reshape(2, 3).
LISTS = frozenset(("view", "reshape", "permute", "tile", "flip", "broadcast_to"))


def known(prefix: str) -> list[str]:
    """The names that the table has in a module: "torch", "F", "torch.linalg"."""
    start = f"{prefix}."
    return [name[len(start) :] for name in TORCH.signatures if name.startswith(start) and "." not in name[len(start) :]]


def function(name: str) -> Callable[..., Any] | None:
    """The function of this name, such as torch.sum; None where the table has none."""
    signatures = TORCH.signatures.get(name)
    if signatures is None:
        return None
    shown = name.replace("F.", "torch.nn.functional.", 1) if name.startswith("F.") else name

    def call(*arguments: Any, **keywords: Any) -> Any:
        return _called(signatures, arguments, keywords)

    call.__name__ = call.__qualname__ = shown.rsplit(".", 1)[-1]
    call.__module__ = shown.rsplit(".", 1)[0]
    return call


def method(name: str) -> Callable[..., Any] | None:
    """The method of tensors of this name; None where the table has none."""
    called = function(f".{name}") or function(f"torch.{name}") or function(f"F.{name}")
    if called is None or name not in LISTS:
        return called

    def call(tensor: Any, *listed: Any, **keywords: Any) -> Any:
        one = listed if len(listed) != 1 or isinstance(listed[0], int) else listed[0]
        return called(tensor, *([one] if listed else []), **keywords)

    return call


def _called(signatures: Sequence[Signature], arguments: tuple[Any, ...], keywords: Mapping[str, Any]) -> Any:
    """Compute the first of the meanings that these arguments fit. Raises the TypeError of the last otherwise."""
    if isinstance(out := keywords.get("out"), Core):
        return _into(out, signatures, arguments, {key: value for key, value in keywords.items() if key != "out"})
    positional, named = [*arguments], dict[str, Any]()
    for key, value in keywords.items():
        if key in FIRST:
            positional.insert(0, value)
        elif key in SECOND:
            positional.append(value)
        elif key != "out" or value is not None:
            named[KEYWORDS.get(key, key)] = value
    for number, signature in enumerate(signatures):
        try:
            operands, attributes = signature.bind(positional, named)
        except TypeError:
            if number == len(signatures) - 1:
                raise
        else:
            return operate(
                signature.op, _checked(signature, operands), {key: plain(value) for key, value in attributes.items()}
            )
    raise AssertionError


def _into(out: Any, signatures: Sequence[Signature], arguments: tuple[Any, ...], keywords: Mapping[str, Any]) -> Any:
    """Compute into the memory of a tensor without a gradient."""
    tensors = [item for item in (*arguments, *keywords.values(), out) if isinstance(item, Core)]
    if STATE.records and any(item.requires_grad for item in tensors):
        raise RuntimeError(
            f"{signatures[0].name.rpartition('.')[2]}(): functions with out=... arguments don't support automatic "
            "differentiation, but one of the arguments requires grad."
        )
    out.changing(*tensors)
    result = _called(signatures, arguments, keywords)
    if result.shape != out.shape:
        raise RuntimeError(f"out= has shape {list(out.shape)}, and the result {list(result.shape)}; give it that shape")
    return out.replace(result)


def _checked(signature: Signature, operands: list[Any]) -> list[Any]:
    for item in operands:
        if not isinstance(item, Core | int | float):
            what = "a list of tensors" if any(part.variable == ALL for part in signature.parameters) else "a tensor"
            raise TypeError(f"{signature.name} needs {what}, not {type(item).__name__}")
    return operands


def plain(value: Any) -> Any:
    """An attribute without tensors and tuples."""
    if isinstance(value, Core):
        return value.item() if not value.array.ndim else value.array.tolist()
    return [plain(item) for item in value] if isinstance(value, tuple | list) else value
