"""Break-away of a point mass from stick: the law alone, and the system by three methods.

A mass m rests on critically damped bristles (c, beta = 2 sqrt(c m)), friction limit T; at t = 0 a
constant force F > T acts. With tau = omega_0 t, omega_0 = sqrt(c/m)

    stick:  x = z = F/c (1 - (1 + tau) e^-tau),   v = F t/m e^-tau,   until t_0
            omega_0 t_0 = 1 - W(e (F - T)/F)
    slip:   v = v_0 + (F - T) s/m,   z = T/c + (x_0 - T/c) e^(-omega_0 s/2),   s = t - t_0

W is Lambert's function (Stamm 4.122 to 4.140, with the corrections of the source notes). Slip
starts with w'' = (F - T)/m + omega_0 v_0/2. A step load breaks away for T up to F (1 + e^-2): the
bristle force overshoots.

In time steps the stretch of a sliding bristle relaxes by Euler's implicit method, with order one.
The friction force does not feel it.
"""

from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy.integrate import solve_ivp

import fecontact as fc

STUCK = np.array([fc.STICK])
PRECISE = ("ode", "events")  # methods with the tolerance of ODE solvers


@dataclass(frozen=True)
class BreakAway(fc.Parameters):
    """Data of the source notes; friction limit mu times a unit normal force."""

    mass: float = fc.quantity(1.0, "kg", fc.POSITIVE)
    stiffness: float = fc.quantity(1e4, "N/m", fc.POSITIVE)
    force: float = fc.quantity(2.0, "N", fc.between("limit"))
    limit: float = fc.quantity(1.5, "N", fc.POSITIVE)
    until: float = fc.quantity(0.1, "s", fc.POSITIVE)
    steps: int = fc.quantity(400, "", fc.POSITIVE, numerical=True)
    exact = fc.derived(
        "stick and slip in closed form",
        lambda p: fc.reference.BreakAway(p.mass, p.stiffness, p.force, p.limit),
    )

    def law(self, limit: float) -> fc.ElastoPlastic:
        """Critically damped bristle."""
        return fc.ElastoPlastic(limit, self.stiffness, 2.0 * sqrt(self.stiffness * self.mass))


REFERENCES = fc.References("""
    x | position at the end     | 2.85355e-3  | m   | 5e-9
    v | speed at the end        | 5.359756e-2 | m/s | 5e-9
    z | elastic slip at the end | 1.4886e-4   | m   | 5e-9
    * | Stamm 2011, (4.122) to (4.140) | source_notes
    relative_error | relative error | 0.0
    energy         | energy not accounted for, at defaults | <= |  |
        | energy audit, of the work of the force
    order_2        | order | >= 1.0 |  | 0.2 | one at the kink | trend
    *              | Stamm 2011, (4.122) to (4.140)
    error | error of position and speed, of the tolerance | <= 1.0
    *     | event-driven to the tolerance of the solver
    error_largest | largest relative error | 0.0 |  | 1e-10 | Stamm 2011, (4.122) to (4.140)
    time          | omega_0 t_0 | 0.5616215836900171 |  | 1e-14 | Stamm 2011, (4.125) | source_notes
    acceleration  | acceleration at break-away |  | m/s^2 | 1e-12 | Stamm 2011, (4.140)
    slip | slip acceleration at break-away | | m/s^2 | 1e-5 | Stamm 2011, (4.142), corrected
    order         | order | 1.0 |  | 0.15 | order of the time steps
    breaks        | step load 1 N breaks a limit | is |  |  | Stamm 2011, (4.148): up to 1 + e^-2
""")


def rate(p: BreakAway, law: fc.ElastoPlastic, force: float, y: fc.Floats) -> fc.Floats:
    """Rate of (x, v, z) with the continuous law at a unit normal force."""
    z, slip = np.array([[y[2], 0.0, 0.0]]), np.array([[y[1], 0.0, 0.0]])
    rates = law.rate(z, slip, np.ones(1), STUCK)
    return np.array([y[1], (force + rates.traction[0, 0]) / p.mass, rates.z_rate[0, 0]])


def moved(
    p: BreakAway, law: fc.ElastoPlastic, force: float, times: fc.Floats, **accuracy: object
) -> fc.Floats:
    """Motion (k, 3) from rest by Radau's method."""
    span, start = (0.0, times[-1]), np.zeros(3)
    path = solve_ivp(lambda t, y: rate(p, law, force, y), span, start, "Radau", times, **accuracy)
    return path.y.T


def stepped(p: BreakAway, steps: int) -> fc.Floats:
    """Motion (3,) at the end by backward Euler with the time-discrete law."""
    law, h = p.law(p.limit), p.until / steps
    c, beta, m = law.stiffness, law.damping, p.mass
    x, v, z, status = 0.0, 0.0, 0.0, STUCK
    for _ in range(steps):
        stuck = (v + h / m * (p.force - c * z)) / (1.0 + h / m * (beta + h * c))
        slides = abs(c * (z + h * stuck) + beta * stuck) > p.limit
        v = v + h / m * (p.force - p.limit) if slides else stuck
        trial, slip = np.array([[z + h * v, 0.0, 0.0]]), np.array([[v, 0.0, 0.0]])
        step = law.step(trial, slip, np.ones(1), status, h)
        x, z, status = x + h * v, float(step.z[0, 0]), step.status
    return np.array([x, v, z])


def breaks(p: BreakAway, force: float, limit: float) -> bool:
    """Whether a step load breaks the mass away."""
    law = p.law(limit)
    t = np.linspace(0.0, 10.0 / p.exact.omega, 400)
    _, v, z = moved(p, law, force, t, rtol=1e-9, atol=1e-15).T
    pull, along = law.stiffness * z + law.damping * v, np.array([1.0, 0.0, 0.0])
    stuck = np.full(len(t), fc.STICK)
    modes = law.rate(np.outer(z, along), np.outer(v, along), np.ones(len(t)), stuck).status
    return bool(np.any(modes == fc.SLIP)) and bool(pull.max() > limit)


def main(run: fc.Run[BreakAway]) -> None:
    """Continuous form to 1e-10, discrete form with order one, limit of break-away."""
    p = run.parameters
    times = np.linspace(0.0, p.until, 101)
    exact, fine = np.array([p.exact.at(t) for t in times]), 1e-12 * np.array([1e-4, 1e-2, 1e-4])
    motion = moved(p, p.law(p.limit), p.force, times, rtol=1e-11, atol=fine)
    for k, name in enumerate(("position", "speed", "elastic slip")):
        error = abs(motion[:, k] - exact[:, k]).max() / abs(exact[:, k]).max()
        run.row(REFERENCES, "error_largest", error, label=f"of the {name}")
    x0, v0 = p.exact.stick(p.exact.start)
    before = rate(p, p.law(p.limit), p.force, np.array([x0, v0, x0]))
    computed = {
        **dict(zip("xvz", motion[-1], strict=True)),
        "time": p.exact.omega * p.exact.start,
        "acceleration": (before[1], (p.force - p.limit) / p.mass),
        "slip": (slip_acceleration(p), (p.force - p.limit) / p.mass + 0.5 * p.exact.omega * v0),
    }
    run.compare(REFERENCES, computed, part=True)
    coarse, fine = (abs(stepped(p, n) - exact[-1]) for n in (p.steps, 2 * p.steps))
    for name, k in (("speed by backward Euler", 1), ("elastic slip of the discrete law", 2)):
        run.row(REFERENCES, "order", np.log2(coarse[k] / fine[k]), label=f"of the {name}")
    for limit, expected in ((1.10, True), (1.14, False)):
        run.row(REFERENCES, "breaks", breaks(p, 1.0, limit), expected, label=f"of {limit} N")
    picture(run, times, motion, exact)
    in_time(run)
    tolerances(run)


def system(p: BreakAway) -> fc.System:
    """The mass on a plane, pressed by 1 N through a given penetration."""
    mass = fc.RigidBody("mass", p.mass, ("ux",))
    point, ground = fc.Surface(np.array([[0.0, 0.0, -1e-6]]), np.ones(1)), fc.Plane()
    laws = fc.PenaltyNormal(1e6), p.law(p.limit)
    contact = fc.ContactPair(mass, point, fc.RigidFace(None, ground), *laws)
    return fc.System([mass], [contact, fc.Force(mass, (p.force, 0.0, 0.0))])


def audit(motion: fc.Result) -> float:
    """Residual and numerical dissipation, relative to the work of the force."""
    last = {name: float(line[-1] - line[0]) for name, line in motion.energies.items()}
    given = last["supplied"] - last["potential"]
    return (abs(last["numerical"]) + abs(last["residual"])) / given


def in_time(run: fc.Run[BreakAway]) -> None:
    """The whole system by four methods against the exact motion, with the energy audit."""
    p = run.parameters
    exact, step = p.exact.at(p.until), p.until / p.steps
    longer = 2.0 if run.quick else 1.0
    for method, fine, accurate, stretch in (
        ("ode", {"rtol": 1e-9}, 1e-7, 1e-7),
        ("events", {"rtol": 1e-9, "angle": 0.0, "solver": "DOP853"}, 1e-7, 1e-7),
        ("implicit", {"step": 0.5 * step * longer}, 1e-4, 1e-3),
        ("explicit", {"step": 0.5 * step}, 1e-4, 1e-3),
    ):
        motion = fc.simulate(system(p), p.until, method=method, output=p.until / 50, **fine)
        errors = [_error(motion, exact)]
        names, bounds = ("position", "speed", "elastic slip"), (accurate, accurate, stretch)
        for name, value, bound in zip(names, errors[0], bounds, strict=True):
            about = {"label": f"of the {name} at the end", "method": method}
            run.row(REFERENCES, "relative_error", value, tolerance=bound, **about)
        usual = fc.simulate(system(p), p.until, method=method, output=p.until / 50)
        limit = 1e-6 if method in PRECISE else 1e-3
        run.row(REFERENCES, "energy", audit(usual), limit, method=method)
        if method in PRECISE:
            continue
        step = {"output": p.until / 50, "step": 4.0 * fine["step"]}
        coarse = fc.simulate(system(p), p.until, method=method, **step)
        for name, ratio in (
            ("error of the speed", _error(coarse, exact)[1] / errors[0][1]),
            ("energy not accounted for", audit(coarse) / audit(motion)),
        ):
            order = np.log(ratio) / np.log(4.0)
            run.row(REFERENCES, "order_2", order, label=f"of the {name}", method=method)
        if method == "implicit":
            run.figure("energy", fc.view.energy_plot(motion.t, motion.energies))


def tolerances(run: fc.Run[BreakAway]) -> None:
    """The error of the event-driven method follows its tolerance, through the event."""
    p, exact = run.parameters, run.parameters.exact.at(run.parameters.until)
    chosen = np.array([1e-4, 1e-6, 1e-8] if run.quick else [1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9])
    curves = {}
    for solver in ("RK45", "DOP853") if run.quick else ("RK45", "DOP853", "Radau"):
        errors = []
        for rtol in chosen.tolist():
            fine = {"rtol": rtol, "atol": 1e-5 * rtol, "angle": 0.0, "solver": solver}
            end = fc.simulate(system(p), p.until, None, "events", p.until, audit=False, **fine)
            errors.append(_error(end, exact)[:2].max())
        curves[solver] = np.array(errors)
        run.row(REFERENCES, "error", (curves[solver] / chosen).max(), method=solver)
    figure = fc.view.convergence_plot(chosen, curves, 1.0, "rtol")
    run.figure("tolerances", figure)


def _error(motion: fc.Result, exact: fc.Floats) -> fc.Floats:
    """Relative errors (3,) of position, speed and elastic slip at the end."""
    last = np.array([motion.q[-1, 0], motion.v[-1, 0], motion.z[-1, 0]])
    return np.abs(last - exact) / np.abs(exact)


def slip_acceleration(p: BreakAway) -> float:
    """Acceleration w'' just after break-away, w' = v - z', by a difference over a short time."""
    law, h = p.law(p.limit), 1e-6 / p.exact.omega
    slip = []
    for s in (h, 2.0 * h):
        y = p.exact.at(p.exact.start + s)
        slip.append(y[1] - rate(p, law, p.force, y)[2])
    return float((4.0 * slip[0] - slip[1]) / (2.0 * h))


def picture(run: fc.Run[BreakAway], times: fc.Floats, motion: fc.Floats, exact: fc.Floats) -> None:
    """Speed and elastic slip over time."""
    p, curves, dots = run.parameters, {}, {}
    for name, column, k in (
        ("speed v m omega_0/F", 1, p.mass * p.exact.omega / p.force),
        ("elastic slip c z/F", 2, p.stiffness / p.force),
    ):
        curves[name], dots[f"{name}, computed"] = k * exact[:, column], k * motion[:, column]
    axes = "time / ms", "speed, elastic slip"
    figure = fc.view.curves_plot(1e3 * times, curves, *axes, dots=dots)
    run.figure("break_away", figure)


CASE = fc.Case(__doc__, ("Stamm T4",), BreakAway(), main, quick_s=6, system=system)

if __name__ == "__main__":
    CASE.main(__file__)
