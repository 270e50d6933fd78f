"""Spherical four-bar linkage: a mechanism with redundant joints (Keppler, section 3.4).

Three bars and four hinges whose axes meet in one point. Twenty joint rows bind eighteen velocities,
yet one motion is left: three rows follow from the others. The source counts 38 rows of rank 35 on
the 36 natural coordinates of the same linkage; that form, with its truncated decomposition (3.41),
is integrated beside ours as an independent reference.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp

import fecontact as fc

AXES = np.deg2rad([[0.0, 0.0], [30.0, 0.0], [60.0, 40.0], [60.0, 90.0]])
"""Polar angle and azimuth of the four hinge axes."""
DIGEST = {0.25: -0.514800, 0.5: -0.076050, 0.75: 0.503011, 1.0: -0.105853}
"""Crank angle in rad over time in s."""
SOURCE = "Keppler 2007, four-bar of section 3, recomputed"


@dataclass(frozen=True)
class FourBar(fc.Parameters):
    """Source notes on Keppler 2007; the source prints no numbers."""

    radius: float = fc.quantity(1.0, "m", fc.POSITIVE)
    mass: float = fc.quantity(1.0, "kg", fc.POSITIVE)
    inertia: float = fc.quantity(0.04, "kg m^2", fc.POSITIVE)
    gravity: float = fc.quantity(9.81, "m/s^2", fc.POSITIVE)
    rtol: float = fc.quantity(1e-9, "", fc.POSITIVE, numerical=True)


def hinge_points(p: FourBar) -> fc.Floats:
    """Places (4, 3) of the hinges on the sphere; their directions are the axes."""
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
    places = [*(points[:-1] - centres), points[-1]]
    hinges = [
        fc.Revolute(
            ends[k],
            ends[k + 1],
            point_b=tuple(places[k]),
            axis=tuple(points[k]),
            name=f"hinge {k + 1}",
        )
        for k in range(4)
    ]
    if doubled:
        again = {"axis": tuple(points[1]), "name": "hinge 2 again"}
        hinges.append(fc.Revolute(bars[0], bars[1], point_b=tuple(places[1]), **again))
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
        places = point - origins[k], point - origins[k + 1]
        system.join(system.hinge(bodies[k], bodies[k + 1], places, point / p.radius))
    return system


def main(run: fc.Run[FourBar]) -> None:
    """Count rows, integrate by three methods, double a hinge, draw."""
    p = run.parameters
    counts(run)
    until = 0.5 if run.quick else 1.0
    motion = fc.simulate(
        linkage(p), until, linkage(p).rest(), "projected", rtol=p.rtol, atol=p.rtol, output=0.01
    )
    compare_motion(run, motion)
    conservation(run, motion)
    doubled_hinge(run, motion)
    pictures(run, motion)


def counts(run: fc.Run[FourBar]) -> None:
    """Rows, rank and mobility, in our coordinates and in those of the source."""
    p = run.parameters
    system, natural = linkage(p), natural_linkage(p)
    found = system.redundancy()
    G = natural.jacobian(natural.reference())
    values = np.linalg.svd(G, compute_uv=False)
    rank = int(np.sum(values > 1e-8 * values[0]))
    rows = (
        ("natural coordinates", G.shape[1], 36, "Keppler 3.4"),
        ("rows on them", G.shape[0], 38, "Keppler 3.4"),
        ("their rank", rank, 35, "Keppler 3.4"),
        ("velocities", system.size, 18, "Keppler 3.4, less 18 rows of rigid bodies"),
        ("rows on them", len(system.rows), 20, "Keppler 3.4, less 18 rows of rigid bodies"),
        ("their rank", found.rank, 17, "Keppler 3.4, less 18 rows of rigid bodies"),
        ("mobility", found.mobility, 1, "Keppler 3.4"),
    )
    for name, computed, reference, source in rows:
        run.check(name, computed, reference, kind="published", source=source, formula=True)
    run.note(
        f"Redundant rows: {', '.join(found.redundant)}. Smallest singular values of the rows on "
        f"natural coordinates: {values[-2]:.4f}, {values[-1]:.1e}."
    )


def crank(motion: fc.Trajectory) -> fc.Floats:
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

    answer = solve_ivp(
        rate, (0.0, times[-1]), np.append(q, still), "DOP853", times, rtol=1e-9, atol=1e-9
    )
    x, y = answer.y[:2]  # axis e_x of the crank
    return np.arctan2(y, x), float(system.accelerations(q, still, weight)[1])


def compare_motion(run: fc.Run[FourBar], motion: fc.Trajectory) -> None:
    """Acceleration and angle of the crank."""
    p, angle = run.parameters, crank(motion)
    reference, acceleration = natural_motion(p, motion.t)
    start = motion.a[0, motion.system.coordinates.index("bar 1.rz")]
    run.check("crank acceleration at the start", start, -19.64949, unit="rad/s^2", tolerance=5e-6,
              kind="digest", source=SOURCE)  # fmt: skip
    run.check("crank acceleration at the start", start, acceleration, unit="rad/s^2",
              tolerance=1e-10, kind="cross_method", source="natural coordinates",
              formula=True)  # fmt: skip
    for t, value in DIGEST.items():
        if t <= motion.t[-1]:
            computed = angle[np.argmin(abs(motion.t - t))]
            run.check(f"crank angle at {t:g} s", computed, value, unit="rad", tolerance=1e-6,
                      kind="digest", source=SOURCE)  # fmt: skip
    run.check("largest difference of the crank angle", float(abs(angle - reference).max()), 0.0,
              unit="rad", tolerance=1e-7, kind="cross_method", source="natural coordinates",
              formula=True)  # fmt: skip
    implicit = fc.simulate(motion.system, 0.25, motion.state(0), "implicit", step=2e-3, output=0.01)
    run.audit(implicit, method="generalised alpha, step 2 ms")
    gap = abs(crank(implicit) - angle[: len(implicit)]).max()
    run.check("largest difference of the crank angle to 0.25 s", float(gap), 0.0, unit="rad",
              tolerance=1e-5, kind="cross_method", source="generalised alpha, step 2 ms",
              formula=True)  # fmt: skip


def conservation(run: fc.Run[FourBar], motion: fc.Trajectory) -> None:
    """Energy and constraints."""
    energy = motion.energy()
    rows = [motion.system.constraint(motion.state(i)) for i in range(len(motion))]
    run.check("energy error at the end", float(energy[-1] - energy[0]), 0.0, unit="J",
              tolerance=4e-9, kind="digest", source=SOURCE)  # fmt: skip
    for name, unit, values in (
        ("largest gap of all 20 rows", "m", [r.value for r in rows]),
        ("largest rate of all 20 rows", "m/s", [r.rate for r in rows]),
    ):
        run.check(name, float(np.abs(values).max()), 0.0, unit=unit, tolerance=1e-10,
                  kind="closed_form", source="constraints", formula=True)  # fmt: skip


def doubled_hinge(run: fc.Run[FourBar], motion: fc.Trajectory) -> None:
    """Five more redundant rows must not change the motion."""
    p = run.parameters
    system = linkage(p, doubled=True)
    found = system.redundancy()
    run.check("rank with a hinge put in twice", found.rank, 17, kind="closed_form",
              source="its rows add nothing", formula=True)  # fmt: skip
    again = fc.simulate(
        system, 0.25, system.rest(), "projected", rtol=p.rtol, atol=p.rtol, output=0.01
    )
    gap = abs(crank(again) - crank(motion)[: len(again)]).max()
    run.check("change of the crank angle by a hinge put in twice", float(gap), 0.0, unit="rad",
              tolerance=1e-8, kind="closed_form", source="its rows add nothing",
              formula=True)  # fmt: skip


def outlines(motion: fc.Trajectory, p: FourBar) -> fc.Floats:
    """Polygons (k, 6, 3) through the centre and the four hinges."""
    points = hinge_points(p)
    first, _, third = motion.system.bodies
    moving = [
        motion.path(body, tuple(point - body.position))
        for body, point in ((first, points[1]), (third, points[2]))
    ]
    fixed = [np.tile(place, (len(motion), 1)) for place in (np.zeros(3), points[0], points[3])]
    return np.stack([fixed[0], fixed[1], *moving, fixed[2], fixed[0]], axis=1)


def pictures(run: fc.Run[FourBar], motion: fc.Trajectory) -> None:
    """Crank angle with the values of the source notes, and the moving linkage."""
    t, label = motion.t, "crank angle / rad"
    given = {k: v for k, v in DIGEST.items() if k <= t[-1]}
    figure = fc.view.history_panels(
        {label: {"crank": (t, crank(motion))}},
        {label: {"crank": (np.array(list(given)), np.array(list(given.values())))}},
    )
    run.figure("crank_angle", figure)
    every = outlines(motion, run.parameters)
    half = slice(0, int(np.argmin(crank(motion))) + 1)
    shown = np.linspace(0, half.stop - 1, 5).astype(int)
    figure = fc.view.mechanism_panels(
        {"first swing, from light to dark": (list(every[shown]), [every[half, 2], every[half, 3]])},
        elevation=35.0, azimuth=-35.0,
    )  # fmt: skip
    run.figure("linkage", figure)


CASE = fc.Case(
    title="spherical four-bar: redundant hinges, one motion left",
    verifies=("Keppler T15",),
    parameters=FourBar(),
    run=main,
    quick_s=3,
)

if __name__ == "__main__":
    CASE.main(__file__)
