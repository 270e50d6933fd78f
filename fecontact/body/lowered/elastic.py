"""Elastic bodies in moving frames, and their weight, as compiled programs see them.

Numbers of a body: n_q, n, then where its frame, its inertia, its stiffness (m,) and its damping
(m, m) begin; of its weight: n_q, n, where frame and shapes begin, and g.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fecontact.body.floating.inertia import FloatingInertia
from fecontact.body.lowered.frame import frame_state, pack_frame
from fecontact.body.lowered.inertia import (
    add_tangents,
    d_inertia,
    inertia_force,
    mass_matrix,
    project_force,
    weight,
)
from fecontact.body.lowered.shapes import (
    inertia_at,
    pack_inertia,
    pack_shapes,
    shapes_at,
    space_of,
    space_size,
)
from fecontact.body.prescribed import FrameMotion
from fecontact.kernels.arrays import viewed
from fecontact.kernels.decorators import kernel
from fecontact.kernels.lowered import (
    D_INERTIA,
    LOST,
    MASS,
    ONLY_BY_V,
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
from fecontact.kernels.sums import add_one, clear, dot_rows
from fecontact.kernels.vectors import three
from fecontact.typing import Floats

__all__ = ["elastic_body", "elastic_weight"]


@kernel(fastmath=True)
def _inner_force(
    p: Floats, e: Floats, rate: Floats, first: int, force: Floats, head: Floats
) -> None:
    """Add -K q - D q', and write the lost power and the strain energy into `head`."""
    m, K, D = len(e), int(p[4]), int(p[5])
    lost = stored = 0.0
    for i in range(m):
        damped = dot_rows(rate, p[D + m * i :])
        force[6 - first + i] -= p[K + i] * e[i] + damped
        lost += rate[i] * damped
        stored += 0.5 * p[K + i] * e[i] ** 2
    head[LOST], head[STORED], head[SUPPLIED] = lost, stored, 0.0


@kernel(fastmath=True)
def _add_inner_tangents(p: Floats, m: int, first: int, by_q: Floats, by_v: Floats) -> None:
    K, D, at = int(p[4]), int(p[5]), 6 - first
    for i in range(m):
        by_q[at + i, at + i] -= p[K + i]
        add_one(-1.0, p[D + m * i :], by_v[at + i, at:])


@kernel(fastmath=True)
def _moving_body(
    p: Floats, t: float, q: Floats, v: Floats, own: Floats, force: Floats, by_q: Floats,
    by_v: Floats, task: float, head: Floats,
) -> None:  # fmt: skip
    at = int(p[3])
    m, k = int(p[at]), int(p[at + 1])
    s, b, d = space_of(own, m, k), shapes_at(p, at), inertia_at(p, at)
    first = 0 if frame_state(p, int(p[2]), t, q, v, s.frame) else 6
    e, rate = q[len(q) - m :], v[len(v) - m :]
    if task == MASS:
        mass_matrix(b, d, e, s, first, by_q)
        return
    if task == D_INERTIA:
        d_inertia(b, d, e, force, s, first, by_q)
        return
    linear, angular = inertia_force(b, d, e, rate, s)
    project_force(s, first, force)
    _inner_force(p, e, rate, first, force, head)
    if task == TANGENTS:
        add_tangents(b, d, s, linear, angular, first, by_q, by_v, head[ONLY_BY_V] != 0.0)
        _add_inner_tangents(p, m, first, by_q, by_v)


def _elastic_body(pointer: Any, parameters: Any, task: float) -> float:
    """An elastic body in a free or prescribed frame."""
    p = viewed(parameters, PARAMETERS)
    w = record(pointer, p)
    _moving_body(p, w.head[TIME], w.q, w.v, w.own, w.force, w.by_q, w.by_v, task, w.head)
    return 0.0


def elastic_body(
    n_q: int, n: int, frame: str | FrameMotion, origin: Floats, inertia: FloatingInertia,
    stiffness: Floats, damping: Floats,
) -> Lowered | None:  # fmt: skip
    """A body in a moving frame; None if the motion of the frame is written in Python."""
    packing = Packing(n_q, n, 0, 0, 0, 0)
    at_frame = pack_frame(packing, frame, origin)
    if at_frame is None:
        return None
    places = at_frame, pack_inertia(packing, inertia), packing.add(stiffness), packing.add(damping)
    numbers = packing.numbers
    numbers[2:6] = places
    memory = space_size(len(stiffness), inertia.translation.shape[1])
    return Lowered(_elastic_body, numbers, memory)


def _elastic_weight(pointer: Any, parameters: Any, task: float) -> float:
    """Weight of an elastic body."""
    p = viewed(parameters, PARAMETERS)
    w = record(pointer, p)
    at = int(p[3])
    m, k = int(p[at]), int(p[at + 1])
    s, q, tangents = space_of(w.own, m, k), w.q, task == TANGENTS
    first = 0 if frame_state(p, int(p[2]), w.head[TIME], q, w.v, s.frame) else 6
    e, g = q[len(q) - m :], three(p, 4)
    stored = weight(shapes_at(p, at), e, g, s, first, w.force, w.by_q, tangents)
    if tangents:
        clear(w.by_v)
    if task == POWERS:
        w.head[LOST], w.head[STORED], w.head[SUPPLIED] = 0.0, stored, 0.0
    return 0.0


def elastic_weight(
    n_q: int, n: int, frame: str | FrameMotion, origin: Floats, inertia: FloatingInertia, g: Floats
) -> Lowered | None:
    """Weight of a body in any frame; None if the motion of the frame is written in Python."""
    packing = Packing(n_q, n, 0, 0, *np.asarray(g).tolist())
    at_frame = pack_frame(packing, frame, origin)
    if at_frame is None:
        return None
    places = at_frame, pack_shapes(packing, inertia)
    numbers = packing.numbers
    numbers[2:4] = places
    m, k = inertia.shortening.shape[1], inertia.translation.shape[1]
    return Lowered(_elastic_weight, numbers, space_size(m, k))
