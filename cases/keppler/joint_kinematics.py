"""Kinematics of joints between two moving bodies (Keppler, examples 1.1 to 1.4 and section 2.3).

The source describes a joint by the position H(q) of the outer body in the frame of the inner one
and by the matrix G of its motions, both in joint coordinates q; we describe it by constraint rows.
Both must say the same: the rows vanish on H(q), their rates on the velocities

    V_2 = H_V(H^21) V_1 + G(q) q',    V = (v, omega) in body components      (Keppler 2.25)

and their second derivatives on the accelerations, for any motion of the inner body. Directions d of
the spherical joint are the current ones (source notes, E-03).
"""

from dataclasses import dataclass
from itertools import product

import numpy as np
from scipy.spatial.transform import Rotation

import fecontact as fc

AXES = Rotation.from_rotvec([0.3, -0.5, 0.4]).as_matrix().T
"""Three orthogonal directions of the joints, as rows."""
R1, R2 = np.array([0.3, 0.1, -0.2]), np.array([-0.25, 0.15, 0.1])
"""Position of the joint from the centres of the inner and of the outer body in m."""
ALONG = {"point_b": tuple(R2), "axis": tuple(AXES[0])}
JOINTS = {
    "revolute": lambda a, b: fc.Revolute(a, b, **ALONG),
    "prismatic": lambda a, b: fc.Prismatic(a, b, **ALONG),
    "cylindrical": lambda a, b: fc.Cylindrical(a, b, **ALONG),
    "universal": lambda a, b: fc.Universal(
        a, b, point_b=tuple(R2), axis_a=tuple(AXES[1]), axis_b=tuple(AXES[0])
    ),
    "spherical": lambda a, b: fc.Spherical(a, b, point_b=tuple(R2)),
    "planar": lambda a, b: fc.Planar(a, b, **ALONG),
}
FRAMES = {kind: fc.reference.JointFrames(kind, AXES, R1, R2) for kind in JOINTS}
REACH = {
    "revolute": (1.5,),
    "prismatic": (0.4,),
    "cylindrical": (1.5, 0.4),
    "universal": (1.0, 1.0),
    "spherical": (1.0, 1.0, 1.0),
    "planar": (1.5, 0.3, 0.3),
}
"""Joint coordinates at the end of the picture, in rad and m."""
READ = {
    "revolute": ("angle",),
    "prismatic": ("stroke",),
    "cylindrical": ("angle", "stroke"),
    "planar": ("angle",),
}
"""Joint coordinates that the joint can read."""


@dataclass(frozen=True)
class Kinematics(fc.Parameters):
    """The source has letters only."""

    states: int = fc.quantity(20, "", fc.at_least(1), numerical=True)


REFERENCES = fc.References("""
    largest | largest error | 0.0 |  | 1e-12
    *       | Keppler 2007, examples 1.1 to 1.4
    value   | largest row value on H(q)                     | 0.0 |  | 1e-12
    rate    | largest row rate on V_2                       | 0.0 |  | 1e-12
    second  | largest second derivative of the rows         | 0.0 |  | 1e-8
    twist   | largest error of V_2 against differences of H | 0.0 |  | 1e-8
    reading | largest error of {}                           | 0.0 |  | 1e-12
    *       | Keppler 2007, section 2.3
    free    | free motions  |     |  |       | columns of G
""")


def bodies_and_joint(kind: str) -> tuple[fc.System, fc.Joint]:
    """Two free bodies, and the joint between them."""
    inner = fc.RigidBody("inner", 1.0, fc.DOFS, (0.02, 0.03, 0.04))
    outer = fc.RigidBody("outer", 2.0, fc.DOFS, (0.05, 0.04, 0.03), position=tuple(R1 - R2))
    joint = JOINTS[kind](inner, outer)
    return fc.System([inner, outer], [joint]), joint


def main(run: fc.Run[Kinematics]) -> None:
    """Examples of the source, then all joints at random states, then a picture."""
    examples(run)
    for kind in JOINTS:
        compare(run, kind)
    run.note("The screw and the planar joint without rotation of the source are not offered.")
    picture(run)


def examples(run: fc.Run[Kinematics]) -> None:
    """Relative velocities that the rows find, against examples 1.1 to 1.4."""
    rate, axis, transport = 1.7, AXES[0], fc.reference.transport
    for kind, inner in (
        ("revolute", np.append(np.cross(R1, axis), axis)),
        ("prismatic", np.append(axis, np.zeros(3))),
    ):
        system, joint = bodies_and_joint(kind)
        coordinate: fc.Coordinate = getattr(joint, READ[kind][0])
        state = fc.posed(system, {coordinate: 0.6}, {coordinate: rate})
        A, r = FRAMES[kind].pose(np.array([0.6]))
        V = []
        for body in system.bodies:
            q, v = system.local(body, state)
            V.append(np.append(body.rotation(q).T @ v[:3], v[3:]))
        relative = V[1] - transport(A.T, -A.T @ r) @ V[0]
        outer = FRAMES[kind].motions(np.array([0.6]))[:, 0]
        errors = {"V_12^2": relative - rate * outer}
        errors["V_21^1"] = -transport(A, r) @ relative + rate * inner
        for symbol, error in errors.items():
            run.row(REFERENCES, "largest", abs(error).max(), label=f"of {symbol}", method=kind)


def compare(run: fc.Run[Kinematics], kind: str) -> None:
    """Rows against joint coordinates at random states."""
    system, joint = bodies_and_joint(kind)
    rng, worst = np.random.default_rng(7), np.zeros(5)
    for _ in range(min(run.parameters.states, 5) if run.quick else run.parameters.states):
        motion = fc.reference.JointedMotion(FRAMES[kind], rng)
        state = fc.State(0.0, *motion.state(0.0))
        rows = system.constraint(state)
        acceleration = motion.derivative(lambda t, motion=motion: motion.state(t)[1])
        second = rows.jacobian @ acceleration + rows.bias
        off = motion.twist() - motion.velocity(0.0)
        found = [abs(each).max() for each in (rows.value, rows.rate, second, off)]
        worst = np.maximum(worst, [*found, readings(system, joint, kind, motion, state)])
    names = ("value", "rate", "second", "twist")
    run.compare(REFERENCES, dict(zip(names, worst, strict=False)), part=True, method=kind)
    if kind in READ:
        run.row(REFERENCES, "reading", worst[4], label=" and ".join(READ[kind]), method=kind)
    free = system.redundancy(state).mobility - 6
    run.row(REFERENCES, "free", free, FRAMES[kind].size, method=kind)


def readings(
    system: fc.System,
    joint: fc.Joint,
    kind: str,
    motion: fc.reference.JointedMotion,
    state: fc.State,
) -> float:
    """Largest error of the joint coordinates and their rates as the joint reads them."""
    q, v = system.local(joint, state)
    errors = [0.0]
    for k, name in enumerate(READ.get(kind, ())):
        coordinate: fc.Coordinate = getattr(joint, name)
        value, rate = (row[k] for row in motion.coordinates(0.0))
        errors += [abs(coordinate.value(q) - value), abs(coordinate.rate(q, v) - rate)]
    return max(errors)


def picture(run: fc.Run[Kinematics]) -> None:
    """The outer body on its way, with a corner's path and the axis; all coordinates rise."""
    corners = 0.12 * np.array(list(product((-1.0, 1.0), repeat=3)))
    box = corners[[0, 1, 3, 2, 0, 4, 5, 1, 5, 7, 3, 7, 6, 2, 6, 4]]
    panels = {}
    for kind, joint in FRAMES.items():
        frames = [joint.pose(s * np.array(REACH[kind])) for s in np.linspace(0.0, 1.0, 41)]
        moved = [r + box @ A.T for A, r in frames]
        paths = [np.array([r + A @ corners[0] for A, r in frames])]
        if kind in READ:  # the axis is fixed in the inner body
            paths.append(R1 + np.outer([-0.3, 0.5], AXES[0]))
        panels[kind] = (moved[::10], paths)
    run.figure("joints", fc.view.mechanism_panels(panels))


CASE = fc.Case(__doc__, ("Keppler T1",), Kinematics(), main, quick_s=3)

if __name__ == "__main__":
    CASE.main(__file__)
