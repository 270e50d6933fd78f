from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from fecontact.contact import CoulombSliding, PenaltyNormal, ring
from fecontact.errors import InputError, SolverError

numbers = arrays(float, 5, elements=st.floats(-1.0, 1.0, width=32))


@given(gap=numbers, rate=numbers, damping=st.floats(0.0, 10.0))
def test_penalty_never_pulls(gap, rate, damping):
    law = PenaltyNormal(100.0, damping)
    p, p_gap, p_rate = law.pressure(gap, rate)
    assert np.all(p >= 0.0)
    assert np.all(p[gap > 0.0] == 0.0)
    closed = p > 0.0
    np.testing.assert_allclose(p[closed], -(100.0 * gap + damping * rate)[closed])
    assert np.all(p_gap[closed] == -100.0)
    assert np.all(p_rate[closed] == -damping)
    opened = (gap > 0.0) | (100.0 * gap + damping * rate > 0.0)
    assert np.all(p_gap[opened] == 0.0)


@given(
    pressure=arrays(float, 4, elements=st.floats(1e-3, 1e6) | st.just(0.0)),
    slip=arrays(float, (4, 3), elements=st.floats(-10.0, 10.0).filter(lambda x: abs(x) > 1e-3)),
    mu=st.floats(1e-3, 1.0) | st.just(0.0),
)
def test_friction_opposes_slip_and_is_bounded(pressure, slip, mu):
    T, _, _ = CoulombSliding(mu).traction(pressure, slip)
    power = np.einsum("pi,pi->p", T, slip)
    assert np.all(power <= 0.0)
    np.testing.assert_allclose(np.linalg.norm(T, axis=1), mu * pressure, rtol=1e-12, atol=1e-300)
    np.testing.assert_allclose(power, -mu * pressure * np.linalg.norm(slip, axis=1), rtol=1e-9)


def test_derivatives_of_friction(difference):
    law = CoulombSliding(0.3)
    slip, pressure = np.array([[0.4, -1.0, 0.2]]), np.array([7.0])
    _, by_pressure, by_slip = law.traction(pressure, slip)
    expected = difference(
        lambda s: law.traction(pressure, s[None])[0][0], slip[0], np.full(3, 1e-3)
    )
    np.testing.assert_allclose(by_slip[0], expected, atol=1e-11)
    expected = difference(lambda p: law.traction(p, slip)[0][0], pressure, np.ones(1))
    np.testing.assert_allclose(by_pressure[0][:, None], expected, atol=1e-12)


def test_point_without_slip_is_refused_only_under_pressure():
    law = CoulombSliding(0.3)
    with pytest.raises(SolverError, match=r"no slip velocity;.* load_path"):
        law.traction(np.array([1.0]), np.zeros((1, 3)))
    T, _, _ = law.traction(np.array([0.0]), np.zeros((1, 3)))
    assert np.all(T == 0.0)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: PenaltyNormal(0.0), "contact stiffness = 0.0"),
        (lambda: PenaltyNormal(1.0, -1.0), "contact damping = -1.0"),
        (lambda: CoulombSliding(-0.1), "mu = -0.1"),
        (lambda: ring(0.1, 0), "ring points = 0"),
        (lambda: ring(0.0), "ring radius = 0.0 m"),
    ],
)
def test_bad_input(make, words):
    with pytest.raises(InputError, match=words):
        make()


@pytest.mark.parametrize("points", [12, 24])
def test_ring_quadrature_is_spectral(points):
    """Integral of exp(cos theta) over the circle is 2 pi I_0(1)."""
    circle = ring(0.1, points, height=0.02)
    value = circle.weights @ np.exp(circle.points[:, 0] / 0.1)
    assert value == pytest.approx(0.1 * 2 * np.pi * 1.2660658777520082, rel=1e-12)
    assert np.all(circle.points[:, 2] == 0.02)
