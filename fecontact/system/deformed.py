"""Elastic bodies of a system that are deformed more than their theory bears, along a motion."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fecontact.body.elastic import ElasticBody
from fecontact.system.assembly import Assembly
from fecontact.system.state import State
from fecontact.typing import Floats

__all__ = ["deformed_much"]

MUCH = 0.1
"""Largest strain, and square of a rotation: errors are that share of the deformation."""


def deformed_much(system: Assembly, states: Sequence[State]) -> tuple[str, ...]:
    """In words, the elastic bodies that are deformed by more than small deformations allow.

    Two states of each body are looked at, that with the most strain energy and that with the
    largest displacement.
    """
    bodies = [body for body in system.bodies if isinstance(body, ElasticBody)]
    if not bodies or not states:
        return ()
    q = np.array([state.q for state in states])
    found = (_of_body(body, q[:, system.q_slices[body.name]]) for body in bodies)
    return tuple(text for text in found if text)


def _of_body(body: ElasticBody, q: Floats) -> str:
    stiffness = body.model.frequencies[body.model.rigid :] ** 2
    elastic = q[:, q.shape[1] - len(stiffness) :]
    weights = np.array([stiffness, np.ones_like(stiffness)])
    sizes = np.einsum("km,km,wm->wk", elastic, elastic, weights)
    chosen = np.unique(np.argmax(np.where(np.isfinite(sizes), sizes, -1.0), axis=1))
    found = [body.deformation(q[k]) for k in chosen]
    strain = max(each.strain for each in found)
    rotation = max(each.rotation for each in found)
    if max(strain, rotation**2) <= MUCH:
        return ""
    return (
        f"{body.name}: strains up to {100.0 * strain:.2g} % and rotations up to {rotation:.2g} rad "
        "relative to its frame; the theory of small deformation has errors of the order of the "
        "strain and of the square of the rotation"
    )
