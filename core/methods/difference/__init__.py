"""Small differences: their record, quotients, the best step, the complex step; answer, timelines, words."""

from cadena.core.methods.record import MethodRecord, Precision, Variant

KINDS = {"forward": "forward difference", "central": "central difference", "complex": "complex step"}

RECORD = MethodRecord(
    "difference",
    "Differences",
    "the graph runs with one leaf perturbed: forward, central or complex step",
    "the differences",
    (
        Variant(KINDS["forward"], {"kind": "forward"}, shows_error=True),
        Variant(KINDS["central"], {"kind": "central"}, shows_error=True),
        Variant(KINDS["complex"], {"kind": "complex"}, Precision.DOUBLE),
    ),
    follows="differences follow",
    options=("kind", "step_size", "along"),
    former_name="differences",
)
