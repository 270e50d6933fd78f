"""Shapes and laws as the compiled contact kernels take them: numbers and addresses."""

from __future__ import annotations

import numpy as np

from fecontact.contact.kernels.block_laws import Laws
from fecontact.contact.kernels.shapes import CONE, CYLINDER, PLANE, RING, SPHERE, TORUS
from fecontact.contact.laws.base import Coefficient, FrictionLaw, NormalLaw, SlidingLaw
from fecontact.contact.laws.base.blocks import address
from fecontact.contact.master.rigid_face import RigidFace
from fecontact.contact.master.shape import Cone, Cylinder, Plane, Ring, Shape, Sphere, Torus
from fecontact.typing import Floats

__all__ = ["compiled_coefficient", "not_compiled", "packed_laws", "packed_surface", "point_laws",
           "sliding_laws"]  # fmt: skip

Code = tuple[int, Floats]
NONE = np.zeros(1)


def not_compiled(normal: object, friction: object) -> str | None:
    """Which law has no compiled form, as words; None if both have."""
    if not _given_by_points(friction, FrictionLaw, ("step", "d_step", "rate", "d_rate")):
        return f"friction law {type(friction).__name__} is written in Python"
    if not _given_by_points(normal, NormalLaw, ("pressure", "step", "rate", "balance")):
        return f"normal law {type(normal).__name__} is written in Python"
    coefficient = friction.coefficient  # type: ignore[attr-defined]
    if not compiled_coefficient(coefficient):
        return f"coefficient {type(coefficient).__name__} is written in Python"
    return None


def compiled_coefficient(coefficient: object) -> bool:
    """Whether a coefficient has a compiled form."""
    return _given_by_points(coefficient, Coefficient, ("values",))


def _given_by_points(law: object, base: type, methods: tuple[str, ...]) -> bool:
    """Whether a law gives the functions of a point, and no arrays of its own."""
    if not isinstance(law, base) or getattr(law, "point", None) is None:
        return False
    return all(getattr(type(law), name) is getattr(base, name) for name in methods)


def packed_laws(
    master: object, normal: object, friction: object, moves_with_slave: bool = False
) -> Laws | None:
    """Surface and laws; None if one of them is not known to the kernels."""
    surface = packed_surface(master)
    if surface is None:
        return None
    return _packed(normal, friction, surface, moves_with_slave)


def sliding_laws(master: object, normal: object, friction: object) -> Laws | None:
    """Surface and laws of points that slide; None if one of them is not known to the kernels.

    Kernels of surfaces that are not rigid find normals and gaps by themselves.
    Pressure at rest stands for `normal_rate`, the traction of sliding for `rate`.
    """
    surface = packed_surface(master) if isinstance(master, RigidFace) else (PLANE, NONE)
    known = _given_by_points(normal, NormalLaw, ("pressure",))
    if surface is None or not known or not _given_by_points(friction, SlidingLaw, ("traction",)):
        return None
    assert isinstance(normal, NormalLaw)
    assert isinstance(friction, SlidingLaw)
    coefficient = friction.coefficient
    if not compiled_coefficient(coefficient):
        return None
    assert normal.point is not None
    assert friction.point is not None
    assert coefficient.point is not None
    laws = normal, coefficient, friction
    press, slide = address("press", normal.point, 0, 0), address("slide", friction.point, 0, 0)
    limit, none = address("limit", coefficient.point, 0, 0), 0
    return Laws._make((
        *surface, *(_numbers(law.parameters) for law in laws), none, press, none, limit, none, none,
        slide, 0, 0, False, False,
    ))  # fmt: skip


def packed_surface(master: object) -> Code | None:
    """Code and numbers of a rigid surface; None if it is not known to the kernels."""
    if not isinstance(master, RigidFace) or type(master) is not RigidFace:
        return None
    return _shape(master.shape)


def point_laws(normal: object, friction: object, moves_with_slave: bool = False) -> Laws | None:
    """Laws for kernels that find normals and gaps by themselves."""
    return _packed(normal, friction, (PLANE, NONE), moves_with_slave)


def _packed(
    normal: object, friction: object, surface: Code, moves_with_slave: bool = False
) -> Laws | None:
    if not_compiled(normal, friction) is not None:
        return None
    assert isinstance(normal, NormalLaw)
    assert isinstance(friction, FrictionLaw)
    coefficient = friction.coefficient
    assert normal.point is not None
    assert friction.point is not None
    assert coefficient.point is not None
    k, m = friction.width - 3, normal.width
    tasks = ("normal_step", "normal_rate", "balance")
    pressed = [address(task, normal.point, k if m else 0, m) for task in tasks]
    slides = [address(task, friction.point, k, 0) for task in ("step", "d_step", "rate")]
    limit = address("limit", coefficient.point, 0, 0)
    numbers = [_numbers(law.parameters) for law in (normal, coefficient, friction)]
    return Laws._make(
        (*surface, *numbers, *pressed, limit, *slides, k, m, friction.sticks, moves_with_slave)
    )


def _numbers(values: Floats) -> Floats:
    return np.ascontiguousarray(values, dtype=float)


def _sign(hollow: bool) -> float:
    return -1.0 if hollow else 1.0


def _shape(shape: Shape) -> Code | None:
    kind = type(shape)
    if isinstance(shape, Plane) and kind is Plane:
        n = np.asarray(shape.normal, dtype=float)
        n = n / np.linalg.norm(n)
        return PLANE, np.array([*n, n @ np.asarray(shape.point, dtype=float)])
    if isinstance(shape, Ring) and kind is Ring:
        return RING, np.array([shape.inner, shape.outer, shape.height], dtype=float)
    if isinstance(shape, Sphere) and kind is Sphere:
        return SPHERE, np.array([*shape.centre, shape.radius, _sign(shape.hollow)], dtype=float)
    if isinstance(shape, Cylinder) and kind is Cylinder:
        return CYLINDER, np.array([shape.radius, _sign(shape.hollow)])
    if isinstance(shape, Cone) and kind is Cone:
        angle = shape.half_angle
        return CONE, np.array([np.cos(angle), np.sin(angle), _sign(shape.hollow)])
    if isinstance(shape, Torus) and kind is Torus:
        return TORUS, np.array([shape.radius, shape.section])
    return None
