"""Random small systems by all methods with contact: each run ends well, or says why it stops.

Every other run is at default steps and tolerances, over three periods of the mass on its contact
or as far as a budget of tens of steps goes, every eighth one with a large budget. There

    |T| <= mu p,  p >= 0,  and the energy audit leaves little: no energy is made beyond that.

The few runs that leave more are coarse: so at a sixteenth of their mean step less than half is
left. What the audit leaves whatever the step is an error of a law.

The others, and Moreau's stepping, have given coarse steps or loose tolerances, with which they come
through the three periods. They gain no energy beyond what is supplied, up to the error of their
method, stated beforehand:

Regularised contact. All methods are of order 2 or more while contacts do not change. In a step h
with a change the force is wrong by what it changes in a step: c_n g' h and, at a damped contact,
d_n g'; over the path h g' that is x = omega h of the energy there, omega the fastest vibration with
all contacts closed and sticking (2/bound of the explicit method, which counts the dampers too). If
omega h > 1 such a vibration is not resolved: its acceleration omega^2 q at the start of a step
throws it to the speed h omega^2 q and the place h^2 omega^2 q, the energies x^2 and x^4. Hence

    gain <= (1 + changes) max(x, x^4) (energy at the start + potential change + supply)

Each step of an ODE solver may err by atol in all places and speeds, the energies |K| atol^2 and
|M v| atol.

Where steps are so long, x > 100, that each contact throws what the one before has thrown, there is
no bound; then the motion must say that it is coarse.

Moreau's stepping. The impulses L of a step oppose the end velocity u_1: with u_1 - u = W L + u_f,
u_f the change by smooth forces f,

    work = L . (u + u_1)/2 = L . u_1 - L . (W L + u_f)/2 <= h^2 f . M^-1 f/8 .

For theta > 1/2 smooth forces act along another path than the mean, (theta - 1/2) h f . (v_1 - v),
at most h^2 f . M^-1 f while contacts last and h |f| |v| in a step where they change, in the norms
of M^-1 and M. A position correction is a change in each step. Both hold for plastic contacts; laws
with restitution and friction guarantee nothing (`integrate.moreau.impact`).
"""

from __future__ import annotations

import re
import signal
from collections import Counter
from contextlib import contextmanager

import numpy as np
import pytest

from fecontact.contact import ElastoPlastic, KelvinLayer, Plane
from fecontact.contact.laws.bristles import Bristles
from fecontact.contact.laws.coefficient import friction_limit
from fecontact.contact.status import OPEN, SLIP, STICK
from fecontact.errors import InputError, SolverError
from fecontact.integrate import simulate
from fecontact.integrate.explicit.bound import step_limits
from fecontact.integrate.explicit.compiled import CompiledBackend
from fecontact.integrate.explicit.method import Explicit
from fecontact.results.audit import unaccounted
from fecontact.results.point import Point
from fecontact.results.statistics import Statistics

METHODS = ("implicit", "explicit", "ode", "moreau")
PERIODS = 3
BUDGET = {"implicit": (24, 72), "explicit": (32, 96), "ode": (10, 40), "moreau": (24, 96)}
"""Steps of most runs, and of every eighth."""
COMPILED = 3000
"""Steps of the compiled explicit loop."""
COARSE = 10
"""Given steps of the implicit method in a period; it may split them where contacts change."""
LEFT = 1e-2
"""What the audit may leave of the exchanged energy at defaults; nearly all leave a thousandth. More
is left by Dahl's bristles that slide fast, and by layers that recover within a step."""
SPARED = 1e-6
"""Nor does it count below this share of the kinetic energy, to which the steps are controlled: a
rotor of 1 kJ on bristles that start unloaded exchanges some mJ in its first microseconds."""
UNRESOLVED = 100.0
"""Fastest vibration times given step, from which contacts throw bodies further and further."""
GUARD = 60.0
"""CPU seconds after which a run hangs; the first one compiles."""
ROUND_OFF = 1e-9
STOPS = {
    "budget": "max_steps",
    "no friction damping": r"friction damping = 0.* continuous law",
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


def coarse(seed):
    """Whether a run has a given, coarse step."""
    return seed % 2 == 1


def planned(seed, method, run):
    """Time and options of a run."""
    rng, time = np.random.default_rng([7, seed]), PERIODS * run.period
    steps = BUDGET[method][seed % 8 == 0]
    if method == "moreau":
        return time, {
            "step": time / steps,
            "theta": float(rng.choice([0.5, 0.5, 0.75, 1.0])),
            "impact": str(rng.choice(["newton", "poisson", "sequential"])),
            "project": bool(rng.random() < 0.2),
        }
    if method == "explicit":
        backend = Explicit().chosen(run.system, Point(run.start, still(run.system)), Statistics())
        steps = COMPILED if isinstance(backend, CompiledBackend) else steps
        step = 0.3 * backend.limits.bound if coarse(seed) else backend.limits.default
        return min(time, 0.999 * steps * step), {"step": step} if coarse(seed) else {}
    chosen = {"max_steps": steps, "atol": min(1e-9, 1e-6 * run.small)}
    if method == "ode":
        loose = {"rtol": 1e-3, "atol": 1e-2 * run.small} if coarse(seed) else {}
        stiff = {"solver": "Radau" if seed % 5 < 2 else "RK45"}
        return time, chosen | stiff | loose | {"max_steps": (1 + coarse(seed)) * steps}
    given = {"step": run.period / COARSE, "max_steps": 4 * PERIODS * COARSE}
    return time, chosen | (given if coarse(seed) else {})


def still(system):
    return np.zeros(system.size)


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
    """How a run ends, "finished" or the class of its clear message, and what its audit leaves."""
    motion = None
    try:
        run = random_run(seed, method)
        time, chosen = planned(seed, method, run)
        output = None if method in ("implicit", "ode") else time / 5
        with guarded(seed):
            motion = simulate(run.system, time, run.start, method, output, **chosen)
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
        assert motion.t[-1] == time
        found = motion.status
        assert found == "finished"
    if motion is None:
        return found, 0.0
    check_finite(motion)
    check_forces(motion)
    if method == "moreau" or coarse(seed):
        check_gain(run, motion, chosen)
        return found, 0.0
    left = unaccounted(motion.energies)
    lost = np.abs(motion.energies["numerical"]) + np.abs(motion.energies["residual"])
    if left > LEFT and np.max(lost) > SPARED * motion.energies["kinetic"].max():
        assert method != "ode", f"the audit leaves {left:.2g}"
        if not jerks(run, motion):
            check_coarse(run, motion, left)
    return found, left


def jerks(run, motion):
    """Whether damped bristles of Dahl's kind let go.

    Where the pressure of a sliding point falls to zero they must bend back within no time, and the
    force of their damper grows without bound, whatever the step.
    """
    laws = [getattr(item, "friction", None) for item in motion.system.stateful_contacts]
    damped = any(isinstance(law, Bristles) and law.damping > 0.0 for law in laws)
    return damped and (motion.statistics.to_open > 0 or lets_go(run, motion))


def lets_go(run, motion):
    """Whether a closed point opens; the linear loop of "explicit" does not count them."""
    if motion.method != "explicit":
        return False
    end, steps = float(motion.t[-1]), motion.statistics.steps
    span = end - float(motion.t[0])
    seen = simulate(
        run.system, end, run.start, "explicit", span / min(steps, 1000), step=span / steps
    )
    status = seen.contact_status
    return bool(np.any((status[:-1] != OPEN) & (status[1:] == OPEN)))


def check_coarse(run, motion, left):
    """What the audit leaves is due to the steps."""
    time = float(motion.t[-1] - motion.t[0])
    step = time / motion.statistics.steps / 16
    finer = simulate(run.system, float(motion.t[-1]), run.start, motion.method, time, step=step)
    still = unaccounted(finer.energies)
    assert still <= 0.5 * left, f"the audit leaves {left:.2g}, and {still:.2g} with shorter steps"


def check_finite(motion):
    for name in ("t", "q", "v", "a", "lam", "z", "slip_totals"):
        assert np.isfinite(getattr(motion, name)).all(), name
    for name, line in motion.energies.items():
        assert np.isfinite(line).all(), name


def check_forces(motion):
    """No tension, and no friction beyond its limit."""
    for item in motion.system.stateful_contacts:
        law = getattr(item, "friction", None)
        for report in motion.contacts[item.name]:
            scale = np.abs(report.pressure).max(initial=0.0)
            assert report.pressure.min() >= -ROUND_OFF * scale, "tension"
            size = np.linalg.norm(report.traction, axis=1)
            if isinstance(law, ElastoPlastic):  # other bristles may pull more while they bend
                statuses = (np.full(len(size), status) for status in (STICK, SLIP))
                at = report.slip, report.pressure
                limit = np.max(
                    [friction_limit(law.coefficient, *at, m)[0] for m in statuses], axis=0
                )
            elif motion.method == "moreau" and plain(item):
                limit = law * report.pressure
            else:
                continue
            assert np.all(size <= limit * (1.0 + 1e-6) + ROUND_OFF * scale), "friction"


def plain(contact):
    """Whether a rigid contact has one normal, and forces of its own at each point."""
    flat = isinstance(contact.master.shape, Plane)
    return flat and contact.averages is None and contact.normal is None


def check_gain(run, motion, chosen):
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
    if any(isinstance(item.normal, KelvinLayer) for item in system.stateful_contacts):
        return np.inf  # a compressed one without history: its energy appears in the first step
    none = {item.name: (np.zeros(1), *np.zeros((2, 1, 1))) for item in system.stateful_contacts}
    x = stiffness = momentum = 0.0
    for i in (0, len(motion) // 2, -1):
        state = motion.state(i)
        by_q = system.evaluate(state, none)[1]
        stiffness = max(stiffness, np.linalg.norm(by_q, 2))
        momentum = max(momentum, np.abs(system.mass_matrix(state.q) @ state.v).sum())
        x = max(x, 2.0 * h / step_limits(system, state, -by_q, np.zeros_like(by_q)).bound)
    if x > UNRESOLVED and "the motion is coarse" in motion.message:
        return np.inf
    atol = chosen.get("atol", 0.0)
    below = motion.statistics.steps * (stiffness * atol**2 + momentum * atol)
    return (1 + changes(motion)) * max(x, x**4) * there + below


def moreau_bound(run, motion, chosen, there):
    """Energy in J that plastic contacts may make; no bound with restitution or a normal law."""
    system, h = run.system, chosen["step"]
    contacts = system.stateful_contacts
    if any(c.restitution > 0.0 or c.normal is not None for c in contacts):
        return np.inf
    none = {c.name: np.zeros(sum(len(b.dofs) for b in c.bodies)) for c in contacts}
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
    return int(np.any(np.diff(motion.contact_status, axis=0) != 0, axis=1).sum())


def outcomes(random_run, method, seeds):
    """Number of runs by their end, and what the audits leave."""
    found, left = Counter(), []
    for seed in seeds:
        try:
            end, own = outcome(random_run, seed, method)
        except Exception as error:
            raise AssertionError(f"seed {seed}: {error}") from error
        found[end] += 1
        left.append(own)
    return found, np.array(left)


def few_stops(found):
    """All but few runs finish or use up their budget; undamped bristles have no rate form."""
    named = found["finished"] + found["budget"] + found["no friction damping"]
    return named >= 0.95 * found.total()


@pytest.mark.parametrize("method", METHODS)
def test_random_runs(random_run, method):
    """200 runs of implicit, explicit and ode together, and 200 of moreau."""
    found, left = outcomes(random_run, method, range(200 if method == "moreau" else 67))
    assert few_stops(found), found
    assert np.mean(left <= 1e-3) >= 0.95, np.sort(left)[-20:]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "block"),
    [(method, i) for method in METHODS for i in range(50 if method == "moreau" else 17)],
)
def test_many_random_runs(random_run, method, block):
    """10 200 runs of implicit, explicit and ode together, and 10 000 of moreau, in blocks."""
    found, left = outcomes(random_run, method, range(200 * block, 200 * block + 200))
    assert few_stops(found), found
    assert np.mean(left <= 1e-3) >= 0.95, np.sort(left)[-20:]
