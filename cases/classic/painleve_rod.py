"""Painleve's rod: sliding contact without a solution, and the jump that time stepping finds.

A rod (half length l, inertia m l^2/3) leans by the angle theta and its lower end slides so that
friction presses it down. The normal acceleration per normal force is

    A = (1 + 3 cos^2 - 3 mu sin cos)/m,

positive for all angles if mu < 4/3. Where A < 0 no force keeps the end on the ground while it
slides: the end stops at once, an impact without collision. Its impulses are those of a contact
that sticks, W L = -u, inside the friction cone exactly where A < 0.
"""

from dataclasses import dataclass, replace
from math import cos, pi, sin

import numpy as np

import fecontact as fc


@dataclass(frozen=True)
class PainleveRod(fc.Parameters):
    """A rod of 2 m."""

    mass: float = fc.quantity(1.0, "kg", fc.POSITIVE)
    half: float = fc.quantity(1.0, "m", fc.POSITIVE)
    angle: float = fc.quantity(1.1, "rad", fc.POSITIVE)
    friction: float = fc.quantity(2.0, "", fc.POSITIVE)
    speed: float = fc.quantity(1.0, "m/s", fc.POSITIVE)
    gravity: float = fc.quantity(9.81, "m/s^2", fc.POSITIVE)

    @property
    def compliance(self) -> float:
        """A in 1/kg."""
        s, c = sin(self.angle), cos(self.angle)
        return (1.0 + 3.0 * c**2 - 3.0 * self.friction * s * c) / self.mass

    @property
    def rows(self) -> fc.Floats:
        """Normal and tangential velocity of the end per (u_x, u_z, omega)."""
        s, c = self.half * sin(self.angle), self.half * cos(self.angle)
        return np.array([[0.0, 1.0, c], [1.0, 0.0, -s]])


REFERENCES = fc.References("""
    least | smallest friction of the paradox       | 4/3 |     | 1e-5 | Painleve 1895
    force | normal force while sliding, mu = 1     |     | N   | 1e-4 | m g/A of mu = 1
    none  | no force exists in the paradox         | is p.compliance < 0 | | | A < 0
    jump  | error of the velocities after the jump | 0.0 | m/s | 2e-3 | W L = -u
    order | its order in the step                  | 1.0 |     | 0.1
        | impulse of the weight over one step
    stop  | slip speed after the jump              | 0.0 | m/s | 0.05 | the end stops in one step
""")


def build(p: PainleveRod) -> fc.System:
    """Rod in the x-z plane; its lower end touches the ground."""
    end = -p.half * np.array([cos(p.angle), 0.0, sin(p.angle)])
    inertia = (p.mass * p.half**2 / 3.0,) * 3
    x, _, z = (-end).tolist()
    rod = fc.RigidBody("rod", p.mass, ("ux", "uz", "ry"), inertia, (x, 0.0, z))
    surface = fc.Surface(end[None], np.ones(1))
    contact = fc.RigidContact(rod, surface, fc.RigidFace(None, fc.Plane()), p.friction)
    return fc.System([rod], [fc.Gravity([rod], (0.0, 0.0, -p.gravity)), contact])


def slide(p: PainleveRod, until: float, step: float) -> fc.Result:
    """Motion from sliding in the direction in which friction presses the end down."""
    model = build(p)
    return fc.simulate(model, until, model.state(v={"rod.ux": -p.speed}), "moreau", step=step)


def stopped(p: PainleveRod) -> fc.Floats:
    """Velocities after the impact without collision."""
    J, v = p.rows, np.array([-p.speed, 0.0, 0.0])
    inverse = 1.0 / np.array([p.mass, p.mass, p.mass * p.half**2 / 3.0])
    return v - inverse * (J.T @ np.linalg.solve(J * inverse @ J.T, J @ v))


def no_force(p: PainleveRod) -> bool:
    """Whether no normal force keeps the end on the ground while it slides."""
    one, zero = np.ones(1), np.zeros(1)
    end = fc.ContactProblem(
        p.compliance * one[:, None], -p.gravity * one, np.array([0]), np.array([-1]), zero, zero
    )
    try:
        fc.solve_contacts(end)
    except fc.SolverError:
        return True
    return False


def main(run: fc.Run[PainleveRod]) -> None:
    """Smooth sliding below 4/3, the jump above."""
    p, mild = run.parameters, replace(run.parameters, friction=1.0)
    s, c = (f(np.linspace(0.01, pi / 2 - 0.01, 2001)) for f in (np.sin, np.cos))
    steps = (4e-4, 2e-4, 1e-4)
    errors = [np.abs(slide(p, h, h).v[-1] - stopped(p)).max() for h in steps]
    motion = slide(p, 0.05 if run.quick else 0.4, 1e-3)
    force = slide(mild, 1e-6, 1e-6).contacts["contact"][-1].pressure[0]
    computed = {
        "least": np.min((1.0 + 3.0 * c**2) / (3.0 * s * c)),
        "force": (force, p.gravity / mild.compliance),
        "none": no_force(p),
        "jump": errors[-1],
        "order": np.log2(errors[0] / errors[-1]) / 2,
        "stop": abs(motion.v[1] @ p.rows[1]),
    }
    run.compare(REFERENCES, computed)
    run.audit(motion)
    speeds = dict(zip(("u_x'", "u_z'", "omega l"), (motion.v * [1.0, 1.0, p.half]).T, strict=True))
    run.figure("painleve", fc.view.curves_plot(motion.t, speeds, "time / s", "speed / (m/s)"))


CASE = fc.Case(__doc__, ("Painleve rod",), PainleveRod(), main, quick_s=3.0, system=build)

if __name__ == "__main__":
    CASE.main(__file__)
