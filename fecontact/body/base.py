"""What a system, a joint, a contact or a picture may ask a body, with an answer for all of them.

A body must give the answers of `fecontact.typing.Body`. All others have a default here that does no
harm: a body without a contact surface, without prescribed motion, without a picture of its own. A
body that does not derive from `Body` is asked through `as_body`, which fills in the defaults.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fecontact.body.turning import Turning
from fecontact.errors import InputError, renamed, unknown
from fecontact.typing import Answers, Floats

if TYPE_CHECKING:
    from skfem import Mesh

    from fecontact.body.deformation import Deformation
    from fecontact.body.drawing import Drawing
    from fecontact.body.fe_body import FEBody
    from fecontact.body.full.unreduced import Unreduced
    from fecontact.body.marker import Vector
    from fecontact.body.motion import FrameParts, PointMotion, RigidFrame, SpinFrame
    from fecontact.body.points.elastic_points import FloatingMotion
    from fecontact.body.prescribed import FrameMotion
    from fecontact.fem.model import FEModel
    from fecontact.kernels.lowered import Lowered, Packing
    from fecontact.reduction.waves import Waves
    from fecontact.typing import Body as Required
else:
    Required = object  # a property of a protocol would be taken for the default of a field

__all__ = ["Body", "as_body", "knows_points"]


@renamed(freedoms="dofs")
class Body(Answers, Required):
    """Base of bodies.

    A body of one's own gives `name`, `dofs`, `reference`, `mass_matrix`, `force` and `tangents`; it
    overrides what its coordinates need (`move`, `rate`, `d_inertia`) and what else it knows:
    `marker` and `position` to be held by joints and loads, `point_motion` to touch with its points,
    energies (`kinetic_energy`, `strain_energy`, `dissipated_power`), `momentum`, `mass`, `weight`.

    Examples
    --------
    >>> class Oscillator(Body):
    ...     name, dofs = "oscillator", ("x",)
    ...     def reference(self): return np.zeros(1)
    ...     def mass_matrix(self, q): return np.eye(1)
    ...     def force(self, t, q, v): return -100.0 * q
    ...     def tangents(self, t, q, v): return np.array([[-100.0]]), np.zeros((1, 1))
    >>> from fecontact.system import System
    >>> System([Oscillator()]).coordinates
    ('oscillator.x',)
    """

    if TYPE_CHECKING:

        @property
        def position(self) -> Vector:
            """Where the origin of its points is in the reference position."""
            ...

    @property
    def bodies(self) -> tuple[Any, ...]:
        """The coordinates it refers to: its own."""
        return (self,)

    def move(self, q: Floats, step: Floats) -> Floats:
        """Coordinates after an increment of the dofs."""
        return q + step

    def rate(self, q: Floats, v: Floats) -> Floats:
        """Rate q' of the coordinates."""
        return v

    def d_inertia(self, q: Floats, a: Floats) -> Floats:
        """Derivative (n, n) of M(q) a along a step, at fixed a: zero for a constant mass."""
        return np.zeros((len(a), len(a)))

    def lowered_weight(self, g: Floats) -> Lowered | None:
        """Its weight at the acceleration g as a compiled function; None if it has no such form."""
        return None

    # motion of its points and of its frame

    def point_motion(self, q: Floats, v: Floats, points: Any, t: float = 0.0) -> PointMotion:
        """Motion of points of the body, as `Surface.material` or `located` gives them.

        The time t matters to a body in a frame of prescribed motion.
        """
        own = self.motion  # the older name of this answer
        if getattr(own, "__func__", None) is Body.motion:
            raise InputError(f"body '{self.name}' does not know the motion of its points")
        return own(q, v, points, t)

    def motion(self, q: Floats, v: Floats, points: Any, t: float = 0.0) -> PointMotion:
        """Older name of `point_motion`."""
        return self.point_motion(q, v, points, t)

    def located(self, points: Any) -> Any:
        """Points as `point_motion` takes them fastest: with all that does not change in motion."""
        return points

    def point_rows(self, point: Any) -> tuple[Floats, Floats] | None:
        """Position (3,) of a point at rest, and rows (3, n) of its displacement in the dofs.

        The point is given as to `marker`. None if the displacement is not linear in the dofs.
        """
        return None

    def deformation_rows(self, point: Any) -> tuple[Floats, Floats] | None:
        """Position (3,) of a point in the frame, rows (3, m) of its displacement relative to it.

        They refer to the elastic coordinates, which are the last ones. None if it is rigid.
        """
        return None

    @property
    def elastic_shapes(self) -> int | None:
        """Number of elastic shapes that its contact points bring along; None if it may be any."""
        return None

    def frame_motion(
        self, q: Floats, v: Floats, t: float = 0.0
    ) -> RigidFrame | FloatingMotion | None:
        """Motion of its frame and of the elastic coordinates in it, from which all points follow.

        None if its points do not move with shapes in one frame.
        """
        return None

    def pack_frame(self, packing: Packing) -> int | None:
        """Append the numbers of its frame for compiled programs, as those of a marker.

        Its elastic coordinates are the last ones. Returns where they begin; None if its points do
        not move with shapes in one frame.
        """
        return None

    def pack_points(self, packing: Packing, points: Any) -> int | None:
        """Append the numbers of points, as it takes them, for compiled programs.

        None if they move with shapes in its frame, or have no such form.
        """
        return None

    def pose(self, t: float, q: Floats) -> tuple[Floats, Floats]:
        """Origin (3,) and rotation (3, 3) of the frame in which it is drawn."""
        return np.zeros(3), np.eye(3)

    @property
    def prescribed_frame(self) -> FrameMotion | None:
        """Motion of its frame if that is a function of time."""
        return None

    @property
    def rigid(self) -> bool:
        """Whether it moves as one rigid piece."""
        return False

    def moved_by(self, force: Floats, moment: Floats) -> bool:
        """Whether a force or moment (3,) somewhere on it can act along one of its dofs."""
        return True

    # spin of its material

    @property
    def material_spin(self) -> float:
        """Speed in rad/s with which material turns about z through its points without an angle.

        0 if the points move with the material; nan if the spin is a dof.
        """
        return 0.0

    @property
    def prescribed_spin(self) -> float | None:
        """Speed in rad/s about z, kept up from outside; None if it turns by its coordinates."""
        return None

    def spin_frame(self, q: Floats, v: Floats, t: float = 0.0) -> SpinFrame | None:
        """Frame in which the history of contact points is kept, and the spin of the material."""
        return None

    def rotation_generator(self) -> Floats | None:
        """Derivative (n, n) of the coordinates as the whole motion turns about z; None if unknown.

        Known of bodies of revolution about z.
        """
        return None

    def turning(self, v: Floats) -> Turning | None:
        """How its dofs turn about z in a motion with velocities v; None if that is not known.

        By default its coordinates stand in space.
        """

        def space() -> Floats:
            generator = self.rotation_generator()
            if generator is None:
                raise InputError(
                    f"invalid body '{self.name}' in a turning frame: expected one whose "
                    "coordinates turn about z, such as a SpinningDisc, a rotor or an ElasticBody"
                )
            return generator

        none = np.zeros((len(self.dofs), len(self.dofs)))
        return Turning(space, lambda: none, 0.0)

    @property
    def waves(self) -> Waves | None:
        """Its elastic coordinates as waves around the z axis; None if it has no such form."""
        return None

    # what it is made of

    @property
    def thickness(self) -> float:
        """Thickness in m of a plate; inf of others."""
        return np.inf

    def named_load(self, name: str) -> Floats:
        """Load (n,) in its dofs that its model has by name; refused unless it has one."""
        raise unknown(f"load of {self.name}", name, ())

    def compliance(self, force: Floats) -> float:
        """Twice the strain energy in J under a static force (m,) in its elastic coordinates."""
        return 0.0

    def largest_deformation(self, q: Floats) -> Deformation | None:
        """Largest strain and rotation over its coordinates (k, n) at k times; None if rigid."""
        return None

    @property
    def stiffened_as_free(self) -> bool:
        """Whether its geometric stiffness is that of a body without supports in a free frame."""
        return False

    @property
    def driven(self) -> bool:
        """Whether a drive outside of the model keeps up its frame or its spin.

        A body that does not know its kinetic energy counts as such.
        """
        return getattr(self.kinetic_energy, "__func__", None) is Answers.kinetic_energy

    @property
    def finite_elements(self) -> FEBody | None:
        """The body with all unknowns of its finite elements, which statics condenses, or None."""
        return None

    def unreduced(self, model: FEModel | None) -> Unreduced | None:
        """The body in all unknowns of a finite-element model, by default the one it comes from.

        None if it is rigid, or if it has no such model.
        """
        return None

    def frame_parts(self) -> FrameParts | None:
        """How its dofs move the frame of its points; None if its points have no such frame."""
        return None

    def geometry(self, mesh: Mesh | None = None, offset: Floats | None = None) -> Drawing:
        """Points, cells and displacement shapes for pictures.

        Parameters
        ----------
        mesh
            What is drawn.
        offset : (3,)
            Origin of the mesh in the frame; by default its volume has its centre there.
        """
        from fecontact.body.drawing import rigid_drawing

        if mesh is None:
            raise InputError(f"geometry of body '{self.name}': a rigid body needs a mesh")
        return rigid_drawing(mesh, offset)


class _Asked(Body):
    """A body of any class, with the defaults of `Body` for what it does not answer."""

    def __init__(self, body: Any) -> None:
        object.__setattr__(self, "_body", body)

    def __getattribute__(self, name: str) -> Any:
        body = object.__getattribute__(self, "_body")
        if hasattr(body, name) and not name.startswith("__"):
            return getattr(body, name)
        return object.__getattribute__(self, name)


def knows_points(body: Any) -> bool:
    """Whether a body knows the motion of its points, under the name `point_motion` or `motion`."""
    names = ("point_motion", "motion")
    defaults = {name: getattr(Body, name) for name in names}
    return any(
        hasattr(body, name) and getattr(type(body), name, None) is not defaults[name]
        for name in names
    )


def as_body(body: Any) -> Body:
    """Return a body that answers all questions: itself, or with the defaults filled in."""
    return body if isinstance(body, Body) else _Asked(body)  # type: ignore[abstract]
