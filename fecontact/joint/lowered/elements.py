"""Force elements and loads as compiled programs see them.

A force element is a law between coordinates of two markers (`joint.element`). Its numbers are

    n_q, n, marker a, marker b, common axis, rows, law        (where each of them begins)

then both markers; the coordinates s = S s_0 - origin from stacked parts s_0 of the relative motion
(distance, displacement, direction, rotation, angular velocity); and the law.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fecontact.body.lowered import (
    MAPS,
    POSITION,
    ROTATION,
    add_d_load,
    frame_size,
    marker_sizes,
    pack_marker,
    place_marker,
)
from fecontact.joint.curve import Curve, Line
from fecontact.joint.lowered.frame_loads import add_force, law_tangents, to_dofs
from fecontact.joint.lowered.laws import Law, law_at, lost_power
from fecontact.joint.lowered.relative_motion import relative_motion, second_motion
from fecontact.joint.translation import (
    WIDTHS,
    Coordinates,
    Translation,
    lowered_translation,
    translation,
)
from fecontact.kernels.arrays import after, matrix, part, viewed
from fecontact.kernels.curves import curve_at, numbers_of
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
    from fecontact.body.marker import Marker
    from fecontact.joint.marker import MarkerPair

__all__ = ["combine", "lowered_dead_load", "lowered_element", "lowered_load"]

HEAD = 7
"""Numbers of an element before its markers."""


@kernel(fastmath=True)
def _element(
    p: Floats, t: float, q: Floats, v: Floats, own: Floats, force: Floats, by_q: Floats,
    by_v: Floats, task: float, head: Floats,
) -> bool:  # fmt: skip
    """Force of an element, with tangents or powers; False if its ends coincide."""
    at_a, at_b, at_rows, at_law = int(p[2]), int(p[3]), int(p[5]), int(p[6])
    (q_a, n_a), (_, n_b) = marker_sizes(p, at_a), marker_sizes(p, at_b)
    k, total, size_a = int(p[at_rows + 1]), int(p[at_rows + 2]), MAPS + 15 * n_a
    f_a, f_b = part(own, 0, size_a), part(own, size_a, MAPS + 15 * n_b)
    w = after(own, size_a + MAPS + 15 * n_b)
    place_marker(p, at_a, t, part(q, 0, q_a), part(v, 0, n_a), f_a)
    place_marker(p, at_b, t, after(q, q_a), after(v, n_a), f_b)
    # coordinates, rates, loads; then Jacobians of parts and of coordinates, (rows, 12)
    base, s, rate, load, pull = (
        part(w, 0, 2 * total), after(w, 2 * total), after(w, 2 * total + k),
        after(w, 2 * total + 2 * k), after(w, 2 * total + 3 * k),
    )  # fmt: skip
    start = 3 * total + 3 * k
    G_0 = matrix(w, start, total, 12)
    start += 12 * total
    G = matrix(w, start, k, 12)
    start += 12 * k
    by_s = matrix(w, start, k, k)
    start += k * k
    by_rate = matrix(w, start, k, k)
    start += k * k
    wrench, space = part(w, start, 12), after(w, start + 12)
    spinning = relative_motion(p, at_rows, p[4] > 0.0, f_a, f_b, base, G_0)
    if spinning < 0:
        return False
    chosen = at_rows + 3 + 4 * int(p[at_rows])
    combine(p, chosen, G_0, G)
    for i in range(k):
        s[i], rate[i] = -p[chosen + k * total + i], 0.0
        for j in range(total):
            s[i] += p[chosen + total * i + j] * base[2 * j]
            rate[i] += p[chosen + total * i + j] * base[2 * j + 1]
    stored = law_at(p, at_law, k, t, s, rate, load, by_s, by_rate)
    for c in range(12):
        wrench[c] = 0.0
        for i in range(k):
            wrench[c] += G[i, c] * load[i]
    for j in range(n_a + n_b):
        force[j] = 0.0
    add_force(f_a, part(wrench, 0, 6), n_a, spinning > 0, part(force, 0, n_a))
    add_force(f_b, after(wrench, 6), n_b, spinning > 0, after(force, n_a))
    if task == TANGENTS:
        for j in range(total):
            pull[j] = 0.0
            for i in range(k):
                pull[j] += p[chosen + total * i + j] * load[i]
        H, A, B = (
            matrix(space, 0, 12, 12), matrix(space, 144, 12, 12),
            matrix(space, 288, 12, 12),
        )  # fmt: skip
        for c in range(12):
            for j in range(12):
                H[c, j] = A[c, j] = B[c, j] = 0.0
        D_0 = matrix(space, 432, total, 12)
        end = 432 + 12 * total
        D = matrix(space, end, k, 12)
        second_motion(p, at_rows, p[4] > 0.0, f_a, f_b, pull, H, D_0)
        combine(p, chosen, D_0, D)
        law_tangents(G, D, by_s, by_rate, A, H, B)
        space = after(space, end + 12 * k)
        to_dofs(H, A, B, f_a, f_b, n_a, n_b, spinning > 0, space, by_q, by_v)
        add_d_load(p, at_a, part(q, 0, q_a), f_a, part(wrench, 0, 6), -1.0, 0, by_q)
        add_d_load(p, at_b, after(q, q_a), f_b, after(wrench, 6), -1.0, n_a, by_q)
    elif task == POWERS:
        lost = lost_power(p, at_law, k, s, rate, load, by_rate)
        head[LOST], head[STORED], head[SUPPLIED] = lost, stored, 0.0
    return True


@kernel(fastmath=True)
def combine(p: Floats, chosen: int, parts: Floats, result: Floats) -> None:
    """S parts (k, 12), with the matrix S (k, all) whose numbers begin at `chosen`."""
    total = len(parts)
    for i in range(len(result)):
        for c in range(12):
            result[i, c] = 0.0
        for j in range(total):
            part = p[chosen + total * i + j]
            if part != 0.0:
                for c in range(12):
                    result[i, c] += part * parts[j, c]


def _scratch(n_a: int, n_b: int, k: int, total: int) -> int:
    """Numbers that an element needs beside its record."""
    rows = 3 * total + 3 * k + 12 * (total + k) + 2 * k * k + 12
    tangents = 432 + 12 * (total + k) + 24 * (n_a + n_b)
    return frame_size(n_a) + frame_size(n_b) + rows + tangents


def _frame_element(pointer: Any, parameters: Any, task: float) -> float:
    """A force element between two markers: f = -G^T load(t, s, s')."""
    p = viewed(parameters, PARAMETERS)
    w = record(pointer, p)
    good = _element(p, w.head[TIME], w.q, w.v, w.own, w.force, w.by_q, w.by_v, task, w.head)
    return 0.0 if good else FAILED


def lowered_element(pair: MarkerPair, coordinates: Coordinates, law: Law | None) -> Lowered | None:
    """A force element with its coordinates and its law; None if a part has no such form."""
    if law is None:
        return None
    known, last = pair.packed.get("last", (None, None))
    packed = last if known is coordinates else _packed(pair, coordinates)
    pair.packed["last"] = coordinates, packed
    if packed is None:
        return None
    if isinstance(packed, Translation):
        return lowered_translation(packed, law)
    numbers = np.concatenate([packed.numbers, [law.kind], law.numbers])
    return Lowered(_frame_element, numbers, packed.memory, time_dependent=packed.time_dependent)


class _Packed(NamedTuple):
    """Numbers of an element before its law, the memory it needs, and whether time enters."""

    numbers: Floats
    memory: int
    time_dependent: bool


def _packed(pair: MarkerPair, coordinates: Coordinates) -> _Packed | Translation | None:
    """Markers and coordinates of an element; None if a marker has no such form."""
    straight = translation(pair, coordinates)
    if straight is not None:
        return straight
    n_q = sum(len(body.reference()) for body in pair.bodies)
    packing = Packing(
        n_q, sum(len(body.dofs) for body in pair.bodies), 0, 0, pair.common_axis, 0, 0
    )
    a, b = (pack_marker(packing, marker) for marker in pair.markers)
    if a is None or b is None:
        return None
    total = sum(WIDTHS[kind] for kind, _ in coordinates.parts)
    rows = packing.add([len(coordinates.parts), len(coordinates.origin), total])
    for kind, axis in coordinates.parts:
        packing.extend([[kind], axis])
    packing.extend([coordinates.chosen, coordinates.origin])
    numbers = packing.numbers
    numbers[2], numbers[3], numbers[5], numbers[6] = a, b, rows, packing.size
    n_a, n_b = (int(numbers[at + 2]) for at in (a, b))
    memory = _scratch(n_a, n_b, len(coordinates.origin), total)
    time_dependent = not all(isinstance(getattr(m, "carrier", ""), str) for m in pair.markers)
    return _Packed(numbers, memory, time_dependent)


@kernel(fastmath=True)
def _given_load(
    p: Floats, t: float, q: Floats, v: Floats, own: Floats, force: Floats, by_q: Floats,
    by_v: Floats, task: float, head: Floats,
) -> None:  # fmt: skip
    """A given force or torque k(t) L on a marker; see `joint.loads.load`.

    Parameters: marker, curve, whether it is a torque, whether it follows, L, home of the marker.
    """
    at, torque, follows, n = int(p[2]), p[4] > 0.0, p[5] > 0.0, len(v)
    f = part(own, 0, MAPS + 15 * n)
    place_marker(p, at, t, q, v, f)
    k, R = curve_at(p, int(p[3]), t)[0], ROTATION
    x, y, z = k * p[6], k * p[7], k * p[8]
    a, b, c = x, y, z
    if torque and not follows:  # in the components of the marker
        a = f[R] * x + f[R + 3] * y + f[R + 6] * z
        b = f[R + 1] * x + f[R + 4] * y + f[R + 7] * z
        c = f[R + 2] * x + f[R + 5] * y + f[R + 8] * z
    if follows and not torque:  # in space
        a = f[R] * x + f[R + 1] * y + f[R + 2] * z
        b = f[R + 3] * x + f[R + 4] * y + f[R + 5] * z
        c = f[R + 6] * x + f[R + 7] * y + f[R + 8] * z
    first, spin = MAPS + (3 * n if torque else 0), MAPS + 12 * n
    turns = MAPS + 3 * n
    if torque:
        for j in range(3 * n):
            f[spin + j] += f[turns + j]  # velocity to the angular velocity of the material
        first = spin
    for j in range(n):
        force[j] = a * f[first + j] + b * f[first + n + j] + c * f[first + 2 * n + j]
    if task == TANGENTS:
        _load_tangents(p, at, q, v, f, first, torque, follows, (x, y, z), (a, b, c), by_q, by_v)
    if task == POWERS:
        head[LOST] = head[STORED] = head[SUPPLIED] = 0.0
        if not (torque or follows):
            for i in range(3):
                head[STORED] -= k * p[6 + i] * (f[POSITION + i] - p[9 + i])


@kernel(fastmath=True)
def _load_tangents(
    p: Floats, at: int, q: Floats, v: Floats, f: Floats, first: int, torque: bool, follows: bool,
    given: tuple[float, float, float], own: tuple[float, float, float], by_q: Floats, by_v: Floats,
) -> None:  # fmt: skip
    """Derivatives of a given load: the lever turns with the body, and so does what follows."""
    n, load, R, turns = len(v), part(f, 0, 6), ROTATION, MAPS + 3 * len(v)
    for i in range(n):
        for j in range(n):
            by_q[i, j] = by_v[i, j] = 0.0
    if torque != follows:  # a space-fixed torque in the marker, or a force that turns with it
        for j in range(n):
            t0, t1, t2 = f[turns + j], f[turns + n + j], f[turns + 2 * n + j]
            if torque:
                a, b, c = own
                c0, c1, c2 = b * t2 - c * t1, c * t0 - a * t2, a * t1 - b * t0
            else:
                a, b, c = given
                d0, d1, d2 = c * t1 - b * t2, a * t2 - c * t0, b * t0 - a * t1
                c0 = f[R] * d0 + f[R + 1] * d1 + f[R + 2] * d2
                c1 = f[R + 3] * d0 + f[R + 4] * d1 + f[R + 5] * d2
                c2 = f[R + 6] * d0 + f[R + 7] * d1 + f[R + 8] * d2
            for i in range(n):
                by_q[i, j] += f[first + i] * c0 + f[first + n + i] * c1 + f[first + 2 * n + i] * c2
    for i in range(3):
        load[i] = load[3 + i] = 0.0
    to = 3 if torque else 0
    load[to], load[to + 1], load[to + 2] = own
    add_d_load(p, at, q, f, load, 1.0, 0, by_q)


def _load(pointer: Any, parameters: Any, task: float) -> float:
    """A given force or torque."""
    p = viewed(parameters, PARAMETERS)
    w = record(pointer, p)
    _given_load(p, w.head[TIME], w.q, w.v, w.own, w.force, w.by_q, w.by_v, task, w.head)
    return 0.0


def lowered_load(
    marker: Marker, n_q: int, n: int, vector: Floats, factor: Curve, torque: bool, follower: bool
) -> Lowered | None:
    """A force or torque; None if a part has no such form."""
    frame = marker.frame_parts()
    if frame is not None and frame.translates and not torque:
        force = (frame.frame @ vector if follower else vector) @ frame.shift
        return lowered_dead_load(n_q, force, factor, not follower)
    numbers = numbers_of(factor)
    packing = Packing(n_q, n, 0, 0, torque, follower)
    packing.extend([vector, marker.home])
    at = pack_marker(packing, marker)
    if at is None or numbers is None:
        return None
    curve = packing.add(numbers)
    result = packing.numbers
    result[2], result[3] = at, curve
    return Lowered(_load, result, frame_size(n), time_dependent=_changes(factor))


def _dead_load(pointer: Any, parameters: Any, task: float) -> float:
    """A force k(t) f on the dofs; parameters: whether it has a potential, f, the curve of k."""
    p = viewed(parameters, PARAMETERS)
    w = record(pointer, p)
    n, along = len(w.v), 0.0
    k = curve_at(p, 3 + n, w.head[TIME])[0]
    for j in range(n):
        w.force[j] = k * p[3 + j]
        if p[2] > 0.0:
            along += p[3 + j] * w.q[j]
        for i in range(n if task == TANGENTS else 0):
            w.by_q[i, j] = w.by_v[i, j] = 0.0
    if task == POWERS:
        w.head[LOST], w.head[STORED], w.head[SUPPLIED] = 0.0, -k * along, 0.0
    return 0.0


def lowered_dead_load(
    n_q: int, vector: Floats, factor: Curve, potential: bool = False
) -> Lowered | None:
    """A force on the dofs of a body; None if its factor is written in Python.

    With a potential, which is -k f . q, its dofs are its coordinates.
    """
    numbers = numbers_of(factor)
    if numbers is None:
        return None
    packing = Packing(n_q, len(vector), potential)
    packing.extend([vector, numbers])
    return Lowered(_dead_load, packing.numbers, time_dependent=_changes(factor))


def _changes(factor: Curve) -> bool:
    """Whether a factor changes with time."""
    return type(factor) is not Line or factor.gradient != 0.0
