"""Whirl of a rigid clutch disc, and its self-centring (Jehle 8.3, figure 8.5; digest T25).

A disc of mass m on a radially isotropic bearing (c, d) spins at Omega_1 and slides on a plate that
spins at Omega about the same axis. About the centre friction damps the radial motion and turns it,
with kappa = mu N/(2 R |Omega - Omega_1|). In complex form u = u_x + i u_y

    m u'' + (d + kappa) u' + (c - i kappa Omega) u = 0 ,

so the disc whirls forward, at the frequency omega = kappa Omega/(kappa + d), if and only if
c < m omega^2: instability of type I. Without damping of the bearing that is c < m Omega^2. If the
bearing is off the plate's axis by u_0, the disc settles at u = u_0/(1 - i kappa Omega/c): on a
circle of the diameter |u_0| through u_0 and the centre, the nearer to the centre the more it is
pressed: self-centring.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import pi

import numpy as np
from matplotlib.figure import Figure

from fecontact.analysis import (
    Branch,
    MapAxis,
    critical_value,
    operating_point,
    regions,
    stability_map,
    steady_state,
)
from fecontact.analysis.stability.mechanism import mechanism
from fecontact.body import RigidBody
from fecontact.case import Case, Parameters, Run, main, quantity
from fecontact.contact import ContactPair, CoulombSliding, PenaltyNormal, Plane, RigidFace, ring
from fecontact.contact.laws.base import FrictionLaw
from fecontact.errors import NON_NEGATIVE, POSITIVE, InputError, at_least
from fecontact.joint import Bearing, Force
from fecontact.system import System
from fecontact.typing import Complexes, Floats
from fecontact.view import plots
from fecontact.view.stability import map_plot

RIGID = {450.0: 60936.0, 400.0: 56239.0, 350.0: 50958.0, 320.0: 47471.0, 280.0: 36345.0,
         200.0: 14060.0, 150.0: 6771.0}  # fmt: skip
"""Plate speed in rad/s -> bearing stiffness in N/m at the border, digest T21, rigid formula."""
STIFF = 1.2e7
"""Contact stiffness in N/m; it does not matter here."""


@dataclass(frozen=True)
class Whirl(Parameters):
    """Data of the elastic disc, with its clutch force."""

    mass: float = quantity(0.5, "kg", POSITIVE)
    bearing_stiffness: float = quantity(3e4, "N/m", POSITIVE)
    bearing_damping: float = quantity(10.0, "N s/m", NON_NEGATIVE)
    offset: float = quantity(0.0, "m")
    disc_speed: float = quantity(300.0, "rad/s")
    plate_speed: float = quantity(400.0, "rad/s")
    radius: float = quantity(0.1, "m", POSITIVE)
    friction: float = quantity(0.3, "", NON_NEGATIVE)
    normal_force: float = quantity(3460.0, "N", POSITIVE)
    ring_points: int = quantity(24, "", at_least(3), numerical=True)

    def validate(self) -> None:
        """Sliding needs slip."""
        if self.disc_speed == self.plate_speed:
            raise InputError(
                f"plate_speed = disc_speed = {self.plate_speed} rad/s is not possible: without "
                "slip nothing slides"
            )

    @property
    def kappa(self) -> float:
        """Radial damping of the friction in N s/m."""
        slip = abs(self.plate_speed - self.disc_speed)
        return self.friction * self.normal_force / (2.0 * self.radius * slip)

    @property
    def whirl(self) -> float:
        """Angular frequency in rad/s at the border."""
        return self.kappa * self.plate_speed / (self.kappa + self.bearing_damping)

    @property
    def eigenvalues(self) -> Complexes:
        """Eigenvalues with positive imaginary part, rising growth rate."""
        turn = 1j * self.kappa * self.plate_speed
        rows = [self.mass, self.kappa + self.bearing_damping, self.bearing_stiffness - turn]
        z = np.roots(rows)
        z = np.where(z.imag > 0.0, z, z.conj())
        return np.asarray(z[np.argsort(z.real)])


def build(p: Whirl, law: FrictionLaw | None = None) -> System:
    """Disc in its bearing, pressed on the plate."""
    disc = RigidBody("disc", p.mass, spin=p.disc_speed)
    plate = RigidBody("plate", 1.0, (), spin=p.plate_speed)
    facing = ring(p.radius, p.ring_points).with_gap(-p.normal_force / STIFF)
    normal = PenaltyNormal(STIFF / facing.measure, 100.0 / facing.measure)
    face = RigidFace(plate, Plane())
    friction = law or CoulombSliding(p.friction)
    contact = ContactPair(disc, facing, face, normal, friction, "facing")
    bearing = Bearing(
        disc, p.bearing_stiffness, 0.0, p.bearing_damping, offset=(0.0, p.offset, 0.0)
    )
    return System([disc, plate], [bearing, Force(disc, (0.0, 0.0, -p.normal_force)), contact])


def run(run: Run[Whirl]) -> None:
    """Eigenvalues, borders, self-centring, map."""
    p = run.parameters
    point = operating_point(build(p))
    z = point.modes.eigenvalues
    distance = np.abs(p.eigenvalues[:, None] - z).min(axis=1).max()
    run.check("distance of the eigenvalues", float(distance), 0.0, unit="1/s",
              tolerance=1e-8 * float(np.abs(p.eigenvalues).max()), kind="closed_form",
              source="complex radial motion", formula=True)  # fmt: skip
    if not point.modes.stable:
        run.check("what feeds it", mechanism(point.balance()), "turning slip (facing)",
                  relation="is", kind="closed_form", source="only circulatory term",
                  formula=True)  # fmt: skip
    borders(run)
    self_centring(run)
    picture(run)


def borders(run: Run[Whirl]) -> None:
    """Stiffness of the bearing at the border, by root finding, and the whirl there."""
    for speed, digest in RIGID.items():
        p = replace(run.parameters, plate_speed=speed)
        exact = p.mass * p.whirl**2
        branch = Branch(lambda c, q=p: build(replace(q, bearing_stiffness=c)))
        found = critical_value(branch, 0.5 * exact, 2.0 * exact)
        run.check(f"border of the bearing stiffness at {speed:g} rad/s", found.value, exact,
                  unit="N/m", tolerance=1e-6 * exact, kind="closed_form",
                  source="m (kappa Omega/(kappa + d))^2", formula=True)  # fmt: skip
        run.check(f"the same, of the digest, at {speed:g} rad/s", found.value, digest, unit="N/m",
                  tolerance=5e-4 * digest, kind="digest", source="digest Jehle T21, N = 3460 N",
                  varied=["plate_speed", "bearing_stiffness"])  # fmt: skip
        if speed == 400.0:
            run.check("frequency at the border", found.frequency, p.whirl / (2 * pi), unit="Hz",
                      tolerance=1e-6 * p.whirl, kind="closed_form",
                      source="kappa Omega/(kappa + d)", formula=True)  # fmt: skip
            run.check("frequency at the border, about 50 Hz", found.frequency, (40.0, 65.0),
                      unit="Hz", relation="in", kind="published", source="Jehle 8.4, type I",
                      varied=["plate_speed", "bearing_stiffness"])  # fmt: skip


def settled(p: Whirl, forces: Floats) -> tuple[Complexes, Complexes]:
    """Position u_x + i u_y at normal forces: computed, and by the formula."""
    found, exact = [], []
    for force in forces:
        at = replace(p, normal_force=float(force))
        q = steady_state(build(at)).state.q
        found.append(complex(q[0], q[1]))
        exact.append(1j * p.offset / (1.0 - 1j * at.kappa * p.plate_speed / p.bearing_stiffness))
    return np.array(found), np.array(exact)


def self_centring(run: Run[Whirl]) -> None:
    """Soft bearing off the axis by 0.1 mm: the disc moves to the axis as it is pressed."""
    forces = np.geomspace(1.0, 3000.0, 8 if run.quick else 30)
    paths = {}
    for speed in (200.0, 400.0):
        p = replace(run.parameters, offset=1e-4, bearing_stiffness=1e3, plate_speed=speed)
        found, exact = settled(p, forces)
        paths[f"{speed:g} rad/s"] = found
        error = float(np.abs(found - exact).max()) / p.offset
        run.check(f"self-centring at {speed:g} rad/s: error of the path, share of the offset",
                  error, 0.0, tolerance=1e-5, kind="closed_form",
                  source="u_0/(1 - i kappa Omega/c)", formula=True)  # fmt: skip
        circle = np.abs(found - 0.5j * p.offset) / (0.5 * p.offset)
        run.check(f"self-centring at {speed:g} rad/s: largest distance from the circle",
                  float(np.abs(circle - 1.0).max()), 0.0, tolerance=1e-5, kind="published",
                  source="Jehle 7.1, figure 7.2", formula=True)  # fmt: skip
    plots.save(path_plot(paths), run.path("self_centring.png"))


def path_plot(paths: dict[str, Complexes]) -> Figure:
    """Paths of the centre for growing force, and the circle of the formula."""
    figure = Figure(figsize=(6.0, 5.5), layout="constrained")
    axes = figure.subplots()
    angle = np.linspace(0.0, 2.0 * pi, 200)
    axes.plot(50.0 * np.cos(angle), 50.0 + 50.0 * np.sin(angle), "-", color="gray", label="circle")
    for (label, path), marker in zip(paths.items(), "os", strict=True):
        axes.plot(1e6 * path.real, 1e6 * path.imag, marker, fillstyle="none", label=label)
    axes.plot(0.0, 0.0, "k+", label="axis of the plate")
    axes.plot(0.0, 100.0, "kx", label="axis of the bearing")
    axes.set(xlabel="u_x / um", ylabel="u_y / um", aspect="equal")
    axes.legend(loc="center")
    return figure


def picture(run: Run[Whirl]) -> None:
    """Map over the stiffness of the bearing and the plate speed, with the border of the formula."""
    p = run.parameters

    def at(stiffness: float, speed: float) -> System:
        return build(replace(p, bearing_stiffness=stiffness, plate_speed=speed))

    effort = {"seed": (5, 6), "levels": 1} if run.quick else {"seed": (12, 12), "levels": 3}
    found = stability_map(
        at, MapAxis("bearing stiffness / (N/m)", 1e3, 1e5),
        MapAxis("plate speed / (rad/s)", 101.0, 451.0), **effort,
    )  # fmt: skip
    figure = map_plot(found, regions(found, at))
    speeds = np.linspace(101.0, 451.0, 100)
    border = [p.mass * replace(p, plate_speed=float(s)).whirl ** 2 for s in speeds]
    figure.axes[0].plot(border, speeds, "b--", label="closed form")
    plots.save(figure, run.path("map.png"))


CASE = Case(
    title="whirl and self-centring of a rigid clutch disc, type I",
    proves=("Jehle T25",),
    parameters=Whirl(),
    run=run,
    quick_s=6,
    system=build,
)

if __name__ == "__main__":
    raise SystemExit(main(CASE, __file__))
