"""Scripts in processes that are forked from one that has imported everything."""

from __future__ import annotations

import os
from subprocess import DEVNULL, PIPE
from types import SimpleNamespace

import pytest

from cadena.core.scripts import running
from tests import thorough
from tests.core.scripts import forking


@pytest.fixture(scope="session")
def forking_server():
    if thorough.everything or not hasattr(os, "fork"):
        yield None
    else:
        with forking.server() as wire:
            yield wire


@pytest.fixture
def forked_scripts(forking_server, monkeypatch):
    """Fork the processes of scripts, save in a thorough run: there each one starts as it does for users."""
    if forking_server is not None:
        start = SimpleNamespace(Popen=lambda *_, **__: forking.Forked(forking_server), PIPE=PIPE, DEVNULL=DEVNULL)
        monkeypatch.setattr(running, "subprocess", start)
