"""Tangents of a sliding contact, split by their cause.

With F = A (p n + T) on the slave, J the relative Jacobian, and T = -mu p e along the slip e,

    normal stiffness        J^T A n (dp/dg) dg
    normal damping          J^T A n (dp/dg') dg'        by q: the damping of a turning contact
    normal direction        A p (J^T dn + dJ^T n)       the pressure follows the surface
    friction by pressure    J^T A (dT/dp) dp            mode coupling
    friction by direction   -J^T A (mu p/|s|) (I - e e^T) ds     friction turns with the slip
    friction by speed       -J^T A p mu'(|s|) e e^T ds  falling or rising coefficient
    friction lever          dJ^T A T                    friction follows the surface

They add up to the tangents of the pair.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from fecontact.contact.kinematics.relative import ContactKinematics
from fecontact.typing import Floats, Tangents

__all__ = ["SLIDING_TERMS", "sliding_terms"]

SLIDING_TERMS = (
    "normal stiffness",
    "normal damping",
    "normal direction",
    "friction by pressure",
    "friction by direction",
    "friction by speed",
    "friction lever",
)

Law = tuple[Floats, Floats, Floats]


def sliding_terms(
    at: ContactKinematics, weights: Floats, pressure: Law, traction: Law
) -> dict[str, Tangents]:
    """Parts (df/dq, df/dv) of the generalised force by name, `SLIDING_TERMS`.

    Parameters
    ----------
    at
        Kinematics of the points.
    weights : (p,)
        Their areas.
    pressure, traction
        Values with derivatives, as the laws give them: p by gap and gap rate, T by p and slip.
    """
    p, p_gap, p_rate = pressure
    T, T_pressure, T_slip = traction
    n, none = at.normal, np.zeros_like(at.normal)
    speed = np.linalg.norm(at.slip, axis=1)
    e = at.slip / np.where(speed > 0.0, speed, 1.0)[:, None]
    along = np.einsum("pi,pij,pj->p", e, T_slip, e)[:, None, None] * e[:, :, None] * e[:, None, :]

    def term(changes: tuple[Floats, Floats], turned: Floats | None = None) -> Tangents:
        """Tangents of changes of the point forces per area, and of forces that follow."""
        fixed = none if turned is None else weights[:, None] * turned
        by_q, by_v = (weights[:, None, None] * change for change in changes)
        return at.tangent(fixed, by_q, turned is not None), at.tangent(fixed, by_v, False)

    def outer(vector: Floats, factor: Floats, field: str) -> tuple[Floats, Floats]:
        """Changes vector (factor d field) by q and v."""
        by_q, by_v = (
            vector[:, :, None] * (factor[:, None] * getattr(change, field))[:, None, :]
            for change in (at.by_q, at.by_v)
        )
        return by_q, by_v

    still = np.zeros_like(at.jacobian)
    by_gap, by_rate = outer(T_pressure, p_gap, "gap"), outer(T_pressure, p_rate, "gap_rate")
    parts: Mapping[str, Tangents] = {
        "normal stiffness": term(outer(n, p_gap, "gap")),
        "normal damping": term(outer(n, p_rate, "gap_rate")),
        "normal direction": term((p[:, None, None] * at.by_q.normal, still), p[:, None] * n),
        "friction by pressure": term((by_gap[0] + by_rate[0], by_gap[1] + by_rate[1])),
        "friction by direction": term(
            ((T_slip - along) @ at.by_q.slip, (T_slip - along) @ at.by_v.slip)
        ),
        "friction by speed": term((along @ at.by_q.slip, along @ at.by_v.slip)),
        "friction lever": term((still, still), T),
    }
    return dict(parts)
