"""The frames of the programs: how each language makes its leaves, asks for gradients and prints them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from cadena.core.dialects import numpy_helpers, numpy_rows, torch_helpers, torch_names, torch_rows
from cadena.core.dialects.language import Language, Site, helpers
from cadena.core.dialects.python import Definition, Writer, documented, indented, number_text
from cadena.core.dialects.script import Script
from cadena.core.functions.calls import Call
from cadena.core.graph.document import Document, Node
from cadena.core.rewriting.unfolding import unfolded
from cadena.core.run.plan import make_plan

MATH = {"math": "import math"}
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
TORCH = Language(
    "torch",
    torch_rows.ROWS,
    helpers(torch_helpers.CODE),
    torch_names.ALIASES,
    MATH | {"np": "import numpy as np", "torch": "import torch", "F": "import torch.nn.functional as F"},
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
            reverse = unfolded(script.document, script.output, script.wanted)
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


class TorchWriter(Writer):
    """Leaves that require a gradient, `backward` and `.grad`."""

    language, title = TORCH, "PyTorch"

    def preamble(self) -> list[str]:
        return [f"torch.set_default_dtype(torch.{self.script.document.dtype})"]

    def array(self, text: str, dtype: str, wanted: bool) -> str:
        asked = ", requires_grad=True" if wanted else ""
        return f"torch.tensor({text}{asked})"

    def define_custom(self, definition: Definition) -> list[str]:
        kept = definition.saved[:-1]
        backward = [f"{', '.join(kept)} = ctx.saved_tensors", *(definition.backward or [])]
        return [
            f"class {definition.name}(torch.autograd.Function):",
            *indented([*documented(definition.doc), *([""] if definition.doc else [])]),
            *indented(["@staticmethod", f"def forward(ctx, {', '.join(definition.operands)}):"]),
            *indented(definition.lines, 2),
            *indented([f"ctx.save_for_backward({', '.join([*definition.operands, definition.result])})"], 2),
            *indented([f"return {definition.result}"], 2),
            "",
            *indented(["@staticmethod", f"def backward(ctx, {definition.saved[-1]}):"]),
            *indented([*backward, f"return {', '.join(item or 'None' for item in definition.gradients)}"], 2),
        ]

    def called(self, record: Call, name: str) -> str:
        return f"{name}.apply" if is_custom(self.script, record) else name

    def frame(self) -> list[str]:
        script, output = self.script, self.names.of(self.script.output)
        lines = [*self.leaves(), *self.statements(script, self.names), ""]
        grad = "gradient({})" if self._may_lack_gradients else "{}.grad"
        if script.wanted:
            asked = [f"if {output}.requires_grad:"] if self._may_lack_gradients else []
            back = f"{output}.backward({f'torch.ones_like({output})' if script.ndim else ''})"
            lines += [*asked, *indented([back], len(asked)), ""]
        lines.append(self.printed(script.output, output))
        for name in script.wanted:
            lines.append(self.printed(f"d{script.output}/d{name}", grad.format(self.names.of(name))))
        return lines + self.unreached()

    @cached_property
    def _may_lack_gradients(self) -> bool:
        """Whether a class is chosen by a number that wants a gradient, which is 0 here and none in PyTorch."""
        plan = self.script.plan
        return any(
            item.primitive.name == "cross_entropy"
            and 1 in item.active
            and plan.shapes[item.operands[0]] != plan.shapes[item.operands[1]]
            for item in plan.instructions
        )

    def listed(self, code: str) -> str:
        if self.script.document.dtype == "float64":
            return f"{code}.tolist()"
        return f"shown({code}.detach())" if code == self.names.of(self.script.output) else f"shown({code})"


def is_custom(script: Script, record: Call) -> bool:
    """Whether the function has a custom gradient of its own that is used."""
    gradient = script.document.functions[record.name].gradient
    return gradient is not None and gradient.used


WRITERS: dict[str, type[Writer]] = {"numpy": NumpyWriter, "torch": TorchWriter}
