"""Growth of squeal of an elastic friction disc in time (Jehle 7.1, figure 7.6).

The operating point of `elastic_disc`, now with friction that has a history: bristles on the clutch
disc that its spin carries along the ring of contact. Its limit cycle is the case
`elastic_disc_cycle`.

- Growth of a small disturbance along the fastest growing mode, by three methods and on both bases,
  against the linearisation that keeps the bristles as states.
- Agreement of the explicit, implicit and event-free methods on a large motion with opening.
"""

from dataclasses import dataclass, replace

import numpy as np
import scipy.linalg as la

import fecontact as fc

disc = fc.load_module("jehle/elastic_disc")
SMALL = 1e-7
"""Whirl of the small disturbance in m."""
METHODS = {
    "explicit": {},
    "implicit": {"rho_inf": 1.0},
    "ode": {"rtol": 1e-9, "atol": 1e-14, "solver": "DOP853"},
}
"""Methods, and their options but for the step."""


@dataclass(frozen=True)
class InTime(disc.ElasticDisc):
    """Jehle's data; the bristles are stiff against the motion, see `elastic_disc` for the limit."""

    bristle_stiffness: float = fc.quantity(12e7, "N/m", fc.POSITIVE)
    bristle_damping: float = fc.quantity(100.0, "N s/m", fc.NON_NEGATIVE)
    whirl: float = fc.quantity(1.1e-3, "m", fc.POSITIVE)
    growth_time: float = fc.quantity(8e-3, "s", fc.POSITIVE, numerical=True)
    growth_step: float = fc.quantity(2.5e-6, "s", fc.POSITIVE, numerical=True)
    fe_growth_step: float = fc.quantity(1.25e-6, "s", fc.POSITIVE, numerical=True)
    compared_time: float = fc.quantity(2e-4, "s", fc.POSITIVE, numerical=True)
    compared_step: float = fc.quantity(4e-6, "s", fc.POSITIVE, numerical=True)


GROWTH = fc.References("""
    rate      | growth rate of a small disturbance |  | 1/s | 0.01 rel
    frequency | its frequency                      |  | Hz  | 1e-4 rel
    *         | linearisation with bristles as states | cross_method
""")
AGREEMENT = fc.References("""
    explicit | explicit - event-free: difference over that at twice the step | <= 0.6
    implicit | implicit - event-free: difference over that at twice the step | <= 0.6
    both     | explicit - implicit: difference over that at twice the step   | <= 0.3
    *        | order one, of the same friction two | cross_method; full
""")


@dataclass(frozen=True)
class Mode:
    """Fastest growing mode of the states (q, v, z): eigenvalue, right and left vector."""

    value: complex
    right: fc.Complexes
    left: fc.Complexes

    @property
    def frequency(self) -> float:
        """In Hz."""
        return self.value.imag / (2 * np.pi)

    def disturbed(self, state: fc.State, whirl: float) -> fc.State:
        """The state, with the clutch disc whirling on a radius in m."""
        change = (whirl / np.abs(self.right[0]) * self.right).real
        dq, dv, dz = np.split(change, [len(state.q), 2 * len(state.q)])
        return replace(state, q=state.q + dq, v=state.v + dv, z=state.z + dz)


def leading_mode(system: fc.System, state: fc.State) -> Mode:
    """Mode of the continuous law with the bristles as states."""
    by, n = system.rate_form(state).tangents(), system.size
    force = np.hstack([by.force_by_q, by.force_by_v, by.force_by_z])
    moved = np.eye(n, n + n + len(state.z), n)
    rate = np.hstack([by.z_rate_by_q, by.z_rate_by_v, by.z_rate_by_z])
    values, left, right = la.eig(
        np.vstack([moved, np.linalg.solve(system.mass_matrix(state.q), force), rate]), left=True
    )
    lead = np.argmax(np.where(values.imag > 0.0, values.real, -np.inf))
    return Mode(complex(values[lead]), right[:, lead], left[:, lead].conj())


def sliding(p: InTime, basis: str) -> tuple[fc.System, fc.State]:
    """System on a basis, "Ritz" or "FE", and its steady sliding."""
    length, plate = fc.ring(p.contact_radius, p.ring_points).measure, disc.plate(p)
    law = fc.ElastoPlastic(p.friction, p.bristle_stiffness / length, p.bristle_damping / length)
    model = (
        fc.ritz_harmonic(plate, p.harmonics)
        if basis == "Ritz"
        else fc.reduce_harmonic(plate, p.contact_radius, p.harmonics, p.modes)
    )
    system = disc.build(p, model, law)
    return system, system.sliding(fc.steady_state(system).state)


def growth_of(motion: fc.Result, steady: fc.State, mode: Mode) -> tuple[float, float]:
    """Growth rate in 1/s and frequency in Hz of the mode's part in a motion."""
    change = [motion.q - steady.q, motion.v - steady.v, motion.z - steady.z]
    amplitude = np.hstack(change) @ mode.left
    rate = np.polyfit(motion.t, np.log(np.abs(amplitude)), 1)[0]
    return float(rate), slope(motion.t, amplitude)


def centre(motion: fc.Result) -> fc.Complexes:
    """Position of the clutch disc in its plane, in m."""
    return motion.q[:, 0] + np.complex128(1j) * motion.q[:, 1]


def radius(motion: fc.Result) -> fc.Floats:
    """Whirl radius of the clutch disc in m."""
    return np.abs(centre(motion))


def slope(t: fc.Floats, z: fc.Complexes) -> float:
    """Revolutions per second of a complex number."""
    return float(np.polyfit(t, np.unwrap(np.angle(z)), 1)[0] / (2 * np.pi))


def main(run: fc.Run[InTime]) -> None:
    """Growth on both bases, in the quick form on one by one method, and agreement."""
    p = run.parameters
    system, steady = sliding(p, "Ritz")
    mode = leading_mode(system, steady)
    growth(run, "Ritz", system, steady, mode)
    if not run.quick:
        agreement(run, system, mode.disturbed(steady, p.whirl))
        system, steady = sliding(p, "FE")
        growth(run, "FE", system, steady, leading_mode(system, steady))


def growth(
    run: fc.Run[InTime], basis: str, system: fc.System, steady: fc.State, mode: Mode
) -> None:
    """Small disturbance: growth rate and frequency against the linearisation.

    The explicit method goes over ten periods, the slower ones over a quarter of them.
    """
    p, start, curves = run.parameters, mode.disturbed(steady, SMALL), {}
    step = p.growth_step if basis == "Ritz" else p.fe_growth_step
    for method in list(METHODS)[:1] if run.quick else METHODS:
        end = p.growth_time * (0.125 if run.quick else 1.0 if method == "explicit" else 0.25)
        options = METHODS[method] | ({} if method == "ode" else {"step": step})
        motion = fc.simulate(system, end, start, method, 8 * p.growth_step, **options)
        curves[method] = motion.t, 1e6 * radius(motion)
        label, (rate, hertz) = f"{basis}, {method}", growth_of(motion, steady, mode)
        pairs = {"rate": (rate, mode.value.real), "frequency": (hertz, mode.frequency)}
        run.compare(GROWTH, pairs, basis=label)
        run.audit(motion, 1e-6 if method == "ode" else 1e-3, basis=label)
    t = np.linspace(0.0, max(t[-1] for t, _ in curves.values()), 30)
    axis = "whirl radius of the clutch disc / µm"
    dots = {"linearisation": (t, 1e6 * SMALL * np.exp(mode.value.real * t))}
    figure = fc.view.history_panels({axis: curves}, {axis: dots})
    run.figure(f"growth_{basis.lower()}", figure)


def agreement(run: fc.Run[InTime], system: fc.System, start: fc.State) -> None:
    """Differences of the three methods after a short large motion, over the step.

    The two methods with time-discrete friction approach each other with the square of the step,
    and the event-free method, whose friction is continuous, in proportion to it.
    """
    end, steps = run.parameters.compared_time, run.parameters.compared_step / 2.0 ** np.arange(4)
    ends = {"event-free": fc.simulate(system, end, start, "ode", end, rtol=1e-9).q[-1, :2]}
    for method in ("explicit", "implicit"):
        options = METHODS[method]
        motions = [fc.simulate(system, end, start, method, end, step=h, **options) for h in steps]
        ends[method] = np.array([motion.q[-1, :2] for motion in motions])
    pairs = ("explicit", "event-free"), ("implicit", "event-free"), ("explicit", "implicit")
    size = np.abs(ends["event-free"]).max()
    errors = {
        f"{one} - {other}": np.abs(ends[one] - ends[other]).max(axis=1) / size
        for one, other in pairs
    }
    falls = [error[-1] / error[-2] for error in errors.values()]
    run.compare(AGREEMENT, dict(zip(AGREEMENT, falls, strict=True)), basis="Ritz")
    figure = fc.view.convergence_plot(steps, errors, 1.0, "step / s", "relative difference")
    run.figure("agreement", figure)


CASE = fc.Case(__doc__, ("Jehle T21, growth in time",), InTime(), main, quick_s=6)

if __name__ == "__main__":
    CASE.main(__file__)
