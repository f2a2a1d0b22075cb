"""Reading never waits for ever: what is no file is refused, and a shell's pipe is read with a limit to its silence."""

from __future__ import annotations

import os
import socket
import stat
from pathlib import Path

import pytest

from cadena.core.storage import files
from cadena.core.storage.encoding import encode
from cadena.core.storage.files import load, save
from tests.core.storage.test_replacing import NEW, OLD, posix, refusal


@posix
def test_reading_a_pipe_that_nobody_writes_to_waited_for_ever(tmp_path):
    pipe = tmp_path / "pipe.cadena"
    os.mkfifo(pipe)
    assert refusal(load, pipe) == f"{pipe}: this is a pipe, not a file; choose a file"
    assert "not a file" in refusal(save, OLD, pipe)


@posix
def test_a_socket_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as ear:
        ear.bind("ear.cadena")
        assert refusal(load, "ear.cadena") == "ear.cadena: this is a socket, not a file; choose a file"


@pytest.fixture
def pipe():
    """Both ends of a pipe as a shell makes it, and the path of its end for reading."""
    if not Path("/dev/fd").exists():
        pytest.skip("there is no /dev/fd")
    told, tell = os.pipe()
    yield f"/dev/fd/{told}", tell
    os.close(told)


def test_what_a_shell_pipes_in_is_read_to_its_end(pipe):
    path, tell = pipe
    with os.fdopen(tell, "wb") as writer:
        writer.write(encode(OLD))
    assert load(path) == OLD


def test_a_silent_pipe_is_given_up(pipe, monkeypatch):
    monkeypatch.setattr(files, "PIPE_TIMEOUT", 0.01)
    path, tell = pipe
    os.write(tell, b"{")
    assert refusal(load, path).startswith(f"{path}: nothing has come through this pipe for ")
    os.close(tell)


def test_an_endless_pipe_is_given_up(pipe, monkeypatch):
    monkeypatch.setattr(files, "MAX_BYTES", 1000)
    path, tell = pipe
    os.write(tell, bytes(2000))
    assert "megabytes" in refusal(load, path)
    os.close(tell)


@posix
def test_a_file_that_is_overwritten_while_it_is_read_is_read_again(tmp_path, monkeypatch):
    file = tmp_path / "graph.cadena"
    save(OLD, file)
    real, looks = os.fstat, []

    def change(handle):
        found = real(handle)
        if stat.S_ISREG(found.st_mode):
            looks.append(found)
            if len(looks) == 1:
                file.write_bytes(encode(NEW))
        return found

    monkeypatch.setattr(os, "fstat", change)
    assert load(file) == NEW and len(looks) >= 3
