"""The signatures of PyTorch, and its functions and methods as the table has them that programs are written with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from cadena.core.languages.pattern import ALL, STARRED, Signature
from cadena.core.languages.torch_programs import TORCH
from cadena.core.scripts.calls import all_checked, checked, forms_of
from cadena.core.scripts.pytorch.state import STATE
from cadena.core.scripts.pytorch.tensor import Core, operate, without_rule

FORMS = forms_of(Path(__file__).with_name("signatures.txt").read_text("utf-8"))
FUNCTIONAL = "torch.nn.functional"  # F in the table of programs
# Names of arguments that PyTorch takes as well, as numpy has them.
SYNONYMS = {"axis": "dim", "keepdims": "keepdim", "x": "input", "a": "input", "x1": "input", "x2": "other"}
# Methods that take a list of sizes or axes also as single arguments: x.permute(1, 0).
LISTS = frozenset(("permute", "tile", "flip", "broadcast_to"))


def known(module: str) -> list[str]:
    """The names that the signatures have in a module."""
    start = f"{module}."
    return [name[len(start) :] for name in FORMS if name.startswith(start) and "." not in name[len(start) :]]


def in_module(module: str, names: Mapping[str, Any]) -> dict[str, Any]:
    """The names of a module, called as in PyTorch."""
    return all_checked(module, names, FORMS, SYNONYMS)


def function(name: str) -> Callable[..., Any] | None:
    """The function of this full name, such as torch.sum; None where there is none."""
    signatures = TORCH.signatures.get(name.replace(FUNCTIONAL, "F", 1))
    if signatures is None or name not in FORMS:
        return None
    forms, parameters = FORMS[name], [item for signature in signatures for item in signature.parameters]
    plain = max(sum(item.keyword in ("", STARRED) for item in signature.parameters) for signature in signatures)
    first = forms[0].positional[:plain]
    used = {*first, *(item.keyword for item in parameters), *(key for one in signatures for key in one.fixed)}
    used |= {"inplace", "out"} & {*forms[0].names}
    used |= {"*"} if STARRED in used else {*()}

    def call(*arguments: Any, inplace: bool = False, out: Any = None, **keywords: Any) -> Any:
        operands = [*arguments, *(keywords.pop(key) for key in first if key in keywords)]
        if inplace:
            operands[0].changing()
        if out is not None:
            return _into(out, signatures, operands, keywords)
        result = _called(signatures, operands, keywords)
        if name == "torch.floor_divide":
            return without_rule(result)
        return operands[0].replace(result) if inplace else result

    module, _, call.__name__ = name.rpartition(".")
    call.__qualname__, call.__module__ = call.__name__, module
    return checked(name, forms, call, SYNONYMS, used=used)  # type: ignore[no-any-return]


def method(name: str) -> Callable[..., Any] | None:
    """The method of tensors of this name; None where the table has none."""
    called = function(f"torch.{name}")
    if called is None or name not in LISTS:
        return called

    def call(tensor: Any, *listed: Any, **keywords: Any) -> Any:
        one = listed if len(listed) != 1 or isinstance(listed[0], int) else listed[0]
        return called(tensor, *([one] if listed else []), **keywords)

    return call


def _called(signatures: Sequence[Signature], arguments: list[Any], keywords: Mapping[str, Any]) -> Any:
    """Compute the first of the meanings that these arguments fit. Raises the TypeError of the last otherwise."""
    for number, signature in enumerate(signatures):
        try:
            operands, attributes = signature.bind(arguments, keywords)
        except TypeError:
            if number == len(signatures) - 1:
                raise
        else:
            return operate(
                signature.op, _checked(signature, operands), {key: plain(value) for key, value in attributes.items()}
            )
    raise AssertionError


def _into(out: Any, signatures: Sequence[Signature], arguments: list[Any], keywords: Mapping[str, Any]) -> Any:
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
    """An attribute without tensors, which are guarded, and tuples."""
    if isinstance(value, Core):
        value.guarded("value")
        return value.item() if not value.array.ndim else value.array.tolist()
    return [plain(item) for item in value] if isinstance(value, tuple | list) else value
