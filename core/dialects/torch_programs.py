"""Programs in PyTorch."""

from __future__ import annotations

from functools import cached_property

from cadena.core.dialects import (
    torch_helpers,
    torch_names,
    torch_rows,
)
from cadena.core.dialects.language import Language, helpers
from cadena.core.dialects.python import MATH, Definition, Writer, documented, indented, is_custom
from cadena.core.functions.calls import FunctionCall

TORCH = Language(
    "torch",
    torch_rows.ROWS,
    helpers(torch_helpers.CODE),
    torch_names.ALIASES,
    MATH | {"np": "import numpy as np", "torch": "import torch", "F": "import torch.nn.functional as F"},
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

    def called(self, record: FunctionCall, name: str) -> str:
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
