"""Mass field of a beam: section centres, the y and z of the sections, and masses at stations.

A section moves by u + y u_y + z u_z with u_y = theta x e_y, u_z = theta x e_z. Euler-Bernoulli's
theory keeps of these only the torsion, u_y = theta_x e_z, u_z = -theta_x e_y: bending turns the
sections, but they do not carry momentum by it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp

from fecontact.fem.beam.chain import Chain
from fecontact.fem.beam.element import GAUSS, BeamElements
from fecontact.fem.beam.parts import StationMass
from fecontact.fem.mass_field import MassField, scattered
from fecontact.typing import Floats, Integers

__all__ = ["section_fields", "station_fields"]


def section_fields(chain: Chain, elements: BeamElements) -> list[MassField]:
    """Centres, y and z directors of the sections at the Gauss points of the elements.

    The shapes refer to all six unknowns of the body nodes.
    """
    count = len(elements.length) * len(GAUSS)
    owner = np.repeat(np.arange(len(elements.length)), len(GAUSS))
    position = np.zeros((3, count, 3))
    position[0] = chain.segment_nodes[chain.connectivity[owner, 0]]
    position[0, :, 0] += np.multiply.outer(elements.length, GAUSS).ravel()
    position[1, :, 1] = position[2, :, 2] = 1.0
    fields = elements.section_fields.reshape(count, 3, 3, 12)
    weights = elements.section_weights.reshape(count, 3)
    return [
        scattered(unit, position[f], weights[:, f], chain.scatter(fields[:, f], owner))
        for f, unit in enumerate((1.0, 0.0, 0.0))
    ]


def station_fields(chain: Chain, nodes: Integers, masses: Sequence[StationMass]) -> list[MassField]:
    """Rigid masses at body nodes (k,): centres, and directors along x, y, z."""
    mass = np.array([part.mass for part in masses])
    second = np.array([part.second_moments for part in masses])
    total, move, turn = len(chain.body_nodes), np.eye(3, 6), np.zeros((3, 3, 6))
    for axis, direction in enumerate(np.eye(3)):
        turn[axis, :, 3:] = np.cross(np.eye(3), direction).T  # theta -> theta x e
    centres = scattered(1.0, chain.body_nodes[nodes], mass, _at_nodes(move, nodes, total))
    directors = (
        scattered(0.0, np.tile(e, (len(nodes), 1)), weight, _at_nodes(rows, nodes, total))
        for e, weight, rows in zip(np.eye(3), second.T, turn, strict=True)
    )
    return [centres, *directors]


def _at_nodes(rows: Floats, nodes: Integers, total: int) -> sp.csr_array:
    """Same rows (3, 6) of the unknowns of each given node, as a matrix (3 k, 6 total)."""
    blocks = np.tile(rows, (len(nodes), 1, 1))
    each = np.arange(len(nodes) + 1)
    return sp.csr_array(sp.bsr_array((blocks, nodes, each), shape=(3 * len(nodes), 6 * total)))
