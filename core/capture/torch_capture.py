"""Capture a function of PyTorch: find its parameters and their names, record it, take PyTorch's own gradients."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np

from cadena.core.capture.captured import Captured, fill
from cadena.core.capture.record import CheckedTape, Leaf, Record, held
from cadena.core.capture.tensor_paths import TensorPaths
from cadena.core.capture.torch_functions import own_functions
from cadena.core.capture.torch_recorder import TorchRecorder, recording
from cadena.core.capture.torch_tensors import DTYPES, check, numbers
from cadena.core.graph.fault import Refused


def capture(fn: Callable[..., Any], args: tuple[Any, ...], model: Any, limit: int) -> Captured:
    """Run `fn(*args)` and capture what it computes, the last loss of a `backward` in it or else its result."""
    models = _models(fn, args, model)
    leaves = {**_arguments(fn, args), **_around(fn), **_parameters(models)}
    roots = {prefix.rstrip("."): item for prefix, item in models.items()}
    recorder = _recorder(leaves, {**_named(fn, args), **roots, **_self(fn), "fn": fn})
    with recording(recorder, _modules(models)), own_functions(recorder):
        result = fn(*args)
    if recorder.loss is None:
        tensor = _result(result)
        recorder.loss = (tensor.detach().clone(), recorder.traced(tensor))
        recorder.gradients = _gradients(tensor, recorder)
    return _finish(Captured(), recorder, limit)


def _gradients(tensor: Any, recorder: TorchRecorder) -> dict[int, Any]:
    """PyTorch's own gradients of a result, of the sum of its elements where it has several."""
    import torch

    wanted = {key: item for key, (item, _) in recorder.leaves.items() if item.requires_grad}
    if not wanted:
        return {}
    if not tensor.requires_grad:
        raise Refused(
            "the result of the function depends on nothing that requires a gradient",
            "let a parameter have requires_grad=True, and call the function outside torch.no_grad()",
        )
    try:
        gradients = torch.autograd.grad(tensor.sum(), list(wanted.values()), allow_unused=True, retain_graph=True)
    except RuntimeError as error:
        raise Refused(
            "PyTorch computes no gradients of it: {error}", "let loss.backward() run first", error=error
        ) from None
    return {key: numbers(item, "gradient").copy() for key, item in zip(wanted, gradients) if item is not None}


@contextmanager
def capturing(model: Any, limit: int) -> Iterator[Captured]:
    """Capture the graph of the last loss on which `backward` is called while this is open."""
    captured = Captured()
    recorder = _recorder(_parameters({"": model}), {"": model})
    with recording(recorder, _modules({"": model})), own_functions(recorder):
        yield captured
    if recorder.loss is None:
        raise Refused("nothing was captured", "call backward() on the loss within the block")
    _finish(captured, recorder, limit)


def _recorder(leaves: dict[int, tuple[Any, Leaf]], roots: dict[str, Any]) -> TorchRecorder:
    for tensor, leaf in leaves.values():
        check(tensor, leaf.like)
    types = [DTYPES[str(tensor.dtype)] for tensor, _ in leaves.values() if tensor.is_floating_point()]
    record = Record(max(types, key=lambda name: int(name[5:]), default=""), CheckedTape())
    return TorchRecorder(record, leaves, TensorPaths(roots))


def _finish(captured: Captured, recorder: TorchRecorder, limit: int) -> Captured:
    assert recorder.loss is not None
    tensor, traced = recorder.loss
    gradients = []
    for key, (item, leaf) in recorder.leaves.items():
        if key in recorder.gradients:
            gradients.append((leaf, recorder.gradients[key]))
        elif item.requires_grad and key in recorder.known:  # used, and PyTorch's is None
            gradients.append((leaf, np.zeros(tuple(item.shape), recorder.record.dtype)))
    return fill(captured, recorder.record, traced, tensor.numpy(), gradients, limit)


def _result(result: Any) -> Any:
    """The tensor that a function returned, the first of several. Raises Refused for anything else."""
    import torch

    first = result[0] if isinstance(result, tuple | list) and result else result
    if not isinstance(first, torch.Tensor):
        kind = type(first).__name__
        raise Refused("the function returned no tensor but {kind}", "let it return its loss", kind=kind)
    if not first.is_floating_point():
        raise Refused("the function returned a tensor of whole numbers", "let it return its loss")
    return first


def _leaf(tensor: Any, name: str, is_argument: bool = False) -> tuple[Any, Leaf]:
    op = "parameter" if tensor.requires_grad and tensor.is_leaf else "input" if is_argument else "constant"
    return tensor, Leaf(op, name)


def _arguments(fn: Callable[..., Any], args: tuple[Any, ...]) -> dict[int, tuple[Any, Leaf]]:
    """The tensors among the arguments, by the names of the function's parameters."""
    import torch

    arguments: dict[int, tuple[Any, Leaf]] = {}
    for name, argument in _named(fn, args).items():
        several = isinstance(argument, tuple | list)
        for place, item in enumerate(argument if several else [argument]):
            if isinstance(item, torch.Tensor):
                arguments[id(item)] = _leaf(item, f"{name}{place}" if several else name, is_argument=True)
    return arguments


def _named(fn: Callable[..., Any], args: tuple[Any, ...]) -> dict[str, Any]:
    """The arguments by the names of the function's parameters."""
    try:
        names = list(inspect.signature(getattr(fn, "forward", fn)).parameters)
    except (TypeError, ValueError):
        names = []
    return {names[index] if index < len(names) else f"x{index}": item for index, item in enumerate(args)}


def _self(fn: Any) -> dict[str, Any]:
    """The object of a method, or one that is called; what it holds is named after its attributes alone."""
    return (
        {"": fn.__self__}
        if inspect.ismethod(fn)
        else {}
        if inspect.isfunction(fn) or isinstance(fn, partial)
        else {"": fn}
    )


def _around(fn: Callable[..., Any]) -> dict[int, tuple[Any, Leaf]]:
    import torch

    return {id(item): _leaf(item, name) for name, item in held(fn).items() if isinstance(item, torch.Tensor)}


def _models(fn: Any, args: tuple[Any, ...], model: Any) -> dict[str, Any]:
    """The modules whose parameters are named, by the prefix of the names; "" for a single module."""
    import torch

    if model is not None:
        return {"": model}
    candidates = {"fn": fn, "self": getattr(fn, "__self__", None), **held(fn)}
    candidates |= {f"arg{index}": item for index, item in enumerate(args)}
    models = {name: item for name, item in candidates.items() if isinstance(item, torch.nn.Module)}
    inner = {id(part) for item in models.values() for part in list(item.modules())[1:]}
    outer = {name: item for name, item in models.items() if id(item) not in inner}
    return {"" if len(outer) == 1 else f"{name}.": item for name, item in outer.items()}


def _parameters(models: dict[str, Any]) -> dict[int, tuple[Any, Leaf]]:
    parameters: dict[int, tuple[Any, Leaf]] = {}
    for prefix, model in models.items():
        for name, item in [*model.named_parameters(), *model.named_buffers()]:
            parameters.setdefault(id(item), _leaf(item, prefix + name))
    return parameters


def _modules(models: dict[str, Any]) -> dict[str, Any]:
    """The modules that become functions, by name. A whole model does not, but for a layer of PyTorch's, as an LSTM."""
    modules = {prefix + name: item for prefix, model in models.items() for name, item in model.named_modules() if name}
    for prefix, model in models.items():
        if not next(model.children(), None) and type(model).__module__.startswith("torch.nn.modules."):
            modules[prefix.rstrip(".") or type(model).__name__.lower()] = model
    return modules
