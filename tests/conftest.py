"""Fixtures shared by the tests."""

from __future__ import annotations

import os
from types import ModuleType

import numpy as np
import pytest
from hypothesis import settings

from fecontact.case.registry import load_module
from fecontact.fem import STEEL, HarmonicPlate
from fecontact.reduction import reduce_harmonic, ritz_harmonic

os.environ.setdefault("FECONTACT_QUIET", "1")  # whether kernels are compiled is no matter of tests
settings.register_profile("dev", max_examples=30, deadline=None)
settings.register_profile("ci", max_examples=60, deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "dev")


@pytest.fixture(scope="session")
def elastic_disc() -> ModuleType:
    """The case script of the flagship, as a module."""
    return load_module("jehle/elastic_disc")


@pytest.fixture(scope="session")
def plate() -> HarmonicPlate:
    """Jehle's plate of 5 mm."""
    return HarmonicPlate(0.08, 0.12, 0.005, STEEL, {"outer": "simply_supported"})


@pytest.fixture(scope="session")
def ritz(plate):
    return ritz_harmonic(plate)


@pytest.fixture(scope="session")
def fe(plate):
    return reduce_harmonic(plate, contact_radius=0.1)


@pytest.fixture(scope="session")
def difference():
    """Jacobian (m, n) of f at x by the central difference of sixth order."""

    def jacobian(f, x, step):
        columns = []
        for i in range(len(x)):
            unit = np.zeros(len(x))
            unit[i] = step[i]
            stencil = ((1, 45.0), (2, -9.0), (3, 1.0))
            change = sum(c * (f(x + k * unit) - f(x - k * unit)) for k, c in stencil)
            columns.append(change / (60.0 * step[i]))
        return np.array(columns).T

    return jacobian


@pytest.fixture(scope="session")
def one_sided():
    """Slope (m,) of f(t) at t = 0 into t > 0, by the difference of sixth order."""
    stencil = np.array([-147.0, 360.0, -450.0, 400.0, -225.0, 72.0, -10.0]) / 60.0

    def slope(f, step=1e-2):
        return stencil @ np.array([np.ravel(f(k * step)) for k in range(7)]) / step

    return slope


@pytest.fixture(scope="session")
def moved():
    """Coordinates of bodies after a step of their velocities."""

    def after(bodies, q, step):
        parts, i, j = [], 0, 0
        for body in bodies:
            n_q, n = len(body.reference()), len(body.dofs)
            parts.append(body.move(q[i : i + n_q], step[j : j + n]))
            i, j = i + n_q, j + n
        return np.concatenate(parts)

    return after
