"""Body on three contact points: unique stick forces where the rigid body is undecided.

A flat body rests on three points on a circle, each with the normal force N. In the rigid model the
forces of two or three sticking points are undetermined (Stamm 1.10 to 1.12). Bristles decide: while
all points stick, a force F in the plane and a moment M move the body by

    u = F/(3 c),      phi = M/(c sum r_i^2) ,

each point bears F/3 and c phi r_i. The forces always balance the load and stay below mu N, until
all points slip: at 3 mu N for a pure force, at mu N sum r_i for a pure moment. Beyond, there is no
equilibrium, and the solver says so.
"""

from dataclasses import dataclass
from math import pi

import numpy as np

import fecontact as fc


@dataclass(frozen=True)
class Tripod(fc.Parameters):
    """Unit data; the normal force comes from a prescribed penetration."""

    radius: float = fc.quantity(1.0, "m", fc.POSITIVE)
    normal_force: float = fc.quantity(1.0, "N", fc.POSITIVE)
    mu: float = fc.quantity(0.5, "", fc.POSITIVE)
    stiffness: float = fc.quantity(1e6, "N/m", fc.POSITIVE)
    limit = fc.derived("friction limit mu N of a point in N", lambda p: p.mu * p.normal_force)

    @property
    def points(self) -> fc.Floats:
        """Contact points (3, 3)."""
        angle = 2.0 * pi * np.arange(3) / 3.0
        depth = self.normal_force / self.stiffness
        return np.column_stack(
            [self.radius * np.cos(angle), self.radius * np.sin(angle), np.full(3, -depth)]
        )


REFERENCES = fc.References("""
    u_x      | u_x of the stuck body                   |        | m   | 1e-5 rel
    u_y      | u_y of the stuck body                   |        | m   | 1e-5 rel
    phi      | phi of the stuck body                   |        | rad | 1e-5 rel
    forces   | largest error of the stick forces       | 0.0    | N   | 1e-5 * p.limit
    slipping | points that slip under force and moment | in 1 2 |     |       |             | trend
    balance  | imbalance of force and moment           | 0.0    | N   | 1e-6  | equilibrium
    traction | largest traction over mu N              | 1.0    |     | 1e-12
    force    | largest force with an equilibrium       | 3.0 * p.limit | N | 0.04 * p.limit
    moment   | largest moment with an equilibrium      | 3.0 * p.limit * p.radius | N m
        | 0.04 * p.limit * p.radius
    *        | Stamm 2011, (1.3) to (1.12)
""")


def loaded(p: Tripod, force: tuple[float, float], moment: float, loads: fc.Floats) -> fc.LoadPath:
    """Path of a load that grows in proportion."""
    body = fc.RigidBody("body", 1.0, ("ux", "uy", "rz"), (0.5, 0.5, 0.5))
    contact = fc.ContactPair(
        body,
        fc.Surface(p.points, np.ones(3)),
        fc.RigidFace(None, fc.Plane()),
        fc.PenaltyNormal(p.stiffness),
        fc.ElastoPlastic(p.mu, p.stiffness),
    )
    growing = fc.Line(gradient=1.0)
    pull = fc.Force(body, (*force, 0.0), factor=growing)
    turn = fc.Torque(body, (0.0, 0.0, moment), factor=growing)
    return fc.load_path(fc.StaticSystem(fc.System([body], [contact, pull, turn])), loads)


def capacity(p: Tripod, force: tuple[float, float], moment: float, largest: float) -> float:
    """Largest load factor with an equilibrium, to 1 % of `largest`."""
    try:
        loaded(p, force, moment, np.linspace(0.0, largest, 101))
    except fc.LoadPathError as error:
        return float(error.path.t[-1])
    return np.inf


def main(run: fc.Run[Tripod]) -> None:
    """Stick, partial slip and the limit."""
    p = run.parameters
    spread, arm = 3.0 * p.radius**2, p.limit * p.radius
    force, moment = (0.3 * p.limit, 0.4 * p.limit), 0.3 * arm
    stuck = loaded(p, force, moment, np.array([1.0])).increments[-1]
    turned = moment / spread * np.cross([0.0, 0.0, 1.0], p.points)
    carried = stuck.contacts["contact"].traction + turned + [force[0] / 3.0, force[1] / 3.0, 0.0]
    mixed = loaded(p, (1.9 * p.limit, 0.0), 1.5 * arm, np.linspace(0.0, 1.0, 21))
    contact = mixed.increments[-1].contacts["contact"]
    missing = contact.traction.sum(axis=0) + np.array([1.9 * p.limit, 0.0, 0.0])
    torque = np.cross(p.points, contact.traction).sum(axis=0)[2] + 1.5 * arm
    computed = {
        "u_x": (stuck.x[0], force[0] / (3.0 * p.stiffness)),
        "u_y": (stuck.x[1], force[1] / (3.0 * p.stiffness)),
        "phi": (stuck.x[2], moment / (p.stiffness * spread)),
        "forces": abs(carried).max(),
        "slipping": len(contact.sliding),
        "balance": max(abs(missing).max(), abs(torque)),
        "traction": np.linalg.norm(contact.traction, axis=1).max() / p.limit,
        "force": capacity(p, (1.0, 0.0), 0.0, 4.0 * p.limit),
        "moment": capacity(p, (0.0, 0.0), 1.0, 4.0 * arm),
    }
    run.compare(REFERENCES, computed)
    loops = [("force and moment together", {"u_x": (1e6 * mixed.x[:, 0], mixed.t)}, {})]
    run.figure("load_factor", fc.view.loops_plot(loops, "displacement / µm", "load factor"))


CASE = fc.Case(__doc__, ("Stamm T1 (static part)",), Tripod(), main, quick_s=8)

if __name__ == "__main__":
    CASE.main(__file__)
