"""One node as a piece of a script: in the words of the library that the script imports."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from cadena.core.graph.document import Node, Tensor, as_array
from cadena.core.languages.language import Language, Site
from cadena.core.languages.record import READ
from cadena.core.ops.primitive import REGISTRY
from cadena.core.scripts.straight import NotStraight, StraightScript

LEAVES = {
    ("torch", "parameter"): "torch.tensor({value}, requires_grad=True)",
    ("torch", "input"): "torch.tensor({value})",
    ("tensorflow", "parameter"): "tf.Variable({value})",
    ("tensorflow", "input"): "tf.constant({value})",
}


def library_in(code: StraightScript) -> str:
    """The library that a script imports. Raises NotStraight where there is none."""
    imported = {
        name.partition(".")[0]
        for item in code.tree.body
        if isinstance(item, ast.Import | ast.ImportFrom)
        for name in ([alias.name for alias in item.names] if isinstance(item, ast.Import) else [item.module or ""])
    }
    for library in sorted(imported & READ.keys(), key="numpy".__eq__):  # the others bring their data by numpy
        return library
    raise NotStraight("the script imports no library that an operation could be written for")


def leaf_code(code: StraightScript, node: Node) -> str:
    """A leaf as an expression of the script's library."""
    assert node.value is not None
    if isinstance(node.value, Tensor) and as_array(node.value).size > MAX_WRITTEN:
        raise NotStraight(f"{node.name} has too many numbers to be written out")
    value = repr(as_array(node.value).tolist())
    pattern = LEAVES.get((library_in(code), node.op), "{value}")
    _check_names(code, ast.parse(pattern.format(value=0), mode="eval"))
    if isinstance(node.value, Tensor) and pattern == "{value}":
        raise NotStraight(f"an array needs a call, which the script would not have for {node.name}")
    return pattern.format(value=value)


MAX_WRITTEN = 100  # numbers


def operation_code(code: StraightScript, node: Node, labels: Mapping[str, str]) -> str:
    """An operation on its operands as an expression of the script's library."""
    library = library_in(code)
    language: Language = READ[library].write.language
    record = REGISTRY.get(node.op)
    row = language.rows.get(node.op)
    if record is None or not isinstance(row, str):
        raise NotStraight(f"{node.op} takes more than one expression there")
    operands = [labels.get(name, name) for name in node.inputs if name is not None]
    attributes = record.complete(dict(node.attributes)) if record.attributes else {}
    site = Site(record, attributes, [()] * len(operands), (), "")
    written = language.write(site, operands)
    assert written is not None
    _check_names(code, ast.parse(written, mode="eval"))
    return written


def _check_names(code: StraightScript, tree: ast.Expression) -> None:
    """Raise NotStraight where an expression has a name that the script lacks."""
    for item in ast.walk(tree):
        if isinstance(item, ast.Name) and item.id not in code.assigned:
            raise NotStraight(f"the script has no {item.id}")
