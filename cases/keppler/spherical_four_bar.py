"""Spherical four-bar linkage: a mechanism with redundant joints (Keppler, section 3.4).

Three bars and four hinges whose axes meet in one point. Twenty joint rows bind eighteen velocities,
yet one motion is left: three rows follow from the others. The source counts 38 rows of rank 35 on
the 36 natural coordinates of the same linkage; that form, with its truncated decomposition (3.41),
is integrated beside ours as an independent reference.
"""

from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp

import fecontact as fc

AXES = np.deg2rad([[0.0, 0.0], [30.0, 0.0], [60.0, 40.0], [60.0, 90.0]])
"""Polar angle and azimuth of the four hinge axes."""
SOURCE_NOTES = {0.25: -0.514800, 0.5: -0.076050, 0.75: 0.503011, 1.0: -0.105853}
"""Crank angle in rad over time in s."""
ALPHA, TWICE = "generalised alpha, step 2 ms", "its rows add nothing"
SOURCE = "Keppler 2007, four-bar of section 3, recomputed"


@dataclass(frozen=True)
class FourBar(fc.Parameters):
    """Source notes on Keppler 2007; the source prints no numbers."""

    radius: float = fc.quantity(1.0, "m", fc.POSITIVE)
    mass: float = fc.quantity(1.0, "kg", fc.POSITIVE)
    inertia: float = fc.quantity(0.04, "kg m^2", fc.POSITIVE)
    gravity: float = fc.quantity(9.81, "m/s^2", fc.POSITIVE)
    rtol: float = fc.quantity(1e-9, "", fc.POSITIVE, numerical=True)


COUNTS = fc.References("""
    natural    | natural coordinates | 36
    rows       | rows on them | 38
    rank       | their rank | 35
    velocities | velocities | 18 |  |  | Keppler 2007, section 3.4, less 18 rows of rigid bodies
    own_rows   | rows on them | 20 |  |  | Keppler 2007, section 3.4, less 18 rows of rigid bodies
    own_rank   | their rank | 17 |  |  | Keppler 2007, section 3.4, less 18 rows of rigid bodies
    mobility   | mobility | 1
    *          | Keppler 2007, section 3.4 | published; formula
""")
NOTES = fc.References(
    {
        f"{t:g}": fc.Reference(f"crank angle at {t:g} s", angle, "rad", 1e-6, full=t > 0.5)
        for t, angle in SOURCE_NOTES.items()
    },
    start=fc.Reference("crank acceleration at the start", -19.64949, "rad/s^2", 5e-6),
    energy=fc.Reference("energy error at the end", 0.0, "J", 4e-9),
    source=SOURCE,
    kind="source_notes",
)
BESIDE = fc.References(
    start=fc.Reference("crank acceleration at the start", unit="rad/s^2", tolerance=1e-10),
    angle=fc.Reference("largest difference of the crank angle", 0.0, "rad", 1e-7),
    alpha=fc.Reference("largest difference of the crank angle to 0.25 s", 0.0, "rad", 1e-5, ALPHA),
    source="natural coordinates",
    kind="cross_method",
)
ROWS = fc.References(
    gap=fc.Reference("largest gap of all 20 rows", 0.0, "m", 1e-10),
    rate=fc.Reference("largest rate of all 20 rows", 0.0, "m/s", 1e-10),
    rank=fc.Reference("rank with a hinge put in twice", 17, source=TWICE),
    twice=fc.Reference(
        "change of the crank angle by a hinge put in twice", 0.0, "rad", 1e-8, TWICE
    ),
    source="constraints",
)


def hinge_points(p: FourBar) -> fc.Floats:
    """Positions (4, 3) of the hinges on the sphere; their directions are the axes."""
    polar, azimuth = AXES.T
    axes = [np.sin(polar) * np.cos(azimuth), np.sin(polar) * np.sin(azimuth), np.cos(polar)]
    return p.radius * np.array(axes).T


def linkage(p: FourBar, doubled: bool = False) -> fc.System:
    """Bars between hinges 1-2, 2-3 and 3-4; `doubled` puts the second hinge in twice."""
    points = hinge_points(p)
    centres = 0.5 * (points[:-1] + points[1:])
    bars = [
        fc.RigidBody(f"bar {k}", p.mass, fc.DOFS, (p.inertia,) * 3, position=tuple(centre))
        for k, centre in enumerate(centres, start=1)
    ]
    ends = [None, *bars, None]
    positions = [*(points[:-1] - centres), points[-1]]
    hinges, names = [], ("hinge 1", "hinge 2", "hinge 3", "hinge 4", "hinge 2 again")
    for k, name in list(zip((0, 1, 2, 3, 1), names, strict=True))[: 5 if doubled else 4]:
        about = {"point_b": tuple(positions[k]), "axis": tuple(points[k]), "name": name}
        hinges.append(fc.Revolute(ends[k], ends[k + 1], **about))
    return fc.System(bars, [*hinges, fc.Gravity(bars, (0.0, -p.gravity, 0.0))])


def natural_linkage(p: FourBar) -> fc.reference.NaturalSystem:
    """The same linkage in natural coordinates."""
    points = hinge_points(p)
    centres = 0.5 * (points[:-1] + points[1:])
    second = 0.5 * p.inertia * np.eye(3)  # tr(J)/2 I - J of a body with J = inertia I
    system = fc.reference.NaturalSystem(
        [fc.reference.NaturalBody(p.mass, second, centre) for centre in centres]
    )
    bodies, origins = [None, 0, 1, 2, None], [np.zeros(3), *centres, np.zeros(3)]
    for k, point in enumerate(points):
        positions = point - origins[k], point - origins[k + 1]
        system.join(system.hinge(bodies[k], bodies[k + 1], positions, point / p.radius))
    return system


def crank(motion: fc.Result) -> fc.Floats:
    """Angle of the crank: of the first hinge."""
    return motion.along(motion.system.constraints[0].angle)


def natural_motion(p: FourBar, times: fc.Floats) -> tuple[fc.Floats, float]:
    """Crank angle in natural coordinates, and the crank's first acceleration."""
    system, n = natural_linkage(p), 36
    weight = np.tile([0.0, -p.mass * p.gravity, 0.0], 3) @ np.vstack(
        [system.point(k, (0.0, 0.0, 0.0)).matrix for k in range(3)]
    )
    q, still = system.reference(), np.zeros(n)

    def rate(t: float, y: fc.Floats) -> fc.Floats:
        return np.concatenate([y[n:], system.accelerations(y[:n], y[n:], weight)])

    span, start = (0.0, times[-1]), np.append(q, still)
    answer = solve_ivp(rate, span, start, "DOP853", times, rtol=1e-9, atol=1e-9)
    x, y = answer.y[:2]  # axis e_x of the crank
    return np.arctan2(y, x), float(system.accelerations(q, still, weight)[1])


def outlines(motion: fc.Result, p: FourBar) -> fc.Floats:
    """Polygons (k, 6, 3) through the centre and the four hinges."""
    points = hinge_points(p)
    first, _, third = motion.system.bodies
    moving = [
        motion.path(body, tuple(point - body.position))
        for body, point in ((first, points[1]), (third, points[2]))
    ]
    fixed = [
        np.tile(position, (len(motion), 1)) for position in (np.zeros(3), points[0], points[3])
    ]
    return np.stack([fixed[0], fixed[1], *moving, fixed[2], fixed[0]], axis=1)


def pictures(run: fc.Run[FourBar], motion: fc.Result) -> None:
    """Crank angle with the values of the source notes, and the moving linkage."""
    t, label = motion.t, "crank angle / rad"
    given = {k: v for k, v in SOURCE_NOTES.items() if k <= t[-1]}
    figure = fc.view.history_panels(
        {label: {"crank": (t, crank(motion))}},
        {label: {"crank": (np.array(list(given)), np.array(list(given.values())))}},
    )
    run.figure("crank_angle", figure)
    every = outlines(motion, run.parameters)
    half = slice(0, int(np.argmin(crank(motion))) + 1)
    shown = np.linspace(0, half.stop - 1, 5).astype(int)
    paths = [every[half, 2], every[half, 3]]
    panel = {"first swing, from light to dark": (list(every[shown]), paths)}
    figure = fc.view.mechanism_panels(panel, elevation=35.0, azimuth=-35.0)
    run.figure("linkage", figure)


def main(run: fc.Run[FourBar]) -> None:
    """Count rows, integrate by three methods, double a hinge, draw."""
    p, until = run.parameters, 0.5 if run.quick else 1.0
    counts(run)
    system, tight = linkage(p), {"rtol": p.rtol, "atol": p.rtol, "output": 0.01}
    motion = fc.simulate(system, until, system.rest(), "projected", **tight)
    alpha = fc.simulate(system, 0.25, motion.state(0), "implicit", step=2e-3, output=0.01)
    run.audit(alpha, method=ALPHA)
    t, angle, energy = motion.t, crank(motion), motion.energy()
    natural, acceleration = natural_motion(p, t)
    start = motion.a[0, system.coordinates.index("bar 1.rz")]
    known = {f"{s:g}": angle[np.argmin(abs(t - s))] for s in SOURCE_NOTES if s <= t[-1]}
    run.compare(NOTES, known | {"start": start, "energy": energy[-1] - energy[0]})
    computed = {
        "start": (start, acceleration),
        "angle": abs(angle - natural).max(),
        "alpha": abs(crank(alpha) - angle[: len(alpha)]).max(),
    }
    run.compare(BESIDE, computed)
    rows, doubled = [system.constraint(motion.state(i)) for i in range(len(t))], linkage(p, True)
    again = fc.simulate(doubled, 0.25, doubled.rest(), "projected", **tight)
    computed = {
        "gap": max(np.abs(row.value).max() for row in rows),
        "rate": max(np.abs(row.rate).max() for row in rows),
        "rank": doubled.redundancy().rank,
        "twice": abs(crank(again) - angle[: len(again)]).max(),
    }
    run.compare(ROWS, computed)
    pictures(run, motion)


def counts(run: fc.Run[FourBar]) -> None:
    """Rows, rank and mobility, in our coordinates and in those of the source."""
    system, natural = linkage(run.parameters), natural_linkage(run.parameters)
    found, G = system.redundancy(), natural.jacobian(natural.reference())
    values = np.linalg.svd(G, compute_uv=False)
    computed = {
        "natural": G.shape[1],
        "rows": G.shape[0],
        "rank": np.sum(values > 1e-8 * values[0]),
        "velocities": system.size,
        "own_rows": len(system.rows),
        "own_rank": found.rank,
        "mobility": found.mobility,
    }
    run.compare(COUNTS, computed)
    run.note(
        f"Redundant rows: {', '.join(found.redundant)}. Smallest singular values of the rows on "
        f"natural coordinates: {values[-2]:.4f}, {values[-1]:.1e}."
    )


CASE = fc.Case(__doc__, ("Keppler T15",), FourBar(), main, quick_s=3)

if __name__ == "__main__":
    CASE.main(__file__)
