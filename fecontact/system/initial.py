"""States from names of dofs, and checks of given states."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from fecontact.errors import FINITE, InputError, check
from fecontact.system.assembly import Assembly
from fecontact.system.names import dof_index
from fecontact.system.state import State

__all__ = ["check_state", "named_state"]


def named_state(
    assembly: Assembly, q: Mapping[str, float], v: Mapping[str, float], t: float = 0.0
) -> State:
    """State with some positions and velocities given by name; the others are those of rest.

    Positions are increment of the dofs from the reference position: displacements, an angle, or
    the rotation vector (rx, ry, rz) of a body with three rotations.
    """
    check("time", t, FINITE, "s")
    step, speed = np.zeros((2, assembly.size))
    for kind, given, target in (("q", q, step), ("v", v, speed)):
        for name, value in given.items():
            check(f"{kind}['{name}']", value, FINITE)
            target[dof_index(assembly, name)] = value
    return replace(assembly.rest(), t=float(t), q=assembly.move(assembly.rest().q, step), v=speed)


def check_state(assembly: Assembly, state: State) -> None:
    """Raise an `InputError` if a state has the wrong size or is not finite."""
    check("time", state.t, FINITE, "s")
    sizes = (("q", state.q, len(assembly.rest().q)), ("v", state.v, assembly.size))
    for kind, values, size in sizes:
        if np.shape(values) != (size,):
            raise InputError(f"invalid {kind} of shape {np.shape(values)}: expected ({size},)")
        for body in assembly.bodies:
            part = values[(assembly.q_slices if kind == "q" else assembly.slices)[body.name]]
            if not np.isfinite(part).all():
                raise InputError(
                    f"invalid {kind} of body '{body.name}' = {part.tolist()}: expected finite "
                    "numbers"
                )
    assembly.history_layout.check(state)
