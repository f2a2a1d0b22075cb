"""What the modules of the script's torch share: the tape, whether gradients are recorded, the default type ...."""

from __future__ import annotations

from typing import Any

import numpy as np

from cadena.core.scripts.pytorch.dice import Dice
from cadena.core.scripts.tape import ScriptTape, line_at, script_place


class Pass:
    """One backward pass: the value that it began at, and the line that asked for it."""

    def __init__(self, tape: ScriptTape, root: int, line: int) -> None:
        self.tape, self.root, self.line = tape, root, line


class State:
    """There is one, since a process runs one script."""

    def __init__(self) -> None:
        self.tape = ScriptTape()
        self.records = True  # False under no_grad
        self.dtype = np.dtype(np.float32)
        self.dice = Dice()
        self.passes: list[Pass] = []
        self.owners: dict[int, Any] = {}  # the tensor that each leaf of the tape stands for

    def note_pass(self, root: int) -> None:
        self.passes.append(Pass(self.tape, root, line_at(script_place())))


STATE = State()
