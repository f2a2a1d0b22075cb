"""ONNX's own tests of its operations, imported: each is right, or refused in a sentence.

The cases are counted in parts, so that a run may take one of them; RIGHT may only rise.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

import cadena
from cadena.core.capture.onnx_reading import read_model
from cadena.core.graph.fault import Refused

onnx = pytest.importorskip("onnx")
pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]  # the cases are made by onnx when asked for
REAL = (onnx.TensorProto.FLOAT, onnx.TensorProto.DOUBLE)
RIGHT = [80, 78, 78, 80, 82, 88, 88, 83]
OF_ALL = 775


@functools.cache
def cases() -> list[Any]:
    """The tests of operations on real numbers, in a stable order."""
    from onnx.backend.test.case.node import collect_testcases

    def is_real(item: Any) -> bool:
        return bool(item.type.tensor_type.elem_type in REAL)

    found = [case for case in collect_testcases(None) if case.data_sets]
    found = [case for case in found if all(map(is_real, [*case.model.graph.input, *case.model.graph.output]))]
    return sorted(found, key=lambda case: case.name)


def verdict(case: Any, path: Any) -> str:
    """Right, refused, or what is wrong. Only the first output is compared: it is the graph's."""
    onnx.save(case.model, path)
    try:
        document = read_model(path)
    except Refused as refused:
        return "refused" if "\n" not in str(refused) else str(refused)
    inputs, outputs = ([_array(item) for item in items] for items in case.data_sets[0])
    named = {item.name.replace(".", "_"): value for item, value in zip(case.model.graph.input, inputs)}
    run = cadena.compile(document).run({name: value for name, value in named.items() if name in document.nodes})
    ours = run.value(document.output)
    if ours is None:
        return f"nothing: {run.faults[0]}"
    theirs = outputs[0].astype(float)
    close = np.shape(ours) == theirs.shape and np.allclose(ours, theirs, rtol=1e-3, atol=1e-5, equal_nan=True)
    return "right" if close else f"{np.ravel(ours)[:3]} for {np.ravel(theirs)[:3]}"


def _array(item: Any) -> Any:
    return onnx.numpy_helper.to_array(item) if isinstance(item, onnx.TensorProto) else np.asarray(item)


def test_no_case_was_lost() -> None:
    assert len(cases()) == OF_ALL


@pytest.mark.parametrize("part", range(len(RIGHT)))
def test_an_operation_of_onnx_is_right_or_refused(part: int, tmp_path: Any) -> None:
    found = {case.name: verdict(case, tmp_path / "m.onnx") for case in cases()[part :: len(RIGHT)]}
    assert {name: what for name, what in found.items() if what not in ("right", "refused")} == {}
    assert sum(what == "right" for what in found.values()) >= RIGHT[part]
