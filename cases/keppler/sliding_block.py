"""Sliding block that comes to rest and swings on its stuck contact (Keppler example 4.7).

A block of mass m slides with v_0 under the normal force N; elasto-plastic bristles of Dupont's law
(c_0, c_1) with Stribeck's curve mu + (mu_H - mu) exp(-(v/v_S)^2) stop it:

    fast sliding:   v = v_1 - mu N t/m,      z = mu N/c_0
    stuck:          m x'' + c_1 x' + c_0 (x - x_r) = 0,      half period pi/omega_d

The Stribeck speed is lost in the source; three of them are tried. The first stop depends on it,
the deceleration and the swing do not. The reference is Dupont's law in one dimension as an
ordinary differential equation, without common code; the system takes the law of contact points.
"""

from dataclasses import dataclass, replace
from math import pi, sqrt

import numpy as np
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicHermiteSpline

import fecontact as fc

ONSET = 0.99
STOPS = {
    0.05: (1.18702, 2.354114, 2.280511),
    0.1: (1.18184, 2.353484, 2.274420),
    0.2: (1.16259, 2.349280, 2.255782),
}
"""Stribeck speed in m/s -> time and position of the first stop, position at 6 s (source notes)."""


@dataclass(frozen=True)
class SlidingBlock(fc.Parameters):
    """Data of the source, and a substitute for the lost Stribeck speed."""

    mass: float = fc.quantity(1.0, "kg", fc.POSITIVE)
    normal_force: float = fc.quantity(10.0, "N", fc.POSITIVE)
    speed: float = fc.quantity(4.0, "m/s", fc.POSITIVE)
    mu_static: float = fc.quantity(1.0, "", fc.POSITIVE)
    mu: float = fc.quantity(1.0 / 3.0, "", fc.POSITIVE)
    stiffness: float = fc.quantity(50.0, "N/m", fc.POSITIVE)
    damping: float = fc.quantity(1.0, "N s/m", fc.POSITIVE)
    stribeck_speed: float = fc.quantity(0.1, "m/s", fc.POSITIVE)
    until: float = fc.quantity(6.0, "s", fc.POSITIVE)
    step: float = fc.quantity(1.25e-3, "s", fc.POSITIVE, numerical=True)
    braking = fc.derived(
        "acceleration in fast sliding in m/s^2", lambda p: -p.mu * p.normal_force / p.mass
    )

    @property
    def half_period(self) -> float:
        """Half a period in s of the swing on the stuck contact."""
        decay = 0.5 * self.damping / self.mass
        return pi / sqrt(self.stiffness / self.mass - decay**2)


ODE = fc.References("""
    braking | acceleration in fast sliding | p.braking | m/s^2 | 1e-4 | -mu N/m | closed_form
    early   | v(0.5 s)                     | 2.294643  | m/s   | 2e-6
    later   | v(1 s)                       | 0.627977  | m/s   | 2e-6
    *       | Keppler 2007, example 4.7 | source_notes
""")
STOP = fc.References("""
    time  | first stop              |  | s | 1e-5
    last  | x(6 s)                  |  | m | 2e-6
    position | position of the first stop |  | m | 2e-6
    *     | Keppler 2007, example 4.7 | source_notes; varied=stribeck_speed
""")
METHOD = fc.References("""
    position | largest difference of the position | <=            | m |          |  | cross_method
    stop  | first stop                      |               | s |          |  | cross_method
    swing | half period of the swing        | p.half_period | s | 2e-4 rel
    bent  | elastic slip at 0.8 s           |               | m
    audit | energy not accounted for        | <=            |   |          | energy audit
    *     | one-dimensional law
""")
ORDER = fc.References("""
    order | order of the difference | >= 1.0 |  | 0.2 | Euler's method | trend
""")


def system(p: SlidingBlock) -> fc.System:
    """Block on a plane, pressed through a given penetration."""
    block = fc.RigidBody("block", p.mass, ("ux",))
    mu = fc.Stribeck(p.mu, p.mu_static, p.stribeck_speed, 2.0)
    contact = fc.ContactPair(
        block,
        fc.Surface(np.array([[0.0, 0.0, -1e-6 * p.normal_force]]), np.ones(1)),
        fc.RigidFace(None, fc.Plane()),
        fc.PenaltyNormal(1e6),
        fc.dupont(mu, p.stiffness, p.damping, onset=ONSET),
        "foot",
    )
    return fc.System([block], [contact])


def moved(p: SlidingBlock, method: str, **options: float) -> fc.Result:
    """Motion from unbent bristles."""
    whole = system(p)
    start = whole.state(v={"block.ux": p.speed})
    return fc.simulate(whole, p.until, start, method, output=0.01, **options)


def rate(t: float, y: fc.Floats, p: SlidingBlock) -> fc.Floats:
    """Rate of (x, v, z) by Dupont's law in one dimension (Keppler 4.37, 4.38)."""
    _, v, z = y
    fall = (p.mu_static - p.mu) * np.exp(-((v / p.stribeck_speed) ** 2))
    limit = (p.mu + fall) * p.normal_force
    d = p.stiffness * abs(z) / limit
    beta = 0.0
    if z * v >= 0.0 and d > ONSET:
        bent = min(d, 1.0)
        beta = (bent - ONSET) ** 2 * (3.0 - ONSET - 2.0 * bent) / (1.0 - ONSET) ** 3
    bent = v - beta * abs(v) * p.stiffness * z / limit
    return np.array([v, -(p.stiffness * z + p.damping * bent) / p.mass, bent])


def reference(p: SlidingBlock) -> tuple[fc.Floats, fc.Floats, fc.Floats]:
    """Times, motion (k, 3), and the times at which the block turns."""
    times = np.linspace(0.0, p.until, round(100 * p.until) + 1)

    def turns(t: float, y: fc.Floats, p: SlidingBlock) -> float:
        return float(y[1])

    options = {"args": (p,), "events": turns, "rtol": 1e-9, "atol": 1e-11}
    found = solve_ivp(rate, (0.0, p.until), (0.0, p.speed, 0.0), "LSODA", times, **options)
    return times, found.y.T, found.t_events[0]


def zeros(t: fc.Floats, v: fc.Floats) -> fc.Floats:
    """Times of the zeros of v, linear between outputs."""
    k = np.flatnonzero(v[:-1] * v[1:] < 0.0)
    return np.asarray(t[k] + v[k] / (v[k] - v[k + 1]) * (t[k + 1] - t[k]))


def pictures(
    run: fc.Run[SlidingBlock], motions: dict[str, fc.Result], t: fc.Floats, exact: fc.Floats
) -> None:
    """Speed, position and elastic slip; energies."""
    panels, dots = {}, {}
    for label, k, values in (
        ("speed / (m/s)", 1, lambda m: m.v[:, 0]),
        ("position / m", 0, lambda m: m.q[:, 0]),
        ("elastic slip / m", 2, lambda m: m.z[:, 0]),
    ):
        panels[label] = {name: (m.t, values(m)) for name, m in motions.items()}
        dots[label] = {"one-dimensional law": (t[::20], exact[::20, k])}
    run.figure("motion", fc.view.history_panels(panels, dots))
    motion = motions["implicit"]
    run.figure("energy", fc.view.energy_plot(motion.t, motion.energies))


def main(run: fc.Run[SlidingBlock]) -> None:
    """Reference against the source notes, then the system by three methods."""
    p, law = run.parameters, "one-dimensional law"
    t, y, _ = reference(p)
    slides = (t > 0.3) & (t < 0.9)
    computed = {
        "braking": np.polyfit(t[slides], y[slides, 1], 1)[0],
        "early": y[50, 1],
        "later": y[100, 1],
    }
    run.compare(ODE, computed, method=law)
    for slow, (when, position, last) in STOPS.items():
        t, y, stops = reference(replace(p, stribeck_speed=slow))
        stopped = CubicHermiteSpline(t, y[:, 0], y[:, 1])(stops[0])
        pairs = {
            "time": (stops[0], when),
            "last": (y[-1, 0], last),
            "position": (stopped, position),
        }
        run.compare(STOP, pairs, basis=f"v_S = {slow:g} m/s", method=law)
    methods(run)


def methods(run: fc.Run[SlidingBlock]) -> None:
    """The system by three methods against the one-dimensional law."""
    p = replace(run.parameters, until=1.8) if run.quick else run.parameters
    t, exact, turns = reference(p)
    motions, errors, given = {}, {}, 0.5 * p.mass * p.speed**2
    steps = p.step * np.array([8.0, 4.0] if run.quick else [4.0, 2.0, 1.0])
    for method in ("ode", "implicit", "explicit"):
        fine = [{"rtol": 1e-6}] if method == "ode" else [{"step": h} for h in steps.tolist()]
        tries = [moved(p, method, **options) for options in fine]
        motions[method] = motion = tries[-1]
        off = np.array([np.abs(m.q[:, 0] - exact[:, 0]).max() for m in tries])
        late = 0.0 if method == "ode" else steps[-1]
        stops, bent, lines = zeros(motion.t, motion.v[:, 0]), motion.z[80, 0], motion.energies
        left = (np.abs(lines["numerical"]) + np.abs(lines["residual"])).max()
        computed = {
            "position": (off[-1], 1e-4 if method == "ode" else 0.5 * p.speed * late),
            "stop": (stops[0], turns[0]),
            "swing": np.diff(stops).mean(),
            "bent": (bent, p.mu * p.normal_force / p.stiffness),
            "audit": (left / given, 1e-6 if method == "ode" else 1e-3),
        }
        about = {"stop": 1e-4 + late, "bent": 1e-4 * bent}
        run.compare(METHOD, computed, tolerances=about, method=method)
        if method != "ode":
            errors[method] = off
            order = np.log2(off[0] / off[-1]) / (len(off) - 1)
            run.compare(ORDER, {"order": order}, method=method)
    pictures(run, motions, t, exact)
    axes = "step / s", "difference from the one-dimensional law / m"
    run.figure("convergence", fc.view.convergence_plot(steps, errors, 1.0, *axes))


CASE = fc.Case(__doc__, ("Keppler T21",), SlidingBlock(), main, quick_s=12, system=system)

if __name__ == "__main__":
    CASE.main(__file__)
