"""Clutch in the gearbox, from the mesh file to the verdict.

A clutch plate (`meshes/clutch_plate.msh`: toothed, slotted steel core, two bonded facings) sits on
the input shaft and slides on the flywheel and on the pressure plate, which a spring presses. The
shaft tilts in its bearings; helical teeth with backlash drive a countershaft of given speed. Data
are those of Jehle's rigid gearbox (`gearbox_radial`), with the load of his cycles.

Does it squeal? Waves with two to four nodal diameters run around the plate: a wave presses on one
side and relieves the other; friction follows the pressure and, half of the thickness from the
middle, bends the plate on, until the facings lift off. A softer cushion feeds the waves less. The
modes are patterns that stand in space while the eight sectors of the plate pass.
"""

from dataclasses import dataclass, replace

import numpy as np

import fecontact as fc

radial = fc.load_module("jehle/gearbox_radial")


@dataclass(frozen=True)
class ClutchPlate(radial.RadialGearbox):
    """Jehle, appendix A.1; what it does not print stands below, with its reason."""

    slip: float = fc.quantity(50.0, "rad/s", fc.NONZERO)
    load: float = fc.quantity(100.0, "N", fc.POSITIVE)  # his figure 4.10: clutch engages
    bearing_span: float = fc.quantity(0.2, "m", fc.POSITIVE)  # two bearings hold the tilt
    pressure_mass: float = fc.quantity(2.0, "kg", fc.POSITIVE)  # appendix A.2
    spring_stiffness: float = fc.quantity(1e6, "N/m", fc.POSITIVE)  # flat part of the spring
    bristle_stiffness: float = fc.quantity(7e7, "N/m", fc.POSITIVE)  # stiff beside the cushion
    tooth_stiffness: float = fc.quantity(1e8, "N/m", fc.POSITIVE)  # `gearbox_cycles`
    tooth_damping: float = fc.quantity(1e3, "N s/m", fc.NON_NEGATIVE)  # 5 % of critical
    backlash: float = fc.quantity(1e-4, "m", fc.NON_NEGATIVE)  # `gearbox_cycles`
    material_damping: float = fc.quantity(0.005, "", fc.NON_NEGATIVE)  # bonded, not riveted
    modes: int = fc.quantity(60, "", fc.at_least(2), numerical=True)


@fc.cached_by("modes")
def plate(p: ClutchPlate) -> fc.ReducedModel:
    """Plate held by its teeth, reduced for pressure and friction on both facings."""
    mesh = fc.load_mesh(fc.mesh_folder() / "clutch_plate.msh")
    sides = dict.fromkeys(("facing_flywheel_side", "facing_pressure_side"), fc.FACING)
    solid = fc.ElasticSolid(mesh, {"core": fc.STEEL} | sides, supports={"teeth": "clamped"})
    loads = dict.fromkeys(("facing_flywheel", "facing_pressure"), fc.HarmonicLoads(1, degree=1))
    return fc.reduce_model(solid, tuple(loads), modes=p.modes, loads=loads, layer=1.0 / 3e8)


def build(p: ClutchPlate) -> fc.System:
    """Plate on the input shaft, between flywheel and pressure plate, and its gear."""
    disc = fc.ElasticBody("plate", plate(p), damping=p.material_damping)
    shaft, at = radial.gearbox.input_shaft(p, fc.DOFS), (p.centre_distance, 0.0, 0.0)
    counter = fc.RigidBody("countershaft", 1.0, (), position=at, spin=-p.shaft_speed)
    z, spin = 0.004, {"dofs": ("uz",), "spin": p.plate_speed}
    flywheel = fc.RigidBody("flywheel", p.plate_mass, position=(0.0, 0.0, -z), **spin)
    pressure = fc.RigidBody("pressure plate", p.pressure_mass, position=(0.0, 0.0, z), **spin)
    c, d, arm = p.radial_stiffness, p.radial_damping, p.bearing_span**2 / 4.0
    tilt = {"tilt_stiffness": c * arm, "tilt_damping": d * arm}
    gears = replace(radial.gearbox.teeth(p, shaft, counter).gears, backlash=p.backlash)
    flank, teeth = "front" if p.slip > 0.0 else "rear", (p.tooth_stiffness, p.tooth_damping)
    items = [
        fc.RigidJoint(disc, shaft, name="spline"),
        fc.Bearing(shaft, c, p.axial_stiffness, d, p.axial_damping, **tilt),
        fc.Bearing(flywheel, 0.0, p.plate_stiffness, 0.0, p.plate_damping, name="crankshaft"),
        fc.Bearing(pressure, 0.0, p.spring_stiffness, 0.0, p.plate_damping, name="clutch spring"),
        fc.Force(pressure, (0.0, 0.0, -p.load), name="load"),
        fc.ElasticGearMesh(shaft, counter, gears, *teeth, reference=flank),
        facing(p, disc, "flywheel", fc.RigidFace(flywheel, fc.Plane())),
        facing(p, disc, "pressure", fc.RigidFace(pressure, fc.Plane(normal=(0.0, 0.0, -1.0)))),
    ]
    return fc.System([disc, shaft, counter, flywheel, pressure], items)


def facing(p: ClutchPlate, disc: fc.ElasticBody, side: str, face: fc.RigidFace) -> fc.ContactPair:
    """A facing on its counterpart: cushion spring, and elasto-plastic friction."""
    surface = fc.elastic_surface(disc, f"facing_{side}")
    area, damping = surface.measure, p.contact_damping / surface.measure
    spring = fc.PenaltyNormal(p.contact_stiffness / area, damping)
    friction = fc.ElastoPlastic(p.friction, p.bristle_stiffness / area, damping)
    return fc.ContactPair(disc, surface, face, spring, friction, f"{side} side")


def judged(p: ClutchPlate) -> fc.OperatingPoint:
    """Steady sliding and its modes, from closed facings and teeth; eight sectors are alike."""
    system, dent = build(p), p.load / p.contact_stiffness
    turn = 2.0 * p.slope * dent / p.base_radius + np.sign(p.slip) * 1e-4
    near = dict.fromkeys(("plate.rz", "input shaft.rz"), turn)
    down = dict.fromkeys(("plate.uz", "input shaft.uz"), -2.0 * dent)
    place = near | down | {"flywheel.uz": -dent, "pressure plate.uz": -3.0 * dent}
    start = system.state(q=place, v=dict.fromkeys(near, p.shaft_speed))
    return fc.operating_point(system, start, frame="axisymmetric", repeats=8, band=(0.0, 2e3))


REFERENCES = fc.References("""
    growth | growth rate of a small disturbance in time | | 1/s | 0.05 rel | modes | cross_method
    stops | a softer cushion stops it: modes | is True | | | stability map | trend; fixed
    fades | growth rate in time with it      | <= 0.0 | 1/s | | motion | trend; fixed
""")


def main(run: fc.Run[ClutchPlate]) -> None:
    """Reduced plate, steady sliding, modes, map, growth in time, cure, limit cycle."""
    p = replace(run.parameters, modes=24) if run.quick else run.parameters
    model, point, soft = plate(p), judged(p), judged(replace(p, contact_stiffness=3e6))
    error = max(each.nominal.surface_error for each in model.contact.values())
    run.note(f"Plate: {model.size} coordinates, error of loaded facings {error:.0e}. {point}.")
    rest = moved(point, point.undisturbed(), 1e-4)
    rest.plot_contact_map("flywheel side", path=run.path("pressure.png"))
    run.figure("modes", fc.view.growth_over_frequency({"plate in the gearbox": point.modes}, 2e3))
    run.figure("feeds", fc.view.power_plot(point.balance()))
    z = point.modes
    u = model.geometry.shape @ model.basis @ z.vectors[6 : 6 + model.size, z.leading]
    wave = {f"{z.leading_frequency:.0f} Hz": u.reshape(-1, 3)}
    about = {"name": "squeal_mode", "amplitude": 0.01, "title": "squealing plate"}
    run.attach(fc.view.save_complex_modes(run.out, fc.view.shape_of(model.geometry), wave, **about))
    axes = fc.MapAxis("cushion / (N/m)", 1e6, 7e6), fc.MapAxis("friction coefficient", 0.1, 0.5)
    at = lambda c, mu: judged(replace(p, contact_stiffness=c, friction=mu))  # noqa: E731
    run.stability_map("map", at, *axes, seed=(6, 4), levels=2, quick_seed=(3, 2), quick_levels=0)
    time, starts = 0.004 if run.quick else 0.02, lambda x: (x.start(1e-8), x.undisturbed())
    seen = [x.measured(*(moved(x, s, time) for s in starts(x))).real for x in (point, soft)]
    computed = {"growth": (seen[0], z.leading_growth), "stops": soft.modes.stable, "fades": seen[1]}
    run.compare(REFERENCES, computed)
    big = moved(point, point.start(4e-5), 0.006 if run.quick else 0.3)
    run.audit(big)
    big.plot_contact_states(path=run.path("states.png"))
    big.plot_contact_map("flywheel side", path=run.path("lift_off.png"))
    heard = {"rim of the plate, at a place in space": sound(p, point, big)}
    run.figure("sound", fc.view.spectrum_of_signals(big.t, heard, "m/s", highest=4e3))


def moved(point: fc.OperatingPoint, start: fc.State, time: float) -> fc.Result:
    """Motion in steps of 4 us from a state with bent bristles."""
    return fc.simulate(point.system, time, point.system.sliding(start), "explicit", 1e-4, step=4e-6)


def sound(p: ClutchPlate, point: fc.OperatingPoint, motion: fc.Result) -> fc.Floats:
    """Axial speed of what the rim of the plate is at a place in space, by which it turns."""
    side = point.system.stateful_contacts[0].surface
    x, y = side.points[rim := np.hypot(*side.points[:, :2].T) > 0.117, :2].T
    speeds = motion.v[:, 6 : 6 + side.shapes.shape[2]] @ side.shapes[rim, 2].T
    turns = zip(-p.shaft_speed * motion.t, speeds, strict=True)
    return np.array([np.interp(a, np.arctan2(y, x), w, period=2 * np.pi) for a, w in turns])


CASE = fc.Case(__doc__, ("from mesh to squeal",), ClutchPlate(), main, quick_s=15, system=build)

if __name__ == "__main__":
    CASE.main(__file__)
