"""Disc wedged between two flanks under a slowly rising torque.

A disc (R, weight G) lies between flanks inclined by theta. In the rigid model the stick forces form
a one-parameter family; for tan(theta) > 1/mu sticking is possible at any torque, while sliding is
possible from

    M_0 = G R mu/((1 + mu^2) cos(theta))                                         (Stamm 1.20)

on. Springs c_n and bristles c_t on the flanks decide. While both flanks stick, small motions give

    y   = -G/(2 (c_n cos^2 + c_t sin^2)),
    phi = M (c_n sin^2 + c_t cos^2)/(2 c_n c_t R^2 sin^2) .

The flanks carry the contact points, the disc is the round master surface. What happens above M_0
depends on c_t/c_n and on the history: it is recorded, not asserted.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import cos, pi, sin, tan

import numpy as np

import fecontact as fc

SOURCE = "Stamm 2011, (1.13) to (1.20)"
ANGLE = fc.Allowed("between 0 and pi/2", lambda x: 0.0 < x < 0.5 * pi)


@dataclass(frozen=True)
class Wedge(fc.Parameters):
    """Disc of the source notes with stiff flanks."""

    mass: float = fc.quantity(1.0, "kg", fc.POSITIVE)
    radius: float = fc.quantity(0.1, "m", fc.POSITIVE)
    theta: float = fc.quantity(3.0 * pi / 8.0, "rad", ANGLE)
    gravity: float = fc.quantity(9.81, "m/s^2", fc.POSITIVE)
    mu: float = fc.quantity(0.5, "", fc.POSITIVE)
    stiffness: float = fc.quantity(1e8, "N/m", fc.POSITIVE)
    bristle_share: float = fc.quantity(0.1, "", fc.POSITIVE)

    def validate(self) -> None:
        """The disc must stick under its weight alone, for the closed form."""
        if self.bristle_share * tan(self.theta) > self.mu:
            raise fc.InputError(
                f"bristle_share = {self.bristle_share} is not possible: c_t/c_n tan(theta) must "
                f"not exceed mu = {self.mu}, or the disc slips under its weight"
            )

    @property
    def weight(self) -> float:
        """Weight in N."""
        return self.mass * self.gravity

    @property
    def sliding_torque(self) -> float:
        """M_0 in N m."""
        return self.weight * self.radius * self.mu / ((1.0 + self.mu**2) * cos(self.theta))


def wedged(p: Wedge, most: float) -> fc.StaticSystem:
    """Weight in the first second, torque up to `most` M_0 in the second."""
    disc = fc.RigidBody("disc", p.mass, ("ux", "uy", "rz"), (1.0, 1.0, 0.5 * p.mass * p.radius**2))
    flanks = fc.RigidBody("flanks", 1.0, ())
    face = fc.RigidFace(disc, fc.Cylinder(p.radius))
    contacts = [
        fc.ContactPair(
            flanks,
            fc.Surface(
                p.radius * np.array([[side * sin(p.theta), -cos(p.theta), 0.0]]), np.ones(1)
            ),
            face,
            fc.PenaltyNormal(p.stiffness),
            fc.ElastoPlastic(p.mu, p.bristle_share * p.stiffness),
            name,
        )
        for name, side in (("right", 1.0), ("left", -1.0))
    ]
    weight = fc.Force(disc, (0.0, -p.weight, 0.0), name="weight", factor=fc.ramp(1.0))
    torque = fc.Torque(disc, (0.0, 0.0, most * p.sliding_torque), factor=fc.ramp(1.0, start=1.0))
    return fc.StaticSystem(fc.System([disc, flanks], [*contacts, weight, torque]))


def main(run: fc.Run[Wedge]) -> None:
    """Stick against the closed form, then up to M_0 and beyond."""
    p = run.parameters
    c, s, R, cn = cos(p.theta), sin(p.theta), p.radius, p.stiffness
    ct = p.bristle_share * cn
    run.check("M_0", p.sliding_torque, 1.025391, unit="N m", tolerance=1e-6, kind="digest",
              source=SOURCE)  # fmt: skip
    rough = replace(p, mu=1.05)
    run.check("M_0 for mu = 1.05", rough.sliding_torque, 1.280214, unit="N m", tolerance=1e-6,
              kind="digest", source=SOURCE)  # fmt: skip
    for each in (p, rough):
        run.check(f"mu R (N_1 + N_2) of steady sliding, mu = {each.mu:g}", sliding(each),
                  each.sliding_torque, unit="N m", tolerance=1e-12, kind="closed_form",
                  source="Stamm 1.13 with 1.20", formula=True)  # fmt: skip
    path = fc.load_path(wedged(p, 0.2), [0.5, 1.0, 1.5, 2.0])
    settled, turned = path.x[1], path.x[3]
    compliance = (cn * s**2 + ct * c**2) / (2.0 * cn * ct * R**2 * s**2)
    rows = (
        ("settlement y", float(settled[1]), -p.weight / (2.0 * (cn * c**2 + ct * s**2)), "m"),
        ("rotation at 0.2 M_0", float(turned[2]), 0.2 * p.sliding_torque * compliance, "rad"),
    )
    for name, computed, exact, unit in rows:
        run.check(name, computed, exact, unit=unit, tolerance=1e-4 * abs(exact), formula=True,
                  kind="closed_form", source="springs and bristles, linear")  # fmt: skip
    steps = 40 if run.quick else 200
    rising = followed(p, 2.0, steps)
    torque = 2.0 * p.sliding_torque * np.clip(rising.t - 1.0, 0.0, 1.0)
    below = torque <= p.sliding_torque
    excess = float((rising.x[below, 2] / compliance).max() / p.sliding_torque)
    run.check("rotation below M_0 over elastic rotation at M_0", excess, 3.0, relation="le",
              kind="trend", source="below M_0 only bristles move", formula=True)  # fmt: skip
    other = followed(p, 2.0, 2 * steps)
    same = min(len(rising.t), (len(other.t) + 1) // 2)
    change = abs(other.x[1::2][: same - 1, 2] - rising.x[: same - 1, 2]).max()
    run.check("change of the rotation with half the increments", float(change), 0.0, unit="rad",
              tolerance=1e-6 * compliance * p.sliding_torque, kind="cross_method",
              source="unique state", formula=True)  # fmt: skip
    run.note(outcome(p, rising, torque))
    figure = fc.view.loops_plot(
        [("rising torque", {"disc": (1e6 * rising.x[:, 2], torque / p.sliding_torque)},
          {"both flanks stick": (1e6 * compliance * torque[::5], torque[::5] / p.sliding_torque)})],
        "rotation / µrad", "torque over M_0",
    )  # fmt: skip
    run.figure("rotation", figure)


def sliding(p: Wedge) -> float:
    """Torque of the balance of weight and two sliding flanks, from their normal forces."""
    c, s, mu = cos(p.theta), sin(p.theta), p.mu
    balance = np.array([[-s - mu * c, s - mu * c], [c - mu * s, c + mu * s]])
    normal = np.linalg.solve(balance, np.array([0.0, p.weight]))
    return mu * p.radius * float(normal.sum())


def followed(p: Wedge, most: float, steps: int) -> fc.LoadPath:
    """Path of the torque as far as there is an equilibrium."""
    try:
        return fc.load_path(wedged(p, most), np.linspace(0.0, 2.0, 2 * steps + 1)[1:])
    except fc.LoadPathError as error:
        return error.path


def outcome(p: Wedge, path: fc.LoadPath, torque: np.ndarray) -> str:
    """What the disc does above M_0, in words."""
    share = torque[-1] / p.sliding_torque
    if path.complete:
        return f"The disc still sticks at {share:.2f} M_0: bristles and springs jam it."
    return f"The last equilibrium is at {share:.3f} M_0; above it the disc turns."


CASE = fc.Case(
    title="wedged disc: unique statics under a rising torque",
    verifies=("Stamm T2",),
    parameters=Wedge(),
    run=main,
    quick_s=5,
)

if __name__ == "__main__":
    CASE.main(__file__)
