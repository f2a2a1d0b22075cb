"""All hints of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cadena.core.doctor.findings.digits import lost_digits, lost_leaves
from cadena.core.doctor.findings.findings import Findings
from cadena.core.doctor.findings.layers import layer_hints
from cadena.core.doctor.findings.recorded import recorded_values
from cadena.core.graph.fault import Fault

if TYPE_CHECKING:
    from cadena.core.run.program import Run


def hints(run: Run, digits: bool = False) -> tuple[Fault, ...]:
    """Hints at finite but unreliable numbers: vanished gradients, dead relus, layers, values that were only
    recorded, and lost digits.

    Lost digits are searched only with `digits`, as that is another run, in a wider number type. A node with a
    finding of the first kinds is not named again for its digits. Beside bad numbers, leaves that the number type made 0
    are told, which may be why.
    """
    findings, records = Findings(run), list[Fault]()
    if findings.without_gradient:  # which is rare: what goes to the bottom of it is not even imported
        from cadena.core.doctor.findings.vanishing import vanished

        records += vanished(run)
    records += layer_hints(findings)
    records += recorded_values(run.program.document)
    if not findings.all_finite:
        records += lost_leaves(run)
    elif digits:
        named = {hint.node for hint in records}
        records += [hint for hint in lost_digits(run) if hint.node not in named]
    return tuple(records)
