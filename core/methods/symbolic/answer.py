"""Differentiation by symbols: the output as an expression in the leaves, its derivative, and how large both are."""

from __future__ import annotations

import math
from time import perf_counter

import numpy as np

from cadena.core.methods.answer import (
    Answer,
    Cancel,
    Elements,
    all_elements,
    blank,
    never,
    output_number,
    stop_if,
)
from cadena.core.methods.names import Method
from cadena.core.methods.symbolic.expressions import Expressions, NoForm
from cadena.core.run.program import Run


def answer(run: Run, method: Method, elements: Elements | None = None, cancelled: Cancel = never) -> Answer:
    """The gradients by symbols, which have no settings."""
    return symbolic(run, elements, cancelled)


def symbolic(run: Run, elements: Elements | None = None, cancelled: Cancel = never) -> Answer:
    """The derivatives of the output's expression, computed with 350 digits at the run's values, as float64.

    What it cannot do (an operation without symbolic form, an expression too large) is the answer's fault. Raises
    Refused without an output.
    """
    output_number(run)
    started, elements = perf_counter(), all_elements(run) if elements is None else elements
    gradients, derivatives = blank(run, elements), []
    try:
        expressions = Expressions(run, cancelled)
        for name, indices in elements.items():
            for index in indices:
                stop_if(cancelled)
                derivative = expressions.derivative(name, index)
                derivatives.append(expressions.size(derivative)[0])
                gradients[name].flat[index] = expressions.slope(derivative)
    except NoForm as refusal:
        return Answer("symbolic", fault=refusal.clause, seconds=perf_counter() - started)
    errors = {name: np.full(array.shape, np.inf) for name, array in gradients.items()} if expressions.ties else {}
    whole, largest = expressions.size(expressions.output)[0], max(derivatives, default=0)
    note = (
        f"the expression has {whole} operations and its derivatives {largest} at most, "
        f"where the graph has {expressions.graph_size(output_number(run))}"
    )
    seconds, value = perf_counter() - started, expressions.value(expressions.output)
    notes = [
        f"{name} compares equal numbers, so its expression may change at this very point" for name in expressions.ties
    ]
    return Answer(
        "symbolic",
        gradients,
        errors,
        seconds=seconds,
        notes=(note, *notes),
        value=value,
        is_sound=math.isfinite(value),
    )
