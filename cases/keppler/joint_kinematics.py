"""Kinematics of joints between two moving bodies (Keppler, examples 1.1 to 1.4 and section 2.3).

The source describes a joint by the place H(q) of the outer body in the frame of the inner one and
by the matrix G of its motions, both in joint coordinates q; we describe it by constraint rows. Both
must say the same: the rows vanish on H(q), their rates on the velocities

    V_2 = H_V(H^21) V_1 + G(q) q',    V = (v, omega) in body components      (Keppler 2.25)

and their second derivatives on the accelerations, for any motion of the inner body. Directions d of
the spherical joint are the current ones (source notes, E-03).
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np
from scipy.spatial.transform import Rotation

import fecontact as fc

D1, D2, D3 = Rotation.from_rotvec([0.3, -0.5, 0.4]).as_matrix().T
"""Three orthogonal directions of the joints."""
R1, R2 = np.array([0.3, 0.1, -0.2]), np.array([-0.25, 0.15, 0.1])
"""Position of the joint from the centres of the inner and of the outer body in m."""
NONE = np.zeros(3)
STEP = 2e-3
"""Step of the central differences in time, in s."""


@dataclass(frozen=True)
class Kinematics(fc.Parameters):
    """The source has letters only."""

    states: int = fc.quantity(20, "", fc.at_least(1), numerical=True)


@dataclass(frozen=True)
class Kind:
    """A joint in both descriptions.

    Attributes
    ----------
    build
        The joint with its rows.
    place, motions
        H(q) = (A, r), and the columns of G(q).
    reach
        Joint coordinates at the end of the picture, in rad and m.
    coordinates
        Names of the joint coordinates that the joint can read.
    """

    build: Callable[[fc.RigidBody, fc.RigidBody], fc.Joint]
    place: Callable[[fc.Floats], tuple[fc.Floats, fc.Floats]]
    motions: Callable[[fc.Floats], list[fc.Floats]]
    reach: tuple[float, ...]
    coordinates: tuple[str, ...] = ()


def turn(angle: float, axis: fc.Floats) -> fc.Floats:
    """Rotation matrix A(angle, axis) (Keppler 1.9)."""
    return Rotation.from_rotvec(angle * axis).as_matrix()


def about(*axes: fc.Floats) -> list[fc.Floats]:
    """Columns (r x d, d) of G: rotations about axes through the joint."""
    return [np.append(np.cross(R2, d), d) for d in axes]


def on_point(A: fc.Floats) -> tuple[fc.Floats, fc.Floats]:
    """Frame of the outer body, turned by A about the joint."""
    return A, R1 - A @ R2


KINDS = {
    "revolute": Kind(
        lambda a, b: fc.Revolute(a, b, point_b=tuple(R2), axis=tuple(D1)),
        lambda q: on_point(turn(q[0], D1)),
        lambda q: about(D1),
        (1.5,),
        ("angle",),
    ),
    "prismatic": Kind(
        lambda a, b: fc.Prismatic(a, b, point_b=tuple(R2), axis=tuple(D1)),
        lambda q: (np.eye(3), R1 - R2 + q[0] * D1),
        lambda q: [np.append(D1, NONE)],
        (0.4,),
        ("stroke",),
    ),
    "cylindrical": Kind(
        lambda a, b: fc.Cylindrical(a, b, point_b=tuple(R2), axis=tuple(D1)),
        lambda q: (turn(q[0], D1), R1 + q[1] * D1 - turn(q[0], D1) @ R2),
        lambda q: [*about(D1), np.append(D1, NONE)],
        (1.5, 0.4),
        ("angle", "stroke"),
    ),
    "universal": Kind(
        lambda a, b: fc.Universal(a, b, point_b=tuple(R2), axis_a=tuple(D2), axis_b=tuple(D1)),
        lambda q: on_point(turn(q[1], D2) @ turn(q[0], D1)),
        lambda q: about(D1, turn(q[0], D1).T @ D2),
        (1.0, 1.0),
    ),
    "spherical": Kind(
        lambda a, b: fc.Spherical(a, b, point_b=tuple(R2)),
        lambda q: on_point(turn(q[2], D3) @ turn(q[1], D2) @ turn(q[0], D1)),
        lambda q: about(
            D1, turn(q[0], D1).T @ D2, turn(q[0], D1).T @ turn(q[1], D2).T @ D3
        ),
        (1.0, 1.0, 1.0),
    ),
    "planar": Kind(
        lambda a, b: fc.Planar(a, b, point_b=tuple(R2), axis=tuple(D1)),
        lambda q: (turn(q[0], D1), R1 + turn(q[0], D1) @ (q[1] * D2 + q[2] * D3 - R2)),
        lambda q: [
            np.append(np.cross(D1, q[1] * D2 + q[2] * D3 - R2), D1),
            np.append(D2, NONE),
            np.append(D3, NONE),
        ],
        (1.5, 0.3, 0.3),
        ("angle",),
    ),
}  # fmt: skip


def transport(A: fc.Floats, r: fc.Floats) -> fc.Floats:
    """Matrix H_V (6, 6) of a frame turned by A and shifted by r (Keppler 1.26a)."""
    lever = np.cross(r[:, None], A, axis=0)
    return np.block([[A, lever], [np.zeros((3, 3)), A]])


def bodies_and_joint(kind: Kind) -> tuple[fc.System, fc.Joint]:
    """Two free bodies, and the joint between them."""
    inner = fc.RigidBody("inner", 1.0, fc.DOFS, (0.02, 0.03, 0.04))
    outer = fc.RigidBody("outer", 2.0, fc.DOFS, (0.05, 0.04, 0.03), position=tuple(R1 - R2))
    joint = kind.build(inner, outer)
    return fc.System([inner, outer], [joint]), joint


class Motion:
    """A motion of both bodies in time: the inner one anyhow, the outer one in joint coordinates.

    The inner body moves with a constant velocity in its own frame, the joint coordinates with
    constant accelerations.
    """

    def __init__(self, kind: Kind, count: int, rng: np.random.Generator) -> None:
        self.kind, self.laws = kind, rng.uniform(-1.5, 1.5, (3, count))
        self.start = Rotation.from_rotvec(rng.uniform(-1.0, 1.0, 3)).as_matrix()
        self.V = rng.uniform(-2.0, 2.0, 6)

    def coordinates(self, t: float) -> tuple[fc.Floats, fc.Floats]:
        """Joint coordinates q and rates q'."""
        q, rate, second = self.laws
        return q + rate * t + 0.5 * second * t**2, rate + second * t

    def velocity(self, t: float) -> fc.Floats:
        """Velocity V_2 of the outer body (Keppler 2.25)."""
        q, rate = self.coordinates(t)
        A, r = self.kind.place(q)
        joint = np.column_stack(self.kind.motions(q)) @ rate
        return transport(A.T, -A.T @ r) @ self.V + joint

    def state(self, t: float) -> fc.State:
        """State of the system of both bodies."""
        v, omega = np.split(self.V, 2)
        inner = self.start @ turn(t, omega)
        place = self.start @ _integral(omega, t) @ v
        A, r = self.kind.place(self.coordinates(t)[0])
        outer, V = inner @ A, self.velocity(t)
        q = [place, _quaternion(inner), place + inner @ r - (R1 - R2), _quaternion(outer)]
        return fc.State(
            t, np.concatenate(q), np.concatenate([inner @ v, omega, outer @ V[:3], V[3:]])
        )


REFERENCES = fc.References("""
    largest | largest error | 0.0 |  | 1e-12 | Keppler examples 1.1 to 1.4
    free    | free motions  |     |  |       | columns of G
""")


def _quaternion(R: fc.Floats) -> fc.Floats:
    return Rotation.from_matrix(R).as_quat(scalar_first=True)


def _integral(omega: fc.Floats, t: float) -> fc.Floats:
    """Integral of exp(omega~ t) over time."""
    w, size = np.cross(np.eye(3), -omega), np.linalg.norm(omega)
    s, c = np.sin(size * t), np.cos(size * t)
    return t * np.eye(3) + (1.0 - c) / size**2 * w + (size * t - s) / size**3 * w @ w


def difference(f: Callable[[float], fc.Floats]) -> fc.Floats:
    """Derivative in time at t = 0 by the central difference of sixth order."""
    terms = ((1, 45.0), (2, -9.0), (3, 1.0))
    return sum(c * (f(k * STEP) - f(-k * STEP)) for k, c in terms) / (60.0 * STEP)


def main(run: fc.Run[Kinematics]) -> None:
    """Examples of the source, then all joints at random states, then a picture."""
    examples(run)
    for name, kind in KINDS.items():
        compare(run, name, kind)
    run.note("The screw and the planar joint without rotation of the source are not offered.")
    picture(run)


def examples(run: fc.Run[Kinematics]) -> None:
    """Relative velocities that the rows find, against examples 1.1 to 1.4."""
    rate = 1.7
    for name, columns in (
        ("revolute", (about(D1)[0], np.append(np.cross(R1, D1), D1))),
        ("prismatic", (np.append(D1, NONE),) * 2),
    ):
        system, joint = bodies_and_joint(KINDS[name])
        coordinate: fc.Coordinate = getattr(joint, KINDS[name].coordinates[0])
        state = fc.posed(system, {coordinate: 0.6}, {coordinate: rate})
        A, r = KINDS[name].place(np.array([0.6]))
        V = []
        for body in system.bodies:
            q, v = system.local(body, state)
            V.append(np.append(body.rotation(q).T @ v[:3], v[3:]))
        relative = V[1] - transport(A.T, -A.T @ r) @ V[0]
        pairs = (("V_12^2", relative, rate * columns[0]),
                 ("V_21^1", -transport(A, r) @ relative, -rate * columns[1]))  # fmt: skip
        for symbol, computed, reference in pairs:
            computed = {"largest": abs(computed - reference).max()}
            run.compare(REFERENCES, computed, part=True, label=f"of {symbol}", method=name)


def compare(run: fc.Run[Kinematics], name: str, kind: Kind) -> None:
    """Rows against joint coordinates at random states."""
    system, joint = bodies_and_joint(kind)
    rng, count = np.random.default_rng(7), len(kind.reach)
    worst = np.zeros(5)
    for _ in range(min(run.parameters.states, 5) if run.quick else run.parameters.states):
        motion = Motion(kind, count, rng)
        state = motion.state(0.0)
        rows = system.constraint(state)
        acceleration = difference(lambda t, motion=motion: motion.state(t).v)
        worst = np.maximum(worst, [
            abs(rows.value).max(),
            abs(rows.rate).max(),
            abs(rows.jacobian @ acceleration + rows.bias).max(),
            abs(twist_by_difference(motion) - motion.velocity(0.0)).max(),
            readings(system, joint, kind, motion, state),
        ])  # fmt: skip
    checks = (
        ("largest row value on H(q)", worst[0], 1e-12),
        ("largest row rate on V_2", worst[1], 1e-12),
        ("largest second derivative of the rows", worst[2], 1e-8),
        ("largest error of V_2 against differences of H", worst[3], 1e-8),
    )
    if kind.coordinates:
        checks += ((f"largest error of {' and '.join(kind.coordinates)}", worst[4], 1e-12),)
    for quantity_, value, tolerance in checks:
        run.check(quantity_, float(value), 0.0, tolerance=tolerance, kind="closed_form",
                  source="Keppler 2.3", method=name, formula=True)  # fmt: skip
    computed = {"free": (system.redundancy(state).mobility - 6, count)}
    run.compare(REFERENCES, computed, part=True, method=name)


def twist_by_difference(motion: Motion) -> fc.Floats:
    """Velocity of the outer body from H^-1 H' (Keppler 1.15)."""
    outer = motion.state(0.0).q[7:]

    def frame(t: float) -> fc.Floats:
        q = motion.state(t).q[7:]
        R = Rotation.from_quat(q[3:], scalar_first=True).as_matrix()
        return np.column_stack([R, q[:3]])

    rate = Rotation.from_quat(outer[3:], scalar_first=True).as_matrix().T @ difference(frame)
    return np.array([*rate[:, 3], rate[2, 1], rate[0, 2], rate[1, 0]])


def readings(
    system: fc.System, joint: fc.Joint, kind: Kind, motion: Motion, state: fc.State
) -> float:
    """Largest error of the joint coordinates and their rates as the joint reads them."""
    q, v = system.local(joint, state)
    errors = [0.0]
    for k, name in enumerate(kind.coordinates):
        coordinate: fc.Coordinate = getattr(joint, name)
        value, rate = (row[k] for row in motion.coordinates(0.0))
        errors += [abs(coordinate.value(q) - value), abs(coordinate.rate(q, v) - rate)]
    return max(errors)


def picture(run: fc.Run[Kinematics]) -> None:
    """The outer body on its way, with a corner's path and the axis; all coordinates rise."""
    corners = 0.12 * np.array(list(product((-1.0, 1.0), repeat=3)))
    box = corners[[0, 1, 3, 2, 0, 4, 5, 1, 5, 7, 3, 7, 6, 2, 6, 4]]
    panels = {}
    for name, kind in KINDS.items():
        frames = [kind.place(s * np.array(kind.reach)) for s in np.linspace(0.0, 1.0, 41)]
        moved = [r + box @ A.T for A, r in frames]
        paths = [np.array([r + A @ corners[0] for A, r in frames])]
        if kind.coordinates:  # the axis is fixed in the inner body
            paths.append(R1 + np.outer([-0.3, 0.5], D1))
        panels[name] = (moved[::10], paths)
    run.figure("joints", fc.view.mechanism_panels(panels))


CASE = fc.Case(__doc__, ("Keppler T1",), Kinematics(), main, quick_s=3)

if __name__ == "__main__":
    CASE.main(__file__)
