"""States from joint coordinates: angles, strokes, lengths."""

from __future__ import annotations

from collections.abc import Mapping

from fecontact.joint.coordinate import Coordinate
from fecontact.joint.motion_law import Speed
from fecontact.joint.prescribed import PrescribedMotion
from fecontact.system.constraints.projection import Projector
from fecontact.system.state import State
from fecontact.system.system import System

__all__ = ["posed"]

TOLERANCE = 1e-13
"""Largest residual of a position row, in its unit; round-off of bodies of the size 1 m."""


def posed(
    system: System,
    values: Mapping[Coordinate, float],
    rates: Mapping[Coordinate, float] | None = None,
    guess: State | None = None,
) -> State:
    """State on the constraints in which joint coordinates have given values and rates.

    Parameters
    ----------
    system
        Its bodies and joints.
    values, rates
        Coordinate -> value in m or rad, and rate in m/s or rad/s, zero where not given.
    guess
        First guess, by default the reference position at rest. What the coordinates leave open is
        taken from there, with the least change in the metric of the mass.

    Raises
    ------
    SolverError
        If the joints do not allow these values, or no way leads there from the guess.

    Examples
    --------
    >>> from fecontact.body import DOFS, RigidBody
    >>> from fecontact.joint import Revolute
    >>> arm = RigidBody("arm", 1.0, DOFS, (0.1, 0.1, 0.1))
    >>> hinge = Revolute(None, arm, point_b=(0.0, 0.0, 1.0), axis="x")
    >>> state = posed(System([arm], [hinge]), {hinge.angle: 0.5}, {hinge.angle: 2.0})
    >>> round(hinge.angle.value(state.q), 12), (state.v[3:].round(12) + 0.0).tolist()
    (0.5, [2.0, 0.0, 0.0])
    """
    start, rates = guess or system.rest(), rates or {}
    drives = []
    for index, (coordinate, value) in enumerate(values.items()):
        speed = rates.get(coordinate, 0.0)
        law = Speed(speed, value - speed * start.t)
        drives.append(PrescribedMotion(coordinate, law, name=f"pose {index} of {coordinate.name}"))
    held = System(system.bodies, [*system.constraints, *drives])
    projector = Projector(held, tolerance=TOLERANCE)
    q = projector.position(start)
    return State(start.t, q, projector.velocity(State(start.t, q, start.v)))
