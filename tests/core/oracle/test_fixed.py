"""A script that is nan in the real library is imported, fixed and exported, and is finite there."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from cadena.core.scripts.running import run
from tests.core.languages.programs import printed
from tests.core.verbs.test_fix import STORIES, call, fixed  # noqa: F401 (a fixture)


def output_of(text: str) -> str:
    """What a program prints in a process of its own."""
    quiet = os.environ | {"TF_CPP_MIN_LOG_LEVEL": "3"}
    return subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True, env=quiet).stdout


@pytest.mark.oracle
@pytest.mark.parametrize("name", STORIES)
def test_a_fixed_script_is_finite_in_the_real_library(call, name):  # noqa: F811
    library, script, *_ = STORIES[name]
    pytest.importorskip(library)
    assert "nan" in output_of(script) == run(script).printed
    fixed(call, script)
    status, *_ = call("export", "fixed.cadena", "--to", library, "-o", "fixed.py")
    numbers = printed(output_of((call.folder / "fixed.py").read_text("utf-8")))
    assert status == 0 and len(numbers) >= 2
    assert all(np.isfinite(array).all() for array in numbers.values())
