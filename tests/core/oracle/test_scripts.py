"""Scripts print here what they print with the real libraries."""

from __future__ import annotations

import contextlib
import io
import warnings
from pathlib import Path

import pytest

from cadena.core.scripts.running import run
from tests.core.scripts import test_jax, test_pytorch, test_running, test_tensor_flow

SAMPLES = sorted((Path(__file__).parents[1] / "scripts" / "samples").glob("*.txt"))
TEXTS = {path.stem: path.read_text("utf-8") for path in SAMPLES} | {"listing": test_running.LISTING}
TEXTS |= {text: test_pytorch.START + text for text in test_pytorch.PRINTED}
TEXTS |= {name: test_pytorch.START + text for name, (text, _) in test_pytorch.GRADIENTS.items()}
TEXTS |= {text: test_tensor_flow.START + text for text in test_tensor_flow.PRINTED}
TEXTS |= {"layers": test_pytorch.START + test_pytorch.LAYERS}
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
    assert run(text).printed == real.getvalue()
