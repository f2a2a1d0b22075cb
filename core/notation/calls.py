"""Calls, in plain text and in LaTeX: m1 as w0 · a1."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from cadena.core.functions.calls import operation
from cadena.core.graph.document import Document
from cadena.core.notation.in_script import shown_name
from cadena.core.notation.names import latex_name
from cadena.core.ops.expression import (
    CALL,
    COMPARE,
    MAX_IN_FORMULA,
    POWER,
    PRODUCT,
    Notation,
    Written,
    listed,
    upright,
    written_number,
)
from cadena.core.ops.primitive import Primitive, Shape
from cadena.core.ops.walk import Instruction
from cadena.core.run.program import Run
from cadena.core.text.numbers import Figures, axes_text, figures
from cadena.core.text.plain_text import elided

REDUCTION = re.compile(r"^(\\sum|\\prod|\\max|\\min|\\mathrm\{[^{}]*\})")  # the sign of one in LaTeX
Shapes = Mapping[str, Shape | None]
OPEN_SLOT = Written("□")
OF_ELEMENTS = Notation("{0} ⊙ {1}", r"{0} \odot {1}", PRODUCT, (PRODUCT, POWER))


def shown_latex(graph: Run | Document, name: str) -> str:
    """A node's name in LaTeX, as people read it: w[3] for an element of w."""
    return latex_name(shown_name(graph.program.document if isinstance(graph, Run) else graph, name))


def written_name(document: Document, name: str, latex: bool) -> Written:
    """A node as written in a formula: a constant number by its value, everything else by its name."""
    value = constant_number(document, name)
    if value is not None:
        return written_number(value, latex)
    return Written(shown_latex(document, name) if latex else shown_name(document, name))


def constant_number(document: Document, name: str) -> float | None:
    """The value of a constant that is a single number; None for every other node."""
    node = document.nodes.get(name)
    return node.value if node and node.op == "constant" and isinstance(node.value, float) else None


def _call(
    document: Document,
    name: str,
    operands: list[Written],
    latex: bool,
    shapes: Mapping[str, Shape | None] | None = None,
) -> Written:
    """The operation of node `name` on operands already written; a leaf is its own name.

    Where `shapes` say that two arrays are multiplied, the sign is that of a product of their elements.
    """
    node = document.nodes[name]
    if node.is_leaf:
        return Written(latex_name(name) if latex else name)
    primitive = operation(document, node.op)
    if primitive is None:
        op = upright(node.op) if latex else node.op
        return Written(f"{op}({listed([operand.text for operand in operands], latex)})", CALL)
    operands = operands + [OPEN_SLOT] * (len(primitive.slots) - len(operands))
    if shapes is not None and node.op == "multiply" and all(shapes.get(str(source)) for source in node.inputs):
        return OF_ELEMENTS.write(operands, latex)
    if not primitive.attributes:
        return primitive.notation.write(operands, latex)
    known = {one.name: node.attributes.get(one.name, one.default) for one in primitive.attributes}
    shown = {key: str(value) if isinstance(value, str | int | list) else "?" for key, value in known.items()}
    call = primitive.notation.write(operands, latex, {key: elided(text, MAX_IN_FORMULA) for key, text in shown.items()})
    return _over_axes(call, known, shapes.get(str(node.inputs[0]))) if latex and shapes and node.inputs else call


def _over_axes(call: Written, attributes: Mapping[str, Any], shape: Shape | None) -> Written:
    """The call of a reduction in LaTeX, with the axes that it goes over below its sign."""
    axis = attributes.get("axis")
    if axis is None or "keepdims" not in attributes or shape is None:
        return call
    from cadena.core.ops.reduction import reduced_axes

    words = axes_text(reduced_axes(shape, axis), len(shape))
    below = rf"\1_{{\\text{{{words}}}}} \\,"
    return Written(REDUCTION.sub(below, call.text), call.binding) if words else call


def call(graph: Run | Document, name: str, latex: bool = False) -> Written:
    """The definition of a node by its operands' names: w0 · a1."""
    document = graph.program.document if isinstance(graph, Run) else graph
    sources = document.nodes[name].inputs
    operands = [written_name(document, source, latex) if source else OPEN_SLOT for source in sources]
    return _call(document, name, operands, latex, graph.plan.shapes_by_name if isinstance(graph, Run) else None)


def _call_figures(item: Instruction, operands: list[np.ndarray], value: Any) -> Figures:
    """The figures with which a node's operands are shown beside its value."""
    return figures(computing(item.primitive, item.attributes), operands, value)


def computing(primitive: Primitive, attributes: Mapping[str, Any]) -> Callable[..., Any]:
    """What computes the value of an operation for `figures`, whose numbers are exact ones in longdouble."""
    rule = primitive.value

    def in_float64(*operands: Any) -> Any:
        return rule(*(np.asarray(operand, np.float64) for operand in operands), **attributes)

    return rule if isinstance(rule, np.ufunc) else in_float64  # which is all that other rules take


def call_with_numbers(run: Run, name: str, latex: bool = False, mark: Any = None) -> str:
    """The definition of a node by its operands' values, with the relation to the result: "2 · 4 =". `mark` wraps each
    number, for example in a colour."""
    item = run.instruction_of[run.plan.index[name]]
    operands = run.operands(item)
    shown = _call_figures(item, operands, run.value(name))
    numbers = [written_number(operand, latex, shown) for operand in operands]
    marked = [Written(mark(number.text), number.binding) for number in numbers] if mark else numbers
    written = _call(run.program.document, name, marked, latex, run.plan.shapes_by_name)
    parenthesised = rf"\left({written.text}\right)" if latex else f"({written.text})"  # (12 > 0) = 1
    return f"{parenthesised if written.binding == COMPARE else written.text} {shown.relation(latex)}"


def plain_call(graph: Run | Document, name: str) -> str:
    """The definition of a node in plain text: "w0 · a1"."""
    return call(graph, name).text


def latex_call(graph: Run | Document, name: str) -> str:
    r"""The definition of a node in LaTeX: "w_{0} \cdot a_{1}"."""
    return call(graph, name, latex=True).text


def latex_definition(graph: Run | Document, name: str) -> str:
    """A node and its definition as an equation in LaTeX; of an element, whose name says it already, the name alone."""
    return " = ".join(dict.fromkeys((shown_latex(graph, name), latex_call(graph, name))))
