"""What users get wrong, for every operation: a fault that names node, operation, shapes, and says what to do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cadena
from cadena.core.graph.document import as_value
from cadena.core.ops.primitive import REGISTRY, ShapeError
from tests.core.graphs import graph
from tests.core.test_primitives import CASES, EMPTY, UNFIT
from tests.thorough import in_turn

AXES = [record for record in REGISTRY.values() if {item.kind for item in record.attributes} & {"axis", "axes"}]
FAR = 7
# Shapes with which the operation cannot do anything, where neither (2,) and (3,) nor an odd number of axes is wrong.
HOPELESS: dict[str, tuple[list[tuple[int, ...]], dict[str, Any]]] = {
    "embedding": ([(2,), ()], {}),
    "conv1d": ([(2, 3), (3,)], {}),
    "einsum": ([(2, 3), (2, 3)], {"subscripts": "ij,jk->ik"}),
    "reshape": ([(2, 3)], {"shape": [4]}),
    "getitem": ([(2, 3)], {"index": "5"}),
    "take": ([(2,)], {"indices": [2]}),
    "squeeze": ([(2,)], {"axis": 0}),
    "broadcast_to": ([(2,)], {"shape": [3]}),
    "partition": ([(2,)], {"kth": 2}),
    "split": ([(3,)], {"indices_or_sections": 2}),
    "vsplit": ([(3,)], {"indices_or_sections": 3}),
    "hsplit": ([()], {"indices_or_sections": 3}),
    "array_split": ([()], {"indices_or_sections": 3}),
    "repeat": ([(3,)], {"repeats": [1, 2]}),
    "pad": ([()], {"pad_width": 1}),
    "gradient": ([(1,)], {}),
    "diff": ([()], {}),
    "layer_norm": ([(2,)], {"normalized_shape": [3]}),
    "max_pool2d": ([(3, 3)], {"kernel_size": 4}),
    "avg_pool2d": ([(3, 3)], {"kernel_size": 4}),
    "rot90": ([(3,)], {}),
    "where": ([(2,), (3,), (4,)], {}),
    "concatenate": ([(2, 3), (3, 3)], {"axis": 1}),
    "stack": ([(2,), (3,)], {}),
    "hstack": ([(2, 3), (3, 3)], {}),
    "vstack": ([(2,), (3,)], {}),
    "dstack": ([(2,), (3,)], {}),
    "slogdet": ([(2, 3)], {}),
    "trace": ([(3,)], {}),
    "diag": ([(2, 2, 2)], {}),
    **{name: ([(3,)], {}) for name in ("inv", "det", "cholesky", "eigh", "svd", "pinv", "tril", "triu", "batch_norm")},
    **{name: ([(0,)], {}) for name in ("max", "min", "median", "argmax", "argmin", "softmax", "log_softmax")},
    **UNFIT,
}
# Whatever the shapes are, these have a result.
ALWAYS_FIT = set(
    "sum mean prod var std norm logsumexp cumsum cumprod ravel transpose expand_dims tile roll flip sort argsort "
    "swapaxes moveaxis dropout outer kron".split()
)


def faults(op: str, operands: list[Any], attributes: dict[str, Any]) -> list[cadena.Fault]:
    leaves = {f"v{index}": np.asarray(operand, dtype=float) for index, operand in enumerate(operands)}
    return list(cadena.compile(graph(**leaves, made=(op, *leaves, attributes))).faults)


def assert_told(op: str, operands: list[Any], attributes: dict[str, Any], *words: str) -> None:
    found = faults(op, operands, attributes)
    assert [fault.node for fault in found] == ["made"]
    message = found[0].message
    assert message.startswith("made: ") and op in message and "; " in message, message
    assert all(word in message for word in words), message
    for index, operand in enumerate(operands):
        assert f"v{index} has shape {np.shape(operand)}" in message, message


@in_turn("record", AXES)
def test_an_axis_that_is_not_there_is_told(record):
    example = record.examples[0]
    operands = [item for item in example if not isinstance(item, dict)]
    given = example[-1] if isinstance(example[-1], dict) else {}
    for attribute in record.attributes:
        if attribute.kind in ("axis", "axes"):
            wrong = [FAR] if attribute.kind == "axes" and record.name != "tensordot" else FAR
            assert_told(record.name, operands, given | {attribute.name: wrong}, str(FAR))


@in_turn("record", [one for one in REGISTRY.values() if one.name not in ALWAYS_FIT])
def test_shapes_that_do_not_fit_are_told(record):
    if record.name not in HOPELESS and len(record.slots) == 1 and record.elementwise:
        return  # any shape will do
    shapes, given = HOPELESS.get(record.name, ([(2,), (3,)][: len(record.slots)], {}))
    assert_told(record.name, [np.zeros(shape) for shape in shapes], given)


@in_turn("record", REGISTRY.values())
def test_operations_on_arrays_without_elements_run_or_say_what_they_need(record):
    shapes, given = EMPTY.get(record.name, ([(0, 3)] * len(record.slots), {}))
    operands = [np.zeros(shape) for shape in shapes]
    leaves = {f"v{index}": operand for index, operand in enumerate(operands)}
    run = cadena.compile(graph(**leaves, made=(record.name, *leaves, given))).run()
    if run.value("made") is None:
        assert_told(record.name, operands, given)
    for fault in run.faults:
        assert record.name in fault.message and "; " in fault.message
    for name, operand in leaves.items():
        gradient = run.gradient(name)
        assert gradient is None or gradient.shape == operand.shape


@in_turn("case", CASES)
def test_whole_numbers_as_values_run_as_floats(case):
    """Integer arrays become the run's number type, so that no derivative is cut to a whole number."""
    leaves = {f"v{index}": np.rint(operand).astype(np.int64) for index, operand in enumerate(case.operands)}
    floats = {name: value.astype(np.float64) for name, value in leaves.items()}
    for dtype in ("float64", "float32"):
        runs = [
            cadena.compile(graph(**values, made=(case.primitive.name, *values, dict(case.attributes)))).run(dtype=dtype)
            for values in (leaves, floats)
        ]
        one, other = (run.value("made") for run in runs)
        assert one.dtype == dtype if case.primitive.name != "astype" else one.dtype.kind == "f"
        np.testing.assert_array_equal(one, other)
        for name in leaves:
            found, expected = (run.gradient(name) for run in runs)
            assert (found is None) == (expected is None)
            if found is not None:
                assert found.dtype == dtype
                np.testing.assert_array_equal(found, expected)


def test_whole_numbers_stay_exact_as_values_of_leaves():
    assert as_value(np.array([2**40, 3])).shape == (2,)
    assert cadena.compile(graph(x=np.array([2**40, 3]), y=("sum", "x"))).run().value("y") == 2**40 + 3


@in_turn("record", REGISTRY.values())
def test_a_name_or_a_value_that_does_not_fit_a_node_is_refused(record):
    example = record.examples[0]
    operands = [np.asarray(item, dtype=float) for item in example if not isinstance(item, dict)]
    given = example[-1] if isinstance(example[-1], dict) else {}
    leaves = {f"v{index}": operand for index, operand in enumerate(operands)}
    program = cadena.compile(graph(**leaves, made=(record.name, *leaves, given)))
    wrong = np.zeros((*operands[0].shape, 5))
    with pytest.raises(cadena.Refused, match=r"there is no node gone; .*v0"):
        program.run({"gone": 1.0})
    with pytest.raises(cadena.Refused, match=r"^made is not a leaf with a value; values can be set for v0"):
        program.run({"made": 1.0})
    with pytest.raises(cadena.Refused, match=r"^v0 has shape \(.*\), the new value \(.*5,?\); give one of equal shape"):
        program.run({"v0": wrong})
    with pytest.raises(cadena.Refused, match=r"^v0: .* is not a number or an array of numbers"):
        program.run({"v0": "text"})


def test_every_shape_rule_that_refuses_is_shown():
    """HOPELESS names an operation only if its shape rule does refuse these shapes."""
    for name, (shapes, given) in HOPELESS.items():
        with pytest.raises(ShapeError):
            REGISTRY[name].shape(*shapes, **REGISTRY[name].complete(given))


ODD = [True, 0, -1, 1.5, float("nan"), 10**30, 2**63, "", "0", "1:2:0", "a\0", [], [[]], [0, 1], [True, False], [0.5]]
ODD += [["a"], [None], [[0, 1]], [1] * 40, [2**40, 2**40], [10**30], {"a": 1}]


@in_turn("record", [item for item in REGISTRY.values() if item.attributes])
def test_an_odd_attribute_was_a_traceback_or_told_in_pythons_words(record):
    example = record.examples[0]
    operands = [item for item in example if not isinstance(item, dict)]
    given = example[-1] if isinstance(example[-1], dict) else {}
    for attribute in record.attributes:
        for odd in ODD:
            found = faults(record.name, operands, given | {attribute.name: odd})
            assert all("; " in fault.message and "object" not in fault.message for fault in found), (attribute, odd)
