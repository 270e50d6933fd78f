"""Elastic plate pressed by a rigid ring, against the closed form of the clamped circular plate.

A circular plate of radius a, clamped at its edge, is pressed by a ring of radius b with the force
P. It deflects under the ring by

    w(b) = P/(8 pi D) ((a^4 - b^4)/(2 a^2) - 2 b^2 ln(a/b)) + P ln(a/b)/(2 pi kappa G h)

(Timoshenko and Woinowsky-Krieger, Art. 17; the second term is the shear of a Mindlin plate), and
the contact layer of stiffness c gives way by P/(2 pi b c) more. The plate is the master: its facets
are searched and bent. The ring turns and slides; it touches along a line, or on a narrow width.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, pi

import numpy as np

from fecontact.analysis import steady_state
from fecontact.body import ElasticBody, RigidBody
from fecontact.case import Case, Parameters, Run, main, quantity
from fecontact.contact import ContactPair, CoulombSliding, PenaltyNormal, Surface, ring
from fecontact.contact.master.elastic_face import ElasticFace
from fecontact.contact.surface.patches import annulus
from fecontact.errors import NON_NEGATIVE, POISSON, POSITIVE, at_least
from fecontact.fem import Material, MindlinPlate
from fecontact.joint import Force
from fecontact.mesh import disc
from fecontact.reduction import HarmonicLoads, reduce_model
from fecontact.system import System
from fecontact.typing import Floats
from fecontact.view import plots

SHEAR_FACTOR = 5.0 / 6.0
MESHES = ((3, 24), (4, 32), (6, 48))
"""Rings of cells outside the core, cells around: the last is the finest."""


@dataclass(frozen=True)
class PlateOnRing(Parameters):
    """Steel plate, a/h = 50."""

    radius: float = quantity(0.1, "m", POSITIVE)
    thickness: float = quantity(0.002, "m", POSITIVE)
    ring_radius: float = quantity(0.05, "m", POSITIVE)
    ring_width: float = quantity(0.001, "m", POSITIVE)
    load: float = quantity(100.0, "N", POSITIVE)
    layer_stiffness: float = quantity(1e8, "N/m^2", POSITIVE)
    friction: float = quantity(0.1, "", NON_NEGATIVE)
    speed: float = quantity(10.0, "rad/s", POSITIVE)
    young: float = quantity(210e9, "Pa", POSITIVE)
    poisson: float = quantity(0.3, "", POISSON)
    density: float = quantity(7800.0, "kg/m^3", POSITIVE)
    ring_points: int = quantity(96, "", at_least(12), numerical=True)
    modes: int = quantity(30, "", at_least(1), numerical=True)


def deflection(p: PlateOnRing) -> float:
    """Closed form of the deflection under the ring."""
    a, b = p.radius, p.ring_radius
    D = p.young * p.thickness**3 / (12.0 * (1.0 - p.poisson**2))
    bending = ((a**4 - b**4) / (2.0 * a**2) - 2.0 * b**2 * log(a / b)) / (8.0 * pi * D)
    shear = p.young / (2.0 * (1.0 + p.poisson)) * SHEAR_FACTOR * p.thickness
    return p.load * (bending + log(a / b) / (2.0 * pi * shear))


def plate(p: PlateOnRing, mesh: tuple[int, int]) -> ElasticBody:
    """Clamped plate with modes and the static answer to smooth pressures."""
    radial, around = mesh
    cells = disc(p.radius, radial, around, cell="quad", order=2)
    material = Material(p.young, p.poisson, p.density)
    model = MindlinPlate(cells, p.thickness, material, {"outer": "clamped"})
    reduced = reduce_model(model, contact="top", modes=p.modes,
                           loads={"top": HarmonicLoads(0, 6)}, floating_frame=False)  # fmt: skip
    return ElasticBody("plate", reduced, frame="fixed")


def pressed(p: PlateOnRing, body: ElasticBody, contact: Surface) -> tuple[float, Floats, float]:
    """Way of the ring, pressures at its points, and their sum in N."""
    tool = RigidBody("ring", 1.0, ("uz",), position=(0.0, 0.0, 0.5 * p.thickness), spin=p.speed)
    per_measure = p.layer_stiffness * 2.0 * pi * p.ring_radius / contact.measure
    pair = ContactPair(
        tool,
        contact,
        ElasticFace(body, "top"),
        PenaltyNormal(per_measure),
        CoulombSliding(p.friction),
    )
    system = System([tool, body], [Force(tool, (0.0, 0.0, -p.load)), pair])
    guess = np.zeros(1 + len(body.dofs))
    guess[0] = -p.load / (2.0 * pi * p.ring_radius * p.layer_stiffness)
    steady = steady_state(system, guess)
    status = steady.contacts["contact"]
    return -float(steady.state.q[0]), status.pressure, status.normal_force


def run(run: Run[PlateOnRing]) -> None:
    """Deflection over meshes, balance, narrow annulus, picture."""
    p = run.parameters
    layer = p.load / (2.0 * pi * p.ring_radius * p.layer_stiffness)
    line = ring(p.ring_radius, p.ring_points)
    errors, body, pressure = [], None, np.zeros(0)
    for mesh in MESHES[:2] if run.quick else MESHES:
        body = plate(p, mesh)
        way, pressure, force = pressed(p, body, line)
        errors.append(abs((way - layer) / deflection(p) - 1.0))
        run.check("deflection under the ring", 1e3 * (way - layer), 1e3 * deflection(p), unit="mm",
                  tolerance=0.01e3 * deflection(p), kind="closed_form", formula=True,
                  source="Timoshenko and Woinowsky-Krieger, Art. 17, with shear",
                  method=f"{mesh[1]} cells around")  # fmt: skip
        run.check("normal force", force, p.load, unit="N", tolerance=1e-3 * p.load,
                  kind="closed_form", source="balance of the ring, slopes of the facets neglected",
                  method=f"{mesh[1]} cells around", formula=True)  # fmt: skip
    assert body is not None
    half = 0.5 * p.ring_width
    wide = annulus(p.ring_radius - half, p.ring_radius + half, (2, p.ring_points))
    way = pressed(p, body, wide)[0]
    run.check("deflection under a ring of width", 1e3 * (way - layer), 1e3 * deflection(p),
              unit="mm", tolerance=0.01e3 * deflection(p), kind="closed_form",
              source="as the line, for small width", formula=True)  # fmt: skip
    run.note("relative errors of the deflection: " + ", ".join(f"{e:.2e}" for e in errors))
    angle = np.degrees(np.arctan2(line.points[:, 1], line.points[:, 0])) % 360.0
    uniform = np.full_like(pressure, p.load / (2.0 * pi * p.ring_radius))
    curves = {"finite elements": 1e-3 * pressure, "load over circumference": 1e-3 * uniform}
    figure = plots.curves_plot(angle, curves, "angle / deg", "line load / (N/mm)", from_zero=True)
    plots.save(figure, run.path("line_load.png"))


CASE = Case(
    title="elastic plate pressed by a rigid ring",
    proves=("facets of a plate as master", "ring load on a clamped plate"),
    parameters=PlateOnRing(),
    run=run,
    quick_s=6,
)

if __name__ == "__main__":
    raise SystemExit(main(CASE, __file__))
