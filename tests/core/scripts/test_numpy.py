"""What scripts for numpy alone do; `tests/core/oracle/test_scripts.py` runs the samples without us."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path

import numpy as np
import pytest

from cadena.core.front import compile
from cadena.core.scripts.running import ScriptResult, run

SAMPLES = sorted((Path(__file__).parent / "samples").glob("numpy_*.txt"))


def done(text: str) -> ScriptResult:
    result = run(text)
    assert result.fault is None, result.fault
    return result


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_script_for_numpy_prints_what_it_prints_without_us(path):
    text, real = path.read_text("utf-8"), io.StringIO()
    with contextlib.redirect_stdout(real):
        exec(compile_text(text), {"__name__": "__main__"})
    assert done(text).printed == real.getvalue()


def compile_text(text: str):
    import builtins

    return builtins.compile(text, "<sample>", "exec")


def test_numbers_of_the_module_become_parameters_and_the_last_scalar_the_output():
    result = done("a1, a2 = 4, 3\nw = 2.0\nb1 = w * a1 + a2\nL = 15 - b1\nprint(L)")
    assert result.printed == "4.0\n" and result.document.output == "L"
    assert {name for name, node in result.document.nodes.items() if node.op == "parameter"} == {"a1", "a2", "w"}
    assert compile(result.document).run().gradient("w") == -4.0
    assert result.remarks[0].kind == "output" and result.remarks[0].line == 4
    assert result.remarks[0].sentence.startswith("nothing asks for a gradient, so L is the output")


def test_any_assignment_of_the_output_can_be_chosen():
    text = "import numpy as np\nw = np.array([1., 2.])\nfor i in range(3):\n    w = w * 0.5\n    L = np.sum(w ** 2)\n"
    last, first = done(text), run(text, chosen=0)
    assert last.passes == (5, 5, 5) and compile(last.document).run().value("L") == pytest.approx(5 / 64)
    assert compile(first.document).run().gradient("w").tolist() == [0.5, 1.0]
    assert [(item.kind, item.count) for item in last.remarks[1:]] == [("loop", 3)]


def test_whole_numbers_in_an_array_are_data():
    result = done("import numpy as np\nX = np.array([[0, 1], [1, 1]])\nw = np.array([.5, 2.])\nL = (X @ w).sum()")
    assert (result.document.nodes["X"].op, result.document.nodes["w"].op) == ("input", "parameter")
    assert compile(result.document).run().gradient("w").tolist() == [1.0, 2.0]


def test_a_change_in_place_is_seen_by_views_as_in_numpy():
    result = done("import numpy as np\nx = np.ones(3)\nv = x[:2]\nx[0] = 5.\nL = v.sum()\nprint(L, v)")
    assert result.printed == "6.0 [5. 1.]\n" and compile(result.document).run().value("L") == 6.0


def test_an_operation_that_is_not_recorded_ends_the_graph_and_says_so():
    text = "import numpy as np\nA = np.eye(2)\nd = np.linalg.eigvals(A)\nL = d.sum() * 2.0\nprint(L)"
    result = done(text)
    assert result.printed == "4.0\n"
    assert [(item.kind, item.line) for item in result.remarks if item.kind == "lost"] == [("lost", 3)]


def test_functions_of_math_are_recorded():
    result = done("import math\nx = 2.0\ny = 1 / (1 + math.exp(-x))")
    assert compile(result.document).run().gradient("x") == pytest.approx(0.10499358540350652)


def test_lists_of_numbers_are_joined():
    result = done("import numpy as np\nw = 2.0\nv = np.array([w, 3 * w])\nL = v @ v")
    assert compile(result.document).run().gradient("w") == 40.0


def test_numpy_beside_another_library_is_data():
    text = "import numpy as np\nimport torch\nx = np.ones(2)\nw = torch.ones(2, requires_grad=True)\n"
    result = done(text + "(torch.tensor(x).float() * w).sum().backward()")
    assert [node.name for node in result.document.nodes.values() if node.op == "parameter"] == ["w"]


FAULTS = {
    "import numpy as np\nx = np.ones(2) + np.ones(3)": (2, "ValueError: operands could not be broadcast together"),
    "x = 1.0\ny = x / 0": (2, "ZeroDivisionError: "),
    "import numpy as np\nw = np.ones(2)\nw[5] = 1.0": (3, "IndexError: index 5 is out of bounds"),
    "import numpy as np\nnp.arr([1])": (2, "numpy.arr is not part of NumPy (did you mean "),
    "from numpy import arrray": (1, "numpy.arrray is not part of NumPy (did you mean array?); correct the name"),
    "w = 2.0\nprint(w)": (0, "the script computes no gradient, so there is no graph; "),
}


@pytest.mark.parametrize("text", FAULTS)
def test_mistakes_are_told_with_their_line(text):
    fault = run(text).fault
    assert fault is not None and fault.line == FAULTS[text][0] and fault.sentence.startswith(FAULTS[text][1])


def test_a_script_that_wrote_out_its_reverse_pass_became_the_graph_of_a_number_in_it():
    """The last number that was computed counted as the output, although the script says of what it prints gradients."""
    result = done(
        "import numpy as np\nw = np.array([1.0, 2.0])\nx = np.array([3.0, 4.0])\nz = w * x\nL = np.sum(z)\n"
        'k = 1.0\nhalf = k / 2\ndw = np.ones(2) * x\nprint("L =", L)\nprint(f"dL/dw = {dw}")'
    )
    assert result.document.output == "L" and set(result.document.nodes) == {"w", "x", "z", "L"}
    assert {name: node.op for name, node in result.document.nodes.items() if node.is_leaf} == {
        "w": "parameter",
        "x": "input",
    }
    assert result.remarks[0].sentence == "gradients of L are printed, so L is the output"


def test_gradients_of_what_the_script_does_not_have_say_nothing():
    assert done('a = 2.0\nb = a * 3\nprint("dp/dq =", b)').document.output == "b"


def test_a_script_for_numpy_may_take_functions_from_scipy():
    result = done("from scipy import special\na = 0.5\ny = special.expit(a) + special.erf(a)")
    assert {node.op for node in result.document.nodes.values()} == {"parameter", "sigmoid", "erf", "add"}


def test_a_learning_rate_or_a_weight_after_its_step_was_taken_for_the_output():
    text = "import numpy as np\nw, lr = np.array(2.0), 0.1\nfor step in range(3):\n    loss = (w * 3 - 1) ** 2\n"
    result = run(text + "    w = w - lr * 6 * (w * 3 - 1)\n    lr = lr * 0.9\n")
    assert result.document.nodes[result.document.output].op == "power" and len(result.passes) == 3


VIEWS = """import numpy as np
w = np.array([[1.0, 2.0], [0.5, -1.0]])
def blocks(x):
    B = np.zeros((4, 4))
    B[:2, :2] = x
    B[2:, 2:] = x @ x
    row = B[0]
    row *= 3
    return B
B = blocks(w)
h = w * 2
r = h[1:]
r *= 3
h.T[0] += w[0]
a, b = np.split(h, 2)
b += 1
np.reshape(h, -1)[3] = w[0, 0] ** 2
L = (B ** 2).sum() + (h ** 2).sum() + r.sum()
"""


def test_writing_through_a_view_of_an_array_is_in_the_graph():
    again = compile(done(VIEWS).document).run()
    w = np.array([[1.0, 2.0], [0.5, -1.0]])
    body = VIEWS.split("\n", 2)[2]

    def loss(w):
        exec(compile_text(body), scope := {"np": np, "w": w})
        return scope["L"]

    slopes = np.zeros_like(w)
    for place in np.ndindex(w.shape):
        step = np.zeros_like(w)
        step[place] = 1e-6
        slopes[place] = (loss(w + step) - loss(w - step)) / 2e-6
    assert again.value("L") == pytest.approx(loss(w))
    np.testing.assert_allclose(again.gradient("w"), slopes, atol=1e-6)


def test_an_array_of_zeros_that_a_variable_holds_is_a_parameter_and_in_a_function_data():
    text = "import numpy as np\nb = np.ones(2) * 0.5\ndef f(x):\n    c = np.ones(2) * 2\n    return x * c\n"
    text += "L = f(b).sum()\n"
    document = done(text).document
    assert [name for name, node in document.nodes.items() if node.op == "parameter"] == ["b"]
    assert compile(document).run().gradient("b").tolist() == [2.0, 2.0]


FIT = """import numpy as np
x = np.linspace(-1, 1, 20)
y = np.sin(x)
a, b = 0.3, -0.2
for t in range(50):
    pred = a + b * x
    loss = np.square(pred - y).sum()
    grad = 2.0 * (pred - y)
    a -= 1e-2 * grad.sum()
    b -= 1e-2 * (grad * x).sum()
"""


def test_a_training_loop_was_unrolled():
    result = done(FIT)
    document = result.document
    assert document.output == "loss" and len(document.nodes) == 9
    assert {name for name, node in document.nodes.items() if node.op == "parameter"} == {"a", "b", "x"}
    slopes = compile(document).run()
    assert document.nodes["b"].value > 0.3 and abs(float(slopes.gradient("a"))) < 1e-3  # near the end of the training
    step = next(item for item in result.remarks if item.kind == "step")
    assert step.sentence == "each turn of the loop of line 5 is a step of its own, which starts with a, b"
    assert not [item for item in result.remarks if item.kind == "loop"]


def test_arrays_that_are_changed_in_place_start_each_step_of_a_training_anew():
    text = "import numpy as np\nW = np.array([1.0, 2.0])\nstep = 0\nwhile step < 4:\n    loss = np.sum(W ** 2)\n"
    document = done(text + "    W -= 0.1 * 2 * W\n    step += 1\n").document
    assert document.nodes["W"].op == "parameter" and len(document.nodes) < 5
    assert compile(document).run().gradient("W") == pytest.approx([2 * 0.8**3, 4 * 0.8**3])


def test_a_state_that_is_computed_before_the_output_stays_a_part_of_it():
    """Euler's method: the end depends on the beginning."""
    text = "y, h = 1.0, 0.1\nfor i in range(3):\n    y = y + h * (-2 * y)\n"
    for end in ("loss = (y - 0.5) ** 2\n", "    loss = (y - 0.5) ** 2\n"):
        result = done(text + end)
        assert compile(result.document).run().gradient("y") == pytest.approx(2 * (0.8**3 - 0.5) * 0.8**3)
        assert [item.count for item in result.remarks if item.kind == "loop"] == [3]
