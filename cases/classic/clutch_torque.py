"""Torque of a dry clutch: rigid, conical, tabled and elastic contact of an annulus.

A facing between the radii r_i and r_o slides under the normal force N. Uniform pressure gives

    T = 2/3 mu N (r_o^3 - r_i^3)/(r_o^2 - r_i^2),

whatever the pressure is over the compression. A conical facing on a bed of springs touches with
p = c (d - g(r)); its torque is a polynomial, and the quadrature is exact for both. An elastic disc
held at its hub yields outside, the load moves inwards and the torque drops; the stiffer it is, the
nearer it comes to the rigid one.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np

from fecontact.analysis import steady_state
from fecontact.body import ElasticBody, RigidBody
from fecontact.case import Case, Parameters, Run, main, quantity
from fecontact.contact import ContactPair, CoulombSliding, PenaltyNormal, Surface
from fecontact.contact.analytic_surface import annulus
from fecontact.contact.gap_field import conical
from fecontact.contact.normal import NormalLaw, TableNormal
from fecontact.contact.rigid_face import RigidFace
from fecontact.contact.shape import Plane
from fecontact.contact.surface import elastic_surface
from fecontact.errors import NON_NEGATIVE, POSITIVE, at_least
from fecontact.fem import ElasticSolid, Material
from fecontact.joint import Force
from fecontact.mesh import solid_annulus
from fecontact.reduction import reduce_model
from fecontact.system import State, System
from fecontact.typing import Floats
from fecontact.view import plots

STIFFENED = (1.0, 1e2, 1e4)
"""Factors of the disc's modulus on the way to the rigid one."""


@dataclass(frozen=True)
class ClutchTorque(Parameters):
    """Facing and disc of the size of a passenger car clutch."""

    inner_radius: float = quantity(0.075, "m", POSITIVE)
    outer_radius: float = quantity(0.115, "m", POSITIVE)
    thickness: float = quantity(0.008, "m", POSITIVE)
    load: float = quantity(4000.0, "N", POSITIVE)
    friction: float = quantity(0.35, "", POSITIVE)
    speed: float = quantity(100.0, "rad/s", POSITIVE)
    bed_stiffness: float = quantity(2e10, "N/m^3", POSITIVE)
    cone: float = quantity(4e-6, "m", NON_NEGATIVE)
    young: float = quantity(210e9, "Pa", POSITIVE)
    poisson: float = quantity(0.3, "")
    density: float = quantity(7800.0, "kg/m^3", POSITIVE)
    radial: int = quantity(4, "", at_least(1), numerical=True)
    circumferential: int = quantity(32, "", at_least(8), numerical=True)


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


def torque(pair: ContactPair, state: State) -> float:
    """Moment of the contact forces on the slave about the axis."""
    point = pair.sliding(state.q, state.v)
    return float(np.cross(point.approach.slave.position, point.force)[:, 2].sum())


def rigid_clutch(p: ClutchTorque, facing: Surface, normal: NormalLaw) -> tuple[float, Floats]:
    """Torque of a rigid disc that is pressed on the ground, and the pressures."""
    disc = RigidBody("disc", 1.0, ("uz",), spin=-p.speed)
    pair = ContactPair(disc, facing, RigidFace(None, Plane()), normal, CoulombSliding(p.friction))
    system = System([disc], [Force(disc, (0.0, 0.0, -p.load)), pair])
    steady = steady_state(system, np.array([-2.0 * p.cone - 1e-6]))
    return torque(pair, steady.state), steady.contacts["contact"].pressure


def elastic_clutch(p: ClutchTorque, factor: float) -> tuple[float, ContactPair, Floats]:
    """Torque of an elastic disc, held at the hub, on which a flywheel presses from below."""
    mesh = solid_annulus(p.inner_radius, p.outer_radius, 0.0, p.thickness, radial=p.radial,
                         circumferential=p.circumferential)  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # stiffer than diamond on purpose
        material = Material(factor * p.young, p.poisson, p.density)
    solid = ElasticSolid(mesh, material, supports={"inner": "clamped"})
    model = reduce_model(solid, contact="bottom", modes=4, floating_frame=False)
    disc = ElasticBody("disc", model, frame="fixed")
    flywheel = RigidBody("flywheel", 10.0, ("uz",), spin=p.speed)
    pair = ContactPair(
        disc,
        elastic_surface(disc, "bottom"),
        RigidFace(flywheel, Plane()),
        PenaltyNormal(p.bed_stiffness),
        CoulombSliding(p.friction),
    )
    system = System([disc, flywheel], [Force(flywheel, (0.0, 0.0, p.load)), pair])
    guess = np.zeros(len(disc.freedoms) + 1)
    guess[-1] = p.load / (p.bed_stiffness * pair.surface.measure)
    steady = steady_state(system, guess)
    return torque(pair, steady.state), pair, steady.contacts["contact"].pressure


def run(run: Run[ClutchTorque]) -> None:
    """Closed forms of rigid discs, the elastic disc and its rigid limit, picture."""
    p = run.parameters
    facing, bed = annulus(p.inner_radius, p.outer_radius), PenaltyNormal(p.bed_stiffness)
    table = TableNormal(np.array([0.0, 1e-5, 2e-5, 5e-5]), np.array([0.0, 1e5, 3e5, 2e6]))
    cone = facing.with_gap(conical(p.inner_radius, p.outer_radius, p.cone))
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
    curves = {name: 1e-6 * pressure for name, pressure in profiles.items()}
    figure = plots.curves_plot(across, curves, "radius / m", "pressure / MPa", from_zero=True)
    plots.save(figure, run.path("pressure.png"))


def elastic(run: Run[ClutchTorque], across: Floats) -> Floats:
    """Torque of the elastic disc against the rigid one on the same points; its pressure."""
    p = run.parameters
    losses, profile = [], np.zeros(0)
    for factor in STIFFENED:
        found, pair, pressure = elastic_clutch(p, factor)
        weights, radii = pair.surface.weights, np.hypot(*pair.surface.points[:, :2].T)
        rigid = p.friction * p.load * float(weights @ radii) / float(weights.sum())
        losses.append(1.0 - found / rigid)
        profile = _over_radius(across, radii, pressure) if factor == 1.0 else profile
        run.check("normal force", float(weights @ pressure), p.load, unit="N",
                  tolerance=1e-6 * p.load, kind="closed_form", source="balance of the flywheel",
                  method=f"E x {factor:g}", formula=True)  # fmt: skip
    run.check("torque lost by bending, over the rigid torque", losses[0], 0.0, relation="ge",
              kind="trend", source="the load moves to the hub", formula=True)  # fmt: skip
    for factor, loss, before in zip(STIFFENED[1:], losses[1:], losses, strict=False):
        run.check("torque lost by bending, over the rigid torque", loss, 0.05 * before,
                  relation="le", kind="trend", source="E x 100: rigid limit, order 1/E",
                  method=f"E x {factor:g}", formula=True)  # fmt: skip
    return profile


def _over_radius(across: Floats, radii: Floats, pressure: Floats) -> Floats:
    """Pressure over the radius from that of points, all alike around."""
    order = np.argsort(radii)
    return np.interp(across, radii[order], pressure[order])


CASE = Case(
    title="torque of a dry clutch: rigid, conical, tabled and elastic",
    proves=("clutch torque to 1e-10", "conical facing", "facing table", "rigid limit"),
    parameters=ClutchTorque(),
    run=run,
    quick_s=5,
)

if __name__ == "__main__":
    raise SystemExit(main(CASE, __file__))
