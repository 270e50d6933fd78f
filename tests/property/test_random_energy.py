"""Energy audit of random small systems: how what it leaves falls with the step.

How much it leaves at defaults is in `test_random_runs`.
"""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.contact import EulerianPair, KelvinLayer
from fecontact.integrate import simulate


def told(run):
    """Whether the audit of a run can be told at steps that follow the contact.

    Not that of a compressed `KelvinLayer` without history, whose energy appears in the first step;
    of a spinning disc that starts on the ground without history, whose first friction beta_t s
    lasts for less than a step; and of beams shaken in all their modes, which these steps do not
    resolve.
    """
    contact = run.system.stateful_contacts[0]
    return not (
        isinstance(contact.normal, KelvinLayer)
        or isinstance(contact, EulerianPair)
        or run.system.bodies[0].name == "beam"
    )


def audited(run, method, **options):
    """A random run, and what its energy audit leaves, of all that moved; 0 if nothing happens."""
    time = 3.0 * run.time
    output = None if "step" in options else time / 10
    motion = simulate(run.system, time, run.start, method, output, max_steps=4000, **options)
    lines = dict(motion.energies)
    left = np.abs(lines.pop("numerical")) + np.abs(lines.pop("residual"))
    exchanged = sum(np.ptp(line) for line in lines.values())
    moves = exchanged > 1e-12 * max(np.abs(line).max() for line in lines.values())
    return motion, left.max() / exchanged if moves else 0.0


@pytest.mark.slow
def test_energy_falls_with_order_2(random_run):
    """Implicit, fixed step: what is left falls by four per halving where contacts do not change."""
    orders = []
    for seed in range(80):
        run = random_run(seed, "implicit")
        if not told(run):
            continue
        steps = (3.0 * run.time / n for n in (40, 80))
        (motion, coarse), (_, fine) = (audited(run, "implicit", step=h) for h in steps)
        if fine > 1e-11 and np.all(motion.contact_status[1:] == motion.contact_status[1]):
            orders.append(np.log2(coarse / fine))
    assert len(orders) > 8
    assert np.median(orders) == pytest.approx(2.0, abs=0.15)
