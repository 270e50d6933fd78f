"""Rod on a turning disc by the event-driven method: stick, break-away, slip (Stamm 6.3.1).

The rod of `rod_on_disc` from event to event, with mu_st = 1.01 mu. It starts at rest on the moving
disc, slides, is caught, carried along and breaks away again. Against the rigid rod the place has an
error of order one in eps_c (table 6.1); states and their times are those of the rigid rod.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import fecontact as fc

rod = fc.load_module("stamm/rod_on_disc")
SHORT = 9.0
"""Time in s of the quick form: slip, stick, break-away, slip."""


def moved(p: rod.RodOnDisc, until: float, output: float, **options: object) -> fc.Trajectory:
    """Motion from rest at the anchor, while the disc already turns."""
    whole = rod.system(p)
    start = whole.state(q={"rod.ux": p.anchor}, v={"disc.rz": p.speed})
    return fc.simulate(whole, until, start, "events", output, **options)


def convergence(run: fc.Run[rod.RodOnDisc], until: float, softness: tuple[float, ...]) -> None:
    """Order one in eps_c towards the rigid rod."""
    p = run.parameters
    exact = rod.rigid(p, np.linspace(0.0, until, round(20 * until) + 1))[0][-1]
    size, errors = float(np.linalg.norm(exact)), []
    for eps in softness:
        motion = moved(replace(p, softness=eps), until, until, rtol=1e-8, atol=1e-11,
                       solver="DOP853" if eps >= 0.1 else "Radau", audit=False)  # fmt: skip
        errors.append(float(np.linalg.norm(motion.q[-1, :2] - exact)) / size)
        run.check(f"relative error at {until:g} s, eps_c = {eps:g}", errors[-1], 3.1e-3 * eps,
                  relation="le", kind="digest", source=rod.SOURCE)  # fmt: skip
    run.check("order in eps_c", np.log10(errors[-2] / errors[-1]), 1.0, tolerance=0.1,
              kind="digest", source=rod.SOURCE)  # fmt: skip
    figure = fc.view.convergence_plot(np.array(softness), {"place": np.array(errors)}, 1.0, "eps_c")
    run.figure("convergence", figure)


def phases(run: fc.Run[rod.RodOnDisc]) -> None:
    """Stick begins and ends when the rigid rod does; the energy is accounted for."""
    p = replace(run.parameters, softness=0.1)
    begin, end = rod.rigid(p, np.linspace(0.0, SHORT, 181))[1][0]
    motion = moved(p, SHORT, 0.02, solver="DOP853", rtol=1e-8, atol=1e-11)
    sticks = motion.t[motion.mode[:, 0] == fc.STICK]
    for name, value, expected in (("begins", sticks[0], begin), ("ends", sticks[-1], end)):
        run.check(f"stick {name}", float(value), float(expected), unit="s", tolerance=0.03,
                  kind="cross_method", source="rigid rod, outputs every 0.02 s",
                  formula=True)  # fmt: skip
    run.check("switches to stick", motion.statistics.to_stick, 1, relation="is",
              kind="cross_method", source="rigid rod", formula=True)  # fmt: skip
    run.check("energy not accounted for", rod.audit(motion), 1e-6, relation="le",
              kind="closed_form", source="energy audit, of the exchanged energy",
              formula=True)  # fmt: skip
    run.figure("states", fc.view.contact_states(motion.t, {"rod": motion.mode}))


def main(run: fc.Run[rod.RodOnDisc]) -> None:
    """Phases, and order towards the rigid rod."""
    phases(run)
    if run.quick:
        convergence(run, SHORT, (1.0, 0.1))
    else:
        convergence(run, 60.0, (1.0, 0.1, 1e-2, 1e-3))


CASE = fc.Case(
    title="rod on a turning disc by the event-driven method",
    verifies=("Stamm T8",),
    parameters=rod.RodOnDisc(),
    run=main,
    quick_s=15,
    system=rod.system,
)

if __name__ == "__main__":
    CASE.main(__file__)
