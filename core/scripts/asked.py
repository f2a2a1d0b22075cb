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
    "constant": NoPath.COPY, "array": NoPath.COPY,
    "argmax": NoPath.OPERATION, "argmin": NoPath.OPERATION, "argsort": NoPath.OPERATION, "one_hot": NoPath.OPERATION,
}  # fmt: skip
OFF = ("no_grad", "inference_mode")
TO_INTEGERS = frozenset("long short char byte bool".split())  # methods of tensors
CONVERTING = frozenset(("to", "type", "astype", "cast", "asarray", "array"))  # to the type that is their argument
INTEGERS = TO_INTEGERS | frozenset(
    "int IntTensor LongTensor int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool_".split()
)
TAPES = "GradientTape"
AT_TAPE = frozenset("gradient jacobian batch_jacobian Variable".split())


def cut(text: str, names: set[str]) -> Unconnected | None:
    """The first expression of a script that takes a value of one of these variables out of the graph.

    What is only printed goes nowhere.
    """
    off = NoPath.OUTSIDE_TAPE if f".{TAPES}(" in text else None
    waiting: list[tuple[ast.AST, NoPath | None]] = [
        (ast.parse(text), off)
    ]  # no recursion: expressions may be very deep
    while waiting:
        node, off = waiting.pop()
        if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Call) and _last_word(node.func) == "print"):
            continue
        if isinstance(node, ast.With):
            off = _within(node, off)
        elif isinstance(node, ast.FunctionDef) and off is NoPath.OUTSIDE_TAPE:
            off = None  # it may be called where a tape records
        reason = _reason(node, off)
        read = [one.id for one in ast.walk(node) if isinstance(one, ast.Name) and one.id in names] if reason else []
        if reason is not None and read:
            call = " ".join((ast.get_source_segment(text, node) or "").split())
            return Unconnected(reason, getattr(node, "lineno", 0), elided(call, MOST_LETTERS), read[-1])
        waiting += [(child, off) for child in reversed([*ast.iter_child_nodes(node)])]
    return None


def _within(node: ast.With, off: NoPath | None) -> NoPath | None:
    """Why nothing is recorded in a block."""
    words = [_last_word(item.context_expr.func) for item in node.items if isinstance(item.context_expr, ast.Call)]
    if any(word in OFF for word in words):
        return NoPath.GRADIENTS_OFF
    return None if TAPES in words else off


def _reason(node: ast.AST, off: NoPath | None) -> NoPath | None:
    if isinstance(node, ast.Call):
        word = _last_word(node.func)
        if word in ("float", "int") and isinstance(node.func, ast.Attribute):
            return NoPath.CAST if word == "int" else None
        return NoPath.CAST if _makes_integers(node) else CUTS.get(word)
    if isinstance(node, ast.Attribute) and node.attr == "data":
        return NoPath.DETACH
    if off is None or not isinstance(node, ast.Assign):
        return None
    is_asking = any(isinstance(one, ast.Call) and _last_word(one.func) in AT_TAPE for one in ast.walk(node.value))
    return None if off is NoPath.OUTSIDE_TAPE and is_asking else off


def _makes_integers(node: ast.Call) -> bool:
    word = _last_word(node.func)
    if isinstance(node.func, ast.Attribute) and word in TO_INTEGERS:
        return True
    types = [*node.args, *(keyword.value for keyword in node.keywords)] if word in CONVERTING else []
    return any((item.value if isinstance(item, ast.Constant) else _last_word(item)) in INTEGERS for item in types)


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
