"""Motion of points over many times at once.

Where the body only translates or deforms about a held frame, displacement, velocity and
acceleration are u = C q, C v and C a with constant rows C (3, n) (`Body.point_rows`). Elsewhere the
point and what it is seen from are a pair of markers, and its motion that of the rows which a joint
between them would hold (`joint.lowered.rows`), in a compiled loop over the times.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from fecontact.body.base import as_body
from fecontact.body.marker import Point
from fecontact.errors import InputError
from fecontact.joint.lowered.rows import lowered_rows, traced
from fecontact.joint.marker import MarkerPair
from fecontact.kernels.lowered import Lowered
from fecontact.system.assembly import Assembly
from fecontact.system.sensors.sample import row_motions
from fecontact.typing import Floats

__all__ = ["FRAME", "Motion", "States", "point_motion"]

FRAME = ("", None)
"""From which a point is seen: the frame of its own body."""
MOMENT = 1e-6
"""Time in s over which the velocity of a prescribed frame is differenced."""


class States(NamedTuple):
    """Times (k,), coordinates, velocities and accelerations (k, ...) of bodies."""

    t: Floats
    q: Floats
    v: Floats
    a: Floats

    def of(self, assembly: Assembly, bodies: Sequence[str]) -> States:
        """The columns of some bodies, one after the other."""
        q = np.concatenate([_columns(assembly.q_slices[name]) for name in bodies])
        v = np.concatenate([_columns(assembly.slices[name]) for name in bodies])
        return States(self.t, self.q[:, q], self.v[:, v], self.a[:, v])


class Motion(NamedTuple):
    """Reference position (3,) of a point, and its motion (k, 3) from there on."""

    home: Floats
    displacement: Floats
    velocity: Floats
    acceleration: Floats

    def of(self, kind: str) -> Floats:
        """Motion (k, 3) of a kind, as sensors call it."""
        if kind == "position":
            return self.home + self.displacement
        return np.asarray(getattr(self, kind))

    def __sub__(self, other: Motion) -> Motion:
        return Motion(*(mine - yours for mine, yours in zip(self, other, strict=True)))


class _Seen(MarkerPair):
    """A point that is seen from another, which may be on the same body."""

    def _check_ends(self) -> None:
        """Both points may be on one body."""

    @cached_property
    def bodies(self) -> tuple[Any, ...]:
        """Bodies without the ground, each once."""
        ends = [body for body in (self.a, self.b) if body is not None]
        return tuple(dict.fromkeys(ends))


def point_motion(
    assembly: Assembly,
    body: str,
    point: Point,
    states: States,
    seen: tuple[str, Point | None] | None,
) -> Motion:
    """Motion of a point in space, or as it is seen from another point in axes that turn with it.

    Parameters
    ----------
    assembly
        Where the bodies are.
    body, point
        Whose motion is asked.
    states
        Of all bodies.
    seen
        Body and point from which it is seen; `FRAME`: in the frame of its body; None: components
        of space.
    """
    bodies = {one.name: one for one in assembly.bodies}
    own = bodies[body]
    _check_points(own)
    if seen is None:
        rows = as_body(own).point_rows(point)
        if rows is not None:
            home, shape = rows
            _, *histories = states.of(assembly, [body])
            return Motion(home, *(history @ shape.T for history in histories))
        home = own.marker(point).home  # type: ignore[attr-defined]
        pair = _Seen(f"point of {body}", None, own, point, tuple(home))  # type: ignore[arg-type]
        return _pair_motion(pair, states.of(assembly, [body]))._replace(home=home)
    if seen == FRAME:
        return _deformation(own, point, states.of(assembly, [body]))
    other = bodies[seen[0]]
    _check_points(other)
    for one, at in ((own, point), (other, seen[1])):
        _check_marker(one, at)
    pair = _Seen(f"point of {body}", other, own, point, seen[1])  # type: ignore[arg-type]
    names = [one.name for one in pair.bodies]
    return _pair_motion(pair, states.of(assembly, names))


def _deformation(body: Any, point: Point, states: States) -> Motion:
    """Displacement of a point relative to the frame of its body, and its rates."""
    rows = as_body(body).deformation_rows(point)
    if rows is None:
        raise InputError(
            f"invalid axes = 'body' of a sensor on body '{body.name}', which does not deform: "
            "expected relative_to=(body, point), or 'space'"
        )
    home, shape = rows
    histories = (history[:, history.shape[1] - shape.shape[1] :] for history in states[1:])
    return Motion(home, *(history @ shape.T for history in histories))


def _pair_motion(pair: _Seen, states: States) -> Motion:
    """Displacement of the second end of a pair as the first one sees it."""
    coordinates = traced(lambda frames: frames.displacement(), pair.common_axis)
    lowered = lowered_rows(pair.bodies, [(pair, coordinates)], 3)
    rest = np.concatenate([body.reference() for body in pair.bodies])
    still = np.zeros((1, sum(len(body.dofs) for body in pair.bodies)))
    home = _rows(pair, lowered, States(np.zeros(1), rest[None], still, still))[0][0]
    value, rate, second = _rows(pair, lowered, states)
    if any(as_body(body).prescribed_frame is not None for body in pair.bodies):
        late, early = (
            _rows(pair, lowered, states._replace(t=states.t + dt))[1] for dt in (MOMENT, -MOMENT)
        )
        second = second + (late - early) / (2.0 * MOMENT)
    return Motion(home, value - home, rate, second)


def _rows(pair: _Seen, lowered: Lowered | None, states: States) -> tuple[Floats, Floats, Floats]:
    """Value, rate and second rate (k, 3), the last without what time alone changes."""
    if lowered is not None:
        return row_motions(lowered, 3, *states)
    found = np.empty((3, len(states.t), 3))
    twice = pair.a is pair.b
    for k, (t, q, v, a) in enumerate(zip(*states, strict=True)):
        both = (np.tile(x, 2) if twice else x for x in (q, v, a))
        now_q, now_v, now_a = both
        now = pair.motion(now_q, now_v, float(t)).displacement()
        found[:, k] = now.value, now.rate, now.jacobian @ now_a + now.d_rate() @ now_v
    return found[0], found[1], found[2]


def _check_points(body: Any) -> None:
    known = getattr(type(body), "marker", None) is not None
    if not known and as_body(body).point_rows((0.0, 0.0, 0.0)) is None:
        raise InputError(
            f"invalid body '{body.name}' of a sensor, which does not tell the motion of its "
            "points: expected one with markers"
        )


def _check_marker(body: Any, point: Point | None) -> None:
    """Refuse a point that a marker does not follow, as one of a disc on a hub."""
    known = None if point is None else as_body(body).point_rows(point)
    if known is None:
        return
    rest = body.reference()
    moved = body.marker(point).at(rest, np.zeros(len(body.dofs))).interpolation[:3]
    if not np.allclose(moved, known[1], rtol=1e-9, atol=1e-12):
        raise InputError(
            f"invalid axes = 'body' of a sensor with body '{body.name}', whose points have no "
            "axes: expected 'space'"
        )


def _columns(part: slice) -> Any:
    return np.arange(part.start, part.stop)
