"""Wedged disc by the event-driven method: limit cycle with loss of contact (Stamm 6.2.2).

The disc of `wedged_disc`, with bristles and from event to event. Its spin is given to the flanks:
each is a heavy belt that runs with the speed of the disc's edge, which is the same slip. An opened
flank relaxes against its own damper, u' = -(c/beta) u, and closes where the disc meets it (Stamm
4.79). Below beta* the disc swings up until the flanks open; points slide or are open, none sticks.
"""

from dataclasses import replace

import numpy as np

import fecontact as fc

sliding = fc.load_module("stamm/wedged_disc")
HEAVY = 1e9  # mass of a belt in kg
OPTIONS = {"solver": "DOP853", "rtol": 1e-8, "atol": 1e-11}
FIRST_SLIP = (
    "what closes slips first, with a bristle that bends from zero: full friction at once would "
    "make energy",
    "integrate/events/automaton.py",
)
LAST = 0.03
"""Time in s at the end that is looked at."""


REFERENCES = fc.References(
    """
    lowest   | limit cycle for beta = 60 kg/s, lowest | -173.1 | µm | 0.5
    highest  | limit cycle for beta = 60 kg/s, highest | 204.6 | µm | 0.5
    sticks   | a point sticks | is False |  |  |  | published
    openings | openings | >= |  |  | each period opens a flank | trend; fixed
    *        | Stamm 2011, section 6.2.2 | source_notes; varied=damping
    """,
    states=fc.Reference(
        "only gross slip and open", True, relation="is", known_deviation=FIRST_SLIP
    ),
    source="Stamm 2011, section 6.2.2",
    kind="published",
    varied=("damping",),
)
COUNTS = fc.References("""
    closings | closings, and flanks that are open         | is      |  |  | none missed
    audit    | energy not accounted for, of the slip work | <= 1e-6 |  |  | energy audit
""")


def build(p: sliding.WedgedDisc) -> fc.System:
    """Disc without spin between two belts."""
    disc = fc.RigidBody("disc", p.mass, ("ux", "uy"))
    belts, contacts = [], []
    for name, normal in sliding.flanks(p).items():
        belt, position = fc.RigidBody(name, HEAVY, ("ux", "uy")), tuple(-p.radius * normal)
        face = fc.RigidFace(belt, fc.Plane(position, tuple(normal)))
        bristle = fc.ElastoPlastic(p.mu, p.stiffness, 2.0 * np.sqrt(p.stiffness * p.mass))
        layer = fc.PenaltyNormal(p.stiffness, p.damping)
        point = fc.Surface(-p.radius * normal[None], np.ones(1))
        contacts.append(fc.ContactPair(disc, point, face, layer, bristle, f"{name} flank"))
        belts.append(belt)
    weight = fc.Force(disc, (0.0, -p.mass * p.gravity, 0.0), name="weight")
    return fc.System([disc, *belts], [*contacts, weight])


def moved(p: sliding.WedgedDisc, lower: float, until: float) -> fc.Result:
    """Motion from rest below the balance, while the flanks run."""
    whole, home = build(p), sliding.balance(p)[1]
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
    height = 1e6 * (motion.q[1:, 1] - sliding.balance(p)[1][1])
    states, counts, lines = (
        set(motion.contact_status.ravel().tolist()),
        motion.statistics,
        motion.energies,
    )
    computed = {
        "lowest": height.min(),
        "highest": height.max(),
        "states": states == {fc.GROSS, fc.OPEN},
        "sticks": fc.STICK in states,
        "openings": (counts.to_open, int(until * 324.23 / (2.0 * np.pi)) - 2),
    }
    run.compare(REFERENCES, computed)
    closed = counts.to_slip + int(np.sum(motion.contact_status[-1] == fc.OPEN))
    left = np.abs(lines["residual"]).max() + np.abs(lines["numerical"]).max()
    computed = {"closings": (closed, counts.to_open), "audit": left / lines["slip"][-1]}
    run.compare(COUNTS, computed)
    curve = {"last 0.03 s": (height, 1e3 * motion.v[1:, 1])}
    run.figure("limit_cycle", fc.view.phase_plane(curve, "height / µm", "speed / (mm/s)"))


CASE = fc.Case(__doc__, ("Stamm T7",), sliding.WedgedDisc(), main, quick_s=8, system=build)

if __name__ == "__main__":
    CASE.main(__file__)
