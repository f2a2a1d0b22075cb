"""Names that a library of scripts lacks: the sentence, with the name that may have been meant or what to do instead."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

LIKENESS = 0.65  # of names that are taken for typing errors of each other, from 0 to 1
NO_FILES = "leave it out, as scripts have no files"
PROCESSOR = "leave it out, as the processor computes all"
INSTEAD = {
    **dict.fromkeys(("save", "load", "savefig", "save_weights", "load_weights"), NO_FILES),
    **dict.fromkeys(("cuda", "mps", "pin_memory"), PROCESSOR),
    "make_jaxpr": "leave it out, the graph shows the operations",
    "MultiheadAttention": "write it with nn.Linear and softmax",
    **dict.fromkeys(("bernoulli", "multinomial"), "compare torch.rand with the probabilities"),
    "distributions": "write the density with functions of torch",
    "LBFGS": "take SGD or Adam",
}


def missing(owner: str, name: str, known: Iterable[str]) -> AttributeError:
    """The error for a name that `owner`, such as torch.nn, does not have here."""
    names = [item for item in known if not item.startswith("_")]
    close = difflib.get_close_matches(name, names, 1, LIKENESS) or difflib.get_close_matches(
        name.lower(), names, 1, LIKENESS
    )
    advice = INSTEAD.get(name) or (f"did you mean {close[0]}?" if close else "write it with other functions")
    return AttributeError(f"{owner}.{name} is not known here; {advice}")
