"""What a fuzzer found: one of each kind, how often, and by which number it comes again."""

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
HANGS = 600  # seconds after which a try hangs: where is printed, and the run ends


class Finds:
    """Errors by where they come from, so that a thousand of one kind are one line."""

    def __init__(self) -> None:
        self.kinds: dict[str, list[str]] = {}

    @contextmanager
    def looking(self, where: str) -> Iterator[list[str]]:
        """What is raised in here, in a slot of Qt or in a thread too, or warned of by Qt, is a find.

        The list that is given is filled at the end with what was found. A hang ends the run, with a dump.
        """
        found: list[str] = []
        faulthandler.dump_traceback_later(HANGS, exit=True, file=sys.__stderr__)
        with _warnings() as warned, capture_exceptions() as raised:
            try:
                yield found
            except Exception as error:  # whatever it is, it should not have come out
                raised.append((type(error), error, error.__traceback__))
        faulthandler.cancel_dump_traceback_later()
        kinds = {_kind(error): "".join(traceback.format_exception(error)) for _, error, _ in raised}
        for kind, text in (kinds | {f"Qt: {line}": line for line in warned}).items():
            found.append(kind)
            if kind not in self.kinds:
                print(f"{where}: {kind}", flush=True)  # with -s a long run tells what it finds at once
            self.kinds.setdefault(kind, []).append(f"{where}\n{text}")

    def add_story(self, kinds: Iterable[str], acts: Iterable[str]) -> None:
        """What led to the last find of these kinds."""
        for kind in kinds:
            self.kinds[kind][-1] += "After\n  " + "\n  ".join(acts)

    def told(self) -> str:
        """A paragraph for each kind: how often, and the first of them in full."""
        told = (f"{len(found)} times: {kind}; first in {found[0]}" for kind, found in self.kinds.items())
        return "\n\n".join(told)


@contextmanager
def _warnings() -> Iterator[list[str]]:
    """What Qt warns of, but for what a screen that is none cannot do."""
    told: list[str] = []

    def hear(kind: QtMsgType, _: object, message: str) -> None:
        if kind is not QtMsgType.QtDebugMsg and not message.startswith("This plugin does not support"):
            told.append(message)

    before = qInstallMessageHandler(hear)
    try:
        yield told
    finally:
        qInstallMessageHandler(before)


def _kind(error: BaseException) -> str:
    """The error and the place in our own code where it was raised."""
    ours = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith(str(ROOT))]
    ours = [frame for frame in ours if "site-packages" not in frame.filename]
    place = f"{Path(ours[-1].filename).name}:{ours[-1].name}" if ours else "nowhere in our code"
    return f"{type(error).__name__} in {place}"
