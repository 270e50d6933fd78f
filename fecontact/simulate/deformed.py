"""Whether a motion deforms its elastic bodies more than their theory bears."""

from __future__ import annotations

import numpy as np

from fecontact.body import ElasticBody
from fecontact.system import System
from fecontact.typing import Floats

__all__ = ["deformation_warning"]

MUCH = 0.1
"""Largest strain, and square of a rotation: errors are that share of the deformation."""


def deformation_warning(system: System, q: Floats) -> str:
    """Sentence on the elastic body that is deformed most, if much, else empty.

    It looks at two of the states (k, n) of each body, that with the most strain energy and that
    with the largest displacement.
    """
    words = [
        sentence
        for body in system.bodies
        if isinstance(body, ElasticBody)
        for sentence in [_of_body(body, q[:, system.q_slices[body.name]])]
        if sentence
    ]
    return "; ".join(words)


def _of_body(body: ElasticBody, q: Floats) -> str:
    stiffness = body.model.frequencies[body.model.rigid :] ** 2
    elastic = q[:, q.shape[1] - len(stiffness) :]
    found = []
    for weights in (stiffness, np.ones_like(stiffness)):
        sizes = np.einsum("km,km,m->k", elastic, elastic, weights)
        found.append(body.deformation(q[np.argmax(np.where(np.isfinite(sizes), sizes, -1.0))]))
    strain = max(each.strain for each in found)
    rotation = max(each.rotation for each in found)
    if max(strain, rotation**2) <= MUCH:
        return ""
    return (
        f"{body.name}: strains up to {100.0 * strain:.2g} % and rotations up to {rotation:.2g} rad "
        "relative to its frame; the theory of small deformation has errors of the order of the "
        "strain and of the square of the rotation"
    )
