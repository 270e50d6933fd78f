"""Where the search for feet begins: the facet with the nearest centre.

The answer of the tree is remembered together with the distance a point may move until another
centre can be nearer: half the difference of the distances to the two nearest centres. A point
that stays within it is not looked up again, and the answer is the same as if it were.
"""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

from fecontact.typing import Floats, Integers

__all__ = ["NearestCentre"]


class NearestCentre:
    """Nearest of the centres (f, 3) to points, with a memory that never changes the answer.

    Attributes
    ----------
    queries
        Number of points that were looked up in the tree so far.

    Examples
    --------
    >>> search = NearestCentre(np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]))
    >>> search(np.array([[0.1, 0.0, 0.2], [0.8, 0.1, 0.0]])).tolist()
    [0, 1]
    >>> search(np.array([[0.2, 0.0, 0.2], [0.4, 0.1, 0.0]])).tolist(), search.queries
    ([0, 0], 3)
    """

    def __init__(self, centres: Floats) -> None:
        self._tree = cKDTree(centres)
        self._memory = (np.zeros((0, 3)), np.zeros(0), np.zeros(0, dtype=np.int64))
        self.queries = 0

    def __call__(self, y: Floats) -> Integers:
        """Number (p,) of the nearest centre of each point y (p, 3)."""
        places, margin, nearest = self._memory
        if len(places) != len(y):
            places, margin, nearest = y.copy(), np.full(len(y), -1.0), np.zeros(len(y), np.int64)
        lost = np.flatnonzero(~(np.linalg.norm(y - places, axis=1) < margin))
        if len(lost):
            distance, found = (np.asarray(part) for part in self._tree.query(y[lost], k=[1, 2]))
            places, margin, nearest = places.copy(), margin.copy(), nearest.copy()
            places[lost], nearest[lost] = y[lost], found[:, 0]
            margin[lost] = 0.5 * (distance[:, 1] - distance[:, 0])
            self.queries += len(lost)
            self._memory = (places, margin, nearest)
        return nearest.copy()
