"""Wedged disc in motion: friction feeds it, damping of the flanks calms it.

A disc (m, R) turns steadily between two flanks inclined by theta, with springs c and dampers beta
between; both contacts slide and their normals do not turn (Stamm 6.5 to 6.8, 6.20 to 6.24). With
kappa = sin^2(theta) cos^2(theta) (1 + mu^2) the undamped disc flutters for 4 kappa > 1, and the
growth vanishes at

    beta* = sqrt(m c (1 - 1/(4 kappa)))                  (Routh and Hurwitz, from Stamm 6.24).

Above, a small disturbance decays, below it grows into a limit cycle in which the flanks lose
contact. Coulomb's law alone is enough: the disc never
sticks. An open flank closes again where its force does; the flanks of the source notes relax while
they are open, and the limit cycles agree.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import cos, pi, sin, sqrt

import numpy as np
from scipy.optimize import brentq

import fecontact as fc

SOURCE = "Stamm 2011, section 6.2.2"
SMALL = 1e-5  # disturbance in m; the looser flank is pressed by 34 um
ANGLE = fc.Allowed("between 0 and pi/2", lambda x: 0.0 < x < 0.5 * pi)


@dataclass(frozen=True)
class WedgedDisc(fc.Parameters):
    """Data of the source; the speed only says in which sense the disc slides."""

    mass: float = fc.quantity(1.0, "kg", fc.POSITIVE)
    radius: float = fc.quantity(0.1, "m", fc.POSITIVE)
    theta: float = fc.quantity(3.0 * pi / 8.0, "rad", ANGLE)
    stiffness: float = fc.quantity(1e5, "N/m", fc.POSITIVE)
    damping: float = fc.quantity(69.0, "N s/m", fc.POSITIVE)
    gravity: float = fc.quantity(9.81, "m/s^2", fc.POSITIVE)
    mu: float = fc.quantity(1.05, "", fc.POSITIVE)
    speed: float = fc.quantity(10.0, "rad/s", fc.POSITIVE)

    @property
    def critical_damping(self) -> float:
        """beta* in N s/m."""
        kappa = (sin(self.theta) * cos(self.theta)) ** 2 * (1.0 + self.mu**2)
        return sqrt(self.mass * self.stiffness * (1.0 - 0.25 / kappa))


def flanks(p: WedgedDisc) -> dict[str, fc.Floats]:
    """Normals of the two planes."""
    s, c = sin(p.theta), cos(p.theta)
    return {"right": np.array([-s, c, 0.0]), "left": np.array([s, c, 0.0])}


def system(p: WedgedDisc) -> fc.System:
    """Disc with prescribed spin on two planes, one contact point each."""
    disc = fc.RigidBody("disc", p.mass, ("ux", "uy"), spin=p.speed)
    contacts = [
        fc.ContactPair(
            disc,
            fc.Surface(-p.radius * normal[None], np.ones(1)),
            fc.RigidFace(None, fc.Plane(tuple(-p.radius * normal), tuple(normal))),
            fc.PenaltyNormal(p.stiffness, p.damping),
            fc.CoulombSliding(p.mu),
            name,
        )
        for name, normal in flanks(p).items()
    ]
    return fc.System(
        [disc], [*contacts, fc.Force(disc, (0.0, -p.mass * p.gravity, 0.0), name="weight")]
    )


def balance(p: WedgedDisc) -> tuple[fc.Floats, fc.Floats]:
    """Normal forces (2,) right and left, and displacement (2,) of the sliding disc at rest."""
    normals = np.array(list(flanks(p).values()))
    along = np.cross([0.0, 0.0, p.speed], -p.radius * normals)
    push = normals - p.mu * along / np.linalg.norm(along, axis=1)[:, None]
    forces = np.linalg.solve(push[:, :2].T, [0.0, p.mass * p.gravity])
    return forces, np.linalg.solve(normals[:, :2], -forces / p.stiffness)


def linear(p: WedgedDisc) -> fc.Floats:
    """Matrix (4, 4) of small motions about the balance, from the tangents of the system."""
    by_q, by_v = system(p).tangents(fc.State(0.0, balance(p)[1], np.zeros(2)))
    return np.block([[np.zeros((2, 2)), np.eye(2)], [by_q / p.mass, by_v / p.mass]])


def disturbed(
    p: WedgedDisc, until: float, method: str, **options: float
) -> tuple[fc.Trajectory, complex, float]:
    """Motion from a small swing in the least damped mode, its eigenvalue, its measured growth."""
    values, modes = np.linalg.eig(linear(p))
    k = int(np.argmax(values.real + 1e-9 * values.imag))
    home = balance(p)[1]
    swing = SMALL * modes[:, k].real / np.abs(modes[:2, k]).max()
    start = fc.State(0.0, home + swing[:2], swing[2:])
    motion = fc.simulate(system(p), until, start, method, output=1e-3, **options)
    share = np.hstack([motion.q - home, motion.v]) @ np.linalg.inv(modes)[k]
    return motion, complex(values[k]), float(np.log(abs(share[-1] / share[0]))) / until


def stability(run: fc.Run[WedgedDisc]) -> None:
    """Balance, and the damping at which the growth rate of the system vanishes."""
    p = run.parameters
    forces, home = balance(p)
    for name, value, digest in zip(("right", "left"), forces, (3.44485, 8.74767), strict=True):
        run.check(f"normal force, {name}", float(value), digest, unit="N", tolerance=1e-5,
                  kind="digest", source="Stamm 6.12", varied=("damping",))  # fmt: skip
    pull = np.abs(system(p).force(fc.State(0.0, home, np.zeros(2)))).max()
    run.check("force on the disc there", float(pull), 0.0, unit="N", tolerance=1e-10,
              kind="closed_form", source="Stamm 6.12", formula=True)  # fmt: skip
    run.check("beta*", p.critical_damping, 69.82, unit="N s/m", tolerance=5e-3, kind="published",
              source="Stamm 6.2.2", varied=("damping",))  # fmt: skip
    for mu in (1.01, p.mu, 1.5):
        each = replace(p, mu=mu)
        limit = brentq(lambda beta, each=each: growth(replace(each, damping=beta)), 1.0, 300.0)
        run.check(f"damping without growth, mu = {mu:g}", float(limit), each.critical_damping,
                  unit="N s/m", tolerance=1e-5, kind="closed_form",
                  source="Routh and Hurwitz", formula=True)  # fmt: skip


def growth(p: WedgedDisc) -> float:
    """Largest growth rate in 1/s of small motions."""
    return float(np.linalg.eigvals(linear(p)).real.max())


def both_sides(run: fc.Run[WedgedDisc]) -> None:
    """A disturbance grows below beta* and decays above."""
    p, until = run.parameters, 0.1 if run.quick else 0.5
    curves = {}
    for beta, digest in ((69.0, 0.4266), (70.0, -0.0922)):
        motion, value, rate = disturbed(replace(p, damping=beta), until, "projected")
        run.check(f"growth rate in motion, beta = {beta:g} kg/s", rate, value.real, unit="1/s",
                  tolerance=1e-4, kind="closed_form", source="eigenvalue", method="projected",
                  formula=True)  # fmt: skip
        run.check(f"growth rate, beta = {beta:g} kg/s", value.real, digest, unit="1/s",
                  tolerance=1e-4, kind="digest", source=SOURCE, varied=("damping",))  # fmt: skip
        height = 1e6 * (motion.q[:, 1] - balance(p)[1][1])
        curves[f"beta = {beta:g} kg/s"] = (motion.t, height)
    run.figure("disturbance", fc.view.history_panels({"height / µm": curves}))


def energy(run: fc.Run[WedgedDisc]) -> None:
    """Energy that the implicit method makes or loses, and its order."""
    p, until = run.parameters, 0.05
    losses = []
    for options in ({"step": 1e-3}, {"step": 5e-4}, {}):
        motion, _, _ = disturbed(p, until, "implicit", **options)
        last = {name: float(line[-1]) for name, line in motion.energies.items()}
        work = float(np.abs(np.diff(motion.energies["supplied"])).sum())
        losses.append((abs(last["numerical"]) + abs(last["residual"])) / work)
    run.check("energy not accounted for", losses[2], 1e-3, relation="le", kind="closed_form",
              source="energy audit, of the work of the contacts", method="implicit",
              formula=True)  # fmt: skip
    run.check("its order in the step", np.log2(losses[0] / losses[1]), 2.0, relation="ge",
              tolerance=0.2, kind="trend", source="order of the method", method="implicit",
              formula=True)  # fmt: skip


def limit_cycle(run: fc.Run[WedgedDisc]) -> None:
    """Below beta* the motion stays bounded: the flanks lose contact."""
    p = replace(run.parameters, damping=60.0)
    home = balance(p)[1]
    start = fc.State(0.0, home - [0.0, 1.7e-4], np.zeros(2))
    until = 0.6
    motion = fc.simulate(system(p), until, start, "projected", output=2e-4)
    height, late = 1e6 * (motion.q[:, 1] - home[1]), motion.t > until - 0.03
    for name, value, digest in (
        ("lowest", height[late].min(), -173.1),
        ("highest", height[late].max(), 204.6),
    ):
        run.check(f"limit cycle for beta = 60 kg/s, {name}", float(value), digest, unit="µm",
                  tolerance=0.5, kind="digest", source=SOURCE, varied=("damping",))  # fmt: skip
    gaps = (motion.q - home) @ np.array(list(flanks(p).values()))[:, :2].T
    opens = gaps.max(axis=0) - balance(p)[0] / p.stiffness
    run.check("largest gap of a flank", float(1e6 * opens.max()), 0.0, unit="µm", relation="ge",
              kind="published", source="Stamm 6.2.2: loss of contact",
              varied=("damping",))  # fmt: skip
    curve = {"last 0.03 s": (height[late], 1e3 * motion.v[late, 1])}
    figure = fc.view.phase_plane(curve, "height / µm", "speed / (mm/s)")
    run.figure("limit_cycle", figure)


def main(run: fc.Run[WedgedDisc]) -> None:
    """Linear limit, motion on both sides of it, energy, limit cycle."""
    stability(run)
    both_sides(run)
    energy(run)
    if not run.quick:
        limit_cycle(run)


CASE = fc.Case(
    title="wedged disc in motion: growth, decay and limit cycle",
    verifies=("Stamm T7",),
    parameters=WedgedDisc(),
    run=main,
    quick_s=8,
    system=system,
)

if __name__ == "__main__":
    CASE.main(__file__)
