"""What a capture says of itself, without a framework."""

from __future__ import annotations

import numpy as np
import pytest

import cadena
from cadena.core.capture.captured import Captured, Gradients, fill
from cadena.core.capture.modules import node_name
from cadena.core.capture.record import Leaf, Record


def test_a_check_names_every_gradient_that_differs():
    document = cadena.parse("a = 2.0\nb = 3.0\nL = a * b")
    right = Captured(document, np.array(6.0), Gradients(a=np.array(3.0), b=np.array(2.0)))
    wrong = Captured(document, np.array(6.0), Gradients(a=np.array(3.0), b=np.array(2.1), c=np.array(1.0)))
    assert right.check().ok and "agrees" in str(right.check())
    assert wrong.check().differing == ("b", "c")
    assert "differs at b, c" in str(wrong.check())


def test_a_nan_agrees_with_a_nan_alone():
    document = cadena.parse("a = -1.0\nL = log(a)")
    gradients = Gradients(a=cadena.compile(document).run().gradient("a"))
    assert Captured(document, np.array(np.nan), gradients).check()
    assert not Captured(document, np.array(1.0), gradients).check()


def test_a_check_that_compares_no_gradient_does_not_agree():
    agreement = Captured(cadena.parse("a = 2.0\nL = a * a"), np.array(4.0)).check()
    assert not agreement and not agreement.differing and "no gradient was compared" in str(agreement)


def test_an_empty_capture_says_what_to_do():
    with pytest.raises(cadena.Refused, match="call backward"):
        Captured().check()


def test_names_of_parameters_become_names_of_nodes():
    assert node_name("layers.0.weight") == "layers_0_weight"
    assert node_name("0.weight") == "layer_0_weight"
    assert len(node_name("very.long." * 20)) <= 64


def test_long_names_with_one_end_have_gradients_of_their_own():
    """As in MaxViT, where names of nodes are cut and had the gradient of another parameter."""
    record, first, second = Record("float64"), Leaf("parameter", "a." + "x" * 80), Leaf("parameter", "b." + "x" * 80)
    output = record.leaf(np.array(2.0), first) * record.leaf(np.array(3.0), second)
    captured = fill(Captured(), record, output, np.array(6.0), [(first, np.array(3.0)), (second, np.array(2.0))], 10)
    assert captured.gradients[first.like] == 3.0 and captured.gradients[second.like] == 2.0
    assert captured.check().ok and len(captured.gradients) == 2
