"""Programs in the languages of Python's grammar: leaves, statements and functions are written here, frames by each."""

from __future__ import annotations

import builtins
import keyword
import re
import textwrap
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any, ClassVar

import numpy as np

from cadena.core.functions.calls import FunctionCall
from cadena.core.languages.exported import Exported, lines_of
from cadena.core.languages.language import Language, Site
from cadena.core.languages.literals import is_element, literals
from cadena.core.languages.script import Names, Script, checked_name, of_function, of_gradient
from cadena.core.ops.walk import Instruction

WIDTH = 100
LARGE = 1000  # elements; larger arrays go to a file beside the program, as they go to base64 in a document
WORDS = frozenset((*keyword.kwlist, *keyword.softkwlist, *dir(builtins)))
INDENT = "    "
MATH = {"math": "import math"}
STANDARD = ("argparse", "math", "pathlib")  # modules of Python itself


@dataclass(frozen=True)
class Definition:
    """A function of the graph as code: `backward` has a list of lines and the gradient of each operand, or nothing."""

    name: str
    doc: str
    operands: list[str]
    lines: list[str]
    result: str
    saved: list[str] = field(default_factory=list)  # what the operands, the result and the upstream gradient are called
    backward: list[str] | None = None
    gradients: list[str | None] = field(default_factory=list)

    @property
    def body(self) -> list[str]:
        """Docstring, statements and return."""
        return [*documented(self.doc), *self.lines, f"return {self.result}"]


def documented(doc: str) -> list[str]:
    """A docstring of one line; none for an empty text."""
    return [f'"""{escaped(doc)}"""'] if doc else []


def escaped(text: str) -> str:
    """A text on one line as it may stand in a docstring or a comment."""
    return " ".join(text.split()).replace("\\", "\\\\").replace('"', "'")


def indented(lines: Iterable[str], levels: int = 1) -> list[str]:
    return [INDENT * levels + line if line else "" for line in lines]


def number_text(number: Any) -> str:
    """The shortest text that is this number in its own number type."""
    text = str(number)
    return text if text[-1].isdigit() else f'float("{text}")'


def nested(array: np.ndarray, before: int = 0) -> str:
    """An array as nested lists; over several lines where it is too wide for one that begins after `before` letters."""
    if array.ndim > 1 and not array.size:  # nested lists would lose its shape
        return f"np.zeros({array.shape})"
    text = _on_one_line(array)
    if array.ndim < 2 or before + len(text) <= WIDTH:
        return text
    inner = [nested(row, before=len(INDENT) + 1).replace("\n", f"\n{INDENT}") for row in array]
    return "[\n" + "".join(f"{INDENT}{row},\n" for row in inner) + "]"


def _on_one_line(array: np.ndarray) -> str:
    if array.ndim == 0:
        return number_text(array[()])
    return "[" + ", ".join(map(_on_one_line, array)) + "]"


def words(code: str) -> set[str]:
    """The names in a piece of code, without attributes and what stands in its texts and remarks."""
    return set(re.findall(r"(?<![.\w])[^\W\d]\w*", re.sub(r'"""[^"]*"""|"[^"\n]*"|#.*', "", code)))


def unpacked(names: Sequence[str]) -> str:
    """Names that take a tuple apart."""
    return ", ".join(names) if len(names) > 1 else f"({names[0]},)"


def called_for(target: str, function: str, arguments: Sequence[str]) -> str:
    """The statement that assigns what a function gives; what is too wide stands on lines of its own."""
    inside = ", ".join(arguments)
    if len(f"{target} = {function}({inside})") <= WIDTH:
        return f"{target} = {function}({inside})"
    return f"{in_lines(target, WIDTH - 40)} = {function}{in_lines(f'({inside})', 0)}"


def in_lines(code: str, most: int) -> str:
    """A tuple or the arguments of a call, between brackets on lines of their own if wider than `most`."""
    if len(code) <= most or len(code) < 3:
        return code
    inner = code[1:-1] if code[0] + code[-1] == "()" else code
    wrapped = textwrap.indent(textwrap.fill(inner, WIDTH - 4, break_long_words=False, break_on_hyphens=False), INDENT)
    return f"(\n{wrapped}\n)"


def enclosed(names: Sequence[str]) -> str:
    """A tuple of names."""
    return f"({', '.join(names)})" if len(names) > 1 else unpacked(names)


def is_custom(script: Script, record: FunctionCall) -> bool:
    """Whether the function has a custom gradient of its own that is used."""
    gradient = script.document.functions[record.name].gradient
    return gradient is not None and gradient.used


class Writer(ABC):
    """Writes one program; each language gives its frame and how it makes arrays."""

    language: ClassVar[Language]
    suffix: ClassVar[str] = ".py"
    title: ClassVar[str]  # what people call the language

    def __init__(self, script: Script, stem: str = "program") -> None:
        self.script, self.stem = script, stem
        self.data: dict[str, np.ndarray] = {}
        self.usage = ""  # how else the program can be started
        self.definitions: dict[str, list[str]] = {}  # the functions of the graph, by name
        self.function_names: dict[Any, str] = {}  # how each function is called here, by what it says
        language = self.language
        own = {*language.modules, *language.helpers, *script.document.functions, "data", "Path"}
        self.reserved = WORDS | own
        self.names = Names(set(self.reserved))

    # What each language says for itself.

    @abstractmethod
    def array(self, text: str, dtype: str, wanted: bool) -> str:
        """An array from numbers, nested lists or an array of numpy."""

    @abstractmethod
    def frame(self) -> list[str]:
        """The program after its imports and definitions."""

    def define(self, definition: Definition) -> list[str]:
        """A function of the graph."""
        if definition.backward is None:
            return [f"def {definition.name}({', '.join(definition.operands)}):", *indented(definition.body)]
        return self.define_custom(definition)

    @abstractmethod
    def define_custom(self, definition: Definition) -> list[str]:
        """A function with a custom gradient."""

    def preamble(self) -> list[str]:
        """The settings that stand before the first computation."""
        return []

    # What they have in common.

    def export(self) -> Exported:
        """The whole program. Raises Refused for an operation that the language has no word for."""
        self._refuse_unknown()
        self.names.spell(self.literals())
        body = self.frame()
        modules, definitions = self._needed([*self.preamble(), *body])
        imports = [self.language.modules[name] for name in modules]
        if self.data:
            imports.append("from pathlib import Path")
        standard = [line for line in imports if line.split()[1] in STANDARD]
        lines = [*self._docstring(), *sorted(standard), *([""] if standard else [])]
        lines += [line for line in imports if line not in standard]
        lines += ["", *self.preamble()] if self.preamble() else []
        lines += [*definitions, *(["", ""] if definitions else [""]), *body]
        text, below = (re.sub("\n{4,}", "\n\n\n", "\n".join(part)) + "\n" for part in (lines, body))
        return Exported(text, self._data(), lines=lines_of(text, below, self.script, self.names))

    def literals(self) -> Mapping[str, str]:
        """The code of the constants that have no lines of their own."""
        return literals(self.script.document, self.script.plan, {*self.script.wanted, self.script.output})

    def as_function(self, name: str, results: Sequence[str]) -> str:
        """The code of a function of all leaves that returns the values of nodes, without any imports."""
        self._refuse_unknown()
        code, operands = self.names.of, ", ".join(map(self.names.of, self.script.leaves))
        body = self.statements(self.script, self.names)
        body.append(f"return ({''.join(f'{code(result)}, ' for result in results)})")
        lines = [f"def {name}({operands}):", *indented(body)]
        return "\n".join([*self._needed(lines)[1], "", "", *lines]) + "\n"

    def _refuse_unknown(self) -> None:
        known = self.language.rows
        self.script.refuse_unknown(lambda instruction: instruction.primitive.name in known, self.title)

    def _needed(self, lines: Sequence[str]) -> tuple[list[str], list[str]]:
        """The modules that a program with these lines needs, and the definitions of helpers and functions."""
        functions = [line for lines in self.definitions.values() for line in ["", "", *lines]]
        modules, helpers = self.language.needs(words("\n".join([*functions, *lines])))
        definitions = [line for name in helpers for line in ["", "", *self.language.helpers[name].split("\n")]]
        return modules, [*definitions, *functions]

    def _docstring(self) -> list[str]:
        script = self.script
        wanted = "and its gradients " if script.wanted else ""
        return [
            f'"""{escaped(script.title)}',
            "",
            f"Prints {script.output} {wanted}as computed with {self.title}. Written by Cadena.",
            *([self.usage] if self.usage else []),
            *([escaped(script.guards)] if script.guards else []),
            '"""',
            "",
        ]

    def _data(self) -> bytes | None:
        if not self.data:
            return None
        stream = BytesIO()
        np.savez(stream, allow_pickle=False, **self.data)
        return stream.getvalue()

    def leaves(self) -> list[str]:
        """The statements for all leaves: parameters, inputs, constants, each under its heading."""
        script, lines = self.script, []
        if any(array.size > LARGE for array in script.leaves.values()):
            file = self.names.fresh("file")
            lines += [
                f'with np.load(Path(__file__).with_name("{self.stem}.npz")) as {file}:',
                f"    data = dict({file})",
                "",
            ]
        for kind, heading in (("parameter", "Parameters"), ("input", "Inputs"), ("constant", "Constants")):
            names = [name for name in script.leaves if script.document.nodes[name].op == kind]
            names = [name for name in names if name not in self.names.inline]
            lines += [f"# {heading}", *(self.leaf(name) for name in names), ""] if names else []
        return lines

    def leaf(self, name: str) -> str:
        """The statement for a leaf."""
        return self.stored(name, self.script.leaves[name], name in self.script.wanted)

    def stored(self, name: str, array: np.ndarray, wanted: bool) -> str:
        """The statement for an array: a large one stands in the file beside the program."""
        code = self.names.of(name)
        if array.size > LARGE:
            self.data[name] = array
            text = self.array(f'data["{name}"]', "", wanted)
        else:
            text = self.array(nested(array, len(code) + 20), self.script.document.dtype, wanted)
        return f"{code} = {text}{self.names.remark(name)}"

    def statements(self, script: Script, names: Names, skip: Iterable[str] = ()) -> list[str]:
        """A line for each operation, but for the nodes to `skip`."""
        done, lines = set(skip), []
        for instruction in script.plan.instructions:
            name = script.plan.names[instruction.out]
            if name in done or name in names.inline:
                continue
            if is_element(script.document, script.document.nodes[name]):
                names.spell({name: self.operation(script, instruction, names)})
            else:
                lines.append(f"{names.of(name)} = {self.operation(script, instruction, names)}{names.remark(name)}")
        return lines

    def operation(self, script: Script, instruction: Instruction, names: Names) -> str:
        """An operation, or a call of a function, on nodes that have their names."""
        operands = [names.of(script.plan.names[operand]) for operand in instruction.operands]
        shapes: Any = [script.plan.shapes[operand] for operand in instruction.operands]
        if isinstance(instruction.primitive, FunctionCall):
            name = self.function(script, instruction.primitive, shapes)
            return f"{self.called(instruction.primitive, name)}({', '.join(operands)})"
        shape: Any = script.plan.shapes[instruction.out]
        attributes = instruction.attributes
        if attributes.get("keepdims") and not shapes[0]:  # a number has no axes; what keeps them differs about that
            attributes = {**attributes, "keepdims": False}
        site = Site(instruction.primitive, attributes, shapes, shape, script.dtypes[instruction.out])
        operands = self.fitted(script, instruction, operands)
        text = self.language.write(site, operands)
        assert text is not None, instruction.primitive.name
        return text

    def called(self, record: FunctionCall, name: str) -> str:
        """How a function of the graph is called."""
        return name

    def fitted(self, script: Script, instruction: Instruction, operands: list[str]) -> list[str]:
        """The operands in one number type, where the language does not see to that."""
        return operands

    def function(self, script: Script, record: FunctionCall, shapes: Sequence[Any]) -> str:
        """The name of a function of the graph, which is defined once for all shapes that it reads alike for."""
        key = (record.name, tuple(shapes))
        if key not in self.function_names:
            definition = self._definition(script, record, shapes)
            name_and_text = (record.name, "\n".join(self.define(definition)))
            if name_and_text not in self.function_names:
                free = self.names.fresh(record.name) if record.name in self.definitions else checked_name(record.name)
                free = free if free not in WORDS else self.names.fresh(record.name)
                self.definitions[free] = self.define(Definition(**{**vars(definition), "name": free}))
                self.function_names[name_and_text] = free
            self.function_names[key] = self.function_names[name_and_text]
        return self.function_names[key]

    def _definition(self, outer: Script, record: FunctionCall, shapes: Sequence[Any]) -> Definition:
        document, function = outer.document, outer.document.functions[record.name]
        script, names = of_function(document, record.name, shapes), Names(set(self.reserved))
        names.spell(literals(script.document, script.plan, {script.output}))
        operands = [names.of(name) for name in function.inputs]
        lines = [*self._constants(script, names, function.inputs), *self.statements(script, names)]
        definition = Definition(record.name, function.doc, operands, lines, names.of(function.output))
        if function.gradient is None or not function.gradient.used:
            return definition
        result = script.plan.shapes[script.plan.index[function.output]]
        return self._with_gradient(definition, document, [*shapes, result, result])

    def _with_gradient(self, definition: Definition, document: Any, shapes: Sequence[Any]) -> Definition:
        custom = document.functions[definition.name].gradient
        names, lines, gradients = Names(set(self.reserved)), list[str](), list[str | None]()
        saved = [names.of(name) for name in custom.inputs]
        written: set[str] = set()
        for output, shape in zip(custom.outputs, shapes, strict=False):
            if output is None:
                gradients.append(None)
                continue
            script = of_gradient(document, definition.name, shapes, output)
            lines += self._constants(script, names, {*custom.inputs, *written})
            lines += self.statements(script, names, written)
            written |= set(script.document.nodes)
            own_shape = script.plan.shapes[script.plan.index[output]]
            gradients.append(names.of(output) if own_shape == shape else f"sum_to({names.of(output)}, {shape})")
        return Definition(**{**vars(definition), "saved": saved, "backward": lines, "gradients": gradients})

    def _constants(self, script: Script, names: Names, skip: Iterable[str]) -> list[str]:
        """The constants in a function."""
        return [
            f"{names.of(name)} = {self.array(nested(array), script.document.dtype, False)}{names.remark(name)}"
            for name, array in script.leaves.items()
            if name not in skip and name not in names.inline
        ]

    def printed(self, label: str, code: str) -> str:
        """A line of the output: the label and an array, as nested lists."""
        return f'print("{label} =", {self.listed(code)})'

    def listed(self, code: str) -> str:
        """An array as nested lists of numbers, each in its shortest exact form."""
        return f"{code}.tolist()" if self.script.document.dtype == "float64" else f"shown({code})"

    def unreached(self) -> list[str]:
        """A comment for each parameter on which the output does not depend."""
        output = self.script.output
        return [
            f"# d{output}/d{name}: there is none, {output} does not depend on {name}" for name in self.script.unreached
        ]
