"""The modules `torch`, `torch.autograd` and so on, by the names under which scripts import them."""

from __future__ import annotations

import math
from typing import Any

from cadena.core.scripts.library import Library, extend
from cadena.core.scripts.pytorch import backward, table
from cadena.core.scripts.pytorch.composed import COMPOSED, COMPOSED_LINEAR
from cadena.core.scripts.pytorch.creating import CREATING
from cadena.core.scripts.pytorch.dtypes import BY_NAME, DTYPES, Device, DType
from cadena.core.scripts.pytorch.function import Function
from cadena.core.scripts.pytorch.functional import FUNCTIONAL
from cadena.core.scripts.pytorch.initial import INIT
from cadena.core.scripts.pytorch.layers import NN
from cadena.core.scripts.pytorch.methods import Tensor
from cadena.core.scripts.pytorch.optimizers import OPTIM
from cadena.core.scripts.pytorch.scattering import SCATTERING
from cadena.core.scripts.pytorch.selecting import FUNCTIONS
from cadena.core.scripts.pytorch.state import STATE
from cadena.core.scripts.pytorch.tensor import Core, Size, operate
from cadena.core.scripts.skipped import switches


def _variable(data: Any, requires_grad: bool = False) -> Any:
    """torch.autograd.Variable, which has long been the tensor itself."""
    if requires_grad:
        data.requires_grad = True
    return data


def _set_default_dtype(d: DType) -> None:
    STATE.dtype = d.numpy


def _is_tensor(obj: Any) -> bool:
    return isinstance(obj, Core)


def _result_type(tensor1: Any, tensor2: Any) -> DType:
    """The type of an operation on two tensors."""
    return (tensor1.detach() * tensor2.detach()).dtype  # type: ignore[no-any-return]


def _numel(input: Core) -> int:
    return int(input.array.size)


def _module(name: str, names: dict[str, Any]) -> Library:
    return Library(
        name, table.in_module(name, names), lambda short: table.function(f"{name}.{short}"), lambda: table.known(name)
    )


AUTOGRAD = _module(
    "torch.autograd",
    {"Variable": _variable, "grad": backward.grad, "backward": backward.backward_of, "Function": Function},
)
extend(AUTOGRAD, switches("torch.autograd", "set_detect_anomaly detect_anomaly"))
CUDA = _module("torch.cuda", {
    "is_available": lambda: False, "device_count": lambda: 0, "manual_seed": lambda seed: None,
    "manual_seed_all": lambda seed: None,
})  # fmt: skip
DISTRIBUTED = Library("torch.distributed", {"is_available": lambda: False})  # which exported programs ask
LINALG = _module("torch.linalg", COMPOSED_LINEAR)
SPECIAL = _module("torch.special", {})
TORCH = _module("torch", {
    **BY_NAME, **CREATING, **FUNCTIONS, **SCATTERING, **COMPOSED,
    "Tensor": Tensor, "Size": Size, "dtype": DType, "device": Device,
    "pi": math.pi, "e": math.e, "inf": math.inf, "nan": math.nan, "no_grad": backward.no_grad,
    "inference_mode": backward.inference_mode, "enable_grad": backward.enable_grad,
    "set_grad_enabled": backward.set_grad_enabled, "is_grad_enabled": lambda: STATE.records,
    "set_default_dtype": _set_default_dtype, "get_default_dtype": lambda: DTYPES[STATE.dtype.name],
    "is_tensor": _is_tensor, "numel": _numel, "result_type": _result_type,
    "det": lambda input: operate("det", (input,)),
    "inverse": lambda input: operate("inv", (input,)),
    "autograd": AUTOGRAD, "cuda": CUDA, "linalg": LINALG, "nn": NN, "distributed": DISTRIBUTED,
    "optim": OPTIM, "special": SPECIAL, "strided": "torch.strided", "__version__": "2.0",
})  # fmt: skip
extend(
    TORCH,
    switches(
        "torch", "set_printoptions set_num_threads use_deterministic_algorithms set_float32_matmul_precision backends"
    ),
)
FOUND = (TORCH, AUTOGRAD, CUDA, DISTRIBUTED, LINALG, SPECIAL, NN, FUNCTIONAL, INIT, OPTIM)
MODULES = {item.__name__: item for item in FOUND}
PASSES = STATE.passes
