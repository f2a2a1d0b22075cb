"""Programs in JAX."""

from __future__ import annotations

from cadena.core.languages import (
    jax_rows,
    numpy_helpers,
    numpy_rows,
)
from cadena.core.languages.batch import shared_inputs
from cadena.core.languages.language import Language, helpers
from cadena.core.languages.python import (
    MATH,
    WIDTH,
    Definition,
    Writer,
    called_for,
    enclosed,
    in_lines,
    indented,
    unpacked,
)


def jax_helpers() -> dict[str, str]:
    """JAX's own helpers, and those of numpy that read the same with its names."""
    numpys = helpers(numpy_helpers.CODE)
    taken = {name: jax_rows.OF_NUMPY.sub("jnp.", numpys[name]) for name in jax_rows.TAKEN_OVER}
    return {name: text.replace("special.", "jax.nn.") for name, text in taken.items()} | dict(helpers(jax_rows.HELPERS))


JAX = Language(
    "jax",
    jax_rows.ROWS,
    jax_helpers(),
    aliases=jax_rows.ALIASES,
    modules=MATH
    | {
        "jax": "import jax",
        "jnp": "import jax.numpy as jnp",
        "np": "import numpy as np",
        "argparse": "import argparse",
        "special": "from jax.scipy import special",
    },
    index=numpy_rows.indices_array,
)


class JaxWriter(Writer):
    """A function of the leaves whose gradients are wanted, and `value_and_grad` of it."""

    language, title = JAX, "JAX"

    def preamble(self) -> list[str]:
        wide = "float64" in self.script.dtypes.values()
        return ['jax.config.update("jax_enable_x64", True)'] if wide else []

    def array(self, text: str, dtype: str, wanted: bool) -> str:
        return f"jnp.array({text})" if dtype in ("", "float64") else f"jnp.array({text}, dtype=jnp.{dtype})"

    def define_custom(self, definition: Definition) -> list[str]:
        name, operands = definition.name, ", ".join(definition.operands)
        saved, upstream = ", ".join(definition.saved[:-1]), definition.saved[-1]
        gradients = [item or f"jnp.zeros_like({one})" for item, one in zip(definition.gradients, definition.saved)]
        return [
            "@jax.custom_vjp",
            f"def {name}({operands}):",
            *indented(definition.body),
            "",
            "",
            f"def {name}_forward({operands}):",
            *indented([f"{definition.result} = {name}({operands})"]),
            *indented([f"return {definition.result}, ({operands}, {definition.result})"]),
            "",
            "",
            f"def {name}_backward(saved, {upstream}):",
            *indented([f"{saved} = saved", *(definition.backward or []), f"return ({', '.join(gradients)},)"]),
            "",
            "",
            f"{name}.defvjp({name}_forward, {name}_backward)",
        ]

    def frame(self) -> list[str]:
        script, output = self.script, self.names.of(self.script.output)
        leaves, name = self.leaves(), self.names.fresh("compute")
        wanted = [self.names.of(one) for one in script.wanted]
        batch = [self.names.of(one) for one in shared_inputs(script) if one not in script.wanted]
        body = [*self.statements(script, self.names), f"return {output}"]
        heading = in_lines(f"({', '.join([*wanted, *batch])})", WIDTH - len(f"def {name}:"))
        lines = ["", f"def {name}{heading}:", *indented(body), "", "", *leaves]
        if batch:
            self.usage = f"python {self.stem}.py --devices N shares the batch out among N devices."
            pair = f"{enclosed(batch)}, {enclosed(wanted)}"
            lines += [f"{pair} = share_out({enclosed(batch)}, {enclosed(wanted)})"]
        gradients = [self.names.fresh(f"d{script.output}_d{one}") for one in script.wanted]
        lines += [*self._differentiated(name, wanted, batch, gradients), ""]
        lines.append(self.printed(script.output, output))
        lines += [self.printed(f"d{script.output}/d{name}", code) for name, code in zip(script.wanted, gradients)]
        return lines + self.unreached()

    def _differentiated(self, name: str, wanted: list[str], batch: list[str], gradients: list[str]) -> list[str]:
        """The calls that give the output and its gradients."""
        output, arguments = self.names.of(self.script.output), ", ".join([*wanted, *batch])
        if not wanted:
            return [f"{output} = {name}()"]
        if self.script.ndim:
            back = self.names.fresh("back")
            lines = [f"{output}, {back} = jax.vjp({name}, {arguments})"]
            return [*lines, f"{unpacked(gradients)} = {back}(jnp.ones_like({output}))"]
        listed = tuple(range(len(wanted))) if len(wanted) < 10 else f"tuple(range({len(wanted)}))"
        places = [f"argnums={listed}"] if len(wanted) > 1 else []
        differentiated = f"jax.value_and_grad({', '.join([name, *places])})"
        differentiated = f"jax.jit({differentiated})" if batch else differentiated
        target = gradients[0] if len(gradients) == 1 else f"({unpacked(gradients)})"
        if len(f"{output}, {target} = {differentiated}({arguments})") <= WIDTH:
            return [f"{output}, {target} = {differentiated}({arguments})"]
        function = self.names.fresh("value_and_gradients")
        return [f"{function} = {differentiated}", called_for(f"{output}, {target}", function, [*wanted, *batch])]
