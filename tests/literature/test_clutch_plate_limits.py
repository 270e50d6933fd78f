"""Limits of the clutch plate in the gearbox that other cases know: a rigid plate, a round one."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import fecontact as fc

case = fc.load_module("gearbox/clutch_plate")
radial = case.radial
LOCKED = 1e9
"""Stiffness in N m/rad against tilt."""


def ring_of(surface: fc.Surface, radius: float) -> fc.Surface:
    """The points of a facing next to a radius, with the weights of its circle."""
    r = np.hypot(*surface.points[:, :2].T)
    on = np.abs(r - r[np.argmin(np.abs(r - radius))]) < 1e-5
    weights = 2.0 * np.pi * r[on].mean() * surface.weights[on] / surface.weights[on].sum()
    return fc.Surface(surface.points[on], weights, surface.shapes[on])


def pressed(p: Any, disc: fc.ElasticBody, shaft: fc.RigidBody, ring: fc.Surface) -> fc.System:
    """Plate on the shaft of `gearbox_radial`, pressed with one ring on the engine plate."""
    at, height = (p.centre_distance, 0.0, 0.0), float(ring.points[0, 2])
    counter = fc.RigidBody("countershaft", 1.0, (), position=at, spin=-p.shaft_speed)
    engine = fc.RigidBody("engine plate", p.plate_mass, ("uz",), position=(0.0, 0.0, height),
                          spin=p.plate_speed)  # fmt: skip
    spring = fc.PenaltyNormal(p.contact_stiffness / ring.measure, p.contact_damping / ring.measure)
    face, friction = fc.RigidFace(engine, fc.Plane()), fc.CoulombSliding(p.friction)
    return fc.System(
        [disc, shaft, counter, engine],
        [
            fc.RigidJoint(disc, shaft, name="spline"),
            fc.Bearing(shaft, p.radial_stiffness, p.axial_stiffness, p.radial_damping,
                       p.axial_damping, tilt_stiffness=LOCKED),
            fc.Bearing(engine, 0.0, p.plate_stiffness, 0.0, p.plate_damping, name="plate bearing"),
            fc.Force(shaft, (0.0, 0.0, -p.load)),
            radial.gearbox.teeth(p, shaft, counter),
            fc.ContactPair(disc, ring, face, spring, friction, "clutch"),
        ],
    )  # fmt: skip


def turning_modes(p: Any, system: fc.System, **options: Any) -> fc.ComplexModes:
    """Modes from a closed clutch."""
    speeds = dict.fromkeys(("plate.rz", "input shaft.rz"), p.shaft_speed)
    near = dict.fromkeys(("plate.uz", "input shaft.uz"), -p.load / p.contact_stiffness)
    start = system.state(q=near, v=speeds)
    return fc.operating_point(system, start, frame="axisymmetric", **options).modes


@pytest.mark.parametrize(("slip", "slope"), [(-50.0, 0.55), (50.0, 0.8)])
def test_rigid_plate_is_that_of_jehle(slip: float, slope: float) -> None:
    """10 000 times as stiff, one ring, no tilt, rigid teeth: `gearbox_radial` with this plate."""
    mesh = fc.load_mesh(fc.mesh_folder() / "clutch_plate.msh")
    with warnings.catch_warnings(action="ignore"):  # stiffer than diamond on purpose
        steel, facing = (replace(m, young=1e4 * m.young) for m in (fc.STEEL, fc.FACING))
        sides = dict.fromkeys(("facing_flywheel_side", "facing_pressure_side"), facing)
        solid = fc.ElasticSolid(mesh, {"core": steel} | sides, supports={"teeth": "clamped"})
        loads = {"facing_flywheel": fc.HarmonicLoads(1, degree=1)}
        model = fc.reduce_model(solid, "facing_flywheel", modes=8, loads=loads)
    disc = fc.ElasticBody("plate", model, damping=0.01)
    ring = ring_of(fc.elastic_surface(disc, "facing_flywheel"), 0.1)
    radius = float(np.hypot(*ring.points[:, :2].T).mean())
    own = radial.RadialGearbox()
    polar = float(model.inertia.inertia[2, 2])
    p = replace(own, slip=slip, slope=slope, contact_radius=radius,
                inertia_ratio=own.inertia_ratio * (own.contact_radius / radius) ** 2)  # fmt: skip
    shaft = radial.gearbox.input_shaft(p, fc.DOFS)
    found = turning_modes(p, pressed(p, disc, shaft, ring), repeats=8)
    whole = p.shaft_mass + disc.mass
    ratio = (p.inertia + polar) / (whole * radius**2)
    known = fc.operating_point(radial.build(replace(p, shaft_mass=whole, inertia_ratio=ratio)))
    low = found.eigenvalues[found.frequency < 2.0 * known.modes.frequency.max()]
    for z in known.modes.eigenvalues:
        nearest = low[np.argmin(np.abs(low - z))]
        assert abs(nearest - z) < 2e-3 * abs(z)
        assert nearest.real == pytest.approx(z.real, rel=0.02, abs=0.02)
    assert len(low) == len(known.modes.eigenvalues)


INNER, OUTER, THICKNESS, RADIUS = 0.06, 0.12, 0.003, 0.1


@pytest.mark.slow
def test_round_plate_is_a_harmonic_one() -> None:
    """Without teeth and slots: a thin plate of finite elements in the radius on the hub.

    Both are pressed on the engine plate with one ring on the lower face. Slow speeds: the
    harmonic plate has no stress of rotation.
    """
    own = radial.RadialGearbox()
    p = replace(own, slip=-20.0, plate_speed=100.0, contact_radius=RADIUS)
    mesh = fc.solid_annulus(INNER, OUTER, -THICKNESS / 2, THICKNESS / 2, 6, 24, order=2)
    solid = fc.ElasticSolid(mesh, fc.STEEL, supports={"inner": "clamped"})
    loads = {"bottom": fc.HarmonicLoads(3, degree=2)}
    model = fc.reduce_model(solid, "bottom", modes=20, loads=loads)
    disc = fc.ElasticBody("plate", model)
    ring = ring_of(fc.elastic_surface(disc, "bottom"), RADIUS)
    radius = float(np.hypot(*ring.points[:, :2].T).mean())
    p = replace(p, contact_radius=radius)
    shaft = radial.gearbox.input_shaft(p, fc.DOFS)
    found = turning_modes(p, pressed(p, disc, shaft, ring), repeats=24)
    exact = harmonic(p)
    low, known = (modes.eigenvalues[modes.frequency < 1200.0] for modes in (found, exact))
    assert len(known) == len(low) == 11
    np.testing.assert_allclose(low.imag, known.imag, rtol=0.01)
    np.testing.assert_allclose(low.real, known.real, rtol=0.03, atol=0.1)


def harmonic(p: Any) -> fc.ComplexModes:
    """The same with a `SpinningDisc` on the hub."""
    plate = fc.HarmonicPlate(INNER, OUTER, THICKNESS, fc.STEEL, {"inner": "clamped"}, elements=12)
    model = fc.reduce_harmonic(plate, p.contact_radius, 4, 3)
    shaft = fc.SpinningDisc("input shaft", model, hub=fc.Hub(p.shaft_mass, p.inertia), spin="free")
    at = (p.centre_distance, 0.0, 0.0)
    counter = fc.RigidBody("countershaft", 1.0, (), position=at, spin=-p.shaft_speed)
    low = (0.0, 0.0, -THICKNESS / 2)
    engine = fc.RigidBody("engine plate", p.plate_mass, ("uz",), position=low,
                          spin=p.plate_speed)  # fmt: skip
    ring = fc.ring(p.contact_radius, 24, height=-THICKNESS / 2)
    spring = fc.PenaltyNormal(p.contact_stiffness / ring.measure, p.contact_damping / ring.measure)
    bristles = fc.ElastoPlastic(p.friction, 1e9, 1e3)
    pair = fc.EulerianPair(shaft, ring, fc.RigidFace(engine, fc.Plane()), spring, bristles)
    bearing = fc.Bearing(
        shaft, p.radial_stiffness, p.axial_stiffness, p.radial_damping, p.axial_damping
    )
    items = [
        bearing,
        fc.Bearing(engine, 0.0, p.plate_stiffness, 0.0, p.plate_damping, name="plate bearing"),
        fc.Force(shaft, (0.0, 0.0, -p.load)),
        radial.gearbox.teeth(p, shaft, counter),
        pair,
    ]
    return fc.operating_point(fc.System([shaft, counter, engine], items)).modes


lamella = fc.load_module("jehle/gearbox_lamella")


@pytest.mark.slow
def test_solid_ring_in_place_of_the_lamella() -> None:
    """`jehle/gearbox_lamella` on its finite-element basis, undamped, where III grows.

    Waves around are not compared: those of the solid are 1.2 % (3 mm) and 2.6 % (5 mm) below those
    of Kirchhoff's plate, whose edges twist freely to first order of the thickness.
    """
    p = replace(lamella.thick(lamella.LamellaGearbox()), basis="FE", plate_damping=0.0,
                inertia_ratio=0.3, slope=0.1)  # fmt: skip
    exact = fc.operating_point(lamella.build(p)).modes
    half = p.thickness / 2
    mesh = fc.solid_annulus(p.inner_radius, p.outer_radius, -half, half, 4, 24, axial=2, order=2)
    x, y, z = mesh.p[:, : mesh.nvertices]
    rim = np.flatnonzero((np.hypot(x, y) > p.outer_radius - 1e-9) & (np.abs(z) < 1e-9))
    mesh = fc.with_node_sets(mesh, {"rim": fc.edges_on_nodes(mesh, rim)})
    steel = fc.Material(p.young, p.poisson, p.density)
    solid = fc.ElasticSolid(mesh, steel, supports={"rim": "clamped"})
    loads = {"top": fc.HarmonicLoads(4, degree=2)}
    model = fc.reduce_model(solid, "top", modes=20, loads=loads)
    frame = fc.TurningFrame((0.0, 0.0, 1.0), p.plate_speed)
    plate = fc.ElasticBody("lamella", model, frame=frame, geometric_stiffness=False)
    shaft, ring = lamella.rigid_shaft(p), fc.ring(p.contact_radius, p.ring_points, height=half)
    spring = fc.PenaltyNormal(p.contact_stiffness / ring.measure, p.contact_damping / ring.measure)
    face, law = fc.ElasticFace(plate, "top"), fc.CoulombSliding(p.friction)
    at = (p.centre_distance, 0.0, 0.0)
    counter = fc.RigidBody("countershaft", 1.0, (), position=at, spin=-p.clutch_speed)
    gears = fc.GearPair((30, 30), p.base_radius, p.centre_distance, np.arctan(p.slope))
    items = [
        fc.Bearing(shaft, p.radial_stiffness, p.axial_stiffness, *(p.bearing_damping,) * 2),
        fc.Force(shaft, (0.0, 0.0, -p.load)),
        fc.ContactPair(shaft, ring, face, spring, law, "clutch"),
        fc.GearMesh(shaft, counter, gears, "rear"),
    ]
    system = fc.System([shaft, counter, plate], items)
    start = system.state(q={"input shaft.uz": -1e-4}, v={"input shaft.spin": p.clutch_speed})
    found = fc.operating_point(system, start, frame="axisymmetric", repeats=24).modes
    low, known = (modes.eigenvalues[modes.frequency < 1000.0] for modes in (found, exact))
    low, known = (z[np.lexsort((z.real, z.imag.round(-2)))] for z in (low, known))
    assert len(low) == len(known) == 4
    np.testing.assert_allclose(low.imag, known.imag, rtol=0.01)
    np.testing.assert_allclose(low.real, known.real, rtol=0.05)
    assert found.leading_growth > 100.0
