"""Sentences whose numbers are marked by their role."""

from cadena.core.text.painted_text import PaintedPiece, mark, pieces, plain

SENTENCE = f"b1 receives {mark('gradient', '−7')} from m3: {mark('value', '7')}."


def test_a_sentence_is_taken_apart_at_its_numbers() -> None:
    assert pieces(SENTENCE) == (
        PaintedPiece("b1 receives "),
        PaintedPiece("−7", "gradient"),
        PaintedPiece(" from m3: "),
        PaintedPiece("7", "value"),
        PaintedPiece("."),
    )


def test_without_its_marks_it_is_the_plain_sentence() -> None:
    assert plain(SENTENCE) == "b1 receives −7 from m3: 7."
    assert pieces("No number.") == (PaintedPiece("No number."),) and pieces("") == ()
