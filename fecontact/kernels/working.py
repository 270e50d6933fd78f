"""Memory in which kernels work, kept by each thread: new one would cost more than a small kernel.

One array serves all kernels of a thread, one call after the other, and stays in the cache.
"""

from __future__ import annotations

from threading import local

import numpy as np

from fecontact.typing import Floats

__all__ = ["working_array"]

_kept = local()


def working_array(size: int) -> Floats:
    """Array of at least `size` numbers, whatever was left in them; of this thread, for one call.

    Examples
    --------
    >>> working_array(3) is working_array(2)
    True
    """
    kept: Floats | None = getattr(_kept, "array", None)
    if kept is None or len(kept) < size:
        kept = _kept.array = np.zeros(size)
    return kept
