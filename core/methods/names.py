"""The methods and what they are called: one vocabulary for the window, the command line, files and Python."""

from __future__ import annotations

from dataclasses import dataclass

# Name -> what it does.
METHODS = {
    "reverse": "one pass back through the graph gives all gradients",
    "forward": "value and derivative together, one pass for each element of each leaf",
    "difference": "the graph is run with one leaf moved a little: forward, central or complex step",
    "symbolic": "the output written out as an expression, and differentiated",
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
