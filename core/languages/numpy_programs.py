"""Programs in numpy, with the reverse pass written out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from cadena.core.languages import (
    numpy_helpers,
    numpy_rows,
)
from cadena.core.languages.language import Language, Site, helpers
from cadena.core.languages.literals import OPERATORS, literals
from cadena.core.languages.python import MATH, Definition, Writer, indented
from cadena.core.languages.script import Script
from cadena.core.rewriting.unfolding import Unfolded, unfolded
from cadena.core.run.plan import make_plan


class Numpy(Language):
    """numpy, with the special functions of scipy."""

    def write(self, site: Site, operands: Sequence[str]) -> str | None:
        text = super().write(site, operands)
        if text is not None and "special." in text and site.dtype == "float16":  # scipy answers in float32
            return f"({text}).astype(np.float16)"
        return text


NUMPY = Numpy(
    "numpy",
    numpy_rows.ROWS,
    helpers(numpy_helpers.CODE),
    aliases=numpy_rows.ALIASES,
    modules=MATH | {"np": "import numpy as np", "special": "from scipy import special"},
)


class NumpyWriter(Writer):
    """numpy has no gradients of its own: the reverse pass is written out, rule by rule."""

    language, title = NUMPY, "numpy"

    def array(self, text: str, dtype: str, wanted: bool) -> str:
        if not dtype:
            return text
        return f"np.array({text})" if dtype == "float64" else f"np.array({text}, dtype=np.{dtype})"

    def define_custom(self, definition: Definition) -> list[str]:
        return [f"def {definition.name}({', '.join(definition.operands)}):", *indented(definition.body)]

    @cached_property
    def reverse(self) -> Unfolded | None:
        """The graph with its reverse pass as nodes."""
        script = self.script
        return unfolded(script.document, script.output, script.wanted, arrange=False) if script.wanted else None

    @cached_property
    def whole(self) -> Script:
        """Both passes."""
        document, output = self.reverse.document if self.reverse else self.script.document, self.script.output
        return Script(document, make_plan(document, output, ()), output, (), ())

    def literals(self) -> Mapping[str, str]:
        gradients = self.reverse.gradients.values() if self.reverse else ()
        kept = {*self.script.wanted, self.script.output, *gradients}
        return literals(
            self.whole.document, self.whole.plan, kept, OPERATORS | {"maximum", "minimum"}, self.script.document
        )

    def frame(self) -> list[str]:
        script = self.script
        lines = [*self.leaves(), "# Forward pass", *self.statements(script, self.names), ""]
        lines += ["# Reverse pass", *self._reverse(), ""] if self.reverse else []
        lines.append(self.printed(script.output, self.names.of(script.output)))
        if self.reverse:
            gradients = {name: self.names.of(self.reverse.gradients[name]) for name in script.wanted}
            lines += [self.printed(f"d{script.output}/d{name}", code) for name, code in gradients.items()]
        return lines + self.unreached()

    def _reverse(self) -> list[str]:
        """The nodes of the reverse pass."""
        whole, forward, lines = self.whole, self.script.document.nodes, list[str]()
        for name, node in whole.document.nodes.items():
            if name in forward or name in self.names.inline:
                continue
            if node.is_leaf:
                lines.append(self.stored(name, whole.leaves[name], False))
            else:
                code = self.operation(whole, whole.plan.instruction_of[whole.plan.index[name]], self.names)
                lines.append(f"{self.names.of(name)} = {code}{self.names.remark(name)}")
        return lines
