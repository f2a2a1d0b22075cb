"""Trees of parameters: dictionaries, lists and tuples of arrays, as jax.tree_util takes them apart."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any


def leaves(tree: Any) -> list[Any]:
    """The leaves of a tree, dictionaries in the order of their keys."""
    return [item for _, item in named_leaves(tree)]


def named_leaves(tree: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """The leaves, each with a name from its place: the key, or the name of the list and a number."""
    if isinstance(tree, dict):
        for key in sorted(tree):
            yield from named_leaves(tree[key], str(key) if isinstance(key, str) else f"{name}_{key}")
    elif isinstance(tree, list | tuple):
        fields = getattr(tree, "_fields", None)
        for number, item in enumerate(tree):
            yield from named_leaves(item, fields[number] if fields else f"{name}_{number}")
    elif tree is not None:
        yield name, tree


def rebuilt(tree: Any, items: Iterator[Any]) -> Any:
    """A tree of this form with other leaves."""
    if isinstance(tree, dict):
        return type(tree)((key, rebuilt(tree[key], items)) for key in sorted(tree))
    if isinstance(tree, list | tuple):
        parts = [rebuilt(item, items) for item in tree]
        return type(tree)(*parts) if hasattr(tree, "_fields") else type(tree)(parts)
    return None if tree is None else next(items)


def tree_map(f: Callable[..., Any], tree: Any, *rest: Any, is_leaf: Any = None) -> Any:
    """jax.tree_util.tree_map."""
    if is_leaf is not None:
        raise TypeError("tree_map is not known here with is_leaf=; leave it away")
    others = [leaves(item) for item in rest]
    if any(len(item) != len(leaves(tree)) for item in others):
        raise ValueError("tree_map needs trees of the same form")
    return rebuilt(tree, map(f, leaves(tree), *others))


class TreeDef:
    """The form of a tree."""

    def __init__(self, tree: Any) -> None:
        self._tree = rebuilt(tree, iter(["*"] * len(leaves(tree))))

    def unflatten(self, items: Any) -> Any:
        return rebuilt(self._tree, iter(items))

    def __repr__(self) -> str:
        return f"PyTreeDef({str(self._tree).replace(chr(39) + '*' + chr(39), '*')})"


def tree_flatten(tree: Any) -> tuple[list[Any], TreeDef]:
    return leaves(tree), TreeDef(tree)


def tree_unflatten(form: TreeDef, items: Any) -> Any:
    return form.unflatten(items)


def tree_reduce(function: Callable[[Any, Any], Any], tree: Any, *start: Any) -> Any:
    return functools.reduce(function, leaves(tree), *start)
