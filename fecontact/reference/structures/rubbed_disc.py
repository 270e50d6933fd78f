"""Disc that spins below a small pad: growth of its waves by first-order perturbation."""

from __future__ import annotations

from fecontact.errors import POSITIVE, at_least, check

__all__ = ["pad_on_disc"]


def pad_on_disc(
    diameters: int,
    omega: float,
    deflection: float,
    slope: float,
    *,
    radius: float,
    thickness: float,
    speed: float,
    contact_stiffness: float,
    preload: float,
    friction: float,
) -> tuple[float, float]:
    """Growth rate in 1/s of the two waves, and the damping in 1/s that friction gives to both.

        sigma = mu k f^2 (c h + 2 N)/(8 R omega),      delta = mu N (h f'/2)^2/(4 R Omega)

    The wave that runs against the disc grows with sigma - delta, the other one with -sigma - delta
    (or the other way round), as long as the spin parts them more than the pad does.

    Parameters
    ----------
    diameters
        Nodal diameters k of the doublet.
    omega
        Its angular frequency at rest in rad/s.
    deflection, slope
        f and its radial derivative f' at the pad, of the shape with unit modal mass.
    radius, thickness
        R of the pad and h of the disc in m.
    speed
        Omega of the disc in rad/s.
    contact_stiffness, preload, friction
        c of the pad in N/m, N in N, and mu.

    Examples
    --------
    Without friction nothing grows.

    >>> about = dict(radius=0.1, thickness=0.01, speed=100.0, preload=10.0)
    >>> pad_on_disc(2, 5000.0, 1.5, 30.0, **about, contact_stiffness=1e4, friction=0.0)
    (0.0, 0.0)
    """
    check("diameters", diameters, at_least(1))
    for name, value in (("omega", omega), ("radius", radius), ("speed", speed)):
        check(name, value, POSITIVE)
    lever = contact_stiffness * thickness + 2.0 * preload
    growth = friction * diameters * deflection**2 * lever / (8.0 * radius * omega)
    across = friction * preload / (speed * radius) * (0.5 * thickness * slope) ** 2 / 4.0
    return growth, across
