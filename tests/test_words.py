"""Names and docstrings are plain English: no quaint words in names, no riddles in a docstring's first line."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
HELPERS = [path for path in (ROOT / "tests").rglob("*.py") if not path.name.startswith("test_")]
FILES = [path for folder in ("core", "gui") for path in (ROOT / folder).rglob("*.py")]
QUAINT_WORDS = (
    "heard births? resorts? suspects? mends? mended edged gotten apart vouches? "
    "tellers? retold untaken gist starved worked weighed "
    # participles that say when a value came about and not what it is
    "made found told given said fed looked got"
)
QUAINT = re.compile(rf"(^|_)({'|'.join(QUAINT_WORDS.split())})(_|$)", re.IGNORECASE)
RIDDLE = re.compile(
    r"^(That|Those|It|They|He|Whoever)\b|\b(is|are) (got by|looked at|looked for|told|wanted of|gone through)\b"
    r"|\b(all the same|whoever has|comes about|worked out|works out|what is wanted|what was (made|found|asked))\b"
)


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


def label(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", [pytest.param(path, id=label(path)) for path in sorted(FILES)])
def test_names_and_first_lines_are_plain_english(path: Path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert [name for name in names(tree) if QUAINT.search(name) and not name.isupper()] == []
    assert [line for line in first_lines(tree) if RIDDLE.search(line)] == []


def test_helpers_of_tests_say_in_plain_english_what_they_do():
    lines = [line for path in HELPERS for line in first_lines(ast.parse(path.read_text(encoding="utf-8")))]
    assert [line for line in lines if RIDDLE.search(line)] == []


@pytest.mark.parametrize(
    ("line", "is_riddle"),
    [
        ("It is called when a file was saved.", True),
        ("What was made: how many nodes.", True),
        ("The steps that are looked at.", True),
        ("The key of a node, worked out from its name.", True),
        ("The result of reading a text.", False),
        ("Look at the free memory.", False),
    ],
)
def test_riddles_are_told_from_plain_lines(line, is_riddle):
    assert (RIDDLE.search(line.casefold() if "What" in line else line) is not None) is is_riddle


@pytest.mark.parametrize(
    ("name", "is_quaint"),
    [
        ("made", True),
        ("_found", True),
        ("is_told", True),
        ("foundation", False),
        ("not_given", True),
        ("handmade", False),
    ],
)
def test_words_are_whole_parts_of_names(name, is_quaint):
    assert (QUAINT.search(name) is not None) is is_quaint
