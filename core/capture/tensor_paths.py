"""Where a function finds the tensors that it uses: variables around it, attributes, items of lists and dictionaries."""

from __future__ import annotations

import functools
import inspect
import sys
from collections import deque
from collections.abc import Callable, Iterator
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

MAX_OBJECTS = 100_000  # that are looked at; a program may hold millions
LIBRARIES = sys.stdlib_module_names | {"torch", "torchvision", "numpy", "cadena"}  # what they use is not the user's
PLAIN = (str, bytes, int, float, complex, bool, type(None), type, BuiltinFunctionType, CodeType)


class TensorPaths:
    """Names of the tensors that can be reached from a function, its arguments and what is around it: box.w, layers.0.

    roots: what the search starts from, by name
    """

    def __init__(self, roots: dict[str, Any]) -> None:
        self.roots = roots
        self._by_identity: dict[int, tuple[Any, str]] | None = None

    def name(self, tensor: Any, search_again: bool = False) -> str:
        """The path of a tensor, or "". A new search finds what the function has made since the last one."""
        if self._by_identity is None or (search_again and id(tensor) not in self._by_identity):
            self._by_identity = {id(item): (item, path) for path, item in _tensors(self.roots)}
        item, path = self._by_identity.get(id(tensor), (None, ""))
        return path if item is tensor else ""


def _tensors(roots: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    import torch

    return ((path, item) for path, item in reachable(roots) if isinstance(item, torch.Tensor))


def reachable(roots: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """All objects that can be reached, each by its shortest path; arrays and tensors are not looked into."""
    queue, seen = deque(roots.items()), dict[int, Any]()
    while queue and len(seen) < MAX_OBJECTS:
        path, item = queue.popleft()
        if isinstance(item, PLAIN) or id(item) in seen:
            continue
        seen[id(item)] = item  # held, so that no other object gets its identity
        yield path, item
        if not (hasattr(type(item), "dtype") and hasattr(type(item), "shape")):
            queue.extend(_parts(path, item))


def _parts(path: str, item: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(item, dict):
        yield from ((_joined(path, str(key)), part) for key, part in list(item.items()))
    elif isinstance(item, list | tuple | set | frozenset | deque):
        yield from ((_joined(path, str(index)), part) for index, part in enumerate(list(item)))
    elif isinstance(item, FunctionType):
        yield from around(item).items()
    elif isinstance(item, MethodType):
        yield from (("self", item.__self__), (path, item.__func__))
    elif isinstance(item, functools.partial):
        yield from (("fn", item.func), (path, item.args), (path, item.keywords))
    elif _is_module(item):
        yield from ((_joined(path, name), part) for name, part in [*item.named_parameters(), *item.named_buffers()])
        yield from ((_joined(path, name), part) for name, part in vars(item).items() if not name.startswith("_"))
        yield from ((_joined(path, name), part) for name, part in item.named_children())
        yield path, type(item).forward
    elif not isinstance(item, ModuleType):
        yield from ((_joined(path, name), part) for name, part in _attributes(item).items())
        yield path, inspect.getattr_static(type(item), "__call__", None)


def _is_module(item: Any) -> bool:
    return "torch" in sys.modules and isinstance(item, sys.modules["torch"].nn.Module)


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _attributes(item: Any) -> dict[str, Any]:
    """What an object and its class hold, without running any code of theirs."""
    named = {
        name: part for kind in type(item).__mro__[-2::-1] for name, part in vars(kind).items() if not _is_own(name)
    }
    slots = [name for kind in type(item).__mro__ for name in _names(vars(kind).get("__slots__", ()))]
    for name in slots:
        descriptor = inspect.getattr_static(type(item), name, None)
        if inspect.ismemberdescriptor(descriptor):
            try:
                named[name] = descriptor.__get__(item)
            except AttributeError:  # not set yet
                named.pop(name)
    return named | (vars(item) if hasattr(item, "__dict__") else {})


def _is_own(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def _names(slots: Any) -> tuple[str, ...]:
    return (slots,) if isinstance(slots, str) else tuple(slots)


def around(fn: Callable[..., Any]) -> dict[str, Any]:
    """What a function uses from around it, by name; of a module of Python's, what it reads from it."""
    code, named = getattr(fn, "__code__", None), dict[str, Any]()
    if code is None or (fn.__module__ or "").partition(".")[0] in LIBRARIES:
        return {}
    for name, cell in zip(code.co_freevars, fn.__closure__ or ()):
        try:
            named[name] = cell.cell_contents
        except ValueError:  # not set yet
            continue
    defaults = fn.__defaults__ or ()
    named |= dict(zip(code.co_varnames[code.co_argcount - len(defaults) : code.co_argcount], defaults))
    named |= fn.__kwdefaults__ or {}
    used = set(_used_names(code))
    for name in used & fn.__globals__.keys():
        value = fn.__globals__[name]
        if isinstance(value, ModuleType):
            named |= {f"{name}.{own}": vars(value)[own] for own in used & vars(value).keys()}
        else:
            named[name] = value
    return named


def _used_names(code: CodeType) -> Iterator[str]:
    """The names in a function and in those within it."""
    yield from code.co_names
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from _used_names(part)
