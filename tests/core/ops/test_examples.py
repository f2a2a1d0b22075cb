"""The examples of all operations that are not elementwise: shapes, derivatives, number types."""

from typing import Any

import pytest

from cadena.core.ops import (
    classification,
    contractions,
    convolution,
    decompositions,
    diagonals,
    differences,
    dropout,
    einsum,
    embedding,
    extremes,
    joining,
    linear_algebra,
    loss,
    magnitudes,
    normalization,
    pooling,
    products,
    rearranging,
    reduction,
    selection,
    softmax,
    solving,
)
from tests.core.ops import checks
from tests.thorough import in_turn

CASES = checks.cases(
    classification, contractions, convolution, decompositions, diagonals, differences, dropout, einsum, embedding,
    extremes, joining, linear_algebra, loss, magnitudes, normalization, pooling, products, rearranging, reduction,
    selection, softmax, solving
)  # fmt: skip


@in_turn("case", CASES)
@pytest.mark.parametrize("check", checks.ALL)
def test_examples(case: Any, check: Any) -> None:
    check(case)


@pytest.mark.parametrize("dtype", ["float32", "float16"])
@in_turn("case", CASES)
def test_dtype_is_kept(case: Any, dtype: str) -> None:
    checks.check_dtype(case, dtype)
