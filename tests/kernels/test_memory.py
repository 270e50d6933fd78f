"""Arrays one after the other in memory."""

from __future__ import annotations

import numpy as np

from fecontact.kernels.decorators import kernel
from fecontact.kernels.memory import take, take_integers, take_matrix


@kernel(fastmath=True)
def _doubled(memory):
    """Double two numbers, a matrix (2, 3) and two integers; number behind them."""
    first, rest = take(memory, 2)
    rows, rest = take_matrix(rest, 2, 3)
    whole, rest = take_integers(rest, 2)
    for i in range(2):
        first[i] *= 2.0
        whole[i] *= 2
        for k in range(3):
            rows[i, k] *= 2.0 + i
    return rest[0]


def test_arrays_follow_one_another_and_share_the_memory():
    memory = np.arange(12.0)
    memory[8:10].view(np.int64)[:] = 7, -1
    assert _doubled(memory) == 10.0
    assert memory[:8].tolist() == [0.0, 2.0, 4.0, 6.0, 8.0, 15.0, 18.0, 21.0]
    assert memory[8:10].view(np.int64).tolist() == [14, -2]
    assert memory[10:].tolist() == [10.0, 11.0]
