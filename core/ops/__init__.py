"""The operations, one family a file; importing this package fills the table `core.primitive.REGISTRY`."""

from core.ops import (
    activation,
    arithmetic,
    elementary,
    linear_algebra,
    logarithmic_sums,
    reduction,
    rounding,
    shaping,
    special,
    trigonometry,
)

# In the order of the palette.
FAMILIES = (
    arithmetic,
    elementary,
    logarithmic_sums,
    trigonometry,
    activation,
    reduction,
    linear_algebra,
    shaping,
    rounding,
    special,
)
CATEGORIES = tuple(dict.fromkeys(family.CATEGORY for family in FAMILIES))
