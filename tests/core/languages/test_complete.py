"""Every operation in every language: a complete program, or a refusal that says what to do."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from cadena.core.graph.fault import Refused
from cadena.core.languages.export import export
from cadena.core.languages.record import LANGUAGES
from cadena.core.ops.primitive import REGISTRY
from tests.core.graphs import graph
from tests.core.languages.programs import PROGRAMS, of_record
from tests.thorough import some


def is_complete(text: str, language: str) -> bool:
    """Whether a text has what one of its language has from beginning to end, and prints the output and a gradient."""
    if language in PROGRAMS:
        compile(ast.parse(text), "program", "exec")
    if language == "eigen":
        assert text.count("{") == text.count("}") and text.rstrip().endswith("}")
    if language == "graphml":
        return ElementTree.fromstring(text).tag.endswith("graphml")
    if language == "dot":
        return text.startswith("digraph") and text.rstrip().endswith("}")
    if language == "latex":
        return r"\begin{document}" in text and text.rstrip().endswith(r"\end{document}")
    if language == "markdown":
        return text.startswith("# ") and "L" in text
    return bool(re.search(r'print\("L( =)?"', text)) or not LANGUAGES[language].is_program


@pytest.mark.some(3)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_operation_is_written_completely(language):
    for op, record in REGISTRY.items():
        for _, document in some((op, document) for document in of_record(record)):
            assert is_complete(export(document, language).text, language), op


@pytest.mark.parametrize("language", PROGRAMS)
def test_an_operation_without_a_name_is_refused_with_node_language_and_remedy(language, monkeypatch):
    writer = PROGRAMS[language]
    poorer = {op: row for op, row in writer.language.rows.items() if op != "exp"}
    monkeypatch.setattr(writer, "language", replace(writer.language, rows=poorer))
    sentence = f"y: exp cannot be said in {writer.title}; replace it, or choose another language"
    with pytest.raises(Refused, match=re.escape(sentence)):
        export(graph(x=1.0, y=("exp", "x")), language)
