"""A doctor for numbers: where they went bad and by which rule, and where finite ones are not to be trusted.

`number_faults`: every inf and nan where it was born, not where it was inherited; quick when there is none.
`hints`: gradients that vanished silently, dead relus, gradients that vanish or explode by layer; lost digits if asked.
Both are quick where all is well: nearly every run ends with a look at a few numbers (`spreading`, `suspects`).
`core.mends` says what would mend either.
"""
