"""Random systems over the whole range of sizes, at default settings: each ends well or says why.

Masses 1e-6 to 1e4 kg, stiffness of contacts 1 to 1e12 N/m, other springs down to 1e-9 of it,
friction coefficients 0 to 5, durations 1e-6 to 1e3 s, speeds 1e-6 to 1e2 m/s. A run is finished,
stopped by its budget of steps, or refused, with a message of one line. Whatever it returns,

    all numbers are finite; 0 <= p, |T| <= mu p; slip work never falls;
    stored energy - supplied energy does not grow by more than MUCH of the exchanged energy,

unless its message says that the motion is coarse. The gain is that of the stored energies, which
are functions of the state: it does not rest on the audit of the method.
"""

from __future__ import annotations

import re
import signal
import warnings
from contextlib import contextmanager

import numpy as np

from fecontact.body import DOFS, RigidBody
from fecontact.contact import (
    ContactPair,
    ElastoPlastic,
    PenaltyNormal,
    Plane,
    RigidContact,
    RigidFace,
    Surface,
)
from fecontact.errors import InputError, SolverError
from fecontact.integrate import simulate
from fecontact.joint import (
    Bearing,
    DofCoordinate,
    Force,
    Gravity,
    PrescribedMotion,
    Speed,
    SpringDamper,
)
from fecontact.system import System

STEPS = {"implicit": 80, "explicit": 3000, "ode": 80, "events": 80, "moreau": 80}
"""Budget of a run by its method."""
MUCH = 0.02
"""Gain of energy beyond which a run must speak: twice the share from which the audit does."""
FALL = 1e-5
ATOL = 1e-10
"""Fall of the slip work within the tolerances of a method: of the exchanged energy, and in m of the
largest contact force (atol of `flow` and `events`)."""
ROUND_OFF = 1e-9
STICKS = 2e-4 * 1e-10
"""Displacement in m within which `events` locates a break-away: twice 1e-4 of its atol."""
HANGS = 60.0
"""CPU seconds; the first run compiles."""
STORED = ("kinetic", "strain", "potential", "contact")
WARNED = r"coarse|energy audit|not resolved|gains energy"


class Draw:
    """Random numbers of one run."""

    def __init__(self, seed, method):
        self.rng, self.method = np.random.default_rng([20, seed]), method
        self.mass = self.size(-6, 4)
        self.stiffness = self.size(0, 12)
        self.speed = self.size(-6, 2)
        self.mu = 0.0 if self.rng.random() < 0.15 else float(self.rng.uniform(0.0, 5.0))
        self.time = self.size(-6, 3)

    def size(self, low, high):
        """Size between two powers of ten."""
        return float(10.0 ** self.rng.uniform(low, high))

    def maybe(self, share):
        return bool(self.rng.random() < share)

    def points(self, extent):
        count = int(self.rng.integers(1, 5))
        flat = self.rng.uniform(-extent, extent, (count, 2))
        return Surface(np.column_stack([flat, np.zeros(count)]), self.rng.uniform(0.1, 1.0, count))

    def contact(self, body, surface, face):
        if self.method == "moreau":
            return RigidContact(body, surface, face, self.mu, float(self.rng.choice([0.0, 0.5])))
        measure = float(surface.weights.sum())
        normal = self.stiffness / measure
        tangential = normal * self.size(-3, 1)
        damping = [2.0 * self.size(-4, 0.5) * np.sqrt(c * self.mass / measure)
                   for c in (normal, tangential)]  # fmt: skip
        if self.maybe(0.3) and self.method != "ode":
            damping = [0.0, 0.0]
        law = ElastoPlastic(self.mu, tangential, damping[1])
        return ContactPair(body, surface, face, PenaltyNormal(normal, damping[0]), law)

    def spring(self, body):
        """Bearing that is up to 1e9 times softer than the contact."""
        k = self.stiffness * self.size(-9, 0)
        return Bearing(body, k, k, radial_damping=self.size(-6, 0) * np.sqrt(k * self.mass))

    def load(self, body):
        depth = self.size(-9, -3)
        return Force(body, (0.3 * self.mu * depth * self.stiffness, 0.0, -depth * self.stiffness))


def sliding_mass(draw):
    """A mass on springs, pressed on the ground."""
    body = RigidBody("mass", draw.mass, ("ux", "uz"))
    contact = draw.contact(body, draw.points(0.01), RigidFace(None, Plane()))
    items = [contact, draw.load(body)] + ([draw.spring(body)] if draw.maybe(0.6) else [])
    return System([body], items), {"mass.ux": draw.speed * draw.maybe(0.8)}


def thrown_block(draw):
    """A body with all dofs, thrown on the ground."""
    arm = draw.size(-3, 0)
    inertia = tuple((draw.mass * arm**2 * draw.rng.uniform(0.3, 0.6, 3)).tolist())
    body = RigidBody("block", draw.mass, DOFS, inertia)
    contact = draw.contact(body, draw.points(arm), RigidFace(None, Plane()))
    speeds = {"block.ux": draw.speed, "block.uz": -draw.speed * draw.rng.random(),
              "block.rz": draw.speed / arm * draw.rng.random()}  # fmt: skip
    return System([body], [contact, Gravity([body])]), speeds


def two_masses(draw):
    """Two masses of any ratio on a spring, the first pressed on the ground."""
    one = RigidBody("one", draw.mass, ("ux", "uz"))
    two = RigidBody("two", draw.size(-6, 4), ("ux",))
    k = draw.stiffness * draw.size(-9, 0)
    link = SpringDamper(one, two, stiffness=k, damping=draw.size(-6, 0) * np.sqrt(k * draw.mass),
                        point_a=(0.0, 0.0, 0.0), point_b=(0.1, 0.0, 0.0))  # fmt: skip
    contact = draw.contact(one, draw.points(0.01), RigidFace(None, Plane()))
    return System([one, two], [contact, link, draw.load(one)]), {"two.ux": draw.speed}


def belt(draw):
    """A mass on a spring on a belt of prescribed speed."""
    body = RigidBody("mass", draw.mass, ("ux", "uz"))
    moving = RigidBody("belt", draw.size(-6, 4), ("ux",))
    motor = PrescribedMotion(DofCoordinate(moving, "ux"), Speed(draw.speed))
    contact = draw.contact(body, draw.points(0.01), RigidFace(moving, Plane()))
    items = [contact, draw.spring(body), draw.load(body), motor]
    return System([body, moving], items), {"belt.ux": draw.speed}


KINDS = (sliding_mass, thrown_block, two_masses, belt)


@contextmanager
def guarded():
    """Raise if a run takes too much CPU time: it hangs."""

    def hangs(*_):
        raise AssertionError("hangs")

    before = signal.signal(signal.SIGVTALRM, hangs)
    signal.setitimer(signal.ITIMER_VIRTUAL, HANGS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
        signal.signal(signal.SIGVTALRM, before)


def outcome(seed, method):
    """Run a seed by a method: "finished", "finished with a warning", "stopped" or "refused"."""
    draw = Draw(seed, method)
    kinds = [kind for kind in KINDS if not (method == "explicit" and kind is belt)]
    motion = None
    try:
        with guarded(), warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            warnings.simplefilter("ignore", UserWarning)
            system, speeds = kinds[draw.rng.integers(len(kinds))](draw)
            options = {"step": draw.time / 40} if method == "moreau" else {}
            motion = simulate(system, draw.time, system.state(v=speeds), method, draw.time / 20,
                              max_steps=STEPS[method], **options)  # fmt: skip
        ended = "finished"
        assert motion.status == "finished"
        assert motion.t[-1] == draw.time
    except (InputError, SolverError) as error:
        text, motion = str(error), getattr(error, "trajectory", None)
        assert text
        assert "\n" not in text
        assert not re.search(r"\bnan\b|\binf\b", text), text
        ended = "refused" if motion is None else "stopped"
    if motion is None:
        return ended
    check_finite(motion)
    check_forces(motion, draw.mu, STICKS if method == "events" else 0.0)
    warned = bool(re.search(WARNED, motion.message))
    check_energy(motion, warned, rounded(motion, options.get("step", 0.0), draw.mass))
    return f"{ended} with a warning" if warned and ended == "finished" else ended


def check_finite(motion):
    for name in ("t", "q", "v", "a", "lam", "z", "slip_totals"):
        assert np.isfinite(getattr(motion, name)).all(), f"{name} is not finite"
    for name, line in motion.energies.items():
        assert np.isfinite(line).all(), f"energy line {name} is not finite"


def check_forces(motion, mu, within):
    """No tension, no friction beyond its limit, by more than that of a penetration `within`."""
    for item in motion.system.stateful_contacts:
        for report in motion.contacts[item.name]:
            scale = np.abs(report.pressure).max(initial=0.0)
            assert report.pressure.min() >= -ROUND_OFF * scale, "tension"
            size = np.linalg.norm(report.traction, axis=1)
            limit = mu * report.pressure * (1.0 + 1e-6) + ROUND_OFF * scale
            limit += within * item.normal.stiffness if within else 0.0
            assert np.all(size <= limit), "friction beyond its limit"


def largest_load(motion):
    """Largest normal force in N of a contact."""
    return max((float(np.abs(report.pressure) @ item.surface.weights)
                for item in motion.system.stateful_contacts
                for report in motion.contacts[item.name]), default=0.0)  # fmt: skip


def rounded(motion, step, mass):
    """Work in J of the largest load on the way that the round-off of its impulses makes."""
    load, span = largest_load(motion), float(motion.t[-1] - motion.t[0])
    return load * span * 100.0 * float(np.finfo(float).eps) * load * step / mass


def check_energy(motion, warned, rounded):
    """Slip takes energy, and no energy is made without a word, but for round-off."""
    lines = motion.energies
    own = sum(lines[name] for name in STORED) - lines["supplied"]
    exchanged = max(float(np.ptp(line)) for name, line in lines.items()
                    if name not in ("numerical", "residual"))  # fmt: skip
    largest = max(float(np.abs(line).max()) for line in lines.values())
    floor = ROUND_OFF * largest + MUCH * exchanged + rounded
    fallen = -float(np.min(np.diff(lines["slip"], prepend=0.0)))
    tolerated = FALL * exchanged + ATOL * largest_load(motion)
    allowed = ROUND_OFF * largest + min(MUCH * exchanged, tolerated)
    assert fallen <= allowed, f"slip work falls by {fallen:.3g} J of {exchanged:.3g} J"
    gain = float(np.max(own - own[0]))
    assert warned or gain <= floor, f"gains {gain:.3g} J of {exchanged:.3g} J without a word"


RANGES = (
    "masses 1e-6 to 1e4 kg, contacts 1 to 1e12 N/m, springs down to 1e-9 of them, mu 0 to 5, "
    "1e-6 to 1e3 s, default settings"
)
TRIALS = [
    (f"random systems by `{method}`: {RANGES}", 25, 1000, lambda seed, m=method: outcome(seed, m))
    for method in STEPS
]
"""What is tried; seeds of the normal tests and of the table; the trial of a seed."""
