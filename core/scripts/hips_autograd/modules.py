"""The modules `autograd` and `autograd.numpy`: derivatives of functions of numpy, by the tape of the script."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from cadena.core.graph.document import is_name
from cadena.core.ops.primitive import REGISTRY
from cadena.core.scripts.jax_arrays.transforms import parameter_of
from cadena.core.scripts.jax_arrays.trees import leaves, named_leaves, rebuilt
from cadena.core.scripts.library import Library
from cadena.core.scripts.tape import GradientPass, ScriptTape, line_at, script_place
from cadena.core.tracing.traced import Traced

TAPE = ScriptTape()
PASSES: list[GradientPass] = []
_depth = [0]  # how many functions are being differentiated, one within another


class Recorded(NamedTuple):
    """A function that was run on values of the tape: by which it is differentiated, and what came out."""

    form: Any  # the argument, whose gradient has the same form
    sources: list[Traced]
    value: Any
    start: int  # the length of the tape before


def _run(
    fun: Callable[..., Any], place: int | Sequence[int], args: Sequence[Any], keywords: dict[str, Any]
) -> Recorded:
    start, sources, full = len(TAPE.calls), list[Traced](), [*args]
    places = [place] if isinstance(place, int) else [*place]
    for at in places:
        own = [_source(name, item) for name, item in named_leaves(args[at], parameter_of(fun, at))]
        full[at] = rebuilt(args[at], iter(own))
        sources += own
    _depth[0] += 1
    try:
        value = fun(*full, **keywords)
    finally:
        _depth[0] -= 1
    return Recorded(args[place] if isinstance(place, int) else tuple(args[at] for at in places), sources, value, start)


def _source(name: str, item: Any) -> Traced:
    if isinstance(item, Traced):
        return TAPE.record(REGISTRY["positive"], [item], {})
    numbers = np.array(item)[()]
    if numbers.dtype.kind != "f":
        raise TypeError(f"Can't differentiate w.r.t. type {type(item)}; make it of floats")
    source = TAPE.leaf(numbers)
    if is_name(name):
        TAPE.name(source.number, name)
    return source


def _pull(run: Recorded, seed: Any) -> Any:
    """The gradient of what came out, in the form of the argument."""
    gradients = dict[int, Any]()
    if isinstance(run.value, Traced):
        wanted = {item.number for item in run.sources}
        gradients = TAPE.pull({run.value.number: seed}, True, _depth[0] > 0, wanted)
        PASSES.append(GradientPass(TAPE, run.value.number, line_at(script_place())))
    parts = (gradients.get(item.number, np.zeros_like(TAPE.values[item.number])) for item in run.sources)
    return rebuilt(run.form, parts)


def _plain(value: Any) -> Any:
    """A result outside of what is differentiated: numbers without their place on the tape."""
    return value.value if isinstance(value, Traced) and not _depth[0] else value


def value_and_grad(fun: Callable[..., Any], argnum: int | Sequence[int] = 0) -> Callable[..., Any]:
    @functools.wraps(fun)
    def call(*args: Any, **keywords: Any) -> Any:
        run = _run(fun, argnum, args, keywords)
        if np.shape(_numbers(run.value)):
            raise TypeError(
                "Grad only applies to real scalar-output functions. Try jacobian, elementwise_grad or holomorphic_grad."
            )
        return _plain(run.value), _pull(run, np.float64(1.0))

    return call


def _numbers(value: Any) -> Any:
    return value.value if isinstance(value, Traced) else value


def grad(fun: Callable[..., Any], argnum: int | Sequence[int] = 0) -> Callable[..., Any]:
    both = value_and_grad(fun, argnum)
    return functools.wraps(fun)(lambda *args, **keywords: both(*args, **keywords)[1])


def elementwise_grad(fun: Callable[..., Any], argnum: int | Sequence[int] = 0) -> Callable[..., Any]:
    """The gradient of the sum of a function's elements."""

    @functools.wraps(fun)
    def call(*args: Any, **keywords: Any) -> Any:
        run = _run(fun, argnum, args, keywords)
        return _pull(run, np.ones_like(_numbers(run.value))[()])

    return call


def jacobian(fun: Callable[..., Any], argnum: int = 0) -> Callable[..., Any]:
    @functools.wraps(fun)
    def call(*args: Any, **keywords: Any) -> Any:
        run, rows = _run(fun, argnum, args, keywords), []
        numbers = np.asarray(_numbers(run.value))
        for place in range(numbers.size):
            seed = np.zeros(numbers.shape)
            seed.flat[place] = 1
            rows.append(_pull(run, seed[()]))
        return np.reshape(np.stack(rows), numbers.shape + np.shape(_numbers(args[argnum])))

    return call


def hessian(fun: Callable[..., Any], argnum: int = 0) -> Callable[..., Any]:
    return jacobian(jacobian(fun, argnum), argnum)


def make_vjp(fun: Callable[..., Any], argnum: int = 0) -> Callable[..., Any]:
    """From arguments to the function that takes a gradient back, and the value."""

    def call(*args: Any, **keywords: Any) -> Any:
        run = _run(fun, argnum, args, keywords)
        return lambda g: _pull(run, np.asarray(_numbers(g), float)[()]), _plain(run.value)

    return call


def make_jvp(fun: Callable[..., Any], argnum: int = 0) -> Callable[..., Any]:
    """From arguments to the function that takes a tangent on, to the value and its tangent."""

    def call(*args: Any, **keywords: Any) -> Any:
        def forward(tangent: Any) -> Any:
            run = _run(fun, argnum, args, keywords)
            moved = {
                item.number: np.asarray(part, float)[()]
                for item, part in zip(run.sources, leaves(tangent), strict=True)
            }
            TAPE.push(moved, range(run.start, len(TAPE.calls)), _depth[0] > 0)
            value = run.value
            if not isinstance(value, Traced):
                return value, np.zeros_like(value)
            PASSES.append(GradientPass(TAPE, value.number, line_at(script_place())))
            part = moved.get(value.number, np.zeros_like(value.value))
            return _plain(value), part if isinstance(part, Traced) else np.asarray(part)[()]

        return forward

    return call


def _array(object: Any, *arguments: Any, **options: Any) -> Any:
    """np.array: a list in which something is recorded is stacked."""
    if isinstance(object, list | tuple) and any(isinstance(item, Traced) for item in leaves([*object])):
        if arguments or options:
            raise TypeError("array(...) of traced numbers takes no further arguments; leave them out")
        return np.stack([_array(item) for item in object])
    return object if isinstance(object, Traced) else np.array(object, *arguments, **options)


def _norm(x: Any, ord: Any = None, axis: Any = None) -> Any:
    """The length as a root of squares, whose gradient at 0 is nan, as it is with autograd."""
    if isinstance(x, Traced) and ord in (None, "fro"):
        return np.sqrt(np.sum(x * x, axis=axis))
    return np.linalg.norm(x, ord, axis)


LINALG = Library("autograd.numpy.linalg", {"norm": _norm}, lambda name: getattr(np.linalg, name, None))
NUMPY = Library(
    "autograd.numpy",
    {"array": _array, "linalg": LINALG, "random": np.random},
    lambda name: getattr(np, name, None),
    lambda: dir(np),
)
FUNCTIONS = (grad, value_and_grad, elementwise_grad, jacobian, hessian, make_vjp, make_jvp)
AUTOGRAD = Library("autograd", {item.__name__: item for item in FUNCTIONS} | {"numpy": NUMPY})
MODULES = {
    "autograd": AUTOGRAD,
    "autograd.numpy": NUMPY,
    "autograd.numpy.linalg": LINALG,
    "autograd.numpy.random": np.random,
}
