"""Graphs of scripts that choose by computed numbers follow new numbers as the real libraries do, or report a guard."""

from __future__ import annotations

import contextlib
import io
import warnings
from typing import Any

import numpy as np
import pytest

import cadena
from cadena.core.scripts.running import run
from tests.core.scripts.choices import OTHERS, POINT, SCRIPTS, at


def real(text: str) -> dict[str, Any]:
    """The variables of a script that the real library runs."""
    names: dict[str, Any] = {"__name__": "__main__"}
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        exec(compile(text, "script", "exec"), names)
    return names


def gradient_of(names: dict[str, Any]) -> Any:
    if "g" in names:
        if type(names["g"]).__name__ == "IndexedSlices":
            import tensorflow as tf

            return tf.convert_to_tensor(names["g"]).numpy()
        return np.asarray(names["g"])
    return None if isinstance(names["w"], np.ndarray) else np.asarray(names["w"].grad)


@pytest.mark.oracle
@pytest.mark.parametrize("name", SCRIPTS)
def test_a_choice_of_the_recorded_numbers_was_kept_in_silence_for_others(name):
    text = SCRIPTS[name]
    pytest.importorskip(name.partition(":")[0])
    result = run(at(text, POINT))
    assert result.fault is None, result.fault
    program = cadena.compile(result.document)
    leaf = next(
        one.name
        for one in result.document.nodes.values()
        if one.is_leaf and np.size(program.run().value(one.name)) == 6
    )
    followed = 0
    for point in (POINT, *OTHERS):
        ours = program.run({leaf: point})
        violated = [fault for fault in ours.faults if fault.kind == "violated-guard"]
        assert point is not POINT or not violated, violated
        try:
            theirs = real(at(text, point))
        except AssertionError:  # of the script
            assert violated
            continue
        value, gradient = ours.value(result.document.output), gradient_of(theirs)
        same = np.allclose(
            value,
            np.asarray(theirs["loss"] if not hasattr(theirs["loss"], "detach") else theirs["loss"].detach()),
            rtol=2e-4,
            atol=1e-5,
        )
        if gradient is not None:
            same = same and np.allclose(ours.gradient(leaf), gradient, rtol=2e-3, atol=1e-5)
        followed += same
        assert same or violated, f"at {point}: {value}, not {theirs['loss']}"
    assert followed > 1  # the last point chooses as the first does
