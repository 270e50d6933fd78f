"""Beams and plates as elastic bodies in motion: tangents, conservation, rotating blades."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg as la
from scipy.integrate import solve_ivp

from fecontact.body import ElasticBody
from fecontact.fem import (
    Beam,
    KirchhoffPlate,
    Material,
    MindlinPlate,
    Section,
    Segment,
    straight_beam,
)
from fecontact.mesh import rectangle
from fecontact.reduction import reduce_model
from fecontact.reference.structures.rotating_beam import rotating_cantilever_frequencies

STEEL = Material(young=210e9, poisson=0.3, density=7800.0)
SIDE = 0.004
SQUARE = Section.rectangle(SIDE, SIDE)
UNIT = np.sqrt(STEEL.young * SIDE**2 / 12 / STEEL.density)  # of frequencies, length 1


def relative_frequencies(body, speed, axis=2):
    """Frequencies relative to a frame that turns about an axis, z; ascending, positive ones."""
    n, e = len(body.dofs), slice(6, None)
    q, v = body.reference(), np.zeros(n)
    v[3 + axis] = speed
    for _ in range(3):  # Newton's steps to the steady deformation
        step = np.zeros(n)
        step[e] = -np.linalg.solve(body.tangents(0.0, q, v)[0][e, e], body.force(0.0, q, v)[e])
        q = body.move(q, step)
    by_q, by_v = body.tangents(0.0, q, v)
    M, zero, one = body.mass_matrix(q)[e, e], np.zeros((n - 6, n - 6)), np.eye(n - 6)
    roots = la.eigvals(
        np.block([[zero, one], [np.linalg.solve(M, by_q[e, e]), np.linalg.solve(M, by_v[e, e])]])
    )
    return np.sort(roots.imag[roots.imag > 0.0])


def blade(elements, hub=0.0, theory="euler_bernoulli"):
    segment = Segment(hub, hub + 1.0, SQUARE, STEEL, elements)
    beam = Beam([segment], {"left": "clamped"}, theory=theory)
    return ElasticBody("blade", reduce_model(beam, method="free", modes=16))


def flap_and_lag(speed, hub):
    both = [
        rotating_cantilever_frequencies(speed, 2, hub_radius=hub, motion=m) for m in ("lag", "flap")
    ]
    return np.sort(np.concatenate(both))


@pytest.mark.parametrize("theory", ["euler_bernoulli", "timoshenko"])
@pytest.mark.parametrize(("speed", "hub"), [(1.0, 0.0), (5.0, 0.0), (3.0, 1.0)])
def test_flap_and_lag_of_a_blade(speed, hub, theory):
    """Against the series solution (Wright et al. 1982).

    It neglects stretch, of the order Omega^2 SIDE^2/12 = 3e-5 here, and shear and rotary inertia,
    6e-5 of the second frequencies.
    """
    found = relative_frequencies(blade(20, hub, theory), speed * UNIT)[:4] / UNIT
    np.testing.assert_allclose(found, flap_and_lag(speed, hub), rtol=1e-4)


def test_it_softens_without_geometric_stiffness():
    """The lag frequency is sqrt(omega_0^2 - Omega^2), flap stays."""
    body = ElasticBody("blade", blade(20).model, geometric_stiffness=False)
    lag, flap = relative_frequencies(body, 3.0 * UNIT)[:2] / UNIT
    first = rotating_cantilever_frequencies(0.0)[0]
    np.testing.assert_allclose([lag, flap], [np.sqrt(first**2 - 9.0), first], rtol=1e-4)


FLAT = Material(young=210e9, poisson=0.0, density=7800.0)  # a beam has no Poisson effect


def kirchhoff_strip():
    mesh = rectangle(1.0, 0.05, cells=(120, 4), cell="tri").translated((0.0, -0.025))
    return KirchhoffPlate(mesh, SIDE, FLAT, {"x_min": "clamped"})


def mindlin_strip():
    mesh = rectangle(1.0, 0.05, cells=(24, 1)).translated((0.0, -0.025))
    return MindlinPlate(mesh, SIDE, FLAT, {"x_min": "clamped"}, membrane=True)


@pytest.mark.parametrize(("make", "tolerance"), [(kirchhoff_strip, 1e-3), (mindlin_strip, 5e-4)])
def test_strip_of_plate_as_a_blade(make, tolerance):
    """Turning about z the strip flaps, about y it lags: the series solution of the beam.

    Morley's second mode has an error of 5e-4 at rest.
    """
    body = ElasticBody("strip", reduce_model(make(), method="free", modes=8))
    for axis, motion in ((2, "flap"), (1, "lag")):
        for speed in (0.0, 3.0):
            found = relative_frequencies(body, speed * UNIT, axis)[:2] / UNIT
            exact = rotating_cantilever_frequencies(speed, 2, motion=motion)
            np.testing.assert_allclose(found, exact, rtol=tolerance, err_msg=f"{motion} {speed}")


RUBBER = Material(young=5e6, poisson=0.4, density=1200.0)


def soft_chain(**options):
    """Rubber bar that splits in two; free."""
    bar, half = Section.rectangle(0.05, 0.04), Section.rectangle(0.05, 0.02)
    return Beam(
        [
            Segment(0.0, 0.2, bar, RUBBER, 3),
            Segment(0.2, 0.4, half, RUBBER, 3, (0.0, 0.01)),
            Segment(0.2, 0.4, half, RUBBER, 3, (0.0, -0.01)),
        ],
        **options,
    )


def soft_plate(kind, **options):
    """Rubber plate of the same size; free."""
    mesh = rectangle(0.4, 0.1, cells=(4, 1), cell="tri" if kind is KirchhoffPlate else "quad")
    return kind(mesh, 0.02, RUBBER, **options)


SOFT = {
    "timoshenko": lambda: soft_chain(theory="timoshenko"),
    "euler_bernoulli": lambda: soft_chain(theory="euler_bernoulli"),
    "planar": lambda: soft_chain(motion="planar"),
    "kirchhoff": lambda: soft_plate(KirchhoffPlate),
    "mindlin": lambda: soft_plate(MindlinPlate),
    "membrane": lambda: soft_plate(MindlinPlate, membrane=True),
}


@pytest.fixture(scope="module", params=SOFT)
def soft(request):
    """Free body with the three lowest modes, and with the stress of inertia loads if it has it."""
    model = reduce_model(SOFT[request.param](), method="free", modes=3)
    return ElasticBody("soft", model, geometric_stiffness=model.geometric is not None)


def scaled_state(body, seed):
    """Large rotation, deformation of a few per cent of the length."""
    rng, m = np.random.default_rng(seed), len(body.dofs) - 6
    elastic = np.full(m, 0.02 * 0.4 * np.sqrt(body.model.inertia.mass))
    step = np.r_[np.full(6, 2.0), elastic]
    first = body.model.frequencies[body.model.rigid]
    speed = np.r_[np.full(3, 3.0), np.full(3, 20.0), elastic * first]
    q = body.move(body.reference(), step * rng.uniform(-1, 1, 6 + m))
    return q, speed * rng.uniform(-1, 1, 6 + m), step, speed


@pytest.mark.parametrize("seed", range(3))
def test_tangents(difference, soft, seed):
    q, v, step, speed = scaled_state(soft, seed)
    by_q, by_v = soft.tangents(0.0, q, v)
    zero = np.zeros(len(v))
    found = {
        "q": (by_q, difference(lambda d: soft.force(0, soft.move(q, d), v), zero, 1e-3 * step)),
        "v": (by_v, difference(lambda w: soft.force(0, q, w), v, 1e-2 * speed)),
    }
    for name, (tangent, expected) in found.items():
        for rows in (slice(3), slice(3, 6), slice(6, None)):
            for columns in (slice(3), slice(3, 6), slice(6, None)):
                error = np.linalg.norm(tangent[rows, columns] - expected[rows, columns])
                size = np.linalg.norm(expected[rows, columns])
                floor = 1e-3 * np.linalg.norm(expected[rows])
                assert error <= 1e-7 * max(size, floor), (name, rows, columns)


def test_tumbling_body_conserves_energy_and_momentum(soft):
    q, v = soft.reference(), np.zeros(len(soft.dofs))
    v[:6] = [0.4, -0.5, 0.2, 8.0, -12.0, 30.0]
    first = soft.model.frequencies[soft.model.rigid]
    v[6] = 0.02 * 0.4 * np.sqrt(soft.model.inertia.mass) * first
    size = len(q)

    def rate(t, y):
        a, b = y[:size], y[size:]
        solved = np.linalg.solve(soft.mass_matrix(a), soft.force(t, a, b))
        return np.concatenate([soft.rate(a, b), solved])

    def invariants(a, b):
        energy = soft.kinetic_energy(a, b) + soft.strain_energy(a)
        return [np.array([energy]), *soft.momentum(a, b)]

    drift = []
    for tolerance in (1e-6, 1e-9):
        end = solve_ivp(rate, (0.0, 0.2), np.r_[q, v], "DOP853", rtol=tolerance, atol=tolerance)
        pairs = zip(invariants(q, v), invariants(*np.split(end.y[:, -1], [size])), strict=True)
        drift.append(max(np.linalg.norm(b - a) / np.linalg.norm(a) for a, b in pairs))
    assert drift[1] < 1e-6
    assert drift[1] < 0.02 * drift[0]


def test_planar_beam_moves_in_space():
    """The frame adds the motions that the planar model lacks; it turns about x with rho I_p L."""
    beam = straight_beam(1.0, SQUARE, STEEL, elements=4, motion="planar")
    body = ElasticBody("bar", reduce_model(beam, method="free", modes=2))
    v = np.zeros(len(body.dofs))
    v[3] = 7.0
    moment = STEEL.density * SIDE**4 / 6
    assert body.kinetic_energy(body.reference(), v) == pytest.approx(0.5 * moment * 49.0)
