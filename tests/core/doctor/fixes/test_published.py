"""Losses as people published them: the line that made a number bad, and fixes that bring the true numbers."""

import numpy as np
import pytest

import cadena
from cadena.core.doctor.findings.causes import causes
from cadena.core.doctor.fixes.offers import fixes
from cadena.core.front import Run
from cadena.core.graph.fault import Fault
from cadena.core.notation.in_script import line_of
from cadena.core.scripts.attached import AttachedScript, after_run, with_script
from cadena.core.scripts.running import run as run_script
from tests.core.doctor.fixes.published import PUBLISHED

pytestmark = pytest.mark.usefixtures("forked_scripts")


def graph_of(script: str) -> Run:
    result = run_script(script)
    assert result.fault is None and result.document is not None
    return cadena.compile(with_script(result.document, after_run(AttachedScript(script), result))).run()


def bad(run: Run) -> list[Fault]:
    return [fault for fault in run.faults if fault.severity == "fault"]


def fixed(run: Run) -> tuple[Run, list[str]]:
    """The run after the best fix of the first fault that has one, again and again, and the titles of these fixes."""
    titles = list[str]()
    while len(titles) < 8:
        offers = (fixes(run.program.document, run, fault) for fault in bad(run))
        best = next((offer[0] for offer in offers if offer), None)
        if best is None:
            break
        titles.append(best.title)
        run = cadena.compile(best.apply(run.program.document)).run()
    return run, titles


def test_published_losses_were_blamed_on_the_wrong_line_or_had_no_fix():
    for name, (script, origins, titles, output) in PUBLISHED.items():
        run = graph_of(script)
        document = run.program.document
        assert all(line_of(document, node) for node in document.nodes), name
        told = [(line_of(document, cause.fault.node), cause.fault.rule) for cause in causes(run, bad(run))]
        assert (name, told) == (name, origins)
        after, offered = fixed(run)
        assert (name, offered) == (name, titles)
        assert (name, bad(after) == []) == (name, output is not None)
        if output is not None:
            total = float(np.sum(np.asarray(after.value(str(after.program.output)), dtype=float)))
            assert total == pytest.approx(output, rel=1e-4, abs=1e-6), name


def test_a_number_that_feeds_both_branches_of_a_choice_was_made_harmless_in_one_and_changed_the_other():
    run = graph_of(PUBLISHED["focal2"].script)
    titles = {fix.title for fault in run.faults for fix in fixes(run.program.document, run, fault)}
    assert titles and not any("harmless" in title for title in titles)


def test_a_logarithm_with_its_pole_at_minus_1_was_kept_above_0():
    after, titles = fixed(graph_of(PUBLISHED["log1p"].script))
    assert titles == ["Keep x above −1"] and bad(after) == []
