"""Geometric stiffness of floating bodies: of rotation, not of stretch.

A linear elastic bar that is only stretched obeys the linear wave equation at any amplitude; a body
that bends, buckles or spins is stiffened. One default must do both.
"""

from __future__ import annotations

from dataclasses import replace
from math import pi, sqrt, tan

import numpy as np
import pytest
import scipy.linalg as la
from scipy.integrate import solve_ivp

from fecontact.body import ElasticBody, TurningFrame
from fecontact.contact import ContactPair, ElastoPlastic, PenaltyNormal, Plane, RigidFace
from fecontact.contact.surface.points import elastic_surface
from fecontact.errors import InputError
from fecontact.fem import ElasticSolid, Material, MindlinPlate, straight_beam
from fecontact.fem.beam.section import Section
from fecontact.integrate import simulate
from fecontact.mesh import block, rectangle
from fecontact.reduction import PolynomialLoads, reduce_model
from fecontact.reference.structures.reissner_beam import rotating_reissner_frequencies
from fecontact.reference.structures.rotating_beam import rotating_cantilever_frequencies
from fecontact.system import System

LENGTH, WAVE = 10.0, 3000.0
PLAIN = Material(young=9e9, poisson=0.0, density=1000.0)
"""Wave speed in m/s: sqrt(E/rho) = WAVE."""


# --- the form itself -----------------------------------------------------------------------------


def root(F):
    """Right stretch U of a deformation gradient."""
    return la.polar(F)[1]


@pytest.mark.parametrize("strain", ["green", "biot"])
@pytest.mark.parametrize("seed", range(3))
def test_second_derivative_of_the_strain(strain, seed):
    """Affine fields: v^T K v = V sigma : d^2 E/ds^2 of F = 1 + s H, by the polar decomposition."""
    rng = np.random.default_rng(seed)
    solid = ElasticSolid(block(0.2, 0.3, 0.1, cells=(2, 1, 1)), Material(1e9, 0.3, 1000.0))
    pull, H = 1e-3 * rng.standard_normal((3, 3)), rng.standard_normal((3, 3))
    u, v = (solid.nodes @ slope.T for slope in (pull, H))
    eps = 0.5 * (pull + pull.T)
    G, lam = 1e9 / 2.6, 1e9 * 0.3 / (1.3 * 0.4)
    sigma = 2.0 * G * eps + lam * np.trace(eps) * np.eye(3)

    def measure(s):
        F = np.eye(3) + s * H
        return root(F) if strain == "biot" else 0.5 * F.T @ F

    h = 1e-3
    second = (measure(h) - 2.0 * measure(0.0) + measure(-h)) / h**2
    expected = 0.2 * 0.3 * 0.1 * np.sum(sigma * second)
    found = v.ravel() @ solid.geometric_stiffness(u.ravel(), strain) @ v.ravel()
    assert found == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("strain", ["green", "biot"])
def test_a_turned_body_turns_its_forces(strain):
    """K_sigma of a rigid rotation W x is W f, f the forces of the stress at the nodes.

    A form of the rotations alone, sigma : W^T W, fails: it has half of the shear.
    """
    solid = ElasticSolid(block(0.2, 0.3, 0.1, cells=(2, 1, 1)), Material(1e9, 0.3, 1000.0))
    rng = np.random.default_rng(0)
    u = 1e-3 * rng.standard_normal(solid.stiffness.shape[0])
    W = np.cross(np.eye(3), rng.standard_normal(3))
    forces = (solid.stiffness @ u).reshape(-1, 3)
    found = solid.geometric_stiffness(u, strain) @ (solid.nodes @ W.T).ravel()
    np.testing.assert_allclose(found.reshape(-1, 3), forces @ W.T, atol=1e-9 * abs(forces).max())


def test_plate_in_its_plane_as_a_solid():
    """Membrane motion of a plate: the same forms as a solid with the same displacements."""
    size, height = (0.2, 0.3), 0.01
    material = Material(1e9, 0.0, 1000.0)
    plate = MindlinPlate(rectangle(*size, cells=(2, 3)), height, material, membrane=True)
    solid = ElasticSolid(block(*size, height, cells=(2, 3, 1)), material)
    rng = np.random.default_rng(1)
    slopes = rng.standard_normal((2, 2, 2))

    def field(place, slope):
        moved = np.zeros((len(place), 3))
        moved[:, :2] = place[:, :2] @ slope.T
        return moved

    def in_plane(slope):
        nodes = plate.geometry.points
        shape = plate.geometry.shape.toarray()
        unknowns = np.zeros(plate.stiffness.shape[0])
        x = plate.basis.doflocs.T
        for axis, name in enumerate(("u^1^3", "u^2^3")):
            chosen = plate._dof_names == name
            unknowns[chosen] = x[chosen] @ slope[axis]
        np.testing.assert_allclose(shape @ unknowns, field(nodes, slope).ravel(), atol=1e-12)
        return unknowns

    for strain in ("green", "biot"):
        values = []
        for model, fields in (
            (plate, [in_plane(s) for s in slopes]),
            (solid, [field(solid.nodes, s).ravel() for s in slopes]),
        ):
            pull, v = fields
            values.append(v @ model.geometric_stiffness(pull, strain) @ v)
        assert values[0] == pytest.approx(values[1], rel=1e-10)


def test_unknown_strain():
    solid = ElasticSolid(block(1.0, 1.0, 1.0, cells=(1, 1, 1)), PLAIN, "hex1")
    beam = straight_beam(1.0, Section.rectangle(0.1, 0.1), PLAIN, elements=1)
    for model in (solid, beam):
        with pytest.raises(InputError, match="invalid strain = hencky"):
            model.geometric_stiffness(np.zeros(model.stiffness.shape[0]), "hencky")


# --- stretch: nothing changes --------------------------------------------------------------------


def solid_bar(supports=None, height=4.0):
    mesh = block(LENGTH, 4.0, height, cells=(12, 1, 1)).translated((0.0, -2.0, -0.5 * height))
    return ElasticSolid(mesh, PLAIN, supports=supports or {})


def plate_bar(height=2.0):
    mesh = rectangle(LENGTH, 4.0, cells=(12, 1)).translated((0.0, -2.0))
    return MindlinPlate(mesh, height, PLAIN, membrane=True)


def beam_bar(height=2.0):
    return straight_beam(LENGTH, Section.rectangle(2.0, height), PLAIN, elements=24)


def axial_body(model):
    """Free body, and its first axial mode with the amplitude of a unit strain."""
    reduced = reduce_model(model, method="free", modes=12)
    body = ElasticBody("bar", reduced)
    elastic = reduced.frequencies[reduced.rigid :]
    mode = int(np.argmin(abs(elastic - pi * WAVE / LENGTH)))
    assert elastic[mode] == pytest.approx(pi * WAVE / LENGTH, rel=1e-3)
    return body, 7 + mode, LENGTH / pi * sqrt(0.5 * body.mass)


@pytest.mark.parametrize("make", [solid_bar, plate_bar, beam_bar])
def test_large_axial_vibration_is_linear(make):
    """A free bar with strains of 30 %: same mass, same frequency, energy conserved."""
    body, mode, unit = axial_body(make())
    q, v = body.reference(), np.zeros(len(body.dofs))
    q[mode] = 0.3 * unit
    own = mode - 1
    assert body.deformation(q).strain == pytest.approx(0.3, rel=0.02)
    assert body.mass_matrix(q)[own, own] == pytest.approx(1.0, abs=1e-9)
    period = 2.0 * pi / body.model.frequencies[body.model.rigid + own - 6]

    def rate(t, y):
        a, b = np.split(y, [len(q)])
        return np.r_[body.rate(a, b), np.linalg.solve(body.mass_matrix(a), body.force(t, a, b))]

    end = solve_ivp(rate, (0.0, 1.25 * period), np.r_[q, v], "DOP853", rtol=1e-8, atol=1e-7)
    a, b = np.split(end.y[:, -1], [len(q)])
    assert a[mode] == pytest.approx(0.0, abs=1e-6 * q[mode])  # five quarters of a period
    energy = body.kinetic_energy(a, b) + body.strain_energy(a)
    assert energy == pytest.approx(body.strain_energy(q), rel=1e-7)


def test_spinning_bar_stretches_by_tan():
    """E u'' = -rho Omega^2 (x + u): tip at tan(kL)/k, k = Omega sqrt(rho/E), here 14 % strain."""
    k = 0.6 / LENGTH
    solid = solid_bar({"x_min": "clamped"})
    loads = {"x_max": PolynomialLoads(0)}
    model = reduce_model(solid, "x_max", modes=12, loads=loads, layer=0.0)
    body = ElasticBody("bar", model, frame=TurningFrame((0.0, 0.0, 1.0), k * WAVE))
    q, v = body.reference(), np.zeros(len(body.dofs))
    for _ in range(8):
        force, by_q, _ = body.evaluate(0.0, q, v)
        q = q - np.linalg.solve(by_q, force)
    tip = body.marker("x_max").at(q, v, 0.0).position
    assert tip[0] == pytest.approx(tan(0.6) / k, rel=1e-3)


def guided_bar(modes, speed=0.0):
    """Bar along z whose nodes move along it, above a floor, and its motion after it hits it."""
    guides = {"x_min": "x", "x_max": "x", "y_min": "y", "y_max": "y"}
    mesh = block(1.0, 1.0, LENGTH, cells=(1, 1, 20))
    solid = ElasticSolid(mesh, PLAIN, "hex1", supports=guides)
    model = reduce_model(solid, "z_min", method="free", modes=modes)
    body = ElasticBody("bar", model)
    law = PenaltyNormal(5e10), ElastoPlastic(0.0, 1e4, 0.0)
    pair = ContactPair(body, elastic_surface(body, "z_min"), RigidFace(None, Plane()), *law)
    system = System([body], [pair])
    start = system.state(q={"bar.uz": 1e-9}, v={"bar.uz": -speed})
    return simulate(system, 2.4 * LENGTH / WAVE, start, step=4e-5, rho_inf=0.9)


def contact_time(motion):
    pressed = [report.pressure.sum() > 0.0 for report in motion.contacts["contact"]]
    return motion.t[np.flatnonzero(pressed)[-1]]


def test_dropped_bar_stays_as_long_as_the_wave_takes():
    """2 L/c (Saint-Venant) at a strain of v/c = 33 %, the nearer the more modes; and it is said."""
    motions = [guided_bar(modes, WAVE / 3.0) for modes in (3, 12)]
    few, many = (abs(contact_time(motion) / (2.0 * LENGTH / WAVE) - 1.0) for motion in motions)
    assert many < 0.02 < few  # 0.4 % and 15 %
    assert "bar: strains up to 4" in motions[1].message  # v/c and the ripple of few modes


def test_small_motion_says_nothing():
    assert "strains" not in guided_bar(3, 0.02 * WAVE).message


# --- rotation: stiffening and buckling -----------------------------------------------------------


@pytest.fixture(scope="module")
def column():
    mesh = block(1.0, 0.02, 0.02, cells=(12, 1, 1)).translated((0.0, -0.01, -0.01))
    steel = Material(210e9, 0.0, 7800.0)
    return reduce_model(ElasticSolid(mesh, steel, supports={"x_min": "clamped"}), modes=8)


def test_buckling_by_own_weight(column):
    """m g L^3/EI = 7.8373 (Greenhill 1881), against the acceleration of the frame along it."""
    K, a = np.diag(column.frequencies**2), column.geometric[0]
    factors = la.eigh(a, K, eigvals_only=True)
    critical = 1.0 / np.abs(factors).max()
    unit = 210e9 * 0.02**2 / 12.0 / 7800.0
    assert critical == pytest.approx(7.8373 * unit, rel=2e-3)


def test_reissner_beam_tends_to_the_series():
    """Slender: the exact series without stretch; the difference falls with the gyration squared."""
    for motion in ("lag", "flap"):
        series = rotating_cantilever_frequencies(5.0, 2, hub_radius=0.5, motion=motion)
        gaps = [
            rotating_reissner_frequencies(5.0, r, 2, hub_radius=0.5, motion=motion) / series - 1.0
            for r in (0.004, 0.002)
        ]
        np.testing.assert_allclose(gaps[0] / gaps[1], 4.0, rtol=0.02)
        assert np.all(np.abs(gaps[1]) < 3e-4)


# --- how far it is deformed ----------------------------------------------------------------------


@pytest.mark.parametrize("make", [solid_bar, plate_bar, beam_bar])
def test_deformation_of_a_bent_body(make):
    """First bending mode of a free bar: the slope is 4.647 w/L at the ends, w = 2 sqrt(1/m) q.

    The motion of the frame does not count.
    """
    body = ElasticBody("bar", reduce_model(make(height=0.2), method="free", modes=1))
    q = body.reference()
    assert body.deformation(q) == (0.0, 0.0)
    q[7] = 0.01 * sqrt(body.mass)
    found = body.deformation(q)
    assert found.rotation == pytest.approx(4.647 * 0.02 / LENGTH, rel=0.03)
    assert found.strain < 0.1 * found.rotation
    turned = body.move(q, np.r_[np.full(6, 0.7), np.zeros(len(q) - 7)])
    assert body.deformation(turned) == found


def test_deformation_of_affine_motions():
    """Every kind of cell has the strain and rotation of the affine motion of its nodes."""
    H = np.array([[0.01, 0.003, 0.0], [-0.003, 0.0, 0.02], [0.0, -0.02, -0.02]])
    solid = ElasticSolid(block(1.0, 2.0, 0.5, cells=(2, 1, 1)), PLAIN)
    reduced = reduce_model(solid, method="free", modes=2)
    moved = replace(
        reduced,
        basis=np.c_[reduced.basis[:, :6], (solid.nodes @ H.T).reshape(-1, 1)],
        frequencies=reduced.frequencies[:7],
    )
    body = ElasticBody("block", moved, frame="fixed")
    found = body.deformation(np.ones(1))
    assert found.strain == pytest.approx(0.02, rel=1e-9)
    assert found.rotation == pytest.approx(np.hypot(0.003, 0.02), rel=1e-9)
