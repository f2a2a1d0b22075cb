"""Programs in C++ with Eigen's AutoDiff, in forward mode: every number carries its derivatives by all parameters."""

from __future__ import annotations

import re
from itertools import accumulate
from typing import Any

import numpy as np

from cadena.core.functions.calls import FunctionCall
from cadena.core.graph.fault import Refused
from cadena.core.languages.eigen.code import braced
from cadena.core.languages.eigen.rows import write
from cadena.core.languages.eigen.types import DECOMPOSITIONS, HEAD, HELPERS, TYPES
from cadena.core.languages.exported import Exported, lines_of
from cadena.core.languages.language import Site
from cadena.core.languages.literals import is_unnamed
from cadena.core.languages.script import Names, Script, checked_name, of_function, of_gradient
from cadena.core.ops.primitive import REGISTRY
from cadena.core.ops.walk import Instruction

WORDS = frozenset(
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class "
    "compl concept const consteval constexpr constinit const_cast continue co_await co_return co_yield decltype "
    "default delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline "
    "int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public "
    "register reinterpret_cast requires return short signed sizeof static static_assert static_cast struct switch "
    "template this thread_local throw true try typedef typeid typename union unsigned using virtual void volatile "
    "wchar_t while xor xor_eq main std Eigen Scalar Derivatives T Array Numbers Places Line Matrix Term size number "
    "variable numbers variables text listed print values gradient NAN INFINITY assert y0 y1 yn j0 j1 jn gamma "
    "signgam errno stdin stdout stderr EOF NULL index time".split()
)
SCALARS = {"float64": "double", "float32": "float"}
LARGE = 1000


def words(code: str) -> list[str]:
    """The names in a piece of C++, without its remarks and texts."""
    return re.findall(r"[a-z_]\w*", re.sub(r'//.*|"[^"\n]*"', "", code))


def _remark(text: str) -> str:
    """A text on one line; a backslash at its end would join the next line to it."""
    return " ".join(text.split()).replace("\\", "/")


class EigenWriter:
    """Writes one program."""

    title = "Eigen"

    def __init__(self, script: Script, stem: str = "program") -> None:
        self.script, self.stem = script, stem
        self.functions: dict[str, str] = {}
        self.data: list[np.ndarray] = []
        self.reserved = WORDS | set(HELPERS) | set(REGISTRY) | set(script.document.functions)
        self.names = Names(set(self.reserved))
        sizes = [script.leaves[name].size for name in script.wanted]
        self.places = dict(zip(script.wanted, accumulate(sizes, initial=0), strict=False))  # among all derivatives

    def export(self) -> Exported:
        """The whole program. Raises Refused for what cannot be said in C++."""
        script = self.script
        if script.document.dtype not in SCALARS or set(script.dtypes.values()) != {script.document.dtype}:
            what = "{output} is computed in {dtype}, which cannot be said in {language}"
            raise Refused(
                what,
                "choose float64 or float32",
                output=script.output,
                dtype="float16 or several number types" if script.document.dtype in SCALARS else script.document.dtype,
                language=self.title,
            )
        body = [*self._leaves(), *self._statements(script, self.names), "", *self._printed()]
        text = "\n".join(self.functions.values()) + "\n".join(body)
        helpers = self._needed(text)
        includes = HEAD + DECOMPOSITIONS.lstrip() if "as_matrix" in helpers else HEAD
        size = sum(script.leaves[name].size for name in script.wanted)
        parts = [
            self._remark(), includes.strip(), *(["#include <fstream>"] if self.data else []),
            f"using Scalar = {SCALARS[script.document.dtype]};\n"
            f"constexpr int size = {size};  // numbers whose derivatives are wanted",
            TYPES.strip(), *(HELPERS[name] for name in HELPERS if name in helpers), *self.functions.values(),
            "\n".join(["int main() {", *(f"    {line}" if line else "" for line in body), "}"]),
        ]  # fmt: skip
        data = b"".join(array.tobytes() for array in self.data)
        program = "\n\n".join(parts) + "\n"
        return Exported(program, data or None, ".bin", lines_of(program, parts[-1] + "\n", script, self.names))

    def _remark(self) -> str:
        script = self.script
        wanted = " and its gradients" if script.wanted else ""
        return "\n".join([
            f"// {_remark(script.title)}", "//",
            f"// Prints {script.output}{wanted}, in forward mode with Eigen's AutoDiff. Written by Cadena.",
            *([f"// {_remark(script.guards)}"] if script.guards else []),
            f"// g++ -std=c++17 -O1 -I /usr/include/eigen3 {self.stem}.cpp -o {self.stem} && ./{self.stem}",
        ])  # fmt: skip

    def _needed(self, text: str) -> set[str]:
        """The helpers that a piece of code calls, and those that these call."""
        needed, waiting = set[str](), words(text)
        while waiting:
            name = waiting.pop()
            if name in HELPERS and name not in needed:
                needed.add(name)
                waiting += words(HELPERS[name])
        return needed

    def _leaves(self) -> list[str]:
        script, lines = self.script, list[str]()
        self.names.spell(self._literals())
        if any(array.size > LARGE for array in script.leaves.values()):
            lines += [f'std::ifstream data("{self.stem}.bin", std::ios::binary);  // the large arrays', ""]
        for kind, heading in (("parameter", "Parameters"), ("input", "Inputs"), ("constant", "Constants")):
            names = [name for name in script.leaves if script.document.nodes[name].op == kind]
            names = [name for name in names if name not in self.names.inline]
            lines += [f"// {heading}"] if names else []
            for name in names:
                place = f", {self.places[name]}" if name in script.wanted else ""
                lines.append(self._leaf(name, script.leaves[name], place))
            lines += [""] if names else []
        return lines

    def _literals(self) -> dict[str, str]:
        """The code of the numbers that nobody gave a name."""
        leaves = ((name, array) for name, array in self.script.leaves.items() if not array.ndim)
        unnamed = ((name, array) for name, array in leaves if is_unnamed(self.script.document.nodes[name]))
        return {
            name: f"number({self._number(array[()])})"
            for name, array in unnamed
            if self.script.document.nodes[name].op == "constant"
            and name not in (*self.script.wanted, self.script.output)
        }

    def _leaf(self, name: str, array: np.ndarray, place: str) -> str:
        kind = "variable" if place else "number"
        code, remark = self.names.of(name), self._renamed(name, self.names)
        if not array.ndim:
            return f"const T {code} = {kind}({self._number(array[()])}{place});{remark}"
        if array.size > LARGE:
            self.data.append(array.astype(array.dtype.newbyteorder("<")))
            return f"const Array {code} = {kind}s(read(data, {array.size}){place});{remark}"
        values = "{" + ", ".join(map(self._number, array.ravel())) + "}"
        return f"const Array {code} = {kind}s({values}{place});{remark}"

    def _number(self, value: Any) -> str:
        text = str(value)
        return {"inf": "INFINITY", "-inf": "-INFINITY", "nan": "NAN"}.get(text, text)

    def _renamed(self, name: str, names: Names) -> str:
        return names.remark(name).replace("#", "//")

    def _statements(self, script: Script, names: Names, skip: set[str] | frozenset[str] = frozenset()) -> list[str]:
        lines = []
        for instruction in script.plan.instructions:
            name = script.plan.names[instruction.out]
            if name not in skip:
                kind = "Array" if script.plan.shapes[instruction.out] else "T"
                code = self._operation(script, instruction, names, name)
                lines.append(f"const {kind} {names.of(name)} = {code};{self._renamed(name, names)}")
        return lines

    def _operation(self, script: Script, instruction: Instruction, names: Names, name: str) -> str:
        operands = [names.of(script.plan.names[operand]) for operand in instruction.operands]
        shapes: Any = [script.plan.shapes[operand] for operand in instruction.operands]
        if isinstance(instruction.primitive, FunctionCall):
            return f"{self._function(script, instruction.primitive, shapes, name)}({', '.join(operands)})"
        shape: Any = script.plan.shapes[instruction.out]
        site = Site(
            instruction.primitive,
            instruction.attributes,
            shapes,
            shape,
            script.document.dtype,
            self._active(script, instruction),
        )
        expression = write(site, operands)
        if expression is None:
            raise Refused(
                "{name}: {op} of such operands cannot be said in {language}", "choose another language",
                name=name, op=site.record.name, language=self.title,
            )  # fmt: skip
        self.functions |= expression.functions
        return expression.code

    def _active(self, script: Script, instruction: Instruction) -> tuple[int, ...]:
        """The slots whose operands have derivatives; inside a function only constants are sure to have none."""
        if script is self.script:
            return instruction.active
        nodes = [script.document.nodes[script.plan.names[operand]] for operand in instruction.operands]
        return tuple(slot for slot, node in enumerate(nodes) if node.op != "constant")

    def _function(self, outer: Script, record: FunctionCall, shapes: Any, caller: str) -> str:
        """A function of the graph, once for operands of each shape."""
        suffix = "".join(f"_{'x'.join(map(str, shape))}" for shape in shapes if shape)
        free = checked_name(record.name) + suffix
        free = free if free not in WORDS else f"{free}_"
        if free in self.functions:
            return free
        document, names = outer.document, Names(set(self.reserved))
        function = document.functions[record.name]
        script = of_function(document, record.name, shapes)
        parameters = ", ".join(
            f"const {'Array' if shape else 'T'}& {names.of(one)}"
            for one, shape in zip(function.inputs, shapes, strict=True)
        )
        lines = [*self._constants(script, names, set(function.inputs)), *self._statements(script, names)]
        result = script.plan.shapes[script.plan.index[function.output]]
        value = names.of(function.output)
        if function.gradient is not None and function.gradient.used:
            if result or any(shapes):
                raise Refused(
                    "{name}: a custom gradient of arrays cannot be said in {language}", "choose another language",
                    name=caller, language=self.title,
                )  # fmt: skip
            lines += self._gradient(document, record.name, names, value)
            value = f"with_gradient({value}, {{{', '.join(self._slopes)}}})"
        doc = [f"// {_remark(function.doc)}"] if function.doc else []
        head = f"{'Array' if result else 'T'} {free}({parameters}) {{"
        self.functions[free] = "\n".join([*doc, head, *(f"    {line}" for line in [*lines, f"return {value};"]), "}"])
        return free

    def _constants(self, script: Script, names: Names, skip: set[str]) -> list[str]:
        outer, self.names = self.names, names
        lines = [self._leaf(name, array, "") for name, array in script.leaves.items() if name not in skip]
        self.names = outer
        return lines

    def _gradient(self, document: Any, name: str, outer: Names, value: str) -> list[str]:
        """The custom gradient for the upstream gradient 1: the slope by each operand."""
        function = document.functions[name]
        custom, names = function.gradient, Names(set(outer.taken))
        for one, code in zip(custom.inputs, [*map(outer.of, function.inputs), value], strict=False):
            names.codes[one] = code
        lines = [f"const T {names.of(custom.inputs[-1])} = number(1);"]
        written, self._slopes = set[str](), list[str]()
        for operand, output in zip(function.inputs, custom.outputs, strict=True):
            if output is None:
                continue
            script = of_gradient(document, name, [()] * len(custom.inputs), output)
            lines += self._constants(script, names, {*custom.inputs, *written})
            lines += self._statements(script, names, written)
            written |= set(script.document.nodes)
            self._slopes.append(f"{{{names.of(output)}, {outer.of(operand)}}}")
        return lines

    def _printed(self) -> list[str]:
        script, output = self.script, self.names.of(self.script.output)
        shape = script.plan.shapes[script.plan.index[script.output]] or ()
        lines = [f'print("{script.output}", values({output}), {braced(shape)});']
        total = f"{output}.sum()" if shape else output
        if shape and script.wanted:
            lines.append(f"const T {self.names.fresh('total')} = {total};")
            total = lines[-1].split()[2]
        for name in script.wanted:
            array = script.leaves[name]
            gradient = f"gradient({total}, {self.places[name]}, {array.size})"
            lines.append(f'print("d{script.output}/d{name}", {gradient}, {braced(array.shape)});')
        return [*lines, *(f"// d{script.output}/d{name}: there is none" for name in script.unreached)]
