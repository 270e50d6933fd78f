"""Contact lines of a pair of helical gears over the mesh cycle (Jehle 3.68 to 3.75).

In the plane of action tooth i meets the line

    s = s_0 + i p_b - y tan(beta_b),      0 <= s <= g_alpha,      0 <= y <= b,

with s along the line of action from the start of contact and y along the axis from the face that
meets first. s_0 = r_b1 phi_1 grows with the rotation. The lines have the length (y_2 - y_1) /
cos(beta_b); the load is taken as uniform along all of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, cos, tan

import numpy as np

from fecontact.joint.gear.geometry import GearPair
from fecontact.typing import Floats, Integers

__all__ = ["ContactLines", "contact_lines"]


@dataclass(frozen=True)
class ContactLines:
    """Lines of k teeth at n positions; a tooth that does not touch has y_1 = y_2.

    Attributes
    ----------
    travel : (n, k)
        s at y = 0 in m.
    begin, end : (n, k)
        y_1 and y_2 in m.
    length : (n, k)
        Length of each line in m.
    """

    travel: Floats
    begin: Floats
    end: Floats
    length: Floats

    @property
    def number(self) -> Integers:
        """Number of lines (n,)."""
        return np.count_nonzero(self.length > 0.0, axis=1).astype(np.int64)

    @property
    def total(self) -> Floats:
        """Total length (n,) in m."""
        return self.length.sum(axis=1)


def contact_lines(gears: GearPair, rotation: Floats) -> ContactLines:
    """Contact lines at angles (n,) of gear 1 in rad; the period is one tooth, 2 pi / z_1.

    Examples
    --------
    A spur gear with a contact ratio between one and two has one or two lines.

    >>> spur = GearPair((30, 30), 0.035, 0.077, tip_radii=(0.042, 0.042), face_width=0.02)
    >>> contact_lines(spur, np.array([0.1, 0.2]) * 2.0 * np.pi / 30).number.tolist()
    [2, 2]
    """
    pitch, path, width = gears.base_pitch, gears.path_of_contact, gears.width
    slope = tan(gears.base_helix_angle)
    teeth = ceil((path + width * slope) / pitch)
    first = np.mod(gears.base_radius * np.asarray(rotation, dtype=float), pitch)
    travel = first[:, None] + pitch * np.arange(teeth)
    if slope == 0.0:
        begin, end = np.zeros_like(travel), np.where(travel < path, width, 0.0)
    else:
        end = np.clip(travel / slope, 0.0, width)
        begin = np.minimum(np.clip((travel - path) / slope, 0.0, width), end)
    return ContactLines(travel, begin, end, (end - begin) / cos(gears.base_helix_angle))
