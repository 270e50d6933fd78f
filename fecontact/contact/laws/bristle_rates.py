"""Rate of bristles: what it allows, its value and derivatives at the end of a time step."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fecontact.contact.laws.friction import FrictionTangent
from fecontact.errors import POSITIVE, InputError, check
from fecontact.typing import Floats

__all__ = ["beyond", "check_decay", "d_beyond", "outer", "split", "where_closed"]


def check_decay(decay: float, onset: float) -> None:
    """Refuse a relaxation rate nu that makes the friction of sliding bristles push.

    They lose beta (nu d^2 - (nu - 1) d) |s| S at the share d >= d_1 of the limit, along the slip.
    """
    check("decay", decay, POSITIVE)
    if decay > 1.0 and decay * (1.0 - onset) > 1.0 + 1e-12:
        raise InputError(
            f"decay = {decay} with onset = {onset} is not possible: such bristles create energy; "
            "decay must be at most 1, or 1/(1 - onset) with an onset"
        )


def beyond(z: Floats, slip: Floats, dx: Floats, lost: Floats, back: Floats, h: float) -> Floats:
    """Rate of z at the end of a step less (z - z_tr)/h (p, 3), see `bristles.Bristles.step`."""
    ds, (size, e) = slip - dx / h, split(z)
    faster = np.linalg.norm(slip, axis=1) - np.linalg.norm(dx, axis=1) / h
    across = size[:, None] * ds - np.sum(e * ds, axis=1)[:, None] * z
    return slip - lost[:, None] * ds - back[:, None] * (faster[:, None] * z + across)


def d_beyond(
    z: Floats, slip: Floats, dx: Floats, lost: Floats, back: Floats, h: float
) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """Derivatives by z (p, 3, 3), `lost`, `back` (p, 3), ds (p, 3, 3) and |s| - |dx|/h (p, 3).

    That by ds is taken at s = ds + dx/h, with the part dx/h of s left out.
    """
    ds, (size, e), eye = slip - dx / h, split(z), np.eye(3)
    faster = np.linalg.norm(slip, axis=1) - np.linalg.norm(dx, axis=1) / h
    along, k = np.sum(e * ds, axis=1), back[:, None, None]
    turn = outer(ds, e) - outer(e, ds - along[:, None] * e)
    return (
        -k * ((faster - along)[:, None, None] * eye + turn),
        -ds,
        -(faster - along)[:, None] * z - size[:, None] * ds,
        (1.0 - lost)[:, None, None] * eye - k * (size[:, None, None] * eye - outer(z, e)),
        -back[:, None] * z,
    )


def split(vectors: Floats) -> tuple[Floats, Floats]:
    """Lengths (p,) and directions (p, 3)."""
    length = np.linalg.norm(vectors, axis=1)
    return length, vectors / np.where(length > 0.0, length, 1.0)[:, None]


def outer(a: Floats, b: Floats) -> Floats:
    """Products (p, 3, 3) of vectors."""
    return np.asarray(a[:, :, None] * b[:, None, :])


def where_closed(closed: npt.NDArray[np.bool_], tangent: FrictionTangent) -> FrictionTangent:
    """Tangent of the closed points; an open one carries nothing."""
    mask = closed.astype(float)
    shift = tangent.by_shift
    return FrictionTangent(
        by_z=mask[:, None, None] * tangent.by_z,
        by_slip=mask[:, None, None] * tangent.by_slip,
        by_pressure=mask[:, None] * tangent.by_pressure,
        by_shift=None if shift is None else mask[:, None, None] * shift,
    )
