"""Weights of the nodes of facets: what a unit pressure loads each node with.

    w_a = int N_a dA

They add up to the area. On facets with 3, 4 and 9 nodes all are positive. On triangles with 6
nodes those of the corners vanish: a pressure loads the mid-nodes only. On quadrilaterals with 8
nodes those of the corners are negative, as a uniform pressure pulls there: contact, which cannot
pull, has no consistent weights at these nodes.
"""

from __future__ import annotations

import numpy as np

from fecontact.errors import InputError
from fecontact.typing import Floats, Integers

__all__ = ["distribute", "loaded_nodes", "nodal_functions"]


def nodal_functions(values: Floats, nodes: Floats) -> Floats:
    """Functions (q, k) whose integrals are the weights of the nodes of a facet.

    They are the shape functions. With 6 nodes they are zero for the corners, and for a mid-node
    the linear function that is 1 there and 0 at the other two: the same integrals on straight
    facets, and on curved ones, whose corners get a little of either sign, the same area.

    Parameters
    ----------
    values : (q, k)
        Shape functions at the quadrature points; the corners come first.
    nodes : (k, d)
        Local positions of the nodes.
    """
    if values.shape[1] != 6:
        return values
    ones = np.ones((6, 1))
    local = np.hstack([nodes, ones])
    linear = (values @ local) @ np.linalg.pinv(local[3:])
    return np.hstack([np.zeros_like(linear), linear])


def distribute(connectivity: Integers, functions: Floats, areas: Floats, count: int) -> Floats:
    """Integrals (count, ...) of nodal functions (q, k) over the areas (f, q, ...) of facets."""
    total = np.zeros((count, *areas.shape[2:]))
    np.add.at(total, connectivity, np.einsum("fq...,qa->fa...", areas, functions))
    return total


def loaded_nodes(weights: Floats, title: str) -> Integers:
    """Nodes that carry pressure; weights that are negative are refused."""
    negative = np.count_nonzero(weights < 0.0)
    if negative:
        raise InputError(
            f'{title}: invalid points = "nodes": expected no negative weights; {negative} nodes '
            'have one, as the corners of facets with 8 nodes do; take points = "quadrature", or '
            'the element "hex2" or a linear one'
        )
    return np.flatnonzero(weights)
