"""Differentiation by symbols: its record, expressions, answer, timeline, words."""

from cadena.core.methods.record import MethodRecord, Precision, Variant

RECORD = MethodRecord(
    "symbolic",
    "Symbols",
    "the output is written as an expression and differentiated",
    "the expressions",
    (Variant("symbolic", precision=Precision.EXACT),),
    follows="expressions follow",
    former_name="symbols",
)
