"""From the content of a mesh file to a mesh with named surfaces and volumes.

The cells of the highest dimension are the body; cells of lower dimension only name parts of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import meshio
import numpy as np
from skfem import Mesh
from skfem.assembly import Dofs

from fecontact.errors import InputError, warn_caller
from fecontact.mesh.cells import CELL_TYPES, CORNERS, CellType, left_handed
from fecontact.mesh.quadratic import fill_centres
from fecontact.mesh.sets import NodeSet, facets_on_nodes, match_facets, with_node_sets
from fecontact.typing import Floats, Integers

__all__ = ["mesh_from_meshio"]

UNNAMED = re.compile(r"group_\dd_\d+")
"""Names that groups without a name get: dimension and number."""


def mesh_from_meshio(raw: meshio.Mesh) -> Mesh:
    """Mesh with all names of the file; a name that cannot be kept is refused.

    Nodes that belong to no cell of the body (centres of circles, for example) are dropped, and
    cells that are numbered inside out are turned, each with a warning that says how many.
    """
    _refuse_foreign_code(raw)
    _check_indices(raw)
    kind = _body_type(raw)
    cells = np.vstack([block.data for block in raw.cells if block.type == kind.name])
    points = _coordinates(raw.points, kind.dim)
    unused = len(points) - len(np.unique(cells))
    if unused:
        warn_caller(f"{unused} nodes belong to no cell and are dropped")
    _warn_of_turned_cells(kind, points, cells)
    vertices, t = np.unique(cells[:, : kind.corners], return_inverse=True)
    corners = t.reshape(-1, kind.corners).T[np.argsort(kind.local[: kind.corners])]
    linear = kind.linear(np.ascontiguousarray(points[vertices].T), corners, sort_t=False)
    vertex_of = np.full(len(points), -1)
    vertex_of[vertices] = np.arange(len(vertices))
    boundaries, subdomains, unkept = _named_parts(raw, linear, kind, vertex_of)
    x = linear.p if kind.mesh is kind.linear else _second_order_nodes(kind, linear, points, cells)
    mesh = kind.mesh(x, linear.t, boundaries or None, subdomains or None)
    sets = _curves_and_points(raw, unkept, linear, kind, vertex_of, cells) if kind.dim == 3 else {}
    _warn_of_lost_sets(set(unkept) - set(sets))
    return with_node_sets(mesh, sets) if sets else mesh


def _refuse_foreign_code(raw: meshio.Mesh) -> None:
    """Refuse the names that scikit-fem packs into integers when it saves a mesh itself."""
    coded = [key.split(":")[-1] for key in raw.cell_data if key.startswith("skfem:")]
    if coded:
        raise InputError(
            f"it was saved by scikit-fem, which codes the names {', '.join(sorted(coded))}; load "
            "it with skfem.Mesh.load and save it with fecontact.mesh.save_mesh"
        )


def _check_indices(raw: meshio.Mesh) -> None:
    """Refuse indices of nodes and cells that do not exist; numpy would count -1 from the end."""
    nodes = len(raw.points)
    for block in raw.cells:
        cell = _outside(block.data, nodes)
        if cell is not None:
            raise InputError(
                f"{block.type} cell {cell} has a node that does not exist: "
                f"{block.data[cell].tolist()}, there are nodes 0 to {nodes - 1}"
            )
    for name, members in raw.point_sets.items():
        if _outside(np.asarray(members), nodes) is not None:
            raise InputError(f"set '{name}' has a node that does not exist")
    for name, parts in raw.cell_sets.items():
        for block, part in zip(raw.cells, parts, strict=True):
            if part is not None and _outside(np.asarray(part), len(block.data)) is not None:
                raise InputError(f"set '{name}' has a cell that does not exist")


def _outside(indices: Integers, count: int) -> int | None:
    """First row with an index outside 0 to count - 1."""
    if indices.size and indices.dtype.kind not in "iu":
        raise InputError("invalid numbers of nodes or cells: expected whole numbers")
    wrong = (indices < 0) | (indices >= count)
    return int(np.argwhere(wrong)[0, 0]) if wrong.any() else None


def _body_type(raw: meshio.Mesh) -> CellType:
    """Cell type of the body: the only one of the highest dimension."""
    blocks = [block for block in raw.cells if len(block.data)]
    if not blocks or max(block.dim for block in blocks) == 0:
        raise InputError("it has no cells; save it with its elements")
    dim = max(block.dim for block in blocks)
    names = sorted({block.type for block in blocks if block.dim == dim})
    if len(names) > 1:
        raise InputError(
            f"it mixes the cell types {', '.join(names)}; mesh the body with one type of cell"
        )
    if names[0] not in CELL_TYPES:
        raise InputError(
            f"cells of type {names[0]} are not supported; use one of {', '.join(CELL_TYPES)}"
        )
    return CELL_TYPES[names[0]]


def _coordinates(points: Floats, dim: int) -> Floats:
    """Coordinates (n, dim) of the nodes; the remaining ones must be zero."""
    bad = np.flatnonzero(~np.isfinite(points).all(axis=1))
    if len(bad):
        raise InputError(
            f"{len(bad)} nodes have coordinates that are not finite, first node {bad[0]}: "
            f"{points[bad[0]].tolist()}"
        )
    spread = np.ptp(points, axis=0)
    if np.any(spread[dim:] > 1e-9 * spread.max()):
        where = {1: "on a line parallel to the x axis", 2: "in a plane parallel to x-y"}[dim]
        raise InputError(
            f"its cells have dimension {dim}, so all nodes must lie {where}; curved beams and "
            "shells are not supported"
        )
    off = np.flatnonzero(np.abs(points[0]) > 1e-9 * spread.max())
    for axis in off[off >= dim]:
        letter, height = "xyz"[axis], points[0, axis]
        raise InputError(
            f"its nodes lie at {letter} = {height:.6g} m, but a body of dimension {dim} has no "
            f"{letter}: it must lie at {letter} = 0; move it there, and the parts around it too"
        )
    return np.asarray(points[:, :dim], dtype=np.float64)


def _warn_of_turned_cells(kind: CellType, points: Floats, cells: Integers) -> None:
    """Warn of cells whose numbering is left-handed (clockwise in the plane).

    Other programs refuse them; nothing is wrong with their shape, which `check_mesh` looks at.
    """
    if kind.dim == 1:
        return
    turned = len(left_handed(kind, points, cells))
    if turned:
        warn_caller(
            f"{turned} of {len(cells)} cells are inverted: their nodes are numbered "
            f"{'clockwise' if kind.dim == 2 else 'left-handed'}; they are turned"
        )


def _second_order_nodes(kind: CellType, linear: Mesh, points: Floats, cells: Integers) -> Floats:
    """Nodes of a second-order mesh in the order of scikit-fem, shape (dim, n)."""
    dofs = Dofs(linear, kind.mesh.elem())
    x = np.empty((kind.dim, dofs.N))
    x[:, dofs.element_dofs[kind.local]] = points.T[:, cells.T]
    if not kind.complete:
        fill_centres(x, dofs)
    return x


def _named_parts(
    raw: meshio.Mesh, mesh: Mesh, kind: CellType, vertex_of: Integers
) -> tuple[dict[str, Integers], dict[str, Integers], list[str]]:
    """Named facets and named cells of the mesh, and the names that are neither."""
    boundaries: dict[str, Integers] = {}
    subdomains: dict[str, Integers] = {}
    first, count = [], 0  # number of the first cell of each block in the body
    for block in raw.cells:
        first.append(count)
        count += len(block.data) if block.type == kind.name else 0
    unkept = []
    named = _named_cells(raw)
    _check_names([*named, *raw.point_sets, *raw.field_data])
    _refuse_empty_groups(raw, named, kind)
    _warn_of_unnamed_groups(raw, named)
    for name, members in named.items():
        filled = [(k, m) for k, m in enumerate(members) if m is not None and len(m)]
        dims = {raw.cells[k].dim for k, _ in filled}
        of_body = [m + first[k] for k, m in filled if raw.cells[k].dim == kind.dim]
        if of_body:
            subdomains[name] = np.unique(np.concatenate(of_body)).astype(np.int64)
        if kind.dim - 1 in dims:
            faces = [(raw.cells[k], m) for k, m in filled if raw.cells[k].dim == kind.dim - 1]
            boundaries[name] = _facets(name, faces, mesh, vertex_of)
        elif not of_body:
            unkept.append(name)
    for name, nodes in raw.point_sets.items():
        if name in boundaries:  # the set of facets of the same name says more
            continue
        vertices = vertex_of[np.asarray(nodes, dtype=np.int64)]
        facets = facets_on_nodes(mesh, vertices[vertices >= 0])
        if len(facets):
            boundaries[name] = facets
        else:
            unkept.append(name)
    return boundaries, subdomains, unkept


def _warn_of_lost_sets(names: set[str]) -> None:
    if names:
        warn_caller(
            f"the sets {', '.join(sorted(names))} hold no facet and no cell of the body "
            "(only points or curves, or nothing) and are left out"
        )


def _curves_and_points(
    raw: meshio.Mesh,
    names: list[str],
    mesh: Mesh,
    kind: CellType,
    vertex_of: Integers,
    cells: Integers,
) -> dict[str, NodeSet]:
    """Named curves and points of a solid, from line and point cells and from node sets."""
    sets: dict[str, NodeSet] = {}
    named = _named_cells(raw)
    for name in names:
        if name in raw.point_sets:
            nodes = np.asarray(raw.point_sets[name], dtype=np.int64)
            edges = _edges_with_nodes(nodes, mesh, kind, vertex_of, cells)
        else:
            blocks = zip(raw.cells, named[name], strict=True)
            filled = [(b, m) for b, m in blocks if m is not None and len(m) and b.dim < 2]
            nodes = np.concatenate([b.data[m].ravel() for b, m in filled] or [np.zeros(0, int)])
            lines = [vertex_of[b.data[m, :2]].T for b, m in filled if b.dim == 1]
            edges = _matching_edges(mesh, np.hstack([np.zeros((2, 0), int), *lines]))
        vertices = np.unique(vertex_of[nodes])
        vertices = vertices[vertices >= 0]
        if len(vertices) and not np.any(edges < 0):
            sets[name] = NodeSet(vertices, edges, np.zeros(0, dtype=np.int64))
    return sets


def _edges_with_nodes(
    nodes: Integers, mesh: Mesh, kind: CellType, vertex_of: Integers, cells: Integers
) -> Integers:
    """Edges whose nodes are all in a set; a quadratic edge counts with its middle node only."""
    member = np.zeros(mesh.nvertices, dtype=bool)
    vertices = vertex_of[nodes]
    member[vertices[vertices >= 0]] = True
    held = member[mesh.edges].all(axis=0)
    if kind.mesh is not kind.linear:
        dofs = Dofs(mesh, kind.mesh.elem())
        dof_of = np.full(len(vertex_of), -1)
        dof_of[cells.T] = dofs.element_dofs[kind.local]
        held &= np.isin(dofs.edge_dofs[0], dof_of[nodes])
    return np.flatnonzero(held)


def _matching_edges(mesh: Mesh, ends: Integers) -> Integers:
    """Edge number of each column of vertices (2, n); -1 where there is no such edge."""
    if np.any(ends < 0):
        return np.array([-1])
    key = {pair: k for k, pair in enumerate(map(tuple, np.sort(mesh.edges, axis=0).T.tolist()))}
    pairs = map(tuple, np.sort(ends, axis=0).T.tolist())
    return np.unique(np.array([key.get(pair, -1) for pair in pairs], dtype=np.int64))


def _named_cells(raw: meshio.Mesh) -> dict[str, list[Integers | None]]:
    """Name -> members of each cell block, from sets, Gmsh groups and our own VTK arrays."""
    tags_of = raw.cell_data.get("gmsh:physical", [])
    names = {group: name for name, groups in _groups(raw).items() for group in groups}
    known = names.values() if tags_of else ()  # meshio's sets hold one group per name
    named: dict[str, list[Integers | None]] = {
        n: list(m) for n, m in raw.cell_sets.items() if not n.startswith("gmsh:") and n not in known
    }
    blocks = list(zip(raw.cells, tags_of, strict=True)) if tags_of else []
    for k, (block, tags) in enumerate(blocks):
        for tag in np.unique(tags[tags != 0]).tolist():
            name = names.get((tag, block.dim), f"group_{block.dim}d_{tag}")
            members = named.setdefault(name, [None] * len(blocks))
            members[k] = _union(members[k], np.flatnonzero(tags == tag))
    for key, flags in raw.cell_data.items():
        kind, _, name = key.partition(":")
        if kind in ("surface", "volume") and name:
            marked = [np.flatnonzero(flag) for flag in flags]
            earlier = named.get(name, [None] * len(marked))
            named[name] = [_union(a, b) for a, b in zip(earlier, marked, strict=True)]
    return named


def _check_names(names: Iterable[str]) -> None:
    """Refuse names with line breaks or codes that command a terminal."""
    for name in names:
        if not name.isprintable():
            raise InputError(f"the name '{name}' has characters that cannot be shown")


def _union(members: Integers | None, more: Integers) -> Integers:
    return more if members is None else np.union1d(members, more)


def _groups(raw: meshio.Mesh) -> dict[str, list[tuple[int, int]]]:
    """Name -> number and dimension of each physical group that has it."""
    pairs = {name: np.reshape(groups, (-1, 2)) for name, groups in raw.field_data.items()}
    return {name: [(int(tag), int(dim)) for tag, dim in groups] for name, groups in pairs.items()}


def _refuse_empty_groups(
    raw: meshio.Mesh, named: dict[str, list[Integers | None]], kind: CellType
) -> None:
    """Refuse a file that declares groups of facets or cells but puts nothing into them."""
    groups = {(n, dim) for n, pairs in _groups(raw).items() for _, dim in pairs}
    filled = {
        (name, raw.cells[k].dim)
        for name, members in named.items()
        for k, m in enumerate(members)
        if m is not None and len(m)
    }
    empty = {name for name, dim in groups - filled if dim >= kind.dim - 1}
    if empty:
        raise InputError(
            f"the physical groups {', '.join(sorted(empty))} hold no elements; in Gmsh, save with "
            "Mesh.SaveAll = 0"
        )


def _warn_of_unnamed_groups(raw: meshio.Mesh, named: Iterable[str]) -> None:
    """Warn of groups without a name in a file with names; the user may have given them one."""
    unnamed = sorted(n for n in named if UNNAMED.fullmatch(n) and n not in raw.field_data)
    if raw.field_data and unnamed:
        warn_caller(
            f"the physical groups {', '.join(unnamed)} have no name in the file; Gmsh keeps a name "
            "for one group of each dimension only"
        )


def _facets(
    name: str,
    faces: list[tuple[meshio.CellBlock, Integers]],
    mesh: Mesh,
    vertex_of: Integers,
) -> Integers:
    """Facets of a named surface, matched through their corners; all must be found."""
    corners = mesh.facets.shape[0]
    found = []
    for block, members in faces:
        if CORNERS.get(block.type.rstrip("0123456789")) != corners:
            raise _unmatched(name, len(members))
        vertices = vertex_of[block.data[members, :corners]].T
        if vertices.min() < 0:
            raise _unmatched(name, int((vertices < 0).any(axis=0).sum()))
        found.append(match_facets(mesh, vertices))
    facets = np.concatenate(found)
    if facets.min() < 0:
        raise _unmatched(name, int((facets < 0).sum()))
    return np.unique(facets)


def _unmatched(name: str, count: int) -> InputError:
    """Error for a surface that is no surface of the body."""
    return InputError(
        f"{count} cells of the set '{name}' are not facets of the body; the surfaces must be "
        "meshed together with the body"
    )
