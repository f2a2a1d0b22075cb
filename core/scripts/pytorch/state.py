"""What the modules of the script's torch share: the tape, whether gradients are recorded, the default type ...."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from cadena.core.scripts import rounding
from cadena.core.scripts.pytorch.dice import Dice
from cadena.core.scripts.rounding import RoundingTape, StepTable
from cadena.core.scripts.tape import ScriptTape, line_at, script_place


def _silu(x: Any) -> Any:
    return x / (np.float32(1.0) + rounding.exp(-x))


def _power(x: Any, exponent: Any) -> Any:
    if np.ndim(exponent) or exponent not in (2.0, 3.0):
        return np.power(np.asarray(x, np.float64), exponent).astype(np.float32)[()]
    return x * x if exponent == 2.0 else x * x * x


class TorchTape(RoundingTape):
    """PyTorch's functions of float32 are mostly right to the last digit; squares and cubes are products."""

    in_steps: ClassVar[StepTable] = {
        "sigmoid": rounding.sigmoid,
        "silu": _silu,
        "softmax": rounding.softmax,
        "log_softmax": rounding.log_softmax,
        "power": _power,
    }
    rounded_once: ClassVar[frozenset[str]] = frozenset(
        "exp exp2 expm1 log log2 log10 log1p sin cos tan sinh cosh tanh arcsin arccos arctan arcsinh arccosh arctanh "
        "softplus elu mish logsigmoid cross_entropy".split()
    )


class Pass:
    """One backward pass: the value that it began at, and the line that asked for it."""

    def __init__(self, tape: ScriptTape, root: int, line: int) -> None:
        self.tape, self.root, self.line = tape, root, line


class State:
    """There is one, since a process runs one script."""

    def __init__(self) -> None:
        self.tape: ScriptTape = TorchTape()
        self.records = True  # False under no_grad
        self.dtype = np.dtype(np.float32)
        self.dice = Dice()
        self.passes: list[Pass] = []
        self.owners: dict[int, Any] = {}  # the tensor that each leaf of the tape stands for

    def note_pass(self, root: int) -> None:
        self.passes.append(Pass(self.tape, root, line_at(script_place())))


STATE = State()
