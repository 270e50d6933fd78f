"""Double pendulum with orthogonal hinge axes (Keppler, example 2.4).

Two equal bars; the first turns about x at the ceiling, the second about y at the end of the first.
The bodies have six dofs each and ten constraint rows. What is left after elimination of the
rows is compared with the equations of motion in the two joint angles. The source prints their mass
M_11 wrongly (source notes, E-38); the corrected formulas are used.
"""

from dataclasses import dataclass

import numpy as np

import fecontact as fc

START = np.array([[0.8, -0.5], [1.0, 3.0]])
"""Angles in rad and their rates in rad/s."""
PRINT = (
    "the print multiplies by 4 where it must divide, and has (J_x + J_z) sin^2 in place of "
    "J_x (1 + cos^2) + J_z sin^2",
    "source notes, E-38",
)


@dataclass(frozen=True)
class DoublePendulum(fc.Parameters):
    """A flat bar; the source has letters only."""

    length: float = fc.quantity(0.5, "m", fc.POSITIVE)
    mass: float = fc.quantity(1.0, "kg", fc.POSITIVE)
    inertia_x: float = fc.quantity(0.025, "kg m^2", fc.POSITIVE)
    inertia_y: float = fc.quantity(0.021, "kg m^2", fc.POSITIVE)
    inertia_z: float = fc.quantity(0.006, "kg m^2", fc.POSITIVE)
    gravity: float = fc.quantity(9.81, "m/s^2", fc.POSITIVE)
    states: int = fc.quantity(50, "", fc.at_least(2), numerical=True)
    duration: float = fc.quantity(5.0, "s", fc.POSITIVE, numerical=True)
    inertia = fc.derived("J_x, J_y, J_z", lambda p: (p.inertia_x, p.inertia_y, p.inertia_z))
    exact = fc.derived(
        "equations of motion in the joint angles",
        lambda p: fc.reference.OrthogonalPendulum(p.length, p.mass, p.inertia, p.gravity),
    )


ELIMINATION = fc.References(
    """
    coupling      | coupling matrix, largest relative error       | 0.0 |  | 1e-12
    mass          | mass matrix, largest relative error           | 0.0 |  | 1e-12
    accelerations | angular accelerations, largest relative error | 0.0 |  | 1e-12
    stretched     | M_11 of the stretched pendulum
        | 2.0 * p.inertia_x + 2.5 * p.mass * p.length**2 | kg m^2 | 1e-12
        | 2 J_x + m (L/2)^2 + m (3L/2)^2
    *             | Keppler 2007, example 2.4, corrected
    printed | M_11 of the stretched pendulum | 40.0 * p.mass * p.length**2 | kg m^2 | 1e-12
    *       | Keppler 2007, example 2.4 | published
    """,
    deviations={"printed": PRINT},
)
MOTION = fc.References("""
    projected | largest error of the angles      | 0.0 | rad | 1e-6
        |  | method=projected Runge-Kutta
    alpha     | largest error of the angles, 1 s | 0.0 | rad | 2e-3
        |  | method=generalised alpha, h = 5 ms
    energy    | relative energy error            | 0.0 |     | 1e-7 | conservation | closed_form
    *         | equations of the angles, DOP853 | cross_method
""")


class Pendulum:
    """The bars, and the way from their dofs to the joint angles."""

    def __init__(self, p: DoublePendulum) -> None:
        half = 0.5 * p.length
        self.bars = [
            fc.RigidBody(name, p.mass, fc.DOFS, p.inertia, position=(0.0, 0.0, z))
            for name, z in (("upper", -half), ("lower", -3.0 * half))
        ]
        inner = [None, self.bars[0]]
        self.hinges = [
            fc.Revolute(a, b, point_b=(0.0, 0.0, half), axis=axis, name=f"hinge {axis}")
            for a, b, axis in zip(inner, self.bars, "xy", strict=True)
        ]
        gravity = fc.Gravity(self.bars, (0.0, 0.0, -p.gravity))
        self.system = fc.System(self.bars, [*self.hinges, gravity])

    def state(self, angles: fc.Floats, rates: fc.Floats) -> fc.State:
        """State with given angles and rates."""
        coordinates = [hinge.angle for hinge in self.hinges]
        return fc.posed(
            self.system,
            dict(zip(coordinates, angles.tolist(), strict=True)),
            dict(zip(coordinates, rates.tolist(), strict=True)),
        )

    def angle_rows(self, state: fc.State) -> tuple[fc.Floats, fc.Floats]:
        """Rows G (2, 12) with phi' = G v, and phi'' - G v' (2,)."""
        G, bias = np.zeros((2, self.system.size)), np.zeros(2)
        for k, hinge in enumerate(self.hinges):
            q, v = self.system.local(hinge, state)
            angle = hinge.angle.at(0.0, q, v)
            G[k, np.r_[tuple(self.system.slices[b.name] for b in hinge.bodies)]] = angle.jacobian[0]
            bias[k] = (angle.d_rate() @ v)[0]
        return G, bias

    def free_motions(self, state: fc.State) -> fc.Floats:
        """Velocities (12, 2) that the hinges allow, per rate of the angles: A Z = 0, G Z = I."""
        rows = np.vstack([self.system.constraint(state).jacobian, self.angle_rows(state)[0]])
        right = np.vstack([np.zeros((len(rows) - 2, 2)), np.eye(2)])
        return np.linalg.lstsq(rows, right, rcond=None)[0]

    def angles(self, motion: fc.Result) -> fc.Floats:
        """Joint angles (k, 2) along a motion."""
        return np.column_stack([motion.along(hinge.angle) for hinge in self.hinges])


def in_body_components(pendulum: Pendulum, state: fc.State, Z: fc.Floats) -> fc.Floats:
    """Velocities with the translations turned into the frames of the bars."""
    turned = Z.copy()
    for bar in pendulum.bars:
        R = bar.rotation(state.q[pendulum.system.q_slices[bar.name]])
        part = pendulum.system.slices[bar.name]
        turned[part][:3] = R.T @ Z[part][:3]
    return turned


def potential(motion: fc.Result) -> fc.Floats:
    """Potential energy over time (k,) in J."""
    states = [motion.state(i) for i in range(len(motion))]
    return np.array([motion.system.energies(s).potential["gravity"] for s in states])


def pictures(
    run: fc.Run[DoublePendulum], pendulum: Pendulum, motion: fc.Result, exact: fc.Floats
) -> None:
    """Angles over time with the reference, and the bars in space."""
    angles, label = pendulum.angles(motion), "joint angle / rad"
    names = ("hinge about x", "hinge about y")
    figure = fc.view.history_panels(
        {label: {name: (motion.t, angles[:, k]) for k, name in enumerate(names)}},
        {label: {name: (motion.t[::5], exact[::5, k]) for k, name in enumerate(names)}},
    )
    run.figure("angles", figure)
    end = (0.0, 0.0, -0.5 * run.parameters.length)
    ends = [motion.path(bar, end) for bar in pendulum.bars]
    every = np.stack([np.zeros((len(motion), 3)), *ends], axis=1)
    late = min(len(motion), 51)
    shown = list(every[:late:5])
    figure = fc.view.mechanism_panels({"first second, light to dark": (shown, [every[:late, 2]])})
    run.figure("pendulum", figure)


def main(run: fc.Run[DoublePendulum]) -> None:
    """Elimination at random states, motion by two methods, energy, pictures."""
    p, pendulum = run.parameters, Pendulum(run.parameters)
    rest = pendulum.system.rest()
    Z = pendulum.free_motions(rest)
    first = (Z.T @ pendulum.system.mass_matrix(rest.q) @ Z)[0, 0]
    run.compare(ELIMINATION, eliminated(p, pendulum) | {"stretched": first, "printed": first})
    until, start = min(p.duration, 1.0) if run.quick else p.duration, pendulum.state(*START)
    times = np.linspace(0.0, until, round(50 * until) + 1)
    exact, short = p.exact.motion(START, times), times[times <= 1.0]
    tight = {"rtol": 1e-9, "atol": 1e-10, "output": times}
    motion = fc.simulate(pendulum.system, until, start, "projected", **tight)
    alpha = fc.simulate(pendulum.system, 1.0, start, "implicit", step=5e-3, output=short)
    run.audit(alpha, method="generalised alpha, h = 5 ms")
    computed = {
        "projected": abs(pendulum.angles(motion) - exact).max(),
        "alpha": abs(pendulum.angles(alpha) - exact[: len(alpha)]).max(),
        "energy": np.ptp(motion.energy()) / np.ptp(potential(motion)),
    }
    run.compare(MOTION, computed)
    pictures(run, pendulum, motion, exact)


def eliminated(p: DoublePendulum, pendulum: Pendulum) -> dict[str, float]:
    """Largest relative errors of what is left after elimination, at random states."""
    rng, system = np.random.default_rng(4), pendulum.system
    worst = dict.fromkeys(("coupling", "mass", "accelerations"), 0.0)
    for angles, rates in rng.uniform(-1.5, 1.5, (p.states, 2, 2)):
        state = pendulum.state(angles, 4.0 * rates)
        (G, bias), Z = pendulum.angle_rows(state), pendulum.free_motions(state)
        found = G @ system.accelerations(state)[0] + bias
        pairs = {
            "coupling": (in_body_components(pendulum, state, Z), p.exact.coupling_matrix(angles)),
            "mass": (Z.T @ system.mass_matrix(state.q) @ Z, p.exact.mass_matrix(angles)),
            "accelerations": (found, p.exact.accelerations(angles, 4.0 * rates)),
        }
        for name, (computed, reference) in pairs.items():
            error = np.abs(computed - reference).max() / np.abs(reference).max()
            worst[name] = max(worst[name], float(error))
    return worst


CASE = fc.Case(__doc__, ("Keppler T3",), DoublePendulum(), main, quick_s=3)

if __name__ == "__main__":
    CASE.main(__file__)
