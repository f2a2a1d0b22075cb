"""Cadena's engine: graphs, their values and their gradients. numpy only; no window, no Qt.

document = core.load("x.cadena")
run = core.compile(document).run({"w0": 2.0})
run.value("L"), run.gradient("w0"), run.timeline

made = core.trace(lambda w: np.sum(np.sin(w) ** 2), w)  # plain numpy code in, graph out
made.value, made.vjp(1.0), made.document

core.hessian(core.as_function(document))(2.0)  # a document is a function of its parameters, for grad and the others
"""

import core.ops  # noqa: F401  fills the table of operations
from core.document import Document, Node
from core.fault import Fault, Refused
from core.program import Program, Run, compile
from core.storage import load, save
from core.tracing import (
    as_function,
    check_grads,
    grad,
    hessian,
    hvp,
    is_traced,
    jacobian,
    jvp,
    trace,
    value_and_grad,
    vjp,
)

__all__ = [
    "Document",
    "Fault",
    "Node",
    "Program",
    "Refused",
    "Run",
    "as_function",
    "check_grads",
    "compile",
    "grad",
    "hessian",
    "hvp",
    "is_traced",
    "jacobian",
    "jvp",
    "load",
    "save",
    "trace",
    "value_and_grad",
    "vjp",
]
