"""A language: its table of operations, the helpers that it lacks, and how one operation is written in it."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import msgspec

from cadena.core.languages.pattern import ALL, OPERANDS, Signature, own_defaults, signature, template
from cadena.core.ops.primitive import REQUIRED, Primitive, Shape


class Site(msgspec.Struct, frozen=True):
    """Where an operation is written: what a row may depend on, beside the attributes in its pattern."""

    record: Primitive
    attributes: Mapping[str, Any]  # all of them, defaults filled in
    shapes: Sequence[Shape]  # of the operands
    shape: Shape
    dtype: str
    active: tuple[int, ...] | None = None  # the slots whose operands have derivatives; None: any may have

    def __getitem__(self, attribute: str) -> Any:
        return self.attributes[attribute]

    @property
    def ndim(self) -> int:
        """How many axes the first operand has."""
        return len(self.shapes[0])

    def axes(self, attribute: str = "axis") -> tuple[int, ...]:
        """The axes that an attribute means, none of them negative; None means all."""
        value = self.attributes[attribute]
        listed = range(self.ndim) if value is None else value if isinstance(value, list | tuple) else [value]
        return tuple(axis % self.ndim for axis in listed) if self.ndim else ()


TableRow = str | Callable[[Site], str]


def helpers(code: str) -> Mapping[str, str]:
    """The definitions in a piece of code by their names.

    A statement between two belongs to the first, a remark to the second.
    """
    lines, definitions, name, last = code.strip("\n").split("\n"), dict[str, str](), "", 0
    for node in ast.parse(code.strip("\n")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            name = node.name
        text = "\n".join(lines[last : node.end_lineno])
        definitions[name] = definitions[name] + "\n" + text if name in definitions else text.strip("\n")
        last = node.end_lineno or last
    return definitions


@dataclass(frozen=True, eq=False)
class Language:
    """A language of Python's grammar: `rows` says how each operation is written, `aliases` what else means one."""

    name: str
    rows: Mapping[str, TableRow]
    helpers: Mapping[str, str] = field(default_factory=dict)
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    modules: Mapping[str, str] = field(default_factory=dict)  # what a pattern calls it -> the line that imports it
    index: Callable[[str], str] = str  # an index, as in numpy, in the language

    @cached_property
    def helper_uses(self) -> Mapping[str, frozenset[str]]:
        """For each helper the names in it."""
        return {
            name: frozenset(node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name))
            for name, code in self.helpers.items()
        }

    @cached_property
    def signatures(self) -> Mapping[str, tuple[Signature, ...]]:
        """What names mean when they are read: for "torch.sum", ".sum" and "*" the calls that they stand for."""
        signatures: dict[str, list[Signature]] = {}
        written = ((op, row) for op, row in self.rows.items() if isinstance(row, str))
        for op, pattern in [*written, *((op, row) for op, rows in self.aliases.items() for row in rows)]:
            if (read := signature(op, pattern)) is not None:
                signatures.setdefault(read.name, []).append(read)
        return {name: tuple(items) for name, items in signatures.items()}

    def write(self, site: Site, operands: Sequence[str]) -> str | None:
        """The operation on operands that are names; None where the language has no word for it."""
        row = self.rows.get(site.record.name)
        if row is None:
            return None
        pattern = row if isinstance(row, str) else row(site)
        texts = dict(zip(OPERANDS, operands, strict=False))
        texts[ALL] = ", ".join(operands)
        for name in site.attributes:
            texts[name] = self.attribute(site, name)
        return template(pattern, frozenset(site.attributes), _left_out(site, pattern)).format_map(texts)

    def attribute(self, site: Site, name: str) -> str:
        """An attribute as code."""
        value = site.attributes[name]
        kind = next(item.kind for item in site.record.attributes if item.name == name)
        return self.index(value) if kind == "index" else literal(value)

    def needs(self, names: Iterable[str]) -> tuple[list[str], list[str]]:
        """The modules and the helpers that code with these names needs, in the order of the tables."""
        seen: set[str] = set()
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name not in seen:
                seen.add(name)
                waiting += self.helper_uses.get(name, ())
        return [name for name in self.modules if name in seen], [name for name in self.helpers if name in seen]


def _left_out(site: Site, pattern: str) -> frozenset[str]:
    """The attributes that have the language's own default."""
    if not site.record.attributes:
        return frozenset()
    own = own_defaults(pattern)
    defaults = {item.name: own.get(item.name, item.default) for item in site.record.attributes}
    return frozenset(
        name
        for name, default in defaults.items()
        if default is not REQUIRED and type(default) is type(site[name]) and default == site[name]
    )


def literal(value: Any) -> str:
    """A number, a text or nested lists (as tuples) in Python."""
    if isinstance(value, list | tuple):
        items = [literal(item) for item in value]
        return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"
    if isinstance(value, float) and not math.isfinite(value):
        return f'float("{value}")'
    plain = isinstance(value, str) and value.isprintable() and not set('"\\') & set(value)
    return f'"{value}"' if plain else repr(value)
