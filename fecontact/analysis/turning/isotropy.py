"""Whether all of a system is the same at every angle about z, but for what turns with the frame.

In a frame that turns with a body, forces, tangents and constraints about a motion at rest have to
be constant. They are compared at some angles of a turn, in no simple ratio to each other.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fecontact.analysis.turning.balance import Balanced
from fecontact.errors import InputError
from fecontact.system.constraints.metric import row_metric
from fecontact.typing import Floats

__all__ = ["check_isotropic"]

ANGLES = (0.731, 1.93, 3.37, 5.19)
"""Angles in rad, within a turn."""

SAME = 1e-6
"""Relative change that is none."""


def check_isotropic(found: Balanced) -> None:
    """Raise if an item or a constraint is not the same at all angles in the frame."""
    first = _seen(found, 0.0)
    scale = np.abs(first.forces).sum(axis=0)
    for angle in ANGLES:
        then = _seen(found, angle / found.description.frame_speed)
        _compare_forces(found, first.forces, then.forces, scale)
        for name, matrices in first.tangents.items():
            changes = [_change(*both) for both in zip(matrices, then.tangents[name], strict=True)]
            if max(changes) > SAME:
                what = ("stiffness", "damping")[int(np.argmax(changes))]
                raise _not_isotropic(name, f"its {what} changes by the fraction {max(changes):.1e}")
        for name, rows in first.rows.items():
            away = float(np.linalg.norm(then.rows[name] - rows, 2)) if rows.size else 0.0
            if away > SAME:
                raise _not_isotropic(name, f"its rows turn by the sine {away:.1e}")


class _Seen(NamedTuple):
    """Forces (items, n), tangents by item, and projectors on constraint rows by name."""

    forces: Floats
    tangents: dict[str, tuple[Floats, Floats]]
    rows: dict[str, Floats]


def _seen(found: Balanced, t: float) -> _Seen:
    """What acts at a time, in the coordinates of the frame."""
    description, system, y = found.description, found.description.system, found.moved.y[0]
    state, B = description.state(t, y, np.zeros_like(y)), description.turn(t)
    mass = B.T @ system.mass_matrix(state.q) @ B
    tangents = {"mass": (mass, np.zeros_like(mass))}
    for item in system.items:
        own, local = B[system.block(item.name)], system.local(item, state)
        by_q, by_v = (
            own.T @ system.fold(item.name, part, 0, 1) @ own
            for part in item.tangents(state.t, *local)
        )
        tangents[item.name] = by_q, by_v
    rows = {}
    if system.constraints:
        found_rows = system.constraint(state)
        for part in found_rows.parts:
            A = np.zeros_like(found_rows.jacobian[part.rows])
            A[:, part.columns] = found_rows.jacobian[part.rows, part.columns]
            right = row_metric(mass, A @ B).right
            rows[part.constraint.name] = right.T @ right
    return _Seen(system.forces(state) @ B, tangents, rows)


def _compare_forces(found: Balanced, one: Floats, two: Floats, scale: Floats) -> None:
    weights = 1.0 / np.sqrt(np.diag(found.description.system.mass_matrix(found.moved.states[0].q)))
    allowed = SAME * np.linalg.norm(scale * weights)
    changes = np.linalg.norm((two - one) * weights, axis=1)
    if changes.max(initial=0.0) > allowed:
        item = found.description.system.items[int(np.argmax(changes))]
        raise _not_isotropic(item.name, "its force changes with the angle")


def _change(one: Floats, two: Floats) -> float:
    size = float(np.linalg.norm(one))
    return float(np.linalg.norm(two - one)) / size if size else float(np.linalg.norm(two) > 0.0)


def _not_isotropic(name: str, how: str) -> InputError:
    return InputError(
        f"invalid frame = rotating: expected all but the turning body to be the same at every "
        f"angle about z; '{name}' is not, {how}; use frame = 'axisymmetric' or 'floquet'"
    )
