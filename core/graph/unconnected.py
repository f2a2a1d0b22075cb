"""What an import notes in `extra` of a leaf whose gradient is None in the script: why it is so, and in which line.

Such a leaf need not lead to the output; it stands in the graph so that people can ask about it.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

from cadena.core.graph.document import Node

UNCONNECTED = "unconnected"


class NoPath(StrEnum):
    """Why a library gives no gradient; the value stands in files."""

    UNUSED = "unused"
    NOT_WATCHED = "not-watched"  # TensorFlow: no variable, and not given to tape.watch
    NOT_TRAINABLE = "not-trainable"
    NOT_REQUIRED = "not-required"  # PyTorch: requires_grad is False
    INTEGER = "integer"
    REPLACED = "replaced"  # the variable holds another tensor since a line
    RESULT = "result"  # PyTorch keeps gradients of leaves alone
    # Cuts: a line took numbers out of the graph.
    ITEM = "item"
    DETACH = "detach"
    COPY = "copy"
    GRADIENTS_OFF = "gradients-off"
    OUTSIDE_TAPE = "outside-tape"
    CAST = "cast"
    OPERATION = "operation"


class Unconnected(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why a leaf has no gradient; `call` is what a line says (`y.item()`), `source` the variable that it takes."""

    reason: Annotated[NoPath, Meta(description="the word for it, such as unused or item")]
    line: Annotated[int, Meta(ge=0, description="the line of the script, 0 where it is not known")] = 0
    call: Annotated[str, Meta(description="what the line says, such as y.item()")] = ""
    source: Annotated[str, Meta(description="the variable that it takes")] = ""
    zeros: Annotated[bool, Meta(description="whether the library gives zeros and not None, as JAX does")] = False


def unconnected(node: Node) -> Unconnected | None:
    """The note of a leaf; None where it has none, or a file holds something else there."""
    note = node.extra.get(UNCONNECTED)
    try:
        return msgspec.convert(note, Unconnected) if isinstance(note, Mapping) else None
    except msgspec.ValidationError:
        return None
