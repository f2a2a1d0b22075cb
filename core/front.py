"""The front of the engine: programs whose runs know their faults and their steps.

The engine by itself (`run.program`) knows neither the doctor nor the timelines, which read its runs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any

from cadena.core.functions.calls import guarded_functions
from cadena.core.graph.document import Document
from cadena.core.graph.fault import BAD_GRADIENTS, BAD_VALUES, Fault, Kind
from cadena.core.run import program as numpy_engine
from cadena.core.text.wording import Place

if TYPE_CHECKING:
    import numpy as np

    from cadena.core.doctor.findings.causes import FaultChain
    from cadena.core.methods.reverse.timeline import Timeline


class Run(numpy_engine.Run):
    """The values of one forward pass and, when first asked for, gradients, faults and steps."""

    program: Program

    @cached_property
    def faults(self) -> tuple[Fault, ...]:
        """All faults: those of the program, and the nodes where a number went bad."""
        from cadena.core.doctor.findings.findings import Findings

        if Findings(self).all_finite:  # as nearly always: what would find more is not even imported
            return self.program.faults + self.violated_guards
        from cadena.core.doctor.findings.origins import number_faults

        return self.program.faults + self.violated_guards + tuple(number_faults(self))

    @cached_property
    def violated_guards(self) -> tuple[Fault, ...]:
        """The faults of guards: the code that the graph comes from would choose otherwise with these numbers."""
        document = self.program.document
        if not document.guarded and not guarded_functions(document.functions):
            return ()
        from cadena.core.doctor.findings.guards import violated_guards

        return tuple(violated_guards(self))

    @cached_property
    def causes(self) -> tuple[FaultChain, ...]:
        """The faults, except hints, grouped by cause: a number that went bad, with the numbers that it spoiled."""
        from cadena.core.doctor.findings.causes import causes

        return causes(self, [fault for fault in self.faults if fault.severity == "fault"])

    @cached_property
    def timeline(self) -> Timeline:
        """The steps of this run, by index."""
        from cadena.core.methods.reverse.timeline import Timeline

        return Timeline(self)

    def forget_steps(self) -> None:
        """Drop the steps, which can be made again: they hold the run as the run holds them, and Python would end such
        a circle only after some hundred edits, each with megabytes of numbers."""
        with suppress(AttributeError):  # nobody has asked
            del self.timeline


class Program(numpy_engine.Program[Run]):
    """A document compiled once, to be run many times. `compile` makes it."""

    run_type = Run


class EngineRun(Run):
    """A run by PyTorch or JAX: the output, the gradients of the leaves and, when one is asked for, all other values.

    What frameworks do not say, the causes of bad numbers and the steps, is that of the same run by numpy.
    """

    program: EngineProgram

    @cached_property
    def on_numpy(self) -> Run:
        """The same run by numpy."""
        return Run(self.program.on_numpy, self._leaves, self.dtype, self._seed, self.target)

    @property
    def _seed_dtype(self) -> Any:
        return self.dtype  # which the framework makes that of the output

    @property
    def leaf_gradients(self) -> Mapping[str, np.ndarray]:
        """The gradients of the leaves for which they are wanted, by name."""
        gradients: Any = self.gradients
        return gradients.of_leaves  # type: ignore[no-any-return]

    @cached_property
    def faults(self) -> tuple[Fault, ...]:
        """The faults of the framework's own numbers: the origins that numpy's run has for them, and numbers that are
        bad here alone."""
        import numpy as np

        run = [number for number, shape in enumerate(self.plan.shapes) if shape is not None]
        numbers = [*(self.values[number] for number in run), *self.leaf_gradients.values()]
        if all(bool(np.isfinite(array).all()) for array in numbers):
            return self.program.faults + self.violated_guards
        names = self.plan.names
        values = ((names[number], self.values[number], self.on_numpy.values[number]) for number in run)
        gradients = ((name, array, self.on_numpy.gradient(name)) for name, array in self.leaf_gradients.items())
        first = islice(_bad(values, BAD_VALUES, BAD_VALUE, self.program.way), 1)  # the others follow from it
        return (*self.on_numpy.faults, *first, *_bad(gradients, BAD_GRADIENTS, BAD_GRADIENT, self.program.way))

    @cached_property
    def causes(self) -> tuple[FaultChain, ...]:
        from cadena.core.doctor.findings.causes import causes

        return causes(self.on_numpy, [fault for fault in self.faults if fault.severity == "fault"])

    @cached_property
    def timeline(self) -> Timeline:
        return self.on_numpy.timeline


BAD_VALUE = "{node} becomes {number}{place} by {way}, where it is finite by numpy"
BAD_GRADIENT = "the gradient of {node} becomes {number}{place} by {way}, where it is finite by numpy"


def _bad(numbers: Iterable[tuple[str, Any, Any]], kinds: Mapping[str, Kind], what: str, way: str) -> Iterator[Fault]:
    """A fault for each array of a framework, given with its node and numpy's, that is bad where numpy's is finite."""
    import numpy as np

    for name, array, other in numbers:
        bad = ~np.isfinite(array) & np.isfinite(other)
        if bad.any():
            at = tuple(int(index) for index in np.argwhere(bad)[0])
            number = "nan" if np.isnan(array[at]) else "inf"
            operands = {"number": number, "way": way, "place": Place(at, int(bad.sum()), bad.size)}
            remedy = "run it by numpy, or write the formula so that it stays away from this point"
            yield Fault(name, kinds[number], what, remedy, operands, names_node=True)


class EngineProgram(Program):
    """A document compiled for PyTorch or JAX. Where a fault keeps the output from running, numpy runs the rest."""

    def __init__(
        self, document: Document, output: str | None, wrt: Collection[str] | None, engine: str, devices: int | None
    ) -> None:
        super().__init__(document, output, wrt)
        if self.plan.output is not None:
            from cadena.core.languages.engines import EnginePasses

            self.passes: Any = EnginePasses(self.plan, document, wrt, engine, devices)
            self.run_type: type[Run] = EngineRun

    @cached_property
    def on_numpy(self) -> Program:
        """The same program for numpy."""
        return Program(self.document, self.output, self.wrt)

    @property
    def way(self) -> str:
        """How its runs are computed, such as "jax.jit on cpu"."""
        return str(self.passes.framework.way) if self.plan.output is not None else "numpy"


def compile(
    document: Document,
    output: str | None = None,
    wrt: Collection[str] | None = None,
    engine: str = "numpy",
    devices: int | None = None,
) -> Program:
    """Compile `document` for the gradients of `output` (default: its own) with respect to its leaves or to `wrt`.

    The engine "torch" or "jax" runs it through its exported code in that framework, which must be installed; with JAX
    and a number of `devices` the examples of the batch are shared out among these. Gradients are then those of leaves.

    Raises Refused when `output` or a name in `wrt` is not in the document, or the engine cannot run it.
    """
    output, wrt = numpy_engine.checked(document, output, wrt)
    if engine == "numpy" and devices is None:
        return Program(document, output, wrt)
    from cadena.core.languages.engines import check_engine

    check_engine(engine, devices)
    return EngineProgram(document, output, wrt, engine, devices)
