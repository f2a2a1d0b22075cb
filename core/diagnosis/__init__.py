"""A doctor for numbers: where they went bad and by which rule, and where finite ones are not to be trusted.

`number_faults`: every inf and nan where it was born, not where it was inherited; quick when there is none.
`hints`: gradients that vanished silently, dead relus, gradients that vanish or explode by layer; lost digits if asked.
Both are quick where all is well: nearly every run ends with a look at a few numbers (`spreading`, `suspects`).
`core.mends` says what would mend either.
"""

from core.diagnosis.births import number_faults
from core.diagnosis.digits import lost_digits
from core.diagnosis.hints import hints
from core.diagnosis.layers import Layer, by_layer
from core.diagnosis.vanishing import vanished

__all__ = ["Layer", "by_layer", "hints", "lost_digits", "number_faults", "vanished"]
