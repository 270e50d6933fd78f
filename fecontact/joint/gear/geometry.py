"""Geometry of a pair of external helical involute gears on parallel axes.

    Sigma = r_b1 + r_b2 = a cos(alpha_w)                              (Jehle 2.85)
    tan(alpha_t) = tan(alpha_n) / cos(beta)                           (Jehle 2.87)
    tan(beta_b) = tan(beta) cos(alpha_t)                              (Jehle 2.88)

a is the centre distance, alpha_w the working pressure angle in the transverse plane. The teeth
touch on a plane that is tangent to both base cylinders; in the transverse plane this is the line of
action. Index b is the base circle, t transverse, n normal, w working. Angles are in rad.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import acos, atan, cos, pi, sin, sqrt, tan
from typing import Literal, NamedTuple

from scipy.optimize import brentq

from fecontact.errors import (
    FINITE,
    NON_NEGATIVE,
    POSITIVE,
    Allowed,
    InputError,
    at_least,
    check,
    one_of,
)

__all__ = ["Flank", "GearPair", "ToothForce", "inverse_involute", "involute"]

Flank = Literal["front", "rear"]
"""Flank of gear 1; with the front one it drives in positive rotation."""

HANDS = ("left", "right")
ACUTE = Allowed("between 0 and pi/2, both excluded", lambda angle: 0.0 < angle < 0.5 * pi)
BELOW_RIGHT = Allowed("at least 0 and below pi/2", lambda angle: 0.0 <= angle < 0.5 * pi)


class ToothForce(NamedTuple):
    """Magnitudes in N of the components of a tooth force on the working pitch circle."""

    tangential: float
    radial: float
    axial: float


def involute(angle: float) -> float:
    """Involute function inv(alpha) = tan(alpha) - alpha."""
    return tan(angle) - angle


def inverse_involute(value: float) -> float:
    """Angle alpha >= 0 with inv(alpha) = value.

    Examples
    --------
    >>> round(inverse_involute(involute(0.35)), 12)
    0.35
    """
    check("involute", value, NON_NEGATIVE)
    return atan(brentq(lambda u: u - atan(u) - value, 0.0, value + 0.5 * pi, xtol=1e-15))


@dataclass(frozen=True)
class GearPair:
    """Two external gears with equal base pitch at a centre distance.

    Parameters
    ----------
    teeth
        Numbers of teeth z_1, z_2.
    base_radius
        r_b1 in m; r_b2 follows from the equal base pitch.
    distance
        Centre distance a in m; it must exceed the sum of the base radii.
    base_helix_angle
        beta_b >= 0 in rad; zero for spur gears.
    hand
        Of the teeth of gear 1, "left" (as in Jehle) or "right"; gear 2 has the other one.
    tip_radii
        r_k1, r_k2 in m; needed for the path of contact only.
    face_width
        Common width b in m; needed for contact lines and for a stiffness per width only.
    backlash
        Clearance j between the flanks along the normal in m, at the given distance.

    Examples
    --------
    The stage of Jehle's chapter 6:

    >>> pair = GearPair((30, 30), 0.035, 0.077, pi / 8, tip_radii=(0.042, 0.042), face_width=0.02)
    >>> print(f"{pair.contact_ratio:.3f} {pair.overlap_ratio:.3f}")
    1.958 1.130
    """

    teeth: tuple[int, int]
    base_radius: float
    distance: float
    base_helix_angle: float = 0.0
    hand: str = "left"
    tip_radii: tuple[float, float] | None = None
    face_width: float | None = None
    backlash: float = 0.0

    def __post_init__(self) -> None:
        if len(self.teeth) != 2:
            raise InputError(f"invalid teeth = {self.teeth}: expected two numbers")
        for teeth in self.teeth:
            check("teeth", teeth, at_least(1))
        check("base_radius", self.base_radius, POSITIVE, "m")
        check("base_helix_angle", self.base_helix_angle, BELOW_RIGHT, "rad")
        check("hand", self.hand, one_of(HANDS))
        check("backlash", self.backlash, NON_NEGATIVE, "m")
        self.pressure_angle(self.distance)
        if self.face_width is not None:
            check("face_width", self.face_width, POSITIVE, "m")
        if self.tip_radii is not None:
            self._check_tips(self.tip_radii)

    @classmethod
    def from_module(
        cls,
        module: float,
        teeth: tuple[int, int],
        face_width: float | None = None,
        *,
        helix_angle: float = 0.0,
        pressure_angle: float = pi / 9.0,
        shifts: tuple[float, float] = (0.0, 0.0),
        distance: float | None = None,
        addendum: float = 1.0,
        hand: str = "left",
    ) -> GearPair:
        """Pair from the data of its basic rack.

        Without backlash the gears mesh at alpha_0,

            inv(alpha_0) = inv(alpha_t) + 2 tan(alpha_n) (x_1 + x_2) / (z_1 + z_2),

        and at a larger distance with j = 2 Sigma cos(beta_b) (inv(alpha_w) - inv(alpha_0)).

        Parameters
        ----------
        module
            Normal module m_n in m.
        teeth, face_width, hand
            As above.
        helix_angle
            beta >= 0 in rad, on the reference cylinder.
        pressure_angle
            alpha_n in rad, of the rack in the normal section; 20 degrees.
        shifts
            Profile shift coefficients x_1, x_2.
        distance
            Centre distance in m; by default the one without backlash.
        addendum
            Tip circles r_k = r + (addendum + x) m_n.
        """
        check("module", module, POSITIVE, "m")
        check("helix_angle", helix_angle, BELOW_RIGHT, "rad")
        check("pressure_angle", pressure_angle, ACUTE, "rad")
        for value in (*shifts, addendum):
            check("shifts and addendum", value, FINITE)
        for number in teeth:
            check("teeth", number, at_least(1))
        transverse = atan(tan(pressure_angle) / cos(helix_angle))
        first, second = (0.5 * z * module / cos(helix_angle) for z in teeth)
        opened = involute(transverse) + 2.0 * tan(pressure_angle) * sum(shifts) / sum(teeth)
        if opened <= 0.0:
            raise InputError(
                f"invalid shifts = {shifts}: the teeth would overlap at any centre distance"
            )
        tight = cls(
            teeth,
            first * cos(transverse),
            (first + second) * cos(transverse) / cos(inverse_involute(opened)),
            atan(tan(helix_angle) * cos(transverse)),
            hand,
            face_width=face_width,
        )
        wanted = tight.distance if distance is None else distance
        play = tight.backlash_at(wanted)
        if play < 0.0:
            raise InputError(
                f"invalid distance = {wanted} m: expected at least {tight.distance:.9g} m, below "
                "which the teeth overlap; change distance or shifts"
            )
        tips = first + (addendum + shifts[0]) * module, second + (addendum + shifts[1]) * module
        return replace(tight, distance=wanted, backlash=play, tip_radii=tips)

    @property
    def base_radii(self) -> tuple[float, float]:
        """Base radii r_b1, r_b2 in m."""
        return self.base_radius, self.base_radius * self.teeth[1] / self.teeth[0]

    @cached_property
    def base_sum(self) -> float:
        """Sigma = r_b1 + r_b2 in m, the smallest centre distance."""
        return sum(self.base_radii)

    @property
    def ratio(self) -> float:
        """Speed ratio i = omega_1 / omega_2 in magnitude, z_2 / z_1."""
        return self.teeth[1] / self.teeth[0]

    @property
    def helix(self) -> float:
        """beta_b with Jehle's sign: positive if gear 1 is left-handed."""
        return self.base_helix_angle if self.hand == "left" else -self.base_helix_angle

    def pressure_angle(self, distance: float | None = None) -> float:
        """Working pressure angle alpha_w in the transverse plane, in rad."""
        distance = self.distance if distance is None else distance
        _check_distance(distance, self.base_sum)
        return acos(self.base_sum / distance)

    def helix_angle(self, distance: float | None = None) -> float:
        """Helix angle beta_w in rad on the working pitch cylinders."""
        return atan(tan(self.base_helix_angle) / cos(self.pressure_angle(distance)))

    def pitch_radii(self, distance: float | None = None) -> tuple[float, float]:
        """Radii in m of the working pitch circles, which roll on each other."""
        scale = (self.distance if distance is None else distance) / self.base_sum
        return self.base_radii[0] * scale, self.base_radii[1] * scale

    def backlash_at(self, distance: float) -> float:
        """Clearance along the normal in m at another centre distance; negative for overlap."""
        change = involute(self.pressure_angle(distance)) - involute(self.pressure_angle())
        return self.backlash + 2.0 * self.base_sum * cos(self.base_helix_angle) * change

    @property
    def base_pitch(self) -> float:
        """Transverse base pitch p_b in m."""
        return 2.0 * pi * self.base_radius / self.teeth[0]

    @property
    def normal_base_pitch(self) -> float:
        """Distance in m of neighbouring flanks along their normal, p_b cos(beta_b)."""
        return self.base_pitch * cos(self.base_helix_angle)

    @cached_property
    def path_of_contact(self) -> float:
        """Length g_alpha in m of the line of action between the tip circles."""
        if self.tip_radii is None:
            raise InputError("tip_radii = None: the path of contact needs them")
        return sum(self._tip_reach(self.tip_radii)) - self._line

    @property
    def contact_ratio(self) -> float:
        """Transverse contact ratio epsilon_alpha = g_alpha / p_b."""
        return self.path_of_contact / self.base_pitch

    @property
    def overlap_ratio(self) -> float:
        """Overlap ratio epsilon_beta = b tan(beta_b) / p_b."""
        return self.width * tan(self.base_helix_angle) / self.base_pitch

    @property
    def width(self) -> float:
        """Face width in m, or an `InputError` if it is not given."""
        if self.face_width is None:
            raise InputError("face_width = None: contact lines and stiffness per width need it")
        return self.face_width

    def components(self, normal_force: float, distance: float | None = None) -> ToothForce:
        """Components of a tooth force N along the normal.

            F_t = N cos(beta_b) cos(alpha_w),   F_r = F_t tan(alpha_w),   F_a = F_t tan(beta_w)

        The radial force pushes the gears apart on both flanks.
        """
        alpha, beta = self.pressure_angle(distance), self.base_helix_angle
        across = normal_force * cos(beta)
        return ToothForce(across * cos(alpha), across * sin(alpha), normal_force * sin(beta))

    @property
    def _line(self) -> float:
        """Distance in m of the tangent points of the line of action, a sin(alpha_w)."""
        return sqrt(self.distance**2 - self.base_sum**2)

    def _tip_reach(self, tips: tuple[float, float]) -> tuple[float, float]:
        """Length of the line of action in m from each tangent point to the own tip circle."""
        first, second = (
            sqrt(tip**2 - base**2) for tip, base in zip(tips, self.base_radii, strict=True)
        )
        return first, second

    def _check_tips(self, tips: tuple[float, float]) -> None:
        for tip, base in zip(tips, self.base_radii, strict=True):
            limit = sqrt(base**2 + self._line**2)
            if not base < tip <= limit:
                raise InputError(
                    f"invalid tip_radii = {tips} m: expected {tip} between the base circle "
                    f"{base:.6g} and {limit:.6g}, where the tip meets the other base circle"
                )
        if self.path_of_contact <= 0.0:
            raise InputError(f"invalid tip_radii = {tips} m: expected teeth that touch")


def _check_distance(distance: float, least: float) -> None:
    check("distance", distance, Allowed(
        f"larger than the sum of the base radii, {least:.6g} m", lambda a: a > least
    ), "m")  # fmt: skip
