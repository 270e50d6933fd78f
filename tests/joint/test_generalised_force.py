"""A load on the dofs: the same motion as by `Force`, the answer of one mode, refusals."""

from __future__ import annotations

from math import cos, sin

import numpy as np
import pytest

import fecontact as fc


def test_the_same_as_a_force_on_the_centre():
    def fallen(load):
        body = fc.RigidBody("mass", 2.0, ("ux", "uz"))
        system = fc.System([body], [load(body)])
        return fc.simulate(system, 0.1, system.rest(), step=1e-3).q[-1]

    push = fc.ramp(0.05)
    given = fallen(lambda b: fc.GeneralisedForce(b, np.array([3.0, -1.0]), factor=push))
    known = fallen(lambda b: fc.Force(b, (3.0, 0.0, -1.0), factor=push))
    assert given == pytest.approx(known, rel=1e-9)


def test_a_driven_mode_answers_as_a_linear_oscillator():
    """x'' + w^2 x = f sin(W t) from rest: f/(w^2 - W^2) (sin(W t) - W/w sin(w t))."""
    w, W, f, end = 30.0, 20.0, 4.0, 0.7
    body = fc.ModalBody("beam", np.array([w]))
    sine = fc.Function(lambda t: sin(W * t), lambda t: W * cos(W * t))
    system = fc.System([body], [fc.GeneralisedForce(body, np.array([f]), factor=sine)])
    motion = fc.simulate(system, end, system.rest(), "ode", end, rtol=1e-9, atol=1e-12)
    exact = f / (w**2 - W**2) * (sin(W * end) - W / w * sin(w * end))
    assert motion.q[-1, 0] == pytest.approx(exact, rel=1e-6)
    energies = motion.energies
    stored = energies["kinetic"][-1] + energies["strain"][-1]
    assert energies["supplied"][-1] == pytest.approx(stored, rel=1e-5)


def test_refusals():
    body = fc.RigidBody("mass", 2.0, ("ux", "uz"))
    with pytest.raises(fc.InputError, match="one number per dof of mass"):
        fc.GeneralisedForce(body, np.ones(3))
    with pytest.raises(fc.InputError, match="body"):
        fc.GeneralisedForce("mass", np.ones(3))
    with pytest.raises(fc.InputError, match="factor"):
        fc.GeneralisedForce(body, np.ones(2), factor="sine")
