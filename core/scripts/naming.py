"""A script whose assignments tell the names of their variables, and whose loops tell their iterations."""

from __future__ import annotations

import ast
from typing import Any

from cadena.core.scripts.tape import MAIN, ScriptTape
from cadena.core.tracing.traced import Traced

TELL = "__named__"  # what the script calls after an assignment
KEEP = "__kept__"  # what scripts for numpy alone call instead, and what gives the value that the variable is to hold
TURN = "__turned__"  # what it calls at the start of each iteration
AGAIN = "__again__"  # what the loops of scripts for numpy alone call then, with the variables that they assign


class _Telling(ast.NodeTransformer):
    """Adds a call after each assignment, on the same line.

    Where numbers are `kept`, the module's variables get what the call gives.
    """

    def __init__(self, kept: bool) -> None:
        self.kept, self.depth = kept, 0

    def _within(self, node: Any) -> Any:
        self.depth += 1
        self.generic_visit(node)
        self.depth -= 1
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = _within

    def visit_Assign(self, node: ast.Assign) -> list[ast.stmt]:
        return [node, *(call for target in node.targets for call in self._calls(target))]

    def visit_AugAssign(self, node: ast.AugAssign) -> list[ast.stmt]:
        return [node, *self._calls(node.target)]

    def visit_AnnAssign(self, node: ast.AnnAssign) -> list[ast.stmt]:
        return [node, *(self._calls(node.target) if node.value is not None else [])]

    def visit_For(self, node: ast.For) -> list[ast.stmt]:
        self.generic_visit(node)
        node.body[:0] = [_turned(node, True), *self._again(node), *self._calls(node.target, counter=True)]
        return [node, _turned(node, False)]

    def visit_While(self, node: ast.While) -> list[ast.stmt]:
        self.generic_visit(node)
        node.body[:0] = [_turned(node, True), *self._again(node)]
        return [node, _turned(node, False)]

    def _again(self, loop: ast.For | ast.While) -> list[ast.stmt]:
        """The call with which a loop of the module may start its variables as leaves."""
        stored = {item.id for item in ast.walk(loop) if isinstance(item, ast.Name) and isinstance(item.ctx, ast.Store)}
        if not self.kept or self.depth or not stored:
            return []
        words: list[ast.expr] = [
            ast.Constant(loop.lineno),
            ast.Constant(loop.end_lineno),
            *map(ast.Constant, sorted(stored)),
        ]
        call = ast.Call(ast.Name(AGAIN, ast.Load()), words, [])
        return [ast.fix_missing_locations(ast.copy_location(ast.Expr(call), loop))]

    def _calls(self, target: ast.expr, counter: bool = False) -> list[ast.stmt]:
        """For each variable of a target the call that tells its name; counters of loops are not kept."""
        if isinstance(target, ast.Tuple | ast.List):
            return [call for item in target.elts for call in self._calls(item, counter)]
        value: ast.expr
        if isinstance(target, ast.Name):
            name, value = target.id, ast.Name(target.id, ast.Load())
        elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self":
            name, value = target.attr, ast.Attribute(target.value, target.attr, ast.Load())
        else:
            return []
        keeps = self.kept and not self.depth and not counter and isinstance(target, ast.Name)
        called = ast.Name(KEEP if keeps else TELL, ast.Load())
        call = ast.Call(called, [ast.Constant(name), value, ast.Constant(target.lineno)], [])
        statement = ast.Assign([ast.Name(name, ast.Store())], call) if keeps else ast.Expr(call)
        return [ast.fix_missing_locations(ast.copy_location(statement, target))]


def _turned(loop: ast.For | ast.While, begins: bool) -> ast.stmt:
    """The call that notes where an iteration of a loop begins, or where the loop has ended."""
    call = ast.Call(ast.Name(TURN, ast.Load()), [ast.Constant(loop.lineno), ast.Constant(begins)], [])
    return ast.fix_missing_locations(ast.copy_location(ast.Expr(call), loop))


def telling(tree: ast.Module, kept: bool = False) -> ast.Module:
    """The script, which calls `TELL` with the name and the value of each variable it assigns.

    Where numbers are `kept`, it calls `KEEP` at the module's variables, which hold what that gives.
    """
    changed: ast.Module = _Telling(kept).visit(tree)
    return changed


def tell(name: str, value: Any, line: int) -> None:
    """Name a traced value, or the parameters of a module, after a variable that a line assigns."""
    if type(value) is Traced and isinstance(value.tape, ScriptTape):
        value.tape.name(value.number, name)
        TOLD.append((line, value.number))
        return
    named = getattr(type(value), "named", None)
    if named is not None:
        named(value, name)
        node = getattr(value, "_node", None)
        if node is not None:
            TOLD.append((line, node.number))


TOLD: list[tuple[int, int]] = []  # the line of each assignment of a value of the graph, and the value's number


def turn(line: int, begins: bool) -> None:
    """Note how long the tape is at the start of an iteration, or at the end of a loop."""
    TURNS.setdefault(line, []).append((len(MAIN[0].calls) if MAIN else 0, begins))


TURNS: dict[int, list[tuple[int, bool]]] = {}
