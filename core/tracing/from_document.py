"""A document, or a function in it, as a Python function to be differentiated like numpy code, to any order."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import numpy as np

from cadena.core.functions.calls import operations
from cadena.core.graph import order as graph
from cadena.core.graph.document import Document, as_array
from cadena.core.graph.fault import Refused, why_stopped
from cadena.core.run.plan import Plan, make_plan
from cadena.core.tracing.trace import as_argument
from cadena.core.tracing.traced import apply


class DocumentFunction:
    """The output of a document as a function of the leaves `names`, whose own values are `values`."""

    def __init__(self, document: Document, plan: Plan, names: tuple[str, ...]) -> None:
        assert plan.output is not None
        self.__name__, self.names, self.dtype = plan.names[plan.output], names, np.dtype(document.dtype)
        needed = graph.ancestors(document, self.__name__)
        self._plan = plan
        self._instructions = [item for item in plan.instructions if plan.names[item.out] in needed]
        self._leaves: dict[int, Any] = {
            leaf: self._cast(as_array(document.nodes[plan.names[leaf]].value))  # type: ignore[arg-type]
            for leaf in plan.leaves
        }
        self.values = tuple(self._leaves[plan.index[name]] for name in names)

    def __call__(self, *args: Any) -> Any:
        """The value of the output; leaves for which no argument is given keep their values.

        Raises Refused for more arguments than leaves, and for one of another shape than its leaf.
        """
        if len(args) > len(self.names):
            raise Refused(
                "{function} is a function of {names}",
                "give no more than these",
                function=self.__name__,
                names=", ".join(self.names),
            )
        values = dict(self._leaves)
        for name, own, argument in zip(self.names, self.values, args, strict=False):
            if np.shape(argument) != np.shape(own):
                shapes = f"{np.shape(own)}, the new value {np.shape(argument)}"
                raise Refused("{name} has shape {shapes}", "give one of equal shape", name=name, shapes=shapes)
            values[self._plan.index[name]] = self._cast(argument)
        with np.errstate(all="ignore"):
            for out, primitive, operands, attributes, _ in self._instructions:
                values[out] = apply(primitive, [values[operand] for operand in operands], attributes)
        return values[self._plan.index[self.__name__]]

    def _cast(self, value: Any) -> Any:
        """A value in the number type of the document, as in a run."""
        array = as_argument(value)
        with np.errstate(over="ignore"):  # 1e300 is inf in float32
            return (array if array.dtype == self.dtype else array.astype(self.dtype))[()]


def as_function(document: Document, output: str | None = None, wrt: Collection[str] | None = None) -> DocumentFunction:
    """The output (default: the document's own) as a function of the leaves that have a gradient, or of `wrt`.

    f = cadena.as_function(document)
    cadena.hessian(f, (0, 1))(*f.values)  # f.names says which leaf is which

    Raises Refused where the output cannot run, and for names that are no leaves of the graph.
    """
    output = document.output if output is None else output
    wrt = [wrt] if isinstance(wrt, str) else wrt
    if output is None:
        raise Refused("the graph has no output", "choose the node that is to be a function")
    if odd := next((name for name in (output, *(wrt or ())) if name not in document.nodes), None):
        raise Refused("there is no node {odd}", "choose one of the graph's nodes", odd=odd)
    names = [name for name, node in document.nodes.items() if node.wants_gradient] if wrt is None else list(wrt)
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise Refused("wrt names {twice} twice", "name each leaf once", twice=twice)
    if inner := next((name for name in names if not document.nodes[name].is_leaf), None):
        raise Refused("{inner} is not a leaf", "choose parameters, inputs or constants", inner=inner)
    plan = make_plan(document, output, wrt)
    if empty := next((name for name in names if plan.shapes[plan.index[name]] is None), None):
        raise Refused("{empty} has no value", "give it one", empty=empty)
    if plan.output is None:
        ancestors = graph.ancestors(document, output)
        what = "{output} has no value, so it is not a function: {why}"
        raise Refused(what, output=output, why=why_stopped(plan.faults, ancestors))
    return DocumentFunction(document, plan, tuple(names))


def call(document: Document, name: str) -> Callable[..., Any]:
    """A function of the document as a Python function of arrays, or of traced values. Raises KeyError without one."""
    record = operations(document.functions)[name]
    return lambda *operands: apply(record, operands)
