"""Markers at space-fixed points of a spinning disc."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.body import SpinningDisc
from fecontact.errors import InputError
from fecontact.joint import Force, SpringDamper, TorsionSpring


def test_load_at_a_point_fixed_in_space(difference, fe):
    """The disc turns under a pad: place and slope of the marker, energy and tangents."""
    disc = SpinningDisc("plate", fe, 300.0, damping=1e-6)
    point, rng = (0.06, 0.07, 0.0025), np.random.default_rng(2)
    q, v = 1e-3 * rng.uniform(-1, 1, fe.size), 0.1 * rng.uniform(-1, 1, fe.size)
    now = disc.marker(point).at(q, v)
    moved = np.array(point) + fe.reconstruct(q, np.array([point]).T)[:, 0]
    np.testing.assert_allclose(now.position, moved, atol=1e-15)
    w = difference(
        lambda x: fe.shapes(x[:1], x[1:]).value @ q, np.array(point[:2]), np.full(2, 1e-4)
    )[0]
    tilt = np.linalg.norm(w)  # the axis leans by this angle against the gradient
    np.testing.assert_allclose(now.rotation[:2, 2], -np.sin(tilt) / tilt * w, atol=1e-7 * tilt)
    items = (
        Force(disc, (1.0, -2.0, 30.0), point),
        SpringDamper(None, disc, 2e4, 3.0, (0.06, 0.07, 0.05), point),
    )
    for item in items:
        force, by_q, by_v = item.evaluate(0.0, q, v)
        step = np.full(fe.size, 1e-4)
        for found, value, at in (
            (by_q, lambda x, i=item: i.force(0.0, x, v), q),
            (by_v, lambda x, i=item: i.force(0.0, q, x), v),
        ):
            expected = difference(value, at, step)
            floor = 1e-12 * np.linalg.norm(force) / 1e-4
            assert np.linalg.norm(found - expected) <= 1e-7 * np.linalg.norm(expected) + floor
        rate = difference(
            lambda h, i=item: np.array([i.energy(0.0, q + h[0] * v, v)]), np.zeros(1), [1e-4]
        )[0, 0]
        still = item.force(0.0, q, 0.0 * v) @ v
        assert still == pytest.approx(-rate, rel=1e-7)
    with pytest.raises(InputError, match="lies outside the plate"):
        disc.marker((0.3, 0.0, 0.0))
    with pytest.raises(InputError, match="expected x, y, z"):
        disc.marker("tip")
    with pytest.raises(InputError, match="spins at a prescribed speed"):
        TorsionSpring(None, disc, 1.0, point=point)
