"""Machine code of a kernel without the look at its arguments."""

from __future__ import annotations

import numpy as np

from fecontact.kernels.arrays import Bundle
from fecontact.kernels.decorators import entry, kernel
from fecontact.typing import Floats


class Pair(Bundle):
    """Two arrays."""

    x: Floats
    y: Floats


@kernel(fastmath=True)
def product(pair: Pair, scale: float) -> float:
    """Scaled sum of products."""
    total = 0.0
    for i in range(len(pair.x)):
        total += scale * pair.x[i] * pair.y[i]
    return total


def test_entry_is_the_kernel_for_arguments_of_its_types():
    pair = Pair(x=np.arange(3.0), y=np.array([4.0, 5.0, 6.0]))
    code = entry(product, pair, 0.0)
    assert code(pair, 2.0) == product(pair, 2.0) == 34.0
    pair.x[0] = 1.0  # it reads the arrays anew
    assert code(pair, 2.0) == 42.0


def test_plain_functions_are_their_own_entry():
    assert entry(max, 1, 2) is max
