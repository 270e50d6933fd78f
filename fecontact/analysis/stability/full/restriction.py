"""Whether a system with bodies in all their unknowns is the reduced one on the reduced basis.

The reduced matrices are those of the full ones on x = X q. This holds for every item that sees of a
body only its points; one that has coordinates of the basis in it, or another finite-element model,
shows here and is refused.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from fecontact.analysis.stability.full.model import FullSystem
from fecontact.errors import InputError
from fecontact.system import State
from fecontact.typing import Floats

__all__ = ["check_restriction"]

SAME = 1e-6
"""Difference of a block, relative to the blocks of the two bodies on the diagonal."""

STRAINED = 1e-3
"""The same with the stress of a spin, whose terms in the mass, of the order of the strain, the full
model leaves out."""


def check_restriction(full: FullSystem, state: State) -> None:
    """Refuse a full system whose restriction to the reduced basis is not the reduced system."""
    system, X = full.system, full.lift
    lifted = full.lifted(state)
    sums, rows = full.sums(lifted), full.rows(lifted, state.lam)
    force, by_q, by_v = system.evaluate(state)
    terms = np.abs(X.T @ sums.terms) + np.abs(force)
    allowed = max(STRAINED if body.stressed else SAME for body in full.full.values())
    found = {
        "mass": (X.T @ (full.mass(lifted) @ X)).toarray(),
        "stiffness": (X.T @ (sums.by_position @ X)).toarray(),
        "damping": (X.T @ (sums.by_rate @ X)).toarray(),
    }
    for name, body in full.full.items():
        if body.modal is not None:
            part = system.slices[name]
            inside = slice(part.start + body.frame_dofs, part.stop)
            found["damping"][inside, inside] -= body.modal.damping
    reduced = {"mass": _unshortened(full, state), "stiffness": by_q, "damping": by_v}
    for what, matrix in found.items():
        limit = SAME if what == "mass" else allowed
        _check_blocks(full, what, matrix, reduced[what], reduced["stiffness"], limit)
    left = np.abs(X.T @ sums.force - force)
    for name in full.full:
        part = system.slices[name]
        if np.linalg.norm(left[part]) > allowed * np.linalg.norm(terms[part]):
            raise _other(name, "forces", float(np.linalg.norm(left[part] / terms[part].max())))
    known = system.constraint(state).jacobian
    wrong = np.abs((rows.jacobian[: len(known)] @ X).toarray() - known).max(initial=0.0)
    if wrong > SAME * np.abs(known).max(initial=0.0):
        raise _other(next(iter(full.full)), "constraints", float(wrong))


def _unshortened(full: FullSystem, state: State) -> Floats:
    """Mass matrix of the reduced system without the inertia of bodies that shorten as they bend."""
    system = full.system
    mass = system.mass_matrix(state.q)
    for name, body in full.full.items():
        part = system.slices[name]
        mass[part, part] = body.unshortened.mass_matrix(state.q[system.q_slices[name]])
    return mass


def _check_blocks(
    full: FullSystem,
    what: str,
    matrix: Floats,
    reduced: Floats,
    stiffness: Floats,
    allowed: float,
) -> None:
    """Compare blocks of bodies; damping is small where the stiffness is not, so rates count too."""
    slices = full.system.slices
    sizes = {name: np.linalg.norm(reduced[part, part]) for name, part in slices.items()}
    if what == "damping":  # beside sqrt(K M) of the body
        sizes = {
            name: size + np.sqrt(np.linalg.norm(stiffness[slices[name], slices[name]]))
            for name, size in sizes.items()
        }
    for one, two in product(slices, slices):
        if one not in full.full and two not in full.full:
            continue
        block = slices[one], slices[two]
        difference = float(np.linalg.norm(matrix[block] - reduced[block]))
        size = float(np.sqrt(sizes[one] * sizes[two]))
        if difference > allowed * size:
            raise _other(one if one in full.full else two, what, difference / (size or 1.0))


def _other(name: str, what: str, difference: float) -> InputError:
    return InputError(
        f"invalid body '{name}' in all its unknowns: on the reduced basis its {what} differ from "
        f"those of the reduced body by {difference:.1e}: expected the finite-element model it was "
        "reduced from, and joints, loads and contacts that see its points, not its coordinates"
    )
