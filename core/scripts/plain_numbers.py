"""Numbers that a script takes out of the graph as plain ones, by float(x), x.tolist(), x.numpy() or math.sqrt(x).

Python's numbers and numpy's arrays do not remember where they come from. Where such a number goes on to something else
than a text, a plot or a record of the past, the graph has it as it was, and a remark says so.
"""

from __future__ import annotations

import ast
import functools
import math
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

import numpy as np

from cadena.core.scripts.followed import Scalar
from cadena.core.scripts.remark import KEPT, Remark
from cadena.core.scripts.tape import SCRIPT, ScriptPlace, script_place
from cadena.core.text.plain_text import elided

MOST_LETTERS = 60
# By the last word of a call: what becomes of the numbers is not computed with.
SHOWN = frozenset("print format write info debug warning error log_scalar add_scalar".split())
GRADIENTS = frozenset("backward grad gradient jacobian value_and_grad hessian".split())
RECORDS = frozenset(("append", "extend", "add", "insert"))  # methods that put a number into what they are called on
PLOTS = frozenset(("plt", "ax", "axes", "fig", "pyplot", "sns"))
ASKING = frozenset(
    "__array__ __float__ _float numpy tolist item call _called _by_numpy".split()
)  # functions on the way from a script
NUMPYS = str(Path(np.__file__).parent)
LEFT: dict[ScriptPlace, tuple[Any, int]] = {}  # the first number that left at a place, its tape and how long that was


def note_left(value: Any) -> None:
    """Note that the script takes the numbers of a tensor as plain ones, where they are computed from leaves."""
    if not _is_asked_by_script():
        return
    place = value.tensor.follows() if isinstance(value, Scalar) else value.follows()
    if place is not None:
        LEFT.setdefault(script_place(), (place.tape, len(place.tape.calls)))


def _is_asked_by_script() -> bool:
    """Whether the script itself asks for a number, and not a function of a library that it calls."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and (frame.f_code.co_filename.startswith(NUMPYS) or frame.f_code.co_name in ASKING):
        frame = frame.f_back
    return frame is not None and frame.f_code.co_filename == SCRIPT


def remarks(text: str, output: str, end: int | None) -> Iterator[Remark]:
    """A remark for each place at which numbers left before the tape was `end` long, and went on, as to the `output`."""
    if not LEFT:
        return
    uses = Uses(ast.parse(text), output)
    reported = set[tuple[int, str]]()
    for place, (_, length) in LEFT.items():
        if place is None:
            continue
        span = next(islice(place[0].co_positions(), place[1] // 2, None), (None,) * 4)
        node = uses.at.get(span)
        if node is None or (end is not None and length > end) or not uses.go_on(node):
            continue
        call = elided(" ".join((ast.get_source_segment(text, node) or "").split()), MOST_LETTERS)
        if (node.lineno, call) not in reported:
            reported.add((node.lineno, call))
            sentence = f"line {node.lineno} takes {call} out of the graph as a plain number, which stays as it was"
            yield Remark(node.lineno, KEPT, sentence)


class Uses:
    """What a script does with the value of an expression, by its text."""

    def __init__(self, tree: ast.Module, output: str) -> None:
        self.tree, self.output = tree, output
        self.above = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
        # By line, end line, column and end column; of those at one place the outermost.
        self.at: dict[tuple[int | None, ...], ast.expr] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.expr):
                self.at.setdefault((node.lineno, node.end_lineno, node.col_offset, node.end_col_offset), node)

    def go_on(self, node: ast.expr) -> bool:
        """Whether the script computes or decides with a value, and does not only show or record it."""
        waiting, seen = list[ast.AST]([node]), set[str]()
        while waiting:
            names = self._use(waiting.pop())
            if names is None or self.output in names:
                return True
            for name in names - seen:
                seen.add(name)
                waiting += self._reading(name)
        return False

    def _reading(self, name: str) -> Iterator[ast.AST]:
        for node in ast.walk(self.tree):
            if name in (getattr(node, "id", ""), getattr(node, "attr", "")) and not isinstance(node.ctx, ast.Store):  # type: ignore[attr-defined]
                yield node

    def _use(self, node: ast.AST) -> set[str] | None:
        """The variables in which a value is then; None where it goes on to something that is not known."""
        called = False
        while (above := self.above.get(node)) is not None:
            if isinstance(above, ast.Call) and node is not above.func:
                word, owner = _last_word(above.func), _first_word(above.func)
                if word in GRADIENTS:
                    return None
                if word in SHOWN or owner in PLOTS:
                    return set()
                if word in RECORDS:
                    return {owner}
                called = True
            elif isinstance(above, ast.JoinedStr) or (isinstance(above, ast.BinOp) and _is_text(above.left)):
                return set()
            elif isinstance(above, ast.Attribute) and isinstance(self.above.get(above), ast.Call):
                if above.attr in SHOWN | RECORDS:
                    return set()
                called = True
            elif isinstance(above, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.For | ast.comprehension):
                targets = above.targets if isinstance(above, ast.Assign) else [above.target]
                return set().union(*map(_names, targets)) if node not in targets else set()
            elif isinstance(above, ast.Return):
                return self._function(above)
            elif isinstance(above, ast.Expr):
                return None if called else set()
            elif isinstance(above, ast.stmt):
                return None  # a condition
            node = above
        return None

    def _function(self, node: ast.AST) -> set[str]:
        while not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Module):
            node = self.above[node]
        return set() if isinstance(node, ast.Module) else {node.name}


def _names(target: ast.expr) -> set[str]:
    if isinstance(target, ast.Attribute):
        return {target.attr}
    if isinstance(target, ast.Tuple | ast.List):
        return set().union(*map(_names, target.elts))
    return {_first_word(target)}


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _last_word(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _first_word(node: ast.AST) -> str:
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def _noting(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of math, which takes a float that was a tensor's without asking it for its number."""

    @functools.wraps(function)
    def call(*arguments: Any, **keywords: Any) -> Any:
        for item in arguments:
            if isinstance(item, Scalar):
                note_left(item)
        return function(*arguments, **keywords)

    return call


def _by_numpy(number: Scalar, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
    """A function of numpy on a float that was a tensor's."""
    note_left(number)
    return getattr(ufunc, method)(*(float(item) if isinstance(item, Scalar) else item for item in inputs), **options)


Scalar.__array_ufunc__ = _by_numpy  # type: ignore[attr-defined]


def math_module(names: Iterable[str] = dir(math)) -> ModuleType:
    """The module math, as scripts get it."""
    module = ModuleType("math", math.__doc__)
    for name in names:
        value = getattr(math, name)
        setattr(module, name, _noting(value) if callable(value) and not name.startswith("_") else value)
    return module


MATH = math_module()
