from pathlib import Path

import numpy as np
import pytest

from cadena.core.graph.fault import Refused
from cadena.core.training.data import DATA, generated, read_csv

KINDS = [name for name, record in DATA.items() if record.make]


@pytest.mark.parametrize("kind", KINDS)
def test_equal_seeds_give_equal_bits_and_others_do_not(kind):
    first, again, other = (generated(kind, seed, noise=0.1) for seed in (3, 3, 4))
    assert first.rows.tobytes() == again.rows.tobytes() != other.rows.tobytes()
    assert first.rows.shape[1] == len(first.names)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("count", [1, 2, 3, 50])
def test_data_has_as_many_examples_as_asked_for(kind, count):
    rows = generated(kind, 0, count).rows
    assert len(rows) == count and np.isfinite(rows).all()


def test_xor_is_its_four_corners():
    assert generated("xor", 0).rows.tolist() == [[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]]


def test_circles_without_noise_have_two_radii():
    x, y, labels = generated("circles", 0, 20, noise=0.0).rows.T
    assert np.allclose(np.hypot(x, y), np.where(labels, 0.5, 1.0))


def test_the_moons_interlock():
    x, y, labels = generated("moons", 0, 101, noise=0.0).rows.T
    upper, lower = labels == 0, labels == 1
    assert np.allclose(np.hypot(x[upper], y[upper]), 1.0) and np.allclose(np.hypot(x[lower] - 1, y[lower] - 0.5), 1.0)
    assert y[upper].min() >= 0.0 and y[lower].max() <= 0.5


def test_the_arms_of_the_spiral_are_each_other_turned_by_half():
    x, y, labels = generated("spiral", 0, 40, noise=0.0).rows.T
    assert np.allclose(x[labels == 0], -x[labels == 1]) and np.allclose(y[labels == 0], -y[labels == 1])


def test_the_line_without_noise_is_one():
    x, y = generated("line", 0, noise=0.0).rows.T
    assert np.array_equal(y, 2.0 * x - 1.0)


# --- CSV


def test_a_csv_file_with_titles(tmp_path):
    path = tmp_path / "points.csv"
    path.write_text("height; weight\n1;2.5\n\n3;-4\n")
    table = read_csv(path)
    assert table.names == ("height", "weight") and table.rows.tolist() == [[1.0, 2.5], [3.0, -4.0]]


def test_a_csv_file_without_titles(tmp_path):
    path = tmp_path / "points.csv"
    path.write_text("1,2,3\n4,5,6\n")
    assert read_csv(path).names == ("x1", "x2", "y")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "points.csv holds no rows of numbers; choose another file"),
        ("a,b\n", "points.csv holds no rows of numbers; choose another file"),
        ("a,b\n1,2\n1\n", "points.csv, line 3: 1 cells, where the first row has 2; correct it"),
        ("a,b\n1,two\n", "points.csv, line 2: 'two' is not a number; correct it"),
        ("a,a\n1,2\n", "points.csv has two columns a; rename one of them"),
    ],
)
def test_a_csv_file_that_is_wrong_is_refused(tmp_path, monkeypatch, text, sentence):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "points.csv"
    path.write_text(text)
    with pytest.raises(Refused) as refused:
        read_csv(path.relative_to(tmp_path))
    assert str(refused.value) == sentence


def test_a_csv_file_that_is_not_there_or_not_text_is_refused(tmp_path):
    with pytest.raises(Refused, match="cannot be read: there is no such file"):
        read_csv(tmp_path / "none.csv")
    (tmp_path / "picture.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(Refused, match="is not UTF-8 text; choose another file"):
        read_csv(tmp_path / "picture.csv")


def test_a_device_was_read_whole_as_a_csv_file():
    with pytest.raises(Refused, match="this is a device"):
        read_csv(Path("/dev/zero"))


def test_names_of_a_hundred_thousand_columns_were_compared_with_one_another(tmp_path):
    path = tmp_path / "wide.csv"
    names = [f"c{number}" for number in range(100_000)]
    path.write_text(f"{','.join(names)}\n{','.join('1' for _ in names)}\n")
    assert read_csv(path).rows.shape == (1, 100_000)
    path.write_text(f"{','.join([*names, 'c7'])}\n{','.join('1' for _ in [*names, 'c7'])}\n")
    with pytest.raises(Refused, match="has two columns c7"):
        read_csv(path)
