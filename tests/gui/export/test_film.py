"""Films: right frames at right moments, given up without a trace, refused in one sentence where FFmpeg is missing."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QImage

from cadena.core.front import compile
from cadena.core.graph.fault import Refused
from cadena.core.methods.choosing import timeline_of
from cadena.core.methods.names import METHODS, Method
from cadena.core.methods.reverse.timeline import ARRIVAL
from cadena.core.teaching.lessons import open_lesson
from cadena.core.text.painted_text import mark
from cadena.core.verbs.render import is_sequence
from cadena.gui.canvas.rendering.text_fitting import fitted
from cadena.gui.export import encoder, sheet, text_wrapping
from cadena.gui.export.film import REST_SECONDS, Film, checked, writing
from cadena.gui.look.theme import DARK, LIGHT, SENTENCE, THEMES
from cadena.gui.session.playback import STEP_SECONDS
from tests.gui.canvas.pictures import count_of
from tests.gui.desk import denied

pytestmark = pytest.mark.usefixtures("qapp")
SMALL = (640, 360)


def film(name: str = "1", begin: int = 0, end: int = 21, **settings) -> Film:
    return Film(compile(open_lesson(name)).run().timeline, begin, end, LIGHT, **{"size": SMALL, "fps": 10} | settings)


def moment(of: Film, time: float) -> QImage:
    """The frame nearest to a moment."""
    return of.frame(min(range(len(of)), key=lambda number: abs(of.time(number) - time)))


def pixels(image: QImage) -> np.ndarray:
    return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1).astype(int)


def ink(image: QImage) -> int:
    """How many pixels differ from the ground of the light theme."""
    return int((image.width() * image.height()) - count_of(image, LIGHT.window))


def below(image: QImage) -> QImage:
    """The part of a frame with the words and the formula."""
    return image.copy(0, round(image.height() * 0.78), image.width(), round(image.height() * 0.2))


def test_a_film_rests_at_both_ends_and_goes_at_its_speed():
    usual, slow = film(), film(speed=0.5)
    assert usual.time(0) == usual.time(round(10 * REST_SECONDS)) == 0.0
    assert usual.time(len(usual) - 1) == 21.0
    assert len(usual) == round((21 * STEP_SECONDS + 2 * REST_SECONDS) * 10) + 1
    assert len(slow) - len(usual) == pytest.approx(21 * STEP_SECONDS * 10, abs=1)
    section = film(begin=12, end=14)
    assert (section.time(0), section.time(len(section) - 1)) == (12.0, 14.0)


def test_the_formula_grows_with_the_motion():
    of = film(fps=30)
    first, middle, last = (below(moment(of, 20.0 + part)) for part in (0.1, 0.6, 0.95))
    assert 0 < ink(first) < ink(middle) < ink(last)


def test_the_baseline_stays_from_step_to_step(monkeypatch):
    """A fraction in one step and a plain product in the next made the line jump."""
    baselines: list[int] = []
    monkeypatch.setattr("cadena.gui.formulas.pictures.paint", lambda *at: baselines.append(round(at[4].y())))
    of = film(fps=30)
    for time in (1.0, 9.0, 21.0):  # m1 = w0 · a1, then fractions
        moment(of, time)
    assert len(baselines) > 10 and max(baselines) - min(baselines) <= 1


def test_nothing_moves_between_frames_but_what_is_under_way():
    of = film(fps=30)
    one, other = moment(of, 20.2), moment(of, 20.3)
    assert one.size() == other.size() and one != other
    assert below(one) == below(other)
    assert one.copy(0, 0, 640, 30) == other.copy(0, 0, 640, 30)


def test_frames_with_kept_layers_look_as_those_without():
    from cadena.gui.canvas.rendering.painting import Layers

    of, layers = film(fps=30), Layers()
    for number in range(40, 80, 7):
        assert np.abs(pixels(of.frame(number, layers)) - pixels(of.frame(number))).mean() < 2.0  # letters may snap


@pytest.mark.parametrize("method", METHODS)
def test_every_method_can_be_filmed(method):
    timeline = timeline_of(compile(open_lesson("1")).run(), Method(method))
    of = Film(timeline, 0, len(timeline), DARK, size=SMALL, fps=5)
    frames = {of.frame(number).constBits().tobytes() for number in range(0, len(of), 3)}
    assert len(frames) > 10 and of.frame(0).pixelColor(0, 0).name() == DARK.window


def test_a_sequence_is_a_picture_for_each_frame(tmp_path):
    of = film(begin=3, end=4)
    assert list(writing(of, tmp_path / "a-%03d.png")) == list(range(1, len(of) + 1))
    assert len(list(tmp_path.glob("a-*.png"))) == len(of) and QImage(str(tmp_path / "a-001.png")).width() == 640
    assert list(writing(of, tmp_path / "folder"))[-1] == len(list((tmp_path / "folder").glob("frame-*.png")))


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"begin": 5, "end": 5}, "no such section; choose two steps from 0 to 21"),
        ({"begin": 0, "end": 22}, "no such section"),
        ({"speed": 0.0001}, "frames, and 50000 is the most; choose fewer steps"),
    ],
)
def test_what_cannot_be_filmed_is_refused_in_one_sentence(settings, sentence, tmp_path):
    with pytest.raises(Refused, match=sentence):
        list(writing(film(**settings), tmp_path / "x.mp4"))
    assert not list(tmp_path.iterdir())


def test_odd_sides_are_made_even_as_encoders_want_them():
    assert checked(film(size=(641, 359))).size == (642, 360)


def test_without_ffmpeg_the_line_that_installs_it_is_given(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Refused, match="films need FFmpeg, which is not installed; install it with: pip install"):
        list(writing(film(), tmp_path / "x.mp4"))


@pytest.fixture
def failing_encoder(monkeypatch, tmp_path):
    """A program in FFmpeg's place that reads a little, complains and ends."""
    program = tmp_path / "bin" / "ffmpeg"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\nhead -c 1000 >/dev/null\necho 'no such codec' >&2\nexit 1\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    monkeypatch.setenv("PATH", str(program.parent), prepend=":")
    return tmp_path


def test_an_encoder_that_fails_leaves_the_old_file(failing_encoder):
    out = failing_encoder / "x.mp4"
    out.write_bytes(b"old")
    with pytest.raises(Refused, match="FFmpeg cannot make this film: no such codec"):
        list(writing(film(), out))
    assert out.read_bytes() == b"old"


def test_a_full_disk_was_taken_for_a_size_that_ffmpeg_cannot_make(failing_encoder, monkeypatch):
    monkeypatch.setattr(encoder.shutil, "disk_usage", lambda folder: SimpleNamespace(free=4096))
    sentence = "the disk is full while the film is made there; free some space there, or name another folder in TMPDIR"
    with pytest.raises(Refused, match=sentence):
        list(writing(film(), failing_encoder / "x.mp4"))


def test_no_folder_for_temporary_files_is_told(failing_encoder, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(failing_encoder / "gone"))
    with pytest.raises(Refused, match=r"x\.mp4: a temporary file cannot be made: there is no such file or folder"):
        list(writing(film(), failing_encoder / "x.mp4"))


def test_an_ffmpeg_that_cannot_be_started_is_told_with_the_line_that_installs_it(failing_encoder, monkeypatch):
    monkeypatch.setattr("cadena.gui.export.film.ffmpeg", lambda: str(failing_encoder / "gone"))
    with pytest.raises(Refused, match="FFmpeg cannot be started: No such file or directory; install it with"):
        list(writing(film(), failing_encoder / "x.mp4"))


def has_ffmpeg() -> bool:
    try:
        return bool(encoder.ffmpeg())
    except Refused:
        return False


needs_ffmpeg = pytest.mark.skipif(not has_ffmpeg(), reason="FFmpeg is not installed (pip install imageio-ffmpeg)")


@needs_ffmpeg
@pytest.mark.parametrize(("ending", "begins"), [(".mp4", b"ftyp"), (".gif", b"GIF89a")])
def test_a_film_is_written_whole(ending, begins, tmp_path):
    out = tmp_path / f"x{ending}"
    of = film(begin=10, end=12)
    assert list(writing(of, out))[-1] == len(of)
    assert begins in out.read_bytes()[:16]
    assert [path.name for path in tmp_path.iterdir()] == [out.name]


@needs_ffmpeg
def test_a_film_that_is_given_up_leaves_nothing(tmp_path):
    out = tmp_path / "x.mp4"
    out.write_bytes(b"old")
    frames = writing(film(), out)
    assert next(frames) == 1
    frames.close()
    assert out.read_bytes() == b"old" and [path.name for path in tmp_path.iterdir()] == ["x.mp4"]


@needs_ffmpeg
@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="only Linux has files that no folder lists")
@pytest.mark.parametrize("ending", [".mp4", ".gif"])
def test_a_film_under_way_lay_in_the_temporary_folder_and_stayed_there_after_a_kill(ending, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    frames = writing(film(), tmp_path / f"x{ending}")
    while not next(frames):  # the colours of a GIF come first
        pass
    assert not list(tmp_path.iterdir())
    frames.close()


def test_the_step_lands_where_the_timeline_says():
    of = film(fps=60)
    before, after = moment(of, 20.0 + ARRIVAL - 0.05), moment(of, 20.0 + ARRIVAL + 0.05)
    assert ink(below(after)) > ink(below(before))


def test_the_folder_of_a_sequence_may_not_be_there_at_all(tmp_path):
    with pytest.raises(Refused, match="the folder cannot be made"):
        list(writing(film(begin=0, end=1), Path(tmp_path / "no" / "such" / "x-%d.png")))


def test_a_film_left_out_the_lanes_that_the_window_shows_beside_a_step():
    """Those of a pass stand right of its words, each result when it is there, and the formula leaves them room."""
    document = open_lesson("11")
    timeline = timeline_of(compile(document).run(), Method("forward"), whole=True)
    of = Film(timeline, 0, len(timeline), LIGHT, size=(1280, 720), fps=10)

    def numbers(image: QImage) -> int:
        beside = image.copy(round(image.width() * 0.6), round(image.height() * 0.74), round(image.width() * 0.4), 187)
        return count_of(beside, LIGHT.tangent)

    shown = [numbers(moment(of, time)) for time in (0.0, 4.0, 32.0, 60.0)]
    assert shown[0] < shown[1] < shown[2] < shown[3]
    whole = film(size=(1280, 720))
    assert numbers(moment(whole, 21.0)) == 0  # reverse mode has none


def test_a_folder_without_permission_was_called_standard_output(monkeypatch):
    monkeypatch.setattr(os, "stat", denied)
    assert not is_sequence(Path("secret/x.png")) and is_sequence(Path("secret/frames"))


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
@pytest.mark.parametrize("name", ["1", "5", "15"])
def test_the_formula_was_set_smaller_than_the_sentence_above_it(name, theme, monkeypatch):
    """And the sentence, which was all in one colour, has its numbers in theirs."""
    written: list[tuple[float, str]] = []
    formulas: list[float] = []
    monkeypatch.setattr(text_wrapping, "write", lambda *at, **_: written.append((at[3], at[4].name())))
    monkeypatch.setattr(sheet.pictures, "paint", lambda *at: formulas.append(at[2]))
    monkeypatch.setattr(sheet, "paint_graph", lambda *at: None)
    timeline = compile(open_lesson(name)).run().timeline
    of, colors = Film(timeline, 0, len(timeline), theme), set()
    for step in range(1, len(timeline) + 1):
        written.clear()
        formulas.clear()
        moment(of, float(step))
        _, *sentence = written  # after the title
        assert formulas and max(size for size, _ in sentence) < min(formulas), step
        colors |= {color for _, color in sentence}
    assert {theme.text, theme.gradient} <= colors and (name != "1" or theme.value in colors)


@pytest.mark.parametrize("corner", [24.0, 38.4, 30.72, 1.1, 0.3])
def test_a_piece_of_a_sentence_was_set_smaller_than_the_others(corner, monkeypatch):
    """By a rounding error of its room, which left a gap behind it."""
    shown: list[tuple[str, int]] = []

    def write(painter, text, place, pixels, color, bold) -> None:
        shown.append(fitted(text, round(pixels), bold, place.width()))

    monkeypatch.setattr(text_wrapping, "write", write)
    sentence = f"b1 receives {mark('gradient', '−7')} from m3: {mark('gradient', '−1')} · {mark('value', '7')}."
    for unit in (0.9, 1.25, 1.28, 1.6, 1.92):
        text_wrapping.paint_lines(None, QPointF(corner, 3.3), 900.0, [(sentence, SENTENCE, True)], unit, LIGHT)
        assert {size for _, size in shown} == {round(SENTENCE * unit)} and len(shown) == 7
        shown.clear()
