"""Painleve's rod by time stepping: where a solution exists and is unique, and what is said if not.

Reference: all solutions of the planar contact problem 0 <= u_n perp L_n >= 0, |L_t| <= mu L_n, by
trying its four states (open, stick, slip to either side) in turn.
"""

from __future__ import annotations

import re
from math import cos, sin

import numpy as np
import pytest

from fecontact.body import RigidBody
from fecontact.contact import Plane, RigidContact, RigidFace, Surface
from fecontact.errors import SolverError
from fecontact.integrate import simulate
from fecontact.joint import DofCoordinate, Force, Gravity, PrescribedMotion, Speed
from fecontact.solvers.complementarity import ContactProblem, solve_contacts
from fecontact.system import System

G, HALF, ANGLE, STEP = 9.81, 1.0, 1.1, 1e-4
S, C = sin(ANGLE), cos(ANGLE)
ROWS = np.array([[0.0, 1.0, HALF * C], [1.0, 0.0, -HALF * S]])
"""Normal and tangential velocity of the end per (u_x, u_z, omega)."""
MOBILITY = ROWS @ np.diag([1.0, 1.0, 3.0 / HALF**2]) @ ROWS.T
TOLD = r"friction draws a sliding rigid contact in \(Painleve\): no contact force exists.* or more"


def rod(mu, lift=0.0):
    """Rod of 1 kg whose lower end touches the ground, lifted by a force at its centre."""
    end = -HALF * np.array([C, 0.0, S])
    body = RigidBody("rod", 1.0, ("ux", "uz", "ry"), (HALF**2 / 3.0,) * 3, tuple(-end))
    contact = RigidContact(body, Surface(end[None], np.ones(1)), RigidFace(None, Plane()), mu)
    return System([body], [Gravity([body], (0.0, 0.0, -G)), Force(body, (0.0, 0.0, lift)), contact])


def slide(mu, lift=0.0, speed=-1.0):
    system = rod(mu, lift)
    start = system.state(v={"rod.ux": speed})
    return simulate(system, STEP, start, "moreau", step=STEP, theta=1.0)


def all_solutions(mu, b):
    """Impulses (normal, tangential) of all states that obey the contact law."""
    W, found = MOBILITY, []
    if b[0] >= 0.0:
        found.append((0.0, 0.0))
    stick = np.linalg.solve(W, -b)
    if stick[0] > 0.0 and abs(stick[1]) < mu * stick[0]:
        found.append(tuple(stick))
    for side in (-1.0, 1.0):
        normal = -b[0] / (W[0, 0] - side * mu * W[0, 1])
        slip = b[1] + W[1, 0] * normal - side * mu * W[1, 1] * normal
        if normal > 0.0 and side * slip > 0.0:
            found.append((normal, -side * mu * normal))
    return np.array(found)


def after(impulses, gain):
    """Velocities of the rod after a step; it slid with -1 m/s and gains a velocity upwards."""
    return np.array([-1.0, gain, 0.0]) + np.diag([1.0, 1.0, 3.0]) @ (ROWS.T @ impulses)


def test_below_four_thirds_the_only_solution_slides():
    (only,) = all_solutions(1.0, np.array([-G * STEP, -1.0]))
    motion = slide(1.0)
    np.testing.assert_allclose(motion.v[-1], after(only, -G * STEP), atol=2e-10)
    assert abs(only[1]) == only[0]
    assert motion.statistics.paradoxes == 0
    assert motion.message == ""


def test_without_a_force_the_end_stops_in_a_jump():
    """Pressed: no sliding force exists, whatever the step; the only impulse is that of a stop."""
    assert MOBILITY[0, 0] + 2.0 * MOBILITY[0, 1] < 0.0
    (only,) = all_solutions(2.0, np.array([-G * STEP, -1.0]))
    motion = slide(2.0)
    np.testing.assert_allclose(motion.v[-1], after(only, -G * STEP), atol=2e-10)
    assert abs(ROWS[1] @ motion.v[-1]) < 1e-9
    # no force over a step: the impulse does not fall with the step
    np.testing.assert_allclose(only, np.linalg.solve(MOBILITY, [0.0, 1.0]), rtol=100 * STEP)
    assert motion.statistics.paradoxes == 1
    assert re.search(TOLD, motion.message)


def test_with_several_solutions_one_is_taken_and_told():
    """Lifted: the end may leave, slide on or stop. All obey the law; one of them is taken."""
    b = np.array([G * STEP, -1.0])
    several = all_solutions(2.0, b)
    assert len(several) == 3
    motion = slide(2.0, 2.0 * G)
    ways = [after(impulses, G * STEP) for impulses in several]
    assert min(np.abs(motion.v[-1] - way).max() for way in ways) < 1e-9
    assert motion.statistics.paradoxes == 1
    assert "the motion may not be the only one" in motion.message
    # each of them is found from its own neighbourhood: none is an artefact
    problem = planar(2.0, b)
    for impulses in several:
        start = np.array([impulses[0], impulses[1], 0.0])
        np.testing.assert_allclose(solve_contacts(problem, start).value, start, atol=1e-12)


def test_the_other_way_round_nothing_is_wrong():
    """Friction that lifts the end has no paradox."""
    motion = slide(2.0, speed=1.0)
    assert motion.statistics.paradoxes == 0
    assert motion.message == ""


def planar(mu, b):
    W = np.zeros((3, 3))
    W[:2, :2], W[2, 2] = MOBILITY, 1.0
    return ContactProblem(
        W, np.append(b, 0.0), np.array([0]), np.array([1]), np.array([mu]), np.zeros(1)
    )


def test_walls_that_close_on_a_rigid_block_have_no_solution():
    block = RigidBody("block", 1.0, ("uz",))
    press = RigidBody("press", 1.0, ("uz",))
    point = Surface(np.zeros((1, 3)), np.ones(1))
    floor = RigidContact(block, point, RigidFace(None, Plane()), name="floor")
    down = RigidFace(press, Plane(normal=(0.0, 0.0, -1.0)))
    top = RigidContact(block, point, down, name="top")
    drive = PrescribedMotion(DofCoordinate(press, "uz"), Speed(-0.1))
    system = System([block, press], [floor, top, drive])
    start = system.state(v={"press.uz": -0.1})
    told = r"t = 0 s: 2 contacts: no impulses found.*A solution may not exist or not be unique"
    with pytest.raises(SolverError, match=told):
        simulate(system, 0.1, start, "moreau", step=0.01)
