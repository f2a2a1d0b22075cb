"""What the output does when a number grows by 1, beside what its gradient says."""

from __future__ import annotations

import math

from cadena.core.graph.fault import Refused
from cadena.core.methods.cutting import cut
from cadena.core.methods.landscape import Landscape, LeafElement
from cadena.core.run.program import Run
from cadena.core.text.numbers import figures, short

MOST_NODES = 2000  # of a graph that is run once more for one sentence
EXACT = 1e-9  # of the change: how far it may be from the gradient
EXACTLY = "{output} {moves} from {before} to {after}: by {change}, exactly."
ABOUT = "{output} {moves} from {before} to {after}: by {change}; the gradient says {gradient}."
STAYS = "{output} stays {before}."


def growth_sentence(run: Run, name: str) -> str:
    """ "L falls from −254 to −261: by 7, exactly."; "" for arrays, faults and what has no gradient of the output."""
    output, gradient, value = run.program.output, run.gradient(name), run.value(name)
    if output is None or gradient is None or value is None or len(run.plan.names) > MOST_NODES:
        return ""
    if value.ndim or gradient.ndim or run.target != output or name == output:
        return ""
    try:
        landscape = Landscape(cut(run, name), [LeafElement(name)])
    except Refused:
        return ""
    before, after = landscape.height([float(value)]), landscape.height([float(value) + 1.0])
    if not (math.isfinite(before) and math.isfinite(after)):
        return ""
    change = after - before
    digits = figures(lambda one, other: other - one, (before, after), change).digits
    words = {"output": output, "before": short(before, digits), "after": short(after, digits)}
    words |= {"moves": "rises" if change > 0 else "falls", "change": short(abs(change)), "gradient": short(gradient)}
    if change == 0.0 == float(gradient):
        return STAYS.format(**words)
    is_exact = math.isclose(change, float(gradient), rel_tol=EXACT)
    return (EXACTLY if is_exact else ABOUT).format(**words)
