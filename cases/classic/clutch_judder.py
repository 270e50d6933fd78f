"""Judder of a clutch: a coefficient that falls with the speed feeds an elastic lamella.

A flywheel slows down on a lamella that is held at its hub. Friction falls with the slip speed,
mu(s) = mu + (mu_s - mu) exp(-s/v_s): a point that moves along with the flywheel is pulled more. The
slope mu' < 0 acts as a negative damper -mu' p per area. For a mode with the tangential displacement
psi(r) at the facing, unit modal mass, damping ratio zeta and frequency omega, at the speed Omega

    growth = -zeta omega - 1/2 int mu'(Omega r) p psi^2 dA .

The lamella is an annulus of finite elements, reduced to vibration and attachment modes. Its
torsional mode judders at the frequency of the linear theory, grows as the theory says, and ends in
a limit cycle with stick, until the flywheel stands.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import pi, sqrt

import numpy as np

import fecontact as fc

HEAVY = 1e6
"""Factor of the inertia that keeps the speed of the flywheel."""
JERK = 0.2
"""Disturbance at the start of the engagement, relative to the static turn of the facing."""
LINEAR = {"kind": "cross_method", "source": "linearised system", "formula": True}


@dataclass(frozen=True)
class Judder(fc.Parameters):
    """Soft lamella of a small clutch."""

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

    @property
    def law(self) -> fc.Stribeck:
        """Falling coefficient."""
        return fc.Stribeck(self.kinetic, self.static, self.fall)


class Clutch:
    """Lamella on a flywheel, driven at a constant speed or free to slow down."""

    def __init__(self, p: Judder) -> None:
        mesh = fc.solid_annulus(p.inner_radius, p.outer_radius, 0.0, p.thickness, p.radial,
                             p.circumferential, order=2)  # fmt: skip
        material = fc.Material(p.young, p.poisson, p.density)
        held = {"inner": "clamped", "top": "z"}
        solid = fc.ElasticSolid(mesh, material, supports=held)
        model = fc.reduce_model(solid, contact="bottom", modes=6, floating_frame=False)
        self.parameters = p
        self.lamella = fc.ElasticBody("lamella", model, frame="fixed", damping=p.damping)
        self.facing = fc.elastic_surface(self.lamella, "bottom")

    def system(self, inertia: float | None = None) -> fc.System:
        """The flywheel slows down by the friction torque; without inertia it keeps its speed."""
        p = self.parameters
        if inertia is None:
            flywheel = fc.RigidBody("flywheel", 5.0, ("uz",), spin=p.speed)
        else:
            flywheel = fc.RigidBody("flywheel", 5.0, ("uz", "rz"), 3 * (inertia,))
        pair = fc.ContactPair(
            self.lamella,
            self.facing,
            fc.RigidFace(flywheel, fc.Plane()),
            fc.PenaltyNormal(p.contact_stiffness, p.contact_damping),
            fc.ElastoPlastic(p.law, p.contact_stiffness, p.contact_damping),
            "facing",
        )
        push = fc.Force(flywheel, (0.0, 0.0, p.load), name="load")
        return fc.System([self.lamella, flywheel], [push, pair])

    @property
    def turned(self) -> fc.Floats:
        """Mean tangential displacement (m,) of the facing per elastic coordinate."""
        x, y, _ = self.facing.points.T
        around = np.stack([-y, x, 0.0 * x], axis=1) / np.hypot(x, y)[:, None]
        assert self.facing.shapes is not None
        share = self.facing.weights / self.facing.measure
        return np.einsum("p,pi,pik->k", share, around, self.facing.shapes)


def main(run: fc.Run[Judder]) -> None:
    """Linear theory, growth of a small disturbance, engagement."""
    clutch = Clutch(run.parameters)
    # the torsional mode is one of the exact modes of the basis, though local loads count less there
    band = 0.0, float(clutch.lamella.model.next_frequency) / (2.0 * pi)
    point = fc.operating_point(clutch.system(), friction="state", band=band)
    mode = point.modes.leading
    growth, frequency = float(point.modes.growth[mode]), float(point.modes.frequency[mode])
    theory(run, clutch, point, mode)
    grow(run, clutch, point, mode)
    engage(run, clutch, point, frequency)
    run.note(f"Torsional mode: {frequency:.1f} Hz, growth {growth:+.2f} 1/s at the first speed.")


def theory(run: fc.Run[Judder], clutch: Clutch, point: fc.OperatingPoint, mode: int) -> None:
    """Growth rate against the formula of one mode with a negative damper."""
    p, modes = run.parameters, point.modes
    vector = modes.vectors[: len(clutch.turned), mode]
    vector = (vector * np.exp(-1j * np.angle(clutch.turned @ vector))).real
    vector = vector / sqrt(vector @ clutch.lamella.mass_matrix(0.0 * vector) @ vector)
    facing = clutch.facing
    radii = np.hypot(*facing.points[:, :2].T)
    around = np.stack([-facing.points[:, 1], facing.points[:, 0]], axis=1) / radii[:, None]
    assert facing.shapes is not None
    psi = np.einsum("pi,pik,k->p", around, facing.shapes[:, :2], vector)
    slope = p.law.values(p.speed * radii, radii, np.full(len(radii), 2))[1]
    pressure = point.steady.contacts["facing"].pressure
    feed = -0.5 * float(facing.weights @ (slope * pressure * psi**2))
    omega = float(modes.eigenvalues[mode].imag)
    run.check("growth rate of the torsional mode", float(modes.growth[mode]),
              feed - p.damping * omega, unit="1/s", tolerance=0.01 * feed, kind="closed_form",
              source="one mode, negative damper", formula=True)  # fmt: skip


def grow(run: fc.Run[Judder], clutch: Clutch, point: fc.OperatingPoint, mode: int) -> None:
    """A small disturbance of the steady state grows and swings as the linear theory says."""
    p, modes, steady = run.parameters, point.modes, point.steady.state
    system = clutch.system(HEAVY * p.inertia)
    z = complex(modes.eigenvalues[mode])
    kick = modes.vectors[:, mode]
    kick = np.append(1e-7 * kick / np.abs(clutch.turned @ kick[: len(clutch.turned)]), 0.0)
    cycles = 5 if run.quick else 30
    end = cycles * 2.0 * pi / z.imag
    q, v = np.append(steady.q, 0.0), np.append(steady.v, p.speed)
    moved, rest = fc.State(0.0, q + kick.real, v + (z * kick).real), fc.State(0.0, q, v)
    motion, still = (
        fc.simulate(system, end, system.sliding(state), "explicit", end / (20 * cycles))
        for state in (moved, rest)
    )
    rows, late = slice(0, len(clutch.turned)), motion.t > 0.2 * end
    x, v = ((a - b)[:, rows] @ clutch.turned for a, b in ((motion.q, still.q), (motion.v, still.v)))
    circle = (x - 1j * v / z.imag)[late]
    rate = float(np.polyfit(motion.t[late], np.log(np.abs(circle)), 1)[0])
    measured = float(np.polyfit(motion.t[late], np.unwrap(np.angle(circle)), 1)[0]) / (2.0 * pi)
    run.check("frequency of a small disturbance", measured, z.imag / (2.0 * pi), unit="Hz",
              tolerance=1e-4 * z.imag / (2.0 * pi), **LINEAR)  # fmt: skip
    run.check("growth rate of a small disturbance", rate, z.real, unit="1/s",
              tolerance=0.01 * abs(z.real), **LINEAR)  # fmt: skip


def engage(run: fc.Run[Judder], clutch: Clutch, point: fc.OperatingPoint, frequency: float) -> None:
    """The flywheel slows down: judder, its frequency, audit, pictures."""
    p, system = run.parameters, clutch.system(run.parameters.inertia)
    steady = point.steady.state
    kick = point.modes.vectors[:, point.modes.leading].real
    rows = slice(0, len(clutch.turned))
    kick = JERK * kick * (clutch.turned @ steady.q[rows]) / (clutch.turned @ kick[rows])
    q, v = np.append(steady.q + kick, 0.0), np.append(steady.v, p.speed)
    start = system.sliding(fc.State(0.0, q, v))
    end = 0.02 if run.quick else 0.1
    file = run.store("engagement.h5")
    wheel = fc.solid_annulus(0.8 * p.inner_radius, 1.1 * p.outer_radius, -p.thickness, 0.0, 1, 32)
    geometry = [fc.BodyGeometry.of(clutch.lamella), fc.BodyGeometry.of(system.bodies[1], wheel)]
    motion = fc.simulate(system, end, start, "explicit", 2e-4, store=file, geometry=geometry)
    x = motion.q[:, : len(clutch.turned)] @ clutch.turned
    run.check("frequency of judder", frequency_of(motion.t, x), frequency, unit="Hz",
              tolerance=0.1 * frequency, **LINEAR)  # fmt: skip
    energies = motion.energies
    left = np.abs(energies["residual"]) + np.abs(energies["numerical"])
    run.check("energy audit: left over, of the heat", float(left.max() / energies["slip"][-1]),
              1e-3, relation="le", kind="trend", source="energy balance at defaults",
              formula=True)  # fmt: skip
    left = []
    for count in (1, 2):
        step = motion.t[-1] / motion.statistics.steps / count
        lines = fc.simulate(system, 0.01, start, "explicit", 0.01, step=step).energies
        left.append(abs(float(lines["residual"][-1] + lines["numerical"][-1])))
    run.check("energy left over with half the step", left[1] / left[0], 0.6, relation="le",
              kind="trend", source="it falls with the step", formula=True)  # fmt: skip
    pictures(run, motion, x)


def frequency_of(t: fc.Floats, x: fc.Floats) -> float:
    """Mean frequency in Hz of the second half of a signal, from where it rises through its mean."""
    t, x = t[len(t) // 2 :], x[len(t) // 2 :]
    x = x - x.mean()
    up = np.flatnonzero((x[:-1] < 0.0) & (x[1:] >= 0.0))
    times = t[up] - x[up] * (t[up + 1] - t[up]) / (x[up + 1] - x[up])
    return float((len(times) - 1) / (times[-1] - times[0]))


def pictures(run: fc.Run[Judder], motion: fc.Trajectory, x: fc.Floats) -> None:
    """Histories, contact states, energies, animation."""
    speed = motion.history("flywheel.rz", "velocity")
    panels = {"flywheel / (rad/s)": {"speed": (motion.t, speed)},
              "facing / mm": {"mean turn": (motion.t, 1e3 * x)}}  # fmt: skip
    run.figure("judder", fc.view.history_panels(panels))
    figure = fc.view.contact_states(motion.t, {"facing": motion.mode})
    run.figure("states", figure)
    run.figure("energy", fc.view.energy_plot(motion.t, motion.energies))
    last = fc.Result.load(run.out / "engagement.h5").between(motion.t[-1] - 0.01)
    reason = fc.view.animate(last, run.path("judder.gif"), frames=6 if run.quick else 60)
    if reason is not None:
        run.files.remove("judder.gif")
        run.note(f"No animation: {reason}")


CASE = fc.Case(
    title="judder of a clutch with an elastic lamella and falling friction",
    verifies=("engagement with an elastic lamella and its judder",),
    parameters=Judder(),
    run=main,
    quick_s=12,
)

if __name__ == "__main__":
    CASE.main(__file__)
