"""jax.custom_vjp and jax.custom_jvp: functions whose derivative the script writes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from cadena.core.scripts.custom import custom
from cadena.core.scripts.jax_arrays.array import Array, is_recorded, leaf, operate
from cadena.core.scripts.jax_arrays.state import STATE
from cadena.core.scripts.jax_arrays.transforms import as_array
from cadena.core.tracing.traced import Traced


class CustomFunction(ABC):
    """What the two have in common: outside of derivatives the function itself, within them an operation of its own."""

    def __init__(self, fun: Callable[..., Any], nondiff_argnums: Sequence[int] = ()) -> None:
        self._fun, self._fixed = fun, frozenset(nondiff_argnums)
        self._under_way = False
        self.__name__, self.__doc__ = getattr(fun, "__name__", "function"), fun.__doc__

    def __call__(self, *args: Any) -> Any:
        arguments = [item if place in self._fixed else as_array(item) for place, item in enumerate(args)]
        operands = [item for place, item in enumerate(arguments) if place not in self._fixed]
        if self._under_way or not is_recorded(operands):  # a rule may call the function that it is the rule of
            return self._fun(*args)
        self._under_way = True
        try:
            with STATE.function():
                inner = [item if place in self._fixed else _inside(item) for place, item in enumerate(arguments)]
                free = [item for place, item in enumerate(inner) if place not in self._fixed]
                record = self._recorded(inner, free)
        finally:
            self._under_way = False
        return operate(record, operands)

    @abstractmethod
    def _recorded(self, inner: list[Any], free: list[Array]) -> Any:
        """The operation on all operands, of which some may be differentiated."""

    def _with_rule(self, free: list[Array], result: Any, upstream: Array, parts: Sequence[Any]) -> Any:
        if not isinstance(result, Array) or result._node is None:
            raise TypeError(f"{self.__name__} must return an array that it computes from its operands, and one alone")
        if len(parts) != len(free):
            raise TypeError(f"the rule of {self.__name__} must give {len(free)} cotangents, not {len(parts)}")
        chosen = [None if part is None else part.handle() if isinstance(part, Array) else part for part in parts]
        operands = [item.handle() for item in free]
        return custom(self.__name__, STATE.tape, operands, result.handle(), upstream.handle(), chosen)


class custom_vjp(CustomFunction):
    """jax.custom_vjp."""

    _rules: tuple[Callable[..., Any], Callable[..., Any]] | None = None

    def defvjp(self, fwd: Callable[..., Any], bwd: Callable[..., Any]) -> None:
        self._rules = fwd, bwd

    def _recorded(self, inner: list[Any], free: list[Array]) -> Any:
        if self._rules is None:
            raise AttributeError(f"No VJP defined for custom_vjp function {self.__name__} using defvjp.")
        forward, backward = self._rules
        pair = forward(*inner)
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError(f"the forward rule of {self.__name__} must return its result and what backward needs")
        result, saved = pair
        upstream = _ones(as_array(result))
        parts = backward(*(inner[place] for place in sorted(self._fixed)), saved, upstream)
        return self._with_rule(free, result, upstream, [*parts] if isinstance(parts, tuple | list) else [parts])


class custom_jvp(CustomFunction):
    """jax.custom_jvp: its rule is linear in the tangents, so that it can be turned around."""

    _rule: Callable[..., Any] | None = None

    def defjvp(self, jvp: Callable[..., Any]) -> Callable[..., Any]:
        self._rule = jvp
        return jvp

    def defjvps(self, *rules: Callable[..., Any] | None) -> None:
        def whole(primals: Sequence[Any], tangents: Sequence[Any]) -> Any:
            result = self._fun(*primals)
            moved = [rule(one, result, *primals) for rule, one in zip(rules, tangents, strict=True) if rule is not None]
            return result, sum(moved[1:], moved[0])

        self._rule = whole

    def _recorded(self, inner: list[Any], free: list[Array]) -> Any:
        if self._rule is None:
            raise AttributeError(f"No JVP defined for custom_jvp function {self.__name__} using defjvp.")
        tangents = [_ones(item) for item in free]
        fixed = [inner[place] for place in sorted(self._fixed)]
        result, moved = self._rule(*fixed, tuple(free), tuple(tangents))
        upstream = _ones(as_array(result))
        gradients = dict[int, Any]()
        if isinstance(moved, Array) and moved._node is not None:
            wanted = {item._node.number for item in tangents if item._node is not None}
            seed = {moved._node.number: upstream.handle()}
            gradients = STATE.tape.pull(seed, kept=True, recorded=True, wanted=wanted)
        parts = [gradients.get(item._node.number) if item._node is not None else None for item in tangents]
        return self._with_rule(free, result, upstream, [_as_part(part) for part in parts])


def _as_part(part: Any) -> Any:
    return Array(part.value, part) if isinstance(part, Traced) else part


def _ones(like: Array) -> Array:
    numbers = np.ones(like.shape, like.dtype)[()]
    return Array(numbers, leaf(numbers))


def _inside(value: Array) -> Array:
    return Array(value.array, leaf(value.array, value._name), value.weak_type)
