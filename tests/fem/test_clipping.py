"""Common parts of polygons against an independent count of points and closed forms."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial import ConvexHull, Delaunay

from fecontact.fem.assembly.clipping import clip, counter_clockwise, fans


def areas(polygons, count):
    """Area of each polygon, from its fan of triangles."""
    triangles, owner = fans(polygons, count)
    sides = triangles[:, 1:] - triangles[:, :1]
    each = 0.5 * (sides[:, 0, 0] * sides[:, 1, 1] - sides[:, 0, 1] * sides[:, 1, 0])
    return np.bincount(owner, each, minlength=len(polygons))


def convex(rng, corners):
    """Convex polygon of 3 or 4 corners, in either sense."""
    while True:
        points = rng.uniform(-1, 1, (corners, 2))
        hull = ConvexHull(points).vertices
        if len(hull) == corners:
            return points[hull][:: rng.choice([-1, 1])]


@given(
    seed=st.integers(0, 2**32 - 1), first=st.sampled_from([3, 4]), second=st.sampled_from([3, 4])
)
def test_area_of_random_pairs(seed, first, second):
    """The intersection of half planes, by scipy's hull of its vertices, has the same area."""
    rng = np.random.default_rng(seed)
    a = counter_clockwise(np.array([convex(rng, first)]))
    b = counter_clockwise(np.array([convex(rng, second)]))
    found, count = clip(a, b)
    other, count_other = clip(b, a)
    grid = rng.uniform(-1, 1, (4000, 2))
    inside = (Delaunay(a[0]).find_simplex(grid) >= 0) & (Delaunay(b[0]).find_simplex(grid) >= 0)
    share = 4.0 * inside.mean()
    np.testing.assert_allclose(areas(found, count), areas(other, count_other), atol=1e-14)
    assert abs(areas(found, count)[0] - share) < 6.0 * np.sqrt(4.0 * share / 4000) + 0.01


def test_known_pairs():
    """Many pairs at once: the same, inside, shifted, apart, sharing an edge."""
    square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    shifts = np.array([[0.0, 0.0], [0.25, 0.5], [2.0, 0.0], [1.0, 0.0]])
    others = square + shifts[:, None]
    others[0] = 0.25 + 0.5 * square
    found = areas(*clip(np.broadcast_to(square, others.shape), others))
    np.testing.assert_allclose(found, [0.25, 0.375, 0.0, 0.0], atol=1e-15)


def test_sense():
    square = np.array([[[0.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 0.0]]])
    np.testing.assert_array_equal(counter_clockwise(square), square[:, ::-1])
    np.testing.assert_array_equal(counter_clockwise(square[:, ::-1]), square[:, ::-1])
