"""torch.func: functions of functions, which nest, with trees of tensors as operands and results."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from cadena.core.graph.document import is_name
from cadena.core.scripts.library import Library
from cadena.core.scripts.pytorch.state import STATE
from cadena.core.scripts.pytorch.tensor import TENSOR, Core, operate
from cadena.core.tracing.traced import Traced

_levels = [0]  # how many functions are being differentiated, one within another


def leaves(tree: Any) -> list[Any]:
    """The tensors of a tree of dictionaries, lists and tuples, in their order."""
    if isinstance(tree, dict):
        return [item for part in tree.values() for item in leaves(part)]
    if isinstance(tree, list | tuple):
        return [item for part in tree for item in leaves(part)]
    return [] if tree is None else [tree]


def rebuilt(tree: Any, items: Iterator[Any]) -> Any:
    """A tree of this form with other tensors."""
    if isinstance(tree, dict):
        return type(tree)((key, rebuilt(part, items)) for key, part in tree.items())
    if isinstance(tree, list | tuple):
        parts = [rebuilt(part, items) for part in tree]
        return type(tree)(*parts) if hasattr(tree, "_fields") else type(tree)(parts)
    return None if tree is None else next(items)


class _Recorded(NamedTuple):
    """A function that was run on operands of its own."""

    sources: list[Any]  # the tensors that it is differentiated by
    value: Any
    aux: Any
    roots: list[Any]  # the tensors of the value
    start: int  # the length of the tape before
    is_inner: bool  # whether more than the sources has a gradient, so that a derivative needs a graph of its own

    def block(self, rows: Sequence[Sequence[Any]]) -> Any:
        """The rows, one for each tensor of the value, in the form of the value."""
        return rebuilt(self.value, iter(rows))


def _run(
    function: Callable[..., Any], places: Sequence[int], operands: Sequence[Any], options: Any, has_aux: bool
) -> Any:
    """Run a function with leaves of its own in the place of some operands."""
    sources, full, start = list[Any](), [*operands], len(STATE.tape.calls)
    depends = any(item.requires_grad for place in places for item in leaves(operands[place]) if isinstance(item, Core))
    for place in places:
        copies = [_source(item, _parameter(function, place)) for item in leaves(operands[place])]
        full[place] = rebuilt(operands[place], iter(copies))
        sources += copies
    before, STATE.records = STATE.records, True
    _levels[0] += 1
    try:
        value = function(*full, **options)
    finally:
        STATE.records = before
        _levels[0] -= 1
    value, aux = value if has_aux else (value, None)
    roots = leaves(value)
    if any(not isinstance(item, Core) for item in roots):
        raise TypeError("a function that is differentiated must return tensors; return the loss, not its number")
    inner = _levels[0] > 0 or depends or _has_others(roots, {item.handle().number for item in sources}, start)
    return _Recorded(sources, value, aux, roots, start, inner)


def _source(item: Any, name: str) -> Any:
    """An operand as a leaf, or where it has a gradient already as a copy."""
    if not isinstance(item, Core):
        raise TypeError(f"a function is differentiated by tensors, not by {type(item).__name__}; make it a tensor")
    if item.requires_grad and STATE.records:
        return operate("positive", (item,))
    leaf = TENSOR[0](item.array)
    leaf.requires_grad = True
    name = item._name or name
    if is_name(name):
        leaf.named(name)
    return leaf


def _parameter(function: Callable[..., Any], place: int) -> str:
    try:
        names = [
            item.name for item in inspect.signature(function).parameters.values() if item.kind < item.VAR_POSITIONAL
        ]
    except (TypeError, ValueError):
        return ""
    return names[place] if -len(names) <= place < len(names) else ""


def _has_others(roots: Sequence[Any], sources: set[int], start: int) -> bool:
    """Whether results depend on anything with a gradient but the sources."""
    calls, known = STATE.tape.calls, sources | STATE.tape.data
    waiting = [item._node.number for item in roots if item._node is not None]
    while waiting:
        number = waiting.pop()
        if number in known:
            continue
        known.add(number)
        call = calls[number]
        if call is None or number < start:
            return True
        waiting += [item.number for item in call.operands if type(item) is Traced]
    return False


def _pull(run: _Recorded, root: Any, seed: Any) -> list[Any]:
    """The gradient for each source, from that of one result."""
    gradients = dict[int, Any]()
    numbers = [item.handle().number for item in run.sources]
    if root.requires_grad:
        upstream = seed.handle() if run.is_inner and seed.requires_grad else seed.array.astype(root.array.dtype)[()]
        gradients = STATE.tape.pull({root.handle().number: upstream}, True, run.is_inner, set(numbers))
        STATE.note_pass(root.handle().number)
    return [_part(gradients.get(number), item) for number, item in zip(numbers, run.sources, strict=True)]


def _part(part: Any, like: Any) -> Any:
    if part is None:
        return TENSOR[0](np.zeros_like(like.array))
    return TENSOR[0](part.value, part) if isinstance(part, Traced) else TENSOR[0](np.array(part))


def _push(run: _Recorded, tangents: Sequence[Any]) -> list[Any]:
    """The tangent of each result, from those of the sources."""
    moved = dict[int, Any]()
    for source, tangent in zip(run.sources, tangents, strict=True):
        moved[source.handle().number] = tangent.handle() if tangent.requires_grad else tangent.array
    STATE.tape.push(moved, range(run.start, len(STATE.tape.calls)), run.is_inner)
    for root in run.roots:
        if root.requires_grad:
            STATE.note_pass(root.handle().number)
    return [_part(moved.get(root.handle().number) if root.requires_grad else None, root) for root in run.roots]


def _outside(run: _Recorded, tree: Any) -> Any:
    """A result outside of what was differentiated: without a graph where there is none."""
    if run.is_inner:
        return tree
    return rebuilt(tree, (TENSOR[0](item.array) if isinstance(item, Core) else item for item in leaves(tree)))


def _places(argnums: int | Sequence[int], operands: Sequence[Any]) -> list[int]:
    places = [argnums] if isinstance(argnums, int) else [*argnums]
    for place in places:
        if not -len(operands) <= place < len(operands):
            raise ValueError(f"argnums names operand {place}, and there are {len(operands)} of them")
    return places


def _form(argnums: int | Sequence[int], operands: Sequence[Any]) -> Any:
    """The operands that `argnums` names, as their gradients are returned."""
    return operands[argnums] if isinstance(argnums, int) else tuple(operands[place] for place in argnums)


def grad_and_value(
    func: Callable[..., Any], argnums: int | tuple[int, ...] = 0, has_aux: bool = False
) -> Callable[..., Any]:
    @wraps(func)
    def derived(*operands: Any, **options: Any) -> Any:
        run = _run(func, _places(argnums, operands), operands, options, has_aux)
        if not isinstance(run.value, Core) or run.value.array.size != 1:
            raise RuntimeError("a function under torch.func.grad must return a single number, such as a mean or a sum")
        parts = _pull(run, run.value, TENSOR[0](np.ones(run.value.array.shape)))
        value = _outside(run, (run.value, run.aux) if has_aux else run.value)
        return rebuilt(_form(argnums, operands), iter(parts)), value

    return derived


def grad(func: Callable[..., Any], argnums: int | tuple[int, ...] = 0, has_aux: bool = False) -> Callable[..., Any]:
    both = grad_and_value(func, argnums, has_aux)

    @wraps(func)
    def derived(*operands: Any, **options: Any) -> Any:
        gradients, value = both(*operands, **options)
        return (gradients, value[1]) if has_aux else gradients

    return derived


def vjp(func: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """The value, and the function that takes a cotangent back."""
    run = _run(func, range(len(primals)), primals, {}, has_aux)

    def back(*cotangents: Any, **options: Any) -> Any:
        tree = cotangents[0] if len(cotangents) == 1 else cotangents
        sums: list[Any] = []
        for root, seed in zip(run.roots, leaves(tree), strict=True):
            parts = _pull(run, root, seed)
            sums = [old + part for old, part in zip(sums, parts, strict=True)] if sums else parts
        return tuple(rebuilt(primals, iter(sums)))

    return (_outside(run, run.value), back, run.aux) if has_aux else (_outside(run, run.value), back)


def jvp(func: Callable[..., Any], primals: Any, tangents: Any, *, has_aux: bool = False) -> Any:
    """The value and its tangent."""
    run = _run(func, range(len(primals)), primals, {}, has_aux)
    moved = run.block(_push(run, leaves(tangents)))
    return (_outside(run, run.value), moved, run.aux) if has_aux else (_outside(run, run.value), moved)


def _one_hots(like: Any) -> Iterator[Any]:
    for place in range(like.array.size):
        one = np.zeros(like.array.shape, like.array.dtype)
        one.flat[place] = 1
        yield TENSOR[0](one)


def _rows(run: _Recorded) -> list[list[Any]]:
    """For each result and each source a block of the Jacobian, a row a pass."""
    blocks = []
    for root in run.roots:
        columns = zip(*(_pull(run, root, seed) for seed in _one_hots(root)), strict=True)
        blocks.append([_block(column, 0, root, source) for column, source in zip(columns, run.sources, strict=True)])
    return blocks


def _columns(run: _Recorded) -> list[list[Any]]:
    """The same, a column a pass."""
    blocks: list[list[Any]] = [[] for _ in run.roots]
    still = [TENSOR[0](np.zeros_like(item.array)) for item in run.sources]
    for number, source in enumerate(run.sources):
        passes = [_push(run, [*still[:number], one, *still[number + 1 :]]) for one in _one_hots(source)]
        for block, root, column in zip(blocks, run.roots, zip(*passes, strict=True), strict=True):
            block.append(_block(column, -1, root, source))
    return blocks


def _block(parts: Sequence[Any], axis: int, root: Any, source: Any) -> Any:
    shape = [*root.array.shape, *source.array.shape]
    return operate("reshape", (operate("stack", [*parts], {"axis": axis}),), {"shape": shape})


def _jacobian(blocks: Callable[[_Recorded], list[list[Any]]]) -> Callable[..., Any]:
    def of(func: Callable[..., Any], argnums: int | tuple[int, ...] = 0, has_aux: bool = False, **_: Any) -> Any:
        @wraps(func)
        def derived(*operands: Any, **options: Any) -> Any:
            run = _run(func, _places(argnums, operands), operands, options, has_aux)
            form = _form(argnums, operands)
            result = run.block([rebuilt(form, iter(row)) for row in blocks(run)])
            return (result, run.aux) if has_aux else result

        return derived

    return of


jacrev, jacfwd = _jacobian(_rows), _jacobian(_columns)


def hessian(func: Callable[..., Any], argnums: int | tuple[int, ...] = 0) -> Callable[..., Any]:
    """The Jacobian, in forward mode, of the gradient."""
    derived: Callable[..., Any] = jacfwd(jacrev(func, argnums), argnums)
    return derived


def vmap(func: Callable[..., Any], in_dims: Any = 0, out_dims: Any = 0, **options: Any) -> Callable[..., Any]:
    """The function of each example, one after the other, and the results stacked."""

    @wraps(func)
    def mapped(*operands: Any, **keywords: Any) -> Any:
        dims = [in_dims] * len(operands) if isinstance(in_dims, int) else [*in_dims]
        if any(not isinstance(dim, int | None) for dim in dims) or not isinstance(out_dims, int | tuple):
            raise TypeError("vmap is known here with a number or None for each operand; write in_dims as such")
        sizes = {
            item.array.shape[dim]
            for operand, dim in zip(operands, dims, strict=True)
            if dim is not None
            for item in leaves(operand)
        }
        if len(sizes) != 1:
            raise ValueError(
                f"vmap: Expected all tensors to have the same size in the mapped dimension, got {sorted(sizes)}"
            )
        results = [
            func(*(_example(operand, dim, at) for operand, dim in zip(operands, dims, strict=True)), **keywords)
            for at in range(sizes.pop())
        ]
        columns = zip(*(leaves(item) for item in results), strict=True)
        axes = iter(out_dims if isinstance(out_dims, tuple) else (out_dims for _ in count()))
        return rebuilt(results[0], (operate("stack", [*column], {"axis": next(axes)}) for column in columns))

    return mapped


def _example(operand: Any, dim: int | None, at: int) -> Any:
    if dim is None:
        return operand
    return rebuilt(operand, (item[(slice(None),) * (dim % item.array.ndim) + (at,)] for item in leaves(operand)))


def functional_call(module: Any, parameters: Any, args: Any = None, kwargs: Any = None) -> Any:
    """A module with these tensors in the place of its own parameters and buffers."""
    merged = {
        name: item
        for part in ([parameters] if isinstance(parameters, dict) else parameters)
        for name, item in part.items()
    }
    homes, before = dict(module.named_modules()), []
    for name, item in merged.items():
        place, _, attribute = name.rpartition(".")
        if attribute not in getattr(homes.get(place), "__dict__", {}):
            raise KeyError(f"functional_call: {type(module).__name__} has no parameter {name!r}")
        before.append((homes[place], attribute, homes[place].__dict__[attribute]))
        homes[place].__dict__[attribute] = item
    try:
        return module(*(args if isinstance(args, tuple) else () if args is None else (args,)), **(kwargs or {}))
    finally:
        for home, attribute, item in before:
            home.__dict__[attribute] = item


FUNC = Library(
    "torch.func",
    {item.__name__: item for item in (grad, grad_and_value, vjp, jvp, hessian, vmap, functional_call)}
    | {"jacrev": jacrev, "jacfwd": jacfwd},
)
