"""Cadena starts here: the window, or a verb of the command line, which never waits for the window to be imported."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import cadena
from cadena.core.graph.fault import Refused
from cadena.core.storage.files import read, reason, write
from cadena.core.verbs.parser import parse
from cadena.core.verbs.printing import complain, complain_of_causes
from cadena.core.verbs.wording import REMEDIES

if TYPE_CHECKING:
    from cadena.core.methods.reverse.timeline import Timeline
    from cadena.core.teaching.exercise_sheet import ExerciseSheet

DEMO = "cadena-demo.png"

atexit.register(gc.freeze)  # Python would look for garbage in all that is about to go, a tenth of a short run


def main(words: Sequence[str] | None = None) -> int:
    """Do what the command line says; the exit status: 0 done, 1 faults in the graph, 2 bad usage or unreadable file."""
    before, output = sys.stdout, Output(sys.stdout)
    try:
        if before is not None:  # as in a program without a console on Windows
            sys.stdout = output
        return _do(sys.argv[1:] if words is None else words)
    except Refused as refusal:
        complain(refusal.worded(REMEDIES))
    except ImportError as error:
        if "PySide6" not in (error.path or ""):
            raise
        complain(f"Qt cannot be loaded ({error}); install that library (in a checkout, make setup finds all of them)")
    except MemoryError:
        complain("the graph needs more memory than there is; make its arrays smaller")
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        if output.failed:
            _drop_output()
            if isinstance(error, BrokenPipeError):  # the reader, such as head, has seen enough
                return 141
            complain(f"standard output: it cannot be written: {reason(error)}")
        else:
            complain(f"{error.filename}: {reason(error)}" if error.filename else reason(error))
    finally:
        sys.stdout = before
    return 2


class Output:
    """Standard output, which remembers whether it could be written: an OSError may come from anywhere else."""

    def __init__(self, stream: TextIO) -> None:
        self._stream, self.failed = stream, False

    def write(self, text: str) -> int:
        return self._watch(self._stream.write, text)

    def flush(self) -> None:
        self._watch(self._stream.flush)

    def _watch(self, call: Callable[..., Any], *arguments: str) -> Any:
        try:
            return call(*arguments)
        except OSError:
            self.failed = True
            raise

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _do(words: Sequence[str]) -> int:
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a terminal that lacks a character is no reason to stop
            stream.reconfigure(errors="replace")
    try:
        options = parse(words)
        status = verb(options.verb)(options)
    except SystemExit as done:  # --help and --version
        status = int(done.code or 0)
    if sys.stdout is not None:
        sys.stdout.flush()
    return status


def _drop_output() -> None:
    """What is still to be written goes nowhere, so that Python does not complain when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def window(options: Namespace) -> int:
    """The window, on a file or on the first lesson; without a display a picture and a table instead."""
    for path in filter(None, (options.file, *options.more)):
        if not _is_pipe(path):  # which can be read only once
            read(path)  # what cannot be read is said here, where the user is looking
    return _open(options.file, *options.more)


def _is_pipe(path: str) -> bool:
    try:
        return Path(path).is_fifo()
    except OSError:  # which reading it will tell
        return False


def lessons(options: Namespace) -> int:
    """The list of lessons, or one of them in the window."""
    from cadena.core.teaching.lessons import lesson_path
    from cadena.core.verbs.lessons import print_lessons

    if options.name is None:
        print_lessons()
        return 0
    return _open(str(lesson_path(options.name)))


def _open(path: str | None, *more: str) -> int:
    gc.disable()  # what the first frame needs is no garbage, and looking for some takes a tenth of the start
    from cadena.gui.look import screens

    if not screens.is_there():
        gc.enable()
        return _demonstrate(path)
    from cadena.gui.window.app import start

    return start(path, *more)


def _demonstrate(path: str | None) -> int:
    from cadena.core.teaching.lessons import lesson_path
    from cadena.core.verbs.run import print_values
    from cadena.gui.export import picture

    shown = path or str(lesson_path("1"))
    document = cadena.load(shown)
    made = cadena.compile(document).run()
    picture.render(made.timeline, Path(DEMO), title=document.title or Path(shown).stem)
    print(f"There is no display, so the window stays closed; {shown} is drawn in {DEMO}, and these are its numbers:\n")
    print_values(made)
    return 0


def render(options: Namespace) -> int:
    """A picture of the graph. Exit status 0, or 1 when the graph has faults; each is a line on standard error."""
    from cadena.core.verbs.method import requested_timeline
    from cadena.core.verbs.render import check_options
    from cadena.core.verbs.request import requested_run
    from cadena.core.verbs.run import faults_of

    check_options(options)
    made = requested_run(options)
    timeline = requested_timeline(options, made)
    _check_steps(options, len(timeline))
    title = made.program.document.title or Path(options.file).stem
    _write_rendered(timeline, title, options)
    return complain_of_causes(made, faults_of(made, options.mode), options.file)


def _check_steps(options: Namespace, count: int) -> None:
    for option in ("step", "from_step", "to_step"):
        step = getattr(options, option)
        if step is not None and not 0 <= step <= count:
            raise Refused(
                "{file}: --{option} {step}: there is no such step",
                "give one from 0 to {count}",
                file=options.file,
                option=option.replace("_", "-"),
                step=step,
                count=count,
            )


def _write_rendered(timeline: Timeline, title: str, options: Namespace) -> None:
    """Write what the ending of the file's name asks for."""
    if options.out.suffix.lower() == ".html":
        from cadena.core.html_page.page import play_page

        try:
            page = play_page(timeline, title, options.theme or "auto", options.step or 0)
        except Refused as refusal:
            raise refusal.at(options.file) from None
        write(page.encode(), options.out)
        return
    from cadena.gui.export.rendered import write_rendered

    write_rendered(timeline, title, options)


def handout(options: Namespace) -> int:
    """A handout as PDF. Exit status 0, or 1 when the graph has faults; each is a line on standard error."""
    from cadena.core.verbs.method import requested_timeline
    from cadena.core.verbs.request import requested_run
    from cadena.core.verbs.run import faults_of

    made = requested_run(options)
    timeline = requested_timeline(options, made)
    from cadena.gui.export.handout import handout_of

    title = made.program.document.title or Path(options.file).stem
    try:
        content = handout_of(timeline, title, options.blanks, options.paper)
    except Refused as refusal:
        raise refusal.at(options.file) from None
    write(content, options.out)
    return complain_of_causes(made, faults_of(made, options.mode), options.file)


def exercise(options: Namespace) -> int:
    """Exercise sheets, of which PDFs alone need the window's painters."""
    from cadena.core.verbs.exercise import exercise

    def write_pdf(sheets: Iterable[ExerciseSheet], title: str, paper: str, out: Path) -> None:
        from cadena.gui.export.exercise_pdf import writing

        for _ in writing(sheets, title, paper, out):
            pass

    return exercise(options, write_pdf)


def desktop(options: Namespace) -> int:
    """Cadena in the menus of the desktop, or no longer there."""
    from cadena.core.verbs.desktop import desktop
    from cadena.gui.look.icon import icon_png

    return desktop(options, icon_png)


OF_THE_WINDOW: dict[str, Callable[[Namespace], int]] = {
    "window": window,
    "render": render,
    "handout": handout,
    "exercise": exercise,
    "lessons": lessons,
    "desktop": desktop,
}


def verb(name: str) -> Callable[[Namespace], int]:
    """What a verb does: the function of its name in the file of its name, so that no verb waits for another."""
    if name in OF_THE_WINDOW:
        return OF_THE_WINDOW[name]
    name = {"import": "import_script"}.get(name, name)  # which is a keyword
    found: Callable[[Namespace], int] = getattr(import_module(f"cadena.core.verbs.{name}"), name)
    return found


if __name__ == "__main__":
    sys.exit(main())
