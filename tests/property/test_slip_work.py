"""Random masses on springs with contacts, by all methods, at coarse and fine steps.

Friction takes energy and never gives any: the slip work of every point never falls from one record
to the next. And what a run has more than it was given, kinetic, strain, potential and contact
energy over those of its start, without loads that supply any, is at most what its audit calls
small, or the run says that it is coarse, or it stops with a message.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from fecontact.body import RigidBody
from fecontact.contact import (
    ContactPair,
    Coulomb,
    ElastoPlastic,
    PenaltyNormal,
    Plane,
    RigidContact,
    RigidFace,
    Surface,
)
from fecontact.errors import SolverError
from fecontact.integrate import simulate
from fecontact.joint import Bearing, Force
from fecontact.system import System

METHODS = ("implicit", "explicit", "ode", "events", "moreau")
RUNS = {"implicit": 10, "explicit": 25, "ode": 8, "events": 12, "moreau": 25}
MUCH = 0.02
"""Share of the exchanged energy that a run may gain without a word: twice the bound of the audit,
which sees the energies at the records and not the work between them."""
ROUND_OFF = 1e-9


def drawn(seed, method):
    """System, start, time and options of a run."""
    rng = np.random.default_rng([20, seed])

    def size(low, high):
        return float(10.0 ** rng.uniform(low, high))

    mass, omega, mu = size(-3, 2), size(1, 3), float(rng.choice([0.0, rng.uniform(0.0, 2.0)]))
    body = RigidBody("mass", mass, ("ux", "uy", "uz"))
    count = int(rng.integers(1, 4))
    feet = Surface(
        np.column_stack([0.1 * rng.normal(size=(count, 2)), np.zeros(count)]), np.ones(count)
    )
    face, stiff = RigidFace(None, Plane()), mass * omega**2 * size(0, 3)
    depth = size(-6, -4)
    if method == "moreau":
        contact = RigidContact(body, feet, face, mu, float(rng.choice([0.0, 0.5, 1.0])))
    else:
        law = Coulomb(mu, 1.3 * mu) if rng.random() < 0.2 and mu > 0.0 else mu
        ratio, c = size(-2, 0), stiff * size(-1, 1)
        layer = PenaltyNormal(
            stiff / count, float(rng.choice([0.0, ratio])) * np.sqrt(stiff * mass)
        )
        bristle = 2.0 * size(-1.5, 0) * np.sqrt(c * mass) / count
        contact = ContactPair(body, feet, face, layer, ElastoPlastic(law, c / count, bristle))
    load = Force(body, (0.0, 0.0, -stiff * depth * rng.uniform(0.0, 2.0)))
    hold = mass * omega**2
    system = System([body], [contact, Bearing(body, hold, hold * size(-2, 0)), load])
    speed = depth * omega * size(-2, 1)
    v = {f"mass.u{axis}": speed * rng.normal() for axis in "xyz"}
    lift = 0.0 if method == "moreau" else float(rng.choice([-1.0, 0.0, 1.0])) * depth
    fastest = np.sqrt(10.0 * stiff / mass)
    step = size(-1.5, 1) / (omega if method == "moreau" else fastest)
    time = (40 if method in ("ode", "events") else 100) * step
    given = {
        "implicit": {"step": step, "max_steps": 600}, "moreau": {"step": step},
        "explicit": {"max_steps": 20_000}, "ode": {"max_steps": 150, "rtol": 1e-5},
        "events": {"max_steps": 150, "rtol": 1e-6, "atol": 1e-7 * depth},
    }  # fmt: skip
    return system, system.state(q={"mass.uz": lift}, v=v), time, given[method]


def outcome(seed, method):
    """How a run ends; what must hold is asserted."""
    system, start, time, options = drawn(seed, method)
    output = time / 50 if method in ("ode", "events", "explicit") else None
    try:
        motion, end = simulate(system, time, start, method, output, **options), "finished"
    except SolverError as error:
        motion, end = getattr(error, "trajectory", None), "stopped"
        if "max_steps" in str(error):
            end = "budget"
        if motion is None or len(motion) < 2:
            return end
    lines = motion.energies
    stored = sum(lines[name] for name in ("kinetic", "strain", "potential", "contact"))
    exchanged = max(float(np.ptp(line)) for line in lines.values())
    # solvers of rtol integrate slip work along, whose power is never negative: it falls by no more
    # than their error of a step, rtol of the largest energy (Radau's weights are positive, so that
    # between steps it is what their iterations leave, and at a record the interpolation)
    slack = max(options.get("rtol", 0.0), ROUND_OFF) * exchanged
    work = motion.slip_work_and_path(system.stateful_contacts[0].name)[0]
    assert np.diff(work, axis=0).min() >= -slack, "slip gives energy"
    assert np.diff(lines["slip"]).min() >= -slack
    gain = float(np.max(stored - lines["supplied"] - stored[0]))
    said = "the energy audit leaves" in motion.message
    assert said or gain <= MUCH * exchanged, f"{gain:.3g} J of {exchanged:.3g} J from nothing"
    return "said" if said and end == "finished" else end


@pytest.mark.parametrize("method", METHODS)
def test_friction_gives_no_energy(method):
    found = Counter()
    for seed in range(RUNS[method]):
        try:
            found[outcome(seed, method)] += 1
        except AssertionError as error:
            raise AssertionError(f"seed {seed}: {error}") from error
    assert found["stopped"] <= 0.1 * found.total(), found
    assert found["finished"] + found["said"] >= 0.3 * found.total(), found


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("block", range(4))
def test_friction_gives_no_energy_in_many_runs(method, block):
    for seed in range(1000 + 250 * block, 1250 + 250 * block):
        outcome(seed, method)
