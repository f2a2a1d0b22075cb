"""Ways to differentiate, side by side: reverse mode, forward mode, differences, complex step and symbols.

run = core.compile(document).run()
reverse(run), forward(run), differences(run, "central"), symbols(run)  # an Answer each
compare(document).verdict  # which to believe
compare_node(run, "m").verdict  # the same for any node: the graph is cut there
sweep(document, "x").errors  # the V of truncation and rounding
"""

from core.methods.answer import Answer, Cancelled
from core.methods.compare import Comparison, Row, compare, compare_run
from core.methods.cutting import compare_node, cut, effort
from core.methods.differences import KINDS, differences
from core.methods.expressions import Expressions, NoForm
from core.methods.forward import forward
from core.methods.reverse import reverse
from core.methods.sweep import Sweep, sweep
from core.methods.symbols import Size, growth, symbols

__all__ = [
    "KINDS",
    "Answer",
    "Cancelled",
    "Comparison",
    "Expressions",
    "NoForm",
    "Row",
    "Size",
    "Sweep",
    "compare",
    "compare_node",
    "compare_run",
    "cut",
    "differences",
    "effort",
    "forward",
    "growth",
    "reverse",
    "sweep",
    "symbols",
]
