"""The methods and their names: one vocabulary for the window, the command line, files and Python."""

from __future__ import annotations

from dataclasses import dataclass

from cadena.core.methods import difference, forward, reverse, symbolic

# In the order of menus and tables.
METHODS = {record.name: record for record in (reverse.RECORD, forward.RECORD, difference.RECORD, symbolic.RECORD)}
REFERENCE = next(name for name, record in METHODS.items() if record.is_built_in)  # the others are compared with it
FORMER = {record.former_name: record.name for record in METHODS.values() if record.former_name}
VARIANTS = {variant.label: variant for record in METHODS.values() for variant in record.variants}


@dataclass(frozen=True)
class Method:
    """A way to differentiate, one of METHODS.

    Differences move one element, the one at the flat `index` of `leaf` (None: the first wanted leaf) by `step` (None:
    the best one); their `kind` is one of `difference.KINDS`. Forward mode carries `width` tangents a pass: 1 means dual
    numbers, more a derivatives vector, None all of them at once. Reverse mode makes `passes` backward passes, whose
    gradients accumulate; they are zeroed before pass `zero_before`, counted from 0.
    """

    name: str = REFERENCE
    leaf: str | None = None
    index: int = 0
    step: float | None = None
    kind: str = "central"
    width: int | None = 1
    passes: int = 1
    zero_before: int | None = None

    @property
    def is_built_in(self) -> bool:
        """Whether a run has the gradients and steps of this method itself."""
        return METHODS[self.name].is_built_in
