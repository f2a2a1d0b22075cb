"""The tensors that scripts hold: those of `tensor` with PyTorch's operators and methods."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from cadena.core.scripts.calls import checked, refuse
from cadena.core.scripts.followed import Scalar, followed
from cadena.core.scripts.missing import missing
from cadena.core.scripts.operators import Operators, comparison
from cadena.core.scripts.plain_numbers import note_left
from cadena.core.scripts.pytorch import backward as passes
from cadena.core.scripts.pytorch import table
from cadena.core.scripts.pytorch.composed import COMPOSED, NO_METHODS
from cadena.core.scripts.pytorch.creating import legacy
from cadena.core.scripts.pytorch.dtypes import BY_NAME, CONSTRUCTORS, Device, DType
from cadena.core.scripts.pytorch.initial import normal_, uniform_
from cadena.core.scripts.pytorch.scattering import SCATTERING
from cadena.core.scripts.pytorch.selecting import SELECTING
from cadena.core.scripts.pytorch.state import STATE
from cadena.core.scripts.pytorch.tensor import TENSOR, Core, Size, cast, operate, without_rule
from cadena.core.scripts.tape import NUMBERS, script_place


def _in_place(call: Callable[..., Any]) -> Callable[..., Any]:
    def change(tensor: Any, *arguments: Any, **keywords: Any) -> Any:
        tensor.changing(*arguments)
        name = getattr(call, "__name__", "reshape")
        if name in SCATTERING and any(isinstance(item, Core) and item._memory is tensor._memory for item in arguments):
            raise RuntimeError(f"x.{name}_(..., x) reads what it writes; give it x.clone()")
        result = call(tensor, *arguments, **keywords)
        if isinstance(result, Core) and result._parent is tensor:
            raise TypeError(f"x.{name}_(), which gives x another shape, is not known here; write x = x.{name}(...)")
        return NotImplemented if result is NotImplemented else tensor.replace(result)

    return change


class Constructor(type):
    """torch.Tensor(...), which makes a tensor of a list or of a size, as torch.FloatTensor does."""

    def __call__(cls, *data: Any, **keywords: Any) -> Any:
        return legacy("FloatTensor")(*data) if cls is Tensor else super().__call__(*data, **keywords)


class Tensor(Operators, Core, metaclass=Constructor):
    """A tensor of the script."""

    __slots__ = ("__dict__",)
    __module__ = "torch"  # as scripts print the type
    __array_priority__ = 1000  # numpy's arrays leave operators to tensors
    __hash__ = Core.__hash__

    __iadd__, __isub__, __imul__, __itruediv__, __ipow__ = map(
        _in_place, (Operators.__add__, Operators.__sub__, Operators.__mul__, Operators.__truediv__, Operators.__pow__)
    )
    __and__, __or__, __xor__ = map(comparison, (np.logical_and, np.logical_or, np.logical_xor))

    def combine(self, op: str, other: Any, swapped: bool) -> Any:
        if isinstance(other, np.generic):
            other = other.item()
        elif isinstance(other, np.ndarray):
            other = TENSOR[0](other)
        elif not isinstance(other, Core) and not isinstance(other, NUMBERS):
            return NotImplemented
        return operate(op, (other, self) if swapped else (self, other))

    def compare(self, ufunc: Any, other: Any) -> Any:
        if not isinstance(other, Core | int | float | np.ndarray | np.generic):
            return NotImplemented
        result = TENSOR[0](np.asarray(ufunc(self.array, other.array if isinstance(other, Core) else other)))
        return followed(result, ufunc, self, other.tensor if isinstance(other, Scalar) else other)

    def __floordiv__(self, other: Any) -> Any:
        return without_rule(Operators.__floordiv__(self, other))

    def __neg__(self) -> Any:
        return operate("negative", (self,))

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return operate("abs", (self,))

    def __invert__(self) -> Any:
        return followed(TENSOR[0](~np.asarray(self.array)), np.logical_not, self)

    def __getattr__(self, name: str) -> Any:
        """Methods from the table, in place too where their name ends with _."""
        if not name.startswith("__"):
            method = table.method(name)
            if method is None and name.endswith("_"):
                method = SELECTED.get(name[:-1]) or OWN.get(name[:-1]) or table.method(name[:-1])
                method = None if method is None else _in_place(method)
            if method is not None:
                setattr(Tensor, name, method)
                return getattr(self, name)
        raise missing("torch.Tensor", name, [*dir(Tensor), *table.known("torch")])

    # --- the graph

    backward, retain_grad, register_hook = passes.backward, passes.keep_gradient, passes.register_hook

    @property
    def data(self) -> Any:
        return self.sharing(counted=False).detached_from(self)

    @data.setter
    def data(self, other: Core) -> None:
        self.share_with(other)

    def detach(self) -> Any:
        return self.sharing().detached_from(self)

    def detach_(self) -> Any:
        if self._parent is not None:
            raise RuntimeError("Can't detach views in-place. Use detach() instead.")
        self._own = self._leaf = None
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        if self._node is not None:
            raise RuntimeError(
                "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the "
                "moment; write x.clone(), or x.detach().clone()"
            )
        memo[id(self)] = copied = TENSOR[0](np.array(self.array), wants=self._wants)
        return copied

    def requires_grad_(self, requires_grad: bool = True) -> Any:
        self.requires_grad = requires_grad
        return self

    def clone(self) -> Any:
        if not self.requires_grad:
            return followed(TENSOR[0](np.array(self.array)), lambda place: place, self)
        result = operate("positive", (self,))
        result._fn = "CloneBackward0"
        return result

    # --- shapes and types

    @property
    def T(self) -> Any:
        result = operate("transpose", (self,))
        result._fn = "PermuteBackward0"
        return result

    @property
    def mT(self) -> Any:
        return operate("swapaxes", (self,), {"axis1": -1, "axis2": -2})

    def t(self) -> Any:
        return operate("transpose", (self,)) if self.ndim > 1 else operate("reshape", (self,), {"shape": [*self.shape]})

    def size(self, dim: int | None = None) -> Any:
        return self.shape if dim is None else self.shape[dim]

    def dim(self) -> int:
        return self.ndim

    def numel(self) -> int:
        return int(self.array.size)

    nelement = numel

    def inverse(self) -> Any:
        return operate("inv", (self,))

    def stride(self) -> tuple[int, ...]:
        return tuple(step // self.array.itemsize for step in np.asarray(self.array).strides)

    def tolist(self) -> Any:
        note_left(self)
        return self.array.tolist()

    def type(self, dtype: Any = None) -> Any:
        if dtype is None:
            legacy = {name: constructor for constructor, name in CONSTRUCTORS.items()}
            return f"torch.{legacy.get(self.dtype.name, 'Tensor')}"
        if not isinstance(dtype, DType):  # torch.LongTensor, or its name
            name = str(getattr(dtype, "__name__", dtype)).rpartition(".")[2]
            if name not in CONSTRUCTORS:
                raise TypeError(f"x.type({name}) is not known here; write x.to(torch.float32), or another type")
            return cast(self, np.dtype(CONSTRUCTORS[name]))
        return cast(self, dtype.numpy)

    def to(self, device: Any = None, dtype: Any = None, copy: bool = False) -> Any:
        """In another type: x.to(torch.float64), x.to(other), x.to("cpu", torch.float64)."""
        for item in (device, dtype):
            if isinstance(item, DType | Core):
                dtype = item if isinstance(item, DType) else item.dtype
            elif not isinstance(item, bool):
                refuse("torch.Tensor.to", "device", item, None)
        if not isinstance(dtype, DType) or dtype is self.dtype:
            return self.clone() if copy else self
        return cast(self, dtype.numpy)

    @property
    def device(self) -> Device:
        return Device()

    def cpu(self) -> Any:
        return self

    def contiguous(self) -> Any:
        return self if self.is_contiguous() else self.clone().in_order()

    def is_contiguous(self) -> bool:
        return bool(np.asarray(self.array).flags.c_contiguous)

    def type_as(self, other: Core) -> Any:
        return cast(self, other.array.dtype)

    def is_floating_point(self) -> bool:
        return self.dtype.is_floating_point

    def view(self, *shape: Any) -> Any:
        if len(shape) == 1 and isinstance(shape[0], DType):
            raise TypeError(
                "x.view(dtype), which reads the same bytes as other numbers, is not known here; write x.to(dtype)"
            )
        result = self.reshape(*shape)
        if result._parent is not self:
            raise RuntimeError(
                "view size is not compatible with input tensor's size and stride (at least one dimension spans across "
                "two contiguous subspaces). Use .reshape(...) instead."
            )
        return result

    def reshape(self, *shape: Any) -> Any:
        listed = shape[0] if len(shape) == 1 and not isinstance(shape[0], int) else shape
        return operate("reshape", (self,), {"shape": table.plain(tuple(listed))})

    def view_as(self, other: Core) -> Any:
        return self.view(tuple(other.array.shape))

    def reshape_as(self, other: Core) -> Any:
        return self.reshape(tuple(other.array.shape))

    def expand(self, *shape: Any) -> Any:
        listed = [*(shape[0] if len(shape) == 1 and not isinstance(shape[0], int) else shape)]
        own = [1] * (len(listed) - self.ndim) + [*self.array.shape]
        full = [have if want == -1 else want for have, want in zip(own, listed, strict=True)]
        return operate("broadcast_to", (self,), {"shape": full})

    def expand_as(self, other: Core) -> Any:
        return self.expand(*other.array.shape)

    def repeat(self, *times: Any) -> Any:
        listed = [*(times[0] if len(times) == 1 and not isinstance(times[0], int) else times)]
        return operate("tile", (self,), {"reps": listed})

    # --- changes in place

    def zero_(self) -> Any:
        return self._filled(0)

    def fill_(self, value: Any) -> Any:
        return self._filled(value)

    def _filled(self, value: Any) -> Any:
        self.changing()
        number = value.item() if isinstance(value, Core) else value
        return self.replace(TENSOR[0](np.full(self.array.shape, number, self.array.dtype)))

    def copy_(self, src: Core) -> Any:
        if src is self:
            if STATE.records and self.requires_grad:
                self._check_in_place()
            self._counter.version, self._counter.place = self._counter.version + 1, script_place()
            return self
        self.changing(src)
        if STATE.records and self.requires_grad:
            return self.replace(operate("index_put", (self, src), {"index": "..."}))
        shaped = operate("broadcast_to", (src,), {"shape": [*self.array.shape]})
        return self.replace(cast(shaped, self.array.dtype))

    def sub_(self, other: Any, *, alpha: float = 1) -> Any:
        self.changing(other)
        return self.replace(self - (other if alpha == 1 else other * alpha))

    def add_(self, other: Any, *, alpha: float = 1) -> Any:
        self.changing(other)
        return self.replace(self + (other if alpha == 1 else other * alpha))


def _converter(dtype: DType) -> Callable[[Any], Any]:
    return lambda tensor: cast(tensor, dtype.numpy)


# Operators whose methods there are in place too.
OWN: dict[str, Callable[..., Any]] = {"abs": Tensor.__abs__, "neg": Tensor.__neg__}
for _name, _dtype in BY_NAME.items():
    if not _name[-1].isdigit():
        setattr(Tensor, _name, _converter(_dtype))
for _call in (uniform_, normal_):
    setattr(Tensor, _call.__name__, _call)
SELECTED = table.in_module("torch", SELECTING | SCATTERING)
SELECTED |= {name: call for name, call in COMPOSED.items() if name not in NO_METHODS}
for _name, _call in SELECTED.items():
    setattr(Tensor, _name, _call)
for _name in table.known("torch.Tensor"):
    if _name in vars(Tensor):
        _full = f"torch.Tensor.{_name}"
        setattr(Tensor, _name, checked(_full, table.FORMS[_full], vars(Tensor)[_name], table.SYNONYMS, bound=True))
TENSOR.append(functools.partial(type.__call__, Tensor))
SIZE = Size
