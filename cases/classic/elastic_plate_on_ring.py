"""Elastic plate pressed by a rigid ring, against the closed form of the clamped circular plate.

A circular plate of radius a, clamped at its edge, is pressed by a ring of radius b with the force
P. It deflects under the ring by

    w(b) = P/(8 pi D) ((a^4 - b^4)/(2 a^2) - 2 b^2 ln(a/b)) + P ln(a/b)/(2 pi kappa G h)

(Timoshenko and Woinowsky-Krieger, Art. 17; the second term is the shear of a Mindlin plate), and
the contact layer of stiffness c gives way by P/(2 pi b c) more. The plate is the master: its facets
are searched and bent. The ring turns and slides; it touches along a line, or on a narrow width.
"""

from dataclasses import dataclass
from math import pi

import numpy as np

import fecontact as fc

MESHES = ((3, 24), (4, 32), (6, 48))
"""Rings of cells outside the core, cells around: the last is the finest."""


@dataclass(frozen=True)
class PlateOnRing(fc.Parameters):
    """Steel plate, a/h = 50."""

    radius: float = fc.quantity(0.1, "m", fc.POSITIVE)
    thickness: float = fc.quantity(0.002, "m", fc.POSITIVE)
    ring_radius: float = fc.quantity(0.05, "m", fc.POSITIVE)
    ring_width: float = fc.quantity(0.001, "m", fc.POSITIVE)
    load: float = fc.quantity(100.0, "N", fc.POSITIVE)
    layer_stiffness: float = fc.quantity(1e8, "N/m^2", fc.POSITIVE)
    friction: float = fc.quantity(0.1, "", fc.NON_NEGATIVE)
    speed: float = fc.quantity(10.0, "rad/s", fc.POSITIVE)
    young: float = fc.quantity(210e9, "Pa", fc.POSITIVE)
    poisson: float = fc.quantity(0.3, "", fc.POISSON)
    density: float = fc.quantity(7800.0, "kg/m^3", fc.POSITIVE)
    ring_points: int = fc.quantity(96, "", fc.at_least(12), numerical=True)
    modes: int = fc.quantity(30, "", fc.at_least(1), numerical=True)
    layer = fc.derived(
        "compression of the layer between ring and plate in m",
        lambda p: p.load / (2.0 * pi * p.ring_radius * p.layer_stiffness),
    )
    per_force = fc.derived(
        "deflection under the ring in m/N",
        lambda p: fc.reference.ring_load_deflection(
            p.radius, p.ring_radius, p.thickness, p.young, p.poisson
        ),
    )


LINE = fc.References("""
    deflection | deflection under the ring | 1e3 * p.load * p.per_force | mm | 0.01 rel
    force | normal force | p.load | N  | 1e-3 rel | balance; facets flat
    *          | Timoshenko and Woinowsky-Krieger, article 17, with shear
""")
WIDE = fc.References("""
    deflection | deflection under a ring of width | 1e3 * p.load * p.per_force | mm | 0.01 rel
    *          | as the line, for small width
""")


def plate(p: PlateOnRing, mesh: tuple[int, int]) -> fc.ElasticBody:
    """Clamped plate with modes and the static answer to smooth pressures."""
    radial, around = mesh
    cells = fc.disc(p.radius, radial, around, cell="quad", order=2)
    material = fc.Material(p.young, p.poisson, p.density)
    model = fc.MindlinPlate(cells, p.thickness, material, {"outer": "clamped"})
    loads = {"top": fc.HarmonicLoads(0, 6)}
    reduced = fc.reduce_model(model, "top", modes=p.modes, loads=loads, floating_frame=False)
    return fc.ElasticBody("plate", reduced, frame="fixed")


def pressed(
    p: PlateOnRing, body: fc.ElasticBody, contact: fc.Surface
) -> tuple[float, fc.Floats, float]:
    """Way of the ring, pressures at its points, and their sum in N."""
    tool = fc.RigidBody("ring", 1.0, ("uz",), position=(0.0, 0.0, 0.5 * p.thickness), spin=p.speed)
    per_measure = p.layer_stiffness * 2.0 * pi * p.ring_radius / contact.measure
    pair = fc.ContactPair(
        tool,
        contact,
        fc.ElasticFace(body, "top"),
        fc.PenaltyNormal(per_measure),
        fc.CoulombSliding(p.friction),
    )
    system = fc.System([tool, body], [fc.Force(tool, (0.0, 0.0, -p.load)), pair])
    guess = np.zeros(1 + len(body.dofs))
    guess[0] = -p.layer
    steady = fc.steady_state(system, guess)
    status = steady.contacts["contact"]
    return -float(steady.state.q[0]), status.pressure, status.normal_force


def main(run: fc.Run[PlateOnRing]) -> None:
    """Deflection over meshes, balance, narrow annulus, picture."""
    p = run.parameters
    line, half = fc.ring(p.ring_radius, p.ring_points), 0.5 * p.ring_width
    for mesh in MESHES[:2] if run.quick else MESHES:
        body = plate(p, mesh)
        way, pressure, force = pressed(p, body, line)
        computed = {"deflection": 1e3 * (way - p.layer), "force": force}
        run.compare(LINE, computed, method=f"{mesh[1]} cells around")
    wide = fc.annulus_surface(p.ring_radius - half, p.ring_radius + half, (2, p.ring_points))
    run.compare(WIDE, {"deflection": 1e3 * (pressed(p, body, wide)[0] - p.layer)})
    angle = np.degrees(np.arctan2(line.points[:, 1], line.points[:, 0])) % 360.0
    uniform = np.full_like(pressure, p.load / (2.0 * pi * p.ring_radius))
    curves = {"finite elements": 1e-3 * pressure, "load over circumference": 1e-3 * uniform}
    figure = fc.view.curves_plot(angle, curves, "angle / deg", "line load / (N/mm)", from_zero=True)
    run.figure("line_load", figure)


VERIFIES = ("facets of a plate as master", "ring load on a clamped plate")
CASE = fc.Case(__doc__, VERIFIES, PlateOnRing(), main, quick_s=6)

if __name__ == "__main__":
    CASE.main(__file__)
