"""The failures of a fuzzer: one of each kind, how often it occurred, and the seed that repeats it."""

from __future__ import annotations

import faulthandler
import sys
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QtMsgType, qInstallMessageHandler
from pytestqt.exceptions import capture_exceptions

ROOT = Path(__file__).parents[2]
TIME_LIMIT = 600  # seconds after which an attempt hangs: its stack is printed, and the run ends


class Failures:
    """Errors grouped by the place where they are raised, so that a thousand of one kind are one line."""

    def __init__(self) -> None:
        self.kinds: dict[str, list[str]] = {}

    @contextmanager
    def recorded(self, where: str) -> Iterator[list[str]]:
        """Record errors raised in here, in slots of Qt and in threads, and the warnings of Qt.

        The list that it yields is filled at the end with the kinds of these failures. A hang ends the run, with a dump.
        """
        kinds_here: list[str] = []
        faulthandler.dump_traceback_later(TIME_LIMIT, exit=True, file=sys.__stderr__)
        with _warnings() as warnings, capture_exceptions() as raised:
            try:
                yield kinds_here
            except Exception as error:  # no error should reach this place
                raised.append((type(error), error, error.__traceback__))
        faulthandler.cancel_dump_traceback_later()
        kinds = {_kind(error): "".join(traceback.format_exception(error)) for _, error, _ in raised}
        for kind, text in (kinds | {f"Qt: {line}": line for line in warnings}).items():
            kinds_here.append(kind)
            if kind not in self.kinds:
                print(f"{where}: {kind}\n{text}", flush=True)  # with -s a long run prints its failures at once
            self.kinds.setdefault(kind, []).append(f"{where}\n{text}")

    def add_history(self, kinds: Iterable[str], acts: Iterable[str]) -> None:
        """Add the acts before the last failure of these kinds."""
        for kind in kinds:
            self.kinds[kind][-1] += "After\n  " + "\n  ".join(acts)

    def summary(self) -> str:
        """A paragraph for each kind: the number of failures, and the first of them in full."""
        paragraphs = (f"{len(failures)} times: {kind}; first in {failures[0]}" for kind, failures in self.kinds.items())
        return "\n\n".join(paragraphs)


@contextmanager
def _warnings() -> Iterator[list[str]]:
    """The warnings of Qt, except those about the screen that is missing."""
    messages: list[str] = []

    def handle(kind: QtMsgType, _: object, message: str) -> None:
        if kind is not QtMsgType.QtDebugMsg and not message.startswith("This plugin does not support"):
            messages.append(message)

    before = qInstallMessageHandler(handle)
    try:
        yield messages
    finally:
        qInstallMessageHandler(before)


def _kind(error: BaseException) -> str:
    """The error and the place in our own code where it was raised."""
    ours = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith(str(ROOT))]
    ours = [frame for frame in ours if "site-packages" not in frame.filename]
    place = f"{Path(ours[-1].filename).name}:{ours[-1].name}" if ours else "nowhere in our code"
    return f"{type(error).__name__} in {place}"
