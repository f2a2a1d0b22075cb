"""`cadena fix FILE -o OUT`: fixes of bad numbers, the doctor's, applied one after the other."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace

from cadena.core.doctor.fixes.fix import Fix
from cadena.core.doctor.fixes.offers import fixes
from cadena.core.front import Run, compile
from cadena.core.graph.fault import BAD_NUMBERS, Fault, Refused
from cadena.core.notation.in_script import line_text
from cadena.core.storage.files import read, save
from cadena.core.text.plain_text import ascii_minus
from cadena.core.verbs.printing import complain_of_causes, print_line

MOST = 20  # fixes, each of which cures a fault and lets none in, so that this many are never needed


def add_options(verb: ArgumentParser) -> None:
    option = verb.add_argument
    option("-o", "--out", metavar="OUT", required=True, help="the .cadena file to write")
    titles = "how the title of a fix begins, as `cadena run` lists it; repeatable (default: the best for each fault)"
    option("--title", metavar="TITLE", action="append", default=[], help=titles)
    option("--force", action="store_true", help="write over a file that is there already")


def fix(options: Namespace) -> int:
    """Exit status 0, or 1 where bad numbers are left. A line for each fix says what it changes."""
    if os.path.lexists(options.out) and not options.force:
        raise Refused("{file}: there is such a file already", "choose another name, or --force", file=options.out)
    run = compile(read(options.file)).run()
    if not _bad(run):
        raise Refused("{file}: no number in it is inf or nan", "there is nothing to fix", file=options.file)
    unused, done = list(options.title), 0
    while done < MOST and (offer := _first(run, unused)) is not None:
        fault, chosen = offer
        place = line_text(run.program.document, fault.node)
        print_line(
            f"{fault.node}{f' ({place})' if place else ''}: {ascii_minus(chosen.title)}: {ascii_minus(chosen.sentence)}"
        )
        run = compile(chosen.apply(run.program.document)).run()
        unused, done = [title for title in unused if not _begins(chosen, title)], done + 1
        if options.title and not unused:
            break
    if unused:
        raise Refused("{file}: --title {title}: no such fix is on offer", "`cadena run` lists them",
                      file=options.file, title=unused[0])  # fmt: skip
    if not done:
        raise Refused("{file}: no fix is known for its bad numbers", "`cadena run` says what causes them",
                      file=options.file)  # fmt: skip
    save(run.program.document, options.out)
    return complain_of_causes(run, run.faults, options.out)


def _bad(run: Run) -> list[Fault]:
    return [fault for fault in run.faults if fault.kind in BAD_NUMBERS and fault.severity == "fault"]


def _first(run: Run, titles: list[str]) -> tuple[Fault, Fix] | None:
    """The first fault that has a fix, and its best one; with `titles`, the first fix that one of them names."""
    for fault in _bad(run):
        for offer in fixes(run.program.document, run, fault):
            if not titles or any(_begins(offer, title) for title in titles):
                return fault, offer
    return None


def _begins(offer: Fix, title: str) -> bool:
    return ascii_minus(offer.title).casefold().startswith(ascii_minus(title).casefold())
