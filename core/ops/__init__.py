"""The operations, one family a file; importing this package fills the table `cadena.core.ops.primitive.REGISTRY`."""

from types import ModuleType

from cadena.core.ops import (
    activation,
    arithmetic,
    classification,
    contractions,
    convolution,
    decompositions,
    diagonals,
    differences,
    dropout,
    einsum,
    elementary,
    embedding,
    extremes,
    gated,
    joining,
    linear_algebra,
    logarithmic_sums,
    loss,
    magnitudes,
    normalization,
    pooling,
    products,
    rearranging,
    reduction,
    rounding,
    selection,
    shaping,
    softmax,
    solving,
    special,
    trigonometry,
)
from cadena.core.ops.primitive import Primitive

# In the order of the palette: what lessons begin with comes first.
FAMILIES = (
    arithmetic,
    elementary,
    logarithmic_sums,
    trigonometry,
    activation,
    gated,
    softmax,
    reduction,
    extremes,
    products,
    magnitudes,
    linear_algebra,
    contractions,
    einsum,
    solving,
    decompositions,
    diagonals,
    loss,
    classification,
    shaping,
    rearranging,
    joining,
    selection,
    differences,
    convolution,
    pooling,
    normalization,
    dropout,
    embedding,
    rounding,
    special,
)
CATEGORIES = tuple(dict.fromkeys(family.CATEGORY for family in FAMILIES))


def _records(family: ModuleType) -> list[Primitive]:
    """The records of a file, without those that it imports from another family."""
    records = [item for item in vars(family).values() if isinstance(item, Primitive)]
    return [record for record in records if record.category == family.CATEGORY]


def in_order() -> tuple[Primitive, ...]:
    """All operations, family by family in the order of `FAMILIES`, each family in the order of its file."""
    own = {record.name: record for family in FAMILIES for record in _records(family)}
    return tuple(own.values())
