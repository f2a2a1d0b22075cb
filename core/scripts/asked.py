"""Gradients that a script asked for and that are None: their leaves stand in the graph, with the reason."""

from __future__ import annotations

import ast
from typing import Any, NamedTuple

from cadena.core.graph.unconnected import NoPath, Unconnected
from cadena.core.scripts.tape import ScriptPlace, ScriptTape
from cadena.core.text.plain_text import elided
from cadena.core.tracing.traced import Traced

MOST_LETTERS = 60  # of an expression in a sentence


class Asked(NamedTuple):
    """A tensor whose gradient is None after so many backward passes."""

    passes: int
    reason: NoPath
    name: str  # of its variable
    numbers: Any
    place: ScriptPlace  # where the variable got it
    numbered: tuple[int, ...] = ()  # its places on the tape


# What takes numbers out of a graph, by the last name of a call or an attribute.
CUTS = {
    "item": NoPath.ITEM, "float": NoPath.ITEM, "int": NoPath.ITEM, "numpy": NoPath.ITEM, "tolist": NoPath.ITEM,
    "detach": NoPath.DETACH, "stop_gradient": NoPath.DETACH, "tensor": NoPath.COPY,
    "constant": NoPath.COPY, "array": NoPath.COPY, "long": NoPath.CAST,
    "argmax": NoPath.OPERATION, "argmin": NoPath.OPERATION, "argsort": NoPath.OPERATION, "one_hot": NoPath.OPERATION,
}  # fmt: skip
OFF = ("no_grad", "inference_mode")


def cut(text: str, names: set[str]) -> Unconnected | None:
    """The first expression of a script that takes a value of one of these variables out of the graph.

    What is only printed goes nowhere.
    """
    waiting: list[tuple[ast.AST, bool]] = [(ast.parse(text), False)]  # no recursion: expressions may be very deep
    while waiting:
        node, is_off = waiting.pop()
        if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Call) and _last_word(node.func) == "print"):
            continue
        if isinstance(node, ast.With):
            is_off = is_off or any(_is_off(item.context_expr) for item in node.items)
        reason = _reason(node, is_off)
        read = [one.id for one in ast.walk(node) if isinstance(one, ast.Name) and one.id in names] if reason else []
        if reason is not None and read:
            call = " ".join((ast.get_source_segment(text, node) or "").split())
            return Unconnected(reason, getattr(node, "lineno", 0), elided(call, MOST_LETTERS), read[-1])
        waiting += [(child, is_off) for child in reversed([*ast.iter_child_nodes(node)])]
    return None


def _reason(node: ast.AST, is_off: bool) -> NoPath | None:
    if isinstance(node, ast.Call):
        return CUTS.get(_last_word(node.func))
    if isinstance(node, ast.Attribute) and node.attr == "data":
        return NoPath.DETACH
    return NoPath.GRADIENTS_OFF if is_off and isinstance(node, ast.Assign) else None


def _is_off(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and _last_word(node.func) in OFF


def _last_word(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def names_after(tape: ScriptTape, numbers: tuple[int, ...]) -> set[str]:
    """The variables that hold what was computed from some values."""
    after = set(numbers)
    for number in range(min(numbers, default=len(tape.calls)), len(tape.calls)):
        call = tape.calls[number]
        if call and any(type(item) is Traced and item.tape is tape and item.number in after for item in call.operands):
            after.add(number)
    return {tape.names[number] for number in after if number in tape.names}


ASKED: list[Asked] = []
