"""The complex step: f'(x) as the imaginary part of f(x + ih) / h. Nothing is subtracted, so nothing is rounded away.

Squire and Trapp (1998), Using complex variables to estimate derivatives of real functions, SIAM Review 40, 110-112.
It holds for analytic functions only: rules that ask for a sign or a magnitude lose the imaginary part.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np

from cadena.core.functions.calls import FunctionCall
from cadena.core.graph.fault import Refused
from cadena.core.methods.answer import (
    Answer,
    Cancel,
    Elements,
    NoStep,
    blank,
    element_name,
    never,
    output_number,
    stop_if,
)
from cadena.core.ops.arithmetic import power
from cadena.core.ops.primitive import Primitive
from cadena.core.run.program import Run

STEP = 1e-30  # its square is below the last digit of any number near 1, so the truncation error is 0
MIN_STEP = 1e-150  # smaller ones come near to where numbers lose digits
NEAR = 1e-8  # an imaginary part this small beside the real part has no effect on it

UNKNOWN = complex(np.nan, np.nan)


def answer(run: Run, step: float | None, elements: Elements, cancelled: Cancel = never) -> Answer:
    """The gradients by the complex step, in float64 whatever the run's number type, at the run's values.

    Raises Refused for a step of 0 or one too small, and where an operation on the way is not analytic, naming the node.
    """
    started, passes, h = perf_counter(), 0, STEP if step is None else step
    output_number(run)
    gradients, errors, steps = (blank(run, elements) for _ in range(3))
    values = in_float64(run)
    for name, indices in elements.items():
        for index in indices.tolist():
            stop_if(cancelled)
            _check(element_name(name, index, gradients[name].shape), h)
            slope, error, is_far = _slope(run, values, name, index, h)
            if is_far:  # perhaps a branch point, such as that of a root at 0: there the quotient changes with the step
                error, passes = max(error, abs(slope - _slope(run, values, name, index, 2.0 * h)[0])), passes + 1
            gradients[name].flat[index], errors[name].flat[index], steps[name].flat[index] = slope, error, h
            passes += 1
    return Answer("complex step", gradients, errors, passes, "run", perf_counter() - started, steps=steps)


def in_float64(run: Run) -> list[Any]:
    """The values by node number, None for nodes that do not run: what `displaced` starts from."""
    return [None if value is None else value.astype(np.float64) for value in run.arrays]


def _slope(run: Run, values: list[Any], leaf: str, index: int, h: float) -> tuple[float, float, bool]:
    """The quotient, its error, and whether some number's imaginary part is not small beside its real part."""
    results, seed = displaced(run, values, leaf, index, h), run.seed.astype(np.float64)
    with np.errstate(all="ignore"):
        part = seed * np.imag(results[output_number(run)])
        about = np.finfo(np.float64)
        error = (8.0 * float(about.eps) * float(np.sum(np.abs(part))) + float(about.tiny)) / abs(h)
        moved = [now for now in results if np.iscomplexobj(now)]
        is_far = any(np.any(np.abs(now.imag) > NEAR * np.abs(now.real)) for now in moved)
        slope = float(np.sum(part)) / h
        if abs(h) > STEP:  # a tiny step has no truncation error, and stays on the branch of the real rule
            exact, tiny_error, _ = _slope(run, values, leaf, index, STEP)
            error = float(np.max([error, tiny_error, abs(slope - exact)]))
        return slope, error if np.isfinite(error) else np.inf, is_far


def _check(name: str, h: float) -> None:
    if h == 0.0 or not np.isfinite(h):
        raise NoStep(
            "{name}: a complex step of {h:g} has no quotient", "give a small number such as 1e-30", name=name, h=h
        )
    if abs(h) < MIN_STEP:
        raise NoStep(
            "{name}: a complex step of {h:g} is so small that digits are lost",
            "give at least {least:g}",
            name=name,
            h=h,
            least=MIN_STEP,
        )


def displaced(run: Run, values: list[Any], leaf: str, index: int, h: float) -> list[Any]:
    """The values by node number with one element moved by ih; complex where they depend on it, else float64."""
    plan, results = run.plan, list(values)
    number = plan.index[leaf]
    moved = results[number].astype(np.complex128)
    moved.flat[index] += 1j * h
    results[number] = moved
    depends = [False] * len(results)
    depends[number] = True
    with np.errstate(all="ignore"):
        for item in plan.instructions:
            if values[item.out] is None:
                continue
            moves = any(depends[operand] for operand in item.operands)
            if moves or run.dtype != "float64":
                depends[item.out] = moves
                evaluate = partial(_value, plan.names[item.out], abs(h) <= STEP)
                results[item.out] = evaluate(
                    item.primitive, [results[operand] for operand in item.operands], item.attributes
                )
    return results


def _value(name: str, is_tiny: bool, primitive: Primitive, arguments: list[Any], attributes: Mapping[str, Any]) -> Any:
    """The value at node `name`, or inside the function that it calls; a slot that only chooses sees real parts.

    A step that `is_tiny` moves no real part: the real rule gives it, as complex rules lose the digits of small numbers.
    Where these go on and the real one gives nan, as for log(-1), both parts are nan.
    """
    if isinstance(primitive, FunctionCall) and primitive.rules is not None:
        return primitive.rules.value(*arguments, evaluate=partial(_value, name, is_tiny))
    operands = [item if primitive.slot(slot).differentiable else np.real(item) for slot, item in enumerate(arguments)]
    real = np.asarray(primitive.value(*map(np.real, operands), **attributes))
    carrying = [slot for slot, item in enumerate(operands) if np.iscomplexobj(item)]
    if not carrying:
        return real
    if why := primitive.only_real or next(filter(None, (primitive.slot(slot).only_real for slot in carrying)), ""):
        what = "{name}: the complex step cannot go through {op}, which {why}"
        raise Refused(what, "use central differences", name=name, op=primitive.name, why=why)
    results = on_complex(primitive, operands, attributes)
    if not is_tiny or not np.iscomplexobj(results):
        return results
    near = np.abs(results.real - real) <= 1e-6 * (1.0 + np.abs(real))
    return np.where(near, real + 1j * results.imag, np.where(np.isinf(real), results, UNKNOWN))


def on_complex(primitive: Primitive, arguments: list[Any], attributes: Mapping[str, Any]) -> np.ndarray:
    """The value on complex operands, by the rule, or by an analytic form, which is nan where it overflows."""
    if primitive.analytic is not None:
        results = np.asarray(primitive.analytic(*arguments, **attributes))
        return np.where(np.isfinite(results), results, UNKNOWN)
    results = np.asarray(primitive.value(*arguments, **attributes))
    if primitive is power and np.iscomplexobj(arguments[1]):  # beside a whole exponent there is no real power
        return np.where(np.real(arguments[0]) < 0.0, UNKNOWN, results)
    return results
