"""Stand-ins are called as the real libraries are: the same names at the same places, with the same defaults."""

from __future__ import annotations

import ast
from importlib import import_module
from typing import Any

import pytest

from cadena.core.scripts.calls import CallForm, forms_of
from tests.core.oracle.signatures import lines

LIBRARIES = {"torch": "pytorch.table", "tensorflow": "tensor_flow.functions", "jax": "jax_arrays.numpy_functions"}
# Names -> why what their library says of itself is not how it is called.
OTHERWISE = {
    "torch.relu": "its documentation has no signature",
    "torch.log_softmax": "the same",
    "torch.masked_fill": "the same",
    "torch.clamp_min": "the same",
    "torch.clamp_max": "the same",
    "torch.autograd.Variable": "the same",
    "torch.index_fill": "the same",
    "torch.index_put": "the same",
    "torch.masked_scatter": "the same",
    "torch.scatter": "its forms with a value or reduce are documented at Tensor.scatter_",
    "torch.Tensor.clamp_min": "the same",
    "torch.multiply": "its documentation names no result",
    "torch.logsumexp": "the same",
    "torch.Tensor.masked_fill_": "the same",
    "torch.einsum": "it says *args, and means an equation and operands",
    "torch.nn.functional.max_pool2d": "it says *args",
    "torch.pow": "a form whose base is a number says self",
    "torch.normal": "a seventh form says what the others say",
    "torch.true_divide": "its documentation has the names of another function",
    "torch.topk": "its dim is the last axis, and its documentation says None",
    "torch.nn.Sequential": "it says *args",
    **dict.fromkeys(("torch.std", "torch.var"), "an older form has unbiased in the place of correction"),
    "torch.tensor_split": "it documents each kind of what is called indices_or_sections",
    "torch.no_grad": "as a decorator it takes the function",
    "jax.numpy.pad": "it says **kwargs",
    **{
        f"torch.nn.{name}": "its base says *args, and takes none"
        for name in ("Module", "Sigmoid", "Tanh", "Softsign", "LogSigmoid")
    },
    **{
        f"torch.{name}Tensor": "its documentation has no signature"
        for name in "Float Double Half Long Int Short Byte Bool".split()
    },
    "torch.Tensor.to": "it says *args, **kwargs",
    "torch.Tensor.repeat": "the same",
    "torch.nn.Module.to": "the same",
    "torch.Tensor.stride": "without an axis it gives all",
    "tensorflow.keras.layers.Layer": "it says *args, **kwargs",
    "tensorflow.keras.Sequential": "the same",
    "tensorflow.keras.models.Sequential": "the same",
    "tensorflow.keras.Model": "the same",
    "tensorflow.keras.models.Model": "the same",
}
# Parameters of PyTorch whose operators name them otherwise.
RENAMED = {("shape", 1), ("split_size_or_sections", 1), ("b", 1), ("dims", 2), ("tensor2", 1)}
OF_LAYERS = {"name", "trainable", "dtype", "input_shape", "input_dim"}  # that Keras takes as **kwargs


def table(library: str) -> dict[str, list[CallForm]]:
    forms: dict[str, list[CallForm]] = import_module(f"cadena.core.scripts.{LIBRARIES[library]}").FORMS
    return forms


def placed(forms: list[CallForm]) -> dict[tuple[str, Any], set[str]]:
    """The parameters of some forms, each with its place ("" where it is given by name alone), and their defaults."""
    found: dict[tuple[str, Any], set[str]] = {}
    for form in forms:
        for name in form.names:
            place = form.positional.index(name) if name in form.positional else ""
            found.setdefault((name, place), set()).add(repr(form.defaults.get(name, "must be given")))
        if form.rest:
            found.setdefault(("*", len(form.positional)), set())
    return found


def differences(name: str, ours: list[CallForm]) -> list[str]:
    theirs = placed(forms_of("\n".join(map(with_optional, lines(name)))).get(name, []))
    own = placed(ours)
    found = [f"{name}: {item} is not there" for item in own.keys() - theirs.keys() if item[0] not in OF_LAYERS]
    found += [f"{name}: {item} is missing" for item in theirs.keys() - own.keys()]
    for item in own.keys() & theirs.keys() - {("*", place) for place in range(9)}:
        # what one form must have and another has not is optional
        if not own[item] & theirs[item] and not (own[item] == {"None"} and theirs[item] == {repr("must be given")}):
            found.append(f"{name}: {item[0]} is {theirs[item]}, not {own[item]}")
    return found


def with_optional(line: str) -> str:
    """A line of documentation without its types."""
    name, _, text = line.partition("(")
    try:
        tree = ast.parse(f"def f({text[:-1]}): pass").body[0]
    except SyntaxError:
        return f"{name}()"  # repeats, *
    assert isinstance(tree, ast.FunctionDef)
    for item in (*tree.args.args, *tree.args.kwonlyargs):
        if item.annotation is not None and "Optional" in ast.unparse(item.annotation):
            place = tree.args.kwonlyargs.index(item) if item in tree.args.kwonlyargs else -1
            if place >= 0 and tree.args.kw_defaults[place] is None:
                tree.args.kw_defaults[place] = ast.Constant(None)
            elif place < 0 and item is tree.args.args[-1] and not tree.args.defaults:
                tree.args.defaults.append(ast.Constant(None))
        item.annotation = None
    tree.args.kwarg = None
    return f"{name}({ast.unparse(tree.args)})"


@pytest.mark.oracle
@pytest.mark.parametrize("library", LIBRARIES)
def test_stand_ins_have_the_signatures_of_the_real_library(library):
    pytest.importorskip(library)
    forms = table(library)
    found = [item for name in forms if name not in OTHERWISE for item in differences(name, forms[name])]
    assert not found, "\n".join(found)


@pytest.mark.oracle
def test_functions_of_pytorch_have_the_parameters_of_its_operators():
    """By the schemas of the operators, which the signatures of its documentation are not made from."""
    torch = pytest.importorskip("torch")
    schemas: dict[str, list[Any]] = {}
    for schema in torch._C._jit_get_all_schemas():
        if schema.name.startswith("aten::") and not schema.overload_name.endswith("out"):
            schemas.setdefault(schema.name[6:], []).append(schema)
    extra = {"out", "requires_grad", "generator", "layout", "device", "dtype", "pin_memory", "memory_format"}
    found = []
    for name, forms in table("torch").items():
        module, _, short = name.rpartition(".")
        if module != "torch" or short not in schemas or name in ("torch.tensor", "torch.scalar_tensor"):
            continue
        theirs = {
            ({"self": "input"}.get(item.name, item.name), place if not item.kwarg_only else "")
            for schema in schemas[short]
            for place, item in enumerate(schema.arguments)
        }
        first = {pair[0] for pair in theirs if pair[1] == 0}
        for pair in placed(forms):
            if pair in RENAMED or pair[0] == "indices_or_sections":
                continue
            if pair not in theirs and pair[0] not in extra and not (pair[1] == 0 and first) and pair[0] != "*":
                found.append(f"{name}: {pair} is in none of {sorted(theirs, key=repr)}")
    assert len(schemas) > 1000 and not found, "\n".join(found)
