"""Spinning elastic disc on a hub: inertia, limits, contact of its face."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.linalg import expm

from fecontact.analysis import complex_modes, linearise
from fecontact.body import CarriedDisc, Hub, RigidBody, SpinningDisc
from fecontact.contact import (
    ElastoPlastic,
    EulerianPair,
    PenaltyNormal,
    Plane,
    PlateFace,
    RigidFace,
    ring,
)
from fecontact.errors import InputError
from fecontact.fem import STEEL, HarmonicPlate
from fecontact.joint import Bearing, Force
from fecontact.reduction import reduce_harmonic
from fecontact.results.geometry import BodyGeometry, frame_of
from fecontact.system import System

INNER, OUTER, THICKNESS = 0.06, 0.12, 0.004


@pytest.fixture(scope="module")
def model():
    plate = HarmonicPlate(INNER, OUTER, THICKNESS, STEEL, {"inner": "clamped"}, elements=6)
    return reduce_harmonic(plate, 0.1, 2, 2)


@pytest.fixture(scope="module")
def clutch(model):
    return SpinningDisc("clutch", model, 300.0, damping=1e-3, hub=Hub(0.3))


def test_heave_is_the_integral_of_the_shapes(model):
    def one(r, i):
        w = model.shapes(np.array([r]), np.zeros(1)).value[0, i]
        return 2.0 * np.pi * r * STEEL.density * THICKNESS * w

    for i in np.flatnonzero(model.harmonic == 0):
        exact = quad(one, INNER, OUTER, args=(i,), epsabs=0.0, epsrel=1e-11, limit=200)[0]
        assert model.heave[i] == pytest.approx(exact, rel=1e-9)
    assert not model.heave[model.harmonic > 0].any()


def test_energy_of_inertia_is_that_of_the_points(model, clutch):
    """v M v/2 against an integral over the disc, and the hub."""
    rng = np.random.default_rng(0)
    v = rng.standard_normal(len(clutch.dofs)) * np.r_[np.ones(3), np.full(model.size, 0.1)]
    place, part = np.polynomial.legendre.leggauss(4)  # exact for squares of cubics times r
    half, nodes = 0.5 * np.diff(model.plate.nodes), model.plate.nodes
    r = (nodes[:-1, None] + half[:, None] * (1.0 + place)).ravel()
    w = np.outer(half, part).ravel()
    phi = 2.0 * np.pi * np.arange(16) / 16
    x, y = (np.outer(r, f(phi)).ravel() for f in (np.cos, np.sin))
    mass = STEEL.density * THICKNESS * np.repeat(r * w, 16) * 2.0 * np.pi / 16
    speed = v[2] + model.shapes(x, y).value @ v[3:]
    exact = 0.5 * mass @ (speed**2 + v[0] ** 2 + v[1] ** 2) + 0.15 * v[:3] @ v[:3]
    assert 0.5 * v @ clutch.mass_matrix(v) @ v == pytest.approx(exact, rel=1e-12)


def test_heavy_hub_holds_the_disc(model):
    """With a hub of infinite mass the frequencies are those of the clamped disc."""
    heavy = SpinningDisc("clutch", model, hub=Hub(1e9))
    system = System([heavy], [Bearing(heavy, 1.0, 1.0)])
    found = complex_modes(linearise(system, system.rest())).eigenvalues.imag
    np.testing.assert_allclose(np.sort(found)[3:], model.frequencies, rtol=1e-7)


def test_free_disc_keeps_its_centre(model, clutch):
    """Without a bearing the centre of mass does not accelerate under elastic forces."""
    q = np.r_[np.zeros(3), 1e-4 * np.random.default_rng(1).standard_normal(model.size)]
    a = np.linalg.solve(clutch.mass_matrix(q), clutch.force(0.0, q, np.zeros_like(q)))
    momentum = clutch.mass * a[2] + model.heave @ a[3:]
    assert abs(momentum) < 1e-9 * clutch.mass * np.abs(a[2])


def test_rigid_part_moves_like_a_rigid_body(clutch):
    """Bearing and force act on the hub as on a rigid disc of the same mass."""
    rigid = RigidBody("clutch", clutch.mass, ("ux", "uy", "uz"), spin=300.0)
    rng = np.random.default_rng(2)
    c, v = 1e-3 * rng.standard_normal(3), rng.standard_normal(3)
    rest = np.zeros(len(clutch.dofs) - 3)
    for make in (
        lambda body: Bearing(body, 1e6, 2e6, 10.0, 20.0),
        lambda body: Force(body, (1.0, 2.0, 3.0)),
    ):
        carried, alone = make(clutch), make(rigid)
        q, q_rate = np.r_[c, rest], np.r_[v, rest]
        expected = alone.force(0.0, np.asarray(rigid.move(rigid.reference(), c)), v)
        np.testing.assert_allclose(carried.force(0.0, q, q_rate), np.r_[expected, rest], rtol=1e-13)


def test_contact_tangents(clutch, difference):
    facing = ring(0.1, 12, -0.5 * THICKNESS)
    law = ElastoPlastic(0.3, 1e9, 1e4)
    pair = EulerianPair(clutch, facing, RigidFace(None, Plane(point=(0.0, 0.0, -0.5 * THICKNESS))),
                        PenaltyNormal(1e9, 1e3), law)  # fmt: skip
    rng = np.random.default_rng(3)
    n = len(clutch.dofs)
    q = 1e-5 * rng.standard_normal(n)
    q[2], v = -1e-4, 1e-2 * rng.standard_normal(n)
    by_q, by_v = pair.tangents(0.0, q, v)
    step = np.full(n, 1e-8)
    found = difference(lambda x: pair.force(0.0, x, v), q, step)
    np.testing.assert_allclose(by_q, found, atol=1e-6 * np.abs(by_q).max())
    found = difference(lambda x: pair.force(0.0, q, x), v, 1e4 * step)
    np.testing.assert_allclose(by_v, found, atol=1e-7 * np.abs(by_v).max())


def test_negative_hub_mass(model):
    with pytest.raises(InputError, match="hub mass = -1"):
        SpinningDisc("clutch", model, 300.0, hub=Hub(-1.0))


def test_older_name(model, clutch):
    """`CarriedDisc` builds the same body."""
    disc = SpinningDisc("clutch", model, 300.0, damping=1e-3)
    with pytest.warns(DeprecationWarning, match="hub=Hub"):
        old = CarriedDisc(disc, 0.3)
    assert old.dofs == clutch.dofs
    assert old.mass == clutch.mass
    q, v = np.random.default_rng(5).standard_normal((2, len(old.dofs)))
    np.testing.assert_array_equal(old.force(0.0, q, v), clutch.force(0.0, q, v))
    np.testing.assert_array_equal(old.mass_matrix(q), clutch.mass_matrix(q))


def test_turned_motion_is_a_motion(model, clutch):
    """Inertia and forces commute with a rotation of the whole motion about the axis."""
    turn = expm(0.7 * clutch.rotation_generator())
    for matrix in (
        clutch.mass_matrix(np.zeros(0)),
        *clutch.tangents(0.0, np.zeros(0), np.zeros(0)),
    ):
        np.testing.assert_allclose(turn.T @ matrix @ turn, matrix, atol=1e-9 * np.abs(matrix).max())


def test_picture_moves_with_the_hub(clutch):
    """The hub shifts all points, a shape lifts those of its own."""
    geometry, q = BodyGeometry.of(clutch), np.zeros(len(clutch.dofs))
    q[:3] = 0.1, 0.2, 0.3
    frame = frame_of(clutch, 0.0, q)[None]
    shown = geometry.positions(frame, q[None, 3:])[0]
    np.testing.assert_allclose(shown, geometry.points + q[:3], atol=1e-15)


def test_face_of_a_disc_on_a_hub_is_no_master(clutch):
    with pytest.raises(InputError, match="PlateFace: invalid 'clutch' on a hub"):
        PlateFace(clutch)
