"""Standard pairs of rigid bodies: the three contact modules of Stamm 3.4.

- plane-plane: a bounded plane figure is slave, an unbounded plane master; g = (p - d) . n
  (Stamm 3.16-3.45),
- ball in hollow sphere: the cap of the ball is slave, the inside of the hollow sphere of radius R
  and centre d master; g = R - |p - d| (3.46-3.59),
- ball in cone: the inner wall of the cone is slave, the outside of the ball of radius R master;
  g = |p - d| - R (3.60-3.67).

Stamm takes velocities of the master relative to the slave, and N <= 0 in compression; pairs take
v_slave - v_master and N >= 0. The laws are odd in the velocity, so that only the signs at the
boundary change: the force on the slave is the same.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fecontact.body.marker import MarkedBody
from fecontact.contact.laws.base import NormalLaw
from fecontact.contact.laws.elasto_plastic import ElastoPlastic
from fecontact.contact.laws.sliding import CoulombSliding
from fecontact.contact.master.rigid_face import RigidFace
from fecontact.contact.master.shape import Plane, Sphere
from fecontact.contact.pair import ContactPair
from fecontact.contact.surface.patches import Vector, cap, cone_wall
from fecontact.contact.surface.points import Surface
from fecontact.typing import Body

__all__ = ["ball_in_cone", "ball_in_hollow_sphere", "plane_plane"]

ORIGIN = (0.0, 0.0, 0.0)
Friction = CoulombSliding | ElastoPlastic


def plane_plane(
    slave: Body,
    figure: Surface,
    master: MarkedBody | None,
    normal: NormalLaw,
    friction: Friction,
    *,
    slave_point: Vector = ORIGIN,
    master_point: Vector = ORIGIN,
    axis: Vector = (0.0, 0.0, 1.0),
    name: str = "plane-plane",
) -> ContactPair:
    """Bounded plane figure of the slave on an unbounded plane of the master.

    Parameters
    ----------
    slave, master
        Rigid bodies; master None is the ground.
    figure
        Points of the figure about `slave_point`, e.g. of
        `contact.surface.patches`.
    normal, friction
        Contact laws.
    slave_point, master_point
        Anchors of the two surfaces in the axes of the bodies, in m.
    axis
        Outward normal of the master's plane in its body.
    name
        Name in the system.
    """
    face = RigidFace(master, Plane(normal=axis), master_point)
    return ContactPair(slave, _at(figure, slave_point), face, normal, friction, name)


def ball_in_hollow_sphere(
    ball: Body,
    cup: MarkedBody | None,
    ball_radius: float,
    cup_radius: float,
    normal: NormalLaw,
    friction: Friction,
    *,
    half_angle: float = 0.5 * np.pi,
    points: tuple[int, int] = (6, 24),
    ball_point: Vector = ORIGIN,
    cup_point: Vector = ORIGIN,
    name: str = "ball in hollow sphere",
) -> ContactPair:
    """Ball, the slave, in a hollow sphere; its points fill the cap about its -z axis.

    A ball larger than the cup is possible: the layer of the normal law takes the interference.
    """
    surface = cap(ball_radius, half_angle, points, sign=-1.0)
    face = RigidFace(cup, Sphere(cup_radius, hollow=True), cup_point)
    return ContactPair(ball, _at(surface, ball_point), face, normal, friction, name)


def ball_in_cone(
    cone: Body,
    ball: MarkedBody | None,
    ball_radius: float,
    half_angle: float,
    height: tuple[float, float],
    normal: NormalLaw,
    friction: Friction,
    *,
    points: tuple[int, int] = (6, 24),
    cone_point: Vector = ORIGIN,
    ball_point: Vector = ORIGIN,
    name: str = "ball in cone",
) -> ContactPair:
    """Ball, the master, in the funnel of a cone, the slave, with its apex at `cone_point`.

    The points lie on the inner wall between two heights (m) above the apex; on the ball the
    normal is exact, so the cone carries the points.
    """
    wall = cone_wall(half_angle, *height, points)
    face = RigidFace(ball, Sphere(ball_radius), ball_point)
    return ContactPair(cone, _at(wall, cone_point), face, normal, friction, name)


def _at(surface: Surface, point: Vector) -> Surface:
    return replace(surface, points=surface.points + np.asarray(point, dtype=float))
