"""The values of leaves as JSON: numbers and nested lists for people, base64 for large arrays."""

from __future__ import annotations

import math
from base64 import b64decode, b64encode
from itertools import chain
from typing import Any

import numpy as np

from cadena.core.graph.document import Tensor, Value, as_value
from cadena.core.graph.fault import Refused
from cadena.core.ops.memory import MAX_AXES
from cadena.core.ops.primitive import REGISTRY
from cadena.core.storage.records import StoredTensor, StoredValue

MAX_LISTED = 1000  # elements; larger arrays are written as base64
LARGEST = 1 << 40  # elements; far more than fit a file, and few enough for numpy to count
SPECIAL = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}  # JSON has no such numbers


def specials_as_texts(item: Any) -> Any:
    """Replace nan, inf and -inf by texts in `item`, in lists and objects too."""
    if isinstance(item, float) and not math.isfinite(item):
        return "nan" if item != item else "inf" if item > 0 else "-inf"
    if isinstance(item, list | tuple):
        return [specials_as_texts(part) for part in item]
    if isinstance(item, dict):
        return {key: specials_as_texts(part) for key, part in item.items()}
    return item


def texts_as_specials(op: str, attributes: dict[str, Any]) -> dict[str, Any]:
    """`attributes` with inf and nan, which a file holds as texts, as numbers where the operation wants a number."""
    record = REGISTRY.get(op)
    numbers = {
        attribute.name: SPECIAL[setting]
        for attribute in (record.attributes if record else ())
        if attribute.kind == "number" and isinstance(setting := attributes.get(attribute.name), str)
        if setting in SPECIAL and setting not in attribute.choices  # of a norm, "inf" is a choice
    }
    return attributes | numbers if numbers else attributes


def pack(value: Value) -> Any:
    """A value in the form that the file holds; `unpack` gives back an equal one."""
    if not isinstance(value, Tensor):
        return specials_as_texts(float(value))
    if _fits_a_list(value):
        return specials_as_texts(value.array.tolist())
    return {"shape": list(value.shape), "dtype": value.dtype, "base64": b64encode(value.data).decode()}


def _fits_a_list(tensor: Tensor) -> bool:
    """Whether nested lists represent an array exactly; they lose axes after an empty one, and odd nans."""
    if not tensor.shape or not 0 < tensor.array.size <= MAX_LISTED:
        return False
    plain = np.where(np.isnan(tensor.array), np.array(np.nan, tensor.dtype), tensor.array)
    return len(tensor.shape) <= MAX_AXES and plain.tobytes() == tensor.data


def unpack(stored: StoredValue, dtype: str = "float64") -> Value:
    """Convert a value as a file holds it, nested lists to an array of `dtype`.

    Raises Refused with the end of a sentence that begins with "value".
    """
    if isinstance(stored, float):
        return stored
    if isinstance(stored, str):
        return SPECIAL[stored]
    return _from_lists(stored, dtype) if isinstance(stored, list) else _from_bytes(stored)


def _from_lists(rows: list[Any], dtype: str) -> Tensor:
    """Nested lists as an array, level by level: no recursion, so no depth of nesting can break it."""
    shape, items = [len(rows)], rows
    while set(map(type, items)) == {list}:
        lengths = set(map(len, items))
        if len(lengths) > 1:
            raise Refused(
                "has rows of lengths {least} and {most}",
                "give all rows the same length",
                least=min(lengths),
                most=max(lengths),
            )
        shape.append(lengths.pop())
        if len(shape) > MAX_AXES:
            raise Refused("has more than {most_axes} dimensions", "nest its lists less deeply", most_axes=MAX_AXES)
        items = list(chain.from_iterable(items))
    numbers = _numbers(items)
    with np.errstate(over="ignore"):
        narrow = numbers.astype(np.dtype(dtype).newbyteorder("<"))
    if (np.isinf(narrow) & np.isfinite(numbers)).any():
        raise Refused("holds a number that is too large for {dtype}", "use a smaller one", dtype=dtype)
    return Tensor(tuple(shape), dtype, narrow.tobytes())


def _numbers(items: list[Any]) -> np.ndarray:
    types = set(map(type, items))
    if list in types:
        raise Refused("has rows of numbers beside single numbers", "give all rows the same length")
    if str in types:
        items = [SPECIAL.get(item, item) if type(item) is str else item for item in items]
        types = set(map(type, items))
    if not types <= {int, float}:
        odd = next(item for item in items if type(item) not in (int, float))
        raise Refused("holds {odd}", 'use numbers, "nan", "inf" or "-inf"', odd=_shown(odd))
    try:
        return np.array(items, dtype="<f8")
    except OverflowError:
        raise Refused("holds a number that is too large", "use one below 1.8e308") from None


def _shown(item: Any) -> str:
    if isinstance(item, dict):
        return "an object"
    return {True: "true", False: "false", None: "null"}[item] if not isinstance(item, str) else repr(item[:20])


def _from_bytes(stored: StoredTensor) -> Value:
    """An array from base64. Its shape is compared with the number of bytes before anything is allocated."""
    if len(stored.shape) > MAX_AXES or math.prod(max(size, 1) for size in stored.shape) > LARGEST:
        raise Refused("has a shape that no array can have", "correct it")
    try:
        data = b64decode(stored.base64, validate=True)
    except ValueError:
        raise Refused("holds base64 that is broken", "restore a copy of the file") from None
    expected = math.prod(stored.shape) * np.dtype(stored.dtype).itemsize
    if len(data) != expected:
        needed = f"{stored.dtype} of shape {list(stored.shape)} takes {expected} bytes, but base64 holds {len(data)}"
        raise Refused("does not fit its shape: {needed}", "correct one of them", needed=needed)
    tensor = Tensor(stored.shape, stored.dtype, data)
    return tensor if stored.shape else as_value(tensor.array)  # a single number is never a Tensor
