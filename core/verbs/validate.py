"""`cadena validate FILE`: whether a file can be read, and every fault of its graph and of its story."""

from __future__ import annotations

from argparse import Namespace

from cadena.core.front import Run, compile
from cadena.core.graph.document import Document
from cadena.core.graph.fault import Refused
from cadena.core.methods.choosing import timeline_of
from cadena.core.methods.names import Method
from cadena.core.storage.files import read
from cadena.core.teaching.lessons import opening_method
from cadena.core.teaching.story import missing_moments, story_of
from cadena.core.text.numbers import number_of
from cadena.core.text.wording import Clause
from cadena.core.verbs.printing import complain, complain_of_faults, print_line


def validate(options: Namespace) -> int:
    """Exit status 0, or 1 when there are faults; each is a line on standard error."""
    document = read(options.file)
    run = compile(document).run()
    of_story = story_faults(document, run)
    counts = (_count(len(document.nodes), "node"), _count(len(run.faults) + len(of_story), "fault"))
    print_line(f"{options.file}: {', '.join(counts)}")
    status = complain_of_faults(run.faults, options.file, document)
    for fault in of_story:
        complain(f"{options.file}: {fault}")
    return max(status, int(bool(of_story)))


def story_faults(document: Document, run: Run) -> tuple[Clause, ...]:
    """What is wrong with the story of a lesson, in its text and in its moments."""
    story = story_of(document)
    try:
        timeline = timeline_of(run, opening_method(document) or Method(), whole=True)
    except Refused as refusal:
        if story.view.settings is None:  # a fault of the graph, which the run reports
            return story.faults
        what = "lesson, view: with these settings there are no steps: {reason}"
        return (*story.faults, Clause(what, operands={"reason": refusal.clause}))
    return (*story.faults, *missing_moments(story, timeline))


def _count(number: int, word: str) -> str:
    return number_of(number, word) if number else f"no {word}s"
