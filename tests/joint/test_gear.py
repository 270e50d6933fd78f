"""Ideal gear mesh: forces, power, action and reaction, derivatives, the involute flanks."""

from __future__ import annotations

from itertools import pairwise
from math import atan, cos, pi, sin, tan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from fecontact.body import DOFS, ElasticBody, RigidBody, TurningFrame
from fecontact.errors import InputError, SolverError
from fecontact.fem import ElasticSolid, Material
from fecontact.joint.coordinate import Angle
from fecontact.joint.gear.geometry import GearPair
from fecontact.joint.gear.ratio import GearRatio
from fecontact.joint.gear.rigid import GearMesh
from fecontact.joint.marker import MarkerPair, axis_vector
from fecontact.joint.motion_law import SmoothStep
from fecontact.mesh import block
from fecontact.reduction import reduce_model
from fecontact.system import State, System

seeds = st.integers(0, 2**32 - 1)
flanks = st.sampled_from(["front", "rear"])
GEARS = GearPair((25, 50), 0.05, 0.16, 0.4)
PLACE = np.array([0.1, -0.2, 0.3])
SHAFT = ("ux", "uy", "uz", "rz")
ROTOR = ("ux", "uy", "uz", "rx", "ry", "spin")
KINDS = {
    "rotor+shaft": (ROTOR, SHAFT, 0.0, 0.0, "z"),
    "6+rotor, turned axis": (DOFS, ROTOR, 0.0, 0.0, (0.0, 0.0, -1.0)),
    "tilting spin+rotor": (ROTOR[:5], ROTOR, 30.0, 0.0, "z"),
    "6+6": (DOFS, DOFS, 0.0, 0.0, (0.3, -0.5, 0.8)),
    "6+shaft": (DOFS, SHAFT, 0.0, 0.0, "z"),
    "shaft+6": (SHAFT, DOFS, 0.0, 0.0, "z"),
    "shaft+shaft": (SHAFT, SHAFT, 0.0, 0.0, "z"),
    "shaft+rz": (SHAFT, ("rz",), 0.0, 0.0, (0.0, 0.0, -1.0)),
    "spin+shaft": (SHAFT[:3], SHAFT, 40.0, 0.0, "z"),
    "shaft+spin": (SHAFT, SHAFT[:2], 0.0, -30.0, "z"),
    "spin+6, turned axis": (SHAFT[:3], DOFS, 40.0, 0.0, (0.0, 0.0, -1.0)),
    "6+ground": (DOFS, None, 0.0, 0.0, "y"),
}


def mesh_of(kind, flank="front", gears=GEARS):
    """Mesh with the centres across the axis in a direction that is no axis of space."""
    free_a, free_b, spin_a, spin_b, axis = KINDS[kind]
    e = axis_vector("axis", axis)
    across = np.cross(e, [0.3, 0.7, -0.2])
    place_b = PLACE + gears.distance * across / np.linalg.norm(across) + 0.02 * e
    a = RigidBody("a", 2.0, free_a, inertia=(0.1, 0.1, 0.1), position=tuple(PLACE), spin=spin_a)
    if free_b is None:
        return GearMesh(a, None, gears, flank, axis, point_b=tuple(place_b))
    b = RigidBody("b", 2.0, free_b, inertia=(0.1, 0.1, 0.1), position=tuple(place_b), spin=spin_b)
    return GearMesh(a, b, gears, flank, axis)


def random_state(bodies, axis, seed):
    """Any angle of the gears, small tilts and displacements, and one common rigid motion."""
    rng = np.random.default_rng(seed)
    e = axis_vector("axis", axis)
    free = all(body.dofs == DOFS for body in bodies) and len(bodies) == 2
    common = Rotation.random(random_state=rng.integers(2**31)) if free else Rotation.identity()
    q = []
    for body in bodies:
        step = rng.uniform(-2e-3, 2e-3, len(body.dofs))
        twist = rng.uniform(-3.0, 3.0)
        if body.dofs == DOFS:
            tilt = Rotation.from_rotvec(rng.uniform(-0.03, 0.03, 3))
            turn = common * tilt * Rotation.from_rotvec(twist * e)
            centre = common.apply(np.array(body.position) + step[:3])
            q += [centre - body.position, turn.as_quat(scalar_first=True)]
        else:
            if body.dofs[-1] in ("rz", "spin"):
                step[-1] = twist
            q += [body.move(body.reference(), step)]
    n = sum(len(body.dofs) for body in bodies)
    return np.concatenate(q), rng.uniform(-1.0, 1.0, n)


def assert_blocks(found, expected, columns, noise):
    assert found.shape == expected.shape
    for part in columns:
        error = np.linalg.norm(found[..., part] - expected[..., part])
        assert error <= 1e-7 * np.linalg.norm(expected[..., part]) + noise


@settings(max_examples=2)
@pytest.mark.parametrize("kind", KINDS)
@given(seed=seeds, flank=flanks)
def test_derivatives(moved, difference, kind, seed, flank):
    """Jacobian, d_rate, d_load and bias against differences."""
    mesh = mesh_of(kind, flank)
    q, v = random_state(mesh.bodies, mesh.axis, seed)
    steps = np.concatenate(
        [[2e-3 if f[0] in "rs" else 3e-4 for f in body.dofs] for body in mesh.bodies]
    )
    ends = np.cumsum([0, *(len(body.dofs) for body in mesh.bodies)])
    columns = [slice(i, j) for i, j in pairwise(ends)]
    row, zero, load = mesh.at(0.0, q, v), np.zeros(len(v)), np.array([2.0])

    def along(f):
        return difference(lambda s: f(moved(mesh.bodies, q, s)), zero, steps)

    noise = 1e-15 / steps.min()
    by_v = difference(lambda w: mesh.at(0.0, q, w).rate, v, np.ones(len(v)))
    assert_blocks(row.jacobian, by_v, columns, 1e-13)
    assert_blocks(row.jacobian, along(lambda p: mesh.at(0.0, p, v).value), columns, noise)
    assert_blocks(row.d_rate(), along(lambda p: mesh.at(0.0, p, v).rate), columns, 50 * noise)
    by_q = along(lambda p: mesh.at(0.0, p, v).jacobian.T @ load)
    assert_blocks(row.d_load(load), by_q, columns, 5 * noise)
    drift = difference(
        lambda h: mesh.at(0.0, moved(mesh.bodies, q, h[0] * v), v).rate, np.zeros(1), [3e-4]
    )
    assert mesh.bias(0.0, q, v) == pytest.approx(drift[:, 0], abs=1e-7 * np.linalg.norm(drift))


@settings(max_examples=20)
@given(seed=seeds, flank=flanks)
def test_row_is_the_flank_velocity_at_the_pitch_point(seed, flank):
    """For parallel axes c' = n . (v_b - v_a) of the material points, with n put up by hand."""
    mesh = mesh_of("6+6", flank)
    bodies = mesh.bodies
    rng = np.random.default_rng(seed)
    S = Rotation.random(random_state=rng.integers(2**31))
    axis = np.array(mesh.axis) / np.linalg.norm(mesh.axis)
    q, centres, turns = [], [], []
    for body in bodies:
        centre = S.apply(np.array(body.position) + rng.uniform(-2e-3, 2e-3, 3))
        turn = S * Rotation.from_rotvec(rng.uniform(-3.0, 3.0) * axis)
        q += [centre - body.position, turn.as_quat(scalar_first=True)]
        centres, turns = [*centres, centre], [*turns, turn]
    q, v = np.concatenate(q), rng.uniform(-1.0, 1.0, 12)
    e = S.apply(axis)
    d = centres[1] - centres[0]
    height = d @ e
    d = d - height * e
    a = np.linalg.norm(d)
    alpha, side = np.arccos(0.15 / a), {"front": 1.0, "rear": -1.0}[flank]
    c, t = d / a, np.cross(e, d / a)
    n = cos(0.4) * (sin(alpha) * c + side * cos(alpha) * t) + side * sin(0.4) * e
    pitch_point = centres[0] + d / 3 + height * e
    parts = zip(bodies, (q[:7], q[7:]), (v[:6], v[6:]), centres, turns, strict=True)
    speed = [
        body.point_motion(own_q, own_v, turn.inv().apply(pitch_point - centre)[None]).velocity[0]
        for body, own_q, own_v, centre, turn in parts
    ]
    row = mesh.at(0.0, q, v)
    assert row.rate[0] == pytest.approx(n @ (speed[1] - speed[0]), abs=1e-13)
    on_b = row.jacobian[0, 6:]
    np.testing.assert_allclose(on_b[:3], n, atol=1e-14)
    moment = np.cross(pitch_point - centres[1], n)
    np.testing.assert_allclose(turns[1].apply(on_b[3:]), moment, atol=1e-14)


@settings(max_examples=20)
@given(seed=seeds, flank=flanks)
def test_action_is_reaction(seed, flank):
    mesh = mesh_of("6+6", flank)
    q, v = random_state(mesh.bodies, mesh.axis, seed)
    f = mesh.at(0.0, q, v).jacobian[0]
    force, moment = np.zeros(3), np.zeros(3)
    for i, body in enumerate(mesh.bodies):
        own_q, own = q[7 * i : 7 * i + 7], f[6 * i : 6 * i + 6]
        force += own[:3]
        moment += np.cross(body.position + own_q[:3], own[:3]) + body.rotation(own_q) @ own[3:]
    assert np.abs(force).max() < 1e-14
    assert np.abs(moment).max() < 1e-14
    assert np.linalg.norm(f[:3]) == pytest.approx(1.0, abs=0.05)


@given(
    seed=seeds,
    flank=flanks,
    torque=st.floats(1e-6, 50.0) | st.floats(-50.0, -1e-6),
    speed=st.floats(-300.0, 300.0),
)
def test_power_in_is_power_out(seed, flank, torque, speed):
    """Shafts that also move across: the mesh takes no power, whatever flank, load and direction."""
    mesh = mesh_of("shaft+shaft", flank)
    q, v = random_state(mesh.bodies, mesh.axis, seed)
    A = mesh.at(0.0, q, v).jacobian
    v[3] = speed
    v[7] -= (A @ v)[0] / A[0, 7]
    lam = torque / A[0, 3]
    assert abs(mesh.at(0.0, q, v).rate[0]) < 1e-12 * (1.0 + abs(speed))
    power = A[0] * lam * v
    assert abs(power.sum()) <= 1e-13 * np.abs(power).sum()


@pytest.mark.parametrize("hand", ["left", "right"])
@pytest.mark.parametrize("flank", ["front", "rear"])
@pytest.mark.parametrize("torque", [80.0, -80.0])
def test_forces_of_the_textbook(hand, flank, torque):
    """Torque on gear 1 about +z, gear 2 at +x; F_t = M/r_w, F_r = F_t tan(alpha_n)/cos(beta),
    F_a = F_t tan(beta); tilting moment F_a r_w. The axial force on the driving left-handed gear
    follows the left hand, on the right-handed one the right hand.
    """
    beta, alpha_n = 0.3, pi / 9
    gears = GearPair.from_module(3e-3, (20, 40), helix_angle=beta, hand=hand)
    a = RigidBody("a", 1.0, DOFS, inertia=(1.0, 1.0, 1.0))
    b = RigidBody("b", 1.0, DOFS, inertia=(1.0, 1.0, 1.0), position=(gears.distance, 0, 0))
    mesh = GearMesh(a, b, gears, flank)
    q = np.concatenate([a.reference(), b.reference()])
    A = mesh.at(0.0, q, np.zeros(12)).jacobian[0]
    lam = -torque / A[5]
    active = mesh.active_flank(lam)
    assert active == ("front" if torque > 0 else "rear")
    mesh = mesh.with_flank(active)
    A = mesh.at(0.0, q, np.zeros(12)).jacobian[0]
    lam = -torque / A[5]
    assert lam > 0.0
    assert mesh.active_flank(lam) == active

    r1, r2 = gears.pitch_radii()
    F_t = abs(torque) / r1
    F_r, F_a = F_t * tan(alpha_n) / cos(beta), F_t * tan(beta)
    side, turn = np.sign(torque), {"left": 1.0, "right": -1.0}[hand]
    on_b = np.array([F_r, side * F_t, side * turn * F_a])
    np.testing.assert_allclose(lam * A[6:9], on_b, rtol=1e-12)
    np.testing.assert_allclose(lam * A[:3], -on_b, rtol=1e-12)
    np.testing.assert_allclose(lam * A[3:6], np.cross([r1, 0, 0], -on_b), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(lam * A[9:], np.cross([-r2, 0, 0], on_b), rtol=1e-12, atol=1e-12)
    assert lam * A[5] == pytest.approx(-torque)
    assert lam * A[11] == pytest.approx(-2.0 * torque)
    np.testing.assert_allclose(gears.components(lam), [F_t, F_r, F_a], rtol=1e-12)


@settings(max_examples=30)
@given(seed=seeds, flank=flanks)
def test_gap_of_the_involute_flanks(seed, flank):
    """Distance of the flank surfaces (Jehle 3.53) along their common normal (3.57, 3.61, 3.64)."""
    rng = np.random.default_rng(seed)
    mesh = GearMesh(
        RigidBody("a", 1.0, SHAFT, inertia=(1.0, 1.0, 1.0)),
        RigidBody("b", 1.0, SHAFT, inertia=(1.0, 1.0, 1.0), position=(0.16, 0.0, 0.0)),
        GEARS, flank,
    )  # fmt: skip
    side = {"front": 1.0, "rear": -1.0}[flank]

    def flank_gap(q):
        """Mirror the rear flank at the plane y = 0: it is a front flank that turns backwards."""
        u1, u2 = q[:3] * [1, side, 1], q[4:7] * [1, side, 1]
        phi1, phi2 = side * q[3], -side * q[7]
        r_b1, r_b2, slope = 0.05, 0.1, side * tan(0.4)
        d = u2 - u1 + [0.16, 0.0, 0.0]
        A, B = d[0] / 0.15, -d[1] / 0.15
        alpha = np.arctan2(B, A) + np.arccos(1.0 / np.hypot(A, B))
        z = 0.013

        def point(r_b, gamma, angle):
            along = angle * np.array([np.sin(gamma), np.cos(gamma)])
            return r_b * (np.array([np.cos(gamma), -np.sin(gamma)]) + along)

        q1 = alpha - (z - u1[2]) / r_b1 * slope + phi1
        q2 = alpha + pi + (z - u2[2]) / r_b2 * slope - phi2
        one = u1[:2] + point(r_b1, alpha, q1)
        two = u1[:2] + d[:2] + point(r_b2, alpha + pi, q2)
        return (two - one) @ [np.sin(alpha), np.cos(alpha)] * cos(0.4)

    scale = np.array([2e-3, 2e-3, 2e-3, 0.5] * 2)
    one, two = scale * rng.uniform(-1.0, 1.0, (2, 8))
    found = [mesh.at(0.0, q, np.zeros(8)).value[0] for q in (one, two)]
    assert found[1] - found[0] == pytest.approx(flank_gap(two) - flank_gap(one), abs=1e-14)


def test_axial_inertia_of_a_helical_shaft():
    """With only axial motion and gear 2 held: m_1 + J_1 (tan(beta_b)/r_b1)^2 (Jehle 4.3)."""
    gears = GearPair((30, 30), 0.02, 0.05, atan(0.8))
    a = RigidBody("a", 1.0, ("uz", "rz"), inertia=(5e-4, 5e-4, 5e-4))
    b = RigidBody("b", 1.0, ("ux",), position=(0.05, 0.0, 0.0), spin=200.0)
    system = System([a, b], [GearMesh(a, b, gears)])
    state = State(0.0, np.zeros(3), np.array([0.0, -200.0, 0.0]))
    rows = system.constraint(state)
    assert rows.rate == pytest.approx([0.0], abs=1e-12)
    axial, turn = rows.jacobian[0, :2]
    free = np.array([1.0, -axial / turn])
    M = system.mass_matrix(state.q)[:2, :2]
    assert free @ M @ free == pytest.approx(1.0 + 5e-4 * (0.8 / 0.02) ** 2, rel=1e-13)
    assert system.rows == ("gear mesh.front",)
    assert not system.position_rows.any()


def test_a_planet_rolls_around_a_fixed_gear():
    """Angular velocity of the planet = that of the arm times (1 + z_sun/z_planet)."""
    gears = GearPair((40, 20), 0.05, 0.08)
    planet = RigidBody("planet", 1.0, ("ux", "uy", "rz"), inertia=(1, 1, 1), position=(0.08, 0, 0))
    mesh = GearMesh(None, planet, gears)
    for angle in (0.0, 1.0, 2.5, 4.0):
        q = np.array([0.08 * cos(angle) - 0.08, 0.08 * sin(angle), 0.3])
        v = np.array([-0.08 * sin(angle), 0.08 * cos(angle), 3.0])
        assert abs(mesh.at(0.0, q, v).rate[0]) < 1e-15
        assert abs(mesh.at(0.0, q, v * [1, 1, 2]).rate[0]) > 0.01


@pytest.mark.parametrize("first", [True, False])
def test_derivatives_on_an_elastic_body(moved, difference, first):
    """Gear on a corner of an elastic block, free to move."""
    mesh = block(0.4, 0.45, 0.3, cells=(1, 1, 1))
    solid = ElasticSolid(mesh, Material(1e7, 0.3, 40.0), "hex1")
    model = reduce_model(solid, method="free", modes=4)
    gears = GearPair((25, 50), 0.5, 1.6, 0.4)
    soft = ElasticBody("soft", model, (-0.4, -0.45, -0.3))
    stiff = RigidBody("stiff", 1.0, ROTOR, inertia=(1.0, 1.0, 1.0), position=(1.6, 0.0, 0.0))
    corner = (0.4, 0.45, 0.3)
    if first:
        gear = GearMesh(soft, stiff, gears, "rear", point_a=corner)
    else:
        gear = GearMesh(stiff, soft, gears, point_b=corner)
    rng = np.random.default_rng(5)
    n = sum(len(body.dofs) for body in gear.bodies)
    q = np.concatenate([body.reference() for body in gear.bodies])
    q = moved(gear.bodies, q, 0.01 * rng.uniform(-1.0, 1.0, n))
    v, load, zero, steps = rng.uniform(-1.0, 1.0, n), np.array([2.0]), np.zeros(n), np.full(n, 3e-3)
    row = gear.at(0.0, q, v)
    for found, f in (
        (row.jacobian, lambda s: gear.at(0.0, moved(gear.bodies, q, s), v).value),
        (row.d_rate(), lambda s: gear.at(0.0, moved(gear.bodies, q, s), v).rate),
        (row.d_load(load), lambda s: gear.at(0.0, moved(gear.bodies, q, s), v).jacobian.T @ load),
    ):
        expected = difference(f, zero, steps)
        assert np.linalg.norm(found - expected) <= 1e-7 * np.linalg.norm(expected)


def test_bad_input():
    shaft = RigidBody("shaft", 1.0, ("rz",), inertia=(1.0, 1.0, 1.0))
    other = RigidBody("other", 1.0, ("rz",), inertia=(1.0, 1.0, 1.0), position=(0.17, 0.0, 0.0))
    across = RigidBody("across", 1.0, ("rx",), inertia=(1.0, 1.0, 1.0), position=(0.16, 0, 0))
    rotor = RigidBody("rotor", 1.0, ("uz",), position=(0.15, 0.0, 0.0), spin=10.0)
    lying = RigidBody("lying", 1.0, ("uz",), position=(0.0, 0.16, 0.0), spin=10.0)
    for build, message in (
        (lambda: GearMesh(shaft, rotor, GEARS, point_b=(0.01, 0.0, 0.0)), "one on the axis of"),
        (lambda: GearMesh(None, lying, GEARS, axis="x"), r"about which 'lying' turns"),
        (lambda: GearMesh(shaft, other, GEARS), r"0.17 m apart.*distance = 0.16 m"),
        (
            lambda: GearMesh(shaft, across, GEARS),
            r"invalid axis \[1.0, 0.0, 0.0\] about which 'across' turns",
        ),
        (lambda: GearMesh(shaft, shaft, GEARS), "invalid ends, both on 'shaft'"),
        (lambda: GearMesh(shaft, other, GEARS, "left"), "invalid flank = left"),
        (
            lambda: GearMesh(shaft, other, GEARS, axis=(0, 0, 0)),
            "expected a direction that is not zero",
        ),
    ):
        with pytest.raises(InputError, match=message):
            build()


def test_frames_of_prescribed_motion_are_refused():
    """Their acceleration is no dof, so the rows of a gear could not contain it."""
    solid = ElasticSolid(block(0.1, 0.1, 0.1, cells=(1, 1, 1)), Material(1e7, 0.3, 40.0), "hex1")
    law = SmoothStep(1.0, high=10.0)
    turning = ElasticBody(
        "turning", reduce_model(solid, modes=1), frame=TurningFrame((0, 0, 1), law)
    )
    shaft = RigidBody("shaft", 1.0, ("rz",), inertia=(1.0, 1.0, 1.0), position=(0.16, 0.0, 0.0))
    inside = [RigidBody(name, 1.0, ("rz",), inertia=(1.0, 1.0, 1.0)) for name in "ab"]
    for build in (
        lambda: GearMesh(turning, shaft, GEARS),
        lambda: GearRatio(turning, shaft, (20, 40)),
        lambda: GearRatio(*inside, (20, 40), housing=turning),
        lambda: Angle(MarkerPair("angle", turning, shaft, point_a=(0.0, 0.0, 0.0))),
    ):
        with pytest.raises(InputError, match="'turning' in a frame of prescribed motion"):
            build()


def test_base_circles_that_meet_are_an_error():
    a = RigidBody("a", 1.0, ("ux",))
    b = RigidBody("b", 1.0, ("rz",), inertia=(1.0, 1.0, 1.0), position=(0.16, 0.0, 0.0))
    mesh = GearMesh(a, b, GEARS)
    with pytest.raises(SolverError, match=r"centre distance fell to 0\.149 m"):
        mesh.at(0.0, np.array([0.011, 0.0]), np.zeros(2))
