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

from dataclasses import dataclass, replace
from math import cos, pi, sin, sqrt

import numpy as np
from scipy.optimize import brentq

import fecontact as fc

SMALL = 1e-5  # disturbance in m; the looser flank is pressed by 34 um


@dataclass(frozen=True)
class WedgedDisc(fc.Parameters):
    """Data of the source; the speed only says in which sense the disc slides."""

    mass: float = fc.quantity(1.0, "kg", fc.POSITIVE)
    radius: float = fc.quantity(0.1, "m", fc.POSITIVE)
    theta: float = fc.quantity(3.0 * pi / 8.0, "rad", fc.between(0.0, 0.5 * pi))
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


BALANCE = fc.References("""
    right   | normal force, right     | 3.44485 | N     | 1e-5
    left    | normal force, left      | 8.74767 | N     | 1e-5
    rest    | force on the disc there | 0.0     | N     | 1e-10 |  | closed_form
    damping | beta*                   | 69.82   | N s/m | 5e-3  |  | published
    *       | Stamm 2011, (6.12), section 6.2.2 | source_notes; varied=damping
""")
LIMIT = fc.References("""
    damping | damping without growth |  | N s/m | 1e-5 | Routh and Hurwitz
""")
GROWTH = fc.References("""
    motion | growth rate in motion |  | 1/s | 1e-4 | eigenvalue | method=projected; varied=damping
    rate   | growth rate |  | 1/s | 1e-4 | Stamm 2011, section 6.2.2 | source_notes; varied=damping
""")
AUDIT = fc.References("""
    left | energy not accounted for | <= 1e-3
    *    | energy audit, of the work of the contacts | method=implicit
""")
CYCLE = fc.References("""
    lowest  | limit cycle for beta = 60 kg/s, lowest  | -173.1 | µm | 0.5
    highest | limit cycle for beta = 60 kg/s, highest | 204.6  | µm | 0.5
    gap     | largest gap of a flank                  | >= 0.0 | µm |     |  | published
    *       | Stamm 2011, section 6.2.2 | source_notes; varied=damping; full
""")


def flanks(p: WedgedDisc) -> dict[str, fc.Floats]:
    """Normals of the two planes."""
    s, c = sin(p.theta), cos(p.theta)
    return {"right": np.array([-s, c, 0.0]), "left": np.array([s, c, 0.0])}


def system(p: WedgedDisc) -> fc.System:
    """Disc with prescribed spin on two planes, one contact point each."""
    disc = fc.RigidBody("disc", p.mass, ("ux", "uy"), spin=p.speed)
    laws, contacts = (fc.PenaltyNormal(p.stiffness, p.damping), fc.CoulombSliding(p.mu)), []
    for name, normal in flanks(p).items():
        point = fc.Surface(-p.radius * normal[None], np.ones(1))
        flank = fc.RigidFace(None, fc.Plane(tuple(-p.radius * normal), tuple(normal)))
        contacts.append(fc.ContactPair(disc, point, flank, *laws, name))
    weight = fc.Force(disc, (0.0, -p.mass * p.gravity, 0.0), name="weight")
    return fc.System([disc], [*contacts, weight])


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
) -> tuple[fc.Result, complex, float]:
    """Motion from a small swing in the least damped mode, its eigenvalue, its measured growth."""
    values, modes = np.linalg.eig(linear(p))
    k = int(np.argmax(values.real + 1e-9 * values.imag))
    home = balance(p)[1]
    swing = SMALL * modes[:, k].real / np.abs(modes[:2, k]).max()
    start = fc.State(0.0, home + swing[:2], swing[2:])
    motion = fc.simulate(system(p), until, start, method, output=1e-3, **options)
    content = np.hstack([motion.q - home, motion.v]) @ np.linalg.inv(modes)[k]
    return motion, complex(values[k]), float(np.log(abs(content[-1] / content[0]))) / until


def main(run: fc.Run[WedgedDisc]) -> None:
    """Linear limit, motion on both sides of it, energy, limit cycle."""
    p = run.parameters
    forces, home = balance(p)
    rest = np.abs(system(p).force(fc.State(0.0, home, np.zeros(2)))).max()
    computed = {"right": forces[0], "left": forces[1], "rest": rest, "damping": p.critical_damping}
    run.compare(BALANCE, computed)
    for mu in (1.01, p.mu, 1.5):
        q = replace(p, mu=mu)
        calm = brentq(lambda beta, q=q: growth(replace(q, damping=beta)), 1.0, 300.0)
        run.compare(LIMIT, {"damping": (calm, q.critical_damping)}, label=f"mu = {mu:g}")
    curves = {}
    for beta, known in ((69.0, 0.4266), (70.0, -0.0922)):
        until, q = 0.1 if run.quick else 0.5, replace(p, damping=beta)
        motion, value, rate = disturbed(q, until, "projected")
        pairs = {"motion": (rate, value.real), "rate": (value.real, known)}
        run.compare(GROWTH, pairs, label=f"beta = {beta:g} kg/s")
        curves[f"beta = {beta:g} kg/s"] = (motion.t, 1e6 * (motion.q[:, 1] - home[1]))
    run.figure("disturbance", fc.view.history_panels({"height / µm": curves}))
    run.compare(AUDIT, {"left": unaccounted(p)})
    if not run.quick:
        limit_cycle(run)


def growth(p: WedgedDisc) -> float:
    """Largest growth rate in 1/s of small motions."""
    return float(np.linalg.eigvals(linear(p)).real.max())


def unaccounted(p: WedgedDisc, **options: float) -> float:
    """Energy that the implicit method makes or loses, over the work of the contacts."""
    energies = disturbed(p, 0.05, "implicit", **options)[0].energies
    left = abs(energies["numerical"][-1]) + abs(energies["residual"][-1])
    return float(left / np.abs(np.diff(energies["supplied"])).sum())


def limit_cycle(run: fc.Run[WedgedDisc]) -> None:
    """Below beta* the motion stays bounded: the flanks lose contact."""
    p, until = replace(run.parameters, damping=60.0), 0.6
    forces, home = balance(p)
    start = fc.State(0.0, home - [0.0, 1.7e-4], np.zeros(2))
    motion = fc.simulate(system(p), until, start, "projected", output=2e-4)
    late = motion.t > until - 0.03
    height = 1e6 * (motion.q[late, 1] - home[1])
    gaps = (motion.q - home) @ np.array(list(flanks(p).values()))[:, :2].T
    opens = 1e6 * (gaps.max(axis=0) - forces / p.stiffness).max()
    run.compare(CYCLE, {"lowest": height.min(), "highest": height.max(), "gap": opens})
    curve = {"last 0.03 s": (height, 1e3 * motion.v[late, 1])}
    run.figure("limit_cycle", fc.view.phase_plane(curve, "height / µm", "speed / (mm/s)"))


CASE = fc.Case(__doc__, ("Stamm T7",), WedgedDisc(), main, quick_s=8, system=system)

if __name__ == "__main__":
    CASE.main(__file__)
