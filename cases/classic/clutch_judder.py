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

from fecontact.analysis import OperatingPoint, operating_point
from fecontact.body import ElasticBody, RigidBody
from fecontact.case import Case, Parameters, Run, main, quantity
from fecontact.contact import ContactPair, ElastoPlastic, PenaltyNormal, RigidFace, Stribeck
from fecontact.contact.master.shape import Plane
from fecontact.contact.surface.points import elastic_surface
from fecontact.errors import POSITIVE, at_least
from fecontact.fem import ElasticSolid, Material
from fecontact.integrate import Trajectory, simulate
from fecontact.joint import Force
from fecontact.mesh import solid_annulus
from fecontact.reduction import reduce_model
from fecontact.results import BodyGeometry, Result
from fecontact.system import State, System
from fecontact.typing import Floats
from fecontact.view import plots
from fecontact.view.animation import animate
from fecontact.view.contact import contact_states
from fecontact.view.energy import energy_plot
from fecontact.view.motion import history_panels

HEAVY = 1e6
"""Factor of the inertia that keeps the speed of the flywheel."""
JERK = 0.2
"""Disturbance at the start of the engagement, relative to the static turn of the facing."""
LINEAR = {"kind": "cross_method", "source": "linearised system", "formula": True}


@dataclass(frozen=True)
class Judder(Parameters):
    """Soft lamella of a small clutch."""

    inner_radius: float = quantity(0.05, "m", POSITIVE)
    outer_radius: float = quantity(0.1, "m", POSITIVE)
    thickness: float = quantity(0.005, "m", POSITIVE)
    young: float = quantity(4e7, "Pa", POSITIVE)
    poisson: float = quantity(0.0, "")
    density: float = quantity(2000.0, "kg/m^3", POSITIVE)
    damping: float = quantity(0.01, "", POSITIVE)
    load: float = quantity(300.0, "N", POSITIVE)
    kinetic: float = quantity(0.2, "", POSITIVE)
    static: float = quantity(0.6, "", POSITIVE)
    fall: float = quantity(0.75, "m/s", POSITIVE)
    speed: float = quantity(10.0, "rad/s", POSITIVE)
    inertia: float = quantity(0.1, "kg m^2", POSITIVE)
    contact_stiffness: float = quantity(2e9, "N/m^3", POSITIVE)
    contact_damping: float = quantity(1e4, "N s/m^3", POSITIVE)
    radial: int = quantity(2, "", at_least(1), numerical=True)
    circumferential: int = quantity(12, "", at_least(8), numerical=True)

    @property
    def law(self) -> Stribeck:
        """Falling coefficient."""
        return Stribeck(self.kinetic, self.static, self.fall)


class Clutch:
    """Lamella on a flywheel, driven at a constant speed or free to slow down."""

    def __init__(self, p: Judder) -> None:
        mesh = solid_annulus(p.inner_radius, p.outer_radius, 0.0, p.thickness, p.radial,
                             p.circumferential, order=2)  # fmt: skip
        material = Material(p.young, p.poisson, p.density)
        held = {"inner": "clamped", "top": "z"}
        solid = ElasticSolid(mesh, material, supports=held)
        model = reduce_model(solid, contact="bottom", modes=6, floating_frame=False)
        self.parameters = p
        self.lamella = ElasticBody("lamella", model, frame="fixed", damping=p.damping)
        self.facing = elastic_surface(self.lamella, "bottom")

    def system(self, inertia: float | None = None) -> System:
        """The flywheel slows down by the friction torque; without inertia it keeps its speed."""
        p = self.parameters
        if inertia is None:
            flywheel = RigidBody("flywheel", 5.0, ("uz",), spin=p.speed)
        else:
            flywheel = RigidBody("flywheel", 5.0, ("uz", "rz"), 3 * (inertia,))
        pair = ContactPair(
            self.lamella,
            self.facing,
            RigidFace(flywheel, Plane()),
            PenaltyNormal(p.contact_stiffness, p.contact_damping),
            ElastoPlastic(p.law, p.contact_stiffness, p.contact_damping),
            "facing",
        )
        push = Force(flywheel, (0.0, 0.0, p.load), name="load")
        return System([self.lamella, flywheel], [push, pair])

    @property
    def turned(self) -> Floats:
        """Mean tangential displacement (m,) of the facing per elastic coordinate."""
        x, y, _ = self.facing.points.T
        around = np.stack([-y, x, 0.0 * x], axis=1) / np.hypot(x, y)[:, None]
        assert self.facing.shapes is not None
        share = self.facing.weights / self.facing.measure
        return np.einsum("p,pi,pik->k", share, around, self.facing.shapes)


def run(run: Run[Judder]) -> None:
    """Linear theory, growth of a small disturbance, engagement."""
    clutch = Clutch(run.parameters)
    # the torsional mode is one of the exact modes of the basis, though local loads count less there
    band = 0.0, float(clutch.lamella.model.next_frequency) / (2.0 * pi)
    point = operating_point(clutch.system(), friction="state", band=band)
    mode = point.modes.leading
    growth, frequency = float(point.modes.growth[mode]), float(point.modes.frequency[mode])
    theory(run, clutch, point, mode)
    grow(run, clutch, point, mode)
    engage(run, clutch, point, frequency)
    run.note(f"Torsional mode: {frequency:.1f} Hz, growth {growth:+.2f} 1/s at the first speed.")


def theory(run: Run[Judder], clutch: Clutch, point: OperatingPoint, mode: int) -> None:
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


def grow(run: Run[Judder], clutch: Clutch, point: OperatingPoint, mode: int) -> None:
    """A small disturbance of the steady state grows and swings as the linear theory says."""
    p, modes, steady = run.parameters, point.modes, point.steady.state
    system = clutch.system(HEAVY * p.inertia)
    z = complex(modes.eigenvalues[mode])
    kick = modes.vectors[:, mode]
    kick = np.append(1e-7 * kick / np.abs(clutch.turned @ kick[: len(clutch.turned)]), 0.0)
    cycles = 5 if run.quick else 30
    end = cycles * 2.0 * pi / z.imag
    q, v = np.append(steady.q, 0.0), np.append(steady.v, p.speed)
    moved, rest = State(0.0, q + kick.real, v + (z * kick).real), State(0.0, q, v)
    motion, still = (
        simulate(system, end, system.sliding(state), "explicit", end / (20 * cycles))
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


def engage(run: Run[Judder], clutch: Clutch, point: OperatingPoint, frequency: float) -> None:
    """The flywheel slows down: judder, its frequency, audit, pictures."""
    p, system = run.parameters, clutch.system(run.parameters.inertia)
    steady = point.steady.state
    kick = point.modes.vectors[:, point.modes.leading].real
    rows = slice(0, len(clutch.turned))
    kick = JERK * kick * (clutch.turned @ steady.q[rows]) / (clutch.turned @ kick[rows])
    q, v = np.append(steady.q + kick, 0.0), np.append(steady.v, p.speed)
    start = system.sliding(State(0.0, q, v))
    end = 0.02 if run.quick else 0.1
    file = run.store("engagement.h5")
    wheel = solid_annulus(0.8 * p.inner_radius, 1.1 * p.outer_radius, -p.thickness, 0.0, 1, 32)
    geometry = [BodyGeometry.of(clutch.lamella), BodyGeometry.of(system.bodies[1], wheel)]
    motion = simulate(system, end, start, "explicit", 2e-4, store=file, geometry=geometry)
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
        lines = simulate(system, 0.01, start, "explicit", 0.01, step=step).energies
        left.append(abs(float(lines["residual"][-1] + lines["numerical"][-1])))
    run.check("energy left over with half the step", left[1] / left[0], 0.6, relation="le",
              kind="trend", source="it falls with the step", formula=True)  # fmt: skip
    pictures(run, motion, x)


def frequency_of(t: Floats, x: Floats) -> float:
    """Mean frequency in Hz of the second half of a signal, from where it rises through its mean."""
    t, x = t[len(t) // 2 :], x[len(t) // 2 :]
    x = x - x.mean()
    up = np.flatnonzero((x[:-1] < 0.0) & (x[1:] >= 0.0))
    times = t[up] - x[up] * (t[up + 1] - t[up]) / (x[up + 1] - x[up])
    return float((len(times) - 1) / (times[-1] - times[0]))


def pictures(run: Run[Judder], motion: Trajectory, x: Floats) -> None:
    """Histories, contact states, energies, animation."""
    speed = motion.history("flywheel.rz", "velocity")
    panels = {"flywheel / (rad/s)": {"speed": (motion.t, speed)},
              "facing / mm": {"mean turn": (motion.t, 1e3 * x)}}  # fmt: skip
    plots.save(history_panels(panels), run.path("judder.png"))
    figure = contact_states(motion.t, {"facing": motion.mode})
    plots.save(figure, run.path("states.png"))
    plots.save(energy_plot(motion.t, motion.energies), run.path("energy.png"))
    last = Result.load(run.out / "engagement.h5").between(motion.t[-1] - 0.01)
    reason = animate(last, run.path("judder.gif"), frames=6 if run.quick else 60)
    if reason is not None:
        run.files.remove("judder.gif")
        run.note(f"No animation: {reason}")


CASE = Case(
    title="judder of a clutch with an elastic lamella and falling friction",
    proves=("engagement with an elastic lamella and its judder",),
    parameters=Judder(),
    run=run,
    quick_s=12,
)

if __name__ == "__main__":
    raise SystemExit(main(CASE, __file__))
