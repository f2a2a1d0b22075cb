"""A doctor for numbers: where they went bad and by which rule, and where finite ones are not to be trusted.

`number_faults`: every inf and nan where it was born, not where it was inherited; quick when there is none.
`hints`: gradients that vanished silently, dead relus, gradients that vanish or explode by layer; lost digits if asked.
The first is quick where all is well, as every run ends with it: `Findings.all_finite` looks at a few numbers that tell
for all. Hints are looked for in a thread. `core.doctor.fixes` says what would fix either.
"""
