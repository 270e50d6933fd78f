"""Limit cycle of squeal of an elastic friction disc (Jehle 7.1, figure 7.6).

The system of `elastic_disc_in_time`, by the explicit method: a crest runs around the plate near the
squeal frequency, and the contact is open on a part of the ring.

- From above: a large whirl comes down to the cycle. A whirl with closed contact grows up to 0.9 mm,
  opens, and then comes down in the same way.
- From below: the way of the run from above, from an early state to the last one at the same angle
  of the whirl, is gone further along the line until the radius is below the cycle.

What opening does to the frequency is in `elastic_disc_closed`.
"""

from dataclasses import dataclass, replace

import numpy as np

import fecontact as fc

in_time = fc.load_module("jehle/elastic_disc_in_time")
SHORT = 0.02
"""Time in s of a run in the quick form."""
RECORD, FINE = 2.5e-4, 2e-5
"""Output steps in s along a run, and in its window at the end."""
EARLY = (0.15, 0.4)
"""Part of the run from above, relative, whose way to the end is gone further."""
MEAN = 40
"""Records over which frequency and open fraction along a run are taken; even."""
SOFTER = (
    "a contact that opens is softer: a whirl of twice the size with a contact that cannot open "
    "runs at the frequency of the eigenmode, 1277 Hz (Ritz), the limit cycle with 44 % of the ring "
    "open at 3 % less; the source gives 'about 1300 Hz' for the first elastic mode of plates of "
    "5 mm in general, read as 1250 to 1350 Hz",
    "source notes: limit cycles of figure 7.6 are not recomputed there",
)


@dataclass(frozen=True)
class LimitCycle(in_time.InTime):
    """Where the runs start, how long they go."""

    whirl_closed: float = fc.quantity(0.4e-3, "m", fc.POSITIVE)
    whirl_below: float = fc.quantity(0.48e-3, "m", fc.POSITIVE)
    cycle_time: float = fc.quantity(1.0, "s", fc.POSITIVE, numerical=True)
    cycle_step: float = fc.quantity(5e-6, "s", fc.POSITIVE, numerical=True)
    fe_step: float = fc.quantity(2.5e-6, "s", fc.POSITIVE, numerical=True)
    window: float = fc.quantity(0.02, "s", fc.POSITIVE, numerical=True)


@dataclass(frozen=True)
class Cycle:
    """A run: its record, and its window at the end."""

    record: fc.Result
    window: fc.Result

    @property
    def size(self) -> float:
        """Mean whirl radius in m at the end."""
        return float(in_time.radius(self.window).mean())

    @property
    def frequency(self) -> float:
        """Of the whirl at the end, in Hz."""
        return abs(in_time.slope(self.window.t, in_time.centre(self.window)))


REFERENCES = fc.References("""
    radius | limit cycle: whirl radius from below as from above |  | m | 0.01 rel
    *      | run from above | cross_method; full
    near   | large motion: {}, near the eigenfrequency | in | Hz |  |  | formula
    about  | large motion: {}, about 1300 Hz           | in 1250.0 1350.0 | Hz
    partial | large motion: {} open fraction of the ring, partial | in 0.01 0.99
    *       | Jehle 2016, section 7.1, figure 7.6 | published
""")
SHORT_RUNS = fc.References("""
    above  | from above: the whirl shrinks | <= p.whirl        | m
    closed | from closed contact: it grows | >= p.whirl_closed | m
    *      | limit cycle | trend; fixed; quick
""")


def main(run: fc.Run[LimitCycle]) -> None:
    """Limit cycles on both bases, in the quick form short runs on one."""
    p = run.parameters
    limit_cycle(run, "Ritz", p.cycle_step)
    if not run.quick:
        limit_cycle(run, "FE", p.fe_step)


def limit_cycle(run: fc.Run[LimitCycle], basis: str, step: float) -> None:
    """Runs to the cycle on one basis, and what they show."""
    p = run.parameters
    system, steady = in_time.sliding(p, basis)
    mode = in_time.leading_mode(system, steady)
    above = cycle(run, system, mode.disturbed(steady, p.whirl), step)
    runs = {"from above": above}
    if basis == "Ritz":
        start = mode.disturbed(steady, p.whirl_closed)
        runs["from closed contact"] = cycle(run, system, start, step)
    if run.quick:  # too short to reach the cycle
        sizes = {"above": above.size, "closed": runs["from closed contact"].size}
        run.compare(SHORT_RUNS, sizes, basis=basis)
    else:
        runs["from below"] = cycle(run, system, below(above, p.whirl_below), step)
        run.row(REFERENCES, "radius", runs["from below"].size, above.size, basis=basis)
    run.audit(above.record, basis=basis)
    crest_rows(run, basis, above, mode.frequency)
    pictures(run, basis, system, runs)
    if not run.quick:
        film(run, basis, system, above.window.state(-1), step)


def cycle(run: fc.Run[LimitCycle], system: fc.System, start: fc.State, step: float) -> Cycle:
    """Run from a state by the explicit method."""
    p = run.parameters
    end, window = (SHORT, 0.2 * p.window) if run.quick else (p.cycle_time, p.window)
    start = replace(start, t=0.0)
    record = fc.simulate(system, end, start, "explicit", RECORD, step=step, backend="compiled")
    options = {"restart": record, "step": step, "backend": "compiled"}
    return Cycle(record, fc.simulate(system, end + window, None, "explicit", FINE, **options))


def below(above: Cycle, whirl: float) -> fc.State:
    """State on the line from an early state to the last one of a run, on a smaller radius in m."""
    record, end = above.record, above.window.state(-1)
    first, until = (part * record.t[-1] for part in EARLY)
    early = np.flatnonzero((first < record.t) & (record.t < until))
    last = in_time.centre(above.window)[-1]
    turned = np.abs(np.angle(in_time.centre(record)[early] / last))
    other = record.state(int(early[np.argmin(turned)]))
    size, before = abs(last), float(np.hypot(*other.q[:2]))
    fraction = (size - whirl) / (before - size)
    pairs = {name: (getattr(end, name), getattr(other, name)) for name in ("q", "v", "z")}
    return replace(end, **{name: x + fraction * (x - y) for name, (x, y) in pairs.items()})


def crest_rows(run: fc.Run[LimitCycle], basis: str, above: Cycle, eigen: float) -> None:
    """Rotating crest and partial opening in the window."""
    t, opened = above.window.t, above.window.contact_status == fc.OPEN
    fraction = opened.mean(axis=1)
    speeds = {
        "whirl of the clutch disc": above.frequency,
        "opening that runs forward": in_time.slope(t, opening(opened)),
    }
    near = 0.95 * eigen, 1.05 * eigen
    for words, value in speeds.items():
        about = {"label": words, "basis": basis}
        run.row(REFERENCES, "near", value, near, **about)
        run.row(REFERENCES, "about", value, known_deviation=SOFTER, **about)
    for words, value in (("least", fraction.min()), ("largest", fraction.max())):
        run.row(REFERENCES, "partial", value, label=words, basis=basis)
    r = in_time.radius(above.window)
    run.note(
        f"{basis}: whirl radius {1e3 * r.min():.4f} to {1e3 * r.max():.4f} mm after {t[0]:g} s "
        f"from above; crest at {speeds['opening that runs forward']:.1f} Hz, eigenmode "
        f"{eigen:.1f} Hz; open on {fraction.min():.0%} to {fraction.max():.0%} of the ring, "
        f"sticking on {(above.window.contact_status == fc.STICK).mean():.0%}."
    )


def pictures(
    run: fc.Run[LimitCycle], basis: str, system: fc.System, runs: dict[str, Cycle]
) -> None:
    """Whirl radius and opening over time, frequency, orbit, spectrum, open arc."""
    name, window = basis.lower(), runs["from above"].window
    records, inner = {k: c.record for k, c in runs.items()}, slice(MEAN // 2, -MEAN // 2)
    panels = {
        "whirl radius / mm": {k: (r.t, 1e3 * in_time.radius(r)) for k, r in records.items()},
        "open fraction of the ring": {k: (r.t[inner], fractions(r)) for k, r in records.items()},
    }
    run.figure(f"limit_cycle_{name}", fc.view.history_panels(panels))
    curves = {k: (fractions(c.record), frequencies(c.record)) for k, c in runs.items()}
    panel = {"frequency of the whirl / Hz": curves}
    figure = fc.view.history_panels(panel, xlabel="open fraction of the ring")
    run.figure(f"frequency_{name}", figure)
    orbits = {k: (1e3 * c.window.q[:, 0], 1e3 * c.window.q[:, 1]) for k, c in runs.items()}
    figure = fc.view.phase_plane(orbits, "x / mm", "y / mm", equal=True)
    run.figure(f"orbit_{name}", figure)
    plate = system.bodies[1].model.shapes(np.array([run.parameters.contact_radius]), np.zeros(1))
    bent = window.q[:, system.slices["plate"]] @ plate.value[0]
    signals = {"clutch disc, x": window.q[:, 0], "plate under the ring at 0 degrees": bent}
    figure = fc.view.spectrum_of_signals(window.t, signals, "m", highest=6000.0)
    run.figure(f"spectrum_{name}", figure)
    open_arc(run, name, window)


def open_arc(run: fc.Run[LimitCycle], name: str, window: fc.Result) -> None:
    """Picture of the opening at four points over three periods."""
    last = window.t >= window.t[-1] - 3.0 / 1250.0
    opened, points = window.contact_status[last] == fc.OPEN, window.contact_status.shape[1]
    t = 1e3 * (window.t[last] - window.t[last][0])
    marks = {
        f"at {360 * k // points} degrees": {"open (1) or closed (0)": (t, 1.0 * opened[:, k])}
        for k in range(0, points, max(1, points // 4))
    }
    figure = fc.view.history_panels(marks, xlabel="time / ms")
    run.figure(f"rotating_crest_{name}", figure)


def film(
    run: fc.Run[LimitCycle], basis: str, system: fc.System, start: fc.State, step: float
) -> None:
    """Animation of two turns of the crest."""
    p, name = run.parameters, f"rotating_crest_{basis.lower()}"
    clutch, plate = system.bodies
    low, width = p.thickness / 2, 0.1 * (p.outer_radius - p.inner_radius)
    edges = p.contact_radius - width, p.contact_radius + width
    facing = fc.solid_annulus(*edges, low, 2 * low, 2, 96)
    shown = [fc.BodyGeometry.of(plate), fc.BodyGeometry.of(clutch, facing, np.zeros(3))]
    path = run.store(f"{name}.h5")
    about = {"step": step, "backend": "compiled", "store": path, "geometry": shown}
    fc.simulate(system, start.t + 2.0 / 1250.0, start, "explicit", FINE, **about)
    reason = fc.view.animate(fc.Result.load(path), run.out / f"{name}.gif", frames=80)
    if reason is None:
        run.record(f"{name}.gif")
    else:
        run.note(f"No animation: {reason}")


def opening(opened: fc.Floats) -> fc.Complexes:
    """Direction of the open arc, as a complex number."""
    points = opened.shape[1]
    return opened @ np.exp(2j * np.pi * np.arange(points) / points)


def fractions(motion: fc.Result) -> fc.Floats:
    """Open fraction of the ring along a motion, as means over MEAN records."""
    opened = (motion.contact_status == fc.OPEN).mean(axis=1)
    return np.convolve(opened, np.full(MEAN + 1, 1.0 / (MEAN + 1)), "valid")


def frequencies(motion: fc.Result) -> fc.Floats:
    """Frequency of the whirl in Hz along a motion, as means over MEAN records."""
    angle = np.unwrap(np.angle(in_time.centre(motion)))
    passed = motion.t[MEAN:] - motion.t[:-MEAN]
    return np.asarray(np.abs(angle[MEAN:] - angle[:-MEAN]) / (2 * np.pi * passed))


CASE = fc.Case(__doc__, ("Jehle T21, limit cycle",), LimitCycle(), main, quick_s=6)

if __name__ == "__main__":
    CASE.main(__file__)
