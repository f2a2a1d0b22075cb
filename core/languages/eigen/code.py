"""Parts that the rows of C++ share: numbers and lists as code, functions of numbers, arrays of one shape."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cadena.core.languages.language import Site

MOST_TERMS = 4000  # places or terms of one operation; a longer program would be no help


@dataclass
class EigenCode:
    """The code of one operation, and the functions that it calls, which no other has."""

    code: str
    functions: dict[str, str] = field(default_factory=dict)


def braced(items: Any) -> str:
    """Nested lists in C++."""
    if isinstance(items, list | tuple | np.ndarray):
        return "{" + ", ".join(map(braced, items)) + "}"
    return number(items)


def number(value: Any) -> str:
    """A number in C++."""
    if isinstance(value, int | np.integer):
        return str(int(value))
    text = repr(float(value))
    return {"inf": "INFINITY", "-inf": "-INFINITY", "nan": "NAN"}.get(text, text)


def function(site: Site, value: str, slopes: Sequence[str | None]) -> tuple[str, dict[str, str]]:
    """The definition of a function with a value and slopes, and the call of it.

    Operands without derivatives have no slope there: 0 times a slope that is nan would not be 0.
    """
    count = len(slopes)
    active = [slot for slot in range(count) if site.active is None or slot in site.active]
    settings = "".join(f"_{item}" for item in site.attributes.values() if isinstance(item, int | float | str))
    settings += "" if len(active) == count else "_by_" + "".join("abc"[slot] for slot in active)
    name = site.record.name + "".join(sign if sign.isalnum() else "_" for sign in settings)
    parameters = ", ".join(f"const T& {letter}_" for letter in "abc"[:count])
    lines = [f"    const Scalar {letter} = {letter}_.value();" for letter in "abc"[:count]]
    used = " + ".join(
        f"({slope}) * {letter}_.derivatives()"
        for slot, (letter, slope) in enumerate(zip("abc", slopes, strict=False))
        if slot in active and slope not in (None, "0.0")
    )
    lines.append(f"    const Scalar y = {value};")
    slope = used or "Derivatives::Zero(size)"
    text = "\n".join([f"T {name}({parameters}) {{", *lines, f"    return T(y, {slope});", "}"])
    return f"{name}({', '.join(['{}'] * count)})", {name: text}


def applied(site: Site, operands: Sequence[str], call: str, functions: dict[str, str]) -> EigenCode:
    """A function of numbers on each element."""
    if not site.shape:
        return EigenCode(call.format(*operands), functions)
    letters = "abc"[: len(operands)]
    parameters = ", ".join(f"const T& {letter}" for letter in letters)
    spread = [spread_code(code, shape, site.shape) for code, shape in zip(operands, site.shapes, strict=True)]
    return EigenCode(
        f"each([]({parameters}) {{ return T({call.format(*letters)}); }}, {', '.join(spread)})",
        functions,
    )


def spread_code(code: str, shape: Sequence[int], to: Sequence[int]) -> str:
    if tuple(shape) == tuple(to):
        return code
    return f"spread({code if shape else f'single({code})'}, {braced(shape)}, {braced(to)})"


def as_array(code: str, shape: Sequence[int]) -> str:
    return code if shape else f"single({code})"


def single_code(site: Site, code: str) -> str:
    return code if site.shape else f"{code}[0]"
