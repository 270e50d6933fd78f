"""Damped pendulum of five links, successive hinge axes orthogonal (Keppler, example 2.7).

Five bodies with six dofs each on five hinges, against the equations of motion in the five joint
angles (Keppler 2.39). The source leaves open where the centres of mass are and to which point the
inertia refers; the source notes take mid-length, and the first axis along x.
"""

from dataclasses import dataclass
from math import pi

import numpy as np
from scipy.integrate import solve_ivp

import fecontact as fc

START = (pi / 4, 0.0, 0.0, 0.0, -pi / 4)
"""Joint angles at the start in rad."""
ACCELERATIONS = (-20.478324, 0.277164, 20.066459, -1.010456, 39.837349)
ANGLES = {
    0.1: (0.688015, 0.001071, 0.089959, -0.003844, -0.597232),
    0.25: (0.321286, 0.001039, 0.267727, -0.003693, 0.249210),
    0.5: (-0.153644, -0.001757, -0.091383, 0.011088, -0.013712),
    1.0: (-0.560699, -0.004528, -0.166086, 0.007791, -0.101870),
    2.0: (0.295268, 0.006330, 0.146011, 0.007485, 0.255379),
    5.0: (0.516492, 0.012618, 0.129047, 0.007931, 0.139590),
}
"""Time in s -> joint angles in rad."""
ENERGIES = {0.0: -0.352582, 5.0: -0.386417}
"""Time in s -> energy in J, zero with all bodies at the support."""
JOINTS = "equations of the angles"
ALPHA = "generalised alpha, h = 2.5 ms"
SOURCE = "Keppler 2007, example 2.7, recomputed"


@dataclass(frozen=True)
class FivePendulum(fc.Parameters):
    """Keppler, examples 2.6 and 2.7."""

    length: float = fc.quantity(0.2, "m", fc.POSITIVE)
    mass: float = fc.quantity(0.02, "kg", fc.POSITIVE)
    inertia: float = fc.quantity(1e-4, "kg m^2", fc.POSITIVE)
    product: float = fc.quantity(1e-5, "kg m^2")
    damping: float = fc.quantity(1e-3, "N m s/rad", fc.NON_NEGATIVE)
    gravity: float = fc.quantity(9.81, "m/s^2", fc.POSITIVE)
    tensor = fc.derived(
        "inertia (3, 3) about the centre of mass",
        lambda p: p.inertia * np.eye(3) + p.product * (1.0 - np.eye(3)),
    )


START_ROWS = fc.References(
    {
        f"{k}": fc.Reference(f"angular acceleration {k} at the start", value, "rad/s^2", 1e-6)
        for k, value in enumerate(ACCELERATIONS, start=1)
    },
    difference=fc.Reference(
        "their largest difference", 0.0, "rad/s^2", 1e-9, JOINTS, "cross_method"
    ),
    source=SOURCE,
    kind="source_notes",
)
ANGLE_ROWS = fc.References(
    {
        f"{t:g}": fc.Reference(
            f"largest error of the five angles at {t:g} s", 0.0, "rad", 1e-6, full=t > 0.5
        )
        for t in ANGLES
    },
    source=SOURCE,
    kind="source_notes",
)
ENERGY_ROWS = fc.References(
    {
        f"{t:g}": fc.Reference(f"energy at {t:g} s", value, "J", 1e-6, full=t > 0.5)
        for t, value in ENERGIES.items()
    },
    source=SOURCE,
    kind="source_notes",
)
MOTION = fc.References("""
    angles  | largest error of the angles               | 0.0 | rad | 1e-6
    balance | energy lost, less the work of the dampers | 0.0 | J   |
        | energy balance | closed_form
    alpha   | largest error of the angles to 0.25 s     | 0.0 | rad | 5e-4
        |  | method=generalised alpha, h = 2.5 ms
    *       | equations of the angles | cross_method
""")


class Pendulum:
    """Links and hinges, from the support down."""

    def __init__(self, p: FivePendulum) -> None:
        top = (0.0, 0.0, 0.5 * p.length)
        self.links = [
            fc.RigidBody(f"link {k + 1}", p.mass, fc.DOFS, p.tensor, position=(0.0, 0.0, z))
            for k, z in enumerate(-p.length * (np.arange(len(START)) + 0.5))
        ]
        pairs = list(zip([None, *self.links], self.links, "xyxyx", strict=False))
        self.hinges = [
            fc.Revolute(a, b, point_b=top, axis=axis, name=f"hinge {k + 1}")
            for k, (a, b, axis) in enumerate(pairs)
        ]
        dampers = [
            fc.TorsionSpring(a, b, 0.0, p.damping, axis, name=f"damper {k + 1}")
            for k, (a, b, axis) in enumerate(pairs)
        ]
        gravity = fc.Gravity(self.links, (0.0, 0.0, -p.gravity))
        self.system = fc.System(self.links, [*self.hinges, *dampers, gravity])

    def start(self) -> fc.State:
        """State at rest with the angles of the source."""
        angles = [hinge.angle for hinge in self.hinges]
        return fc.posed(self.system, dict(zip(angles, START, strict=True)))

    def angles(self, motion: fc.Result) -> fc.Floats:
        """Joint angles (k, 5) along a motion."""
        return np.column_stack([motion.along(hinge.angle) for hinge in self.hinges])

    def angular_accelerations(self, state: fc.State) -> fc.Floats:
        """Second derivatives (5,) of the joint angles."""
        acceleration, result = self.system.accelerations(state)[0], []
        for hinge in self.hinges:
            q, v = self.system.local(hinge, state)
            angle = hinge.angle.at(0.0, q, v)
            own = np.concatenate([acceleration[self.system.slices[b.name]] for b in hinge.bodies])
            result.append((angle.jacobian @ own + angle.d_rate() @ v)[0])
        return np.array(result)


def joint_chain(p: FivePendulum) -> fc.reference.HingedChain:
    """The same pendulum in joint coordinates."""
    half = np.array([0.0, 0.0, 0.5 * p.length])
    axes = np.eye(3)[[0, 1, 0, 1, 0]]
    links = [fc.reference.Link(p.mass, p.tensor, axis, half, -half) for axis in axes]
    return fc.reference.HingedChain(links, np.array([0.0, 0.0, -p.gravity]))


def joint_motion(p: FivePendulum, times: fc.Floats) -> fc.Floats:
    """Joint angles (k, 5) from the equations of motion of the angles."""
    chain, n = joint_chain(p), len(START)

    def rate(t: float, y: fc.Floats) -> fc.Floats:
        return np.append(y[n:], chain.accelerations(y[:n], y[n:], -p.damping * y[n:]))

    start, span = np.append(START, np.zeros(n)), (0.0, times[-1])
    return solve_ivp(rate, span, start, "DOP853", times, rtol=1e-11, atol=1e-12).y[:n].T


def pictures(
    run: fc.Run[FivePendulum], pendulum: Pendulum, motion: fc.Result, exact: fc.Floats
) -> None:
    """Angles over time with the joint coordinates, and the pendulum in space."""
    angles, rows = pendulum.angles(motion), {"about x / rad": (0, 2, 4), "about y / rad": (1, 3)}
    panels, dots = (
        {
            label: {f"hinge {k + 1}": (motion.t[::step], values[::step, k]) for k in numbers}
            for label, numbers in rows.items()
        }
        for values, step in ((angles, 1), (exact, max(1, len(motion) // 60)))
    )
    run.figure("angles", fc.view.history_panels(panels, dots))
    end = (0.0, 0.0, -0.5 * run.parameters.length)
    ends = [motion.path(link, end) for link in pendulum.links]
    every = np.stack([np.zeros((len(motion), 3)), *ends], axis=1)
    late = min(len(motion), 51)
    shown = {"first 0.5 s, light to dark": (list(every[:late:10]), [every[:late, -1]])}
    figure = fc.view.mechanism_panels(shown, elevation=12.0, azimuth=-35.0)
    run.figure("pendulum", figure)


def main(run: fc.Run[FivePendulum]) -> None:
    """First accelerations, motion by two methods, energy, picture."""
    p, pendulum = run.parameters, Pendulum(run.parameters)
    system, start, rest = pendulum.system, pendulum.start(), np.zeros(len(START))
    first = pendulum.angular_accelerations(start)
    other = joint_chain(p).accelerations(np.array(START), rest, rest)
    computed = {f"{k}": value for k, value in enumerate(first, start=1)}
    run.compare(START_ROWS, computed | {"difference": abs(first - other).max()})
    until = 0.5 if run.quick else 5.0
    times = np.linspace(0.0, until, round(100 * until) + 1)
    tight = {"rtol": 1e-8, "atol": 1e-10, "output": times}
    motion = fc.simulate(system, until, start, "projected", **tight)
    angles, exact, energy = pendulum.angles(motion), joint_motion(p, times), motion.energy()
    at = {t: int(np.argmin(abs(times - t))) for t in {**ANGLES, **ENERGIES} if t <= until}
    errors = {f"{t:g}": abs(angles[at[t]] - ANGLES[t]).max() for t in ANGLES if t in at}
    run.compare(ANGLE_ROWS, errors)
    straight = -p.mass * p.gravity * p.length * np.sum(np.arange(len(START)) + 0.5)
    levels = {f"{t:g}": energy[at[t]] + straight for t in ENERGIES if t in at}
    run.compare(ENERGY_ROWS, levels)
    states = [motion.state(i) for i in range(len(motion))]
    power = [sum(system.energies(state).dissipated_power.values()) for state in states]
    weights = np.tile([4.0, 2.0], len(power) // 2)  # Simpson's rule
    lost = (times[1] - times[0]) / 3.0 * (power[0] + power[-1] + weights[:-1] @ power[1:-1])
    alpha = fc.simulate(system, 0.25, start, "implicit", step=2.5e-3, output=0.01)
    run.audit(alpha, method=ALPHA)
    computed = {
        "angles": abs(angles - exact).max(),
        "balance": energy[0] - energy[-1] - lost,
        "alpha": abs(pendulum.angles(alpha) - exact[: len(alpha)]).max(),
    }
    run.compare(MOTION, computed, tolerances={"balance": 1e-6 * energy[0]})
    pictures(run, pendulum, motion, exact)


CASE = fc.Case(__doc__, ("Keppler T6",), FivePendulum(), main, quick_s=4)

if __name__ == "__main__":
    CASE.main(__file__)
