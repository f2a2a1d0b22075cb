"""The gradients that a script for numpy computes itself, known by how it prints them: print("dL/dw =", dw)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

GRADIENT = re.compile(r"d([^\W\d]\w*)/d([^\W\d]\w*)\b")


class PrintedGradients:
    """The variable of which gradients are printed, "" where there are none, and those with respect to which."""

    def __init__(self) -> None:
        self.output, self.leaves = "", frozenset[str]()

    def read(self, tree: ast.Module) -> None:
        """Find them in a script: all gradients of the variable that is named last."""
        variables = {
            item.id for item in ast.walk(tree) if isinstance(item, ast.Name) and isinstance(item.ctx, ast.Store)
        }
        pairs = [tuple(_variable(name, variables) for name in pair) for pair in _labels(tree)]
        pairs = [pair for pair in pairs if all(pair)]
        self.output = pairs[-1][0] if pairs else ""
        self.leaves = frozenset(leaf for output, leaf in pairs if output == self.output)


def _variable(name: str, variables: set[str]) -> str:
    """What the script calls something: a name that Python or the script needs itself has an underscore behind it."""
    return next((one for one in (name, f"{name}_") if one in variables), "")


def _labels(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The output and the leaf in each text of a print that names a gradient."""
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "print":
            for item in (part for argument in call.args for part in ast.walk(argument)):
                if isinstance(item, ast.Constant) and isinstance(item.value, str):
                    yield from GRADIENT.findall(item.value)
