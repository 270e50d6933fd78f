"""Rod on a turning disc by the event-driven method: stick, break-away, slip (Stamm 6.3.1).

The rod of `rod_on_disc` from event to event, with mu_st = 1.01 mu. It starts at rest on the moving
disc, slides, is caught, carried along and breaks away again. Against the rigid rod the position has
an error of order one in eps_c (table 6.1); states and their times are those of the rigid rod.

The rod must stick at a speed that its velocity is known to: with 1e-9 m/s, below rtol |v|, steps
lead past the rest, the direction of the last friction is that of the round-off, and bristles that
begin with it hold the rod anywhere within their length.
"""

from dataclasses import replace

import numpy as np

import fecontact as fc

rod = fc.load_module("stamm/rod_on_disc")
SHORT = 9.0
"""Time in s of the quick form: slip, stick, break-away, slip."""
SLOW = 1e-6
"""Speed in m/s at which the rod sticks: above rtol |v|."""


STICK = fc.References(
    begins=fc.Reference("stick begins", unit="s", tolerance=0.03),
    ends=fc.Reference("stick ends", unit="s", tolerance=0.03),
    switches=fc.Reference("switches to stick", 1, relation="is"),
    audit=fc.Reference(
        "energy not accounted for", 1e-6, relation="le", kind="closed_form", source="energy audit"
    ),
    source="rigid rod, outputs every 0.02 s",
    kind="cross_method",
)
ERROR = fc.References("""
    error | relative error | <= |  |  | Stamm 2011, section 6.3.1 | source_notes
""")
ORDER = fc.References("""
    order | order in eps_c | 1.0 |  | 0.1 | Stamm 2011, table 6.1 | source_notes
""")


def moved(p: rod.RodOnDisc, until: float, output: float, **options: object) -> fc.Result:
    """Motion from rest at the anchor, while the disc already turns."""
    whole = rod.system(p)
    start = whole.state(q={"rod.ux": p.anchor}, v={"disc.rz": p.speed})
    return fc.simulate(whole, until, start, "events", output, speed=SLOW, **options)


def main(run: fc.Run[rod.RodOnDisc]) -> None:
    """Phases, and order towards the rigid rod."""
    phases(run)
    p = run.parameters
    until, compliance = (SHORT, (1.0, 0.1)) if run.quick else (60.0, (1.0, 0.1, 1e-2, 1e-3))
    exact = rod.rigid(p, np.linspace(0.0, until, round(20 * until) + 1))[0][-1]
    errors = []
    for eps in compliance:
        options = {"rtol": 1e-8, "atol": 1e-11, "solver": "DOP853" if eps >= 0.1 else "Radau"}
        motion = moved(replace(p, compliance=eps), until, until, audit=False, **options)
        errors.append(np.linalg.norm(motion.q[-1, :2] - exact) / np.linalg.norm(exact))
        row = {"error": (errors[-1], 3.1e-3 * eps)}
        run.compare(ERROR, row, label=f"{until:g} s, eps_c = {eps:g}")
    run.compare(ORDER, {"order": np.log10(errors[-2] / errors[-1])})
    figure = fc.view.convergence_plot(
        np.array(compliance), {"position": np.array(errors)}, 1.0, "eps_c"
    )
    run.figure("convergence", figure)


def phases(run: fc.Run[rod.RodOnDisc]) -> None:
    """Stick begins and ends when the rigid rod does; the energy is accounted for."""
    p = replace(run.parameters, compliance=0.1)
    begin, end = rod.rigid(p, np.linspace(0.0, SHORT, 181))[1][0]
    motion = moved(p, SHORT, 0.02, solver="DOP853", rtol=1e-8, atol=1e-11)
    sticks = motion.t[motion.contact_status[:, 0] == fc.STICK]
    computed = {
        "begins": (sticks[0], begin),
        "ends": (sticks[-1], end),
        "switches": motion.statistics.to_stick,
        "audit": rod.audit(motion),
    }
    run.compare(STICK, computed)
    run.figure("states", fc.view.contact_states(motion.t, {"rod": motion.contact_status}))


CASE = fc.Case(__doc__, ("Stamm T8",), rod.RodOnDisc(), main, quick_s=15, system=rod.system)

if __name__ == "__main__":
    CASE.main(__file__)
