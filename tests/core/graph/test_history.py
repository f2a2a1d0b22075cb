"""Undo and redo: every document comes back as it was."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from cadena.core.graph.history import History
from tests.core.graphs import edit_sequences, graph
from tests.thorough import tries

A, B, C, D = (graph(x=float(i)) for i in range(4))


@tries(30)
@given(edit_sequences())
def test_undo_all_and_redo_all_give_back_every_document(states):
    history = History(states[0])
    for number, state in enumerate(states):
        history.commit(state, f"edit {number}")
    distinct = [state for state, before in zip(states, [None, *states], strict=False) if state != before]
    back = [history.present]
    while history.undo() is not None:
        back.append(history.present)
    assert back == distinct[::-1]
    forth = [history.present]
    while history.redo() is not None:
        forth.append(history.present)
    assert forth == distinct
    assert history.undo_label is None or history.undo_label.startswith("edit")


@tries(40)
@given(edit_sequences(), st.lists(st.sampled_from(["undo", "redo", "commit"]), max_size=20))
def test_any_mixture_of_undo_redo_and_edits_behaves_like_a_list_with_a_cursor(states, actions):
    history, line, cursor, waiting = History(states[0]), [states[0]], 0, list(states[1:])
    for action in actions:
        if action == "undo":
            history.undo()
            cursor = max(cursor - 1, 0)
        elif action == "redo":
            history.redo()
            cursor = min(cursor + 1, len(line) - 1)
        elif waiting:
            state = waiting.pop(0)
            history.commit(state, "edit")
            if state != line[cursor]:
                line = [*line[: cursor + 1], state]
                cursor += 1
        assert history.present == line[cursor]
        assert (history.undo_label is None) == (cursor == 0)
        assert (history.redo_label is None) == (cursor == len(line) - 1)


def test_a_drag_is_one_undo_step():
    history = History(A)
    history.commit(B, "Move", "drag")
    history.commit(C, "Move", "drag")
    assert history.undo() == "Move"
    assert history.present == A and history.undo() is None
    history.redo()
    assert history.present == C


def test_after_the_mouse_is_released_the_next_drag_is_a_step_of_its_own():
    history = History(A)
    history.commit(B, "Move", "drag")
    history.seal()
    history.commit(C, "Move", "drag")
    history.undo()
    assert history.present == B


def test_different_keys_and_no_key_do_not_merge():
    history = History(A)
    for document, key in ((B, "one"), (C, "two"), (D, None), (A, None)):
        history.commit(document, "Edit", key)
    assert len(history.past) == 4


def test_an_edit_after_an_undo_forgets_what_was_undone_and_does_not_merge_into_it():
    history = History(A)
    history.commit(B, "Edit", "drag")
    history.commit(C, "Edit", "other")
    history.undo()
    history.commit(D, "Edit", "drag")
    assert history.redo() is None and history.present == D
    history.undo()
    assert history.present == B


def test_an_edit_that_changes_nothing_is_no_step_and_keeps_what_can_be_redone():
    history = History(A)
    history.commit(B, "Edit")
    history.undo()
    history.commit(graph(x=0.0), "Nothing")
    assert history.undo_label is None and history.redo_label == "Edit"


def test_a_drag_back_to_where_it_began_can_still_be_dragged_on():
    history = History(A)
    for document in (B, A, C):
        history.commit(document, "Move", "drag")
    assert history.present == C and history.undo() == "Move" and history.present == A


def test_labels_say_what_undo_and_redo_would_do():
    history = History(A)
    history.commit(B, "Rename x")
    history.commit(C, "Delete y")
    assert (history.undo_label, history.redo_label) == ("Delete y", None)
    history.undo()
    assert (history.undo_label, history.redo_label) == ("Rename x", "Delete y")


def test_a_copy_is_not_changed_by_what_happens_after():
    history = History(A)
    history.commit(B, "Edit")
    kept = history.copy()
    history.commit(C, "Edit")
    history.undo()
    assert kept.present == B and kept.undo_label == "Edit" and kept.redo_label is None


def test_documents_of_the_past_kept_what_they_had_computed():
    """A tuple for each node and pair of a wire, in a history of hundreds of documents."""
    history = History(A)
    assert A.consumers == {"x": ()}
    history.commit(B, "edit")
    assert "consumers" not in vars(A)
    assert B.consumers == {"x": ()}
    history.commit(replace(B), "the same")
    assert "consumers" in vars(history.present)
    history.undo()
    assert "consumers" not in vars(B)
    assert history.present is A and A.consumers == {"x": ()}
