"""Backward passes: `backward`, `torch.autograd.grad`, and the ways to leave the graph."""

from __future__ import annotations

import functools
from functools import partial
from typing import Any

import numpy as np

from cadena.core.scripts.pytorch.state import STATE
from cadena.core.scripts.pytorch.tensor import TENSOR, Core, operate
from cadena.core.tracing.traced import Traced


def backward(
    root: Core, gradient: Any = None, retain_graph: bool | None = None, create_graph: bool = False, inputs: Any = None
) -> None:
    """Add the gradient of `root` to `.grad` of the leaves that it depends on."""
    number, seed = _place(root), _seed(root, gradient, create_graph)
    wanted = {item._node.number: item for item in _kept if item._node is not None}
    gradients = _pull({number: seed}, retain_graph, create_graph, wanted)
    STATE.note_pass(number)
    chosen = None if inputs is None else [inputs] if isinstance(inputs, Core) else [*inputs]
    for place, part in gradients.items():
        owner = wanted[place] if place in wanted else STATE.owners.get(place)
        if owner is not None and (chosen is None or any(owner is item for item in chosen)):
            _accumulate(owner, part)


def backward_of(
    tensors: Any, grad_tensors: Any = None, retain_graph: bool | None = None, create_graph: bool = False,
    inputs: Any = None,
) -> None:  # fmt: skip
    """torch.autograd.backward, of one tensor."""
    (root,), (seed,) = _listed(tensors), _listed(grad_tensors) or [None]
    backward(root, seed, retain_graph, create_graph, inputs)


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    allow_unused: bool | None = None,
) -> tuple[Any, ...]:
    """torch.autograd.grad: the gradients of the sum of `outputs`, for each of the inputs."""
    roots, sources, seeds = _listed(outputs), _listed(inputs), _listed(grad_outputs)
    seeds = seeds or [None] * len(roots)
    started: dict[int, Any] = {}
    for root, upstream in zip(roots, seeds, strict=True):
        number, seed = _place(root), _seed(root, upstream, create_graph)
        started[number] = started[number] + seed if number in started else seed
    for item in sources:
        if not item.requires_grad:
            raise RuntimeError("One of the differentiated Tensors does not require grad")
    places = [_places(item) for item in sources]
    gradients = _pull(started, retain_graph, create_graph, {place for some in places for place in some})
    STATE.note_pass(_place(roots[-1]))
    parts = [[gradients[place] for place in some if place in gradients] for some in places]
    if not allow_unused and not all(parts):
        raise RuntimeError(
            "One of the differentiated Tensors appears to not have been used in the graph. "
            "Set allow_unused=True if this is the desired behavior."
        )
    for item, some in zip(sources, parts, strict=True):
        if not some:
            item.note_without_gradient()
    return tuple(tensor_of(sum(some[1:], some[0])) if some else None for some in parts)


def _places(source: Core) -> list[int]:
    """The places whose gradients are those of a tensor: of a leaf that was changed in place also its earlier ones."""
    number = source.handle().number
    return sorted({number, *(place for place, owner in STATE.owners.items() if owner is source)})


def _pull(seeds: dict[int, Any], retain: bool | None, create: bool, wanted: Any) -> dict[int, Any]:
    hooks = {item.handle().number: partial(_changed, item) for item in _hooked if item.requires_grad}
    return STATE.tape.pull(seeds, create if retain is None else retain, create, wanted, hooks)


def _changed(tensor: Any, part: Any) -> Any:
    """A gradient after the hooks of its tensor."""
    for hook in [*tensor._hooks.values()]:
        answer = hook(tensor_of(part))
        if answer is not None:
            part = answer.handle() if isinstance(part, Traced) else answer.array
    return part


def _listed(items: Any) -> list[Any]:
    return [] if items is None else [items] if isinstance(items, Core) else [*items]


def _place(root: Core) -> int:
    if not root.requires_grad:
        raise RuntimeError("element 0 of tensors does not require grad and does not have a grad_fn")
    number: int = root.handle().number
    return number


def _seed(root: Core, gradient: Any, recorded: bool) -> Any:
    if gradient is None:
        if root.array.size != 1:
            raise RuntimeError("grad can be implicitly created only for scalar outputs")
        return np.ones(root.array.shape, root.array.dtype)[()]
    if gradient.array.shape != root.array.shape:
        raise RuntimeError(
            f"Mismatch in shape: grad_output[0] has a shape of {gradient.shape} "
            f"and output[0] has a shape of {root.shape}."
        )
    if recorded and gradient.requires_grad:
        return gradient.handle()
    return gradient.array.astype(root.array.dtype)


def tensor_of(part: Any) -> Any:
    """A gradient as a tensor: with its graph where the pass was recorded."""
    if isinstance(part, Traced):
        return TENSOR[0](part.value, part, fn="MulBackward0")
    return TENSOR[0](np.array(part))


def _accumulate(owner: Core, part: Any) -> None:
    if owner._grad is None:
        owner._grad = tensor_of(part)
    elif isinstance(part, Traced) or owner._grad.requires_grad:
        owner._grad = operate("add", [owner._grad, tensor_of(part)])
    else:
        owner._grad.write(owner._grad.array + part)


_kept: list[Core] = []


def keep_gradient(tensor: Core) -> None:
    """retain_grad: a result whose gradient is wanted too."""
    if tensor._node is not None and not tensor._keeps:
        tensor._keeps = True
        _kept.append(tensor)


_hooked: list[Any] = []


class Hook:
    """What register_hook gives: the way to take the hook away."""

    def __init__(self, hooks: dict[int, Any], key: int) -> None:
        self.hooks, self.key = hooks, key

    def remove(self) -> None:
        self.hooks.pop(self.key, None)


def register_hook(tensor: Any, hook: Any) -> Hook:
    """Have `hook` called with the gradient of a tensor in each backward pass; what it gives takes its place."""
    if not tensor.requires_grad:
        raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
    if not any(item is tensor for item in _hooked):
        tensor._hooks = {}
        _hooked.append(tensor)
    key = len(tensor._hooks)
    tensor._hooks[key] = hook
    return Hook(tensor._hooks, key)


class SetGrad:
    """no_grad and enable_grad: as a context, and as a decorator."""

    def __init__(self, records: bool) -> None:
        self.records, self.before = records, list[bool]()

    def __enter__(self) -> None:
        self.before.append(STATE.records)
        STATE.records = self.records

    def __exit__(self, *error: Any) -> None:
        STATE.records = self.before.pop()

    def __call__(self, function: Any = None) -> Any:
        if function is None:
            return SetGrad(self.records)

        @functools.wraps(function)
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            with SetGrad(self.records):
                return function(*args, **kwargs)

        return wrapped


def no_grad(orig_func: Any = None) -> Any:
    return SetGrad(False)(orig_func) if orig_func is not None else SetGrad(False)


def enable_grad(orig_func: Any = None) -> Any:
    return SetGrad(True)(orig_func) if orig_func is not None else SetGrad(True)


def inference_mode(mode: Any = True) -> Any:
    return SetGrad(False)(mode) if callable(mode) else SetGrad(not mode)


def set_grad_enabled(mode: bool) -> SetGrad:
    switch = SetGrad(bool(mode))
    switch.before.append(STATE.records)
    STATE.records = bool(mode)
    return _AlreadySet(switch)


class _AlreadySet(SetGrad):
    """set_grad_enabled(...) takes effect at once; as a context it is undone at the end."""

    def __init__(self, switch: SetGrad) -> None:
        self.records, self.before = switch.records, switch.before

    def __enter__(self) -> None:
        pass
