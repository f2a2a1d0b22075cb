"""The modules `torch`, `torch.autograd` and so on, by the names under which scripts import them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from cadena.core.scripts.library import Library
from cadena.core.scripts.pytorch import backward, table
from cadena.core.scripts.pytorch.composed import COMPOSED, COMPOSED_LINEAR
from cadena.core.scripts.pytorch.creating import CREATING
from cadena.core.scripts.pytorch.data import DATA, TORCH_UTILS
from cadena.core.scripts.pytorch.derivatives import AUTOGRAD_FUNCTIONAL, gradcheck
from cadena.core.scripts.pytorch.dtypes import BY_NAME, DTYPES, Device, DType
from cadena.core.scripts.pytorch.function import Function
from cadena.core.scripts.pytorch.functional import FUNCTIONAL
from cadena.core.scripts.pytorch.initial import INIT, UTILS
from cadena.core.scripts.pytorch.layers import NN
from cadena.core.scripts.pytorch.measures import cdist
from cadena.core.scripts.pytorch.methods import Tensor
from cadena.core.scripts.pytorch.optimizers import OPTIM
from cadena.core.scripts.pytorch.schedules import LR_SCHEDULER
from cadena.core.scripts.pytorch.selecting import FUNCTIONS
from cadena.core.scripts.pytorch.state import STATE
from cadena.core.scripts.pytorch.tensor import Core, Size
from cadena.core.scripts.pytorch.transforms import FUNC, vmap


def _variable(data: Any, requires_grad: bool = False, volatile: bool = False) -> Any:
    """torch.autograd.Variable, which has long been the tensor itself."""
    if requires_grad:
        data.requires_grad = True
    return data


def _look_up(prefix: str) -> Callable[[str], Any]:
    return lambda name: table.function(f"{prefix}.{name}")


def _listed(prefix: str) -> Callable[[], list[str]]:
    return lambda: table.known(prefix)


def _set_default_dtype(dtype: DType) -> None:
    STATE.dtype = dtype.numpy


def _is_tensor(value: Any) -> bool:
    return isinstance(value, Core)


def _numel(tensor: Core) -> int:
    return int(tensor.array.size)


AUTOGRAD = Library(
    "torch.autograd",
    {
        "Variable": _variable,
        "grad": backward.grad,
        "backward": backward.backward,
        "Function": Function,
        "functional": AUTOGRAD_FUNCTIONAL,
        "gradcheck": gradcheck,
    },
)
CUDA = Library(
    "torch.cuda", {"is_available": lambda: False, "device_count": lambda: 0, "manual_seed": lambda seed: None}
)
DISTRIBUTED = Library("torch.distributed", {"is_available": lambda: False})
LINEAR = {"norm": FUNCTIONS["norm"], **COMPOSED_LINEAR}
LINALG = Library("torch.linalg", LINEAR, _look_up("torch.linalg"), _listed("torch.linalg"))
SPECIAL = Library("torch.special", {}, _look_up("torch.special"), _listed("torch.special"))
TORCH = Library(
    "torch",
    {
        **BY_NAME,
        **CREATING,
        **FUNCTIONS,
        **COMPOSED,
        "Tensor": Tensor,
        "Size": Size,
        "dtype": DType,
        "device": Device,
        "pi": math.pi,
        "e": math.e,
        "inf": math.inf,
        "nan": math.nan,
        "no_grad": backward.no_grad,
        "inference_mode": backward.no_grad,
        "enable_grad": backward.enable_grad,
        "set_grad_enabled": backward.set_grad_enabled,
        "is_grad_enabled": lambda: STATE.records,
        "set_default_dtype": _set_default_dtype,
        "get_default_dtype": lambda: DTYPES[STATE.dtype.name],
        "set_printoptions": lambda **options: None,
        "is_tensor": _is_tensor,
        "cdist": cdist,
        "numel": _numel,
        "autograd": AUTOGRAD,
        "cuda": CUDA,
        "func": FUNC,
        "vmap": vmap,
        "distributed": DISTRIBUTED,
        "linalg": LINALG,
        **{name: getattr(LINALG, name) for name in ("det", "inv", "slogdet")},
        "inverse": LINALG.inv,
        "nn": NN,
        "optim": OPTIM,
        "special": SPECIAL,
        "utils": TORCH_UTILS,
        "__version__": "2.0",
    },
    _look_up("torch"),
    _listed("torch"),
)
MODULES = {
    item.__name__: item
    for item in (
        TORCH, DISTRIBUTED, AUTOGRAD, AUTOGRAD_FUNCTIONAL, CUDA, LINALG, SPECIAL, NN, FUNCTIONAL, INIT, UTILS, OPTIM,
        LR_SCHEDULER, TORCH_UTILS, DATA, FUNC,
    )
}  # fmt: skip
PASSES = STATE.passes
