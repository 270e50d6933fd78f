"""The relations of a tie: slave nodes follow the master face, direction by direction.

With the integrals of `mortar`, the part d_i of a node of the slave face follows

    d_i = sum_j M_ij u_j / D_i,      d = u at corners, u - mean of its ends at middle nodes.

A node that a support holds, that follows something else already, or that hardly faces the master,
keeps its own d; its equation is added in equal parts to those of its neighbours on the face, so
that the multipliers still add up to one and a constant pressure is still carried.

Where the faces are a distance g apart, the equation of a node lacks the rotation theta x g of the
gap. It is added with the rotation of the master nodes in the equation (their best rigid fit), so
that the assembly moves rigidly without stress, gap or not, and the forces of the tie have no
moment.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
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
    turns = _Turns(found, carrier.nodes)
    for axis in range(3):
        equations = _Equations(found, first, axis, relations)
        equations.depart(what)
        chosen, on, slots = equations.solved(what)
        on = _with_arms(on, slots, chosen, axis, turns, solid.nodes, first)
        relations.depend(equations.own[chosen], on, number, slots)
    return found


class _Equations:
    """Equations of a tie along x, y or z."""

    def __init__(
        self, found: MortarIntegrals, first: tuple[int, int], axis: int, relations: Relations
    ) -> None:
        self.found, self.relations = found, relations
        self.own = first[0] + 3 * found.nodes + axis
        self.masters = first[1] + 3 * found.masters + axis
        self.means = means_of_ends(found, first[0], axis, relations.size)
        facing = found.weights > FACING * found.full
        self.follows = facing & relations.available[self.own]

    def depart(self, what: str) -> None:
        """Let the slots of middle nodes that keep their d be that d."""
        found, relations = self.found, self.relations
        middle = np.array([bool(each) for each in found.ends]) & (found.weights > 0.0)
        kept = middle & ~self.follows & ~relations.departed[self.own]
        bound = kept & ~relations.available[self.own]
        ends_follow = (self.means @ _marked(self.own[self.follows], relations.size)) > 0.0
        if np.any(bound & ends_follow):
            raise InputError(
                f"{what}: a support or coupling holds a middle node of the slave face, but not its "
                "ends: take whole edges, or exchange slave and master"
            )
        new = kept & ~bound
        relations.depart(self.own[new], sp.csr_array(self.means[new]))

    def solved(self, what: str) -> tuple[Integers, sp.csr_array, sp.csr_array]:
        """Nodes that follow, by number, and their rows on unknowns and on departures."""
        found, size = self.found, self.relations.size
        chosen = np.flatnonzero(self.follows)
        if not len(chosen):
            raise InputError(
                f"{what}: no node of the slave face can follow: supports or other couplings hold "
                "it; exchange slave and master"
            )
        merged = _merging(found, self.follows)
        departed = self.relations.departed[self.own]
        kept = np.where(self.follows, 0.0, found.weights)
        slots = _columns(merged @ _diagonal(kept * departed), self.own, size)
        left = merged @ _diagonal(kept * ~departed)
        on = _columns(merged @ found.of_masters, self.masters, size)
        on = on - _columns(left, self.own, size) + left @ self.means
        scale = _diagonal(1.0 / found.weights[chosen])
        rows = sp.csr_array(scale @ on + self.means[chosen])
        return chosen, rows, sp.csr_array(-(scale @ slots))


def means_of_ends(found: MortarIntegrals, first: int, axis: int, size: int) -> sp.csr_array:
    """Matrix (k, size) of the means of the ends; zero for corners."""
    rows = np.repeat(np.arange(len(found.ends)), [len(e) for e in found.ends])
    ends = np.array([node for each in found.ends for node in each], dtype=np.int64)
    counts = np.array([len(e) for e in found.ends], dtype=float)
    columns = first + 3 * ends + axis
    shape = (len(found.ends), size)
    return sp.csr_array(sp.coo_array((1.0 / counts[rows], (rows, columns)), shape=shape))


def _merging(found: MortarIntegrals, follows: npt.NDArray[np.bool_]) -> sp.csr_array:
    """Matrix (followers, nodes) that adds the equations of the others to their neighbours."""
    count = len(follows)
    chosen, left = np.flatnonzero(follows), np.flatnonzero(~follows & (found.weights > 0.0))
    near = sp.csr_array(found.neighbours[left][:, chosen])
    shares: list[Integers] = [
        near.indices[near.indptr[k] : near.indptr[k + 1]].astype(np.int64) for k in range(len(left))
    ]
    if any(not len(each) for each in shares):
        steps = sp.csr_array(found.neighbours @ found.neighbours @ found.neighbours)
        wide = sp.csr_array(steps[left][:, chosen])
        every = np.arange(len(chosen))
        for k, each in enumerate(shares):
            if not len(each):
                around = wide.indices[wide.indptr[k] : wide.indptr[k + 1]].astype(np.int64)
                shares[k] = around if len(around) else every
    rows = np.concatenate([np.arange(len(chosen)), *shares]).astype(np.int64)
    columns = np.concatenate([chosen, np.repeat(left, [len(each) for each in shares])])
    parts = [np.full(len(each), 1.0 / len(each)) for each in shares]
    values = np.concatenate([np.ones(len(chosen)), *parts])
    return sp.csr_array(sp.coo_array((values, (rows, columns)), shape=(len(chosen), count)))


class _Turns:
    """Rotation of the master nodes in the equation of a slave node, by their displacements."""

    def __init__(self, found: MortarIntegrals, master: Floats) -> None:
        self.found, self.master = found, master
        self._known: dict[int, tuple[Integers, Floats]] = {}

    def of(self, node: int) -> tuple[Integers, Floats]:
        """Master nodes (k,) and the rows (3, 3 k) of their rotation."""
        if node not in self._known:
            M = self.found.of_masters
            near = self.found.masters[M.indices[M.indptr[node] : M.indptr[node + 1]]]
            rows, defined = self._fit(near)
            if not defined:  # on one line: take all
                near = self.found.masters
                rows, _ = self._fit(near)
            self._known[node] = near, rows[3:]
        return self._known[node]

    def _fit(self, near: Integers) -> tuple[Floats, bool]:
        _, rows, defined = fit_rows(self.master[near], np.ones(len(near)))
        return rows, defined


def _with_arms(
    on: sp.csr_array,
    slots: sp.csr_array,
    chosen: Integers,
    axis: int,
    turns: _Turns,
    slave: Floats,
    first: tuple[int, int],
) -> sp.csr_array:
    """Rows `on` with the rotation of the gap."""
    found = turns.found
    size = float(np.ptp(slave[found.nodes], axis=0).max())
    missing = _missing(on, slots, chosen, axis, found, (slave, turns.master), first)
    rows, columns, values = [], [], []
    for row in np.flatnonzero(np.abs(missing).max(axis=1) > CLOSED * size):
        near, turn = turns.of(int(chosen[row]))
        columns.append((first[1] + 3 * near[:, None] + np.arange(3)).ravel())
        values.append(missing[row] @ turn)
        rows.append(np.full(len(columns[-1]), row))
    if not rows:
        return on
    at = np.concatenate(rows), np.concatenate(columns)
    return sp.csr_array(on + sp.coo_array((np.concatenate(values), at), shape=on.shape))


def _missing(
    on: sp.csr_array,
    slots: sp.csr_array,
    chosen: Integers,
    axis: int,
    found: MortarIntegrals,
    nodes: tuple[Floats, Floats],
    first: tuple[int, int],
) -> Floats:
    """What the equations lack of the rotations (k, 3) about x, y, z."""
    slave, master = nodes
    size, middle = on.shape[1], slave[found.nodes].mean(axis=0)
    turned = np.zeros((size, 3))
    for points, start in ((slave, first[0]), (master, first[1])):
        for about in range(3):
            arms = np.cross(np.eye(3)[about], points - middle)
            turned[start : start + arms.size, about] = arms.ravel()
    own = first[0] + 3 * found.nodes + axis
    departure = np.zeros((size, 3))
    departure[own] = turned[own] - means_of_ends(found, first[0], axis, size) @ turned
    return np.asarray(turned[own[chosen]] - on @ turned - slots @ departure)


def _columns(matrix: sp.csr_array, columns: Integers, size: int) -> sp.csr_array:
    """Matrix (k, c) with its columns at the given numbers of `size`."""
    given = sp.coo_array(matrix)
    shape = (given.shape[0], size)
    return sp.csr_array(sp.coo_array((given.data, (given.row, columns[given.col])), shape=shape))


def _diagonal(values: Floats) -> sp.csr_array:
    return sp.csr_array(sp.diags_array(np.asarray(values, dtype=float)))


def _marked(unknowns: Integers, size: int) -> Floats:
    """Ones at some unknowns."""
    result = np.zeros(size)
    result[unknowns] = 1.0
    return result
