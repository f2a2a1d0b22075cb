"""Scripts for HIPS autograd: numpy on traced values, and functions of functions."""

from __future__ import annotations

import pytest

from cadena.core.front import compile
from cadena.core.scripts.running import run

pytestmark = pytest.mark.usefixtures("forked_scripts")

START = "import autograd.numpy as np\nfrom autograd import elementwise_grad, grad, hessian, jacobian, make_jvp\n"
START += "from autograd import make_vjp, value_and_grad\n"
PRINTED = {
    "print(grad(lambda w: np.sum(np.tanh(w) ** 2))(np.array([0.5, -1.0])))": "[ 0.72686198 -0.63970001]",
    "f = lambda x: np.exp(-np.linalg.norm(x) ** 2)\nprint(f(np.zeros((2, 1))), grad(f)(np.zeros((2, 1))).ravel())": ""
    "1.0 [nan nan]",
    "print(grad(grad(lambda x: x ** 3))(2.0), value_and_grad(np.sin)(0.0))": "12.0 (np.float64(0.0), np.float64(1.0))",
    "print(jacobian(lambda v: np.array([v[0] * v[1], v[1] ** 2]))(np.array([2.0, 3.0])).tolist())": "[[3.0, 2.0], "
    "[0.0, 6.0]]",
    "print(hessian(lambda v: v[0] ** 2 * v[1])(np.array([1.0, 2.0])).tolist())": "[[4.0, 2.0], [2.0, 0.0]]",
    "print(elementwise_grad(lambda x: x ** 2)(np.array([1.0, 3.0])))": "[2. 6.]",
    "print(grad(lambda x, y: x * y, 1)(2.0, 5.0), grad(lambda p: p[0] * p[1], 0)((2.0, 3.0)))": "2.0 (np.float64(3.0), "
    "np.float64(2.0))",
    "back, value = make_vjp(lambda x: x ** 2)(np.array([1.0, 2.0]))\nprint(value, back(np.ones(2)))": "[1. 4.] [2. 4.]",
    "print(make_jvp(lambda x: x ** 2)(3.0)(2.0))": "(np.float64(9.0), np.float64(12.0))",
}


@pytest.mark.parametrize("text", PRINTED)
def test_derivatives_are_printed_as_by_autograd(text):
    result = run(START + text)
    assert (result.fault is None or "no gradient" in result.fault.sentence) and result.printed == PRINTED[text] + "\n"


def test_the_graph_has_the_names_and_lines_of_the_function():
    text = "def loss(w):\n    z = np.dot(w, w)\n    return np.tanh(z)\nprint(grad(loss)(np.array([0.5, -1.0])))\n"
    result = run(START + text)
    assert {"w", "z"} <= result.document.nodes.keys() and result.lines["z"] == 5 and result.passes == (7,)
    assert compile(result.document).run().gradient("w") == pytest.approx([0.28041487, -0.56082973])


FAULTS = {
    "grad(lambda x: x ** 2)(np.ones(2))": "TypeError: Grad only applies to real scalar-output functions.",
    "grad(lambda x: x ** 2)(3)": "TypeError: Can't differentiate w.r.t. type <class 'int'>",
    "from autograd.extend import primitive": "autograd.extend is not part of the built-in autograd; run the script",
}


@pytest.mark.parametrize("text", FAULTS)
def test_mistakes_are_told_with_their_line(text):
    fault = run(START + text).fault
    assert fault is not None and fault.line == 4 and fault.sentence.startswith(FAULTS[text])
