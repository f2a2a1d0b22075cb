"""Functions: named subgraphs used as nodes, with an optional custom gradient.

`calls` makes an operation of each and `body` walks their subgraphs; `edits` makes and changes them, `opening` steps
inside.
"""

from core.functions.body import FunctionFault
from core.functions.calls import Call, call, operation, operations, used_functions

__all__ = ["Call", "FunctionFault", "call", "operation", "operations", "used_functions"]
