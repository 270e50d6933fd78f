"""Torque of a dry clutch: rigid, conical, tabled and elastic contact of an annulus.

A facing between the radii r_i and r_o slides under the normal force N. Uniform pressure gives

    T = 2/3 mu N (r_o^3 - r_i^3)/(r_o^2 - r_i^2),

whatever the pressure is over the compression. A conical facing on a foundation of springs touches
with p = c (d - g(r)); its torque is a polynomial, and the quadrature is exact for both. An elastic
disc held at its hub yields outside, the load moves inwards and the torque drops; the stiffer it is,
the nearer it comes to the rigid one. Its reference is a plate with shear on the foundation
p = c (d - w(r)), clamped at r_i and free at r_o (`HeldDisc`). Before it slides, the flywheel is
turned by an angle phi against bristles of the stiffness c_t: the outer ring slips, where

    c_t (r phi - v) > mu p,      G h (v' - v/r) = S/(2 pi r^2),      S' = -2 pi r^2 tau,

with the displacement v around the axis and the torque S that the disc carries at r.
"""

import warnings
from dataclasses import dataclass, replace

import numpy as np

import fecontact as fc

STIFFENED = (1.0, 1e2, 1e4)
"""Factors of the disc's modulus on the way to the rigid one."""
TURNED = (0.5, 0.75, 1.0)
"""Angles of the flywheel over the largest one."""


@dataclass(frozen=True)
class ClutchTorque(fc.Parameters):
    """Facing and disc of the size of a passenger car clutch."""

    inner_radius: float = fc.quantity(0.075, "m", fc.POSITIVE)
    outer_radius: float = fc.quantity(0.115, "m", fc.POSITIVE)
    thickness: float = fc.quantity(0.008, "m", fc.POSITIVE)
    load: float = fc.quantity(4000.0, "N", fc.POSITIVE)
    friction: float = fc.quantity(0.35, "", fc.POSITIVE)
    speed: float = fc.quantity(100.0, "rad/s", fc.POSITIVE)
    foundation_stiffness: float = fc.quantity(2e10, "N/m^3", fc.POSITIVE)
    cone: float = fc.quantity(4e-6, "m", fc.NON_NEGATIVE)
    shear_stiffness: float = fc.quantity(1.6e10, "N/m^3", fc.POSITIVE)
    angle: float = fc.quantity(5e-5, "rad", fc.POSITIVE)
    young: float = fc.quantity(210e9, "Pa", fc.POSITIVE)
    poisson: float = fc.quantity(0.3, "", fc.POISSON)
    density: float = fc.quantity(7800.0, "kg/m^3", fc.POSITIVE)
    radial: int = fc.quantity(4, "", fc.at_least(1), numerical=True)
    circumferential: int = fc.quantity(32, "", fc.at_least(8), numerical=True)
    radii = fc.derived("inner and outer radius in m", lambda p: (p.inner_radius, p.outer_radius))
    uniform_torque = fc.derived(
        "closed form for uniform pressure in N m",
        lambda p: fc.reference.facing_torque(*p.radii, p.friction * p.load),
    )
    plate = fc.derived(
        "disc as a plate with shear on the foundation",
        lambda p: fc.reference.HeldDisc(
            *p.radii, p.thickness, p.young, p.poisson, p.foundation_stiffness, p.shear_stiffness,
            p.load, p.friction,
        ),
    )  # fmt: skip


def torque(pair: fc.ContactPair, state: fc.State) -> float:
    """Moment of the contact forces on the slave about the axis."""
    point = pair.sliding(state.q, state.v)
    return float(np.cross(point.kinematics.slave.position, point.force)[:, 2].sum())


def rigid_clutch(
    p: ClutchTorque, facing: fc.Surface, normal: fc.NormalLaw
) -> tuple[float, fc.Floats]:
    """Torque of a rigid disc that is pressed on the ground, and the pressures."""
    disc = fc.RigidBody("disc", 1.0, ("uz",), spin=-p.speed)
    ground, law = fc.RigidFace(None, fc.Plane()), fc.CoulombSliding(p.friction)
    pair = fc.ContactPair(disc, facing, ground, normal, law)
    system = fc.System([disc], [fc.Force(disc, (0.0, 0.0, -p.load)), pair])
    steady = fc.steady_state(system, np.array([-2.0 * p.cone - 1e-6]))
    return torque(pair, steady.state), steady.contacts["contact"].pressure


REFERENCES = fc.References("""
    torque | clutch torque |  | N m | 1e-10 rel | 2/3 mu N (ro^3-ri^3)/(ro^2-ri^2)
    normal | normal force                                  |    | N | 1e-06 rel
    lost   | torque lost by bending, over the rigid torque | <= |   |
        | E x 100: rigid limit, order 1/E | trend
    *      | balance of the flywheel
    elastic  | torque, elastic                                   |         | N m
    pressure | largest deviation of the pressure, of the largest | <= 0.02
    partial  | torque in partial slip                            |         | N m
    sticking | area that sticks, of all
    *        | plate with shear on a foundation of springs
""")


def elastic_disc(p: ClutchTorque) -> fc.ElasticBody:
    """Meshed disc, held at the hub."""
    mesh = fc.solid_annulus(*p.radii, 0.0, p.thickness, p.radial, p.circumferential)
    with warnings.catch_warnings(action="ignore"):  # stiffer than diamond on purpose
        material = fc.Material(p.young, p.poisson, p.density)
    solid = fc.ElasticSolid(mesh, material, supports={"inner": "clamped"})
    model = fc.reduce_model(solid, contact="bottom", modes=4, floating_frame=False)
    return fc.ElasticBody("disc", model, frame="fixed")


def pressed(
    p: ClutchTorque, wheel: fc.RigidBody, law: fc.FrictionLaw | fc.CoulombSliding
) -> fc.ContactPair:
    """Contact of the elastic disc with a flywheel that is pressed on it from below."""
    disc, face = elastic_disc(p), fc.RigidFace(wheel, fc.Plane())
    springs = fc.PenaltyNormal(p.foundation_stiffness)
    return fc.ContactPair(disc, fc.elastic_surface(disc, "bottom"), face, springs, law)


def elastic_clutch(p: ClutchTorque) -> tuple[float, fc.ContactPair, fc.Floats]:
    """Torque of the sliding elastic disc, its contact, and the pressures."""
    flywheel = fc.RigidBody("flywheel", 10.0, ("uz",), spin=p.speed)
    pair = pressed(p, flywheel, fc.CoulombSliding(p.friction))
    system = fc.System([pair.slave, flywheel], [fc.Force(flywheel, (0.0, 0.0, p.load)), pair])
    guess = np.zeros(len(pair.slave.dofs) + 1)
    guess[-1] = p.load / (p.foundation_stiffness * pair.surface.measure)
    steady = fc.steady_state(system, guess)
    return torque(pair, steady.state), pair, steady.contacts["contact"].pressure


def turned_clutch(p: ClutchTorque) -> tuple[fc.ContactPair, list[fc.ContactResult]]:
    """Contact of the elastic disc, and its states while the flywheel turns by `TURNED`."""
    flywheel = fc.RigidBody("flywheel", 10.0, ("uz", "rz"), inertia=(0.1, 0.1, 0.1))
    pair = pressed(p, flywheel, fc.ElastoPlastic(p.friction, p.shear_stiffness))
    turn = fc.PrescribedMotion(fc.DofCoordinate(flywheel, "rz"), fc.Speed(p.angle))
    press = fc.Force(flywheel, (0.0, 0.0, p.load))
    model = fc.StaticSystem(fc.System([pair.slave, flywheel], [press, pair, turn]))
    path = fc.load_path(model, [0.0, *TURNED])
    return pair, [each.contacts["contact"] for each in path.increments[1:]]


def main(run: fc.Run[ClutchTorque]) -> None:
    """Closed forms of rigid discs, the elastic disc and its rigid limit, picture."""
    p = run.parameters
    facing, springs = fc.annulus_surface(*p.radii), fc.PenaltyNormal(p.foundation_stiffness)
    table = fc.TableNormal(np.array([0.0, 1e-5, 2e-5, 5e-5]), np.array([0.0, 1e5, 3e5, 2e6]))
    cone = facing.with_gap(fc.conical(*p.radii, p.cone))
    laws = p.cone, p.foundation_stiffness, p.load, p.friction
    conical = fc.reference.conical_facing_torque(*p.radii, *laws)
    rows = (
        ("rigid, springs", facing, springs, p.uniform_torque, "2/3 mu N (ro^3-ri^3)/(ro^2-ri^2)"),
        ("rigid, facing table", facing, table, p.uniform_torque, "2/3 mu N (ro^3-ri^3)/..."),
        ("rigid, conical facing", cone, springs, conical, "int p r^2 dr, polynomial"),
    )
    radii, profiles = np.hypot(*facing.points[:, :2].T), {}
    across = np.unique(radii.round(12))
    for method, surface, normal, reference, source in rows:
        found, pressure = rigid_clutch(p, surface, normal)
        run.row(REFERENCES, "torque", found, reference, method=method, source=source)
        profiles[method] = _over_radius(across, radii, pressure)
    plate = p.plate
    against_plate(run, plate)
    profiles["elastic disc"] = elastic(run, across)
    dots = {"plate": 1e-6 * np.interp(across, plate.radii, plate.pressure)}
    curves = {name: 1e-6 * pressure for name, pressure in profiles.items()}
    axes = "radius / m", "pressure / MPa"
    run.figure("pressure", fc.view.curves_plot(across, curves, *axes, dots=dots, from_zero=True))
    partial_slip(run, plate)


def elastic(run: fc.Run[ClutchTorque], across: fc.Floats) -> fc.Floats:
    """Torque of the elastic disc against the rigid one as it stiffens; pressure over the radius."""
    p, profiles, before = run.parameters, [], None
    for factor in STIFFENED:
        found, pair, pressure = elastic_clutch(replace(p, young=factor * p.young))
        weights, radii = pair.surface.weights, np.hypot(*pair.surface.points[:, :2].T)
        loss = 1.0 - found / (p.friction * p.load * float(weights @ radii) / float(weights.sum()))
        profiles.append(_over_radius(across, radii, pressure))
        run.row(REFERENCES, "normal", weights @ pressure, p.load, method=f"E x {factor:g}")
        if before is not None:
            run.row(REFERENCES, "lost", loss, 0.05 * before, method=f"E x {factor:g}")
        before = loss
    return profiles[0]


def against_plate(run: fc.Run[ClutchTorque], plate: fc.reference.HeldDisc) -> None:
    """Torque and pressure of the elastic disc against the plate, on finer cells in the full form.

    A polygon of n straight sides is smaller than its circle: n = 32 lowers the torque by 0.32 %.
    """
    p, misses = run.parameters, []
    for finer in (1,) if run.quick else (1, 2):
        q = replace(p, radial=finer * p.radial, circumferential=finer * p.circumferential)
        found, pair, pressure = elastic_clutch(q)
        radii = np.hypot(*pair.surface.points[:, :2].T)
        off = np.abs(pressure - np.interp(radii, plate.radii, plate.pressure)).max()
        misses.append(100.0 * (1.0 - found / plate.torque))
        method, error = f"{q.radial} x {q.circumferential} cells", 4e-3 if finer == 1 else 1e-3
        run.row(REFERENCES, "elastic", found, plate.torque, error * plate.torque, method=method)
        run.row(REFERENCES, "pressure", off / plate.pressure.max(), method=method)
    loss, cells = 1.0 - plate.torque / p.uniform_torque, ", ".join(f"{x:.3f} %" for x in misses)
    run.note(f"bending lowers the torque by {100.0 * loss:.2f} % (plate), the cells by {cells}")


def partial_slip(run: fc.Run[ClutchTorque], plate: fc.reference.HeldDisc) -> None:
    """Flywheel turned: torque and area of stick against the plate, and the maps.

    The polar moment of a polygon, to which the torque of stick goes, is (2 pi/n)^2/3 smaller than
    that of the circle: 1.3 % for n = 32. Three Gauss points, of 5/18, 8/18 and 5/18 of a cell, know
    where stick ends to 2/9 of it; the outer cells are 1.2 times as large as the mean.
    """
    p, finer = run.parameters, 1 if run.quick else 2
    q = replace(p, radial=finer * p.radial, circumferential=finer * p.circumferential)
    pair, states = turned_clutch(q)
    missing = (2.0 * np.pi / q.circumferential) ** 2 / 3.0
    points, weights = pair.surface.points, pair.surface.weights
    statuses = {}
    for fraction, state in zip(TURNED, states, strict=True):
        angle = fraction * p.angle
        held = weights @ (points[:, 0] * state.traction[:, 1] - points[:, 1] * state.traction[:, 0])
        exact, reach = plate.turned(angle)
        method = f"turned by {1e6 * angle:g} µrad"
        run.row(REFERENCES, "partial", held, exact, (missing + 2e-3) * exact, method=method)
        inside = float(weights[state.sticking].sum() / weights.sum())
        known = (reach**2 - p.inner_radius**2) / (p.outer_radius**2 - p.inner_radius**2)
        run.row(REFERENCES, "sticking", inside, known, 0.3 / q.radial, method=method)
        statuses[method] = state.status
    run.figure("maps", fc.view.contact_maps(points, states[-1].pressure, statuses))


def _over_radius(across: fc.Floats, radii: fc.Floats, pressure: fc.Floats) -> fc.Floats:
    """Pressure over the radius from that of points, all alike around."""
    order = np.argsort(radii)
    return np.interp(across, radii[order], pressure[order])


VERIFIES = ("clutch torque to 1e-10", "conical facing", "facing table", "rigid limit")
CASE = fc.Case(__doc__, VERIFIES, ClutchTorque(), main, quick_s=5)

if __name__ == "__main__":
    CASE.main(__file__)
