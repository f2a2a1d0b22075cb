"""Files of the window: new, open, save, recent ones, and the question before unsaved work would be lost."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, QTimer, Signal

from cadena import resources
from cadena.core.graph.document import Document
from cadena.core.graph.fault import Refused
from cadena.core.layout.arrange import complete
from cadena.core.storage.encoding import encode
from cadena.core.storage.files import contents, decoded, is_gone, write
from cadena.core.teaching.lessons import open_lesson
from cadena.core.text.progress import Report, stretch
from cadena.gui.background.tasks import Order, Task
from cadena.gui.files.on_disk import DiskState, OnDisk, digest_of
from cadena.gui.files.questions import MODEL, SCRIPT, SUFFIX, Conflict, Dialogs, SaveAnswer
from cadena.gui.files.settings import Settings
from cadena.gui.look.wording import worded
from cadena.gui.notices.banner import NoticeAction
from cadena.gui.session.session import Session
from cadena.gui.session.state import name_of

RESOURCES = Path(resources.__file__).parent

READ, DECODED = 0.1, 0.4  # the shares of opening a file that has no places: reading, understanding, arranging


class _ChangedAgain(Exception):
    """The file is no longer the one that the user agreed to replace."""


class DocumentPlaces(Protocol):
    """The places for open documents: the tabs of the window, or the only one."""

    def shows(self, path: Path) -> bool: ...  # bring the document of this file into view, if it is open
    def may_open(self) -> bool: ...  # whether there is a place for one more
    def make_room(self, beside: bool = False) -> None: ...  # for the next document; `beside` the shown one


class Files(QObject):
    """Each action ends well, or says in one sentence why not and leaves the open document as it was."""

    saveFailed = Signal(str)  # one important sentence
    openFailed = Signal(str)  # likewise
    changedOnDisk = Signal(str, list)  # an important sentence, with a list of actions: Choice
    settled = Signal()  # the news about the file is no longer true
    saved = Signal()  # the open document, to its file
    scriptImported = Signal()  # the open document has a script that a file brought
    reloading = Signal()  # another document is about to take the place of the open one

    def __init__(self, session: Session, settings: Settings, questions: Dialogs) -> None:
        super().__init__(session)
        self._session, self._settings, self.questions = session, settings, questions
        self._reading: Path | None = None  # the file that is being opened
        self._waiting: list[Path] = []  # to be opened after it
        self._saving: Task | None = None
        self._is_saved = False  # as the last attempt ended
        self.places: DocumentPlaces = self
        self._disk = OnDisk(self)
        self._announced = self._disk.known  # the state that the user was informed of last
        self._disk.touched.connect(self.look)
        session.opened.connect(self._follow)
        self._mode: tuple[Path | None, bool] = None, False  # the last one that was noted
        for changed in (session.timeChanged, session.fileChanged):
            changed.connect(self._note_mode)

    @property
    def name(self) -> str:
        """The name of the open document: its file's, else its title."""
        return name_of(self._session.path, self._session.document)

    # --- one place for all documents

    def shows(self, path: Path) -> bool:
        return False

    def may_open(self) -> bool:
        return self.may_leave()

    def make_room(self, beside: bool = False) -> None:
        """The document that is opened takes the place of the open one."""

    def may_leave(self) -> bool:
        """Whether the open document may be closed: it is saved, or the user agrees."""
        self._session.settling.emit()
        self.finish_saving()
        if not self._session.modified:
            return True
        answer = self.questions.unsaved(self.name)
        return (self.save() and self.finish_saving()) if answer == "save" else answer == "discard"

    def may_give_up(self) -> bool:
        """Whether exports that are under way may be given up: there are none, or the user agrees."""
        writing = self._session.tasks.writing
        return not writing or self.questions.give_up(writing)

    def ask_to_save(self, names: list[str]) -> SaveAnswer:
        """Ask whether to save several documents, which are about to be closed."""
        return self.questions.all_unsaved(names)

    def new(self) -> None:
        """An empty graph in build mode."""
        if self.places.may_open():
            self.places.make_room()
            self._session.open(Document({}), None, live=True)

    def open(self) -> None:
        """Ask for a file and open it."""
        if (path := self.questions.open_path(self._folder())) is not None:
            self.open_path(path)

    def choose_file(self) -> Path | None:
        """Ask for a file that is not to be opened here."""
        return self.questions.open_path(self._folder())

    def import_script(self) -> None:
        """Ask for a script or a model. A script is put beside the open graph, to be run when the user says so."""
        if (path := self.questions.script_path(self._folder())) is not None:
            self.open_path(path)

    def _import_script(self, path: Path) -> bool:
        from cadena.core.scripts.attached import AttachedScript, with_script
        from cadena.core.scripts.running import script_text

        if self._session.levels:
            self._session.message.emit("Leave the function before you import a script; it makes the whole graph")
            return False
        try:
            script = AttachedScript(script_text(path), path.name)
        except Refused as refusal:
            self._refuse(path, refusal)
            return False
        self._session.edit(lambda document: with_script(document, script), f"Import {path.name}")
        self.scriptImported.emit()
        return True

    def open_path(self, path: Path) -> bool:
        """Open a file, or say why it cannot be opened; import a script. Returns whether it is open, or on the way."""
        if path.suffix == SCRIPT:
            return self._import_script(path)
        if self.places.shows(path):
            return True
        if self._reading is not None:  # one after the other, in the order of their tabs
            self._waiting += [path] if path not in (self._reading, *self._waiting) else []
            return True
        return self.places.may_open() and self._begin_to_open(path)

    def _begin_to_open(self, path: Path) -> bool:
        self._reading, refused = path, list[Refused]()

        def refuse(refusal: Refused) -> None:
            refused.append(refusal)
            self._refuse(path, refusal)

        order = Order(f"Opening {path.name}", partial(self._show_file, path), refuse)
        self._session.tasks.in_thread(order, partial(_read, path)).when_over(self._open_next)
        return not refused

    def _refuse(self, path: Path, refusal: Refused) -> None:
        sentence = worded(refusal.without(str(path)))
        self.openFailed.emit(f"{path.name} was not opened: {sentence}.")

    def _open_next(self) -> None:
        self._reading = None
        if self._waiting:
            QTimer.singleShot(0, self, partial(self.open_path, self._waiting.pop(0)))  # the one before is shown first

    def _show_file(self, path: Path, read: tuple[str, Document]) -> None:
        digest, document = read
        if self.places.shows(path):  # opened meanwhile
            return
        self.places.make_room()
        if RESOURCES in path.resolve().parents or not path.is_file():  # a lesson is never written over, nor a pipe
            self._session.open(document, None)
        elif path.suffix.lower() == MODEL:
            self._session.open(document, None, modified=True)
        else:
            self.know(path.absolute(), digest)
            self._session.open(document, path.absolute(), live=self._settings.was_built(path))
            self._settings.remember_file(path)

    def open_recent(self, path: Path) -> None:
        """Open a file of the list; one that no longer exists leaves the list."""
        if not is_gone(path):
            self.open_path(path)
        else:
            self._settings.forget_file(path)
            self.openFailed.emit(f"{path.name} is no longer in {path.parent}; it was removed from the list.")

    def open_lesson(self, name: str, asks: bool = True) -> None:
        """An untitled copy of a lesson; where it `asks`, only if there is a place for it."""
        if not asks or self.places.may_open():
            self.places.make_room()
            self._session.open(open_lesson(name), None)

    def show_new(self, document: Document) -> None:
        """Open a document that was derived from the open one, as unsaved work."""
        if self.places.may_open():
            self.places.make_room(beside=True)
            self._session.open(document, None, modified=True)

    def save(self) -> bool:
        """Write the document to its file; ask for one when it has none. Returns whether it is saved or on the way."""
        path = self._session.path
        return self._write(path) if path else self.save_as()

    def save_as(self) -> bool:
        """Ask for a file and write the document to it, as `save` does."""
        return self._save_to(self.suggestion(SUFFIX))

    def save_copy(self) -> bool:
        """Save under another name, since another program has changed the document's file."""
        suggestion = self.suggestion(SUFFIX)
        return self._save_to(suggestion.with_stem(f"{suggestion.stem} copy"))

    def _save_to(self, suggestion: Path) -> bool:
        path = self.questions.save_path(suggestion)
        if path is None:
            return False
        return self._write(path if path.suffix else path.with_name(path.name + SUFFIX))

    def _write(self, path: Path, agreed: DiskState | None = None) -> bool:
        """Write the document to `path`; if that is its own file, only over a state that is known or `agreed` to."""
        self._session.settling.emit()
        self.finish_saving()
        self._is_saved = False
        is_own = self._disk.is_at(path)
        agreed = agreed or self._disk.known
        try:
            document = self._session.whole
            while is_own and (state := self._disk.look()) != agreed:  # again, for it may change while the user is asked
                if (answer := self._may_replace(state)) != "overwrite":
                    return self._settle(answer)
                agreed = state
        except Refused as refusal:
            self._fail(refusal)
            return False
        check = partial(self._check_unchanged, agreed) if is_own else lambda: None
        was_gone = is_own and agreed.is_gone

        def come(digest: str | None) -> None:
            if digest is None:
                self._write(path, agreed)
            else:
                self._note_saved(path, document, digest, was_gone)

        order = Order(f"Saving {path.name}", come, self._fail)
        task = self._session.tasks.in_thread(order, partial(_save, document, path, check))
        if not task.is_over:
            self._saving = task
        return self._is_saved or self._is_saving

    @property
    def _is_saving(self) -> bool:
        return self._saving is not None and not self._saving.is_over

    def finish_saving(self) -> bool:
        """Wait for what is being saved. Returns whether the last attempt to save was a success."""
        while self._saving is not None and not self._saving.is_over:
            self._saving.finish()
        return self._is_saved

    def _fail(self, refusal: Refused) -> None:
        self.saveFailed.emit(f"Not saved. {refusal}")

    def _note_saved(self, path: Path, document: Document, digest: str, was_gone: bool) -> None:
        self._is_saved = True
        self.know(path.absolute(), digest)
        self._session.mark_saved(path.absolute(), document)
        self._settings.remember_file(path)
        self._session.message.emit(
            f"{path.name} no longer existed; it was written again" if was_gone else f"Saved {path.name}"
        )
        self.saved.emit()

    def _check_unchanged(self, agreed: DiskState) -> None:
        if self._disk.look() != agreed:
            raise _ChangedAgain

    def _may_replace(self, state: DiskState) -> Conflict:
        if state.trouble:  # nobody knows what would be lost
            raise Refused(state.trouble)
        return "overwrite" if state.is_gone else self.questions.changed_on_disk(self.name)

    def _settle(self, answer: Conflict) -> bool:
        """Carry out the user's choice about a changed file. Returns whether the document is saved."""
        if answer == "reload":
            self.reload()
        return answer == "copy" and self.save_copy()

    # --- changes by other programs

    def look(self) -> None:
        """Check whether the file still holds what was last read or written; inform the user once when it does not."""
        if self._is_saving:
            return  # it is being changed by us
        state = self._disk.look()
        if state == self._announced:
            return
        self._resolve(state)
        self._lose(state != self._disk.known and not state.digest)
        if state != self._disk.known:
            self.changedOnDisk.emit(*self._change(state))

    def _resolve(self, state: DiskState) -> None:
        """The user knows that the file is as `state`; what was told before is no longer so."""
        self._announced = state
        self.settled.emit()

    def _lose(self, lost: bool) -> None:
        self._session.mark_lost(lost)

    def _change(self, state: DiskState) -> tuple[str, list[NoticeAction]]:
        """Describe what has happened to the file, with the actions to choose from."""
        assert self._disk.path is not None
        name = self._disk.path.name
        copy = ("Save a copy…", self.save_copy)
        if state.trouble:
            return f"{name} was changed on disk. {state.trouble}.", [copy]
        overwrite = partial(self._write, self._disk.path, state)
        if state.is_gone:
            return f"{name} no longer exists: it was deleted, moved or renamed.", [("Save it again", overwrite), copy]
        reload = ("Reload", self.reload)
        if self._session.modified:
            sentence = f"{name} was changed on disk, and you have edits that are not saved."
            return sentence, [copy, reload, ("Overwrite", overwrite)]
        return f"{name} was changed on disk.", [reload, copy, ("Overwrite", overwrite)]

    def reload(self) -> None:
        """Load the file again as an edit that can be undone, or say why it cannot be read."""
        if (path := self._disk.path) is not None:
            order = Order(
                f"Reloading {path.name}",
                partial(self._put_anew, path),
                partial(self._refuse_to_reload, path),
                lambda: self._disk.path == path,
                f"{path.name} was not reloaded, as another graph is shown",
            )
            self._session.tasks.in_thread(order, partial(_read, path))

    def _refuse_to_reload(self, path: Path, refusal: Refused) -> None:
        self._lose(True)
        overwrite = partial(self._write, path, self._disk.look())
        choices = [("Save a copy…", self.save_copy), ("Overwrite", overwrite)]
        self.changedOnDisk.emit(f"Not reloaded. {refusal}.", choices)

    def _put_anew(self, path: Path, read: tuple[str, Document]) -> None:
        digest, document = read
        self.know(path, digest)
        self.reloading.emit()
        before = self._session.document
        self._session.edit(lambda _: document, f"Reload {path.name}")
        self._session.mark_saved(path)
        self._session.message.emit(
            f"Reloaded {path.name}"
            if self._session.document == before
            else f"Reloaded {path.name}; Ctrl+Z brings back what was here before"
        )

    def know(self, path: Path | None, digest: str | None = None) -> None:
        """Set the document's file, and the digest of its known content: "" for no file, None for the present one."""
        self._disk.follow(path, digest)
        self._resolve(self._disk.known)

    @property
    def known(self) -> str:
        """The digest of the file's content when it was last read or written."""
        return self._disk.known.digest

    def _follow(self) -> None:
        """Follow another document, whose file is known in its present state."""
        if self._session.path != self._disk.path:
            self.know(self._session.path)

    def _note_mode(self) -> None:
        """Note the mode of the document's file, in which it will be opened again."""
        mode = self._session.path, self._session.live
        if mode != self._mode:
            self._mode = mode
            if mode[0] is not None:
                self._settings.note_mode(mode[0], mode[1])

    def _folder(self) -> Path:
        recent = self._settings.recent_files
        path = self._session.path or (recent[0] if recent else None)
        return path.parent if path and os.path.isdir(path.parent) else Path.home()  # noqa: PTH112, which never raises

    def suggestion(self, suffix: str) -> Path:
        safe = "".join("-" if sign in '/\\:*?"<>|' else sign for sign in self.name)
        return self._folder() / f"{safe}{suffix}"


def _read(path: Path, report: Report) -> tuple[str, Document]:
    """The digest of a file and the document in it, every node with a place. Raises Refused."""
    if path.suffix.lower() == MODEL:
        from cadena.core.capture.onnx_reading import read_model  # with the library of the format

        return "", complete(read_model(path), stretch(report, READ, 1.0))
    data = contents(path)
    report(READ)
    document = decoded(data, path)
    return digest_of(data), complete(document, stretch(report, DECODED, 1.0))


def _save(document: Document, path: Path, last_check: Callable[[], None], report: Report) -> str | None:
    """Write a document; the digest of its file, None where the last check found that it has changed. Raises Refused."""
    try:
        data = encode(document)
        report(1.0)
        write(data, path, last_check)
    except _ChangedAgain:
        return None
    return digest_of(data)
