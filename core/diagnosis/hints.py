"""All hints of a run together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.diagnosis.digits import lost_digits
from core.diagnosis.layers import layer_hints
from core.diagnosis.marks import all_finite
from core.diagnosis.vanishing import vanished
from core.fault import Fault

if TYPE_CHECKING:
    from core.program import Run


def hints(run: Run, digits: bool = True) -> tuple[Fault, ...]:
    """What to know about finite numbers: gradients that vanished, relus that are dead, layers, and lost digits.

    Looking for lost digits costs one more run in a wider number type, the others next to nothing where all is well;
    leave it out with `digits`. A node with a finding of the first kind is not named again for its digits.
    """
    found = [*vanished(run), *layer_hints(run)]
    if digits and all_finite(run):
        named = {hint.node for hint in found}
        found += [hint for hint in lost_digits(run) if hint.node not in named]
    return tuple(found)
