"""Elastic gear mesh with backlash: tangents, energy, both flanks, many revolutions."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import cos, pi, remainder

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from fecontact.body import DOFS, RigidBody
from fecontact.errors import InputError, SolverError
from fecontact.joint.gear.elastic import ElasticGearMesh
from fecontact.joint.gear.geometry import GearPair
from fecontact.joint.gear.rigid import GearMesh
from fecontact.reference.multibody.gear import mesh_frequency

seeds = st.integers(0, 2**32 - 1)
flanks = st.sampled_from(["front", "rear"])
GEARS = GearPair((25, 50), 0.05, 0.16, 0.4, face_width=0.02, backlash=1e-4)
WIDE = replace(GEARS, backlash=2.5e-3)
"""Enough backlash for random displacements: the teeth do not jam."""
SHAFT = ("ux", "uy", "uz", "rz")
ROTOR = ("ux", "uy", "uz", "rx", "ry", "spin")
KINDS = {
    "6+6": (DOFS, DOFS, 0.0),
    "6+shaft": (DOFS, SHAFT, 0.0),
    "rotor+rotor": (ROTOR, ROTOR, 0.0),
    "shaft+rz": (SHAFT, ("rz",), 0.0),
    "spin+shaft": (SHAFT[:3], SHAFT, 40.0),
}
STIFF, DAMPED, T = 1e8, 2e4, 0.7


def mesh_of(kind, gears=GEARS, **options):
    free_a, free_b, spin = KINDS[kind]
    a = RigidBody("a", 2.0, free_a, inertia=(0.01, 0.01, 0.01), spin=spin)
    b = RigidBody("b", 2.0, free_b, inertia=(0.1, 0.1, 0.1), position=(0.16, 0.0, 0.0))
    return ElasticGearMesh(a, b, gears, STIFF, **{"damping": DAMPED, **options})


def pressed(moved, mesh, seed, flank, depth):
    """Random state with small displacements and tilts, any angles, and the given overlap."""
    rng = np.random.default_rng(seed)
    q = np.concatenate([body.reference() for body in mesh.bodies])
    step = np.concatenate(
        [
            [rng.uniform(-3.0, 3.0) if f in ("rz", "spin") else 0.0 for f in b.dofs]
            for b in mesh.bodies
        ]
    )
    q = moved(mesh.bodies, q, step)
    q = moved(mesh.bodies, q, rng.uniform(-1e-3, 1e-3, len(step)))
    side, pitch = {"front": 1.0, "rear": -1.0}[flank], mesh.gears.normal_base_pitch
    for _ in range(4):
        s = mesh._gaps.at(T, q, np.zeros(len(step))).shifted(mesh._origin)
        G = s.jacobian[1]
        missing = side * (-depth - s.value[0]) - remainder(s.value[1], pitch)
        q = moved(mesh.bodies, q, G * missing / (G @ G))
    v = rng.uniform(-0.05, 0.05, len(step))
    v[-1] -= 0.5 * mesh.bodies[0].spin
    return q, v


@settings(max_examples=2)
@pytest.mark.parametrize("kind", KINDS)
@given(seed=seeds, flank=flanks)
def test_tangents(moved, difference, kind, seed, flank):
    mesh = mesh_of(kind, WIDE)
    q, v = pressed(moved, mesh, seed, flank, 4e-4)
    index = 0 if flank == "front" else 1
    N = mesh.tooth_force(T, q, v)
    assert N[index] > 0.0
    assert N[1 - index] == 0.0
    by_q, by_v = mesh.tangents(T, q, v)
    steps = np.concatenate(
        [[5e-4 if f[0] in "rs" else 3e-5 for f in body.dofs] for body in mesh.bodies]
    )
    expected_q = difference(
        lambda s: mesh.force(T, moved(mesh.bodies, q, s), v), np.zeros(len(v)), steps
    )
    expected_v = difference(lambda w: mesh.force(T, q, w), v, np.full(len(v), 1e-3))
    ends = np.cumsum([0, *(len(body.dofs) for body in mesh.bodies)])
    blocks = [slice(i, j) for i, j in pairwise(ends)]
    for found, expected in ((by_q, expected_q), (by_v, expected_v)):
        for i in blocks:
            for j in blocks:
                error = np.linalg.norm(found[i, j] - expected[i, j])
                assert error <= 1e-7 * np.linalg.norm(expected[i, j])


@settings(max_examples=6)
@pytest.mark.parametrize("kind", ["6+6", "shaft+rz"])
@given(seed=seeds, flank=flanks)
def test_power_is_stored_or_dissipated(moved, difference, kind, seed, flank):
    mesh = mesh_of(kind, WIDE)
    q, v = pressed(moved, mesh, seed, flank, 4e-4)

    def energy(h):
        return np.array([mesh.energy(T, moved(mesh.bodies, q, h[0] * v), v)])

    rate = difference(energy, np.zeros(1), [1e-4])[0, 0]
    dissipated = mesh.dissipated_power(T, q, v)
    gap = mesh.gap(T, q)
    assert mesh.energy(T, q, v) == pytest.approx(0.5 * STIFF * gap.min() ** 2)
    assert mesh.force(T, q, v) @ v == pytest.approx(-rate - dissipated, abs=1e-8 * abs(rate))
    assert dissipated >= 0.0


@settings(max_examples=10)
@given(seed=seeds, flank=flanks)
def test_force_acts_along_the_flank_normal(moved, seed, flank):
    """The elastic and the ideal mesh have the same line of action, and action is reaction."""
    mesh = mesh_of("6+6", WIDE)
    q, v = pressed(moved, mesh, seed, flank, 2e-4)
    N = mesh.tooth_force(T, q, v).max()
    ideal = GearMesh(mesh.a, mesh.b, WIDE, flank).at(T, q, v)
    f = mesh.force(T, q, v)
    np.testing.assert_allclose(f, N * ideal.jacobian[0], rtol=1e-12)
    rotation, place = mesh.b.rotation(q[7:]), mesh.b.position + q[7:10]
    moment = np.cross(q[:3], f[:3]) + mesh.a.rotation(q[:7]) @ f[3:6]
    moment += np.cross(place, f[6:9]) + rotation @ f[9:]
    assert np.abs(f[:3] + f[6:9]).max() < 1e-12 * N
    assert np.abs(moment).max() < 1e-12 * N


def shafts(**options):
    return mesh_of("shaft+rz", **options)


def test_backlash_is_free_of_force():
    """From the centre gear 1 turns by j / (2 r_b1 cos(beta_b)) to either flank; then it sticks."""
    mesh = shafts()
    q, v = np.zeros(5), np.zeros(5)
    half = 0.5 * GEARS.backlash / (0.05 * cos(0.4))
    np.testing.assert_allclose(mesh.gap(0.0, q), 0.5 * GEARS.backlash, rtol=1e-10)
    for side, index in ((1.0, 0), (-1.0, 1)):
        q[3] = 0.999 * side * half
        v[3] = 10.0 * side
        assert not mesh.force(0.0, q, v).any()
        assert not np.any(mesh.tangents(0.0, q, v))
        q[3], v[3] = 1.5 * side * half, 0.0
        N = mesh.tooth_force(0.0, q, v)
        assert N[index] == pytest.approx(STIFF * 0.25 * GEARS.backlash, rel=1e-9)
        assert N[1 - index] == 0.0
        assert mesh.force(0.0, q, v)[3] == pytest.approx(-side * N[index] * 0.05 * cos(0.4))


@pytest.mark.parametrize(("reference", "gaps"), [("front", (0.0, 1e-4)), ("rear", (1e-4, 0.0))])
def test_reference_on_a_flank(reference, gaps):
    mesh = shafts(reference=reference)
    np.testing.assert_allclose(mesh.gap(0.0, np.zeros(5)), gaps, atol=1e-16)


def test_dampers_do_not_pull():
    mesh = shafts(reference="front")
    q, v = np.zeros(5), np.zeros(5)
    q[3], v[3] = 1e-4, -50.0
    assert mesh.gap(0.0, q)[0] < 0.0
    assert not mesh.force(0.0, q, v).any()
    assert mesh.dissipated_power(0.0, q, v) > 0.0


def test_backlash_grows_with_the_centre_distance():
    mesh = shafts()
    for shift in (-1e-5, 1e-4, 5e-4):
        q = np.array([-shift, 0.0, 0.0, 0.0, 0.0])
        assert mesh.gap(0.0, q).sum() == pytest.approx(GEARS.backlash_at(0.16 + shift), abs=1e-15)


def test_gears_that_jam():
    """Pressed together beyond the backlash, both flanks carry, and the force is radial."""
    mesh = shafts()
    q, v = np.array([1e-3, 0.0, 0.0, 0.0, 0.0]), np.zeros(5)
    play = GEARS.backlash_at(0.159)
    assert play < 0.0
    N = mesh.tooth_force(0.0, q, v)
    np.testing.assert_allclose(N, -0.5 * STIFF * play, rtol=1e-10)
    radial = 2.0 * GEARS.components(N[0], 0.159).radial
    np.testing.assert_allclose(mesh.force(0.0, q, v), [-radial, 0, 0, 0, 0], atol=1e-9 * radial)


@pytest.mark.parametrize("turns", [1.0, 1.5, 1000.25])
def test_many_revolutions(turns):
    """Rolling of the pitch circles changes nothing, whatever the number of teeth passed by."""
    mesh = shafts()
    start = np.array([1e-4, -2e-4, 3e-5, 2e-3, 0.0])
    rolled = start + 2.0 * pi * turns * np.array([0.0, 0.0, 0.0, 1.0, -0.5])
    expected = mesh.force(0.0, start, np.zeros(5))
    assert np.linalg.norm(expected) > 1e3
    np.testing.assert_allclose(mesh.force(0.0, rolled, np.zeros(5)), expected, rtol=1e-6)


def test_quaternions_know_no_revolutions():
    """Bodies with six dofs at any angle feel what single-axis shafts feel."""
    free, held = mesh_of("6+6"), mesh_of("shaft+rz")
    for angle in np.linspace(0.0, 30.0, 13):
        angles = np.array([angle + 2e-3, -0.5 * angle])
        quats = [Rotation.from_rotvec([0, 0, a]).as_quat(scalar_first=True) for a in angles]
        q = np.concatenate([[1e-4, -2e-4, 3e-5], quats[0], [0, 0, 0], quats[1]])
        f = free.force(0.0, q, np.zeros(12))
        expected = held.force(0.0, np.array([1e-4, -2e-4, 3e-5, *angles]), np.zeros(5))
        np.testing.assert_allclose(f[[0, 1, 2, 5, 11]], expected, rtol=1e-8)


def test_prescribed_spin_is_an_angle():
    """Gear 1 as rotor with prescribed spin = gear 1 with a dof, turned by the spin times t."""
    spin, held = mesh_of("spin+shaft"), mesh_of("shaft+rz")
    for t in (0.0, 0.13, 5.0):
        q = np.array([1e-4, -2e-4, 3e-5, 0.0, 0.0, 0.0, -20.0 * t - 2e-3])
        v = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -20.1])
        f = spin.force(t, q, v)
        other = np.array([*q[:3], 40.0 * t, q[6]]), np.array([0.0, 0.0, 0.0, 40.0, -20.1])
        expected = held.force(t, *other)
        assert np.linalg.norm(expected) > 1e3
        np.testing.assert_allclose(f[[0, 1, 2, 6]], expected[[0, 1, 2, 4]], rtol=1e-8)
        assert spin.energy(t, q, v) == pytest.approx(held.energy(t, *other), rel=1e-7)


def test_frequency_of_two_shafts():
    """omega^2 = c cos(beta_b)^2 (r_b1^2/J_1 + r_b2^2/J_2), and one free rotation."""
    a = RigidBody("a", 1.0, ("rz",), inertia=(0.01, 0.01, 0.01))
    b = RigidBody("b", 1.0, ("rz",), inertia=(0.1, 0.1, 0.1), position=(0.16, 0.0, 0.0))
    mesh = ElasticGearMesh(a, b, GEARS, 5e9, per_width=True, reference="front")
    K = -mesh.tangents(0.0, np.array([1e-5, 0.0]), np.zeros(2))[0]
    squares = np.sort(np.linalg.eigvals(K / np.array([[0.01], [0.1]])).real)
    omega = mesh_frequency(5e9 * 0.02 * cos(0.4) ** 2, (0.05, 0.1), (0.01, 0.1))
    assert squares[1] == pytest.approx(omega**2, rel=1e-12)
    assert abs(squares[0]) < 1e-9 * squares[1]


def test_teeth_that_overlap_too_far_are_an_error():
    mesh = shafts()
    quarter = 0.25 * GEARS.normal_base_pitch / (0.05 * cos(0.4))
    mesh.force(0.0, np.array([0.0, 0.0, 0.0, quarter, 0.0]), np.zeros(5))
    with pytest.raises(SolverError, match="more than a quarter of a base pitch"):
        mesh.force(0.0, np.array([0.0, 0.0, 0.0, 1.1 * quarter, 0.0]), np.zeros(5))


def test_bad_input():
    for options, message in (
        ({"damping": -1.0}, "invalid damping = -1.0 N s/m"),
        ({"reference": "left"}, "invalid reference = left"),
        ({"gears": replace(GEARS, backlash=6e-3)}, "below half a base pitch"),
        ({"gears": replace(GEARS, distance=0.17)}, r"0\.16 m apart"),
    ):
        with pytest.raises(InputError, match=message):
            shafts(**options)
    bare = shafts(gears=replace(GEARS, face_width=None), per_width=True)
    with pytest.raises(InputError, match="face_width = None"):
        bare.force(0.0, np.array([0.0, 0.0, 0.0, 2e-3, 0.0]), np.zeros(5))
