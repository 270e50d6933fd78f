"""Block on three feet: sliding, spinning and coming to rest, with statically indeterminate stick.

The feet lie in the plane of the centre of mass, so each bears a third of the weight. While all of
them slide, with the slips s_i = v + omega x r_i,

    m v' = -mu (m g/3) sum s_i/|s_i|,        J omega' = -mu (m g/3) sum (r_i x s_i/|s_i|)_z,

a smooth motion that an ODE solver gives as a reference. The slips turn, so time stepping is of
first order. At rest under a load F below the limit the
nine forces are not unique, their sum is.
"""

from dataclasses import dataclass
from math import pi

import numpy as np

import fecontact as fc


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
        """Positions (3, 2) of the feet."""
        angles = 2.0 * pi / 3.0 * np.arange(3)
        return self.radius * np.column_stack([np.cos(angles), np.sin(angles)])

    grip = fc.derived(
        "largest friction force of the block in N", lambda p: p.friction * p.mass * p.gravity
    )
    energy = fc.derived(
        "kinetic energy at the start in J",
        lambda p: 0.5 * p.mass * p.speed**2 + 0.5 * p.inertia * p.spin**2,
    )


REFERENCES = fc.References(
    """
    order  | order of the sliding motion | 1.0 |  | 0.2
        | friction opposes the slip at the end of a step | cross_method
    error | error of the position | 0.0 | m | 0.025 * p.step * p.speed | ODE solver | cross_method
    work   | slip work until rest               | p.energy | J   | 1e-6 rel | kinetic energy
    rest   | speed at the end                   | 0.0      | m/s | 1e-12 | stick
    solver | residual of the contact conditions | <= 1e-10 |     |  | tolerance of the solver
    creep  | motion under 0.9 of the limit      | 0.0      | m   | 1e-12 | stick without creep
    friction | sum of the friction forces under 0.9 of the limit | -0.9 * p.grip | N | 1e-9
        | balance
    speed | speed under 1.2 of the limit | 2.0 * p.grip / p.mass * p.step | m/s | 1e-9
        | (F - mu m g) t/m
    """
)


def build(p: ThreePointBlock, load: float = 0.0) -> fc.System:
    """Block on the ground, with a load along x."""
    block = fc.RigidBody("block", p.mass, fc.DOFS, (p.inertia,) * 3)
    surface = fc.Surface(np.column_stack([p.feet, np.zeros(3)]), np.ones(3))
    contact = fc.RigidContact(block, surface, fc.RigidFace(None, fc.Plane()), p.friction)
    push = fc.Force(block, (load, 0.0, 0.0))
    return fc.System([block], [fc.Gravity([block], (0.0, 0.0, -p.gravity)), push, contact])


def throw(p: ThreePointBlock, until: float, step: float) -> fc.Result:
    """Motion of the block from sliding and spinning."""
    model = build(p)
    start = model.state(v={"block.ux": p.speed, "block.rz": p.spin})
    return fc.simulate(model, until, start, "moreau", step=step)


def main(run: fc.Run[ThreePointBlock]) -> None:
    """Sliding against the ODE, rest, and stick under a load."""
    p, h = run.parameters, run.parameters.step
    until = 0.5 * p.speed / (p.friction * p.gravity)
    start = np.array([0.0, 0.0, 0.0, p.speed, 0.0, p.spin])
    exact = fc.reference.sliding_points(p.feet, p.mass, p.inertia, p.grip, start, until)[:2]
    errors = [np.abs(throw(p, until, h / n).q[-1, :2] - exact).max() for n in (1, 2, 4)]
    motion = throw(p, 4.0 * until, h)
    held, moved = (
        fc.simulate(build(p, load * p.grip), 10 * h, method="moreau", step=h) for load in (0.9, 1.2)
    )
    computed = {
        "order": np.log2(errors[0] / errors[-1]) / 2,
        "error": errors[-1],
        "work": motion.energies["slip"][-1],
        "rest": np.abs(motion.v[-1]).max(),
        "solver": fc.contact_residuals(motion)[-1],
        "friction": held.contacts["contact"][-1].traction.sum(axis=0)[0],
        "creep": np.abs(held.q[-1, :3]).max(),
        "speed": moved.v[-1, 0],
    }
    run.compare(REFERENCES, computed)
    run.audit(motion)
    v = motion.v
    curves = {"x'": v[:, 0], "y'": v[:, 1], "radius times spin": p.radius * v[:, 5]}
    run.figure("three_points", fc.view.curves_plot(motion.t, curves, "time / s", "speed / (m/s)"))


VERIFIES = ("Stamm T1a", "three-point block")
CASE = fc.Case(__doc__, VERIFIES, ThreePointBlock(), main, quick_s=5.0, system=build)

if __name__ == "__main__":
    CASE.main(__file__)
