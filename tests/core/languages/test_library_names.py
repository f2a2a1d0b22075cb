"""What libraries call the operations."""

from __future__ import annotations

import pytest

from cadena.core.languages.library_names import operations_called


@pytest.mark.parametrize(
    ("name", "op"),
    [("torch.mm", "matmul"), ("reduce_sum", "sum"), ("tf.math.log", "log"), ("np.dot", "dot"), ("F.RELU", "relu")],
)
def test_a_function_of_a_library_is_an_operation(name, op):
    assert operations_called(name)[0] == op


def test_helpers_of_exported_programs_are_not_what_libraries_have():
    assert operations_called("apply") == operations_called("soft_cross_entropy") == operations_called("") == ()
