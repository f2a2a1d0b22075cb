"""Which Python runs a script: what it is asked, and what is said of one that cannot record."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from cadena.core.capture.pythons import Python, imports_torch, own_python, python_at, python_for, require
from cadena.core.graph.fault import Refused

OLD_ABI = "cpython-310"


def test_the_python_that_runs_cadena_is_like_itself():
    assert own_python() == python_at(sys.executable)


def test_a_script_without_pytorch_needs_no_python_of_its_own(tmp_path):
    assert python_for("import numpy", tmp_path) == (None, "")


def test_the_folder_of_a_virtual_environment_stands_for_its_python():
    assert python_at(Path(sys.executable).parents[1]).path == sys.executable


@pytest.mark.parametrize("path", ["/nowhere", "/", sys.executable + ".py", "/bin/true"])
def test_what_is_no_python_is_refused(path):
    with pytest.raises(Refused, match=f"{path}: this is no Python that can be run; give the path of one"):
        python_at(path)


@pytest.mark.parametrize(
    ("python", "why"),
    [
        (Python("/p", (3, 10), "2.4.0", True, True, OLD_ABI), "Python 3.10, and scripts are recorded in 3.11 or later"),
        (Python("/p", (3, 11), "1.13.1", True, True, OLD_ABI), "PyTorch 1.13.1, and scripts are recorded in 2.1 or"),
        (Python("/p", (3, 11), "2.4.0", False, True, OLD_ABI), "but no numpy, .* /p -m pip install numpy"),
        (Python("/p", (3, 14), "2.9.0", True, False, "cpython-399"), "no msgspec, .* /p -m pip install msgspec"),
    ],
)
def test_a_python_that_cannot_record_is_refused(python, why):
    with pytest.raises(Refused, match=why):
        require(python)


def refusal(python: Python) -> str:
    try:
        require(python)
    except Refused as refused:
        return str(refused)
    return ""


@pytest.mark.parametrize("torch", ["2.9.0+cpu", ""])
def test_a_python_like_this_one_needs_numpy_and_pytorch_alone(torch):
    here = Python("/p", (3, 11), torch, True, False, sys.implementation.cache_tag)
    assert refusal(here) == ""
    assert "no msgspec" in refusal(here._replace(abi=OLD_ABI)) and "no numpy" in refusal(here._replace(has_numpy=False))


def test_a_script_imports_pytorch_itself_or_by_what_stands_beside_it(tmp_path):
    (tmp_path / "model.py").write_text("import torch.nn as nn\n")
    (tmp_path / "kit").mkdir()
    (tmp_path / "kit" / "data.py").write_text("from torch import Tensor\n")
    assert imports_torch("from torch import nn", None)
    assert imports_torch("from model import Net", tmp_path) and imports_torch("import kit.data", tmp_path)
    assert not imports_torch("import numpy\nimport other", tmp_path) and not imports_torch("1 +", tmp_path)
