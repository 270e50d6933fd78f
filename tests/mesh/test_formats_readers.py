"""Our own readers against meshio and PyVista, format by format, and files that could hurt."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

import meshio
import numpy as np
import pytest
import pyvista as pv

from fecontact.errors import InputError
from fecontact.mesh import block, load_mesh, measure, node_sets, save_mesh
from fecontact.mesh.formats.gmsh import read_msh
from fecontact.mesh.formats.vtk import read_vtk
from fecontact.mesh.formats.vtu import read_vtu

POINTS = np.array([[x, y, z] for z in (0.0, 0.5) for y in (0, 1) for x in (0, 1, 2)], dtype=float)
HEXES = np.array([[0, 1, 4, 3, 6, 7, 10, 9], [1, 2, 5, 4, 7, 8, 11, 10]])
QUADS = np.array([[0, 1, 4, 3], [1, 2, 5, 4]])


def raw_mesh() -> meshio.Mesh:
    """Two hexahedra and their lower faces, with names as `save_mesh` writes them."""
    flags = {"surface:floor": [np.zeros(2), np.ones(2)], "volume:left": [[1, 0], [0, 0]]}
    data = {name: [np.asarray(a, dtype=np.int8) for a in parts] for name, parts in flags.items()}
    return meshio.Mesh(POINTS, [("hexahedron", HEXES), ("quad", QUADS)], cell_data=data)


def assert_same(found: meshio.Mesh, expected: meshio.Mesh) -> None:
    """Same points, and the same cells of each type in the same order."""
    np.testing.assert_allclose(found.points, expected.points, rtol=0, atol=1e-14)
    kinds = {block.type for block in expected.cells}
    assert {block.type for block in found.cells} == kinds
    for kind in kinds:
        np.testing.assert_array_equal(found.get_cells_type(kind), expected.get_cells_type(kind))


@pytest.mark.parametrize("binary", [False, True])
@pytest.mark.parametrize("version", [2.2, 4.1])
@pytest.mark.parametrize("order", [1, 2])
def test_gmsh_against_meshio(tmp_path: Path, version: float, binary: bool, order: int) -> None:
    """A box with a surface in two groups: meshio's own numbers, and both names."""
    gmsh = pytest.importorskip("gmsh")
    gmsh.initialize(interruptible=False)
    try:
        gmsh.option.setNumber("General.Terminal", 0)
        gmsh.option.setNumber("Mesh.MshFileVersion", version)
        gmsh.option.setNumber("Mesh.Binary", binary)
        gmsh.option.setNumber("Mesh.MeshSizeMin", 0.7)
        gmsh.model.occ.addBox(0, 0, 0, 1, 1, 1)
        gmsh.model.occ.synchronize()
        gmsh.model.addPhysicalGroup(2, [1], name="left")
        if version > 4:
            gmsh.model.addPhysicalGroup(2, [1, 2], name="sides")
        gmsh.model.addPhysicalGroup(3, [1], name="box")
        gmsh.model.mesh.generate(3)
        gmsh.model.mesh.setOrder(order)
        gmsh.write(str(tmp_path / "box.msh"))
        gmsh.option.setNumber("Mesh.SaveParametric", 1)
        gmsh.write(str(tmp_path / "parametric.msh"))
    finally:
        gmsh.finalize()
    if version > 4:
        assert_same(read_msh(tmp_path / "parametric.msh"), meshio.read(tmp_path / "box.msh"))
    assert_same(read_msh(tmp_path / "box.msh"), meshio.read(tmp_path / "box.msh"))
    mesh = load_mesh(tmp_path / "box.msh")
    areas = {name: round(measure(mesh, name), 9) for name in mesh.boundaries}
    assert areas == {"left": 1.0} | ({"sides": 2.0} if version > 4 else {})


@pytest.mark.parametrize("version", ["4.2", "5.1"])
@pytest.mark.parametrize("binary", [False, True])
def test_vtk_against_meshio(tmp_path: Path, version: str, binary: bool) -> None:
    file = tmp_path / "mesh.vtk"
    raw_mesh().write(file, file_format=f"vtk{version.replace('.', '')}", binary=binary)
    assert_same(read_vtk(file), raw_mesh())
    mesh = load_mesh(file)
    assert (list(mesh.boundaries), list(mesh.subdomains)) == (["floor"], ["left"])


@pytest.mark.parametrize(
    "options",
    [
        {"binary": False},
        {"binary": True, "compression": None},
        {"binary": True, "compression": "zlib"},
        {"binary": True, "compression": "lzma", "header_type": "UInt64"},
    ],
    ids=str,
)
def test_vtu_against_meshio(tmp_path: Path, options: dict[str, object]) -> None:
    file = tmp_path / "mesh.vtu"
    raw_mesh().write(file, **options)
    assert_same(read_vtu(file), raw_mesh())
    mesh = load_mesh(file)
    assert (list(mesh.boundaries), list(mesh.subdomains)) == (["floor"], ["left"])


@pytest.mark.parametrize("ending", ["vtu", "vtk"])
@pytest.mark.parametrize("binary", [False, True])
def test_files_of_vtk_itself(tmp_path: Path, ending: str, binary: bool) -> None:
    """VTK appends its data raw or in base64, packed or not."""
    grid = pv.UnstructuredGrid({pv.CellType.HEXAHEDRON: HEXES}, POINTS)
    grid.cell_data["volume:left"] = np.array([1, 0], dtype=np.int8)
    grid.point_data["heat"] = np.arange(12.0)
    file = tmp_path / f"grid.{ending}"
    grid.save(file, binary=binary)
    mesh = load_mesh(file)
    assert measure(mesh) == pytest.approx(1.0)
    assert mesh.subdomains["left"].tolist() == [0]


@pytest.mark.parametrize("compressor", [None, "zlib", "lzma", "lz4"])
@pytest.mark.parametrize("mode", ["ascii", "binary", "appended"])
@pytest.mark.parametrize("coded", [False, True])
def test_vtu_of_paraview(tmp_path: Path, compressor, mode: str, coded: bool) -> None:
    vtk = pytest.importorskip("vtkmodules.vtkIOXML")
    grid = pv.UnstructuredGrid({pv.CellType.HEXAHEDRON: HEXES}, POINTS)
    writer = vtk.vtkXMLUnstructuredGridWriter()
    writer.SetInputData(grid)
    writer.SetFileName(str(tmp_path / "grid.vtu"))
    getattr(writer, f"SetDataModeTo{mode.capitalize()}")()
    writer.SetEncodeAppendedData(coded)
    if compressor is None:
        writer.SetCompressorTypeToNone()
    else:
        names = {"zlib": "ZLib", "lzma": "LZMA", "lz4": "LZ4"}
        getattr(writer, f"SetCompressorTypeTo{names[compressor]}")()
    writer.Write()
    if compressor == "lz4":
        with pytest.raises(InputError, match="compressor 'vtkLZ4DataCompressor' is not known"):
            load_mesh(tmp_path / "grid.vtu")
    else:
        assert measure(load_mesh(tmp_path / "grid.vtu")) == pytest.approx(1.0)


TRIANGLE = """# vtk DataFile Version 4.2
t
ASCII
DATASET UNSTRUCTURED_GRID
POINTS 4 double
{points}
CELLS 1 4
3 {nodes}
CELL_TYPES 1
5
"""
SQUARE = "0 0 0 1 0 0 0 1 0 1 1 0"


@pytest.mark.parametrize("nodes", ["0 1 -1", "0 1 4", "-4 1 2", "0 1 99999999999"])
def test_nodes_that_do_not_exist(tmp_path: Path, nodes: str) -> None:
    """Node -1 was taken as the last one: another body."""
    (tmp_path / "mesh.vtk").write_text(TRIANGLE.format(points=SQUARE, nodes=nodes))
    with pytest.raises(InputError, match=r"triangle cell 0 has a node that does not exist: \["):
        load_mesh(tmp_path / "mesh.vtk")


@pytest.mark.parametrize("last", ["1.5", "nan", "1e+300"])
def test_nodes_that_are_no_numbers(tmp_path: Path, last: str) -> None:
    (tmp_path / "mesh.vtk").write_text(TRIANGLE.format(points=SQUARE, nodes=f"0 1 {last}"))
    with pytest.raises(InputError, match=re.escape(f"{last} in place of a whole number")):
        load_mesh(tmp_path / "mesh.vtk")


MSH_41 = """$MeshFormat
4.1 0 8
$EndMeshFormat
$Nodes
1 3 1 800000000
2 1 0 3
1
5
800000000
0 0 0
1 0 0
0 1 0
$EndNodes
$Elements
1 1 1 1
2 1 2 1
1 1 5 {last}
$EndElements
"""


def test_large_node_numbers_take_no_memory(tmp_path: Path) -> None:
    """Node 800 000 000 took more than 6 GB."""
    (tmp_path / "mesh.msh").write_text(MSH_41.format(last=800000000))
    assert measure(load_mesh(tmp_path / "mesh.msh")) == pytest.approx(0.5)
    (tmp_path / "mesh.msh").write_text(MSH_41.format(last=3))
    with pytest.raises(InputError, match="node 3 is used but not defined"):
        load_mesh(tmp_path / "mesh.msh")


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("1 3 1 800000000", "1000000000000 3 1 800000000", "shorter than its counts"),
        ("2 1 0 3", "2 1 0 1000000000000", "shorter than its counts"),
        ("2 1 2 1\n", "2 1 2 -1\n", "shorter than its counts"),
        ("2 1 2 1\n", "2 1 2 1e18\n", "1e\\+18 in place of a whole number"),
        ("1 1 1 1", "1 7 1 1", "does not hold the 7 elements"),
        ("$EndNodes", "", "section \\$Nodes is cut off"),
        ("4.1", "4.0", "its format 4.0"),
        ("2 1 2 1\n", "2 1 999 1\n", "elements of type 999"),
        ("5\n8", "1\n8", "node numbers occur twice, first 1"),
    ],
)
def test_bad_gmsh_files(tmp_path: Path, old: str, new: str, why: str) -> None:
    text = MSH_41.format(last=800000000)
    assert old in text
    (tmp_path / "mesh.msh").write_text(text.replace(old, new, 1))
    with pytest.raises(InputError, match=why) as caught:
        load_mesh(tmp_path / "mesh.msh")
    assert "\n" not in str(caught.value)


DECK = "*NODE\n1, 0, 0\n2, 1, 0\n3, 0, 1\n*ELEMENT, TYPE=S3\n1, 1, 2, 3\n{more}\n"


def deck(folder: Path, more: str) -> Path:
    (folder / "deck.inp").write_text(DECK.format(more=more))
    return folder / "deck.inp"


TRIANGLE6 = """*NODE
1, 0, 0
2, 1, 0
3, 0, 1
4, 0.5, -0.1
5, 0.5, 0.5
6, 0, 0.5
*ELEMENT, TYPE=STRI65, ELSET=plate
1, 1, 2, 3, 4, 5, 6
*ELEMENT, TYPE={kind}, ELSET=edge
2, {nodes}
"""
TETRA10 = """*NODE
1, 0, 0, 0
2, 1, 0, 0
3, 0, 1, 0
4, 0, 0, 1
5, 0.5, 0, 0
6, 0.5, 0.5, 0
7, 0, 0.5, 0
8, 0, 0, 0.5
9, 0.5, 0, 0.5
10, 0, 0.5, 0.5
*ELEMENT, TYPE=C3D10
1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
*ELEMENT, TYPE=T3D3, ELSET=edge
2, {nodes}
"""


@pytest.mark.parametrize("kind", ["T3D3", "B32", "B22"])
@pytest.mark.parametrize("nodes", ["1, 4, 2", "2, 4, 1", "1, 2, 4"])
def test_quadratic_edges_of_a_deck(tmp_path: Path, kind: str, nodes: str) -> None:
    """Abaqus and Gmsh put the middle node between the ends, meshio last."""
    (tmp_path / "deck.inp").write_text(TRIANGLE6.format(kind=kind, nodes=nodes))
    mesh = load_mesh(tmp_path / "deck.inp")
    ends = mesh.p[:, mesh.facets[:, mesh.boundaries["edge"]]]
    assert sorted(ends[:, :, 0].T.tolist()) == [[0.0, 0.0], [1.0, 0.0]]


@pytest.mark.parametrize("nodes", ["2, 9, 4", "2, 4, 9"])
def test_quadratic_edges_of_a_solid_deck(tmp_path: Path, nodes: str) -> None:
    """They were left out, and with them the supports that Gmsh writes into its decks."""
    (tmp_path / "deck.inp").write_text(TETRA10.format(nodes=nodes))
    mesh = load_mesh(tmp_path / "deck.inp")
    edge = node_sets(mesh)["edge"]
    ends = mesh.p[:, mesh.edges[:, edge.edges]]
    assert sorted(ends[:, :, 0].T.tolist()) == [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]


def test_includes_stay_in_the_folder(tmp_path: Path) -> None:
    """Any file of the reader's machine was read, and its lines could show up in messages."""
    folder = tmp_path / "deck"
    (folder / "sub").mkdir(parents=True)
    (tmp_path / "secret.inp").write_text("*NSET, NSET=A\n1\n")
    (folder / "link.inp").symlink_to(tmp_path / "secret.inp")
    (folder / "sub" / "part.inp").write_text("*NSET, NSET=A\n1, 2\n")
    for name in ("../secret.inp", str(tmp_path / "secret.inp"), "link.inp", "/dev/zero"):
        with pytest.raises(InputError, match="leads out of the folder"):
            load_mesh(deck(folder, f"*INCLUDE, INPUT={name}"))
    assert list(load_mesh(deck(folder, "*INCLUDE, INPUT=sub/part.inp")).boundaries) == ["A"]


def test_includes_are_plain_files_read_once(tmp_path: Path) -> None:
    """A pipe waited for ever; files that include two others ten deep are a thousand."""
    os.mkfifo(tmp_path / "pipe.inp")
    with pytest.raises(InputError, match="is a pipe, not a plain file"):
        load_mesh(deck(tmp_path, "*INCLUDE, INPUT=pipe.inp"))
    for level in range(30):
        text = f"*INCLUDE, INPUT=b{level + 1}.inp\n*INCLUDE, INPUT=b{level + 1}.inp\n"
        (tmp_path / f"b{level}.inp").write_text(text)
    (tmp_path / "b30.inp").write_text("** end\n")
    with pytest.raises(InputError, match="each file can be included once"):
        load_mesh(deck(tmp_path, "*INCLUDE, INPUT=b0.inp"))
    with pytest.raises(InputError, match="each file can be included once"):
        load_mesh(deck(tmp_path, "*INCLUDE, INPUT=deck.inp"))


def test_sets_of_sets_do_not_double(tmp_path: Path) -> None:
    """Sixty sets, each twice the one before, would have 2^60 members."""
    sets = "*NSET, NSET=A0\n1, 2\n" + "".join(
        f"*NSET, NSET=A{k + 1}\nA{k}, A{k}\n*NSET, NSET=A{k + 1}\nA{k}\n" for k in range(60)
    )
    assert load_mesh(deck(tmp_path, sets)).boundaries["A60"].tolist() == [0]
    with pytest.raises(InputError, match="more than 100 times its size"):
        load_mesh(deck(tmp_path, "*NSET, NSET=A, GENERATE\n1, 1000000000000, 1"))


@pytest.mark.parametrize("ending", ["msh", "inp", "vtk", "vtu"])
def test_special_files(tmp_path: Path, ending: str) -> None:
    os.mkfifo(tmp_path / f"pipe.{ending}")
    (tmp_path / f"zero.{ending}").symlink_to("/dev/zero")
    (tmp_path / f"folder.{ending}").mkdir()
    for name, words in (("pipe", "a pipe"), ("zero", "a device"), ("folder", "a folder")):
        with pytest.raises(InputError, match=f"is {words}"):
            load_mesh(tmp_path / f"{name}.{ending}")


def test_other_formats_are_refused(tmp_path: Path) -> None:
    """XDMF and MED files can name other files; meshio would follow."""
    for ending in ("xdmf", "med", "h5m", "e", "bdf"):
        (tmp_path / f"mesh.{ending}").write_text("<Xdmf/>")
        with pytest.raises(InputError, match=f"the ending '.{ending}' is not known; save it"):
            load_mesh(tmp_path / f"mesh.{ending}")


def test_xml_without_entities(tmp_path: Path) -> None:
    """Entities that double, and entities that name a file."""
    (tmp_path / "secret").write_text("1 2 3")
    bomb = "".join(f'<!ENTITY a{k + 1} "&a{k};&a{k};">' for k in range(40))
    for entity in (f'<!ENTITY a0 "1 ">{bomb}', f'<!ENTITY a40 SYSTEM "{tmp_path}/secret">'):
        text = f"<?xml version='1.0'?><!DOCTYPE VTKFile [{entity}]><VTKFile>&a40;</VTKFile>"
        (tmp_path / "mesh.vtu").write_text(text)
        with pytest.raises(InputError, match="document type"):
            load_mesh(tmp_path / "mesh.vtu")


def test_packed_data_larger_than_declared(tmp_path: Path) -> None:
    """One block of zlib that unpacks to more than its header says, and a header that says 1e12."""
    import base64
    import zlib

    raw_mesh().write(tmp_path / "mesh.vtu", binary=True, compression="zlib", header_type="UInt64")
    text = (tmp_path / "mesh.vtu").read_text()
    start = text.index("\n", text.index('Name="Points"')) + 1
    stop = text.index("\n", start)
    packed = zlib.compress(bytes(10_000_000))
    for declared, message in ((288, "not have the length"), (10**12, "more than 100 times")):
        header = np.array([1, declared, declared, len(packed)], dtype=np.uint64).tobytes()
        bomb = (base64.b64encode(header) + base64.b64encode(packed)).decode()
        (tmp_path / "bomb.vtu").write_text(text[:start] + bomb + text[stop:])
        with pytest.raises(InputError, match=message):
            load_mesh(tmp_path / "bomb.vtu")


def test_elements_that_take_nodes_of_the_next(tmp_path: Path) -> None:
    """A node too few in one element and one too many in the next: all after them were shifted."""
    nodes = "*NODE\n1, 0, 0\n2, 1, 0\n3, 0, 1\n4, 1, 1\n"
    (tmp_path / "deck.inp").write_text(nodes + "*ELEMENT, TYPE=S3\n1, 1, 2\n3, 2, 2, 4, 3\n")
    with pytest.raises(InputError, match="an element of type S3 does not have 3 nodes"):
        load_mesh(tmp_path / "deck.inp")


@pytest.mark.parametrize(
    ("flag", "why"), [("nan", "0 numbers in place of 1"), ("0.5", "0.5 in place of a whole number")]
)
def test_members_that_are_no_flags(tmp_path: Path, flag: str, why: str) -> None:
    """nan was taken as a member."""
    array = f"CELL_DATA 1\nSCALARS volume:left double\nLOOKUP_TABLE default\n{flag}\n"
    (tmp_path / "mesh.vtk").write_text(TRIANGLE.format(points=SQUARE, nodes="0 1 2") + array)
    with pytest.raises(InputError, match=why):
        load_mesh(tmp_path / "mesh.vtk")


def test_names_that_command_a_terminal(tmp_path: Path) -> None:
    (tmp_path / "deck.inp").write_text(DECK.format(more="*NSET, NSET=A\x1b[2J\n1, 2"))
    with pytest.raises(InputError, match="characters that cannot be shown") as caught:
        load_mesh(tmp_path / "deck.inp")
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("ending", [".msh", ".inp", ".vtk", ".vtu"])
def test_lines_of_windows(tmp_path: Path, ending: str) -> None:
    """Lines that end with carriage return and line feed."""
    mesh = block(0.2, 0.1, 0.05, (2, 1, 1))
    save_mesh(mesh, tmp_path / f"mesh{ending}")
    if ending in (".vtk", ".vtu"):
        meshio.read(tmp_path / f"mesh{ending}").write(tmp_path / f"mesh{ending}", binary=False)
    text = (tmp_path / f"mesh{ending}").read_bytes()
    (tmp_path / f"mesh{ending}").write_bytes(text.replace(b"\n", b"\r\n"))
    back = load_mesh(tmp_path / f"mesh{ending}")
    assert measure(back) == pytest.approx(1e-3)
    assert set(back.boundaries) == set(mesh.boundaries)


def test_millions_of_blank_lines(tmp_path: Path) -> None:
    """The search for names of groups took a time that grew with the square of blank lines."""
    names = "$PhysicalNames\n0\n" + "\n" * 200_000 + "$EndPhysicalNames\n$Nodes"
    text = MSH_41.format(last=800000000).replace("$Nodes", names, 1)
    (tmp_path / "mesh.msh").write_text(text)
    start = time.perf_counter()
    load_mesh(tmp_path / "mesh.msh")
    assert time.perf_counter() - start < 5.0
