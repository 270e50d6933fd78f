"""Tables of sliding patches against quadrature of the directions of sliding, by plain sums."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.reference import (
    BLOCK_FRICTION,
    PATCH_FRICTION,
    PATCH_INNER,
    hertz_patch_friction,
)

ROUND = {
    "annulus": (PATCH_INNER, lambda r: np.ones_like(r)),
    "worn annulus": (PATCH_INNER, lambda r: 1.0 / r),
    "disc": (0.0, lambda r: np.ones_like(r)),
    "Hertz": (0.0, lambda r: np.sqrt(1.0 - r**2)),
}


def friction(x, y, loads, pole):
    """Force along x and y, and moment, per mu N, of points that turn about a pole."""
    across, along = pole[1] - y, x - pole[0]
    speed = np.hypot(across, along)
    e_1, e_2 = across / speed, along / speed
    return np.array([loads @ e_1, loads @ e_2, loads @ (x * e_2 - y * e_1)]) / loads.sum()


@pytest.mark.parametrize("name", ROUND)
def test_round_patches(name):
    """Rings of points; where the pole is in the patch, its neighbours limit the accuracy."""
    inner, pressure = ROUND[name]
    r = inner + (1.0 - inner) * (np.arange(500) + 0.5) / 500
    phi = 2.0 * np.pi * (np.arange(900) + 0.5) / 900
    x, y = (np.outer(r, f(phi)).ravel() for f in (np.cos, np.sin))
    loads = np.repeat(pressure(r) * r, len(phi))
    for pole, (force, moment) in PATCH_FRICTION[name].items():
        found = friction(x, y, loads, (0.0, pole))
        assert found == pytest.approx([force, 0.0, moment], abs=2e-5)


@pytest.mark.parametrize("pole", PATCH_FRICTION["Hertz"])
def test_hertz_patch_by_elliptic_integrals(pole):
    assert hertz_patch_friction(pole) == pytest.approx(PATCH_FRICTION["Hertz"][pole], abs=1e-6)


@pytest.mark.parametrize("pole", BLOCK_FRICTION)
def test_block(pole):
    x, y = np.meshgrid((np.arange(800) + 0.5) / 400 - 1.0, (np.arange(400) + 0.5) / 400 - 0.5)
    found = friction(x.ravel(), y.ravel(), np.ones(x.size), pole)
    assert found == pytest.approx(BLOCK_FRICTION[pole], abs=2e-5)
