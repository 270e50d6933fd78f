"""Energy audit of points that open and close: the line `slip` against closed forms."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.body import RigidBody
from fecontact.contact import ContactPair, ElastoPlastic, PenaltyNormal, RigidFace, Surface
from fecontact.contact.master.shape import Plane
from fecontact.integrate import simulate
from fecontact.system import System

MASS, STIFFNESS, MU, FALL, SPEED = 2.0, 1e5, 0.2, 1.0, 3.0
PERIOD = np.pi * np.sqrt(MASS / STIFFNESS)  # of the contact, one half wave


def skimming(heights, damping, friction_stiffness=STIFFNESS, friction_damping=0.0):
    """A mass that strikes a plane while it slides; its points have heights of their own."""
    body = RigidBody("m", MASS, ("ux", "uz"), position=(0.0, 0.0, 0.3 * PERIOD * FALL))
    points = np.column_stack([np.zeros((len(heights), 2)), heights])
    pair = ContactPair(
        body, Surface(points, np.ones(len(points)) / len(points)), RigidFace(None, Plane()),
        PenaltyNormal(STIFFNESS, damping), ElastoPlastic(MU, friction_stiffness, friction_damping),
        "foot",
    )  # fmt: skip
    system = System([body], [pair])
    return system, system.state(v={"m.ux": SPEED, "m.uz": -FALL})


def left(motion):
    """Residual and numerical dissipation, of the exchanged energy."""
    lines = motion.energies
    exchanged = lines["slip"][-1] + lines["damping"][-1] + np.ptp(lines["kinetic"])
    return (abs(lines["residual"][-1]) + abs(lines["numerical"][-1])) / exchanged


@pytest.mark.parametrize(("method", "parts"), [("implicit", 20), ("explicit", 100)])
@pytest.mark.parametrize("damping", [0.0, 100.0])
@pytest.mark.parametrize("heights", [[0.0], [0.0, 2e-3]], ids=["one point", "two points"])
def test_slip_of_one_stroke(method, parts, damping, heights):
    """The impulse I of a stroke slows the sliding by mu I/m; its heat is m/2 (u0^2 - u1^2).

    Without damping I = 2 m FALL. With it the pressure jumps as a point closes. Of two points one
    closes and opens during the stroke of the other. Bristles are stiff: all heat is slip.
    """
    system, start = skimming(heights, damping, 1e3 * STIFFNESS)
    end = 2.6 * PERIOD
    for count in (parts, 4 * parts):
        motion = simulate(system, end, start, method, end, step=PERIOD / count)
        assert np.all(motion.contact_status[-1] == 0)
        slower = SPEED - MU * (motion.v[-1, 1] + FALL)
        heat = 0.5 * MASS * (SPEED**2 - slower**2)
        assert motion.v[-1, 0] == pytest.approx(slower, rel=1e-12)
        assert motion.energies["slip"][-1] == pytest.approx(heat, rel=1e-6)
        assert left(motion) < 1.0 / count**2
        if not damping:
            assert slower == pytest.approx(SPEED - 2.0 * MU * FALL, rel=1e-3)


def test_points_that_let_go_lose_what_they_store():
    """Bristles of single points relax while others still press; long steps see all of it lost."""
    system, start = skimming([0.0, 5e-4, 1e-3, 1.5e-3], 50.0, STIFFNESS, 400.0)
    shares = []
    for count in (10, 20, 40, 80):
        motion = simulate(system, 2.6 * PERIOD, start, output=2.6 * PERIOD, step=PERIOD / count)
        shares.append(left(motion))
    assert shares[0] < 2e-3, shares
    assert shares[-1] < 0.25 * shares[0], shares


@pytest.mark.parametrize("method", ["implicit", "explicit"])
@pytest.mark.parametrize("seed", range(4))
def test_random_points_at_defaults(method, seed):
    """Any heights and dampings: at most a thousandth is left at default options."""
    rng = np.random.default_rng(seed)
    heights = 2e-3 * np.sort(rng.random(rng.integers(2, 12)))
    system, start = skimming(heights, rng.uniform(0.0, 100.0), STIFFNESS,
                             rng.uniform(10.0, 400.0))  # fmt: skip
    motion = simulate(system, 2.6 * PERIOD, start, method, 2.6 * PERIOD)
    assert left(motion) < 1e-3
