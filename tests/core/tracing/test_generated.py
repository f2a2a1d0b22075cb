"""Every operation on traced values: forward and reverse mode against central differences, twice over."""

from typing import Any

import numpy as np
import pytest

import cadena
from cadena.core.methods.checking import check_grads
from cadena.core.ops.primitive import REGISTRY
from cadena.core.tracing.trace import trace
from cadena.core.tracing.traced import apply
from tests.thorough import in_turn, some

CASES = [
    pytest.param(name, example, id=f"{name}-{number}")
    for name, primitive in REGISTRY.items()
    for number, example in enumerate(primitive.examples)
]


def parted(name: str, example: tuple[Any, ...]) -> tuple[list[Any], list[int], dict[str, Any]]:
    """Operands, the slots that have a gradient, and attributes of an example."""
    attributes = example[-1] if isinstance(example[-1], dict) else {}
    operands = [np.asarray(item, dtype=float) for item in example if not isinstance(item, dict)]
    chosen = [slot for slot in range(len(operands)) if REGISTRY[name].slot(slot).differentiable]
    return operands, chosen, attributes


@pytest.mark.some(50)
@pytest.mark.parametrize(("name", "example"), some(CASES))
def test_first_and_second_derivatives_agree_with_differences(name: str, example: tuple[Any, ...]) -> None:
    operands, chosen, attributes = parted(name, example)

    def function(*parts: Any) -> Any:
        full = list(operands)
        for slot, part in zip(chosen, parts, strict=True):
            full[slot] = part
        return apply(name, full, attributes)

    if chosen:
        check_grads(function, [operands[slot] for slot in chosen], order=2, atol=1e-5, rtol=1e-5)
    else:
        assert not trace(function).arguments


@in_turn("name, example", CASES)
def test_the_graph_of_a_trace_runs_to_the_same_value(name: str, example: tuple[Any, ...]) -> None:
    operands, _, attributes = parted(name, example)
    made = trace(lambda *parts: apply(name, parts, attributes), *operands)
    run = cadena.compile(made.document).run()
    np.testing.assert_allclose(run.value(str(made.document.output)), made.value, rtol=1e-12, atol=1e-12)
