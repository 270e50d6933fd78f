"""Wobble of a clutch disc: tilt, gyroscopic moments and friction (Jehle 8.2, digest T24).

A disc that spins at phi' in a fixed centre tilts about x and y. Its ring of radius R, at the height
h below the centre, is pressed on a plate that spins at Omega, whose face lies H below the centre:
the preload is c (h - H). With the moment of inertia J about all axes and S = [[0, 1], [-1, 0]]

    J t'' + (d + G S) t' + (k + n S) t = 0,      k = c R^2/2,   G = J phi'
    d = b + c h^2 mu (h - H)/(2 R |Omega - phi'|)
    n = -(c h mu R/2) (1 - h (h - H) Omega/(R^2 (Omega - phi'))) sgn(Omega - phi')     (Jehle 8.3)

The print gives n with the opposite sign against G. Where the ring is pressed more, friction along
the slip, at the lever h, has a moment that turns the tilt against the slip: the moment about x is
+(c h mu R/2) sgn(Omega - phi') times the tilt about y, and n its negative.

The tilt is stable if and only if d > 0 and d^2 k/J + d phi' n - n^2 > 0. The source leaves out
moments of the preload on the tilted ring, of the size c (h - H) h against k and (h - H)/h against
n; the package has them, so the difference vanishes with the preload. The source gives no
numbers of the geometry; those taken here put the wobble near the 300 Hz that it quotes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import pi, sqrt

import numpy as np

from fecontact.analysis import (
    Branch,
    MapAxis,
    OperatingPoint,
    critical_value,
    operating_point,
    regions,
    stability_map,
)
from fecontact.analysis.stability.mechanism import mechanism
from fecontact.body import RigidBody
from fecontact.case import Case, Parameters, Run, main, quantity
from fecontact.contact import ContactPair, CoulombSliding, PenaltyNormal, Plane, RigidFace, ring
from fecontact.contact.laws.base import FrictionLaw
from fecontact.errors import NON_NEGATIVE, POSITIVE, InputError, at_least
from fecontact.joint import Bearing, Force
from fecontact.system import System
from fecontact.typing import Complexes
from fecontact.view import plots
from fecontact.view.stability import map_plot, power_plot

AXIAL = 1e3
"""Damping of the axial motion in N s/m, which does not couple with the tilt."""
SOURCE = "Jehle (8.3), to (h - H)/h"


@dataclass(frozen=True)
class Wobble(Parameters):
    """Geometry chosen here; `preload` is h - H."""

    inertia: float = quantity(1e-2, "kg m^2", POSITIVE)
    stiffness: float = quantity(7e6, "N/m", POSITIVE)
    damping: float = quantity(0.5, "N m s", NON_NEGATIVE)
    radius: float = quantity(0.1, "m", POSITIVE)
    height: float = quantity(0.02, "m", POSITIVE)
    preload: float = quantity(1e-4, "m", POSITIVE)
    friction: float = quantity(0.3, "", NON_NEGATIVE)
    plate_speed: float = quantity(200.0, "rad/s")
    slip: float = quantity(70.0, "rad/s")
    ring_points: int = quantity(12, "", at_least(3), numerical=True)

    def validate(self) -> None:
        """Sliding needs slip."""
        if self.slip == 0.0:
            raise InputError("slip = 0.0 rad/s is not possible: without slip nothing slides")

    @property
    def spin(self) -> float:
        """Speed phi' of the disc in rad/s."""
        return self.plate_speed - self.slip

    @property
    def coefficients(self) -> tuple[float, float, float]:
        """Stiffness k, circulatory n and damping of the contact d - b of (Jehle 8.3)."""
        c, h, R, mu = self.stiffness, self.height, self.radius, self.friction
        k = 0.5 * c * R**2
        turned = h * self.preload * self.plate_speed / (R**2 * self.slip)
        n = -0.5 * c * h * mu * R * (1.0 - turned) * np.sign(self.slip)
        return k, float(n), c * h**2 * mu * self.preload / (2.0 * R * abs(self.slip))

    @property
    def eigenvalues(self) -> Complexes:
        """Eigenvalues with positive imaginary part of (Jehle 8.3), rising frequency."""
        k, n, d = self.coefficients
        J = self.inertia
        forward = np.roots([J, self.damping + d - 1j * J * self.spin, k - 1j * n])
        z = np.concatenate([forward, forward.conj()])
        z = z[z.imag > 0.0]
        return np.asarray(z[np.argsort(z.imag)])

    @property
    def critical_damping(self) -> float:
        """Damping b of the bearing at the border in N m s; negative if it is always stable."""
        k, n, d = self.coefficients
        square = k / self.inertia
        root = sqrt((self.spin * n) ** 2 + 4.0 * square * n**2)
        return (-self.spin * n + root) / (2.0 * square) - d


def build(p: Wobble, law: FrictionLaw | None = None) -> System:
    """Disc that tilts, and is pressed on the plate along its axis by the preload."""
    disc = RigidBody("disc", 1.0, ("uz", "rx", "ry"), inertia=(p.inertia,) * 3, spin=p.spin)
    plate = RigidBody("plate", 1.0, (), spin=p.plate_speed)
    facing = ring(p.radius, p.ring_points, -p.height)
    face = RigidFace(plate, Plane(point=(0.0, 0.0, p.preload - p.height)))
    normal = PenaltyNormal(p.stiffness / facing.measure, 0.0)
    friction = law or CoulombSliding(p.friction)
    contact = ContactPair(disc, facing, face, normal, friction, "facing")
    bearing = Bearing(disc, 0.0, 0.0, axial_damping=AXIAL, tilt_damping=p.damping)
    load = Force(disc, (0.0, 0.0, -p.stiffness * p.preload))
    return System([disc, plate], [bearing, load, contact])


def tilts(point: OperatingPoint) -> Complexes:
    """Eigenvalues of the two modes of tilt."""
    axial = np.abs(point.modes.vectors[0]) > np.abs(point.modes.vectors[1:]).max(axis=0)
    return np.asarray(point.modes.eigenvalues[~axial])


def run(run: Run[Wobble]) -> None:
    """Eigenvalues, the limit of small preload, the border, and the map."""
    p = run.parameters
    share = p.stiffness * p.preload * p.height / p.coefficients[0]
    point = operating_point(build(p))
    size = float(np.abs(p.eigenvalues).max())
    for number, (found, exact) in enumerate(zip(tilts(point), p.eigenvalues,
                                                strict=True), start=1):  # fmt: skip
        run.check(f"eigenvalue {number}: distance", float(abs(found - exact)), 0.0, unit="1/s",
                  tolerance=share * size, kind="closed_form", source=SOURCE,
                  formula=True)  # fmt: skip
    run.check("frequency, about 300 Hz", float(point.modes.leading_frequency), (270.0, 330.0),
              unit="Hz", relation="in", kind="published", source="Jehle 8.2")  # fmt: skip
    run.check("what feeds it", mechanism(point.balance()), "mode coupling (facing)", relation="is",
              kind="trend", source="Jehle 8.2: friction by pressure, at the lever h")  # fmt: skip
    plots.save(power_plot(point.balance()), run.path("power.png"))
    small_preload(run)
    borders(run)
    picture(run)


def small_preload(run: Run[Wobble]) -> None:
    """The difference from (Jehle 8.3) goes to zero with the preload, to first order."""
    errors = []
    for factor in (1.0, 0.1):
        p = replace(run.parameters, preload=factor * run.parameters.preload)
        found = tilts(operating_point(build(p)))
        errors.append(float(np.abs(found - p.eigenvalues).max()))
    run.check("order of the difference in the preload", float(np.log10(errors[0] / errors[1])), 1.0,
              tolerance=0.05, kind="closed_form", source="Jehle (8.3)", formula=True)  # fmt: skip


def borders(run: Run[Wobble]) -> None:
    """Damping of the bearing at the border for both signs of slip."""
    for slip in (abs(run.parameters.slip), -abs(run.parameters.slip)):
        p = replace(run.parameters, slip=slip, preload=1e-2 * run.parameters.preload)
        exact = p.critical_damping
        branch = Branch(lambda b, q=p: build(replace(q, damping=b)))
        found = critical_value(branch, 0.5 * exact, 2.0 * exact)
        run.check(f"damping at the border, slip {slip:g} rad/s", found.value, exact, unit="N m s",
                  tolerance=2.0 * p.preload / p.height * exact, kind="closed_form", source=SOURCE,
                  formula=True)  # fmt: skip
        run.note(f"slip {slip:g} rad/s: {found.frequency:.1f} Hz at the border")


def picture(run: Run[Wobble]) -> None:
    """Map over damping and slip, with the border of (Jehle 8.3)."""
    p = run.parameters

    def at(damping: float, slip: float) -> System:
        return build(replace(p, damping=damping, slip=slip))

    effort = {"seed": (5, 5), "levels": 1} if run.quick else {"seed": (12, 12), "levels": 3}
    highest = 1.5 * p.critical_damping
    found = stability_map(
        at, MapAxis("damping b / (N m s)", 0.0, highest), MapAxis("slip / (rad/s)", 5.0, 230.0),
        **effort,
    )  # fmt: skip
    figure = map_plot(found, regions(found, at))
    slips = np.linspace(5.0, 230.0, 60)
    border = [replace(p, slip=float(slip)).critical_damping for slip in slips]
    figure.axes[0].plot(border, slips, "b--", label="(Jehle 8.3)")
    plots.save(figure, run.path("map.png"))
    run.note(
        "Not tested: the source quotes a limit cycle at a slip of 70 rad/s, quasi-periodic motion "
        "at 75 and 105 and chaos at 220 rad/s from a work whose geometry it does not give. The "
        f"frequency of the tilt alone is {sqrt(p.coefficients[0] / p.inertia) / (2 * pi):.0f} Hz."
    )


CASE = Case(
    title="wobble of a clutch disc: tilt under friction at a lever, against the closed form",
    proves=("Jehle T24",),
    parameters=Wobble(),
    run=run,
    quick_s=5,
    system=build,
)

if __name__ == "__main__":
    raise SystemExit(main(CASE, __file__))
