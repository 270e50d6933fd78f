"""Block on three feet: sliding, spinning and coming to rest, with statically indeterminate stick.

The feet lie in the plane of the centre of mass, so each bears a third of the weight. While all of
them slide, with the slips s_i = v + omega x r_i,

    m v' = -mu (m g/3) sum s_i/|s_i|,        J omega' = -mu (m g/3) sum (r_i x s_i/|s_i|)_z,

a smooth motion that an ODE solver gives as a reference. The slips turn, so time stepping is of
first order. At rest under a load F below the limit the
nine forces are not unique, their sum is.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import pi

import numpy as np
from scipy.integrate import solve_ivp

import fecontact as fc

DOFS = ("ux", "uy", "uz", "rx", "ry", "rz")


@dataclass(frozen=True)
class ThreePointBlock(fc.Parameters):
    """Feet on a circle."""

    mass: float = fc.quantity(1.0, "kg", fc.POSITIVE)
    inertia: float = fc.quantity(0.005, "kg m^2", fc.POSITIVE)
    radius: float = fc.quantity(0.1, "m", fc.POSITIVE)
    friction: float = fc.quantity(0.3, "", fc.POSITIVE)
    speed: float = fc.quantity(0.8, "m/s", fc.POSITIVE)
    spin: float = fc.quantity(8.0, "rad/s", fc.POSITIVE)
    gravity: float = fc.quantity(9.81, "m/s^2", fc.POSITIVE)
    step: float = fc.quantity(4e-3, "s", fc.POSITIVE, numerical=True)

    @property
    def feet(self) -> fc.Floats:
        """Places (3, 2) of the feet."""
        angles = 2.0 * pi / 3.0 * np.arange(3)
        return self.radius * np.column_stack([np.cos(angles), np.sin(angles)])

    @property
    def grip(self) -> float:
        """Largest friction force of the block in N."""
        return self.friction * self.mass * self.gravity


def system(p: ThreePointBlock, load: float = 0.0) -> fc.System:
    """Block on the ground, with a load along x."""
    block = fc.RigidBody("block", p.mass, DOFS, (p.inertia,) * 3)
    surface = fc.Surface(np.column_stack([p.feet, np.zeros(3)]), np.ones(3))
    contact = fc.RigidContact(block, surface, fc.RigidFace(None, fc.Plane()), p.friction)
    push = fc.Force(block, (load, 0.0, 0.0))
    return fc.System([block], [fc.Gravity([block], (0.0, 0.0, -p.gravity)), push, contact])


def throw(p: ThreePointBlock, until: float, step: float) -> fc.Trajectory:
    """Motion of the block from sliding and spinning."""
    model = system(p)
    start = model.state(v={"block.ux": p.speed, "block.rz": p.spin})
    return fc.simulate(model, until, start, "moreau", step=step)


def rate(p: ThreePointBlock, y: fc.Floats) -> fc.Floats:
    """Rate of (x, y, phi, x', y', phi') while all feet slide."""
    c, s = np.cos(y[2]), np.sin(y[2])
    r = p.feet @ np.array([[c, s], [-s, c]])
    slip = y[3:5] + y[5] * np.column_stack([-r[:, 1], r[:, 0]])
    e = slip / np.linalg.norm(slip, axis=1)[:, None]
    torque = np.sum(r[:, 0] * e[:, 1] - r[:, 1] * e[:, 0])
    a = -p.grip / 3.0 * np.array([*(e.sum(axis=0) / p.mass), torque / p.inertia])
    return np.concatenate([y[3:], a])


def reference(p: ThreePointBlock, times: fc.Floats) -> fc.Floats:
    """Smooth sliding motion (k, 6)."""
    start = np.array([0.0, 0.0, 0.0, p.speed, 0.0, p.spin])
    answer = solve_ivp(
        lambda t, y: rate(p, y), (0.0, times[-1]), start, "DOP853", times, rtol=1e-11, atol=1e-12
    )
    return answer.y.T


def main(run: fc.Run[ThreePointBlock]) -> None:
    """Sliding against the ODE, rest, and stick under a load."""
    p = run.parameters
    until = 0.5 * p.speed / (p.friction * p.gravity)
    exact = reference(p, np.array([0.0, until]))[-1]
    steps = p.step / np.array([1.0, 2.0, 4.0])
    errors = []
    for h in steps:
        motion = throw(p, until, float(h))
        errors.append(float(np.abs(motion.q[-1, :2] - exact[:2]).max()))
    order = float(np.log2(errors[0] / errors[-1]) / 2)
    run.check("order of the sliding motion", order, 1.0, tolerance=0.2, kind="cross_method",
              source="friction opposes the slip at the end of a step", formula=True)  # fmt: skip
    run.check("error of the place", errors[-1], 0.0, unit="m",
              tolerance=0.1 * float(steps[-1]) * p.speed,
              kind="cross_method", source="ODE solver", formula=True)  # fmt: skip
    motion = throw(p, 4.0 * until, p.step)
    run.audit(motion)
    energy = 0.5 * p.mass * p.speed**2 + 0.5 * p.inertia * p.spin**2
    run.check("slip work until rest", float(motion.energies["slip"][-1]), energy, unit="J",
              tolerance=1e-6 * energy, kind="closed_form", source="kinetic energy at the start",
              formula=True)  # fmt: skip
    run.check("speed at the end", float(np.abs(motion.v[-1]).max()), 0.0, unit="m/s",
              tolerance=1e-12, kind="closed_form", source="stick", formula=True)  # fmt: skip
    run.check("residual of the contact conditions", float(fc.contact_residuals(motion)[-1]), 1e-10,
              relation="le", kind="closed_form", source="tolerance of the solver",
              formula=True)  # fmt: skip
    loaded(run)
    figure = fc.view.curves_plot(
        motion.t, {"x'": motion.v[:, 0], "y'": motion.v[:, 1],
                   "radius times spin": p.radius * motion.v[:, 5]},
        "time / s", "speed / (m/s)",
    )  # fmt: skip
    run.figure("three_points", figure)


def loaded(run: fc.Run[ThreePointBlock]) -> None:
    """Stick below the limit, sliding above it."""
    p, h = run.parameters, run.parameters.step
    held = fc.simulate(system(p, 0.9 * p.grip), 10 * h, method="moreau", step=h)
    friction = held.contacts["contact"][-1].traction.sum(axis=0)
    run.check("sum of the friction forces under 0.9 of the limit", float(friction[0]),
              -0.9 * p.grip, unit="N", tolerance=1e-9, kind="closed_form", source="balance",
              formula=True)  # fmt: skip
    run.check("motion under 0.9 of the limit", float(np.abs(held.q[-1, :3]).max()), 0.0, unit="m",
              tolerance=1e-12, kind="closed_form", source="stick without creep",
              formula=True)  # fmt: skip
    moved = fc.simulate(system(p, 1.2 * p.grip), 10 * h, method="moreau", step=h)
    run.check("speed under 1.2 of the limit", float(moved.v[-1, 0]), 0.2 * p.grip / p.mass * 10 * h,
              unit="m/s", tolerance=1e-9, kind="closed_form", source="(F - mu m g) t/m",
              formula=True)  # fmt: skip


CASE = fc.Case(
    title="block on three feet",
    verifies=("Stamm T1a", "three-point block"),
    parameters=ThreePointBlock(),
    run=main,
    quick_s=5.0,
    system=system,
)

if __name__ == "__main__":
    CASE.main(__file__)
