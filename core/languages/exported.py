"""The result of an export: a text, the lines of nodes in it, and perhaps a file beside it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from cadena.core.languages.script import Names, Script

ASSIGNED = re.compile(r"\s*(?:const \w+ )?([^\W\d]\w*) = ")


class Exported(NamedTuple):
    """A program, and the file beside it that holds its large arrays, if it has any."""

    text: str
    data: bytes | None = None
    ending: str = ".npz"
    lines: Mapping[str, int] = MappingProxyType({})  # of nodes, from 1; empty for what is no program

    def data_name(self, stem: str) -> str:
        """The name of the file beside a program called `stem`."""
        return stem + self.ending


def lines_of(text: str, body: str, script: Script, names: Names) -> dict[str, int]:
    """The line of each node in a program that ends with `body`; of one without a line its reader's."""
    by_code = {code: name for name, code in names.codes.items() if name not in names.inline}
    lines: dict[str, int] = {}
    begin = text.count("\n") - body.count("\n")
    for number, line in enumerate(text.split("\n")[begin:], begin + 1):
        assigned = ASSIGNED.match(line)
        if assigned and (name := by_code.get(assigned[1])):
            lines.setdefault(name, number)
    order = [script.plan.names[instruction.out] for instruction in script.plan.instructions]
    for name in (*reversed(order), *script.leaves):
        readers = [lines[reader] for reader, _ in script.document.consumers[name] if reader in lines]
        if readers:
            lines.setdefault(name, min(readers))
    return lines
