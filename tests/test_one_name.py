"""One concept, one type, one name: no two classes or type aliases of core and gui share a name, as their source tells.

It is read, not imported, like the house rules in `test_house_rules.py`.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator

import pytest

from tests.sources import called, label, last_name, nodes, parsed, sources


def types_in(code: str) -> Iterator[tuple[str, str]]:
    """Each class, and each alias of a type at the top, with what it means; a class means itself alone."""
    for node in nodes(code):
        if isinstance(node, ast.ClassDef):
            bases = [base.value if isinstance(base, ast.Subscript) else base for base in node.bases]
            if node.name not in map(last_name, bases):  # front.Run extends the engine's Run, and is one for its readers
                yield node.name, f"class at line {node.lineno}"
    for statement in parsed(code).body:
        if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
            target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
            is_type = isinstance(target, ast.Name) and target.id.lstrip("_")[:1].isupper() and not target.id.isupper()
            if is_type and isinstance(target, ast.Name):
                yield target.id, ast.unparse(statement.value)


def shared(codes: dict[str, str]) -> dict[str, list[str]]:
    """The names that mean several things, with the files in which they stand; aliases of one meaning are one thing."""
    places, meanings = defaultdict[str, list[str]](list), defaultdict[str, set[str]](set)
    for file, code in codes.items():
        for name, meaning in types_in(code):
            places[name].append(file)
            meanings[name].add(f"{file} {meaning}" if meaning.startswith("class ") else meaning)
    return {name: places[name] for name, meant in meanings.items() if len(meant) > 1}


# What stands there for a library has its names.
IMITATIONS = tuple(
    f"core/scripts/{room}/" for room in ("pytorch", "tensor_flow", "jax_arrays", "numpy_arrays", "hips_autograd")
)


def test_every_class_and_type_has_a_name_of_its_own():
    own = [path for path in sources("core", "gui") if not label(path).startswith(IMITATIONS)]
    assert not shared({label(path): path.read_text("utf-8") for path in own})


@pytest.mark.parametrize(
    ("first", "second", "is_shared"),
    [
        ("class Item: ...", "class Item: ...", True),
        ("class Item: ...", "def f():\n    class Item: ...", True),
        ("class Item: ...", "Item = tuple[int, str]", True),
        ("Item = list[int]", "Item: TypeAlias = list[str]", True),
        ("Item = list[int]", "Item = list[int]", False),
        ("class Item: ...", "class Item(engine.Item): ...", False),
        ("class Item: ...", "class Item(engine.Item[int]): ...", False),
        ("class Item: ...", "from x import Item", False),
        ("LIMIT = 3", "LIMIT = 4", False),
    ],
)
def test_the_reader_of_types_sees_every_form(first, second, is_shared):
    assert bool(shared({"first": first, "second": second})) == is_shared


def constructors_skipped(code: str) -> list[str]:
    """The calls of an `__init__` by the name of a class; `super()` skips no parent."""
    calls = [node for node in nodes(code) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)]
    named = [ast.unparse(node.func) for node in calls if called(node) == "__init__"]
    return [call for call in named if not call.startswith("super()")]


def test_nobody_calls_a_constructor_past_that_of_the_parent():
    assert not [label(path) for path in sources("core", "gui") if constructors_skipped(path.read_text("utf-8"))]
    assert constructors_skipped("Walk.__init__(self, run)") and not constructors_skipped("super().__init__(run)")
