"""jax.grad and its like: functions of functions."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from cadena.core.graph.document import is_name
from cadena.core.graph.unconnected import NoPath
from cadena.core.scripts.asked import ASKED, Asked
from cadena.core.scripts.followed import followed
from cadena.core.scripts.graph import with_gradient
from cadena.core.scripts.jax_arrays import trees
from cadena.core.scripts.jax_arrays.array import Array, is_recorded, leaf, numbers_of, operate
from cadena.core.scripts.jax_arrays.state import STATE, canonical
from cadena.core.tracing.traced import Traced, apply


def as_array(value: Any, kind: str = "") -> Array:
    """A value as an array; Python's numbers are weak."""
    if isinstance(value, Array):
        return value
    array = np.asarray(value)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{kind or 'an operation'} needs arrays or numbers, not {type(value).__name__}")
    return Array(array.astype(canonical(array.dtype))[()], None, isinstance(value, int | float))


class Recorded(NamedTuple):
    """A function that was run on leaves of the tape."""

    sources: list[Array]  # the leaves of the arguments that it is differentiated by
    value: Any  # what it returned, a tree
    start: int  # the length of the tape before


def _run(fun: Callable[..., Any], places: Sequence[Any], args: Sequence[Any], keywords: dict[str, Any]) -> Recorded:
    """Run a function with recorded arguments at `places`."""
    start, sources, full = len(STATE.tape.calls), list[Array](), [*args]
    for place in places:
        if not -len(args) <= place < len(args):
            raise ValueError(f"the function is differentiated by argument {place}, and it has {len(args)} of them")
        leaves = [_source(name, item) for name, item in trees.named_leaves(args[place], parameter_of(fun, place))]
        full[place] = trees.rebuilt(args[place], iter(leaves))
        sources += leaves
    return Recorded(sources, fun(*full, **keywords), start)


def parameter_of(fun: Callable[..., Any], place: int) -> str:
    try:
        names = [item.name for item in inspect.signature(fun).parameters.values() if item.kind < item.VAR_POSITIONAL]
    except (TypeError, ValueError):
        return ""
    return names[place] if -len(names) <= place < len(names) else ""


def _source(name: str, item: Any) -> Array:
    """An argument as a new value of the tape: a leaf, or where it is recorded already a copy of it."""
    array = as_array(item, "grad")
    if array.array.dtype.kind != "f":
        raise TypeError(
            "grad requires real- or complex-valued inputs (input dtype that is a sub-dtype of np.inexact), but got "
            f"{array.array.dtype}. If you want to use Boolean- or integer-valued inputs, use vjp or set allow_int to "
            "True."
        )
    if is_recorded((array,)):
        copy: Array = operate("positive", (array,))
        return copy
    source = Array(array.array, leaf(array.array, "", array._place), array.weak_type)
    name = array._name or name
    if is_name(name) and source._node is not None:
        source._name = name
        STATE.tape.name(source._node.number, name)
    return source


def _pull(root: Array, seed: Any, sources: Sequence[Array]) -> list[Any]:
    """The gradient for each of the sources."""
    wanted = [item._node.number for item in sources if item._node is not None]
    if root._node is None:
        gradients = dict[int, Any]()
    else:
        upstream = seed.handle() if isinstance(seed, Array) and is_recorded((seed,)) else numbers_of(seed)
        gradients = STATE.tape.pull(
            {root._node.number: upstream}, kept=True, recorded=STATE.depth > 0, wanted=set(wanted)
        )
    return [_part(gradients.get(number), item) for number, item in zip(wanted, sources, strict=True)]


def _part(part: Any, like: Array) -> Array:
    """A gradient or tangent as an array like another."""
    if part is None:
        return Array(np.zeros_like(like.array)[()], None, like.weak_type)
    if isinstance(part, Traced):
        return Array(part.value, part, like.weak_type)
    return Array(np.asarray(part)[()], None, like.weak_type)


def stripped(tree: Any) -> Any:
    """A result outside of what was differentiated: without its place on the tape."""
    if STATE.depth:
        return tree
    return trees.rebuilt(
        tree,
        (Array(item.array, None, item.weak_type) if isinstance(item, Array) else item for item in trees.leaves(tree)),
    )


def value_and_grad(
    fun: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False
) -> Callable[..., Any]:
    """jax.value_and_grad."""

    @functools.wraps(fun)
    def call(*args: Any, **keywords: Any) -> Any:
        places = [argnums] if isinstance(argnums, int) else [*argnums]
        with STATE.recording():
            run = _run(fun, places, args, keywords)
        value, aux = run.value if has_aux else (run.value, None)
        value = _scalar(value)
        parts = _pull(value, np.ones((), value.array.dtype)[()], run.sources)
        if value._node is not None:
            STATE.tape.name(value._node.number, getattr(fun, "__name__", ""))
            STATE.note_pass(value._node.number)
            _note_unused(run.sources, value._node.number)
        form = args[places[0]] if isinstance(argnums, int) else tuple(args[place] for place in places)
        gradients = trees.rebuilt(form, iter(parts))
        return (stripped((value, aux)) if has_aux else stripped(value)), gradients

    return call


def _note_unused(sources: Sequence[Array], root: int) -> None:
    """Note the arguments whose gradient is 0 because the result does not depend on them."""
    reached = with_gradient(STATE.tape, root)
    for item in sources:
        if item._node is not None and item._node.number not in reached and item._name:
            number = item._node.number
            ASKED.append(Asked(len(STATE.passes), NoPath.UNUSED, item._name, item.array, item._place, (number,)))


def _scalar(value: Any) -> Array:
    if not isinstance(value, Array | int | float | np.generic):
        raise TypeError(f"Gradient only defined for scalar-output functions. Output was: {value}.")
    scalar = as_array(value)
    if scalar.array.shape:
        raise TypeError(f"Gradient only defined for scalar-output functions. Output had shape: {scalar.shape}.")
    if scalar.array.dtype.kind != "f":
        raise TypeError(f"grad requires real-valued outputs (output dtype float), but got {scalar.array.dtype}.")
    return scalar


def grad(fun: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False) -> Callable[..., Any]:
    """jax.grad."""
    both = value_and_grad(fun, argnums, has_aux)

    @functools.wraps(fun)
    def call(*args: Any, **keywords: Any) -> Any:
        value, gradient = both(*args, **keywords)
        return (gradient, value[1]) if has_aux else gradient

    return call


def vjp(fun: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """jax.vjp: the value, and the function that takes a cotangent back."""
    with STATE.recording():
        run = _run(fun, range(len(primals)), primals, {})
    value, aux = run.value if has_aux else (run.value, None)
    roots = [as_array(item) for item in trees.leaves(value)]

    def back(cotangent: Any) -> Any:
        sums: list[Any] = [None] * len(run.sources)
        for root, seed in zip(roots, trees.leaves(cotangent), strict=True):
            full = operate("multiply", (np.ones(root.shape, root.dtype)[()], as_array(seed)))
            parts = _pull(root, full, run.sources)
            sums = [part if old is None else old + part for old, part in zip(sums, parts, strict=True)]
            if root._node is not None:
                STATE.note_pass(root._node.number)
        return tuple(trees.rebuilt(primals, iter(sums)))

    return (stripped(value), back, stripped(aux)) if has_aux else (stripped(value), back)


def jvp(fun: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any]) -> Any:
    """jax.jvp: the value and its tangent."""
    with STATE.recording():
        run = _run(fun, range(len(primals)), primals, {})
        moved = [as_array(item) for item in trees.leaves(tuple(tangents))]
        parts = _push(run, trees.leaves(run.value), moved)
    for root in trees.leaves(run.value):
        if isinstance(root, Array) and root._node is not None and not STATE.depth:
            STATE.note_pass(root._node.number)
    return stripped(run.value), stripped(trees.rebuilt(run.value, iter(parts)))


def _push(run: Recorded, roots: Sequence[Any], tangents: Sequence[Array]) -> list[Array]:
    """The tangents of some results, when the sources move."""
    moved: dict[int, Any] = {}
    for source, tangent in zip(run.sources, tangents, strict=True):
        assert source._node is not None
        moved[source._node.number] = tangent.handle() if is_recorded((tangent,)) else numbers_of(tangent)
    STATE.tape.push(moved, range(run.start, len(STATE.tape.calls)), recorded=STATE.depth > 1)
    arrays = [as_array(item) for item in roots]
    return [_part(moved.get(item._node.number) if item._node is not None else None, item) for item in arrays]


def _jacobian(
    fun: Callable[..., Any], argnums: int | Sequence[int], has_aux: bool, forward: bool
) -> Callable[..., Any]:
    @functools.wraps(fun)
    def call(*args: Any, **keywords: Any) -> Any:
        places = [argnums] if isinstance(argnums, int) else [*argnums]
        with STATE.recording():
            run = _run(fun, places, args, keywords)
            value, aux = run.value if has_aux else (run.value, None)
            roots = [as_array(item) for item in trees.leaves(value)]
            blocks = _columns(run, roots) if forward else None
        blocks = _rows(run, roots) if blocks is None else blocks
        for root in roots:
            if root._node is not None:
                STATE.note_pass(root._node.number)
        form = args[places[0]] if isinstance(argnums, int) else tuple(args[place] for place in places)
        result = trees.rebuilt(value, (trees.rebuilt(form, iter(row)) for row in blocks))
        return (stripped(result), stripped(aux)) if has_aux else stripped(result)

    return call


def _one_hots(like: Array) -> Iterator[Any]:
    for place in range(like.size):
        one = np.zeros(like.shape, like.dtype)
        one.flat[place] = 1
        yield one[()]


def _rows(run: Recorded, roots: Sequence[Array]) -> list[list[Array]]:
    """For each result and each source a block of the Jacobian, a row a pass."""
    blocks = []
    for root in roots:
        rows = [_pull(root, seed, run.sources) for seed in _one_hots(root)]
        columns = zip(*rows, strict=True)
        blocks.append([_block([*column], (*root.shape, *source.shape)) for column, source in zip(columns, run.sources)])
    return blocks


def _columns(run: Recorded, roots: Sequence[Array]) -> list[list[Array]]:
    """The same, a column a pass."""
    rows: list[list[Array]] = [[] for _ in roots]
    for number, source in enumerate(run.sources):
        columns = []
        for one in _one_hots(source):
            still = [Array(np.zeros_like(item.array)[()]) for item in run.sources]
            columns.append(_push(run, roots, [*still[:number], Array(one), *still[number + 1 :]]))
        for place, root in enumerate(roots):
            column = operate("stack", [row[place] for row in columns], {"axis": -1})
            rows[place].append(_shaped(column, (*root.shape, *source.shape)))
    return rows


def _block(rows: list[Array], shape: tuple[int, ...]) -> Array:
    return _shaped(operate("stack", rows, {"axis": 0}), shape)


def _shaped(array: Array, shape: tuple[int, ...]) -> Array:
    return array if array.shape == shape else operate("reshape", (array,), {"shape": [*shape]})


def jacrev(fun: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False) -> Any:
    return _jacobian(fun, argnums, has_aux, forward=False)


def jacfwd(fun: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False) -> Any:
    return _jacobian(fun, argnums, has_aux, forward=True)


def hessian(fun: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False) -> Any:
    """jax.hessian: the Jacobian, in forward mode, of the gradient."""
    return jacfwd(jacrev(fun, argnums, has_aux), argnums, has_aux)


def jit(fun: Any = None) -> Any:
    """jax.jit: the function itself, whose results are arrays."""
    if fun is None:  # jit(static_argnums=0) as a decorator
        return jit

    @functools.wraps(fun)
    def call(*args: Any, **keywords: Any) -> Any:
        result = fun(*args, **keywords)
        return trees.rebuilt(result, map(as_array, trees.leaves(result)))

    return call


def vmap(fun: Callable[..., Any], in_axes: Any = 0, out_axes: Any = 0) -> Callable[..., Any]:
    """jax.vmap: the function of each example, one after the other, and the results stacked."""

    @functools.wraps(fun)
    def call(*args: Any) -> Any:
        axes = [in_axes] * len(args) if isinstance(in_axes, int) or in_axes is None else [*in_axes]
        sizes = {
            item.shape[axis]
            for arg, axis in zip(args, axes, strict=True)
            if isinstance(axis, int)
            for item in map(as_array, trees.leaves(arg))
        }
        if any(isinstance(axis, dict | list | tuple) for axis in axes) or not isinstance(out_axes, int):
            raise TypeError("vmap is known here with a number or None for each argument; write the axes as such")
        if len(sizes) != 1:
            raise ValueError(f"vmap got inconsistent sizes for array axes to be mapped: {sorted(sizes)}")
        results = [fun(*(_example(arg, axis, at) for arg, axis in zip(args, axes))) for at in range(sizes.pop())]
        columns = zip(*(trees.leaves(item) for item in results), strict=True)
        joined = (operate("stack", [as_array(item) for item in column], {"axis": out_axes}) for column in columns)
        return trees.rebuilt(results[0], joined)

    return call


def _example(arg: Any, axis: int | None, at: int) -> Any:
    if axis is None:
        return arg
    return trees.tree_map(lambda item: as_array(item)[(slice(None),) * (axis % as_array(item).ndim) + (at,)], arg)


def stop_gradient(x: Any) -> Any:
    def one(item: Any) -> Any:
        array = as_array(item)
        return followed(Array(array.array, None, array.weak_type), lambda place: apply("stop_gradient", [place]), array)

    return trees.tree_map(one, x)
