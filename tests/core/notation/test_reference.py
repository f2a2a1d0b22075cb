from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from cadena.core.notation.reference import PAGE_FILE, entry, page
from cadena.core.ops.primitive import REGISTRY
from tests.thorough import in_turn

ROOT = Path(__file__).parents[3]


def test_the_page_of_operations_is_up_to_date():
    assert PAGE_FILE.read_text("utf-8") == page(), "make reference"


def test_the_page_is_written_by_its_module():
    before = PAGE_FILE.read_bytes()
    command = [sys.executable, "-W", "error", "-m", "cadena.core.notation.reference"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert PAGE_FILE.read_bytes() == before


def test_every_operation_has_its_entry_on_the_page():
    assert sorted(re.findall(r"^### (\w+)$", page(), re.MULTILINE)) == sorted(REGISTRY)


@in_turn("name", REGISTRY)
def test_an_entry_tells_what_the_record_knows(name):
    record, text = REGISTRY[name], entry(REGISTRY[name])
    assert all(known in text for known in (record.title, record.doc, record.edges, record.source))
    assert all(f"**{slot.label}**" in text for slot in record.slots)
    assert all(f"attribute **{attribute.name}**" in text and attribute.doc in text for attribute in record.attributes)
    assert text.count("∂") >= 2 * sum(slot.differentiable for slot in record.slots)
    assert text.count("$") % 2 == 0
    assert "Symbol" not in text and "lambda" not in text
    assert text.count("- Edge points: ") == text.count("- Source: ") == 1


@in_turn("name", REGISTRY)
def test_no_derivative_is_a_word_that_says_nothing(name):
    """Such as "spread(∂L/∂y)": it is a formula, or a sentence."""
    assert not any(isinstance(slot.shown, str) for slot in REGISTRY[name].slots)
