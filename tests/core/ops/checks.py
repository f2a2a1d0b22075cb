"""Checks of a record by its own examples: what holds for every operation, whatever it computes."""

from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np

from cadena.core.ops.primitive import REGISTRY, Primitive

STEP = 1e-6


def cases(*modules: ModuleType) -> list[Any]:
    """(record, operands, attributes) for each example of the records in these modules."""
    records = {item.name: item for module in modules for item in vars(module).values() if isinstance(item, Primitive)}
    return [
        (record, [np.array(item) for item in example if not isinstance(item, dict)], record.complete(given(example)))
        for record in records.values()
        if REGISTRY[record.name] is record
        for example in record.examples
    ]


def given(example: tuple[Any, ...]) -> dict[str, Any]:
    return example[-1] if isinstance(example[-1], dict) else {}


def label(case: Any) -> str:
    return case[0].name if isinstance(case, tuple) else str(case)


def open_slots(record: Primitive, operands: list[Any]) -> Iterator[int]:
    return (slot for slot in range(len(operands)) if record.slot(slot).differentiable)


def check_shape(case: Any) -> None:
    record, operands, attributes = case
    value = record.value(*operands, **attributes)
    assert np.shape(value) == record.shape(*map(np.shape, operands), **attributes)


def check_forward(case: Any) -> None:
    """The tangent against central differences."""
    record, operands, attributes = case
    y = record.value(*operands, **attributes)
    for slot in open_slots(record, operands):
        direction = np.random.default_rng(slot).normal(size=operands[slot].shape)
        sides = []
        for sign in (STEP, -STEP):
            moved = [item + sign * direction if index == slot else item for index, item in enumerate(operands)]
            sides.append(record.value(*moved, **attributes))
        expected = (sides[0] - sides[1]) / (2.0 * STEP)
        tangent = record.jvp(slot, direction, y, operands, attributes)
        np.testing.assert_allclose(tangent, expected, rtol=1e-6, atol=1e-7)
        assert np.shape(tangent) == np.shape(y)


def check_reverse(case: Any) -> None:
    """<v, J u> = <Jᵀ v, u>."""
    record, operands, attributes = case
    y = record.value(*operands, **attributes)
    numbers = np.random.default_rng(1)
    upstream = np.asarray(numbers.normal(size=np.shape(y)))
    for slot in open_slots(record, operands):
        direction = np.asarray(numbers.normal(size=operands[slot].shape))
        forward = np.sum(upstream * record.jvp(slot, direction, y, operands, attributes))
        gradient = record.vjp(slot, upstream, y, operands, attributes)
        assert np.shape(gradient) == operands[slot].shape
        np.testing.assert_allclose(np.sum(gradient * direction), forward, rtol=1e-12, atol=1e-14)


def check_dtype(case: Any, dtype: str) -> None:
    record, operands, attributes = case
    operands = [item.astype(dtype) for item in operands]
    y = record.value(*operands, **attributes)
    assert y.dtype == dtype
    for slot in open_slots(record, operands):
        upstream = np.asarray(np.ones(np.shape(y), dtype=dtype))
        rule = record.slot(slot)
        if rule.transpose is not None:
            which = {"slot": slot} if record.variadic else {}
            assert rule.transpose(upstream, y, *operands, **attributes, **which).dtype == dtype
            assert rule.push(np.ones_like(operands[slot]), y, *operands, **attributes, **which).dtype == dtype


def check_untouched(case: Any) -> None:
    """Neither the operands nor the upstream gradient are written to."""
    record, operands, attributes = case
    for item in operands:
        item.flags.writeable = False
    y = record.value(*operands, **attributes)
    upstream = np.asarray(np.ones(np.shape(y)))
    upstream.flags.writeable = False
    for slot in open_slots(record, operands):
        record.vjp(slot, upstream, y, operands, attributes)
        record.jvp(slot, operands[slot], y, operands, attributes)


ALL = [check_shape, check_forward, check_reverse, check_untouched]
