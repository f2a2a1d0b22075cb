"""Forward mode: its record, its answer, its timelines, their words."""

from cadena.core.methods.record import MethodRecord, Precision, Variant

VECTORS = "derivative vectors"  # several tangents in a pass; a vector of one is a dual number

RECORD = MethodRecord(
    "forward",
    "Forward mode",
    "value and derivative together, one pass for each element of each leaf",
    "the tangents",
    (
        Variant("forward", {"width": 1}, Precision.RULES, uses_rules=True, is_repeated=True),
        Variant(
            VECTORS,
            {"width": None},
            Precision.RULES,
            uses_rules=True,
            has_own_numbers=False,
            is_repeated=True,
            min_elements=2,
        ),
    ),
    follows="forward mode follows",
    options=("width",),
)
