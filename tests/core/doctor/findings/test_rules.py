"""A result is accused of an overflow only where it overflows itself, and not a number on the way to it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

import mpmath as mp
import numpy as np
import pytest

import cadena
from cadena.core.graph.fault import Fault
from cadena.core.notation.reading import read_value
from cadena.core.ops.primitive import REGISTRY
from tests.core.graphs import graph
from tests.thorough import in_turn

WIDER = {"float16": "float64", "float32": "float64", "float64": "longdouble"}
LARGEST = {dtype: float(np.finfo(dtype).max) for dtype in WIDER}
EXTENDED = bool(np.finfo(np.longdouble).max > np.finfo(np.float64).max)
WITHIN = re.compile(r"an intermediate value is .*, though the result would be (.*?); ")
BEYOND = ": the result is beyond"


def fault_of(op: str, *operands: Any, dtype: str, **attributes: Any) -> Fault:
    """The fault at the value of one operation."""
    leaves = {f"x{place}": np.asarray(operand, dtype=float) for place, operand in enumerate(operands)}
    made = cadena.compile(graph(**leaves, y=(op, *leaves, attributes))).run(dtype=dtype)
    (found,) = [fault for fault in made.faults if fault.node == "y" and fault.kind.endswith("-value")]
    return found


def test_norm_of_300_and_2_in_float16_was_accused_of_a_result_beyond_65504():
    fault = fault_of("norm", [300.0, 2.0], dtype="float16")
    assert fault.message == (
        "y = ‖x0‖ is inf in float16 for x0 = [300, 2]: an intermediate value is beyond 65\u202f504, the largest number "
        "of float16, though the result would be 300; scale its operands down, or take a wider number type"
    )
    assert fault.rule == "overflow within norm"


def squares(x: list[Any]) -> Any:
    return mp.fsum(each * each for each in x)


def variance(x: list[Any]) -> Any:
    mean = mp.fsum(x) / len(x)
    return mp.fsum((each - mean) ** 2 for each in x) / len(x)


# Operations with an intermediate value that can overflow where the result does not -> the result, exactly.
ON_THE_WAY = {
    "norm": lambda x: mp.sqrt(squares(x)),
    "std": lambda x: mp.sqrt(variance(x)),
    "var": variance,
    "mean": lambda x: mp.fsum(x) / len(x),
    "sum": mp.fsum,
    "prod": mp.fprod,
    "mse_loss": lambda x: squares(x) / len(x),
}


def vectors(dtype: str) -> Iterator[list[float]]:
    """Numbers of the type of which squares, sums or products may overflow."""
    largest = LARGEST[dtype]
    root = math.sqrt(largest)
    for sizes in (
        [1.2 * root, 2.0],
        [0.6 * largest, 0.7 * largest],
        [root, 2.0 * root, 0.5 / root, 3.0],
        [largest] * 3,
    ):
        yield [float(np.array(size, dtype)) for size in sizes]
        yield [float(np.array(size, dtype)) * (-1) ** place for place, size in enumerate(sizes)]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("op", ON_THE_WAY)
def test_a_result_that_is_no_overflow_is_not_accused_of_one(op, dtype):
    if dtype == "float64" and not EXTENDED:
        pytest.skip("no type is wider than float64 on this machine")
    for numbers in vectors(dtype):
        operands = (numbers, [0.0] * len(numbers)) if op == "mse_loss" else (numbers,)
        leaves = {f"x{place}": np.asarray(operand) for place, operand in enumerate(operands)}
        made = cadena.compile(graph(**leaves, y=(op, *leaves))).run(dtype=dtype)
        exact = ON_THE_WAY[op]([mp.mpf(number) for number in numbers])
        overflows = bool(abs(exact) > LARGEST[dtype] * (mp.mpf(1) + float(np.finfo(dtype).eps)))
        for fault in (fault for fault in made.faults if fault.kind.endswith("-value")):
            within = WITHIN.search(fault.message)
            assert (BEYOND in fault.message) == overflows, (numbers, fault.message)
            assert bool(within) != overflows, (numbers, fault.message)
            if within:
                assert min(read_value(within[1]), LARGEST[dtype]) == pytest.approx(
                    float(exact), rel=1e-3, abs=1e-3 * max(map(abs, numbers))
                )


def examples() -> list[Any]:
    return [
        pytest.param(record.name, [np.array(item) for item in example if not isinstance(item, dict)],
                     example[-1] if isinstance(example[-1], dict) else {}, id=f"{record.name}-{number}")
        for record in REGISTRY.values()
        for number, example in enumerate(record.examples)
    ]  # fmt: skip


@pytest.mark.some(5)
@in_turn("op, operands, attributes", examples())
def test_what_is_said_of_an_overflow_holds_in_a_wider_type(op, operands, attributes):
    """Of every operation, its examples made as large as the type can hold: each accusation against another run."""
    for dtype in ("float16", "float32"):
        for scale in (0.9, math.sqrt(LARGEST[dtype]) * 1.3 / LARGEST[dtype], 1e-3):
            large = [_scaled(operand, LARGEST[dtype] * scale, dtype) for operand in operands]
            leaves = {f"x{place}": operand for place, operand in enumerate(large)}
            program = cadena.compile(graph(**leaves, y=(op, *leaves, attributes)))
            for fault in program.run(dtype=dtype).faults:
                if fault.node == "y" and fault.kind.endswith("-value"):
                    assert_true(fault.message, program.run(dtype="float64").value("y"), dtype)


def assert_true(message: str, wide: np.ndarray, dtype: str) -> None:
    if BEYOND not in message and not WITHIN.search(message):
        return
    at = re.search(r" at \[([\d, ]*)\]", message)
    true = float(wide[tuple(int(index) for index in at[1].split(", "))] if at else wide)
    fits = math.isfinite(true) and abs(true) <= LARGEST[dtype] * (1.0 + float(np.finfo(dtype).eps))
    if BEYOND in message:
        assert math.isfinite(true) and not fits, message
    if within := WITHIN.search(message):
        assert fits and read_value(within[1]) == pytest.approx(true, rel=1e-3, abs=1e-30), message


def _scaled(operand: np.ndarray, size: float, dtype: str) -> np.ndarray:
    """An operand with its largest number at `size`, rounded to the type."""
    largest = float(np.max(np.abs(operand), initial=0.0)) or 1.0
    return np.asarray(operand * (size / largest)).astype(dtype).astype(float)


@pytest.mark.parametrize(
    ("op", "x", "told"),
    [("sinh", 800.0, "above 710.5"), ("sinh", -800.0, "below −710.5"), ("cosh", -800.0, "below −710.5"),
     ("exp", 800.0, "above 709.8"), ("expm1", 800.0, "above 709.8"), ("exp2", 1100.0, "above 1\u202f024")],
)  # fmt: skip
def test_sinh_was_said_to_overflow_where_it_does_not(op, x, told):
    assert f"{op} overflows {told} in float64" in fault_of(op, x, dtype="float64").message
    limit = float(told.split()[1].replace("−", "-").replace("\u202f", "")) * (1.0 - 1e-4)
    assert cadena.compile(graph(x=limit, y=(op, "x"))).run().faults == ()


def test_what_no_type_can_tell_is_not_said():
    said = "the result, or an intermediate value, is beyond 1.798·10³⁰⁸"
    assert said in fault_of("power", 10.0, 5000.0, dtype="float64").message
