"""Plausible penetration and stiffness of a contact, against what it is pressed into.

A penalty or a layer law takes deformations as small: pressed in by more than a fifth of a layer, of
a plate or of the size of the contact itself, it answers with numbers that mean nothing. The usual
cause is a stiffness in N/m where N/m^3 are meant.
"""

from __future__ import annotations

from math import pi

import numpy as np

from fecontact.body.base import as_body
from fecontact.contact.laws.base import NormalLaw
from fecontact.contact.laws.penalty import PenaltyNormal
from fecontact.contact.surface.points import Surface
from fecontact.errors import warn_unusual
from fecontact.typing import Body

__all__ = ["deep", "thinnest", "warn_stiff"]

SHALLOW = 0.2
"""Fraction of the thickness up to which points are pressed in by little."""

FASTEST = 1e6
"""Frequency in Hz of a mass on its contact that no time step resolves."""

STIFFEST = 1e4
"""Stiffness of a penalty over that of the elastic body behind it above which it only costs."""


def thinnest(normal: NormalLaw, surface: Surface, bodies: tuple[Body, ...]) -> tuple[float, str]:
    """Smallest length in m that a contact is pressed into, and what it is."""
    found = [(float(np.ptp(surface.points, axis=0).max()) or np.inf, "the contact surface")]
    if hasattr(normal, "thickness"):
        found.append((float(normal.thickness), "the layer"))
    plates = [(body.name, as_body(body).thickness) for body in bodies]
    found += [(float(thickness), f"the plate '{name}'") for name, thickness in plates]
    return min(found)


def deep(name: str, gap: float, within: tuple[float, str]) -> str:
    """In words, that points up to this lowest gap are pressed in deep; empty if they are not."""
    depth, (size, what) = max(-float(gap), 0.0), within
    if depth <= SHALLOW * size:
        return ""
    return (
        f"contact '{name}': points are pressed in by {depth:.3g} m, {depth / size:.0%} of {what} "
        f"({size:.3g} m), which small deformations exclude; is the load too large, or the "
        "stiffness too small (in N/m where N/m^3 are meant)?"
    )


def warn_stiff(name: str, law: NormalLaw, surface: Surface, bodies: tuple[Body, ...]) -> None:
    """Warn of a penalty so stiff that it adds round-off and small steps, and nothing else."""
    if not isinstance(law, PenaltyNormal) or np.isfinite(law.thickness):
        return
    stiffness = law.stiffness * surface.measure
    masses = [
        float(getattr(body, "mass", np.inf)) for body in bodies if as_body(body).rigid and body.dofs
    ]
    frequency = np.sqrt(stiffness / min(masses)) / (2.0 * pi) if masses else 0.0
    given = f"{name}: contact stiffness {law.stiffness:.3g} N/m^3 is unusual"
    if frequency > FASTEST:
        warn_unusual(
            f"{given}: on {surface.measure:.3g} m^2 a mass of {min(masses):g} kg swings at "
            f"{frequency:.2g} Hz",
            "steps become tiny and forces round-off; take it from regularise() or penalty_for()",
        )
        return
    ratio = stiffness * _compliance(surface, bodies[0])
    if ratio > STIFFEST:
        warn_unusual(
            f"{given}: it is {ratio:.2g} times as stiff as the body '{bodies[0].name}' behind it",
            f"{1e3 * law.stiffness / ratio:.2g} adds 0.1 % to its deformation and costs no "
            "round-off and no tiny steps; see penalty_for()",
        )


def _compliance(surface: Surface, body: Body) -> float:
    """Mean deflection in m of the surface of an elastic body under 1 N spread over it."""
    if surface.shapes is None or surface.normals is None:
        return 0.0
    fraction = surface.weights / surface.measure
    force = np.einsum("p,pi,pim->m", fraction, surface.normals, surface.shapes)
    return as_body(body).compliance(force)
