"""Tensors: numbers, their place on the tape, and a gradient."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from cadena.core.graph.unconnected import NoPath
from cadena.core.ops.primitive import REGISTRY, Primitive
from cadena.core.ops.selection import EACH, TWICE, is_repeated
from cadena.core.scripts.asked import ASKED, Asked
from cadena.core.scripts.followed import (
    FollowedValue,
    Scalar,
    elements_of,
    is_computed_index,
    is_data,
    is_followed,
    is_within,
    place_of,
    replaced_in,
    stopped,
)
from cadena.core.scripts.plain_numbers import note_left
from cadena.core.scripts.pytorch.dtypes import DType, common, dtype_of, type_name
from cadena.core.scripts.pytorch.memory import Counter, Memory, moved, overlap
from cadena.core.scripts.pytorch.printing import tensor_text
from cadena.core.scripts.pytorch.saved import RESULT, saved
from cadena.core.scripts.pytorch.state import STATE, Saved
from cadena.core.scripts.tape import (
    ScriptPlace,
    is_called_by_script,
    line_at,
    named_place,
    note_unlike,
    script_place,
)
from cadena.core.tracing.traced import Traced, apply, index_text
from cadena.core.tracing.views import SHARING, parent_with, shared_numbers

NONE: dict[str, Any] = {}
# What PyTorch says of views that must not be changed in the graph: before and after what has happened to them.
NO_GRAD = (
    "A view was created in no_grad mode",
    " with grad mode enabled. Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify "
    "your code by moving both the view and the inplace either both inside the no_grad block (if you don't want the "
    "inplace to be tracked) or both outside (if you want the inplace to be tracked).",
)
ONE_OF_SEVERAL = (
    ". This view is the output of a function that returns multiple views. Such functions do not allow the output views "
    "to be modified inplace. You should replace the inplace operation by an out-of-place one."
)
# Operations that PyTorch does on whole numbers without making floats of them.
ON_WHOLE_NUMBERS = frozenset(
    "add subtract multiply negative power remainder floor_divide abs sign sum prod cumsum cumprod max min maximum "
    "minimum matmul dot getitem index_put reshape transpose concatenate stack broadcast_to squeeze expand_dims "
    "swapaxes moveaxis flip roll tile repeat ravel take astype where sort argmax clip diag diagonal tril triu "
    "take_along_axis positive square trace einsum outer floor ceil trunc round fmod relu diff".split()
)


# Which element such a view is changes with the numbers, so that a write has no place in the graph.
CHOSEN = (
    "x[i] with a computed i is a view, and it {verb}, which is not followed; write x[i] = ..., or take x[i].clone()"
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


class Core(FollowedValue):
    """A tensor without the methods that come from the table.

    A view knows its parent, and the operation that made it: when the parent has a new value, the view is computed from
    it again. A write through a view gives its parent a new value, and so on up to the base.
    """

    __slots__ = (
        "_array",
        "_chosen",
        "_counter",
        "_detached",
        "_fn",
        "_frozen",
        "_grad",
        "_keeps",
        "_kept_at",
        "_leaf",
        "_leaf_writes",
        "_memory",
        "_moves",
        "_name",
        "_origin",
        "_own",
        "_parent",
        "_place",
        "_seen",
        "_step",
        "_synced",
        "_wants",
    )

    def __init__(self, array: Any, node: Traced | None = None, wants: bool = False, fn: str = "") -> None:
        self._memory = self._counter = Memory(array, node is not None)
        self._array, self._origin, self._moves = array, None, 0  # of a view: the array that it was made of
        self._own = node  # the place on the tape of a result that requires a gradient
        self._synced = 0  # the number of writes into the memory that the graph knows
        self._wants = wants  # a leaf that requires a gradient
        self._fn = fn
        self._leaf: Traced | None = None
        self._leaf_writes = -1
        self._name = ""
        self._place: ScriptPlace = None
        self._grad: Any = None
        self._keeps = False
        self._kept_at: tuple[Traced, int] | None = (
            None  # where it is computed without a gradient, after how many writes
        )
        self._detached: Core | None = None  # the tensor that it was detached from
        self._parent: Core | None = None
        self._step: tuple[Primitive, dict[str, Any]] | None = None  # how a view was made of its parent
        self._chosen: int | None = None  # of an element at a computed place: the writes into its memory at that time
        self._seen = -1  # the place of the parent's value, of which the view was computed
        self._frozen: tuple[str, str] | None = None  # what PyTorch says of a view that must not be changed in the graph

    # --- memory

    @property
    def array(self) -> Any:
        """numpy's numbers."""
        memory = self._memory
        if self._moves != memory.moves:
            self._array = memory.array if self._origin is None else moved(self._array, self._origin, memory.array)
            self._origin = None if self._origin is None else memory.array
            self._moves = memory.moves
        return self._array

    @array.setter
    def array(self, numbers: Any) -> None:
        self.share_with(TENSOR[0](numbers))

    def share_with(self, other: Core) -> None:
        """Take the memory of another tensor in the place of the own."""
        self._memory.writes += 1
        other._memory.shareable()
        self._memory.written = other._memory.written = script_place()
        self._memory, self._array, self._origin = other._memory, other.array, other._origin
        self._kept_at = self._detached = None
        self._moves, self._parent, self._leaf, self._synced = other._moves, None, None, -1

    def in_order(self) -> Any:
        """Have the numbers of a new tensor one after the other in memory."""
        self._array = np.ascontiguousarray(self.array)
        self._memory = self._counter = Memory(self._array, self._own is not None)
        self._moves = 0
        return self

    def snapshot(self) -> Any:
        """The numbers as a tape may keep them."""
        array, memory = self.array, self._memory
        if not isinstance(array, np.ndarray):
            return array
        if memory.exposed:
            return np.array(array)[()]
        memory.kept = True
        return array if array.ndim else array[()]

    def write(self, numbers: Any) -> Any:
        """Change the numbers in place; other tensors on the same memory change with them."""
        memory, array = self._memory, self.array
        if np.shape(numbers) != array.shape and np.broadcast_shapes(np.shape(numbers), array.shape) != array.shape:
            raise RuntimeError(
                f"output with shape {list(array.shape)} doesn't match the broadcast shape {list(np.shape(numbers))}"
            )
        memory.shareable()
        if not memory.exposed and (memory.kept or not memory.array.flags.writeable):
            memory.move()
        self.array[...] = numbers
        memory.writes += 1
        self._counter.version += 1
        memory.written = self._counter.place = script_place()
        return self

    def sharing(self, counted: bool = True) -> Any:
        """Another tensor with the same memory and no graph."""
        self._memory.shareable()
        other = TENSOR[0](self.array)
        other._memory, other._moves = self._memory, self._moves
        other._counter = self._counter if counted else Counter()
        other._origin = self._origin
        return other

    def viewed(self, record: Primitive, attributes: dict[str, Any], numbers: Any = None) -> Any:
        """The view that an operation makes, of these numbers; None where it copies."""
        self._memory.shareable()
        if numbers is None:
            numbers = shared_numbers(record, self.array, attributes)
        if numbers is None:
            return None
        view = TENSOR[0](numbers)
        view._memory, view._counter, view._moves = self._memory, self._counter, self._moves
        view._origin, view._parent, view._step = self._memory.array, self, (record, attributes)
        if STATE.records:
            self._check_view()
        view._frozen = self._frozen if STATE.records else NO_GRAD
        source = self.source()
        if source is not None:
            view._seen = source.number
            if STATE.records:
                view._own = source.tape.record(record, [source], attributes)
            else:
                view._wants = True
        return view

    # --- the graph

    @property
    def _node(self) -> Traced | None:
        """The place on the tape, where it is a result."""
        if self._parent is not None:
            self._follow(self._parent)
        if self._chosen not in (None, self._memory.writes):
            raise RuntimeError(CHOSEN.format(verb=f"was written over in line {line_at(self._memory.written)}"))
        return self._own

    @_node.setter
    def _node(self, node: Traced | None) -> None:
        self._own = node

    def _follow(self, parent: Core) -> None:
        """Compute a view from its parent again where that has a new value."""
        source = parent.source()
        if source is not None and source.number != self._seen and self._frozen is None:
            assert self._step is not None
            self._own, self._fn = source.tape.record(self._step[0], [source], self._step[1]), "AsStridedBackward0"
            self._seen, self._name = source.number, ""

    def source(self) -> Traced | None:
        """The place on the tape of a tensor with a gradient."""
        node = self._node
        return node if node is not None or not self._wants else self.handle()

    def base(self) -> Core:
        """The tensor of which this is a view, or a view of a view; itself if it is none."""
        tensor = self
        while tensor._parent is not None:
            tensor = tensor._parent
        return tensor

    @property
    def requires_grad(self) -> bool:
        if self._wants or self._node is not None:
            return True
        return self._frozen is not None and self._parent is not None and self._parent.requires_grad

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
        return STATE.tape.grad_fn(self._node.number)

    @property
    def grad(self) -> Any:
        if self._grad is None and is_called_by_script():
            self.note_without_gradient()
        return self._grad

    @grad.setter
    def grad(self, value: Any) -> None:
        if value is not None and value.shape != self.shape:
            raise RuntimeError(
                f"assigned grad has data of a different size: {list(value.shape)}, not {list(self.shape)}"
            )
        self._grad = value

    def note_without_gradient(self) -> None:
        """Note why the script finds no gradient here."""
        places = [number for number, owner in STATE.owners.items() if owner is self]
        reason = NoPath.UNUSED
        if self._node is not None:
            reason, places = NoPath.RESULT, [self._node.number]
        elif not self._wants:
            reason = NoPath.NOT_REQUIRED if self.array.dtype.kind == "f" else NoPath.INTEGER
        if self._name:
            ASKED.append(Asked(len(STATE.passes), reason, self._name, self.snapshot(), self._place, tuple(places)))

    unbind: Callable[..., tuple[Any, ...]]  # tensors have it from `selecting`

    def follows(self) -> Traced | None:
        node = self._node
        if node is not None:
            if node.tape is not STATE.tape or self._is_current():
                return node if node.tape is STATE.tape else None
            place = self._after_write()
            if place is None:  # its numbers are read as they are, which others of its graph would change
                node.guard("value")
            return place
        if self._wants and self._parent is None:
            return self._on_tape()
        if not self._is_kept():
            source, how = self._detached if self._parent is None else self._parent, self._step
            place = None if source is None else source.follows()
            if place is None or (source is self._detached and not same_numbers(place.value, self.array)):
                place = self._after_write()
                return self._on_tape() if place is None and self._name else place
            if self._wants:
                place = stopped(place)
            if self._parent is not None and how is not None:
                self.keep(place.tape.record(how[0], [place], how[1]))
            else:
                self.keep(stopped(place))
        return None if self._kept_at is None else self._kept_at[0]

    def _after_write(self) -> Traced | None:
        """The place of what another tensor wrote into the whole of its memory."""
        place, writes = self._memory.known or (None, -1)
        if place is None or writes != self._memory.writes or place.tape is not STATE.tape:
            return None
        if place.shape != self.array.shape or not same_numbers(place.value, self.array):
            return None
        self.keep(place)
        return place  # type: ignore[no-any-return]

    def _is_kept(self) -> bool:
        """Whether the place where it is computed without a gradient still has its numbers."""
        if self._kept_at is None:
            return False
        place, writes = self._kept_at
        if writes != self._memory.writes or place.tape is not STATE.tape:
            return False
        return not self._memory.exposed or same_numbers(place.value, self.array)

    def keep(self, place: Any) -> Any:
        if isinstance(place, Traced):
            self._kept_at = (place, self._memory.writes)
            if self._name:
                STATE.tape.name(place.number, self._name)
        return self

    def like(self, number: float) -> Any:
        """A number of its own, without a gradient."""
        return TENSOR[0](np.asarray(number))

    def handle(self) -> Any:
        """What is recorded as an operand: a place on the tape, or numbers that have no name."""
        node = self._node
        if node is not None or self._frozen is not None:
            self._check_graph()
        if node is not None:
            return node if node.tape is STATE.tape else self.snapshot()
        if self._wants:
            return self._on_tape()
        place = self.follows()
        return self.snapshot() if place is None else place

    def _on_tape(self) -> Traced:
        """The leaf of these numbers on the tape: a parameter, or data."""
        if self._leaf is None or not self._has_leaf():
            tape = STATE.tape
            self._leaf, self._leaf_writes = tape.leaf(self.snapshot()), self._memory.writes
            if self._name:
                tape.name(self._leaf.number, self._name)
                tape.places[-1] = self._place
            if self._wants:
                STATE.owners[self._leaf.number] = self
                if self._parent is not None:  # a view that was made under no_grad is a leaf of its own
                    self._parent.guarded("value")
            else:
                tape.add_data(self._leaf)
        return self._leaf

    def _has_leaf(self) -> bool:
        """Whether there is a leaf of these numbers on the tape."""
        leaf = self._leaf
        if leaf is None or self._leaf_writes != self._memory.writes or leaf.tape is not STATE.tape:
            return False
        return not self._memory.exposed or same_numbers(leaf.value, self.array)

    def _check_graph(self) -> None:
        """Raise RuntimeError where the numbers of a result are no longer those of its graph."""
        if not self._is_current():
            memory = self._memory
            line = line_at(memory.written)
            raise RuntimeError(
                f"line {line} wrote into a result of the graph outside of it, through detach(), .data, numpy() or "
                "under no_grad, so that its numbers are no longer those of its graph; write into a clone()"
            )
        self._check_view()

    def _is_current(self) -> bool:
        """Whether the numbers of a result are still those of its graph."""
        base, memory = self.base(), self._memory
        if base._own is None:
            return True
        return base._synced == memory.writes and (not memory.exposed or same_numbers(base._own.value, base.array))

    def _check_view(self) -> None:
        """Raise PyTorch's error for a view that cannot follow a write into its base."""
        if self._frozen is not None and self._parent is not None:
            source = self._parent.source()
            if source is not None and source.number != self._seen:
                what, why = self._frozen
                raise RuntimeError(f"{what} and its base or another view of its base has been modified inplace{why}")

    def named(self, name: str) -> None:
        """Note the first variable that holds this tensor."""
        if not self._name:
            self._name = name
            kept = self._leaf if self._kept_at is None else self._kept_at[0]
            self._place = named_place(kept if self._node is None else self._node, name)

    def replace(self, result: Core) -> Any:
        """Make this tensor hold `result`, as operations in place do."""
        in_graph = STATE.records and (result.requires_grad or self.requires_grad)
        if in_graph:
            self._check_in_place()
        result, base = self._fitted(result), self.base()
        known = base._own is None or base._synced == self._memory.writes
        if in_graph:
            self._record_write(result)
        if base._chosen is not None:
            raise RuntimeError(CHOSEN.format(verb="is written through"))
        changed = [] if in_graph or base._wants or not self._is_current() else self._kept_write(result)
        self.write(result.array)
        for tensor, place in changed:
            if tensor._own is None:
                tensor.keep(place)
        place = stopped(base._own) if in_graph and base._own is not None else changed[-1][1] if changed else None
        place = stopped(place) if isinstance(place, Traced) else place
        self._memory.known = (place, self._memory.writes) if isinstance(place, Traced) else None
        if in_graph and known:
            base._synced = self._memory.writes
        if result._own is not None and (kept := STATE.tape.saved.get(result._own.number)):
            # Of the operand that it overwrites PyTorch keeps a copy.
            kept = [(slot, saved_of(self) if slot == RESULT else item) for slot, item in kept if slot]
            STATE.tape.saved[result._own.number] = kept
        return self

    def _check_in_place(self) -> None:
        """Raise PyTorch's errors for tensors that must not be changed in the graph."""
        base = self.base()
        if base is not self:
            if self._frozen is not None:
                what, why = self._frozen
                raise RuntimeError(f"{what} and is being modified inplace{why}")
            if base._own is None and base._wants:
                raise RuntimeError(
                    "a view of a leaf Variable that requires grad is being used in an in-place operation."
                )
        elif self._wants:
            raise RuntimeError("a leaf Variable that requires grad is being used in an in-place operation.")

    def _fitted(self, result: Core) -> Core:
        """A result in this tensor's type. Raises PyTorch's errors where it cannot be written."""
        array, numbers = self.array, result.array
        if np.shape(numbers) != array.shape:
            raise RuntimeError(
                f"output with shape {list(array.shape)} doesn't match the broadcast shape {list(np.shape(numbers))}"
            )
        if isinstance(array, np.ndarray) and any(
            not step and size > 1 for step, size in zip(array.strides, array.shape, strict=True)
        ):
            raise RuntimeError(
                "unsupported operation: more than one element of the written-to tensor refers to a single memory "
                "location. Please clone() the tensor before performing the operation."
            )
        if numbers.dtype == array.dtype:
            return result
        if "biuf".index(numbers.dtype.kind.replace("u", "i")) > "biuf".index(array.dtype.kind.replace("u", "i")):
            raise RuntimeError(
                f"result type {type_name(numbers.dtype)} can't be cast to the desired output type "
                f"{type_name(array.dtype)}"
            )
        fitted: Core = cast(result, array.dtype)
        return fitted

    def _record_write(self, result: Core) -> None:
        """Give the base the value that it has after this tensor, which may be a view of it, has become `result`."""
        tensor, new = self, result.handle()
        while tensor._parent is not None:
            assert tensor._step is not None
            record, attributes = tensor._step
            new = parent_with(record, tensor._parent.handle(), new, attributes)
            tensor = tensor._parent
        if not isinstance(new, Traced):
            new = apply("index_put", [tensor.handle(), new], {"index": "..."})
        tensor._own, tensor._fn = new, result._fn if tensor is self else "CopySlices"
        tensor._name = ""
        if tensor is not self:
            self._own, self._seen = new, -1  # computed from the base again when it is next used

    def _kept_write(self, result: Core) -> list[tuple[Core, Any]]:
        """The tensors that a write outside of the graph changes, with their places then: the base, and what it was
        detached from. Empty where nothing of it is followed."""
        tensor, new, kept = self, place_of(result), list[tuple[Core, Any]]()
        if self.follows() is None and result.follows() is None and self.base().follows() is None:
            return kept
        while True:
            while tensor._parent is not None and tensor._step is not None:
                new = parent_with(tensor._step[0], place_of(tensor._parent), new, tensor._step[1])
                tensor = tensor._parent
            kept.append(
                (
                    tensor,
                    new if isinstance(new, Traced) else apply("index_put", [place_of(tensor), new], {"index": "..."}),
                )
            )
            source = tensor._detached
            if source is None or source._memory is not tensor._memory or source.base().requires_grad:
                return kept
            tensor = source

    def changing(self, *others: Any) -> None:
        """Raise PyTorch's errors of an operation in place that reads other tensors, before it is computed."""
        if self._parent is not None and self._own is None and STATE.records and self.base()._own is not None:
            # PyTorch takes a view for a leaf that was not used since its base got a graph.
            self._check_in_place()
            raise RuntimeError("a leaf Variable that requires grad is being used in an in-place operation.")
        for other in others:
            if not isinstance(other, Core) or other._memory is not self._memory or other is self:
                continue
            if how := overlap(self.array, other.array):
                seen = "unsupported operation: " if how == "partial" else ""
                raise RuntimeError(
                    f"{seen}some elements of the input tensor and the written-to tensor refer to a single memory "
                    "location. Please clone() the tensor before performing the operation."
                )

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
        self.guarded("branch")
        return bool(self.array.item())

    def __float__(self) -> float:
        note_left(self)
        return float(self.array.item())

    def __int__(self) -> int:
        self.guarded("number")
        return int(self.array.item())

    def __index__(self) -> int:
        if self.array.dtype.kind not in "iub" or self.array.size != 1:
            raise TypeError("only integer tensors of a single element can be converted to an index")
        self.guarded("number")
        return int(self.array.item())

    def item(self) -> Any:
        if self.array.size != 1:
            raise RuntimeError(f"a Tensor with {self.array.size} elements cannot be converted to Scalar")
        number = self.array.item()
        return Scalar(number, self.sharing().detached_from(self)) if self.is_worth_following() else number

    def is_worth_following(self) -> bool:
        """Whether a Python number of this tensor is to remember it; whole numbers are read as they are."""
        if self.array.dtype.kind != "f":
            self.guarded("number")
            return False
        return self.follows() is not None

    def detached_from(self, source: Core) -> Any:
        """Follow the numbers of `source` without a gradient."""
        self._detached = source
        return self

    def __format__(self, how: str) -> str:
        if not self.array.ndim:
            return format(self.array.item(), how)
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
        note_left(self)
        self._memory.expose()
        return self.array

    def __iter__(self) -> Iterator[Any]:
        if not self.array.ndim:
            raise TypeError("iteration over a 0-d tensor")
        return iter(self.unbind())

    def __getitem__(self, index: Any) -> Any:
        if is_computed_index(index):
            return self._elements(index)
        return keep_index(operate("getitem", [self], {"index": fixed_index(index)}), index)

    def _elements(self, index: Any) -> Any:
        """The elements at a computed index."""
        numbers = self.array[plain_index(index)]
        if not STATE.records or not self.requires_grad:
            place = elements_of(stopped(self) if self.requires_grad else place_of(self), index)
            result = TENSOR[0](np.array(numbers)).keep(place)
        else:
            place = elements_of(self.handle(), index)
            result = keep_index(TENSOR[0](place.value, place, fn="IndexBackward0"), index)
        if all(map(_is_basic, index if isinstance(index, tuple) else (index,))):
            self._memory.shareable()
            result._memory, result._counter, result._moves = self._memory, self._counter, self._memory.moves
            parts = index if isinstance(index, tuple) else (index,)
            result._array, result._origin = self.array[(*plain_index(parts), ...)], self._memory.array
            result._chosen = result._synced = self._memory.writes
            result.keep(place)
        return result

    def __setitem__(self, index: Any, value: Any) -> None:
        if is_computed_index(index) or "[" in index_text(plain_index(index)):
            self.changing(value)
        elif isinstance(value, Core) and value._memory is self._memory:
            self.changing()
            self[index].changing(value)
        self.replace(self._put(index, value))

    def _put(self, index: Any, value: Any, accumulate: bool = False) -> Any:
        """A copy with other values at an index, or with values added there."""
        if accumulate or is_computed_index(index):
            return keep_index(self._replaced(index, value, accumulate), index)
        numbers = value if isinstance(value, Core) else np.asarray(value, self.array.dtype)[()]
        attributes = {"index": (text := fixed_index(index))}
        if "[" in text and is_repeated(self.array.shape, text):
            attributes["repeated"] = EACH
            note_unlike(TWICE)
        return keep_index(operate("index_put", [self, numbers], attributes), index)

    def _replaced(self, index: Any, value: Any, accumulate: bool) -> Any:
        """A copy with other values at a computed index, or with values added."""
        numbers = value if isinstance(value, Core) else TENSOR[0](np.asarray(value, self.array.dtype)[()])
        array, plain = np.array(self.array), plain_index(index)
        if accumulate:
            np.add.at(array, plain, numbers.array)
        else:
            array[plain] = numbers.array
        if not STATE.records or not (self.requires_grad or numbers.requires_grad):
            places = [stopped(item) if item.requires_grad else place_of(item) for item in (self, numbers)]
            return TENSOR[0](array).keep(replaced_in(places[0], index, places[1], accumulate))
        place = replaced_in(self.handle(), index, numbers.handle(), accumulate)
        return TENSOR[0](array, place, fn="IndexPutBackward0")


TENSOR: list[Any] = []  # the class of results, which is made from this one


def plain_index(index: Any, settle: Callable[[Core], None] = lambda part: None) -> Any:
    """The index with each of its tensors `settled`."""
    if isinstance(index, tuple):
        return tuple(plain_index(part, settle) for part in index)
    if isinstance(index, list):
        return [plain_index(part, settle) for part in index]
    if not isinstance(index, Core):
        return index
    settle(index)
    return index.array


def fixed_index(index: Any) -> str:
    """The text of an index, which stays as it is: tensors in it that are followed are guarded."""
    return index_text(plain_index(index, lambda part: part.guarded("elements")))


def _is_basic(part: Any) -> bool:
    """Whether a part of an index gives a view: a slice, a number or a tensor of one whole number."""
    return not isinstance(part, Core) or (not part.array.ndim and part.array.dtype.kind in "iu")


def keep_index(result: Core, index: Any) -> Core:
    """Note the tensors of an index as what the backward pass of `result` needs."""
    parts = [item for item in (index if isinstance(index, tuple) else (index,)) if isinstance(item, Core)]
    kept = [saved_of(item) for item in parts if item.array.ndim or item.array.dtype.kind == "b"]
    if kept and result._own is not None:
        STATE.tape.saved.setdefault(result._own.number, []).extend(enumerate(kept, 2))
    return result


RECORDS: dict[str, Primitive] = {}


def without_rule(result: Any) -> Any:
    """The result of a floor division, whose backward pass is PyTorch's error."""
    if isinstance(result, Core) and result._node is not None:
        STATE.tape.without_rule.add(result._node.number)
    return result


def operate(
    op: str | Primitive,
    operands: Sequence[Any],
    attributes: dict[str, Any] = NONE,
    needed: Sequence[int] | None = None,
) -> Any:
    """Compute an operation, and record it where an operand requires a gradient.

    `needed` are the numbers of the operands that PyTorch keeps for the backward pass, where `saved` does not know it.
    """
    if isinstance(op, str):
        record = RECORDS.get(op) or RECORDS.setdefault(op, REGISTRY[op])
    else:
        record = op
    full = record.complete(attributes) if record.attributes else NONE
    if record.name in SHARING and len(operands) == 1 and isinstance(operands[0], Core):
        view = operands[0].viewed(record, full)
        if view is not None:
            return view
    operands = [item.tensor if isinstance(item, Scalar) else item for item in operands]
    needs, dtypes, has_float = list[bool | None](), set(), False
    for item in operands:
        if isinstance(item, Core):
            needs.append(item.requires_grad)
            dtypes.add(item.array.dtype)
        else:
            needs.append(None)
            has_float = has_float or isinstance(item, float)
    originals = operands
    if len(dtypes) > 1 or next(iter(dtypes), STATE.dtype).kind != "f":
        operands = _of_one_type(record.name, operands, has_float)
    if not STATE.records or not any(needs):
        below = [item.array if isinstance(item, Core) else item for item in operands]
        value = STATE.tape.computed(record, below, full)
        if not isinstance(value, np.ndarray):
            value = value if isinstance(value, np.generic) else np.asarray(value)[()]
        elif value.base is not None:  # numpy's views of operands that are copies here
            value = value.copy()
        result = TENSOR[0](value)
        if any(map(is_followed, operands)):
            choosing = len(record.choosers) == len(record.slots)
            places = [
                stopped(item) if need and not choosing and isinstance(item, Core) else place_of(item)
                for item, need in zip(operands, needs, strict=True)
            ]
            is_same = record.name == "remainder" and is_within(*places)  # as exported programs write places
            result.keep(places[0] if is_same else STATE.tape.note(record, places, full, value))
            result._memory.kept = True  # the tape has the same numbers
        return result
    handles = [item.handle() if isinstance(item, Core) else item for item in operands]
    if (slot := AT_PLACES.get(record.name)) is not None:
        handles[slot] = _unconverted(handles[slot])
    handle = STATE.tape.record(record, handles, full)
    result = TENSOR[0](handle.value, handle)
    if kept := needed if needed is not None else saved(record.name, needs):
        tensors = [(slot, result if slot == RESULT else originals[slot]) for slot in kept]
        STATE.tape.saved[handle.number] = [(slot, saved_of(item)) for slot, item in tensors if isinstance(item, Core)]
    return result


AT_PLACES = {"cross_entropy": 1, "nll_loss": 1, "embedding": 0, "take_along_axis": 1}  # the slot of the places


def _unconverted(place: Any) -> Any:
    """Places before data was converted to whole numbers, without which these operations give nan."""
    if not isinstance(place, Traced) or place.number not in STATE.tape.converted:
        return place
    source = place.tape.calls[place.number].operands[0]
    return source if place.tape.calls[place.number].primitive.name == "trunc" and is_data(source) else place


def same_numbers(first: Any, second: Any) -> bool:
    return np.array_equal(first, second, np.result_type(first).kind == "f")


def saved_of(tensor: Core) -> Saved:
    """A tensor as PyTorch keeps it for the backward pass."""
    number = None if tensor._own is None else tensor._own.number
    counter, memory, array = tensor._counter, tensor._memory, tensor.array
    kind = "CPUBoolType" if array.dtype.kind == "b" else f"torch.{type_name(array.dtype)}Tensor"
    shown = f"[{kind} {[*array.shape]}]"
    numbers = np.array(array) if memory.exposed else None
    return Saved(tensor, memory, counter.version, memory.writes, number, shown, numbers)


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


def _place_in(place: Traced, before: np.dtype[Any], dtype: np.dtype[Any]) -> Any:
    """The place of a number in another type; the tape has floats alone."""
    if dtype.kind == "f":
        return place if place.dtype == dtype or place.is_whole else apply("astype", [place], {"dtype": dtype.name})
    if dtype.kind == "b":
        return np.not_equal(place, 0.0)
    return place if before.kind in "iu" else place.astype(np.int64)


def cast(tensor: Any, dtype: np.dtype[Any]) -> Any:
    """A tensor in another type; itself where it has that already."""
    if tensor.array.dtype == dtype:
        return tensor
    if tensor.requires_grad and dtype.kind == "f":
        return operate("astype", [tensor], {"dtype": dtype.name})
    result = TENSOR[0](np.asarray(tensor.array).astype(dtype)[()])
    if (place := tensor.follows()) is not None:
        converted = _place_in(stopped(tensor) if tensor.requires_grad else place, tensor.array.dtype, dtype)
        if dtype.kind != "f" and not same_numbers(converted.value, result.array):  # beyond the range of the type
            place.guard("value")
            return result
        if place.number != converted.number:
            STATE.tape.converted.add(converted.number)
        return result.keep(converted)
    if not tensor.requires_grad:  # the same numbers, as places for example, have the same name
        result._name, result._place = tensor._name, tensor._place
    return result
