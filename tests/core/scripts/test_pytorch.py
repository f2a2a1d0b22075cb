"""What scripts written for PyTorch print here; `tests/core/oracle/test_scripts.py` has PyTorch print the same."""

from __future__ import annotations

import pytest

from cadena.core.front import compile
from cadena.core.scripts.running import ScriptResult, run

pytestmark = pytest.mark.usefixtures("forked_scripts")

START = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n"


def done(text: str) -> ScriptResult:
    result = run(START + text)
    assert result.fault is None or "no gradient" in result.fault.sentence, result.fault
    return result


PRINTED = {
    "x = torch.tensor([1., 2.], requires_grad=True); print(x, x * 2, x.sum())": "tensor([1., 2.], requires_grad=True) "
    "tensor([2., 4.], grad_fn=<MulBackward0>) tensor(3., grad_fn=<SumBackward0>)",
    "print(torch.tensor([1e-5, 1.]), torch.tensor(3), torch.ones(2, dtype=torch.float64))": "tensor([1.0000e-05, "
    "1.0000e+00]) tensor(3) tensor([1., 1.], dtype=torch.float64)",
    "torch.manual_seed(0); print(torch.randn(3), torch.rand(2))": "tensor([ 1.5410, -0.2934, -2.1788]) "
    "tensor([0.4556, 0.6323])",
    "print(torch.tensor([1, 2]) / 2, torch.tensor([1, 2]) * 1.5, torch.tensor([7]) // 2)": "tensor([0.5000, 1.0000]) "
    "tensor([1.5000, 3.0000]) tensor([3])",
    "print(nn.Sequential(nn.Linear(2, 1), nn.Tanh()))": "Sequential(\n  (0): Linear(in_features=2, out_features=1, "
    "bias=True)\n  (1): Tanh()\n)",
    "print(nn.ModuleList([nn.Linear(1, 1), nn.Linear(1, 1), nn.ReLU()]))": "ModuleList(\n  (0-1): 2 x Linear("
    "in_features=1, out_features=1, bias=True)\n  (2): ReLU()\n)",
    "print(torch.optim.Adagrad([torch.zeros(1)], lr=0.5))": "Adagrad (\nParameter Group 0\n    differentiable: False\n"
    "    eps: 1e-10\n    foreach: None\n    fused: None\n    initial_accumulator_value: 0\n    lr: 0.5\n"
    "    lr_decay: 0\n    maximize: False\n    weight_decay: 0\n)",
    "m = nn.Linear(1, 1); print(m.load_state_dict(m.state_dict()), [*nn.BatchNorm1d(1).state_dict()])": "<All keys "
    "matched successfully> ['weight', 'bias', 'running_mean', 'running_var', 'num_batches_tracked']",
    "x = torch.tensor(2., requires_grad=True); x.data[...] = 5; print(x, f'{x:.1f}')": "tensor(5., requires_grad=True)"
    " 5.0",
}


@pytest.mark.parametrize("text", PRINTED)
def test_tensors_are_printed_as_by_pytorch(text):
    assert done(text).printed == PRINTED[text] + "\n"


GRADIENTS = {
    "twice": (
        "x = torch.tensor([1., 2.], requires_grad=True)\ny = (x ** 3).sum()\n"
        "y.backward(retain_graph=True)\ny.backward()\nprint(x.grad)",
        "tensor([ 6., 24.])",
    ),
    "with gradient=": (
        "x = torch.ones(2, requires_grad=True)\n(x * x).backward(gradient=torch.tensor([1., 3.]))\nprint(x.grad)",
        "tensor([2., 6.])",
    ),
    "of a gradient": (
        "x = torch.tensor(2., requires_grad=True)\ng, = torch.autograd.grad(x ** 3, x, create_graph=True)\n"
        "h, = torch.autograd.grad(g, x)\nprint(g.item(), h)",
        "12.0 tensor(12.)",
    ),
    "in place under no_grad": (
        "w = torch.tensor([1., 2.], requires_grad=True)\n(w * w).sum().backward()\n"
        "with torch.no_grad():\n    w -= 0.5 * w.grad\nprint(w, w.is_leaf)",
        "tensor([0., 0.], requires_grad=True) True",
    ),
    "of an element set in place": (
        "x = torch.ones(3, requires_grad=True)\ny = x * 2\ny[0] = 7.\ny.sum().backward()\nprint(x.grad)",
        "tensor([0., 2., 2.])",
    ),
    "of data": (
        "w = torch.tensor([2.], requires_grad=True)\n(w * 3).backward()\nw.data -= 0.1 * w.grad.data\n"
        "w.grad.data.zero_()\nprint(w, w.grad)",
        "tensor([1.7000], requires_grad=True) tensor([0.])",
    ),
}


@pytest.mark.parametrize("case", GRADIENTS)
def test_gradients_are_those_of_pytorch(case):
    text, printed = GRADIENTS[case]
    assert done(text).printed == printed + "\n"


LAYERS = """
net = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.ReLU(), nn.LayerNorm(4), nn.Linear(4, 1))
print(net[1], net[3], nn.Embedding(5, 2))
x = torch.tensor([[1., 2., 3.], [0., 1., 0.], [2., 2., 1.], [1., 0., 1.]])
for step in range(2):
    loss = net(x).pow(2).mean()
    net.zero_grad()
    loss.backward()
print(net[1].running_mean.shape, net[1].running_var.shape, net[0].weight.grad.shape)
rows = nn.Embedding(5, 2)
rows(torch.tensor([1, 1, 4])).sum().backward()
print(rows.weight.grad)
net.eval()
print(net(x).shape)
"""


def test_layers_that_normalize_and_look_up_train():
    result = done(LAYERS)
    assert "BatchNorm1d(4, eps=1e-05, momentum=0.1, affine=True, bias=True, track_running_stats=True)" in result.printed
    assert "[2., 2.]" in result.printed and result.printed.endswith("torch.Size([4, 1])\n")


REFUSED = {
    "x = torch.ones(2, requires_grad=True)\nx += 1": "a leaf Variable that requires grad is being used in an in-place",
    "x = torch.ones(2, requires_grad=True)\nx.numpy()": "Can't call numpy() on Tensor that requires grad",
    "x = torch.ones(1, requires_grad=True)\ny = x * x\ny.backward()\ny.backward()": "Trying to backward through the",
    "torch.ones(1).backward()": "element 0 of tensors does not require grad and does not have a grad_fn",
}


@pytest.mark.parametrize("text", REFUSED)
def test_mistakes_of_a_first_course_are_told_as_pytorch_tells_them(text):
    fault = run(START + text).fault
    assert fault is not None and fault.sentence.startswith(f"RuntimeError: {REFUSED[text]}")
    assert fault.line == 3 + len(text.splitlines())


TRAINING = """
torch.manual_seed(1)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden, self.out = nn.Linear(2, 3), nn.Linear(3, 1)
    def forward(self, x):
        return self.out(torch.tanh(self.hidden(x)))
net = Net()
x, y = torch.tensor([[0., 1.], [1., 1.]]), torch.tensor([[1.], [0.]])
optimizer = torch.optim.{optimizer}
for epoch in range(5):
    optimizer.zero_grad()
    loss = nn.MSELoss()(net(x), y)
    loss.backward()
    optimizer.step()
print(torch.autograd.grad(nn.MSELoss()(net(x), y), net.out.bias)[0])
"""


@pytest.mark.parametrize(
    "optimizer", ["SGD(net.parameters(), lr=0.1, momentum=0.9)", "Adam(net.parameters(), lr=0.01)"]
)
def test_a_training_loop_gives_a_graph_with_the_names_of_its_parameters(optimizer):
    result = done(TRAINING.replace("{optimizer}", optimizer))
    parameters = [node.name for node in result.document.nodes.values() if node.op == "parameter"]
    assert sorted(parameters) == ["hidden_bias", "hidden_weight", "out_bias", "out_weight"]
    assert len(result.passes) == 6 and {"x", "y"} <= result.document.nodes.keys()
    slope = compile(result.document).run().gradient("out_bias")
    assert f"{slope[0]:.4f}" in result.printed


CUSTOM = """
class Steep(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.exp(x)
    @staticmethod
    def backward(ctx, upstream):
        x, = ctx.saved_tensors
        return upstream * 10 * x
w = torch.tensor([1., 3.], requires_grad=True)
L = Steep.apply(w).sum()
L.backward()
print(w.grad)
"""


def test_a_function_of_the_script_becomes_a_function_with_a_custom_gradient():
    result = done(CUSTOM)
    assert result.printed == "tensor([10., 30.])\n"
    function = result.document.functions["Steep"]
    assert [node.op for node in function.nodes.values()] == ["exp"] and function.gradient.used
    assert compile(result.document).run().gradient("w").tolist() == [10.0, 30.0]


def test_a_recurrent_layer_refuses_what_would_change_its_numbers():
    fault = run(START + "torch.nn.LSTM(3, 4, bidirectional=True)\n").fault
    assert fault is not None and fault.sentence == "TypeError: LSTM(bidirectional=...) is not known here; leave it out"


def test_a_recurrent_layer_gives_pytorch_s_numbers():
    layer = "torch.manual_seed(1)\nout, h = nn.GRU(2, 2)(torch.ones(3, 1, 2))\n"
    result = run(START + layer + "out.sum().backward()\nprint(out[2].detach(), h.shape)\n")
    assert result.printed == "tensor([[-0.5525,  0.3450]]) torch.Size([1, 1, 2])\n"


@pytest.mark.parametrize("name", ["F.gelu", "torch.erf", "torch.lgamma"])
def test_a_function_that_scipy_computes_was_refused_as_a_use_of_the_operating_system(name):
    assert run(START + f"x = torch.ones(2, requires_grad=True)\n{name}(x).sum().backward()\n").fault is None


def test_options_at_their_defaults_are_none():
    text = "print(nn.CrossEntropyLoss(label_smoothing=0.0)(torch.zeros(1, 2), torch.tensor([1])))\n"
    assert done(text).printed == "tensor(0.6931)\n"
    fault = run(START + "nn.CrossEntropyLoss(label_smoothing=0.1)").fault
    assert fault is not None and "label_smoothing=; leave it away" in fault.sentence


def test_functions_of_functions_have_derivatives():
    text = "from torch.func import grad, hessian, jacrev\nf = lambda x, a: a * (x ** 3).sum()\nx = torch.ones(2)\n"
    text += "print(grad(f)(x, 2.0), grad(lambda t: grad(torch.sin)(t))(torch.tensor(0.)), jacrev(f)(x, 1.0))\n"
    text += "print(hessian(f)(x, 1.0))\n"
    printed = "tensor([6., 6.]) tensor(-0.) tensor([3., 3.])\ntensor([[6., 0.],\n        [0., 6.]])\n"
    assert done(text).printed == printed


def test_shapes_that_do_not_fit_raise_what_pytorch_raises():
    text = "try:\n    torch.ones(1, 3) @ torch.ones(2, 3)\nexcept RuntimeError as error:\n    print(error)\n"
    assert "cannot multiply shapes (1, 3) and (2, 3)" in done(text).printed


def test_a_copied_module_kept_the_gradients():
    text = "import copy\nm = nn.Linear(1, 1)\nm(torch.ones(1)).sum().backward()\nprint(copy.deepcopy(m).bias.grad)\n"
    assert done(text).printed == "None\n"


def test_an_optimizer_goes_on_where_the_loaded_state_ends():
    text = (
        "def train(w, o, count):\n    for _ in range(count):\n        o.zero_grad(set_to_none=False)\n"
        "        (w ** 2).sum().backward()\n        o.step()\n"
        "a = torch.tensor([1., 2.], requires_grad=True); oa = torch.optim.Adam([a], lr=0.1); train(a, oa, 2)\n"
        "b = a.detach().clone().requires_grad_(); ob = torch.optim.Adam([b]); ob.load_state_dict(oa.state_dict())\n"
        "train(a, oa, 2); train(b, ob, 2); print(torch.equal(a, b), ob)\n"
    )
    assert done(text).printed.startswith("True Adam (\nParameter Group 0\n    amsgrad: False\n")


def test_a_misspelt_option_of_an_optimizer_is_named():
    result = run(START + "torch.optim.SGD([torch.zeros(1)], momentun=0.9)")
    assert result.fault is not None and "unexpected keyword argument 'momentun'" in result.fault.sentence


FUNC = "from torch.func import functional_call, grad, jacfwd, jvp, vjp, vmap\n"
TRANSFORMS = {
    "per example": ("print(vmap(grad(lambda w: (w ** 3).sum()))(torch.tensor([[0., 1.], [2., 3.]])))", "27.]]"),
    "over another axis": ("print(torch.vmap(lambda a: 2 * a, in_dims=1)(torch.arange(4.).reshape(2, 2)))", "[2., 6.]"),
    "nested": ("print(grad(grad(torch.sin))(torch.tensor(1.)))", "tensor(-0.8415)"),
    "forward": ("print(jvp(torch.exp, (torch.tensor(0.),), (torch.tensor(2.),)))", "(tensor(1.), tensor(2.))"),
    "by two": (
        "print(grad(lambda a, b: a * b, argnums=(0, 1))(torch.tensor(2.), torch.tensor(3.)))",
        "(tensor(3.), tensor(2.))",
    ),
    "of a module": (
        "m = nn.Linear(2, 1)\np = {name: torch.ones_like(item) for name, item in m.named_parameters()}\n"
        "print(grad(lambda p, x: functional_call(m, p, (x,)).sum())(p, torch.ones(1, 2)), m.weight.grad)",
        "{'weight': tensor([[1., 1.]]), 'bias': tensor([1.])} None",
    ),
}


@pytest.mark.parametrize("name", TRANSFORMS)
def test_functions_of_functions_are_those_of_torch_func(name):
    text, shown = TRANSFORMS[name]
    assert shown in done(FUNC + text).printed


MISUSED = {
    "vmap(lambda a, b: a + b)(torch.ones(2), torch.ones(3))": "same size in the mapped dimension, got [2, 3]",
    "grad(lambda x: 2 * x)(torch.ones(2))": "must return a single number, such as a mean or a sum",
    "grad(lambda x: x.sum().item())(torch.ones(2))": "return the loss, not its number",
    "grad(torch.sin)(1.0)": "by tensors, not by float; make it a tensor",
    "functional_call(nn.Linear(1, 1), {'wait': torch.ones(1)}, torch.ones(1))": "Linear has no parameter 'wait'",
}


@pytest.mark.parametrize("text", MISUSED)
def test_misuse_of_torch_func_is_explained(text):
    fault = run(START + FUNC + text).fault
    assert fault is not None and MISUSED[text] in fault.sentence and fault.line == 5
