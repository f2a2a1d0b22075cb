"""Names and docstrings are plain English: no quaint words in names, no riddles in a docstring's first line."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FILES = sorted(path for folder in ("core", "gui") for path in (ROOT / folder).rglob("*.py"))
QUAINT = re.compile(r"(^|_)(heard|births?|resorts?|suspects?|mends?|mended|edged|gotten|apart)(_|$)", re.IGNORECASE)
RIDDLE = re.compile(r"^(That|Those|It|They|He|Whoever)\b|\b(is|are) got by\b|\b(is|are) looked at\b|\ball the same\b")


def names(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr


def first_lines(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef) and (text := ast.get_docstring(node)):
            yield text.splitlines()[0]


@pytest.mark.parametrize("path", [pytest.param(path, id=str(path.relative_to(ROOT))) for path in FILES])
def test_names_and_first_lines_are_plain_english(path: Path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert [name for name in names(tree) if QUAINT.search(name)] == []
    assert [line for line in first_lines(tree) if RIDDLE.search(line)] == []
