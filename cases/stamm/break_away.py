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
from math import e, exp, sqrt

import numpy as np
from scipy.integrate import solve_ivp
from scipy.special import lambertw

import fecontact as fc

SOURCE = "Stamm 2011, (4.122) to (4.140)"
STUCK = np.array([fc.STICK])
PRECISE = ("ode", "events")  # methods with the tolerance of ODE solvers


@dataclass(frozen=True)
class BreakAway(fc.Parameters):
    """Data of the source notes; friction limit mu times a unit normal force."""

    mass: float = fc.quantity(1.0, "kg", fc.POSITIVE)
    stiffness: float = fc.quantity(1e4, "N/m", fc.POSITIVE)
    force: float = fc.quantity(2.0, "N", fc.POSITIVE)
    limit: float = fc.quantity(1.5, "N", fc.POSITIVE)
    until: float = fc.quantity(0.1, "s", fc.POSITIVE)
    steps: int = fc.quantity(400, "", fc.POSITIVE, numerical=True)

    def validate(self) -> None:
        """The mass must break away."""
        if self.force <= self.limit:
            raise fc.InputError(
                f"force = {self.force} N is not possible: it must exceed the limit {self.limit} N"
            )

    omega = fc.derived("omega_0 in rad/s", lambda p: sqrt(p.stiffness / p.mass))

    def law(self, limit: float) -> fc.ElastoPlastic:
        """Critically damped bristle."""
        return fc.ElastoPlastic(limit, self.stiffness, 2.0 * sqrt(self.stiffness * self.mass))

    @property
    def start(self) -> float:
        """Time t_0 of break-away in s."""
        share = (self.force - self.limit) / self.force
        return float(1.0 - lambertw(e * share).real) / self.omega

    def stick(self, t: float) -> tuple[float, float]:
        """Position x = z and speed while the mass sticks."""
        tau = self.omega * t
        x = self.force / self.stiffness * (1.0 - (1.0 + tau) * exp(-tau))
        return x, self.force * t / self.mass * exp(-tau)

    def exact(self, t: float) -> fc.Floats:
        """Position, speed and elastic slip."""
        if t <= self.start:
            x, v = self.stick(t)
            return np.array([x, v, x])
        s, (x, v), rest = t - self.start, self.stick(self.start), self.limit / self.stiffness
        a = (self.force - self.limit) / self.mass
        z = rest + (x - rest) * exp(-0.5 * self.omega * s)
        return np.array([x + v * s + 0.5 * a * s**2, v + a * s, z])


REFERENCES = fc.References("""
    relative_error | relative error | 0.0
    energy         | energy not accounted for, at defaults | <= |  |
        | energy audit, of the work of the force
    order_2        | order | >= 1.0 |  | 0.2 | one at the kink | trend
    *              | Stamm 2011, (4.122) to (4.140)
    error | error of position and speed, of the tolerance | <= 1.0
    *     | event-driven to the tolerance of the solver
    error_largest | largest relative error | 0.0 |  | 1e-10 | Stamm 2011, (4.122) to (4.140)
    time          | omega_0 t_0 | 0.5616215836900171 |  | 1e-14 | Stamm 4.125 | source_notes
    acceleration  | acceleration at break-away |  | m/s^2 | 1e-12 | Stamm 4.140
    slip          | slip acceleration at break-away |  | m/s^2 | 1e-5 | Stamm 4.142, corrected
    order         | order | 1.0 |  | 0.15 | order of the time steps
    breaks        | step load 1 N breaks a limit | is |  |  | Stamm 4.148: up to 1 + e^-2
""")


def rate(p: BreakAway, law: fc.ElastoPlastic, force: float, y: fc.Floats) -> fc.Floats:
    """Rate of (x, v, z) with the continuous law at a unit normal force."""
    z, slip = np.array([[y[2], 0.0, 0.0]]), np.array([[y[1], 0.0, 0.0]])
    rates = law.rate(z, slip, np.ones(1), STUCK)
    return np.array([y[1], (force + rates.traction[0, 0]) / p.mass, rates.z_rate[0, 0]])


def continuous(p: BreakAway, times: fc.Floats) -> fc.Floats:
    """Motion (k, 3) by Radau's method."""
    law = p.law(p.limit)
    scale = np.array([1e-4, 1e-2, 1e-4])
    answer = solve_ivp(
        lambda t, y: rate(p, law, p.force, y), (0.0, times[-1]), np.zeros(3), "Radau", times,
        rtol=1e-11, atol=1e-12 * scale,
    )  # fmt: skip
    return answer.y.T


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
    t = np.linspace(0.0, 10.0 / p.omega, 400)
    path = solve_ivp(
        lambda t, y: rate(p, law, force, y), (0.0, t[-1]), np.zeros(3), "Radau", t, rtol=1e-9,
        atol=1e-15,
    )  # fmt: skip
    pull = law.stiffness * path.y[2] + law.damping * path.y[1]
    modes = law.rate(
        np.outer(path.y[2], [1.0, 0, 0]), np.outer(path.y[1], [1.0, 0, 0]), np.ones(len(t)),
        np.full(len(t), fc.STICK),
    ).status  # fmt: skip
    return bool(np.any(modes == fc.SLIP)) and bool(pull.max() > limit)


def main(run: fc.Run[BreakAway]) -> None:
    """Continuous form to 1e-10, discrete form with order one, limit of break-away."""
    p = run.parameters
    times = np.linspace(0.0, p.until, 101)
    motion, exact = continuous(p, times), np.array([p.exact(t) for t in times])
    for k, (name, unit) in enumerate((("position", "m"), ("speed", "m/s"), ("elastic slip", "m"))):
        error = abs(motion[:, k] - exact[:, k]).max() / abs(exact[:, k]).max()
        run.compare(REFERENCES, {"error_largest": error}, part=True, label=f"of the {name}")
        value = (2.85355e-3, 5.359756e-2, 1.4886e-4)[k]
        digits = (5e-9, 5e-9, 5e-9)[k]
        run.check(f"{name} at the end", float(motion[-1, k]), value, unit=unit, tolerance=digits,
                  kind="source_notes", source=SOURCE)  # fmt: skip
    run.compare(REFERENCES, {"time": p.omega * p.start}, part=True)
    x0, v0 = p.stick(p.start)
    before = rate(p, p.law(p.limit), p.force, np.array([x0, v0, x0]))
    computed = {
        "acceleration": (before[1], (p.force - p.limit) / p.mass),
        "slip": (slip_acceleration(p), (p.force - p.limit) / p.mass + 0.5 * p.omega * v0),
    }
    run.compare(REFERENCES, computed, part=True)
    coarse, fine = (abs(stepped(p, n) - exact[-1]) for n in (p.steps, 2 * p.steps))
    for name, k in (("speed by backward Euler", 1), ("elastic slip of the discrete law", 2)):
        computed = {"order": np.log2(coarse[k] / fine[k])}
        run.compare(REFERENCES, computed, part=True, label=f"of the {name}")
    for limit, expected in ((1.10, True), (1.14, False)):
        computed = {"breaks": (breaks(p, 1.0, limit), expected)}
        run.compare(REFERENCES, computed, part=True, label=f"of {limit} N")
    picture(run, times, motion, exact)
    in_time(run)
    tolerances(run)


def system(p: BreakAway) -> fc.System:
    """The mass on a plane, pressed by 1 N through a given penetration."""
    mass = fc.RigidBody("mass", p.mass, ("ux",))
    contact = fc.ContactPair(
        mass,
        fc.Surface(np.array([[0.0, 0.0, -1e-6]]), np.ones(1)),
        fc.RigidFace(None, fc.Plane()),
        fc.PenaltyNormal(1e6),
        p.law(p.limit),
    )
    return fc.System([mass], [contact, fc.Force(mass, (p.force, 0.0, 0.0))])


def audit(motion: fc.Result) -> float:
    """Residual and numerical dissipation, relative to the work of the force."""
    last = {name: float(line[-1] - line[0]) for name, line in motion.energies.items()}
    given = last["supplied"] - last["potential"]
    return (abs(last["numerical"]) + abs(last["residual"])) / given


def in_time(run: fc.Run[BreakAway]) -> None:
    """The whole system by four methods against the exact motion, with the energy audit."""
    p = run.parameters
    exact, step = p.exact(p.until), p.until / p.steps
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
            computed = {"relative_error": value}
            run.compare(
                REFERENCES,
                computed,
                part=True,
                tolerances={"relative_error": bound},
                label=f"of the {name} at the end",
                method=method,
            )
        usual = fc.simulate(system(p), p.until, method=method, output=p.until / 50)
        computed = {"energy": (audit(usual), 1e-6 if method in PRECISE else 1e-3)}
        run.compare(REFERENCES, computed, part=True, method=method)
        if method in PRECISE:
            continue
        coarse = fc.simulate(
            system(p), p.until, method=method, output=p.until / 50, step=4.0 * fine["step"]
        )
        for name, ratio in (
            ("error of the speed", _error(coarse, exact)[1] / errors[0][1]),
            ("energy not accounted for", audit(coarse) / audit(motion)),
        ):
            computed = {"order_2": np.log(ratio) / np.log(4.0)}
            run.compare(REFERENCES, computed, part=True, label=f"of the {name}", method=method)
        if method == "implicit":
            run.figure("energy", fc.view.energy_plot(motion.t, motion.energies))


def tolerances(run: fc.Run[BreakAway]) -> None:
    """The error of the event-driven method follows its tolerance, through the event."""
    p, exact = run.parameters, run.parameters.exact(run.parameters.until)
    chosen = np.array([1e-4, 1e-6, 1e-8] if run.quick else [1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9])
    curves = {}
    for solver in ("RK45", "DOP853") if run.quick else ("RK45", "DOP853", "Radau"):
        fine = {"angle": 0.0, "solver": solver, "audit": False}
        ends = [
            fc.simulate(
                system(p), p.until, None, "events", p.until, rtol=rtol, atol=1e-5 * rtol, **fine
            )
            for rtol in chosen.tolist()
        ]
        curves[solver] = np.array([_error(motion, exact)[:2].max() for motion in ends])
        computed = {"error": (curves[solver] / chosen).max()}
        run.compare(REFERENCES, computed, part=True, method=solver)
    figure = fc.view.convergence_plot(chosen, curves, 1.0, "rtol")
    run.figure("tolerances", figure)


def _error(motion: fc.Result, exact: fc.Floats) -> fc.Floats:
    """Relative errors (3,) of position, speed and elastic slip at the end."""
    last = np.array([motion.q[-1, 0], motion.v[-1, 0], motion.z[-1, 0]])
    return np.abs(last - exact) / np.abs(exact)


def slip_acceleration(p: BreakAway) -> float:
    """Acceleration w'' just after break-away, w' = v - z', by a difference over a short time."""
    law, h = p.law(p.limit), 1e-6 / p.omega
    slip = []
    for s in (h, 2.0 * h):
        y = p.exact(p.start + s)
        slip.append(y[1] - rate(p, law, p.force, y)[2])
    return float((4.0 * slip[0] - slip[1]) / (2.0 * h))


def picture(run: fc.Run[BreakAway], times: fc.Floats, motion: fc.Floats, exact: fc.Floats) -> None:
    """Speed and elastic slip over time."""
    p = run.parameters
    scaled = {
        "speed v m omega_0/F": p.mass * p.omega / p.force,
        "elastic slip c z/F": p.stiffness / p.force,
    }
    columns = (1, 2)
    figure = fc.view.curves_plot(
        1e3 * times,
        {name: k * exact[:, i] for (name, k), i in zip(scaled.items(), columns, strict=True)},
        "time / ms",
        "speed, elastic slip",
        dots={f"{name}, computed": k * motion[:, i]
              for (name, k), i in zip(scaled.items(), columns, strict=True)},
    )  # fmt: skip
    run.figure("break_away", figure)


CASE = fc.Case(__doc__, ("Stamm T4",), BreakAway(), main, quick_s=6, system=system)

if __name__ == "__main__":
    CASE.main(__file__)
