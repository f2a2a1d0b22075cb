"""The operations, one family a file; importing this package fills the table `core.primitive.REGISTRY`."""

from core.ops import activation, arithmetic, elementary, linear_algebra, reduction, shaping, trigonometry

FAMILIES = (arithmetic, elementary, trigonometry, activation, reduction, linear_algebra, shaping)
CATEGORIES = tuple(dict.fromkeys(family.CATEGORY for family in FAMILIES))
