"""Rigid limit: with growing stiffness an elastic body moves as the rigid one.

A block tumbles freely, and swings on a ball joint at its corner. Its material is made stiffer and
stiffer; the rigid body has mass, centre of mass and inertia of the same mesh. The inertia loads
deform the block by the order 1/E; this changes its inertia, and so its path, by the same order.
"""

from dataclasses import dataclass

import numpy as np
from skfem import Mesh

import fecontact as fc

MOTIONS = ("tumbling", "swinging")
STIFFER = (1.0, 4.0, 16.0)


@dataclass(frozen=True)
class RigidLimit(fc.Parameters):
    """A soft block; its stiffness is that of the softest one."""

    length: float = fc.quantity(0.30, "m", fc.POSITIVE)
    width: float = fc.quantity(0.15, "m", fc.POSITIVE)
    height: float = fc.quantity(0.08, "m", fc.POSITIVE)
    young: float = fc.quantity(4e6, "Pa", fc.POSITIVE)
    poisson: float = fc.quantity(0.3, "", fc.POISSON)
    density: float = fc.quantity(1000.0, "kg/m^3", fc.POSITIVE)
    speed: float = fc.quantity(40.0, "rad/s", fc.POSITIVE)
    gravity: float = fc.quantity(9.81, "m/s^2", fc.POSITIVE)
    time: float = fc.quantity(0.2, "s", fc.POSITIVE)
    modes: int = fc.quantity(8, "", fc.at_least(1), numerical=True)
    step: float = fc.quantity(1e-3, "s", fc.POSITIVE, numerical=True)
    corner = fc.derived(
        "corner at positive x, y, z, from the centre",
        lambda p: (0.5 * p.length, 0.5 * p.width, 0.5 * p.height),
    )


REFERENCES = fc.References(
    {
        f"{motion} {pair}": fc.Reference(
            f"{motion}: order of the distance to the rigid path in 1/E, pair {pair}", 1.0, "", 0.05
        )
        for motion in MOTIONS
        for pair in (1, 2)
    },
    source="same block as rigid body",
    kind="cross_method",
)


def mesh(p: RigidLimit) -> Mesh:
    """Block about the origin."""
    x, y, z = p.corner
    return fc.block(p.length, p.width, p.height, cells=(3, 2, 1)).translated((-x, -y, -z))


def elastic(p: RigidLimit, factor: float) -> fc.ElasticBody:
    """Block whose stiffness is a multiple of the softest one."""
    solid = fc.ElasticSolid(mesh(p), fc.Material(factor * p.young, p.poisson, p.density))
    return fc.ElasticBody("block", fc.reduce_model(solid, modes=p.modes))


def moved(p: RigidLimit, body: fc.ElasticBody | fc.RigidBody, motion: str) -> fc.Result:
    """Motion of a block.

    Rigid and elastic body move with the same steps: what the steps do to the rigid motion cancels.
    """
    if motion == "tumbling":
        system = fc.System([body])
        start = system.state(
            v={"block.rx": 0.3 * p.speed, "block.ry": p.speed, "block.rz": 0.2 * p.speed}
        )
    else:
        x, y, z = p.corner
        joint = fc.Spherical(None, body, point_b=(-x, -y, -z), name="ball")
        system = fc.System([body], [joint, fc.Gravity([body], (0.0, 0.0, -p.gravity))])
        start = system.rest()
    return fc.simulate(system, p.time, start, step=p.step, output=2.0 * p.step)


def path(p: RigidLimit, motion: fc.Result) -> fc.Floats:
    """Path (k, 3) of the corner."""
    marker = motion.system.bodies[0].marker(p.corner)
    return np.array([marker.at(q, v).position for q, v in zip(motion.q, motion.v, strict=True)])


def main(run: fc.Run[RigidLimit]) -> None:
    """Distance of the paths over the stiffness."""
    p = run.parameters
    rigid = fc.RigidBody.from_mesh("block", mesh(p), p.density)
    blocks = [elastic(p, factor) for factor in STIFFER]
    distances, computed = {}, {}
    for motion in MOTIONS:
        exact = path(p, moved(p, rigid, motion))
        motions = [moved(p, body, motion) for body in blocks]
        run.audit(motions[-1], method=motion)
        # root of the mean square: vibrations average out
        gaps = [np.sqrt(np.mean(np.sum((path(p, m) - exact) ** 2, axis=1))) for m in motions]
        orders = np.log(np.array(gaps[:-1]) / gaps[1:]) / np.log(STIFFER[1] / STIFFER[0])
        computed |= {f"{motion} {pair}": order for pair, order in enumerate(orders, start=1)}
        run.note(f"{motion}: the stiffest block is {1e3 * gaps[-1]:.3f} mm off the rigid path")
        distances[motion] = np.array(gaps) / p.length
    run.compare(REFERENCES, computed)
    compliance, axis = 1.0 / (p.young * np.array(STIFFER)), "compliance 1/E / (1/Pa)"
    ylabel = "distance to the rigid path over the length"
    figure = fc.view.convergence_plot(compliance, distances, 1.0, axis, ylabel)
    run.figure("rigid_limit", figure)


VERIFIES = ("elastic body tends to the rigid one with 1/E",)
CASE = fc.Case(__doc__, VERIFIES, RigidLimit(), main, quick_s=6)

if __name__ == "__main__":
    CASE.main(__file__)
