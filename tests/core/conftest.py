"""Scripts in processes that are forked from one that has imported everything."""

from __future__ import annotations

import os

import pytest

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
        forking.fork_scripts(monkeypatch, forking_server)
