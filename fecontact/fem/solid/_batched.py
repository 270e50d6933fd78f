"""Batched integrals over isoparametric cells: the engine below the solid model.

Shape functions, quadrature and numbering come from scikit-fem; everything per cell is done for
a chunk of cells at once. With the nodes x_a of a cell and its shape functions N_a,

    x = sum_a x_a N_a(xi),    J = dx/dxi,    grad N_a = J^-1 dN_a/dxi,    dV = |det J| dxi .

A scalar matrix is sum_q L_a R_b dV; an elastic stiffness has the 3 x 3 blocks

    K_ab^ij = int C_ikjl  dN_a/dx_k  dN_b/dx_l  dV        (i <= j; the others by symmetry),

one matrix product per cell for all six. Node pairs are matched once (`Pattern`), so that a chunk
is added to the global matrix and forgotten: memory stays at the size of the result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from skfem.quadrature import get_quadrature

from fecontact.errors import InputError
from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats, Integers

if TYPE_CHECKING:
    from skfem.element import Element

__all__ = ["Cells", "Chunk", "Pattern", "block_diagonal", "pair_tensor", "shape_functions"]

CHUNK_BYTES = 8_000_000
"""Size of the largest temporary array; a chunk then stays near the cache."""

FLAT = 1e-9
"""A cell is degenerate if its volume falls below this fraction of the block its edges span."""

PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
"""Component pairs (i, j) of the stiffness blocks that are integrated."""

VOIGT = np.array([[0, 5, 4], [5, 1, 3], [4, 3, 2]])
"""Position of a strain component in the order xx, yy, zz, yz, xz, xy."""


@dataclass(frozen=True)
class Chunk:
    """A slice of c cells with q quadrature points and a nodes each.

    Attributes
    ----------
    cells
        Which cells.
    values : (q, a)
        Shape functions.
    gradients : (c, q, 3, a)
        Their derivatives with respect to x, y, z.
    volumes : (c, q)
        Quadrature weight times |det J|, in m^3.
    points : (c, q, 3)
        Positions.
    """

    cells: slice
    values: Floats
    gradients: Floats
    volumes: Floats
    points: Floats


@dataclass(frozen=True)
class Cells:
    """Isoparametric cells of one kind.

    Attributes
    ----------
    element
        Scalar scikit-fem element.
    nodes : (n, 3)
        Positions.
    connectivity : (cells, a)
        Node numbers of each cell, in the order of the element.
    signs : (cells, a)
        Signs of the global functions relative to those of the element, where edges and faces have
        a direction; None if they are all one.
    """

    element: Element
    nodes: Floats
    connectivity: npt.NDArray[np.int32]
    signs: Floats | None = None

    def chunks(self, order: int) -> Iterator[Chunk]:
        """Cells with the quadrature that is exact to the given polynomial degree."""
        xi, weights = get_quadrature(self.element.refdom, order)
        values, slopes = shape_functions(self.element, xi)
        q, nodes = values.shape
        size = max(1, CHUNK_BYTES // (8 * q * 18 * nodes))
        for start in range(0, len(self.connectivity), size):
            cells = slice(start, min(start + size, len(self.connectivity)))
            corners = self.nodes[self.connectivity[cells]]
            J = (slopes.reshape(q * 3, nodes) @ corners).reshape(-1, q, 3, 3)
            inverse, det = inverse3(J)
            self._check(cells, J, det)
            yield Chunk(cells, values, inverse @ slopes, np.abs(det) * weights, values @ corners)

    @cached_property
    def pattern(self) -> Pattern:
        """Where each node pair of each cell goes in the global matrix."""
        return Pattern.of(self.connectivity, len(self.nodes), self.signs)

    def scalar_matrix(self, order: int, form: Callable[[Chunk], Floats]) -> sp.csr_array:
        """Assemble (n, n) from `form`, which returns the cell matrices (c, a, a) of a chunk."""
        data = np.zeros(self.pattern.size)
        for chunk in self.chunks(order):
            self.pattern.add(data, chunk.cells, form(chunk))
        return self.pattern.matrix(data)

    def elastic_matrix(self, order: int, elasticity: Callable[[Chunk], Floats]) -> sp.csr_array:
        """Assemble the stiffness (3 n, 3 n); unknown 3 a + i is component i of node a.

        `elasticity` returns the Voigt matrix in Pa, shape (6, 6), (c, 1, 6, 6) or (c, q, 6, 6).
        """
        return self.gradient_matrix(order, lambda chunk: pair_tensor(elasticity(chunk))).tocsr()

    def gradient_matrix(self, order: int, tensor: Callable[[Chunk], Floats]) -> sp.bsr_array:
        """Assemble int C_ikjl u_i,k v_j,l (3 n, 3 n), C_ikjl = C_jlik, in blocks of 3 x 3.

        `tensor` returns C as `pair_tensor` does, shape (18, 3), (c, 1, 18, 3) or (c, q, 18, 3).
        """
        data = np.zeros((len(PAIRS), self.pattern.size))
        for chunk in self.chunks(order):
            c, q, _, a = chunk.gradients.shape
            C = tensor(chunk) * chunk.volumes[..., None, None]
            right = (C @ chunk.gradients).reshape(c, 3 * q, len(PAIRS) * a)
            left = chunk.gradients.reshape(c, 3 * q, a).transpose(0, 2, 1)
            blocks = (left @ right).reshape(c, a, len(PAIRS), a)
            for p in range(len(PAIRS)):
                self.pattern.add(data[p], chunk.cells, blocks[:, :, p])
        return self.pattern.block_matrix(data)

    def _check(self, cells: slice, J: Floats, det: Floats) -> None:
        """Refuse cells that are turned inside out somewhere, or flat.

        The sign itself says nothing: scikit-fem sorts the corners of tetrahedra. Flat is
        measured by the edges: det J against the product of the lengths of the rows of J.
        """
        lowest, highest = det.min(axis=1), det.max(axis=1)
        flat = np.abs(det) <= FLAT * np.prod(np.linalg.norm(J, axis=-1), axis=-1)
        bad = (lowest * highest <= 0.0) | flat.any(axis=1)
        if np.any(bad):
            index = int(np.argmax(bad))
            x, y, z = self.nodes[self.connectivity[cells.start + index]].mean(axis=0)
            raise InputError(
                f"cell {cells.start + index} at ({x:.4g}, {y:.4g}, {z:.4g}) m is inverted or "
                f"degenerate (volume ratio from {lowest[index]:.3g} to {highest[index]:.3g} m^3); "
                "repair the mesh"
            )


@dataclass(frozen=True)
class Pattern:
    """Sparsity of a nodal matrix in CSR form, with the place of each cell entry in it."""

    indptr: npt.NDArray[np.int32]
    indices: npt.NDArray[np.int32]
    position: Integers
    signs: Floats | None = None

    @classmethod
    def of(
        cls, connectivity: npt.NDArray[np.int32], nodes: int, signs: Floats | None = None
    ) -> Pattern:
        """Match the node pairs of all cells; connectivity and signs (cells, a)."""
        pairs = connectivity[:, :, None].astype(np.int64) * nodes + connectivity[:, None, :]
        keys, position = np.unique(pairs, return_inverse=True)
        counts = np.bincount(keys // nodes, minlength=nodes)
        indptr = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
        return cls(indptr, (keys % nodes).astype(np.int32), position.reshape(pairs.shape), signs)

    @property
    def size(self) -> int:
        """Number of node pairs."""
        return len(self.indices)

    def add(self, data: Floats, cells: slice, matrices: Floats) -> None:
        """Add cell matrices (c, a, a) to the entries `data`."""
        if self.signs is not None:
            signs = self.signs[cells]
            matrices = signs[:, :, None] * matrices * signs[:, None, :]
        np.add.at(data, self.position[cells].ravel(), matrices.ravel())

    def matrix(self, data: Floats) -> sp.csr_array:
        """CSR matrix (n, n) with the given entries."""
        n = len(self.indptr) - 1
        return sp.csr_array((data, self.indices, self.indptr), shape=(n, n))

    @cached_property
    def mirror(self) -> Integers:
        """Place of the pair (b, a) for each node pair (a, b)."""
        return np.asarray(
            self.matrix(np.arange(self.size, dtype=float)).T.tocsr().data, dtype=np.int64
        )

    def block_matrix(self, data: Floats) -> sp.bsr_array:
        """Matrix (3 n, 3 n) in blocks from six entries per node pair; symmetric to the last bit."""
        blocks = np.empty((self.size, 3, 3))
        _fill_blocks(data, self.mirror, blocks)
        n = 3 * (len(self.indptr) - 1)
        return sp.bsr_array((blocks, self.indices, self.indptr), shape=(n, n))


@kernel(fastmath=True)
def _fill_blocks(data: Floats, mirror: Integers, blocks: Floats) -> None:
    """Blocks (k, 3, 3) from the entries (6, k) of `PAIRS`; the others are those of the mirror."""
    for k in range(len(mirror)):
        m, B = mirror[k], blocks[k]
        for i in range(3):
            B[i, i] = 0.5 * (data[i, k] + data[i, m])
        B[0, 1], B[0, 2], B[1, 2] = data[3, k], data[4, k], data[5, k]
        B[1, 0], B[2, 0], B[2, 1] = data[3, m], data[4, m], data[5, m]


def shape_functions(element: Element, xi: Floats) -> tuple[Floats, Floats]:
    """Values (q, a) and reference derivatives (q, 3, a) of the shape functions at xi (3, q)."""
    functions = [element.lbasis(xi, a) for a in range(len(element.doflocs))]
    values = [np.broadcast_to(value, xi.shape[1]) for value, _ in functions]
    slopes = [np.broadcast_to(slope, xi.shape) for _, slope in functions]
    return np.stack(values, axis=-1), np.stack(slopes, axis=-1).swapaxes(0, 1).copy()


def inverse3(J: Floats) -> tuple[Floats, Floats]:
    """Inverse (..., 3, 3) and determinant (...) by cofactors; a singular one gives zeros."""
    r0, r1, r2 = J[..., 0, :], J[..., 1, :], J[..., 2, :]
    cofactors = np.empty_like(J)
    for column, (a, b) in enumerate(((r1, r2), (r2, r0), (r0, r1))):
        for i in range(3):
            j, k = (i + 1) % 3, (i + 2) % 3
            cofactors[..., i, column] = a[..., j] * b[..., k] - a[..., k] * b[..., j]
    det = np.einsum("...i,...i->...", r0, cofactors[..., 0])
    scale = np.divide(1.0, det, out=np.zeros_like(det), where=det != 0.0)
    return cofactors * scale[..., None, None], det


def block_diagonal(scalar: sp.csr_array, block: Floats | None = None) -> sp.csr_array:
    """Expand a nodal matrix (r, n) to (3 r, 3 n): every entry times the same 3 x 3 block.

    The unit block is the usual one; it is written directly, faster than by `kron`.
    """
    if block is not None:
        return sp.kron(scalar, block, format="csr")
    rows, columns = scalar.shape
    repeated = sp.csr_array(scalar)[np.repeat(np.arange(rows), 3)]
    component = np.tile(np.arange(3, dtype=repeated.indices.dtype), rows)
    indices = 3 * repeated.indices + np.repeat(component, np.diff(repeated.indptr))
    parts = (repeated.data, indices, repeated.indptr)
    return sp.csr_array(parts, shape=(3 * rows, 3 * columns))


def pair_tensor(D: Floats) -> Floats:
    """C_ikjl of a Voigt matrix (..., 6, 6) as (..., 18, 3), rows ordered by k and pair (i, j)."""
    i, j = np.array(PAIRS).T
    k, pair, last = np.ix_(range(3), range(len(PAIRS)), range(3))
    C = D[..., VOIGT[i[pair], k], VOIGT[j[pair], last]]
    return C.reshape(*D.shape[:-2], 18, 3)
