"""Torque of a dry clutch: rigid, conical, tabled and elastic contact of an annulus.

A facing between the radii r_i and r_o slides under the normal force N. Uniform pressure gives

    T = 2/3 mu N (r_o^3 - r_i^3)/(r_o^2 - r_i^2),

whatever the pressure is over the compression. A conical facing on a bed of springs touches with
p = c (d - g(r)); its torque is a polynomial, and the quadrature is exact for both. An elastic disc
held at its hub yields outside, the load moves inwards and the torque drops; the stiffer it is, the
nearer it comes to the rigid one. Its reference is a plate with shear on the bed p = c (d - w(r)),
clamped at r_i and free at r_o, by fundamental solutions (`Plate`). Before it slides, the flywheel
is turned by an angle phi against bristles of the stiffness c_t: the outer ring slips, where

    c_t (r phi - v) > mu p,      G h (v' - v/r) = S/(2 pi r^2),      S' = -2 pi r^2 tau,

with the displacement v around the axis and the torque S that the disc carries at r.
"""

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.integrate import simpson, solve_ivp
from scipy.optimize import brentq

import fecontact as fc

Rate = Callable[[float, fc.Floats], list[float]]

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
    bed_stiffness: float = fc.quantity(2e10, "N/m^3", fc.POSITIVE)
    cone: float = fc.quantity(4e-6, "m", fc.NON_NEGATIVE)
    shear_stiffness: float = fc.quantity(1.6e10, "N/m^3", fc.POSITIVE)
    angle: float = fc.quantity(5e-5, "rad", fc.POSITIVE)
    young: float = fc.quantity(210e9, "Pa", fc.POSITIVE)
    poisson: float = fc.quantity(0.3, "", fc.POISSON)
    density: float = fc.quantity(7800.0, "kg/m^3", fc.POSITIVE)
    radial: int = fc.quantity(4, "", fc.at_least(1), numerical=True)
    circumferential: int = fc.quantity(32, "", fc.at_least(8), numerical=True)
    shear_modulus = fc.derived("G of the disc in Pa", lambda p: p.young / (2.0 * (1.0 + p.poisson)))


def uniform_torque(p: ClutchTorque) -> float:
    """Closed form for uniform pressure."""
    cubes, squares = (p.outer_radius**k - p.inner_radius**k for k in (3, 2))
    return 2.0 / 3.0 * p.friction * p.load * cubes / squares


def conical_torque(p: ClutchTorque) -> float:
    """Closed form for p = c (d - h (r_o - r)/(r_o - r_i)) with contact everywhere."""
    squares, cubes, fourths = ((p.outer_radius**k - p.inner_radius**k) / k for k in (2, 3, 4))
    slope = p.cone / (p.outer_radius - p.inner_radius)
    shift = p.load / (2.0 * np.pi * p.bed_stiffness)  # int (a + slope r) r dr
    a = (shift - slope * cubes) / squares
    return float(2.0 * np.pi * p.friction * p.bed_stiffness * (a * cubes + slope * fourths))


def torque(pair: fc.ContactPair, state: fc.State) -> float:
    """Moment of the contact forces on the slave about the axis."""
    point = pair.sliding(state.q, state.v)
    return float(np.cross(point.approach.slave.position, point.force)[:, 2].sum())


def rigid_clutch(
    p: ClutchTorque, facing: fc.Surface, normal: fc.NormalLaw
) -> tuple[float, fc.Floats]:
    """Torque of a rigid disc that is pressed on the ground, and the pressures."""
    disc = fc.RigidBody("disc", 1.0, ("uz",), spin=-p.speed)
    pair = fc.ContactPair(
        disc, facing, fc.RigidFace(None, fc.Plane()), normal, fc.CoulombSliding(p.friction)
    )
    system = fc.System([disc], [fc.Force(disc, (0.0, 0.0, -p.load)), pair])
    steady = fc.steady_state(system, np.array([-2.0 * p.cone - 1e-6]))
    return torque(pair, steady.state), steady.contacts["contact"].pressure


@dataclass(frozen=True)
class Plate:
    """Disc as a plate with shear on the bed, clamped at r_i and free at r_o.

    w' = f + Q/(5/6 G h),   f' = -M/D - nu f/r,   M' = Q - (M - M_t)/r,   (r Q)' = -r c (d - w)
    """

    p: ClutchTorque

    @cached_property
    def radii(self) -> fc.Floats:
        """Radii (n,) in m."""
        return np.linspace(self.p.inner_radius, self.p.outer_radius, 801)

    @cached_property
    def pressure(self) -> fc.Floats:
        """Pressure (n,) in Pa under the load."""
        r, unit = self.radii, 1e-6
        loaded, bent, sheared = (self._from_hub(*start) for start in np.eye(3) * [unit, 1.0, 1.0])
        ends = np.column_stack([bent[2:, -1], sheared[2:, -1]])
        m, q = np.linalg.solve(ends, -loaded[2:, -1])
        w = loaded[0] + m * bent[0] + q * sheared[0]
        return self.p.load * (unit - w) / (2.0 * np.pi * simpson((unit - w) * r, r))

    @property
    def torque(self) -> float:
        """Torque in N m of sliding."""
        r = self.radii
        return float(2.0 * np.pi * self.p.friction * simpson(self.pressure * r**2, r))

    def turned(self, angle: float) -> tuple[float, float]:
        """Torque in N m and radius in m within which points stick."""
        held = brentq(lambda S: self._torsion(angle, S)[1, -1], 0.0, self.torque, xtol=1e-9)
        v = self._torsion(angle, held)[0]
        pull = self.p.shear_stiffness * (self.radii * angle - v)
        left = self.p.friction * self.pressure - pull  # falls outwards
        return held, float(np.interp(0.0, -left, self.radii))

    def _from_hub(self, d: float, moment: float, shear: float) -> fc.Floats:
        """Solution w, f, M, Q (4, n) that starts with a moment and a shear force at the hub."""
        p, nu, h = self.p, self.p.poisson, self.p.thickness
        D, S = p.young * h**3 / (12.0 * (1.0 - nu**2)), 5.0 / 6.0 * p.shear_modulus * h

        def rate(r: float, y: fc.Floats) -> list[float]:
            w, f, M, Q = y
            curved = -M / D - nu * f / r
            around = -D * (f / r + nu * curved)
            return [f + Q / S, curved, Q - (M - around) / r, -Q / r - p.bed_stiffness * (d - w)]

        return self._over_radius(rate, [0.0, 0.0, moment, shear])

    def _torsion(self, angle: float, torque: float) -> fc.Floats:
        """Displacement v around the axis and torque S (2, n) with the torque at the hub."""
        p = self.p

        def rate(r: float, y: fc.Floats) -> list[float]:
            limit = p.friction * float(np.interp(r, self.radii, self.pressure))
            tau = min(p.shear_stiffness * (r * angle - y[0]), limit)
            carried = y[1] / (2.0 * np.pi * r**2 * p.shear_modulus * p.thickness)
            return [y[0] / r + carried, -2.0 * np.pi * r**2 * tau]

        return self._over_radius(rate, [0.0, torque])

    def _over_radius(self, rate: Rate, start: list[float]) -> fc.Floats:
        r = self.radii
        return np.asarray(
            solve_ivp(rate, (r[0], r[-1]), start, t_eval=r, rtol=1e-8, atol=1e-15).y, dtype=float
        )


REFERENCES = fc.References("""
    normal | normal force                                  |    | N | 1e-06 rel
    lost   | torque lost by bending, over the rigid torque | <= |   |
        | E x 100: rigid limit, order 1/E | trend
    *      | balance of the flywheel
    elastic  | torque, elastic                                   |         | N m
    pressure | largest deviation of the pressure, of the largest | <= 0.02
    partial  | torque in partial slip                            |         | N m
    sticking | area that sticks, of all
    *        | plate with shear on a bed of springs
""")


def elastic_disc(p: ClutchTorque) -> fc.ElasticBody:
    """Meshed disc, held at the hub."""
    mesh = fc.solid_annulus(p.inner_radius, p.outer_radius, 0.0, p.thickness, radial=p.radial,
                         circumferential=p.circumferential)  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # stiffer than diamond on purpose
        material = fc.Material(p.young, p.poisson, p.density)
    solid = fc.ElasticSolid(mesh, material, supports={"inner": "clamped"})
    model = fc.reduce_model(solid, contact="bottom", modes=4, floating_frame=False)
    return fc.ElasticBody("disc", model, frame="fixed")


def pressed(
    p: ClutchTorque, wheel: fc.RigidBody, law: fc.FrictionLaw | fc.CoulombSliding
) -> fc.ContactPair:
    """Contact of the elastic disc with a flywheel that is pressed on it from below."""
    disc = elastic_disc(p)
    return fc.ContactPair(disc, fc.elastic_surface(disc, "bottom"), fc.RigidFace(wheel, fc.Plane()),
                       fc.PenaltyNormal(p.bed_stiffness), law)  # fmt: skip


def elastic_clutch(p: ClutchTorque) -> tuple[float, fc.ContactPair, fc.Floats]:
    """Torque of the sliding elastic disc, its contact, and the pressures."""
    flywheel = fc.RigidBody("flywheel", 10.0, ("uz",), spin=p.speed)
    pair = pressed(p, flywheel, fc.CoulombSliding(p.friction))
    system = fc.System([pair.slave, flywheel], [fc.Force(flywheel, (0.0, 0.0, p.load)), pair])
    guess = np.zeros(len(pair.slave.dofs) + 1)
    guess[-1] = p.load / (p.bed_stiffness * pair.surface.measure)
    steady = fc.steady_state(system, guess)
    return torque(pair, steady.state), pair, steady.contacts["contact"].pressure


def turned_clutch(p: ClutchTorque) -> tuple[fc.ContactPair, list[fc.ContactResult]]:
    """Contact of the elastic disc, and its states while the flywheel turns by `TURNED`."""
    flywheel = fc.RigidBody("flywheel", 10.0, ("uz", "rz"), inertia=(0.1, 0.1, 0.1))
    pair = pressed(p, flywheel, fc.ElastoPlastic(p.friction, p.shear_stiffness))
    turn = fc.PrescribedMotion(fc.DofCoordinate(flywheel, "rz"), fc.Speed(p.angle))
    press = fc.Force(flywheel, (0.0, 0.0, p.load))
    path = fc.load_path(fc.StaticSystem(fc.System([pair.slave, flywheel], [press, pair, turn])),
                     [0.0, *TURNED])  # fmt: skip
    return pair, [each.contacts["contact"] for each in path.increments[1:]]


def main(run: fc.Run[ClutchTorque]) -> None:
    """Closed forms of rigid discs, the elastic disc and its rigid limit, picture."""
    p = run.parameters
    facing = fc.annulus_surface(p.inner_radius, p.outer_radius)
    bed = fc.PenaltyNormal(p.bed_stiffness)
    table = fc.TableNormal(np.array([0.0, 1e-5, 2e-5, 5e-5]), np.array([0.0, 1e5, 3e5, 2e6]))
    cone = facing.with_gap(fc.conical(p.inner_radius, p.outer_radius, p.cone))
    rows = (
        ("rigid, springs", facing, bed, uniform_torque(p), "2/3 mu N (ro^3-ri^3)/(ro^2-ri^2)"),
        ("rigid, facing table", facing, table, uniform_torque(p), "2/3 mu N (ro^3-ri^3)/..."),
        ("rigid, conical facing", cone, bed, conical_torque(p), "int p r^2 dr, polynomial"),
    )
    radii, profiles = np.hypot(*facing.points[:, :2].T), {}
    across = np.unique(radii.round(12))
    for method, surface, normal, reference, source in rows:
        found, pressure = rigid_clutch(p, surface, normal)
        run.check("clutch torque", found, reference, unit="N m", tolerance=1e-10 * reference,
                  kind="closed_form", source=source, method=method, formula=True)  # fmt: skip
        profiles[method] = _over_radius(across, radii, pressure)
    profiles["elastic disc"] = elastic(run, across)
    plate = Plate(p)
    dots = {"plate": 1e-6 * np.interp(across, plate.radii, plate.pressure)}
    curves = {name: 1e-6 * pressure for name, pressure in profiles.items()}
    figure = fc.view.curves_plot(across, curves, "radius / m", "pressure / MPa", dots=dots,
                               from_zero=True)  # fmt: skip
    run.figure("pressure", figure)
    partial_slip(run, plate)


def elastic(run: fc.Run[ClutchTorque], across: fc.Floats) -> fc.Floats:
    """Torque of the elastic disc against a plate and, stiffened, against the rigid disc."""
    p = run.parameters
    against_plate(run)
    losses, profile = [], np.zeros(0)
    for factor in STIFFENED:
        found, pair, pressure = elastic_clutch(replace(p, young=factor * p.young))
        weights, radii = pair.surface.weights, np.hypot(*pair.surface.points[:, :2].T)
        rigid = p.friction * p.load * float(weights @ radii) / float(weights.sum())
        losses.append(1.0 - found / rigid)
        profile = _over_radius(across, radii, pressure) if factor == 1.0 else profile
        computed = {"normal": (weights @ pressure, p.load)}
        run.compare(REFERENCES, computed, part=True, method=f"E x {factor:g}")
    for factor, loss, before in zip(STIFFENED[1:], losses[1:], losses, strict=False):
        computed = {"lost": (loss, 0.05 * before)}
        run.compare(REFERENCES, computed, part=True, method=f"E x {factor:g}")
    return profile


def against_plate(run: fc.Run[ClutchTorque]) -> None:
    """Torque and pressure of the elastic disc against the plate, on finer cells in the full form.

    A polygon of n straight sides is smaller than its circle: n = 32 lowers the torque by 0.32 %.
    """
    p = run.parameters
    plate, misses = Plate(p), []
    for finer in (1,) if run.quick else (1, 2):
        q = replace(p, radial=finer * p.radial, circumferential=finer * p.circumferential)
        found, pair, pressure = elastic_clutch(q)
        radii = np.hypot(*pair.surface.points[:, :2].T)
        off = np.abs(pressure - np.interp(radii, plate.radii, plate.pressure)).max()
        misses.append(100.0 * (1.0 - found / plate.torque))
        method = f"{q.radial} x {q.circumferential} cells"
        computed = {
            "elastic": (found, plate.torque),
            "pressure": off / plate.pressure.max(),
        }
        run.compare(
            REFERENCES,
            computed,
            part=True,
            tolerances={"elastic": (4e-3 if finer == 1 else 1e-3) * plate.torque},
            method=method,
        )
    loss, cells = 1.0 - plate.torque / uniform_torque(p), ", ".join(f"{x:.3f} %" for x in misses)
    run.note(f"bending lowers the torque by {100.0 * loss:.2f} % (plate), the cells by {cells}")


def partial_slip(run: fc.Run[ClutchTorque], plate: Plate) -> None:
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
    for share, state in zip(TURNED, states, strict=True):
        angle = share * p.angle
        held = weights @ (points[:, 0] * state.traction[:, 1] - points[:, 1] * state.traction[:, 0])
        exact, reach = plate.turned(angle)
        method = f"turned by {1e6 * angle:g} µrad"
        computed = {"partial": (held, exact)}
        run.compare(
            REFERENCES,
            computed,
            part=True,
            tolerances={"partial": (missing + 2e-3) * exact},
            method=method,
        )
        inside = float(weights[state.sticking].sum() / weights.sum())
        whole = p.outer_radius**2 - p.inner_radius**2
        computed = {"sticking": (inside, (reach**2 - p.inner_radius**2) / whole)}
        run.compare(
            REFERENCES, computed, part=True, tolerances={"sticking": 0.3 / q.radial}, method=method
        )
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
