"""The operations, one family a file, which `cadena.core.ops.primitive.REGISTRY` imports when they are looked up."""

from functools import cache
from importlib import import_module
from types import ModuleType

# In the order of the palette, and of look-ups: what lessons begin with comes first.
_NAMES = """
    arithmetic elementary logarithmic_sums trigonometry activation gated softmax reduction extremes products
    magnitudes linear_algebra contractions einsum solving decompositions diagonals loss classification shaping
    rearranging joining comparison selection differences convolution pooling normalization dropout embedding rounding
    special
"""
FAMILIES = tuple(f"{__name__}.{name}" for name in _NAMES.split())


@cache
def families() -> tuple[ModuleType, ...]:
    """All of them, imported."""
    return tuple(map(import_module, FAMILIES))
