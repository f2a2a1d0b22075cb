"""Functions of PyTorch, JAX and TensorFlow where rules differ (0, bounds, ties, inf, nan): value and both derivatives.

A script in the library's words is imported, a function of PyTorch or JAX is captured, and both are compared with the
library's own numbers; also after they were made of usual numbers and got the awkward ones later. What is refused, or
has a note or a violated guard, may differ. Further differences are in KNOWN, with the reason.
"""

from __future__ import annotations

import contextlib
import io
import re
import warnings
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import numpy as np
import pytest

import cadena
from cadena.core.graph.document import Document
from cadena.core.ops.selection import TWICE
from cadena.core.scripts import child, tape
from cadena.core.storage.decoding import decode
from tests.core.oracle.awkward import OPERANDS, Operands, calls, listed, suits, usual
from tests.core.scripts.reading import NoGraph, read

pytestmark = pytest.mark.oracle
Numbers = dict[str, Any]

# What differs without a word there, by library: a part of the expression -> why.
POLES = "at the poles of the gamma function"
KNOWN: dict[str, dict[str, str]] = {
    "torch": {
        r"digamma|lgamma": f"{POLES} PyTorch rounds its derivatives to numbers beyond 1e32; ours are inf",
        r"std\(": "the second derivative where all are equal is nan in Cadena, and in PyTorch 0, which it is not",
        r"x \*\* y|pow\(x, y\)": "PyTorch's mixed second derivative at exponent 0 and a negative base is not nan",
        r"x \*\* 1.5": "of -0 PyTorch's second derivative is -inf",
        r"binary_cross_entropy\(": "PyTorch adds 1e-12 in the second derivative",
    },
    "jax": {r"gamma": f"{POLES} JAX's second derivative is inf, ours nan"},
    "tensorflow": {
        r"gamma|zeta": f"{POLES} Cadena has inf where TensorFlow has nan, or the other way round",
        r"softmax_cross": "TensorFlow has no derivative of its gradient by the labels",
        r"reduce_prod": "TensorFlow's second derivative of a product with two zeros lacks a term",
    },
}
# What differs of operands that are inf or nan alone: the value is inf or nan there too, which is reported.
NOT_FINITE: dict[str, dict[str, str]] = {
    "torch": {
        r"softsign|kl_div|huber|smooth_l1": "of inf the limit of the slope, or nan",
        r"copysign|shrink|clamp|clip|hardtanh|median": "a nan that is chosen, or not, passes a gradient or none",
    },
    "jax": {r"soft_sign|mod\(|remainder|% y": "of inf the limit of the slope, or nan"},
    "tensorflow": {
        r"\babs\(": "TensorFlow's gradient of a nan's |x| is nan behind a mask, too",
        r"% y|mod\(|softsign|floordiv|\*\* 1.5": "of inf the limit of the slope, or nan",
    },
}
START = {
    "torch": "import torch\nimport torch.nn.functional as F\nx = torch.tensor({x}, dtype=torch.float64, "
    "requires_grad=True)\ny = torch.tensor({y}, dtype=torch.float64, requires_grad=True)\n",
    "jax": 'import jax\njax.config.update("jax_enable_x64", True)\nimport jax.numpy as jnp\nfrom jax import lax\n'
    "x = jnp.array({x})\ny = jnp.array({y})\n",
    "tensorflow": "import tensorflow\nimport tensorflow as tf\nx = tf.Variable({x}, dtype=tf.float64)\n"
    "y = tf.Variable({y}, dtype=tf.float64)\n",
}
FIRST = {
    "torch": """r = {text}
L = (r * (torch.arange(r.numel(), dtype=torch.float64).reshape(r.shape) + 1.0)).sum()
gx, gy = torch.autograd.grad(L, (x, y), create_graph=True, allow_unused=True)
""",
    "jax": """def f(x, y):
    r = {text}
    return jnp.sum(r * (jnp.arange(r.size, dtype=jnp.float64).reshape(r.shape) + 1.0))
gx, gy = jax.grad(f, (0, 1))(x, y)
r = {text}
""",
}
BODY = {
    "torch": FIRST["torch"]
    + """weights = torch.arange(x.numel(), dtype=torch.float64).reshape(x.shape) + 2.0
M = sum((g * weights).sum() for g in (gx, gy) if g is not None)
if M.requires_grad:
    hx, hy = torch.autograd.grad(M, (x, y), allow_unused=True)
""",
    "jax": """def f(x, y):
    r = {text}
    return jnp.sum(r * (jnp.arange(r.size, dtype=jnp.float64).reshape(r.shape) + 1.0))
def m(x, y):
    gs = jax.grad(f, (0, 1))(x, y)
    return sum(jnp.sum(g * (jnp.arange(g.size, dtype=jnp.float64).reshape(g.shape) + 2.0)) for g in gs)
gx, gy = jax.grad(f, (0, 1))(x, y)
r = {text}
hx, hy = jax.grad(m, (0, 1))(x, y)
""",
    "tensorflow": """with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        r = {text}
        L = tf.reduce_sum(r)
    gx, gy = inner.gradient(L, [x, y])
    M = sum(tf.reduce_sum(g * 2.0) for g in (gx, gy) if g is not None)
hx, hy = outer.gradient(M, [x, y])
""",
}
STATES = {"torch": "pytorch.state", "jax": "jax_arrays.state", "tensorflow": "tensor_flow.tensor"}
MODULES = {
    "torch": ("torch", "torch.nn.functional"),
    "jax": ("jax.numpy", "jax.nn", "jax.lax", "jax.scipy.special"),
    "tensorflow": ("tensorflow", "tensorflow.math", "tensorflow.nn"),
}
FORMS = {"torch": "pytorch.table", "jax": "jax_arrays.numpy_functions", "tensorflow": "tensor_flow.functions"}


def expressions(library: str) -> list[str]:
    """Each function of the stand-in with one and with two operands, and what is listed."""
    forms = import_module(f"cadena.core.scripts.{FORMS[library]}").FORMS
    return [*calls(list(forms), MODULES[library]), *listed(library)]


def script(library: str, text: str, operands: Operands, body: dict[str, str] = BODY) -> str:
    x, y = (re.sub(r"\b(inf|nan)\b", r'float("\1")', repr(item)) for item in operands)
    return START[library].format(x=x, y=y) + body[library].format(text=text)


def real(code: str) -> dict[str, Any] | None:
    """The variables of a script that the library runs; None where it refuses."""
    names: dict[str, Any] = {"__name__": "__main__"}
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            exec(compile(code, "script", "exec"), names)
        except Exception:  # whatever a library raises at a call that it does not have
            return None
    return names


def array(value: Any, like: Any) -> np.ndarray:
    """A gradient of a library's, or ours, as numpy's; zeros for None."""
    if value is None:
        return np.zeros(np.shape(like))
    if type(value).__name__ == "IndexedSlices":
        return np.asarray(import_module("tensorflow").convert_to_tensor(value))
    return np.asarray(value.detach() + 0.0 if hasattr(value, "detach") else value, np.float64)


def imported(library: str, code: str) -> list[Document]:
    """The graphs of the backward passes of a script; none where it is refused, or has a remark."""
    state: Any = import_module(f"cadena.core.scripts.{STATES[library]}").STATE
    state.tape = type(state.tape)()  # a process runs one script
    vars(state).update({"jax": {"depth": 0, "wide": False}, "tensorflow": {"open": 0}}.get(library, {}))
    tape.DIFFERENCES.clear()
    try:
        made = read(code, library)
        passes = made.answer["passes"] if "fault" not in made.answer else []
        first = [decode(child._answer(code, number, [library])[0]) for number in range(len(passes))]
    except (NoGraph, TypeError, ValueError, IndexError, AttributeError, RuntimeError, ImportError, cadena.Refused):
        return []
    return [] if tape.DIFFERENCES else first


def gradients(document: Document, operands: Operands, given: bool = False) -> list[np.ndarray] | None:
    """Ours for x and y; None where a guard is violated."""
    numbers = dict(zip("xy", map(np.array, operands), strict=True))
    values = {name: one for name, one in numbers.items() if name in document.nodes} if given else {}
    with np.errstate(all="ignore"):
        run = cadena.compile(document).run(values)
    if any(fault.kind == "violated-guard" for fault in run.faults):
        return None
    return [array(run.gradient(name) if name in document.nodes else None, one) for name, one in numbers.items()]


def unlike(ours: list[np.ndarray] | None, names: Numbers, operands: Operands, order: str) -> Iterator[str]:
    """Where gradients of this order differ from the library's. Where the value is nan ours may be nan, to be seen."""
    r = array(names.get("r"), 0.0)
    for name, one in zip("xy", ours or ()):
        other = array(names.get(order + name), operands[0])
        bad = ~np.isclose(one, other, rtol=1e-6, atol=1e-8, equal_nan=True)
        if np.isnan(r).any() and (r.shape == bad.shape or not np.isfinite(operands[0]).all()):
            bad &= ~(np.isnan(one) & (np.isnan(r) if r.shape == bad.shape else True))
        for place in zip(*np.nonzero(bad)):
            x, y = (np.asarray(item)[place] for item in operands)
            yield f"{order}{name} at ({x:g}, {y:g}) is {one[place]:g}, not {other[place]:g}"


def unknown(library: str, text: str, found: list[str]) -> list[str]:
    """What is in neither table."""
    if any(re.search(pattern, text) for pattern in KNOWN[library]):
        return []
    known = any(re.search(pattern, text) for pattern in NOT_FINITE[library])
    return [one for one in found if not (known and one.startswith("not finite"))]


def check_script(library: str, text: str) -> None:
    """The graphs of a script, with their own numbers and with others, beside what the library computes."""
    found = []
    for kind, operands in OPERANDS.items():
        names = real(script(library, text, operands)) if suits(text, kind) else None
        if names is None:
            continue
        graphs = imported(library, script(library, text, operands))
        if graphs:
            found += [f"{kind}: {one}" for one in unlike(gradients(graphs[0], operands), names, operands, "g")]
        if len(graphs) > (2 if library == "jax" else 1) and kind != "not finite":
            found += [f"{kind}, second: {one}" for one in unlike(gradients(graphs[-1], operands), names, operands, "h")]
        if graphs := imported(library, script(library, text, usual(operands))):
            found += [
                f"{kind}, later: {one}" for one in unlike(gradients(graphs[0], operands, True), names, operands, "g")
            ]
    assert not (more := unknown(library, text, found)), "\n".join(more[:8])


def captured(library: str, text: str, operands: Operands) -> Any:
    """The capture of the sum of a function's results, weighted as in the scripts."""
    names: dict[str, Any] = {}
    exec(
        START[library].format(x=operands[0], y=operands[1]),
        {"__builtins__": __builtins__, "inf": np.inf, "nan": np.nan},
        names,
    )
    x, y = names.pop("x"), names.pop("y")
    arange = names["torch"].arange if library == "torch" else names["jnp"].arange

    def loss(x: Any, y: Any) -> Any:
        r = eval(text, names, {"x": x, "y": y})
        count = r.numel() if library == "torch" else r.size
        return (r * (arange(count, dtype=x.dtype).reshape(r.shape) + 1.0)).sum()

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return cadena.capture(loss, x, y, argnums=None if library == "torch" else (0, 1))


def check_capture(library: str, text: str) -> None:
    found = []
    for kind, operands in OPERANDS.items():
        names = real(script(library, text, operands, FIRST)) if suits(text, kind) else None
        if names is None:
            continue
        for given, at in ((False, operands), (True, usual(operands))):
            try:
                made = captured(library, text, at)
            except cadena.Refused:
                continue
            if not {*made.notes} - {TWICE}:
                ours = gradients(made.document, operands, given)
                found += [f"{kind}{', later' * given}: {one}" for one in unlike(ours, names, operands, "g")]
    assert not (more := unknown(library, text, found)), "\n".join(more[:8])


@pytest.mark.some(100)
@pytest.mark.parametrize("text", expressions("torch"))
def test_a_script_of_pytorch_has_its_gradients(text: str) -> None:
    pytest.importorskip("torch")
    check_script("torch", text)


@pytest.mark.some(20)
@pytest.mark.parametrize("text", expressions("jax"))
def test_a_script_of_jax_has_its_gradients(text: str) -> None:
    pytest.importorskip("jax")
    check_script("jax", text)


@pytest.mark.some(100)
@pytest.mark.parametrize("text", expressions("tensorflow"))
def test_a_script_of_tensorflow_has_its_gradients(text: str) -> None:
    pytest.importorskip("tensorflow")
    check_script("tensorflow", text)


@pytest.mark.some(60)
@pytest.mark.parametrize("text", expressions("torch"))
def test_a_capture_of_pytorch_has_its_gradients(text: str) -> None:
    pytest.importorskip("torch")
    check_capture("torch", text)


@pytest.mark.some(10)
@pytest.mark.parametrize("text", expressions("jax"))
def test_a_capture_of_jax_has_its_gradients(text: str) -> None:
    pytest.importorskip("jax")
    check_capture("jax", text)
