"""Relative coordinates of markers, and their form for bodies that cannot turn.

Where both bodies translate only, or one of them is the ground, all relative coordinates but a
distance are linear in the dofs,

    s = c + A q,      and a distance is      s = |c + A q| - l_0 .

There is nothing to rotate, in Python and in compiled programs alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fecontact.body.motion import FrameParts
from fecontact.errors import SolverError
from fecontact.joint.lowered.laws import Law, law_at, linear_parts, lost_power
from fecontact.joint.lowered.relative_motion import (
    ANGULAR_VELOCITY,
    DIRECTION,
    DISPLACEMENT,
    DISTANCE,
    RELATIVE_ROTATION,
)
from fecontact.joint.relative import Relative
from fecontact.kernels.arrays import after, matrix, part, viewed
from fecontact.kernels.decorators import kernel
from fecontact.kernels.lowered import (
    FAILED,
    LOST,
    PARAMETERS,
    POWERS,
    STORED,
    SUPPLIED,
    TANGENTS,
    TIME,
    Lowered,
    Packing,
    record,
)
from fecontact.typing import Floats

if TYPE_CHECKING:
    from fecontact.joint.marker import MarkerPair

__all__ = ["WIDTHS", "Coordinates", "Translation", "lowered_translation", "translation"]

WIDTHS = {DISTANCE: 1, DISPLACEMENT: 3, DIRECTION: 3, RELATIVE_ROTATION: 3, ANGULAR_VELOCITY: 3}
"""Numbers of the parts of a relative motion."""


STRAIGHT = 1e-15
"""Part of a motion across a line that is round-off."""


class Coordinates(NamedTuple):
    """Coordinates s = S s_0 - origin of two markers, from parts s_0 of their relative motion.

    Attributes
    ----------
    parts
        Kinds of the parts, each with a direction (3,) for those that need one.
    chosen : (k, all)
        S.
    origin : (k,)
        Values that are subtracted.
    """

    parts: Sequence[tuple[int, Floats]]
    chosen: Floats
    origin: Floats


class Translation(NamedTuple):
    """Relative coordinates of bodies that cannot turn.

    Attributes
    ----------
    A, c : (m, n), (m,)
        Coordinates c + A q; of a distance the vector between the markers.
    length
        l_0 of a distance in m; None if it is none.
    """

    A: Floats
    c: Floats
    length: float | None = None

    def at(self, name: str, q: Floats, v: Floats) -> Relative:
        """Coordinates with their derivatives; `name` is that of the element, for messages."""
        n, A = len(v), self.A
        if self.length is None:
            none, zero = np.zeros_like(A), np.zeros((n, n))
            return Relative(self.c + A @ q, A @ v, A, lambda: none, lambda load: zero)
        d, rate = self.c + A @ q, A @ v
        far = float(np.linalg.norm(d))
        if far == 0.0:
            raise SolverError(
                f"{name}: its ends coincide, so its direction does not exist; use a bushing, "
                "or start from another position"
            )
        e = d / far
        across = (A - np.outer(e, e @ A)) / far
        return Relative(
            np.array([far - self.length]),
            np.array([e @ rate]),
            (e @ A)[None],
            lambda: (rate @ across)[None],
            lambda load: load[0] * A.T @ across,
        )


def translation(pair: MarkerPair, coordinates: Coordinates) -> Translation | None:
    """Coordinates of two markers on bodies that cannot turn; None if one can."""
    a, b = (marker.frame_parts() for marker in pair.markers)
    if a is None or b is None or not (a.translates and b.translates):
        return None
    kinds = [kind for kind, _ in coordinates.parts]
    apart, moves = b.origin + b.point - a.origin - a.point, np.hstack([-a.shift, b.shift])
    if kinds == [DISTANCE] and coordinates.chosen.item() == 1.0:
        return Translation(moves, apart, float(coordinates.origin[0]))
    if DISTANCE in kinds:
        return None
    rows = [_part(kind, e, a, b) for kind, e in coordinates.parts]
    A = np.vstack([moved @ moves for moved, _ in rows])
    c = np.concatenate([moved @ apart + fixed for moved, fixed in rows])
    S = coordinates.chosen
    return Translation(S @ A, S @ c - coordinates.origin)


def _part(kind: int, e: Floats, a: FrameParts, b: FrameParts) -> tuple[Floats, Floats]:
    """Matrix (3, 3) of the vector from a to b, and constant (3,), of a part of the motion."""
    if kind == DISPLACEMENT:
        return a.frame.T, np.zeros(3)
    turned = a.frame.T @ b.frame @ e if kind == DIRECTION else np.zeros(3)
    return np.zeros((3, 3)), turned


@kernel(fastmath=True)
def _coordinates_at(
    p: Floats, q: Floats, v: Floats, s: Floats, rate: Floats, G: Floats, d: Floats
) -> float:
    """Values and rates (k,) and Jacobian (k, n); returns the distance of the ends, 1 without one.

    Parameters: n_q, n, m, whether it is a distance, l_0, where the law begins, A, c. Of a distance
    d (6,) is the vector between the ends, and its rate.
    """
    n, m = len(v), int(p[2])
    A = matrix(p, 6, m, n)
    distant = p[3] > 0.0
    for i in range(m):
        value, change = p[6 + m * n + i], 0.0
        for j in range(n):
            value += A[i, j] * q[j]
            change += A[i, j] * v[j]
            if not distant:
                G[i, j] = A[i, j]
        if distant:
            d[i], d[3 + i] = value, change
        else:
            s[i], rate[i] = value, change
    if not distant:
        return 1.0
    far = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2])
    if far == 0.0:
        return 0.0
    s[0], rate[0] = far - p[4], (d[0] * d[3] + d[1] * d[4] + d[2] * d[5]) / far
    for j in range(n):
        G[0, j] = (d[0] * A[0, j] + d[1] * A[1, j] + d[2] * A[2, j]) / far
    return far


@kernel(fastmath=True)
def _tangents(
    G: Floats, by_s: Floats, by_rate: Floats, space: Floats, by_q: Floats, by_v: Floats
) -> None:
    """Derivatives -G^T by_s G and -G^T by_rate G of the force; `space` has 2 k numbers."""
    k, n = G.shape
    for j in range(n):
        for i in range(k):
            space[i] = space[k + i] = 0.0
            for m in range(k):
                space[i] += by_s[i, m] * G[m, j]
                space[k + i] += by_rate[i, m] * G[m, j]
        for a in range(n):
            by_q[a, j] = by_v[a, j] = 0.0
            for i in range(k):
                by_q[a, j] -= G[i, a] * space[i]
                by_v[a, j] -= G[i, a] * space[k + i]


@kernel(fastmath=True)
def _add_turning(
    p: Floats, G: Floats, d: Floats, far: float, load: float, slope: float, by_q: Floats
) -> None:
    """Subtract what the changing direction of a distance adds to the derivative by q."""
    n = G.shape[1]
    A = matrix(p, 6, 3, n)
    for j in range(n):
        x, y = A[0, j] * far - d[0] * G[0, j], A[1, j] * far - d[1] * G[0, j]
        z, square = A[2, j] * far - d[2] * G[0, j], far * far
        late = slope * (d[3] * x + d[4] * y + d[5] * z) / square
        for a in range(n):
            turn = load * (A[0, a] * x + A[1, a] * y + A[2, a] * z) / square
            by_q[a, j] -= turn + G[0, a] * late


def _translating_element(pointer: Any, parameters: Any, task: float) -> float:
    """A force element f = -G^T load(t, s, s') between bodies that cannot turn."""
    p = viewed(parameters, PARAMETERS)
    w = record(pointer, p)
    n, distant, at_law = len(w.v), p[3] > 0.0, int(p[5])
    k = 1 if distant else int(p[2])
    s, rate, load = part(w.own, 0, k), part(w.own, k, k), part(w.own, 2 * k, k)
    by_s, by_rate = matrix(w.own, 3 * k, k, k), matrix(w.own, 3 * k + k * k, k, k)
    start = 3 * k + 2 * k * k
    G, d = matrix(w.own, start, k, n), part(w.own, start + k * n, 6)
    space = after(w.own, start + k * n + 6)
    far = _coordinates_at(p, w.q, w.v, s, rate, G, d)
    if far == 0.0:
        return FAILED
    stored = law_at(p, at_law, k, w.head[TIME], s, rate, load, by_s, by_rate)
    for j in range(n):
        w.force[j] = 0.0
        for i in range(k):
            w.force[j] -= G[i, j] * load[i]
    if task == TANGENTS:
        _tangents(G, by_s, by_rate, space, w.by_q, w.by_v)
        if distant:
            _add_turning(p, G, d, far, load[0], by_rate[0, 0], w.by_q)
    elif task == POWERS:
        w.head[LOST] = lost_power(p, at_law, k, s, rate, load, by_rate)
        w.head[STORED], w.head[SUPPLIED] = stored, 0.0
    return 0.0


def _linear_element(pointer: Any, parameters: Any, task: float) -> float:
    """A force f_0 - K q - D v with the energy e_0 - f_0 . q + q . K q/2.

    Parameters: n_q, n, l, e_0, f_0, K, D, a, and e_0 and f_0 where l + a . q is negative: the ends
    of a distance l have passed each other then; l is 0 of what is no distance.
    """
    p = viewed(parameters, PARAMETERS)
    w = record(pointer, p)
    n, at, far = len(w.v), 3, p[2]
    if far > 0.0:
        along = 4 + len(w.v) + 2 * len(w.v) ** 2
        for j in range(n):
            far += p[along + j] * w.q[j]
        if far == 0.0:
            return FAILED
        at = 3 if far > 0.0 else along + n
    K, D = matrix(p, 4 + n, n, n), matrix(p, 4 + n + n * n, n, n)
    stored, lost = p[at], 0.0
    for i in range(n):
        pull = damped = 0.0
        for j in range(n):
            pull += K[i, j] * w.q[j]
            damped += D[i, j] * w.v[j]
        w.force[i] = p[at + 1 + i] - pull - damped
        stored += (0.5 * pull - p[at + 1 + i]) * w.q[i]
        lost += damped * w.v[i]
    if task == POWERS:
        w.head[LOST], w.head[STORED], w.head[SUPPLIED] = lost, stored, 0.0
    if task == TANGENTS:
        for i in range(n):
            for j in range(n):
                w.by_q[i, j], w.by_v[i, j] = -K[i, j], -D[i, j]
    return 0.0


def _along_a_line(found: Translation) -> Translation:
    """Coordinate of a distance whose ends move along it alone; other coordinates as they are."""
    length = float(np.linalg.norm(found.c))
    if found.length is None or length == 0.0:
        return found
    e = found.c / length
    a = e @ found.A
    if np.abs(found.A - np.outer(e, a)).max() > STRAIGHT * np.abs(found.A).max():
        return found
    return Translation(a[None], np.array([length - found.length]))


def _lowered_linear(found: Translation, law: Law) -> Lowered | None:
    """An element with a linear law of symmetric stiffness; None if it is another one."""
    straight = _along_a_line(found)
    parts = None if straight.length is not None else linear_parts(law, len(straight.c))
    if parts is None:
        return None
    (preload, C, D), A, c = parts, straight.A, straight.c
    n, length = A.shape[1], 0.0 if found.length is None else float(np.linalg.norm(found.c))

    def start(A: Floats, c: Floats) -> list[Floats]:
        return [c @ (preload + 0.5 * C @ c), -A.T @ (preload + C @ c)]

    packing = Packing(n, n, length)
    packing.extend([*start(A, c), A.T @ C @ A, A.T @ D @ A])
    if length > 0.0:
        packing.extend([A, *start(-A, c - 2.0 * length)])
    return Lowered(_linear_element, packing.numbers, time_dependent=False)


def lowered_translation(found: Translation, law: Law) -> Lowered:
    """A force element between bodies that cannot turn, as a compiled function."""
    linear = _lowered_linear(found, law)
    if linear is not None:
        return linear
    (m, n), distant = found.A.shape, found.length is not None
    packing = Packing(n, n, m, distant, found.length or 0.0, 6 + m * n + m)
    packing.extend([found.A, found.c, [law.kind], law.numbers])
    k = 1 if distant else m
    return Lowered(
        _translating_element, packing.numbers, 5 * k + 2 * k * k + k * n + 6, time_dependent=False
    )
