"""PyTorch's own database of its operators (OpInfo), captured: value and gradients of each one's first samples.

An operator agrees, or the graph says that it holds a recorded value or cannot be captured. None differs, none raises.
Who makes one of the lists below agree takes it off the list, which a test asks for: the lists only become shorter.
"""

from __future__ import annotations

import functools
import random
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import cadena
from cadena.core.ops.selection import TWICE
from tests.thorough import some

torch = pytest.importorskip("torch")
pytest.importorskip("expecttest")  # which the database needs
pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]
SAMPLES, PARTS = 6, 24

# Operators of which a sample is a recorded value, and the notes say so.
OPAQUE = frozenset(
    """
    _batch_norm_with_update _native_batch_norm_legit _segment_reduce.lengths _segment_reduce.offsets
    _upsample_bilinear2d_aa as_strided.partial_views as_strided_scatter cholesky erfinv fft.hfft fft.hfft2
    fft.hfftn fft.irfft fft.irfft2 fft.irfftn frexp gather grid_sampler_3d i0 index_reduce.amax
    index_reduce.amin index_reduce.mean index_reduce.prod linalg.eigh linalg.eigvalsh linalg.householder_product
    linalg.lstsq linalg.lstsq.grad_oriented linalg.lu linalg.lu_factor linalg.lu_factor_ex linalg.lu_solve
    linalg.pinv.hermitian linalg.qr lu lu_solve lu_unpack masked_scatter matrix_exp native_group_norm
    native_layer_norm nextafter nn.functional.avg_pool3d nn.functional.ctc_loss nn.functional.embedding_bag
    nn.functional.group_norm nn.functional.layer_norm nn.functional.linear_cross_entropy.chunked
    nn.functional.linear_cross_entropy.chunked_none nn.functional.multilabel_margin_loss nn.functional.rrelu
    ormqr pca_lowrank qr scatter_reduce.amax scatter_reduce.amin scatter_reduce.prod special.erfcx special.i0e
    special.i1 special.i1e special.log_ndtr special.ndtri stft svd_lowrank take_along_dim
    """.split()
)
# Operators of which a sample cannot be captured, and a sentence says why: sparse tensors and bfloat16.
REFUSED = frozenset("bfloat16 sparse.mm.reduce sparse.sampled_addmm to_sparse".split())


@functools.cache
def operators() -> list[Any]:
    """Those with gradients, in the database's order."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from torch.testing._internal.common_methods_invocations import op_db

    return [item for item in op_db if item.supports_autograd and torch.float64 in item.dtypes]


def name_of(operator: Any) -> str:
    return f"{operator.name}.{operator.variant_test_name}".rstrip(".")


def _seed(number: int) -> None:
    torch.manual_seed(number)
    random.seed(number)
    np.random.seed(number)


def _weighted(result: Any) -> Any:
    """The first result with a gradient as one number, to which each element counts otherwise; None without one."""
    while isinstance(result, tuple | list):
        result = next((item for item in result if getattr(item, "requires_grad", False)), None)
    if not isinstance(result, torch.Tensor) or not result.is_floating_point() or not result.requires_grad:
        return None
    weights = torch.linspace(0.5, 1.5, result.numel(), dtype=result.dtype)
    return (result * weights.reshape(result.shape)).sum()


def _tensors(item: Any) -> Iterator[Any]:
    if isinstance(item, torch.Tensor):
        yield item
    elif isinstance(item, dict | tuple | list):
        for part in item.values() if isinstance(item, dict) else item:
            yield from _tensors(part)


def verdicts(operator: Any) -> Iterator[str]:
    """Of each sample: "", "opaque", "refused", or in which way it differs from PyTorch."""
    _seed(0)
    for sample in list(operator.sample_inputs("cpu", torch.float64, requires_grad=True))[:SAMPLES]:

        def loss(*leaves: Any, sample: Any = sample) -> Any:
            _seed(1)
            return _weighted(operator(sample.input, *sample.args, **sample.kwargs))

        try:
            expected = loss()
        except (RuntimeError, NotImplementedError):  # the database has samples that this build cannot compute
            continue
        if expected is None or not torch.isfinite(expected):
            continue
        given = [item for item in _tensors([sample.input, sample.args, sample.kwargs]) if item.requires_grad]
        try:
            captured = cadena.capture(loss, *(item for item in given if item.is_leaf))
            agreement = captured.check()
        except cadena.Refused:
            yield "refused"
        else:
            yield "opaque" if {*captured.notes} - {TWICE} else "" if agreement else str(agreement)


@pytest.mark.parametrize("part", range(PARTS))
def test_pytorchs_own_operators_agree_or_say_why_not(part):
    for operator in some(operators()[part::PARTS], kind=lambda _: part, most=3):
        name, found = name_of(operator), list(verdicts(operator))
        if found:
            worst = max(found, key=lambda verdict: (verdict not in ("", "opaque", "refused"), verdict))
            listed = "opaque" if name in OPAQUE else "refused" if name in REFUSED else ""
            assert worst == listed, f"{name}: {worst or 'it agrees now: take it off the list'}"


def test_every_operator_that_does_not_agree_is_in_the_database():
    assert {name_of(item) for item in operators()} >= OPAQUE | REFUSED
