"""Elastic bodies of a system that are deformed more than their theory bears, along a motion."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fecontact.body.base import as_body
from fecontact.system.assembly import Assembly
from fecontact.system.state import State
from fecontact.typing import Body, Floats

__all__ = ["deformed_much"]

MUCH = 0.1
"""Largest strain, and square of a rotation: errors are that fraction of the deformation."""


def deformed_much(system: Assembly, states: Sequence[State]) -> tuple[str, ...]:
    """In words, the elastic bodies that are deformed by more than small deformations allow."""
    if not states:
        return ()
    q = np.array([state.q for state in states])
    found = (_of_body(body, q[:, system.q_slices[body.name]]) for body in system.bodies)
    return tuple(text for text in found if text)


def _of_body(body: Body, q: Floats) -> str:
    strain, rotation = as_body(body).largest_deformation(q) or (0.0, 0.0)
    if max(strain, rotation**2) <= MUCH:
        return ""
    return (
        f"{body.name}: strains up to {100.0 * strain:.2g} % and rotations up to {rotation:.2g} rad "
        "relative to its frame; the theory of small deformation has errors of the order of the "
        "strain and of the square of the rotation"
    )
