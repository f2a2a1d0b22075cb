"""Keys by identity."""

from __future__ import annotations

import gc

import numpy as np

from cadena.gui.canvas.rendering.cache_keys import Same


def test_a_key_is_equal_for_the_very_same_object_alone():
    one, other = np.zeros(3), np.zeros(3)
    assert Same(one) == Same(one) and hash(Same(one)) == hash(Same(one)) and Same(one) != Same(other)
    elements = {"W": one}
    assert Same(elements) == Same(elements) != Same(dict(elements)) and Same(None) == Same(None)  # no weak references


def test_a_key_kept_the_object_alive():
    """A static layer kept one earlier run, with all its tensors; a number in its place took another array for it."""
    array = np.zeros(3)
    key = Same(array)
    known = {key: "picture"}
    del array
    gc.collect()
    assert key.value is None and known[key] == "picture"
    assert all(Same(np.zeros(3)) != key for _ in range(100))  # some have the number of the one that is gone
