"""Exported programs are scripts too: run here, they print the engine's values and gradients, without the libraries."""

from __future__ import annotations

import pytest

from cadena.core.dialects.export import PROGRAMS, export
from cadena.core.lessons import lessons, open_lesson
from cadena.core.ops.primitive import REGISTRY
from tests.core.dialects.programs import differences, expected, of_record, printed
from tests.core.scripts.reading import read
from tests.thorough import some


def wrong(document, language, relative):
    found = printed(read(export(document, language).text, language).printed)
    return list(differences(found, expected(document), relative))


@pytest.mark.some(2)
@pytest.mark.parametrize("language", PROGRAMS)
def test_every_operation_that_is_written_is_read_back_with_its_result_and_gradients(language):
    found = {}
    for op, record in REGISTRY.items():
        for _, number, document in some((op, *case) for case in enumerate(of_record(record))):
            if differs := wrong(document, language, 1e-10):
                found[op, number] = differs
    assert not found


@pytest.mark.parametrize("language", PROGRAMS)
def test_every_lesson_is_read_back(language):
    found = {}
    for lesson in lessons():
        if differs := wrong(open_lesson(str(lesson.number)), language, 1e-6):
            found[lesson.number] = differs
    assert not found
