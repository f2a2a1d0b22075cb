"""Helpers of exported programs in scripts: one that stands there word for word means its operation."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from importlib import import_module
from types import SimpleNamespace
from typing import Any

from cadena.core.languages.language import Language
from cadena.core.languages.pattern import Signature
from cadena.core.languages.record import READ
from cadena.core.ops.primitive import REGISTRY
from cadena.core.tracing.traced import index_text

MEANT = "__meant__"  # what the script calls after the definition of a helper
Operate = Callable[[str, Sequence[Any], dict[str, Any]], Any]


def with_helpers(tree: ast.Module, library: str) -> tuple[ast.Module, dict[str, Any]]:
    """A script that calls `MEANT` after each of its definitions that is a helper of the language; and `MEANT`."""
    if library not in READ or not any(
        isinstance(item, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(item) for item in tree.body
    ):
        return tree, {}  # and the language, which takes 0.1 s, need not be imported
    language: Language = READ[library].write.language
    home = import_module(f"{READ[library].reader}.modules")
    return ast.Module([*_statements(tree, language)], tree.type_ignores), {MEANT: meant(language, _own(home))}


def _own(home: Any) -> Operate:
    """The function of a library that computes an operation, by Cadena's own rules: that is what a helper stands for."""

    def operate(op: str, operands: Sequence[Any], attributes: dict[str, Any]) -> Any:
        tape: Any = getattr(getattr(home, "STATE", None), "tape", None)
        with tape.by_own_rules() if hasattr(tape, "by_own_rules") else nullcontext():
            return home.operate(op, operands, attributes)

    return operate


def _statements(tree: ast.Module, language: Language) -> Iterator[ast.stmt]:
    ends: dict[int, str] = {}  # the statement at which a helper's definition ends, and its name
    for number, item in enumerate(tree.body):
        if isinstance(item, ast.FunctionDef | ast.ClassDef) and item.name in language.helpers:
            text = ast.parse(language.helpers[item.name]).body
            if _same(tree.body[number : number + len(text)], text) and _signatures(language, item.name):
                ends[number + len(text) - 1] = item.name
    for number, item in enumerate(tree.body):
        yield item
        if number in ends:
            name = ends[number]
            call = ast.Call(ast.Name(MEANT, ast.Load()), [ast.Constant(name), ast.Name(name, ast.Load())], [])
            yield ast.fix_missing_locations(ast.copy_location(ast.Assign([ast.Name(name, ast.Store())], call), item))


def _same(statements: Sequence[ast.stmt], others: Sequence[ast.stmt]) -> bool:
    return [*map(ast.dump, statements)] == [*map(ast.dump, others)]


def _signatures(language: Language, name: str) -> Mapping[str, Sequence[Signature]]:
    """What calls of a helper mean: by "" for the helper itself, by "apply" for its method."""
    known = {key: language.signatures.get(name + "." * bool(key) + key, ()) for key in ("", "apply")}
    return {key: signatures for key, signatures in known.items() if signatures}


def meant(language: Language, operate: Operate) -> Callable[[str, Any], Any]:
    """What `MEANT` is in scripts for a library: from a helper's name and definition to what the name is to hold."""

    def replaced(name: str, own: Any) -> Any:
        signatures = _signatures(language, name)
        if "" in signatures:
            return operation(signatures[""], operate, own)
        return SimpleNamespace(apply=operation(signatures["apply"], operate, own.apply))

    return replaced


def operation(
    signatures: Sequence[Signature], operate: Operate, own: Callable[..., Any] | None = None
) -> Callable[..., Any]:
    """The operation that a call means; `own`, if there is one, is called where the arguments are those of none."""

    def call(*arguments: Any, **keywords: Any) -> Any:
        for signature in signatures:
            try:
                operands, attributes = signature.bind(arguments, keywords)
            except TypeError:  # another operation of the same name
                if own is None and signature is signatures[-1]:
                    raise
                continue
            kinds = {item.name: item.kind for item in REGISTRY[signature.op].attributes}
            return operate(
                signature.op, operands, {key: _attribute(kinds[key], one) for key, one in attributes.items()}
            )
        assert own is not None
        return own(*arguments, **keywords)

    return call


def _attribute(kind: str, value: Any) -> Any:
    """An attribute as a document has it."""
    return index_text(value) if kind == "index" and not isinstance(value, str) else _listed(value)


def _listed(value: Any) -> Any:
    return [_listed(item) for item in value] if isinstance(value, tuple | list) else value
