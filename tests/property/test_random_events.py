"""Random small systems by the event-driven method: each run ends well, or says why it stops.

A run is drawn from its seed: thrown blocks, two bodies, masses on belts with one to six contact
points; soft and stiff layers and bristles, damped or not, without friction and with static excess,
beginning inside the other body, apart from it or on it. A run lasts some periods of its contact,
so that most of its points close, slide, stick and open. Wherever it is looked at, pressures are not
negative, friction is inside its cone, status follow the gaps, and the energy audit closes: what it
leaves is the error of the solver.
"""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest

from fecontact.body import DOFS, RigidBody
from fecontact.contact import (
    OPEN,
    ContactPair,
    Coulomb,
    ElastoPlastic,
    PenaltyNormal,
    Plane,
    RigidFace,
    Sphere,
    Stribeck,
    Surface,
)
from fecontact.errors import InputError, SolverError
from fecontact.integrate import simulate
from fecontact.joint import Bearing, DofCoordinate, Force, Gravity, PrescribedMotion, Speed
from fecontact.system import System

STOPS = {
    "budget": "max_steps",
    "no friction damping": "friction damping = 0",
    "chatter": "sticks and slips in turn|switch to and fro",
    "step": "look for a jump of a force",
    "solver": "Try a stiff solver",
    "no normal": "no normal",
}
"""Clear messages by their words."""
RTOL = 1e-4
SOLVERS = ("RK45", "DOP853", "RK45", "Radau", "BDF")


class Drawn:
    """Random numbers of one run."""

    def __init__(self, seed):
        self.rng = np.random.default_rng([9, seed])
        self.mass, self.stiffness = self.size(-4, 2), self.size(2, 8)
        self.omega = np.sqrt(self.stiffness / self.mass)
        self.depth = self.size(-6, -2.5)
        self.speed = min(10.0, self.depth * self.omega)

    def size(self, low, high):
        return float(10.0 ** self.rng.uniform(low, high))

    def one(self, *choices):
        return choices[self.rng.integers(len(choices))]

    def laws(self, weight):
        """Layer and bristles of points with a total weight."""
        c = self.stiffness / weight
        damping = self.one(0.0, 2.0 * self.size(-3, 0.3)) * np.sqrt(c * self.mass / weight)
        spring = c * self.size(-1, 1)
        mu = self.one(0.0, 0.1, 0.4, 1.0)
        law = self.one(mu, Coulomb(mu, 1.5 * mu), Stribeck(mu, 1.5 * mu + 0.01, self.size(-3, 0)))
        bristle = 2.0 * self.size(-2, 0.3) * np.sqrt(spring * self.mass / weight)
        bristle = 0.0 if self.rng.random() < 0.02 else bristle
        return PenaltyNormal(c, damping), ElastoPlastic(law, spring, bristle)

    def pair(self, body, face):
        count = int(self.rng.integers(1, 7))
        places = 0.05 * self.rng.uniform(-1.0, 1.0, (count, 3))
        places[:, 2] = 0.0
        surface = Surface(places, np.full(count, self.size(-3, 0) / count))
        return ContactPair(body, surface, face, *self.laws(float(surface.weights.sum())))

    def body(self, name, dofs):
        return RigidBody(name, self.mass, dofs, (self.mass * self.size(-4, -1),) * 3)

    def start(self, *bodies):
        q = {f"{bodies[0].name}.uz": self.one(-1.0, 1.0, 0.0) * self.depth}
        speed = self.speed * self.one(0.0, 1.0, 1.0)
        along = {"rx": 1.0, "ry": 1.0, "rz": 10.0}
        v = {
            f"{body.name}.{name}": along.get(name, 1.0) * speed * self.rng.uniform(-1.0, 1.0)
            for body in bodies
            for name in body.dofs
        }
        first = f"{bodies[0].name}.uz"
        if q[first] > 0.0:  # so that it comes down
            v[first] = -abs(v[first])
        return q, v

    def load(self, body):
        size = self.stiffness * self.depth
        push = size * self.rng.uniform(-1.0, 1.0, 3)
        push[2] = -self.one(0.0, 1.0, 1.0, -0.3) * size
        return [Force(body, tuple(push.tolist())), Gravity([body])][: self.rng.integers(0, 3)]


def thrown(drawn):
    body = drawn.body("block", drawn.one(("ux", "uz"), ("ux", "uy", "uz"), DOFS))
    pair = drawn.pair(body, RigidFace(None, Plane()))
    return [body], [pair, *drawn.load(body)], *drawn.start(body)


def two(drawn):
    one = drawn.body("one", ("ux", "uy", "uz"))
    other = drawn.body("two", drawn.one(("uz",), ("ux", "uz"), DOFS))
    face = RigidFace(other, drawn.one(Plane(), Sphere(1.0, (0.0, 0.0, -1.0))))
    hold = drawn.stiffness * drawn.size(-3, 0)
    items = [drawn.pair(one, face), Bearing(other, hold, hold), *drawn.load(one)]
    return [one, other], items, *drawn.start(one, other)


def belt(drawn):
    body, moving = drawn.body("mass", ("ux", "uz")), RigidBody("belt", drawn.mass, ("ux",))
    speed = drawn.speed * drawn.one(0.0, 1.0)
    hold = drawn.stiffness * drawn.size(-4, -1)
    items = [drawn.pair(body, RigidFace(moving, Plane())), Bearing(body, hold, 1e-9),
             *drawn.load(body),
             PrescribedMotion(DofCoordinate(moving, "ux"), Speed(speed))]  # fmt: skip
    q, v = drawn.start(body)
    return [body, moving], items, q, v | {"belt.ux": speed}


def possible(motion, small):
    """Assert what holds at every contact at all times; `small` is an error in m."""
    for item in motion.system.stateful_contacts:
        mu, error = item.friction.mu, item.normal.stiffness * small
        most = mu if isinstance(mu, float) else mu.static
        for now in motion.contacts[item.name]:
            closed, grip = now.status != OPEN, np.linalg.norm(now.traction, axis=1)
            assert (now.pressure >= -error).all()
            assert (grip <= most * now.pressure + error).all()
            assert (now.pressure[~closed] == 0.0).all()
            assert (now.gap[closed] <= small).all()


def unaccounted(motion):
    """What the energy audit does not explain, relative to the largest energy in it."""
    lines = motion.energies
    parts = [np.abs(line).max() for name, line in lines.items() if name != "residual"]
    return np.abs(lines["residual"]).max() / max(*parts, 1e-300)


def moved(seed, periods, budget, rtol=RTOL):
    """Drawn numbers, motion as far as it came, and how it ended: "finished", or its message."""
    drawn = Drawn(seed)
    bodies, items, q, v = drawn.one(thrown, two, belt)(drawn)
    system = System(bodies, items)
    time = 2.0 * np.pi / drawn.omega * periods * drawn.rng.uniform(0.2, 1.0)
    solver = SOLVERS[seed % len(SOLVERS)]
    if solver == "BDF" and system.rows:
        solver = "RK45"
    options = {"solver": solver, "rtol": rtol, "atol": 0.1 * rtol * drawn.depth}
    options |= {"speed": drawn.one(1e-3 * drawn.depth, 1e-4 * drawn.speed)}
    options |= {"audit": audited(seed), "max_steps": budget}
    try:
        motion = simulate(system, time, system.state(q=q, v=v), "events", time / 5, **options)
    except (InputError, SolverError) as error:
        return drawn, getattr(error, "trajectory", None), str(error)
    assert motion.t[-1] == time
    return drawn, motion, motion.status


def audited(seed):
    return seed % 4 == 0


def outcome(seed, periods, budget):
    """How a run ends: "finished", or the class of its clear message; and its instants."""
    drawn, motion, end = moved(seed, periods, budget)
    assert "\n" not in end
    assert "nan" not in end.lower().split()
    words = {"finished": "^finished$"} | STOPS
    found = next((name for name, each in words.items() if re.search(each, end)), None)
    assert found, f"seed {seed}: no clear message: {end}"
    if motion is None:
        return found, 0
    for name in ("t", "q", "v", "a", "lam", "z", "slip_totals", "resume"):
        assert np.isfinite(getattr(motion, name)).all(), (seed, name)
    possible(motion, 1e-3 * drawn.depth)
    if audited(seed):
        assert audit_closes(seed, motion, periods, budget), seed
    return found, motion.statistics.events


def audit_closes(seed, motion, periods, budget):
    """Whether what the audit leaves is the error of the solver: 10 rtol, or falling with rtol.

    A step leaves up to sqrt(n) rtol of each energy, n the number of integrated coordinates, and
    errors of steps add up: rtol alone bounds nothing. What were forgotten would stay, however small
    the steps.
    """
    left = unaccounted(motion)
    if left <= 10.0 * RTOL:
        return True
    finer = moved(seed, periods, 50 * budget, 1e-3 * RTOL)[1]
    return unaccounted(finer) <= 1e-2 * left


def test_random_runs():
    ends, events = zip(*(outcome(seed, 0.5, 25) for seed in range(200)), strict=True)
    found = Counter(ends)
    assert found["finished"] > 100, found
    assert np.count_nonzero(events) > 20


@pytest.mark.slow
@pytest.mark.parametrize("block", range(20))
def test_many_random_runs(block):
    """10 000 runs over up to one and a half periods, in blocks of 500."""
    seeds = range(500 * block, 500 * block + 500)
    ends, events = zip(*(outcome(seed, 1.5, 60) for seed in seeds), strict=True)
    found = Counter(ends)
    assert found["finished"] > 0.8 * found.total(), found
    assert np.mean(events) > 1.0
