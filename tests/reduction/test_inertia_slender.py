"""Shape integrals of beams and plates: closed forms, direct quadrature, the body as a solid."""

from dataclasses import fields

import numpy as np
import pytest
from numpy.testing import assert_allclose
from skfem import Basis

from fecontact.fem import (
    STEEL,
    Beam,
    ElasticSolid,
    KirchhoffPlate,
    Material,
    MindlinPlate,
    Section,
    Segment,
    StationMass,
    straight_beam,
)
from fecontact.fem.mass_field import mass_field
from fecontact.mesh import annulus, block, rectangle
from fecontact.reduction import load_reduced, reduce_model, save_reduced
from fecontact.reduction.craig_bampton import interface_unknowns
from fecontact.reduction.geometric import UNIT_LOADS, unit_inertia_loads
from fecontact.reduction.inertia import inertia_integrals

RHO = STEEL.density
WIDTH, HEIGHT = 0.03, 0.02
BAR = Section.rectangle(WIDTH, HEIGHT)
THIN = Section.rectangle(WIDTH, 0.4 * HEIGHT)


def chain(theory="timoshenko", motion="spatial", masses=()):
    """Bar that splits into two thinner ones: y and z offsets, a delamination."""
    return Beam(
        [
            Segment(0.1, 0.3, BAR, STEEL, 2, (0.004, -0.003)),
            Segment(0.3, 0.5, THIN, STEEL, 2, (0.001, 0.007)),
            Segment(0.3, 0.5, THIN, STEEL, 3, (-0.002, -0.006)),
        ],
        theory=theory,
        motion=motion,
        masses=masses,
    )


def box(size, centre):
    """Mass, centre and inertia tensor about the origin of a box of steel."""
    mass, size, c = RHO * np.prod(size), np.asarray(size), np.asarray(centre)
    own = mass / 12 * np.diag(np.sum(size**2) - size**2)
    return mass, mass * c, own + mass * (c @ c * np.eye(3) - np.outer(c, c))


def added(*parts):
    return [sum(values) for values in zip(*parts, strict=True)]


def point(mass, moments, place):
    c = np.asarray(place)
    return mass, mass * c, np.diag(moments) + mass * (c @ c * np.eye(3) - np.outer(c, c))


BOXES = added(
    box((0.2, WIDTH, HEIGHT), (0.2, 0.004, -0.003)),
    box((0.2, WIDTH, 0.4 * HEIGHT), (0.4, 0.001, 0.007)),
    box((0.2, WIDTH, 0.4 * HEIGHT), (0.4, -0.002, -0.006)),
)
MASSES = (StationMass("right", 0.7, (2e-3, 1e-3, 5e-4)), StationMass("left", 0.0, (0.0, 3e-3, 0.0)))
WITH_MASSES = added(
    BOXES, point(0.7, (2e-3, 1e-3, 5e-4), (0.5, 0, 0)), point(0.0, (0, 3e-3, 0), (0.1, 0, 0))
)


@pytest.mark.parametrize("theory", ["timoshenko", "euler_bernoulli"])
@pytest.mark.parametrize("motion", ["spatial", "planar"])
@pytest.mark.parametrize(("masses", "expected"), [((), BOXES), (MASSES, WITH_MASSES)])
def test_rigid_chain(theory, motion, masses, expected):
    """Mass, centre and inertia tensor of the three boxes and of what hangs on them."""
    beam = chain(theory, motion, masses)
    found = inertia_integrals(beam, np.zeros((beam.mass.shape[0], 0)))
    assert found.mass == pytest.approx(expected[0], rel=1e-12)
    assert_allclose(found.first_moment, expected[1], rtol=1e-12, atol=1e-15)
    assert_allclose(found.inertia, expected[2], rtol=1e-12, atol=1e-15)


def kirchhoff(mesh):
    return KirchhoffPlate(mesh, 0.01, STEEL)


def mindlin(mesh, membrane=True):
    return MindlinPlate(mesh, 0.01, STEEL, membrane=membrane)


PLATES = {
    "kirchhoff": lambda: kirchhoff(rectangle(0.2, 0.1, cells=(3, 2), cell="tri")),
    "mindlin": lambda: mindlin(rectangle(0.2, 0.1, cells=(3, 2), order=2)),
    "mindlin, no membrane": lambda: mindlin(rectangle(0.2, 0.1, cells=(3, 2)), membrane=False),
}


@pytest.mark.parametrize("name", PLATES)
def test_rigid_plate(name):
    """The plate is a box of its thickness, also where the mass matrix neglects rotary inertia."""
    plate = PLATES[name]()
    found = inertia_integrals(plate, np.zeros((plate.mass.shape[0], 0)))
    low, high = plate.mesh.p.min(axis=1), plate.mesh.p.max(axis=1)
    mass, first, inertia = box((*(high - low), 0.01), (*(0.5 * (low + high)), 0.0))
    assert found.mass == pytest.approx(mass, rel=1e-12)
    assert_allclose(found.first_moment, first, atol=1e-13)
    assert_allclose(found.inertia, inertia, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("kind", [kirchhoff, mindlin])
def test_rigid_disc(kind):
    """Annulus: J_z = m (a^2 + b^2)/2, J_x = J_z/2 + m h^2/12, polygons tend to it quadratically."""
    errors = []
    for around in (24, 48):
        cell = "tri" if kind is kirchhoff else "quad"
        plate = kind(annulus(0.06, 0.11, 2, around, cell=cell))
        found = inertia_integrals(plate, np.zeros((plate.mass.shape[0], 0)))
        mass = RHO * 0.01 * np.pi * (0.11**2 - 0.06**2)
        polar = mass * (0.06**2 + 0.11**2) / 2
        exact = np.diag([polar / 2 + mass * 0.01**2 / 12] * 2 + [polar])
        errors.append(np.abs(found.inertia - exact).max() / polar)
    assert errors[1] < 6e-3
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.02)


BODIES = {
    **{
        f"beam, {theory}": lambda t=theory: chain(t) for theory in ("timoshenko", "euler_bernoulli")
    },
    "planar beam": lambda: chain(motion="planar"),
    **PLATES,
}


def gauss(count, extent):
    x, weights = np.polynomial.legendre.leggauss(count)
    return 0.5 * extent * x, 0.5 * weights


def beam_samples(beam, shapes):
    """Mass, place and displacement of points all over the boxes: tensor Gauss rules."""
    xi, along = gauss(5, 1.0)
    u = beam.elements.motion(xi + 0.5)[0]
    masses, places, fields = [], [], []
    owners = np.repeat(np.arange(len(beam.segments)), np.diff(beam.chain.first_element))
    for e, owner in enumerate(owners):
        s = beam.segments[owner]
        (y, wy), (z, wz) = gauss(2, s.section.width), gauss(2, s.section.height)
        start, length = (
            beam.chain.segment_nodes[beam.chain.connectivity[e, 0]],
            beam.elements.length,
        )
        for g, weight in enumerate(along):
            motion = beam.chain.scatter(u[e : e + 1, g], np.array([e]))[:, beam._kept] @ shapes
            turn = motion[3:].copy()
            if not beam.elements.shear:
                turn[1:] = 0.0  # the theory: bending does not move the corners of the section
            for j in range(2):
                for k in range(2):
                    arm = np.array([0.0, y[j], z[k]])
                    masses.append(RHO * s.section.area * length[e] * weight * wy[j] * wz[k])
                    fields.append(motion[:3] + np.cross(turn.T, arm).T)
                    arm[0] = length[e] * (xi[g] + 0.5)
                    places.append(start + arm)
    return np.array(masses), np.array(places), np.array(fields)


def plate_samples(plate, shapes):
    """The same for plates, with the fields that scikit-fem interpolates at finer points."""
    basis = Basis(plate.basis.mesh, plate.basis.elem, intorder=8)
    masses, places, fields = [], [], []
    x, y = np.asarray(basis.global_coordinates()).reshape(2, -1)
    for z, weight in zip(*gauss(2, plate.thickness), strict=True):
        masses.append(RHO * plate.thickness * weight * basis.dx.ravel())
        places.append(np.column_stack([x, y, np.full_like(x, z)]))
        columns = []
        for shape in shapes.T:
            parts = basis.interpolate(shape)
            if isinstance(plate, KirchhoffPlate):
                u = np.zeros((3, len(x)))
                u[2] = np.asarray(parts).ravel()
            else:
                w, psi, *membrane = (np.asarray(part).reshape(-1, len(x)) for part in parts)
                u = np.concatenate([z * psi + (membrane[0] if membrane else 0.0), w])
            columns.append(u.T)
        fields.append(np.stack(columns, axis=-1))
    return np.concatenate(masses), np.concatenate(places), np.concatenate(fields)


@pytest.mark.parametrize("name", BODIES)
def test_motion_against_direct_quadrature(name):
    """Momentum, angular momentum and energy of random large motions of the deformed body."""
    model = BODIES[name]()
    rng = np.random.default_rng(0)
    shapes = 1e-2 * rng.standard_normal((model.mass.shape[0], 3))
    samples = beam_samples if isinstance(model, Beam) else plate_samples
    mass, x, Phi = samples(model, shapes)
    integrals = inertia_integrals(model, shapes)
    for _ in range(4):
        v0, w, q, rate = rng.standard_normal((4, 3))
        place = x + Phi @ q
        velocity = v0 + np.cross(w, place) + Phi @ rate
        M = integrals.mass_matrix(q)
        M[6:, 6:] = shapes.T @ (model.mass @ shapes)  # these shapes are not mass-orthonormal
        speed = np.concatenate([v0, w, rate])
        assert_allclose((M @ speed)[:3], mass @ velocity, rtol=1e-10, atol=1e-13)
        spin = mass @ np.cross(place, velocity)
        assert_allclose((M @ speed)[3:6], spin, rtol=1e-10, atol=1e-13)
        energy = mass @ np.sum(velocity**2, axis=1)
        assert speed @ M @ speed == pytest.approx(energy, rel=1e-11)


@pytest.mark.parametrize("name", BODIES)
def test_mass_field_gives_the_mass_matrix(name):
    model = BODIES[name]()
    M = mass_field(model).form(np.eye(3))
    assert abs(M - model.mass).max() <= 1e-14 * abs(model.mass).max()


@pytest.mark.parametrize("name", [*BODIES, "masses"])
def test_elastic_modes_carry_no_momentum(name):
    """Free modes are orthogonal to the rigid-body modes of the model.

    A plate without membrane motion cannot carry the other momenta at all. The planar model of a
    beam with offsets in y cannot turn about x and z, so its modes carry these two.
    """
    model = chain(masses=MASSES) if name == "masses" else BODIES[name]()
    reduced = reduce_model(model, modes=5, method="free")
    elastic, scale = slice(reduced.rigid, None), np.sqrt(reduced.inertia.mass)
    assert_allclose(reduced.inertia.translation[:, elastic], 0.0, atol=1e-8 * scale)
    axes = [1] if name == "planar beam" else [0, 1, 2]
    assert_allclose(reduced.inertia.rotation[axes, elastic], 0.0, atol=1e-8 * scale * 0.1)


@pytest.mark.parametrize("name", ["beam, euler_bernoulli", "kirchhoff"])
def test_integrals_survive_the_file(tmp_path, name):
    """The reader checks shapes of arrays and that half the trace of J_2 is the mass matrix."""
    reduced = reduce_model(BODIES[name](), modes=3, method="free")
    save_reduced(reduced, tmp_path / "body.h5")
    loaded = load_reduced(tmp_path / "body.h5").inertia
    for part in fields(loaded):
        assert_allclose(getattr(loaded, part.name), getattr(reduced.inertia, part.name), rtol=0)


PLAIN = Material(210e9, 0.0, 7800.0)  # a beam has no Poisson effect


def first_modes(model, direction, count):
    """Integrals of the lowest modes that move along an axis; signs by the translation."""
    reduced = reduce_model(model, method="free", modes=10, floating_frame=False)
    force = inertia_integrals(model, reduced.basis).translation
    along = np.abs(force[direction]) > 0.9 * np.linalg.norm(force, axis=0)
    chosen = np.flatnonzero(along)[:count]
    shapes = reduced.basis[:, chosen] * np.sign(force[direction, chosen])
    return inertia_integrals(model, shapes)


SLENDER = (0.5, 0.02, 0.01)


@pytest.fixture(scope="module")
def bar():
    _, width, height = SLENDER
    mesh = block(*SLENDER, cells=(16, 1, 1)).translated((0.0, -0.5 * width, -0.5 * height))
    return ElasticSolid(mesh, PLAIN, supports={"x_min": "clamped"})


def as_beam(theory):
    section = Section.rectangle(*SLENDER[1:])
    return straight_beam(SLENDER[0], section, PLAIN, {"left": "clamped"}, theory=theory)


def as_kirchhoff():
    length, width, height = SLENDER
    mesh = rectangle(length, width, cells=(32, 2), cell="tri").translated((0.0, -0.5 * width))
    return KirchhoffPlate(mesh, height, PLAIN, {"x_min": "clamped"})


def as_mindlin():
    length, width, height = SLENDER
    mesh = rectangle(length, width, cells=(16, 1)).translated((0.0, -0.5 * width))
    return MindlinPlate(mesh, height, PLAIN, {"x_min": "clamped"}, membrane=True)


@pytest.mark.parametrize(
    "make",
    [lambda: as_beam("timoshenko"), lambda: as_beam("euler_bernoulli"), as_kirchhoff, as_mindlin],
    ids=["timoshenko", "euler_bernoulli", "kirchhoff", "mindlin"],
)
def test_the_same_body_as_a_solid(bar, make):
    """Flap modes of a slender cantilever: all integrals agree with those of the solid.

    What the theories neglect is of the order of the square of height times wave number.
    """
    model = make()
    solid, found = (first_modes(m, 2, 2) for m in (bar, model))
    rotary = not (isinstance(model, KirchhoffPlate) or getattr(model, "theory", "")[:5] == "euler")
    size, mass = SLENDER[0], np.sqrt(solid.mass)
    tolerance = 2e-3
    assert_allclose(found.inertia, solid.inertia, atol=1e-10 * solid.inertia.max())
    assert_allclose(found.translation, solid.translation, atol=tolerance * mass)
    assert_allclose(found.rotation, solid.rotation, atol=tolerance * mass * size)
    assert_allclose(found.inertia_first, solid.inertia_first, atol=tolerance * mass * size)
    # axial motion of the turning sections: int rho Phi_x Phi_z vanishes, int rho Phi_x^2 does not
    assert_allclose(found.coupling, solid.coupling, atol=tolerance)
    assert_allclose(found.inertia_second, solid.inertia_second, atol=tolerance)
    axial = solid.inertia_second[2, 2]
    if rotary:
        assert_allclose(found.inertia_second[2, 2], axial, rtol=0.02, atol=0.02 * axial.max())
    else:
        assert_allclose(found.inertia_second[2, 2], 0.0, atol=1e-12)


def torsion(model):
    """Geometric stiffness less softening of the first torsional mode, per spin about x, y, z."""
    reduced = reduce_model(model, method="free", modes=8)
    first = np.argmax(np.abs(reduced.inertia.rotation[0]))
    stiffening = [reduced.geometric[UNIT_LOADS.index(f"omega_{i} omega_{i}")] for i in "xyz"]
    softening = [reduced.inertia.inertia_second[i, i] for i in range(3)]
    return [(K - N)[first, first] for K, N in zip(stiffening, softening, strict=True)]


def test_torsion_of_a_blade_as_a_solid():
    """Propeller moment and screwed fibres: the stress of the solid has both.

    Spin about its own axis leaves the twist alone. Of the tension N i^2 theta'^2 of the fibres the
    shear strain of the twist takes N J/(4 A) theta'^2 in the solid, linear in Biot's strain; beside
    the torsional stiffness that is the strain of the tension, which the beam leaves out. The lowest
    mode sin(pi x/2L) has N i^2 theta'^2 -> pi^2/4 (1/3 + 1/pi^2) by centrifugal tension.
    """
    length, width, height = 0.5, 0.04, 0.01
    mesh = block(length, width, height, cells=(16, 2, 1))
    mesh = mesh.translated((0.0, -0.5 * width, -0.5 * height))
    solid = ElasticSolid(mesh, STEEL, supports={"x_min": "clamped"})
    beam = straight_beam(length, Section.rectangle(width, height), STEEL, {"left": "clamped"})
    found, expected = np.array(torsion(beam)), np.array(torsion(solid))
    gyration = (width**2 + height**2) / 12.0
    twist = 0.281 * width * height**3 / (4.0 * width * height)  # Saint-Venant, width = 4 height
    lost = np.pi**2 / 4.0 * (1.0 / 3.0 + np.pi**-2) * twist / gyration
    assert_allclose(found - [0.0, lost, lost], expected, atol=0.003 * max(expected))
    assert expected[2] > 1.9  # about z the blade is flat: 1 of the moment and the tension
    assert abs(found[0]) < 1e-9


def test_held_interface_takes_part_of_the_tension():
    """Method "fixed": the tension is that of the beam with its interface held, a dense solution."""
    pieces = [
        Segment(0.0, 0.4, BAR, STEEL, 4, name="shaft"),
        Segment(0.4, 0.5, BAR, STEEL, 2, name="tip"),
    ]
    model = Beam(pieces, {"left": "clamped"})
    reduced = reduce_model(model, method="fixed", interface="tip.top", modes=4)
    inside = np.setdiff1d(model.free, interface_unknowns(model, ("tip.top",)))
    load = unit_inertia_loads(model)[:, 0]
    u = np.zeros(len(load))
    u[inside] = np.linalg.solve(model.stiffness[inside][:, inside].toarray(), load[inside])
    expected = reduced.basis.T @ (model.geometric_stiffness(u) @ reduced.basis)
    assert_allclose(reduced.geometric[0], expected, atol=1e-9 * np.abs(expected).max())
    as_supported = model.inertia_stiffness(np.eye(3)[0], np.zeros((3, 3)))
    other = reduced.basis.T @ (as_supported @ reduced.basis)
    assert np.abs(other - expected).max() > 0.1 * np.abs(expected).max()
