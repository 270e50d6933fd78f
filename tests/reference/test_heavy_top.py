"""Heavy top against its equation of motion in the tilt."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from fecontact.reference import HeavyTop

TOP = HeavyTop(2.2e-3, 6e-4, 0.29, 150.0, 0.5)


def swing(precession, tilt_rate, end):
    """Tilt and azimuth over time, from Lagrange's equations with both momenta kept."""
    A, C, moment, n, tilt = (getattr(TOP, name) for name in TOP.__dataclass_fields__)
    kept = A * np.sin(tilt) ** 2 * precession + C * n * np.cos(tilt)

    def rate(t, y):
        s, c = np.sin(y[0]), np.cos(y[0])
        phi = (kept - C * n * c) / (A * s**2)
        return [y[1], phi**2 * s * c - C * n * phi * s / A + moment * s / A, phi]

    return solve_ivp(rate, (0.0, end), [tilt, tilt_rate, 0.0], rtol=1e-10, atol=1e-12,
                     dense_output=True)  # fmt: skip


@pytest.mark.parametrize("name", ["slow", "fast"])
def test_steady_precession_keeps_the_tilt(name):
    found = swing(TOP.precessions[name], 0.0, 0.2)
    assert found.y[0] == pytest.approx(TOP.tilt, abs=1e-7)


def test_small_nutation():
    speed = TOP.precessions["slow"]
    nu = TOP.nutation(speed)
    found = swing(speed, 1e-5 * nu, 2.0 * np.pi / nu)
    assert found.y[0, -1] == pytest.approx(TOP.tilt, abs=1e-8)
    assert found.sol(0.5 * np.pi / nu)[0] == pytest.approx(TOP.tilt + 1e-5, abs=1e-8)


def test_cusps():
    found = swing(0.0, 0.0, TOP.cusp_period())
    t = np.linspace(0.0, TOP.cusp_period(), 20)
    assert np.cos(found.sol(t)[0]) == pytest.approx(TOP.cusp_height(t), abs=1e-8)
    assert found.y[2, -1] == pytest.approx(TOP.cusp_azimuth(TOP.cusp_period()), rel=1e-6)


def test_sleeping_top():
    critical = TOP.critical_spin
    assert np.isreal(TOP.upright(1.01 * critical)).all()
    assert not np.isreal(TOP.upright(0.99 * critical)).any()
