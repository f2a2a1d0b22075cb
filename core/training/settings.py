"""The settings of a training, as they stand under the key "training" of a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from cadena.core.graph.document import Document
from cadena.core.graph.fault import Refused
from cadena.core.graph.trained import KEY
from cadena.core.storage.records import must_be
from cadena.core.training.data import DATA
from cadena.core.training.optimisers import OPTIMISERS

OUTPUT = "output"  # the loss that is the document's own output
LOSSES = {
    OUTPUT: "the output",
    "mse_loss": "squared error",
    "l1_loss": "absolute error",
    "huber_loss": "Huber",
    "binary_cross_entropy": "yes or no",
    "binary_cross_entropy_with_logits": "yes or no, logits",
    "cross_entropy": "classes",
}
STARTS = {"document": "the graph's", "random": "random"}
MAX_EXAMPLES = 1_000_000


class TrainingSettings(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is trained on, by which loss, and how.

    `columns` names the columns of the data that each input takes; without it they are matched by name, then in order.
    `target` names those that a loss on top of the output compares with. A `batch` of 0 is all examples. None for
    `examples` and `noise` is what the data has by itself.
    """

    data: Annotated[str, Meta(description=f"one of {', '.join(DATA)}")] = "document"
    file: Annotated[str, Meta(description="the path of a CSV file")] = ""
    examples: Annotated[
        Annotated[int, Meta(ge=1, le=MAX_EXAMPLES)] | None, Meta(description="a whole number from 1, or null")
    ] = None
    noise: Annotated[Annotated[float, Meta(ge=0)] | None, Meta(description="a number from 0, or null")] = None
    columns: Annotated[
        dict[str, tuple[str, ...]], Meta(description="a list of column names for each input, by the input's name")
    ] = {}
    loss: Annotated[str, Meta(description=f"one of {', '.join(LOSSES)}")] = OUTPUT
    target: Annotated[tuple[str, ...], Meta(description="a list of column names")] = ()
    optimiser: Annotated[str, Meta(description=f"one of {', '.join(OPTIMISERS)}")] = "sgd"
    rate: Annotated[float, Meta(ge=0, description="a number from 0")] = 0.1
    batch: Annotated[int, Meta(ge=0, description="a whole number, 0 for all examples")] = 0
    seed: Annotated[int, Meta(ge=0, description="a whole number from 0")] = 0
    start: Annotated[str, Meta(description=f"one of {', '.join(STARTS)}")] = "document"


DEFAULTS = TrainingSettings()
CHOICES: Mapping[str, Mapping[str, Any]] = {"data": DATA, "loss": LOSSES, "optimiser": OPTIMISERS, "start": STARTS}


def settings_of(document: Document) -> TrainingSettings:
    """The settings in a document; those it does not have are as by default. Raises Refused for one that means nothing.

    Keys that this version does not know are left alone.
    """
    stored = document.extra.get(KEY, {})
    if not isinstance(stored, dict):
        raise Refused("{key} must be an object with settings", "correct it", key=KEY)
    for key in TrainingSettings.__struct_fields__:
        if key in stored:
            _check(key, stored[key])
    return msgspec.convert(stored, TrainingSettings)


def _check(key: str, item: Any) -> None:
    try:
        msgspec.convert({key: item}, TrainingSettings)
        is_known = key not in CHOICES or item in CHOICES[key]
    except msgspec.ValidationError:
        is_known = False
    if not is_known:
        expected = must_be(TrainingSettings, key)
        raise Refused("{key}: {name} must be {expected}", "correct it", key=KEY, name=key, expected=expected)


def with_settings(document: Document, settings: TrainingSettings) -> Document:
    """The document with these settings; keys of the file that this version does not know stay."""
    before = document.extra.get(KEY, {})
    unknown = {key: item for key, item in before.items() if key not in TrainingSettings.__struct_fields__}
    stored = msgspec.to_builtins(settings) | unknown
    extra = {key: item for key, item in document.extra.items() if key != KEY}
    return replace(document, extra=extra | ({KEY: stored} if stored else {}))
