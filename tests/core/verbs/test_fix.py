"""The story of a nan: a script is imported, the operation named with its line, fixed by the verb, and healthy."""

from __future__ import annotations

import pytest

import cadena
import cadena.main as program
from cadena.core.storage.files import load

TORCH_SHARES = """
import torch

logits = torch.tensor([[4.0, -90.0, 20.0], [100.0, 2.0, 1.0]])
W = torch.eye(3, requires_grad=True)
target = torch.tensor([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])

def cross_entropy(p, t):
    return -(t * torch.log(p)).sum(dim=1).mean()

powers = torch.exp(logits @ W)
shares = powers / powers.sum(dim=1, keepdim=True)
loss = cross_entropy(shares, target)
loss.backward()
print(loss, W.grad)
"""
TORCH_DISTANCE = """
import torch
x = torch.zeros(2, requires_grad=True)
w = torch.tensor([1.0, 2.0], requires_grad=True)
distance = torch.sqrt((x * x).sum())
loss = (w * w).sum() + distance
loss.backward()
print(x.grad, w.grad)
"""
TENSORFLOW_DECAY = """
import tensorflow as tf
w = tf.Variable([100.0, -3.0])
with tf.GradientTape() as tape:
    decay = 1.0 / tf.exp(w)
    loss = tf.reduce_sum(decay)
print(tape.gradient(loss, w).numpy())
"""
JAX_BRANCH = """
import jax
import jax.numpy as jnp

def total(x):
    roots = jnp.where(x > 0, jnp.sqrt(x), 0.0)
    return jnp.sum(roots)

print(jax.grad(total)(jnp.array([0.0, 4.0])))
"""
NUMPY_SHARES = """
import numpy as np
z = np.array([1000.0, 2.0, -3.0])
powers = np.exp(z)
shares = powers / np.sum(powers)
loss = -np.log(shares[0])
print(loss)
"""
NUMPY_SPREAD = """
import numpy as np
data = np.array([3.0, 3.0, 3.0])
z = (data - data.mean()) / data.std()
loss = np.sum(z ** 2)
print(loss)
"""
# A language, a script whose numbers are nan, the node that causes it with its line, and the title of the fix.
STORIES = {
    "shares of powers": ("torch", TORCH_SHARES, "powers (line 11 of story.py)", "Use log_softmax"),
    "a distance of 0": ("torch", TORCH_DISTANCE, "distance (line 5 of story.py)", "Use norm for the root"),
    "one over a power": ("tensorflow", TENSORFLOW_DECAY, "exp1 (line 5 of story.py)", "Write exp(-x) for 1 / exp(x)"),
    "a branch not taken": ("jax", JAX_BRANCH, "sqrt1 (line 6 of story.py)", "Keep x harmless"),
    "an overflow": ("numpy", NUMPY_SHARES, "powers (line 4 of story.py)", "Use softmax for exp(x) / sum(exp(x))"),
    "equal numbers": ("numpy", NUMPY_SPREAD, "z (line 4 of story.py)", "Add 1·10⁻⁵ to the variance of data"),
}


@pytest.fixture
def call(tmp_path, monkeypatch, capsys, forked_scripts):
    monkeypatch.chdir(tmp_path)

    def called(*words: str) -> tuple[int, str, str]:
        """Exit status, standard output and standard error."""
        status = program.main(words)
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    called.folder = tmp_path
    return called


def fixed(call, script: str) -> tuple[str, str]:
    """What importing and fixing a script say; the graph is in fixed.cadena."""
    (call.folder / "story.py").write_text(script, "utf-8")
    status, printed, complaint = call("import", "story.py", "-o", "story.cadena", "--force")
    assert status == 0 and "nan" in printed and "`cadena fix` does it" in printed
    status, lines, left = call("fix", "story.cadena", "-o", "fixed.cadena", "--force")
    assert (status, left) == (0, "")
    return complaint, lines


@pytest.mark.parametrize("name", STORIES)
def test_the_line_that_makes_nan_is_named_and_fixed(call, name):
    _, script, place, title = STORIES[name]
    complaint, lines = fixed(call, script)
    assert complaint.startswith(f"cadena: story.cadena: {place}: ") and complaint.count("\n") == 1
    assert lines.startswith(place.partition(" ")[0]) and f"of story.py): {title}" in lines
    run = cadena.compile(load("fixed.cadena")).run()
    assert run.faults == ()


def test_a_fix_is_chosen_by_its_title(call):
    fixed(call, TORCH_DISTANCE)
    status, lines, _ = call("fix", "story.cadena", "-o", "own.cadena", "--title", "give distance a gradient of its own")
    assert status == 0 and lines.count("\n") == 1 and "Give distance a gradient of its own" in lines
    assert load("own.cadena").functions
    status, _, complaint = call("fix", "story.cadena", "-o", "none.cadena", "--title", "pray")
    assert status == 2 and complaint.endswith("--title pray: no such fix is on offer; `cadena run` lists them\n")
    assert not (call.folder / "none.cadena").exists()


def test_nothing_is_written_where_nothing_can_be_fixed(call):
    call("new", "L = log(w)", "--set", "w=2", "-o", "healthy.cadena")
    status, _, complaint = call("fix", "healthy.cadena", "-o", "x.cadena")
    assert (
        status == 2 and complaint == "cadena: healthy.cadena: no number in it is inf or nan; there is nothing to fix\n"
    )
    call("new", "L = exp(w)", "--set", "w=1000", "-o", "large.cadena")
    status, _, complaint = call("fix", "large.cadena", "-o", "x.cadena")
    assert status == 2 and "no fix is known for its bad numbers" in complaint
    assert not (call.folder / "x.cadena").exists()
    status, _, complaint = call("fix", "large.cadena", "-o", "healthy.cadena")
    assert status == 2 and "there is such a file already" in complaint
