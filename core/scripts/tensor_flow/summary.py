"""What `model.summary()` prints: the layers of a model as a table, and how many numbers it learns."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

WIDTHS = (31, 22, 13)  # of the columns, in a terminal of 80 letters
HEADER = ("Layer (type)", "Output Shape", "Param #")


def lines(model: Any) -> Iterator[str]:
    yield f'Model: "{model.name}"'
    yield _rule("┏━┳┓")
    yield from _row(HEADER, "┃")
    yield _rule("┡━╇┩")
    for number, layer in enumerate(model.layers):
        if number:
            yield _rule("├─┼┤")
        shape = "?" if layer.output_shape is None else str(layer.output_shape)
        count = f"{layer.count_params():,}" if layer.built else "0 (unbuilt)"
        yield from _row((f"{layer.name} ({type(layer).__name__})", shape, count), "│")
    yield _rule("└─┴┘")
    learned, whole = (sum(item.array.size for item in items) for items in (model.trainable_variables, model.weights))
    slots = model.slots()
    extra = 0 if slots is None else 2 + slots * learned
    yield _total("Total", whole + extra, 4 * (whole + extra) + 4 * bool(extra))
    yield _total("Trainable", learned, 4 * learned)
    yield _total("Non-trainable", whole - learned, 4 * (whole - learned))
    if extra:
        yield _total("Optimizer", extra, 4 * extra + 4)  # its count of steps takes 8 bytes


def _rule(signs: str) -> str:
    left, line, cross, right = [*signs]
    return left + cross.join(line * (width + 2) for width in WIDTHS) + right


def _row(texts: Sequence[str], bar: str) -> Iterator[str]:
    """A row of the table, of several lines where a text is too long for one."""
    parts = [textwrap.wrap(text, width) or [""] for text, width in zip(texts, WIDTHS, strict=True)]
    for line in range(max(map(len, parts))):
        first, second, third = (part[line] if line < len(part) else "" for part in parts)
        yield f"{bar} {first:<{WIDTHS[0]}} {bar} {second:<{WIDTHS[1]}} {bar} {third:>{WIDTHS[2]}} {bar}"


def _total(kind: str, count: int, size: float) -> str:
    unit = "B"
    for larger in ("KB", "MB", "GB"):
        if size >= 1024:
            size, unit = size / 1024, larger
    return f" {kind} params: {count:,} ({size:.2f} {unit})"
