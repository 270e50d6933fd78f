"""Elastic bodies in motion: conservation, centrifugal stiffening, choice of the frame."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import scipy.linalg as la
from scipy.integrate import solve_ivp

from fecontact.body import ElasticBody
from fecontact.fem import ElasticSolid, Material
from fecontact.joint import Bushing, Force, Torque
from fecontact.mesh import block
from fecontact.reduction import reduce_model
from fecontact.reduction.inertia import inertia_integrals
from fecontact.reference.structures.reissner_beam import rotating_reissner_frequencies
from fecontact.system import System

SIZE = (0.30, 0.10, 0.05)
RUBBER = Material(young=5e6, poisson=0.4, density=1200.0)
SUPPORTS = {"free": {}, "clamped": {"x_min": "clamped"}}


def soft_block(kind, modes):
    mesh = block(*SIZE, cells=(3, 1, 1))
    return reduce_model(ElasticSolid(mesh, RUBBER, supports=SUPPORTS[kind]), modes=modes)


def integrate(body, q, v, t_end, tolerance):
    """Integrate q' = T v, M v' = f by an explicit Runge-Kutta method of order 8; last state."""
    size = len(q)

    def rate(t, y):
        a, b = y[:size], y[size:]
        acceleration = np.linalg.solve(body.mass_matrix(a), body.force(t, a, b))
        return np.concatenate([body.rate(a, b), acceleration])

    answer = solve_ivp(rate, (0.0, t_end), np.concatenate([q, v]), "DOP853", rtol=tolerance,
                       atol=tolerance, t_eval=[t_end])  # fmt: skip
    return answer.y[:size, -1], answer.y[size:, -1]


def invariants(body, q, v):
    linear, angular = body.momentum(q, v)
    return [np.array([body.kinetic_energy(q, v) + body.strain_energy(q)]), linear, angular]


@pytest.mark.parametrize(
    ("kind", "revolutions", "geometric"),
    [
        ("free", 20, True),
        ("free", 2, False),
        ("clamped", 1, True),
        pytest.param("clamped", 20, True, marks=pytest.mark.slow),
    ],
)
def test_free_body_conserves_energy_and_momentum(kind, revolutions, geometric):
    """A tumbling block that bends by some per cent of its length.

    A frame clamped to one face shakes with it, which makes small steps.
    """
    model = soft_block(kind, 1)
    body = ElasticBody("block", model, (0.1, 0.2, 0.3), geometric_stiffness=geometric)
    omega = np.array([8.0, -12.0, 80.0])
    lever = model.inertia.first_moment / model.inertia.mass
    q, v = body.reference(), np.zeros(len(body.dofs))
    v[:3] = [0.4, -0.5, 0.2] - np.cross(omega, lever)
    v[3:6] = omega
    v[6:] = 0.02 * SIZE[0] * np.sqrt(model.inertia.mass) * model.frequencies[model.rigid]
    before, drift = invariants(body, q, v), []
    t_end = revolutions * 2 * np.pi / np.linalg.norm(omega)
    for tolerance in (1e-7, 1e-10):
        after = invariants(body, *integrate(body, q, v, t_end, tolerance))
        drift.append(
            max(
                np.linalg.norm(b - a) / np.linalg.norm(a)
                for a, b in zip(before, after, strict=True)
            )
        )
    assert drift[1] < 1e-6
    assert drift[1] < 0.01 * drift[0]


LENGTH, SIDE = 1.0, 0.02
STEEL = Material(young=210e9, poisson=0.0, density=7800.0)  # a beam theory has no Poisson effect


@pytest.fixture(scope="module")
def beam():
    mesh = block(LENGTH, SIDE, SIDE, cells=(24, 1, 1)).translated((0.0, -SIDE / 2, -SIDE / 2))
    return reduce_model(
        ElasticSolid(mesh, STEEL, supports={"x_min": "clamped"}), method="free", modes=16
    )


def frequencies_at(body, speed):
    """Lowest frequencies relative to the frame, which turns about z, and the steady extension."""
    n = len(body.dofs)
    q, v = body.reference(), np.zeros(n)
    v[5] = speed
    e = slice(6, None)
    for _ in range(3):  # Newton's steps to the steady deformation
        step = np.zeros(n)
        by_q, _ = body.tangents(0.0, q, v)
        step[e] = -np.linalg.solve(by_q[e, e], body.force(0.0, q, v)[e])
        q = body.move(q, step)
    assert np.linalg.norm(step) < 1e-9 * np.linalg.norm(q[7:]) or speed == 0.0
    by_q, by_v = body.tangents(0.0, q, v)
    M, zero, one = body.mass_matrix(q)[e, e], np.zeros((n - 6, n - 6)), np.eye(n - 6)
    roots = la.eigvals(
        np.block([[zero, one], [np.linalg.solve(M, by_q[e, e]), np.linalg.solve(M, by_v[e, e])]])
    )
    assert np.abs(roots.real).max() < 1e-6 * np.abs(roots).max()
    return np.sort(roots.imag[roots.imag > 0.0])


@pytest.mark.parametrize("speed", [1.0, 3.0, 5.0])
def test_centrifugal_stiffening(beam, speed):
    """Flap and lag against Reissner's beam, which stretches too.

    Stretch lowers the first lag frequency by 1.3e-3 at speed 5; the material law of Green's strain
    would hide that. The rest is the mesh, 1e-4 at rest for the first, 1e-3 for the second modes.
    """
    unit = np.sqrt(STEEL.young * SIDE**2 / 12 / (STEEL.density * LENGTH**4))
    stiff = frequencies_at(ElasticBody("beam", beam), speed * unit) / unit
    lag, flap = (
        rotating_reissner_frequencies(speed, SIDE / np.sqrt(12.0), 2, motion=motion)
        for motion in ("lag", "flap")
    )
    expected = np.sort([lag[0], flap[0], lag[1], flap[1]])
    np.testing.assert_allclose(stiff[:2], expected[:2], rtol=2e-4)
    np.testing.assert_allclose(stiff[2:4], expected[2:], rtol=1.2e-3)


def test_softening_without_geometric_stiffness(beam):
    """Without it the lag frequency falls as sqrt(omega_0^2 - Omega^2), and flap stays.

    Rotary inertia, neglected in that formula, is of the order (SIDE / LENGTH)^2.
    """
    unit = np.sqrt(STEEL.young * SIDE**2 / 12 / (STEEL.density * LENGTH**4))
    body = ElasticBody("beam", beam, geometric_stiffness=False)
    at_rest, soft = (frequencies_at(body, speed * unit)[:2] / unit for speed in (0.0, 3.0))
    np.testing.assert_allclose(soft, [np.sqrt(at_rest[0] ** 2 - 9.0), at_rest[1]], rtol=4e-4)


@pytest.fixture(scope="module")
def two_frames():
    """One block with all its deformations: free modes, and a frame in which three nodes are held.

    The shapes of the second differ from those of the first by rigid-body modes.
    """
    mesh = block(*SIZE, cells=(1, 1, 1))
    solid = ElasticSolid(mesh, RUBBER, "hex1")
    names = ["x_min", "x_max"]
    model, nodes = reduce_model(solid, names, method="free", modes=18), solid.geometry.points
    a, b, c = (int(np.argmin(np.linalg.norm(nodes - x, axis=1))) for x in
               ((0, 0, 0), (SIZE[0], 0, 0), (0, SIZE[1], 0)))  # fmt: skip
    held = [3 * a, 3 * a + 1, 3 * a + 2, 3 * b + 1, 3 * b + 2, 3 * c + 2]
    change = np.eye(24)
    change[:6, 6:] = -np.linalg.solve(model.basis[held, :6], model.basis[held, 6:])
    basis = model.basis @ change
    surfaces = {k: replace(s, shape=s.shape @ change) for k, s in model.surfaces.items()}
    other = replace(model, basis=basis, inertia=inertia_integrals(solid, basis), surfaces=surfaces)
    return model, other, nodes


def test_two_frames_of_one_body_agree_to_second_order(two_frames):
    """Acceleration of a deformed block in two frames: free modes, and three nodes held.

    Both describe all deformations of the mesh, modulo rigid motion. The same deformed block then
    accelerates equally up to terms of second order: halving the deformation quarters the
    difference.
    """
    model, other, nodes = two_frames
    shape = np.random.default_rng(0).standard_normal(nodes.shape)

    def acceleration(model, amplitude):
        """Acceleration of the nodes of the block that is deformed by `amplitude` and at rest."""
        body = ElasticBody("block", model, geometric_stiffness=False)
        q, v = body.reference(), np.zeros(len(body.dofs))
        for _ in range(6):  # the coordinates of this deformed shape, by Newton's method
            motion = body.point_motion(q, v, nodes)
            gap = (nodes + amplitude * shape - motion.position).ravel()
            q = body.move(q, np.linalg.solve(motion.jacobian.reshape(-1, len(v)), gap))
        assert np.linalg.norm(gap) < 1e-12 * amplitude * np.linalg.norm(shape) + 1e-15
        rate = np.linalg.solve(body.mass_matrix(q), body.force(0.0, q, v))
        return motion.jacobian @ rate

    differences = []
    for amplitude in (1e-4, 5e-5):
        free, fixed = acceleration(model, amplitude), acceleration(other, amplitude)
        differences.append(np.linalg.norm(free - fixed))
        assert differences[-1] < 0.1 * np.linalg.norm(free)
    assert differences[0] / differences[1] == pytest.approx(4.0, rel=0.05)


def test_two_frames_under_load_agree_to_second_order(two_frames):
    """A block on a bushing, pulled and twisted: halving the load quarters the difference.

    The whole chain differs to second order only: frame, marker of the surfaces, element, load.
    """
    model, other, nodes = two_frames

    def deformed(model, factor):
        body = ElasticBody("block", model, (0.1, 0.2, 0.3), geometric_stiffness=False)
        system = System(
            [body],
            [
                Bushing(None, body, (2e4, 3e4, 2e4, 50.0, 60.0, 40.0), point="x_min"),
                Force(body, (3.0, 8.0, -5.0), "x_max", factor=factor),
                Torque(body, (0.4, 0.3, -0.5), point="x_max", factor=factor),
            ],
        )
        state = system.rest()
        for _ in range(8):
            by_q, _ = system.tangents(state)
            step = -np.linalg.solve(by_q, system.force(state))
            state = replace(state, q=system.move(state.q, step))
        assert np.abs(step).max() < 1e-11
        return body.point_motion(state.q, state.v, nodes).position - nodes - [0.1, 0.2, 0.3]

    differences = []
    for factor in (1.0, 0.5):
        free, held = deformed(model, factor), deformed(other, factor)
        differences.append(np.linalg.norm(free - held))
        assert 0.0 < differences[-1] < 0.02 * np.linalg.norm(free)
    assert differences[0] / differences[1] == pytest.approx(4.0, rel=0.1)
