"""Joints against closed forms: free motions, pendulum with reactions, spherical four-bar."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from fecontact.body import DOFS, RigidBody
from fecontact.errors import InputError, SolverError
from fecontact.joint import (
    Cylindrical,
    Distance,
    Gravity,
    Planar,
    Prismatic,
    Revolute,
    RigidJoint,
    Spherical,
    Universal,
)
from fecontact.joint.marker import axis_vector, frame_about
from fecontact.system import State, System

TENSOR = np.array([[0.3, 0.02, -0.01], [0.02, 0.25, 0.03], [-0.01, 0.03, 0.2]])
A = RigidBody("a", 2.0, DOFS, inertia=TENSOR, position=(0.1, -0.2, 0.3))
B = RigidBody("b", 1.5, DOFS, inertia=TENSOR, position=(1.5, 2.0, -0.7))
POINT = np.array([0.3, -0.2, 0.1])
SKEW = (1.0, 2.0, -1.5)
N = axis_vector("axis", SKEW)
X, Y, _ = frame_about(N).T
U, W = np.array([1.0, 1.0, 0.0]) / np.sqrt(2.0), np.array([1.0, -1.0, 3.0]) / np.sqrt(11.0)


def turn(axis, angle):
    return Rotation.from_rotvec(angle * np.asarray(axis)).as_matrix()


def placed(body, R, centre):
    """Coordinates of a body with rotation R and centre of mass."""
    p = Rotation.from_matrix(R).as_quat(scalar_first=True)
    return np.concatenate([centre - body.position, p])


def free_motion(kind, s):
    """Rotation and shift of b relative to a, and its free twists (spin, speed of the point)."""
    zero = np.zeros(3)
    spin, slide = [(N, zero)], [(zero, N)]
    if kind == "rigid":
        return np.eye(3), zero, []
    if kind == "revolute":
        return turn(N, s[0]), zero, spin
    if kind == "prismatic":
        return np.eye(3), s[1] * N, slide
    if kind == "cylindrical":
        return turn(N, s[0]), s[1] * N, spin + slide
    if kind == "planar":
        return turn(N, s[0]), s[1] * X + s[2] * Y, [*spin, (zero, X), (zero, Y)]
    if kind == "universal":
        S = turn(U, s[0]) @ turn(W, s[1])
        return S, zero, [(U, zero), (S @ W, zero)]
    return Rotation.from_rotvec(s).as_matrix(), zero, [(e, zero) for e in np.eye(3)]


JOINTS = {
    "rigid": RigidJoint(A, B, point_b=tuple(POINT)),
    "revolute": Revolute(A, B, point_b=tuple(POINT), axis=SKEW),
    "prismatic": Prismatic(A, B, point_b=tuple(POINT), axis=SKEW),
    "cylindrical": Cylindrical(A, B, point_b=tuple(POINT), axis=SKEW),
    "planar": Planar(A, B, point_b=tuple(POINT), axis=SKEW),
    "universal": Universal(A, B, point_b=tuple(POINT), axis_a=tuple(U), axis_b=tuple(W)),
    "spherical": Spherical(A, B, point_b=tuple(POINT)),
}
STRETCHES = ([0.0, 0.0, 0.0], [0.4, -0.3, 0.2], [2.8, 1.1, -0.9], [-3.1, 0.1, 0.6])


@pytest.mark.parametrize("s", STRETCHES, ids=str)
@pytest.mark.parametrize("kind", JOINTS)
def test_free_motions(kind, s):
    """Exact free positions satisfy the rows, free twists (Keppler T1) their rates; rank is full."""
    joint = JOINTS[kind]
    S, shift, twists = free_motion(kind, np.array(s))
    R = turn([0.5, -1.0, 0.3], 1.9)
    place = np.array([2.0, -1.0, 4.0])
    arm_a = POINT + B.position - A.position
    q = np.concatenate(
        [placed(A, R, place - R @ arm_a), placed(B, R @ S, place + R @ (shift - S @ POINT))]
    )
    rows = joint.at(0.0, q, np.zeros(12))
    np.testing.assert_allclose(rows.value, 0.0, atol=1e-14)
    for omega, speed in twists:
        spin = R @ omega
        v = np.r_[np.zeros(6), R @ speed - np.cross(spin, R @ S @ POINT), (R @ S).T @ spin]
        np.testing.assert_allclose(rows.jacobian @ v, 0.0, atol=1e-14)
    assert np.linalg.matrix_rank(rows.jacobian[:, 6:], tol=1e-6) == len(joint.rows)
    assert len(joint.rows) + len(twists) == 6


@pytest.mark.parametrize("kind", ["revolute", "prismatic", "cylindrical", "planar"])
def test_read_out(kind):
    S, shift, _ = free_motion(kind, np.array([2.8, 0.4, 0.2]))
    q = np.concatenate([A.reference(), placed(B, S, B.position + POINT + shift - S @ POINT)])
    joint = JOINTS[kind]
    if kind != "prismatic":
        assert joint.angle.value(q) == pytest.approx(2.8, abs=1e-14)
        assert joint.angle.value(q, near=60.0) == pytest.approx(2.8 + 18.0 * np.pi, abs=1e-13)
    if kind in ("prismatic", "cylindrical"):
        assert joint.stroke.value(q) == pytest.approx(0.4, abs=1e-14)
    spin = np.r_[np.zeros(6), np.cross(S @ POINT, N) + 0.7 * N, N]
    if kind == "cylindrical":
        assert joint.angle.rate(q, spin) == pytest.approx(1.0, abs=1e-14)
        assert joint.stroke.rate(q, spin) == pytest.approx(0.7, abs=1e-14)


def test_angle_over_many_turns():
    """Both bodies turn; the relative angle grows to 40 turns and comes back to -5."""
    joint = JOINTS["revolute"]
    angles = np.concatenate(
        [np.arange(0.0, 80.0 * np.pi, 1.9), np.arange(251.0, -10 * np.pi, -2.3)]
    )
    samples = [
        np.concatenate(
            [placed(A, turn([1, 2, 2], 0.3 * k), np.zeros(3)),
             placed(B, turn([1, 2, 2], 0.3 * k) @ turn(N, angle), np.zeros(3))]
        )
        for k, angle in enumerate(angles)
    ]  # fmt: skip
    np.testing.assert_allclose(joint.angle.history(samples), angles, atol=1e-12)


def test_shafts_count_their_turns():
    """Bodies with one common axis keep their angles in q; a reading needs no neighbour."""
    shaft = RigidBody("shaft", 1.0, ("rz",), inertia=TENSOR)
    rotor = RigidBody("rotor", 1.0, ("uz", "rz"), inertia=TENSOR)
    hinge = Revolute(shaft, rotor)
    assert hinge.angle.value(np.array([10.0, 0.0, 300.0])) == 290.0
    rows = hinge.at(0.0, np.array([10.0, 0.0, 300.0]), np.zeros(3))
    held = [hinge.rows[i] for i in np.flatnonzero(np.abs(rows.jacobian).max(axis=1) > 1e-12)]
    assert held == ["z"]
    np.testing.assert_allclose(rows.value, 0.0, atol=1e-14)


def accelerations(system, state):
    """v' and multipliers from M v' = f + A^T lam, A v' = -bias, by the pseudo-inverse."""
    M, f, c = system.mass_matrix(state.q), system.force(state), system.constraint(state)
    L = np.linalg.cholesky(M)
    D = np.linalg.solve(L, c.jacobian.T).T
    free = np.linalg.solve(M, f)
    correction = -np.linalg.pinv(D, rcond=1e-8) @ (c.jacobian @ free + c.bias)
    lam = np.linalg.pinv(D.T, rcond=1e-8) @ correction
    return free + np.linalg.solve(L.T, correction), lam


@pytest.mark.parametrize("phi", [0.0, 0.9, -2.5])
def test_pendulum_with_reactions(phi):
    """Physical pendulum about a skew axis, with a full inertia tensor.

    About the pivot: (n . J n + m |n x c|^2) phi'' = n . (c x m g). The pivot carries the force
    m (a - g) and the moment that Euler's equation leaves.
    """
    speed, g = 3.0, np.array([0.0, 0.0, -9.81])
    hinge = Revolute(None, B, point_b=tuple(POINT), axis=SKEW)
    system = System([B], [Gravity([B], tuple(g)), hinge])
    R, pivot = turn(N, phi), B.position + POINT
    c = -R @ POINT
    q = placed(B, R, pivot + c)
    v = np.r_[np.cross(speed * N, c), speed * N]  # n is the same in body components
    state = State(0.0, q, v)
    rows = system.constraint(state)
    np.testing.assert_allclose(np.r_[rows.value, rows.rate], 0.0, atol=1e-14)
    found, lam = accelerations(system, state)
    J, m = R @ TENSOR @ R.T, B.mass
    across = np.cross(N, c)
    spin_up = N @ np.cross(c, m * g) / (N @ J @ N + m * across @ across)
    a = spin_up * across + speed**2 * np.cross(N, across)
    np.testing.assert_allclose(found, np.r_[a, spin_up * N], atol=1e-12)
    force = m * (a - g)
    euler = J @ (spin_up * N) + np.cross(speed * N, J @ (speed * N))
    moment = euler + np.cross(c, force)
    reaction = hinge.reaction(q, lam)
    np.testing.assert_allclose(reaction.force, force, atol=1e-12)
    np.testing.assert_allclose(reaction.moment, moment, atol=1e-12)
    assert N @ moment == pytest.approx(0.0, abs=1e-12)
    in_body = hinge.reaction(q, lam, "b")
    np.testing.assert_allclose(in_body.force, R.T @ force, atol=1e-12)
    np.testing.assert_allclose(in_body.moment, R.T @ moment, atol=1e-12)
    np.testing.assert_allclose(lam[:3], [X @ force, Y @ force, N @ force], atol=1e-12)
    np.testing.assert_allclose(lam[3:], [X @ moment, Y @ moment], atol=1e-12)


def test_rod_in_tension():
    """A point mass that circles on a rod: lam = -m v^2 / l."""
    ball = RigidBody("ball", 0.3, position=(0.0, 0.5, 0.0))
    rod = Distance(None, ball, point_a=(0.0, 0.0, 0.0))
    state = State(0.0, np.zeros(3), np.array([4.0, 0.0, 0.0]))
    a, lam = accelerations(System([ball], [rod]), state)
    assert lam[0] == pytest.approx(-0.3 * 16.0 / 0.5)
    np.testing.assert_allclose(a, [0.0, -32.0, 0.0], atol=1e-13)
    np.testing.assert_allclose(rod.reaction(state.q, lam).force, [0.0, -9.6, 0.0], atol=1e-13)
    assert rod.length.value(np.array([0.0, 0.7, 0.0])) == pytest.approx(1.2)


def four_bar():
    """Keppler T15 on the unit sphere, with the geometry and masses of the source notes."""
    theta, phi = np.radians([0.0, 30.0, 60.0, 60.0]), np.radians([0.0, 0.0, 40.0, 90.0])
    axes = np.array([np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi), np.cos(theta)]).T
    bodies = [
        RigidBody(f"bar {k}", 1.0, DOFS, (0.04,) * 3, tuple(axes[k : k + 2].mean(axis=0)))
        for k in range(3)
    ]
    chain = [None, *bodies, None]
    joints = [
        Revolute(
            chain[k], chain[k + 1], point_b=tuple(n - (chain[k + 1].position if k < 3 else 0.0)),
            name=f"joint {k}", axis=tuple(n),
        )
        for k, n in enumerate(axes)
    ]  # fmt: skip
    return bodies, joints


def test_spherical_four_bar_is_redundant_but_moves():
    """20 rows on 18 velocities of rank 17; crank acceleration of the notes, -19.64949 rad/s^2."""
    bodies, joints = four_bar()
    gravity = Gravity(bodies, (0.0, -9.81, 0.0))
    system = System(bodies, [gravity, *joints])
    state = system.rest()
    jacobian = system.constraint(state).jacobian
    assert jacobian.shape == (20, 18)
    assert np.linalg.matrix_rank(jacobian, tol=1e-10) == 17
    a, _ = accelerations(system, state)
    np.testing.assert_allclose(a[3:6], [0.0, 0.0, -19.64949], atol=5e-6)
    twin = Revolute(None, bodies[0], point_b=joints[0].point_b, name="twin", axis=joints[0].axis)
    doubled = System(bodies, [gravity, *joints, twin])
    np.testing.assert_allclose(accelerations(doubled, state)[0], a, atol=1e-11)


def test_joints_do_no_work():
    """Chain of a hinge and a universal joint that swings: energy stays, the hinge axis too."""
    hinge = Revolute(None, A, point_b=(0.0, 0.3, 0.1), axis=SKEW)
    universal = Universal(
        A, B, point_b=tuple(POINT), name="universal", axis_a=tuple(U), axis_b=tuple(W)
    )
    gravity = Gravity([A, B])
    system = System([A, B], [gravity, hinge, universal])

    def energy(y):
        q, v = y[:14], y[14:]
        return gravity.energy(0.0, q, v) + 0.5 * v @ system.mass_matrix(q) @ v

    def rate(t, y):
        state = State(t, y[:14], y[14:])
        return np.concatenate([system.rate(state.q, state.v), accelerations(system, state)[0]])

    y0 = np.concatenate([system.rest().q, np.zeros(12)])
    y = solve_ivp(rate, (0.0, 0.5), y0, method="DOP853", rtol=1e-8, atol=1e-10).y[:, -1]
    kinetic = 0.5 * y[14:] @ system.mass_matrix(y[:14]) @ y[14:]
    assert kinetic > 1.0  # J: it moves
    assert energy(y) == pytest.approx(energy(y0), abs=1e-7 * kinetic)
    np.testing.assert_allclose(A.rotation(y[:7]) @ N, N, atol=1e-8)
    angle = hinge.angle.value(y[:7])
    np.testing.assert_allclose(A.rotation(y[:7]), turn(N, angle), atol=1e-8)
    np.testing.assert_allclose(system.constraint(State(0.0, y[:14], y[14:])).value, 0.0, atol=1e-7)


@pytest.mark.parametrize("angle", [0.5, 2.0, 3.1])
def test_weld_has_no_second_position(angle):
    """The rotation rows of a weld grow with the angle up to half a turn."""
    weld = RigidJoint(None, B)
    q = B.move(B.reference(), np.r_[np.zeros(3), angle * N])
    assert np.linalg.norm(weld.at(0.0, q, np.zeros(6)).value) == pytest.approx(angle)


def test_no_angle_between_opposite_axes():
    hinge = Revolute(None, B)
    q = B.move(B.reference(), np.array([0.0, 0.0, 0.0, np.pi, 0.0, 0.0]))
    q[3] = 0.0  # exactly half a turn about x
    with pytest.raises(SolverError, match="opposite directions"):
        hinge.angle.value(q)


ROUND = (0.2, 0.2, 0.3)
SPUN = RigidBody("rotor", 1.0, ("ux", "uy", "uz", "rx", "ry"), ROUND, spin=3.0)
FREE_SPIN = RigidBody("rotor", 1.0, ("ux", "uy", "uz", "rx", "ry", "spin"), ROUND)


@pytest.mark.parametrize("rotor", [SPUN, FREE_SPIN], ids=["prescribed spin", "free spin"])
def test_gyroscopic_moment_of_a_rotor_in_a_turning_hinge(rotor):
    """Rotor on its axis, held in a frame that turns about x: the hinge carries J_p Omega omega.

    The moment on the rotor is dL/dt = omega e_x x J_p Omega e_z.
    """
    turning = RigidBody("gimbal", 2.0, DOFS, TENSOR)
    base = Revolute(None, turning, axis="x", name="base")
    hinge = Revolute(turning, rotor, point_b=(0.0, 0.0, 0.0))
    system = System([turning, rotor], [base, hinge])
    omega, spin = 2.0, 3.0
    v = np.zeros(system.size)
    v[3], v[9] = omega, omega
    if rotor is FREE_SPIN:
        v[-1] = spin
    state = State(0.0, system.rest().q, v)
    np.testing.assert_allclose(system.constraint(state).rate, 0.0, atol=1e-14)
    _, lam = accelerations(system, state)
    load = hinge.reaction(state.q, lam[5:])
    np.testing.assert_allclose(load.moment, [0.0, -omega * ROUND[2] * spin, 0.0], atol=1e-12)
    np.testing.assert_allclose(load.force, 0.0, atol=1e-12)


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda: Spherical(A, B, point_a=(0.0, 0.0, 0.0)), r"invalid points, 2\.79\d* m apart"),
        (lambda: Revolute(None, B, point_a=(1.5, 2.0, -0.6)), r"invalid points, 0\.1 m apart"),
        (lambda: Prismatic(None, B, point_a=(1.5, 2.2, -9.0)), r"invalid points, 0\.2 m apart"),
        (lambda: RigidJoint(B, B), "invalid ends, both on 'b'"),
        (lambda: Revolute(None, None), "invalid ends, both on the ground"),
        (lambda: Revolute(None, B, axis="n"), "invalid axis = n"),
        (lambda: Revolute(None, B, axis=(0.0, 0.0, 0.0)), "expected a direction that is not zero"),
        (lambda: Universal(None, B, axis_a="z", axis_b=(0.0, 1.0, 1.0)), "enclose 45 degrees"),
        (lambda: Distance(A, B), "its points coincide"),
        (lambda: Revolute(None, SPUN, axis="x"), "prescribed spin"),
        (lambda: Revolute(None, SPUN).angle, "prescribed spin"),
        (lambda: Cylindrical(SPUN, B, point_a=(0.1, 0.0, 0.0), point_b=(-1.4, -2.0, 0.7)), "spin"),
        (lambda: RigidJoint(None, FREE_SPIN), "dof 'spin'"),
        (lambda: Spherical(None, FREE_SPIN, point_b=(0.0, 0.1, 0.0)), "dof 'spin'"),
        (
            lambda: Distance(None, SPUN, point_b=(0.1, 0.0, 0.2), point_a=(0.4, 0.3, 0.0)),
            "prescribed spin",
        ),
        (lambda: Spherical(None, B, point_b=(0.0, np.nan, 0.0)), "point = nan m"),
        (lambda: JOINTS["rigid"].reaction(np.zeros(14), np.zeros(6), "c"), "one of space, a, b"),
    ],
)  # fmt: skip
def test_bad_input(build, words):
    with pytest.raises(InputError, match=words):
        build()


@pytest.mark.parametrize("kind", [RigidJoint, Revolute, Prismatic, Spherical, Universal, Distance])
def test_points_by_position_are_refused(kind):
    """(point_b, point_a) would be read as (point_a, point_b): the call must say which is which."""
    keyword = rf"{kind.__name__}\(a, b, point_b=\.\.\.\) on b, or point_a="
    for points in (((0.0, 0.0, 1.0),), ((0.0, 0.0, 1.0), (0.0, 0.0, 0.5)), ("hinge",)):
        with pytest.raises(InputError, match=rf"^{kind.__name__}:.* by position: .*{keyword}"):
            kind(A, B, *points)
