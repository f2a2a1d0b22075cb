"""Leaves of a captured function, wherever it finds them, and what `check` says of their gradients."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

import cadena

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.oracle


def leaf(*numbers: float, dtype: Any = torch.float64) -> Any:
    return torch.tensor(numbers, dtype=dtype, requires_grad=True)


GLOBAL = SimpleNamespace(w=leaf(1.0, 2.0), scale=torch.tensor(3.0, dtype=torch.float64))


class Slotted:
    __slots__ = ("p",)

    def __init__(self, p: Any) -> None:
        self.p = p

    def loss(self) -> Any:
        return (self.p**2).sum()

    def __call__(self) -> Any:
        return (self.p**3).sum()


@dataclass
class Model:
    layers: list[dict[str, Any]]


def _of_a_global() -> Any:
    return (GLOBAL.w**2).sum() * GLOBAL.scale


def _parameters(captured: Any) -> list[str]:
    return [node.name for node in captured.document.nodes.values() if node.op == "parameter"]


def test_a_leaf_in_an_object_was_a_constant_and_check_agreed():
    box, model = SimpleNamespace(w=leaf(1.0, 2.0)), Model([{"w": leaf(0.5), "b": leaf(2.0)}])
    wanted = {
        "box_w": lambda: (box.w**2).sum(),
        "model_layers_0_w": lambda: (model.layers[0]["w"] * 3).sum(),
        "GLOBAL_w": _of_a_global,
        "p": Slotted(leaf(1.0)).loss,
        "leaf_1": lambda: (leaf(1.0) * 2).sum(),
        "fn_0": partial(lambda w: (w**2).sum(), model.layers[0]["b"]),
    }
    for name, fn in wanted.items():
        captured = cadena.capture(fn)
        assert captured.document.dtype == "float64"
        assert captured.check().ok and captured.check().gradients == 1, name
        assert _parameters(captured) == [name]
    assert _parameters(cadena.capture(Slotted(leaf(1.0)))) == ["p"]
    assert cadena.capture(_of_a_global).document.nodes["GLOBAL_scale"].op == "constant"


def test_a_leaf_in_a_helper_of_a_helper_has_a_name():
    store = {"weights": [leaf(1.0, 2.0)]}

    def inner(x: Any) -> Any:
        return x * store["weights"][0]

    def outer(x: Any) -> Any:
        return inner(x).sum()

    captured = cadena.capture(lambda x: outer(x), torch.ones(2, dtype=torch.float64))
    assert _parameters(captured) == ["store_weights_0"] and captured.check().ok


def test_the_number_type_is_that_of_the_leaves_that_are_found():
    for dtype in (torch.float32, torch.float64):
        box = SimpleNamespace(w=leaf(1.0, 2.0, dtype=dtype))
        assert cadena.capture(lambda box=box: (box.w**2).sum()).document.dtype == str(dtype)[6:]
    first, second = leaf(1.0, dtype=torch.float32), leaf(1.0 / 3.0)
    box = SimpleNamespace(first=first, second=second)
    captured = cadena.capture(lambda: (box.first * box.second).sum())
    assert captured.document.dtype == "float64" and captured.check().ok
    assert cadena.capture(lambda: torch.ones(2, dtype=torch.float64).sum()).document.dtype == "float64"


def test_a_check_of_no_gradient_never_agrees():
    captured = cadena.capture(lambda x: (x**2).sum(), torch.ones(2))
    agreement = captured.check()
    assert agreement.gradients == 0 and not agreement
    assert str(agreement).startswith("no gradient was compared, since no tensor that the function uses requires one")


def test_the_gradients_of_a_result_with_several_elements_were_not_compared():
    captured = cadena.capture(lambda w: w**2, leaf(1.0, 2.0))
    assert captured.check().ok and captured.check().gradients == 1


def test_a_number_cast_to_a_shorter_type_kept_its_digits():
    captured = cadena.capture(lambda w: (w / 3).float().double().sum() + (w / 7).half().sum(), leaf(1.0, 2.0))
    run = cadena.compile(captured.document).run()
    assert captured.notes == () and captured.check().ok
    assert run.value(captured.document.output) == captured.value


def test_a_gradient_that_pytorch_stops_and_the_graph_does_not_is_a_difference():
    captured = cadena.capture(lambda w, v: (w * v).sum(), leaf(1.0), leaf(2.0))
    del captured.gradients["v"]
    assert captured.check().differing == ("v",)
