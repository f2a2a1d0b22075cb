"""The source of the program, for tests that read it: its files, their syntax and their imports."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import networkx as nx

ROOT = Path(__file__).resolve().parent.parent
PRODUCT = ("core", "gui", "resources", "main.py")


def sources(*rooms: str) -> list[Path]:
    """The Python files in these folders, and these files, as far as they are there."""
    found = [ROOT / room for room in rooms if room.endswith(".py") and (ROOT / room).exists()]
    for room in rooms:
        found += sorted((ROOT / room).rglob("*.py"))
    assert found or not any((ROOT / room).exists() for room in rooms), f"no Python file in {rooms}"
    return found


def label(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def parsed(code: str) -> ast.Module:
    return ast.parse(code)


@cache
def nodes(code: str) -> tuple[ast.AST, ...]:
    """All nodes of the syntax of the code, for the many rules that go through them."""
    return tuple(ast.walk(parsed(code)))


def called(call: ast.Call) -> str:
    """The last part of the name of what is called; "" where it has none."""
    return last_name(call.func)


def last_name(node: ast.AST) -> str:
    return getattr(node, "attr", None) or getattr(node, "id", "")


def references(code: str, package: str = "") -> Iterator[tuple[str, ...]]:
    """What each import in the code may mean, at any depth: `from a import b` is the module a, or its module a.b."""
    for node in nodes(code):
        if isinstance(node, ast.Import):
            yield from ((alias.name,) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")[: len(package.split(".")) + 1 - node.level] if node.level else []
            module = ".".join([*parents, *([node.module] if node.module else [])])
            yield from ((module, f"{module}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Call) and called(node) in ("importorskip", "import_module"):
            yield from ((name.value,) for name in node.args[:1] if isinstance(name, ast.Constant))


@cache
def imports(code: str, package: str = "") -> frozenset[str]:
    """Every module that the code imports; `from a import b` counts as a and a.b."""
    return frozenset(module for meanings in references(code, package) for module in meanings)


def package_of(path: Path) -> str:
    return ".".join(("cadena", *path.relative_to(ROOT).parent.parts))


def imports_of(path: Path) -> frozenset[str]:
    return imports(path.read_text("utf-8"), package_of(path))


@cache
def all_imports() -> nx.DiGraph[str]:
    """Which module of the program imports which, those in a function and those for types alone included."""
    homes = {module_name(path): path for path in sources("core", "gui", "main.py", "cadena.py")}
    graph = nx.DiGraph()
    for name, path in homes.items():
        for meanings in references(path.read_text("utf-8"), package_of(path)):
            graph.add_edges_from((name, module) for module in [one for one in meanings if one in homes][-1:])
    return graph


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(("cadena", *(part for part in parts if part not in ("__init__", "cadena"))))


def is_in(module: str, packages: tuple[str, ...]) -> bool:
    return any(module == package or module.startswith(package + ".") for package in packages)
