"""Branch of limit cycles of a mass on a belt over the belt speed, from the flutter boundary on.

The mass of `belt_cycles`. From the speed v_h down, at which steady sliding loses its stability, the
mass swings without sticking with the amplitude of speed A omega = 2 sqrt(v_h^2 - v^2) (averaging;
Thomsen and Fidlin 2003). The branch is followed by shooting down to v = 2 v_h/sqrt(5), where the
mass reaches the speed of the belt and begins to stick. The equations of the cycle have a corner
there; below it single cycles are found, and compared with those of rigid friction.
"""

from math import pi

import numpy as np

import fecontact as fc

belt = fc.load_module("classic/belt_cycles")
build = belt.build

REFERENCES = fc.References("""
    branch  | branch without sticking: largest deviation of the amplitude  | <= 0.03
    *       | Thomsen and Fidlin 2003, averaging
    cycles  | cycles with sticking: largest deviation of the amplitude     | <= 0.01 |  |
        | rigid friction, slide integrated
    reaches | cycles with sticking: the mass reaches the speed of the belt | >= 1.0
    *       | Thomsen and Fidlin 2003, averaging | full
    stable  | all cycles of the branch are stable                          | <= 1.0  |  |
        | one cycle at each speed | trend
""")


def swings(
    p: belt.BeltCycles, steps: int, points: int
) -> tuple[fc.SolutionPath, list[fc.PeriodicOrbit]]:
    """Cycles without sticking, from the flutter boundary down to where the mass begins to stick."""
    first = 0.985 * p.exact.onset
    equations = fc.Shooting(lambda speed: fc.SystemMotion(build(p, speed)), steps)
    start = belt.guess(p, fc.SystemMotion(build(p, first)), first)
    u = np.append(start, 2.0 * pi / p.exact.omega)
    ends, sizes = (1.02 * p.exact.sticks, 1.01 * first), equations.sizes(u, first)
    options = fc.PathOptions(*ends, sizes, 0.15, 0.25, shortest=0.02, max_points=points)
    path = fc.follow(equations, u, first, options, direction=-1.0)
    return path, [equations.orbit(point.u, point.parameter) for point in path.points]


def main(run: fc.Run[belt.BeltCycles]) -> None:
    """Branch; cycles with sticking in the full form; picture."""
    p = run.parameters
    path, found = swings(p, p.steps // 2, 2 if run.quick else 8)
    sizes = np.array([float(orbit.amplitude[0]) for orbit in found])
    off = np.abs(sizes / p.exact.amplitude(path.parameter) - 1.0).max()
    run.row(REFERENCES, "branch", off)
    run.note(f"The branch has {len(found)} points: {path.message}.")
    speeds, slower = path.parameter, p.exact.onset * np.array([0.85, 0.75, 0.45, 0.3])
    if not run.quick:
        sticks = [belt.cycle_at(p, speed, p.steps) for speed in slower.tolist()]
        rigid = np.array([p.exact.with_stick(speed)[0] for speed in slower.tolist()])
        stuck = np.array([float(orbit.amplitude[0]) for orbit in sticks])
        reached = min(orbit.v.max() / x for x, orbit in zip(slower, sticks, strict=True))
        run.row(REFERENCES, "cycles", np.abs(stuck / rigid - 1.0).max())
        run.row(REFERENCES, "reaches", reached)
        found, sizes, speeds = [*found, *sticks], np.append(sizes, stuck), np.append(speeds, slower)
    run.row(REFERENCES, "stable", max(orbit.multipliers.largest for orbit in found))
    picture(run, speeds, sizes)


def picture(run: fc.Run[belt.BeltCycles], speeds: fc.Floats, sizes: fc.Floats) -> None:
    """Amplitude over the belt speed, with both closed forms."""
    exact, axis = run.parameters.exact, "amplitude / mm"
    fine, slow = (
        np.linspace(exact.sticks, exact.onset, 200),
        exact.sticks * np.linspace(0.2, 0.98, 40),
    )
    rigid = np.array([exact.with_stick(speed)[0] for speed in slow.tolist()])
    curves = {
        "without sticking, averaged": (fine, 1e3 * exact.amplitude(fine)),
        "with sticking, rigid friction": (slow, 1e3 * rigid),
    }
    dots = {axis: {"shooting": (speeds, 1e3 * sizes)}}
    figure = fc.view.history_panels({axis: curves}, dots, xlabel="belt speed / (m/s)")
    run.figure("branch", figure)


VERIFIES = ("belt oscillator from the flutter boundary on",)
CASE = fc.Case(__doc__, VERIFIES, belt.BeltCycles(), main, quick_s=15, system=build)

if __name__ == "__main__":
    CASE.main(__file__)
