"""The numbers that meet in an element, for every operation: their products add up to what differences measure."""

from __future__ import annotations

import numpy as np
import pytest

from cadena.core.front import compile
from cadena.core.ops.primitive import REGISTRY
from cadena.core.teaching.elements import Meeting, meeting
from cadena.core.teaching.lessons import open_lesson
from cadena.core.teaching.probing import CONSTANT, UPSTREAM, Gate
from tests.core.test_primitives import CASES, Case, something_like
from tests.thorough import in_turn, some

H = 1e-6
TRIED = some(CASES, lambda param: param.values[0].primitive.name, most=2)


def gate_of(case: Case) -> Gate:
    y = np.asarray(case.value(*case.operands))
    return Gate(case.primitive, case.attributes, tuple(case.operands), y, something_like(y, 3))


def measured(case: Case, slot: int) -> np.ndarray:
    """The derivatives of all elements of the result for all elements of an operand, by central differences."""
    operand, columns = case.operands[slot], []
    for element in range(operand.size):
        step = np.zeros(operand.size)
        step[element] = H * max(1.0, abs(float(operand.reshape(-1)[element])))
        ahead, behind = (
            [operand + sign * step.reshape(operand.shape) if item is operand else item for item in case.operands]
            for sign in (1.0, -1.0)
        )
        columns.append(np.ravel(case.value(*ahead) - case.value(*behind)) / (2.0 * step[element]))
    size = np.size(case.value(*case.operands))
    return np.array(columns).T if columns else np.zeros((size, 0))


@in_turn("case", TRIED)
def test_the_products_add_up_to_the_contribution(case: Case):
    gate = gate_of(case)
    for slot, operand in case.carrying:
        exact = np.ravel(case.primitive.vjp(slot, gate.upstream, gate.y, gate.operands, case.attributes))
        slopes = measured(case, slot)
        for element in range(operand.size):
            item = meeting(gate, slot, element)
            assert item.adds and np.isclose(item.total, exact[element], rtol=1e-8, atol=1e-10)
            dark = np.delete(slopes[:, element], item.lit(UPSTREAM))
            assert not dark.size or np.abs(dark).max() < 1e-4, "a result that depends on the element is not lit"
            by_result = np.zeros(gate.y.size)
            factors = item.groups[0].factors
            np.add.at(by_result, factors[0].at, item.groups[0].results / factors[0].numbers)
            assert np.allclose(by_result, slopes[:, element], rtol=1e-4, atol=1e-5)


@in_turn("case", TRIED)
def test_the_products_add_up_to_the_value_or_all_that_it_depends_on_is_lit(case: Case):
    gate = gate_of(case)
    slopes = {slot: measured(case, slot) for slot, _ in case.carrying}
    for element in range(gate.y.size):
        item = meeting(gate, None, element)
        if item.adds:
            assert np.isclose(item.total, gate.y.reshape(-1)[element], rtol=1e-8, atol=1e-10)
        for slot, slope in slopes.items():
            dark = np.delete(slope[element], item.lit(slot))
            assert not dark.size or np.abs(dark).max() < 1e-4, "an operand that counts is not lit"


# --- what is read off


def contribution(lesson: str, node: str, slot: int, element: int) -> tuple[Gate, Meeting]:
    gate = Gate.of(compile(open_lesson(lesson)).run(), node)
    assert gate is not None
    return gate, meeting(gate, slot, element)


def places(item: Meeting) -> list[tuple[int, list[int]]]:
    (group,) = item.groups
    return [(factor.place, [] if factor.at is None else factor.at.tolist()) for factor in group.factors]


def gate(op: str, *operands: object, **attributes: object) -> Gate:
    arrays = tuple(np.asarray(operand, dtype=float) for operand in operands)
    record = REGISTRY[op]
    complete = record.complete(attributes)
    with np.errstate(all="ignore"):
        y = np.asarray(record.value(*arrays, **complete))
    return Gate(record, complete, arrays, y, np.arange(1.0, y.size + 1).reshape(y.shape))


def test_a_column_of_the_upstream_gradient_meets_a_column_of_the_other_factor():
    wires, item = contribution("custom_layer", "Z", 1, 2)  # W[1, 0] of Z = X W
    assert places(item) == [(UPSTREAM, [0, 2, 4]), (0, [1, 4, 7])]
    assert np.allclose(item.groups[0].factors[1].numbers, [0, 3, -5]) and np.isclose(item.number, -7.338816, atol=1e-6)
    assert wires.upstream is not None and item.lit(0).tolist() == [1, 4, 7]


def test_a_row_meets_a_column_in_a_product():
    item = meeting(gate("matmul", [[1, 2], [3, 4]], [[5, 6], [7, 8]]), None, 1)
    assert places(item) == [(0, [0, 1]), (1, [1, 3])]
    assert item.groups[0].results.tolist() == [6, 16] and item.adds and item.number == 22


def test_zeros_meet_as_well():
    item = meeting(gate("matmul", [[0, 2]], [[5], [0]]), None, 0)
    assert item.groups[0].results.tolist() == [0, 0] and item.lit(0).tolist() == [0, 1]


def test_what_was_stretched_is_summed_back():
    stretched = gate("add", [[1, 2], [3, 4], [5, 6]], [10, 20])
    assert places(meeting(stretched, 1, 1)) == [(UPSTREAM, [1, 3, 5])]
    assert meeting(stretched, 1, 1).total == 2 + 4 + 6
    forward = meeting(stretched, None, 3)
    assert forward.lit(0).tolist() == [3] and forward.lit(1).tolist() == [1]


def test_a_mean_shares_out_and_a_sum_passes_on():
    assert places(meeting(gate("mean", [1, 2, 4]), 0, 1)) == [(UPSTREAM, [0]), (CONSTANT, [])]
    assert places(meeting(gate("sum", [1, 2, 4]), 0, 1)) == [(UPSTREAM, [0])]
    assert places(meeting(gate("sum", [[1, 2], [3, 4]], axis=0), None, 1)) == [(0, [1, 3])]


def test_a_smallest_element_is_no_sum_and_depends_on_all():
    item = meeting(gate("min", [3, 1, 2]), None, 0)
    assert not item.adds and item.lit(0).tolist() == [0, 1, 2]


def test_a_weighted_sum_names_its_constant():
    item = meeting(gate("subtract", [5, 6], [1, 2]), 1, 1)
    assert places(item) == [(UPSTREAM, [1]), (CONSTANT, [])] and item.total == -2


def test_the_kernel_of_a_convolution_meets_a_window():
    item = meeting(gate("conv1d", [[[1, 2, 3, 4]]], [[[10, 20]]]), None, 1)
    assert places(item) == [(0, [1, 2]), (1, [0, 1])] or places(item) == [(0, [1, 2]), (1, [1, 0])]
    assert item.adds


def test_float32_adds_up_as_well():
    run = compile(open_lesson("custom_layer")).run(dtype="float32")
    passed = Gate.of(run, "Z")
    assert passed is not None and meeting(passed, None, 3).adds


def test_a_leaf_is_no_gate():
    assert Gate.of(compile(open_lesson("custom_layer")).run(), "W") is None


@pytest.mark.parametrize("bad", [np.inf, np.nan])
def test_bad_numbers_are_listed_like_others(bad: float):
    item = meeting(gate("matmul", [[1, bad]], [[5], [0]]), None, 0)
    assert item.lit(0).tolist() == [0, 1] and not np.isfinite(item.total)
