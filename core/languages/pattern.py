"""A row of a language's table: a pattern of Python code, a template for writing and a signature for reading.

In ``torch.var(a, dim=axis, correction=ddof | 1)`` the letters a, b and c are the operands in slot order, `parts` all of
them (for operations that take any number), and the other variables are the operation's attributes. ``ddof | 1`` says
that the language's own default is 1 where the operation's is another; ``axis | ...`` that the language has none.
Keyword arguments stand in the order of the function's parameters.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from cadena.core.ops.primitive import REGISTRY, REQUIRED

OPERANDS = ("a", "b", "c")
ALL = "parts"  # the list of all operands
OPERATORS: dict[type[ast.operator | ast.unaryop], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**", ast.MatMult: "@", ast.FloorDiv: "//",
    ast.Mod: "%", ast.USub: "-", ast.UAdd: "+",
}  # fmt: skip


STARRED = "*"  # the keyword of the parameter that takes all further operands


@dataclass(frozen=True)
class Parameter:
    """One parameter of a function as a language has it: its keyword ("" if none), what it means to us, its default."""

    keyword: str
    variable: str
    default: Any  # REQUIRED where the call must give it


@dataclass(frozen=True)
class Signature:
    """What a call, a method or an operator of the language means: the operation and which argument is what.

    `name` is the function's dotted name ("torch.sum"), a method's (".sum") or the operator's ("*").
    """

    op: str
    name: str
    parameters: tuple[Parameter, ...]
    fixed: Mapping[str, Any] = field(default_factory=dict)  # keyword arguments that must be as they are here

    def bind(self, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        """The operands and the attributes that a call with these arguments means.

        Raises TypeError for arguments that the function, as far as it is known here, does not have.
        """
        if self.parameters and self.parameters[-1].keyword == STARRED:
            listed = len(self.parameters) - 1
            arguments = [*arguments[:listed], [*arguments[listed:]]]
        if len(arguments) > len(self.parameters):
            raise TypeError(f"{self.name} is known here with {len(self.parameters)} arguments, not {len(arguments)}")
        values = {item.variable: value for item, value in zip(self.parameters, arguments, strict=False)}
        for keyword, value in self.fixed.items():
            if keywords.get(keyword) != value:
                raise TypeError(f"{self.name} means {self.op} with {keyword}={value!r} alone")
        by_keyword = {item.keyword: item.variable for item in self.parameters if item.keyword}
        for keyword, value in keywords.items():
            if keyword in self.fixed:
                continue
            if keyword not in by_keyword:
                raise TypeError(f"{self.name} is not known here with {keyword}=; leave it away")
            if by_keyword[keyword] in values:
                raise TypeError(f"{self.name} got {keyword}= twice")
            values[by_keyword[keyword]] = value
        for item in self.parameters:
            if item.variable not in values:
                if item.default is REQUIRED:
                    raise TypeError(f"{self.name} needs {item.keyword or item.variable}")
                values[item.variable] = item.default
        if ALL in values:
            return list(values.pop(ALL)), values
        return [values.pop(letter) for letter in OPERANDS if letter in values], values


@lru_cache(maxsize=4096)
def template(pattern: str, attributes: frozenset[str], omitted: frozenset[str]) -> str:
    """The pattern for `str.format`, without the keyword arguments for the attributes that are `omitted`."""
    tree = _Template(attributes, omitted).visit(ast.parse(pattern, mode="eval"))
    text = ast.unparse(tree).replace("{", "{{").replace("}", "}}")
    return text.replace(_OPEN, "{").replace(_CLOSE, "}")


@lru_cache(maxsize=4096)
def own_defaults(pattern: str) -> Mapping[str, Any]:
    """For each attribute with a default of the language's own that default; REQUIRED where it has none."""
    defaults = filter(None, map(_with_default, ast.walk(ast.parse(pattern, mode="eval"))))
    return {name: REQUIRED if own is ... else own for name, own in defaults}


_OPEN, _CLOSE = "OPEN_", "_CLOSE"  # around the names of variables while the tree is turned into text


def _with_default(node: ast.AST) -> tuple[str, Any] | None:
    """The attribute in `ddof | 1`, and what is behind the bar; None for anything else."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr) and isinstance(node.left, ast.Name):
        return node.left.id, ast.literal_eval(node.right)
    return None


class _Template(ast.NodeTransformer):
    """Marks the variables, and drops the arguments that are left out."""

    def __init__(self, attributes: frozenset[str], omitted: frozenset[str]) -> None:
        self.variables, self.omitted = VARIABLES | attributes, omitted

    def visit_Call(self, node: ast.Call) -> ast.AST:
        node.keywords = [item for item in node.keywords if not self._is_omitted(item.value)]
        self.generic_visit(node)
        return node

    def _is_omitted(self, value: ast.expr) -> bool:
        pair = _with_default(value)
        name = pair[0] if pair else value.id if isinstance(value, ast.Name) else ""
        return name in self.omitted

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        if pair := _with_default(node):
            return self.visit(ast.Name(pair[0]))
        self.generic_visit(node)
        return node

    def visit_Starred(self, node: ast.Starred) -> Any:
        self.generic_visit(node)
        return node.value if ast.unparse(node.value) == f"{_OPEN}{ALL}{_CLOSE}" else node  # its text has no brackets

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id in self.variables:
            return ast.Name(f"{_OPEN}{node.id}{_CLOSE}")
        return node


VARIABLES = frozenset((*OPERANDS, ALL))


def signature(op: str, pattern: str) -> Signature | None:
    """What `pattern` means when it is read; None for one that is more than a single call or operator on operands."""
    tree = ast.parse(pattern, mode="eval").body
    if isinstance(tree, ast.BinOp | ast.UnaryOp):
        sides = [tree.left, tree.right] if isinstance(tree, ast.BinOp) else [tree.operand]
        names = [side.id for side in sides if isinstance(side, ast.Name)]
        if len(names) != len(sides):
            return None
        return Signature(op, OPERATORS[type(tree.op)], tuple(Parameter("", name, REQUIRED) for name in names))
    if not isinstance(tree, ast.Call):
        return None
    called, first = ast.unparse(tree.func), []
    if isinstance(tree.func, ast.Attribute) and isinstance(tree.func.value, ast.Name):
        owner = tree.func.value.id
        if owner in OPERANDS:
            called, first = f".{tree.func.attr}", [Parameter("", owner, REQUIRED)]
    defaults = {item.name: item.default for item in REGISTRY[op].attributes} if op in REGISTRY else {}
    own = own_defaults(pattern)
    fixed = {item.arg: item.value.value for item in tree.keywords if item.arg and isinstance(item.value, ast.Constant)}
    arguments: list[ast.expr | ast.keyword] = [*tree.args, *(item for item in tree.keywords if item.arg not in fixed)]
    parameters = [_parameter(item, defaults, own) for item in arguments]
    if any(item is None for item in parameters):
        return None
    return Signature(op, called, (*first, *(item for item in parameters if item is not None)), fixed)


def _parameter(item: ast.expr | ast.keyword, defaults: Mapping[str, Any], own: Mapping[str, Any]) -> Parameter | None:
    keyword, value = (item.arg or "", item.value) if isinstance(item, ast.keyword) else ("", item)
    if isinstance(value, ast.Starred):
        keyword, value = STARRED, value.value
    if pair := _with_default(value):
        value = ast.Name(pair[0])
    if isinstance(value, ast.Subscript) and ast.unparse(value.value) == "np.s_":
        value = value.slice
    if not isinstance(value, ast.Name) or not (value.id in VARIABLES or value.id in defaults):
        return None
    default = own.get(value.id, defaults.get(value.id, REQUIRED)) if keyword not in ("", STARRED) else REQUIRED
    return Parameter(keyword, value.id, default)
