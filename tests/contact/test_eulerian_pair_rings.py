"""Exact shift and derivative along rings, and the surfaces that are refused."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from fecontact.contact import Surface, annulus, rectangle, ring
from fecontact.contact.kinematics.rings import Rings
from fecontact.errors import InputError


def turned(field, points, angle):
    """The field that material carries along: R f(R^T x)."""
    c, s = np.cos(angle), np.sin(angle)
    R = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    return field(points @ R) @ R.T


def harmonics(x):
    """Vector field with harmonics up to 4 on circles, different on each radius."""
    r, phi = np.hypot(x[:, 0], x[:, 1]), np.arctan2(x[:, 1], x[:, 0])
    radial, around = np.sin(3 * phi) + r, r * np.cos(4 * phi) - np.sin(phi)
    e_r = np.column_stack([np.cos(phi), np.sin(phi), 0 * phi])
    e_p = np.column_stack([-np.sin(phi), np.cos(phi), 0 * phi])
    return radial[:, None] * e_r + around[:, None] * e_p + np.cos(phi)[:, None] * [0.0, 0.0, 1.0]


@pytest.mark.parametrize("count", [11, 12])
def test_shift_is_exact(count):
    surface = annulus(0.06, 0.11, (2, count))
    mixed = np.random.default_rng(3).permutation(2 * count)
    surface = Surface(surface.points[mixed], surface.weights[mixed])
    rings = Rings.of(surface, "facing")
    for angle in (0.2, -1.7, 11.0):
        expected = turned(harmonics, surface.points, angle)
        found = rings.shifted(harmonics(surface.points), angle)
        np.testing.assert_allclose(found, expected, atol=1e-13)


def test_derivative_is_that_of_the_shift(difference):
    surface = ring(0.1, 10)
    rings, z = Rings.of(surface, "ring"), np.random.default_rng(1).standard_normal((10, 3))
    shifted = difference(lambda a: rings.shifted(z, a[0]).ravel(), np.zeros(1), np.full(1, 1e-2))
    np.testing.assert_allclose(-rings.derivative(z).ravel(), shifted[:, 0], atol=1e-9)
    np.testing.assert_allclose(rings.matrix @ z.ravel(), rings.derivative(z).ravel(), atol=1e-13)
    np.testing.assert_allclose(rings.matrix, -rings.matrix.T, atol=1e-13)


def test_shift_keeps_what_the_bristles_store():
    rings = Rings.of(ring(0.1, 12), "ring")
    z = np.random.default_rng(1).standard_normal((12, 3))
    moved = z
    for _ in range(1000):
        moved = rings.shifted(moved, 0.37)
    assert np.sum(moved**2) == pytest.approx(np.sum(z**2), rel=1e-12)


def test_values_are_shifted():
    surface = ring(0.1, 12)
    phi = 2 * np.pi * np.arange(12) / 12
    found = Rings.of(surface, "ring").shifted(np.cos(3 * phi), 0.4)
    np.testing.assert_allclose(found, np.cos(3 * (phi - 0.4)), atol=1e-14)


def unequal(change):
    surface = ring(0.1, 12)
    points, weights = surface.points.copy(), surface.weights.copy()
    if change == "angle":
        c, s = np.cos(0.01), np.sin(0.01)
        points[3] = points[3] @ np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
    elif change == "weight":
        weights[3] *= 1.01
    return Surface(points, weights)


@pytest.mark.parametrize(
    ("surface", "words"),
    [
        (rectangle(0.1, 0.1, (2, 3)), "rings of"),
        (unequal("angle"), "not equally spaced"),
        (unequal("weight"), "weights on a ring differ"),
    ],
)
def test_other_surfaces_are_refused(surface, words):
    with pytest.raises(InputError, match=f"facing: .*annulus.*{words}"):
        Rings.of(surface, "facing")


@pytest.mark.parametrize("turn", [0.5, -2.9])
def test_marks_reach_the_nearest_points_in_any_steps(turn):
    """A mark goes to the point next to it, in one turn or in a thousand small ones."""
    surface = annulus(0.08, 0.1, (2, 12))
    rings = Rings.of(surface, "facing")
    marks = np.arange(24)
    angles = np.linspace(0.0, turn, 1001)
    for before, now in pairwise(angles):
        marks = rings.nearest(marks, before, now)
    c, s = np.cos(turn), np.sin(turn)
    carried = surface.points @ np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
    for place, mark in zip(surface.points, marks, strict=True):
        distance = np.linalg.norm(carried - place, axis=1)
        assert distance[mark] == pytest.approx(distance.min())
