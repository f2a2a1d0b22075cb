"""Trees of parameters: dictionaries, lists and tuples of arrays, as jax.tree_util takes them apart."""

from __future__ import annotations

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


def tree_map(f: Callable[..., Any], tree: Any, *rest: Any) -> Any:
    """jax.tree_util.tree_map."""
    others = [leaves(item) for item in rest]
    if any(len(item) != len(leaves(tree)) for item in others):
        raise ValueError("tree_map needs trees of the same form")
    return rebuilt(tree, map(f, leaves(tree), *others))
