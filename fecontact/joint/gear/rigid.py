"""Ideal gear mesh: rigid flanks that stay in contact (Jehle 3.77, 3.84).

    0 = g' = n . (v_b - v_a)

at the pitch point, n the outward normal of the loaded flank of gear a. The multiplier is the normal
force: lam >= 0 presses the teeth, with lam n on gear b and -lam n on gear a. From one flank to the
other the tangential and the axial force change sign; the radial force pushes the gears apart on
both. The constraint does no work: power in is power out.

Teeth press and cannot pull: the flank must be the one that carries the load. A steady state finds
it: `steady_state(system).system` has its gears on the flanks that press. A motion keeps the flanks
it was given and stops where lam < 0, naming the gear. In a motion whose load reverses no
rigid flank is right: the teeth cross the backlash, where neither of them touches, and meet with an
impact; even without backlash the gears must jump if their centre distance is just changing. Use
`ElasticGearMesh`, or `GearRatio` if the tooth forces do not matter.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from fecontact.body.marker import MarkedBody
from fecontact.errors import check, one_of
from fecontact.joint.gear.gap import FLANKS, FlankGaps
from fecontact.joint.gear.geometry import Flank, GearPair
from fecontact.joint.gear.lowered import lowered_flank
from fecontact.joint.marker import Axis, MarkerPair, Point
from fecontact.joint.refuse import refuse_moving_frames
from fecontact.joint.relative import Relative
from fecontact.kernels.lowered import Lowered
from fecontact.typing import Floats, Level

__all__ = ["GearMesh"]


@dataclass(frozen=True, eq=False)
class GearMesh:
    """Constraint of velocity level between two gears on parallel axes.

    Parameters
    ----------
    a, b
        Bodies of gear 1 and gear 2; None is the ground.
    gears
        Their geometry.
    flank
        The loaded one: "front" if the mesh holds gear a against a positive torque about the axis,
        that is if gear a drives in positive or brakes in negative rotation; else "rear".
    axis
        "x", "y", "z" or a direction, in the reference position; it moves with body a.
    point_a, point_b
        Centres of the gears in the middle of the common face width: name of a point or surface, or
        components; relative to the centre of mass of a rigid body, in the mesh of an elastic one,
        on the ground the position; in m.

    Examples
    --------
    >>> import numpy as np
    >>> from fecontact.body import RigidBody
    >>> one = RigidBody("one", 1.0, ("rz",), inertia=(1.0, 1.0, 1.0))
    >>> two = RigidBody("two", 1.0, ("rz",), inertia=(1.0, 1.0, 1.0), position=(0.16, 0.0, 0.0))
    >>> mesh = GearMesh(one, two, GearPair((20, 40), base_radius=0.05, distance=0.16))
    >>> mesh.at(0.0, np.zeros(2), np.array([10.0, -5.0])).jacobian.round(12).tolist()
    [[-0.05, -0.1]]
    """

    a: MarkedBody | None
    b: MarkedBody | None
    gears: GearPair
    flank: Flank = "front"
    axis: Axis = "z"
    point_a: Point = (0.0, 0.0, 0.0)
    point_b: Point = (0.0, 0.0, 0.0)
    name: str = "gear mesh"
    gaps: FlankGaps = field(init=False, repr=False)

    def __post_init__(self) -> None:
        check(f"{self.name}: flank", self.flank, one_of(("front", "rear")))
        pair = MarkerPair(self.name, self.a, self.b, self.point_b, self.point_a)
        refuse_moving_frames(pair)
        object.__setattr__(self, "gaps", FlankGaps(pair, self.gears, self.axis))

    @property
    def bodies(self) -> tuple[MarkedBody, ...]:
        """The bodies a and b without the ground."""
        return self.gaps.pair.bodies

    @property
    def rows(self) -> tuple[str]:
        """The one row, named by the flank."""
        return (self.flank,)

    @property
    def level(self) -> Level:
        """Velocities: the number of the tooth pair does not matter."""
        return "velocity"

    def at(self, t: float, q: Floats, v: Floats) -> Relative:
        """The row: rate of the gap of the loaded flank."""
        return self.gaps.at(t, q, v).mapped(FLANKS[[0 if self.flank == "front" else 1]])

    def bias(self, t: float, q: Floats, v: Floats) -> Floats:
        """Return c'' - A v', shape (1,); it contains the motion of the centre distance."""
        return self.at(t, q, v).d_rate() @ v

    def lowered(self) -> Lowered | None:
        """Compiled form of the row (`joint.lowered.rows`); None if a body has none."""
        return lowered_flank(self.gaps, 1.0 if self.flank == "front" else -1.0)

    @property
    def instead(self) -> str:
        """What to use where the flank would pull."""
        other = self.switched().flank
        return (
            f'use flank="{other}" if that one carries the load, ElasticGearMesh if the load '
            "changes sides, or GearRatio if tooth forces do not matter"
        )

    def switched(self) -> GearMesh:
        """Return the same mesh on the other flank."""
        return self.with_flank("rear" if self.flank == "front" else "front")

    def active_flank(self, load: float) -> Flank:
        """Flank that carries the load, from the multiplier of this mesh."""
        return self.flank if load >= 0.0 else self.switched().flank

    def with_flank(self, flank: Flank) -> GearMesh:
        """Return the same mesh on the given flank."""
        return replace(self, flank=flank)
