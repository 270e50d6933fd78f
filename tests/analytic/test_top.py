"""Heavy symmetric top on a ball joint, by generalised-alpha: steady precession to order 2."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.body import DOFS, RigidBody
from fecontact.integrate import simulate
from fecontact.joint import Gravity, Spherical
from fecontact.system import System

MASS, ARM, TILT, SPIN, G = 0.5, 0.06, 0.5, 150.0, 9.81
J_T, J_P = 4e-4, 6e-4


def precession(sign):
    """Roots of A cos(theta) Omega^2 - C n Omega + m g l = 0 (Goldstein, section 5.7)."""
    A, b = J_T + MASS * ARM**2, J_P * SPIN
    root = np.sqrt(b**2 - 4.0 * A * np.cos(TILT) * MASS * G * ARM)
    return (b + sign * root) / (2.0 * A * np.cos(TILT))


def top(dofs):
    body = RigidBody("top", MASS, dofs, (J_T, J_T, J_P), position=(0.0, 0.0, ARM))
    tip = Spherical(None, body, point_b=(0.0, 0.0, -ARM), name="tip")
    return System([body], [tip, Gravity([body], (0.0, 0.0, -G))])


@pytest.mark.parametrize("spin", ["rz", "spin"])
@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_steady_precession_by_generalised_alpha(spin, sign):
    """The centre of mass goes round a circle of the radius l sin(theta) at the speed Omega."""
    speed = precession(sign)
    system = top((*DOFS[:5], spin))
    radius = ARM * np.sin(TILT)
    start = system.state(
        q={"top.ry": TILT, "top.ux": radius, "top.uz": ARM * (np.cos(TILT) - 1.0)},
        v={"top.rx": -speed * np.sin(TILT), f"top.{spin}": SPIN, "top.uy": radius * speed},
    )
    t_end, errors = 0.04, []
    for step in (4e-4, 2e-4):
        motion = simulate(system, t_end, start, step=step, output=t_end / 10)
        circle = radius * np.column_stack([np.cos(speed * motion.t), np.sin(speed * motion.t)])
        errors.append(np.abs(motion.q[:, :2] - circle).max() / radius)
    assert errors[1] < 1e-3
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.2)
