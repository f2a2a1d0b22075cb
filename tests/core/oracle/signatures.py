"""The signatures of functions, methods and classes as the real libraries have them, a line each, without types."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from collections.abc import Iterator
from typing import Any

UNORDERED = {  # forms that no def can have: an argument that must be given behind one that need not
    "torch.arange(start=0, end, step=1": ("torch.arange(end", "torch.arange(start, end, step=1"),
}


def real(name: str) -> Any:
    """The function, method or class of this name, such as torch.Tensor.view."""
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:count]))
        except ImportError:
            continue
        for part in parts[count:]:
            found = getattr(found, part)
        return found
    raise LookupError(name)


def lines(name: str) -> list[str]:
    """The lines of a name: what Python knows of its signature, or else what its documentation says."""
    found = real(name)
    if inspect.isclass(found) and name.startswith("tensorflow.Variable"):
        found = found.__init__
    try:
        return [f"{name}({_of_signature(inspect.signature(found), '.Tensor.' in name or '__init__' in str(found))})"]
    except (ValueError, TypeError):
        return [*dict.fromkeys(_of_text(name, found.__doc__ or ""))]


def _of_signature(signature: inspect.Signature, is_method: bool) -> str:
    parts, was_keyword = list[str](), False
    for number, item in enumerate(signature.parameters.values()):
        if (item.name == "self" and number == 0) or item.kind == item.VAR_KEYWORD or item.name.startswith("_"):
            continue
        if item.kind == item.VAR_POSITIONAL:
            was_keyword = True
        elif item.kind == item.KEYWORD_ONLY and not was_keyword:
            parts.append("*")
            was_keyword = True
        star = "*" * (item.kind == item.VAR_POSITIONAL)
        parts.append(star + item.name + ("" if item.default is item.empty else f"={shown(item.default)}"))
    return ", ".join(parts)


def shown(default: Any) -> str:
    """A default: a literal, or else a text that stands for it."""
    text = repr(default)
    try:
        ast.literal_eval(text)
    except (ValueError, SyntaxError):
        plain = str(default)
        return plain if re.fullmatch(r"[\w.]+", plain) else repr(type(default).__name__)
    return text


def _of_text(name: str, text: str) -> Iterator[str]:
    short = name.rpartition(".")[2]
    for found in re.finditer(rf"^\s*(?:\.\. function:: )?(?:[\w.]+\.)?{short}\((.*?)\) ->", text, re.MULTILINE):
        parameters = re.sub(r"^(.*\*\w+.*), \*, ", r"\1, ", found[1]).replace("\\*", "*").replace("None,", "None,")
        line = f"{name}({parameters})"
        start = next((start for start in UNORDERED if line.startswith(start)), None)
        for other in (start,) if start is None else UNORDERED[start]:
            yield line if other is None else other + line[len(start or "") :]
