from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from cadena.core.graph.fault import Refused
from cadena.core.verbs.parser import HELP, NOT_YET, VERSION, parse

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    ("line", "verb", "file"),
    [
        ("", "window", None),
        ("x.cadena", "window", "x.cadena"),
        ("./run", "window", "./run"),
        ("run x.cadena", "run", "x.cadena"),
        ("steps x.cadena --json", "steps", "x.cadena"),
        ("check x.cadena --json", "check", "x.cadena"),
        ("validate x.cadena", "validate", "x.cadena"),
        ("render x.cadena -o x.png", "render", "x.cadena"),
    ],
)
def test_the_first_word_is_a_verb_or_a_file_for_the_window(line, verb, file):
    options = parse(line.split())
    assert (options.verb, options.file) == (verb, file)


def test_options_of_differences_are_read():
    line = ["steps", "x", "--mode", "difference", "--kind", "complex", "--step-size", "-1e-20", "--along", "W[1, 0]"]
    options = parse(line)
    assert (options.mode, options.kind, options.step_size, options.along) == (
        "difference",
        "complex",
        -1e-20,
        "W[1, 0]",
    )
    assert parse("check x --step-size 1·10⁻⁵".split()).step_size == 1e-5  # as Cadena prints it
    assert [parse(f"steps x{width}".split()).width for width in ("", " --width 3", " --width all")] == [1, 3, None]
    assert not parse("run x".split()).explain and parse("check x --explain".split()).explain


def test_options_are_read():
    line = "run x.cadena --set w0=-2 --set X=[1,2] --output L --wrt w0,X --dtype float32 --seed -1e-3 --json"
    options = parse(line.split())
    assert options.set == ["w0=-2", "X=[1,2]"]
    assert (options.output, options.wrt, options.dtype, options.seed) == ("L", "w0,X", "float32", "-1e-3")
    assert options.json
    picture = parse("render x.cadena -o a/b.SVG --step 3 --size 1600x900 --theme dark".split())
    assert (picture.out, picture.step, picture.size, picture.theme) == (Path("a/b.SVG"), 3, (1600, 900), "dark")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("run", "the following arguments are required: FILE; see cadena run --help"),
        ("run a b", "unrecognized arguments: b; see cadena run --help"),
        ("--fast", "unrecognized arguments: --fast; see cadena --help"),
        ("a b", "a: this is neither a verb nor a file; see cadena --help"),
        ("rnu a --json", "rnu: this is neither a verb nor a file; see cadena --help"),
        ("run a --dtype int8", "argument --dtype: invalid choice: 'int8'"),
        ("run a --mode backwards", "argument --mode: invalid choice: 'backwards'"),
        ("run a --kind backward", "argument --kind: invalid choice: 'backward'"),
        ("run a --step-size", "argument --step-size: expected one argument"),
        ("run a --step-size tiny", "argument --step-size: 'tiny' is not a number; "),
        ("run a --step-size [1,2]", "argument --step-size: [1,2] is not a single number; write one such as 1e-5"),
        ("steps a --width 0", "argument --width: 0 is not a number of tangents; write 1, 2, 3 ... or all"),
        ("steps a --width some", "argument --width: some is not a number of tangents; write 1, 2, 3 ... or all"),
        ("run a --along w0", "unrecognized arguments: --along w0"),
        ("steps a --explain", "unrecognized arguments: --explain"),
        ("run a --out x", "unrecognized arguments: --out x"),
        ("run a --seed", "argument --seed: expected one argument"),
        ("render a", "the following arguments are required: -o/--out"),
        (
            "render a -o x.avi",
            "argument -o/--out: x.avi is nothing that can be rendered; choose a name that ends in .png",
        ),
        ("render a -o x", "argument -o/--out: x is nothing that can be rendered; choose a name that ends in .png"),
        ("render a -o x.png --step two", "argument --step: invalid int value: 'two'"),
        ("render a -o x.mp4 --fps 0", "argument --fps: 0 is no number of frames; write one from 1 to 60"),
        ("render a -o x.mp4 --speed fast", "argument --speed: fast is no speed; write one from 0.05 to 20"),
        ("render a -o x.png --size big", "argument --size: big is not a size; write WIDTHxHEIGHT"),
        ("render a -o x.png --size 4x4", "argument --size: 4x4 is not a size"),
        ("render a -o x.png --size 99999x99999", "argument --size: 99999x99999 is not a size"),
        ("render a -o x.png --theme pink", "argument --theme: invalid choice: 'pink'"),
    ],
)
def test_bad_usage_is_refused_in_one_sentence(line, sentence):
    with pytest.raises(Refused) as refused:
        parse(line.split())
    assert str(refused.value).startswith(sentence)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("verb", NOT_YET)
def test_verbs_of_later_versions_are_not_promised(verb):
    with pytest.raises(Refused, match=f"{verb} is not in this version"):
        parse([verb, "x.cadena"])
    assert f"cadena {verb}" not in HELP


def test_help_names_every_verb_and_fits_a_terminal(capsys):
    with pytest.raises(SystemExit) as done:
        parse(["--help"])
    assert done.value.code == 0
    shown = capsys.readouterr().out
    assert shown == HELP
    assert all(f"cadena {verb}" in shown for verb in ("run", "steps", "check", "render", "validate", "lessons"))
    assert "cadena --version" in shown
    assert max(map(len, shown.splitlines())) <= 100


@pytest.mark.parametrize("verb", ["run", "steps", "check", "render", "validate", "lessons"])
def test_every_verb_explains_its_options(verb, capsys):
    with pytest.raises(SystemExit):
        parse([verb, "--help"])
    assert capsys.readouterr().out.startswith(f"usage: cadena {verb}")


def test_the_version_is_that_of_the_project():
    assert tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"] == VERSION
