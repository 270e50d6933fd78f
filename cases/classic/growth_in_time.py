"""Growth of small disturbances in time against the linearisation: four systems, three methods.

Every model is disturbed by 10 nanometres (nanoradians) along its leading mode and integrated over
three periods. Growth rate and frequency are the slopes of the amplitude w^T x of that mode, w its
left vector. The systems squeal or judder for different reasons:

- wobble (Jehle 8.2): tilt of a disc, friction by pressure at a lever;
- whirl (Jehle 8.3): radial motion of a disc, friction that turns with the slip;
- wedged disc (Stamm 6.2.2): two flanks, mode coupling, here with less damping than the boundary;
- judder (Jehle 8.1): friction that falls with speed, with bristles as states.

The fifth, an elastic disc with bristles that its spin carries on, is `elastic_disc_in_time`. The
error of the time-discrete methods is that of the step, T/400: (omega h)^2/24 of the frequency for
central differences, (omega h)^2/12 for the implicit method without numerical damping.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import fecontact as fc

wobble = fc.load_module("jehle/wobble")
whirl = fc.load_module("jehle/whirl")
wedge = fc.load_module("stamm/wedged_disc")
judder = fc.load_module("jehle/judder")

SYSTEMS: dict[str, Callable[[], fc.System]] = {
    "wobble": lambda: wobble.build(wobble.Wobble()),
    "whirl": lambda: whirl.build(whirl.Whirl()),
    "wedged disc": lambda: wedge.system(replace(wedge.WedgedDisc(), damping=40.0)),
    "judder": lambda: judder.build(judder.Judder()),
}
FINER = {"judder": 4}
"""Steps of the explicit method are smaller by this where bristles are stiffer than the motion."""
METHODS: dict[str, dict[str, Any]] = {
    "explicit": {},
    "implicit": {"rho_inf": 1.0},
    "ode": {"rtol": 1e-10, "atol": 1e-15, "solver": "DOP853"},
}
"""Methods, and their options but for the step."""


@dataclass(frozen=True)
class Growth(fc.Parameters):
    """Size and duration of the disturbance."""

    size: float = fc.quantity(1e-8, "", fc.POSITIVE, numerical=True)
    periods: float = fc.quantity(3.0, "", fc.POSITIVE, numerical=True)
    steps: int = fc.quantity(400, "", fc.at_least(20), numerical=True)


REFERENCES = fc.References("""
    growth    | growth rate |  | 1/s | 0.01 rel
    frequency | frequency   |  | Hz  | 1e-4 rel
    *         | linearisation | cross_method
""")


def small_motion(
    p: Growth, name: str, system: fc.System, mode: fc.Disturbance, method: str, end: float
) -> fc.Result:
    """Motion after the small disturbance."""
    period = 1.0 / mode.frequency
    parts = p.steps * (FINER.get(name, 1) if method == "explicit" else 1)
    steps = {} if method == "ode" else {"step": period / parts}
    options = METHODS[method] | steps
    return fc.simulate(system, end, mode.start(p.size), method, period / 20.0, **options)


def main(run: fc.Run[Growth]) -> None:
    """All systems by all methods; in the quick form two systems over one period."""
    p, panels, lines = run.parameters, {}, {}
    for name in list(SYSTEMS)[:2] if run.quick else SYSTEMS:
        system = SYSTEMS[name]()
        mode = fc.disturbance(system, fc.steady_state(system).state)
        end = (1.0 if run.quick else p.periods) / mode.frequency
        curves = {}
        for method in METHODS:
            motion = small_motion(p, name, system, mode, method, end)
            found = mode.measured(motion)
            computed = {
                "growth": (found.real, mode.growth),
                "frequency": (found.imag / (2.0 * np.pi), mode.frequency),
            }
            run.compare(REFERENCES, computed, label=f"{name}, {method}")
            size = np.abs(mode.amplitude(motion))
            curves[method] = motion.t * mode.frequency, size / size[0]
        t, axis = np.linspace(0.0, end, 15), f"{name}: amplitude / its start"
        exact = t * mode.frequency, np.exp(mode.growth * t)
        panels[axis], lines[axis] = curves, {"linearisation": exact}
    figure = fc.view.history_panels(panels, lines, xlabel="time / period of the mode")
    run.figure("growth", figure)


CASE = fc.Case(__doc__, ("growth by integration, four systems",), Growth(), main, quick_s=5)

if __name__ == "__main__":
    CASE.main(__file__)
