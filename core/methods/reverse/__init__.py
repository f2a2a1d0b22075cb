"""Reverse mode: its record, its answer, its timeline, its words."""

from cadena.core.methods.record import MethodRecord, Precision, Variant

RECORD = MethodRecord(
    "reverse",
    "Reverse mode",
    "one pass back through the graph gives all gradients",
    "the gradients",
    (Variant("reverse", precision=Precision.RULES, uses_rules=True),),
    is_built_in=True,
)
