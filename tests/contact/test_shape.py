"""Rigid surfaces: true distances with exact derivatives."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fecontact.contact.master.shape import Cone, Cylinder, Plane, Ring, Sphere, Torus
from fecontact.errors import InputError

SHAPES = {
    "plane": Plane((0.1, 0.2, 0.3), (1.0, 2.0, -0.5)),
    "ring": Ring(0.01, 50.0, 0.2),
    "ball": Sphere(0.8, (0.1, 0.0, 0.2)),
    "hollow sphere": Sphere(1.5, hollow=True),
    "bar": Cylinder(0.7),
    "bore": Cylinder(1.4, hollow=True),
    "cone": Cone(0.6),
    "funnel": Cone(0.6, hollow=True),
    "torus": Torus(1.2, 0.3),
}
POINTS = st.tuples(*[st.floats(-2.0, 2.0)] * 3)


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
@given(point=POINTS)
def test_distance_is_exact(shape, difference, point):
    y = np.array([point])
    if np.hypot(*y[0, :2]) < 0.2 or np.linalg.norm(y - 0.1) < 0.3:
        return  # near the axis, where the normal turns within the stencil
    if isinstance(shape, Torus):
        centre = shape.radius * y[0] * [1, 1, 0] / np.hypot(*y[0, :2])
        if np.linalg.norm(y[0] - centre) < 0.2:
            return
    if isinstance(shape, Cone) and y[0, 2] < 0.0:
        return  # beyond the apex
    at, step = shape.distance(y), np.full(3, 2e-3)
    gradient = difference(lambda x: shape.distance(x[None]).gap, y[0], step)[0]
    turn = difference(lambda x: shape.distance(x[None]).normal[0], y[0], step)
    assert np.abs(gradient - at.normal[0]).max() < 1e-8
    assert np.abs(turn - at.curvature[0]).max() < 1e-7
    assert np.linalg.norm(at.normal[0]) == pytest.approx(1.0, abs=1e-14)
    projected = y - at.gap[:, None] * at.normal  # lies on the surface: the gap is a distance
    assert shape.distance(projected).gap[0] == pytest.approx(0.0, abs=1e-12)


def test_sides():
    """Outside of the material the gap is positive."""
    inside = np.array([[0.3, 0.0, 0.1]])
    assert Sphere(1.0).distance(inside).gap < 0.0 < Sphere(1.0, hollow=True).distance(inside).gap
    assert (
        Cylinder(1.0).distance(inside).gap < 0.0 < Cylinder(1.0, hollow=True).distance(inside).gap
    )
    above = np.array([[0.1, 0.0, 1.0]])
    assert Cone(0.5).distance(above).gap < 0.0 < Cone(0.5, hollow=True).distance(above).gap


def test_beside_the_ring_there_is_no_contact():
    gap = Ring(0.5, 1.0).distance(np.array([[0.7, 0, -0.1], [0.2, 0, -0.1], [1.2, 0, -0.1]])).gap
    assert gap.tolist() == [-0.1, np.inf, np.inf]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Plane(normal=(0.0, 0.0, 0.0)), "normal"),
        (lambda: Ring(0.5, 0.4), "outer = 0.4"),
        (lambda: Sphere(-1.0), "radius = -1.0"),
        (lambda: Cone(2.0), "half_angle = 2.0"),
        (lambda: Torus(1.0, 0.0), "section = 0.0"),
        (lambda: Sphere(1.0).distance(np.zeros((1, 3))), "axis of the sphere"),
    ],
)
def test_bad_input(make, words):
    with pytest.raises(InputError, match=words):
        make()


@pytest.mark.parametrize("shape", [SHAPES["bore"], SHAPES["hollow sphere"]], ids=["bore", "sphere"])
def test_point_on_the_axis_of_a_hollow_is_open(shape):
    at = shape.distance(np.zeros((1, 3)))
    assert at.gap[0] == pytest.approx(shape.radius, rel=1e-12)
    assert np.linalg.norm(at.normal[0]) == pytest.approx(1.0, rel=1e-12)
    near = shape.distance(np.array([[1e-9, 0.0, 0.0]]))
    np.testing.assert_allclose(at.normal, near.normal)
