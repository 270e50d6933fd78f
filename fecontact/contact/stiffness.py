"""Choice of contact stiffness and damping, with the error that goes with it.

Two ways to choose. From the elastic body: a penalty acts like a thin layer of stiffness c_n over
the contact. At a given approach d it lowers the stored energy by int p^2/(2 c_n) dA, to first
order. With Hertz's pressure on the radius a this is E*^2 d^2/(pi c_n); its derivative by d is the
lost force. At a given force the approach then grows by the fraction

    e = E*/(pi a c_n) .

From the motion of interest: the contact must be stiffer than the motion up to the circular
frequency omega_c,

    c = omega_c^2 m_c/eps_c,   beta = 2 m_c sqrt(c/m_c),   eps_c = 1e-2 ... 1e-4 (Stamm 5.61, 5.62)

The event-driven method asks for more: the speed eps_k below which a point sticks, with its limits
(Stamm 5.71 to 5.75), and the angle psi_k at which a sliding point drops its bristle (Stamm 5.76).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, pi, sqrt
from typing import TYPE_CHECKING

from fecontact.contact.laws.elasto_plastic import ElastoPlastic
from fecontact.contact.laws.penalty import PenaltyNormal
from fecontact.contact.master.facets import mesh_facets
from fecontact.contact.patch.hertz import ContactModuli
from fecontact.errors import NON_NEGATIVE, POSITIVE, Allowed, check, renamed_keywords, warn_unusual

if TYPE_CHECKING:
    from skfem import Mesh

__all__ = [
    "DROP_ANGLE",
    "Penalty",
    "Regularisation",
    "check_penalty",
    "penalty_for",
    "penalty_on",
    "regularise",
]

SOFT = 0.1
"""Fraction of the approach above which a penalty is too soft."""

RESOLVED = 2.0
"""Radius, in cells, of the smallest contact that a mesh resolves."""

STIFF = 1e3
"""Stiffness of the penalty over that of a cell above which pressures oscillate between points."""

ERROR = 0.005
"""Fraction of the approach that an advised penalty adds."""

DROP_ANGLE = pi / 500
"""Angle psi_k in rad between friction and slip at which a bristle is dropped (Stamm 5.76)."""

FRACTION = Allowed("between 0 and 1 (both excluded)", lambda x: 0 < x < 1)


@dataclass(frozen=True)
class Penalty:
    """Penalty stiffness of an elastic contact.

    Attributes
    ----------
    normal, tangential
        c_n and c_t in N/m^3, in the ratio G*/E* of the elastic contact.
    error
        Fraction of the approach that the penalty adds.
    """

    normal: float
    tangential: float
    error: float

    def normal_law(self) -> PenaltyNormal:
        """Unilateral spring of this stiffness."""
        return PenaltyNormal(self.normal)

    def friction_law(self, mu: float) -> ElastoPlastic:
        """Elasto-plastic friction of this stiffness."""
        return ElastoPlastic(mu, self.tangential)


def penalty_for(
    pair: ContactModuli, radius: float, error: float = ERROR, cell: float | None = None
) -> Penalty:
    """Penalty that adds the fraction `error` to the approach of two elastic bodies.

    Parameters
    ----------
    pair
        Elastic constants of the two bodies.
    radius
        Radius of the contact in m, or half the width of the smallest contact of interest.
    error
        Allowed fraction of the approach.
    cell
        Size of the finite elements on the contact in m. If it is given, a penalty that is too
        stiff for them is warned of.

    Examples
    --------
    >>> steel = ContactModuli(210e9, 0.3)
    >>> choice = penalty_for(steel, radius=1e-3, error=0.01)
    >>> print(f"{choice.normal:.3e} {choice.tangential:.3e}")
    3.673e+15 3.025e+15
    """
    check("contact radius", radius, POSITIVE, "m")
    check("penalty error", error, FRACTION)
    normal = pair.modulus / (pi * radius * error)
    if cell is not None:
        check_penalty(normal, pair, radius, cell)
    return Penalty(normal, pair.shear_ratio * normal, error)


def penalty_on(pair: ContactModuli, mesh: Mesh, name: str, error: float = ERROR) -> Penalty:
    """Penalty of a meshed surface, from its material and the size of its facets.

    It adds about the fraction `error` to the approach of the smallest contact that the mesh
    resolves, whose radius is two of the finest cells; in larger ones the fraction falls with 1/a.
    On so few cells the pressure is not yet Hertz's: at 2 to 4 linear hexahedra the fraction is up
    to 1.3 times, in the mean 1.1 times the stated one.

    Parameters
    ----------
    pair
        Elastic constants of the two bodies.
    mesh, name
        Mesh of the slave and its contact surface; a cell is the root of the smallest facet area.
    error
        Allowed fraction of the approach; a warning is given if it makes the penalty too stiff for
        the cells.

    Examples
    --------
    >>> from fecontact.mesh import block
    >>> plate = block(0.3, 0.2, 0.05, cells=(30, 20, 5))
    >>> choice = penalty_on(ContactModuli(210e9, 0.3), plate, "z_min")
    >>> round(choice.normal / penalty_for(ContactModuli(210e9, 0.3), radius=0.02).normal, 12)
    1.0
    """
    facets = mesh_facets(mesh, name)
    areas = facets.quadrature()[1].reshape(len(facets.connectivity), -1).sum(axis=1)
    cell = sqrt(float(areas.min()))
    return penalty_for(pair, RESOLVED * cell, error, cell)


def check_penalty(
    stiffness: float,
    pair: ContactModuli,
    radius: float,
    cell: float | None = None,
    name: str = "contact",
) -> float:
    """Fraction of the approach that a penalty adds; warn if it is too soft or too stiff.

    Parameters
    ----------
    stiffness
        c_n in N/m^3.
    pair, radius, cell
        As for `penalty_for`.
    name
        Of the contact, for the warning.
    """
    check("contact stiffness", stiffness, POSITIVE, "N/m^3")
    check("contact radius", radius, POSITIVE, "m")
    error = pair.modulus / (pi * radius * stiffness)
    given = f"{name}: stiffness {stiffness:.3g} N/m^3 is"
    if error > SOFT:
        warn_unusual(
            f"{given} too soft: it adds {error:.0%} to the approach of half-spaces with a contact "
            f"of radius {radius:.3g} m",
            f"penalty_for() gives {pair.modulus / (pi * radius * ERROR):.2g}, which adds "
            f"{ERROR:.1%}",
        )
    if cell is not None:
        check("cell", cell, POSITIVE, "m")
        ratio = stiffness * cell / pair.modulus
        if ratio > STIFF:
            warn_unusual(
                f"{given} {ratio:.3g} times that of the cells of {cell:.3g} m: pressures will "
                "oscillate between the points",
                f"take at most {STIFF * pair.modulus / cell:.2g}, or refine the mesh",
            )
    return error


@dataclass(frozen=True)
class Regularisation:
    """Stiffness and damping of a contact from the motion of interest.

    Attributes
    ----------
    stiffness, damping
        c in N/m and beta in N s/m.
    frequency
        omega_reg = sqrt(c/m_c) in rad/s.
    relaxation
        Time beta/c = 2/omega_reg in s in which the elastic slip of a sliding point relaxes.
    """

    stiffness: float
    damping: float
    frequency: float

    @property
    def relaxation(self) -> float:
        """Relaxation time in s."""
        return 2.0 / self.frequency

    def stick_speed(self, deceleration: float) -> float:
        """Largest speed eps_k in m/s below which a point may be taken to stick (Stamm 5.71).

        eps_k <= (2/omega_reg) |d|v|/dt|: a faster one would break away again at once.
        """
        check("deceleration", deceleration, POSITIVE, "m/s^2")
        return self.relaxation * deceleration

    def least_stick_speed(
        self, velocity_error: float, deceleration: float = 0.0, step: float = 0.0
    ) -> float:
        """Smallest speed eps_k in m/s at which stick is found (Stamm 5.72 to 5.74).

        eps_k must be above the error of the velocity. Tests for stick in steps h must not miss the
        band -eps_k ... eps_k, which a point passes in 2 eps_k/a: eps_k >= a h/2.
        """
        check("velocity error", velocity_error, POSITIVE, "m/s")
        check("deceleration", deceleration, NON_NEGATIVE, "m/s^2")
        check("step", step, NON_NEGATIVE, "s")
        return max(velocity_error, 0.5 * deceleration * step)

    def static_margin(self, speed: float, deceleration: float) -> float:
        """Ratio mu_st/mu with which a point that sticks at a speed eps_k stays (Stamm 5.75).

        Up to `stick_speed` it is 1. Above, the bristle force of a point that friction alone slows
        down by a rises further, with r = omega_reg eps_k/a > 2 up to

            mu_st/mu = (r - 1) exp(-(r - 2)/(r - 1))

        from v = (eps_k + (omega_reg eps_k - a) t) exp(-omega_reg t), the critically damped stick.
        """
        check("speed", speed, POSITIVE, "m/s")
        check("deceleration", deceleration, POSITIVE, "m/s^2")
        r = max(self.frequency * speed / deceleration, 2.0)
        return (r - 1.0) * exp(-(r - 2.0) / (r - 1.0))


@renamed_keywords(share="fraction")
def regularise(omega: float, mass: float, fraction: float = 1e-3) -> Regularisation:
    """Critically damped contact that is stiff against the motion of interest (Stamm 5.61, 5.62).

    Parameters
    ----------
    omega
        omega_c: highest circular frequency of interest in rad/s; of an elastic body that of its
        highest kept mode.
    mass
        m_c in kg: the larger mass of the pair, or the one whose motion is not prescribed.
    fraction
        eps_c; a warning is given outside 1e-4 ... 1e-2.

    Examples
    --------
    >>> choice = regularise(omega=100.0, mass=1.0, fraction=1e-3)
    >>> choice.stiffness, round(choice.damping, 3)
    (10000000.0, 6324.555)
    """
    check("omega", omega, POSITIVE, "rad/s")
    check("mass", mass, POSITIVE, "kg")
    check("fraction", fraction, POSITIVE)
    if not 1e-4 <= fraction <= 1e-2:
        side = "stiff: steps become small" if fraction < 1e-4 else "soft: it changes the motion"
        warn_unusual(
            f"fraction = {fraction:g} makes the contact too {side}", "usual are 1e-4 to 1e-2"
        )
    stiffness = omega**2 * mass / fraction
    frequency = sqrt(stiffness / mass)
    return Regularisation(stiffness, 2.0 * mass * frequency, frequency)
