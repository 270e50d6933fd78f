"""Where the search for projection points begins: the facet with the nearest centre.

The answer of the tree is kept together with the distance a point may move until another
centre can be nearer: half the difference of the distances to the two nearest centres. A point
that stays within it is not looked up again, and the answer is the same as if it were. Of centres
at the same distance the one with the lowest number is taken: points over the edges of matching
meshes.
"""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

from fecontact.contact.kernels.facets.projection import HERE, NEIGHBOURS, Starts, nearest_of
from fecontact.typing import Floats, Integers

__all__ = ["NearestCentre", "look_up"]


class NearestCentre:
    """Nearest of the centres (f, 3) to points, with a cache that never changes the answer.

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
        self._tree, self._centres = cKDTree(centres), np.ascontiguousarray(centres, dtype=float)
        self._cache = (np.zeros((0, 3)), np.zeros(0), np.zeros(0, dtype=np.int64))
        self.queries = 0

    def __call__(self, y: Floats) -> Integers:
        """Number (p,) of the nearest centre of each point y (p, 3)."""
        positions, margin, nearest = self._cache
        if len(positions) != len(y):
            positions, margin, nearest = y.copy(), np.full(len(y), -1.0), np.zeros(len(y), np.int64)
        lost = np.flatnonzero(~(np.linalg.norm(y - positions, axis=1) < margin))
        if len(lost):
            positions, margin, nearest = positions.copy(), margin.copy(), nearest.copy()
            distance, found = _candidates(self._tree, y[lost])
            best = np.empty(len(lost), dtype=np.int64)
            nearest_of(found[:, :NEIGHBOURS], self._centres, y[lost], best)
            positions[lost], nearest[lost] = y[lost], best
            margin[lost] = 0.5 * (distance[:, 1] - distance[:, 0]) if self._tree.n > 1 else np.inf
            self.queries += len(lost)
            self._cache = (positions, margin, nearest)
        return nearest.copy()


def look_up(tree: cKDTree, starts: Starts, block: int) -> None:
    """Keep the nearest centres of the points that are to be looked up.

    A point stays with its nearest centre within `near` of its position, and with one of its
    candidates within `wide`. With more centres at one distance than candidates, as on the axis of
    a tube or very far away, it is known at its position only.
    """
    rows = np.flatnonzero(starts.wide < 0.0)
    positions = starts.positions.reshape(-1, 3, block)[rows // block, :, rows % block]
    distance, found = _candidates(tree, positions)
    known = found.shape[1]
    reach = (0.5 * (distance - distance[:, :1])) ** 2
    starts.near[rows] = reach[:, 1] if known > 1 else np.inf
    starts.wide[rows] = np.maximum(reach[:, NEIGHBOURS], HERE) if known > NEIGHBOURS else np.inf
    starts.facets[rows, : min(NEIGHBOURS, known)] = found[:, :NEIGHBOURS]


def _candidates(tree: cKDTree, positions: Floats) -> tuple[Floats, Integers]:
    """Distances and numbers (p, at most 9) of the nearest centres of positions (p, 3), rising.

    The tree finds none for positions so far away that the square of the distance is infinite; any
    centre serves them.
    """
    known = min(NEIGHBOURS + 1, tree.n)
    distance, found = tree.query(positions, k=range(1, known + 1))
    shape = len(positions), known
    distance = np.minimum(distance, np.finfo(float).max).reshape(shape)
    return distance, np.minimum(found, tree.n - 1).astype(np.int64).reshape(shape)
