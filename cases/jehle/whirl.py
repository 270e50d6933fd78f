"""Whirl of a rigid clutch disc, and its self-centring (Jehle 8.3, figure 8.5).

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

from dataclasses import dataclass, replace
from math import pi

import numpy as np

import fecontact as fc

RIGID = {
    450.0: 60936.0,
    400.0: 56239.0,
    350.0: 50958.0,
    320.0: 47471.0,
    280.0: 36345.0,
    200.0: 14060.0,
    150.0: 6771.0,
}
"""Plate speed in rad/s -> bearing stiffness in N/m at the boundary, rigid formula."""
STIFF = 1.2e7
"""Contact stiffness in N/m; it does not matter here."""


@dataclass(frozen=True)
class Whirl(fc.Parameters):
    """Data of the elastic disc, with its clutch force."""

    mass: float = fc.quantity(0.5, "kg", fc.POSITIVE)
    bearing_stiffness: float = fc.quantity(3e4, "N/m", fc.POSITIVE)
    bearing_damping: float = fc.quantity(10.0, "N s/m", fc.NON_NEGATIVE)
    offset: float = fc.quantity(0.0, "m")
    disc_speed: float = fc.quantity(300.0, "rad/s")
    plate_speed: float = fc.quantity(400.0, "rad/s")
    radius: float = fc.quantity(0.1, "m", fc.POSITIVE)
    friction: float = fc.quantity(0.3, "", fc.NON_NEGATIVE)
    normal_force: float = fc.quantity(3460.0, "N", fc.POSITIVE)
    ring_points: int = fc.quantity(24, "", fc.at_least(3), numerical=True)

    def validate(self) -> None:
        """Sliding needs slip."""
        if self.disc_speed == self.plate_speed:
            raise fc.InputError(
                f"invalid plate_speed = {self.plate_speed} rad/s: expected slip, another "
                "speed than disc_speed"
            )

    @property
    def kappa(self) -> float:
        """Radial damping of the friction in N s/m."""
        slip = abs(self.plate_speed - self.disc_speed)
        return self.friction * self.normal_force / (2.0 * self.radius * slip)

    whirl = fc.derived(
        "angular frequency in rad/s at the boundary",
        lambda p: p.kappa * p.plate_speed / (p.kappa + p.bearing_damping),
    )

    @property
    def eigenvalues(self) -> fc.Complexes:
        """Eigenvalues with positive imaginary part, rising growth rate."""
        turn = 1j * self.kappa * self.plate_speed
        rows = [self.mass, self.kappa + self.bearing_damping, self.bearing_stiffness - turn]
        z = np.roots(rows)
        z = np.where(z.imag > 0.0, z, z.conj())
        return np.asarray(z[np.argsort(z.real)])


MODES = fc.References("""
    distance | distance of the eigenvalues | 0.0 | 1/s |  | complex radial motion
""")
FEED = fc.References("""
    term | what feeds it | is turning slip (facing) |  |  | only circulatory term
""")
BOUNDARY = fc.References("""
    closed | boundary of the bearing stiffness |  | N/m | 1e-6 rel
    notes  | boundary of the bearing stiffness |  | N/m | 5e-4 rel
        | Jehle 2016, section 7.1, recomputed, N = 3460 N | source_notes
    *      | m (kappa Omega/(kappa + d))^2 | varied=plate_speed, bearing_stiffness
""")
FREQUENCY = fc.References("""
    closed | frequency at the boundary              |              | Hz
    band   | frequency at the boundary, about 50 Hz | in 40.0 65.0 | Hz |
        | Jehle 2016, section 8.4, type I | published
    *      | kappa Omega/(kappa + d) | varied=plate_speed, bearing_stiffness
""")
CENTRING = fc.References("""
    path   | self-centring: error of the path over the offset | 0.0 |  | 1e-5
    circle | self-centring: largest distance from the circle  | 0.0 |  | 1e-5
        | Jehle 2016, figure 7.2 | published
    *      | u_0/(1 - i kappa Omega/c) | formula
""")


def build(p: Whirl, law: fc.FrictionLaw | None = None) -> fc.System:
    """Disc in its bearing, pressed on the plate."""
    disc = fc.RigidBody("disc", p.mass, spin=p.disc_speed)
    plate = fc.RigidBody("plate", 1.0, (), spin=p.plate_speed)
    facing = fc.ring(p.radius, p.ring_points).with_gap(-p.normal_force / STIFF)
    normal = fc.PenaltyNormal(STIFF / facing.measure, 100.0 / facing.measure)
    face = fc.RigidFace(plate, fc.Plane())
    friction = law or fc.CoulombSliding(p.friction)
    contact = fc.ContactPair(disc, facing, face, normal, friction, "facing")
    bearing = fc.Bearing(
        disc, p.bearing_stiffness, 0.0, p.bearing_damping, offset=(0.0, p.offset, 0.0)
    )
    return fc.System([disc, plate], [bearing, fc.Force(disc, (0.0, 0.0, -p.normal_force)), contact])


def settled(p: Whirl, forces: fc.Floats) -> tuple[fc.Complexes, fc.Complexes]:
    """Position u_x + i u_y at normal forces: computed, and by the formula."""
    found, exact = [], []
    for force in forces:
        at = replace(p, normal_force=float(force))
        q = fc.steady_state(build(at)).state.q
        found.append(complex(q[0], q[1]))
        exact.append(1j * p.offset / (1.0 - 1j * at.kappa * p.plate_speed / p.bearing_stiffness))
    return np.array(found), np.array(exact)


def picture(run: fc.Run[Whirl]) -> None:
    """Map over the stiffness of the bearing and the plate speed, with the closed form."""
    p = run.parameters
    speeds = np.linspace(101.0, 451.0, 100)
    boundary = np.array([p.mass * replace(p, plate_speed=float(s)).whirl ** 2 for s in speeds])
    run.stability_map(
        "map",
        lambda c, speed: build(replace(p, bearing_stiffness=c, plate_speed=speed)),
        fc.MapAxis("bearing stiffness / (N/m)", 1e3, 1e5),
        fc.MapAxis("plate speed / (rad/s)", 101.0, 451.0),
        quick_seed=(5, 6),
        curves={"closed form": (boundary, speeds)},
    )


def main(run: fc.Run[Whirl]) -> None:
    """Eigenvalues, boundaries, self-centring, map."""
    p = run.parameters
    point = fc.operating_point(build(p))
    away = np.abs(p.eigenvalues[:, None] - point.modes.eigenvalues).min(axis=1).max()
    size = np.abs(p.eigenvalues).max()
    run.compare(MODES, {"distance": away}, tolerances={"distance": 1e-8 * size})
    if point.modes.stable:
        run.leave_out(FEED, "The disc does not whirl with these parameters.")
    else:
        run.compare(FEED, {"term": fc.mechanism(point.balance())})
    for speed, known in RIGID.items():
        q = replace(p, plate_speed=speed)
        exact, whirl = q.mass * q.whirl**2, q.whirl / (2 * pi)
        branch = fc.Branch(lambda c, q=q: build(replace(q, bearing_stiffness=c)))
        found = fc.critical_value(branch, 0.5 * exact, 2.0 * exact)
        pairs = {"closed": (found.value, exact), "notes": (found.value, known)}
        run.compare(BOUNDARY, pairs, label=f"{speed:g} rad/s")
        if speed == 400.0:
            pairs = {"closed": (found.frequency, whirl), "band": found.frequency}
            run.compare(FREQUENCY, pairs, tolerances={"closed": 1e-6 * q.whirl})
    self_centring(run)
    picture(run)


def self_centring(run: fc.Run[Whirl]) -> None:
    """Soft bearing off the axis by 0.1 mm: the disc moves to the axis as it is pressed."""
    forces, angle = np.geomspace(1.0, 3000.0, 8 if run.quick else 30), np.linspace(0.0, 2 * pi, 200)
    figure = fc.view.new_figure(6.0, 5.5)
    axes = figure.subplots()
    axes.plot(50.0 * np.cos(angle), 50.0 + 50.0 * np.sin(angle), "-", color="gray", label="circle")
    for speed, marker in ((200.0, "o"), (400.0, "s")):
        p = replace(run.parameters, offset=1e-4, bearing_stiffness=1e3, plate_speed=speed)
        u, exact = settled(p, forces)
        circle = np.abs(u - 0.5j * p.offset) / (0.5 * p.offset)
        computed = {
            "path": np.abs(u - exact).max() / p.offset,
            "circle": np.abs(circle - 1.0).max(),
        }
        run.compare(CENTRING, computed, label=f"{speed:g} rad/s")
        label = f"{speed:g} rad/s"
        axes.plot(1e6 * u.real, 1e6 * u.imag, marker, fillstyle="none", label=label)
    axes.plot(0.0, 0.0, "k+", label="axis of the plate")
    axes.plot(0.0, 100.0, "kx", label="axis of the bearing")
    axes.set(xlabel="u_x / um", ylabel="u_y / um", aspect="equal")
    axes.legend(loc="center")
    run.figure("self_centring", figure)


CASE = fc.Case(__doc__, ("Jehle T25",), Whirl(), main, quick_s=6, system=build)

if __name__ == "__main__":
    CASE.main(__file__)
