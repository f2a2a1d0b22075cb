"""What scripts written for PyTorch print here; `tests/core/oracle/test_scripts.py` has PyTorch print the same."""

from __future__ import annotations

import pytest

from cadena.core.doctor.findings.reasons import Reasons
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
    "print(torch.optim.SGD([torch.zeros(1)], 0.5))": "SGD (\nParameter Group 0\n    dampening: 0\n"
    "    differentiable: False\n    foreach: None\n    fused: None\n    lr: 0.5\n    maximize: False\n    momentum: 0\n"
    "    nesterov: False\n    weight_decay: 0\n)",
    "print(nn.Hardtanh(), nn.Softplus(), nn.Flatten(0, 1), nn.ReLU(True), nn.LeakyReLU(0.2), nn.ELU())": "Hardtanh("
    "min_val=-1.0, max_val=1.0) Softplus(beta=1.0, threshold=20.0) Flatten(start_dim=0, end_dim=1) ReLU(inplace=True) "
    "LeakyReLU(negative_slope=0.2) ELU(alpha=1.0)",
    "x = torch.zeros(2, 3)\nprint(torch.Tensor([0.5]), torch.Tensor(2, 3).shape, torch.Tensor(x.shape).shape, "
    "isinstance(x, torch.Tensor), x.sum(axis=0, keepdims=True), torch.sum(input=x), x.double().dtype)": ""
    "tensor([0.5000]) torch.Size([2, 3]) torch.Size([2, 3]) True tensor([[0., 0., 0.]]) tensor(0.) torch.float64",
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


REFUSED = {
    "x = torch.ones(2, requires_grad=True)\nx += 1": "a leaf Variable that requires grad is being used in an in-place",
    "x = torch.ones(2, requires_grad=True)\nx.numpy()": "Can't call numpy() on Tensor that requires grad",
    "x = torch.ones(1, requires_grad=True)\ny = x * x\ny.backward()\ny.backward()": "Trying to backward through the",
    "torch.ones(1).backward()": "element 0 of tensors does not require grad and does not have a grad_fn",
}


@pytest.mark.parametrize("text", REFUSED)
def test_mistakes_of_a_first_course_are_told_as_pytorch_tells_them(text):
    result = run(START + text)
    told = result.fault or result.remarks[0]  # behind a backward pass the graph is kept, and the fault is a remark
    assert f"RuntimeError: {REFUSED[text]}" in told.sentence
    assert told.line == 3 + len(text.splitlines())


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


@pytest.mark.parametrize("name", ["F.gelu", "torch.erf", "torch.lgamma"])
def test_a_function_that_scipy_computes_was_refused_as_a_use_of_the_operating_system(name):
    assert run(START + f"x = torch.ones(2, requires_grad=True)\n{name}(x).sum().backward()\n").fault is None


WITHOUT = {
    "nn.Softplus(2.0)": "the argument beta=2.0 of torch.nn.Softplus is not part of the built-in PyTorch; leave it out, "
    "or run the script with your own PyTorch and cadena.capture",
    "F.softplus(torch.ones(2), 2.0)": "the argument beta=2.0 of torch.nn.functional.softplus is not part",
    "nn.Hardtanh(-2, 3)": "the argument min_val=-2 of torch.nn.Hardtanh is not part",
    "nn.CrossEntropyLoss(torch.ones(3))": "the argument weight=tensor([1., 1., 1.]) of torch.nn.CrossEntropyLoss ",
    "nn.CrossEntropyLoss(label_smoothing=0.1)": "the argument label_smoothing=0.1 of torch.nn.CrossEntropyLoss ",
    "nn.Linear(2, 1, dtype=torch.float64)": "the argument dtype=torch.float64 of torch.nn.Linear is not part",
    "torch.zeros(2, device='cuda')": "the argument device='cuda' of torch.zeros is not part of the built-in PyTorch",
    "torch.rand(2, generator=1)": "the argument generator=1 of torch.rand is not part of the built-in PyTorch",
    "torch.ones(2).sum(dtype=torch.float64)": "the argument dtype=torch.float64 of torch.sum is not part",
    "torch.autograd.grad(1, 1, is_grads_batched=True)": "the argument is_grads_batched=True of torch.autograd.grad",
    "torch.optim.Adam([torch.ones(1)], decoupled_weight_decay=True)": "the argument decoupled_weight_decay=True of",
    "torch.optim.AdamW([torch.ones(1)])": "torch.optim.AdamW is not part of the built-in PyTorch (did you mean Adam?)",
    "torch.optim.lr_scheduler.StepLR": "torch.optim.lr_scheduler is not part of the built-in PyTorch; run the script "
    "with your own PyTorch and cadena.capture",
    "from torch.utils.data import DataLoader": "torch.utils.data is not part of the built-in PyTorch; run the",
    "nn.LSTM(2, 3)": "torch.nn.LSTM is not part of the built-in PyTorch; run the script with your own PyTorch and",
    "nn.Linear(2)": "TypeError: torch.nn.Linear() missing a required argument: 'out_features'",
    "nn.ReLU(slope=1)": "TypeError: torch.nn.ReLU() got an unexpected keyword argument 'slope'",
    "F.softmax(torch.ones(2), 0, 3, None, 5)": "TypeError: torch.nn.functional.softmax() takes 3 positional arguments",
    "torch.ones(2).sum(0, dim=0)": "TypeError: torch.sum() got multiple values for argument 'dim'",
}


@pytest.mark.parametrize("text", WITHOUT)
def test_an_argument_without_effect_was_ignored(text):
    fault = run(START + text).fault
    assert fault is not None and fault.line == 4 and fault.sentence.startswith(WITHOUT[text])


def test_options_at_their_defaults_are_none():
    text = "print(nn.CrossEntropyLoss(None, None, -100, label_smoothing=0.0)(torch.zeros(1, 2), torch.tensor([1])))\n"
    text += "print(torch.zeros(1, device='cpu', dtype=None, layout=torch.strided))\n"
    assert done(text).printed == "tensor(0.6931)\ntensor([0.])\n"


def test_an_activation_in_place_changes_its_operand():
    text = "x = torch.tensor([-1., 2.])\ny = nn.ReLU(inplace=True)(x)\nprint(x, y is x)\n"
    assert done(text).printed == "tensor([0., 2.]) True\n"


def test_axes_at_other_places_than_the_first_were_not_flattened():
    assert done("print(nn.Flatten(0, 1)(torch.zeros(2, 3, 4)).shape)").printed == "torch.Size([6, 4])\n"


def test_random_numbers_with_a_mean_had_no_gradient():
    text = "torch.manual_seed(0)\nw = torch.normal(0, 0.01, size=(2, 1), requires_grad=True)\n"
    assert done(text + "w.sum().backward()\nprint(w.grad.tolist())").printed == "[[1.0], [1.0]]\n"


def test_shapes_that_do_not_fit_raise_what_pytorch_raises():
    text = "try:\n    torch.ones(1, 3) @ torch.ones(2, 3)\nexcept RuntimeError as error:\n    print(error)\n"
    assert "cannot multiply shapes (1, 3) and (2, 3)" in done(text).printed


def test_a_copied_module_kept_the_gradients():
    text = "import copy\nm = nn.Linear(1, 1)\nm(torch.ones(1)).sum().backward()\nprint(copy.deepcopy(m).bias.grad)\n"
    assert done(text).printed == "None\n"


def test_a_misspelt_option_of_an_optimizer_is_named():
    result = run(START + "torch.optim.SGD([torch.zeros(1)], momentun=0.9)")
    assert result.fault is not None and "unexpected keyword argument 'momentun'" in result.fault.sentence


def test_a_grad_that_is_none_was_missing_and_nothing_said_why():
    result = done("""w = torch.tensor(2.0, requires_grad=True)
v = torch.tensor(3.0, requires_grad=True)
x = torch.tensor(1.0)
n = torch.tensor(3)
unused = torch.tensor(1.0, requires_grad=True)
h = v * x * w
y = h * h * n
y.backward()
w = torch.tensor(2.0, requires_grad=True)
print(w.grad, v.grad, x.grad, unused.grad, n.grad, h.grad)
v.grad = None
print(v.grad)
""")
    reasons = Reasons(compile(result.document).run())
    said = {name: " ".join(map(str, reasons.of(name))) for name in result.document.nodes}
    (other,) = (name for name in said if name.startswith("w") and name != "w")
    assert "its variable got this tensor in line 12 of the script, but y was computed from the one" in said[other]
    assert said["v"] == said["w"] == ""
    assert "its requires_grad is False; make it with requires_grad=True" in said["x"]
    assert "it holds integers" in said["n"]
    assert "nothing on the way to y reads it" in said["unused"]
    assert "PyTorch keeps gradients of leaves alone; call h.retain_grad()" in said["h"]
    assert result.lines["unused"] == 8 and result.lines[other] == 12


def test_sources_that_are_not_used_are_in_the_graph_of_autograd_grad():
    result = done("""w, unused = torch.ones(2, requires_grad=True), torch.ones(3, requires_grad=True)
y = (w * w).sum()
print(torch.autograd.grad(y, [w, unused], allow_unused=True))
""")
    assert result.document.nodes["unused"].op == "parameter"
    assert Reasons(compile(result.document).run()).leaves() == ["unused"]


CUT = {
    "y = v * a.item()": "a.item() in line 7 of the script makes plain numbers, which have no graph; use a itself",
    "y = v * float(a)": "float(a) in line 7 of the script makes plain numbers",
    "print(a.item()); y = v * a.detach()": "a.detach() in line 7 of the script takes the value out of the graph; use a",
    "y = v * torch.tensor(a)": "torch.tensor(a) in line 7 of the script copies the numbers without their graph; use a",
    "with torch.no_grad(): b = a * 2\ny = v * b": "b = a * 2 in line 7 of the script is computed where",
    "print(f'{a.item()}'); y = v * 2": "nothing on the way to y reads it",
}


def test_a_leaf_whose_value_left_the_graph_was_called_unused():
    begin = "w = torch.tensor(2.0, requires_grad=True)\nv = torch.tensor(3.0, requires_grad=True)\na = w * 3\n"
    wrong = {}
    for line, said in CUT.items():
        document = done(f"{begin}{line}\ny.backward()\nprint(w.grad)").document
        answer = " ".join(Reasons(compile(document).run()).sentences("w"))
        if said not in answer:
            wrong[line] = answer
    assert not wrong


def gradient_in(result, name):
    """The gradient of a leaf of the graph of a script."""
    assert result.document is not None
    return compile(result.document).run().gradient(name)


def test_the_second_backward_pass_of_relu_selects_where_a_product_would_make_nan_of_inf():
    for unit in ("torch.relu(x)", "F.relu6(x)", "torch.maximum(x, torch.zeros(2))", "torch.clamp(x, 0., 5.)"):
        result = done(
            "w = torch.tensor([1., 1.], requires_grad=True)\nx = torch.tensor([-1., .5], requires_grad=True)\n"
            f"y = ({unit} * w).sum()\ng, = torch.autograd.grad(y, x, create_graph=True)\n"
            "loss = g.sqrt().sum()\nloss.backward()\nprint(w.grad)\n"
        )
        assert result.printed == "tensor([0.0000, 0.5000])\n", unit
        assert gradient_in(result, "w").tolist() == [0.0, 0.5], unit


def test_each_of_several_values_for_one_element_gets_its_gradient_as_in_pytorch():
    result = done(
        "src = torch.tensor([1., 2., 3.], requires_grad=True)\nout = torch.zeros(4)\n"
        "out[torch.tensor([1, 1, 3])] = src\nloss = (out * torch.tensor([1., 10., 100., 1000.])).sum()\n"
        "loss.backward()\nprint(out.tolist(), src.grad.tolist())\n"
    )
    assert result.printed == "[0.0, 2.0, 0.0, 3.0] [10.0, 10.0, 1000.0]\n"
    assert gradient_in(result, "src").tolist() == [10.0, 10.0, 1000.0]
    assert [remark.line for remark in result.remarks if "an index occurs twice" in remark.sentence] == [6]


DATA = "import torch\nx = torch.tensor([1., -2., 3.])\nw = torch.tensor([1., 2., 3.]).requires_grad_()\n"


def with_x(body: str, numbers: list[float]) -> tuple[float, list[str]]:
    """The output of a script with other numbers for its data x, and the kinds of the faults."""
    result = run(f"{DATA}{body}\nloss.backward()\n")
    assert result.fault is None and result.document is not None, result.fault
    again = compile(result.document).run({"x": numbers})
    return float(again.value("loss")), [fault.kind for fault in again.faults]


def test_a_mask_or_conversion_of_data_was_a_constant_for_other_data():
    assert with_x("mask = x > 0\nloss = (w * mask).sum()", [-1.0, 1.0, 1.0]) == (5.0, [])
    assert with_x("n = x.long()\nloss = (w * n).sum() + x[0]", [1.5, 2.0, 0.0]) == (6.5, [])
    assert with_x("loss = (w * x.clamp(0, 1)).sum() * x.max().item()", [4.0, 0.0, 0.5]) == (10.0, [])
    rows = "h = torch.nn.functional.one_hot((x > 0).long(), 2)\nloss = (w * h[:, 1]).sum()"
    assert with_x(rows, [-1.0, 1.0, 1.0]) == (5.0, [])


def test_what_python_read_of_data_is_a_guard():
    for body in ("loss = w.sum() if x.sum() > 0 else w.prod()", "loss = w[x > 0].sum()"):
        assert with_x(body, [-1.0, -2.0, 1.0])[1] == ["violated-guard"]


def test_data_that_is_only_prepared_stays_one_input():
    result = run(
        f"{DATA}z = (x - x.mean()) / x.std()\nfor i in range(3):\n    b = z[i : i + 1]\n    (w * b).sum().backward()\n"
    )
    assert [node.name for node in result.document.nodes.values() if node.op == "input"] == ["b"]
    result = run(
        f"{DATA}loss = torch.nn.functional.cross_entropy(w[None].expand(3, 3), x.abs().long() - 1)\nloss.backward()\n"
    )
    assert [node.op for node in result.document.nodes.values()].count("trunc") == 1


def test_a_number_without_a_gradient_was_gone_after_one_backward_pass():
    text = (
        f"{DATA}s = w.detach().abs().max()\nfor _ in range(2):\n    (w * s).sum().backward()\nprint(w.grad.tolist())\n"
    )
    assert run(text).printed == "[6.0, 6.0, 6.0]\n"


def test_a_write_through_an_element_at_a_computed_place_is_refused():
    for body in ("r = h[w.argmax()]\nr += 1", "r = h[w.argmax()]\nh += 1\nprint(r)"):
        fault = run(f"{DATA}h = torch.stack([w, w])[:, :2].t() * 1\nh = torch.cat([h, h])\n{body}\n").fault
        assert fault is not None and fault.line >= 7 and "x[i] with a computed i is a view" in fault.sentence


def test_floor_divisions_had_a_gradient_of_0_where_pytorch_has_an_error():
    start = "import torch\nx = torch.tensor([5.0, 7.0], requires_grad=True)\n"
    for quotient in ("x // 2", "torch.floor_divide(x, 2)", "x.floor_divide(2)"):
        fault = run(f"{start}(x * ({quotient})).sum().backward()\n").fault
        assert fault is not None and fault.line == 3
        assert "derivative for aten::floor_divide is not implemented" in fault.sentence
    result = run(start + "(x * torch.div(x, 2, rounding_mode='floor')).sum().backward()\nprint(x.grad)\n")
    assert result.printed == "tensor([2., 3.])\n"


def test_bounds_of_clamp_that_are_tensors_lost_their_gradient():
    text = (
        "import torch\nw = torch.tensor([1., 2., 3.], requires_grad=True)\nd = torch.tensor([1., 10., 100.])\n"
        "for y in w.clamp(max=w.mean()), w.clip(w[1], w[2]), (w * 1).clamp_(w[0], w[1]):\n"
        "    w.grad = None\n    (y * d).sum().backward(retain_graph=True)\n    print(w.grad.tolist())\n"
    )
    lines = run(text).printed.splitlines()
    assert lines[1:] == ["[0.0, 11.0, 100.0]", "[1.0, 110.0, 0.0]"] and lines[0].startswith("[34.3")


def test_long_preparations_of_data_took_time_that_grows_with_their_square():
    text = "import torch\nx = torch.zeros(3)\nfor i in range(2000):\n    x = x + 0.1 * torch.sin(x + 1)\n"
    result = run(text + "w = torch.ones(3, requires_grad=True)\nloss = (w * x).sum()\nloss.backward()\n")
    assert result.fault is None and [*result.document.nodes] == ["x", "w", "multiply1", "loss"]


def test_a_mask_of_a_result_that_was_changed_under_no_grad_was_one_of_its_earlier_numbers():
    text = (
        "import torch\nw = torch.tensor([1., .2, 3.]).requires_grad_()\nh = w * 2\nwith torch.no_grad():\n    h -= 1\n"
        "m = h > 0.5\nloss = (w * m).sum()\nloss.backward()\n"
    )
    document = run(text).document
    assert float(compile(document).run({"w": [0.5, 1.0, 0.6]}).value("loss")) == 1.0
