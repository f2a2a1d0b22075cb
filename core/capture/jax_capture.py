"""Capture a function of JAX: name its arguments, record its jaxpr, take JAX's own value and gradients."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from cadena.core.capture.captured import Captured, fill
from cadena.core.capture.jax_recorder import DTYPES, JaxRecorder, check
from cadena.core.capture.record import Leaf, Record, held
from cadena.core.graph.fault import Refused
from cadena.core.notation.in_script import LIBRARY
from cadena.core.tracing.traced import Traced

MAX_FORWARD = 1000  # elements of the arguments up to which forward mode takes the place of reverse mode


def capture(fn: Callable[..., Any], args: tuple[Any, ...], argnums: int | Sequence[int] | None, limit: int) -> Captured:
    """Capture what `fn(*args)` computes; the function is traced once, so that it prints once."""
    import jax

    leaves, structure = jax.tree_util.tree_flatten_with_path(args)
    places = [index for index, (_, item) in enumerate(leaves) if _is_number(item)]
    values = [jax.numpy.asarray(leaves[index][1]) for index in places]

    def flat(*numbers: Any) -> Any:
        arguments = [item for _, item in leaves]
        for index, number in zip(places, numbers):
            arguments[index] = number
        return fn(*jax.tree_util.tree_unflatten(structure, arguments))

    try:
        closed = jax.make_jaxpr(flat)(*values)
    except jax.errors.ConcretizationTypeError as error:  # as of a branch that Python itself takes
        why = str(error).partition("\n")[0]
        remedy = "write it so that jax.jit takes it, as with jax.lax.cond"
        raise Refused("JAX cannot trace the function: {why}", remedy, why=why) from None
    _check_result(closed)
    kinds = _leaves(fn, [leaves[index][0] for index in places], argnums)
    real = [place for place, item in enumerate(values) if jax.numpy.issubdtype(item.dtype, jax.numpy.floating)]
    for item, leaf in zip(values, kinds):
        check(item.dtype, leaf.like)
    types = [values[place].dtype.name for place in real]
    recorder = JaxRecorder(Record(max(types, key=lambda name: int(name[5:]), default="float32")))
    record = recorder.record
    traced = [record.leaf(np.asarray(item), leaf) if place in real else item
              for place, (item, leaf) in enumerate(zip(values, kinds))]  # fmt: skip
    constants = [_constant(item, record, _held_arrays(fn)) for item in closed.consts]
    output = recorder.run(closed.jaxpr, constants, traced)[0]
    if not isinstance(output, Traced):
        raise Refused("the result of the function depends on none of its arguments", "let it return its loss")
    wanted = [place for place in real if kinds[place].op == "parameter" or kinds[place].gradient]
    value, gradients = _by_jax(closed, values, wanted, record)
    pairs = [(kinds[place], gradient) for place, gradient in zip(wanted, gradients)]
    captured = fill(Captured(), record, output, value, pairs, limit)
    captured.document = replace(captured.document, extra={**captured.document.extra, LIBRARY: "jax"})
    return captured


def _by_jax(closed: Any, values: list[Any], wanted: list[int], record: Record) -> tuple[Any, list[Any]]:
    """The value and the gradients of a loss as JAX computes them; of a result of several elements the value alone."""
    import jax
    from jax.extend.core import jaxpr_as_fun

    function = jaxpr_as_fun(closed)

    def loss(own: list[Any]) -> Any:
        arguments = list(values)
        for place, item in zip(wanted, own):
            arguments[place] = item
        return function(*arguments)[0]

    own = [values[place] for place in wanted]
    if closed.out_avals[0].size != 1 or not wanted:
        return np.asarray(jax.jit(loss)(own)), []

    def scalar(own: list[Any]) -> Any:
        return loss(own).reshape(())

    try:
        value, gradients = jax.jit(jax.value_and_grad(scalar))(own)
    except ValueError as error:  # a loop of unknown length has no reverse mode
        if sum(item.size for item in own) > MAX_FORWARD:
            record.notes.append(f"there are no gradients by JAX to compare with: {error}")
            return np.asarray(jax.jit(loss)(own)), []
        value, gradients = jax.jit(scalar)(own), jax.jit(jax.jacfwd(scalar))(own)
    return np.asarray(value).reshape(closed.out_avals[0].shape), [np.asarray(item) for item in gradients]


def _is_number(item: Any) -> bool:
    """Whether an argument is traced; whole numbers of Python, truths and texts are part of the function."""
    return isinstance(item, float) or (hasattr(item, "dtype") and hasattr(item, "shape"))


def _leaves(fn: Callable[..., Any], paths: list[Any], argnums: int | Sequence[int] | None) -> list[Leaf]:
    """What each array among the arguments is, and its name: layer1.w for params["layer1"]["w"]."""
    try:
        names = list(inspect.signature(fn).parameters)
    except (TypeError, ValueError):
        names = []
    chosen = (0,) if argnums is None else (argnums,) if isinstance(argnums, int) else tuple(argnums)
    leaves = []
    for path in paths:
        number, *keys = [_key(part) for part in path]
        argument = names[number] if number < len(names) else f"x{number}"
        like = (
            ".".join(map(str, keys)) if keys and str(keys[0]).isidentifier() else ".".join([argument, *map(str, keys)])
        )
        op = "parameter" if number in chosen or number - len(names) in chosen else "input"
        leaves.append(Leaf(op, like, gradient=op == "input" and argnums is None))
    return leaves


def _key(part: Any) -> Any:
    return next(getattr(part, kind) for kind in ("key", "idx", "name") if hasattr(part, kind))


def _held_arrays(fn: Callable[..., Any]) -> dict[int, str]:
    return {id(item): name for name, item in held(fn).items() if hasattr(item, "dtype")}


def _constant(item: Any, record: Record, names: dict[int, str]) -> Any:
    """An array from around the function: a constant with its name, or plain numbers where it has none."""
    name, kind = names.get(id(item)), getattr(getattr(item, "dtype", None), "name", "")
    return record.leaf(np.asarray(item), Leaf("constant", name)) if name and kind in DTYPES else item


def _check_result(closed: Any) -> None:
    first = next(iter(closed.out_avals), None)
    if first is None:
        raise Refused("the function returned no array", "let it return its loss")
    if np.dtype(first.dtype).kind in "biu":
        raise Refused("the function returned an array of whole numbers", "let it return its loss")
