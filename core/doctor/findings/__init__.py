"""A doctor for numbers: where they went bad and by which rule, and which finite ones are unreliable.

`number_faults`: every inf and nan at its origin, not where it was inherited; quick when there is none.
`hints`: gradients that vanished silently, dead relus, gradients that vanish or explode by layer; lost digits if asked.
The first is quick where no number is bad, as every run ends with it: `Findings.all_finite` checks a few numbers that
prove the others finite. Hints are computed in a thread. `core.doctor.fixes` proposes fixes for either.
"""
