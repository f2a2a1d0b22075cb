"""Graphs from plain numpy code: `trace` runs a function on traced values; grad, vjp, jvp and the rest stand on it."""

from core.tracing.checking import check_grads
from core.tracing.from_document import as_function
from core.tracing.trace import Trace, trace
from core.tracing.traced import Traced, is_traced
from core.tracing.transforms import grad, hessian, hvp, jacobian, jvp, value_and_grad, vjp

__all__ = [
    "Trace",
    "Traced",
    "as_function",
    "check_grads",
    "grad",
    "hessian",
    "hvp",
    "is_traced",
    "jacobian",
    "jvp",
    "trace",
    "value_and_grad",
    "vjp",
]
