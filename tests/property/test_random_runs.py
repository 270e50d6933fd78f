"""Random small systems by all methods with contact: each run ends well, or says why it stops.

A run gains no energy beyond what is supplied, up to the error of its method, stated beforehand:

Regularised contact. All methods are of order 2 or more while contacts do not change. In a step h
with a change the force is wrong by what it changes in a step: c_n g' h and, at a damped contact,
d_n g'; over the path h g' that is x = omega h of the energy there, omega the fastest vibration with
all contacts closed and sticking (2/bound of the explicit method, which counts the dampers too). If
omega h > 1 such a vibration is not resolved: its acceleration omega^2 q at the start of a step
throws it to the speed h omega^2 q, the energy x^2. Hence

    gain <= (1 + changes) max(x, x^2) (energy at the start + potential change + supply)

Moreau's stepping. The impulses L of a step oppose the end velocity u_1: with u_1 - u = W L + u_f,
u_f the change by smooth forces f,

    work = L . (u + u_1)/2 = L . u_1 - L . (W L + u_f)/2 <= h^2 f . M^-1 f/8 .

For theta > 1/2 smooth forces act along another path than the mean, (theta - 1/2) h f . (v_1 - v),
at most h^2 f . M^-1 f while contacts last and h |f| |v| in a step where they change, in the norms
of M^-1 and M. A position correction is a change in each step. Both hold for plastic contacts; laws
with restitution and friction guarantee nothing (`simulate.impact`).
"""

from __future__ import annotations

import re
import signal
from collections import Counter
from contextlib import contextmanager

import numpy as np
import pytest

from fecontact.contact import KelvinLayer
from fecontact.errors import InputError, SolverError
from fecontact.simulate import simulate
from fecontact.simulate.explicit_bound import step_limits

METHODS = ("implicit", "explicit", "flow", "moreau")
BUDGET = {"implicit": 8, "explicit": 200, "flow": 4}
"""Steps; time stepping has as many as it is told."""
GUARD = 60.0
"""CPU seconds after which a run hangs; the first one compiles."""
ROUND_OFF = 1e-9
STOPS = {
    "budget": "most_steps",
    "no friction damping": r"friction damping = 0 .* continuous law",
    "stability bound": "the stability bound of the explicit method",
    "energy": "gains energy with the step|grows beyond all bounds",
    "step": "look for a jump of a force",
    "solver": "Try a stiff solver",
    "no normal": "no normal",
    "no slip": "no sliding state: a contact point has no slip velocity",
    "no impulses": "A solution may not exist or not be unique",
    "no way out": "cannot be removed together",
    "not settled": "normal forces and friction do not settle",
}
"""Clear messages by their words."""


def options(seed, method, run):
    """Fixed, coarse or default steps."""
    rng, time = np.random.default_rng([7, seed]), run.time
    coarse = {"rtol": 1e-3, "atol": 1e-2 * run.small}
    if method == "moreau":
        return {
            "step": float(time / rng.integers(2, 9)),
            "theta": float(rng.choice([0.5, 0.5, 0.75, 1.0])),
            "impact": str(rng.choice(["newton", "poisson", "sequential"])),
            "project": bool(rng.random() < 0.2),
        }
    chosen = {"most_steps": BUDGET[method]}
    if method == "explicit":
        return chosen | ({"step": time / 8} if seed % 40 else {})
    if method == "flow":
        solver = "Radau" if seed % 20 == 0 else "RK45"
        return chosen | {"solver": solver} | coarse
    return chosen | ({"step": time / 2} if seed % 16 else coarse)


@contextmanager
def guarded(seed):
    """Raise if a run takes too much CPU time: it hangs."""

    def hangs(*_):
        raise AssertionError(f"seed {seed}: hangs")

    before = signal.signal(signal.SIGVTALRM, hangs)
    signal.setitimer(signal.ITIMER_VIRTUAL, GUARD)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
        signal.signal(signal.SIGVTALRM, before)


def outcome(random_run, seed, method):
    """How a run ends: "finished", or the class of its clear message."""
    try:
        run = random_run(seed, method)
        chosen = options(seed, method, run)
        output = None if seed % 4 == 1 else run.time / 2
        with guarded(seed):
            motion = simulate(run.system, run.time, run.start, method, output, **chosen)
    except (InputError, SolverError) as error:
        text = str(error)
        assert "\n" not in text
        assert not re.search(r"\bnan\b", text), text
        motion = getattr(error, "trajectory", None)
        found = next((name for name, words in STOPS.items() if re.search(words, text)), None)
        assert found, f"no clear message: {text}"
        if motion is not None:
            assert motion.status == "failed"
            assert motion.message.endswith(text)
    else:
        assert motion.t[-1] == run.time
        found = motion.status
        assert found == "finished"
    if motion is not None:
        check_finite(motion)
        check_energy(run, motion, chosen)
    return found


def check_finite(motion):
    for name in ("t", "q", "v", "a", "lam", "z", "wear"):
        assert np.isfinite(getattr(motion, name)).all(), name
    for name, line in motion.energies.items():
        assert np.isfinite(line).all(), name


def check_energy(run, motion, chosen):
    lines = motion.energies
    stored = sum(lines[name] for name in ("kinetic", "strain", "potential", "contact"))
    own = stored - lines["supplied"]
    if chosen.get("project") and len(own) > 1:
        own = own[1:]  # the first step lifts a body that starts inside the other
    gain = float(np.max(own - own[0]))
    there = sum(float(lines[name][0]) for name in ("kinetic", "strain", "contact"))
    there += float(np.ptp(lines["potential"]) + np.abs(lines["supplied"]).max())
    size = max(float(np.abs(line).max()) for line in lines.values())
    if gain <= ROUND_OFF * size:
        return
    bound = moreau_bound if motion.method == "moreau" else regularised_bound
    allowed = bound(run, motion, chosen, there)
    assert gain <= allowed, f"gains {gain:.3g} J, allowed {allowed:.3g} J, there {there:.3g} J"


def regularised_bound(run, motion, chosen, there):
    """Energy in J that the error of a method may make."""
    system, h = run.system, chosen.get("step", float(np.diff(motion.t).max()))
    if any(isinstance(item.normal, KelvinLayer) for item in system.remembering):
        return np.inf  # a compressed one without history: its energy appears in the first step
    none = {item.name: (np.zeros(1), *np.zeros((2, 1, 1))) for item in system.remembering}
    x = 0.0
    for i in (0, len(motion) // 2, -1):
        state = motion.state(i)
        by_q = system.evaluate(state, none)[1]
        x = max(x, 2.0 * h / step_limits(system, state, -by_q, np.zeros_like(by_q)).bound)
    return (1 + changes(motion)) * max(x, x**2) * there


def moreau_bound(run, motion, chosen, there):
    """Energy in J that plastic contacts may make; no bound with restitution or a normal law."""
    system, h = run.system, chosen["step"]
    contacts = system.remembering
    if any(c.restitution > 0.0 or c.normal is not None for c in contacts):
        return np.inf
    none = {c.name: np.zeros(sum(len(b.freedoms) for b in c.bodies)) for c in contacts}
    largest = 0.0
    for i in range(len(motion)):
        state = motion.state(i)
        f = system.forces(state, none).sum(axis=0)
        largest = max(largest, float(f @ np.linalg.solve(system.mass_matrix(state.q), f)))
    force, speed = np.sqrt(largest), np.sqrt(2.0 * motion.energies["kinetic"].max())
    steps = motion.statistics.steps
    kinks = steps if chosen["project"] else 1 + changes(motion)
    return steps * h**2 * force**2 + kinks * h * force * speed


def changes(motion):
    """Number of steps in which contacts change, at most."""
    if len(motion) <= motion.statistics.steps:
        return motion.statistics.steps
    return int(np.any(np.diff(motion.mode, axis=0) != 0, axis=1).sum())


def outcomes(random_run, method, seeds):
    found = Counter()
    for seed in seeds:
        try:
            found[outcome(random_run, seed, method)] += 1
        except Exception as error:
            raise AssertionError(f"seed {seed}: {error}") from error
    return found


@pytest.mark.parametrize("method", METHODS)
def test_random_runs(random_run, method):
    found = outcomes(random_run, method, range(200))
    assert found["finished"] > 100, found


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_many_random_runs(random_run, method):
    found = outcomes(random_run, method, range(200, 10_000))
    assert found["finished"] > 0.5 * found.total(), found
