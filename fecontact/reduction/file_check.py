"""Checks of the content of a reduced body read from a file: shapes of arrays and their numbers.

A checksum tells that a file is as it was written, not that its writer was right.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from fecontact.mesh.cells import CELL_NODES
from fecontact.reduction.basis import ORTHONORMAL_TO
from fecontact.reduction.geometric import UNIT_LOADS
from fecontact.reduction.interfaces import JOINT_LOADS

__all__ = ["check_content"]

UNIT_TO = 1e-6
"""Largest difference of the length of a normal from 1."""

WHOLE = ("geometry/cells/", "geometry/shape/ind")
"""Beginnings of the names of arrays of whole numbers."""
_KINDS = {"iu": "whole numbers", "f": "numbers"}

Arrays = Mapping[str, np.ndarray[Any, np.dtype[Any]]]


def check_content(about: Mapping[str, Any], arrays: Arrays) -> None:
    """Raise a `ValueError` that names the first array or number that cannot be right."""
    for name, array in arrays.items():
        kinds = "iu" if name.startswith(WHOLE) else "f"
        if array.dtype.kind not in kinds:
            raise ValueError(f"'{name}' does not hold {_KINDS[kinds]}")
        if not np.all(np.isfinite(array)):
            raise ValueError(f"'{name}' holds numbers that are not finite")
    _check_names(about)
    for name, number in _numbers(about):
        if isinstance(number, bool) or not isinstance(number, int | float):
            raise ValueError(f"invalid {name} = {number!r}: expected a number")
        if not math.isfinite(number):
            raise ValueError(f"invalid {name} = {number}: expected a finite number")
        if name.endswith(" layer") and number < 0.0:
            raise ValueError(f"invalid {name} = {number}: expected >= 0")
    if arrays["basis"].ndim != 2:
        raise ValueError(f"invalid 'basis' of shape {arrays['basis'].shape}: expected a matrix")
    for name, shape in _shapes(about, arrays, *arrays["basis"].shape):
        if arrays[name].shape != shape:
            raise ValueError(f"invalid '{name}' of shape {arrays[name].shape}: expected {shape}")
    _check_cells(arrays)
    for i in range(len(about["surfaces"])):
        _check_surface(f"surfaces/{i}", arrays)
    _check_coordinates(about, arrays["frequencies"])
    if "inertia" in about:
        _check_orthonormal(arrays["inertia/inertia_second"])


def _check_names(about: Mapping[str, Any]) -> None:
    """Surfaces are told apart by their names, and estimates belong to surfaces."""
    names = about["surfaces"]
    texts = isinstance(names, list) and all(isinstance(name, str) for name in names)
    if not texts or len(set(names)) < len(names):
        raise ValueError("its surfaces have no different names")
    if not set(about["contact"]) <= set(names):
        raise ValueError("it has estimates of surfaces that it does not have")
    for name, kept in about.get("interfaces", {}).items():
        if len(kept["compliance"]["labels"]) != len(JOINT_LOADS):
            raise ValueError(f"interface '{name}' has not the {len(JOINT_LOADS)} loads of a joint")
        if not (type(kept["joint"]) is bool and type(kept["defined"]) is bool):
            raise ValueError(f"interface '{name}' does not tell whether it is for joints")
    for name in ("rigid", "exact"):
        if type(about[name]) is not int:
            raise ValueError(f"invalid {name} = {about[name]!r}: expected a whole number")


def _numbers(about: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Scalars of the error estimates and of the inertia, with their names."""
    groups = {f"{n} {k}": c for n, kinds in about["contact"].items() for k, c in kinds.items()}
    kept = about.get("interfaces", {}).items()
    groups |= {f"load {name}": each for name, each in about.get("named_loads", {}).items()}
    groups |= {f"joint at {name}": each["compliance"] for name, each in kept}
    for group, values in (groups | {"inertia": about.get("inertia", {})}).items():
        yield from ((f"{group} {k}", v) for k, v in values.items() if k != "labels")


def _shapes(
    about: Mapping[str, Any], arrays: Arrays, n: int, m: int
) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Names of the arrays and the shapes they must have."""
    yield "frequencies", (m,)
    yield "frequency_error", (m,)
    nodes = len(arrays["geometry/points"])
    yield "geometry/points", (nodes, 3)
    yield "geometry/shape/indptr", (3 * nodes + 1,)
    for i, name in enumerate(about["surfaces"]):
        points = len(arrays[f"surfaces/{i}/points"])
        yield f"surfaces/{i}/points", (points, 3)
        yield f"surfaces/{i}/weights", (points,)
        yield f"surfaces/{i}/normals", (points, 3)
        yield f"surfaces/{i}/shape", (3 * points, m)
        for kind, compliance in about["contact"].get(name, {}).items():
            loads = len(compliance["labels"])
            yield f"contact/{i}/{kind}/full", (loads, loads)
            yield f"contact/{i}/{kind}/reduced", (loads, loads)
    for i in range(len(about.get("named_loads", {}))):
        yield f"named_loads/{i}/force", (m,)
        yield f"named_loads/{i}/resultant", (arrays[f"named_loads/{i}/resultant"].size,)
    for i, kept in enumerate(about.get("interfaces", {}).values()):
        loads = len(kept["compliance"]["labels"])
        yield f"interfaces/{i}/position", (3,)
        yield f"interfaces/{i}/motion", (loads, m)
        yield f"interfaces/{i}/compliance/full", (loads, loads)
        yield f"interfaces/{i}/compliance/reduced", (loads, loads)
    if "inertia" in about:
        yield from ((f"inertia/{name}", shape) for name, shape in _inertia_shapes(m).items())
    if "geometric" in arrays:
        yield "geometric", (len(UNIT_LOADS), m, m)
    if "mesh_error" in arrays:
        yield "mesh_error", (about["exact"],)
    if about["residual"]:
        loads = len(about["residual"]["labels"])
        yield "residual/shapes", (n, loads)
        yield "residual/compliance", (loads, loads)
        yield "residual/participation", (m, loads)


def _inertia_shapes(m: int) -> dict[str, tuple[int, ...]]:
    return {
        "first_moment": (3,),
        "inertia": (3, 3),
        "translation": (3, m),
        "rotation": (3, m),
        "inertia_first": (3, 3, m),
        "coupling": (3, m, m),
        "inertia_second": (3, 3, m, m),
    }


def _check_cells(arrays: Arrays) -> None:
    """Cells must be made of nodes that exist."""
    nodes = len(arrays["geometry/points"])
    for name, cells in arrays.items():
        if not name.startswith("geometry/cells/"):
            continue
        size = CELL_NODES.get(name.removeprefix("geometry/cells/"))
        if cells.ndim != 2 or cells.shape[1] != size:
            raise ValueError(f"'{name}' of shape {cells.shape} is not made of such cells")
        if cells.size and not (cells.min() >= 0 and cells.max() < nodes):
            raise ValueError(f"'{name}' names nodes that do not exist; there are {nodes}")


def _check_surface(path: str, arrays: Arrays) -> None:
    """Points must have areas and outward unit normals."""
    weights, normals = arrays[f"{path}/weights"], arrays[f"{path}/normals"]
    if np.any(weights < 0.0) or not np.any(weights > 0.0):
        raise ValueError(f"invalid '{path}/weights': expected >= 0, some > 0")
    length = np.linalg.norm(normals, axis=1)
    if np.any(np.abs(length - 1.0) > UNIT_TO):
        worst = length[np.argmax(np.abs(length - 1.0))]
        raise ValueError(f"invalid '{path}/normals' of length {worst:.6g}: expected 1")


def _check_coordinates(about: Mapping[str, Any], frequencies: np.ndarray[Any, Any]) -> None:
    """Rigid-body modes have the frequency zero, exact modes are among the others."""
    rigid, exact, following = about["rigid"], about["exact"], about["next_frequency"]
    if not (rigid >= 0 and exact >= 0 and rigid + exact <= len(frequencies)):
        raise ValueError(f"{rigid} rigid-body modes and {exact} modes of {len(frequencies)}")
    if np.any(frequencies[:rigid] != 0.0) or np.any(frequencies[rigid:] < 0.0):
        raise ValueError("invalid 'frequencies': expected 0 of rigid-body modes, others >= 0")
    if not following > 0.0:
        raise ValueError(f"invalid next_frequency = {following}: expected > 0")


def _check_orthonormal(inertia_second: np.ndarray[Any, Any]) -> None:
    """Half the trace of J_2 is the mass matrix Phi^T M Phi, the identity."""
    mass = 0.5 * np.trace(inertia_second)
    defect = np.max(np.abs(mass - np.eye(len(mass))), initial=0.0)
    if defect > ORTHONORMAL_TO:
        raise ValueError(f"the basis is not mass-orthonormal: Phi^T M Phi differs by {defect:.1e}")
