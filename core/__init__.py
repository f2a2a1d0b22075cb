"""Cadena's engine: graphs, their values and their gradients. numpy only; no window, no Qt.

document = core.load("x.cadena")
run = core.compile(document).run({"w0": 2.0})
run.value("L"), run.gradient("w0"), run.timeline
"""

import core.ops  # noqa: F401  fills the table of operations
from core.document import Document, Node
from core.fault import Fault, Refused
from core.program import Program, Run, compile
from core.storage import load, save

__all__ = ["Document", "Fault", "Node", "Program", "Refused", "Run", "compile", "load", "save"]
