"""Wedged disc by the event-driven method: limit cycle with loss of contact (Stamm 6.2.2).

The disc of `wedged_disc`, with bristles and from event to event. Its spin is given to the flanks:
each is a heavy belt that runs with the speed of the disc's edge, which is the same slip. An opened
flank relaxes against its own damper, u' = -(c/beta) u, and closes where the disc meets it (Stamm
4.79). Below beta* the disc swings up until the flanks open; points slide or are open, none sticks.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import fecontact as fc

sliding = fc.load_module("stamm/wedged_disc")
HEAVY = 1e9  # mass of a belt in kg
OPTIONS = {"solver": "DOP853", "rtol": 1e-8, "atol": 1e-11}
LAST = 0.03
"""Time in s at the end that is looked at."""


def system(p: sliding.WedgedDisc) -> fc.System:
    """Disc without spin between two belts."""
    disc = fc.RigidBody("disc", p.mass, ("ux", "uy"))
    belts, contacts = [], []
    for name, normal in sliding.flanks(p).items():
        belt, place = fc.RigidBody(name, HEAVY, ("ux", "uy")), tuple(-p.radius * normal)
        face = fc.RigidFace(belt, fc.Plane(place, tuple(normal)))
        bristle = fc.ElastoPlastic(p.mu, p.stiffness, 2.0 * np.sqrt(p.stiffness * p.mass))
        layer = fc.PenaltyNormal(p.stiffness, p.damping)
        point = fc.Surface(-p.radius * normal[None], np.ones(1))
        contacts.append(fc.ContactPair(disc, point, face, layer, bristle, f"{name} flank"))
        belts.append(belt)
    weight = fc.Force(disc, (0.0, -p.mass * p.gravity, 0.0), name="weight")
    return fc.System([disc, *belts], [*contacts, weight])


def moved(p: sliding.WedgedDisc, lower: float, until: float) -> fc.Trajectory:
    """Motion from rest below the balance, while the flanks run."""
    whole, home = system(p), sliding.balance(p)[1]
    speeds = {}
    for name, normal in sliding.flanks(p).items():
        edge = np.cross([0.0, 0.0, p.speed], p.radius * normal)
        speeds |= {f"{name}.ux": edge[0], f"{name}.uy": edge[1]}
    start = whole.state(q={"disc.ux": home[0], "disc.uy": home[1] - lower}, v=speeds)
    times = np.linspace(until - LAST, until, 301)
    return fc.simulate(whole, until, start, "events", times, **OPTIONS)


def main(run: fc.Run[sliding.WedgedDisc]) -> None:
    """Limit cycle, its states, its energy."""
    p, until = replace(run.parameters, damping=60.0), 0.6
    motion = moved(p, 1.7e-4, until)
    height = 1e6 * (motion.q[:, 1] - sliding.balance(p)[1][1])
    for name, value, digest in (
        ("lowest", height[1:].min(), -173.1),
        ("highest", height[1:].max(), 204.6),
    ):
        run.check(f"limit cycle for beta = 60 kg/s, {name}", float(value), digest, unit="µm",
                  tolerance=0.5, kind="digest", source=sliding.SOURCE,
                  varied=("damping",))  # fmt: skip
    states = set(motion.mode.ravel().tolist())
    run.check("only gross slip and open", states == {fc.GROSS, fc.OPEN}, True, relation="is",
              kind="published", source="Stamm 6.2.2", varied=("damping",),
              known_deviation=("what closes slips first, with a bristle that bends from zero: full "
                               "friction at once would make energy", "simulate/automaton.py"),
              )  # fmt: skip
    run.check("a point sticks", fc.STICK in states, False, relation="is", kind="published",
              source="Stamm 6.2.2", varied=("damping",))  # fmt: skip
    counts, opened = motion.statistics, int(np.sum(motion.mode[-1] == fc.OPEN))
    run.check("openings", counts.to_open, int(until * 324.23 / (2.0 * np.pi)) - 2, relation="ge",
              kind="trend", source="each period opens a flank", varied=("damping",))  # fmt: skip
    run.check("closings, and flanks that are open", counts.to_slip + opened, counts.to_open,
              relation="is", kind="closed_form", source="none is missed or doubled",
              formula=True)  # fmt: skip
    lines = motion.energies
    left = np.abs(lines["residual"]).max() + np.abs(lines["numerical"]).max()
    run.check("energy not accounted for, of the slip work", float(left / lines["slip"][-1]), 1e-6,
              relation="le", kind="closed_form", source="energy audit", formula=True)  # fmt: skip
    curve = {"last 0.03 s": (height[1:], 1e3 * motion.v[1:, 1])}
    figure = fc.view.phase_plane(curve, "height / µm", "speed / (mm/s)")
    run.figure("limit_cycle", figure)


CASE = fc.Case(
    title="wedged disc by the event-driven method: limit cycle with loss of contact",
    verifies=("Stamm T7",),
    parameters=sliding.WedgedDisc(),
    run=main,
    quick_s=8,
    system=system,
)

if __name__ == "__main__":
    CASE.main(__file__)
