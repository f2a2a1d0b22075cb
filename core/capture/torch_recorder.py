"""Record PyTorch as it runs, by its own TorchFunctionMode: every call of the user's code, with the tensors it reads.

PyTorch is imported only here and in functions: who calls has it already. Its own values and gradients stay its own; the
same calls are computed a second time on a tape of ours, which is the graph.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from types import FunctionType
from typing import Any

import numpy as np

from cadena.core.capture.record import CheckedTape, Leaf, Record, Unknown
from cadena.core.capture.tensor_paths import TensorPaths
from cadena.core.capture.torch_aten import CLOSE, Opening, differ_by_ones, largest
from cadena.core.capture.torch_calls import plain_name, read
from cadena.core.capture.torch_memory import memory_of, overlap, with_part
from cadena.core.capture.torch_tensors import (
    DTYPES,
    MemoryPlace,
    check,
    is_wrapped,
    numbers,
    place_of,
    tensors_in,
    version,
)
from cadena.core.graph.document import Function
from cadena.core.graph.fault import Refused
from cadena.core.graph.recorded import GRADIENTS_OFF
from cadena.core.tracing.places import code_line
from cadena.core.tracing.traced import Traced, apply
from cadena.core.tracing.traced import plain as traced_numbers

DRAWN = ("dropout", "dropout1d", "dropout2d", "dropout3d", "feature_dropout", "alpha_dropout")
GETTERS = ("T", "mT", "H", "mH", "real")
RANDOM = ("bernoulli", "normal", "uniform", "exponential", "cauchy", "log_normal", "geometric", "random", "poisson")
READING = ("__bool__", "__int__", "__index__", "__float__", "item", "tolist", "numpy")  # numbers for Python code
UNTRACKED = (
    "__int__",
    "__index__",
    "__float__",
    "__bool__",
    "item",
    "tolist",
    "numpy",
    "register_hook",
    "retain_grad",
    "requires_grad",
)


class TorchRecorder:
    """What has been seen of a run: for each tensor the value on the tape that stands for it."""

    def __init__(self, record: Record, leaves: dict[int, tuple[Any, Leaf]], paths: TensorPaths) -> None:
        self.record, self.leaves, self.paths = record, leaves, paths
        assert isinstance(record.tape, CheckedTape)
        self.tape = record.tape
        self.known: dict[int, tuple[Any, int, Traced]] = {}  # by identity; the tensor is held, so that it stays its own
        self.places: dict[MemoryPlace, tuple[Any, Traced]] = {}
        self.sharing: dict[int, dict[int, Any]] = {}  # the known tensors in one memory, by identity
        self.stops: dict[int, Traced] = {}  # values as constants, by their numbers
        self.unread: dict[int, tuple[Any, str, str]] = {}  # results of calls that are not known, until they are read
        self.choosing: dict[int, tuple[Any, list[Traced]]] = {}  # conditions and places that are no nodes: what decides
        self.loss: tuple[Any, Traced] | None = None  # of the last `backward`
        self.gradients: dict[int, Any] = {}
        self.mode: Any = None
        self.is_paused = False
        self.stops_where_off = True  # not within a function whose gradient is the user's own, where they always are off
        self.finds_by_place = False  # a tensor that is not known as another with the same memory, as what is saved is
        self.line: Callable[[], str] = code_line
        self.functions: dict[str, Function] = {}  # those with a gradient of the user's own
        self.opening = Opening(self)

    def traced(self, tensor: Any) -> Traced:
        """The value that stands for a tensor; a new leaf for one that is not known, or was changed unseen."""
        entry = self.known.get(id(tensor))
        if entry is not None and entry[1] == version(tensor):
            return entry[2]
        if self.finds_by_place and (at := self.places.get(place_of(tensor))) and at[0].dtype == tensor.dtype:
            return self.know(tensor, at[1])
        for value in self._choosing(tensor):  # the choice stays as it is
            value.guard("value")
        owner, reason, plain = self.unread.get(id(tensor), (None, "", ""))
        if owner is tensor and entry is None:
            return self.know(tensor, self.opaque(tensor, reason, plain))
        if entry is not None and tensor.grad_fn is not None:
            leaf = self.record.opaque("a tensor was changed in place by way of another", "changed")
        elif entry is None and tensor.grad_fn is not None and id(tensor) not in self.leaves:
            leaf = self.record.opaque(f"its origin, {tensor.grad_fn.name()}, was not recorded", "value")
        else:
            leaf = self._leaf(tensor)
        return self.know(tensor, self.record.leaf(numbers(tensor, leaf.like), leaf))

    def _choosing(self, tensor: Any) -> list[Traced]:
        owner, values = self.choosing.get(id(tensor), (None, []))
        return values if owner is tensor else []

    def held(self, tensor: Any) -> np.ndarray[Any, Any]:
        """The numbers of a condition or a place that is no node; what decides it is guarded."""
        for value in self._choosing(tensor):
            value.guard("value")
        return numbers(tensor, "value")

    def _leaf(self, tensor: Any) -> Leaf:
        """What a tensor is that no recorded call has made: a parameter if it wants a gradient, wherever it is."""
        if self.is_leaf(tensor):
            _, leaf = self.leaves[id(tensor)]
            self._widen(tensor, leaf)
            return leaf
        leaf = Leaf("constant", self.paths.name(tensor) or "k0")
        if not any(one.op != "constant" for _, one in self.leaves.values()):
            self._widen(tensor, leaf)
        return leaf

    def _widen(self, tensor: Any, leaf: Leaf) -> None:
        check(tensor, leaf.like)
        if tensor.is_floating_point():
            self.record.widen(DTYPES[str(tensor.dtype)])

    def is_leaf(self, tensor: Any) -> bool:
        """Whether a tensor is a parameter or an argument. One that wants a gradient is a parameter from now on."""
        if id(tensor) not in self.leaves and tensor.is_leaf and tensor.requires_grad and not is_wrapped(tensor):
            count = sum(leaf.like.startswith("leaf_") for _, leaf in self.leaves.values())
            name = self.paths.name(tensor, search_again=True) or f"leaf_{count + 1}"
            self.leaves[id(tensor)] = (tensor, Leaf("parameter", name))
        return id(tensor) in self.leaves

    def constant(self, value: np.ndarray[Any, Any], name: str) -> Traced:
        return self.record.leaf(value, Leaf("constant", name))

    def opaque(self, tensor: Any, why: str, name: str) -> Traced:
        """A leaf with the tensor's numbers, where the graph ends."""
        return self.record.leaf(numbers(tensor, name), self.record.opaque(why, name))

    def know(self, tensor: Any, traced: Traced) -> Traced:
        self.known[id(tensor)] = (tensor, version(tensor), traced)
        self.places[place_of(tensor)] = (tensor, traced)
        if start := memory_of(tensor):
            self.sharing.setdefault(start, {})[id(tensor)] = tensor
        return traced

    def forget(self, tensor: Any) -> None:
        self.known.pop(id(tensor), None)
        if memory_of(tensor):
            self.places.pop(place_of(tensor), None)

    def call(self, function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Run one call of PyTorch, and record what it computes and what it changes in place."""
        if self.is_paused:
            return function(*args, **kwargs)
        name = function_name(function)
        if name == "torch.Tensor.data.__set__":
            self._set_data(*args)
        entering = {id(tensor): (tensor, version(tensor)) for tensor in tensors_in((args, kwargs))}
        self.opening.changed.clear()
        with self.record.at(self.line()):
            result = self._called(function, name, args, kwargs)
        changed = [item for item, before in entering.values() if version(item) != before and not is_wrapped(item)]
        written = {id(item) for item in tensors_in(result)}
        seen = set[int]()
        for tensor in sorted(changed, key=lambda item: id(item) not in written):  # the others are views of these
            if tensor.is_floating_point() and id(tensor) not in seen:
                seen |= self._spread(tensor)
        return result

    def _called(self, function: Any, name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        plain = plain_name(name)
        if name == "torch.Tensor.backward":
            return self._backward(function, args, kwargs)
        if plain in RANDOM:
            return self._random(function, args, kwargs)
        if plain in READING and args and self._is_known(args[0]):
            self._read_by_code(plain, args[0])
        if is_no_arithmetic(name, plain) or not any(map(self._is_recorded, tensors_in((args, kwargs)))):
            return function(*args, **kwargs)
        if any(map(is_wrapped, tensors_in((args, kwargs)))):
            with self.opening.open(keeps_parts=True):
                return function(*args, **kwargs)
        if plain == "scaled_dot_product_attention":
            args, kwargs = (), _with_added_mask(args, kwargs)
            if kwargs.get("dropout_p"):
                with self.mode():
                    return _attention(*args, **kwargs)
        if plain in ("__getitem__", "__setitem__"):
            args = (args[0], _places(args[1], self.is_choice), *args[2:])
        return self._computed(function, name, args, kwargs)

    def _computed(self, function: Any, name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        import torch

        plain = plain_name(name)
        is_off = (
            self.stops_where_off
            and not torch.is_grad_enabled()
            and any(item.requires_grad for item in tensors_in((args, kwargs)))
        )
        operands, named = self._swap(args), self._swap(kwargs)
        if is_off:  # their numbers count, and no gradient flows
            operands, named = self._stopped(operands), self._stopped(named)
        why, value = "", None
        if plain in DRAWN:
            return self._dropped(function, operands[0], args, kwargs)
        try:
            value = self._read(name, function, operands, named)
        except Unknown as unknown:
            if (body := _body(function)) is not None:
                with self.mode():
                    return body(*args, **kwargs)
            why = str(unknown)
        if plain in ("detach", "data"):
            return self.note(function(*args, **kwargs), self.stopped(operands[0]), args)
        if value is None and not is_off:
            return self._opened(function, args, kwargs, plain, why)
        versions = [version(item) for item in tensors_in((args, kwargs))]
        result = function(*args, **kwargs)
        changes = [version(item) for item in tensors_in((args, kwargs))] != versions
        if not changes and not self._has_numbers_of(result, value, name, function, args, kwargs):
            return self._opened(function, args, kwargs, plain, "it gives other numbers here")
        if is_off and changes and isinstance(value, Traced):
            value = self._changed_unseen(result, value)
        return self.note(result, value, args, plain, why or (GRADIENTS_OFF if is_off else ""))

    def _dropped(self, function: Any, operand: Traced, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        result, factor, offset = _drawn(function, args, kwargs)
        product = operand * self.record.leaf(numbers(factor, "mask"), Leaf("constant", "mask"))
        if offset is not None:
            product = product + self.record.leaf(numbers(offset, "offset"), Leaf("constant", "offset"))
        return self.note(result, product, args)

    def _changed_unseen(self, tensor: Any, value: Traced) -> Traced | None:
        """The value of a tensor that was changed where gradients are off: new numbers, and the gradient as before."""
        if id(tensor) in self.leaves and tensor.is_leaf:
            return None  # what is read next is a new leaf
        entry = self.known.get(id(tensor))
        if entry is None or not tensor.requires_grad:
            return value
        changed: Traced = entry[2] + (self.stopped(value) - self.stopped(entry[2]))
        return changed

    def _is_known(self, tensor: Any) -> bool:
        entry = self.known.get(id(tensor))
        return entry is not None and entry[0] is tensor and entry[1] == version(tensor)

    def _choice(self, tensor: Any) -> Traced | None:
        return self.known[id(tensor)][2] if self.is_choice(tensor) else None

    def is_choice(self, tensor: Any) -> bool:
        """Whether a tensor is a condition or a place that is computed in the graph."""
        return self._is_known(tensor) and self.known[id(tensor)][2].number in self.tape.varying

    def _is_recorded(self, tensor: Any) -> bool:
        """Whether a call on a tensor is recorded: on real numbers, and on conditions and places that are computed."""
        return tensor.is_floating_point() or self.is_choice(tensor)

    def _read_by_code(self, plain: str, tensor: Any) -> None:
        """Guard a value with which Python code goes on: with another it would do something else."""
        traced = self.traced(tensor)
        if plain == "__bool__":
            traced.guard("branch")
        elif plain in ("__int__", "__index__"):
            int(traced)
        else:
            traced.guard("number" if traced.is_whole else "value")

    def stopped(self, traced: Traced) -> Traced:
        """A value as a constant: its numbers, and no gradient. A leaf without one stays itself."""
        leaf = self.record.leaves.get(traced.number)
        call = self.record.tape.calls[traced.number]
        is_constant = leaf is not None and not (leaf.op == "parameter" or leaf.gradient)
        if is_constant or traced.is_whole or (call is not None and call.primitive.name == "stop_gradient"):
            return traced
        if traced.number not in self.stops:
            self.stops[traced.number] = apply("stop_gradient", [traced])
        return self.stops[traced.number]

    def _stopped(self, item: Any) -> Any:
        if isinstance(item, Traced):
            return self.stopped(item)
        if isinstance(item, dict):
            return {key: self._stopped(part) for key, part in item.items()}
        return type(item)(map(self._stopped, item)) if type(item) in (tuple, list) else item

    def _has_numbers_of(
        self, result: Any, value: Any, name: str, function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> bool:
        """Whether what was read of a call gives PyTorch's numbers, at least from PyTorch's own operands.

        What went before was rounded in another order, and where numbers cancel little else may be left.
        """
        if name == "torch.autograd.grad":
            return True
        for item in tensors_in(result):
            if item.is_floating_point() and not is_wrapped(item):
                check(item, plain_name(name))
        if _agree(result, value, args, kwargs, self.record.dtype):
            return True
        tape = CheckedTape()
        swap = partial(map_tensors, lambda item: tape.leaf(numbers(item, "value").astype(self.record.dtype)[()]))
        try:
            again = read(name, function, swap(args), swap(kwargs))
        except Unknown:
            return False
        return _agree(result, again, args, kwargs, self.record.dtype)

    def _random(self, function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Drawn numbers are constants as recorded, and PyTorch's gradient ends there too."""
        result = function(*args, **kwargs)
        for tensor in tensors_in(result):
            if tensor.grad_fn is not None and not is_wrapped(tensor):
                self.know(tensor, self.record.leaf(numbers(tensor, "drawn"), Leaf("constant", "drawn")))
        return result

    def _set_data(self, tensor: Any, data: Any) -> None:
        """Another memory for a tensor: of a leaf what is read next is a new leaf."""
        if tensor.grad_fn is not None:
            what = "{name} was replaced through .data, and PyTorch's gradients do not see it"
            raise Refused(
                what, "assign a new tensor to the variable instead", name=self.paths.name(tensor) or "a tensor"
            )
        self.known.pop(id(tensor), None)

    def _spread(self, tensor: Any) -> set[int]:
        """Change the tensors that share memory with one that was changed in place; returns their identities."""
        entry = self.known.get(id(tensor))
        seen = entry[2] if entry is not None and entry[1] == version(tensor) else None
        sharing = self.sharing.get(memory_of(tensor), {})
        for key, other in list(sharing.items()):
            if other is tensor or key not in self.known:
                continue
            _, before, old = self.known[key]
            was_spread = memory_of(tensor) in self.opening.changed
            # PyTorch refuses to say more of a part of split() whose whole was changed
            is_computed = other.requires_grad and key not in self.leaves
            if before == version(other) and not was_spread and is_computed and overlap(other, tensor):
                raise Refused(
                    "a value of the graph was changed in place through .data, which its gradient does not see",
                    "change the tensor itself, or a clone of it",
                )
            if key in self.leaves and other.is_leaf:
                self.known.pop(key)
            elif was_spread:
                self.know(other, old)
            else:
                new = self.traced(tensor) if seen is None else seen
                if tensor.requires_grad and not other.requires_grad:
                    new = self.stopped(new)
                if is_computed and not tensor.requires_grad and overlap(other, tensor):  # through detach()
                    changed = with_part(other, self.stopped(old), tensor, new)
                    self.know(other, old + (self.stopped(changed) - self.stopped(old)))
                else:
                    self.know(other, with_part(other, old, tensor, new))
        return set(sharing)

    def _opened(self, function: Any, args: Sequence[Any], kwargs: Mapping[str, Any], plain: str, why: str) -> Any:
        """Run a call that is not known, recorded by its parts; where these are not known, its result is opaque."""
        notes = len(self.record.notes)
        with self.opening.open():
            result = function(*args, **kwargs)
        results = [args[0]] if result is None else list(tensors_in(result))
        values = [self.opening.result(item, plain, self.record.dtype) for item in results if item.is_floating_point()]
        if any(value is None for value in values):
            del self.record.notes[notes:]
            inner = "" if plain in self.opening.why or self.opening.why in why else f" ({self.opening.why})"
            why += inner
        real = iter(values)
        parts = [next(real) if item.is_floating_point() else self._choice(item) for item in results]
        return self.note(result, parts, args, plain, why)

    def _read(self, name: str, function: Any, operands: Any, named: Any) -> Any:
        if name == "torch.autograd.grad":
            return self._derivatives(*operands, **named)
        return read(name, function, operands, named)

    def _derivatives(self, outputs: Any, inputs: Any, grad_outputs: Any = None, *settings: Any, **named: Any) -> Any:
        """What torch.autograd.grad computes, as more of the graph."""
        if not (named.get("create_graph") or settings[1:2] == (True,)):
            raise Unknown("torch.autograd.grad was called without create_graph=True, so its result is a number alone")
        listed = list(outputs) if isinstance(outputs, tuple | list) else [outputs]
        wanted = list(inputs) if isinstance(inputs, tuple | list) else [inputs]
        upstream = grad_outputs if isinstance(grad_outputs, tuple | list) else [grad_outputs] * len(listed)
        sums: list[Any] = [None] * len(wanted)
        for output, weights in zip(listed, upstream):
            ones = np.ones(output.shape, self.record.dtype)[()]
            parts = self.record.pull(output, ones if weights is None else weights, wanted)
            sums = [part if old is None else old if part is None else old + part for old, part in zip(sums, parts)]
        return sums

    def _swap(self, item: Any) -> Any:
        """Tensors replaced by what stands for them, also in tuples, lists and dictionaries."""
        return map_tensors(self.traced, item)

    def note(self, result: Any, value: Any, args: Sequence[Any], plain: str = "", why: str = "") -> Any:
        """Remember for the tensors of `result` what stands for them, and return it."""
        results = [args[0]] if result is None else list(tensors_in(result))
        values = list(value) if isinstance(value, tuple | list) else [value] * len(results)
        types = {item.dtype for item in tensors_in(args) if item.is_floating_point()}
        for tensor, one in zip(results, values):
            if is_wrapped(tensor):
                continue
            if tensor.is_floating_point():
                check(tensor, plain)
                one = self._cast(one, tensor, types)
            is_changed_leaf = id(tensor) in self.leaves and tensor.is_leaf and not isinstance(one, Traced)
            if tensor.is_complex():
                continue
            if not tensor.is_floating_point():
                self.note_choice(tensor, one, args)
            elif is_changed_leaf:
                self.known.pop(id(tensor), None)
            elif isinstance(one, Traced) and one.shape == tuple(tensor.shape):
                self.know(tensor, one)
            elif isinstance(one, Traced) and differ_by_ones(one.shape, tensor.shape):
                self.know(tensor, apply("reshape", [one], {"shape": list(tensor.shape)}))
            elif one is not None and not isinstance(one, Traced):
                self.know(tensor, self.record.leaf(np.broadcast_to(one, tuple(tensor.shape)), Leaf("constant", "k0")))
            else:
                reason = why or f"{plain} would have shape {getattr(one, 'shape', None)} here"
                self.forget(tensor)
                self.unread[id(tensor)] = (tensor, reason, plain or "value")
        return result

    def note_choice(self, tensor: Any, value: Any, args: Any) -> None:
        """Remember what stands for a condition or a place that is computed, or what decides it."""
        self.known.pop(id(tensor), None)
        tape = self.tape
        if isinstance(value, Traced) and has_numbers(value, tensor):
            if value.number in tape.varying:
                (tape.truths if str(tensor.dtype) == "torch.bool" else tape.wholes).add(value.number)
                self.know(tensor, value)
            return
        known = [self.known[id(item)][2] for item in tensors_in(args) if self._is_known(item)]
        deciding = [item for item in known if item.number in tape.varying]
        deciding += [one for item in tensors_in(args) for one in self._choosing(item)]
        if deciding:
            self.choosing[id(tensor)] = (tensor, deciding)

    def _cast(self, value: Any, tensor: Any, types: set[Any]) -> Any:
        """A value in the number type of the result, where a call changes that of its operands."""
        kind = DTYPES[str(tensor.dtype)]
        if not isinstance(value, Traced) or value.dtype == kind:
            return value
        if not value.is_whole and (not types or tensor.dtype in types):
            return value
        return apply("astype", [value], {"dtype": kind})

    def _backward(self, function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        tensor = args[0]
        before = {key: item.grad.clone() for key, (item, _) in self.leaves.items() if item.grad is not None}
        self.loss = (tensor.detach().clone(), self.traced(tensor))
        result = function(*args, **kwargs)
        for key, (item, _) in self.leaves.items():
            if item.grad is not None:
                self.gradients[key] = (item.grad - before[key] if key in before else item.grad).numpy().copy()
        return result


def map_tensors(change: Callable[[Any], Any], item: Any) -> Any:
    import torch

    if isinstance(item, torch.Tensor):
        return change(item)
    if isinstance(item, dict):
        return {key: map_tensors(change, part) for key, part in item.items()}
    if isinstance(item, tuple | list) and not isinstance(item, torch.Size):
        parts = [map_tensors(change, part) for part in item]
        return tuple(parts) if isinstance(item, tuple) else parts  # of an index they mean other things
    return item


def mode_of(recorder: TorchRecorder) -> Any:
    """A mode of PyTorch that hands every call to the recorder."""
    from torch.overrides import TorchFunctionMode

    class Recording(TorchFunctionMode):  # type: ignore[misc, unused-ignore]
        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            return recorder.call(func, args, kwargs or {})

    return Recording


@contextmanager
def recording(recorder: TorchRecorder, modules: Mapping[str, Any]) -> Iterator[None]:
    """While this is open, calls are recorded; those of each module are noted as its region."""
    recorder.mode = mode_of(recorder)
    starts: list[int] = []
    handles = []
    for name, module in modules.items():
        handles.append(module.register_forward_pre_hook(lambda *_: starts.append(len(recorder.record.tape.calls))))
        handles.append(module.register_forward_hook(_leaving(recorder, name, starts), always_call=True))
    try:
        with recorder.mode(), _as_written():
            yield
    finally:
        for handle in handles:
            handle.remove()


def _as_written() -> AbstractContextManager[Any]:
    """Compiled functions run as they are written: PyTorch would compile the recorder too, in most of a minute."""
    if "torch._dynamo" not in sys.modules:
        return nullcontext()
    import torch

    return torch.compiler.set_stance("force_eager")  # type: ignore[no-any-return, unused-ignore]


def _leaving(recorder: TorchRecorder, name: str, starts: list[int]) -> Callable[..., None]:
    return lambda module, args, output: leave_module(recorder, name, module, starts.pop(), output)


def leave_module(recorder: TorchRecorder, name: str, module: Any, start: int, output: Any) -> None:
    """Note what was recorded since `start` as the region of a module that has computed its output."""
    before, recorder.is_paused = recorder.is_paused, True  # what is asked of tensors here is no call of the model
    tensors = [item for item in tensors_in(output) if id(item) in recorder.known]
    results = [recorder.traced(item) for item in tensors]
    labels = next((RESULTS[kind.__name__] for kind in type(module).__mro__ if kind.__name__ in RESULTS), ())
    with recorder.record.at(recorder.line()):
        values = recorder.record.module(name, start, results, labels)
    for tensor, result in zip(tensors, values):
        recorder.know(tensor, result)
    recorder.is_paused = before


# What PyTorch's documentation calls the results of modules that have several.
RESULTS = {
    "RNNBase": ("output", "h_n", "c_n"), "LSTMCell": ("h", "c"), "MultiheadAttention": ("output", "weights"),
}  # fmt: skip


def is_no_arithmetic(name: str, plain: str) -> bool:
    if name.endswith(".__get__"):
        return plain not in (*GETTERS, "data")
    return name.endswith(".__set__") or plain in UNTRACKED or plain.endswith("_like") or plain.startswith("new_")


def function_name(function: Any) -> str:
    from torch.overrides import resolve_name

    own = f"{getattr(function, '__module__', 'torch')}.{getattr(function, '__name__', 'call')}"
    return resolve_name(function) or own


ATTENTION = ("query", "key", "value", "attn_mask", "dropout_p", "is_causal")


def _with_added_mask(args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of an attention by name, with a mask to be added instead of one of truths."""
    import torch

    named = {**dict(zip(ATTENTION, args)), **kwargs}
    mask = named.get("attn_mask")
    if mask is not None and mask.dtype == torch.bool:
        named["attn_mask"] = torch.zeros(mask.shape, dtype=named["query"].dtype).masked_fill(~mask, -torch.inf)
    return named


def _attention(
    query: Any, key: Any, value: Any, attn_mask: Any = None, dropout_p: float = 0.0, is_causal: bool = False,
    scale: float | None = None,
) -> Any:  # fmt: skip
    """Attention with dropout as PyTorch has it on a CPU, in calls that are recorded: it draws the same numbers."""
    import torch

    scores = query @ key.transpose(-2, -1) * (query.shape[-1] ** -0.5 if scale is None else scale)
    if is_causal:
        attn_mask = torch.full(scores.shape[-2:], -torch.inf).triu(1)
    scores = scores if attn_mask is None else scores + attn_mask
    return torch.nn.functional.dropout(torch.softmax(scores, -1), dropout_p) @ value


def _places(index: Any, is_computed: Callable[[Any], bool]) -> Any:
    """An index with masks as the places where they are true, but for masks that are computed in the graph."""
    import torch

    if isinstance(index, tuple):
        return tuple(part for item in index for part in _as_tuple(_places(item, is_computed)))
    if isinstance(index, torch.Tensor) and index.dtype == torch.bool and not is_computed(index):
        places = torch.where(index)
        return places[0] if len(places) == 1 else places
    return index


def _as_tuple(item: Any) -> tuple[Any, ...]:
    return item if isinstance(item, tuple) else (item,)


def _drawn(function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[Any, Any, Any]:
    """A dropout, and what the same draw multiplies and adds, None where that is 0: what it makes of ones and zeros."""
    import torch

    operand = args[0].detach()
    results, state = [], torch.get_rng_state()
    for constant in (torch.ones_like(operand), torch.zeros_like(operand)):
        results.append(function(constant, *args[1:], **kwargs).clone())
        torch.set_rng_state(state)
    result = function(*args, **kwargs)
    of_ones, offset = results
    return (result, of_ones - offset, offset) if offset.any() else (result, of_ones, None)


def has_numbers(value: Traced, tensor: Any) -> bool:
    """Whether a value is what PyTorch chose: of several that are equal it may take another."""
    theirs = numbers(tensor, "value")
    return value.shape == theirs.shape and np.array_equal(np.asarray(traced_numbers(value)), theirs)


def _agree(result: Any, value: Any, args: Any, kwargs: Any, dtype: str) -> bool:
    """Whether values have the numbers of PyTorch's results, as far as both round."""
    results = [item for item in tensors_in(result) if not is_wrapped(item)]
    values = list(value) if isinstance(value, tuple | list) else [value] * len(results)
    operands = [item for item in tensors_in((args, kwargs)) if item.is_floating_point() and not is_wrapped(item)]
    cancelled = (
        100 * float(np.finfo(dtype).eps) * max((largest(numbers(item, "value")) for item in operands), default=0)
    )
    for tensor, one in zip(results, values):
        if one is None or not tensor.is_floating_point():
            continue
        theirs, ours = numbers(tensor, "value").astype(np.float64), np.asarray(traced_numbers(one), np.float64)
        if not differ_by_ones(ours.shape, theirs.shape):
            continue  # which has a note of its own
        allowed = max(CLOSE[DTYPES[str(tensor.dtype)]] * largest(theirs), cancelled)
        if not np.allclose(ours.reshape(theirs.shape), theirs, 0, allowed, equal_nan=True):
            return False
    return True


def _body(function: Any) -> Any:
    """A function that PyTorch has in Python, without its question for modes: so its own calls are seen; else None."""
    if not isinstance(function, FunctionType) or not function.__module__.startswith("torch"):
        return None
    ask = [name for name in function.__code__.co_names if name.startswith("has_torch_function")]
    if not ask or not function.__globals__.keys() >= {*ask}:  # it would ask through a module, and be called again
        return None
    names = function.__globals__ | dict.fromkeys(ask, lambda *_: False)
    copy = FunctionType(function.__code__, names, function.__name__, function.__defaults__, function.__closure__)
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy
