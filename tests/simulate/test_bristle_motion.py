"""Bodies on bristles with dampers: slip that turns, and the energy audit."""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp

from fecontact.body import RigidBody
from fecontact.contact import ContactPair, PenaltyNormal, Plane, RigidFace, Surface, lugre
from fecontact.joint import Force, Table
from fecontact.simulate import simulate
from fecontact.system import System

POINT = Surface(np.zeros((1, 3)), np.ones(1))


def test_block_on_a_spinning_table():
    """LuGre against Coulomb's law as an equation of its own; S/c = 2 um, b h v w/2 = mu N/2."""
    mu, g, spin, end = 0.2, 10.0, 8.0, 0.02

    def rate(t, y):
        slip = np.array([y[2] + spin * y[1], y[3] - spin * y[0]])
        return [y[2], y[3], *(-mu * g * slip / np.linalg.norm(slip))]

    exact = solve_ivp(rate, (0, end), [0.3, 0, 0, 0], rtol=1e-10, atol=1e-13).y[:, -1]
    block = RigidBody("block", 1.0, ("ux", "uy", "uz"), position=(0.3, 0.0, 0.0))
    table = RigidBody("table", 1e7, ("uz",), spin=spin)
    pair = ContactPair(
        block, POINT, RigidFace(table, Plane()), PenaltyNormal(1e6, 1e3), lugre(mu, 1e6, 100.0)
    )
    system = System([block, table], [pair, Force(block, (0.0, 0.0, -g))])
    start = system.sliding(system.state(q={"block.uz": -1e-5}))
    motion = simulate(system, end, start, step=1e-3, output=end)
    assert np.all(np.abs(motion.v[-1][:2] - exact[2:]) < 1e-3 * np.linalg.norm(exact[2:]))


def test_audit_of_a_damped_bristle():
    """Up to the reversal the residual falls with the square of the step; wear and slip meet."""
    block, t = RigidBody("block", 1.0, ("ux", "uz")), np.linspace(0.0, 0.1, 201)
    pair = ContactPair(
        block, POINT, RigidFace(None, Plane()), PenaltyNormal(1e6, 500.0), lugre(0.4, 1e4, 30.0)
    )
    shake = Force(block, (1.0, 0.0, 0.0), name="shake", factor=Table(t, np.cos(60.0 * t)))
    system = System([block], [pair, Force(block, (0.0, 0.0, -10.0)), shake])
    residual, apart = [], []
    for step in (1e-3, 5e-4):
        motion = simulate(
            system, 0.025, system.state(q={"block.uz": -1e-5}), step=step, output=0.025
        )
        lines = {name: line[-1] for name, line in motion.energies.items()}
        residual.append(abs(lines["residual"]) / lines["damping"])
        apart.append(abs(motion.wear[-1][0] / lines["slip"] - 1.0))
    assert residual[1] < 0.3 * residual[0]
    assert apart[1] < 0.6 * apart[0] < 0.6 * 0.05
