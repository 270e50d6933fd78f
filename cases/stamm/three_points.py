"""Body on three contact points: unique stick forces where the rigid body is undecided.

A flat body rests on three points on a circle, each with the normal force N. In the rigid model the
forces of two or three sticking points are undetermined (Stamm 1.10 to 1.12). Bristles decide: while
all points stick, a force F in the plane and a moment M move the body by

    u = F/(3 c),      phi = M/(c sum r_i^2) ,

each point bears F/3 and c phi r_i. The forces always balance the load and stay below mu N, until
all points slip: at 3 mu N for a pure force, at mu N sum r_i for a pure moment. Beyond, there is no
equilibrium, and the solver says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import pi

import numpy as np

import fecontact as fc

SOURCE = "Stamm 2011, (1.3) to (1.12)"


@dataclass(frozen=True)
class Tripod(fc.Parameters):
    """Unit data; the normal force comes from a prescribed penetration."""

    radius: float = fc.quantity(1.0, "m", fc.POSITIVE)
    normal_force: float = fc.quantity(1.0, "N", fc.POSITIVE)
    mu: float = fc.quantity(0.5, "", fc.POSITIVE)
    stiffness: float = fc.quantity(1e6, "N/m", fc.POSITIVE)

    @property
    def points(self) -> fc.Floats:
        """Contact points (3, 3)."""
        angle = 2.0 * pi * np.arange(3) / 3.0
        depth = self.normal_force / self.stiffness
        return np.column_stack(
            [self.radius * np.cos(angle), self.radius * np.sin(angle), np.full(3, -depth)]
        )


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


def capacity(p: Tripod, force: tuple[float, float], moment: float, most: float) -> float:
    """Largest load factor with an equilibrium, to 1 % of `most`."""
    try:
        loaded(p, force, moment, np.linspace(0.0, most, 101))
    except fc.LoadPathError as error:
        return float(error.path.t[-1])
    return np.inf


def main(run: fc.Run[Tripod]) -> None:
    """Stick, partial slip and the limit."""
    p = run.parameters
    limit, spread = p.mu * p.normal_force, 3.0 * p.radius**2
    share, moment = (0.3 * limit, 0.4 * limit), 0.3 * p.radius * limit
    stuck = loaded(p, share, moment, np.array([1.0])).increments[-1]
    contact = stuck.contacts["contact"]
    expected = [share[0] / (3.0 * p.stiffness), share[1] / (3.0 * p.stiffness),
                moment / (p.stiffness * spread)]  # fmt: skip
    for name, computed, exact in zip(("u_x", "u_y", "phi"), stuck.x, expected, strict=True):
        run.check(f"{name} of the stuck body", float(computed), exact, tolerance=1e-5 * exact,
                  unit="rad" if name == "phi" else "m", kind="closed_form", source=SOURCE,
                  formula=True)  # fmt: skip
    turned = moment / spread * np.cross([0.0, 0.0, 1.0], p.points)
    error = abs(contact.traction + turned + [share[0] / 3.0, share[1] / 3.0, 0.0]).max()
    run.check("largest error of the stick forces", float(error), 0.0, unit="N",
              tolerance=1e-5 * limit, kind="closed_form", source=SOURCE, formula=True)  # fmt: skip
    mixed = loaded(p, (1.9 * limit, 0.0), 1.5 * limit * p.radius, np.linspace(0.0, 1.0, 21))
    balanced(run, p, mixed, np.array([1.9 * limit, 0.0, 0.0]), 1.5 * limit * p.radius)
    for name, force, torque, most, exact in (
        ("force", (1.0, 0.0), 0.0, 4.0 * limit, 3.0 * limit),
        ("moment", (0.0, 0.0), 1.0, 4.0 * limit * p.radius, 3.0 * limit * p.radius),
    ):
        run.check(f"largest {name} with an equilibrium", capacity(p, force, torque, most), exact,
                  unit="N" if name == "force" else "N m", tolerance=0.01 * most,
                  kind="closed_form", source=SOURCE, formula=True)  # fmt: skip
    pulled = 1e6 * mixed.x[:, 0], mixed.t
    figure = fc.view.loops_plot([("force and moment together", {"u_x": pulled}, {})],
                              "displacement / µm", "load factor")  # fmt: skip
    run.figure("load_factor", figure)


def balanced(
    run: fc.Run[Tripod], p: Tripod, path: fc.LoadPath, force: fc.Floats, moment: float
) -> None:
    """Forces of partial slip balance the load and obey the limit."""
    contact = path.increments[-1].contacts["contact"]
    slipping = len(contact.sliding)
    run.check("points that slip under force and moment", slipping, (1, 2), relation="in",
              kind="trend", source="partial slip", formula=True)  # fmt: skip
    missing = abs(contact.traction.sum(axis=0) + force).max()
    torque = np.cross(p.points, contact.traction).sum(axis=0)[2] + moment
    size = np.linalg.norm(contact.traction, axis=1).max() / (p.mu * p.normal_force)
    run.check("imbalance of force and moment", float(max(missing, abs(torque))), 0.0, unit="N",
              tolerance=1e-6, kind="closed_form", source="equilibrium", formula=True)  # fmt: skip
    run.check("largest traction over mu N", float(size), 1.0, tolerance=1e-12, kind="closed_form",
              source="Stamm 1.3", formula=True)  # fmt: skip


CASE = fc.Case(
    title="three contact points: unique stick forces, partial slip, limit load",
    verifies=("Stamm T1 (static part)",),
    parameters=Tripod(),
    run=main,
    quick_s=8,
)

if __name__ == "__main__":
    CASE.main(__file__)
