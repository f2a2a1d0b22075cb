"""Names of single elements in LaTeX: W with the indices 0, 1 below."""

from __future__ import annotations

import numpy as np

from cadena.core.notation.calls import latex_name


def latex_element(name: str, index: int, shape: tuple[int, ...]) -> str:
    """The element at the flat `index` of a leaf; the leaf itself where it is a single number."""
    stem = latex_name(name)
    if not shape:
        return stem
    place = ", ".join(str(int(item)) for item in np.unravel_index(index, shape))
    return rf"{{{stem}}}_{{{place}}}"
