"""Record a whole script of PyTorch as it runs: which tensors each call reads and makes, and what its leaves hold.

While the script runs, calls are only recorded, so that a training loop keeps its pace; `torch_replay` repeats the
chosen pass on our tape. A `Ref` identifies a tensor *object*, not its value: in the replay, views and in-place calls
then do what they did in the script.
"""

from __future__ import annotations

import os
import re
import sys
import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache, wraps
from inspect import getattr_static, signature
from types import FrameType
from typing import Any, NamedTuple

from cadena.core.capture.tensor_paths import reachable
from cadena.core.capture.torch_calls import plain_name
from cadena.core.capture.torch_memory import memory_of
from cadena.core.capture.torch_recorder import READING, function_name, is_no_arithmetic, map_tensors
from cadena.core.capture.torch_tensors import is_wrapped, tensors_in, version
from cadena.core.tracing.places import code_line, is_users_frame, read_at

FIRST, LAST = 10, 10  # of many passes, how many are listed at the beginning and at the end
MOST_CALLS = 20_000  # that are kept before those of dead tensors are looked for
MOST_SPENT = 5_000  # calls kept of graphs that PyTorch has freed; of a longer history the freed part is dropped
DRAWING = re.compile(
    "drop|rand|rrelu|attention|lstm|gru|rnn|multinomial|bernoulli|normal|uniform|poisson|expon|gumbel|frac"
)
PASSING = ("torch.Tensor.backward", "torch.nn.init.")  # which are seen elsewhere, or make a new leaf


class Ref(int):
    """Stands for a tensor object of the script among the arguments of a call."""


class TorchCall(NamedTuple):
    """A call of PyTorch, with numbers in place of tensors.

    writes: the tensors that it changed in place, with all that shared their memory then
    place: the expression for which the script reads a number there, and its line; None where it reads none
    draw: the state of the random generator before a call that may draw
    """

    function: Callable[..., Any]
    args: Any
    kwargs: Any
    results: tuple[Ref, ...]
    line: str
    writes: frozenset[Ref] = frozenset()
    place: tuple[str, int] | None = None
    draw: Any = None
    has_gradients: bool = True


class Entered(NamedTuple):
    """A module begins to compute. The call has a number."""

    number: int
    module: Any


class Left(NamedTuple):
    """A module has computed its results."""

    number: int
    results: tuple[Ref, ...]
    line: str


TapeEntry = TorchCall | Entered | Left


@dataclass
class LeafValue:
    """What a tensor held that no recorded call has made, when a call first read it.

    origin: how PyTorch made it, unseen, if it has a gradient from elsewhere
    turn: after how many passes it was last seen to hold this
    """

    copy: Any
    owner: weakref.ref[Any]
    wants_gradient: bool
    origin: str
    turn: int
    name: str = ""


@dataclass
class Known:
    """A tensor that has a number."""

    tensor: weakref.ref[Any]
    ref: Ref
    version: int
    memory: int
    is_leaf: bool = False


@dataclass(frozen=True)
class PassSummary:
    """A backward pass, or a call of grad: its number from 0, its line, its output, and how many calls led to that."""

    number: int
    line: str
    output: str
    shape: tuple[int, ...]
    value: float | None
    operations: int


@dataclass
class KeptPass:
    """A pass that can be computed again.

    outputs: of the pass, each with its weights, where the script gave some
    wanted: the tensors whose gradients the script asked for; None for all leaves
    """

    summary: PassSummary
    entries: list[TapeEntry]
    leaves: dict[Ref, LeafValue]
    outputs: list[tuple[Ref, Any]]
    value: Any
    wanted: set[Ref] | None
    names: dict[Ref, str] = field(default_factory=dict)
    module_names: dict[int, str] = field(default_factory=dict)
    gradients: dict[Ref, Any] = field(default_factory=dict)
    is_scalar_backward: bool = False


class ScriptRecorder:
    """The calls, leaves and passes recorded of a script.

    chosen: the number of the pass that is wanted; None for that of the last training step
    passes: the first and the last ones; `count` says how many there were
    """

    def __init__(self, chosen: int | None = None, roots: Mapping[str, Any] | None = None) -> None:
        self.chosen, self.names = chosen, ScriptNames(roots or {})
        self.tape: list[TapeEntry] = []
        self.leaves: dict[Ref, LeafValue] = {}
        self.known: dict[int, Known] = {}  # by the identity of the tensor
        self.in_memory: dict[int, set[int]] = {}  # identities, by where the memory begins
        self.spent = set[Ref]()  # results whose graph PyTorch has freed
        self.entered: list[int] = []  # the numbers of the modules that compute, 0 for one that is not recorded
        self.count, self.numbered, self.began, self.limit = 0, 0, 0, MOST_CALLS
        self.lines: list[str] = []  # of all passes
        self.first: list[PassSummary] = []
        self.recent = deque[PassSummary](maxlen=LAST)
        self.last: KeptPass | None = None
        self.stepped: KeptPass | None = None
        self.is_paused = False
        self.thread = threading.get_ident()

    @property
    def passes(self) -> list[PassSummary]:
        return [*self.first, *(item for item in self.recent if item.number >= len(self.first))]

    @property
    def kept(self) -> KeptPass | None:
        """The chosen pass; else the loss of the last training step, or the last pass where there is none."""
        return self.last if self.chosen is not None else self.stepped or self.last

    def ref(self, tensor: Any, by_base: bool = False) -> Ref:
        """The number of a tensor; a new leaf for one that no recorded call has made, or that was changed unseen."""
        import torch

        known = self.find(tensor)
        if known is not None:
            if known.is_leaf:
                if self._holds(self.leaves[known.ref], known, tensor):
                    return known.ref
            elif known.version == version(tensor) or tensor.grad_fn is not None:
                return known.ref
        base = tensor._base
        if base is not None and (by_base or (tensor.grad_fn is not None and self.find(base) is not None)):
            how = (tuple(tensor.shape), tensor.stride(), tensor.storage_offset())
            whole, part = self.ref(base), self._know(tensor)
            self.tape.append(TorchCall(torch.as_strided, (whole, *how), {}, (part,), code_line()))
            return part
        return self._leaf(tensor)

    def find(self, tensor: Any) -> Known | None:
        known = self.known.get(id(tensor))
        return known if known is not None and known.tensor() is tensor else None

    def _is_result(self, tensor: Any) -> bool:
        """Whether a recorded call has made a tensor."""
        known = self.find(tensor)
        return known is not None and not known.is_leaf

    def is_derived(self, tensor: Any) -> bool:
        return tensor.requires_grad or self._is_result(tensor)

    def _know(self, tensor: Any, is_leaf: bool = False) -> Ref:
        self.numbered += 1
        ref, memory = Ref(self.numbered), 0 if is_wrapped(tensor) else memory_of(tensor)
        self.known[id(tensor)] = Known(weakref.ref(tensor), ref, version(tensor), memory, is_leaf)
        if memory:
            self.in_memory.setdefault(memory, set()).add(id(tensor))
        return ref

    def _leaf(self, tensor: Any) -> Ref:
        ref = self._know(tensor, is_leaf=True)
        origin = "" if tensor.grad_fn is None else tensor.grad_fn.name()
        wants = tensor.requires_grad and tensor.is_leaf
        self.leaves[ref] = LeafValue(_copy(tensor), weakref.ref(tensor), wants, origin, self.count)
        return ref

    def _holds(self, leaf: LeafValue, known: Known, tensor: Any) -> bool:
        """Whether a leaf still holds what it did. A write through `.data` or numpy leaves the version as it was."""
        import torch

        if known.version != version(tensor) or leaf.wants_gradient != (tensor.requires_grad and tensor.is_leaf):
            return False
        if leaf.turn != self.count:
            is_alike = leaf.copy.shape == tensor.shape and leaf.copy.dtype == tensor.dtype
            if not is_alike or not torch.equal(leaf.copy, tensor.detach()):
                return False
            leaf.turn = self.count
        return True

    def _forget(self, tensor: Any) -> None:
        known = self.known.pop(id(tensor), None)
        if known is not None:
            self.in_memory.get(known.memory, set()).discard(id(tensor))

    def call(self, function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Run one call of PyTorch, and note it if it reads what depends on a leaf with a gradient."""
        import torch

        if self.is_paused:
            return function(*args, **kwargs)
        kind = _kind(function)
        if kind.is_grad:
            return self._grad(function, args, kwargs)
        if kind.is_asking:
            self._forget(args[0])
        if kind.is_detaching:
            known = self.find(args[0])
            if kind.is_data and known is not None and known.is_leaf:
                self.leaves[known.ref].turn = -1  # it may change from now on
            if known is None or known.is_leaf or known.ref <= self.began:
                return function(*args, **kwargs)  # a new leaf, as the hidden state in truncated BPTT
        if kind.is_passing:
            return function(*args, **kwargs)
        tensors = list(tensors_in((args, kwargs)))
        if any(map(is_wrapped, tensors)):
            return function(*args, **kwargs)
        changed = tensors[0] if kind.is_in_place and tensors else None
        has_gradients = torch.is_grad_enabled()
        if has_gradients:
            is_recorded = any(map(self.is_derived, tensors))
        else:
            is_recorded = changed is not None and changed.requires_grad and self._is_result(changed)
            if changed is not None and changed.is_leaf and changed.requires_grad:
                self.step()
        if not is_recorded:
            return function(*args, **kwargs)
        if changed is not None and changed._base is not None:
            self.ref(changed, by_base=True)
        return self.record(function, args, kwargs, tensors, kind, has_gradients)

    def record(
        self,
        function: Callable[..., Any],
        args: Any,
        kwargs: Any,
        tensors: Sequence[Any],
        kind: CallKind,
        gradients: bool,
    ) -> Any:
        """Run a call and record it."""
        import torch

        operands, named = map_tensors(self.ref, tuple(args)), map_tensors(self.ref, dict(kwargs))
        versions = [version(item) for item in tensors]
        place = read_at() if kind.is_reading else None
        draw = torch.default_generator.get_state() if kind.draws else None
        line = code_line()
        result = function(*args, **kwargs)
        changed = [item for item, before in zip(tensors, versions) if version(item) != before]
        writes = frozenset(ref for item in changed for ref in self._change(item))
        results = tuple(self._result(item) for item in tensors_in(result))
        self.tape.append(TorchCall(function, operands, named, results, line, writes, place, draw, gradients))
        if len(self.tape) > self.limit:
            self.compact()
        return result

    def _result(self, tensor: Any) -> Ref:
        known = self.find(tensor)
        return self._know(tensor) if known is None else known.ref

    def _change(self, tensor: Any) -> list[Ref]:
        """Note that a call changed a tensor in place; returns the tensors that have other numbers since then."""
        own = self.find(tensor)
        assert own is not None
        changed = [own.ref]
        own.version, own.is_leaf = version(tensor), False
        for key in list(self.in_memory.get(own.memory, ())):
            other = self.known.get(key)
            item = None if other is None else other.tensor()
            if other is None or item is None or item is tensor or other.memory != own.memory:
                continue  # the last: another tensor has got the identity of one that is gone
            if other.is_leaf and item is not tensor._base:
                self._forget(item)  # its copy is no part of the memory that changed
            else:
                other.version, other.is_leaf = version(item), False
                changed.append(other.ref)
        return changed

    def backward(self, backward: Callable[..., Any], arguments: Mapping[str, Any]) -> None:
        """Run torch.autograd.backward, which is a pass."""
        outputs = _listed(arguments["tensors"])
        with self.unseen():
            inputs = None if arguments["inputs"] is None else _listed(arguments["inputs"])
            kept = self._begin(outputs, arguments["grad_tensors"], inputs)
            before = {ref: item.grad.clone() for ref, item in self._owners(kept) if item.grad is not None}
            backward(**arguments)
            for ref, item in self._owners(kept):
                if item.grad is not None:
                    kept.gradients[ref] = _copy(item.grad - before[ref] if ref in before else item.grad)
            kept.is_scalar_backward = len(outputs) == 1 and outputs[0].numel() == 1
            retains = arguments["create_graph"] if arguments["retain_graph"] is None else arguments["retain_graph"]
            self._end(kept, not retains)

    def _grad(self, grad: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Run torch.autograd.grad, which is a pass, and with create_graph=True a call of the graph too."""
        import torch

        bound = signature(grad).bind(*args, **kwargs)
        bound.apply_defaults()
        arguments = bound.arguments
        outputs, inputs = _listed(arguments["outputs"]), _listed(arguments["inputs"])
        if any(map(is_wrapped, [*outputs, *inputs])):
            return grad(*args, **kwargs)
        with self.unseen():
            kept = self._begin(outputs, arguments["grad_outputs"], inputs)
            if arguments["create_graph"]:
                result = self.record(grad, args, kwargs, [*tensors_in((args, kwargs))], _kind(grad), True)
            else:
                result = grad(*args, **kwargs)
            for item, gradient in zip(inputs, result):
                if isinstance(gradient, torch.Tensor) and (known := self.find(item)) is not None:
                    kept.gradients[known.ref] = _copy(gradient)
            retains = arguments["create_graph"] if arguments["retain_graph"] is None else arguments["retain_graph"]
            self._end(kept, not retains, is_over=not arguments["create_graph"])
        return result

    def _begin(self, outputs: Sequence[Any], weights: Any, inputs: Sequence[Any] | None) -> KeptPass:
        line = code_line()
        seeds = list(weights) if isinstance(weights, Sequence) else [weights] * len(outputs)
        refs = [self.ref(item) for item in outputs]
        wanted = None if inputs is None else {self.ref(item) for item in inputs}
        entries = self.needed(refs, with_reads=True)
        leaves = {ref: self.leaves[ref] for ref in sorted(_read(entries) | {*refs}) if ref in self.leaves}
        value, operations = outputs[0].detach(), sum(type(item) is TorchCall for item in entries)
        names, module_names = self.names.of(self, leaves, entries, self.count)
        number = float(value) if value.numel() == 1 and not value.is_complex() else None
        summary = PassSummary(self.count, line, names.get(refs[0], ""), tuple(value.shape), number, operations)
        weighted = [(ref, None if one is None else _copy(one)) for ref, one in zip(refs, seeds)]
        copies = [_copy(item) for item in outputs]
        return KeptPass(summary, entries, leaves, weighted, copies, wanted, names, module_names)

    def _owners(self, kept: KeptPass) -> list[tuple[Ref, Any]]:
        """The leaves of a pass that want a gradient, and are still there."""
        wanting = [(ref, leaf.owner()) for ref, leaf in kept.leaves.items() if leaf.wants_gradient]
        return [(ref, item) for ref, item in wanting if item is not None]

    def _end(self, kept: KeptPass, frees: bool, is_over: bool = True) -> None:
        self.lines.append(sys.intern(kept.summary.line))
        if len(self.first) < FIRST:
            self.first.append(kept.summary)
        self.recent.append(kept.summary)
        if self.chosen is None or self.chosen == kept.summary.number:
            self.last = kept
        self.count += 1
        if frees:
            self.spent |= _through(kept.entries, {ref for ref, _ in kept.outputs})
        if is_over:
            self.turn()

    def step(self) -> None:
        """Note that an optimiser, or the script itself, has updated its weights with the last gradients."""
        if self.last is not None and self.last.is_scalar_backward and self.last.summary.number == self.count - 1:
            self.stepped = self.last

    @contextmanager
    def unseen(self) -> Iterator[None]:
        """What runs within PyTorch's own reverse pass is no call of the script."""
        before, self.is_paused = self.is_paused, True
        try:
            yield
        finally:
            self.is_paused = before

    def turn(self) -> None:
        """Begin the next pass: values without a gradient are its leaves, as updated weights are."""
        self.known = {
            key: item
            for key, item in self.known.items()
            if (tensor := item.tensor()) is not None and (item.is_leaf or tensor.requires_grad)
        }
        self.began = self.numbered
        self.compact()

    def compact(self) -> None:
        """Drop the calls that no living tensor comes from."""
        self.known = {key: item for key, item in self.known.items() if item.tensor() is not None}
        self.in_memory = {}
        for key, item in self.known.items():
            if item.memory:
                self.in_memory.setdefault(item.memory, set()).add(key)
        results = [item.ref for item in self.known.values() if not item.is_leaf]
        entries = self.needed(results)
        if len(entries) > MOST_SPENT and self.spent:
            freed = _after(entries, self.spent)
            self.known = {key: item for key, item in self.known.items() if item.ref not in freed}
            entries = self.needed([ref for ref in results if ref not in freed])
        self.tape = entries
        there = _read(entries) | {item.ref for item in self.known.values()}
        self.leaves = {ref: leaf for ref, leaf in self.leaves.items() if ref in there}
        self.spent &= there | {ref for item in entries if type(item) is TorchCall for ref in item.results}
        self.limit = max(MOST_CALLS, 2 * len(self.tape))

    def needed(self, refs: Sequence[Ref], with_reads: bool = False) -> list[TapeEntry]:
        """The calls that lead to some tensors, and the modules around them; also what the script read since the last
        pass, if that decides a branch or leads to the tensors."""
        wanted, kept = {*refs}, list[TapeEntry]()
        within = list[list[Any]]()  # the modules around the call: the number, and whether one of their calls is kept
        for entry in reversed(self.tape):
            if type(entry) is Left:
                within.append([entry.number, False])
                kept.append(entry)
            elif type(entry) is Entered:
                if not within or within[-1][0] != entry.number:
                    kept.append(entry)  # the module still computes
                elif within.pop()[1]:
                    kept.append(entry)
                    if within:
                        within[-1][1] = True
                else:
                    kept.pop()  # the end of the module
            else:
                assert type(entry) is TorchCall
                if entry.place is not None:
                    is_kept = with_reads and self._is_guard(entry, wanted)
                else:
                    is_kept = not wanted.isdisjoint(entry.results) or not wanted.isdisjoint(entry.writes)
                if is_kept:
                    kept.append(entry)
                    wanted |= {*_refs_in((entry.args, entry.kwargs)), *entry.results}
                    if within:
                        within[-1][1] = True
        return kept[::-1]

    def _is_guard(self, entry: TorchCall, wanted: set[Ref]) -> bool:
        """Whether the script went on with a number of this pass. A number that is only printed leads nowhere."""
        read = {*_refs_in(entry.args)}
        if _kind(entry.function).decides:
            return any(ref > self.began for ref in read)
        return any(ref > self.began and ref in wanted and ref not in self.leaves for ref in read)


class CallKind(NamedTuple):
    """What the recorder makes of a function of PyTorch."""

    is_grad: bool
    is_data: bool
    is_detaching: bool
    is_asking: bool
    is_passing: bool
    is_in_place: bool
    is_reading: bool
    decides: bool
    draws: bool


@lru_cache(maxsize=4096)
def _kind(function: Callable[..., Any]) -> CallKind:
    name = function_name(function)
    plain, last = plain_name(name), name.rpartition(".")[2]
    is_reading = plain in READING
    is_data = name in ("torch.Tensor.data.__get__", "torch.Tensor.data.__set__")
    is_asking = name in ("torch.Tensor.requires_grad_", "torch.Tensor.requires_grad.__set__")
    is_update = last.startswith("__i") and last not in ("__invert__", "__index__", "__int__", "__init__")
    return CallKind(
        is_grad=name == "torch.autograd.grad",
        is_data=is_data,
        is_detaching=is_data or name in ("torch.Tensor.detach", "torch.detach"),
        is_asking=is_asking,
        is_passing=name.startswith(PASSING) or (is_no_arithmetic(name, plain) and not is_reading),
        is_in_place=is_update or last == "__setitem__" or (last.endswith("_") and not last.endswith("__")),
        is_reading=is_reading,
        decides=plain in ("__bool__", "__int__", "__index__"),
        draws=DRAWING.search(name) is not None,
    )


class ScriptNames:
    """The names of a script's tensors and modules: those of its variables, and paths from these.

    roots: the variables of the script itself
    """

    def __init__(self, roots: Mapping[str, Any]) -> None:
        self.roots = roots
        self.paths: dict[int, tuple[weakref.ref[Any], str]] = {}

    def of(
        self, recorder: ScriptRecorder, leaves: Mapping[Ref, LeafValue], entries: Sequence[TapeEntry], count: int
    ) -> tuple[dict[Ref, str], dict[int, str]]:
        """The names of what a pass reads and makes, by number; and of its modules, by identity."""
        import torch

        variables = {**self.roots, **self._locals()}
        direct = {id(item): name for name, item in reversed(variables.items()) if isinstance(item, torch.Tensor)}
        owners = {ref: leaf.owner() for ref, leaf in leaves.items()}
        used = [item.module for item in entries if type(item) is Entered]
        wanting = [item for ref, item in owners.items() if leaves[ref].wants_gradient]
        if any(not self._path(item) for item in [*wanting, *used]) and not count & (count - 1):
            self._search(variables)  # less and less often, should something have no name
        for ref, owner in owners.items():
            leaves[ref].name = leaves[ref].name or self._path(owner) or direct.get(id(owner), "")
        results = {id(item.tensor()): item.ref for item in recorder.known.values() if not item.is_leaf}
        names = {results[key]: name for key, name in direct.items() if key in results}
        return names, {id(item): self._path(item) for item in used}

    def _path(self, item: Any) -> str:
        owner, name = self.paths.get(id(item), (None, ""))
        return name if owner is not None and owner() is item else ""

    def _search(self, variables: dict[str, Any]) -> None:
        import torch

        models = {name: item for name, item in variables.items() if isinstance(item, torch.nn.Module)}
        for path, item in (*reachable(models), *reachable(variables)):  # weight of a layer, before p of a loop
            if isinstance(item, torch.Tensor | torch.nn.Module) and not self._path(item):
                self.paths[id(item)] = weakref.ref(item), path

    def _locals(self) -> dict[str, Any]:
        """The variables of the functions of the script that run, those of outer ones before the inner ones'."""
        frame: FrameType | None = sys._getframe(1)
        scopes = list[dict[str, Any]]()
        while frame is not None:
            if is_users_frame(frame):
                scopes.append(frame.f_locals)
            frame = frame.f_back
        variables = dict[str, Any]()
        for names in reversed(scopes):
            for name, item in names.items():
                if not name.startswith("_"):
                    variables.setdefault(name, item)
        return variables


def _copy(tensor: Any) -> Any:
    return tensor.detach().clone()


def _listed(item: Any) -> list[Any]:
    import torch

    return [item] if isinstance(item, torch.Tensor) else list(item)


def _refs_in(item: Any) -> Iterator[Ref]:
    if type(item) is Ref:
        yield item
    elif isinstance(item, dict):
        yield from _refs_in([*item.values()])
    elif isinstance(item, tuple | list):
        for part in item:
            yield from _refs_in(part)


def _read(entries: Sequence[TapeEntry]) -> set[Ref]:
    return {ref for item in entries if type(item) is TorchCall for ref in _refs_in((item.args, item.kwargs))}


def _through(entries: Sequence[TapeEntry], refs: set[Ref]) -> set[Ref]:
    """The results through which a gradient has gone from some tensors."""
    reached = {*refs}
    for entry in reversed(entries):
        is_reached = type(entry) is TorchCall and not reached.isdisjoint(entry.results)
        if is_reached and not _kind(entry.function).is_detaching:
            reached |= {*_refs_in((entry.args, entry.kwargs))}
    return reached


def _after(entries: Sequence[TapeEntry], refs: set[Ref]) -> set[Ref]:
    """Some results, and all that were computed from them."""
    reached = {*refs}
    for entry in entries:
        if type(entry) is TorchCall and any(ref in reached for ref in _refs_in((entry.args, entry.kwargs))):
            reached |= {*entry.results}
    return reached


def apply_own(kind: Any, *args: Any, **named: Any) -> Any:
    """Apply a torch.autograd.Function of the user's."""
    return kind.apply(*args, **named)


@contextmanager
def recording_script(recorder: ScriptRecorder) -> Iterator[None]:
    """While this is open, what this thread computes by PyTorch is recorded; not what a forked process does."""
    from torch.nn.modules import module as modules
    from torch.optim.optimizer import register_optimizer_step_post_hook
    from torch.overrides import TorchFunctionMode

    class ScriptMode(TorchFunctionMode):  # type: ignore[misc, unused-ignore]
        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            return recorder.call(func, args, kwargs or {})

    os.register_at_fork(after_in_child=lambda: setattr(recorder, "is_paused", True))
    handles = [
        register_optimizer_step_post_hook(lambda *_: recorder.step()),
        modules.register_module_forward_pre_hook(lambda module, _: _enter(recorder, module)),
        modules.register_module_forward_hook(lambda _, __, output: _leave(recorder, output), always_call=True),
    ]
    try:
        with _own_passes(recorder), _own_functions(recorder), ScriptMode():
            yield
    finally:
        for handle in handles:
            handle.remove()


def _sees(recorder: ScriptRecorder) -> bool:
    return not recorder.is_paused and threading.get_ident() == recorder.thread


def _enter(recorder: ScriptRecorder, module: Any) -> None:
    import torch

    if threading.get_ident() == recorder.thread:
        number = 0
        if not recorder.is_paused and torch.is_grad_enabled():
            recorder.numbered += 1
            number = recorder.numbered
            recorder.tape.append(Entered(number, module))
        recorder.entered.append(number)


def _leave(recorder: ScriptRecorder, output: Any) -> None:
    if threading.get_ident() == recorder.thread and recorder.entered and (number := recorder.entered.pop()):
        known = [recorder.find(item) for item in tensors_in(output)]
        recorder.tape.append(Left(number, tuple(item.ref for item in known if item is not None), code_line()))


@contextmanager
def _own_passes(recorder: ScriptRecorder) -> Iterator[None]:
    """torch.autograd.backward, which every `backward` calls, asks no mode."""
    import torch

    own = torch.autograd.backward
    parameters = signature(own)

    @wraps(own)
    def backward(*args: Any, **kwargs: Any) -> None:
        if _sees(recorder):
            bound = parameters.bind(*args, **kwargs)
            bound.apply_defaults()
            recorder.backward(own, bound.arguments)
        else:
            own(*args, **kwargs)

    torch.autograd.backward = backward
    try:
        yield
    finally:
        torch.autograd.backward = own


@contextmanager
def _own_functions(recorder: ScriptRecorder) -> Iterator[None]:
    """A torch.autograd.Function of the user's is one call; its forward pass runs where gradients are off."""
    import torch
    from torch.autograd import Function
    from torch.utils.checkpoint import CheckpointFunction

    own = getattr_static(Function, "apply")

    def applied(kind: Any, *args: Any, **named: Any) -> Any:
        tensors = list(tensors_in((args, named)))
        is_seen = _sees(recorder) and torch.is_grad_enabled() and not any(map(is_wrapped, tensors))
        if not is_seen or not any(map(recorder.is_derived, tensors)):
            return own.__func__(kind, *args, **named)
        with recorder.unseen():
            return recorder.record(apply_own, (kind, *args), named, tensors, _kind(apply_own), True)

    Function.apply = classmethod(applied)
    CheckpointFunction.apply = staticmethod(lambda function, preserve_rng_state, *args: function(*args))
    try:
        yield
    finally:
        Function.apply = own
        del CheckpointFunction.apply
