"""The relations of a tie: slave corners follow the master face, direction by direction.

With the integrals of `mortar`, a corner i of the slave face follows

    u_i = (sum_j M_ij u_j - sum_m B_im d_m) / D_i .

A corner that a support holds, that follows something else already, or that hardly faces the master,
keeps its own displacement; its equation is added in equal parts to those of its neighbours on the
face, so that the multipliers still add up to one and a constant pressure is still carried.

Where the faces are a distance g apart, the equation of a corner lacks the rotation theta x g of the
gap. It is added with the rotation of the master nodes in the equation (their best rigid fit), so
that the assembly moves rigidly without stress, gap or not, and the forces of the tie have no
moment.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from fecontact.errors import InputError, warn_caller
from fecontact.fem.assembly.facets import solid_facets
from fecontact.fem.assembly.items import Tie
from fecontact.fem.assembly.layout import Layout
from fecontact.fem.assembly.mortar import MortarIntegrals, mortar_integrals
from fecontact.fem.assembly.relations import Relations
from fecontact.fem.mean_motion import fit_rows
from fecontact.typing import Floats, Integers

__all__ = ["apply_tie"]

FACING = 0.3
"""Part of its area with which a corner must face the master to follow it."""
COVERED = 0.5
"""Part of the slave face below which a warning tells how little of it is tied."""
CLOSED = 1e-12
"""Gap, relative to the size of the face, that counts as none."""


def apply_tie(tie: Tie, layout: Layout, relations: Relations, number: int) -> MortarIntegrals:
    """Let the slave face follow the master."""
    (own, slave), (other, master) = layout.place(tie.slave), layout.place(tie.master)
    solid, carrier = layout.solid(own, "slave of a tie"), layout.solid(other, "master of a tie")
    what = f"tie of '{tie.slave}' to '{tie.master}'"
    try:
        found = mortar_integrals(solid_facets(solid, slave), solid_facets(carrier, master), tie.gap)
    except InputError as error:
        raise InputError(f"{what}: {error}") from None
    if found.covered < COVERED:
        warn_caller(f"{what}: only {found.covered:.0%} of the slave face has the master before it")
    first = layout.first[own], layout.first[other]
    _depart(found, solid.nodes, first[0], relations, what)
    axes = [_Direction(found, first, axis, layout.size) for axis in range(3)]
    ready = [axis.relations(relations, what) for axis in axes]
    corrected = _with_arms(ready, found, (solid.nodes, carrier.nodes), first)
    for axis, (chosen, on, departures) in zip(axes, corrected, strict=True):
        relations.depend(axis.unknowns(found.corners)[chosen], on, number, departures)
    return found


def _depart(
    found: MortarIntegrals, nodes: Floats, first: int, relations: Relations, what: str
) -> None:
    """Let the slots of the middle nodes be their departures from the mean of their ends."""
    used = abs(found.of_middles).sum(axis=0) > 0.0
    for axis in range(3):
        own = first + 3 * found.middles + axis
        means = _means(found, first, axis, relations.size)
        new = used & relations.available[own]
        ends_free = (abs(means) @ relations.available.astype(float)) > 0.0
        blocked = used & ~new & ~relations.departed[own] & ends_free
        if blocked.any():
            raise InputError(
                f"{what}: a support or coupling holds a middle node of the slave face, but not its "
                "ends: take whole edges, or exchange slave and master"
            )
        relations.depart(own[new], sp.csr_array(means[new]))


def _means(found: MortarIntegrals, first: int, axis: int, size: int) -> sp.csr_array:
    """Matrix (m, size) of the means of the ends."""
    rows = np.repeat(np.arange(len(found.ends)), [len(e) for e in found.ends])
    ends = np.array([node for each in found.ends for node in each], dtype=np.int64)
    counts = np.array([len(e) for e in found.ends], dtype=float)
    columns = first + 3 * ends + axis
    shape = (len(found.ends), size)
    return sp.csr_array(sp.coo_array((1.0 / counts[rows], (rows, columns)), shape=shape))


class _Direction:
    """Equations of a tie along x, y or z."""

    def __init__(
        self, found: MortarIntegrals, first: tuple[int, int], axis: int, size: int
    ) -> None:
        self.found, self.first, self.axis, self.size = found, first, axis, size

    def unknowns(self, nodes: Integers) -> Integers:
        """Unknowns of slave nodes."""
        return self.first[0] + 3 * nodes + self.axis

    def relations(
        self, relations: Relations, what: str
    ) -> tuple[Integers, sp.csr_array, sp.csr_array]:
        """Corners that follow, by number, and their rows on unknowns and on departures."""
        found, own = self.found, self.unknowns(self.found.corners)
        facing = found.weights > FACING * found.full
        follows = facing & relations.available[own]
        if not follows.any():
            raise InputError(
                f"{what}: no node of the slave face can follow: supports or other couplings hold "
                "it; exchange slave and master"
            )
        chosen = np.flatnonzero(follows)
        merged = _merging(found, follows)
        masters = self.first[1] + 3 * found.masters + self.axis
        on = _columns(merged @ found.of_masters, masters, self.size)
        beside = merged @ sp.csr_array(sp.diags_array(np.where(follows, 0.0, found.weights)))
        on = on - _columns(beside, own, self.size)
        middles = self.unknowns(found.middles)
        departed = relations.departed[middles]
        of_middles = sp.csr_array(merged @ found.of_middles)
        slots = _columns(of_middles @ _selected(departed), middles, self.size)
        stiff = of_middles @ _selected(~departed)
        means = _means(found, self.first[0], self.axis, self.size)
        on = on - _columns(stiff, middles, self.size) + stiff @ means
        scale = sp.csr_array(sp.diags_array(1.0 / found.weights[chosen]))
        return chosen, sp.csr_array(scale @ on), sp.csr_array(-(scale @ slots))


def _merging(found: MortarIntegrals, follows: Integers) -> sp.csr_array:
    """Matrix (followers, corners) that adds the equations of the others to their neighbours."""
    count = len(follows)
    chosen, left = np.flatnonzero(follows), np.flatnonzero(~follows & (found.weights > 0.0))
    near = sp.csr_array(found.neighbours[left][:, chosen])
    shares = [near.indices[near.indptr[k] : near.indptr[k + 1]] for k in range(len(left))]
    if any(not len(each) for each in shares):
        steps = sp.csr_array(found.neighbours @ found.neighbours @ found.neighbours)
        wide = sp.csr_array(steps[left][:, chosen])
        every = np.arange(len(chosen))
        for k, each in enumerate(shares):
            if not len(each):
                around = wide.indices[wide.indptr[k] : wide.indptr[k + 1]]
                shares[k] = around if len(around) else every
    rows = np.concatenate([np.arange(len(chosen)), *shares]).astype(np.int64)
    columns = np.concatenate([chosen, np.repeat(left, [len(each) for each in shares])])
    parts = [np.full(len(each), 1.0 / len(each)) for each in shares]
    values = np.concatenate([np.ones(len(chosen)), *parts])
    return sp.csr_array(sp.coo_array((values, (rows, columns)), shape=(len(chosen), count)))


def _with_arms(
    ready: list[tuple[Integers, sp.csr_array, sp.csr_array]],
    found: MortarIntegrals,
    nodes: tuple[Floats, Floats],
    first: tuple[int, int],
) -> list[tuple[Integers, sp.csr_array, sp.csr_array]]:
    """Add the rotation of the gap to the equations, direction by direction."""
    slave, master = nodes
    corners = slave[found.corners]
    size = float(np.ptp(corners, axis=0).max())
    result = []
    for axis, (chosen, on, departures) in enumerate(ready):
        missing = _missing(on, departures, chosen, axis, found, nodes, first)
        open_rows = np.flatnonzero(np.abs(missing).max(axis=1) > CLOSED * size)
        extra = sp.lil_array(on.shape)
        for row in open_rows:
            columns = on.indices[on.indptr[row] : on.indptr[row + 1]] - first[1]
            near = np.unique(columns[(columns >= 0) & (columns < 3 * len(master))] // 3)
            _, rows, defined = fit_rows(master[near], np.ones(len(near)))
            if not defined:
                continue
            unknowns = (first[1] + 3 * near[:, None] + np.arange(3)).ravel()
            extra[row, unknowns] = missing[row] @ rows[3:]
        result.append((chosen, sp.csr_array(on + sp.csr_array(extra)), departures))
    return result


def _missing(
    on: sp.csr_array,
    departures: sp.csr_array,
    chosen: Integers,
    axis: int,
    found: MortarIntegrals,
    nodes: tuple[Floats, Floats],
    first: tuple[int, int],
) -> Floats:
    """What the equations lack of the rotations (k, 3) about the corner itself."""
    slave, master = nodes
    size, middle = on.shape[1], slave[found.corners].mean(axis=0)
    positions = np.zeros((size, 3))
    component = np.full(size, -1)
    for points, start in ((slave, first[0]), (master, first[1])):
        rows = start + np.arange(3 * len(points))
        positions[rows] = np.repeat(points - middle, 3, axis=0)
        component[rows] = np.tile([0, 1, 2], len(points))
    turned = np.zeros((size, 3))
    used = component >= 0
    for about in range(3):
        arms = np.cross(np.eye(3)[about], positions[used])
        turned[used, about] = arms[np.arange(len(arms)), component[used]]
    ends = _means(found, first[0], axis, size)
    middles = first[0] + 3 * found.middles + axis
    slots = np.zeros((size, 3))
    slots[middles] = turned[middles] - ends @ turned
    own = first[0] + 3 * found.corners[chosen] + axis
    return np.asarray(turned[own] - on @ turned - departures @ slots)


def _columns(matrix: sp.csr_array, columns: Integers, size: int) -> sp.csr_array:
    """Matrix (k, c) with its columns at the given numbers of `size`."""
    given = sp.coo_array(matrix)
    shape = (given.shape[0], size)
    return sp.csr_array(sp.coo_array((given.data, (given.row, columns[given.col])), shape=shape))


def _selected(chosen: Integers) -> sp.csr_array:
    """Diagonal matrix of ones where chosen."""
    return sp.csr_array(sp.diags_array(chosen.astype(float)))
