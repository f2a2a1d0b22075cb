"""The program as it is started: exit statuses, standard output and standard error of real processes."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest

import cadena.main as program
from cadena.core.graph.document import Document, Node
from cadena.core.methods.names import METHODS
from cadena.core.storage.files import save
from cadena.core.teaching.lessons import lesson_path, lessons
from tests.core.graphs import graph
from tests.waiting import SECONDS

ROOT = Path(__file__).parent.parent
LESSON = str(lesson_path("1"))
GOLDEN = {"w0": -28, "w1": -21, "w2": -12, "w3": -23, "w4": -36}


def start(*words, **settings):
    """The finished process of `python main.py *words`."""
    command = [sys.executable, str(ROOT / "main.py"), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, **settings)


def without_display(**more):
    gone = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return {name: value for name, value in os.environ.items() if name not in gone} | more


def one_line(stderr):
    assert stderr.endswith("\n")
    assert stderr.count("\n") == 1
    assert stderr.startswith("cadena: ")
    assert "; " in stderr
    return stderr


@pytest.fixture
def say(capsys):
    """say("run", path) -> (exit status, standard output, standard error), in this process."""

    def saying(*words):
        status = program.main([str(word) for word in words])
        shown = capsys.readouterr()
        return status, shown.out, shown.err

    return saying


# --- real processes


def test_run_on_lesson_1_prints_the_golden_numbers():
    done = start("run", LESSON)
    assert (done.returncode, done.stderr) == (0, "")
    table = {line.split()[0]: line.split()[-2:] for line in done.stdout.splitlines()[1:]}
    assert table["L"] == ["-254", "1"]
    assert {name: int(table[name][1]) for name in GOLDEN} == GOLDEN


def test_faults_give_exit_status_1_and_a_line_each(tmp_path):
    path = tmp_path / "faulty.cadena"
    save(graph(x=-1.0, y=("log", "x")), path)
    done = start("run", path)
    assert done.returncode == 1
    assert one_line(done.stderr).startswith(f"cadena: {path}: y: ")
    assert "nan" in done.stdout


def test_an_unreadable_file_gives_exit_status_2_and_one_line(tmp_path):
    path = tmp_path / "cut.cadena"
    path.write_bytes(Path(LESSON).read_bytes()[:200])
    done = start("run", path)
    assert (done.returncode, done.stdout) == (2, "")
    assert one_line(done.stderr) == f"cadena: {path}: the file ends in the middle; restore a copy of it\n"


@pytest.mark.skipif(not Path("/dev/stdin").exists(), reason="needs /dev/stdin")
def test_a_graph_can_be_piped_in():
    done = start("run", "/dev/stdin", input=Path(LESSON).read_text("utf-8"))
    assert done.returncode == 0 and done.stdout == start("run", LESSON).stdout


def test_a_reader_that_has_seen_enough_is_no_error():
    command = f"'{sys.executable}' '{ROOT / 'main.py'}' steps '{LESSON}' --json | head -c 10"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=SECONDS)
    assert (done.stdout, done.stderr) == ('{"steps": ', "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_output_that_cannot_be_written_is_one_line():
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, str(ROOT / "main.py"), "run", LESSON]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=SECONDS)
    assert done.returncode == 2
    assert "standard output" in one_line(done.stderr)
    assert "the disk is full" in done.stderr


@pytest.mark.parametrize("name", ["/tmp/films", None])
def test_whatever_the_system_refused_was_told_of_standard_output(name, monkeypatch, capsys):
    def refuse(options):
        raise OSError(errno.ENOSPC, "No space left on device", name)

    monkeypatch.setattr(program, "verb", lambda _: refuse)
    assert program.main(["run", LESSON]) == 2
    told = one_line(capsys.readouterr().err)
    assert "the disk is full" in told and "standard output" not in told and (name or "cadena: the disk") in told


def test_a_terminal_without_greek_is_no_error():
    done = start("steps", LESSON, env=os.environ | {"PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stderr) == (0, "")
    assert "= -28." in done.stdout


AT_WORK = """
import signal, sys, time
import main
signal.signal(signal.SIGINT, signal.default_int_handler)  # who is started in the background inherits that it is ignored

def work(options):
    print("at work", flush=True)
    while True:
        time.sleep(0.01)

main.OF_THE_WINDOW["run"] = work
sys.exit(main.main(["run", "x.cadena"]))
"""


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_ctrl_c_ends_silently_with_130():
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", AT_WORK], cwd=ROOT, text=True, **pipes) as process:
        assert process.stdout.readline() == "at work\n"
        process.send_signal(signal.SIGINT)
        shown = process.communicate(timeout=SECONDS)
    assert (process.returncode, shown) == (130, ("", ""))


VERBS_ON_BAD_NUMBERS = [
    ("run",),
    ("run", "--json", "--dtype", "float16", "--explain"),
    ("check", "--seed", "1e300"),
    ("steps", "--mode", "difference"),
    ("validate",),
    ("render", "-o", "out.svg"),
]


@pytest.mark.parametrize("words", VERBS_ON_BAD_NUMBERS, ids=" ".join)
def test_a_warning_of_numpy_reached_standard_error(tmp_path, words):
    """Bad numbers and places of 1e308, with warnings as errors: all that is told is told in our own sentences."""
    odd = [float("nan"), float("inf"), 1e308, 5e-324, 0.0]
    nodes = {"l": ("log", "x"), "d": ("divide", "k", "l"), "v": ("var", "d"), "z": ("sum", "l")}
    document = graph(x=odd, k=("constant", 1.0), **nodes, y=("multiply", "v", "z"))
    far = {"x": (1e308, -1e308), "k": (-1e308, 5e-324), "l": (1e154, 1e200)}
    save(replace(document, layout=far), tmp_path / "bad.cadena")
    verb, *options = words
    command = [sys.executable, "-W", "error", str(ROOT / "main.py"), verb, "bad.cadena", *options]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode in (0, 1, 2) and "Warning" not in done.stderr, done.stderr
    assert all(line.startswith("cadena: ") for line in done.stderr.splitlines())


def test_the_command_line_does_not_import_the_window():
    code = f"import sys, main; main.main(['run', {LESSON!r}]); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=SECONDS)
    loaded = done.stdout.splitlines()[-1].split()
    assert "cadena.core.verbs.run" in loaded
    assert not {"PySide6", "networkx", "pyqtgraph", "ziamath", "cadena.gui"} & set(loaded)


def test_without_a_display_the_first_lesson_is_drawn_and_its_numbers_are_printed(tmp_path):
    done = start(cwd=tmp_path, env=without_display())
    assert (done.returncode, done.stderr) == (0, "")
    head, empty, *table = done.stdout.splitlines()
    assert head.startswith("There is no display")
    assert empty == ""
    assert [line.split()[-2:] for line in table if line.startswith("L ")] == [["-254", "1"]]
    assert (tmp_path / "cadena-demo.png").read_bytes().startswith(b"\x89PNG")


def test_a_display_that_does_not_answer_is_none(tmp_path):
    done = start("lessons", "two_paths", cwd=tmp_path, env=without_display(DISPLAY=":987"))
    assert (done.returncode, done.stderr) == (0, "")
    assert str(lesson_path("2")) in done.stdout.splitlines()[0]
    assert (tmp_path / "cadena-demo.png").exists()


def test_render_writes_a_page_that_plays_by_any_method(say, tmp_path):
    out = tmp_path / "lesson.html"
    assert say("render", LESSON, "-o", out, "--mode", "forward", "--theme", "dark", "--step", "12") == (0, "", "")
    page = out.read_text("utf-8")
    assert page.startswith("<!doctype html>") and 'data-theme="dark"' in page and '"start":12' in page
    assert "along w0" in page


def test_render_writes_a_pdf_of_a_section_and_pictures_of_a_film(say, tmp_path):
    out = tmp_path / "lesson.pdf"
    assert say("render", LESSON, "-o", out, "--from-step", "3", "--to-step", "5") == (0, "", "")
    assert out.read_bytes().startswith(b"%PDF")
    words = ("--to-step", "1", "--fps", "2", "--size", "320x180", "--mode", "symbolic")
    assert say("render", LESSON, "-o", f"{tmp_path}/film/", *words) == (0, "", "")
    assert len(list((tmp_path / "film").glob("frame-*.png"))) == 6


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("x.png", "--fps", "5"), "x.png: --fps means nothing for such a file; leave it out, or choose another ending"),
        (("x.svg", "--to-step", "5"), "x.svg: --to-step means nothing for such a file"),
        (("x.mp4", "--step", "5"), "x.mp4: --step means nothing for such a file"),
        (("x.html", "--speed", "2"), "x.html: --speed means nothing for such a file"),
        (("x.gif", "--to-step", "22"), f"{LESSON}: --to-step 22: there is no such step; give one from 0 to 21"),
    ],
)
def test_options_that_mean_nothing_for_a_file_are_refused(say, words, sentence):
    status, _, errors = say("render", LESSON, "-o", *words)
    assert status == 2 and one_line(errors).startswith(f"cadena: {sentence}")


def test_a_handout_is_a_pdf_with_blanks_on_the_paper_asked_for(say, tmp_path):
    out = tmp_path / "handout.pdf"
    assert say("handout", LESSON, "-o", out, "--blanks", "--paper", "Letter") == (0, "", "")
    assert out.read_bytes().startswith(b"%PDF")
    status, _, errors = say("handout", LESSON, "-o", tmp_path / "x.txt")
    assert status == 2 and one_line(errors).endswith("x.txt is no PDF; choose a name that ends in .pdf\n")


def test_exercises_of_a_class_are_written_and_graded(say, tmp_path):
    (tmp_path / "names.txt").write_text("Anna\nBen\n")
    assert say("exercise", LESSON, "-o", tmp_path / "x.pdf", "--students", tmp_path / "names.txt") == (0, "", "")
    assert (tmp_path / "x.pdf").read_bytes().startswith(b"%PDF")
    (tmp_path / "answers.csv").write_text("name,1,2,3,4,5,6\nAnna,1,2,3,4,5,6\nZoe,,,,,,\n")
    words = "grade", tmp_path / "answers.csv", LESSON, "--students", tmp_path / "names.txt"
    status, told, errors = say(*words)
    assert status == 1 and told.startswith("student  right") and "Ben" in told
    assert one_line(errors) == (
        f"cadena: {tmp_path / 'answers.csv'}: line 3: Zoe is not in the list of students; "
        "add the name to the list, or correct it\n"
    )


def test_a_graph_too_large_for_a_page_is_refused_and_no_file_is_written(say, tmp_path):
    path, out = tmp_path / "large.cadena", tmp_path / "large.html"
    save(Document({f"n{index}": Node(f"n{index}", "constant", value=1.0) for index in range(401)}), path)
    status, _, errors = say("render", path, "-o", out)
    assert status == 2 and not out.exists()
    assert one_line(errors).startswith(f"cadena: {path}: a page plays graphs of up to 400 nodes")


@pytest.mark.parametrize(("ending", "beginning"), [("png", b"\x89PNG"), ("svg", b"<?xml")])
def test_render_draws_without_a_display(tmp_path, ending, beginning):
    out = tmp_path / f"picture.{ending}"
    done = start("render", LESSON, "-o", out, "--step", "12", "--size", "800x600", env=without_display())
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert out.read_bytes().startswith(beginning)


# --- in this process


def test_a_library_that_qt_lacks_was_a_traceback(say, monkeypatch):
    lacks = ImportError("libEGL.so.1: no such file", path="/site-packages/PySide6/QtGui.abi3.so")
    monkeypatch.setitem(program.OF_THE_WINDOW, "window", Mock(side_effect=lacks))
    errors = say(LESSON)[2]
    assert one_line(errors).startswith("cadena: Qt cannot be loaded (libEGL.so.1: no such file); ")


def test_help_and_version_are_done(say):
    assert say("--help")[0] == 0
    assert say("--version") == (0, "cadena 0.1.0\n", "")


def test_lessons_are_listed(say):
    status, listed, errors = say("lessons")
    assert (status, errors) == (0, "")
    assert "first_chain_rule" in listed


def test_steps_and_json_reach_their_verbs(say):
    assert "The reverse pass begins at L" in say("steps", LESSON)[1]
    assert json.loads(say("run", LESSON, "--json")[1])["value"] == -254.0
    assert say("validate", LESSON) == (0, f"{LESSON}: 16 nodes, no faults\n", "")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["diff", "x"], "cadena: diff is not in this version; cadena --help lists what is"),
        (["run"], "cadena: the following arguments are required: FILE; see cadena run --help"),
        (
            ["run", "nothing.cadena"],
            "cadena: nothing.cadena: the file cannot be read: there is no such file or folder; ",
        ),
        (["nothing.cadena"], "cadena: nothing.cadena: the file cannot be read: there is no such file or "),
        (["validate", str(ROOT)], f"cadena: {ROOT}: the file cannot be read: this is a folder; choose a file"),
        (["lessons", "nothing"], "cadena: there is no lesson nothing; choose one of 1 first_chain_rule"),
        (["run", LESSON, "--set", "w0=x"], f"cadena: {LESSON}: --set w0: 'x' is not a number; "),
        (["render", LESSON, "-o", "x.png", "--step", "22"], f"cadena: {LESSON}: --step 22: there is no such step; "),
        (["render", LESSON, "-o", "x.png", "--step", "-1"], f"cadena: {LESSON}: --step -1: there is no such step; "),
        (["render", LESSON, "-o", "x.png", "--seed", "x"], f"cadena: {LESSON}: --seed: 'x' is not a number; "),
        (
            ["render", LESSON, "-o", "x.png", "--mode", "forward", "--step", "41"],
            f"cadena: {LESSON}: --step 41: there is no such step; give one from 0 to 40",
        ),
        (
            ["render", LESSON, "-o", "x.png", "--mode", "difference", "--step-size", "0"],
            f"cadena: {LESSON}: --mode difference: w0: a step of 0 has no quotient; ",
        ),
        (
            ["render", LESSON, "-o", "x.png", "--along", "w0"],
            f"cadena: {LESSON}: --along: this is for differences; add --mode difference, or leave it out",
        ),
        (["steps", LESSON, "--step-size", "tiny"], "cadena: argument --step-size: 'tiny' is not a number; "),
        (["render", LESSON, "-o", "x.png", "--wrt", "v"], f"cadena: {LESSON}: --wrt: there is no node 'v'; "),
        (
            ["render", LESSON, "-o", "x.avi"],
            "cadena: argument -o/--out: x.avi is nothing that can be rendered; choose a name that ends",
        ),
    ],
)
def test_errors_are_one_line_and_exit_status_2(say, words, sentence):
    status, shown, errors = say(*words)
    assert (status, shown) == (2, "")
    assert one_line(errors).startswith(sentence)


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.name)
@pytest.mark.parametrize("mode", METHODS)
def test_every_lesson_is_drawn_in_every_mode(say, tmp_path, mode, lesson):
    """What cannot be drawn is one line: lesson 9 has the end of a root, where no difference settles, 16 grows."""
    out, path = tmp_path / "x.png", lesson_path(lesson.name)
    status, shown, errors = say("render", path, "-o", out, "--mode", mode, "--size", "400x300")
    assert shown == ""
    cannot = {(9, "difference"): "x1: ", (16, "symbolic"): "L: its expression has grown to "}
    if why := cannot.get((lesson.number, mode)):
        assert (status, out.exists()) == (2, False)
        assert one_line(errors).startswith(f"cadena: {path}: --mode {mode}: {why}")
        return
    assert status == (1 if errors else 0)
    assert out.read_bytes().startswith(b"\x89PNG")


def test_the_words_of_a_picture_are_those_of_steps(say, tmp_path):
    out = tmp_path / "x.svg"
    assert say("render", LESSON, "-o", out, "--mode", "forward", "--step", "12")[0] == 0
    told = say("steps", LESSON, "--mode", "forward")[1].splitlines()
    sentence = next(line for line in told if line.startswith("12. ")).removeprefix("12. ")
    assert sentence in out.read_text("utf-8").replace("−", "-")
    assert "Forward mode, pass 2 of 5, along w1, step 12 of 40." in out.read_text("utf-8")


def test_a_picture_is_called_by_its_file_where_the_graph_has_no_title(say, tmp_path):
    path, out = tmp_path / "slope.cadena", tmp_path / "x.svg"
    save(graph("y", x=1.0, y=("sin", "x")), path)
    assert say("render", path, "-o", out)[0] == 0
    assert "<title>slope</title>" in out.read_text("utf-8")


def test_a_graph_whose_output_cannot_run_is_drawn_in_every_mode(say, tmp_path):
    path, out = tmp_path / "unknown.cadena", tmp_path / "x.png"
    save(graph("y", x=1.0, u=("teleport", "x"), y=("sin", "u")), path)
    for mode in METHODS:
        status, _, errors = say("render", path, "-o", out, "--mode", mode)
        assert status == 1
        assert one_line(errors).startswith(f"cadena: {path}: u: ")


def test_drawing_a_graph_whose_output_is_not_in_it_was_a_traceback(say, tmp_path):
    path, out = tmp_path / "renamed.cadena", tmp_path / "x.png"
    save(graph("z", x=1.0, y=("sin", "x")), path)
    for mode in METHODS:
        status, _, errors = say("render", path, "-o", out, "--mode", mode)
        assert status == 1
        assert "the output z is not in the graph; " in one_line(errors)


def test_a_picture_that_cannot_be_saved_is_one_line(say, tmp_path):
    out = tmp_path / "missing" / "x.png"
    status, _, errors = say("render", LESSON, "-o", out)
    assert status == 2
    assert one_line(errors).startswith(f"cadena: {out}: ")


def test_a_graph_with_faults_is_drawn_all_the_same(say, tmp_path):
    path, out = tmp_path / "faulty.cadena", tmp_path / "faulty.png"
    save(graph(x=-1.0, y=("log", "x")), path)
    status, _, errors = say("render", path, "-o", out, "--dtype", "float32")
    assert status == 1
    assert one_line(errors).startswith(f"cadena: {path}: y: ")
    assert out.exists()


def test_a_graph_too_large_for_the_memory_is_one_line(say, monkeypatch):
    def too_large(options):
        raise MemoryError

    monkeypatch.setitem(program.OF_THE_WINDOW, "run", too_large)
    status, _, errors = say("run", LESSON)
    assert status == 2
    assert "needs more memory than there is" in one_line(errors)


@pytest.mark.parametrize("words", [[], [LESSON], ["lessons", "1"]])
def test_with_a_display_the_window_opens_on_the_file(say, monkeypatch, words):
    opened = []
    monkeypatch.setattr("cadena.gui.look.screens.is_there", lambda: True)
    monkeypatch.setattr("cadena.gui.window.app.start", lambda path: opened.append(path) or 0)
    assert say(*words) == (0, "", "")
    assert opened == [LESSON if words else None]
