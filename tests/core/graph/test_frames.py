"""Frames: which nodes are in them, whatever happens to the nodes and whatever a file holds."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec.structs import replace as with_fields

from cadena.core.graph import edits
from cadena.core.graph.document import changes
from cadena.core.graph.fault import Refused
from cadena.core.graph.frames import (
    COLOR_COUNT,
    CollapsedFrame,
    collapsed_frames,
    collapsed_titles,
    color_of,
    frame_of,
    frames,
    put_into_frame,
    rename_frame,
    set_collapsed,
    set_color,
)
from cadena.core.graph.wiring import wiring
from cadena.core.storage import files
from cadena.core.teaching.lessons import open_lesson

LESSON = open_lesson("1")
FRAMED = put_into_frame(LESSON, ["m2", "m1"], "  First   layer ")


def test_nodes_are_put_into_a_frame_and_out_of_it_and_nothing_runs_anew():
    assert frames(FRAMED) == {"First layer": ("m1", "m2")} and frame_of(FRAMED, "m1") == "First layer"
    assert not changes(LESSON, FRAMED).structural
    other = put_into_frame(FRAMED, ["m2", "b1"], "Second")
    assert frames(other) == {"First layer": ("m1",), "Second": ("m2", "b1")}
    assert put_into_frame(FRAMED, ["m1", "m2"], "").nodes == LESSON.nodes


def test_a_frame_goes_along_with_its_nodes():
    assert frames(edits.rename(FRAMED, "m1", "product")) == {"First layer": ("product", "m2")}
    assert frames(edits.remove(FRAMED, ["m1", "m2"])) == {}
    pasted, (copy,) = edits.paste(FRAMED, edits.fragment(FRAMED, ["m1"]))
    assert frames(pasted) == {"First layer": ("m1", "m2", copy)}


def test_a_frame_keeps_its_colour_under_another_title():
    colored = set_color(FRAMED, "First layer", COLOR_COUNT + 2)
    assert color_of(colored, "First layer") == 2 and color_of(FRAMED, "First layer") == 0
    renamed = rename_frame(colored, "First layer", "Encoder")
    assert frames(renamed) == {"Encoder": ("m1", "m2")} and color_of(renamed, "Encoder") == 2
    assert renamed.extra["frames"] == {"Encoder": 2}
    assert frames(rename_frame(colored, "First layer", " ")) == {}


COLLAPSED = set_collapsed(put_into_frame(LESSON, ["m1", "m2", "b1"], "F"), "F", True)


def test_a_collapsed_frame_knows_its_results_and_stays_so_under_another_title():
    assert collapsed_frames(COLLAPSED, wiring(COLLAPSED.nodes)) == (CollapsedFrame("F", ("m1", "m2", "b1"), ("b1",)),)
    renamed = rename_frame(COLLAPSED, "F", "G")
    assert collapsed_titles(renamed) == ("G",) and not changes(LESSON, COLLAPSED).structural
    assert "collapsed" not in set_collapsed(renamed, "G", False).extra
    whole = set_collapsed(put_into_frame(LESSON, ["L", "c", "m3", "b2"], "End"), "End", True)
    (frame,) = collapsed_frames(whole, wiring(whole.nodes))
    assert frame.results == ("b2", "L")  # the output comes last


def test_a_collapsed_frame_with_several_results_raised_where_no_output_is_chosen():
    document = edits.set_output(put_into_frame(LESSON, ["m1", "m3"], "F"), None)
    collapsed = set_collapsed(document, "F", True)
    (frame,) = collapsed_frames(collapsed, wiring(collapsed.nodes))
    assert frame.results == ("m1", "m3")


def test_a_frame_around_one_node_does_not_collapse():
    with pytest.raises(Refused):
        set_collapsed(put_into_frame(LESSON, ["m1"], "F"), "F", True)
    left = edits.remove(COLLAPSED, ["m1", "m2"])
    assert collapsed_frames(left, wiring(left.nodes)) == ()
    assert collapsed_titles(rename_frame(left, "F", "G")) == ()


@pytest.mark.parametrize("stored", [3, {"F": True}, [1, None], None])
def test_what_nobody_can_read_is_no_collapsed_frame(stored):
    document = replace(COLLAPSED, extra={**COLLAPSED.extra, "collapsed": stored})
    assert collapsed_frames(document, wiring(document.nodes)) == ()
    assert collapsed_titles(set_collapsed(document, "F", True)) == ("F",)


def test_a_file_keeps_frames_and_colours(tmp_path):
    colored = set_color(FRAMED, "First layer", 3)
    files.save(colored, tmp_path / "framed.cadena")
    assert files.load(tmp_path / "framed.cadena") == colored


@pytest.mark.parametrize("stored", [3, [], {"title": "x"}, None])
def test_what_nobody_can_read_is_no_frame(stored):
    node = with_fields(LESSON.nodes["m1"], extra={"frame": stored})
    document = replace(LESSON, nodes={**LESSON.nodes, "m1": node}, extra={**LESSON.extra, "frames": stored})
    assert frames(document) == {} and color_of(document, "x") == 0
    assert color_of(set_color(put_into_frame(document, ["m1"], "x"), "x", 1), "x") == 1


@pytest.mark.parametrize(("names", "title"), [([], "x"), (["m1"], "x" * 1000)])
def test_a_frame_around_nothing_and_a_title_that_nobody_can_read_are_refused(names, title):
    with pytest.raises(Refused):
        put_into_frame(LESSON, names, title)
