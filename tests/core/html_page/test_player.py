"""The page in a real Chromium: played, stepped, dragged, predicted, by keys and mouse, in light and dark."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

import cadena
from cadena.core.graph.frames import put_into_frame
from cadena.core.graph.memos import add_memo
from cadena.core.html_page.page import in_notebook, play_page
from cadena.core.methods.choosing import timeline_of
from cadena.core.methods.names import METHODS, Method
from cadena.core.teaching.lessons import open_lesson
from tests.chromium import BINARY, Browser, chromium
from tests.core.graphs import graph
from tests.core.html_page.test_content import LESSONS
from tests.core.html_page.test_page import HOSTILE, hostile

pytestmark = pytest.mark.skipif(BINARY is None, reason="there is no Chromium (apt-get install chromium)")
STEPS = 21  # of lesson 1


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with chromium(tmp_path_factory.mktemp("chromium")) as opened:
        yield opened


@pytest.fixture
def lesson(browser: Browser, tmp_path: Path) -> Browser:
    """Lesson 1 at its first step, with motion."""
    return shown(browser, tmp_path, cadena.page(open_lesson("1")))


def shown(browser: Browser, folder: Path, page: str, calm: bool = False) -> Browser:
    file = folder / "page.html"
    file.write_text(page, "utf-8")
    browser.reduce_motion(calm)
    browser.open(file)
    return browser


def numbers(browser: Browser) -> dict[str, str]:
    """The table of what all cards show now: the gradients by name."""
    browser.run("document.getElementById('numbers').open || (document.getElementById('numbers').open = true)")
    browser.until("document.querySelector('#numbers tbody tr')", "the table stays empty")
    rows = (
        "[...document.querySelectorAll('#numbers tbody tr')].map(row => [...row.children].map(one => one.textContent))"
    )
    return {name: gradient for name, _, _, gradient in browser.run(rows)}


def to_time(browser: Browser, time: float) -> None:
    slider = "document.getElementById('slider')"
    browser.run(f"{slider}.value = {time}; {slider}.dispatchEvent(new Event('input'))")  # at once, as a hand does it


def at_speed(browser: Browser, speed: int) -> None:
    """Play so many times as fast, also where nobody could follow."""
    browser.run(f"document.getElementById('speed').add(new Option({speed}))")
    browser.run(f"document.getElementById('speed').value = {speed}")
    browser.run("document.getElementById('speed').dispatchEvent(new Event('change'))")


def test_it_plays_to_the_end_and_asks_for_nothing_outside(lesson):
    at_speed(lesson, 4)
    to_time(lesson, STEPS - 4)
    lesson.click("#play")
    lesson.until("document.querySelectorAll('.token').length", "no number travels")
    lesson.until(f"document.getElementById('place').textContent === '{STEPS} / {STEPS}'", "it does not end")
    lesson.until("document.getElementById('play').getAttribute('aria-label') === 'Play'", "it does not stop")
    gradients = numbers(lesson)
    assert {name: gradients[name] for name in ("w0", "w1", "w2", "w3", "w4")} == {
        "w0": "−28", "w1": "−21", "w2": "−12", "w3": "−23", "w4": "−36",
    }  # fmt: skip
    assert lesson.errors() == [] and len(lesson.requests()) == 1


def test_keys_go_on_and_back_and_to_both_ends(lesson):
    at_speed(lesson, 4)
    lesson.press("End")
    assert lesson.text("#place") == f"{STEPS} / {STEPS}" and numbers(lesson)["w0"] == "−28"
    lesson.press("ArrowLeft")
    lesson.until(f"document.getElementById('slider').value == {STEPS - 1}", "it does not go back")
    assert numbers(lesson)["w0"] == "·"
    lesson.press("PageDown")
    lesson.until(f"document.getElementById('slider').value == {STEPS}", "it does not go on")
    lesson.press("Home")
    assert lesson.text("#title") == f"Before the first of {STEPS} steps." and numbers(lesson)["L"] == "·"


def test_a_step_after_a_jump_begins_where_the_jump_ended(lesson):
    at_speed(lesson, 4)
    lesson.press("ArrowRight")
    lesson.until("document.getElementById('slider').value == 1", "it does not go on")
    lesson.press("End")
    lesson.press("ArrowLeft")
    lesson.until(f"document.getElementById('slider').value == {STEPS - 1}", "it went back from another place")
    assert lesson.text("#place") == f"{STEPS - 1} / {STEPS}" and lesson.errors() == []


def test_it_plays_backwards_to_the_beginning(lesson):
    at_speed(lesson, 4)
    to_time(lesson, 1.5)
    lesson.click("#backwards")
    lesson.until("document.getElementById('slider').value == 0", "it does not come to the beginning")
    assert lesson.text("#title") == f"Before the first of {STEPS} steps." and numbers(lesson)["m1"] == "·"


def test_the_formula_grows_with_the_motion_and_shows_nothing_before_it_is_computed(lesson):
    def seen(time: float) -> str:
        to_time(lesson, time)
        return lesson.run(
            "[...document.querySelectorAll('#formula .piece:not(.later)')].map(one => one.textContent).join(' ')"
        )

    first, middle, last = (seen(STEPS - 1 + part).replace(" ", "") for part in (0.1, 0.5, 0.85))
    assert "−28" not in first and "4" not in first and "−7" in first
    assert "−7·4" in middle and "−28" not in middle
    assert last.endswith("−28contribution")


def test_the_sentence_of_a_step_is_in_a_live_region(lesson):
    assert lesson.run("document.getElementById('sentence').getAttribute('aria-live')") == "polite"
    lesson.press("End")
    assert "−28" in lesson.text("#sentence") and "w0" in lesson.text("#sentence")
    assert lesson.run("document.getElementById('slider').getAttribute('aria-valuetext')").startswith("Reverse pass")


def test_every_control_has_a_name_and_is_reached_by_tab(lesson):
    unnamed = (
        "[...document.querySelectorAll('button, input, select')].filter(one => !(one.textContent.trim() || "
        "one.getAttribute('aria-label') || one.labels?.length)).map(one => one.id)"
    )
    assert lesson.run(unnamed) == []
    for _ in range(8):
        lesson.press("Tab")
    assert lesson.run("document.activeElement.closest('#transport') !== null")
    assert lesson.run("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_space_on_a_focused_button_presses_the_button_alone(lesson):
    lesson.run("document.getElementById('last').focus()")
    lesson.press(" ")
    assert lesson.text("#place") == f"{STEPS} / {STEPS}"
    assert lesson.run("document.getElementById('play').getAttribute('aria-label')") == "Play"


def test_rows_fill_up_as_the_pass_goes_and_the_numbers_of_a_step_have_a_ring(lesson):
    def row(name: str, place: int) -> tuple[str, str, str]:
        """Whose ground a row of a card has, whether it is strong, and whether its number has a ring."""
        card = (
            "[...document.querySelectorAll('.node')].find(one => one.querySelector('.name').textContent === "
            f"'{name}').querySelectorAll('.fill, .ring')"
        )
        fill, ring = f"[...{card}][{2 * place}]", f"[...{card}][{2 * place + 1}]"
        shown = f"[{fill}.getAttribute('data-role') ?? '', {fill}.classList.contains('strong'),"
        return tuple(lesson.run(f"{shown} {ring}.getAttribute('visibility') === 'visible']"))

    to_time(lesson, 15)
    assert row("b1", 1) == ("", False, False) and row("m3", 1) == ("gradient", False, True)
    to_time(lesson, 16)
    assert row("b1", 1) == ("gradient", True, False) and row("w3", 0) == ("value", False, True)
    to_time(lesson, 21)
    assert row("b1", 1) == ("gradient", False, False) and row("w3", 0) == ("value", False, False)


def test_with_reduced_motion_tokens_rest_at_their_goals(browser, tmp_path):
    page = shown(browser, tmp_path, cadena.page(open_lesson("1")), calm=True)
    page.press("ArrowRight")
    page.until("document.getElementById('slider').value == 1", "the step is not shown")
    places = []
    for time in (1.3, 1.9, 2.0):
        to_time(page, time)
        places.append(page.run("document.querySelector('.token > g').getAttribute('transform')"))
    assert places[0] != "" and len(set(places)) == 1


def test_predicting_names_the_forgotten_path_and_takes_arithmetic(browser, tmp_path):
    page = shown(browser, tmp_path, cadena.page(open_lesson("two_paths")))
    at_speed(page, 40)
    page.click("#predict")
    asked = (
        "!document.getElementById('ask').hidden && document.getElementById('question').textContent.includes('∂L/∂a1')"
    )
    for _ in range(12):
        page.click("#play")
        page.until(
            "!document.getElementById('ask').hidden || document.getElementById('slider').value == 23", "no question"
        )
        if page.run(asked) and "already has" in page.text("#question"):
            break
        page.click("#reveal")
        page.until("document.getElementById('ask').hidden", "the question stays")
        page.until("Number.isInteger(Number(document.getElementById('slider').value))", "the step does not end")
    assert "already has −27" in page.text("#question")
    assert "−41" not in page.run(
        "[...document.querySelectorAll('#formula .piece:not(.later)')].map(one => one.textContent).join()"
    )
    page.type("-14")
    page.press("Enter")
    assert page.text("#verdict").startswith("That is what this path brings")
    page.click("#hint")
    assert page.text("#verdict").startswith("Where to look")
    page.run("document.getElementById('answer').value = ''")
    page.run("document.getElementById('answer').focus()")
    page.type("alert(1)")
    page.press("Enter")
    assert page.text("#verdict").startswith("This is no number")
    page.run("document.getElementById('answer').value = ''")
    page.run("document.getElementById('answer').focus()")
    page.type("−27 − 7·2")
    page.press("Enter")
    page.until("document.getElementById('ask').hidden", "the right answer is not taken")
    assert page.text("#score").startswith("1 of ") and page.text("#score").endswith(" 0 at once")
    assert page.errors() == []


@pytest.mark.some(2)
@pytest.mark.parametrize("name", LESSONS)
def test_every_lesson_is_drawn_without_a_complaint_by_every_method(browser, tmp_path, name):
    run = cadena.compile(open_lesson(name)).run()
    for method in METHODS:
        try:
            timeline = timeline_of(run, Method(method), whole=True)
        except cadena.Refused:
            continue
        page = shown(browser, tmp_path, play_page(timeline))
        page.run(f"""for (let time = 0.5; time < {len(timeline)}; time += 1) {{
            document.getElementById('slider').value = time;
            document.getElementById('slider').dispatchEvent(new Event('input'));
        }}""")
        page.press("End")
        assert page.text("#place") == f"{len(timeline)} / {len(timeline)}" and page.errors() == []


def test_many_passes_left_the_title_no_room(browser, tmp_path):
    run = cadena.compile(open_lesson("11")).run()
    page = shown(browser, tmp_path, play_page(timeline_of(run, Method("forward"), whole=True)))
    assert page.run("document.querySelector('header').offsetHeight") < 80
    page.run("document.querySelector('#stretches select').value = '4'")
    page.run("document.querySelector('#stretches select').dispatchEvent(new Event('change'))")
    assert page.text("#place").startswith("4 /")


def test_the_controls_are_in_sight_on_small_screens(browser, tmp_path):
    page = shown(browser, tmp_path, cadena.page(open_lesson("1")))
    for width, height in ((390, 800), (1280, 720)):
        page.open(tmp_path / "page.html", (width, height))
        page.press("End")
        assert page.run("document.getElementById('transport').getBoundingClientRect().bottom") <= height
        assert page.run("document.documentElement.scrollWidth") <= width


def test_hostile_texts_are_texts(browser, tmp_path):
    page = shown(browser, tmp_path, cadena.page(hostile()))
    assert page.run("document.querySelectorAll('img').length") == 0
    assert page.text("h1").startswith("</script>") and HOSTILE[:20] in page.run("document.title")
    assert page.errors() == []


def test_several_frames_live_in_one_notebook(browser, tmp_path):
    frames = "".join(in_notebook(open_lesson(number)) for number in ("1", "2"))
    page = shown(browser, tmp_path, f"<!doctype html><meta charset=utf-8>{frames}")
    assert page.run("document.querySelectorAll('iframe').length") == 2
    assert page.run("document.querySelector('iframe').contentDocument") is None  # a frame of its own, kept apart
    assert page.errors() == []


def test_only_the_first_fault_of_a_document_was_named(browser, tmp_path):
    nodes = {"x": 100.0, "u": ("exp", "x"), "z": 0.0, "v": ("log", "z"), "w": ("sqrt", None), "y": ("add", "u", "v")}
    document = replace(graph("y", **nodes), dtype="float32")
    lines = "[...document.querySelectorAll('#faults li')].map(one => one.textContent)"
    shown(browser, tmp_path, cadena.page(document), calm=True)
    assert browser.run(lines) == ["Fault: w waits for its operand 'x'; connect a wire to slot 1."]
    browser.press("End")
    told = browser.run(lines)
    faults = cadena.compile(document).run(dtype="float32").faults
    assert len(told) == len(faults) > 3 and {fault.node for fault in faults} == {"u", "v", "w", "y"}
    assert all(any(fault.node in line for line in told) for fault in faults)
    browser.press("Home")
    assert len(browser.run(lines)) == 1 and browser.errors() == []


def test_frames_and_notes_are_seen_and_do_not_run(browser, tmp_path):
    document = put_into_frame(open_lesson("1"), ["m1", "m2", "b1"], "<img src=x onerror=alert(1)>")
    document = add_memo(document, "# Why\nas $w_0 \\cdot a_1$ grows <b>", (900.0, -200.0))
    page = shown(browser, tmp_path, cadena.page(document), calm=True)
    assert page.run("document.querySelector('.around text').textContent") == "<img src=x onerror=alert(1)>"
    assert page.run("document.querySelectorAll('.memo p').length") == 2
    assert page.run("document.querySelector('.memo p.heading').textContent") == "Why"
    assert page.run("document.querySelectorAll('.memo math').length") == 1
    assert page.run("document.querySelectorAll('.memo b, #stage img').length") == 0
    inside = (
        "[...document.querySelectorAll('.memo, .around rect')].every(one => {"
        " const [box, all] = [one, document.querySelector('#stage > svg')].map(part => part.getBoundingClientRect());"
        " return box.left >= all.left && box.right <= all.right && box.top >= all.top && box.bottom <= all.bottom; })"
    )
    assert page.run(inside) and page.errors() == []


def test_the_formula_of_a_page_was_set_smaller_than_its_sentence(browser, tmp_path):
    """And the numbers of the sentence have their colours; the result stands on a plate."""
    page = shown(browser, tmp_path, cadena.page(open_lesson("1")), calm=True)
    size = "parseFloat(getComputedStyle(document.getElementById('{}')).fontSize)"
    for width, height in ((390, 844), (1280, 720), (1600, 1000)):
        page.open(tmp_path / "page.html", (width, height))
        to_time(page, 16)
        assert page.run(size.format("title")) < page.run(size.format("formula"))
        roles = "[...document.querySelectorAll('#title span')].map(one => `${one.dataset.role} ${one.textContent}`)"
        assert page.run(roles) == ["gradient −7", "gradient −1", "value 7"]
        assert page.text("#formula .plate") == "−7"


def test_on_a_phone_the_cards_of_a_step_could_not_be_read(browser, tmp_path):
    """The whole graph was shown, with letters of three pixels; now what is seen follows the step, and a drag."""
    page = shown(browser, tmp_path, cadena.page(open_lesson("1")), calm=True)
    page.open(tmp_path / "page.html", (390, 844))
    cards = (
        "[...document.querySelectorAll('.node .box[data-role]')].map(one => one.getBoundingClientRect())"
        ".map(box => [box.left, box.top, box.right, box.bottom, box.width])"
    )
    stage = (
        "(box => [box.left, box.top, box.right, box.bottom])(document.getElementById('stage').getBoundingClientRect())"
    )
    for step in (3, 10, 16, 21):
        to_time(page, step)
        left, top, right, bottom = page.run(stage)
        for box in page.run(cards):
            assert box[4] >= 60 and left <= box[0] and top <= box[1] and box[2] <= right and box[3] <= bottom, step
    before = page.run(cards)
    page.drag("#stage", -40, 10)
    assert page.run(cards)[0][0] < before[0][0] - 30
    to_time(page, 20)
    to_time(page, 21)
    assert page.run(cards) == before and page.errors() == []


@pytest.mark.parametrize(("width", "matrices"), [(1280, 3), (420, 1)])
def test_matrices_are_set_smaller_until_they_fit_and_left_out_where_nobody_could_read_them(
    browser, tmp_path, width, matrices
):
    """Three lines of matrices pushed the graph out of the page, and were cut on a phone."""
    file = tmp_path / "page.html"
    file.write_text(cadena.page(open_lesson("16")), "utf-8")
    browser.open(file, (width, 800))
    to_time(browser, 18)
    shown = "[...document.querySelectorAll('#formula mtable')].filter(one => one.getClientRects().length).length"
    assert browser.run(shown) == matrices
    box = "(one => [one.scrollWidth <= one.clientWidth, one.clientHeight])(document.getElementById('formula'))"
    fits, height = browser.run(box)
    assert fits and height <= 2.1 * 122


def test_words_under_a_formula_stay_apart(browser, tmp_path):
    page = shown(browser, tmp_path, cadena.page(open_lesson("1")), calm=True)
    captions = (
        "[...document.querySelectorAll('#formula small')].map(one => one.getBoundingClientRect())"
        ".map(box => [box.left, box.right, box.top])"
    )
    for size in ((390, 844), (1280, 720)):
        page.open(tmp_path / "page.html", size)
        for step in range(9, STEPS + 1):
            to_time(page, step)
            for (_, end, line), (begin, _, other) in pairwise(page.run(captions)):
                assert line != other or end < begin, (size, step)


def test_formulas_on_cards_are_as_large_as_their_rows_allow(browser, tmp_path):
    """They were set in 13 pixels, and where a number arrives in its colour on the same colour."""
    timeline = timeline_of(cadena.compile(open_lesson("1")).run(), Method("symbolic"), whole=True)
    page = shown(browser, tmp_path, play_page(timeline), calm=True)
    to_time(page, 9)
    rows = (
        "[...document.querySelectorAll('.node foreignObject > div')].map(one => [parseFloat(one.style.fontSize),"
        " one.firstChild.offsetWidth <= one.offsetWidth + 1])"
    )
    assert all(size >= 10.9 and fits for size, fits in page.run(rows)) and max(page.run(rows))[0] > 18
    colors = "(one => [getComputedStyle(one).color, getComputedStyle(document.querySelector('.fill.strong')).fill])"
    ink, ground = page.run(f"{colors}(document.querySelector('.node g.strong foreignObject'))")
    assert ink == "rgb(255, 255, 255)" and ground == "rgb(186, 75, 0)"
