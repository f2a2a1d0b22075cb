"""Every operation in every language: a complete program, or a refusal before anything is written."""

from __future__ import annotations

import ast
import re
from xml.etree import ElementTree

import pytest

from cadena.core.dialects.export import PROGRAMS, READ, export
from cadena.core.dialects.names import CODE, LANGUAGES
from cadena.core.graph.fault import Refused
from cadena.core.ops.primitive import REGISTRY
from tests.core.dialects.programs import of_record

REFUSED = {"eigen": {"eigh", "svd", "pinv"}}


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
    return bool(re.search(r'print\("L( =)?"', text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_operation_is_written_completely_or_refused_with_node_language_and_remedy(language):
    refused = set()
    for op, record in REGISTRY.items():
        for document in of_record(record):
            try:
                assert is_complete(export(document, language).text, language), op
            except Refused as refusal:
                refused.add(op)
                title = "Eigen" if language == "eigen" else CODE[language].title
                assert str(refusal) == f"y: {op} of such operands cannot be said in {title}; choose another language"
    assert refused == REFUSED.get(language, set())


def test_languages_are_programs_or_texts():
    assert set(LANGUAGES) == {*PROGRAMS, *READ, "eigen"}
