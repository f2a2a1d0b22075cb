"""Cadena's public names: `import cadena`, then `cadena.load`, `cadena.compile`, `cadena.trace`, `cadena.grad` ...

document = cadena.load("x.cadena")
run = cadena.compile(document).run({"w0": 2.0})
run.value("L"), run.gradient("w0"), run.timeline

traced = cadena.trace(lambda w: np.sum(np.sin(w) ** 2), w)  # plain numpy code in, graph out
traced.value, traced.vjp(1.0), traced.document

cadena.parse("L = (w*x + b - y)**2")  # an expression in, graph out; cadena.expression_of(document) is the way back

captured = cadena.capture(fn, x, model=model)  # a function of PyTorch in, its graph out

cadena.page(document)  # one self-contained page of HTML that plays the steps; notebooks show documents and captures so

cadena.hessian(cadena.as_function(document))(2.0)  # a document is a function of its parameters, for grad and the others

This file is the package; core, gui and resources are its subpackages. In a wheel it is cadena/__init__.py; in a
checkout it stands beside them, so that Python finds the package whatever the folder is called.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cadena.core.capture.capturing import capture as capture
    from cadena.core.capture.capturing import capturing as capturing
    from cadena.core.capture.showing import show as show
    from cadena.core.expressions.reading import parse as parse
    from cadena.core.expressions.writing import expression_of as expression_of
    from cadena.core.front import Program as Program
    from cadena.core.front import Run as Run
    from cadena.core.front import compile as compile
    from cadena.core.graph.document import Document as Document
    from cadena.core.graph.document import Node as Node
    from cadena.core.graph.fault import Fault as Fault
    from cadena.core.graph.fault import Refused as Refused
    from cadena.core.html_page.page import page as page
    from cadena.core.methods.checking import check_grads as check_grads
    from cadena.core.storage.files import load as load
    from cadena.core.storage.files import save as save
    from cadena.core.tracing.from_document import as_function as as_function
    from cadena.core.tracing.trace import trace as trace
    from cadena.core.tracing.traced import is_traced as is_traced
    from cadena.core.tracing.transforms import grad as grad
    from cadena.core.tracing.transforms import hessian as hessian
    from cadena.core.tracing.transforms import hvp as hvp
    from cadena.core.tracing.transforms import jacobian as jacobian
    from cadena.core.tracing.transforms import jvp as jvp
    from cadena.core.tracing.transforms import value_and_grad as value_and_grad
    from cadena.core.tracing.transforms import vjp as vjp

__version__ = "0.1.0"
__path__ = [str(Path(__file__).parent)]

HOMES = {
    "cadena.core.capture.capturing": ("capture", "capturing"),
    "cadena.core.capture.showing": ("show",),
    "cadena.core.graph.document": ("Document", "Node"),
    "cadena.core.graph.fault": ("Fault", "Refused"),
    "cadena.core.expressions.reading": ("parse",),
    "cadena.core.expressions.writing": ("expression_of",),
    "cadena.core.front": ("Program", "Run", "compile"),
    "cadena.core.html_page.page": ("page",),
    "cadena.core.storage.files": ("load", "save"),
    "cadena.core.methods.checking": ("check_grads",),
    "cadena.core.tracing.from_document": ("as_function",),
    "cadena.core.tracing.trace": ("trace",),
    "cadena.core.tracing.traced": ("is_traced",),
    "cadena.core.tracing.transforms": ("grad", "hessian", "hvp", "jacobian", "jvp", "value_and_grad", "vjp"),
}
PUBLIC = {name: home for home, names in HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    """Import a public name's module when the name is first used, so that `import cadena` waits for nothing."""
    if name not in PUBLIC:
        raise AttributeError(f"module 'cadena' has no attribute {name!r}")
    value: object = getattr(import_module(PUBLIC[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *PUBLIC})
