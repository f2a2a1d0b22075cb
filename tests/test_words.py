"""Names of the program are plain English: no quaint words, no participles that say when a value came about."""

from __future__ import annotations

import ast
import re

from tests.sources import label, nodes, sources

QUAINT = """
heard births? resorts? suspects? mends? mended edged gotten apart vouches? tellers? retold untaken gist starved worked
weighed made found told given said fed looked got
"""
QUAINT_NAME = re.compile(rf"(?:^|.*_)(?:{'|'.join(QUAINT.split())})(?:_.*|$)", re.IGNORECASE)


def names(node: ast.AST) -> list[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
            return [name]
        case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
            return [name]
    return []


def test_names_are_plain_english():
    files = {label(path): path.read_text("utf-8") for path in sources("core", "gui")}
    found = [(file, name) for file, code in files.items() for node in nodes(code) for name in names(node)]
    assert not [(file, name) for file, name in found if QUAINT_NAME.match(name) and not name.isupper()]
    assert QUAINT_NAME.match("is_told") and not QUAINT_NAME.match("handmade_foundation")
