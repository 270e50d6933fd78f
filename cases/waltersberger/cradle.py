"""Balls in a row: which impact law sends the last one away (Waltersberger 5.1).

Three equal masses, the first arrives with 1 m/s, the others touch: Newton's and Poisson's laws move
all of them, the sequence of impacts (scheme 5.3) moves the last one alone. Then Newton's cradle
with the masses and restitutions measured by Ceanga and Hurmuzlu (table 5.1); their velocities
survive only in figures, so the table compares with values that the source notes compute. Last the
whole chain as bodies in time.
"""

from dataclasses import dataclass
from itertools import pairwise, product

import numpy as np

import fecontact as fc

MASSES = {"A": 0.045, "B": 0.053, "C": 0.053, "D": 0.166}
RESTITUTION = {  # of the balls A to D with each other
    "AA": 0.97, "AB": 0.53, "AC": 0.31, "AD": 0.94, "BB": 0.36,
    "BC": 0.28, "BD": 0.38, "CC": 0.27, "CD": 0.30, "DD": 0.85,
}  # fmt: skip
CRADLES = {
    "AAA": (0.0148, 0.0150, 0.9702),
    "AAB": (0.0150, 0.1700, 0.6920),
    "ABA": (0.1726, 0.2090, 0.5813),
    "BAA": (0.0972, 0.2483, 0.8150),
    "ABC": (0.1726, 0.2529, 0.4496),
    "ADA": (-0.5263, 0.2426, 0.6315),
    "DAA": (0.3532, 0.8827, 1.5034),
    "AAD": (-0.5104, 0.0070, 0.4075),
    "DAD": (0.0114, 0.2705, 0.9153),
    "DDD": (0.0698, 0.0746, 0.8556),
    "AAAAA": (0.0144, 0.0146, 0.0148, 0.0150, 0.9413),
    "DDAA": (0.0750, 0.3267, 0.8165, 1.3906),
}
ROWS = (
    ("newton", 1.0, (-1 / 3, 2 / 3, 2 / 3), "Waltersberger 2007, figure 5.2"),
    ("newton", 0.0, (1 / 3, 1 / 3, 1 / 3), "Waltersberger 2007, figure 5.3"),
    ("poisson", 0.5, (0.0, 0.5, 0.5), "Poisson as Newton for equal e"),
    ("sequential", 1.0, (0.0, 0.0, 1.0), "Waltersberger 2007, figure 5.6"),
    ("sequential", 0.5, (0.203125, 0.234375, 0.5625), "by hand, three impacts"),
)


@dataclass(frozen=True)
class Cradle(fc.Parameters):
    """Speed of the first ball."""

    speed: float = fc.quantity(1.0, "m/s", fc.POSITIVE)
    step: float = fc.quantity(1e-3, "s", fc.POSITIVE, numerical=True)


REFERENCES = fc.References("""
    speed    | speed |  | m/s | 1e-9 * p.speed | Waltersberger 2007, examples 5.1 to 5.5 | formula
    opening  | largest opening speed of contact 2 with Poisson's law | 0.5 * p.speed | m/s | 1e-9
    momentum | change of momentum in all cradles, relative           | 0.0 |  | 1e-12 | momentum
    *        | e_1 = 1/4, e_2 = 1; 1 m/s is never reached
    last     | speed of the last ball          |     | m/s | 5e-5
    others   | largest deviation of the others | 0.0 | m/s | 6e-5
    *        | Waltersberger 2007, table 5.1, scheme 5.3 | source_notes
    in_time  | speed of the last ball in time  | p.speed          | m/s | 1e-9
    middle   | motion of the middle ball       | 0.0              | m   | 1e-12 |  | formula
    *        | Waltersberger 2007, figure 5.6 | published
    energy   | energy at the end               | 0.5 * p.speed**2 | J   | 1e-9  | elastic impacts
""")


def after(law: str, masses: fc.Floats, e: fc.Floats | float, speed: float) -> fc.Floats:
    """Speeds of balls in a row after the first one arrived."""
    J, v = np.diff(np.eye(len(masses)), axis=0), speed * np.eye(len(masses))[0]
    touching = fc.ContactProblem.frictionless(J / masses @ J.T, J @ v)
    return v + (J.T @ fc.impact(law, touching, e).impulses) / masses


def chain(e: float) -> fc.System:
    """Three balls of 1 kg and 1 cm on a line; the first has 5 mm to go."""
    start = ("ball0", -0.015), ("ball1", 0.0), ("ball2", 0.01)
    balls = [fc.RigidBody(name, 1.0, ("ux",), position=(x, 0.0, 0.0)) for name, x in start]
    foot = fc.Surface(np.array([[0.005, 0.0, 0.0]]), np.ones(1))
    back = fc.Plane(point=(-0.005, 0.0, 0.0), normal=(-1.0, 0.0, 0.0))
    contacts = [
        fc.RigidContact(a, foot, fc.RigidFace(b, back), restitution=e, name=f"{a.name}-{b.name}")
        for a, b in pairwise(balls)
    ]
    return fc.System(balls, contacts)


def main(run: fc.Run[Cradle]) -> None:
    """Laws on three masses, cradles, and the chain in time."""
    p, worst = run.parameters, 0.0
    for law, e, expected, source in ROWS:
        kind = "published" if "figure" in source else "closed_form"
        speeds = zip(after(law, np.ones(3), e, p.speed), p.speed * np.array(expected), strict=True)
        for ball, pair in enumerate(speeds, 1):
            label = f"{law}, e = {e:g}, mass {ball}"
            run.row(REFERENCES, "speed", *pair, label=label, source=source, kind=kind)
    for order, expected in CRADLES.items():
        masses = np.array([MASSES[ball] for ball in order])
        e = np.array([RESTITUTION["".join(sorted(pair))] for pair in pairwise(order)])
        v = after("sequential", masses, e, p.speed)
        computed = {"last": (v[-1], expected[-1]), "others": np.abs(v - expected)[:-1].max()}
        run.compare(REFERENCES, computed, part=True, label=order)
        worst = max(worst, abs(masses @ v / (masses[0] * p.speed) - 1.0))
    pairs = [np.array(pair) for pair in product(np.linspace(0, 1, 21), repeat=2)]
    best = max(np.diff(after("poisson", np.ones(3), pair, p.speed))[1] for pair in pairs)
    run.compare(REFERENCES, {"opening": best, "momentum": worst}, part=True)
    system, options = chain(1.0), {"step": p.step, "impact": "sequential"}
    start, file = system.state(v={"ball0.ux": p.speed}), run.store("chain.h5")
    motion = fc.simulate(system, 0.02 / p.speed, start, "moreau", store=file, **options)
    run.row(REFERENCES, "in_time", motion.v[-1, 2])
    run.row(REFERENCES, "middle", np.abs(motion.q[:, 1]).max())
    run.row(REFERENCES, "energy", motion.energies["kinetic"][-1])
    run.figure("chain", motion.plot_history(*motion.dofs))


CASE = fc.Case(__doc__, ("Waltersberger T4", "Waltersberger T5"), Cradle(), main, quick_s=3.0)

if __name__ == "__main__":
    CASE.main(__file__)
