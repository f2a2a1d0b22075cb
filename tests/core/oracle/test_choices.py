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
from tests.core.scripts.choices import DATA, OTHERS, POINT, SCRIPTS, at


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
    leaf = names["v" if "v" in names and "x" in names else "w"]
    return None if isinstance(leaf, np.ndarray) else np.asarray(leaf.grad)


@pytest.mark.oracle
@pytest.mark.parametrize("name", SCRIPTS)
def test_a_choice_of_the_recorded_numbers_was_kept_in_silence_for_others(name):
    assert followed(name, SCRIPTS[name], "w") > 1  # the last point chooses as the first does


@pytest.mark.oracle
@pytest.mark.parametrize("name", DATA)
def test_a_choice_of_data_was_kept_in_silence_for_other_data(name):
    assert followed(name, DATA[name], "x") >= 1  # at the recorded numbers, at least


def followed(name: str, text: str, leaf: str) -> int:
    """At how many points the graph has the numbers of the real library; at the others it reports a guard."""
    pytest.importorskip(name.partition(":")[0])
    result = run(at(text, POINT))
    assert result.fault is None, result.fault
    program, count = cadena.compile(result.document), 0
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
        loss = theirs["loss"].detach() if hasattr(theirs["loss"], "detach") else theirs["loss"]
        same = np.allclose(value, np.asarray(loss), rtol=2e-4, atol=1e-5)
        if gradient is not None:
            same = same and np.allclose(ours.gradient("v" if leaf == "x" else leaf), gradient, rtol=2e-3, atol=1e-5)
        count += same
        assert same or violated, f"at {point}: {value}, not {loss}"
    return count
