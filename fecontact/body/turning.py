"""How the coordinates of a body go with a rotation of the whole motion about the z axis.

Coordinates stand in space, as the displacements of a shaft, or ride with axes that turn with the
material, as the elastic ones of a body in a turning frame. If the motion is turned by an angle psi
as seen in these axes, a step of the dofs turns to exp(psi G) step; G is a generator for each kind.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from fecontact.errors import InputError
from fecontact.typing import Floats

__all__ = ["NO_DOFS", "Turning", "free_turning", "rigid_turning", "waves_turning"]

TURNED = (("ux", "uy"), ("rx", "ry"))
"""Dofs that turn into each other."""

NO_DOFS = slice(0, 0)


class Turning(NamedTuple):
    """How n dofs turn about z.

    Attributes
    ----------
    space
        Gives the generator (n, n) of the dofs that stand in space; raises if they do not turn into
        each other.
    riding
        The same of the dofs that ride.
    spin
        Speed in rad/s at which the axes of the riding dofs turn.
    rotations
        Dofs of the rotations about turning axes, which are composed; none if they add up.
    axes : (3, b)
        Directions of these rotations in the axes of the body.
    """

    space: Callable[[], Floats]
    riding: Callable[[], Floats]
    spin: float
    rotations: slice = NO_DOFS
    axes: Floats = np.zeros((3, 0))


def waves_turning(waves: Callable[[], Floats], spin: float) -> Turning:
    """Turning of elastic coordinates that ride with a frame of the given speed; 0: they stand."""

    def still() -> Floats:
        return np.zeros_like(waves())

    return Turning(still, waves, spin) if spin else Turning(waves, still, 0.0)


def free_turning(n: int, waves: Callable[[], Floats], spin: float) -> Turning:
    """Turning of an elastic body with a free frame: displacements stand, all else rides."""

    def riding() -> Floats:
        G = _about_z(n, 3)
        G[6:, 6:] = waves()
        return G

    return Turning(lambda: _about_z(n, 0), riding, spin, slice(3, 6), np.eye(3))


def rigid_turning(name: str, dofs: tuple[str, ...], axes: Floats, v: Floats) -> Turning:
    """Turning of a rigid body; `axes` (3, b) are the directions of its rotations."""
    n, count = len(dofs), axes.shape[1]
    rides = count == 3
    first = dofs.index("rx") if count > 1 else 0
    rotations = slice(first, first + count) if count > 1 else NO_DOFS

    def space() -> Floats:
        G = np.zeros((n, n))
        for pair in TURNED[: 1 if rides else 2]:
            found = [dofs.index(dof) for dof in pair if dof in dofs]
            if len(found) == 1:
                raise InputError(
                    f"invalid body '{name}' in a turning frame: expected both of "
                    f"{' and '.join(pair)}, or none"
                )
            if found:
                G[found[0], found[1]], G[found[1], found[0]] = -1.0, 1.0
        return G

    def riding() -> Floats:
        return _about_z(n, first) if rides else np.zeros((n, n))

    return Turning(space, riding, float(v[first + 2]) if rides else 0.0, rotations, axes)


def _about_z(n: int, first: int) -> Floats:
    """Generator (n, n) of the turn of a vector whose x and y are two dofs in turn."""
    G = np.zeros((n, n))
    G[first, first + 1], G[first + 1, first] = -1.0, 1.0
    return G
