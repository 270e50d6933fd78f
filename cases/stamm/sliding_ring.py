"""Ring that slides and spins on a plane: contact points against the continuous friction area.

A ring (r_1, r_2, m, J) starts with 1 m/s and 200 rad/s; a cross force changes its sign at 0.25 s.
It slides everywhere, so force and moment are integrals over the area,

    F = -mu p int s/|s| dA,      M = -mu p int r x s/|s| dA,      p = m g/A       (Stamm 6.1, 6.2)

and a planar motion of three equations (here: Gauss points in r, equal angles in phi). The body on
discrete contact points tends to it if the circles are refined too: points on a fixed number of
circles keep the error of the quadrature in r. Up to two circles are at the Gauss points of r^2,
more in the middle of equal areas; all points bear the same load. Bristles without damping follow
the turning slip at once.
"""

from dataclasses import dataclass
from math import pi, sqrt

import numpy as np

import fecontact as fc

SOURCE = "Stamm 2011, section 6.2.1"
TABLE = {
    0.05: (0.941674, 0.100513, 181.649, 0.048552, 0.002539, 9.54034),
    0.20: (0.747735, 0.355273, 128.839, 0.175679, 0.037738, 32.76852),
    0.32: (0.566597, 0.219040, 90.4893, 0.254691, 0.079321, 45.92038),
}
RMS = (
    (3, 983.0, 0.137, 0.02),
    (12, 104.8, 0.0079, 0.05),
    (24, 106.5, 0.0079, 0.05),
    (48, 106.5, 0.0079, 0.05),
)
"""Points -> rms distance in um and rad from the continuous area, relative tolerance."""
FIGURE = "Stamm 2011, figure 6.4: 12 points are enough"
NAMES = ("x'", "y'", "xi'", "x", "y", "xi")
UNITS = ("m/s", "m/s", "rad/s", "m", "m", "rad")


@dataclass(frozen=True)
class SlidingRing(fc.Parameters):
    """Data of the source; the bristles are stiff enough to be without influence."""

    outer: float = fc.quantity(10e-3, "m", fc.POSITIVE)
    inner: float = fc.quantity(6e-3, "m", fc.POSITIVE)
    height: float = fc.quantity(10e-3, "m", fc.POSITIVE)
    density: float = fc.quantity(12e3, "kg/m^3", fc.POSITIVE)
    mu: float = fc.quantity(0.35, "", fc.POSITIVE)
    gravity: float = fc.quantity(9.81, "m/s^2", fc.POSITIVE)
    force: float = fc.quantity(0.05, "N", fc.POSITIVE)
    change: float = fc.quantity(0.25, "s", fc.POSITIVE)
    until: float = fc.quantity(0.32, "s", fc.POSITIVE)
    speed: float = fc.quantity(1.0, "m/s", fc.POSITIVE)
    spin: float = fc.quantity(200.0, "rad/s", fc.POSITIVE)
    bristles: float = fc.quantity(2e5, "N/m", fc.POSITIVE, numerical=True)
    step: float = fc.quantity(1e-5, "s", fc.POSITIVE, numerical=True)
    mass = fc.derived("in kg", lambda p: p.density * pi * (p.outer**2 - p.inner**2) * p.height)
    inertia = fc.derived(
        "about the axis, in kg m^2", lambda p: 0.5 * p.mass * (p.outer**2 + p.inner**2)
    )
    times = fc.derived(
        "output times",
        lambda p: np.r_[np.linspace(0.0, p.change, 51), np.linspace(p.change, p.until, 15)[1:]],
    )


AREA = fc.References(
    {
        f"{name}({t:g} s)": fc.Reference(
            f"continuous area, {name}({t:g} s)", value, unit, 5e-6 * max(abs(value), 0.5)
        )
        for t, row in TABLE.items()
        for name, unit, value in zip(NAMES, UNITS, row, strict=True)
    },
    source=SOURCE,
    kind="source_notes",
)
POINTS = fc.References("""
    way   | rms distance     |  | µm
    angle | rms of the angle |  | rad
    *     | Stamm 2011, section 6.2.1 | source_notes
""")
REFERENCES = fc.References(
    """
    circles | rms distance, 6 circles over 2 | <= 0.5 |  |  | quadrature in r | trend
    order   | its order in the step | >= 1.0 |  | 0.2 | turning slip: one | trend; method=explicit
    """,
    enough=fc.Reference(
        "rms distance, 12 points over 3", 0.2, relation="le", source=FIGURE, kind="published"
    ),
    audit=fc.Reference(
        "energy not accounted for, over the slip work", 1e-3, relation="le", method="explicit"
    ),
    source="energy audit",
)


def circles(p: SlidingRing, rings: int, segments: int) -> fc.Floats:
    """Points (rings segments, 3) of equal area, on circles at Gauss points of r^2."""
    x = (
        np.polynomial.legendre.leggauss(rings)[0]
        if rings <= 2
        else (2 * np.arange(rings) + 1) / rings - 1.0
    )
    r = np.sqrt(0.5 * (p.outer**2 + p.inner**2) + 0.5 * (p.outer**2 - p.inner**2) * x)
    phi = 2.0 * pi * np.arange(segments) / segments
    turned = [phi + pi * k / segments for k in range(rings)]
    return np.concatenate(
        [
            np.column_stack([a * np.cos(b), a * np.sin(b), 0.0 * b])
            for a, b in zip(r, turned, strict=True)
        ]
    )


def system(p: SlidingRing, points: fc.Floats, push: float) -> fc.System:
    """Ring on points that share its weight, with a constant cross force."""
    ring = fc.RigidBody("ring", p.mass, ("ux", "uy", "rz"), (p.inertia, p.inertia, p.inertia))
    depth = p.mass * p.gravity / len(points) / 4e6
    contact = fc.ContactPair(
        ring,
        fc.Surface(points - [0.0, 0.0, depth], np.ones(len(points))),
        fc.RigidFace(None, fc.Plane()),
        fc.PenaltyNormal(4e6),
        fc.ElastoPlastic(p.mu, p.bristles / len(points)),
        "face",
    )
    return fc.System([ring], [contact, fc.Force(ring, (0.0, push, 0.0), name="push")])


def moved(p: SlidingRing, points: fc.Floats, step: float | None) -> tuple[fc.Floats, float]:
    """States (k, 6) as in the table, and the energy not accounted for over the slip work."""
    first, second = (system(p, points, sign * p.force) for sign in (1.0, -1.0))
    start = first.sliding(first.state(v={"ring.ux": p.speed, "ring.rz": p.spin}))
    early, late = p.times[1:51], p.times[51:]
    a = fc.simulate(first, p.change, start, "explicit", early, step=step)
    b = fc.simulate(second, p.until, a.state(-1), "explicit", late, step=step)
    lost, slip = (
        sum(sum(abs(m.energies[name][-1]) for name in names) for m in (a, b))
        for names in (("numerical", "residual"), ("slip",))
    )
    states = [np.hstack([m.v, m.q]) for m in (a, b)]
    return np.vstack([states[0], states[1][1:]]), float(lost / slip)


def continuous(p: SlidingRing) -> fc.Floats:
    """States (k, 6) with the friction of the whole area; the cross force changes its sign."""
    about = (p.inner, p.outer), p.mass, p.inertia, p.mu * p.mass * p.gravity
    start = np.array([p.speed, 0.0, p.spin, 0.0, 0.0, 0.0])
    early = fc.reference.sliding_annulus(*about, start, p.force, p.times[:51])
    late = fc.reference.sliding_annulus(*about, early[-1], -p.force, p.times[50:])
    return np.vstack([early, late[1:]])


def distance(a: fc.Floats, b: fc.Floats) -> tuple[float, float]:
    """Root mean square distance in um and rad over the run."""
    way = np.sum((a[:, 3:5] - b[:, 3:5]) ** 2, axis=1)
    return 1e6 * sqrt(way.mean()), sqrt(np.mean((a[:, 5] - b[:, 5]) ** 2))


def main(run: fc.Run[SlidingRing]) -> None:
    """Continuous area against the source notes, points against the area, energy."""
    p, exact = run.parameters, continuous(run.parameters)
    rows = {t: exact[int(np.argmin(np.abs(p.times - t)))] for t in TABLE}
    found = [value for row in rows.values() for value in row]
    run.compare(AREA, dict(zip(AREA, found, strict=True)))
    choices = {3: (1, 3), 12: (2, 6), 24: (2, 12), 48: (2, 24), 144: (6, 24)}
    motions = {n: moved(p, circles(p, *each), p.step)[0] for n, each in choices.items()}
    errors = {n: distance(motion, exact) for n, motion in motions.items()}
    for n, way, angle, wide in RMS:
        pairs = {"way": (errors[n][0], way), "angle": (errors[n][1], angle)}
        about = {"way": wide * way, "angle": wide * angle}
        run.compare(POINTS, pairs, tolerances=about, label=f"{n} points")
    lost = [moved(p, circles(p, 2, 6), step)[1] for step in (None, 2 * p.step, p.step)]
    computed = {
        "enough": errors[12][0] / errors[3][0],
        "circles": errors[144][0] / errors[48][0],
        "audit": lost[0],
        "order": np.log2(lost[1] / lost[2]),
    }
    run.compare(REFERENCES, computed)
    t, shown = p.times, {f"{n} points": motions[n] for n in (3, 12, 144)}
    panels = {
        f"{name} / ({unit})": {label: (t, y[:, k]) for label, y in shown.items()}
        for k, (name, unit) in enumerate(zip(NAMES[:3], UNITS[:3], strict=True))
    }
    dots = {label: {"144 points": (t[::8], exact[::8, k])} for k, label in enumerate(panels)}
    run.figure("speeds", fc.view.history_panels(panels, dots))
    gaps = {
        label: (t[1:], 1e6 * np.linalg.norm(y[1:, 3:5] - exact[1:, 3:5], axis=1))
        for label, y in shown.items()
    }
    panels = {"distance from the continuous area / µm": gaps}
    run.figure("distance", fc.view.history_panels(panels, logarithmic=True))


CASE = fc.Case(__doc__, ("Stamm T6",), SlidingRing(), main, quick_s=8)

if __name__ == "__main__":
    CASE.main(__file__)
