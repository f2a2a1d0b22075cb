"""The story of a nan: a script is imported, the operation named with its line, fixed by the verb, and healthy."""

from __future__ import annotations

import numpy as np
import pytest

import cadena
import cadena.main as program
from cadena.core.graph.edits import set_value
from cadena.core.storage.files import load, save

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
    assert status == 0 and "nan" in printed and "`cadena fix` can do this for" in printed
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
        status == 2
        and complaint == "cadena: healthy.cadena: it has neither faults nor hints; there is nothing to fix\n"
    )
    call("new", "L = exp(w)", "--set", "w=1000", "-o", "large.cadena")
    status, _, complaint = call("fix", "large.cadena", "-o", "x.cadena")
    assert status == 2 and "no fix is known for its numbers" in complaint
    assert not (call.folder / "x.cadena").exists()
    status, _, complaint = call("fix", "large.cadena", "-o", "healthy.cadena")
    assert status == 2 and "there is such a file already" in complaint


def imported(call, script: str) -> tuple[str, str, list[str]]:
    """What importing a script and fixing its graph print, and the complaints of both."""
    (call.folder / "story.py").write_text(script, "utf-8")
    _, printed, complaint = call("import", "story.py", "-o", "story.cadena", "--force")
    _, lines, left = call("fix", "story.cadena", "-o", "fixed.cadena", "--force")
    return printed, lines, [complaint, left]


def test_importing_promised_a_fix_where_none_is_known(call):
    script = "import torch\na = torch.tensor([1000.0], requires_grad=True)\nl = torch.exp(a).sum()\nl.backward()\n"
    printed, lines, (_, left) = imported(call, script)
    assert "no fix is known for exp1" in printed and "`cadena fix`" not in printed
    assert lines.startswith("exp1 (line 3 of story.py): no fix is known for this: ")
    assert "no fix is known for its numbers" in left


def test_an_inf_that_harms_nothing_had_fixes_in_run_and_nothing_to_fix_here(call):
    script = """
import torch
x = torch.tensor([0.0, 4.0], requires_grad=True)
l = torch.sqrt(torch.sign(x) * x.detach()).sum()
l.backward()
"""
    _, lines, _ = imported(call, script)
    assert "Give sqrt1 the gradient 0 where multiply1 is 0" in lines


def test_a_script_of_jax_was_told_to_use_a_norm_whose_gradient_is_nan_in_jax(call):
    """The fixed graph had the gradient 0, and the program exported from it nan again."""
    script = "import jax\nimport jax.numpy as jnp\nf = lambda v: jnp.linalg.norm(v)\nprint(jax.grad(f)(jnp.zeros(3)))\n"
    _, lines, _ = imported(call, script)
    assert "Give sqrt1 the gradient 0 where sum1 is 0" in lines
    _, printed, _ = call("export", "fixed.cadena", "--to", "jax", "-o", "-")
    assert "norm(" not in printed


def test_hints_were_not_fixed(call):
    script = """
import torch
z = torch.tensor([200.0, 1.0], requires_grad=True)
p = torch.sigmoid(z)
l = (torch.log(1.0 - p + 1e-12) + 0.5 * torch.log(p + 1e-12)).mean()
l.backward()
"""
    _, lines, (complaint, left) = imported(call, script)
    assert complaint == left == "" and lines.count("\n") >= 1
    run = cadena.compile(load("fixed.cadena")).run()
    assert run.faults == ()
    np.testing.assert_allclose(run.gradient("z"), [-0.5, -0.298293], rtol=1e-4)


FORMULAS = {
    "log of softmax through an index": (
        "p = torch.softmax(z, 1)\nl = -p[torch.arange(2), torch.tensor([1, 1])].log().mean()",
        "Use log_softmax for the logarithm of softmax, ahead of getitem1", 602.5, [[0.5, -0.5], [0.5, -0.5]],
    ),
    "through gather": (
        "p = torch.softmax(z, 1)\nl = -p.gather(1, torch.tensor([[1], [1]])).log().mean()",
        "Use log_softmax for the logarithm of softmax, ahead of take_along_axis1", 602.5, [[0.5, -0.5], [0.5, -0.5]],
    ),
    "through a mask": (
        "p = torch.softmax(z, 1)\nl = -torch.log(p[torch.tensor([[False, True], [False, True]])]).mean()",
        "Use log_softmax for the logarithm of softmax, ahead of getitem1", 602.5, [[0.5, -0.5], [0.5, -0.5]],
    ),
    "through a sum with a one-hot target": (
        "p = torch.softmax(z, 1)\nl = -torch.log((p * torch.tensor([[0.0, 1.0], [0.0, 1.0]])).sum(1)).mean()",
        "Use logsumexp of log_softmax(x) + log(w) for log(Σ w · softmax(x))", 602.5, [[0.5, -0.5], [0.5, -0.5]],
    ),
    "through where": (
        "y = torch.tensor([[1.0, 0.0], [0.0, 1.0]])\np = torch.sigmoid(z)\n"
        "l = -torch.log(torch.where(y == 1, p, 1 - p)).sum()",
        "Use logsigmoid for the logarithm of sigmoid and use logsigmoid of -x for log(1 - sigmoid(x)), ahead of",
        205.6999, [[0.0, 0.5], [0.993307, -1.0]],
    ),
    "a score over the sum of all, by hand": (
        "l = -torch.log(torch.exp(torch.diag(z)) / torch.exp(z).sum(1)).sum()",
        "Write a - logsumexp(x) for log(exp(a) / Σ exp(x))", 205.0, [[0.0, 0.0], [1.0, -1.0]],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FORMULAS)
def test_the_commonest_losses_had_no_fix(call, name):
    lines, title, value, gradient = FORMULAS[name]
    script = (
        f"import torch\nz = torch.tensor([[1000.0, 0.0], [5.0, -200.0]], requires_grad=True)\n{lines}\nl.backward()"
    )
    printed, fixes, (_, left) = imported(call, script)
    assert left == "" and title in printed and title in fixes
    run = cadena.compile(load("fixed.cadena")).run()
    np.testing.assert_allclose(run.value("l"), value, rtol=1e-4)
    np.testing.assert_allclose(run.gradient("z"), gradient, atol=1e-5)


def test_numbers_of_another_branch_are_not_fixed(tmp_path, capsys):
    """`fix` cured numbers that the script would not compute."""
    script = (
        "import torch\nx = torch.tensor(1.0, requires_grad=True)\nif x > 0:\n    loss = torch.log(x)\nelse:\n"
        "    loss = x * 2\nloss.backward()\n"
    )
    (tmp_path / "a.py").write_text(script)
    assert program.main(["import", str(tmp_path / "a.py"), "-o", str(tmp_path / "a.cadena")]) == 0
    document = load(tmp_path / "a.cadena")
    save(set_value(document, "x", -1.0), tmp_path / "b.cadena")
    assert program.main(["fix", str(tmp_path / "b.cadena"), "-o", str(tmp_path / "c.cadena")]) == 2
    assert "line 3 took the branch x > 0; with these numbers it would not" in capsys.readouterr().err
