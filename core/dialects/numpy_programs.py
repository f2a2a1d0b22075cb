"""Programs in numpy, with the reverse pass written out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cadena.core.dialects import (
    numpy_helpers,
    numpy_rows,
)
from cadena.core.dialects.language import Language, Site, helpers
from cadena.core.dialects.python import MATH, Definition, Writer, indented, number_text
from cadena.core.dialects.script import Script
from cadena.core.graph.document import Document, Node
from cadena.core.rewriting.unfolding import unfolded
from cadena.core.run.plan import make_plan

# Operations whose operand may as well be a plain number.
ARITHMETIC = frozenset("add subtract multiply divide power maximum minimum".split())


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

    def frame(self) -> list[str]:
        script = self.script
        lines = [*self.leaves(), "# Forward pass", *self.statements(script, self.names), ""]
        gradients: Mapping[str, str] = {}
        if script.wanted:
            reverse = unfolded(script.document, script.output, script.wanted, arrange=False)
            gradients = reverse.gradients
            lines += ["# Reverse pass", *self._reverse(reverse.document, frozenset(gradients.values())), ""]
        lines.append(self.printed(script.output, self.names.of(script.output)))
        lines += [self.printed(f"d{script.output}/d{name}", self.names.of(gradients[name])) for name in script.wanted]
        return lines + self.unreached()

    def _reverse(self, document: Document, kept: frozenset[str]) -> list[str]:
        """The nodes of the reverse pass; numbers in its formulas stand where they are used."""
        plan, forward = make_plan(document, self.script.output, ()), self.script.document.nodes
        whole, lines = Script(document, plan, self.script.output, (), ()), list[str]()
        for name, node in document.nodes.items():
            if name in forward:
                continue
            if not node.is_leaf:
                code = self.operation(whole, plan.instruction_of[plan.index[name]], self.names)
                lines.append(f"{self.names.of(name)} = {code}{self.names.remark(name)}")
            elif name not in kept and self._is_inline(document, node):
                number = number_text(whole.leaves[name][()])
                self.names.given[name] = f"({number})" if number.startswith("-") else number
            else:
                lines.append(self.stored(name, whole.leaves[name], False))
        return lines

    def _is_inline(self, document: Document, node: Node) -> bool:
        """Whether a number can stand in the formulas that read it, each of which reads an array too."""
        users = [document.nodes[user] for user, _ in document.consumers[node.name]]
        forward = self.script.document.nodes
        return isinstance(node.value, float) and all(
            user.op in ARITHMETIC
            and any(name in forward or not document.nodes[name].is_leaf for name in user.inputs if name)
            for user in users
        )
