"""Dofs and inertia that a rigid body can have."""

from __future__ import annotations

import numpy as np

from fecontact.body.marker import Vector
from fecontact.errors import FINITE, InputError, check, one_of, warn_unusual
from fecontact.typing import Floats

__all__ = [
    "DOFS",
    "ROTATIONS",
    "TRANSLATIONS",
    "check_dofs",
    "check_inertia",
    "check_position",
    "warn_inertia",
    "warn_speed",
]

TRANSLATIONS = ("ux", "uy", "uz")
ROTATIONS = ("rx", "ry", "rz")
DOFS = TRANSLATIONS + ROTATIONS
ALL = (*DOFS, "spin")

LARGEST_REACH = 30.0
"""Radius of gyration in m of a body that is larger than a machine."""

FARTHEST = 30.0
"""Coordinate in m of the centre of mass of a part that stands far off."""

FASTEST = 2500.0
"""Spin in rad/s that only spindles and turbines have."""

SETS_OF_ROTATIONS = ((), ("rx",), ("ry",), ("rz",), ("rx", "ry"), ROTATIONS)


def check_dofs(name: str, dofs: tuple[str, ...], spin: float) -> None:
    """Raise if a body cannot have these dofs, or not with a prescribed spin."""
    if isinstance(dofs, str):
        raise InputError(f"{name}: invalid dofs = '{dofs}': expected a tuple, such as ('{dofs}',)")
    for dof in dofs:
        check(f"{name}: dof", dof, one_of(ALL))
    if list(dofs) != sorted(set(dofs), key=ALL.index):
        raise InputError(
            f"{name}: invalid dofs = {dofs}: expected each at most once, in the order "
            f"{', '.join(ALL)}"
        )
    rotations = tuple(f for f in dofs if f in ROTATIONS)
    if rotations not in SETS_OF_ROTATIONS:
        raise InputError(
            f"{name}: invalid dofs = {dofs}: expected no rotation, one, all three, "
            "or the tilts rx, ry"
        )
    free = "spin" in dofs
    if (free or spin) and rotations not in ((), ("rx", "ry")):
        shown = "the dof 'spin'" if free else f"spin = {spin} rad/s"
        raise InputError(f"{name}: {shown} needs a body without rotations but rx, ry")
    if free and spin:
        raise InputError(
            f"{name}: invalid spin = {spin} rad/s: expected none beside the dof 'spin'"
        )


def warn_inertia(name: str, mass: float, J: Floats) -> None:
    """Warn of an inertia J (3, 3) that looks as if given in kg mm^2."""
    reach = float(np.sqrt(np.linalg.eigvalsh(J).max() / mass))
    if reach > LARGEST_REACH:
        warn_unusual(
            f"{name}: inertia of {np.trace(J) / 3.0:.3g} kg m^2 is unusual for {mass:g} kg: its "
            f"radius of gyration is {reach:.3g} m",
            "given in kg mm^2? Then write it times 1e-6",
        )


def warn_speed(name: str, speed: float) -> None:
    """Warn of an angular velocity in rad/s that looks as if given in rpm."""
    if abs(speed) > FASTEST:
        warn_unusual(
            f"{name} = {speed:g} rad/s is unusual: it is {speed * 30.0 / np.pi:.4g} rpm",
            f"given in rpm? Then write {speed * np.pi / 30.0:.6g}",
        )


def check_position(name: str, position: Vector) -> None:
    """Raise if a position is not three finite numbers."""
    if np.shape(position) != (3,):
        raise InputError(f"{name}: invalid position = {position}: expected three components")
    for value in position:
        check(f"{name}: position", value, FINITE, "m")
        if abs(value) > FARTHEST:
            warn_unusual(
                f"{name}: position = {value:g} m is unusual for a part of a machine",
                f"given in mm? Then write {value / 1e3:g}",
            )


def check_inertia(name: str, J: Floats, axisymmetric: bool) -> None:
    """Raise if a tensor J is no inertia, or not that of a body of revolution about z."""
    if J.shape != (3, 3) or not np.isfinite(J).all() or not np.allclose(J, J.T):
        raise InputError(
            f"{name}: invalid inertia = {J.tolist()}: expected three principal moments or a "
            "symmetric 3 x 3 tensor"
        )
    low, middle, high = np.linalg.eigvalsh(J)
    if low <= 0.0 or low + middle < high * (1.0 - 1e-12):
        moments = f"({low:.4g}, {middle:.4g}, {high:.4g})"
        raise InputError(
            f"{name}: invalid principal moments of inertia = {moments} kg m^2: expected each > 0 "
            "and not larger than the sum of the other two"
        )
    about_z = np.diag([J[0, 0], J[0, 0], J[2, 2]])
    if axisymmetric and not np.allclose(J, about_z, rtol=0.0, atol=1e-12 * high):
        raise InputError(
            f"{name}: dofs without 'rz' but with tilts or spin need a body that is "
            f"axisymmetric about z; its inertia is {J.tolist()}"
        )
