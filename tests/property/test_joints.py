"""Force elements on random states: tangents, action and reaction, energy, frame indifference."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from fecontact.body import DOFS, ElasticBody, RigidBody
from fecontact.fem import ElasticSolid, Material
from fecontact.joint import (
    Bearing,
    Bushing,
    Drive,
    Force,
    Function,
    Gravity,
    SoftStop,
    SpringDamper,
    Torque,
    TorsionSpring,
    ramp,
)
from fecontact.mesh import block
from fecontact.reduction import reduce_model

seeds = st.integers(0, 2**32 - 1)
TENSOR = np.array([[0.3, 0.02, -0.01], [0.02, 0.25, 0.03], [-0.01, 0.03, 0.2]])
POINTS = ((0.3, -0.2, 0.1), (-0.1, 0.25, 0.4))
HARDENING = Function(lambda x: 40.0 * x + 30.0 * x**3, lambda x: 40.0 + 90.0 * x**2)
FRAME = Rotation.from_rotvec([0.3, -0.8, 0.5]).as_matrix()


def symmetric(seed):
    rng = np.random.default_rng(seed)
    root = rng.standard_normal((6, 6))
    return 10.0 * root @ root.T


TWO_BODY = {
    "spring": lambda a, b: SpringDamper(a, b, 50.0, 2.0, *POINTS, free_length=1.2, preload=3.0),
    "hardening": lambda a, b: SpringDamper(a, b, HARDENING, 2.0, *POINTS),
    "torsion": lambda a, b: TorsionSpring(
        a, b, 30.0, 0.7, (1.0, 2.0, -1.0), preload=1.5, point=POINTS[1]
    ),
    "hardening torsion": lambda a, b: TorsionSpring(a, b, HARDENING, 0.7, "z", point=POINTS[1]),
    "bushing": lambda a, b: Bushing(a, b, symmetric(1), symmetric(2), POINTS[1], FRAME),
    "bearing": lambda a, b: Bearing(
        b, 30.0, 20.0, 2.0, 1.0, (0.1, -0.2, 0.05), POINTS[1], "bearing", a, (0.2, 0.3, 0.9),
        tilt_stiffness=8.0, tilt_damping=0.6, cross_stiffness=-9.0, cross_damping=0.8,
    ),
    "stop": lambda a, b: SoftStop(a, b, 50.0, -6.0, 0.5, (1.0, -1.0, 2.0), POINTS[1]),
    "drive": lambda a, b: Drive(
        a, b, Function(lambda w: 3.0 * np.tanh(1.0 - 0.3 * w),
                       lambda w: -0.9 / np.cosh(1.0 - 0.3 * w) ** 2),
        (0.4, 0.1, 0.9), factor=ramp(2.0), point=POINTS[1],
    ),
}  # fmt: skip
STORING = [name for name in TWO_BODY if name != "drive"]
LOADS = {
    "force": lambda b: Force(b, (1.0, -2.0, 3.0), POINTS[0], factor=ramp(2.0)),
    "follower": lambda b: Force(b, (1.0, -2.0, 3.0), POINTS[0], follower=True),
    "torque": lambda b: Torque(b, (0.5, -1.0, 2.0), point=POINTS[0]),
    "follower torque": lambda b: Torque(
        b, (0.5, -1.0, 2.0), follower=True, factor=ramp(4.0), point=POINTS[0]
    ),
    "gravity": lambda b: Gravity([b]),
}
PAIRS = {
    "6+6": (DOFS, DOFS),
    "ground+6": (None, DOFS),
    "6+ground": (DOFS, None),
    "axis+axis": (("uz", "rz"), ("rz",)),
    "axis+other axis": (("ux", "ry"), ("ux", "uy", "rz")),
    "ground+axis": (None, ("rx",)),
    "6+axis": (DOFS, ("uy", "rx")),
    "rotations+translations": (("rx", "ry", "rz"), ("ux", "uy", "uz")),
    "elastic+6": ("free", DOFS),
    "6+elastic": (DOFS, "free"),
    "elastic+elastic": ("free", "free"),
    "fixed elastic+axis": ("fixed", ("uy", "rx")),
    "ground+elastic": (None, "free"),
}
FREE = ["6+6", "elastic+6", "elastic+elastic"]
T = 1.3


@cache
def elastic_model(clamped):
    """Block with corners at POINTS, free or clamped at the second one."""
    mesh = block(0.4, 0.45, 0.3, cells=(1, 1, 1)).translated((-0.1, -0.2, 0.1))
    supports = {"x_min": "clamped"} if clamped else {}
    solid = ElasticSolid(mesh, Material(1e7, 0.3, 40.0), "hex1", supports=supports)
    return reduce_model(solid, method="free", modes=4)


def body_of(name, kind, position):
    if isinstance(kind, str):
        frame = "free" if kind == "free" else "fixed"
        return ElasticBody(name, elastic_model(kind == "clamped"), position, frame)
    return kind and RigidBody(name, 2.0, kind, inertia=TENSOR, position=position)


def bodies_of(kind, pair):
    """Two bodies and an element; a bearing needs a body inside.

    Elements with one point hold elastic bodies at the same node: these are at the same place.
    """
    place = (1.5, 2.0, -0.7)
    same = "elastic" in pair and kind not in ("spring", "hardening")
    a = body_of("a", PAIRS[pair][0], place if same else (0.1, -0.2, 0.3))
    b = body_of("b", PAIRS[pair][1], place)
    if kind == "bearing" and b is None:
        a, b = b, a
    return TWO_BODY[kind](a, b)


def frame_dofs(body):
    """Number of dofs that are not elastic."""
    if isinstance(body, RigidBody):
        return len(body.dofs)
    return 6 if body.frame == "free" else 0


def random_state(bodies, seed):
    """Rotations such that any two bodies are less than pi apart; deformations of some per cent."""
    rng = np.random.default_rng(seed)
    q, v = [], []
    for body in bodies:
        n, frame = len(body.dofs), frame_dofs(body)
        scale = np.r_[np.ones(frame), np.full(n - frame, 0.03)]
        q.append(body.move(body.reference(), 0.8 * scale * rng.uniform(-1, 1, n)))
        v.append(2.0 * scale * rng.uniform(-1, 1, n))
    return np.concatenate(q), np.concatenate(v)


def assert_tangents(moved, item, q, v, difference):
    n = len(v)
    by_q, by_v = item.tangents(T, q, v)
    force = item.force(T, q, v)
    scale = np.linalg.norm(force)
    np.testing.assert_allclose(item.evaluate(T, q, v)[0], force, rtol=0.0, atol=1e-14 * scale)
    h = 5e-3  # at 1e-2 the difference itself is off by 1e-7 where a spring is short
    steps = np.full(n, h)
    expected_q = difference(
        lambda s: item.force(T, moved(item.bodies, q, s), v), np.zeros(n), steps
    )
    expected_v = difference(lambda a: item.force(T, q, a), v, steps)
    round_off = 1e-13 * scale / h
    ends = np.cumsum([0, *(len(b.dofs) for b in item.bodies)])
    blocks = [slice(i, j) for i, j in pairwise(ends)]
    for found, expected in ((by_q, expected_q), (by_v, expected_v)):
        assert found.shape == (n, n)
        for i in blocks:
            for j in blocks:
                error = np.linalg.norm(found[i, j] - expected[i, j])
                assert error <= 1e-7 * np.linalg.norm(expected[i, j]) + round_off


@settings(max_examples=4)
@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("kind", TWO_BODY)
@given(seed=seeds)
def test_tangents(moved, difference, kind, pair, seed):
    item = bodies_of(kind, pair)
    assert_tangents(moved, item, *random_state(item.bodies, seed), difference)


@settings(max_examples=4)
@pytest.mark.parametrize("body", [DOFS, ("ux", "rz"), ("uz",), "free", "clamped"], ids=str)
@pytest.mark.parametrize("kind", LOADS)
@given(seed=seeds)
def test_tangents_of_loads(moved, difference, kind, body, seed):
    item = LOADS[kind](body_of("b", body, (0.1, 0.2, 0.3)))
    assert_tangents(moved, item, *random_state(item.bodies, seed), difference)


def parts_of(bodies, q, v):
    """Coordinates and velocities (or forces) of each body."""
    ends_q = np.cumsum([len(body.reference()) for body in bodies])[:-1]
    ends = np.cumsum([len(body.dofs) for body in bodies])[:-1]
    return zip(bodies, np.split(q, ends_q), np.split(v, ends), strict=True)


def resultants(bodies, q, f):
    """Sum of forces, and of moments about the origin, of bodies with free frames."""
    force, moment = np.zeros(3), np.zeros(3)
    for body, own_q, own in parts_of(bodies, q, f):
        force += own[:3]
        moment += np.cross(body.position + own_q[:3], own[:3]) + body.rotation(own_q) @ own[3:6]
    return force, moment


@settings(max_examples=10)
@pytest.mark.parametrize("pair", FREE)
@pytest.mark.parametrize("kind", TWO_BODY)
@given(seed=seeds)
def test_action_is_reaction(kind, pair, seed):
    item = bodies_of(kind, pair)
    q, v = random_state(item.bodies, seed)
    f = item.force(T, q, v)
    force, moment = resultants(item.bodies, q, f)
    lever = 5.0
    assert np.abs(force).max() <= 1e-13 * np.linalg.norm(f)
    assert np.abs(moment).max() <= 1e-13 * lever * np.linalg.norm(f)
    assert np.linalg.norm(f[:6]) > 0.0


@settings(max_examples=5)
@pytest.mark.parametrize("pair", ["6+6", "6+axis", "axis+axis", "6+elastic"])
@pytest.mark.parametrize("kind", STORING)
@given(seed=seeds)
def test_power_is_stored_or_dissipated(moved, difference, kind, pair, seed):
    """f . v = -dE/dt - dissipated power, and the latter is not negative."""
    item = bodies_of(kind, pair)
    q, v = random_state(item.bodies, seed)

    def energy(h):
        return np.array([item.energy(T, moved(item.bodies, q, h[0] * v), v)])

    rate = difference(energy, np.zeros(1), np.array([3e-3]))[0, 0]
    dissipated = item.dissipated_power(T, q, v)
    scale = abs(item.energy(T, q, v)) + abs(rate) + dissipated
    assert item.force(T, q, v) @ v == pytest.approx(-rate - dissipated, abs=1e-9 * scale)
    assert item.force(T, q, 0.0 * v) @ v == pytest.approx(-rate, abs=1e-9 * scale)
    assert dissipated >= 0.0


@settings(max_examples=20)
@pytest.mark.parametrize("body", [DOFS, "free", "clamped"], ids=str)
@pytest.mark.parametrize("kind", ["force", "gravity"])
@given(seed=seeds)
def test_power_of_conservative_loads(moved, difference, kind, body, seed):
    item = LOADS[kind](body_of("b", body, (0.1, 0.2, 0.3)))
    q, v = random_state(item.bodies, seed)

    def energy(h):
        return np.array([item.energy(T, moved(item.bodies, q, h[0] * v), v)])

    rate = difference(energy, np.zeros(1), np.array([3e-3]))[0, 0]
    assert item.force(T, q, v) @ v == pytest.approx(-rate, abs=1e-9)


@given(seed=seeds, speed=st.floats(-50.0, 50.0))
def test_open_and_clamped_stop_dissipates(seed, speed):
    body = RigidBody("b", 2.0, ("uz",))
    stop = SoftStop(None, body, 50.0, 0.1, damping=5.0)
    q, v = np.random.default_rng(seed).uniform(-0.5, 0.5, 1), np.array([speed])
    assert stop.dissipated_power(0.0, q, v) >= 0.0
    assert stop.force(0.0, q, v)[0] <= 0.0
    if q[0] < 0.1:
        assert stop.force(0.0, q, v)[0] == 0.0


@settings(max_examples=10)
@pytest.mark.parametrize("pair", FREE)
@pytest.mark.parametrize("kind", TWO_BODY)
@given(seed=seeds)
def test_common_rigid_motion_changes_nothing(kind, pair, seed):
    """Turn, shift and move both bodies as one: forces turn along, the rest stays."""
    item = bodies_of(kind, pair)
    q, v = random_state(item.bodies, seed)
    rng = np.random.default_rng(seed + 1)
    S = Rotation.random(random_state=rng.integers(2**31)).as_matrix()
    shift, drift, spin = rng.uniform(-2.0, 2.0, (3, 3))
    turned_q, turned_v, expected = [], [], []
    forces = parts_of(item.bodies, q, item.force(T, q, v))
    for (body, own_q, own_v), (_, _, own) in zip(parts_of(item.bodies, q, v), forces, strict=True):
        centre = S @ (body.position + own_q[:3]) + shift
        R = S @ body.rotation(own_q)
        p = Rotation.from_matrix(R).as_quat(scalar_first=True)
        turned_q += [centre - body.position, p, own_q[7:]]
        velocity = S @ own_v[:3] + drift + np.cross(spin, centre)
        turned_v += [velocity, own_v[3:6] + R.T @ spin, own_v[6:]]
        expected += [S @ own[:3], own[3:]]
    expected = np.concatenate(expected)
    found = item.force(T, np.concatenate(turned_q), np.concatenate(turned_v))
    np.testing.assert_allclose(found, expected, atol=1e-11 * np.linalg.norm(expected))
