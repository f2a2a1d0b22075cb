"""The methods and what they are called: one vocabulary for the window, the command line, files and Python."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Words(NamedTuple):
    """A method in words: what it does, its title, what it computes, and what follows an edit at once."""

    tip: str
    title: str
    work: str
    follows: str = ""


# In the order of menus and tables. A method is the folder of its name: `steps.py` has its timeline, `steps(run, method,
# whole, cancelled)`, and `answer.py` its gradients, a function of its name of (run, elements, cancelled).
METHODS = {
    "reverse": Words("one pass back through the graph gives all gradients", "Reverse mode", "the gradients"),
    "forward": Words(
        "value and derivative together, one pass for each element of each leaf",
        "Forward mode",
        "the tangents",
        "forward mode follows",
    ),
    "difference": Words(
        "the graph is run with one leaf moved a little: forward, central or complex step",
        "Differences",
        "the differences",
        "differences follow",
    ),
    "symbolic": Words(
        "the output written out as an expression, and differentiated",
        "Symbols",
        "the expressions",
        "expressions follow",
    ),
}
FORMER = {"differences": "difference", "symbols": "symbolic"}  # in files of before
KINDS = {"forward": "forward difference", "central": "central difference", "complex": "complex step"}
VECTORS = "derivative vectors"  # forward mode with several tangents in a pass


@dataclass(frozen=True)
class Method:
    """A way to differentiate, one of METHODS.

    Differences move one element, the one at the flat `index` of `leaf` (None: the first wanted leaf) by `step` (None:
    the best one); their `kind` is one of KINDS. Forward mode carries `width` tangents in a pass: 1 makes dual numbers,
    more derivative vectors, None is all of them.
    """

    name: str = "reverse"
    leaf: str | None = None
    index: int = 0
    step: float | None = None
    kind: str = "central"
    width: int | None = 1
