"""Rolling wheel and pendulum as differential-algebraic equations (Jehle 2016, (2.63)).

The two introductory examples of the source. The linear pencil that keeps the multiplier,

    det(z E - B) = 0,     E = diag(1, M, 0),     unknowns dq, dv, dlam,

has finite eigenvalues, those of the motion, and infinite ones, those of the constraint. Both
systems are then moved: the wheel rolls down a slope, the pendulum swings through large angles.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, radians, sin, sqrt

import numpy as np

import fecontact as fc

TIGHT = {"rtol": 1e-10, "atol": 1e-12}


@dataclass(frozen=True)
class WheelAndPendulum(fc.Parameters):
    """The source gives letters only; any numbers do."""

    mass: float = fc.quantity(3.0, "kg", fc.POSITIVE)
    radius: float = fc.quantity(0.4, "m", fc.POSITIVE)
    inertia: float = fc.quantity(0.25, "kg m^2", fc.POSITIVE)
    slope: float = fc.quantity(radians(12.0), "rad", fc.POSITIVE)
    length: float = fc.quantity(0.8, "m", fc.POSITIVE)
    gravity: float = fc.quantity(9.81, "m/s^2", fc.POSITIVE)
    amplitude: float = fc.quantity(radians(100.0), "rad", fc.POSITIVE)
    swing = fc.derived(
        "large swing of the pendulum",
        lambda p: fc.reference.LargeSwing(p.length, p.amplitude, p.gravity),
    )


@dataclass(frozen=True, eq=False)
class Rolling:
    """Wheel that rolls along x on its radius: 0 = x' - r phi', phi about y (Jehle 2.62)."""

    wheel: fc.typing.Body
    radius: float
    name: str = "rolling"
    rows: Sequence[str] = ("slip",)
    level: fc.typing.Level = "velocity"

    @property
    def bodies(self) -> tuple[fc.typing.Body]:
        """The wheel, with the dofs ux, ry."""
        return (self.wheel,)

    def at(self, t: float, q: fc.Floats, v: fc.Floats) -> fc.Relative:
        """Slip velocity; its row does not depend on the position."""
        A = np.array([[1.0, -self.radius]])
        none = lambda: np.zeros((1, 2)), lambda load: np.zeros((2, 2))
        return fc.Relative(np.zeros(1), A @ v, A, *none)

    def bias(self, t: float, q: fc.Floats, v: fc.Floats) -> fc.Floats:
        """Zero: the row is constant."""
        return np.zeros(1)


REFERENCES = fc.References("""
    leading  | wheel: leading coefficient  | p.mass * p.radius**2 + p.inertia | kg m^2 | 1e-12 rel
    zero     | wheel: zero eigenvalues     | 3
    infinite | wheel: infinite eigenvalues | 2
    *        | Jehle 2016, (2.63), recomputed | published; formula
    way      | wheel: way down the slope   |  | m   | 1e-9 rel
    angle    | wheel: angle                |  | rad | 1e-9 rel
    friction | wheel: friction             |  | N   | 1e-9 rel
    drift    | large swing: drift of the length | 0.0 | m | 1e-10 | constraint of the rod
    *        | (m + J/r^2) x'' = m g sin
    eigenvalues | {} eigenvalues
    square      | z^2            |  | 1/s^2
    *           | Jehle 2016, (2.65) corrected, recomputed | published; formula
    error | large swing: largest error | 0.0 |  | 1e-8 |  | method=projected
    order | large swing                | 2.0 |  | 0.05 |  | method=implicit
    *     | Jacobi's elliptic functions
    eliminated | {}sqrt(g/l) | 0.0 | 1/s |  | Jehle 2016, (2.65) | method=eliminated
""")


def wheel(p: WheelAndPendulum, slope: float) -> fc.System:
    """Wheel on a plane; x points down the slope."""
    body = fc.RigidBody("wheel", p.mass, ("ux", "ry"), inertia=(p.inertia,) * 3)
    g = (p.gravity * sin(slope), 0.0, -p.gravity * cos(slope))
    return fc.System([body], [Rolling(body, p.radius), fc.Gravity([body], g)])


def pendulum(p: WheelAndPendulum, level: fc.typing.Level = "position") -> fc.System:
    """Point mass below the origin on a massless rod, bound in its length or in its rate."""
    bob = fc.RigidBody("bob", p.mass, ("ux", "uz"), position=(0.0, 0.0, -p.length))
    rod = fc.Distance(None, bob, point_a=(0.0, 0.0, 0.0), name="rod")
    held: fc.typing.Constraint = rod
    if level == "velocity":
        held = fc.PrescribedMotion(rod.length, fc.Speed(0.0), level="velocity", name="rod")
    return fc.System([bob], [held, fc.Gravity([bob], (0.0, 0.0, -p.gravity))])


def characteristic_polynomial(system: fc.System, state: fc.State) -> fc.Floats:
    """Coefficients c_k of det(z E - B) = sum c_k z^k, from its values on a circle.

    The degree counts the finite eigenvalues; all others are infinite.
    """
    n, m = system.size, len(system.rows)
    by_q, by_v = system.tangents(state)
    A = system.constraint(state).jacobian
    d_load, d_rate = system.constraint_tangents(state)
    bound = system.position_rows[:, None]
    B, E = np.zeros((2, 2 * n + m, 2 * n + m))
    E[:n, :n], E[n : 2 * n, n : 2 * n] = np.eye(n), system.mass_matrix(state.q)
    B[:n, n : 2 * n] = np.eye(n)
    B[n : 2 * n] = np.hstack([by_q + d_load, by_v, A.T])
    B[2 * n :, : 2 * n] = np.hstack([np.where(bound, A, d_rate), np.where(bound, 0.0, A)])
    size = len(E)
    z = np.exp(2j * pi * np.arange(size + 1) / (size + 1))
    values = np.linalg.det(z[:, None, None] * E - B)
    c = np.real(np.fft.fft(values)) / (size + 1)
    return np.asarray(c * np.sign(c[np.abs(c) > 1e-12][-1]))


def counts(c: fc.Floats) -> tuple[int, int]:
    """Numbers of zero and of infinite eigenvalues."""
    present = np.flatnonzero(np.abs(c) > 1e-10 * np.abs(c).max())
    return int(present[0]), len(c) - 1 - int(present[-1])


def main(run: fc.Run[WheelAndPendulum]) -> None:
    """Spectra and motion of the wheel, then of the pendulum."""
    wheel_spectrum(run)
    wheel_motion(run)
    pendulum_spectrum(run)
    pendulum_motion(run)


def wheel_spectrum(run: fc.Run[WheelAndPendulum]) -> None:
    """On the level: the polynomial (m r^2 + J) z^3 of a pencil of dimension 5."""
    p = run.parameters
    system = wheel(p, 0.0)
    c = characteristic_polynomial(system, fc.steady_state(system).state)
    zero, infinite = counts(c)
    run.compare(REFERENCES, {"leading": c[3], "zero": zero, "infinite": infinite}, part=True)


def wheel_motion(run: fc.Run[WheelAndPendulum]) -> None:
    """Down a slope: x'' = g sin(slope) / (1 + J / (m r^2)), held by the friction -J x'' / r^2."""
    p = run.parameters
    system, t_end = wheel(p, p.slope), 2.0
    start = system.state(v={"wheel.ux": 0.3, "wheel.ry": 0.3 / p.radius})
    a = p.gravity * sin(p.slope) / (1.0 + p.inertia / (p.mass * p.radius**2))
    way = 0.3 * t_end + 0.5 * a * t_end**2
    for method, options in (("projected", TIGHT), ("implicit", {"step": 0.1 * t_end})):
        motion = fc.simulate(system, t_end, start, method, **options)
        computed = {
            "way": (motion.history("wheel.ux")[-1], way),
            "angle": (motion.history("wheel.ry")[-1], way / p.radius),
            "friction": (motion.multiplier("rolling.slip")[-1], -p.inertia * a / p.radius**2),
        }
        run.compare(REFERENCES, computed, part=True, method=method)


def pendulum_spectrum(run: fc.Run[WheelAndPendulum]) -> None:
    """Both equilibria, with the length bound (index 3) and with its rate bound (index 2)."""
    p = run.parameters
    positions = {"lower": (0.0, 1.0), "upper": (2.0 * p.length, -1.0)}
    for level, zeros, infinite in (("position", 0, 3), ("velocity", 1, 2)):
        for position, (height, sign) in positions.items():
            system = pendulum(p, level)
            state = fc.steady_state(system, np.array([0.0, height])).state
            c = characteristic_polynomial(system, state)
            name = f"{position} pendulum"
            for kind, number, expected in zip(
                ("zero", "infinite"), counts(c), (zeros, infinite), strict=True
            ):
                label = {"label": f"{name}: {kind}", "method": level}
                run.row(REFERENCES, "eigenvalues", number, expected, **label)
            rate, label = p.gravity / p.length, {"label": name, "method": level}
            square = -c[zeros] / c[zeros + 2]
            run.row(REFERENCES, "square", square, -sign * rate, 1e-10 * rate, **label)
    reduced(run, "lower", 0.0, frequency=sqrt(p.gravity / p.length))
    reduced(run, "upper", 2.0 * p.length, growth=sqrt(p.gravity / p.length))


def reduced(
    run: fc.Run[WheelAndPendulum],
    position: str,
    height: float,
    frequency: float = 0.0,
    growth: float = 0.0,
) -> None:
    """Same eigenvalues with the constraint eliminated."""
    system = pendulum(run.parameters)
    state = fc.steady_state(system, np.array([0.0, height])).state
    z = fc.complex_modes(fc.linearise(system, state)).eigenvalues
    top = z[np.argmax(z.real + z.imag)]
    label = f"{position} pendulum: distance of z from +-{'i ' * bool(frequency)}"
    distance = abs(top - complex(growth, frequency))
    run.row(REFERENCES, "eliminated", distance, tolerance=1e-10 * abs(top), label=label)


def pendulum_motion(run: fc.Run[WheelAndPendulum]) -> None:
    """Two periods of a large swing; generalised-alpha with two steps shows its order."""
    p = run.parameters
    period = p.swing.period
    exact = swing(p, period, "projected", **TIGHT)
    coarse, fine = (swing(p, period, "implicit", step=period / n) for n in (200, 400))
    for name, error in errors(p, exact).items():
        run.row(REFERENCES, "error", error, label=name)
    for name, error in errors(p, fine).items():
        order = float(np.log2(errors(p, coarse)[name] / error))
        run.row(REFERENCES, "order", order, label=f"order of the {name}")
    run.audit(fine, method="implicit")
    for method, motion in (("projected", exact), ("implicit", fine)):
        gaps = [motion.system.constraint(motion.state(i)).value[0] for i in range(len(motion))]
        run.row(REFERENCES, "drift", np.abs(gaps).max(), method=method, source="|x| = l")
    motions = {"multiplier, projected": exact, "multiplier, implicit": fine}
    dots = {name: -motion.multiplier("rod.length") for name, motion in motions.items()}
    curve, axes = (
        {"closed form": p.swing.rod_force(p.mass, exact.t)},
        ("time / s", "force of the rod / N"),
    )
    figure = fc.view.curves_plot(exact.t, curve, *axes, dots=dots)
    run.figure("rod_force", figure)


def swing(p: WheelAndPendulum, period: float, method: str, **options: float) -> fc.Result:
    """Two periods from rest at the amplitude."""
    system = pendulum(p)
    x, z = p.length * sin(p.amplitude), p.length * (1.0 - cos(p.amplitude))
    start = system.state(q={"bob.ux": x, "bob.uz": z})
    return fc.simulate(system, 2.0 * period, start, method, output=period / 50.0, **options)


def errors(p: WheelAndPendulum, motion: fc.Result) -> dict[str, float]:
    """Largest relative errors of a swing."""
    (angle, _), force = p.swing.at(motion.t), p.swing.rod_force(p.mass, motion.t)
    path = np.column_stack([np.sin(angle), 1.0 - np.cos(angle)]) * p.length
    off = np.abs(motion.multiplier("rod.length") + force).max() / np.abs(force).max()
    return {"path": float(np.abs(motion.q - path).max()) / p.length, "force of the rod": off}


CASE = fc.Case(__doc__, ("Jehle T1", "Jehle T2"), WheelAndPendulum(), main, quick_s=2)

if __name__ == "__main__":
    CASE.main(__file__)
