"""Scripts that are read from top to bottom once, as text that is edited in place: numbers, variables, statements.

Such a script has no loop, branch or function, so that each of its numbers stands for one value of the graph.
"""

from __future__ import annotations

import ast
import builtins
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

Replacement = tuple[int, int, bytes]  # from a byte up to another, what stands there instead
PLAIN = (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.expr)
WORDS = {
    ast.For: "a loop", ast.While: "a loop", ast.If: "a branch", ast.FunctionDef: "a function", ast.ClassDef: "a class",
    ast.With: "a with block", ast.Lambda: "a function", ast.ListComp: "a loop", ast.GeneratorExp: "a loop",
    ast.DictComp: "a loop", ast.SetComp: "a loop", ast.IfExp: "a branch", ast.Try: "a try block",
}  # fmt: skip


class NotStraight(Exception):
    """Why an edit of the graph cannot be made in the text: a clause that names the place."""


@dataclass(frozen=True, eq=False)
class WrittenNumber:
    """A number, or nested lists of numbers, as it stands in a script."""

    node: ast.expr
    value: np.ndarray
    statement: ast.stmt
    is_operand: bool  # of an operator, which a minus sign would change


@lru_cache(maxsize=8)
def straight(text: str) -> StraightScript:
    """Read a script. Raises NotStraight where it is more than statements one after the other."""
    script = with_branches(text)
    for node in ast.walk(script.tree):
        if (what := _more_than_plain(node)) is not None:
            raise NotStraight(f"line {getattr(node, 'lineno', 0)} is {what}, which no single node stands for")
    return script


@lru_cache(maxsize=8)
def with_branches(text: str) -> StraightScript:
    """Read a script that may have branches and loops, of which only what stands beside them can be edited."""
    try:
        return StraightScript(text, ast.parse(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise NotStraight("the script cannot be read as it stands") from None


def is_plain(statement: ast.stmt) -> bool:
    """Whether a statement is carried out once, from left to right."""
    return all(_more_than_plain(node) is None for node in ast.walk(statement))


def _more_than_plain(node: ast.AST) -> str | None:
    if isinstance(node, ast.stmt | ast.expr) and (type(node) in WORDS or not isinstance(node, PLAIN)):
        return WORDS.get(type(node), "more than an assignment")
    return None


class StraightScript:
    """The statements, the variables and the numbers of a script, and changes of its text."""

    def __init__(self, text: str, tree: ast.Module) -> None:
        self.text, self.tree = text, tree
        self._data = text.encode()
        self._starts = [0]
        for line in self._data.split(b"\n"):
            self._starts.append(self._starts[-1] + len(line) + 1)

    # --- what stands where

    @cached_property
    def assigned(self) -> dict[str, list[ast.stmt]]:
        """The statements that assign each variable."""
        statements: dict[str, list[ast.stmt]] = {}
        for statement in self.tree.body:
            for node in ast.walk(statement):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    statements.setdefault(node.id, []).append(statement)
                elif isinstance(node, ast.alias):
                    statements.setdefault((node.asname or node.name).partition(".")[0], []).append(statement)
        return statements

    def statement_of(self, variable: str) -> ast.stmt:
        """The one statement that assigns a variable. Raises NotStraight where there is none, or several."""
        statements = self.assigned.get(variable, [])
        if not statements:
            raise NotStraight(f"{variable} has no variable of its own in the script")
        if len(statements) > 1:
            raise NotStraight(
                f"{variable} is assigned in lines {' and '.join(str(item.lineno) for item in statements)}"
            )
        return statements[0]

    def statement_at(self, line: int) -> ast.stmt | None:
        """The statement that a line belongs to."""
        return self.tree.body[place] if (place := self.place_of(line)) >= 0 else None

    def place_of(self, line: int) -> int:
        """Which of the statements a line belongs to; -1 for none."""
        statements = enumerate(self.tree.body)
        return next((at for at, item in statements if item.lineno <= line <= (item.end_lineno or 0)), -1)

    def readers(self, variable: str) -> list[ast.stmt]:
        """The statements that read a variable."""
        return [
            statement
            for statement in self.tree.body
            if any(_reads(node, variable) for node in ast.walk(statement))
            or (isinstance(statement, ast.AugAssign) and _id(statement.target) == variable)
        ]

    @cached_property
    def literals(self) -> list[WrittenNumber]:
        """The numbers, in the order of the text; indices and keywords' are none."""
        return [item for statement in self.tree.body for item in _literals(statement, statement, False)]

    @cached_property
    def without_numbers(self) -> str:
        """The meaning of the text but for its numbers."""
        return ast.dump(ast.parse(self.with_changes([self._instead(item.node, "...") for item in self.literals])))

    # --- changes of the text

    def with_changes(self, changes: list[Replacement]) -> str:
        """The text with some stretches replaced, none of which overlap."""
        data = self._data
        for start, end, new in sorted(changes, reverse=True):
            data = data[:start] + new + data[end:]
        return data.decode()

    def with_value(self, literal: WrittenNumber, value: np.ndarray) -> str:
        """The text with another value in the place of a literal, of whose numbers those that differ are written."""
        if not np.isfinite(value).all():
            raise NotStraight(f"line {literal.node.lineno} has no number for nan and infinity")
        if value.shape != literal.value.shape:
            return self.with_changes([self._instead(literal.node, _nested(value))])
        changes, flat = [], value.reshape(-1)
        for node, number in zip(_elements(literal.node), flat, strict=True):
            if float(ast.literal_eval(node)) != number and not _rounds(node, number):
                text = number_text(number, self._source(node))
                if literal.is_operand and text.startswith("-"):
                    text = f"({text})"
                changes.append(self._instead(node, text))
        return self.with_changes(changes)

    def renamed(self, old: str, new: str) -> str:
        """The text with another name for a variable. Raises NotStraight where that would mean something else."""
        self.statement_of(old)
        names = [node for node in ast.walk(self.tree) if isinstance(node, ast.Name)]
        if new in self.assigned or new in dir(builtins) or any(node.id == new for node in names):
            raise NotStraight(f"{new} means something else in the script")
        for node in ast.walk(self.tree):
            if isinstance(node, ast.JoinedStr) and any(_id(part) == old for part in ast.walk(node)):
                raise NotStraight(f"line {node.lineno} has {old} inside a text")
        return self.with_changes([self._instead(node, new) for node in names if node.id == old])

    def commented_out(self, statement: ast.stmt) -> str:
        """The text with a statement as a comment, so that all lines stay where they are."""
        lines = self.text.split("\n")
        for number in range(statement.lineno - 1, statement.end_lineno or statement.lineno):
            lines[number] = f"# {lines[number]}"
        return "\n".join(lines)

    def with_line(self, line: str, after: int) -> str:
        """The text with a new line behind the line numbered `after`."""
        lines = self.text.split("\n")
        return "\n".join([*lines[:after], line, *lines[after:]])

    def with_right_side(self, statement: ast.stmt, code: str) -> str:
        """The text with another expression behind the equals sign."""
        assert isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None
        return self.with_changes([self._instead(statement.value, code)])

    def _instead(self, node: ast.expr, new: str) -> Replacement:
        return (*self._span(node), new.encode())

    def _span(self, node: ast.expr) -> tuple[int, int]:
        assert node.end_lineno is not None and node.end_col_offset is not None
        return self._starts[node.lineno - 1] + node.col_offset, self._starts[node.end_lineno - 1] + node.end_col_offset

    def _source(self, node: ast.expr) -> str:
        start, end = self._span(node)
        return self._data[start:end].decode()


def same_but_for_numbers(
    before: StraightScript, after: StraightScript
) -> list[tuple[WrittenNumber, WrittenNumber]] | None:
    """The numbers that differ between two texts, by pairs; None where anything else differs too."""
    pairs = list(zip(before.literals, after.literals, strict=False))
    if len(before.literals) != len(after.literals) or any(a.value.shape != b.value.shape for a, b in pairs):
        return None
    if before.without_numbers != after.without_numbers:
        return None
    return [(a, b) for a, b in pairs if not np.array_equal(a.value, b.value)]


def number_text(number: Any, before: str) -> str:
    """A number in the shortest exact form, a whole one in the manner of the text that stood there: 3, 3. or 3.0."""
    text = str(number)
    if not math.isfinite(number) or not text.endswith(".0"):
        return text
    return text[:-2] if before.lstrip("+-").isdecimal() else text[:-1] if before.endswith(".") else text


def _rounds(node: ast.expr, number: Any) -> bool:
    """Whether a number is what the script's own becomes in its number type: 0.1 in float32 needs no new text."""
    return bool(type(number)(ast.literal_eval(node)) == number)


def _literals(node: ast.AST, statement: ast.stmt, is_operand: bool) -> Iterator[WrittenNumber]:
    if isinstance(node, ast.expr) and (value := _value(node)) is not None:
        yield WrittenNumber(node, value, statement, is_operand)
        return
    below = isinstance(node, ast.BinOp | ast.UnaryOp | ast.Compare | ast.Attribute)
    for field, item in ast.iter_fields(node):
        if field in ("slice", "keywords", "annotation"):
            continue
        for part in item if isinstance(item, list) else [item]:
            if isinstance(part, ast.AST):
                yield from _literals(part, statement, below)


def _value(node: ast.expr) -> np.ndarray | None:
    """The numbers of a literal; None for anything else."""
    if not _is_numbers(node):
        return None
    try:
        return np.asarray(ast.literal_eval(node), dtype=np.float64)
    except (ValueError, OverflowError):  # ragged lists, endless numbers
        return None


def _is_numbers(node: ast.expr) -> bool:
    if isinstance(node, ast.List | ast.Tuple):
        return bool(node.elts) and all(map(_is_numbers, node.elts))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return isinstance(node.operand, ast.Constant) and _is_numbers(node.operand)
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)


def _elements(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.List | ast.Tuple):
        for item in node.elts:
            yield from _elements(item)
    else:
        yield node


def _nested(value: np.ndarray) -> str:
    return f"[{', '.join(map(_nested, value))}]" if value.ndim else str(value[()])


def _id(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _reads(node: ast.AST, variable: str) -> bool:
    return isinstance(node, ast.Name) and node.id == variable and isinstance(node.ctx, ast.Load)
