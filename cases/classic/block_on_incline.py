"""Block on an incline: it sticks without drift, slides, and comes to rest.

Gravity g makes the angle alpha with the normal of a plane; the block of mass m with the coefficient
mu and base length L has its centre at the height b.

    stick (tan alpha < mu):   at rest on bent bristles that carry m g sin(alpha), for ever
    slide down:               x = v_0 t + g (sin(alpha) - mu cos(alpha)) t^2/2
    thrown uphill:            stops at t = v_0/(g (sin(alpha) + mu cos(alpha))), after v_0 t/2

The moment of friction loads the front: the forces at the two ends differ by 2 b F/L, with the
friction force F.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import atan, cos, degrees, sin, sqrt

import numpy as np

import fecontact as fc

CLOSED = {"kind": "closed_form", "source": "block of constant friction", "formula": True}
AUDIT = {"kind": "trend", "source": "energy balance", "formula": True}


@dataclass(frozen=True)
class Incline(fc.Parameters):
    """A block of 2 kg on two points, on a gentle and on a steep slope."""

    mass: float = fc.quantity(2.0, "kg", fc.POSITIVE)
    length: float = fc.quantity(0.2, "m", fc.POSITIVE)
    height: float = fc.quantity(0.05, "m", fc.POSITIVE)
    friction: float = fc.quantity(0.4, "", fc.POSITIVE)
    gravity: float = fc.quantity(9.81, "m/s^2", fc.POSITIVE)
    gentle: float = fc.quantity(0.3, "rad", fc.POSITIVE)
    steep: float = fc.quantity(0.6, "rad", fc.POSITIVE)
    speed: float = fc.quantity(1.0, "m/s", fc.POSITIVE)
    stiffness: float = fc.quantity(1e6, "N/m", fc.POSITIVE)
    damping_ratio: float = fc.quantity(1.0, "", fc.POSITIVE)
    patience: float = fc.quantity(1000.0, "s", fc.POSITIVE)

    def validate(self) -> None:
        """One slope must hold the block, the other must not."""
        if not self.gentle < atan(self.friction) < self.steep:
            raise fc.InputError(
                f"gentle = {self.gentle}, steep = {self.steep} rad are not possible: the friction "
                f"angle {atan(self.friction):.4g} rad must be between them"
            )

    @property
    def damping(self) -> float:
        """Of one end in N s/m, normal and tangential; the ratio is that of the whole block."""
        return self.damping_ratio * sqrt(2.0 * self.stiffness * self.mass)

    def weight(self, angle: float) -> tuple[float, float]:
        """Weight along the slope and across it in N."""
        return (self.mass * self.gravity * sin(angle), self.mass * self.gravity * cos(angle))


def build(p: Incline, angle: float = 0.3) -> fc.System:
    """Block on two points; x runs downhill."""
    inertia = p.mass / 12.0 * (p.length**2 + 4.0 * p.height**2)
    block = fc.RigidBody("block", p.mass, ("ux", "uz", "ry"), (inertia, inertia, inertia),
                      (0.0, 0.0, p.height))  # fmt: skip
    ends = np.array([[0.5 * p.length, 0.0, -p.height], [-0.5 * p.length, 0.0, -p.height]])
    base = fc.ContactPair(
        block,
        fc.Surface(ends, np.ones(2)),
        fc.RigidFace(None, fc.Plane()),
        fc.PenaltyNormal(p.stiffness, p.damping),
        fc.ElastoPlastic(p.friction, p.stiffness, p.damping),
        "base",
    )
    pull = fc.Gravity([block], (p.gravity * sin(angle), 0.0, -p.gravity * cos(angle)))
    return fc.System([block], [pull, base])


def pressed(p: Incline, system: fc.System, angle: float, friction: float) -> fc.State:
    """At rest in the normal direction, with a friction force on the block along x."""
    tilt = -friction * p.height / (0.5 * p.stiffness * p.length**2)
    sunk = p.weight(angle)[1] / (2.0 * p.stiffness)
    return system.state(q={"block.uz": -sunk, "block.ry": tilt})


def main(run: fc.Run[Incline]) -> None:
    """Stick, slide, throw uphill; pictures."""
    stick(run)
    slide(run)
    thrown = throw(run)
    run.figure("energy", fc.view.energy_plot(thrown.t, thrown.energies))


def stick(run: fc.Run[Incline]) -> None:
    """It rests for a long time at the same place."""
    p, system = run.parameters, build(run.parameters, run.parameters.gentle)
    motion = fc.simulate(system, p.patience, pressed(p, system, p.gentle, 0.0),
                      output=p.patience / 10.0)  # fmt: skip
    along, across = p.weight(p.gentle)
    last = motion.contacts["base"][-1]
    run.check("friction force at rest", float(-last.traction[:, 0].sum()), along, unit="N",
              tolerance=1e-6 * along, **CLOSED)  # fmt: skip
    x = motion.history("block.ux")
    drift = float(np.ptp(x[2:]))
    run.check("drift in the time that follows", drift, 1e-12, unit="m", relation="le",
              **AUDIT)  # fmt: skip
    front, rear = last.pressure
    run.check("front less rear force", float(front - rear), 2.0 * p.height * along / p.length,
              unit="N", tolerance=1e-4 * across, **CLOSED)  # fmt: skip
    run.note(f"On {degrees(p.gentle):.0f} degrees the block rests for {p.patience:g} s in "
             f"{motion.statistics.steps} steps.")  # fmt: skip


def slide(run: fc.Run[Incline]) -> None:
    """Down the steep slope by three methods; order of the audit."""
    p, system = run.parameters, build(run.parameters, run.parameters.steep)
    end = 0.1 if run.quick else 0.5
    along, across = p.weight(p.steep)
    grip = p.friction * across
    start = pressed(p, system, p.steep, -grip)
    start = system.sliding(fc.State(0.0, start.q, np.array([p.speed, 0.0, 0.0])))
    x = p.speed * end + (along - grip) / p.mass * end**2 / 2.0
    for method in ("implicit", "explicit", "flow"):
        motion = fc.simulate(system, end, start, method, end)
        run.check("path downhill", float(motion.q[-1, 0]), x, unit="m", tolerance=1e-6 * x,
                  method=method, **CLOSED)  # fmt: skip
        energies = motion.energies
        run.check("heat", float(energies["slip"][-1]), grip * x, unit="J",
                  tolerance=1e-4 * grip * x, method=method, **CLOSED)  # fmt: skip
        left = abs(energies["residual"][-1]) + abs(energies["numerical"][-1])
        run.check("energy audit: left over, of the heat", float(left / (grip * x)), 1e-3,
                  relation="le", method=method, **AUDIT)  # fmt: skip
    left = []
    for step in (4e-3, 2e-3):
        energies = fc.simulate(system, end, start, output=end, step=step).energies
        left.append(abs(float(energies["residual"][-1] + energies["numerical"][-1])))
    run.check("order of the energy left over", float(np.log2(left[0] / left[1])), 1.5,
              relation="ge", method="implicit", **AUDIT)  # fmt: skip


def throw(run: fc.Run[Incline]) -> fc.Trajectory:
    """Uphill on the gentle slope: where and when it stops, and that it stays."""
    p, system = run.parameters, build(run.parameters, run.parameters.gentle)
    along, across = p.weight(p.gentle)
    grip = p.friction * across
    stop = p.speed * p.mass / (along + grip)
    path, end = 0.5 * p.speed * stop, 1.5 * stop
    start = pressed(p, system, p.gentle, grip)
    start = system.sliding(fc.State(0.0, start.q, np.array([-p.speed, 0.0, 0.0])))
    outputs = np.arange(1, 301) * end / 300  # the stop falls on a time of output
    motion = fc.simulate(system, end, start, output=outputs)
    x, v = motion.history("block.ux"), motion.history("block.ux", "velocity")
    i = int(np.flatnonzero(v >= 0.0)[0])
    found = motion.t[i] - v[i] * (motion.t[i] - motion.t[i - 1]) / (v[i] - v[i - 1])
    rows = (
        ("time until it stops", float(found), stop, "s", 1e-3 * stop),
        ("path uphill", float(-x.min()), path, "m", 1e-4 * path),
        ("heat", float(motion.energies["slip"][-1]), grip * path, "J", 1e-3 * grip * path),
    )
    for name, computed, reference, unit, tolerance in rows:
        run.check(name, computed, reference, unit=unit, tolerance=tolerance, method="uphill",
                  **CLOSED)  # fmt: skip
    energies = motion.energies
    left = np.abs(energies["residual"]) + np.abs(energies["numerical"])
    run.check("energy audit: left over, of the heat", float(left.max() / (grip * path)), 1e-3,
              relation="le", method="uphill", **AUDIT)  # fmt: skip
    t = motion.t[::10]
    exact = np.minimum(t, stop)
    dots = -p.speed * exact + 0.5 * p.speed / stop * exact**2
    name, slower = "thrown uphill", -p.speed * (1.0 - exact / stop)
    figure = fc.view.history_panels(
        {"x / m": {name: (motion.t, x)}, "speed / (m/s)": {name: (motion.t, v)}},
        {"x / m": {name: (t, dots)}, "speed / (m/s)": {name: (t, slower)}},
    )
    run.figure("uphill", figure)
    return motion


CASE = fc.Case(
    title="block on an incline: stick without drift, sliding, stop",
    verifies=("block on incline",),
    parameters=Incline(),
    run=main,
    quick_s=8,
    system=build,
)

if __name__ == "__main__":
    CASE.main(__file__)
