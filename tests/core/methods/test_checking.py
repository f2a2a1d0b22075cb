"""check_grads with the names and the forms of jax.test_util.check_grads."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cadena.core.methods.checking import check_grads
from cadena.core.tracing.traced import apply


def stairs(x: Any) -> Any:
    """Rises by 1 with x, in steps of 1e-7: the rules give 0, differences 1."""
    return apply("floor", [x * 1e7]) * 1e-7


@pytest.mark.parametrize("modes", [("fwd", "rev"), ["rev"], {"fwd"}, "rev", "fwd"])
def test_the_arguments_of_jax_were_not_known(modes: Any) -> None:
    assert check_grads(f=np.sin, args=(0.3,), order=2, modes=modes, atol=1e-4, rtol=1e-4, eps=1e-3).agrees
    with pytest.raises(AssertionError) as error:
        check_grads(stairs, (0.3,), 1, modes)
    told = str(error.value).splitlines()[0]
    assert [word in told for word in ("reverse", "forward")] == ["rev" in modes, "fwd" in modes]


def test_a_large_step_is_as_wrong_as_it_says() -> None:
    with pytest.raises(AssertionError, match="central differences give"):
        check_grads(np.exp, (1.0,), eps=0.5)


@pytest.mark.parametrize("modes", [("forward",), "reverse", ["fwd", "vjp"]])
def test_a_mode_that_is_none_is_refused(modes: Any) -> None:
    with pytest.raises(ValueError, match=r"modes has '\w+'; give some of fwd, rev"):
        check_grads(np.sin, (0.3,), modes=modes)
