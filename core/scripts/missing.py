"""Names that a library of scripts lacks: the sentence, with the name that may have been meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def missing(owner: str, name: str, known: Iterable[str]) -> AttributeError:
    """The error for a name that `owner`, such as torch.nn, does not have here."""
    names = [item for item in known if not item.startswith("_")]
    close = difflib.get_close_matches(name, names, 1, 0.6) or difflib.get_close_matches(name.lower(), names, 1, 0.6)
    advice = f"did you mean {close[0]}?" if close else "write it with names that are"
    return AttributeError(f"{owner}.{name} is not known here; {advice}")
