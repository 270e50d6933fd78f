"""Clutch in the gearbox, from the mesh file to the verdict.

The plate of a dry clutch (`meshes/clutch_plate.msh`: toothed and slotted steel core, two bonded
facings) sits with its teeth on the input shaft. Its facings slide on the flywheel and on the
pressure plate, which the clutch spring presses. The shaft turns, moves and tilts in its bearings,
and helical teeth, elastic and with backlash on both flanks, drive a countershaft of given speed.
The data are those of Jehle's rigid gearbox (`gearbox_radial`), with a load as of his cycles.

Does it squeal? Waves with two to four nodal diameters run around the plate and grow. A wave presses
on one side and relieves the other; friction follows the pressure, and on both facings, half of the
thickness from the middle, bends the plate on. The waves grow until the facings lift off. Softer
cushion springs feed them less.

For bearings and teeth the stiffness of the slotted plate changes as it turns. The modes are
patterns in space with the mean coefficients of a turn; the verdict says what that neglects, and the
motion in time, in which the plate turns as it is, agrees.
"""

from dataclasses import dataclass, replace
from math import atan, pi

import numpy as np

import fecontact as fc

radial = fc.load_module("jehle/gearbox_radial")
CURE = 3e6
"""Softer cushion in N/m."""


@dataclass(frozen=True)
class ClutchPlate(radial.RadialGearbox):
    """Jehle, appendix A.1; what it does not print stands below, with its reason."""

    slip: float = fc.quantity(50.0, "rad/s", fc.NONZERO)
    load: float = fc.quantity(100.0, "N", fc.NON_NEGATIVE)  # figure 4.10: the clutch engages
    tilt_inertia: float = fc.quantity(1e-3, "kg m^2", fc.POSITIVE)  # rod of 1 kg and 0.1 m
    bearing_span: float = fc.quantity(0.2, "m", fc.POSITIVE)  # two bearings hold the tilt
    pressure_mass: float = fc.quantity(2.0, "kg", fc.POSITIVE)  # appendix A.2
    spring_stiffness: float = fc.quantity(1e6, "N/m", fc.POSITIVE)  # clutch spring, flat part
    bristle_stiffness: float = fc.quantity(7e7, "N/m", fc.POSITIVE)  # stiff beside the cushion
    tooth_stiffness: float = fc.quantity(1e8, "N/m", fc.POSITIVE)  # `gearbox_cycles`
    tooth_damping: float = fc.quantity(1e3, "N s/m", fc.NON_NEGATIVE)  # 5 % of critical
    backlash: float = fc.quantity(1e-4, "m", fc.NON_NEGATIVE)  # `gearbox_cycles`
    material_damping: float = fc.quantity(0.005, "", fc.NON_NEGATIVE)  # bonded, not riveted
    modes: int = fc.quantity(40, "", fc.at_least(2), numerical=True)
    harmonics: int = fc.quantity(2, "", fc.at_least(1), numerical=True)
    step: float = fc.quantity(4e-6, "s", fc.POSITIVE, numerical=True)


@fc.cached_by("modes", "harmonics")
def plate(p: ClutchPlate) -> fc.ReducedModel:
    """Plate held by its teeth, reduced for pressures and friction on both facings."""
    mesh = fc.load_mesh(fc.mesh_folder() / "clutch_plate.msh")
    sides = dict.fromkeys(("facing_flywheel_side", "facing_pressure_side"), fc.FACING)
    solid = fc.ElasticSolid(mesh, {"core": fc.STEEL} | sides, supports={"teeth": "clamped"})
    faces = "facing_flywheel", "facing_pressure"
    loads = dict.fromkeys(faces, fc.HarmonicLoads(p.harmonics, degree=1))
    return fc.reduce_model(solid, faces, modes=p.modes, loads=loads, layer=1.0 / 3e8)


def contact(
    p: ClutchPlate, disc: fc.ElasticBody, side: str, on: fc.RigidBody, z: float
) -> fc.ContactPair:
    """A facing on its counterpart: cushion spring, and elasto-plastic friction."""
    surface = fc.elastic_surface(disc, f"facing_{side}")
    area, face = surface.measure, fc.RigidFace(on, fc.Plane(normal=(0.0, 0.0, z)))
    damping = p.contact_damping / area
    spring = fc.PenaltyNormal(p.contact_stiffness / area, damping)
    friction = fc.ElastoPlastic(p.friction, p.bristle_stiffness / area, damping)
    return fc.ContactPair(disc, surface, face, spring, friction, f"{side} side")


def build(p: ClutchPlate) -> fc.System:
    """Plate on the input shaft between flywheel and pressure plate, and the gear."""
    disc = fc.ElasticBody("plate", plate(p), damping=p.material_damping)
    inertia = p.tilt_inertia, p.tilt_inertia, p.inertia
    shaft = fc.RigidBody("input shaft", p.shaft_mass, fc.DOFS, inertia)
    position = (p.centre_distance, 0.0, 0.0)
    counter = fc.RigidBody("countershaft", 1.0, (), position=position, spin=-p.shaft_speed)
    half = np.abs(disc.model.surface("facing_pressure").points[:, 2]).max()
    flywheel = fc.RigidBody("flywheel", p.plate_mass, ("uz",), None, (0, 0, -half), p.plate_speed)
    pressure = fc.RigidBody("pressure plate", p.pressure_mass, ("uz",), None, (0, 0, half), p.plate_speed)
    stiffness, damping = p.radial_stiffness, p.radial_damping
    held = {"tilt_stiffness": stiffness * p.bearing_span**2 / 4.0,
            "tilt_damping": damping * p.bearing_span**2 / 4.0}  # fmt: skip
    sizes = p.base_radius, p.centre_distance, atan(p.slope)
    gears = fc.GearPair((30, 30), *sizes, backlash=p.backlash)
    flank, teeth = "front" if p.slip > 0.0 else "rear", (p.tooth_stiffness, p.tooth_damping)
    return fc.System([disc, shaft, counter, flywheel, pressure], [
        fc.RigidJoint(disc, shaft, name="spline"),
        fc.Bearing(shaft, stiffness, p.axial_stiffness, damping, p.axial_damping, **held),
        fc.Bearing(flywheel, 0.0, p.plate_stiffness, 0.0, p.plate_damping, name="crankshaft"),
        fc.Bearing(pressure, 0.0, p.spring_stiffness, 0.0, p.plate_damping, name="clutch spring"),
        fc.Force(pressure, (0.0, 0.0, -p.load), name="load"),
        fc.ElasticGearMesh(shaft, counter, gears, *teeth, reference=flank),
        contact(p, disc, "flywheel", flywheel, 1.0),
        contact(p, disc, "pressure", pressure, -1.0),
    ])  # fmt: skip


def turning(p: ClutchPlate) -> tuple[fc.System, fc.State]:
    """The system at its speeds, facings and teeth closed: near the steady state."""
    system, dent = build(p), p.load / p.contact_stiffness
    turned = {"plate.rz": 2.0 * p.slope * dent / p.base_radius + np.sign(p.slip) * 1e-4}
    sunk = {f"{body}.uz": -k * dent for body, k in zip(
        ("plate", "input shaft", "flywheel", "pressure plate"), (2.0, 2.0, 1.0, 3.0), strict=True)}
    turned["input shaft.rz"] = turned["plate.rz"]
    speeds = dict.fromkeys(turned, p.shaft_speed)
    return system, system.state(q=sunk | turned, v=speeds)


def judged(p: ClutchPlate) -> fc.OperatingPoint:
    """Steady sliding and its modes; the plate repeats itself eight times in a turn."""
    return fc.operating_point(*turning(p), frame="axisymmetric", repeats=8)
