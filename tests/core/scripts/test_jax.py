"""What scripts written for JAX do here; `tests/core/oracle/test_scripts.py` has JAX print the same."""

from __future__ import annotations

import numpy as np
import pytest

from cadena.core.doctor.findings.reasons import Reasons
from cadena.core.front import compile
from cadena.core.scripts.remark import KEPT
from cadena.core.scripts.running import ScriptResult, run

pytestmark = pytest.mark.usefixtures("forked_scripts")

START = "import jax\nimport jax.numpy as jnp\n"


def done(text: str) -> ScriptResult:
    result = run(START + text)
    assert result.fault is None or "no gradient" in result.fault.sentence, result.fault
    return result


PRINTED = {
    "x = jnp.array([-1., 2.])\nfor f in (jax.nn.relu, lambda x: jnp.maximum(x, 0)):\n"
    "    print(jax.grad(lambda x: (f(x) * jnp.nan).sum())(x), jax.grad(lambda x: -f(x).sum())(x))": "[ 0. nan] "
    "[ 0. -1.]\n[nan nan] [-0. -1.]",
    "print(repr(jnp.array([1., 2.5])), jnp.array([1., 2.5]), repr(jnp.array(3)))": "Array([1. , 2.5], dtype=float32) "
    "[1.  2.5] Array(3, dtype=int32, weak_type=True)",
    "print(jnp.array([1, 2]) / 2, (jnp.array([1, 2]) * 1.5).dtype, jnp.sum(jnp.array([1, 2])).dtype)": "[0.5 1. ] "
    "float32 int32",
    "x = jnp.zeros(3)\nprint(x.at[1].set(2.), x)": "[0. 2. 0.] [0. 0. 0.]",
}


@pytest.mark.parametrize("text", PRINTED)
def test_arrays_are_printed_as_by_jax(text):
    assert done(text).printed == PRINTED[text] + "\n"


def test_parameters_in_a_tree_keep_their_names_and_the_graph_gives_their_gradients():
    result = done(
        "params = {'w': jnp.array([2., 3.]), 'b': 3.0}\nx = jnp.array([1., -1.])\n"
        "def loss(params):\n    y = params['w'] @ x + params['b']\n    return y ** 2\n"
        "print(jax.grad(loss)(params)['w'])\n"
    )
    assert result.printed == "[ 4. -4.]\n"
    ops = {name: result.document.nodes[name].op for name in ("w", "b", "x", "y")}
    assert ops == {"w": "parameter", "b": "parameter", "x": "input", "y": "add"}
    made = compile(result.document).run({"b": 2.0})
    assert made.gradient("w").tolist() == [2.0, -2.0] and result.lines["y"] == 6


def test_a_gradient_of_a_gradient_is_recorded_too():
    result = done("print(jax.grad(jax.grad(lambda x: x ** 3 * 2))(2.0))")
    assert result.printed == "24.0\n"
    assert compile(result.document).run().value(result.document.output) == 24.0


def test_an_inner_gradient_does_not_see_the_outer_variable():
    text = "print(jax.grad(lambda x: x * jax.grad(lambda y: x * y ** 2)(x))(3.0))"
    assert done(text).printed == "54.0\n"  # of x * 2 x x, which is 6 x ** 2


def test_a_custom_rule_becomes_a_function_with_a_custom_gradient():
    result = done(
        "@jax.custom_vjp\ndef f(x):\n    return jnp.exp(x)\n"
        "f.defvjp(lambda x: (f(x), x), lambda x, upstream: (upstream * 10 * x,))\n"
        "w = jnp.array([1., 3.])\nprint(jax.grad(lambda w: jnp.sum(f(w)))(w))"
    )
    assert result.printed == "[10. 30.]\n" and result.document.functions["f"].gradient.used
    np.testing.assert_allclose(compile(result.document).run().gradient("w"), [10.0, 30.0])


FAULTS = {
    "x = jnp.ones(2)\nx[0] = 1.": "TypeError: JAX arrays are immutable and do not support in-place item assignment.",
    "jax.grad(lambda x: x * x)(jnp.ones(2))": "TypeError: Gradient only defined for scalar-output functions. Output",
    "jax.grad(lambda x: x * x)(3)": "TypeError: grad requires real- or complex-valued inputs",
    "jnp.ones(2) + jnp.ones(3)": "TypeError: add got incompatible shapes for broadcasting: (2,), (3,).",
    "jnp.sigmod(1.)": "jax.numpy.sigmod is not part of the built-in JAX",
    "key = jax.random.PRNGKey(0)": "jax.random is not part of the built-in JAX; run the script with your own JAX",
    "jax.value_and_gard": "jax.value_and_gard is not part of the built-in JAX (did you mean value_and_grad?); run the",
    "from jax import pmap": "jax.pmap is not part of the built-in JAX (did you mean vmap?); run the script with your",
    "jnp.load('x.npy')": "jax.numpy.load is not part of the built-in JAX",
    "jnp.ones(2).summ()": "jax.Array.summ is not part of the built-in JAX (did you mean sum?); ",
    "jax.grad(jnp.sum, holomorphic=True)": "the argument holomorphic=True of jax.grad is not part of the built-in JAX",
    "jax.vmap(jnp.sin, axis_name='i')": "the argument axis_name='i' of jax.vmap is not part of the built-in JAX",
    "jnp.array([1.], ndmin=2)": "the argument ndmin=2 of jax.numpy.array is not part of the built-in JAX",
    "jnp.concatenate([jnp.ones(1)], dtype=int)": "the argument dtype=<class 'int'> of jax.numpy.concatenate is not",
    "jax.nn.softmax(jnp.ones(2), where=True)": "the argument where=True of jax.nn.softmax is not part of the built-in",
    "jnp.exp(jnp.ones(2), out=None)": "TypeError: jax.numpy.exp() got an unexpected keyword argument 'out'",
    "jnp.sum(jnp.ones(2), axes=0)": "TypeError: jax.numpy.sum() got an unexpected keyword argument 'axes'",
    "jax.vmap(lambda a, b: a)(jnp.ones(2), jnp.ones(3))": "ValueError: vmap got inconsistent sizes",
    "x = jnp.ones(2)\nx.at[jnp.array([0, 0])].add(1.)": "TypeError: x.at[...].add of an element that is indexed twice",
}


@pytest.mark.parametrize("text", FAULTS)
def test_mistakes_are_told_with_their_line(text):
    fault = run(START + text).fault
    assert fault is not None and fault.sentence.startswith(FAULTS[text])
    assert fault.line == 2 + len(text.splitlines())


def test_the_result_of_a_function_without_a_variable_has_the_name_of_the_function():
    result = done("def loss(w):\n    return jnp.sum(w * w)\njax.jit(jax.grad(loss))(jnp.ones(2))\n")
    assert result.document is not None and result.document.output == "loss"


def test_norm_and_std_at_0_have_the_gradient_nan_as_in_jax_and_a_remark_says_why():
    for name, call in (("norm", "jnp.linalg.norm(v)"), ("norm", "jnp.linalg.norm(v, 2)"), ("std", "v.std()")):
        result = done(f"def f(v):\n    return {call} ** 2\nv = jnp.zeros(3)\nprint(jax.grad(f)(v))\n")
        assert result.printed == "[nan nan nan]\n", call
        assert result.document is not None
        assert np.isnan(compile(result.document).run().gradient("v")).all(), call
        assert [item.line for item in result.remarks if f"the {name} is 0 here, at which" in item.sentence] == [4], call
    assert done("print(jax.grad(jnp.linalg.norm)(jnp.array([3., 4.])))\n").printed == "[0.6 0.8]\n"


OF_JAX = {  # an expression of x and y, where they are, and JAX's gradients there
    "jnp.abs(x) + y": ((0.0, 0.0), (1.0, 1.0)),
    "jnp.arctan2(x, y)": ((0.0, 0.0), (np.nan, np.nan)),
    "x ** y": ((0.0, 0.0), (np.nan, 0.0)),
    "x ** 0 + y": ((0.0, 0.0), (0.0, 1.0)),
    "jnp.fmax(x, y)": ((1.0, 1.0), (0.0, 1.0)),
    "jnp.hypot(x, y)": ((0.0, 0.0), (0.5, 0.5)),
    "jax.scipy.special.xlogy(x, y)": ((0.0, 0.5), (np.log(0.5), 0.0)),
    "jnp.linalg.norm(jnp.stack([x, y]), ord=jnp.inf)": ((0.0, 0.0), (0.25, 0.25)),
}


@pytest.mark.parametrize("text", OF_JAX)
def test_a_graph_had_cadenas_gradient_where_jax_has_another(text):
    (x, y), expected = OF_JAX[text]
    code = f"import jax\nimport jax.numpy as jnp\ngx, gy = jax.grad(lambda x, y: {text}, (0, 1))(X, Y)\nprint(gx, gy)\n"
    for first in ((x, y), (0.7, 0.3)):  # the convention holds for numbers that are put in later, too
        result = run(code.replace("X", str(first[0])).replace("Y", str(first[1])))
        assert result.document is not None, result.fault
        names = [name for name, node in result.document.nodes.items() if node.op == "parameter"]
        found = compile(result.document).run(dict(zip(names, map(np.float32, (x, y)), strict=True)))
        gradients = [float(found.gradient(name)) for name in names]
        assert np.allclose(gradients, expected, rtol=1e-6, equal_nan=True)


def test_zeta_had_the_gradient_0_for_its_first_operand():
    code = "import jax\nfrom jax.scipy.special import zeta\nprint(jax.grad(zeta)(2.0, 1.0))\n"
    fault = run(code).fault
    assert fault is not None
    assert "zeta is built in with its gradient for q alone" in fault.sentence


def test_an_unused_argument_had_no_gradient_where_jax_gives_zeros():
    result = done("x = jnp.ones(2)\nu = jnp.ones(2)\nprint(jax.grad(lambda x, u: x.sum(), (0, 1))(x, u))\n")
    assert result.document is not None
    (sentence,) = Reasons(compile(result.document).run()).sentences("u")
    assert sentence.startswith("the gradient of u is 0: nothing on the way to sum1 reads it")


PREPARED = """data = jnp.array([1., -2., 5.])
mask = data > 0
n = (data - data.mean()) / data.std()
shown = n * 2
w = jnp.ones(3)
def f(w):
    return jnp.sum(jnp.where(mask, w * n, 0.0) * data)
for _ in range(2):
    g = jax.grad(f)(w)
    w = w - 0.1 * g
"""


def test_data_that_is_prepared_before_the_function_stayed_as_it_was_without_a_word():
    result = done(PREPARED)
    told = [(item.line, item.sentence) for item in result.remarks if item.kind == KEPT]
    assert told == [
        (4, "line 4 computes mask from data outside of the graph, and mask stays as it was"),
        (5, "line 5 computes n from data outside of the graph, and n stays as it was"),
    ]
    within = PREPARED.replace("mask = data > 0\n", "").replace("where(mask", "where(data > 0").replace("* n", "")
    assert [item for item in done(within).remarks if item.kind == KEPT] == []
