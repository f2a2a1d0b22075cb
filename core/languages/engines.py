"""Documents run by PyTorch or JAX: their exported code as functions of the leaves, compiled by the framework.

The code is what the writer of a program writes, and nothing else: the names in it are checked to be names, texts are
quoted, values are handed over as arrays and never written. So nothing that stands in a file is ever executed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from typing import Any, ClassVar
from warnings import catch_warnings, simplefilter

import numpy as np

from cadena.core.graph.document import Document, Value, as_array
from cadena.core.graph.fault import Refused
from cadena.core.languages.batch import batch_of
from cadena.core.languages.export import sayable
from cadena.core.languages.record import ENGINES, LANGUAGES
from cadena.core.languages.script import Script, prepare
from cadena.core.run.passes import Pass, Passes
from cadena.core.run.plan import Plan, make_plan

NamedArrays = dict[str, Any]
LARGEST_COMPILED = 2_000  # operations; torch.compile takes minutes for more, and gains little where each is a number


@dataclass(frozen=True)
class LeafFunction:
    """A function of the leaves of a script, which returns the values of `results`."""

    script: Script
    names: Mapping[str, str]  # what each leaf is called in it
    call: Callable[..., Sequence[Any]]
    results: Sequence[str]


class Framework(ABC):
    """A framework that runs exported code."""

    name: ClassVar[str]

    @property
    @abstractmethod
    def way(self) -> str:
        """How the framework runs the code, and on which device."""

    @abstractmethod
    def values(self, function: LeafFunction, leaves: NamedArrays) -> Sequence[np.ndarray]:
        """The values of the function's results."""

    @abstractmethod
    def gradients(
        self, function: LeafFunction, leaves: NamedArrays, seed: np.ndarray
    ) -> tuple[np.ndarray, NamedArrays]:
        """The value of the function's one result and its gradients with respect to the wanted leaves."""


class Jax(Framework):
    """jax.jit, on the devices that JAX finds; over several of them the examples of the batch are shared out."""

    name = "jax"

    def __init__(self, document: Document, output: str, devices: int | None = None) -> None:
        jax = import_module(self.name)
        self.jax, self.devices, self.batch = jax, devices, frozenset[str]()
        self._compiled = dict[Any, Any]()
        if devices is not None:
            self.batch = frozenset(batch_of(document, output, devices).inputs)
            if devices > jax.device_count():
                raise Refused(
                    "JAX has {count} devices here, not {devices}",
                    "choose fewer",
                    count=jax.device_count(),
                    devices=devices,
                )

    @property
    def way(self) -> str:
        device = self.jax.devices()[0].platform
        return f"jax.jit on {device if self.devices is None else f'{self.devices} devices ({device})'}"

    def values(self, function: LeafFunction, leaves: NamedArrays) -> Sequence[np.ndarray]:
        with self._wide(function):
            compiled = self._kept(("values", id(function)), lambda: self.jax.jit(lambda named: function.call(**named)))
            return [np.asarray(value) for value in compiled(self._placed(function, leaves))]

    def gradients(
        self, function: LeafFunction, leaves: NamedArrays, seed: np.ndarray
    ) -> tuple[np.ndarray, NamedArrays]:
        def pulled(wanted: NamedArrays, others: NamedArrays, seed: Any) -> Any:
            value, back = self.jax.vjp(lambda moved: function.call(**moved, **others)[0], wanted)
            return value, back(seed.astype(value.dtype))[0]

        with self._wide(function):
            compiled = self._kept(("gradients", id(function)), lambda: self.jax.jit(pulled))
            placed = self._placed(function, leaves)
            wanted = {function.names[name]: placed.pop(function.names[name]) for name in function.script.wanted}
            value, gradients = compiled(wanted, placed, seed)
            arrays = {name: np.asarray(gradients[function.names[name]]) for name in function.script.wanted}
            return np.asarray(value), arrays

    def _kept(self, key: Any, make: Callable[[], Any]) -> Any:
        if key not in self._compiled:
            self._compiled[key] = make()
        return self._compiled[key]

    def _wide(self, function: LeafFunction) -> AbstractContextManager[Any]:
        """Without it float64 is float32 in JAX; what else runs in this process keeps its setting."""
        home = self.jax if hasattr(self.jax, "enable_x64") else import_module("jax.experimental")
        return home.enable_x64("float64" in function.script.dtypes.values())  # type: ignore[no-any-return]

    def _placed(self, function: LeafFunction, leaves: NamedArrays) -> NamedArrays:
        """The leaves by their names in the code, on the devices."""
        named = {function.names[name]: array for name, array in leaves.items()}
        if self.devices is None:
            return named
        sharding = import_module("jax.sharding")
        mesh = sharding.Mesh(np.array(self.jax.devices()[: self.devices]), "batch")
        where = {
            function.names[name]: sharding.PartitionSpec(*(["batch"] if name in self.batch else [])) for name in leaves
        }
        placed = {code: sharding.NamedSharding(mesh, axes) for code, axes in where.items()}
        return {code: self.jax.device_put(array, placed[code]) for code, array in named.items()}


class Torch(Framework):
    """torch.compile where it works, else PyTorch as it is; on the first accelerator, if there is one."""

    name = "torch"

    def __init__(self, document: Document, output: str, devices: int | None = None) -> None:
        torch = import_module(self.name)
        if devices is not None:
            raise Refused(
                "the engine torch runs on one device",
                "choose the engine jax, or export to torch and start the program with torchrun",
            )
        self.torch, self._compiled, self.is_eager = torch, dict[int, Any](), False

    @property
    def way(self) -> str:
        return f"{'PyTorch, not compiled,' if self.is_eager else 'torch.compile'} on {self.device('float32')}"

    def device(self, dtype: str) -> str:
        """Where numbers of this type are computed; Apple's GPUs have no float64."""
        if self.torch.cuda.is_available():
            return "cuda"
        return "mps" if dtype != "float64" and self.torch.backends.mps.is_available() else "cpu"

    def values(self, function: LeafFunction, leaves: NamedArrays) -> Sequence[np.ndarray]:
        with self._settings(function) as device, self.torch.no_grad():
            return [self._array(value) for value in self._called(function, self._tensors(function, leaves, device))]

    def gradients(
        self, function: LeafFunction, leaves: NamedArrays, seed: np.ndarray
    ) -> tuple[np.ndarray, NamedArrays]:
        wanted = function.script.wanted
        with self._settings(function) as device:
            tensors = self._tensors(function, leaves, device)
            moved = [tensors[function.names[name]].requires_grad_() for name in wanted]
            (value,) = self._called(function, tensors)
            gradients: Sequence[Any] = [None] * len(moved)
            if value.requires_grad:  # not where a class is chosen by a number, say
                upstream = self.torch.as_tensor(seed.copy(), dtype=value.dtype, device=device)
                gradients = self.torch.autograd.grad(value, moved, upstream, allow_unused=True)
            arrays = [
                np.zeros(leaf.shape, leaves[name].dtype) if one is None else self._array(one)
                for name, leaf, one in zip(wanted, moved, gradients, strict=True)
            ]
        return self._array(value), dict(zip(wanted, arrays, strict=True))

    def _called(self, function: LeafFunction, tensors: NamedArrays) -> Sequence[Any]:
        """What the function returns, compiled unless that does not work here."""
        if id(function) not in self._compiled:
            self.is_eager |= len(function.script.plan.instructions) > LARGEST_COMPILED
            self._compiled[id(function)] = function.call if self.is_eager else self._with_compiler(function.call)
        if not self.is_eager:
            try:
                return self._compiled[id(function)](**tensors)  # type: ignore[no-any-return]
            except Exception:  # no compiler for C++, say, or an operation that it cannot translate
                self.is_eager = True
        return function.call(**tensors)

    def _with_compiler(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """The function compiled when it is first called; what the compiler warns of is not the user's doing."""

        def quiet(**tensors: Any) -> Any:
            with catch_warnings():
                simplefilter("ignore")
                return compiled(**tensors)

        with catch_warnings():
            simplefilter("ignore")
            compiled = self.torch.compile(call)
        return quiet

    @contextmanager
    def _settings(self, function: LeafFunction) -> Iterator[str]:
        """The number type and the device of new tensors; what else runs in this process gets its own back."""
        before, dtype = self.torch.get_default_dtype(), function.script.document.dtype
        device = self.device(dtype)
        self.torch.set_default_dtype(getattr(self.torch, dtype))
        try:
            with self.torch.device(device):
                yield device
        finally:
            self.torch.set_default_dtype(before)

    def _tensors(self, function: LeafFunction, leaves: NamedArrays, device: str) -> NamedArrays:
        return {function.names[name]: self.torch.tensor(array, device=device) for name, array in leaves.items()}

    def _array(self, tensor: Any) -> np.ndarray:
        return np.asarray(tensor.detach().cpu())


FRAMEWORKS: dict[str, type[Framework]] = {"torch": Torch, "jax": Jax}


def framework(name: str, document: Document, output: str, devices: int | None) -> Framework:
    """The framework of an engine. Raises Refused where it is not installed or cannot share out the batch."""
    if find_spec(name) is None:
        raise Refused(
            "the engine {name} needs {library}, which is not installed in this Python", "pip install {name}",
            name=name, library=LANGUAGES[name].title,
        )  # fmt: skip
    return FRAMEWORKS[name](document, output, devices)  # type: ignore[call-arg]


def check_engine(name: str, devices: int | None) -> None:
    """Raises Refused for an engine that is none, and for devices beside numpy."""
    if name not in ENGINES:
        raise Refused("{name} is no engine", "choose {known}", name=name, known=", ".join(ENGINES))
    if name == "numpy" and devices is not None:
        raise Refused("the engine numpy runs on one device", "choose the engine jax")


class EnginePasses(Passes):
    """The passes of a plan, if a framework runs it: one, which never gives up."""

    def __init__(self, plan: Plan, document: Document, wrt: Collection[str] | None, engine: str, devices: int | None):
        super().__init__(plan)
        assert plan.output is not None
        self.output = plan.names[plan.output]
        self.document, self.wrt = sayable(document, engine), wrt
        self.framework = framework(engine, document, self.output, devices)
        self._functions: dict[tuple[str, bool], LeafFunction] = {}
        self.function(document.dtype)  # refuses what cannot be said

    def for_dtype(self, dtype: str) -> Iterator[Pass]:
        yield EnginePass(self)

    def function(self, dtype: str, every: bool = False) -> LeafFunction:
        """The function that computes the output in a number type, or every node that can run."""
        if (dtype, every) not in self._functions:
            script = self._script(dtype, every)
            results = [name for name in script.plan.names if not script.document.nodes[name].is_leaf]
            self._functions[dtype, every] = _compiled(self.framework.name, script, results if every else [self.output])
        return self._functions[dtype, every]

    def _script(self, dtype: str, every: bool) -> Script:
        document = replace(self.document, dtype=dtype)
        if not every:
            return prepare(document, self.output, self.wrt)
        shapes = make_plan(document, self.output, ())
        nodes = {name: document.nodes[name] for name, shape in zip(shapes.names, shapes.shapes) if shape is not None}
        part = replace(document, nodes=nodes)
        return Script(part, make_plan(part, self.output, ()), self.output, (), ())


def _compiled(language: str, script: Script, results: Sequence[str]) -> LeafFunction:
    writer = LANGUAGES[language].write(script)
    name = writer.names.fresh("compute")
    code, space = writer.as_function(name, results), dict[str, Any]()
    exec("\n".join(writer.language.modules.values()), space)
    exec(compile(code, f"<the graph of {script.output} in {writer.title}>", "exec"), space)
    return LeafFunction(script, {leaf: writer.names.of(leaf) for leaf in script.leaves}, space[name], results)


class EnginePass:
    """A run by a framework: the output, its gradients and all other values are computed when they are asked for."""

    def __init__(self, passes: EnginePasses) -> None:
        self.passes = passes

    def forward(self, leaves: Mapping[int, Value], dtype: str) -> EngineValues:
        return EngineValues(self.passes, leaves, dtype)

    def reverse(self, values: EngineValues, seed: np.ndarray) -> EngineGradients:
        return EngineGradients(self.passes.plan, values.pulled(seed))

    def by_number(self, numbers: Sequence[Any]) -> Sequence[Any]:
        return numbers


class EngineValues(Sequence[Any]):
    """The values of one run by node number."""

    def __init__(self, passes: EnginePasses, leaves: Mapping[int, Value], dtype: str) -> None:
        self.passes, self.plan, self.dtype = passes, passes.plan, dtype
        with np.errstate(over="ignore"):
            self.leaves = {number: as_array(value).astype(dtype, copy=False) for number, value in leaves.items()}
        self._output: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.plan.names)

    def __getitem__(self, number: Any) -> Any:
        if number in self.leaves:
            return self.leaves[number]
        return self.output if number == self.plan.output else self.inner[self.plan.names[number]]

    @property
    def output(self) -> np.ndarray:
        """The value of the output."""
        if self._output is None:
            function = self.passes.function(self.dtype)
            (self._output,) = self.passes.framework.values(function, self._leaves_of(function))
        return self._output

    @cached_property
    def inner(self) -> Mapping[str, np.ndarray]:
        """The values of all operations."""
        function = self.passes.function(self.dtype, every=True)
        values = self.passes.framework.values(function, self._leaves_of(function))
        return dict(zip(function.results, values, strict=True))

    def pulled(self, seed: np.ndarray) -> Mapping[str, np.ndarray]:
        """The gradients of the wanted leaves by name."""
        function = self.passes.function(self.dtype)
        if not function.script.wanted:
            return {}
        framework = self.passes.framework
        self._output, gradients = framework.gradients(function, self._leaves_of(function), seed)
        return gradients

    def _leaves_of(self, function: LeafFunction) -> NamedArrays:
        """The leaves of a function; constants of operations that were taken apart are not among the plan's."""
        index, own = self.plan.index, function.script.leaves
        return {name: self.leaves[index[name]] if name in index else own[name] for name in own}


class EngineGradients(Sequence[Any]):
    """The gradients of one run by node number: those of leaves."""

    def __init__(self, plan: Plan, of_leaves: Mapping[str, np.ndarray]) -> None:
        self.plan, self.of_leaves = plan, of_leaves

    def __len__(self) -> int:
        return len(self.plan.names)

    def __getitem__(self, number: Any) -> Any:
        name = self.plan.names[number]
        if name not in self.of_leaves and self.plan.reached[number]:
            raise Refused(
                "{name} is computed from its operands, and frameworks answer with the gradients of leaves",
                "compile without an engine",
                name=name,
            )
        return self.of_leaves.get(name)
