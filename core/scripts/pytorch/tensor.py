"""Tensors: numbers, their place on the tape, and a gradient."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from cadena.core.ops.primitive import REGISTRY, Primitive
from cadena.core.scripts.pytorch.dtypes import DType, common, dtype_of
from cadena.core.scripts.pytorch.printing import grad_fn_name, tensor_text
from cadena.core.scripts.pytorch.state import STATE
from cadena.core.scripts.tape import ScriptPlace, named_place
from cadena.core.tracing.tapes import shortened
from cadena.core.tracing.traced import Traced, index_text, plain

NONE: dict[str, Any] = {}
# Operations that PyTorch does on whole numbers without making floats of them.
ON_WHOLE_NUMBERS = frozenset(
    "add subtract multiply negative power remainder floor_divide abs sign sum prod cumsum cumprod max min maximum "
    "minimum matmul dot getitem index_put reshape transpose concatenate stack broadcast_to squeeze expand_dims "
    "swapaxes moveaxis flip roll tile repeat ravel take astype where sort argmax clip diag diagonal tril triu "
    "take_along_axis positive square trace einsum outer floor ceil trunc round fmod relu diff".split()
)


class GradFn:
    """The step that goes back through the operation which made a tensor."""

    def __init__(self, name: str) -> None:
        self._name = name

    def name(self) -> str:
        return self._name

    def __repr__(self) -> str:
        return f"<{self._name} object>"


class Size(tuple[int, ...]):
    """The shape of a tensor, as PyTorch prints it."""

    __slots__ = ()
    __module__ = "torch"

    def __repr__(self) -> str:
        return f"torch.Size({list(self)})"

    def numel(self) -> int:
        return int(np.prod(self, dtype=int))


class Core:
    """A tensor without the methods that come from the table."""

    __slots__ = (
        "_fn",
        "_grad",
        "_keeps",
        "_leaf",
        "_leaf_version",
        "_name",
        "_node",
        "_place",
        "_version",
        "_wants",
        "array",
    )

    def __init__(self, array: Any, node: Traced | None = None, wants: bool = False, fn: str = "") -> None:
        self.array = array  # numpy's numbers; tensors that share their memory share `_version` too
        self._node = node  # the place on the tape of a result that requires a gradient
        self._wants = wants  # a leaf that requires a gradient
        self._fn = fn
        self._version = [0]  # the number of changes in place
        self._leaf: Traced | None = None
        self._leaf_version = -1
        self._name = ""
        self._place: ScriptPlace = None
        self._grad: Any = None
        self._keeps = False

    # --- the graph

    @property
    def requires_grad(self) -> bool:
        return self._wants or self._node is not None

    @requires_grad.setter
    def requires_grad(self, wanted: bool) -> None:
        if self._node is not None:
            if not wanted:
                raise RuntimeError(
                    "you can only change requires_grad flags of leaf variables. If you want to use a computed variable "
                    "in a subgraph that doesn't require differentiation use var_no_grad = var.detach()."
                )
            return
        if wanted and self.array.dtype.kind != "f":
            raise RuntimeError("only Tensors of floating point dtype can require gradients")
        self._wants = bool(wanted)
        self._leaf = None

    @property
    def is_leaf(self) -> bool:
        return self._node is None

    @property
    def grad_fn(self) -> GradFn | None:
        return GradFn(self._fn_name()) if self._node is not None else None

    def _fn_name(self) -> str:
        if self._fn or self._node is None:
            return self._fn
        call = STATE.tape.calls[self._node.number]
        assert call is not None
        shapes = [np.shape(plain(item)) for item in call.operands]
        return grad_fn_name(call.primitive.name, shapes, shortened(call.primitive, call.attributes))

    @property
    def grad(self) -> Any:
        return self._grad

    @grad.setter
    def grad(self, value: Any) -> None:
        if value is not None and value.shape != self.shape:
            raise RuntimeError(
                f"assigned grad has data of a different size: {list(value.shape)}, not {list(self.shape)}"
            )
        self._grad = value

    def handle(self) -> Any:
        """What is recorded as an operand: a place on the tape, or numbers that have no name."""
        if self._node is not None:
            return self._node if self._node.tape is STATE.tape else self.array
        if not self._wants and not self._name:
            return np.array(self.array)[()] if self._version[0] else self.array
        if self._leaf is None or self._leaf_version != self._version[0] or self._leaf.tape is not STATE.tape:
            tape = STATE.tape
            self._leaf, self._leaf_version = tape.leaf(np.array(self.array)[()]), self._version[0]
            if self._name:
                tape.name(self._leaf.number, self._name)
                tape.places[-1] = self._place
            if self._wants:
                STATE.owners[self._leaf.number] = self
            else:
                tape.data.add(self._leaf.number)
        return self._leaf

    def named(self, name: str) -> None:
        """Note the first variable that holds this tensor."""
        if not self._name:
            self._name = name
            self._place = named_place(self._leaf if self._node is None else self._node, name)

    def replace(self, result: Core) -> Any:
        """Make this tensor hold `result`, as operations in place do."""
        if self._wants and STATE.records:
            raise RuntimeError("a leaf Variable that requires grad is being used in an in-place operation.")
        if result._node is not None:
            self.array, self._node, self._fn, self._version = result.array, result._node, result._fn, [0]
            self._name = ""
            return self
        return self.write(result.array)

    def write(self, numbers: Any) -> Any:
        """Change the numbers in place; other tensors on the same memory change with them."""
        if isinstance(self.array, np.ndarray) and self.array.flags.writeable:
            if np.broadcast_shapes(np.shape(numbers), self.array.shape) != self.array.shape:
                raise RuntimeError(
                    f"output with shape {list(self.array.shape)} doesn't match "
                    f"the broadcast shape {list(np.shape(numbers))}"
                )
            self.array[...] = numbers
        else:
            self.array = np.array(np.broadcast_to(numbers, np.shape(self.array)), self.array.dtype)
        self._version[0] += 1
        return self

    def sharing(self) -> Any:
        """Another tensor with the same memory and no graph."""
        if not isinstance(self.array, np.ndarray):
            self.array = np.array(self.array)
        other = TENSOR[0](self.array)
        other._version = self._version
        return other

    # --- numbers

    @property
    def shape(self) -> Size:
        return Size(self.array.shape)

    @property
    def ndim(self) -> int:
        return int(self.array.ndim)

    @property
    def dtype(self) -> DType:
        return dtype_of(self.array)

    def __len__(self) -> int:
        if not self.array.ndim:
            raise TypeError("len() of a 0-d tensor")
        return len(self.array)

    def __bool__(self) -> bool:
        if self.array.size != 1:
            raise RuntimeError("Boolean value of Tensor with more than one value is ambiguous")
        return bool(self.array.item())

    def __float__(self) -> float:
        return float(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __index__(self) -> int:
        if self.array.dtype.kind not in "iub" or self.array.size != 1:
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(self.array.item())

    def item(self) -> Any:
        if self.array.size != 1:
            raise RuntimeError(f"a Tensor with {self.array.size} elements cannot be converted to Scalar")
        return self.array.item()

    def __format__(self, how: str) -> str:
        if not self.array.ndim:
            return format(self.item(), how)
        if how:
            raise TypeError("unsupported format string passed to Tensor.__format__")
        return repr(self)

    def __repr__(self) -> str:
        suffixes = []
        if self._node is not None:
            suffixes = [f"grad_fn=<{self._fn_name()}>"]
        elif self._wants:
            suffixes = ["requires_grad=True"]
        return tensor_text(self.array, suffixes)

    def __hash__(self) -> int:
        return id(self)

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        return self.numpy().__array__(*args, **kwargs)

    def numpy(self, *, force: bool = False) -> Any:
        if self.requires_grad and not force:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
        if not isinstance(self.array, np.ndarray):
            self.array = np.array(self.array)
        return self.array

    def __iter__(self) -> Iterator[Any]:
        if not self.array.ndim:
            raise TypeError("iteration over a 0-d tensor")
        return (self[index] for index in range(len(self)))

    def __getitem__(self, index: Any) -> Any:
        return operate("getitem", [self], {"index": index_text(plain_index(index))})

    def __setitem__(self, index: Any, value: Any) -> None:
        numbers = value if isinstance(value, Core) else np.asarray(value, self.array.dtype)[()]
        result = operate("index_put", [self, numbers], {"index": index_text(plain_index(index))})
        self.replace(result)


TENSOR: list[Any] = []  # the class of results, which is made from this one


def plain_index(index: Any) -> Any:
    """An index without tensors."""
    if isinstance(index, tuple):
        return tuple(map(plain_index, index))
    return index.array if isinstance(index, Core) else index


RECORDS: dict[str, Primitive] = {}


def operate(op: str | Primitive, operands: Sequence[Any], attributes: dict[str, Any] = NONE) -> Any:
    """Compute an operation, and record it where an operand requires a gradient."""
    if isinstance(op, str):
        record = RECORDS.get(op) or RECORDS.setdefault(op, REGISTRY[op])
    else:
        record = op
    recorded, dtypes, has_float = False, set(), False
    for item in operands:
        if isinstance(item, Core):
            recorded = recorded or item._wants or item._node is not None
            dtypes.add(item.array.dtype)
        elif isinstance(item, float):
            has_float = True
    if len(dtypes) > 1 or next(iter(dtypes), STATE.dtype).kind != "f":
        operands = _of_one_type(record.name, operands, has_float)
    if not recorded or not STATE.records:
        below = [item.array if isinstance(item, Core) else item for item in operands]
        value = STATE.tape.computed(record, below, record.complete(attributes) if record.attributes else NONE)
        return TENSOR[0](value if isinstance(value, np.ndarray | np.generic) else np.asarray(value)[()])
    handles = [item.handle() if isinstance(item, Core) else item for item in operands]
    handle = STATE.tape.record(record, handles, record.complete(attributes) if record.attributes else NONE)
    return TENSOR[0](handle.value, handle)


NOT_NUMBERS = {"where": (0,), "take_along_axis": (1,), "embedding": (0,), "index_put": ()}


def _of_one_type(op: str, operands: Sequence[Any], has_float: bool) -> list[Any]:
    """The operands in the type that PyTorch computes with."""
    skipped = NOT_NUMBERS.get(op, ())
    if op in ("cross_entropy", "nll_loss") and operands[1].array.dtype.kind != "f":
        skipped = (1,)
    chosen = [item for slot, item in enumerate(operands) if isinstance(item, Core) and slot not in skipped]
    dtype = (
        common([(item.array.dtype, bool(item.array.ndim)) for item in chosen], STATE.dtype) if chosen else STATE.dtype
    )
    if dtype.kind != "f" and (has_float or op not in ON_WHOLE_NUMBERS):
        dtype = STATE.dtype
    if dtype.kind == "b" and op in ("sum", "prod", "cumsum", "add", "multiply", "matmul"):
        dtype = np.dtype(np.int64)
    if op == "mean" and not any(item.array.dtype.kind == "f" for item in chosen):
        raise RuntimeError("mean(): could not infer output dtype. Input dtype must be either a floating point dtype")
    if op == "index_put":
        dtype = operands[0].array.dtype
    return [
        item if not isinstance(item, Core) or slot in skipped or item.array.dtype == dtype else cast(item, dtype)
        for slot, item in enumerate(operands)
    ]


def cast(tensor: Any, dtype: np.dtype[Any]) -> Any:
    """A tensor in another type; itself where it has that already."""
    if tensor.array.dtype == dtype:
        return tensor
    if tensor.requires_grad and dtype.kind == "f":
        return operate("astype", [tensor], {"dtype": dtype.name})
    result = TENSOR[0](np.asarray(tensor.array).astype(dtype)[()])
    if not tensor.requires_grad:  # the same numbers, as places for example, have the same name
        result._name, result._place = tensor._name, tensor._place
    return result
