"""Forward mode in sentences: the value, then its derivative by the chain rule, with the numbers of the run."""

from __future__ import annotations

import numpy as np
import pytest

from cadena.core.front import compile
from cadena.core.methods.forward.step_text import tangent_sentence
from tests.core.graphs import graph

X = graph(x=3.0, w=[1.0, -2.0], a=("square", "x"), b=("multiply", "a", "x"), q=("square", "w"), s=("sum", "q"))


def one(number):
    return np.asarray(float(number))


@pytest.mark.parametrize(
    ("place", "moving", "tangent", "parts", "said"),
    [
        (0, "x", one(6), [(one(6), one(1))], "; its derivative ∂a/∂x is 6 · 1 = 6."),
        (1, "x", one(27), [(one(3), one(6)), (one(9), one(1))], "; its derivative ∂b/∂x is 3 · 6 + 9 · 1 = 27."),
        (1, "x", one(-6), [(one(3), one(-2))], "; its derivative ∂b/∂x is 3 · (−2) = −6."),
        (1, "w[0]", one(0), [], "; its derivative ∂b/∂w[0] is 0."),
        (2, "w[1]", np.array([0.0, -4.0]), [(np.array([2.0, -4.0]), np.array([0.0, 1.0]))], " is [0, −4]."),
        (3, "w[1]", one(-4), [(None, np.array([0.0, -4.0]))], "; its derivative ∂s/∂w[1] is −4."),
        (2, "w[1]", np.ones(1000), [(np.ones(1000), np.ones(1000))], " is an array of 1000 numbers."),
    ],
)
def test_the_chain_rule_is_told_with_its_numbers(place, moving, tangent, parts, said):
    told = tangent_sentence(compile(X).run(), "abqs"[place], moving, tangent, parts)
    assert told.startswith(f"{'abqs'[place]} is ")
    assert told.endswith(said)
