"""Bodies on bristles with dampers: slip that turns, and the energy audit."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from fecontact.body import RigidBody
from fecontact.contact import ContactPair, PenaltyNormal, Plane, RigidFace, Surface, dupont, lugre
from fecontact.integrate import simulate
from fecontact.joint import Force
from fecontact.joint.curve import Function
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


@pytest.mark.parametrize("law", [lugre(0.4, 1e4, 30.0), dupont(0.4, 1e4, 30.0, onset=0.5)])
def test_audit_of_a_damped_bristle(law):
    """The balance closes, slip work is the line slip, and all lines tend to those of "ode"."""
    block = RigidBody("block", 1.0, ("ux", "uz"))
    pair = ContactPair(block, POINT, RigidFace(None, Plane()), PenaltyNormal(1e6, 500.0), law)
    push = Function(lambda t: 5.0 * (1.0 - np.cos(60.0 * t)), lambda t: 300.0 * np.sin(60.0 * t))
    shake = Force(block, (1.0, 0.0, 0.0), name="shake", factor=push)
    system = System([block], [pair, Force(block, (0.0, 0.0, -10.0)), shake])
    start, names = system.state(q={"block.uz": -1e-5}), ("slip", "damping", "contact", "supplied")

    def lines(*method, **options):
        motion = simulate(system, 0.05, start, *method, output=0.05, **options)
        left = abs(motion.energies["residual"][-1]) / motion.energies["supplied"][-1]
        assert motion.slip_totals[-1][0] == pytest.approx(motion.energies["slip"][-1], rel=1e-12)
        return np.array([motion.energies[name][-1] for name in names]), left

    exact, _ = lines("ode", rtol=1e-7, atol=1e-11)
    (coarse, left), (fine, less) = (lines(step=h, rho_inf=1.0) for h in (5e-4, 2.5e-4))
    assert max(left, less) < 1e-9
    errors = [np.abs(found - exact).max() / exact.max() for found in (coarse, fine)]
    assert errors[1] < 0.6 * errors[0] < 0.01


def test_slip_work_by_contact():
    """Two points at a third and two thirds of the load slide 5 mm, then the other contact."""
    block = RigidBody("block", 1.0, ("ux", "uz"))
    law = PenaltyNormal(1e6), dupont(0.4, 1e7)
    pairs = [
        ContactPair(
            block, Surface(np.zeros((len(w), 3)), np.array(w)), RigidFace(None, Plane()), *law, name
        )
        for name, w in (("two", [1.0, 2.0]), ("one", [1.0]))
    ]
    system = System([block], [*pairs, Force(block, (0.0, 0.0, -40.0))])
    start = system.sliding(system.state(q={"block.uz": -1e-5}, v={"block.ux": 4.0}))
    motion = simulate(system, 1.25e-3, start, step=1.25e-5, output=1.25e-3)
    path = motion.q[-1, 0]
    for name, weights in (("two", [1.0, 2.0]), ("one", [1.0])):
        work, slid = motion.slip_work_and_path(name)
        assert slid[-1] == pytest.approx(path, rel=1e-6)
        assert work[-1] == pytest.approx(0.4 * 10.0 * path * np.array(weights), rel=1e-3)
