"""`cadena fix FILE -o OUT`: fixes of bad and of unreliable numbers, the doctor's, applied one after the other."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence

from cadena.core.doctor.findings.causes import causes
from cadena.core.doctor.fixes.fix import Fix
from cadena.core.doctor.fixes.offers import fixes
from cadena.core.front import Run, compile
from cadena.core.graph.fault import BAD_NUMBERS, Fault, Kind, Refused
from cadena.core.notation.in_script import line_of_fault
from cadena.core.storage.files import read, save
from cadena.core.text.plain_text import ascii_minus
from cadena.core.verbs.explaining import affordable_hints
from cadena.core.verbs.explanation import MAX_LISTED
from cadena.core.verbs.printing import complain_of_causes, print_line
from cadena.core.verbs.wording import REMEDIES

MOST = 20  # fixes, each of which cures a fault and lets none in, so that this many are never needed


def add_options(verb: ArgumentParser) -> None:
    option = verb.add_argument
    option("-o", "--out", metavar="OUT", required=True, help="the .cadena file to write")
    titles = "how the title of a fix begins, as `cadena run` lists it; repeatable (default: the best for each fault)"
    option("--title", metavar="TITLE", action="append", default=[], help=titles)
    option("--force", action="store_true", help="write over a file that is there already")


def fix(options: Namespace) -> int:
    """Exit status 0, or 1 where bad numbers are left. A line for each fix says what it changes; a line for each
    remaining fault or hint says that it has no fix."""
    if os.path.lexists(options.out) and not options.force:
        raise Refused("{file}: there is such a file already", "choose another name, or --force", file=options.out)
    run = compile(read(options.file)).run()
    if violated := next((fault for fault in run.faults if fault.kind is Kind.VIOLATED_GUARD), None):
        # The code would compute other numbers than these, so that there is nothing to cure in them.
        raise Refused("{file}: {place}: {what}", file=options.file, place=_place(run, violated),
                      what=violated.after_node(REMEDIES))  # fmt: skip
    if not _problems(run):
        raise Refused("{file}: it has neither faults nor hints", "there is nothing to fix", file=options.file)
    unused, done = list(options.title), 0
    while done < MOST and (offer := _first(run, unused)) is not None:
        fault, chosen = offer
        print_line(f"{_place(run, fault)}: {ascii_minus(chosen.title)}: {ascii_minus(chosen.sentence)}")
        run = compile(chosen.apply(run.program.document)).run()
        unused, done = [title for title in unused if not _begins(chosen, title)], done + 1
        if options.title and not unused:
            break
    if unused:
        raise Refused("{file}: --title {title}: no such fix is on offer", "`cadena run` lists them",
                      file=options.file, title=unused[0])  # fmt: skip
    left = () if options.title else _problems(run)
    for problem in left[:MAX_LISTED]:
        print_line(f"{_place(run, problem)}: no fix is known for this: {ascii_minus(problem.after_node(REMEDIES))}")
    if not done:
        raise Refused("{file}: no fix is known for its numbers", "`cadena run` says what causes them",
                      file=options.file)  # fmt: skip
    save(run.program.document, options.out)
    return complain_of_causes(run, run.faults, options.out)


def _place(run: Run, fault: Fault) -> str:
    line = line_of_fault(run.program.document, fault)
    return f"{fault.node} ({line})" if line else fault.node


def _problems(run: Run) -> tuple[Fault, ...]:
    """What is wrong with the numbers: the faults that no other explains, then the hints."""
    return (*(cause.fault for cause in causes(run, _bad(run))), *_hints(run))


def _bad(run: Run) -> list[Fault]:
    return [fault for fault in run.faults if fault.kind in BAD_NUMBERS and fault.severity == "fault"]


def _hints(run: Run) -> tuple[Fault, ...]:
    """The hints at a run, those at an inf that harms nothing first."""
    harmless = (fault for fault in run.faults if fault.kind in BAD_NUMBERS and fault.severity == "hint")
    return (*harmless, *affordable_hints(run))


def _first(run: Run, titles: list[str]) -> tuple[Fault, Fix] | None:
    """The first fault, or else hint, that has a fix, and its best one; with `titles`, the first fix that one names."""
    looks: tuple[Callable[[Run], Sequence[Fault]], ...] = (_bad, _hints)  # hints only where no fault is left
    for look in looks:
        for problem in look(run):
            for offer in fixes(run.program.document, run, problem):
                if not titles or any(_begins(offer, title) for title in titles):
                    return problem, offer
    return None


def _begins(offer: Fix, title: str) -> bool:
    return ascii_minus(offer.title).casefold().startswith(ascii_minus(title).casefold())
