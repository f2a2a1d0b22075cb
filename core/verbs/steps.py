"""`cadena steps FILE`: the chain rule, or another method, step by step, in sentences or as JSON."""

from __future__ import annotations

from argparse import Namespace

from cadena.core.methods.reverse.step_text import step_sentence
from cadena.core.methods.reverse.timeline import Timeline
from cadena.core.text.plain_text import ascii_minus
from cadena.core.verbs.method import requested_timeline
from cadena.core.verbs.printing import complain_of_causes, print_json, print_line
from cadena.core.verbs.request import requested_run
from cadena.core.verbs.run import faults_of


def steps(options: Namespace) -> int:
    """Exit status 0, or 1 when the graph has faults; each is a line on standard error."""
    run = requested_run(options)
    timeline = requested_timeline(options, run)
    if options.json:
        from cadena.core.verbs.step_report import step_report

        print_json({"steps": [step_report(timeline, index) for index in range(len(timeline))]})
    else:
        _print_sentences(timeline)
    return complain_of_causes(run, faults_of(run, options.mode), options.file)


def _print_sentences(timeline: Timeline) -> None:
    """Print a numbered line for each step; a line above each pass, except for the forward and the reverse pass."""
    headings, width = timeline.headings, len(str(len(timeline)))
    for index in range(len(timeline)):
        if index in headings:
            print_line(ascii_minus(headings[index]))
        print_line(f"{index + 1:{width}}. {ascii_minus(step_sentence(timeline, index))}")
