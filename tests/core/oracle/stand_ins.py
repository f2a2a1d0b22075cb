"""Scripts run in this process, by PyTorch and by its stand-in, so that thousands of them take seconds."""

from __future__ import annotations

import ast
import sys
import warnings
from typing import Any
from unittest import mock

import numpy as np

from cadena.core.ops.special import special
from cadena.core.scripts.naming import TELL, TURN, tell, telling, turn
from cadena.core.scripts.pytorch import modules
from cadena.core.scripts.pytorch.state import STATE, TorchTape
from cadena.core.scripts.tape import SCRIPT

special()  # is imported once for all
STAND_IN = modules.MODULES["torch"]


def executed(text: str, torch: Any) -> tuple[dict[str, Any], Exception | None]:
    """The variables of a script, and the error with which it ended."""
    if torch is STAND_IN:
        STATE.tape, STATE.records = TorchTape(), True
        STATE.owners.clear()
        STATE.passes.clear()
    names: dict[str, Any] = {"__name__": "__main__"}
    tree, known = ast.parse(text), {}
    if torch is STAND_IN:
        tree, names, known = telling(tree), names | {TELL: tell, TURN: turn}, modules.MODULES
    with (
        mock.patch.dict(sys.modules, known),
        warnings.catch_warnings(),
        np.errstate(all="ignore"),
    ):
        warnings.simplefilter("ignore")
        try:
            exec(compile(tree, SCRIPT, "exec"), names)
        except Exception as error:
            return names, error
    return names, None


def numbers(names: dict[str, Any]) -> dict[str, Any]:
    """The numbers of all tensors that a script's variables hold, and the gradients of those called w."""
    found: dict[str, Any] = {}
    for name, tensor in names.items():
        if type(tensor).__name__ == "Tensor":
            found[name] = np.array(tensor.data.tolist())
            if name.startswith("w"):
                found[f"{name}.grad"] = None if tensor.grad is None else np.array(tensor.grad.tolist())
    return found


def differing(ours: dict[str, Any], theirs: dict[str, Any]) -> list[str]:
    """The names of numbers that differ by more than the rounding of float32."""
    return [name for name, value in theirs.items() if not _same(ours.get(name), value)]


def _same(ours: Any, theirs: Any) -> bool:
    if ours is None or theirs is None:
        return ours is theirs
    return bool(ours.shape == theirs.shape and np.allclose(ours, theirs, rtol=2e-4, atol=2e-5, equal_nan=True))
