"""tf.GradientTape and tf.custom_gradient."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from cadena.core.graph.unconnected import NoPath
from cadena.core.scripts.asked import ASKED, Asked
from cadena.core.scripts.custom import custom
from cadena.core.scripts.tensor_flow.functions import bound
from cadena.core.scripts.tensor_flow.tensor import STATE, Tensor, TensorFlowTape, Variable, operate
from cadena.core.tracing.traced import Traced


class GradientTape:
    """A tape that watches variables, and the tensors given to `watch`, while it is open."""

    def __init__(self, persistent: bool = False) -> None:
        self.persistent, self._used = persistent, False

    def __enter__(self) -> Any:
        if not STATE.open:
            STATE.episode += 1
        STATE.open += 1
        return self

    def __exit__(self, *error: Any) -> None:
        STATE.open -= 1

    def watch(self, tensor: Any) -> None:
        for item in tensor if isinstance(tensor, list | tuple) else [tensor]:
            item.watch()

    def reset(self) -> None:
        self._used = False

    def gradient(
        self, target: Any, sources: Any, output_gradients: Any = None, unconnected_gradients: Any = None
    ) -> Any:
        """The gradient of the target, or of the sum of several, for each of the sources; None where there is none."""
        if self._used and not self.persistent:
            raise RuntimeError(
                "A non-persistent GradientTape can only be used to compute one set of gradients (or jacobians)"
            )
        self._used = True
        targets, seeds = _listed(target), _listed(output_gradients) if output_gradients is not None else []
        started: dict[int, Any] = {}
        for number, item in enumerate(targets):
            if isinstance(item, Variable):  # of itself the gradient is 1, even if the tape saw nothing of it
                item.watch()
            if item._node is not None:
                seed = seeds[number].array if seeds else np.ones(item.array.shape, item.array.dtype)[()]
                started[item._node.number] = started.get(item._node.number, 0) + seed
        flat = [*_flat(sources)]
        gradients = _pull(started, flat)
        if started:
            STATE.note_pass(next(reversed(started)))
        for item in flat:
            if not any(place in gradients for place in item.places()) or not item.dtype.is_floating:
                note_without_gradient(item)
        zero = unconnected_gradients == "zero"
        return _nested(sources, iter(_gradient(item, gradients, zero) for item in flat))

    def jacobian(self, target: Any, sources: Any) -> Any:
        """The gradient of each element of the target."""
        self._used = True
        flat, rows = [*_flat(sources)], list[list[Any]]()
        for place in range(target.array.size):
            seed = np.zeros(target.array.shape, target.array.dtype)
            seed.flat[place] = 1
            gradients = _pull({target._node.number: seed}, flat) if target._node is not None else {}
            rows.append([_gradient(item, gradients, True) for item in flat])
        if target._node is not None:
            STATE.note_pass(target._node.number)
        joined = (
            operate("reshape", (operate("stack", [*column]),), {"shape": [*target.shape, *item.shape]})
            for item, column in zip(flat, zip(*rows, strict=True), strict=True)
        )
        return _nested(sources, joined)

    def stop_recording(self) -> Any:
        return _Stopped()


class _Stopped:
    """While it is open nothing is recorded."""

    def __enter__(self) -> None:
        self._before, STATE.open = STATE.open, 0

    def __exit__(self, *error: Any) -> None:
        STATE.open = self._before


def note_without_gradient(source: Tensor) -> None:
    """Note why a source gets no gradient."""
    reason = NoPath.UNUSED
    if not source.dtype.is_floating:
        reason = NoPath.INTEGER
    elif isinstance(source, Variable):
        reason = NoPath.UNUSED if source.trainable else NoPath.NOT_TRAINABLE
    elif not source.is_tracked or (source._node is not None and source._node.number in STATE.tape.data):
        reason = NoPath.NOT_WATCHED
    if source._name:
        places = tuple(source.places())
        ASKED.append(Asked(len(STATE.passes), reason, source._name, source.array, source._place, places))


def _pull(started: dict[int, Any], sources: Sequence[Tensor]) -> dict[int, Any]:
    places = {place for item in sources for place in item.places()}
    return STATE.tape.pull(started, kept=True, recorded=STATE.open > 0, wanted=places) if started else {}


def _listed(items: Any) -> list[Any]:
    return [*_flat(items)]


def _flat(sources: Any) -> Any:
    if isinstance(sources, dict):
        sources = [*sources.values()]
    if isinstance(sources, list | tuple):
        for item in sources:
            yield from _flat(item)
    else:
        yield sources


def _nested(sources: Any, gradients: Any) -> Any:
    if isinstance(sources, dict):
        return {name: _nested(item, gradients) for name, item in sources.items()}
    if isinstance(sources, list | tuple):
        return type(sources)(_nested(item, gradients) for item in sources)
    return next(gradients)


def _gradient(source: Tensor, gradients: dict[int, Any], zero: bool) -> Any:
    parts = [gradients[place] for place in source.places() if place in gradients and source.dtype.is_floating]
    if not parts:
        return Tensor(np.zeros(source.array.shape, source.array.dtype)[()]) if zero else None
    return tensor_of(sum(parts[1:], parts[0]))


def tensor_of(part: Any) -> Tensor:
    """A gradient as a tensor: with its graph where it was recorded."""
    return Tensor(part.value, part) if isinstance(part, Traced) else Tensor(np.asarray(part)[()])


def custom_gradient(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function that returns its result and the function that gives its gradient."""
    function = f

    def call(*arguments: Any) -> Any:
        operands = [item if isinstance(item, Tensor) else Tensor(np.float32(item)) for item in arguments]
        if not STATE.open or not any(isinstance(item, Variable) or item.is_tracked for item in operands):
            return function(*arguments)[0]
        outer, STATE.tape = STATE.tape, TensorFlowTape(0)  # the script's own gradient, not the library's
        try:
            record = _recorded(function, operands)
        finally:
            STATE.tape = outer
        return operate(record, operands)

    call.__name__ = function.__name__
    return call


def _recorded(function: Callable[..., Any], arguments: Sequence[Tensor]) -> Any:
    inner = [_leaf(item.array, item._name) for item in arguments]
    pair = function(*inner)
    name = function.__name__
    if not isinstance(pair, tuple) or len(pair) != 2 or not callable(pair[1]):
        raise TypeError(f"{name} must return its result and a function that gives its gradient")
    result, backward = pair
    if not isinstance(result, Tensor) or not result.is_tracked:
        raise TypeError(f"{name} must return a tensor that it computes from its operands with functions of tf")
    upstream = _leaf(np.ones(result.array.shape, result.array.dtype)[()])
    parts = _listed(backward(upstream))
    if len(parts) != len(inner):
        raise ValueError(f"the gradient of {name} must give {len(inner)} gradients, not {len(parts)}")
    chosen = [None if part is None else part.handle() if isinstance(part, Tensor) else part for part in parts]
    operands = [item.handle() for item in inner]
    return custom(name, STATE.tape, operands, result.handle(), upstream.handle(), chosen)


def _leaf(numbers: Any, name: str = "") -> Tensor:
    leaf = Tensor(numbers, STATE.tape.leaf(numbers))
    if name and leaf._node is not None:
        STATE.tape.name(leaf._node.number, name)
    return leaf


for _name in ("gradient", "jacobian", "watch"):
    setattr(GradientTape, _name, bound(f"tensorflow.GradientTape.{_name}", vars(GradientTape)[_name]))
