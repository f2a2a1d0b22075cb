"""The functions of scipy.special that operations need, by PyTorch: a project's own Python may have no scipy."""

from __future__ import annotations

from typing import Any

import numpy as np


def _by_torch(name: str, *operands: Any) -> Any:
    import torch

    arrays = [np.asarray(item) for item in operands]
    dtype = np.result_type(*(item for item in arrays if item.dtype.kind == "f"), np.float32)
    tensors = [torch.from_numpy(np.array(item, dtype)) for item in arrays]
    return getattr(torch.special, name)(*tensors).numpy()[()]


def erf(x: Any) -> Any:
    return _by_torch("erf", x)


def erfc(x: Any) -> Any:
    return _by_torch("erfc", x)


def gammaln(x: Any) -> Any:
    return _by_torch("gammaln", x)


def digamma(x: Any) -> Any:
    return _by_torch("digamma", x)


def zeta(s: Any, q: Any) -> Any:
    return _by_torch("zeta", s, q)
