"""Load paths of systems: closed forms, tangents, halving, failure, interruption."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.analysis import LoadPathError, StaticSystem, load_path
from fecontact.body import DOFS, RigidBody
from fecontact.contact import ContactPair, CoulombSliding, PenaltyNormal, Surface
from fecontact.contact.laws.elasto_plastic import ElastoPlastic
from fecontact.contact.master.rigid_face import RigidFace
from fecontact.contact.master.shape import Plane, Sphere
from fecontact.contact.status import OPEN, SLIP, STICK
from fecontact.errors import InputError, SolverError
from fecontact.joint import Force, Line, PrescribedMotion, Torque
from fecontact.joint.coordinate import DofCoordinate
from fecontact.joint.motion_law import Speed
from fecontact.system import System

NORMAL, TANGENTIAL, MU = 2e5, 1e5, 0.3
ANGLES = np.array([0.0, 2.0, 4.2])
FEET = np.column_stack([0.1 * np.cos(ANGLES), 0.1 * np.sin(ANGLES), np.full(3, -0.05)])
BOWL = Sphere(0.4, (0.0, 0.0, np.sqrt(0.4**2 - 0.1**2)), hollow=True)


def block(shape, weight=20.0, pull=(0.0, 0.0, 0.0), moment=0.0, friction=None):
    """Block on three feet that touch the ground, loaded in proportion to t."""
    body = RigidBody("block", 2.0, DOFS, (0.02, 0.02, 0.03), position=(0.0, 0.0, 0.05))
    contact = ContactPair(
        body,
        Surface(FEET, np.array([1.0, 0.8, 1.2])),
        RigidFace(None, shape),
        PenaltyNormal(NORMAL),
        friction or ElastoPlastic(MU, TANGENTIAL),
    )
    grow = Line(gradient=1.0)
    loads = [
        Force(body, (0.0, 0.0, -weight), name="weight"),
        Force(body, pull, name="pull", factor=grow),
        Torque(body, (0.0, 0.0, moment), factor=grow),
    ]
    return System([body], [contact, *loads])


def test_forces_balance_and_obey_the_limit_in_partial_slip():
    """A moment and a pull at once: some feet slip, others stick, and all balances."""
    path = load_path(
        StaticSystem(block(Plane(), pull=(3.6, 0.6, 0.0), moment=0.18)), [0.0, 0.5, 1.0]
    )
    last = path.increments[-1].contacts["contact"]
    assert {STICK, SLIP} <= set(last.status)
    assert last.force == pytest.approx([-3.6, -0.6, 20.0], abs=2e-6)
    size = np.linalg.norm(last.traction, axis=1)
    assert np.all(size <= MU * last.pressure * (1.0 + 1e-12))
    assert size[last.status == SLIP] == pytest.approx(MU * last.pressure[last.status == SLIP])
    assert np.all(last.slip_work[last.status == SLIP] > 0.0)
    assert np.all(last.slip_work[last.status == STICK] == 0.0)


def test_more_than_friction_bears_has_no_equilibrium():
    problem = StaticSystem(block(Plane(), pull=(10.0, 0.0, 0.0)))
    with pytest.raises(LoadPathError, match=r"after 4 of 6 increments, at t = 0\.8") as error:
        load_path(problem, np.linspace(0.0, 1.0, 6), halvings=3)
    assert error.value.path.t == pytest.approx([0.0, 0.2, 0.4, 0.6])
    assert not error.value.path.complete


@pytest.mark.parametrize("shape", [Plane(), BOWL], ids=["plane", "bowl"])
@pytest.mark.parametrize("stuck", [False, True])
def test_tangent(difference, shape, stuck):
    """Consistent tangent of trial states with all modes; stuck: that of unlimited friction."""
    limitless = ElastoPlastic(1e30, TANGENTIAL) if stuck else None
    problem = StaticSystem(block(shape, pull=(3.0, 1.0, 0.0), moment=0.2))
    other = StaticSystem(block(shape, pull=(3.0, 1.0, 0.0), moment=0.2, friction=limitless))
    before = problem.start()
    step = np.array([4e-5, 3e-5, -1.2e-4, 2e-4, 1e-4, 3e-4])
    x = problem.move(before.x, step)
    balance = problem.at(before, 0.7, x)
    if not stuck:
        assert SLIP in balance.steps["contact"].history.status
    K = balance.tangent(stuck)
    expected = difference(
        lambda d: other.at(before, 0.7, problem.move(x, d)).residual[0], np.zeros(6),
        np.full(6, 5e-9),
    )  # fmt: skip
    assert np.abs(K - expected).max() < 1e-7 * np.abs(K).max()


def test_prescribed_motion_gives_the_drive_force_as_multiplier():
    """One bristle: the drive bears c u, then mu N; the slip work is mu N times the slipped way."""
    body = RigidBody("block", 1.0, ("ux", "uz"))
    contact = ContactPair(
        body,
        Surface(np.zeros((1, 3)), np.ones(1)),
        RigidFace(None, Plane()),
        PenaltyNormal(NORMAL),
        ElastoPlastic(MU, TANGENTIAL),
    )
    drive = PrescribedMotion(DofCoordinate(body, "ux"), Speed(1e-4), name="drive")
    system = System([body], [contact, Force(body, (0.0, 0.0, -10.0)), drive])
    path = load_path(StaticSystem(system), [0.0, 0.2, 1.0])
    assert path.x[:, 2] == pytest.approx([0.0, 2.0, 3.0], abs=1e-6)
    assert path.slip_work()[-1] == pytest.approx(3.0 * (1e-4 - 3.0 / TANGENTIAL), rel=1e-6)
    bristle = path.increments[-1].contacts["contact"].bristle_energy
    assert bristle == pytest.approx(0.5 * 3.0**2 / TANGENTIAL, rel=1e-9)


class Guarded:
    """A problem whose forces cannot be evaluated for some increments."""

    def __init__(self, problem, refuse, error):
        self.problem, self.refuse, self.error = problem, refuse, error
        self.start, self.move = problem.start, problem.move

    def at(self, before, t, x):
        if self.refuse(before.t, t):
            raise self.error
        return self.problem.at(before, t, x)


def test_a_failing_increment_is_halved():
    """Increments above 0.3 fail: the solver halves twice, and gets what small increments give."""
    problem = StaticSystem(block(BOWL, pull=(2.0, 0.0, 0.0), moment=0.1))
    guarded = Guarded(problem, lambda before, t: t - before > 0.3, SolverError("too far"))
    halved = load_path(guarded, [1.0])
    slowly = load_path(problem, [0.25, 0.5, 0.75, 1.0])
    assert halved.x[-1] == pytest.approx(slowly.x[-1], abs=1e-14)
    assert halved.increments[0].iterations == sum(each.iterations for each in slowly.increments)
    with pytest.raises(LoadPathError, match="too far"):
        load_path(guarded, [1.0], halvings=1)


def test_interruption_returns_what_was_computed():
    problem = StaticSystem(block(Plane(), pull=(1.0, 0.0, 0.0)))
    path = load_path(
        Guarded(problem, lambda before, t: t > 0.5, KeyboardInterrupt()), [0.0, 0.5, 1.0]
    )
    assert not path.complete
    assert path.t.tolist() == [0.0, 0.5]


def test_history_decides():
    """Pull beyond the limit of one foot and release: a residual traction stays."""
    up = load_path(StaticSystem(block(Plane(), moment=0.58)), [0.0, 1.0, 0.0])
    last = up.increments[-1].contacts["contact"]
    assert OPEN not in last.status
    assert last.slip_work.sum() > 0.0
    assert np.abs(up.x[-1] - up.x[0]).max() > 1e-6


def test_impossible_problems_are_refused():
    words = "CoulombSliding has no history.* in simulate; load paths.* such as ElastoPlastic"
    with pytest.raises(InputError, match=words):
        load_path(StaticSystem(block(Plane(), friction=CoulombSliding(0.3))), [0.0])
    for loads in ([], [[0.0, 1.0]], [0.0, np.nan], "all"):
        with pytest.raises(InputError, match="loads ="):
            load_path(StaticSystem(block(Plane())), loads)
    for tolerance in (0.0, -1.0, np.nan, 1.0):
        with pytest.raises(InputError, match=f"invalid tolerance = {tolerance}"):
            load_path(StaticSystem(block(Plane())), [0.0], tolerance=tolerance)
    body = RigidBody("block", 1.0, ("ux",))
    drive = PrescribedMotion(DofCoordinate(body, "ux"), Speed(1.0), level="velocity")
    with pytest.raises(InputError, match="binds velocities"):
        StaticSystem(System([body], [drive]))
