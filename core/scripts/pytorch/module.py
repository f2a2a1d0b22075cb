"""torch.nn.Module: parameters and modules in modules, and how they are printed."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from cadena.core.graph.document import is_name
from cadena.core.scripts.missing import missing
from cadena.core.scripts.pytorch.methods import Tensor
from cadena.core.scripts.pytorch.printing import tensor_text
from cadena.core.scripts.pytorch.tensor import Core


class Parameter(Tensor):
    """A tensor that a module learns."""

    __slots__ = ()
    __module__ = "torch.nn.parameter"
    __hash__ = Core.__hash__

    def __init__(self, data: Any, requires_grad: bool = True) -> None:
        super().__init__(data.array, wants=requires_grad)
        data._memory.shareable()
        self._memory, self._array, self._origin = data._memory, data.array, data._origin
        self._counter, self._moves = data._counter, data._moves

    def __deepcopy__(self, memo: dict[int, Any]) -> Parameter:
        """A parameter of its own, without the gradient, as PyTorch has it."""
        memo[id(self)] = copied = Parameter(self.detach().clone(), self.requires_grad)
        return copied

    def __repr__(self) -> str:
        suffixes = ["requires_grad=True"] if self.requires_grad else []
        return "Parameter containing:\n" + tensor_text(self.array, suffixes)


def clear(parameters: Iterable[Any], set_to_none: bool) -> None:
    """Forget the gradients, or make those that there are 0."""
    for item in parameters:
        item.grad = None if set_to_none or item.grad is None else item.grad.detach().zero_()


class Module:
    """The base of all layers and models."""

    training = True
    _buffer_names: tuple[str, ...] = ()

    def __init__(self) -> None:
        pass

    def __setattr__(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    def __getattr__(self, name: str) -> Any:
        raise missing("torch.nn.Module", name, [*dir(type(self)), *vars(self)])

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        return self.forward(*arguments, **keywords)

    def forward(self, *arguments: Any) -> Any:
        raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')

    def get_parameter(self, target: str) -> Any:
        return dict(self.named_parameters())[target]

    def register_parameter(self, name: str, value: Any) -> None:
        setattr(self, name, value)

    def register_buffer(self, name: str, value: Any, persistent: bool = True) -> None:
        setattr(self, name, value)
        self._buffer_names = (*self._buffer_names, name)

    def add_module(self, name: str, module: Any) -> None:
        setattr(self, name, module)

    # --- what is inside

    def named_children(self) -> Iterator[tuple[str, Module]]:
        return ((name, item) for name, item in vars(self).items() if isinstance(item, Module))

    def children(self) -> Iterator[Module]:
        return (item for _, item in self.named_children())

    def named_modules(self, prefix: str = "") -> Iterator[tuple[str, Module]]:
        yield prefix, self
        for name, child in self.named_children():
            yield from child.named_modules(f"{prefix}.{name}" if prefix else name)

    def modules(self) -> Iterator[Module]:
        return (item for _, item in self.named_modules())

    def named_parameters(self, prefix: str = "", recurse: bool = True) -> Iterator[tuple[str, Any]]:
        seen = set[int]()
        for place, module in self.named_modules(prefix) if recurse else [(prefix, self)]:
            for name, item in vars(module).items():
                if isinstance(item, Parameter) and id(item) not in seen:
                    seen.add(id(item))
                    yield f"{place}.{name}" if place else name, item

    def parameters(self, recurse: bool = True) -> Iterator[Any]:
        return (item for _, item in self.named_parameters(recurse=recurse))

    def named_buffers(self, prefix: str = "") -> Iterator[tuple[str, Any]]:
        for place, module in self.named_modules(prefix):
            for name in module._buffer_names:
                yield f"{place}.{name}" if place else name, getattr(module, name)

    def buffers(self) -> Iterator[Any]:
        return (item for _, item in self.named_buffers())

    def state_dict(self) -> OrderedDict[str, Any]:
        state = OrderedDict[str, Any]()
        for place, module in self.named_modules():
            own = [(name, item) for name, item in vars(module).items() if isinstance(item, Parameter)]
            own += [(name, getattr(module, name)) for name in module._buffer_names]
            state.update((f"{place}.{name}" if place else name, item.detach()) for name, item in own)
        return state

    def named(self, variable: str) -> None:
        """Name the parameters after their places in the module that a variable holds."""
        for name, item in self.named_parameters():
            joined = name.replace(".", "_")
            item._name = ""
            item.named(joined if is_name(joined) else f"{variable}_{joined}")

    # --- what is done to all of it

    def zero_grad(self, set_to_none: bool = True) -> None:
        clear(self.parameters(), set_to_none)

    def requires_grad_(self, requires_grad: bool = True) -> Any:
        for item in self.parameters():
            item.requires_grad = requires_grad
        return self

    def train(self, mode: bool = True) -> Any:
        for item in self.modules():
            item.training = mode
        return self

    def eval(self) -> Any:
        return self.train(False)

    def apply(self, function: Any) -> Any:
        for child in self.children():
            child.apply(function)
        function(self)
        return self

    def to(self, device: Any = None, dtype: Any = None) -> Any:
        for item in self.parameters():
            item.array = item.detach().to(device, dtype).array
        return self

    def double(self) -> Any:
        for item in self.parameters():
            item.array = item.detach().double().array
        return self

    def cpu(self) -> Any:
        return self

    def extra_repr(self) -> str:
        return ""

    def __repr__(self) -> str:
        own, name = self.extra_repr(), type(self).__name__
        inner = [f"({key}): {child}".replace("\n", "\n  ") for key, child in self.listed()]
        if not inner and "\n" not in own:
            return f"{name}({own})"
        return "\n  ".join([f"{name}(", *own.splitlines(), *inner]) + "\n)"

    def listed(self) -> Iterable[tuple[str, str]]:
        """The modules within as they are printed, with their names."""
        return ((name, repr(child)) for name, child in self.named_children())


class Sequential(Module):
    """Modules one after the other."""

    def __init__(self, *modules: Any) -> None:
        listed = modules[0].items() if len(modules) == 1 and isinstance(modules[0], dict) else enumerate(modules)
        for name, module in listed:
            setattr(self, str(name), module)

    def forward(self, x: Any) -> Any:
        for module in self.children():
            x = module(x)
        return x

    def __len__(self) -> int:
        return len([*self.children()])

    def __iter__(self) -> Iterator[Module]:
        return self.children()

    def __getitem__(self, index: Any) -> Any:
        chosen = [*self.children()][index]
        return Sequential(*chosen) if isinstance(index, slice) else chosen

    def append(self, module: Module) -> Any:
        setattr(self, str(len(self)), module)
        return self


class ModuleList(Sequential):
    """Modules as a list."""

    def __init__(self, modules: Any = ()) -> None:
        super().__init__(*modules)

    def extend(self, modules: Iterable[Module]) -> Any:
        for module in modules:
            self.append(module)
        return self

    def listed(self) -> Iterable[tuple[str, str]]:
        """Equal modules in a row are printed once."""
        for text, alike in groupby(super().listed(), key=lambda item: item[1]):
            first, *others = (name for name, _ in alike)
            yield (f"{first}-{others[-1]}", f"{1 + len(others)} x {text}") if others else (first, text)
