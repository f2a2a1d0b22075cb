"""The first lesson's graph, and a graph with faults, as files; and a way to run a verb on them."""

from __future__ import annotations

import json

import pytest

from cadena.core.graph.fault import Refused
from cadena.core.storage.files import save
from cadena.core.verbs.check import check
from cadena.core.verbs.export import export
from cadena.core.verbs.parser import parse
from cadena.core.verbs.paths import paths
from cadena.core.verbs.run import run
from cadena.core.verbs.steps import steps
from cadena.core.verbs.validate import validate
from cadena.core.verbs.why import why
from cadena.core.verbs.wording import REMEDIES
from tests.core.graphs import graph

VERBS = {"run": run, "export": export, "check": check, "steps": steps, "paths": paths, "validate": validate, "why": why}


@pytest.fixture
def lesson(tmp_path):
    path = tmp_path / "lesson.cadena"
    leaves = {"w0": 2.0, "w1": 5.0, "w2": 9.0, "w3": 7.0, "w4": 3.0, "a1": ("input", 4.0), "a2": ("input", 3.0)}
    document = graph(
        **leaves,
        k=("constant", 15.0),
        m1=("multiply", "w0", "a1"),
        m2=("multiply", "w1", "a2"),
        b1=("add", "m1", "m2"),
        b2=("multiply", "w2", "a1"),
        m3=("multiply", "w3", "b1"),
        m4=("multiply", "w4", "b2"),
        c=("add", "m3", "m4"),
        L=("subtract", "k", "c"),
    )
    save(document, path)
    return path


@pytest.fixture
def faulty(tmp_path):
    """log(-1) is nan; a cycle; an unknown operation; one number that runs nevertheless."""
    path = tmp_path / "faulty.cadena"
    document = graph(
        "z",
        x=-1.0,
        y=("log", "x"),
        p=("exp", "q"),
        q=("exp", "p"),
        u=("teleport", "x"),
        z=("negative", "x"),
    )
    save(document, path)
    return path


@pytest.fixture
def do(capsys):
    """do("run", path, "--json") -> (exit status, standard output, lines on standard error)."""

    def doing(verb, path, *options):
        try:
            status = VERBS[verb](parse([verb, str(path), *options]))
        except Refused as refusal:
            raise Refused("{line}", line=refusal.worded(REMEDIES)) from None  # as it is printed
        shown = capsys.readouterr()
        return status, json.loads(shown.out) if "--json" in options else shown.out, shown.err.splitlines()

    return doing
