"""Cube on a spring-damper: a free rigid body on one force element (Keppler, example 3.7).

A corner of a cube is tied to a point in space by a spring of no free length. The source integrates
the 12 natural coordinates of the cube and loses the right angles of its axes by about 1e-3; here
unit quaternions keep them. The source prints the second moment of the cube too small by a factor of
two (source notes, E-40): both values are run. The natural coordinates run beside ours as a
reference.
"""

from dataclasses import dataclass, replace
from itertools import product
from math import sqrt

import numpy as np
from scipy.integrate import solve_ivp

import fecontact as fc

TIMES = np.array([0.25, 0.5, 1.0, 2.0])
RIGHT, PRINTED = "second moment m a^2/3", "printed, m a^2/6"
SOURCE_NOTES = {
    RIGHT: ((0.02322, 0.12689, 0.12295, 0.12670), (-0.22602, -0.47646, -0.31516, -0.35416)),
    PRINTED: ((0.02825, 0.12808, 0.11940, 0.12558), (-0.23083, -0.47839, -0.31452, -0.35391)),
}
"""Centre of mass x = y and z in m at these times."""
DRIFT = {1e-3: 8.9e-2, 1e-6: 3.6e-5}
"""Relative tolerance of RK45 -> largest defect of the axes in natural coordinates over 10 s."""


@dataclass(frozen=True)
class Cube(fc.Parameters):
    """Keppler, example 3.7."""

    mass: float = fc.quantity(1.0, "kg", fc.POSITIVE)
    half_edge: float = fc.quantity(0.1, "m", fc.POSITIVE)
    stiffness: float = fc.quantity(35.0, "N/m", fc.POSITIVE)
    damping: float = fc.quantity(3.5, "N s/m", fc.POSITIVE)
    gravity: float = fc.quantity(9.81, "m/s^2", fc.POSITIVE)
    second_moment: float = fc.quantity(1.0 / 3.0, "m a^2", fc.POSITIVE)
    corner = fc.derived("tied corner", lambda p: (p.half_edge,) * 3)
    hang = fc.derived(
        "height a - m g/c in m of the corner at rest",
        lambda p: p.half_edge - p.mass * p.gravity / p.stiffness,
    )
    moment = fc.derived(
        "second moment about the centre of mass in kg m^2; the inertia is twice as large",
        lambda p: p.second_moment * p.mass * p.half_edge**2,
    )
    z = fc.derived("z of the centre at rest in m", lambda p: p.hang - sqrt(3.0) * p.half_edge)
    growth = fc.derived(
        "growth rate of the vertical mode in 1/s", lambda p: -p.damping / (2.0 * p.mass)
    )
    frequency = fc.derived(
        "frequency of the vertical mode in Hz",
        lambda p: sqrt(p.stiffness / p.mass - (p.damping / (2.0 * p.mass)) ** 2) / (2.0 * np.pi),
    )


CENTRE = fc.References(
    {
        f"{axis} {t:g}": fc.Reference(f"{axis} of the centre at {t:g} s", unit="m", tolerance=1e-5)
        for t in TIMES
        for axis in "xz"
    },
    source="Keppler 2007, example 3.7, recomputed",
    kind="source_notes",
)
BESIDE = fc.References("""
    plane   | distance from the plane x = y           | 0.0 | m | 1e-9
    natural | largest difference of the centre to 1 s | 0.0 | m | 1e-7
        | natural coordinates | cross_method
    *       | symmetry
""")
REST = fc.References("""
    corner    | z of the corner at rest          | p.hang      | m   | 1e-9 | a - m g/c
    z         | z of the centre at rest          | p.z         | m   | 1e-9
    x         | x of the centre at rest          | p.half_edge | m   | 1e-9 | a
    y         | y of the centre at rest          | p.half_edge | m   | 1e-9 | a
    guide     | load on the guide at rest        | 0.0         | N   | 1e-9 | symmetry
    growth    | growth rate of the vertical mode | p.growth    | 1/s | 1e-9
    frequency | frequency of the vertical mode   | p.frequency | Hz  | 1e-9
    *         | a - m g/c - sqrt(3) a; -d/(2 m); sqrt(c/m - (d/2m)^2)/(2 pi)
""")
AXES = fc.References("""
    natural     | defect of the axes |     |  | 0.01 rel |  | method=natural coordinates
    quaternions | defect of the axes | 0.0 |  | 1e-14
        | unit quaternions | closed_form; method=quaternions
    *           | Keppler 2007, example 3.7, recomputed | source_notes
""")


def cube_system(p: Cube, planar: bool = False) -> fc.System:
    """Cube at rest at the origin, its corner where the spring is unstressed.

    By symmetry the motion stays in the plane x = y; `planar` holds the cube there and so removes
    the rotation about the plumb line, against which nothing acts.
    """
    cube = fc.RigidBody("cube", p.mass, fc.DOFS, (2.0 * p.moment,) * 3, points={"corner": p.corner})
    stiffness, damping = ((size,) * 3 + (0.0,) * 3 for size in (p.stiffness, p.damping))
    spring = fc.Bushing(None, cube, stiffness, damping, "corner", name="spring")
    guide = [fc.Planar(None, cube, axis=(1.0, -1.0, 0.0), name="guide")] if planar else []
    return fc.System([cube], [spring, fc.Gravity([cube], (0.0, 0.0, -p.gravity)), *guide])


def natural_motion(
    p: Cube, times: fc.Floats, rtol: float, method: str = "RK45"
) -> tuple[fc.Floats, float]:
    """Centre of mass (k, 3) in natural coordinates, and the largest defect of the axes."""
    body = fc.reference.NaturalBody(p.mass, p.moment * np.eye(3), np.zeros(3))
    system = fc.reference.NaturalSystem([body])
    corner = system.point(0, p.corner).matrix
    weight = system.point(0, (0.0, 0.0, 0.0)).matrix.T @ [0.0, 0.0, -p.mass * p.gravity]

    def rate(t: float, y: fc.Floats) -> fc.Floats:
        q, v = np.split(y, 2)
        spring = -p.stiffness * (corner @ q - p.corner) - p.damping * (corner @ v)
        return np.append(v, system.accelerations(q, v, corner.T @ spring + weight))

    start = np.append(system.reference(), np.zeros(12))
    answer = solve_ivp(
        rate, (0.0, times[-1]), start, method, dense_output=True, rtol=rtol, atol=1e-3 * rtol
    )
    defect = max(float(np.abs(system.residual(y[:12])).max()) for y in answer.y.T)
    return answer.sol(times)[9:12].T, defect


def pictures(run: fc.Run[Cube], motions: dict[str, fc.Result]) -> None:
    """Centre over time with the values of the source notes, and the falling cube."""
    panels, dots = {}, {}
    for axis, column, row in (("x", 0, 0), ("z", 2, 1)):
        label = f"{axis} of the centre / m"
        panels[label] = {
            name: (motion.t, motion.coordinates("cube")[:, column])
            for name, motion in motions.items()
        }
        dots[label] = {name: (TIMES, np.array(known[row])) for name, known in SOURCE_NOTES.items()}
    run.figure("centre", fc.view.history_panels(panels, dots))
    motion = next(iter(motions.values()))
    edges = outline(run.parameters.half_edge)
    cube = motion.system.bodies[0]
    shown = [cube.point_motion(motion.q[i], motion.v[i], edges).position for i in range(0, 56, 11)]
    paths = [motion.coordinates("cube")[:56, :3]]
    figure = fc.view.mechanism_panels({"the first 0.55 s, from light to dark": (shown, paths)})
    run.figure("cube", figure)


def outline(a: float) -> fc.Floats:
    """Corners of a cube of the edge 2 a in an order that draws all its edges in one line."""
    corners = np.array(list(product((-a, a), repeat=3)))
    return corners[[0, 1, 3, 2, 0, 4, 5, 1, 5, 7, 3, 7, 6, 2, 6, 4]]


def main(run: fc.Run[Cube]) -> None:
    """Trajectory for both second moments, rest state and its modes, drift, pictures."""
    p, until = run.parameters, 2.0 if run.quick else 10.0
    motions = {}
    for label, moment in zip(SOURCE_NOTES, (p.second_moment, 1.0 / 6.0), strict=True):
        motions[label] = trajectory(run, replace(p, second_moment=moment), label, until)
    rest_state(run)
    system = cube_system(p)
    for rtol, known in DRIFT.items():
        options = {"solver": "RK45", "rtol": rtol, "atol": 1e-3 * rtol}
        motion = fc.simulate(system, until, system.rest(), "projected", **options)
        R = np.array([system.bodies[0].rotation(q) for q in motion.coordinates("cube")])
        computed = {
            "natural": (natural_motion(p, np.array([10.0]), rtol)[1], known),
            "quaternions": np.abs(np.swapaxes(R, 1, 2) @ R - np.eye(3)).max(),
        }
        run.compare(AXES, computed, label=f"rtol {rtol:g}")
    run.note("The source states a defect of about 1e-3, which lies between these tolerances.")
    pictures(run, motions)


def trajectory(run: fc.Run[Cube], p: Cube, label: str, until: float) -> fc.Result:
    """Motion against the source notes and against natural coordinates."""
    system, output = cube_system(p), np.arange(0.0, until + 1e-9, 0.01)
    tight = {"rtol": 1e-9, "atol": 1e-11, "output": output}
    motion = fc.simulate(system, until, system.rest(), "projected", **tight)
    centre, early = motion.coordinates("cube")[:, :3], motion.t <= 1.0
    computed = {}
    for t, x, z in zip(TIMES, *SOURCE_NOTES[label], strict=True):
        now = centre[np.argmin(abs(motion.t - t))]
        computed |= {f"x {t:g}": (now[0], x), f"z {t:g}": (now[2], z)}
    varied = ("second_moment",) if label == PRINTED else ()
    run.compare(CENTRE, computed, basis=label, varied=varied)
    other, _ = natural_motion(p, motion.t[early], 1e-9, "DOP853")
    computed = {
        "plane": abs(centre[:, 0] - centre[:, 1]).max(),
        "natural": abs(centre[early] - other).max(),
    }
    run.compare(BESIDE, computed, basis=label)
    return motion


def rest_state(run: fc.Run[Cube]) -> None:
    """Equilibrium below the spring, and the mode about it that moves along z only."""
    system = cube_system(run.parameters, planar=True)
    late = fc.simulate(system, 2.0, system.rest(), rtol=1e-5, output=2.0)
    run.audit(late, method="implicit")
    state = fc.steady_state(system, late.q[-1]).state
    modes = fc.complex_modes(fc.linearise(system, state))
    fraction = abs(modes.vectors[2]) ** 2 / np.sum(abs(modes.vectors[:6]) ** 2, axis=0)
    vertical = int(np.argmax(np.where(modes.frequency > 0.0, fraction, 0.0)))
    computed = {
        "corner": system.bodies[0].motion(state.q, state.v, "corner").position[0][2],
        "z": state.q[2],
        "x": state.q[0],
        "y": state.q[1],
        "guide": abs(state.lam).max(),
        "growth": modes.growth[vertical],
        "frequency": modes.frequency[vertical],
    }
    run.compare(REST, computed)


CASE = fc.Case(__doc__, ("Keppler T13",), Cube(), main, quick_s=4)

if __name__ == "__main__":
    CASE.main(__file__)
