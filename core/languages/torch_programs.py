"""Programs in PyTorch."""

from __future__ import annotations

from functools import cached_property

from cadena.core.functions.calls import FunctionCall
from cadena.core.graph.fault import Refused
from cadena.core.languages import (
    torch_helpers,
    torch_names,
    torch_rows,
)
from cadena.core.languages.batch import batch_in, loss_of_parts, shared_inputs
from cadena.core.languages.language import Language, helpers
from cadena.core.languages.python import MATH, Definition, Writer, documented, escaped, indented, is_custom, unpacked

TORCH = Language(
    "torch",
    torch_rows.ROWS,
    helpers(torch_helpers.CODE),
    torch_names.ALIASES,
    MATH
    | {
        "np": "import numpy as np",
        "torch": "import torch",
        "dist": "import torch.distributed as dist",
        "F": "import torch.nn.functional as F",
    },
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
        batch, way = self._shared()
        lines = [*self.leaves(), *batch, *self.statements(script, self.names), ""]
        grad = "gradient({})" if self._may_lack_gradients else "{}.grad"
        if script.wanted:
            asked = [f"if {output}.requires_grad:"] if self._may_lack_gradients else []
            back = f"{output}.backward({f'torch.ones_like({output})' if script.ndim else ''})"
            lines += [*asked, *indented([back], len(asked))]
            gradients = ", ".join(grad.format(self.names.of(name)) for name in script.wanted)
            lines += [f'combine("{way}", {output}.detach(), {gradients})'] if way else []
            lines.append("")
        lines.append(self.printed(script.output, output))
        for name in script.wanted:
            lines.append(self.printed(f"d{script.output}/d{name}", grad.format(self.names.of(name))))
        return lines + self.unreached()

    def _shared(self) -> tuple[list[str], str]:
        """The lines that share out the batch among the processes of torchrun, and how their losses belong together."""
        if not (inputs := shared_inputs(self.script)):
            return [], ""
        try:
            way = loss_of_parts(self.script, batch_in(self.script))
        except Refused as refusal:
            return [f"# torchrun cannot share this out among processes: {escaped(str(refusal))}"], ""
        codes = [self.names.of(name) for name in inputs]
        self.usage = f"torchrun --nproc-per-node N {self.stem}.py shares the batch out among N processes."
        return [f"{unpacked(codes)} = share_out({', '.join(codes)})", ""], way

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
