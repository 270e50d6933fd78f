"""Squeal of an elastic friction disc in time (Jehle 7.1, figure 7.6; digest T21).

The operating point of `elastic_disc`, now with friction that remembers: bristles on the clutch disc
that its spin carries along the ring of contact.

- Growth of a small disturbance along the fastest growing mode, against the linearisation that keeps
  the bristles as states.
- Agreement of the explicit, implicit and event-free methods on a large motion with opening.
- Limit cycle, by the explicit method: a crest runs around the plate near the squeal frequency, and
  the contact is open on a part of the ring. A whirl from below grows with the closed contact up to
  0.9 mm, opens, and then shrinks along the same path as a whirl from above. Both meet; the last
  tenth of the way takes most of the second.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import scipy.linalg as la

from fecontact.analysis import steady_state
from fecontact.case import Case, Run, main, quantity
from fecontact.case.registry import load_module
from fecontact.contact import ElastoPlastic, ring
from fecontact.errors import NON_NEGATIVE, POSITIVE
from fecontact.mesh import solid_annulus
from fecontact.reduction import reduce_harmonic, ritz_harmonic
from fecontact.results import Result
from fecontact.simulate import Trajectory, simulate
from fecontact.store import BodyGeometry
from fecontact.system import State, System
from fecontact.typing import Complexes, Floats
from fecontact.view import plots
from fecontact.view.animation import animate
from fecontact.view.motion import history_panels
from fecontact.view.signals import phase_plane, spectrum_of_signals

disc = load_module("jehle/elastic_disc")
SMALL = 1e-7
"""Whirl of the small disturbance in m."""
RECORD, FINE = 1e-3, 2e-5
"""Output steps in s along a run, and in its window at the end."""
SHORT = 0.02
"""Time in s of a run in the quick form."""
PUBLISHED = {"kind": "published", "source": "Jehle 7.1, figure 7.6"}
SOFTER = (
    "a contact that opens is softer: closed, the whirl runs at 1277 Hz (Ritz) as the eigenmode "
    "does, and it falls as the open arc widens, to 3 % less on the limit cycle; 'about 1300 Hz' is "
    "read as 1250 to 1350 Hz",
    "digest Jehle, section 10: limit cycles of figure 7.6 are not recomputed there",
)


@dataclass(frozen=True)
class InTime(disc.ElasticDisc):
    """Jehle's data; the bristles are stiff against the motion, see `elastic_disc` for the limit."""

    bristle_stiffness: float = quantity(12e7, "N/m", POSITIVE)
    bristle_damping: float = quantity(100.0, "N s/m", NON_NEGATIVE)
    whirl_above: float = quantity(1.1e-3, "m", POSITIVE)
    whirl_below: float = quantity(0.4e-3, "m", POSITIVE)
    growth_time: float = quantity(8e-3, "s", POSITIVE, numerical=True)
    growth_step: float = quantity(2.5e-6, "s", POSITIVE, numerical=True)
    compared_time: float = quantity(2e-4, "s", POSITIVE, numerical=True)
    compared_step: float = quantity(4e-6, "s", POSITIVE, numerical=True)
    cycle_time: float = quantity(1.0, "s", POSITIVE, numerical=True)
    cycle_step: float = quantity(1e-5, "s", POSITIVE, numerical=True)
    fe_step: float = quantity(2.5e-6, "s", POSITIVE, numerical=True)
    window: float = quantity(0.02, "s", POSITIVE, numerical=True)


@dataclass(frozen=True)
class Mode:
    """Fastest growing mode of the states (q, v, z): eigenvalue, right and left vector."""

    value: complex
    right: Complexes
    left: Complexes

    @property
    def frequency(self) -> float:
        """In Hz."""
        return self.value.imag / (2 * np.pi)

    def disturbed(self, state: State, whirl: float) -> State:
        """The state, with the clutch disc whirling on a radius in m."""
        change = (whirl / np.abs(self.right[0]) * self.right).real
        dq, dv, dz = np.split(change, [len(state.q), 2 * len(state.q)])
        return replace(state, q=state.q + dq, v=state.v + dv, z=state.z + dz)


def leading_mode(system: System, state: State) -> Mode:
    """Mode of the continuous law with the bristles as states."""
    by, n = system.flow(state).tangents(), system.size
    force = np.hstack([by.force_by_q, by.force_by_v, by.force_by_z])
    moved = np.eye(n, n + n + len(state.z), n)
    rate = np.hstack([by.rate_by_q, by.rate_by_v, by.rate_by_z])
    values, left, right = la.eig(
        np.vstack([moved, np.linalg.solve(system.mass_matrix(state.q), force), rate]), left=True
    )
    lead = np.argmax(np.where(values.imag > 0.0, values.real, -np.inf))
    return Mode(complex(values[lead]), right[:, lead], left[:, lead].conj())


def sliding(p: InTime, basis: str) -> tuple[System, State]:
    """System on a basis, "Ritz" or "FE", and its steady sliding."""
    length, plate = ring(p.contact_radius, p.ring_points).measure, disc.plate(p)
    law = ElastoPlastic(p.friction, p.bristle_stiffness / length, p.bristle_damping / length)
    model = (
        ritz_harmonic(plate, p.harmonics)
        if basis == "Ritz"
        else reduce_harmonic(plate, p.contact_radius, p.harmonics, p.modes)
    )
    system = disc.build(p, model, law)
    return system, system.sliding(steady_state(system).state)


def run(run: Run[InTime]) -> None:
    """Growth on the Ritz basis, and agreement; limit cycles on both, in the quick form on one."""
    p = run.parameters
    system, steady = sliding(p, "Ritz")
    mode = leading_mode(system, steady)
    growth(run, system, steady, mode)
    cycles(run, "Ritz", system, steady, mode, p.cycle_step)
    if not run.quick:
        agreement(run, system, mode.disturbed(steady, p.whirl_above))
        system, steady = sliding(p, "FE")
        cycles(run, "FE", system, steady, leading_mode(system, steady), p.fe_step)


def growth(run: Run[InTime], system: System, steady: State, mode: Mode) -> None:
    """Small disturbance: growth rate and frequency against the linearisation."""
    p = run.parameters
    end, start = (
        0.125 * p.growth_time if run.quick else p.growth_time,
        mode.disturbed(steady, SMALL),
    )
    motion = simulate(system, end, start, "explicit", 8 * p.growth_step, step=p.growth_step)
    rate, frequency = growth_of(motion, steady, mode)
    against = {
        "kind": "cross_method",
        "source": "linearisation with bristles as states",
        "formula": True,
        "basis": "Ritz",
    }
    for words, found, expected, part, unit in (
        ("growth rate of a small disturbance", rate, mode.value.real, 0.01, "1/s"),
        ("its frequency", frequency, mode.frequency, 1e-4, "Hz"),
    ):
        run.check(words, found, expected, tolerance=part * abs(expected), unit=unit, **against)
    figure = plots.curves_plot(
        motion.t, {"simulated": radius(motion)}, "time / s", "whirl radius of the clutch disc / m",
        dots={"linearisation": SMALL * np.exp(mode.value.real * motion.t)},
    )  # fmt: skip
    plots.save(figure, run.path("growth.png"))


def growth_of(motion: Trajectory, steady: State, mode: Mode) -> tuple[float, float]:
    """Growth rate in 1/s and frequency in Hz of the mode's part in a motion."""
    change = [motion.q - steady.q, motion.v - steady.v, motion.z - steady.z]
    amplitude = np.hstack(change) @ mode.left
    rate = np.polyfit(motion.t, np.log(np.abs(amplitude)), 1)[0]
    return float(rate), slope(motion.t, amplitude)


def agreement(run: Run[InTime], system: System, start: State) -> None:
    """Differences of the three methods after a short large motion, over the step.

    The two methods with time-discrete friction approach each other with the square of the step,
    and the event-free method, whose friction is continuous, in proportion to it.
    """
    p = run.parameters
    end, steps = p.compared_time, p.compared_step / 2.0 ** np.arange(4)
    ends = {"event-free": simulate(system, end, start, "flow", end, rtol=1e-9).q[-1, :2]}
    for method, options in (("explicit", {}), ("implicit", {"rho_inf": 1.0})):
        motions = [simulate(system, end, start, method, end, step=h, **options) for h in steps]
        ends[method] = np.array([motion.q[-1, :2] for motion in motions])
    size, errors = np.abs(ends["event-free"]).max(), {}
    for one, other, least, words in (
        ("explicit", "event-free", 0.6, "at least first order"),
        ("implicit", "event-free", 0.6, "at least first order"),
        ("explicit", "implicit", 0.3, "second order"),
    ):
        error = np.abs(ends[one] - ends[other]).max(axis=1) / size
        errors[f"{one} - {other}"] = error
        run.check(
            f"{one} - {other}: difference, relative to that at twice the step",
            float(error[-1] / error[-2]), least, relation="le",
            kind="cross_method", source=words, formula=True, basis="Ritz",
        )  # fmt: skip
    rows = "; ".join(
        f"{name} " + ", ".join(f"{e:.1e}" for e in error) for name, error in errors.items()
    )
    run.note(f"Whirl after {end:g} s, differences at steps from {steps[0]:g} s, halved: {rows}.")
    figure = plots.convergence_plot(steps, errors, 1.0, "step / s", "relative difference")
    plots.save(figure, run.path("agreement.png"))


@dataclass(frozen=True)
class Cycle:
    """A run: its record, and its window at the end."""

    record: Trajectory
    window: Trajectory

    @property
    def size(self) -> float:
        """Mean whirl radius in m at the end."""
        return float(radius(self.window).mean())


def cycle(run: Run[InTime], system: System, start: State, step: float) -> Cycle:
    """Run from a state by the explicit method."""
    p = run.parameters
    end, window = (SHORT, 0.2 * p.window) if run.quick else (p.cycle_time, p.window)
    record = simulate(system, end, start, "explicit", RECORD, step=step, lane="compiled")
    options = {"restart": record, "step": step, "lane": "compiled"}
    return Cycle(record, simulate(system, end + window, None, "explicit", FINE, **options))


def cycles(
    run: Run[InTime], basis: str, system: System, steady: State, mode: Mode, step: float
) -> None:
    """Limit cycle from above and from below."""
    p = run.parameters
    runs = {
        "from above": cycle(run, system, mode.disturbed(steady, p.whirl_above), step),
        "from below": cycle(run, system, mode.disturbed(steady, p.whirl_below), step),
    }
    above, below = runs.values()
    trend = {"kind": "trend", "source": "limit cycle", "basis": basis, "unit": "m"}
    if run.quick:
        run.check(
            "from above: the whirl shrinks", above.size, p.whirl_above, relation="le", **trend
        )
        run.check("from below: it grows", below.size, p.whirl_below, relation="ge", **trend)
    else:
        run.check(
            "limit cycle: whirl radius from below as from above", below.size, above.size,
            tolerance=0.01 * above.size, kind="cross_method", source="run from above",
            formula=True, basis=basis, unit="m",
        )  # fmt: skip
    crest_rows(run, basis, above, mode)
    pictures(run, basis, system, runs)
    if not run.quick:
        film(run, basis, system, above.window.state(-1), step)


def crest_rows(run: Run[InTime], basis: str, above: Cycle, mode: Mode) -> None:
    """Rotating crest and partial opening in the window."""
    t, opened = above.window.t, above.window.mode == 0
    share = opened.mean(axis=1)
    speeds = {
        "whirl of the clutch disc": abs(slope(t, centre(above.window))),
        "opening that runs forward": slope(t, opening(opened)),
    }
    about = {"relation": "in", "unit": "Hz", "basis": basis, "known_deviation": SOFTER, **PUBLISHED}
    for words, value in speeds.items():
        run.check(f"large motion: {words}, about 1300 Hz", value, (1250.0, 1350.0), **about)
    run.check(
        "large motion: the opening contact is softer than the closed one",
        speeds["opening that runs forward"], mode.frequency, relation="le", unit="Hz",
        kind="trend", source="frequency of the fastest growing mode", formula=True, basis=basis,
    )  # fmt: skip
    for words, value in (("least", share.min()), ("largest", share.max())):
        name = f"large motion: {words} open share of the ring, partial"
        run.check(name, float(value), (0.01, 0.99), relation="in", basis=basis, **PUBLISHED)
    r, record = radius(above.window), radius(above.record)
    before = np.interp(0.75 * above.record.t[-1], above.record.t, record)
    run.note(
        f"{basis}: whirl radius {1e3 * r.min():.4f} to {1e3 * r.max():.4f} mm after {t[0]:g} s "
        f"from above, {100 * (record[-1] / before - 1.0):+.2f} % in the last quarter; crest at "
        f"{speeds['opening that runs forward']:.1f} Hz, eigenmode {mode.frequency:.1f} Hz; open on "
        f"{share.min():.0%} to {share.max():.0%} of the ring, sticking on "
        f"{(above.window.mode == 1).mean():.0%}."
    )


def pictures(run: Run[InTime], basis: str, system: System, runs: dict[str, Cycle]) -> None:
    """Whirl radius and opening over time, orbit, spectrum, and the open arc over three periods."""
    name = basis.lower()
    panels = {
        "whirl radius / mm": {k: (c.record.t, 1e3 * radius(c.record)) for k, c in runs.items()},
        "open share of the ring": {
            k: (c.record.t, (c.record.mode == 0).mean(axis=1)) for k, c in runs.items()
        },
    }
    plots.save(history_panels(panels), run.path(f"limit_cycle_{name}.png"))
    window = runs["from above"].window
    orbits = {k: (1e3 * c.window.q[:, 0], 1e3 * c.window.q[:, 1]) for k, c in runs.items()}
    figure = phase_plane(orbits, "x / mm", "y / mm")
    figure.axes[0].set_aspect("equal")
    plots.save(figure, run.path(f"orbit_{name}.png"))
    plate = system.bodies[1].model.shapes(np.array([run.parameters.contact_radius]), np.zeros(1))
    bent = window.q[:, system.slices["plate"]] @ plate.value[0]
    signals = {"clutch disc, x": window.q[:, 0], "plate under the ring at 0 degrees": bent}
    figure = spectrum_of_signals(window.t, signals, "m", highest=6000.0)
    plots.save(figure, run.path(f"spectrum_{name}.png"))
    last = window.t >= window.t[-1] - 3.0 / 1250.0
    opened, points = window.mode[last] == 0, window.mode.shape[1]
    marks = {
        f"point at {360 * k // points} degrees": (window.t[last], 1.0 * opened[:, k])
        for k in range(0, points, max(1, points // 4))
    }
    figure = history_panels({"open (1) or closed (0)": marks})
    plots.save(figure, run.path(f"rotating_crest_{name}.png"))


def film(run: Run[InTime], basis: str, system: System, start: State, step: float) -> None:
    """Animation of two turns of the crest."""
    p, name = run.parameters, f"rotating_crest_{basis.lower()}"
    clutch, plate = system.bodies
    low, width = p.thickness / 2, 0.1 * (p.outer_radius - p.inner_radius)
    facing = solid_annulus(p.contact_radius - width, p.contact_radius + width, low, 2 * low, 2, 96)
    shown = [BodyGeometry.of(plate), BodyGeometry.of(clutch, facing, np.zeros(3))]
    path = run.store(f"{name}.h5")
    simulate(
        system, start.t + 2.0 / 1250.0, start, "explicit", FINE, step=step, lane="compiled",
        store=path, geometry=shown,
    )  # fmt: skip
    reason = animate(Result.load(path), run.out / f"{name}.gif", frames=80)
    if reason is None:
        run.record(f"{name}.gif")
    else:
        run.note(f"No animation: {reason}")


def centre(motion: Trajectory) -> Complexes:
    """Place of the clutch disc in its plane, in m."""
    return motion.q[:, 0] + np.complex128(1j) * motion.q[:, 1]


def radius(motion: Trajectory) -> Floats:
    """Whirl radius of the clutch disc in m."""
    return np.abs(centre(motion))


def opening(opened: Floats) -> Complexes:
    """Direction of the open arc, as a complex number."""
    points = opened.shape[1]
    return opened @ np.exp(2j * np.pi * np.arange(points) / points)


def slope(t: Floats, z: Complexes) -> float:
    """Revolutions per second of a complex number."""
    return float(np.polyfit(t, np.unwrap(np.angle(z)), 1)[0] / (2 * np.pi))


CASE = Case(
    title="squeal of an elastic friction disc in time: growth, and limit cycle with opening",
    proves=("Jehle T21",),
    parameters=InTime(),
    run=run,
    quick_s=6,
)

if __name__ == "__main__":
    raise SystemExit(main(CASE, __file__))
