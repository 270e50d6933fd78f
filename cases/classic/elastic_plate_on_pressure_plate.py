"""Elastic pressure plate on an elastic friction plate: dishing, partial slip, gross slip.

A facing (thickness t, E_f, nu = 0) is bonded to a rigid flywheel. A pressure plate (h, E) of the
same annulus a < r < b is pressed on it by the force P, which acts along its inner edge, and dishes.
The facing is a Winkler layer of stiffness k = E_f/t. Kirchhoff's plate on it obeys

    D (1/r d/dr r d/dr)^2 w + k w = 0,      p = k w,

with the solution w = A ber(r/l) + B bei(r/l) + C ker(r/l) + D kei(r/l), l^4 = D/k. A torque then
turns the plate by phi. The facing shears by k_t = G_f/t; a ring slips where k_t r phi > mu p(r):

    M(phi) = 2 pi int min(k_t r phi, mu p) r^2 dr,     at most     2 pi mu int p r^2 dr .

A rigid plate has even pressure and the torque 2/3 mu P (b^3 - a^3)/(b^2 - a^2). Both bodies are
meshed by solid elements, with different cells; nothing of the closed forms is put in. Thick plates
shear, which Kirchhoff neglects: a few per cent.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import pi

import numpy as np

import fecontact as fc

FRACTIONS = (0.3, 0.6, 0.8, 0.9, 0.97)
"""Torques of the increments over the torque of gross slip."""


@dataclass(frozen=True)
class PressurePlate(fc.Parameters):
    """Grey iron on a facing as soft as with its cushion springs."""

    inner: float = fc.quantity(0.06, "m", fc.between(0.0, "outer"))
    outer: float = fc.quantity(0.11, "m", fc.POSITIVE)
    thickness: float = fc.quantity(0.01, "m", fc.POSITIVE)
    young: float = fc.quantity(110e9, "Pa", fc.POSITIVE)
    poisson: float = fc.quantity(0.25, "", fc.POISSON)
    facing_thickness: float = fc.quantity(0.003, "m", fc.POSITIVE)
    facing_young: float = fc.quantity(5e6, "Pa", fc.POSITIVE)
    force: float = fc.quantity(5000.0, "N", fc.POSITIVE)
    mu: float = fc.quantity(0.3, "", fc.POSITIVE)
    radial: int = fc.quantity(3, "", fc.at_least(1), numerical=True)
    around: int = fc.quantity(24, "", fc.at_least(8), numerical=True)
    parts: int = fc.quantity(1, "", fc.at_least(1), numerical=True)
    penalty: float = fc.quantity(1e11, "Pa/m", fc.POSITIVE, numerical=True)
    even_torque = fc.derived(
        "torque of gross slip at even pressure in N m",
        lambda p: fc.reference.facing_torque(p.inner, p.outer, p.mu * p.force),
    )

    @property
    def exact(self) -> fc.reference.DishedPlate:
        """Kirchhoff's plate on facing and penalty in series, k and k_t, with friction."""
        soft = self.facing_thickness / self.facing_young
        foundations = 1.0 / (soft + 1.0 / self.penalty), 1.0 / (2.0 * soft + 1.0 / self.penalty)
        plate = self.inner, self.outer, self.thickness, self.young, self.poisson
        return fc.reference.DishedPlate(*plate, *foundations, self.force, self.mu)


REFERENCES = fc.References("""
    force    | total force                    |     | N   | 1e-06 rel | balance
    pressure | mean deviation of the pressure | 0.0 |     | 0.02
    torque   | torque of gross slip           |     | N m | 0.01 rel
    rings    | torque of the rings            |     | N m | 0.03 rel
    *        | Kirchhoff plate on a Winkler layer
    rigid_pressure | rigid plate: largest deviation of the pressure | 0.0     |  | 1e-3
    rigid_torque   | rigid plate: torque over that of even pressure | 1.0     |  | 1e-3
        | 2/3 mu P (b^3 - a^3)/(b^2 - a^2)
    stiffer        | deviation, 10^4 over 10^2 times stiffer        | <= 0.02 |  |
        | E -> infinity | trend
    *              | even pressure
    equilibrium | equilibrium at 1.03 of gross slip | is False |  |  | gross slip | full
""")


def problem(p: PressurePlate) -> fc.StaticSystem:
    """Points of the facing on the flywheel against facets of the loaded pressure plate."""
    t, h = p.facing_thickness, p.thickness
    layer = fc.solid_annulus(p.inner, p.outer, 0.0, t, p.radial, p.around, 1, order=2)
    lining = fc.Material(p.facing_young, 0.0, 2000.0)
    facing = fc.ElasticSolid(layer, lining, "hexS2", supports={"bottom": "clamped"})
    cells = fc.solid_annulus(p.inner, p.outer, t, t + h, p.radial + 1, p.around - 4, 1, order=2)
    plate = fc.ElasticSolid(cells, fc.Material(p.young, p.poisson, 7200.0), "hexS2")
    inside, rim = plate.surface("inner"), plate.surface("outer")
    down = np.outer(inside.weights / inside.weights.sum(), [0.0, 0.0, -p.force])
    around = np.cross([0.0, 0.0, 1.0], rim.points)
    turn = rim.weights[:, None] * around / (rim.weights @ np.sum(around**2, axis=1))
    seat = -p.force * t / (p.facing_young * pi * (p.outer**2 - p.inner**2))
    low, high = fc.FEBody("facing", facing), fc.FEBody("plate", plate, (0.0, 0.0, 0.1 * seat))
    later = fc.Table((0.0, 1.0, 2.0), (0.0, 0.0, p.even_torque))
    loads = [
        fc.NodalLoad(high, inside.shape.T @ down.ravel(), "force", fc.ramp(1.0)),
        fc.NodalLoad(high, rim.shape.T @ turn.ravel(), "torque", later),
    ]
    points, friction = fc.fe_surface(low, "top", parts=p.parts), fc.ElastoPlastic(p.mu, p.penalty)
    normal = fc.PenaltyNormal(p.penalty)
    contact = fc.ContactPair(low, points, fc.FEFace(high, "bottom"), normal, friction)
    return fc.StaticSystem(fc.System([low, high], [contact, *loads]))


def rotations(problem: fc.StaticSystem, path: fc.LoadPath) -> fc.Floats:
    """Mean rotation of the contact face of the plate in rad, per increment."""
    system = problem.system
    surface = fc.fe_surface(system.bodies[1], "bottom", parts=1)
    around = np.cross([0.0, 0.0, 1.0], surface.points)
    states = [problem.state(each.t, each.x).q[system.q_slices["plate"]] for each in path.increments]
    turned = [
        np.einsum("p,pi,pi->", surface.weights, around, (surface.interpolation @ q).reshape(-1, 3))
        for q in states
    ]
    return np.array(turned) / (surface.weights @ np.sum(around**2, axis=1))


def capacity(p: PressurePlate, surface: fc.Surface, pressure: fc.Floats) -> float:
    """Torque of gross slip of a pressure field in N m."""
    radius = np.hypot(surface.points[:, 0], surface.points[:, 1])
    return p.mu * float((surface.weights * radius) @ pressure)


def main(run: fc.Run[PressurePlate]) -> None:
    """Press, turn up to gross slip; then the rigid limit."""
    p = run.parameters
    if run.quick:
        p = replace(p, radial=2, around=16)
    exact, model = p.exact, problem(p)
    surface, full = model.pairs[0].surface, exact.torque(np.inf)
    fractions = FRACTIONS[::2] if run.quick else FRACTIONS
    loads = [0.5, 1.0, *(1.0 + fraction * full / p.even_torque for fraction in fractions)]
    path = fc.load_path(model, loads)
    last, pressed = path.increments[-1].contacts["contact"], path.increments[1].contacts["contact"]
    r = np.hypot(surface.points[:, 0], surface.points[:, 1])
    computed = {
        "force": (-pressed.force[2], p.force),
        "pressure": surface.weights @ np.abs(pressed.pressure - exact.pressure(r)) / p.force,
        "torque": (capacity(p, surface, pressed.pressure), full),
    }
    run.compare(REFERENCES, computed, part=True)
    for fraction, angle in zip(fractions, rotations(model, path)[2:], strict=True):
        label = f"at the rotation of {fraction:g} of gross slip"
        run.row(REFERENCES, "rings", exact.torque(float(angle)), fraction * full, label=label)
    slipping = float(surface.weights[last.status == fc.SLIP].sum() / surface.measure)
    torques = f"even pressure would carry {p.even_torque:.1f} N m, the dished plate {full:.1f} N m"
    slips = f"at {fractions[-1]:g} of gross slip {100.0 * slipping:.0f} % of the facing slips"
    run.note(f"{slips}; l = {1e3 * exact.length:.1f} mm; {torques}.")
    rigid_limit(run, p)
    if not run.quick:
        run.row(REFERENCES, "equilibrium", balanced(model, 1.03 * full / p.even_torque))
    pictures(run, p, model, path, fractions)


def rigid_limit(run: fc.Run[PressurePlate], p: PressurePlate) -> None:
    """E -> infinity: even pressure. All but the plate is made soft, which is the same."""
    spread, torque = [], 0.0
    for factor in (1e-2, 1e-4):
        soft = replace(p, force=factor * p.force, facing_young=factor * p.facing_young,
                       penalty=factor * p.penalty)  # fmt: skip
        with warnings.catch_warnings(action="ignore"):  # softer than any material
            model = problem(soft)
        surface = model.pairs[0].surface
        pressure = fc.load_path(model, [1.0]).increments[-1].contacts["contact"].pressure
        spread.append(float(np.abs(pressure / (soft.force / surface.measure) - 1.0).max()))
        torque = capacity(p, surface, pressure) / soft.even_torque
    computed = {
        "rigid_pressure": spread[-1],
        "rigid_torque": torque,
        "stiffer": spread[-1] / spread[0],
    }
    run.compare(REFERENCES, computed, part=True)


def balanced(model: fc.StaticSystem, torque: float) -> bool:
    """Whether there is an equilibrium under a torque, over that of even pressure."""
    try:
        fc.load_path(model, [0.5, 1.0, 1.0 + torque], halvings=0)
    except fc.LoadPathError:
        return False
    return True


def pictures(
    run: fc.Run[PressurePlate],
    p: PressurePlate,
    model: fc.StaticSystem,
    path: fc.LoadPath,
    fractions: Sequence[float],
) -> None:
    """Maps of pressure and slip, pressure over radius, torque over rotation."""
    exact, surface = p.exact, model.pairs[0].surface
    contacts = [each.contacts["contact"] for each in path.increments]
    statuses = {
        f"torque {fractions[i]:g} of gross slip": contacts[2 + i].status
        for i in (len(fractions) // 2, len(fractions) - 1)
    }
    maps = fc.view.contact_maps(surface.points, contacts[1].pressure, statuses)
    run.figure("pressure_and_slip", maps)
    r = np.hypot(surface.points[:, 0], surface.points[:, 1])
    order = np.argsort(r)
    dots = {"solid elements": 1e-6 * contacts[1].pressure[order]}
    curve = {"Kirchhoff on Winkler": 1e-6 * exact.pressure(r[order])}
    about = {"dots": dots, "from_zero": True}
    figure = fc.view.curves_plot(1e3 * r[order], curve, "radius / mm", "pressure / MPa", **about)
    run.figure("pressure", figure)
    full = exact.torque(np.inf)
    phi = np.linspace(0.0, 1.3 * exact.angle(fractions[-1] * full), 60)
    curve = 1e3 * phi, np.array([exact.torque(x) for x in phi])
    dots = 1e3 * rotations(model, path)[1:], full * np.array([0.0, *fractions])
    panel = ("torque up to gross slip", {"rings": curve}, {"solid elements": dots})
    figure = fc.view.loops_plot([panel], "rotation / mrad", "torque / (N m)")
    run.figure("torque", figure)


VERIFIES = ("two elastic plates with non-matching meshes", "clutch torque of an elastic plate")
CASE = fc.Case(__doc__, VERIFIES, PressurePlate(), main, quick_s=10)

if __name__ == "__main__":
    CASE.main(__file__)
