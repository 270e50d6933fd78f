"""The readers of the package: a sound file for each, how it is read, and what must then hold."""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import meshio
import mutations
import numpy as np
import scipy.io
import scipy.sparse as sp

from fecontact.analysis.stability.map_points import MapPoint
from fecontact.analysis.stability.map_store import MapStore
from fecontact.body import RigidBody
from fecontact.case.parameters import Parameters, quantity
from fecontact.cli.stability import parse_range
from fecontact.fem import STEEL, ElasticSolid, read_deck, read_matrix
from fecontact.mesh import block, load_mesh, save_mesh
from fecontact.reduction import PolynomialLoads, load_reduced, reduce_model, save_reduced
from fecontact.results import Result
from fecontact.results.summary import listed_files


@dataclass
class Reader:
    """A reader: sound file, ending, kinds of changes, and the reading with its checks."""

    sound: Callable[[], bytes]
    ending: str
    kinds: list[Any]
    read: Callable[[Path], None]


def read_mesh(path: Path) -> None:
    mesh = load_mesh(path)
    assert np.isfinite(mesh.p).all()
    assert mesh.t.min() >= 0
    assert mesh.t.max() < mesh.p.shape[1]
    for facets in (mesh.boundaries or {}).values():
        assert facets.min() >= 0
        assert facets.max() < mesh.nfacets
    for cells in (mesh.subdomains or {}).values():
        assert cells.min() >= 0
        assert cells.max() < mesh.nelements


def read_model(path: Path) -> None:
    model = read_deck(path)
    assert np.isfinite(model.stiffness.data).all()
    assert np.isfinite(model.mass.data).all()
    assert model.free.max(initial=0) < model.stiffness.shape[0]


def read_sparse(path: Path) -> None:
    matrix = read_matrix(path)
    matrix.check_format(full_check=True)
    assert np.isfinite(matrix.data).all()


def read_reduced(path: Path) -> None:
    model = load_reduced(path)
    nodes = len(model.geometry.points)
    cells = [c for c in model.geometry.cells.values() if c.size]
    assert all(0 <= c.min() <= c.max() < nodes for c in cells)
    assert model.geometry.shape.shape == (3 * nodes, len(model.basis))
    assert np.isfinite(model.basis).all()
    assert all(len(s.points) == len(s.weights) for s in model.surfaces.values())


def read_result(path: Path) -> None:
    result = Result.load(path)
    str(result)
    for name in ("facing.traction", "facing.heat_flux", "facing.slip_work", "cube.ux''"):
        assert name not in result.names or len(result[name]) == len(result)
    for number, geometry in enumerate(result.geometry):
        for cells in geometry.cells.values():
            assert not cells.size or 0 <= cells.min() <= cells.max() < len(geometry.points)
        result.positions(number)
    with tempfile.TemporaryDirectory() as folder:
        result.to_csv(Path(folder) / "table.csv")
        text = (Path(folder) / "table.csv").read_text()
    assert "root:" not in text
    if len(result):
        result.state()
        assert all(0.0 <= each.t <= result.t[-1] for each in result.switches)
    assert all(each.name in result.about["events"] for each in result.events)


PLACES = np.array([[0, 0], [0, 1], [1, 0]])


def read_tile(path: Path) -> None:
    store = MapStore(path.parent / "map", {}, {})
    path.replace(store.folder / "tile.npz")
    points = store.load("tile", PLACES)
    if points is None:
        raise NotWholeError
    assert len(points) == len(PLACES)
    assert all(point.q.ndim == 1 and np.isfinite(point.q).all() for point in points)


SETTINGS = {"axes": {"x": {"low": 0.0, "high": 1.5, "count": 9}}, "band": [0.0, 1e4], "fine": True}
SYSTEMS = {"centre": {"bodies": "disc pin", "pin.mass": 0.25}, "corner": {"bodies": "disc pin"}}


def read_map(path: Path) -> None:
    folder = path.parent / "header"
    folder.mkdir(exist_ok=True)
    path.replace(folder / "map.json")
    MapStore(folder, SETTINGS, SYSTEMS)
    assert json.loads((folder / "map.json").read_bytes())["systems"] == SYSTEMS


class NotWholeError(Exception):
    """A tile is not there or not whole: the map computes it again."""


def read_summary(path: Path) -> None:
    folder = path.parent / "case"
    folder.mkdir(exist_ok=True)
    (folder / "kept.csv").touch()
    path.replace(folder / "summary.json")
    assert all(file.parent.resolve() == folder.resolve() for file in listed_files(folder))


@dataclass(frozen=True)
class Sample(Parameters):
    """Parameters of a case, one of each type."""

    mass: float = quantity(1.0, "kg")
    cells: int = quantity(4)
    rigid: bool = quantity(True)
    name: str = quantity("disc")


def read_settings(path: Path) -> None:
    text = path.read_bytes().decode("utf-8", "replace")
    ranges, settings = text.split("|")[:1], text.split("|")[1:]
    sample = Sample().override(settings)
    assert np.isfinite(sample.mass)
    for words in ranges:
        found = parse_range(words, counted=True)
        assert np.isfinite([found.axis.low, found.axis.high]).all()
        assert found.count >= 2


def _mesh_file(ending: str, **options: Any) -> bytes:
    """A small solid with names in a format."""
    mesh = block(0.2, 0.1, 0.05, (2, 1, 1)).with_subdomains({"left": np.array([0])})
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"mesh{ending}"
        save_mesh(mesh, file)
        if options:
            raw = meshio.read(file)
            raw.cell_sets, raw.point_sets = {}, {}
            raw.write(file, **options)
        return file.read_bytes()


def _gmsh_41(binary: bool) -> bytes:
    """Two triangles in three entities, two groups, one node number far away."""
    nodes = [(1, 1, [(1, 0, 0), (2, 1, 0)]), (2, 1, [(3, 1, 1), (900, 0, 1)])]
    cells = [(1, 1, 1, [(1, 1, 2)]), (2, 1, 2, [(2, 1, 2, 3), (3, 1, 3, 900)])]
    names = '$PhysicalNames\n2\n1 1 "edge"\n2 2 "plate"\n$EndPhysicalNames\n'
    out = _Packed(binary)
    out.text(f"$MeshFormat\n4.1 {int(binary)} 8\n")
    out.whole(1) if binary else None
    out.text(("\n" if binary else "") + f"$EndMeshFormat\n{names}$Entities\n")
    out.wide(0, 1, 1, 0)
    for tag in (1, 2):
        out.whole(1)
        out.real(0, 0, 0, 1, 1, 0)
        out.wide(1)
        out.whole(tag)
        out.wide(0)
    out.text("\n$EndEntities\n$Nodes\n")
    out.wide(2, 4, 1, 900)
    for dim, tag, rows in nodes:
        out.whole(dim, tag, 0)
        out.wide(len(rows))
        out.wide(*(row[0] for row in rows))
        for row in rows:
            out.real(*row[1:], 0)
    out.text("\n$EndNodes\n$Elements\n")
    out.wide(2, 3, 1, 3)
    for dim, tag, kind, rows in cells:
        out.whole(dim, tag, kind)
        out.wide(len(rows))
        for row in rows:
            out.wide(*row)
    out.text("\n$EndElements\n")
    return bytes(out.data)


@dataclass
class _Packed:
    """Writes numbers as text or as bytes."""

    binary: bool
    data: bytearray = field(default_factory=bytearray)

    def text(self, words: str) -> None:
        self.data += words.encode()

    def _add(self, kind: str, values: tuple[float, ...]) -> None:
        words = " ".join(map(str, values)) + "\n"
        self.data += np.array(values, dtype=kind).tobytes() if self.binary else words.encode()

    def whole(self, *values: int) -> None:
        self._add("<i4", values)

    def wide(self, *values: int) -> None:
        self._add("<i8", values)

    def real(self, *values: float) -> None:
        self._add("<f8", values)


def _vtu_appended(raw: bool) -> bytes:
    """Two hexahedra with appended data, as VTK itself writes them."""
    from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridWriter

    points = [[x, y, z] for z in (0.0, 1.0) for y in (0, 1) for x in (0, 1, 2)]
    cells = [[0, 1, 4, 3, 6, 7, 10, 9], [1, 2, 5, 4, 7, 8, 11, 10]]
    import pyvista as pv

    grid = pv.UnstructuredGrid({pv.CellType.HEXAHEDRON: np.array(cells)}, np.array(points))
    grid.cell_data["volume:left"] = np.array([1, 0], dtype=np.int8)
    writer = vtkXMLUnstructuredGridWriter()
    writer.SetInputData(grid)
    writer.SetDataModeToAppended()
    writer.SetEncodeAppendedData(not raw)
    writer.WriteToOutputStringOn()
    writer.Write()
    text = writer.GetOutputString()
    return text if isinstance(text, bytes) else text.encode("latin-1", "surrogateescape")


def _npz(**arrays: Any) -> bytes:
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return stream.getvalue()


def _sparse() -> bytes:
    stream = io.BytesIO()
    sp.save_npz(stream, sp.csr_array(np.diag(np.arange(1.0, 7.0)) + np.eye(6, k=1)))
    return stream.getvalue()


def _market() -> bytes:
    stream = io.BytesIO()
    matrix = sp.coo_array(np.diag(np.arange(1.0, 7.0)) - 0.25 * (np.eye(6, k=1) + np.eye(6, k=-1)))
    scipy.io.mmwrite(stream, matrix, symmetry="symmetric", precision=9)
    return stream.getvalue()


@cache
def _body() -> Any:
    solid = ElasticSolid(block(0.2, 0.1, 0.05, (1, 1, 1)), STEEL)
    return reduce_model(solid, "z_max", modes=1, loads={"z_max": PolynomialLoads(0)})


def _reduced() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        save_reduced(_body(), Path(folder) / "body.h5")
        return (Path(folder) / "body.h5").read_bytes()


def _result(compress: bool) -> bytes:
    """Four records of two bodies and a stateful contact, by the writer itself."""
    from fecontact.results import BodyGeometry, Writer
    from fecontact.results.geometry import packed
    from fecontact.results.hdf5 import writer
    from fecontact.results.hdf5.file import Header
    from fecontact.results.point import STATE, Crossing
    from fecontact.results.switches import COLUMNS
    from fecontact.system import State

    cube = RigidBody("cube", 1.0)
    names, arrays = packed([BodyGeometry.of(cube, block(0.1, 0.1, 0.1, cells=(1, 1, 1)))])
    coordinates = [f"cube.{name}" for name in ("ux", "uy", "uz", "rx", "ry", "rz")]
    about = {
        "program": "fecontact", "method": "implicit", "options": {}, "earlier": [],
        "coordinates": coordinates, "places": [0, 1, 2, -1, -1, -1], "rows": ["hinge.x"],
        "bodies": {"cube": [0, 7]}, "contacts": [{"name": "facing", "points": 60}],
        "energies": ["kinetic", "slip"], "statistics": ["steps"], "geometry": names,
        "system": "cube", "fingerprint": {}, "events": ["late"], "origin": 0.0,
    }  # fmt: skip
    point = np.arange(60.0)
    record = {
        "t": 0.0, "q": np.arange(7.0), "v": np.ones(6), "a": np.ones(6), "lam": np.ones(1),
        "z": np.zeros(120), "status": np.zeros(60, dtype=np.int8), "slip_totals": np.zeros(120),
        "resume": np.zeros(0), "frames": np.concatenate([np.zeros(3), np.eye(3).ravel()])[None],
        "energies/kinetic": 1.0, "energies/slip": 0.5, "statistics/steps": np.int64(3),
        "contacts/0/gap": point, "contacts/0/pressure": point,
        "contacts/0/normal": np.ones((60, 3)), "contacts/0/traction": np.ones((60, 3)),
        "contacts/0/slip": np.ones((60, 3)), "contacts/0/position": np.ones((60, 3)),
        "contacts/0/point_slip_power": point, "contacts/0/energy": 1.0,
        "contacts/0/damping_power": 1.0, "contacts/0/slip_power": 1.0,
        "contacts/0/supplied_power": 1.0,
    }  # fmt: skip
    fixed = {"contacts/0/weights": np.ones(60), **arrays}
    small = patch.multiple(writer, CHUNK_BYTES=1 << 9, SPARE_BYTES=0)
    with tempfile.TemporaryDirectory() as folder, small:
        file = Path(folder) / "run.h5"
        event = Crossing("late", State(0.1, *(record[name] for name in STATE[1:]))).flat(["late"])
        header = Header(about, fixed, {"switches": COLUMNS, "events": len(event)})
        run = Writer(file, header, record, compress=compress)
        for k in range(4):
            run.append(record | {"t": 0.1 * k}, {"events": event[None]} if k == 2 else {})
        run.close("finished", "well")
        content = file.read_bytes()
    return content[: int.from_bytes(content[28:36], "little")]  # behind it there is only space


def _tile() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        points = [
            MapPoint(growth=1.0, frequency=2.0, q=np.arange(3.0)),
            MapPoint(growth=1.0, frequency=2.0, q=np.zeros(0), failure="no"),
        ]
        store = MapStore(Path(folder), {}, {})
        store.save("tile", PLACES, [*points, points[0]])
        return (Path(folder) / "tile.npz").read_bytes()


def _deck() -> bytes:
    """Two cubes, tied, one coupled to a point; an equation, supports, two materials."""
    lines = ["*NODE"]
    for first, z in ((1, 0.0), (11, 1.0)):
        corners = [(0, 0), (1, 0), (1, 1), (0, 1)]
        places = [(x, y, z + up) for up in (0, 1) for x, y in corners]
        lines += [f"{first + k}, {x}., {y}., {w}" for k, (x, y, w) in enumerate(places)]
    lines += ["30, 2., 0., 0.", "*ELEMENT, TYPE=C3D8, ELSET=LOW", "1,1,2,3,4,5,6,7,8"]
    lines += ["*ELEMENT, TYPE=C3D8, ELSET=HIGH", "2,11,12,13,14,15,16,17,18"]
    lines += ["*NSET, NSET=FOOT, GENERATE", "1, 4, 1", "*SURFACE, NAME=A", "LOW, S2"]
    lines += ["*SURFACE, NAME=B", "HIGH, S1", "*SURFACE, NAME=C", "2, S2"]
    lines += ["*MATERIAL, NAME=M", "*ELASTIC", "2e11, .3", "*DENSITY", "7800."]
    lines += ["*MATERIAL, NAME=F", "*ELASTIC, TYPE=ENGINEERING CONSTANTS"]
    lines += ["9e9, 14e9, 3e9, .12, .25, .3, 4e9, 1.5e9,", "1.2e9", "*DENSITY", "1900."]
    lines += ["*ORIENTATION, NAME=O, SYSTEM=CYLINDRICAL", "5., 5., 0., 5., 5., 1."]
    lines += ["*SOLID SECTION, ELSET=LOW, MATERIAL=M"]
    lines += ["*SOLID SECTION, ELSET=HIGH, MATERIAL=F, ORIENTATION=O"]
    lines += ["*TIE, NAME=T, POSITION TOLERANCE=0.1", "B, A", "*COUPLING, REF NODE=30, SURFACE=C"]
    lines += ["*DISTRIBUTING", "1, 6", "*EQUATION", "2", "5, 2, -0.5, 30, 1, 1."]
    lines += ["*BOUNDARY", "FOOT, 1, 3", "*STEP", "*FREQUENCY", "3", "*END STEP"]
    return "\n".join(lines).encode() + b"\n"


def _map() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        MapStore(Path(folder), SETTINGS, SYSTEMS)
        return (Path(folder) / "map.json").read_bytes()


def _summary() -> bytes:
    return json.dumps({"schema": 1, "case": "x", "files": ["kept.csv"], "checks": []}).encode()


TEXT, BYTES = mutations.TEXT, mutations.BYTES
READERS = {
    "gmsh 2.2 text": Reader(lambda: _mesh_file(".msh"), ".msh", TEXT, read_mesh),
    "gmsh 2.2 binary": Reader(
        lambda: _mesh_file(".msh", file_format="gmsh22", binary=True), ".msh", BYTES, read_mesh
    ),
    "gmsh 4.1 text": Reader(lambda: _gmsh_41(False), ".msh", TEXT, read_mesh),
    "gmsh 4.1 binary": Reader(lambda: _gmsh_41(True), ".msh", BYTES, read_mesh),
    "abaqus": Reader(lambda: _mesh_file(".inp"), ".inp", TEXT, read_mesh),
    "deck": Reader(_deck, ".inp", TEXT, read_model),
    "vtk text": Reader(
        lambda: _mesh_file(".vtk", file_format="vtk42", binary=False), ".vtk", TEXT, read_mesh
    ),
    "vtk binary": Reader(lambda: _mesh_file(".vtk"), ".vtk", BYTES, read_mesh),
    "vtu text": Reader(lambda: _mesh_file(".vtu", binary=False), ".vtu", TEXT, read_mesh),
    "vtu packed": Reader(lambda: _mesh_file(".vtu"), ".vtu", TEXT, read_mesh),
    "vtu appended raw": Reader(lambda: _vtu_appended(True), ".vtu", TEXT, read_mesh),
    "vtu appended base64": Reader(lambda: _vtu_appended(False), ".vtu", TEXT, read_mesh),
    "matrix npz": Reader(_sparse, ".npz", mutations.NPZ, read_sparse),
    "matrix mtx": Reader(_market, ".mtx", TEXT, read_sparse),
    "reduced body": Reader(_reduced, ".h5", mutations.HDF5, read_reduced),
    "result": Reader(lambda: _result(False), ".h5", mutations.HDF5, read_result),
    "packed result": Reader(lambda: _result(True), ".h5", mutations.HDF5, read_result),
    "map tile": Reader(_tile, ".npz", mutations.NPZ, read_tile),
    "map header": Reader(_map, ".json", TEXT, read_map),
    "summary": Reader(_summary, ".json", TEXT, read_summary),
    "case settings": Reader(
        lambda: b"mass=0.5:2.5:7|mass=1.5|cells=12|rigid=yes|name=disc", ".txt", TEXT, read_settings
    ),
}
