"""Models of ONNX as documents: the values of onnx's reference, and with PyTorch's export its gradients too."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cadena
import cadena.main as program
from cadena.core.capture import onnx_reading
from cadena.core.capture.onnx_operations import COMPOSED, SAME
from cadena.core.capture.onnx_reading import read_model
from cadena.core.graph.blocks import Block, Blocks

onnx = pytest.importorskip("onnx")
torch = pytest.importorskip("torch")
pytestmark = pytest.mark.oracle
nn, F = torch.nn, torch.nn.functional
helper, FLOAT = onnx.helper, onnx.TensorProto.FLOAT
DRAWN = np.random.default_rng(3)


def draw(*shape: int) -> np.ndarray[Any, Any]:
    return DRAWN.normal(size=shape).astype(np.float32)


def written(path: Path, nodes: list[Any], x: Any, weights: dict[str, Any], opset: int = 21, kind: int = FLOAT) -> Any:
    """A model of `x` in a file, its last node's first result its output."""
    graph = helper.make_graph(
        nodes,
        "small",
        [helper.make_tensor_value_info("x", kind, list(x.shape))],
        [helper.make_tensor_value_info(nodes[-1].output[0], FLOAT, None)],
        [onnx.numpy_helper.from_array(np.asarray(item), name) for name, item in weights.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)
    onnx.save(model, path)
    return model


def node(kind: str, inputs: str, output: str, **attributes: Any) -> Any:
    return helper.make_node(kind, inputs.replace("-", "").split(","), output.split(","), **attributes)


IMAGE, ROWS = draw(2, 4, 7, 8), draw(3, 4)
POSITIVE = np.abs(ROWS) + 0.5
whole = lambda *items: np.array(items, np.int64)  # noqa: E731
ONE: dict[str, tuple[Any, dict[str, Any], list[Any]]] = {
    "Add": (ROWS, {"w": draw(4)}, [node("Add", "x,w", "y")]), "Sub": (ROWS, {"w": draw(4)}, [node("Sub", "x,w", "y")]),
    "Mul": (ROWS, {"w": draw(4)}, [node("Mul", "x,w", "y")]), "Div": (ROWS, {"w": POSITIVE}, [node("Div", "x,w", "y")]),
    "Pow": (POSITIVE, {"w": draw(4)}, [node("Pow", "x,w", "y")]),
    "MatMul": (ROWS, {"w": draw(2, 4, 3)}, [node("MatMul", "x,w", "y")]),
    "Gemm": (ROWS, {"w": draw(5, 4), "b": draw(5)}, [node("Gemm", "x,w,b", "y", alpha=0.5, beta=2.0, transB=1)]),
    "Einsum": (ROWS, {"w": draw(4, 3)}, [node("Einsum", "x,w", "y", equation="ij, jk -> ki")]),
    "Where": (ROWS, {"c": ROWS > 0, "w": draw(4)}, [node("Where", "c,x,w", "y")]),
    "Max": (ROWS, {"w": draw(4), "v": draw(4)}, [node("Max", "x,w,v", "y")]),
    "Min": (ROWS, {"w": draw(4)}, [node("Min", "x,w", "y")]),
    "Sum": (ROWS, {"w": draw(4)}, [node("Sum", "x,w,x", "y")]),
    "Mean": (ROWS, {"w": draw(4)}, [node("Mean", "x,w", "y")]),
    "Mod": (ROWS, {"w": POSITIVE}, [node("Mod", "x,w", "y", fmod=1)]),
    "Clip": (ROWS, {"a": np.float32(-0.5), "b": np.float32(0.4)}, [node("Clip", "x,a,b", "y")]),
    "LeakyRelu": (ROWS, {}, [node("LeakyRelu", "x", "y", alpha=0.2)]),
    "PRelu": (ROWS, {"w": draw(4)}, [node("PRelu", "x,w", "y")]),
    "Elu": (ROWS, {}, [node("Elu", "x", "y", alpha=0.7)]), "Selu": (ROWS, {}, [node("Selu", "x", "y")]),
    "Gelu": (ROWS, {}, [node("Gelu", "x", "y", approximate="tanh")]),
    "HardSigmoid": (ROWS, {}, [node("HardSigmoid", "x", "y", alpha=0.3)]),
    "HardSwish": (ROWS, {}, [node("HardSwish", "x", "y")]),
    "Softmax": (ROWS, {}, [node("Softmax", "x", "y", axis=0)]),
    "LogSoftmax": (ROWS, {}, [node("LogSoftmax", "x", "y")]),
    "Conv": (IMAGE, {"w": draw(6, 2, 3, 2), "b": draw(6)},
             [node("Conv", "x,w,b", "y", group=2, strides=[2, 1], pads=[1, 0, 0, 1], dilations=[1, 2])]),
    "MaxPool": (IMAGE, {}, [node("MaxPool", "x", "y", kernel_shape=[3, 2], strides=[2, 2], pads=[1, 0, 0, 1])]),
    "AveragePool": (IMAGE, {}, [node("AveragePool", "x", "y", kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])]),
    "GlobalAveragePool": (IMAGE, {}, [node("GlobalAveragePool", "x", "y")]),
    "GlobalMaxPool": (IMAGE, {}, [node("GlobalMaxPool", "x", "y")]),
    "BatchNormalization": (IMAGE, {"s": draw(4), "b": draw(4), "m": draw(4), "v": np.abs(draw(4))},
                           [node("BatchNormalization", "x,s,b,m,v", "y", epsilon=1e-3)]),
    "InstanceNormalization": (IMAGE, {"s": draw(4), "b": draw(4)}, [node("InstanceNormalization", "x,s,b", "y")]),
    "GroupNormalization": (IMAGE, {"s": draw(4), "b": draw(4)},
                           [node("GroupNormalization", "x,s,b", "y", num_groups=2)]),
    "LayerNormalization": (IMAGE, {"s": draw(7, 8), "b": draw(7, 8)},
                           [node("LayerNormalization", "x,s,b", "y", axis=2)]),
    "Reshape": (IMAGE, {"s": whole(0, -1, 7)}, [node("Reshape", "x,s", "y")]),
    "Flatten": (IMAGE, {}, [node("Flatten", "x", "y", axis=2)]),
    "Transpose": (IMAGE, {}, [node("Transpose", "x", "y", perm=[0, 2, 3, 1])]),
    "Squeeze": (draw(1, 3, 1), {"a": whole(0)}, [node("Squeeze", "x,a", "y")]),
    "Unsqueeze": (ROWS, {"a": whole(0, -1)}, [node("Unsqueeze", "x,a", "y")]),
    "Concat": (ROWS, {"w": draw(2, 4)}, [node("Concat", "x,w,x", "y", axis=0)]),
    "Split": (ROWS, {"s": whole(1, 3)}, [node("Split", "x,s", "a,b", axis=1), node("Mul", "a,b", "y")]),
    "Slice": (IMAGE, {"a": whole(-1, 1), "b": whole(-9, 99), "c": whole(3, 2), "d": whole(-2, 2)},
              [node("Slice", "x,a,b,c,d", "y")]),
    "Gather": (ROWS, {"i": whole(1, -1, 1)}, [node("Gather", "x,i", "y", axis=1)]),
    "GatherElements": (ROWS, {"i": whole(1, -1, 1, 0).reshape(1, 4)}, [node("GatherElements", "x,i", "y", axis=0)]),
    "Expand": (ROWS, {"s": whole(2, 1, 4)}, [node("Expand", "x,s", "y")]),
    "Tile": (ROWS, {"r": whole(2, 3)}, [node("Tile", "x,r", "y")]),
    "Pad": (ROWS, {"p": whole(1, 0, 0, 2), "v": np.float32(0.5)}, [node("Pad", "x,p,v", "y")]),
    "Trilu": (ROWS, {}, [node("Trilu", "x", "y", upper=0)]),
    "CumSum": (ROWS, {"a": np.int64(1)}, [node("CumSum", "x,a", "y", exclusive=1, reverse=1)]),
    "Dropout": (ROWS, {}, [node("Dropout", "x", "d"), node("Neg", "d", "y")]),
    "Cast": (ROWS, {}, [node("Cast", "x", "c", to=1), node("Exp", "c", "y")]),
    "Identity": (ROWS, {}, [node("Identity", "x", "i"), node("Exp", "i", "y")]),
    "Det": (draw(3, 3), {}, [node("Det", "x", "y")]),
    **{kind: (POSITIVE, {"a": whole(1)}, [node(kind, "x,a", "y", keepdims=0)])
       for kind in COMPOSED if kind.startswith("Reduce")},
}  # fmt: skip
LIMITED = {"Asin": 0.3, "Acos": 0.3, "Atanh": 0.3, "Acosh": 3.0}
for kind in SAME:
    if onnx.defs.get_schema(kind).min_input == 1:
        factor = LIMITED.get(kind, 1.0)
        operand = 1.0 + POSITIVE if kind == "Acosh" else np.tanh(POSITIVE) * factor if kind in LIMITED else POSITIVE
        ONE.setdefault(kind, (operand.astype(np.float32), {}, [node(kind, "x", "y"), node("Cast", "y", "z", to=1)]))


@pytest.mark.parametrize("kind", ONE)
def test_an_operation_has_the_value_of_the_reference(kind, tmp_path):
    from onnx.reference import ReferenceEvaluator

    x, weights, nodes = ONE[kind]
    model = written(tmp_path / "m.onnx", nodes, x, weights)
    (theirs,) = ReferenceEvaluator(model).run(None, {"x": x})
    document = read_model(tmp_path / "m.onnx")
    run = cadena.compile(document).run({"x": x.astype(float)})
    ours = run.value(document.output)
    assert ours.shape == theirs.shape
    np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-5)


class Attention(nn.Module):  # type: ignore[misc, name-defined, unused-ignore]
    def __init__(self) -> None:
        super().__init__()
        self.norm, self.qkv, self.out = nn.LayerNorm(8), nn.Linear(8, 24), nn.Linear(8, 8)

    def forward(self, x: Any) -> Any:
        b, t, c = x.shape
        q, k, v = self.qkv(self.norm(x)).view(b, t, 3, 2, 4).permute(2, 0, 3, 1, 4).unbind(0)
        weights = torch.softmax(q @ k.transpose(-2, -1) / 2.0, -1)
        return x + self.out((weights @ v).transpose(1, 2).reshape(b, t, c))


class Tokens(nn.Module):  # type: ignore[misc, name-defined, unused-ignore]
    def __init__(self) -> None:
        super().__init__()
        self.table, self.out = nn.Embedding(5, 4), nn.Linear(4, 2)

    def forward(self, x: Any) -> Any:
        return F.log_softmax(self.out(F.gelu(self.table(x.argmax(-1) * 0 + torch.tensor([[0, 2, 1]])).mean(1))), -1)


def convnet() -> Any:
    return nn.Sequential(
        *(nn.Conv2d(4, 6, 3, padding=1), nn.BatchNorm2d(6), nn.ReLU6(), nn.MaxPool2d(2)),
        *(nn.Conv2d(6, 4, 3, stride=2, groups=2), nn.SiLU(), nn.AvgPool2d(1), nn.AdaptiveAvgPool2d(1), nn.Flatten()),
        *(nn.Linear(4, 3), nn.Hardswish(), nn.Dropout(0.5), nn.Softmax(-1)),
    )


EXPORTED = {
    "mlp": (lambda: nn.Sequential(nn.Linear(4, 5), nn.Tanh(), nn.Linear(5, 3), nn.LeakyReLU(0.1)), (3, 4)),
    "convnet": (convnet, (2, 4, 9, 8)),
    "attention": (Attention, (2, 5, 8)),
}


@pytest.mark.filterwarnings("ignore")  # torch's exporter warns of itself
@pytest.mark.parametrize("name", EXPORTED)
def test_a_model_exported_by_pytorch_has_its_value_and_gradients(name, tmp_path):
    torch.manual_seed(0)
    make, shape = EXPORTED[name]
    model, x = make().eval(), torch.randn(shape)
    buffer = io.BytesIO()
    torch.onnx.export(model, (x,), buffer, input_names=["x"], dynamo=False, do_constant_folding=False,
                      training=torch.onnx.TrainingMode.PRESERVE)  # fmt: skip
    (tmp_path / "m.onnx").write_bytes(buffer.getvalue())
    document = read_model(tmp_path / "m.onnx")
    run = cadena.compile(document).run({"x": x.double().numpy()})
    y = model(x)
    y.sum().backward()
    np.testing.assert_allclose(run.value(document.output), y.detach().numpy(), rtol=1e-4, atol=1e-6)
    compared = 0
    for parameter, item in model.named_parameters():
        node_name = parameter.replace(".", "_")
        own = next(one for one in document.nodes if one.endswith(node_name))
        np.testing.assert_allclose(run.gradient(own), item.grad.numpy(), rtol=1e-3, atol=2e-6)
        compared += 1
    assert compared == len(list(model.parameters())) > 2


def test_import_writes_a_file_that_runs_and_says_what_its_inputs_hold(tmp_path, capsys):
    written(tmp_path / "m.onnx", [node("Gemm", "x,w", "h"), node("Relu", "h", "y")], ROWS, {"w": draw(4, 2)})
    assert program.main(["import", str(tmp_path / "m.onnx"), "-o", str(tmp_path / "m.cadena")]) == 0
    out = capsys.readouterr().out
    assert "4 nodes, output y\n" in out and "inputs hold ones, set them with --set: x [3, 4]\n" in out
    document = cadena.load(tmp_path / "m.cadena")
    assert [(item.name, item.op) for item in document.nodes.values()] == [
        ("w", "parameter"), ("x", "input"), ("h", "matmul"), ("y", "relu"),
    ]  # fmt: skip


def _refused(tmp_path: Path, capsys: Any) -> str:
    out = tmp_path / "m.cadena"
    assert program.main(["import", str(tmp_path / "m.onnx"), "-o", str(out)]) == 2
    error = capsys.readouterr().err
    assert not out.exists() and error.count("\n") == 1 and error.startswith("cadena: ")
    return str(error)


def test_all_unknown_operations_are_named_before_anything_is_written(tmp_path, capsys):
    nodes = [node("NonMaxSuppression", "x,x", "a"), node("Unheard", "x", "b"), helper.make_node("Mine", ["x"], ["c"],
             domain="my"), node("Relu", "x", "y")]  # fmt: skip
    written(tmp_path / "m.onnx", nodes, ROWS, {})
    assert "NonMaxSuppression, Unheard, my.Mine" in _refused(tmp_path, capsys)


@pytest.mark.parametrize("data", [b"", b"\x00\x01garbage", b"{}", b"ein Text\n" * 100])
def test_a_broken_file_is_a_sentence(data, tmp_path, capsys):
    (tmp_path / "m.onnx").write_bytes(data)
    assert "no ONNX model" in _refused(tmp_path, capsys)


def test_half_a_file_is_a_sentence(tmp_path, capsys):
    written(tmp_path / "m.onnx", [node("Gemm", "x,w", "y")], ROWS, {"w": draw(4, 50)})
    data = (tmp_path / "m.onnx").read_bytes()
    (tmp_path / "m.onnx").write_bytes(data[: len(data) // 2])
    assert "ONNX model" in _refused(tmp_path, capsys)


def test_a_graph_that_is_not_valid_is_a_sentence(tmp_path, capsys):
    written(tmp_path / "m.onnx", [node("Relu", "nowhere", "y")], ROWS, {})
    assert "no valid ONNX model" in _refused(tmp_path, capsys)


def test_a_setting_that_is_not_known_names_the_node(tmp_path, capsys):
    written(tmp_path / "m.onnx", [helper.make_node("Conv", ["x", "w"], ["y"], name="deep")], draw(1, 1, 3, 3, 3),
            {"w": draw(1, 1, 2, 2, 2)})  # fmt: skip
    assert "node deep: Conv is not known here in this form: Conv is known here along one or two axes" in _refused(
        tmp_path, capsys
    )


def _values(tmp_path: Path, nodes: list[Any], weights: dict[str, Any]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """The value of the imported graph and that of ONNX's reference, for the numbers of the import and for others."""
    from onnx.reference import ReferenceEvaluator

    graph = helper.make_graph(
        nodes,
        "choosing",
        [helper.make_tensor_value_info("x", FLOAT, [3, 4])],
        [helper.make_tensor_value_info(nodes[-1].output[0], FLOAT, None)],
        [onnx.numpy_helper.from_array(np.asarray(item), name) for name, item in weights.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    onnx.save(model, tmp_path / "m.onnx")
    document = read_model(tmp_path / "m.onnx")
    for x in (ROWS, -ROWS, np.round(ROWS)):
        (theirs,) = ReferenceEvaluator(model).run(None, {"x": x})
        ours = cadena.compile(document).run({"x": x.astype(float)}).value(document.output)
        yield ours, theirs.astype(float)


def _branch(name: str, nodes: list[Any]) -> Any:
    return helper.make_graph(nodes, name, [], [helper.make_tensor_value_info(nodes[-1].output[0], FLOAT, None)])


CHOICES: dict[str, tuple[list[Any], dict[str, Any]]] = {
    "where": ([node("Greater", "x,w", "c"), node("Where", "c,x,w", "y")], {"w": draw(4)}),
    "and": ([node("Less", "x,w", "a"), node("GreaterOrEqual", "x,v", "b"), node("Or", "a,b", "c"),
             node("Not", "c", "d"), node("Cast", "d", "e", to=1), node("Mul", "e,x", "y")],
            {"w": draw(4), "v": draw(4)}),
    "argmax": ([node("ArgMax", "x", "i", axis=1, keepdims=1), node("GatherElements", "x,i", "y", axis=1)], {}),
    "last": ([node("ArgMin", "x", "i", axis=0, select_last_index=1), node("Cast", "i", "y", to=1)], {}),
    "rows": ([node("ArgMax", "x", "i", axis=1, keepdims=0), node("Gather", "t,i", "y")], {"t": draw(4, 2)}),
    "topk": ([node("TopK", "x,k", "a,i", axis=1), node("Cast", "i", "j", to=1), node("Add", "a,j", "y")],
             {"k": whole(2)}),
    "onehot": ([node("ArgMax", "x", "i", axis=1, keepdims=0), node("OneHot", "i,d,v", "o"), node("Mul", "o,x", "y")],
               {"d": np.int64(4), "v": np.array([0.0, 2.0], np.float32)}),
    "whole": ([node("Cast", "x", "i", to=7), node("Div", "i,k", "j"), node("Cast", "j", "y", to=1)], {"k": whole(2)}),
    "scatter": ([node("ArgMax", "x", "i", axis=1, keepdims=1), node("ScatterElements", "x,i,u", "y", axis=1)],
                {"u": draw(3, 1)}),
    "clip": ([node("ReduceMean", "x", "m", keepdims=0), node("Clip", "x,m", "y")], {}),
    "if": ([node("ReduceSum", "x", "s", keepdims=0), node("Greater", "s,z", "c"), node("If", "c", "y",
            then_branch=_branch("a", [node("Exp", "x", "p")]), else_branch=_branch("b", [node("Neg", "x", "n")]))],
           {"z": np.float32(0.0)}),
}  # fmt: skip


@pytest.mark.parametrize("name", CHOICES)
def test_choices_that_values_decide_were_refused_or_stayed_as_they_were(name, tmp_path):
    for ours, theirs in _values(tmp_path, *CHOICES[name]):
        assert ours.shape == theirs.shape
        assert np.allclose(ours, theirs, rtol=1e-4, atol=1e-5)


def test_bounds_of_clip_given_as_inputs_stayed_as_they_were_at_the_import(tmp_path):
    model = helper.make_model(helper.make_graph(
        [node("Clip", "x,low,high", "y")], "clip",
        [helper.make_tensor_value_info(name, FLOAT, shape) for name, shape in (("x", [5]), ("low", []), ("high", []))],
        [helper.make_tensor_value_info("y", FLOAT, [5])],
    ), ir_version=10)  # fmt: skip
    onnx.save(model, tmp_path / "m.onnx")
    document = read_model(tmp_path / "m.onnx")
    run = cadena.compile(document).run({"x": np.arange(5.0), "low": 1.0, "high": 2.5})
    assert run.value("y").tolist() == [1.0, 1.0, 2.0, 2.5, 2.5]


def test_tokens_given_as_an_input_were_zeros_for_good(tmp_path):
    table = draw(5, 2)
    model = helper.make_model(helper.make_graph(
        [node("Gather", "t,ids", "y")], "tokens",
        [helper.make_tensor_value_info("ids", onnx.TensorProto.INT64, [3])],
        [helper.make_tensor_value_info("y", FLOAT, [3, 2])], [onnx.numpy_helper.from_array(table, "t")],
    ), ir_version=10)  # fmt: skip
    onnx.save(model, tmp_path / "m.onnx")
    run = cadena.compile(read_model(tmp_path / "m.onnx")).run({"ids": np.array([4.0, 0.0, 4.0])})
    np.testing.assert_array_equal(run.value("y"), table[[4, 0, 4]])


def test_how_often_a_loop_turns_is_refused_where_values_decide_it(tmp_path, capsys):
    body = helper.make_graph(
        [node("Greater", "v,z", "more"), node("Sub", "v,one", "w")], "body",
        [helper.make_tensor_value_info("i", 7, []), helper.make_tensor_value_info("c", 9, []),
         helper.make_tensor_value_info("v", FLOAT, [3, 4])],
        [helper.make_tensor_value_info("more", 9, []), helper.make_tensor_value_info("w", FLOAT, [3, 4])],
    )  # fmt: skip
    written(tmp_path / "m.onnx", [node("Loop", "n,,x", "y", body=body)], ROWS,
            {"n": np.int64(3), "z": np.float32(0.0), "one": np.float32(1.0)})  # fmt: skip
    assert "depends on values" in _refused(tmp_path, capsys)


WINDOWS = [
    {"pads": [1, 0, 0, 1]}, {"pads": [2, 2, 2, 2], "strides": [2, 3]}, {"auto_pad": "SAME_LOWER"},
    {"pads": [0, 1, 1, 0], "strides": [2, 2], "ceil_mode": 1}, {"dilations": [2, 1], "pads": [1, 1, 2, 0]},
    {"ceil_mode": 1, "strides": [2, 3]},
]  # fmt: skip


@pytest.mark.parametrize("kind", ["MaxPool", "AveragePool"])
def test_a_pool_with_a_wide_or_uneven_border_gave_nothing(kind, tmp_path):
    from onnx.reference import ReferenceEvaluator

    for how in WINDOWS:
        model = written(tmp_path / "m.onnx", [node(kind, "x", "y", kernel_shape=[3, 3], **how)], IMAGE, {}, opset=22)
        (theirs,) = ReferenceEvaluator(model).run(None, {"x": IMAGE})
        document = read_model(tmp_path / "m.onnx")
        run = cadena.compile(document).run({"x": IMAGE.astype(float)})
        np.testing.assert_allclose(run.value(document.output), theirs, rtol=1e-4, atol=1e-5, err_msg=str(how))
        assert not [fault for fault in run.faults if kind == "MaxPool" and "dilations" not in how]


# --- models that are made to be too large


def _with_functions(path: Path, bodies: dict[str, list[Any]], call: str) -> None:
    """A model of x that calls a function; each function has a node for each name in its list of calls."""
    functions = []
    for name, calls in bodies.items():
        names = ["a", *(f"v{place}" for place in range(len(calls) - 1)), "b"]
        nodes = [helper.make_node(called, [names[place]], [names[place + 1]], domain="" if called == "Relu" else "own")
                 for place, called in enumerate(calls)]  # fmt: skip
        opsets = [helper.make_opsetid("", 21), helper.make_opsetid("own", 1)]
        functions.append(helper.make_function("own", name, ["a"], ["b"], nodes, opsets))
    graph = helper.make_graph(
        [helper.make_node(call, ["x"], ["y"], domain="own")], "calls",
        [helper.make_tensor_value_info("x", FLOAT, [2])], [helper.make_tensor_value_info("y", FLOAT, [2])],
    )  # fmt: skip
    model = helper.make_model(graph, functions=functions, ir_version=10,
                              opset_imports=[helper.make_opsetid("", 21), helper.make_opsetid("own", 1)])  # fmt: skip
    path.write_bytes(model.SerializeToString())


def test_functions_that_call_each_other_twice_were_expanded_for_ever(tmp_path, capsys):
    bodies = {"f0": ["Relu", "Relu"]} | {f"f{level}": [f"f{level - 1}"] * 2 for level in range(1, 40)}
    _with_functions(tmp_path / "m.onnx", bodies, "f39")
    assert f"more than {onnx_reading.MAX_NODES} operations" in _refused(tmp_path, capsys)
    _with_functions(tmp_path / "m.onnx", bodies, "f6")
    assert sum(item.op == "relu" for item in read_model(tmp_path / "m.onnx").nodes.values()) == 128


@pytest.mark.parametrize(
    "bodies", [{"f": ["Relu", "f"]}, {"f": ["g"], "g": ["Relu", "f"]}], ids=["itself", "each other"]
)
def test_functions_that_call_themselves_were_a_traceback(bodies, tmp_path, capsys):
    _with_functions(tmp_path / "m.onnx", bodies, "f")
    assert "calls itself without an end" in _refused(tmp_path, capsys)


def test_functions_that_lie_deep_in_each_other_were_a_traceback(tmp_path, capsys):
    bodies = {"f0": ["Relu"]} | {f"f{level}": [f"f{level - 1}"] for level in range(1, 3000)}
    _with_functions(tmp_path / "m.onnx", bodies, "f2999")
    assert f"more than {onnx_reading.MAX_DEPTH} deep" in _refused(tmp_path, capsys)


def test_a_concat_that_doubles_its_operand_filled_the_memory(tmp_path, capsys):
    nodes = [node("Concat", f"v{turn - 1},v{turn - 1}" if turn else "x,x", f"v{turn}", axis=0) for turn in range(60)]
    written(tmp_path / "m.onnx", nodes, ROWS, {})
    assert "elements" in _refused(tmp_path, capsys)


def test_a_concat_of_vectors_that_grows_thirtyfold_hung_in_the_inference_of_shapes(tmp_path, capsys):
    nodes = [node("Concat", ",".join([f"v{turn - 1}" if turn else "x"] * 30), f"v{turn}", axis=0) for turn in range(9)]
    written(tmp_path / "m.onnx", nodes, draw(2), {})
    assert "elements" in _refused(tmp_path, capsys)


def test_texts_among_the_weights_were_a_traceback(tmp_path, capsys):
    written(tmp_path / "m.onnx", [node("Add", "x,w", "y")], ROWS, {})
    model = onnx.load(tmp_path / "m.onnx", load_external_data=False)
    model.graph.initializer.append(onnx.TensorProto(name="w", dims=[2], data_type=8, string_data=[b"\xff", b"b"]))
    onnx.save(model, tmp_path / "m.onnx")
    assert "w holds texts, no numbers" in _refused(tmp_path, capsys)


def test_a_loop_of_a_thousand_million_turns_is_refused(tmp_path, capsys):
    body = helper.make_graph(
        [node("Identity", "c", "more"), node("Neg", "v", "w")], "body",
        [helper.make_tensor_value_info("i", 7, []), helper.make_tensor_value_info("c", 9, []),
         helper.make_tensor_value_info("v", FLOAT, [3, 4])],
        [helper.make_tensor_value_info("more", 9, []), helper.make_tensor_value_info("w", FLOAT, [3, 4])],
    )  # fmt: skip
    weights = {"n": np.int64(10**9), "c0": np.bool_(True)}
    written(tmp_path / "m.onnx", [node("Loop", "n,c0,x", "y", body=body)], ROWS, weights)
    assert "its loops take more than" in _refused(tmp_path, capsys)


@pytest.mark.parametrize("place", [b"NAME", b"KIND", b"TITLE", b"WEIGHT"])
@pytest.mark.parametrize("bad", [b"\0", b"\xff", b"\x1b", b"\n"], ids=["nul", "no text", "escape", "line"])
def test_odd_bytes_in_the_names_of_a_model_were_tracebacks(place, bad, tmp_path, capsys):
    graph = helper.make_graph(
        [helper.make_node("Add", ["x", "WEIGHT"], ["h"], name="NAME"), node("NonZero", "h", "i"),
         node("KIND", "i", "y")],
        "TITLE", [helper.make_tensor_value_info("x", FLOAT, [3, 4])], [helper.make_tensor_value_info("y", FLOAT, None)],
        [onnx.numpy_helper.from_array(draw(4), "WEIGHT")],
    )  # fmt: skip
    data = helper.make_model(graph, ir_version=10).SerializeToString()
    (tmp_path / "m.onnx").write_bytes(data.replace(place, (bad + place)[: len(place)]))
    assert _refused(tmp_path, capsys)


def test_a_model_whose_file_could_not_be_opened_was_written(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(onnx_reading, "MAX_BYTES", 50 * 50 * 4)
    written(tmp_path / "m.onnx", [node("Gemm", "x,w", "y")], draw(2, 50), {"w": draw(50, 50)})
    assert "which cannot be opened; use a smaller model" in _refused(tmp_path, capsys)


@pytest.mark.parametrize("named", ["../secret.bin", "/etc/hostname", "none.bin", "link.bin"])
def test_values_outside_of_the_folder_are_refused(named, tmp_path, capsys):
    folder = tmp_path / "inside"
    folder.mkdir()
    (tmp_path / "secret.bin").write_bytes(draw(4, 2).tobytes())
    (folder / "link.bin").symlink_to(tmp_path / "secret.bin")
    model = written(folder / "m.onnx", [node("Gemm", "x,w", "y")], ROWS, {"w": draw(4, 2)})
    onnx.external_data_helper.set_external_data(model.graph.initializer[0], named)
    model.graph.initializer[0].ClearField("raw_data")
    (folder / "m.onnx").write_bytes(model.SerializeToString())
    assert "no file in the folder of the model" in _refused(folder, capsys)


def test_values_beside_the_model_are_read(tmp_path):
    w = draw(4, 2)
    model = written(tmp_path / "m.onnx", [node("Gemm", "x,w", "y")], ROWS, {"w": w})
    onnx.save(model, tmp_path / "m.onnx", save_as_external_data=True, location="m.bin", size_threshold=0)
    assert (tmp_path / "m.bin").exists()
    np.testing.assert_array_equal(read_model(tmp_path / "m.onnx").nodes["w"].value.array, w)


def test_sizes_that_do_not_fit_into_the_memory_are_refused(tmp_path, capsys):
    nodes = [node("ConstantOfShape", "s", "c"), node("Add", "x,c", "y")]
    written(tmp_path / "m.onnx", nodes, ROWS, {"s": whole(1 << 20, 1 << 20)})
    assert "more than fit" in _refused(tmp_path, capsys)


def test_a_model_in_bfloat16_is_refused(tmp_path, capsys):
    written(tmp_path / "m.onnx", [node("Relu", "x", "y")], ROWS, {}, kind=onnx.TensorProto.BFLOAT16)
    assert "bfloat16" in _refused(tmp_path, capsys)


LIGHT = Path(onnx.__file__).parent / "backend" / "test" / "data" / "light"


@pytest.mark.parametrize("name", ["squeezenet", "shufflenet", "zfnet512"])
def test_an_architecture_that_comes_with_onnx_runs(name):
    document = read_model(LIGHT / f"light_{name}.onnx")
    run = cadena.compile(document).run()
    assert run.value(document.output).size == 1000 and not run.faults


def _outline(name):
    """The parts of a model at first sight: the titles of blocks with counts, and the kinds of operations."""
    document = read_model(LIGHT / f"light_{name}.onnx")
    blocks = Blocks(document)
    return [
        document.nodes[blocks.name(part)].op if isinstance(part, int) else (part.title, part.count)
        for part in blocks.root.parts
    ]


def test_the_modules_of_squeezenet_have_their_names_and_equal_ones_are_a_repeat():
    assert _outline("squeezenet") == [
        ("conv1", 1), "max_pool2d", ("fire2", 1), ("fire3", 1), "max_pool2d", ("fire4", 1), ("fire5", 1), "max_pool2d",
        ("fire6–9", 4), ("conv10", 1), "mean", "reshape", "softmax", "reshape",
    ]  # fmt: skip


def test_the_dense_blocks_of_densenet_are_repeats():
    document = read_model(LIGHT / "light_densenet121.onnx")
    blocks = Blocks(document)
    titles = [part.title for part in blocks.root.parts if isinstance(part, Block)]
    assert titles == ["conv1", "conv2", "conv3", "conv4", "conv5", "fc6"] and blocks.shown_at_first <= 24
    dense = [part.parts[0] for part in blocks.root.parts if isinstance(part, Block) and part.title[:4] == "conv"][1:]
    assert [(one.title, one.count) for one in dense] == [
        ("conv2_1–6", 6), ("conv3_1–12", 12), ("conv4_1–24", 24), ("conv5_1–16", 16),
    ]  # fmt: skip


def test_an_architecture_too_large_for_a_file_is_refused_before_it_is_built():
    with pytest.raises(cadena.Refused, match="use a smaller model"):
        read_model(LIGHT / "light_vgg19.onnx")
