"""Remarks at points where a library's derivative is another one than that of Cadena's own operation."""

from __future__ import annotations

from typing import Any

import numpy as np

from cadena.core.scripts.tape import note_unlike
from cadena.core.tracing.traced import plain

OF_ROOT = (
    "the {name} is 0 here, at which its gradient in {library} is nan, and so in the graph: Cadena's own {name} takes 0 "
    "there by convention; a sum of squares has a gradient"
)


def steep_root(root: Any, name: str, library: str) -> Any:
    """A square root that is the last step of a norm or a standard deviation, with a remark where it is 0."""
    if not np.all(plain(getattr(root, "array", root))):
        note_unlike(OF_ROOT.format(name=name, library=library))
    return root
