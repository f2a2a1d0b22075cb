"""A monkey in the whole window: nothing is raised, what is shown belongs together, and all of it can be undone."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from cadena.core.graph import order as graph
from cadena.core.graph.document import Document
from cadena.core.teaching.lessons import lessons, open_lesson
from cadena.gui.background.garbage_collector import Collector
from cadena.gui.session.session import Session
from tests.fuzz.agreement import agree
from tests.fuzz.conftest import Report, Rounds
from tests.fuzz.failures import Failures
from tests.fuzz.monkey import Monkey, MonkeyAmongMany
from tests.gui.conftest import leave, make_user
from tests.gui.user import User, settle

MONKEYS = 10
SHORT, LONG = 25, 5_000  # acts of each monkey
MONKEYS_AMONG_MANY, LONG_AMONG_MANY = 2, 500
SEEN = 4  # acts from one look at the screen to the next in the long run, where a third of the time went into them
BETWEEN = 25  # acts from one look to the next


class Firsts:
    """The first document of each level that is shown: what undoing everything gives back."""

    def __init__(self, user: User) -> None:
        self.session, self.inside = user.session, user.window.inside
        self.documents: list[Document] = [self.session.document]
        self.session.opened.connect(self._open)
        self.inside.changed.connect(self._walk)

    def _open(self) -> None:
        session = self.session
        histories = [*(level.around.history for level in session.levels), session.history] if session.comes_back else []
        oldest = [history.past[0].document if history.past else history.present for history in histories]
        self.documents = oldest or [session.document]

    def _walk(self) -> None:
        depth = len(self.inside.levels)
        if depth >= len(self.documents):
            self.documents.append(self.session.document)
        self.documents = self.documents[: depth + 1]


@pytest.fixture(scope="module")
def player(qapp, tmp_path_factory) -> Iterator[User]:
    """As in the program, garbage is searched for in the interface's thread alone."""
    user = make_user(tmp_path_factory.mktemp("home"), (1280, 800))
    collector = Collector(user.window)
    user.session.edited.connect(collector.collect)  # while the tests wait, the loop of events never blocks
    yield user
    gc.enable()
    leave(user)


@pytest.mark.some(2)
@pytest.mark.parametrize("seed", range(MONKEYS))
def test_whatever_a_monkey_does_can_be_undone_and_done_again(seed, player, tmp_path, rounds: Rounds, report: Report):
    monkey = Monkey(player.window, player.answers, tmp_path, seed)
    listed = lessons()
    player.session.open(open_lesson(listed[seed % len(listed)].name), None)
    settle()
    failures = let_loose(monkey, player, rounds(SHORT, LONG), f"monkey {seed}", report)
    assert not failures.kinds, failures.summary()


@pytest.mark.some(1)
@pytest.mark.parametrize("seed", range(MONKEYS_AMONG_MANY))
def test_the_screen_keeps_up_with_a_monkey_in_a_large_graph(seed, player, tmp_path, rounds: Rounds, report: Report):
    monkey = MonkeyAmongMany(player.window, player.answers, tmp_path, seed)
    monkey.begin_anew()
    failures = let_loose(monkey, player, rounds(SHORT, LONG_AMONG_MANY), f"monkey {seed} among many", report)
    assert not failures.kinds, failures.summary()


def let_loose(monkey: Monkey, player: User, acts: int, who: str, report: Report) -> Failures:
    """Let it act so often, and look at everything after each act. Returns what was wrong."""
    failures, firsts = Failures(), Firsts(player)
    for number in range(1, acts + 1):
        with failures.recorded(f"{who}, act {number}") as kinds:
            monkey.act()
            agree(player, with_screen=acts == SHORT or number % SEEN == 0)
        if kinds:
            failures.add_history(kinds, monkey.done)
        if number % BETWEEN == 0:
            with failures.recorded(f"{who}, look {number}") as kinds:
                all_is_well(player, firsts.documents[-1])
            if kinds:
                failures.add_history(kinds, monkey.done)
    report(who, f"{acts} acts; {len(failures.kinds)} failures")
    return failures


def all_is_well(player: User, first: Document) -> None:
    window, session = player.window, player.session
    player.canvas.cancel_gesture()
    settle()
    document = session.document
    assert graph.order(document)[1] == [], "an edit closed a cycle"
    assert not window.grab().isNull()
    undo_and_redo(session, first)
    settle()


def undo_and_redo(session: Session, first: Document) -> None:
    """All the way back is the first document, all the way forth the last; and then back to where it was."""
    now, ahead = session.document, len(session.history.future)
    while session.history.future:
        session.redo()
    last, steps = session.document, 0
    while session.history.past:
        session.undo()
        steps += 1
    assert session.document == first, "undoing everything gave another document"
    for _ in range(steps):
        session.redo()
    assert session.document == last, "doing everything again gave another document"
    for _ in range(ahead):
        session.undo()
    assert session.document == now
