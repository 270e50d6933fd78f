"""Plates that turn in friction contact: the three ways against each other, a disc and motions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import fecontact as fc
from fecontact.mesh import annulus, block, load_mesh, solid_annulus

SPEED, OTHER, HEIGHT, SLOTS = 390.0, 300.0, 0.004, 8
BAND = (0.0, 6000.0)


def slotted(mesh, count, width, inner):
    """The mesh without the cells of radial slots from a radius outward."""
    x, y, _ = mesh.p[:, mesh.t].mean(axis=1)
    angle = np.mod(np.arctan2(y, x), 2.0 * np.pi / count)
    gone = (angle < width) & (np.hypot(x, y) > inner)
    return mesh.restrict(np.flatnonzero(~gone))


def plate_model(slots=SLOTS, modes=13, supports=("inner",)):
    mesh = solid_annulus(0.08, 0.12, -HEIGHT / 2, HEIGHT / 2, 4, 24)
    if slots:
        mesh = slotted(mesh, slots, 2.0 * np.pi / 24 * 1.01, 0.11)
    solid = fc.ElasticSolid(mesh, fc.STEEL, supports=dict.fromkeys(supports, "clamped"))
    contact = "bottom" if supports else ["bottom", "inner"]
    return fc.reduce_model(solid, contact, modes=modes, method="free")


@pytest.fixture(scope="module")
def model():
    return plate_model()


def in_contact(bodies, body, surface, pair=fc.ContactPair, items=(), mu=0.3, density=12e7):
    """A body pressed on a rotor that turns at another speed, on isotropic bearings."""
    rotor = fc.RigidBody(
        "rotor", 0.5, ("ux", "uy", "uz", "rx", "ry"), (2e-3, 2e-3, 4e-3),
        position=(0.0, 0.0, -HEIGHT / 2), spin=OTHER,
    )  # fmt: skip
    bearing = fc.Bearing(
        rotor, 32e6, 3e6, radial_damping=10.0, axial_damping=10.0, tilt_stiffness=2e4,
        tilt_damping=0.1,
    )  # fmt: skip
    spring = fc.PenaltyNormal(density / surface.measure, 10.0 / surface.measure)
    face = fc.RigidFace(rotor, fc.Plane())
    contact = pair(body, surface, face, spring, fc.CoulombSliding(mu))
    load = fc.Force(rotor, (0.0, 0.0, 5000.0))
    more = [item(rotor) for item in items]
    return fc.System([*bodies, rotor], [bearing, load, contact, *more])


def held(model, items=(), face="bottom", **options):
    """The plate held by a spindle that turns."""
    plate = fc.ElasticBody(
        "plate", model, frame=fc.TurningFrame((0.0, 0.0, 1.0), SPEED), damping=1e-4
    )
    return in_contact([plate], plate, fc.elastic_surface(plate, face), items=items, **options)


def one_sided(rotor):
    """A bearing along x alone."""
    at = (-1.0, 0.0, -HEIGHT / 2)
    return fc.SpringDamper(
        None, rotor, stiffness=2e7, point_a=at, point_b=(0.0, 0.0, 0.0), name="one-sided"
    )


def nearest(value, values):
    return values[np.argmin(np.abs(values - value))]


@pytest.fixture(scope="module")
def rotating(model):
    return fc.operating_point(held(model), band=BAND, frame="rotating")


def test_rotating_frame_and_floquet_agree(model, rotating):
    """The same growth rates; frequencies differ by multiples of the speed."""
    other = fc.operating_point(held(model), band=BAND, frame="floquet", repeats=SLOTS)
    ours, theirs = np.sort(rotating.modes.growth), np.sort(other.modes.growth)
    slow = ours > -500.0
    np.testing.assert_allclose(theirs[slow], ours[slow], rtol=1e-4, atol=1e-2)
    assert other.aliasing == pytest.approx(SLOTS * SPEED / (2.0 * np.pi))
    seen = rotating.in_space()[0]
    assert other.modes.leading_frequency == pytest.approx(seen.frequency, rel=1e-5)
    assert seen.fraction > 0.8
    assert rotating.frame == "rotating"
    assert rotating.neglects.startswith("nothing")


def test_balance_of_power_adds_up_in_a_frame(rotating):
    balance = rotating.balance()
    assert balance.error < 1e-8
    assert balance.source.label == "contact, friction by pressure"
    inertia = next(term for term in balance.terms if term.item == "frame")
    assert abs(inertia.total) < 1e-6 * balance.growth


def compared(mean, exact, direct, shifted):
    """Growing modes of the mean against those of the exact way, without and with the estimate."""
    growing = np.flatnonzero(mean.modes.growth > 5.0)
    for j in growing:
        value, shift = mean.modes.growth[j], mean.asymmetry.shift[j].real
        near = nearest(value + shift, exact.modes.growth)
        assert value == pytest.approx(near, rel=direct)
        assert value + shift == pytest.approx(near, rel=shifted)
    return len(growing)


def test_mean_over_a_turn_of_equal_sectors(model, rotating):
    """Nearly exact: waves k and k - 8 run together, the pair of four diameters rides."""
    mean = fc.operating_point(held(model), band=BAND, frame="axisymmetric")
    waves = mean.asymmetry.waves["plate"]
    assert waves.sectors == SLOTS
    assert waves.pure.min() > 0.7
    assert mean.asymmetry.holds.all()
    assert compared(mean, rotating, 5e-3, 2e-4) >= 4
    seen, known = mean.in_space()[:2], rotating.in_space()[:2]
    for one, two in zip(seen, known, strict=True):
        assert one.frequency == pytest.approx(two.frequency, rel=1e-4)
        assert one.fraction == pytest.approx(two.fraction, rel=1e-2)
    assert seen[1].turns == -SLOTS
    assert "leading mode's stiffness" in mean.neglects


def test_mean_over_a_turn_of_an_uneven_plate():
    """Thickness that changes by 3 % splits pairs a little: 5 %, with the estimate 1 %."""
    mesh = solid_annulus(0.08, 0.12, -HEIGHT / 2, HEIGHT / 2, 4, 24)
    x, y, z = mesh.p
    phi = np.arctan2(y, x)
    uneven = 0.03 * (np.cos(4 * phi) + 0.5 * np.cos(phi + 1.0) + 0.7 * np.cos(6 * phi))
    points = np.vstack([x, y, np.where(z > 0.0, z * (1.0 + uneven), z)])
    mesh = replace(mesh, doflocs=points)
    solid = fc.ElasticSolid(mesh, fc.STEEL, supports={"inner": "clamped"})
    system = held(fc.reduce_model(solid, "bottom", modes=13, method="free"))
    exact, mean = (
        fc.operating_point(system, band=BAND, frame=frame) for frame in ("rotating", "axisymmetric")
    )
    assert mean.asymmetry.waves["plate"].sectors == 1
    assert mean.asymmetry.waves["plate"].split.max() > 0.004
    assert compared(mean, exact, 0.05, 0.01) >= 4


def test_mean_refuses_pairs_that_split():
    """A plate with one wide slot has standing waves, and does not even squeal."""
    mesh = solid_annulus(0.08, 0.12, -HEIGHT / 2, HEIGHT / 2, 4, 24)
    x, y, _ = mesh.p[:, mesh.t].mean(axis=1)
    gone = (np.abs(np.arctan2(y, x) - 0.25) < 0.26) & (np.hypot(x, y) > 0.09)
    mesh = mesh.restrict(np.flatnonzero(~gone))
    solid = fc.ElasticSolid(mesh, fc.STEEL, supports={"inner": "clamped"})
    system = held(fc.reduce_model(solid, "bottom", modes=11, method="free"))
    with pytest.raises(fc.InputError, match="does not stay in the mean over a turn"):
        fc.operating_point(system, band=(0.0, 4400.0), frame="axisymmetric")


def test_growth_in_time(model):
    """A motion of the nonlinear system in space, by an adaptive method of order 8."""
    system = held(model, mu=0.6)
    point = fc.operating_point(system, band=BAND, frame="rotating")
    motions = [
        fc.simulate(system, 0.0016, start, "ode", 1e-5, rtol=1e-7)
        for start in (point.start(1e-8), point.undisturbed())
    ]
    z = point.measured(*motions)
    assert point.modes.leading_growth > 50.0
    assert z.real == pytest.approx(point.modes.leading_growth, rel=0.01)
    assert abs(z.imag) / (2.0 * np.pi) == pytest.approx(point.modes.leading_frequency, rel=1e-4)


def test_one_sided_bearing(model):
    """It is refused in the rotating frame, and exact in the others for a plate without slots."""
    with pytest.raises(fc.InputError, match="'one-sided' is not"):
        fc.operating_point(held(model, [one_sided]), band=BAND, frame="rotating")
    round_plate = held(plate_model(slots=0), [one_sided])
    mean, exact = (
        fc.operating_point(round_plate, band=BAND, frame=frame)
        for frame in ("axisymmetric", "floquet")
    )
    np.testing.assert_allclose(mean.modes.eigenvalues, exact.modes.eigenvalues, rtol=1e-6)
    assert np.abs(mean.asymmetry.shift).max() < 1e-4


INNER, OUTER = 0.06, 0.12


@pytest.fixture(scope="module")
def shell():
    mesh = annulus(INNER, OUTER, 8, 64)
    model = fc.KirchhoffPlate(mesh, HEIGHT, fc.STEEL, supports={"inner": "clamped"})
    return fc.reduce_model(model, "bottom", modes=9, method="free")


def shell_body(model):
    frame = fc.TurningFrame((0.0, 0.0, 1.0), SPEED)
    return fc.ElasticBody("plate", model, frame=frame, geometric_stiffness=False)


@pytest.fixture(scope="module")
def harmonic_disc():
    """The same plate as a spinning disc, and rings of points all over its face."""
    plate = fc.HarmonicPlate(INNER, OUTER, HEIGHT, fc.STEEL, {"inner": "clamped"})
    disc = fc.SpinningDisc("plate", fc.reduce_harmonic(plate, 0.1, 4, 1), SPEED)
    rings, around = 16, 48
    width = (OUTER - INNER) / rings
    r = INNER + width * (np.arange(rings) + 0.5)
    phi = 2.0 * np.pi * np.arange(around) / around
    points = np.array([(a * np.cos(b), a * np.sin(b), -HEIGHT / 2) for a in r for b in phi])
    return disc, fc.Surface(points, np.repeat(2.0 * np.pi * r * width / around, around))


def test_annulus_is_the_spinning_disc(shell, harmonic_disc):
    """Three ways agree; a disc of harmonic shapes does up to the error of the mesh."""
    plate = shell_body(shell)
    meshed = in_contact([plate], plate, fc.elastic_surface(plate, "bottom"), density=2e7)
    found = [
        fc.operating_point(meshed, band=BAND, frame=frame)
        for frame in ("rotating", "axisymmetric", "floquet")
    ]
    growths = [np.sort(point.modes.growth) for point in found]
    np.testing.assert_allclose(growths[1], growths[0], rtol=1e-6)
    np.testing.assert_allclose(growths[2], growths[0], rtol=1e-4)
    disc, surface = harmonic_disc
    exact = fc.operating_point(in_contact([disc], disc, surface, fc.EulerianPair, density=2e7))
    ours, theirs = found[1].modes, exact.modes.within(BAND)
    # frequencies of this mesh are 1.5 % below those of the harmonic plate, half of it with 16 x 128
    assert ours.leading_growth == pytest.approx(theirs.leading_growth, rel=0.03)
    assert ours.leading_frequency == pytest.approx(theirs.leading_frequency, rel=0.02)


def geared(body, surface, pair):
    """A body pressed on a shaft whose gear meshes with a wheel of prescribed speed."""
    dofs, at = ("ux", "uy", "uz", "spin"), (0.0, 0.0, -HEIGHT / 2)
    shaft = fc.RigidBody("shaft", 0.5, dofs, (1e-3, 1e-3, 1e-3), at)
    wheel = fc.RigidBody("wheel", 1.0, (), position=(0.2, 0.0, -HEIGHT / 2), spin=-OTHER)
    gears = fc.GearPair((30, 30), 0.09, 0.2, 0.3)
    spring = fc.PenaltyNormal(2e7 / surface.measure, 10.0 / surface.measure)
    face = fc.RigidFace(shaft, fc.Plane())
    return fc.System([body, shaft, wheel], [
        fc.Bearing(shaft, 3e7, 3e6, radial_damping=10.0, axial_damping=10.0),
        fc.Force(shaft, (0.0, 0.0, 5000.0)),
        pair(body, surface, face, spring, fc.CoulombSliding(0.3)),
        fc.GearMesh(shaft, wheel, gears, "rear"),
    ])  # fmt: skip


def test_gear_in_space(harmonic_disc, shell):
    """Its line of action stands in space: refused in the rotating frame, else as the disc has it.

    The loaded flank is found, whichever is given.
    """
    plate = shell_body(shell)
    meshed = geared(plate, fc.elastic_surface(plate, "bottom"), fc.ContactPair)
    with pytest.raises(fc.InputError, match="'gear mesh' is not"):
        fc.operating_point(meshed, band=BAND, frame="rotating")
    mean, exact = (
        fc.operating_point(meshed, band=BAND, frame=frame) for frame in ("axisymmetric", "floquet")
    )
    np.testing.assert_allclose(np.sort(exact.modes.growth), np.sort(mean.modes.growth), rtol=1e-4)
    disc, surface = harmonic_disc
    known = fc.operating_point(geared(disc, surface, fc.EulerianPair)).modes.within(BAND)
    assert mean.system.rows == ("gear mesh.front",)
    assert mean.modes.leading_growth == pytest.approx(known.leading_growth, rel=0.05)
    assert mean.modes.leading_frequency == pytest.approx(known.leading_frequency, rel=0.02)


def on_a_shaft(mu):
    """A free plate, welded to a driven shaft with three rotations."""
    plate = fc.ElasticBody("plate", plate_model(modes=12, supports=()), damping=1e-4)
    shaft = fc.RigidBody("shaft", 2.0, fc.DOFS, inertia=(2e-3, 2e-3, 4e-3))
    joints = [
        fc.RigidJoint(shaft, plate, point_b="inner", name="weld"),
        fc.Bearing(shaft, 1e8, 1e8, tilt_stiffness=1e6, name="shaft bearing"),
        fc.PrescribedMotion(fc.DofCoordinate(shaft, "rz"), fc.Speed(SPEED), level="velocity"),
    ]
    system = in_contact([plate, shaft], plate, fc.elastic_surface(plate, "bottom"), mu=mu)
    loads = [item for item in system.items if item not in system.bodies]
    return fc.System(system.bodies, [*loads, *joints])


def test_plate_on_a_shaft():
    """Rotating frame and Floquet agree."""
    system = on_a_shaft(0.3)
    one = fc.operating_point(system, band=BAND, frame="rotating")
    two = fc.operating_point(system, band=BAND, frame="floquet", repeats=SLOTS)
    assert one.speed == pytest.approx(SPEED)
    ours, theirs = np.sort(one.modes.growth), np.sort(two.modes.growth)
    np.testing.assert_allclose(theirs[ours > -500.0], ours[ours > -500.0], rtol=1e-3, atol=1e-2)
    assert one.balance().error < 1e-6


@pytest.mark.slow
def test_plate_on_a_shaft_in_time():
    """Steps of 4e-6 s miss the growth by 3e-4, those of 2e-6 s by 7e-5: of second order."""
    system = on_a_shaft(0.6)
    point = fc.operating_point(system, band=BAND, frame="rotating")
    motions = [
        fc.simulate(system, 0.003, start, "implicit", 2e-5, step=4e-6)
        for start in (point.start(1e-8), point.undisturbed())
    ]
    z = point.measured(*motions)
    assert point.modes.leading_growth > 50.0
    assert z.real == pytest.approx(point.modes.leading_growth, rel=2e-3)
    assert abs(z.imag) / (2.0 * np.pi) == pytest.approx(point.modes.leading_frequency, rel=5e-4)


def test_beam_with_a_rectangular_section_about_its_axis():
    """Unstable between its two bending frequencies, as the rotor with two stiffnesses."""
    mesh = block(0.01, 0.012, 0.4, cells=(1, 1, 24)).translated((-0.005, -0.006, 0.0))
    solid = fc.ElasticSolid(mesh, fc.STEEL, supports={"z_min": "clamped"})
    model = fc.reduce_model(solid, modes=2)
    first = model.frequencies
    for part in (-0.1, 0.1, 0.5, 0.9, 1.1):
        speed = first[0] + part * (first[1] - first[0])
        frame = fc.TurningFrame((0.0, 0.0, 1.0), float(speed))
        beam = fc.ElasticBody("beam", model, frame=frame, geometric_stiffness=False)
        point = fc.operating_point(fc.System([beam]), frame="rotating", band=(0.0, 1e4))
        a, b = first**2 - speed**2
        squares = np.roots([1.0, a + b + 4.0 * speed**2, a * b])
        growth = np.sqrt(max(squares.max(), 0.0))
        assert point.modes.growth.max() == pytest.approx(growth, rel=0.01, abs=1e-6 * speed)


def test_without_a_frame_it_is_refused(model):
    """Matrices of one instant say nothing: tilts of the rotor meet all sides of the plate."""
    with pytest.raises(fc.InputError, match=r"body 'plate' turns past what stands in space"):
        fc.operating_point(held(model))


def test_bad_frames(model):
    plate = fc.ElasticBody("plate", model, frame=fc.TurningFrame((1.0, 0.0, 0.0), SPEED))
    with pytest.raises(fc.InputError, match=r"invalid frame of body .plate.*about the z axis"):
        fc.operating_point(fc.System([plate]), frame="rotating")
    frames = [fc.TurningFrame((0.0, 0.0, 1.0), speed) for speed in (100.0, 150.0)]
    bodies = [
        fc.ElasticBody(name, model, frame=each)
        for name, each in zip(("one", "two"), frames, strict=True)
    ]
    with pytest.raises(fc.InputError, match="invalid speeds of turning bodies: expected one"):
        fc.operating_point(fc.System(bodies), frame="floquet")


@pytest.mark.slow
def test_toothed_plate_from_a_mesh_file():
    """The lamella of 18 teeth, unstructured cells: growth in time, and by the three ways."""
    mesh = load_mesh(Path(__file__).parents[2] / "meshes" / "lamella.msh")
    mesh = mesh.translated((0.0, 0.0, -HEIGHT / 2))
    solid = fc.ElasticSolid(mesh, fc.STEEL, supports={"teeth": "clamped"})
    model = fc.reduce_model(solid, "friction_bottom", modes=13, method="free")
    system, band = held(model, face="friction_bottom", mu=0.5), (0.0, 8e3)
    exact, mean, floquet = (
        fc.operating_point(system, band=band, frame=frame)
        for frame in ("rotating", "axisymmetric", "floquet")
    )
    growth = exact.modes.leading_growth
    assert growth > 20.0
    assert floquet.modes.leading_growth == pytest.approx(growth, rel=0.01)
    assert mean.modes.leading_growth == pytest.approx(growth, rel=0.05)
    assert mean.asymmetry.holds[mean.modes.leading]
    assert 1e-4 < mean.asymmetry.waves["plate"].split.max() < 0.01
    motions = [
        fc.simulate(system, 0.002, start, "ode", 1e-5, rtol=1e-7)
        for start in (exact.start(1e-8), exact.undisturbed())
    ]
    assert exact.measured(*motions).real == pytest.approx(growth, rel=0.01)
