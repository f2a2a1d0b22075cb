"""Calls of stand-ins: by the real signature, with what is used here."""

from __future__ import annotations

import inspect
from importlib import import_module

import pytest

from cadena.core.scripts import imports
from cadena.core.scripts.calls import checked, forms_of

TABLES = {
    "torch": "pytorch.table", "tensorflow": "tensor_flow.functions", "jax": "jax_arrays.numpy_functions",
}  # fmt: skip


@pytest.mark.parametrize("library", TABLES)
def test_what_a_call_must_give_is_used(library):
    """The first operand of torch.split has another name than those of its neighbours, and was refused."""
    modules, unused, count = imports.modules_of(library), [], 0
    for name, forms in import_module(f"cadena.core.scripts.{TABLES[library]}").FORMS.items():
        owner, _, short = name.rpartition(".")
        if owner in modules:
            found = getattr(modules[owner], short, None)
            assert found is not None, name
        else:  # a method
            module, _, kind = owner.rpartition(".")
            found = getattr(getattr(modules.get(module), kind, None), short, None)
        found = found.__init__ if inspect.isclass(found) else found
        used = getattr(found, "used", None)
        if used is None or "*" in used:
            continue
        count += 1
        required = [{item for item in form.names if item not in form.defaults} for form in forms]
        if not any(names <= {*used} for names in required):
            unused.append(name)
    assert not unused and count > 70


TEXT = "f(a, b=1, *rest, c=2, device=None, name=None, e='torch.strided')\ng(x, y)\ng(x, z=0)"


def test_arguments_are_bound_as_python_binds_them():
    seen = checked("torch.f", forms_of(TEXT)["f"], lambda a, *rest, c=2: (a, rest, c))
    assert seen(1) == (1, (), 2) and seen(1, 1, 5, 6, c=3) == (1, (1, 5, 6), 3) and seen(c=4, a=1) == (1, (), 4)
    both = checked("torch.g", forms_of(TEXT)["g"], lambda x, y=None: (x, y))
    assert both(1, y=2) == (1, 2) and both(1) == (1, None)
    for call, told in [
        (lambda: seen(), "torch.f() missing a required argument: 'a'"),
        (lambda: seen(1, a=2), "torch.f() got multiple values for argument 'a'"),
        (lambda: seen(1, d=2), "torch.f() got an unexpected keyword argument 'd'"),
        (lambda: both(1, z=2), "the argument z=2 of torch.g is not part of the built-in PyTorch; leave it out, or run"),
    ]:
        with pytest.raises(TypeError) as error:
            call()
        assert str(error.value).startswith(told)


def test_what_changes_no_number_may_be_given():
    seen = checked("torch.f", forms_of(TEXT)["f"], lambda a: a)
    assert seen(1, device="cpu", name="x", e="torch.strided", b=1) == 1
    with pytest.raises(TypeError, match="the argument device='cuda' of torch"):
        seen(1, device="cuda")
