"""A torch.autograd.Function of the user's, recorded as a function of the document with a custom gradient."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, cast

import numpy as np

from cadena.core.capture.modules import node_name, without_lines
from cadena.core.capture.record import CheckedTape, Leaf, Record
from cadena.core.capture.tensor_paths import TensorPaths
from cadena.core.capture.torch_recorder import TorchRecorder, mode_of
from cadena.core.capture.torch_tensors import is_wrapped, place_of, tensors_in
from cadena.core.functions.calls import operations
from cadena.core.graph.document import Backward, Function
from cadena.core.graph.edits import fresh_name
from cadena.core.graph.fault import Refused
from cadena.core.ops.primitive import REGISTRY
from cadena.core.tracing.traced import Traced, apply

OWN = "its gradient is Python code of its own"


@contextmanager
def own_functions(recorder: TorchRecorder) -> Iterator[None]:
    """Record each torch.autograd.Function with its own gradient.

    torch.utils.checkpoint calls what it is given, which gives the same values and gradients; its older form
    (use_reentrant=True) is such a Function, computes where gradients are off, and refuses torch.autograd.grad.
    """
    from torch.autograd import Function as UsersFunction
    from torch.utils.checkpoint import CheckpointFunction

    own = inspect.getattr_static(UsersFunction, "apply")
    UsersFunction.apply = classmethod(lambda kind, *args, **named: _applied(recorder, own.__func__, kind, args, named))
    CheckpointFunction.apply = staticmethod(lambda function, preserve_rng_state, *args: function(*args))
    try:
        yield
    finally:
        UsersFunction.apply = own
        del CheckpointFunction.apply


def _applied(recorder: TorchRecorder, apply_it: Callable[..., Any], kind: Any, args: Any, named: Any) -> Any:
    if recorder.is_paused:
        return apply_it(kind, *args, **named)
    recorder.is_paused = True  # what is asked of tensors here is no call of the user's
    try:
        operands = [item for item in args if _is_real(item) and not is_wrapped(item)]
        values = [recorder.traced(item) for item in operands]
        inner = _inner(recorder, operands)
        with inner.mode():
            result = apply_it(kind, *args, **named)
        if any(item.requires_grad and not is_wrapped(item) for item in tensors_in(result)):
            call = UsersCall(kind, args, operands, result)
            function, why = _function_of(inner, call)
            with recorder.record.at(recorder.line()):
                value = None if function is None else _called(recorder, kind.__name__, function, values)
                recorder.note(result, _each(recorder, result, value), args, kind.__name__, why)
    finally:
        recorder.is_paused = False
    return result


def _is_real(item: Any) -> bool:
    import torch

    return isinstance(item, torch.Tensor) and item.is_floating_point()


class UsersCall(NamedTuple):
    """A call of a torch.autograd.Function: its class, arguments, those that are real tensors, and what it returns."""

    kind: Any
    args: Sequence[Any]
    operands: Sequence[Any]
    result: Any

    @property
    def results(self) -> list[Any]:
        """The results that are real tensors."""
        return [item for item in tensors_in(self.result) if _is_real(item)]


def _each(recorder: TorchRecorder, result: Any, value: Traced | None) -> Any:
    """The values of all results; None for those that are no real numbers."""
    if value is None:
        return None
    parts = iter(_parts(value, [item.shape for item in tensors_in(result) if _is_real(item)]))
    values = [next(parts) if _is_real(item) else None for item in tensors_in(result)]
    return [
        one if one is None or item.requires_grad else recorder.stopped(one)
        for item, one in zip(tensors_in(result), values)
    ]


def _joined(parts: Sequence[Traced]) -> Traced:
    """A function has one result: several are put one after the other, as a vector."""
    whole: Any = parts[0] if len(parts) == 1 else np.concatenate([np.reshape(part, [-1]) for part in parts])
    return cast(Traced, whole)


def _parts(whole: Any, shapes: Sequence[Sequence[int]]) -> list[Any]:
    """The results that were joined."""
    if len(shapes) == 1:
        return [whole]
    sizes = [math.prod(shape) for shape in shapes]
    return [np.reshape(whole[end - size : end], shape) for end, size, shape in zip(np.cumsum(sizes), sizes, shapes)]


def _called(recorder: TorchRecorder, name: str, function: Function, values: Sequence[Traced]) -> Any:
    """A call of the function; of equal functions there is one."""
    bare = without_lines(function)
    called = next((known for known, one in recorder.functions.items() if without_lines(one) == bare), "")
    if not called:
        called = fresh_name({*recorder.functions, *REGISTRY}, node_name(name))
        recorder.functions[called] = function
    return apply(operations(dict(recorder.functions))[called], values)


def _inner(recorder: TorchRecorder, operands: Sequence[Any]) -> TorchRecorder:
    """A recorder of what happens within one call, whose leaves are the operands."""
    record = Record(recorder.record.dtype, CheckedTape())
    leaves = {id(item): (item, Leaf("input", f"x{index}")) for index, item in enumerate(operands)}
    inner = TorchRecorder(record, leaves, TensorPaths({}))
    inner.stops_where_off = False
    inner.mode = mode_of(inner)
    for item in operands:
        inner.traced(item)
    return inner


def _function_of(inner: TorchRecorder, call: UsersCall) -> tuple[Function | None, str]:
    """The function with the user's gradient; None and the reason where that cannot be expressed."""
    results, operands = call.results, call.operands
    are_new = not any(result is item for result in results for item in operands)
    if not are_new or len({id(item) for item in operands}) < len(operands):
        return None, f"{OWN}, which is known here for new results and different operands"
    values = [value for item in results if (value := _stand(inner, item)) is not None]
    if len(values) < len(results):
        return None, f"{OWN}, and its forward pass is not known"
    gradients, why = _backward(inner, call)
    if gradients is None or inner.record.notes:
        return None, f"{OWN} ({why or inner.record.notes[0]})"
    return _function(inner, operands, _joined(values), gradients), ""


def _stand(inner: TorchRecorder, tensor: Any) -> Traced | None:
    entry = inner.known.get(id(tensor))
    at = inner.places.get(place_of(tensor))
    return entry[2] if entry is not None and entry[0] is tensor else at[1] if at else None


def _backward(inner: TorchRecorder, call: UsersCall) -> tuple[list[Traced] | None, str]:
    """The gradients of the operands as the user's backward computes them from an upstream gradient of ones."""
    import torch

    shapes = [tuple(item.shape) for item in call.results]
    ones = np.ones(shapes[0] if len(shapes) == 1 else sum(map(math.prod, shapes)))
    pieces = iter(_parts(inner.record.leaf(ones, Leaf("input", "upstream")), shapes))
    several = call.result if isinstance(call.result, tuple) else (call.result,)
    upstream = [torch.ones_like(item.detach()) if _is_real(item) else None for item in several]
    for item in upstream:
        if item is not None:
            inner.know(item, next(pieces))
    context = next(item.grad_fn for item in call.results if item.requires_grad)
    inner.finds_by_place = True
    try:
        with torch.no_grad(), inner.mode():
            parts = call.kind.backward(context, *upstream)
    except (RuntimeError, TypeError, ValueError, Refused) as error:
        return None, f"its backward pass cannot run by itself: {error}"
    parts = parts if isinstance(parts, tuple) else (parts,)
    by_operand = {id(item): part for item, part in zip(call.args, parts)}
    gradients = []
    for item in call.operands:
        part = by_operand.get(id(item))
        zeros = np.zeros(tuple(item.shape), inner.record.dtype)
        known = inner.record.leaf(zeros, Leaf("constant", "k0")) if part is None else inner.traced(part)
        if known.shape != tuple(item.shape):
            known = np.broadcast_to(known, tuple(item.shape))  # type: ignore[assignment]
        gradients.append(known)
    return gradients, ""


def _function(inner: TorchRecorder, operands: Sequence[Any], value: Traced, gradients: Sequence[Traced]) -> Function:
    record, labels = inner.record, tuple(f"x{index}" for index in range(len(operands)))
    leaves = [inner.known[id(item)][2] for item in operands]
    number_of = {number: leaf.like for number, leaf in record.leaves.items()}
    upstream = next(Traced(record.tape, number) for number, like in number_of.items() if like == "upstream")

    def nodes(results: Sequence[Traced], names: tuple[str, ...], inputs: Sequence[Traced]) -> tuple[list[str], Any]:
        fresh = [apply("positive", [item]) if item.number in record.leaves else item for item in results]
        recorded, named = record.nodes([*inputs, *fresh])
        own = {name: node for name, node in recorded.items() if name not in names}
        return [named[item.number] for item in fresh], own

    (output,), forward = nodes([value], labels, leaves)
    outputs, back = nodes(gradients, (*labels, "upstream"), [*leaves, upstream])
    unused = fresh_name({*labels, "upstream", *back}, "result")
    return Function(labels, forward, output, Backward((*labels, unused, "upstream"), back, tuple(outputs)))
