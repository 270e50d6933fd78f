"""Cube on a spring-damper: a free rigid body on one force element (Keppler, example 3.7).

A corner of a cube is tied to a point in space by a spring of no free length. The source integrates
the 12 natural coordinates of the cube and loses the right angles of its axes by about 1e-3; here
unit quaternions keep them. The source prints the second moment of the cube too small by a factor of
two (digest E-40): both values are run. The natural coordinates run beside ours as a reference.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from math import sqrt

import numpy as np
from scipy.integrate import solve_ivp

from fecontact.analysis import complex_modes, linearise, steady_state
from fecontact.body import DOFS, RigidBody
from fecontact.case import Case, Parameters, Run, main, quantity
from fecontact.errors import POSITIVE
from fecontact.integrate import Trajectory, simulate
from fecontact.joint import Bushing, Gravity, Planar
from fecontact.reference.natural import NaturalBody, NaturalSystem
from fecontact.system import State, System
from fecontact.typing import Floats
from fecontact.view import motion as views
from fecontact.view import plots

TIMES = np.array([0.25, 0.5, 1.0, 2.0])
DIGEST = {
    "second moment m a^2/3": (
        (0.02322, -0.22602), (0.12689, -0.47646), (0.12295, -0.31516), (0.12670, -0.35416)),
    "printed, m a^2/6": (
        (0.02825, -0.23083), (0.12808, -0.47839), (0.11940, -0.31452), (0.12558, -0.35391)),
}  # fmt: skip
"""Centre of mass (x = y, z) in m at these times."""
DRIFT = {1e-3: 8.9e-2, 1e-6: 3.6e-5}
"""Relative tolerance of RK45 -> largest defect of the axes in natural coordinates over 10 s."""
SOURCE = "digest Keppler T13"


@dataclass(frozen=True)
class Cube(Parameters):
    """Keppler, example 3.7."""

    mass: float = quantity(1.0, "kg", POSITIVE)
    half_edge: float = quantity(0.1, "m", POSITIVE)
    stiffness: float = quantity(35.0, "N/m", POSITIVE)
    damping: float = quantity(3.5, "N s/m", POSITIVE)
    gravity: float = quantity(9.81, "m/s^2", POSITIVE)
    second_moment: float = quantity(1.0 / 3.0, "m a^2", POSITIVE)

    @property
    def corner(self) -> tuple[float, float, float]:
        """The tied corner."""
        return (self.half_edge,) * 3

    @property
    def moment(self) -> float:
        """Second moment about the centre of mass in kg m^2; the inertia is twice as large."""
        return self.second_moment * self.mass * self.half_edge**2


def cube_system(p: Cube, planar: bool = False) -> System:
    """Cube at rest at the origin, its corner where the spring is unstressed.

    By symmetry the motion stays in the plane x = y; `planar` holds the cube there and so removes
    the rotation about the plumb line, against which nothing acts.
    """
    cube = RigidBody("cube", p.mass, DOFS, (2.0 * p.moment,) * 3, points={"corner": p.corner})
    spring = Bushing(
        None, cube, (p.stiffness,) * 3 + (0.0,) * 3, (p.damping,) * 3 + (0.0,) * 3, "corner",
        name="spring",
    )  # fmt: skip
    guide = [Planar(None, cube, axis=(1.0, -1.0, 0.0), name="guide")] if planar else []
    return System([cube], [spring, Gravity([cube], (0.0, 0.0, -p.gravity)), *guide])


def natural_motion(
    p: Cube, times: Floats, rtol: float, method: str = "RK45"
) -> tuple[Floats, float]:
    """Centre of mass (k, 3) in natural coordinates, and the largest defect of the axes."""
    body = NaturalBody(p.mass, p.moment * np.eye(3), np.zeros(3))
    system = NaturalSystem([body])
    corner = system.point(0, p.corner).matrix
    weight = system.point(0, (0.0, 0.0, 0.0)).matrix.T @ [0.0, 0.0, -p.mass * p.gravity]

    def rate(t: float, y: Floats) -> Floats:
        q, v = np.split(y, 2)
        spring = -p.stiffness * (corner @ q - p.corner) - p.damping * (corner @ v)
        return np.append(v, system.accelerations(q, v, corner.T @ spring + weight))

    start = np.append(system.reference(), np.zeros(12))
    answer = solve_ivp(
        rate, (0.0, times[-1]), start, method, dense_output=True, rtol=rtol, atol=1e-3 * rtol
    )
    defect = max(float(np.abs(system.residual(y[:12])).max()) for y in answer.y.T)
    return answer.sol(times)[9:12].T, defect


def run(run: Run[Cube]) -> None:
    """Trajectory for both second moments, rest state and its modes, drift, pictures."""
    p = run.parameters
    until = 2.0 if run.quick else 10.0
    motions = {}
    for (label, places), moment in zip(DIGEST.items(), (1.0 / 3.0, 1.0 / 6.0), strict=True):
        own = p if label.startswith("second") else replace(p, second_moment=moment)
        motions[label] = trajectory(run, own, label, places, until)
    rest_state(run)
    drift(run, 2.0 if run.quick else 10.0)
    pictures(run, motions)


def trajectory(
    run: Run[Cube], p: Cube, label: str, places: tuple[tuple[float, float], ...], until: float
) -> Trajectory:
    """Motion against the digest and against natural coordinates."""
    system = cube_system(p)
    output = np.arange(0.0, until + 1e-9, 0.01)
    motion = simulate(
        system, until, system.rest(), "projected", rtol=1e-9, atol=1e-11, output=output
    )
    centre = motion.coordinates("cube")[:, :3]
    for t, (x, z) in zip(TIMES, places, strict=True):
        now = centre[np.argmin(abs(motion.t - t))]
        for name, computed, reference in (("x", now[0], x), ("z", now[2], z)):
            run.check(f"{name} of the centre at {t:g} s", computed, reference, unit="m",
                      tolerance=1e-5, kind="digest", source=SOURCE, basis=label,
                      varied=["second_moment"] if "printed" in label else [])  # fmt: skip
    run.check("distance from the plane x = y", float(abs(centre[:, 0] - centre[:, 1]).max()), 0.0,
              unit="m", tolerance=1e-9, kind="closed_form", source="symmetry", basis=label,
              formula=True)  # fmt: skip
    early = motion.t <= 1.0
    other, _ = natural_motion(p, motion.t[early], 1e-9, "DOP853")
    run.check("largest difference of the centre to 1 s", float(abs(centre[early] - other).max()),
              0.0, unit="m", tolerance=1e-7, kind="cross_method", source="natural coordinates",
              basis=label, formula=True)  # fmt: skip
    return motion


def rest_state(run: Run[Cube]) -> None:
    """Equilibrium below the spring, and the vertical mode about it."""
    p = run.parameters
    system = cube_system(p, planar=True)
    late = simulate(system, 2.0, system.rest(), rtol=1e-5, output=2.0)
    run.audit(late, method="implicit")
    state = steady_state(system, late.q[-1]).state
    corner = system.bodies[0].point_motion(state.q, state.v, "corner").position[0]
    hang = p.half_edge - p.mass * p.gravity / p.stiffness
    rows = (
        ("z of the corner at rest", corner[2], hang, "a - m g/c"),
        ("z of the centre at rest", state.q[2], hang - sqrt(3.0) * p.half_edge,
         "a - m g/c - sqrt(3) a"),
        ("x of the centre at rest", state.q[0], p.half_edge, "a"),
        ("y of the centre at rest", state.q[1], p.half_edge, "a"),
    )  # fmt: skip
    for name, computed, reference, source in rows:
        run.check(name, float(computed), reference, unit="m", tolerance=1e-9, kind="closed_form",
                  source=source, formula=True)  # fmt: skip
    run.check("load on the guide at rest", float(abs(state.lam).max()), 0.0, unit="N",
              tolerance=1e-9, kind="closed_form", source="symmetry", formula=True)  # fmt: skip
    vertical_mode(run, system, state)


def vertical_mode(run: Run[Cube], system: System, state: State) -> None:
    """Decay rate and frequency of the mode that moves along z only."""
    p = run.parameters
    modes = complex_modes(linearise(system, state))
    share = abs(modes.vectors[2]) ** 2 / np.sum(abs(modes.vectors[:6]) ** 2, axis=0)
    number = int(np.argmax(np.where(modes.frequency > 0.0, share, 0.0)))
    omega, zeta = sqrt(p.stiffness / p.mass), p.damping / (2.0 * sqrt(p.stiffness * p.mass))
    rows = (
        ("growth rate of the vertical mode", modes.growth[number], -zeta * omega,
         "1/s", "-d/(2 m)"),
        ("frequency of the vertical mode", modes.frequency[number],
         omega * sqrt(1.0 - zeta**2) / (2.0 * np.pi), "Hz", "sqrt(c/m - (d/2m)^2)/(2 pi)"),
    )  # fmt: skip
    for name, computed, reference, unit, source in rows:
        run.check(name, float(computed), reference, unit=unit, tolerance=1e-9, kind="closed_form",
                  source=source, formula=True)  # fmt: skip


def drift(run: Run[Cube], until: float) -> None:
    """How far the axes are from orthonormal: natural coordinates and quaternions."""
    p = run.parameters
    system = cube_system(p)
    for rtol, reference in DRIFT.items():
        _, defect = natural_motion(p, np.array([10.0]), rtol)
        run.check(f"defect of the axes, rtol {rtol:g}", defect, reference, kind="digest",
                  tolerance=0.01 * reference, source=SOURCE,
                  method="natural coordinates")  # fmt: skip
        motion = simulate(
            system, until, system.rest(), "projected", solver="RK45", rtol=rtol, atol=1e-3 * rtol
        )
        R = np.array([system.bodies[0].rotation(q) for q in motion.coordinates("cube")])
        worst = float(np.abs(np.swapaxes(R, 1, 2) @ R - np.eye(3)).max())
        run.check(f"defect of the axes, rtol {rtol:g}", worst, 0.0, tolerance=1e-14,
                  kind="closed_form", source="unit quaternions", method="quaternions",
                  formula=True)  # fmt: skip
    run.note("The source states a defect of about 1e-3, which lies between these tolerances.")


def pictures(run: Run[Cube], motions: dict[str, Trajectory]) -> None:
    """Centre over time with the values of the digest, and the falling cube."""
    panels: dict[str, dict[str, views.Curve]] = {}
    dots: dict[str, dict[str, views.Curve]] = {}
    for axis, column, place in (("x", 0, 0), ("z", 2, 1)):
        label = f"{axis} of the centre / m"
        panels[label] = {
            name: (motion.t, motion.coordinates("cube")[:, column])
            for name, motion in motions.items()
        }
        dots[label] = {
            name: (TIMES, np.array([row[place] for row in rows])) for name, rows in DIGEST.items()
        }
    plots.save(views.history_panels(panels, dots), run.path("centre.png"))
    motion = next(iter(motions.values()))
    edges = outline(run.parameters.half_edge)
    cube = motion.system.bodies[0]
    shown = [cube.point_motion(motion.q[i], motion.v[i], edges).position for i in range(0, 56, 11)]
    paths = [motion.coordinates("cube")[:56, :3]]
    figure = views.mechanism_panels({"the first 0.55 s, from light to dark": (shown, paths)})
    plots.save(figure, run.path("cube.png"))


def outline(a: float) -> Floats:
    """Corners of a cube of the edge 2 a in an order that draws all its edges in one line."""
    corners = np.array(list(product((-a, a), repeat=3)))
    return corners[[0, 1, 3, 2, 0, 4, 5, 1, 5, 7, 3, 7, 6, 2, 6, 4]]


CASE = Case(
    title="cube on a spring-damper: trajectory, rest state, right angles",
    proves=("Keppler T13",),
    parameters=Cube(),
    run=run,
    quick_s=4,
)

if __name__ == "__main__":
    raise SystemExit(main(CASE, __file__))
