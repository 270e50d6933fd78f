"""Engagement of a clutch between two inertias: slip time, heat and slip work in closed form.

A flywheel J_1 at the speed Omega, driven by M_1, is coupled to a resting driveline J_2 with the
load M_2 by a facing under the force N. While it slips, its torque T = 2/3 mu N (r_o^3 - r_i^3)/
(r_o^2 - r_i^2) is constant and the difference of speeds falls linearly:

    t* = Omega/((T - M_1)/J_1 + (T - M_2)/J_2)          slip time
    phi = Omega t*/2,   Q = T phi                        slip angle and heat
    omega = (T - M_2) t*/J_2                             speed at which slip ends

Bristles yield until the slip reverses, so they change this only by their lag behind a direction
that turns against the flywheel. Heat per area at the radius r is mu p r phi: the map of slip work.
Power per area is mu p r times the difference of the speeds: the heat map of a moment.

Explicit, implicit and event-free methods integrate the same law; their differences fall with the
step. Numerical dissipation is of order 2; the residual of the audit is of order 1, since the slip
direction turns in the frame of the flywheel (docs/transient.md).
"""

from dataclasses import dataclass, replace
from math import pi, sqrt

import numpy as np

import fecontact as fc

TIGHT = {"solver": "DOP853", "rtol": 1e-7}
AFTER = 1.15
"""Time simulated, in slip times: the last part is stick."""


@dataclass(frozen=True)
class Engagement(fc.Parameters):
    """Clutch and inertias of a passenger car; a soft facing."""

    inner_radius: float = fc.quantity(0.075, "m", fc.POSITIVE)
    outer_radius: float = fc.quantity(0.115, "m", fc.POSITIVE)
    load: float = fc.quantity(4000.0, "N", fc.POSITIVE)
    friction: float = fc.quantity(0.3, "", fc.POSITIVE)
    engine_inertia: float = fc.quantity(0.2, "kg m^2", fc.POSITIVE)
    driven_inertia: float = fc.quantity(0.6, "kg m^2", fc.POSITIVE)
    engine_torque: float = fc.quantity(40.0, "N m", fc.NON_NEGATIVE)
    load_torque: float = fc.quantity(15.0, "N m", fc.NON_NEGATIVE)
    speed: float = fc.quantity(50.0, "rad/s", fc.POSITIVE)
    disc_mass: float = fc.quantity(5.0, "kg", fc.POSITIVE)
    compression: float = fc.quantity(1e-3, "m", fc.POSITIVE)
    stretch: float = fc.quantity(1e-4, "m", fc.POSITIVE)
    damping_ratio: float = fc.quantity(0.05, "", fc.POSITIVE)
    radial: int = fc.quantity(3, "", fc.at_least(2), numerical=True)
    circumferential: int = fc.quantity(24, "", fc.at_least(3), numerical=True)

    def validate(self) -> None:
        """The clutch must be able to hold."""
        if self.torque <= max(self.engine_torque, self.load_torque):
            least = self.load * max(self.engine_torque, self.load_torque) / self.torque
            raise fc.InputError(f"invalid load = {self.load} N: expected > {least:.6g}, to hold")

    @property
    def torque(self) -> float:
        """T in N m."""
        cubes, squares = (self.outer_radius**k - self.inner_radius**k for k in (3, 2))
        return 2.0 / 3.0 * self.friction * self.load * cubes / squares

    @property
    def slip_time(self) -> float:
        """t* in s."""
        engine = (self.torque - self.engine_torque) / self.engine_inertia
        return self.speed / (engine + (self.torque - self.load_torque) / self.driven_inertia)

    slip_angle = fc.derived("angle phi of slip in rad", lambda p: 0.5 * p.speed * p.slip_time)
    pressure = fc.derived(
        "mean pressure in Pa", lambda p: p.load / (pi * (p.outer_radius**2 - p.inner_radius**2))
    )
    heat = fc.derived("heat in J", lambda p: p.torque * p.slip_angle)


REFERENCES = fc.References("""
    time  | slip time                            | p.slip_time | s
    speed | speed at the end of slip             |             | rad/s
    heat  | heat                                 | p.heat      | J
    map   | largest error of the heat per area   | 0.0
    power | largest error of the power per area  | 0.0
    audit | energy audit: left over, of the heat | <=          |       |  | balance | trend
    *     | two inertias, constant torque
""")


def build(p: Engagement) -> fc.System:
    """Flywheel, disc with its facing, torques, force."""
    flywheel = fc.RigidBody("flywheel", 10.0, ("rz",), (1.0, 1.0, p.engine_inertia))
    disc = fc.RigidBody("disc", p.disc_mass, ("uz", "rz"), (1.0, 1.0, p.driven_inertia))
    facing = fc.annulus_surface(p.inner_radius, p.outer_radius, (p.radial, p.circumferential))
    polar = float(facing.weights @ (facing.points[:, :2] ** 2).sum(axis=1))
    reduced = 1.0 / (1.0 / p.engine_inertia + 1.0 / p.driven_inertia)
    normal, bristle = p.pressure / p.compression, p.friction * p.pressure / p.stretch
    pair = fc.ContactPair(
        disc,
        facing,
        fc.RigidFace(flywheel, fc.Plane()),
        fc.PenaltyNormal(normal, 2 * p.damping_ratio * sqrt(normal * p.disc_mass / facing.measure)),
        fc.ElastoPlastic(
            p.friction, bristle, 2 * p.damping_ratio * sqrt(bristle * reduced / polar)
        ),
        "facing",
    )
    loads = [
        fc.Force(disc, (0.0, 0.0, -p.load), name="diaphragm spring"),
        fc.Torque(flywheel, (0.0, 0.0, p.engine_torque), name="engine"),
        fc.Torque(disc, (0.0, 0.0, -p.load_torque), name="driveline"),
    ]
    return fc.System([flywheel, disc], [*loads, pair])


def start(p: Engagement, system: fc.System) -> fc.State:
    """Facing compressed, bristles bent, driveline at rest."""
    rest = {"disc.uz": -p.compression}
    return system.sliding(system.state(q=rest, v={"flywheel.rz": p.speed}))


def difference(motion: fc.Result, of: str = "velocity") -> fc.Floats:
    """Speed or angle of the flywheel less that of the disc."""
    return motion.history("flywheel.rz", of) - motion.history("disc.rz", of)


def slip_end(motion: fc.Result) -> tuple[float, float]:
    """Time and speed at which the slip reverses, linear between two outputs."""
    slip = difference(motion)
    i = int(np.flatnonzero(slip <= 0.0)[0])
    fraction = slip[i - 1] / (slip[i - 1] - slip[i])
    t, speed = motion.t, motion.history("disc.rz", "velocity")
    return tuple(float(x[i - 1] + fraction * (x[i] - x[i - 1])) for x in (t, speed))


def half_power(p: Engagement, motion: fc.Result) -> tuple[int, fc.Floats]:
    """Slip power (p,) in W near half the slip time, and the number of this moment."""
    now = int(np.searchsorted(motion.t, 0.5 * p.slip_time))
    return now, motion.contacts["facing"][now].point_slip_power


def main(run: fc.Run[Engagement]) -> None:
    """Closed forms by three methods, pictures."""
    p = run.parameters
    system = build(replace(p, radial=2, circumferential=8) if run.quick else p)
    end, first = AFTER * p.slip_time, start(p, system)
    outputs = np.arange(1, 116) * end / 115  # t* falls on a time of output
    options = {"implicit": {}, "explicit": {}, "ode": TIGHT}
    for method, more in options.items():
        motion = fc.simulate(system, end, first, method, outputs, **more)
        closed_forms(run, method, motion)
        if method == "implicit":
            pictures(run, motion)


def closed_forms(run: fc.Run[Engagement], name: str, motion: fc.Result) -> None:
    """Slip time, heat and slip work of one method."""
    p, energies, facing = (
        run.parameters,
        motion.energies,
        motion.system.stateful_contacts[0].surface,
    )
    fine, heat = 1e-4 if name == "ode" else 1e-3, p.torque * p.slip_angle
    t, reached = slip_end(motion)
    speed = (p.torque - p.load_torque) * p.slip_time / p.driven_inertia
    limit = p.friction * p.pressure * np.hypot(*facing.points[:, :2].T)
    worn = motion.slip_totals[-1].reshape(-1, 2)[:, 0] / facing.weights
    now, power = half_power(p, motion)
    slip = p.speed * (1.0 - motion.t[now] / p.slip_time)
    left = np.abs(energies["residual"]) + np.abs(energies["numerical"])
    computed = {
        "time": t,
        "speed": (reached, speed),
        "heat": energies["slip"][-1],
        "map": abs(worn / (limit * p.slip_angle) - 1.0).max(),
        "power": abs(power / facing.weights / (limit * slip) - 1.0).max(),
        "audit": (left.max() / heat, 1e-6 if name == "ode" else 1e-3),
    }
    # the power of an implicit step is its mean, half a step earlier
    step = 0.5 * (motion.t[now] - motion.t[now - 1]) if name == "implicit" else 0.0
    about = {"time": fine * p.slip_time, "speed": fine * speed, "heat": fine * heat, "map": fine}
    about["power"] = step / (p.slip_time - motion.t[now]) + 1e-4
    run.compare(REFERENCES, computed, tolerances=about, method=name)


def pictures(run: fc.Run[Engagement], motion: fc.Result) -> None:
    """Speeds, energies, maps of slip work and heat."""
    p, label, facing = run.parameters, "speed / (rad/s)", motion.system.stateful_contacts[0].surface
    t = np.linspace(0.0, p.slip_time, 20)
    exact = {
        "flywheel": (t, p.speed - (p.torque - p.engine_torque) / p.engine_inertia * t),
        "disc": (t, (p.torque - p.load_torque) / p.driven_inertia * t),
    }
    computed = {name: (motion.t, motion.history(f"{name}.rz", "velocity")) for name in exact}
    run.figure("speeds", fc.view.history_panels({label: computed}, {label: exact}))
    run.figure("energy", fc.view.energy_plot(motion.t, motion.energies))
    now, power = half_power(p, motion)
    heat, worn = {f"at {1e3 * motion.t[now]:.0f} ms": power}, motion.slip_totals[-1].reshape(-1, 2)
    run.figure("slip_work", fc.view.slip_maps(facing.points, facing.weights, worn, heat))


VERIFIES = ("clutch engagement: slip time and heat", "explicit, implicit, event-free agree")
CASE = fc.Case(__doc__, VERIFIES, Engagement(), main, quick_s=5, system=build)

if __name__ == "__main__":
    CASE.main(__file__)
