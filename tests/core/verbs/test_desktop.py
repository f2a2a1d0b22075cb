from __future__ import annotations

import os
import shlex
import shutil
import stat
import subprocess
import sys
import xml.etree.ElementTree as xml
from configparser import ConfigParser
from pathlib import Path

import pytest

import cadena.main as program
from cadena.core.verbs.desktop import command, desktop_entry

MISSING = (
    "cadena: the desktop may not know .cadena files yet, for lack of update-mime-database, xdg-desktop-menu,"
    " xdg-icon-resource; install shared-mime-info, xdg-utils, then run it again\n"
)
KIND = "application/x-cadena"
LESSON = Path(__file__).parents[3] / "resources" / "lessons" / "01_first_chain_rule.cadena"


@pytest.fixture
def home(tmp_path, monkeypatch):
    """The user's folders, with no program of a desktop in reach."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path / "no-programs"))
    return tmp_path


@pytest.fixture
def programs(home, monkeypatch):
    """The real programs of the desktop, as far as there are any."""
    monkeypatch.undo()
    for variable, folder in (("XDG_DATA_HOME", "data"), ("XDG_CONFIG_HOME", "config"), ("HOME", "")):
        monkeypatch.setenv(variable, str(home / folder))
    monkeypatch.setenv("XDG_CURRENT_DESKTOP", "")
    return home


@pytest.fixture
def desktop(capsys):
    def call(*words: str) -> tuple[int, list[str], str]:
        """Exit status, lines of standard output and standard error of `cadena desktop ...`."""
        status = program.main(["desktop", *words])
        printed = capsys.readouterr()
        return status, printed.out.splitlines(), printed.err

    return call


def needs(*programs: str) -> pytest.MarkDecorator:
    missing = [name for name in programs if shutil.which(name) is None]
    return pytest.mark.skipif(bool(missing), reason=f"not installed: {', '.join(missing)}")


def tree(folder: Path) -> dict[str, bytes]:
    """All files below a folder, with their contents."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_install_lists_every_file_that_it_wrote(home, desktop):
    status, lines, complaint = desktop("install")
    written = {line.removeprefix("wrote ") for line in lines}
    assert (status, complaint) == (0, MISSING)
    assert written == {str(home / name) for name in tree(home)}


def test_uninstall_leaves_the_files_of_others_as_they_were(home, desktop):
    (home / "data" / "icons").mkdir(parents=True)
    (home / "data" / "icons" / "mine.png").write_bytes(b"mine")
    before = tree(home)
    desktop("install")
    desktop("install")  # anew, as after an update
    assert tree(home) != before
    status, lines, complaint = desktop("uninstall")
    assert (status, complaint, tree(home)) == (0, "", before)
    assert all(line.startswith("removed ") for line in lines) and len(lines) == 6
    assert desktop("uninstall") == (0, ["nothing is installed"], "")


@needs("update-mime-database", "xdg-mime", "gio")  # where it knows no desktop, xdg-mime asks `file`, which knows less
def test_the_desktop_knows_the_type_of_a_file_and_opens_it_with_cadena(programs, desktop):
    status, _, complaint = desktop("install")
    assert (status, complaint) == (0, "")
    asked = ["gio", "info", "-a", "standard::content-type", str(LESSON)], ["xdg-mime", "query", "default", KIND]
    kind, opens = (subprocess.run(words, capture_output=True, text=True, check=True).stdout for words in asked)
    assert kind.strip().endswith(f"content-type: {KIND}") and opens.strip() == "cadena.desktop"
    assert desktop("uninstall")[0] == 0
    assert not [name for name, data in tree(programs).items() if b"cadena" in data]


@needs("desktop-file-validate")
def test_the_desktop_entry_is_valid(programs, desktop):
    desktop("install")
    entry = programs / "data" / "applications" / "cadena.desktop"
    checked = subprocess.run(["desktop-file-validate", str(entry)], capture_output=True, text=True)
    assert (checked.returncode, checked.stdout) == (0, "")


def test_the_entry_starts_this_cadena_on_the_file(home, desktop):
    desktop("install")
    entry = ConfigParser(interpolation=None)
    entry.read(home / "data" / "applications" / "cadena.desktop")
    fields = entry["Desktop Entry"]
    assert fields["MimeType"] == "application/x-cadena;" and fields["Icon"] == "cadena"
    *words, place = shlex.split(fields["Exec"])
    assert place == "%F" and fields["TryExec"] == words[0] and tuple(words) == command()
    done = subprocess.run([*words, "run", str(LESSON)], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("node")


def test_a_path_with_spaces_quotes_and_percent_signs_is_one_word_of_the_command():
    entry = desktop_entry(('/o p"t/50%$x`y\\z/cadena',))
    assert 'Exec="/o p\\\\"t/50%%\\\\$x\\\\`y\\\\\\\\z/cadena" %F\n' in entry  # quoted, then written as a value
    assert 'TryExec=/o p"t/50%$x`y\\\\z/cadena\n' in entry


def test_the_type_is_described_as_the_standard_has_it(home, desktop):
    desktop("install")
    namespace = "{http://www.freedesktop.org/standards/shared-mime-info}"
    kind = xml.parse(home / "data" / "mime" / "packages" / "cadena.xml").getroot().find(f"{namespace}mime-type")
    assert kind.get("type") == "application/x-cadena"
    assert kind.find(f"{namespace}glob").get("pattern") == "*.cadena"
    assert kind.find(f"{namespace}icon").get("name") == "cadena"


def test_icons_have_the_size_of_their_folder(home, desktop):
    desktop("install")
    for size in (48, 128, 256):
        data = (home / "data" / "icons" / "hicolor" / f"{size}x{size}" / "apps" / "cadena.png").read_bytes()
        assert data.startswith(b"\x89PNG") and data[16:24] == size.to_bytes(4, "big") * 2


def test_a_file_of_somebody_else_is_not_written_over_unless_asked(home, desktop):
    entry = home / "data" / "applications" / "cadena.desktop"
    entry.parent.mkdir(parents=True)
    entry.write_text("mine")
    before = tree(home)
    status, lines, complaint = desktop("install")
    assert (status, lines, tree(home)) == (2, [], before)
    assert complaint == (f"cadena: {entry}: this is not as Cadena wrote it; move it away, or install with --force\n")
    assert desktop("install", "--force")[0] == 0 and entry.read_text() != "mine"


def test_a_file_of_somebody_else_is_kept_until_it_is_forced(home, desktop):
    desktop("install")
    entry = home / "data" / "applications" / "cadena.desktop"
    entry.write_text("mine")
    status, lines, _ = desktop("uninstall")
    assert status == 0 and f"kept {entry}: this is not as Cadena wrote it; remove it with --force" in lines
    assert entry.read_text() == "mine" and len(tree(home)) == 1
    assert desktop("uninstall", "--force")[1] == [f"removed {entry}"]
    assert tree(home) == {}


def test_a_link_is_replaced_and_what_it_leads_to_stays(home, desktop):
    entry = home / "data" / "applications" / "cadena.desktop"
    entry.parent.mkdir(parents=True)
    (home / "elsewhere").write_text("mine")
    entry.symlink_to(home / "elsewhere")
    assert desktop("install")[0] == 2
    assert desktop("install", "--force")[0] == 0
    assert not entry.is_symlink() and (home / "elsewhere").read_text() == "mine"


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_to_is_one_sentence(home, desktop):
    (home / "data").mkdir()
    (home / "data").chmod(stat.S_IRUSR | stat.S_IXUSR)
    status, _, complaint = desktop("install")
    (home / "data").chmod(stat.S_IRWXU)
    assert status == 2 and complaint.count("\n") == 1 and "permission is denied" in complaint


def test_a_file_in_the_place_of_a_folder_is_one_sentence(home, desktop):
    (home / "data").write_text("no folder")
    status, _, complaint = desktop("install")
    assert status == 2 and complaint.count("\n") == 1 and str(home / "data") in complaint
    assert (home / "data").read_text() == "no folder"


def test_a_base_directory_that_is_not_absolute_counts_as_not_set(home, desktop, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", "data")
    desktop("install")
    assert (home / ".local" / "share" / "applications" / "cadena.desktop").is_file()


def test_a_program_of_the_desktop_that_fails_is_reported(home, desktop, monkeypatch):
    folder = home / "no-programs"
    folder.mkdir()
    fake = folder / "update-mime-database"
    fake.write_text("#!/bin/sh\nexit 3\n")
    fake.chmod(0o755)
    status, _, complaint = desktop("install")
    assert status == 0 and "update-mime-database did not succeed (status 3)" in complaint


def test_a_desktop_without_its_programs_was_told_nothing(home, desktop):
    assert desktop("install")[2] == MISSING
    assert desktop("uninstall")[2] == ""


@pytest.mark.parametrize("words", [[], ["remove"], ["install", "now"]])
def test_other_words_are_bad_usage(home, desktop, words):
    before = tree(home)
    status, lines, complaint = desktop(*words)
    assert (status, lines, complaint.count("\n")) == (2, [], 1) and tree(home) == before
