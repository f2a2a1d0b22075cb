"""Scripts print here what they print with the real libraries."""

from __future__ import annotations

import contextlib
import io
import re
import warnings
from pathlib import Path

import numpy as np
import pytest

from cadena.core.scripts.running import run
from tests.core.scripts import test_jax, test_pytorch, test_running, test_tensor_flow

SAMPLES = sorted((Path(__file__).parents[1] / "scripts" / "samples").glob("*.txt"))
TEXTS = {path.stem: path.read_text("utf-8") for path in SAMPLES} | {"listing": test_running.LISTING}
TEXTS |= {text: test_pytorch.START + text for text in test_pytorch.PRINTED}
TEXTS |= {name: test_pytorch.START + text for name, (text, _) in test_pytorch.GRADIENTS.items()}
TEXTS |= {text: test_tensor_flow.START + text for text in test_tensor_flow.PRINTED}
TEXTS |= {test_jax.START + text: test_jax.START + text for text in test_jax.PRINTED}
TEXTS |= {"autodiff": test_tensor_flow.AUTODIFF, "custom": test_pytorch.START + test_pytorch.CUSTOM}


@pytest.mark.oracle
@pytest.mark.parametrize("name", TEXTS)
def test_a_script_prints_the_same_in_the_real_library(name):
    text = TEXTS[name]
    pytest.importorskip(next(name for name in ("torch", "tensorflow", "jax", "numpy") if f"import {name}" in text))
    if "import jax" in text:  # another script may have set it
        import jax

        jax.config.update("jax_enable_x64", False)
    real = io.StringIO()
    with contextlib.redirect_stdout(real), warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # between parts of the library
        exec(compile(text, name, "exec"), {"__name__": "__main__"})
    assert with_neighbours(run(text).printed, real.getvalue()) == real.getvalue()


NUMBER = re.compile(r"-?\d+\.\d{6,8}\b(?!e)")  # of float32, written out


def with_neighbours(printed: str, real: str) -> str:
    """What is printed, with the real library's number in the place of one that is the float32 next to it.

    Which of the two nearest numbers exp and log give hangs on the processor, for numpy as for the libraries: without
    AVX-512 the softplus of 1 is 1.3132617 here, and 1.3132616 in TensorFlow.
    """
    theirs = iter(NUMBER.findall(real))

    def told(number: re.Match[str]) -> str:
        other = next(theirs, number[0])
        pair = [np.float32(text) for text in (number[0], other)]
        return other if np.nextafter(*pair) == pair[1] else number[0]

    return NUMBER.sub(told, printed)


def test_only_the_next_number_of_float32_counts_as_the_same():
    real = "([1.3132616 2.126928] 0.25)"
    assert with_neighbours("([1.3132617 2.126928] 0.25)", real) == real
    for other in ("([1.3132619 2.126928] 0.25)", "([1.3132617 2.126927] 0.25)", "([1.3132617 2.126928] 0.26)"):
        assert with_neighbours(other, real) != real
