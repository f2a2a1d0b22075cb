"""The front of the engine: programs whose runs know their faults and their steps.

The engine by itself (`run.program`) knows neither the doctor nor the timelines, which read its runs.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import TYPE_CHECKING

from cadena.core.graph.document import Document
from cadena.core.graph.fault import Fault
from cadena.core.run import program as engine

if TYPE_CHECKING:
    from cadena.core.doctor.findings.causes import FaultChain
    from cadena.core.methods.reverse.timeline import Timeline


class Run(engine.Run):
    """The values of one forward pass and, when first asked for, gradients, faults and steps."""

    @cached_property
    def faults(self) -> tuple[Fault, ...]:
        """All faults: those of the program, and the nodes where a number went bad."""
        from cadena.core.doctor.findings.findings import Findings

        if Findings(self).all_finite:  # as nearly always: what would find more is not even imported
            return self.program.faults
        from cadena.core.doctor.findings.origins import number_faults

        return self.program.faults + tuple(number_faults(self))

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


class Program(engine.Program[Run]):
    """A document compiled once, to be run many times. `compile` makes it."""

    run_type = Run


def compile(document: Document, output: str | None = None, wrt: Collection[str] | None = None) -> Program:
    return Program(document, *engine.checked(document, output, wrt))


compile.__doc__ = engine.compile.__doc__
