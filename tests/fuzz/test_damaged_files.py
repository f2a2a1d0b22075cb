"""Damaged files through every stage: a document or one sentence, and never anything else.

Each number is a file: `damaged_file(number)` makes it again.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from random import Random
from unicodedata import category

import pytest
from PySide6.QtWidgets import QApplication

import cadena
import cadena.main as program
from cadena.core.doctor.findings.hints import hints
from cadena.core.doctor.findings.layers import by_layer
from cadena.core.doctor.fixes.offers import fixes
from cadena.core.graph.document import Document
from cadena.core.graph.fault import Refused
from cadena.core.methods.names import METHODS
from cadena.core.storage.encoding import encode
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.background import worker
from cadena.gui.session.playback import STEP_SECONDS
from tests.fuzz.conftest import Report, Rounds
from tests.fuzz.damage import damaged, whole_files
from tests.fuzz.failures import Failures
from tests.gui.conftest import leave, make_user
from tests.gui.user import User, rest

PARTS = 10
SHORT, LONG = 200, 10_000
WHOLE = whole_files()


def damaged_file(number: int) -> bytes:
    chance = Random(number)
    return damaged(chance.choice(WHOLE), chance)


@pytest.fixture(scope="module")
def reader(qapp, tmp_path_factory) -> Iterator[User]:
    """A user of a window in which one file after the other is opened."""
    user = make_user(tmp_path_factory.mktemp("home"), (1000, 700))
    yield user
    leave(user)


@pytest.mark.some(3)
@pytest.mark.parametrize("part", range(PARTS))
def test_whatever_a_file_holds_it_is_a_document_or_one_sentence(part, reader, tmp_path, rounds: Rounds, report: Report):
    failures, read = Failures(), 0
    numbers = range(part, rounds(SHORT, LONG), PARTS)
    for number in numbers:
        path = tmp_path / f"{number}.cadena"
        path.write_bytes(damaged_file(number))
        with failures.recorded(f"file {number}, reading"):
            read += through_every_stage(path, reader, failures, number // PARTS % rounds(10, 1) == 0)
    report(
        f"damaged files, part {part}", f"{len(numbers)} files, {read} of them readable; {len(failures.kinds)} failures"
    )
    assert not failures.kinds, failures.summary()


def through_every_stage(path: Path, reader: User, failures: Failures, all_of_them: bool) -> bool:
    """Whether the file can be read; then all is done with it, by the verbs and in the window only if `all_of_them`."""
    number = path.stem
    try:
        document = cadena.load(path)
    except Refused as refusal:
        assert_one_sentence(str(refusal))
        for verb in ("validate", "run"):
            assert verb_on(path, verb)[0] == 2
        return False
    with failures.recorded(f"file {number}, saving"):
        save_and_load(document, path.with_suffix(".again.cadena"))
    with failures.recorded(f"file {number}, the engine"):
        examine(document)
    if not all_of_them:
        return True
    for verb, *options in ways(path):
        with failures.recorded(f"file {number}, {verb} {' '.join(options)}"):
            verb_on(path, verb, *options)
    with failures.recorded(f"file {number}, the window"):
        show(path, reader)
    return True


def assert_one_sentence(message: str) -> None:
    odd = {sign for sign in message if category(sign) in ("Cc", "Cs", "Zl", "Zp")}
    assert message.strip() and not odd, f"no single line: {message!r}"


def save_and_load(document: Document, path: Path) -> None:
    cadena.save(document, path)
    again = cadena.load(path)
    assert again.nodes == document.nodes and again.functions == document.functions
    assert encode(again) == encode(document) == path.read_bytes()


def examine(document: Document) -> None:
    """Compile, run, gradients, faults, hints and fixes."""
    run = cadena.compile(document).run()
    for name in document.nodes:
        run.value(name), run.gradient(name)
    hinted = hints(run, digits=True)
    assert by_layer(run) is not None
    for fault in (*run.faults, *hinted):
        assert_one_sentence(fault.message)
        for fix in fixes(document, run, fault):
            cadena.compile(fix.apply(document)).run()


# --- the command line


def ways(path: Path) -> Iterator[tuple[str, ...]]:
    """Verbs and their options; of the rarer ones a few, by the file's number."""
    chance = Random(path.name)
    yield ("validate",)
    yield ("run", *chance.choice(((), ("--json",), ("--explain",), ("--dtype", "float16"))))
    yield ("check", *chance.choice(((), ("--json",))))
    for mode in METHODS:
        yield ("steps", "--mode", mode, *chance.choice(((), ("--json",))))
    out = path.with_suffix(chance.choice((".png", ".svg")))
    yield ("render", "-o", str(out), "--mode", chance.choice(list(METHODS)), "--size", "400x300")


def verb_on(path: Path, verb: str, *options: str) -> tuple[int, str]:
    """Exit status and standard error of a verb, both as they were promised."""
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()) as errors:
        status = program.main([verb, str(path), *options])
    told = errors.getvalue()
    assert status in (0, 1, 2), f"status {status}"
    assert "Traceback" not in told and all(line.startswith("cadena: ") for line in told.splitlines())
    if status == 2:
        assert told.endswith("\n") and told.count("\n") == 1
        assert_one_sentence(told[:-1])
    return status, told


# --- the window


def show(path: Path, reader: User) -> None:
    """Open it, paint it, play a few steps by one of the methods, go into one of its calls and out again."""
    window, session, chance = reader.window, reader.session, Random(path.name)
    reader.answers.leave = "discard"
    assert window.files.open_path(path), window.toast.text.text()
    session.show_live()
    paint(reader)
    session.choose_method(chance.choice(list(METHODS)))
    session.finish_steps()
    session.set_time(math.floor(chance.random() * len(session.timeline)))
    for _ in range(3):
        session.playback.advance(0.7 * STEP_SECONDS)
    paint(reader)
    session.choose_method("reverse")
    if calls := [name for name in session.document.nodes if window.canvas.functions.is_call(name)]:
        session.select([chance.choice(calls)])
        window.levels.enter(*session.selection)
        paint(reader)
        window.levels.leave(0)
    session.open(open_lesson("1"), None)
    for thread in tuple(worker.running):
        thread.cancel()
        thread.finish()
    rest()


def paint(reader: User) -> None:
    QApplication.processEvents()
    assert not reader.window.grab().isNull()
