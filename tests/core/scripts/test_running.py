from __future__ import annotations

import os

import pytest

from cadena.core.doctor.findings.reasons import Reasons
from cadena.core.front import compile
from cadena.core.graph.fault import Refused
from cadena.core.scripts.running import ScriptFault, ScriptResult, run, script_text

pytestmark = pytest.mark.usefixtures("forked_scripts")

LISTING = """
from torch import FloatTensor
from torch.autograd import Variable
import torch

# Leaf nodes are defined
a1 = Variable(FloatTensor([4]))
a2 = Variable(FloatTensor([3]))

# Variables with gradients required are define
w=Variable(FloatTensor([2,5,9,7,3]), requires_grad=True)

b1 = w[0] * a1 + w[1] * a2 #b1=2*4+5*3=23
b2 = w[2] * a1 #b2=9*4=36
c = w[3] * b1 + w[4] * b2
L = (15 - c)

L.backward()

gradient = w.grad.data
for i in range(0, 5):
    print(f"Gradiente de w{i} respecto a L: {gradient[i]}")
"""


@pytest.fixture(scope="module")
def listing() -> ScriptResult:
    return run(LISTING)


def test_the_listing_prints_what_its_document_says(listing):
    assert listing.fault is None
    numbers = (-28.0, -21.0, -12.0, -23.0, -36.0)
    assert listing.printed == "".join(f"Gradiente de w{i} respecto a L: {x}\n" for i, x in enumerate(numbers))


def test_the_listing_is_a_graph_with_the_names_and_lines_of_its_variables(listing):
    document = listing.document
    assert {name: document.nodes[name].op for name in ("w", "a1", "b1", "L")} == {
        "w": "parameter",
        "a1": "input",
        "b1": "add",
        "L": "subtract",
    }
    assert document.output == "L" and document.dtype == "float32"
    assert [listing.lines[name] for name in ("a1", "w", "b1", "b2", "c", "L")] == [7, 11, 13, 14, 15, 16]
    first = document.nodes[document.nodes["b1"].inputs[0]].inputs[0]
    assert (document.nodes[first].op, document.nodes[first].attributes) == ("getitem", {"index": "0"})
    assert (first, listing.labels[first]) == ("w_0", "w[0]")


def test_the_graph_of_the_listing_runs_and_gives_the_same_gradients(listing):
    made = compile(listing.document).run()
    assert made.value("L").tolist() == [-254.0]
    made = compile(listing.document).run(seed=[1.0])
    assert made.gradient("w").tolist() == [-28.0, -21.0, -12.0, -23.0, -36.0]


LOOP = """
import torch
w = torch.tensor(1.0, requires_grad=True)
for step in range(3):
    loss = (w * step - 2) ** 2
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
    w.grad.zero_()
"""


def test_any_of_several_backward_passes_can_be_chosen():
    last, first, beyond = run(LOOP), run(LOOP, chosen=0), run(LOOP, chosen=3)
    assert last.passes == first.passes == (6, 6, 6)
    assert compile(first.document).run().value("loss") == 4.0
    assert first.document.nodes["w"].value == 1.0 and last.document.nodes["w"].value == pytest.approx(1.2)
    assert beyond.fault == ScriptFault(0, "there is no backward pass 4; choose one from 1 to 3")


def test_a_loop_is_unrolled_and_branches_follow_the_values():
    text = "import torch\nx = torch.tensor(0.5, requires_grad=True)\ny = x\nfor i in range(3):\n"
    text += "    if y < 2:\n        y = y * 3\n    else:\n        y = y + 1\ny.backward()\n"
    result = run(text)
    ops = [node.op for node in result.document.nodes.values() if not node.is_leaf]
    assert ops == ["less", "multiply", "less", "multiply", "less", "add"]
    conditions = [node.guard for node in result.document.nodes.values() if node.guard]
    assert [(one.outcome, one.condition, one.line) for one in conditions] == [
        (1.0, "y < 2", 5), (1.0, "y < 2", 5), (0.0, "y < 2", 5)
    ]  # fmt: skip
    assert [(item.line, item.kind, item.count) for item in result.remarks] == [(4, "loop", 3), (5, "branch", 1)]
    assert result.remarks[0].sentence == "the loop of line 4 was unrolled 3 times"


def test_a_loop_over_a_function_of_the_script_is_counted_by_what_it_assigns():
    text = "import torch\ndef step(x):\n    return x * 2\nx = w = torch.tensor(1., requires_grad=True)\n"
    text += "for i in range(4):\n    x = step(x)\nx.backward()\n"
    assert [(item.line, item.count) for item in run(text).remarks] == [(5, 4)]


def test_a_training_loop_is_not_told_as_unrolled():
    assert run(LOOP).remarks == ()


def test_an_element_that_is_read_twice_gets_no_name_of_another_element():
    result = run("import torch\nw = torch.ones(2, requires_grad=True)\n(w[0] * w[0] + w[1]).backward()")
    assert result.labels == {"w_0": "w[0]", "w_0_again1": "w[0]", "w_1": "w[1]"}


def test_ten_thousand_lines_are_no_trouble():
    text = "import torch\nw = torch.tensor(1., requires_grad=True)\nx = w\n" + "x = x * 1.0001\n" * 10_000
    result = run(text + "x.backward()\nprint(w.grad)\n", seconds=60)
    assert result.printed == "tensor(2.7186)\n"
    assert max(result.lines.values()) == 10_003


FAULTS = {
    "\nwhile True: pass": (2, "it ran longer than 1 seconds; make it do less"),
    "while True: print('x' * 100)": (1, "it printed more than 1,000,000 characters; print less"),
    "import torch\nx = torch.zeros(100000, 100000)": (
        2,
        "it needs more memory than a script gets; make its arrays smaller",
    ),
    "x = [0] * 10**10": (1, "it needs more memory than a script gets; make its arrays smaller"),
    "x = 1\nopen('/etc/passwd')": (2, "a script may not open files; leave that out"),
    "try:\n    open('x', 'w')\nexcept BaseException:\n    pass": (2, "a script may not open files; leave that out"),
    "eval('1')": (1, "a script may not run texts as code; leave that out"),
    "\nimport socket": (2, "a script cannot import socket; "),
    "import torch\n%matplotlib inline": (2, "%matplotlib is a command of notebooks, not Python; leave the line out"),
    "import os\nos.system('ls')": (2, "os.system is not part of what a script gets of the system; leave it out"),
    "import torch\ntorch.save(1, 'x')": (
        2,
        "torch.save is not part of the built-in PyTorch; run the script with your own ",
    ),
    "import jax\njax.make_jaxpr": (
        2,
        "jax.make_jaxpr is not part of the built-in JAX; run the script with your own JAX ",
    ),
    "import torch\ntorch.somehow(1)": (
        2,
        "torch.somehow is not part of the built-in PyTorch; run the script with your own ",
    ),
    "import pandas": (
        1,
        "a script cannot import pandas; write the numbers as lists, or run the script with",
    ),
    "import optax": (1, "a script cannot import optax; run the script with your own Python and cadena.capture"),
    "from torch.distributions import Bernoulli": (1, "torch.distributions is not part of the built-in PyTorch"),
    "import torch\ntorch.autocast('cpu')": (2, "torch.autocast is not part of the built-in PyTorch"),
    "from . import x": (1, "a script has no files beside it; put all of it into one text"),
    "x = (1\ny = 2": (1, "'(' was never closed; correct the line"),
    "x\0": (0, ""),
    "x = " + "1+" * 50_000 + "1": (0, "it is nested too deeply for Python; split its long expressions"),
    "def f(x):\n    return x / 0\n\nf(1)": (2, "ZeroDivisionError: division by zero"),
    "def f(x): return f(x)\nf(1)": (1, "infinite recursion; add a base case"),
    "": (0, "the script computes no gradient, so there is no graph; call backward() on its result, "),
    "exit()": (0, "the script computes no gradient, so there is no graph"),
    "import torch\nprint(torch.ones(2))": (0, "the script computes no gradient"),
    "import torch\n\ntorch.sigmiod": (3, "torch.sigmiod is not part of the built-in PyTorch (did you mean sigmoid?); "),
    "import torch\ntorch.ones(2).sigmod()": (
        2,
        "torch.Tensor.sigmod is not part of the built-in PyTorch (did you mean sigmoid?); ",
    ),
    "from torch import Tenser": (1, "torch.Tenser is not part of the built-in PyTorch (did you mean Tensor?); "),
    "import torch.autogrd": (1, "torch.autogrd is not part of the built-in PyTorch (did you mean torch.autograd?); "),
    "import torch\n(2 * torch.ones(2, requires_grad=True)).backward()": (
        2,
        "RuntimeError: grad can be implicitly created only for scalar outputs",
    ),
}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with names")
def test_a_script_that_is_a_pipe_was_waited_for(tmp_path):
    os.mkfifo(tmp_path / "script.py")
    with pytest.raises(Refused, match="this is a pipe, not a file"):
        script_text(tmp_path / "script.py")


@pytest.mark.parametrize("text", FAULTS, ids=[repr(text[:30]) for text in FAULTS])
def test_bad_scripts_end_with_a_sentence_and_their_line(text):
    fault = run(text, seconds=1).fault
    assert fault is not None and fault.line == FAULTS[text][0]
    assert fault.sentence.startswith(FAULTS[text][1]) and "\n" not in fault.sentence


@pytest.mark.parametrize("library", ["torch", "tensorflow"])
def test_arrays_of_numpy_are_data(library):
    text = {
        "torch": "import torch\nw = torch.tensor([1., 2.], dtype=torch.float64, requires_grad=True)\n"
        "L = (np.array([3., 4.]) * w).sum()\nL.backward()\nprint(w.grad.numpy() + np.ones(2))",
        "tensorflow": "import tensorflow as tf\nw = tf.Variable(np.array([1., 2.]))\nwith tf.GradientTape() as t:\n"
        "    L = tf.reduce_sum(np.array([3., 4.]) * w)\nprint(t.gradient(L, w).numpy() + np.ones(2))",
    }[library]
    result = run(f"import numpy as np\n{text}")
    assert result.fault is None and result.printed == "[4. 5.]\n"
    assert result.document.nodes["w"].op == "parameter"


@pytest.mark.parametrize("call", ["np.save('/tmp/x.npy', np.ones(1))", "np.loadtxt('/etc/passwd')"])
def test_numpy_opens_no_files_for_a_script(call):
    assert run(f"import numpy as np\n{call}").fault == ScriptFault(2, "a script may not open files; leave that out")


def test_a_line_that_python_warns_of_is_not_taken_for_an_attempt_to_open_files():
    assert run("print(1 is 1)\nimport warnings\nwarnings.warn('x')\nw = 2.0\nL = w * 3").fault is None


def test_what_was_printed_before_a_fault_is_kept():
    result = run("print('before')\n1 / 0")
    assert (result.printed, result.fault.line) == ("before\n", 2)


def test_the_first_backward_pass_that_is_nan_is_named():
    text = "import torch\nw = torch.tensor(3., requires_grad=True)\nfor step in range(9):\n    loss = (w ** 4).sum()\n"
    text += "    loss.backward()\n    with torch.no_grad():\n        w -= w.grad\n        w.grad.zero_()\n"
    result = run(text)
    assert result.remarks[0].line == 5
    assert result.remarks[0].sentence == "the result is inf from backward pass 4 on; backward pass 3 or 4 shows why"
    assert not [item for item in run(LOOP).remarks if item.kind == "bad"]


W = "import torch\nw = torch.tensor(1.5, requires_grad=True)\nloss = (w * 2 - 1) ** 2\nloss.backward()\n"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("torch.histogram(torch.rand(10), 4)", "torch.histogram is not part of the built-in PyTorch"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("open('log.txt', 'w')", "a script may not open files"),
    ],
)
def test_a_fault_after_the_last_backward_pass_lost_the_graph(line, told):
    result = run(f"{W}print(loss.item())\n{line}\n")
    assert result.fault is None and result.printed == "4.0\n" and result.document.output == "loss"
    first = result.remarks[0]
    assert (first.line, first.kind) == (6, "late") and told in first.sentence
    assert first.sentence.startswith("line 6 stopped the script, and the graph is of what ran before: ")


def test_plots_bars_of_progress_and_harmless_imports_ended_a_script():
    text = """import os, sys, time, json, logging
import matplotlib.pyplot as plt
from mpl_toolkits.mplot3d import Axes3D
from tqdm import tqdm, trange
import seaborn as sns
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"
for step in tqdm(range(2), desc="x"):
    plt.plot([1, 2]); plt.title(f"{loss.item()}")
figure, (left, right) = plt.subplots(1, 2, figsize=(3, 3))
axes = plt.subplots(2, 2)[1]
axes[0, 1].set_xlabel("x"); left.legend()
line, = left.plot([1])
counts, edges, bars = plt.hist([1, 2], bins=2)
with plt.style.context("dark"):
    plt.savefig("x.png"); plt.show()
sns.set_theme()
torch.autograd.set_detect_anomaly(True)
torch.set_printoptions(precision=8)
torch.backends.cudnn.deterministic = True
print(os.path.join("a", "b"), len(sys.argv), file=sys.stdout)
"""
    result = run(W + text)
    assert result.fault is None and result.printed == "a/b 1\n" and result.document.output == "loss"
    skipped = {item.sentence: item.line for item in result.remarks if item.kind == "unlike"}
    assert skipped["plots are skipped, a script draws none here"] == 12
    assert skipped["torch.autograd.set_detect_anomaly is skipped, it changes no number"] == 21
    assert skipped["bars of progress are skipped"] == 11


LEAVING = {
    "torch": "import math\nimport numpy as np\nimport torch\nw = torch.tensor([1., 2.]).requires_grad_()\nh = w * 2\n"
    "BODY\nloss.backward()\n",
    "tensorflow": "import math\nimport numpy as np\nimport tensorflow as tf\nw = tf.Variable([1., 2.])\n"
    "with tf.GradientTape() as tape:\n    h = w * 2; BODY\ng = tape.gradient(loss, w)\n",
    "numpy": "import math\nimport numpy as np\nw = np.array([1., 2.])\n\nh = w * 2\nBODY\n",
}


def test_a_number_that_leaves_the_graph_and_comes_back_is_remarked_once_with_its_line():
    leaving = {
        "torch": (
            "loss = (w * float(h.max())).sum()",
            "n = h.detach().numpy(); loss = (w * torch.from_numpy(n)).sum()",
            "loss = w.sum() * math.sqrt(h.sum())",
            "loss = w.sum() * math.exp(h.sum().item())",
            "loss = w.sum() * np.sqrt(h.sum().item())",
            "kept = []; kept.append(h.tolist()); loss = (w * torch.tensor(kept[0])).sum()",
            "loss = w.sum() if float(h.sum()) > 1 else w.prod()",
            "x = torch.tensor([1., 2.]); loss = (w * (x - float(x.mean()))).sum()",
        ),
        "tensorflow": ("loss = tf.reduce_sum(w * h.numpy())", "loss = tf.reduce_sum(w) * float(h[0])"),
        "numpy": ("loss = np.sum(w * float(h[0]))", "loss = w.sum() * h.max().item()"),
    }
    for library, bodies in leaving.items():
        for body in bodies:
            text = LEAVING[library].replace("BODY", body)
            line = next(at for at, one in enumerate(text.splitlines(), 1) if body in one)
            found = [item.line for item in run(text).remarks if item.kind == "kept"]
            assert found == [line], (body, found)


def test_a_number_that_is_only_shown_or_noted_down_is_not_remarked():
    shown = (
        "loss = w.sum(); print(float(h.max()), f'{float(h.sum()):.2f}', '%f' % h.sum())",
        "loss = w.sum(); noted = []; noted.append(float(loss)); print(sum(noted) / len(noted), h.tolist())",
        "loss = w.sum(); total = 0.0; total += float(loss); print(round(total / 2, 2))",
    )
    for body in shown:
        result = run(LEAVING["torch"].replace("BODY", body))
        assert result.fault is None and not [item for item in result.remarks if item.kind == "kept"], body


def test_the_line_that_cuts_a_gradient_is_named_for_casts_and_what_no_tape_records():
    torch = "import torch\nw = torch.tensor([1.5, 2.]).requires_grad_()\nv = torch.tensor(2.).requires_grad_()\nBODY\n"
    torch += "loss.backward()\nw.grad, v.grad\n"
    tensorflow = "import tensorflow as tf\nw = tf.Variable([1.5, 2.])\nv = tf.Variable(2.)\nBODY\n"
    tensorflow += "g = tape.gradient(loss, [w, v])\n"
    jax = "import jax\nimport jax.numpy as jnp\ndef f(w, v):\n    BODY\n"
    jax += "g = jax.grad(f, argnums=(0, 1))(jnp.array([1., 2.]), 2.0)\n"
    tape = "with tf.GradientTape() as tape:\n    loss = tf.reduce_sum(y * v)"
    cuts = {
        "y = w.int()\nloss = (y * v).sum()": (torch, "w.int() in line 4 of the script makes integers"),
        "y = w.long().float()\nloss = (y * v).sum()": (torch, "w.long() in line 4 of the script makes integers"),
        "y = w.to(torch.int64)\nloss = (y * v).sum()": (torch, "w.to(torch.int64) in line 4 of the script makes integ"),
        "y = w.type(torch.LongTensor)\nloss = (y * v).sum()": (torch, "w.type(torch.LongTensor) in line 4 of the scri"),
        "m = w > 1\nloss = (m * v).sum()": (torch, "greater in m has no gradient"),
        f"y = w * 2\n{tape}": (tensorflow, "y = w * 2 in line 4 of the script is computed while no tape records"),
        "return v * 2": (jax, "nothing on the way to f reads it"),
        "return v * jnp.sum(w.astype(int))": (jax, "trunc in trunc1 has no gradient"),
    }
    for body, (text, sentence) in cuts.items():
        document = run(text.replace("BODY", body)).document
        found = Reasons(compile(document).run()).sentences("w")
        assert sentence in "".join(found), (body, found)
