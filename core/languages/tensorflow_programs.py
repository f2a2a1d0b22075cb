"""Programs in TensorFlow."""

from __future__ import annotations

import numpy as np

from cadena.core.languages import (
    tensorflow_helpers,
    tensorflow_rows,
)
from cadena.core.languages.language import Language, helpers
from cadena.core.languages.python import MATH, Definition, Writer, called_for, documented, indented, unpacked
from cadena.core.languages.script import Script
from cadena.core.ops.walk import Instruction

TENSORFLOW = Language(
    "tensorflow",
    tensorflow_rows.ROWS,
    helpers(tensorflow_helpers.CODE),
    aliases=tensorflow_rows.ALIASES,
    modules=MATH
    | {
        "np": "import numpy as np",
        "tf": "import tensorflow as tf",
        "tnp": "import tensorflow.experimental.numpy as tnp",
    },
)


# Operations without a gradient in TensorFlow, through which here comes 0; and those that make it sparse.
FLAT = frozenset(
    "floor ceil trunc round floor_divide argmax slogdet cross_entropy zeta fmax fmin sign trace diag "
    "argmin argsort greater greater_equal less less_equal equal not_equal logical_and logical_or logical_xor "
    "logical_not isnan isinf isfinite stop_gradient".split()
)
SPARSE = frozenset("take embedding getitem index_put pad take_along_axis sort".split())


class TensorflowWriter(Writer):
    """Variables, and a tape that watches the forward pass."""

    language, title = TENSORFLOW, "TensorFlow"

    def array(self, text: str, dtype: str, wanted: bool) -> str:
        call = "tf.Variable" if wanted else "tf.constant"
        return f"{call}({text})" if dtype in ("", "float32") else f"{call}({text}, dtype=tf.{dtype})"

    def define_custom(self, definition: Definition) -> list[str]:
        upstream = self.names.fresh("backward")
        *operands, result, seed = definition.saved
        same = [
            f"{new} = {old}"
            for new, old in zip([*operands, result], [*definition.operands, definition.result])
            if new != old
        ]
        gradients = ", ".join(item or "None" for item in definition.gradients)
        return [
            "@tf.custom_gradient",
            f"def {definition.name}({', '.join(definition.operands)}):",
            *indented([*documented(definition.doc), *definition.lines, ""]),
            *indented([f"def {upstream}({seed}):"]),
            *indented([*same, *(definition.backward or []), f"return {gradients}"], 2),
            "",
            *indented([f"return {definition.result}, {upstream}"]),
        ]

    def fitted(self, script: Script, instruction: Instruction, operands: list[str]) -> list[str]:
        wide = str(np.result_type(*(script.dtypes[operand] for operand in instruction.operands)))
        return [
            code if script.dtypes[operand] == wide else f"tf.cast({code}, tf.{wide})"
            for code, operand in zip(operands, instruction.operands, strict=True)
        ]

    def frame(self) -> list[str]:
        script, output = self.script, self.names.of(self.script.output)
        forward, used = self.statements(script, self.names), {item.primitive.name for item in script.plan.instructions}
        if not script.wanted:
            return [*self.leaves(), *forward, "", self.printed(script.output, f"{output}.numpy()")]
        tape, wanted = self.names.fresh("tape"), [self.names.of(one) for one in script.wanted]
        lines = [*self.leaves(), f"with tf.GradientTape() as {tape}:", *indented(forward or ["pass"]), ""]
        gradients = [self.names.fresh(f"d{script.output}_d{one}") for one in script.wanted]
        zero = ', unconnected_gradients="zero"' if used & FLAT or used - set(self.language.rows) else ""
        arguments = [output, f"[{', '.join(wanted)}]{zero}"]
        lines += [called_for(unpacked(gradients), f"{tape}.gradient", arguments), ""]
        lines.append(self.printed(script.output, f"{output}.numpy()"))
        dense = "tf.convert_to_tensor({}).numpy()" if used & SPARSE or used - set(self.language.rows) else "{}.numpy()"
        for one, code in zip(script.wanted, gradients, strict=True):
            lines.append(self.printed(f"d{script.output}/d{one}", dense.format(code)))
        return lines + self.unreached()
