"""Judder of a clutch: a coefficient that falls with the speed feeds an elastic clutch plate.

A flywheel slows down on a clutch plate that is held at its hub. Friction falls with the slip speed,
mu(s) = mu + (mu_s - mu) exp(-s/v_s): a point that moves along with the flywheel is pulled more. The
slope mu' < 0 acts as a negative damper -mu' p per area. For a mode with the tangential displacement
psi(r) at the facing, unit modal mass, damping ratio zeta and frequency omega, at the speed Omega

    growth = -zeta omega - 1/2 int mu'(Omega r) p psi^2 dA .

The clutch plate is an annulus of finite elements, reduced to vibration and attachment modes. Its
torsional mode judders at the frequency of the linear theory, grows as the theory says, and ends in
a limit cycle with stick, until the flywheel stands.
"""

from dataclasses import dataclass
from math import pi, sqrt

import numpy as np

import fecontact as fc

HEAVY = 1e6
"""Factor of the inertia that keeps the speed of the flywheel."""
JERK = 0.2
"""Disturbance at the start of the engagement, relative to the static turn of the facing."""


@dataclass(frozen=True)
class Judder(fc.Parameters):
    """Soft plate of a small clutch."""

    inner_radius: float = fc.quantity(0.05, "m", fc.POSITIVE)
    outer_radius: float = fc.quantity(0.1, "m", fc.POSITIVE)
    thickness: float = fc.quantity(0.005, "m", fc.POSITIVE)
    young: float = fc.quantity(4e7, "Pa", fc.POSITIVE)
    poisson: float = fc.quantity(0.0, "")
    density: float = fc.quantity(2000.0, "kg/m^3", fc.POSITIVE)
    damping: float = fc.quantity(0.01, "", fc.POSITIVE)
    load: float = fc.quantity(300.0, "N", fc.POSITIVE)
    kinetic: float = fc.quantity(0.2, "", fc.POSITIVE)
    static: float = fc.quantity(0.6, "", fc.POSITIVE)
    fall: float = fc.quantity(0.75, "m/s", fc.POSITIVE)
    speed: float = fc.quantity(10.0, "rad/s", fc.POSITIVE)
    inertia: float = fc.quantity(0.1, "kg m^2", fc.POSITIVE)
    contact_stiffness: float = fc.quantity(2e9, "N/m^3", fc.POSITIVE)
    contact_damping: float = fc.quantity(1e4, "N s/m^3", fc.POSITIVE)
    radial: int = fc.quantity(2, "", fc.at_least(1), numerical=True)
    circumferential: int = fc.quantity(12, "", fc.at_least(8), numerical=True)
    law = fc.derived("falling coefficient", lambda p: fc.Stribeck(p.kinetic, p.static, p.fall))


REFERENCES = fc.References("""
    theory    | growth rate of the torsional mode    |         | 1/s |  | one mode | closed_form
    frequency | frequency of a small disturbance     |         | Hz  | 1e-4 rel
    growth    | growth rate of a small disturbance   |         | 1/s | 0.01 rel
    judder    | frequency of judder                  |         | Hz  | 0.1 rel
    audit     | energy audit: left over, of the heat | <= 1e-3 |     |  | balance | trend
    *         | linearised system | cross_method
""")


class Clutch:
    """Clutch plate on a flywheel, driven at a constant speed or free to slow down."""

    def __init__(self, p: Judder) -> None:
        sizes = p.inner_radius, p.outer_radius, 0.0, p.thickness
        mesh = fc.solid_annulus(*sizes, p.radial, p.circumferential, order=2)
        material = fc.Material(p.young, p.poisson, p.density)
        held = {"inner": "clamped", "top": "z"}
        solid = fc.ElasticSolid(mesh, material, supports=held)
        model = fc.reduce_model(solid, contact="bottom", modes=6, floating_frame=False)
        self.parameters = p
        self.plate = fc.ElasticBody("plate", model, frame="fixed", damping=p.damping)
        self.facing = fc.elastic_surface(self.plate, "bottom")

    def system(self, inertia: float | None = None) -> fc.System:
        """The flywheel slows down by the friction torque; without inertia it keeps its speed."""
        p = self.parameters
        if inertia is None:
            flywheel = fc.RigidBody("flywheel", 5.0, ("uz",), spin=p.speed)
        else:
            flywheel = fc.RigidBody("flywheel", 5.0, ("uz", "rz"), 3 * (inertia,))
        pair = fc.ContactPair(
            self.plate,
            self.facing,
            fc.RigidFace(flywheel, fc.Plane()),
            fc.PenaltyNormal(p.contact_stiffness, p.contact_damping),
            fc.ElastoPlastic(p.law, p.contact_stiffness, p.contact_damping),
            "facing",
        )
        push = fc.Force(flywheel, (0.0, 0.0, p.load), name="load")
        return fc.System([self.plate, flywheel], [push, pair])

    @property
    def turned(self) -> fc.Floats:
        """Mean tangential displacement (m,) of the facing per elastic coordinate."""
        x, y, _ = self.facing.points.T
        around = np.stack([-y, x, 0.0 * x], axis=1) / np.hypot(x, y)[:, None]
        assert self.facing.shapes is not None
        fraction = self.facing.weights / self.facing.measure
        return np.einsum("p,pi,pik->k", fraction, around, self.facing.shapes)


def frequency_of(t: fc.Floats, x: fc.Floats) -> float:
    """Mean frequency in Hz of the second half of a signal, from where it rises through its mean."""
    t, x = t[len(t) // 2 :], x[len(t) // 2 :]
    x = x - x.mean()
    up = np.flatnonzero((x[:-1] < 0.0) & (x[1:] >= 0.0))
    times = t[up] - x[up] * (t[up + 1] - t[up]) / (x[up + 1] - x[up])
    return float((len(times) - 1) / (times[-1] - times[0]))


def main(run: fc.Run[Judder]) -> None:
    """Linear theory, growth of a small disturbance, engagement."""
    clutch = Clutch(run.parameters)
    # the torsional mode is one of the exact modes of the basis, though local loads count less there
    band = 0.0, float(clutch.plate.model.next_frequency) / (2.0 * pi)
    point = fc.operating_point(clutch.system(), friction="state", band=band)
    mode = point.modes.leading
    growth, frequency = point.modes.growth[mode], point.modes.frequency[mode]
    found, theory = growth_of(clutch, point, 5 if run.quick else 30), feed(clutch, point)
    motion, x = engaged(run, clutch, point)
    energies = motion.energies
    left = np.abs(energies["residual"]) + np.abs(energies["numerical"])
    omega = 2.0 * pi * frequency
    computed = {
        "theory": (growth, theory - clutch.parameters.damping * omega),
        "frequency": (found.imag / (2.0 * pi), frequency),
        "growth": (found.real, growth),
        "judder": (frequency_of(motion.t, x), frequency),
        "audit": left.max() / energies["slip"][-1],
    }
    run.compare(REFERENCES, computed, tolerances={"theory": 0.01 * theory})
    run.note(f"Torsional mode: {frequency:.1f} Hz, growth {growth:+.2f} 1/s at the first speed.")
    panels = {
        "flywheel / (rad/s)": {"speed": (motion.t, motion.history("flywheel.rz", "velocity"))},
        "facing / mm": {"mean turn": (motion.t, 1e3 * x)},
    }
    run.figure("judder", fc.view.history_panels(panels))
    run.figure("states", fc.view.contact_states(motion.t, {"facing": motion.contact_status}))
    run.figure("energy", fc.view.energy_plot(motion.t, energies))
    last = fc.Result.load(run.out / "engagement.h5").between(motion.t[-1] - 0.01)
    reason = fc.view.animate(last, run.path("judder.gif"), frames=6 if run.quick else 60)
    if reason is not None:
        run.files.remove("judder.gif")
        run.note(f"No animation: {reason}")


def feed(clutch: Clutch, point: fc.OperatingPoint) -> float:
    """Growth in 1/s that the falling friction gives the torsional mode, by the formula."""
    p, facing, mode = clutch.parameters, clutch.facing, point.modes.leading
    vector = point.modes.vectors[: len(clutch.turned), mode]
    vector = (vector * np.exp(-1j * np.angle(clutch.turned @ vector))).real
    vector = vector / sqrt(vector @ clutch.plate.mass_matrix(0.0 * vector) @ vector)
    radii = np.hypot(*facing.points[:, :2].T)
    around = np.stack([-facing.points[:, 1], facing.points[:, 0]], axis=1) / radii[:, None]
    psi = np.einsum("pi,pik,k->p", around, facing.shapes[:, :2], vector)
    slope = p.law.values(p.speed * radii, radii, np.full(len(radii), 2))[1]
    pressure = point.steady.contacts["facing"].pressure
    return -0.5 * float(facing.weights @ (slope * pressure * psi**2))


def growth_of(clutch: Clutch, point: fc.OperatingPoint, cycles: int) -> complex:
    """Growth rate and angular frequency of a small disturbance in time, as a complex number."""
    p, modes, steady = clutch.parameters, point.modes, point.steady.state
    system, rows = clutch.system(HEAVY * p.inertia), slice(0, len(clutch.turned))
    z, kick = complex(modes.eigenvalues[modes.leading]), modes.vectors[:, modes.leading]
    kick = np.append(1e-7 * kick / np.abs(clutch.turned @ kick[rows]), 0.0)
    end = cycles * 2.0 * pi / z.imag
    q, v = np.append(steady.q, 0.0), np.append(steady.v, p.speed)
    moved, rest = fc.State(0.0, q + kick.real, v + (z * kick).real), fc.State(0.0, q, v)
    motion, still = (
        fc.simulate(system, end, system.sliding(state), "explicit", end / (20 * cycles))
        for state in (moved, rest)
    )
    x, v = ((a - b)[:, rows] @ clutch.turned for a, b in ((motion.q, still.q), (motion.v, still.v)))
    late = motion.t > 0.2 * end
    t, circle = motion.t[late], (x - 1j * v / z.imag)[late]
    rate = np.polyfit(t, np.log(np.abs(circle)), 1)[0]
    return complex(rate, np.polyfit(t, np.unwrap(np.angle(circle)), 1)[0])


def engaged(
    run: fc.Run[Judder], clutch: Clutch, point: fc.OperatingPoint
) -> tuple[fc.Result, fc.Floats]:
    """The flywheel slows down after a jerk: motion, and mean turn of the facing."""
    p, system = run.parameters, clutch.system(run.parameters.inertia)
    steady, rows = point.steady.state, slice(0, len(clutch.turned))
    kick = point.modes.vectors[:, point.modes.leading].real
    kick = JERK * kick * (clutch.turned @ steady.q[rows]) / (clutch.turned @ kick[rows])
    q, v = np.append(steady.q + kick, 0.0), np.append(steady.v, p.speed)
    start = system.sliding(fc.State(0.0, q, v))
    wheel = fc.solid_annulus(0.8 * p.inner_radius, 1.1 * p.outer_radius, -p.thickness, 0.0, 1, 32)
    geometry = [fc.BodyGeometry.of(clutch.plate), fc.BodyGeometry.of(system.bodies[1], wheel)]
    options = {"store": run.store("engagement.h5"), "geometry": geometry}
    motion = fc.simulate(system, 0.02 if run.quick else 0.1, start, "explicit", 2e-4, **options)
    return motion, motion.q[:, rows] @ clutch.turned


VERIFIES = ("engagement with an elastic clutch plate and its judder",)
CASE = fc.Case(__doc__, VERIFIES, Judder(), main, quick_s=12)

if __name__ == "__main__":
    CASE.main(__file__)
