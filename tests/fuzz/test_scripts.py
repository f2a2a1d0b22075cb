"""Damaged scripts: each ends with a graph or a sentence with its line, and never with a fault of ours."""

from __future__ import annotations

import random
import re
from pathlib import Path

from cadena.core.scripts.running import run
from tests.core.scripts.test_running import LISTING

SAMPLES = Path(__file__).parents[1] / "core" / "scripts" / "samples"
PIECES = (
    *"()[]{},:=+-*/@.'\"#\n\t 0_9e",
    *("None", "1e999", "[]", "-1", "'x'", "lambda: 0", "return", "import os", "open('x')", "float('nan')", "10**9"),
    *("print", "x", ".T", ".shape", ".backward()", "**", "True", "del x", "yield", "global w", "(1, 2)", "np.ones(3)"),
)
OURS = re.compile(r"AssertionError|InternalError|UnboundLocalError|cadena|'Traced'|NoneType.*_node|Traceback")


def damaged(rng: random.Random, texts: list[str]) -> str:
    """A script with words taken out, put in or exchanged, or lines moved."""
    lines = rng.choice(texts).splitlines()
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(lines))
        words = re.findall(r"\w+|\W", lines[at]) or [""]
        place = rng.randrange(len(words))
        match rng.randrange(4):
            case 0:
                words[place] = rng.choice(PIECES)
            case 1:
                del words[place]
            case 2:
                words.insert(place, rng.choice(PIECES))
            case _:
                words = [lines[at], "\n", rng.choice(lines)]
        lines[at] = "".join(words)
    return "\n".join(lines)


def test_damaged_scripts_end_with_a_sentence(rounds, report):
    texts = [LISTING, *(path.read_text("utf-8") for path in sorted(SAMPLES.glob("*.txt")))]
    rng, faults, tries = random.Random(12), 0, rounds(12, 1500)
    for _ in range(tries):
        text = damaged(rng, texts)
        result = run(text, seconds=5)
        if result.fault is None:
            assert result.document is not None
            continue
        faults += 1
        sentence = result.fault.sentence
        assert "\n" not in sentence and sentence and not OURS.search(sentence), (sentence, text)
        assert 0 <= result.fault.line <= text.count("\n") + 1, (result.fault, text)
    report("damaged scripts", f"{tries} tried, {faults} ended with a sentence")
