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
