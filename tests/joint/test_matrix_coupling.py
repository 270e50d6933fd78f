"""Forces from given matrices: compiled and plain, derivatives, a closed form, refusals."""

from __future__ import annotations

import numpy as np
import pytest

import fecontact as fc
from fecontact.body.rigid import DOFS
from fecontact.errors import InputError


def pair(seed=0):
    rng = np.random.default_rng(seed)
    a, b = fc.RigidBody("a", 1.0, ("ux", "uz")), fc.RigidBody("b", 2.0, ("uy", "rz"), (1, 1, 1))
    return a, b, fc.MatrixCoupling([a, b], *rng.standard_normal((2, 4, 4)))


def test_compiled_form_and_tangents():
    a, b, coupling = pair()
    system, rng = fc.System([a, b], [coupling]), np.random.default_rng(1)
    q, v = rng.standard_normal((2, 4))
    force, by_q, by_v = system.program.evaluate(0.0, q, v)
    assert system.program.in_python == ()
    np.testing.assert_allclose(force, coupling.force(0.0, q, v), atol=1e-14)
    plain = coupling.tangents(0.0, q, v)
    np.testing.assert_allclose(by_q, plain[0], atol=1e-14)
    np.testing.assert_allclose(by_v, plain[1], atol=1e-14)
    for i, step in enumerate(np.eye(4)):  # linear: differences are exact
        along_q = coupling.force(0.0, q + step, v) - coupling.force(0.0, q, v)
        along_v = coupling.force(0.0, q, v + step) - coupling.force(0.0, q, v)
        np.testing.assert_allclose(plain[0][:, i], along_q, atol=1e-13)
        np.testing.assert_allclose(plain[1][:, i], along_v, atol=1e-13)


def test_a_negative_damper_lets_a_vibration_grow():
    """x = e^(-b t/2) cos(w t) + ..., with b < 0; all work is supplied."""
    mass = fc.RigidBody("mass", 1.0, ("ux",))
    system = fc.System([mass], [fc.MatrixCoupling([mass], [[100.0]], [[-0.4]])])
    start = system.state(q={"mass.ux": 0.01})
    motion = fc.simulate(system, 3.0, start, "ode", 0.5, solver="DOP853", rtol=1e-10)
    w, t = np.sqrt(100.0 - 0.04), motion.t
    exact = 0.01 * np.exp(0.2 * t) * (np.cos(w * t) - 0.2 / w * np.sin(w * t))
    np.testing.assert_allclose(motion.q[:, 0], exact, atol=1e-9)
    kinetic = motion.energies["kinetic"]
    np.testing.assert_allclose(motion.energies["supplied"], kinetic - kinetic[0], atol=1e-9)


def test_refusals():
    a, b, _ = pair()
    with pytest.raises(InputError, match=r"invalid stiffness of shape \(2, 2\): expected \(4, 4\)"):
        fc.MatrixCoupling([a, b], np.eye(2), np.eye(4))
    free = fc.RigidBody("free", 1.0, DOFS, (1.0, 1.0, 1.0))
    with pytest.raises(InputError, match="invalid body 'free'"):
        fc.MatrixCoupling([free], np.eye(6), np.eye(6))
