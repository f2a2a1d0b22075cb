"""`cadena exercise`: sheets as files and pages, one or one each; what would be lost or makes no exercise is refused."""

from __future__ import annotations

import pytest

from cadena.core.graph.fault import Refused
from cadena.core.storage.files import load
from cadena.core.teaching.exercise_sheet import asked_of, sheet_for
from cadena.core.verbs.exercise import exercise, place_of
from cadena.core.verbs.parser import parse


@pytest.fixture
def make(lesson):
    """make("-o", out, ...) writes sheets of the lesson; the PDFs that are asked for are in the list that it returns."""

    def making(*options):
        pdfs = []
        words = ["exercise", str(lesson), *map(str, options)]
        assert exercise(parse(words), lambda *pdf: pdfs.append(pdf)) == 0
        return pdfs

    return making


@pytest.fixture
def names(tmp_path):
    path = tmp_path / "names.txt"
    path.write_text("Anna Müller\nBen Okafor\nChloé d'Arcy\n", "utf-8")
    return path


def test_a_file_has_the_numbers_of_its_student_and_hides_the_results(make, lesson, tmp_path):
    make("-o", tmp_path / "x.cadena", "--student", "Anna Müller")
    document = load(tmp_path / "x.cadena")
    original = load(lesson)
    expected = sheet_for(original, "Anna Müller", asked_of(original)).document
    assert document.nodes == expected.nodes and document.nodes["w0"].value != original.nodes["w0"].value
    assert document.extra["lesson"]["view"] == {"hide": ["results"]} and document.title == "lesson: Anna Müller"


def test_a_class_is_one_page_or_a_file_each(make, names, tmp_path):
    make("-o", tmp_path / "class.html", "--students", names)
    page = (tmp_path / "class.html").read_text("utf-8")
    assert page.count("<section>") == 3 and "Chloé d&#x27;Arcy" in page
    make("-o", tmp_path / "sheets" / "{student}.cadena", "--students", names)
    files = sorted(path.name for path in (tmp_path / "sheets").iterdir())
    assert files == ["Anna Müller.cadena", "Ben Okafor.cadena", "Chloé d_Arcy.cadena"]


def test_a_pdf_gets_all_sheets_at_once(make, names, tmp_path):
    ((sheets, title, paper, out),) = make("-o", tmp_path / "x.pdf", "--students", names, "--paper", "Letter")
    assert [sheet.student for sheet in sheets] == ["Anna Müller", "Ben Okafor", "Chloé d'Arcy"]
    assert (title, paper, out) == ("lesson", "Letter", tmp_path / "x.pdf")


def test_what_is_asked_for_can_be_chosen(make, tmp_path):
    make("-o", tmp_path / "x.html", "--student", "A", "--values", "b1,m3", "--wrt", "w4", "--output", "c")
    page = (tmp_path / "x.html").read_text("utf-8")
    subjects = [
        f'aria-label="Question {number}: {subject}"' for number, subject in ((1, "b1"), (2, "m3"), (3, "∂c/∂w4"))
    ]
    assert all(subject in page for subject in subjects) and page.count("<input") == 3


def test_the_name_of_a_file_holds_what_every_system_takes(tmp_path):
    assert place_of(tmp_path / "{student}.pdf", "../a/b: c?") == tmp_path / "_a_b_ c_.pdf"
    assert place_of(tmp_path / "x.pdf", "Anna") == tmp_path / "x.pdf"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("-o", "x.txt", "--student", "A"), "x.txt is no sheet; choose a name that ends in .html, .pdf or .cadena"),
        (("-o", "x.pdf"), "one of the arguments --student --students is required"),
        (
            ("-o", "x.cadena", "--students", "{names}"),
            "x.cadena: such a file holds one student, and there are 3; put {",
        ),
        (("-o", "{lesson}", "--student", "A"), "there is such a file already; choose another name, or --force"),
        (("-o", "x.pdf", "--student", "A", "--values", "w0"), ": the value of w0 is given; ask for that of a node"),
        (("-o", "x.pdf", "--student", "A", "--wrt", "zz"), "--wrt: there is no node 'zz'; the nodes are w0, w1"),
        (("-o", "x.pdf", "--students", "no.txt"), "no.txt: the file cannot be read: there is no such file or folder"),
    ],
)
def test_errors_are_one_sentence_and_write_nothing(make, lesson, names, tmp_path, monkeypatch, options, sentence):
    monkeypatch.chdir(tmp_path)
    before = lesson.read_bytes()
    words = [word.replace("{lesson}", str(lesson)).replace("{names}", str(names)) for word in options]
    with pytest.raises(Refused) as refusal:
        make(*words)
    assert sentence in str(refusal.value) and "\n" not in str(refusal.value)
    assert lesson.read_bytes() == before and {path.name for path in tmp_path.iterdir()} == {lesson.name, names.name}


def test_a_list_in_another_encoding_is_refused_as_it_would_spoil_names(make, tmp_path):
    (tmp_path / "names.txt").write_bytes("Anna Müller".encode("cp1252"))
    with pytest.raises(Refused, match=r"names\.txt: the text is not UTF-8; save it as UTF-8"):
        make("-o", tmp_path / "x.pdf", "--students", tmp_path / "names.txt")
