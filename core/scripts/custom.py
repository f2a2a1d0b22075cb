"""Operations whose gradient a script writes itself, as functions of a document with a custom gradient."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cadena.core.functions.calls import FunctionCall, operations
from cadena.core.functions.library_gradient import marked
from cadena.core.graph.document import Backward, Function, Node
from cadena.core.graph.edits import FreeNames
from cadena.core.ops.primitive import REGISTRY
from cadena.core.scripts.graph import Drawing, ancestors
from cadena.core.scripts.tape import ScriptTape
from cadena.core.tracing.traced import Traced


def custom(
    name: str,
    tape: ScriptTape,
    inputs: Sequence[Traced],
    result: Traced,
    upstream: Traced,
    parts: Sequence[Any],
    library: str = "",
) -> FunctionCall:
    """The operation `name`, recorded on a tape of its own: from `inputs` to `result`, from `upstream` to `parts`.

    A part is a value of the tape, numbers, or None where no gradient goes. It may be an operation as in a `library`.
    """
    if any(result.number == item.number for item in inputs):  # a function that only changes the gradient
        result = tape.record(REGISTRY["positive"], [result], {})
    free = FreeNames(())
    names = {item.number: free.fresh(tape.names.get(item.number, "x0")) for item in inputs}
    operands = tuple(names.values())
    forward, (output,) = _nodes(tape, [result], names, free)
    names = dict(zip(names, operands, strict=True)) | {result.number: output}
    names[upstream.number] = free.fresh("upstream")
    order = (*operands, output, names[upstream.number])
    backward, outputs = _nodes(tape, parts, names, free)
    assert output is not None
    function = Function(operands, forward, output, Backward(order, backward, tuple(outputs)))
    function = marked(function, library) if library else function
    title, number = name, 2
    while title in REGISTRY or FUNCTIONS.get(title, function) != function:
        title, number = f"{name}{number}", number + 1
    FUNCTIONS[title] = function
    return operations({**FUNCTIONS})[title]


FUNCTIONS: dict[str, Function] = {}  # those of the script so far


def _nodes(
    tape: ScriptTape, roots: Sequence[Any], known: dict[int, str], free: FreeNames
) -> tuple[dict[str, Node], list[Any]]:
    """The nodes behind some values, down to those that are `known`, and the names of the values."""
    drawing, root_names = Drawing(tape, known, free), list[Any]()
    for root in roots:
        if isinstance(root, Traced):
            for number in ancestors(tape, root.number, drawing.names):
                drawing.add(number, leaf="constant")
            root_names.append(drawing.names[root.number])
        else:
            root_names.append(None if root is None else drawing.constant(root))
    return drawing.nodes, root_names
