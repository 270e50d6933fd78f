"""A reduced body as one HDF5 file: written at once, checked when read.

Layout, version 4. Attributes of the root: `format`, `version`, `checksum` (SHA-256 of everything
below). Dataset `about`: JSON text with names, labels, scalars and provenance. All other datasets
are arrays, under the names of the fields of `ReducedModel`; surfaces are numbered in the order of
their names in `about`. Version 1, without the contact layer of the error estimates, is read too:
its estimates are those of the body alone. Versions before 4 have no interfaces for joints beside
the contact surfaces. The geometric stiffness of versions 1 and 2 is that of Green's strain
(`fem.prestress`), wrong in the floating frame for a body that stretches; it is left out, with a
note.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any, TypeVar

import h5py
import numpy as np
import scipy.sparse as sp

from fecontact.drafts import write_file
from fecontact.errors import InputError
from fecontact.fem.model import Geometry
from fecontact.files import check_hdf5, plain_file, reading
from fecontact.reduction.attachment import Residual
from fecontact.reduction.estimate import ContactCompliance
from fecontact.reduction.file_check import check_content
from fecontact.reduction.inertia import InertiaIntegrals
from fecontact.reduction.interfaces import Interface
from fecontact.reduction.loads import NamedLoad
from fecontact.reduction.reduced import ContactEstimate, Provenance, ReducedModel, ReducedSurface

__all__ = ["load_reduced", "save_reduced"]

FORMAT = "fecontact reduced model"
VERSION = 4
GEOMETRIC_SINCE = 3
"""Version from which on the geometric stiffness is that of Biot's strain."""

Arrays = dict[str, np.ndarray[Any, np.dtype[Any]]]
T = TypeVar("T")


def save_reduced(model: ReducedModel, path: str | Path) -> None:
    """Write a reduced body to an HDF5 file; an old file is replaced only by a complete new one."""
    about, arrays = _pack(model)
    text = json.dumps(about)
    image = io.BytesIO()  # HDF5 does not survive a disk that is full while it closes a file
    with h5py.File(image, "w") as file:
        file.attrs["format"] = FORMAT
        file.attrs["version"] = VERSION
        file.attrs["checksum"] = _checksum(text, arrays)
        file["about"] = text
        for name, array in arrays.items():
            file[name] = array
    write_file(path, image.getbuffer())


def load_reduced(path: str | Path) -> ReducedModel:
    """Read a reduced body; anything but an intact file of a known version is refused."""
    path = plain_file(path)
    with reading(path, words="is damaged or no HDF5 file"):
        check_hdf5(path)
        with h5py.File(path, "r") as file:
            _check_format(file, path)
            text = file["about"].asstr()[()]
            arrays: Arrays = {}
            file.visititems(lambda name, item: _collect(arrays, name, item))
            intact = file.attrs["checksum"] == _checksum(text, arrays)
            version = int(file.attrs["version"])
        if intact:
            model = _unpack(json.loads(text), arrays)
            return model if version >= GEOMETRIC_SINCE else _without_green(model, version)
    raise InputError(f"file '{path}' is damaged: its checksum does not fit its content")


def _without_green(model: ReducedModel, version: int) -> ReducedModel:
    """Model of an older file without its geometric stiffness, which is that of Green's strain."""
    if model.geometric is None:
        return model
    note = f"no geometric stiffness: that of a file of version {version} is out of date"
    provenance = replace(model.provenance, notes=(*model.provenance.notes, note))
    return replace(model, geometric=None, provenance=provenance)


def _check_format(file: h5py.File, path: Path) -> None:
    found = file.attrs.get("format", "unknown")
    if found != FORMAT:
        raise InputError(f"file '{path}' holds no reduced model: its format is '{found}'")
    version = int(file.attrs["version"])
    if version > VERSION:
        raise InputError(
            f"file '{path}' has version {version}, this program reads up to {VERSION}: "
            "update fecontact"
        )
    if version < 1:
        raise InputError(f"file '{path}' has version {version}; versions begin with 1")


def _collect(arrays: Arrays, name: str, item: Any) -> None:
    if isinstance(item, h5py.Dataset) and name != "about":
        arrays[name] = item[()]


def _checksum(text: str, arrays: Arrays) -> str:
    digest = hashlib.sha256(text.encode())
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name} {array.dtype.str} {arrays[name].shape}".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()


def _pack(model: ReducedModel) -> tuple[dict[str, Any], Arrays]:
    """Split a model in JSON text and arrays."""
    arrays: Arrays = {
        "basis": model.basis,
        "frequencies": model.frequencies,
        "frequency_error": model.frequency_error,
        "geometry/points": model.geometry.points,
        **{f"geometry/cells/{kind}": cells for kind, cells in model.geometry.cells.items()},
    }
    shape = sp.csr_array(model.geometry.shape)
    arrays |= {f"geometry/shape/{part}": getattr(shape, part) for part in _SPARSE}
    about: dict[str, Any] = {
        "rigid": model.rigid,
        "exact": model.exact,
        "next_frequency": model.next_frequency,
        "surfaces": list(model.surfaces),
        "contact": {},
        "provenance": {**asdict(model.provenance), "parameters": dict(model.provenance.parameters)},
        "residual": None,
    }
    for i, surface in enumerate(model.surfaces.values()):
        _put(f"surfaces/{i}", surface, arrays)
    for name, estimate in model.contact.items():
        i = about["surfaces"].index(name)
        about["contact"][name] = {
            kind: _put(f"contact/{i}/{kind}", getattr(estimate, kind), arrays) for kind in _KINDS
        }
    about |= _put_joints(model, arrays)
    if model.inertia is not None:
        about["inertia"] = _put("inertia", model.inertia, arrays)
    if model.residual is not None:
        about["residual"] = _put("residual", model.residual, arrays)
    if model.geometric is not None:
        arrays["geometric"] = model.geometric
    if model.mesh_error is not None:
        arrays["mesh_error"] = model.mesh_error
    return about, arrays


def _unpack(about: dict[str, Any], arrays: Arrays) -> ReducedModel:
    """Build the model from JSON text and arrays, after a check of both."""
    check_content(about, arrays)
    names = about["surfaces"]
    points = arrays["geometry/points"]
    prefix = "geometry/cells/"
    cells = {k.removeprefix(prefix): a for k, a in arrays.items() if k.startswith(prefix)}
    parts = tuple(arrays[f"geometry/shape/{part}"] for part in _SPARSE)
    shape = sp.csr_array(parts, shape=(3 * len(points), len(arrays["basis"])))
    shape.check_format()
    provenance = about["provenance"] | {"notes": tuple(about["provenance"]["notes"])}
    return ReducedModel(
        basis=arrays["basis"],
        frequencies=arrays["frequencies"],
        rigid=about["rigid"],
        exact=about["exact"],
        frequency_error=arrays["frequency_error"],
        next_frequency=about["next_frequency"],
        geometry=Geometry(points, cells, shape),
        surfaces={
            name: _get(ReducedSurface, f"surfaces/{i}", {}, arrays) for i, name in enumerate(names)
        },
        contact={
            name: ContactEstimate(
                *(
                    _get(ContactCompliance, f"contact/{names.index(name)}/{kind}", c[kind], arrays)
                    for kind in _KINDS
                )
            )
            for name, c in about["contact"].items()
        },
        provenance=Provenance(**provenance),
        interfaces=_interfaces(about, arrays),
        named_loads=_named_loads(about, arrays),
        inertia=_get(InertiaIntegrals, "inertia", about["inertia"], arrays)
        if "inertia" in about
        else None,
        geometric=arrays.get("geometric"),
        mesh_error=arrays.get("mesh_error"),
        residual=_get(Residual, "residual", about["residual"], arrays)
        if about["residual"]
        else None,
    )


def _put_joints(model: ReducedModel, arrays: Arrays) -> dict[str, Any]:
    """Store interfaces and named loads."""
    interfaces = {
        name: {"joint": each.joint, "defined": each.defined, **_put_interface(i, each, arrays)}
        for i, (name, each) in enumerate(model.interfaces.items())
    }
    loads = {
        name: _put(f"named_loads/{i}", load, arrays)
        for i, (name, load) in enumerate(model.named_loads.items())
    }
    return {"interfaces": interfaces, "named_loads": loads}


def _named_loads(about: dict[str, Any], arrays: Arrays) -> dict[str, NamedLoad]:
    """Loads by name; none in files of older versions."""
    given = about.get("named_loads", {}).items()
    return {
        name: _get(NamedLoad, f"named_loads/{i}", others, arrays)
        for i, (name, others) in enumerate(given)
    }


def _put_interface(number: int, interface: Interface, arrays: Arrays) -> dict[str, Any]:
    """Store the arrays of an interface; return the scalars of its compliance."""
    path = f"interfaces/{number}"
    arrays |= {f"{path}/position": interface.position, f"{path}/motion": interface.motion}
    return {"compliance": _put(f"{path}/compliance", interface.compliance, arrays)}


def _interfaces(about: dict[str, Any], arrays: Arrays) -> dict[str, Interface]:
    """Inverse of `_put_interface` for all of them; none in files of older versions."""
    found = {}
    for i, (name, kept) in enumerate(about.get("interfaces", {}).items()):
        path = f"interfaces/{i}"
        found[name] = Interface(
            arrays[f"{path}/position"],
            arrays[f"{path}/motion"],
            kept["defined"],
            kept["joint"],
            _get(ContactCompliance, f"{path}/compliance", kept["compliance"], arrays),
        )
    return found


_SPARSE = ("data", "indices", "indptr")
_KINDS = ("nominal", "finer")


def _put(path: str, item: Any, arrays: Arrays) -> dict[str, Any]:
    """Store the array fields of a dataclass under `path`; return its other fields."""
    values = {field.name: getattr(item, field.name) for field in fields(item)}
    arrays |= {f"{path}/{k}": v for k, v in values.items() if isinstance(v, np.ndarray)}
    return {k: v for k, v in values.items() if not isinstance(v, np.ndarray)}


def _get(cls: type[T], path: str, others: Mapping[str, Any], arrays: Arrays) -> T:
    """Inverse of `_put`."""
    prefix = f"{path}/"
    stored = {k.removeprefix(prefix): a for k, a in arrays.items() if k.startswith(prefix)}
    texts = {k: tuple(v) if isinstance(v, list) else v for k, v in others.items()}
    return cls(**stored, **texts)
