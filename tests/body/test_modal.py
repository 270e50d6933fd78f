"""Linear body in modal coordinates."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.body.modal import ModalBody
from fecontact.body.points.elastic_points import ElasticPoints
from fecontact.errors import InputError
from fecontact.integrate import simulate
from fecontact.system import System


def test_vibration_decays_as_it_should():
    body = ModalBody("beam", np.array([0.0, 50.0]), np.array([0.0, 4.0]))
    system = System([body])
    start = system.state(q={"beam.e2": 1e-3}, v={"beam.e1": 0.1})
    motion = simulate(system, 0.3, start, "projected", rtol=1e-10, atol=1e-14)
    omega = np.sqrt(50.0**2 - 2.0**2)
    t = motion.t
    exact = 1e-3 * np.exp(-2.0 * t) * (np.cos(omega * t) + 2.0 / omega * np.sin(omega * t))
    np.testing.assert_allclose(motion.q[:, 1], exact, atol=1e-11)
    np.testing.assert_allclose(motion.q[:, 0], 0.1 * t, rtol=1e-9)


def test_tangents_energy_and_points(difference):
    rng = np.random.default_rng(0)
    D = rng.normal(size=(3, 3))
    body = ModalBody("body", np.array([0.0, 3.0, 7.0]), D @ D.T)
    q, v = rng.normal(size=(2, 3))
    by_q, by_v = body.tangents(0.0, q, v)
    step = np.full(3, 1e-2)
    np.testing.assert_allclose(
        difference(lambda x: body.force(0.0, x, v), q, step), by_q, atol=1e-8
    )
    np.testing.assert_allclose(
        difference(lambda x: body.force(0.0, q, x), v, step), by_v, atol=1e-8
    )
    lost = body.dissipated_power(0.0, q, v)
    elastic = body.force(0.0, q, 0 * v) @ v
    assert body.force(0.0, q, v) @ v == pytest.approx(elastic - lost)
    slope = difference(lambda x: np.array([body.strain_energy(x)]), q, step)[0]
    np.testing.assert_allclose(slope, -body.force(0.0, q, 0 * v), atol=1e-8)
    points = ElasticPoints(rng.normal(size=(4, 3)), rng.normal(size=(4, 3, 3)))
    now = body.point_motion(q, v, points)
    np.testing.assert_allclose(now.velocity, points.shapes @ v)
    np.testing.assert_allclose(now.position - points.points, points.shapes @ q)


def test_refused():
    with pytest.raises(InputError, match="invalid omega: expected a list"):
        ModalBody("body", np.zeros(0))
    with pytest.raises(InputError, match=r"damping of shape \(2,\)"):
        ModalBody("body", np.ones(3), np.ones(2))
