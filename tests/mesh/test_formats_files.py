"""Mesh files: round trips with all names, files of other programs, bad files."""

from __future__ import annotations

import warnings
from pathlib import Path

import meshio
import numpy as np
import pytest

from fecontact.errors import InputError
from fecontact.mesh import (
    annulus,
    beam,
    block,
    load_mesh,
    measure,
    node_sets,
    rectangle,
    save_mesh,
    solid_annulus,
    solid_disc,
)
from fecontact.mesh.cells import CELL_TYPES

MESHES = {
    "line": beam(0.4, 6, grading=2.0),
    "tri": annulus(0.05, 0.1, 2, 12),
    "tri2": annulus(0.05, 0.1, 2, 12, order=2),
    "quad": rectangle(0.2, 0.1, (3, 2)),
    "quad2": annulus(0.05, 0.1, 2, 12, "quad", order=2),
    "tet": solid_annulus(0.05, 0.1, 0.0, 0.02, 2, 8, 2, "tet"),
    "tet2": solid_disc(0.1, 0.0, 0.02, 2, 8, 2, "tet", order=2),
    "hex": block(0.2, 0.1, 0.05, (3, 2, 2)),
    "hex2": solid_annulus(0.05, 0.1, 0.0, 0.02, 2, 8, 2, order=2),
}
FORMATS = [".msh", ".vtk", ".vtu", ".inp"]


def with_volumes(mesh):
    """Mesh with two named volumes and a surface that overlaps another one."""
    half = mesh.nelements // 2
    first = next(iter(mesh.boundaries))
    return mesh.with_subdomains(
        {"steel": np.arange(half), "facing": np.arange(half, mesh.nelements)}
    ).with_boundaries({"part-2": mesh.boundaries[first][:1]})


@pytest.mark.parametrize("ending", FORMATS)
@pytest.mark.parametrize("kind", MESHES)
def test_round_trip(tmp_path: Path, kind: str, ending: str) -> None:
    """Nodes, cells, surfaces and volumes come back, without any warning."""
    mesh = with_volumes(MESHES[kind])
    file = tmp_path / f"mesh{ending}"
    save_mesh(mesh, file)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        back = load_mesh(file)
    assert type(back) is type(mesh)
    digits = 1e-11 if ending == ".inp" else 1e-15
    np.testing.assert_allclose(back.p, mesh.p, rtol=0, atol=digits)
    np.testing.assert_array_equal(np.sort(back.t, axis=0), np.sort(mesh.t, axis=0))
    assert places(back, back.boundaries, back.facets) == places(mesh, mesh.boundaries, mesh.facets)
    assert places(back, back.subdomains, back.t) == places(mesh, mesh.subdomains, mesh.t)
    assert measure(back) == pytest.approx(measure(mesh), rel=1e-9)


def places(mesh, named, entities) -> dict[str, list[tuple[int, ...]]]:
    """Name -> sorted centres of its facets or cells, in units of 1e-9 m."""
    centres = np.round(mesh.p[:, entities].mean(axis=1).T / 1e-9).astype(int)
    return {name: sorted(map(tuple, centres[members].tolist())) for name, members in named.items()}


def test_mesh_without_names(tmp_path: Path) -> None:
    mesh = type(MESHES["hex"])(MESHES["hex"].p, MESHES["hex"].t)
    for ending in FORMATS:
        save_mesh(mesh, tmp_path / f"mesh{ending}")
        back = load_mesh(tmp_path / f"mesh{ending}")
        assert back.boundaries is None
        assert back.subdomains is None


def test_written_cells_are_right_handed(tmp_path: Path) -> None:
    """CalculiX refuses cells of negative volume."""
    for kind in ("tet", "tet2"):
        save_mesh(MESHES[kind], tmp_path / "mesh.vtu")
        raw = meshio.read(tmp_path / "mesh.vtu")
        a, b, c, d = (raw.points[raw.cells[0].data[:, k]] for k in range(4))
        assert np.all(np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a) > 0)


def test_written_facets_look_outward(tmp_path: Path) -> None:
    save_mesh(MESHES["hex2"], tmp_path / "mesh.msh")
    raw = meshio.read(tmp_path / "mesh.msh")
    tag = raw.field_data["outer"][0]
    faces = np.vstack(
        [
            block.data[tags == tag]
            for block, tags in zip(raw.cells, raw.cell_data["gmsh:physical"], strict=True)
            if block.type == "quad9"
        ]
    )
    a, b, _, d = (raw.points[faces[:, k]] for k in range(4))
    centre = raw.points[faces[:, 8]] * [1, 1, 0]
    assert len(faces) == 16
    assert np.all(np.einsum("ij,ij->i", np.cross(b - a, d - a), centre) > 0)


GMSH_22 = """$MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
3
0 7 "corner"
1 1 "left"
2 2 "plate"
$EndPhysicalNames
$Nodes
6
1 0 0 0
2 1 0 0
3 1 1 0
4 0 1 0
9 2 0.5 0
10 5 5 0
$EndNodes
$Elements
6
1 15 2 7 1 1
2 1 2 1 1 4 1
3 1 2 5 2 3 9
4 2 2 2 1 1 2 3
5 2 2 2 1 1 3 4
6 2 2 0 1 2 9 3
$EndElements
"""


def test_gmsh_22(tmp_path: Path) -> None:
    """Numbered groups get a name; a point group and a lonely node are left out: three warnings."""
    file = tmp_path / "plate.msh"
    file.write_text(GMSH_22)
    with pytest.warns(UserWarning, match="dropped|left out|no name") as caught:
        mesh = load_mesh(file)
    messages = sorted(str(w.message) for w in caught)
    assert messages[0] == "1 nodes belong to no cell and are dropped"
    assert "the physical groups group_1d_5 have no name" in messages[1]
    assert "the sets corner hold no facet" in messages[2]
    assert len(messages) == 3
    assert mesh.p.shape == (2, 5)
    assert measure(mesh) == pytest.approx(1.5)
    assert measure(mesh, "left") == pytest.approx(1.0)
    assert measure(mesh, "group_1d_5") == pytest.approx(np.sqrt(1.25))
    assert mesh.subdomains["plate"].tolist() == [0, 1]


TWICE = (
    GMSH_22.replace("3\n0 7", "4\n0 7")
    .replace('"left"', '"A"')
    .replace('2 2 "plate"', '1 5 "A"\n2 2 "A"')
)


@pytest.mark.filterwarnings("ignore:1 nodes belong", "ignore:the sets corner")
def test_gmsh_name_used_twice(tmp_path: Path) -> None:
    """Two curves and a surface named A: the curves are one set, the surface keeps its name too."""
    (tmp_path / "twice.msh").write_text(TWICE)
    mesh = load_mesh(tmp_path / "twice.msh")
    assert set(mesh.boundaries) == {"A"}
    assert measure(mesh, "A") == pytest.approx(1.0 + np.sqrt(1.25))
    assert {name: cells.tolist() for name, cells in mesh.subdomains.items()} == {"A": [0, 1]}


@pytest.mark.filterwarnings("ignore:1 nodes belong")
def test_gmsh_name_used_twice_but_empty_once(tmp_path: Path) -> None:
    """The surface A has cells, the curves of the same name have none."""
    text = TWICE.replace("2 1 2 1 1 4 1", "2 1 2 0 1 4 1").replace("3 1 2 5 2", "3 1 2 0 2")
    (tmp_path / "empty.msh").write_text(text)
    with pytest.raises(InputError, match="groups A hold no elements"):
        load_mesh(tmp_path / "empty.msh")


@pytest.mark.parametrize("binary", [False, True])
@pytest.mark.parametrize("version", [2.2, 4.1])
def test_names_used_twice_in_gmsh_itself(tmp_path: Path, version: float, binary: bool) -> None:
    """Unit cube: two groups of faces and the volume named A; Gmsh names one group of faces only.

    The surface and the volume keep the name, and a warning tells of the group that lost it.
    """
    gmsh = pytest.importorskip("gmsh")
    gmsh.initialize(interruptible=False)
    try:
        gmsh.option.setNumber("General.Terminal", 0)
        gmsh.option.setNumber("Mesh.MshFileVersion", version)
        gmsh.option.setNumber("Mesh.Binary", binary)
        gmsh.option.setNumber("Mesh.MeshSizeMin", 0.7)
        gmsh.model.occ.addBox(0, 0, 0, 1, 1, 1)
        gmsh.model.occ.synchronize()
        for dim, entities in ((2, [1, 2]), (2, [3, 4, 5, 6]), (3, [1])):
            gmsh.model.addPhysicalGroup(dim, entities, name="A")
        gmsh.model.mesh.generate(3)
        gmsh.write(str(tmp_path / "box.msh"))
    finally:
        gmsh.finalize()
    with pytest.warns(UserWarning, match="groups group_2d_2 have no name in the file; Gmsh keeps"):
        mesh = load_mesh(tmp_path / "box.msh")
    assert {name: round(measure(mesh, name), 9) for name in mesh.boundaries} == {
        "A": 2.0,
        "group_2d_2": 4.0,
    }
    assert {name: len(c) for name, c in mesh.subdomains.items()} == {"A": mesh.nelements}


INP = """*HEADING
** comment
*Node
 1, 0., 0., 0.
 2, 1., 0., 0.
 3, 1., 1., 0.
 4, 0., 1., 0.
 5, 0., 0., 1.
 6, 1., 0., 1.
 7, 1., 1., 1.
 8, 0., 1., 1.
11, 0., 0., 2.
12, 1., 0., 2.
13, 1., 1., 2.
14, 0., 1., 2.
*Element, type=C3D8R
 10, 1, 2, 3, 4, 5, 6, 7, 8
*Element, type=C3D8R, elset=Upper
 20, 5, 6, 7, 8, 11, 12, 13, 14
*Nset, nset=Floor, generate
 1, 4, 1
*Nset, nset=Both
 Floor, 11, 12, 13, 14
*Elset, elset=All
 10, UPPER
*Surface, name=Front, type=ELEMENT
 All, S3
*Surface, name=Lid
 20, S2
*Surface, name=Ground, type=NODE
 Floor
*Nset, nset=Point
 1
*Material, name=Steel
*Elastic
 2.1e11, 0.3
"""


def test_abaqus(tmp_path: Path) -> None:
    file = tmp_path / "tower.inp"
    file.write_text(INP)
    with pytest.warns(UserWarning, match=r"deck is not read: \*ELASTIC 2.1e11, 0.3; .*--young"):
        mesh = load_mesh(file)
    assert node_sets(mesh)["Point"].vertices.tolist() == [0]
    assert mesh.subdomains["Upper"].tolist() == [1]
    assert mesh.subdomains["All"].tolist() == [0, 1]
    sizes = {name: round(measure(mesh, name), 12) for name in mesh.boundaries}
    assert sizes == {"Floor": 1.0, "Both": 2.0, "Front": 2.0, "Lid": 1.0, "Ground": 1.0}
    z = {name: mesh.p[2, mesh.facets[:, f]].mean() for name, f in mesh.boundaries.items()}
    assert (z["Floor"], z["Front"], z["Lid"]) == (0.0, 1.0, 2.0)
    assert np.all(mesh.p[1, mesh.facets[:, mesh.boundaries["Front"]]] == 0.0)


@pytest.mark.filterwarnings("ignore:the material of the deck")
def test_abaqus_names_in_upper_and_lower_case(tmp_path: Path) -> None:
    """Names that differ in case only are one set, spelled as in its first use."""
    text = INP + "*Surface, name=LID\n 20, S3\n*Nset, nset=FLOOR\n 5\n*Elset, elset=UPPER\n 10\n"
    (tmp_path / "case.inp").write_text(text)
    mesh = load_mesh(tmp_path / "case.inp")
    assert set(mesh.boundaries) == {"Floor", "Both", "Front", "Lid", "Ground"}
    assert measure(mesh, "Lid") == pytest.approx(2.0)
    assert mesh.subdomains["Upper"].tolist() == [0, 1]
    assert set(mesh.subdomains) == {"Upper", "All"}


@pytest.mark.filterwarnings("ignore:the material of the deck")
def test_abaqus_instances(tmp_path: Path) -> None:
    """An instance where its part stands is read, a moved one is refused."""
    for lines in ("", "0., 0., 0.\n"):
        (tmp_path / "at.inp").write_text(INP + f"*Instance, name=T-1, part=T\n{lines}*End Instance")
        assert load_mesh(tmp_path / "at.inp").nelements == 2
    for lines in ("0., 0., 5.", "0., 0., 0.\n0., 0., 0., 0., 0., 1., 90.", "1., 0.,"):
        text = INP + f"*Instance, name=T-1, part=T\n {lines}\n*End Instance\n"
        (tmp_path / "moved.inp").write_text(text)
        with pytest.raises(InputError, match=r"moved.inp': instance 'T-1' is translated or rot"):
            load_mesh(tmp_path / "moved.inp")


def test_abaqus_include_and_shared_nodes(tmp_path: Path) -> None:
    nodes, rest = INP.split("*Element", 1)
    (tmp_path / "nodes.inc").write_text(nodes)
    (tmp_path / "main.inp").write_text("*Include, input=nodes.inc\n*Element" + rest)
    with pytest.warns(UserWarning, match="the material of the deck is not read"):
        assert measure(load_mesh(tmp_path / "main.inp")) == pytest.approx(2.0)


def test_serendipity_cells_keep_their_shape(tmp_path: Path) -> None:
    """A curved 20-node cell and the 27-node cell it becomes are the same body."""
    mesh = MESHES["hex2"]
    save_mesh(mesh, tmp_path / "ring.inp")
    text = (tmp_path / "ring.inp").read_text()
    assert "TYPE=C3D20" in text
    nodes = text.split("*ELEMENT")[0].count("\n") - 2
    assert nodes == mesh.p.shape[1] - mesh.nelements - mesh.nfacets
    back = load_mesh(tmp_path / "ring.inp")
    np.testing.assert_allclose(back.p, mesh.p, atol=1e-11)


def test_shell_cells_in_a_solid_are_only_sets(tmp_path: Path) -> None:
    text = INP.split("*Nset")[0] + "*Element, type=S4, elset=Skin\n 30, 1, 2, 3, 4\n"
    (tmp_path / "skin.inp").write_text(text)
    mesh = load_mesh(tmp_path / "skin.inp")
    assert measure(mesh, "Skin") == pytest.approx(1.0)
    assert "Skin" not in mesh.subdomains


def write(tmp_path: Path, points, cells, **sets) -> Path:
    """VTU file with the given content."""
    file = tmp_path / "bad.vtu"
    meshio.Mesh(np.array(points, dtype=float), cells, **sets).write(file)
    return file


SQUARE = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [2, 0, 0], [2, 1, 0]]
QUAD = ("quad", [[0, 1, 2, 3]])


@pytest.mark.parametrize(
    ("points", "cells", "message"),
    [
        (SQUARE, [QUAD, ("triangle", [[1, 4, 2]])], "mixes the cell types quad, triangle"),
        (SQUARE, [("vertex", [[0]])], "no cells"),
        ([*SQUARE[:3], [0, 1, 0.5]], [QUAD], "parallel to x-y"),
        ([[0, 0, 0], [1, 0.1, 0]], [("line", [[0, 1]])], "parallel to the x axis"),
        ([[x, y, 0.05] for x, y, _ in SQUARE[:4]], [QUAD], "z = 0.05 m, but a body of dimension 2"),
        ([[0, 0.1, 0], [1, 0.1, 0]], [("line", [[0, 1]])], "y = 0.1 m, but a body of dimension 1"),
        ([*SQUARE[:3], [0, np.inf, 0]], [QUAD], "1 nodes.* not finite, first node 3"),
        (SQUARE[:4], [("quad", [[0, 1, 3, 2]])], "1 of 1 cells are inverted or twisted"),
        ([*SQUARE[:2], [1, 0, 0], [0, 0, 0]], [QUAD], "1 of 1 cells are degenerate"),
        (
            [*SQUARE[:4], [0, 0, 1], [1, 0, 1]],
            [("wedge", [[0, 1, 2, 3, 4, 5]])],
            "cells of type wedge are not supported; use one of line, triangle",
        ),
    ],
)
def test_bad_content_is_refused(tmp_path: Path, points, cells, message: str) -> None:
    file = write(tmp_path, points, cells)
    with pytest.raises(InputError, match=rf"mesh file '.*bad.vtu': .*{message}"):
        load_mesh(file)


@pytest.mark.parametrize("kind", ["tri", "tri2", "quad", "tet", "tet2", "hex", "hex2"])
@pytest.mark.parametrize("every", [1, 3])
def test_inverted_cells_are_turned_with_a_warning(tmp_path: Path, kind: str, every: int) -> None:
    """Reversed numbering, of all cells or of some: the same body, and a word about it."""
    mesh = MESHES[kind]
    save_mesh(mesh, tmp_path / "right.vtu")
    raw = meshio.read(tmp_path / "right.vtu")
    body = max(range(len(raw.cells)), key=lambda k: raw.cells[k].dim)
    cells = raw.cells[body].data
    cells[::every] = cells[::every][:, CELL_TYPES[raw.cells[body].type].mirror]
    raw.write(tmp_path / "left.vtu")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        right = load_mesh(tmp_path / "right.vtu")
    count = len(cells[::every])
    with pytest.warns(UserWarning, match=f"{count} of {len(cells)} cells are inverted") as caught:
        left = load_mesh(tmp_path / "left.vtu")
    assert caught[0].filename == __file__
    assert measure(left) == pytest.approx(measure(right), rel=1e-12)
    assert sorted(left.boundaries) == sorted(right.boundaries)
    for name in left.boundaries:
        assert measure(left, name) == pytest.approx(measure(right, name), rel=1e-12)


def test_surface_that_is_none_is_refused(tmp_path: Path) -> None:
    cells = [QUAD, ("line", [[0, 1], [1, 3]])]
    marks = {"surface:edge": [np.array([0]), np.array([1, 1])]}
    file = write(tmp_path, SQUARE[:4], cells, cell_data=marks)
    with pytest.raises(InputError, match="1 cells of the set 'edge' are not facets of the body"):
        load_mesh(file)


@pytest.mark.filterwarnings("ignore:1 nodes belong to no cell")
def test_group_without_elements_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.msh").write_text(GMSH_22.replace("2 1 2 1 1 4 1", "2 1 2 0 1 4 1"))
    with pytest.raises(InputError, match=r"groups left hold no elements;.* Mesh.SaveAll = 0"):
        load_mesh(tmp_path / "empty.msh")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("C3D8R, elset", "C3D8X9, elset", None),
        ("type=C3D8R, elset", "type=CONN3D2, elset", "type 'CONN3D2' are not supported"),
        ("20, 5, 6", "20, 99, 6", "node 99 is used but not defined"),
        ("20, 5, 6", "10, 5, 6", "element numbers occur twice"),
        (" 10, UPPER", " 10, NOWHERE", "ELSET 'NOWHERE' is used but not defined"),
        ("All, S3", "All, S9", "surface 'Front' uses the face 'S9' of hexahedron"),
        ("All, S3", "All, SPOS", "supported: S1, S2, S3, S4, S5, S6"),
        ("*Node", "*Nodes", "no [*]NODE"),
        (" 1, 0., 0., 0.", " 1, 0., x, 0.", "cannot be read"),
    ],
)
@pytest.mark.filterwarnings("ignore:the material of the deck")
def test_bad_abaqus_input(tmp_path: Path, old: str, new: str, message: str | None) -> None:
    assert old in INP
    (tmp_path / "bad.inp").write_text(INP.replace(old, new))
    if message is None:  # a variant of a known element
        assert load_mesh(tmp_path / "bad.inp").nelements == 2
        return
    with pytest.raises(InputError, match=message):
        load_mesh(tmp_path / "bad.inp")


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.msh", "no mesh at all"), ("a.xyz", "1 2 3"), ("a.vtu", "<xml/>"), ("a.inp", "hello")],
)
def test_unreadable_files(tmp_path: Path, capsys, name: str, content: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match=f"mesh file '.*{name}'"):
        load_mesh(tmp_path / name)
    assert capsys.readouterr() == ("", "")


def test_surface_and_volume_of_the_same_name(tmp_path: Path) -> None:
    mesh = MESHES["hex"].with_subdomains({"x_min": np.arange(2)})
    for ending in (".vtk", ".vtu", ".inp"):
        save_mesh(mesh, tmp_path / f"mesh{ending}")
        back = load_mesh(tmp_path / f"mesh{ending}")
        assert back.subdomains["x_min"].tolist() == [0, 1]
        assert measure(back, "x_min") == pytest.approx(measure(mesh, "x_min"))
    with pytest.raises(InputError, match="used twice"):
        save_mesh(mesh, tmp_path / "mesh.msh")


def test_names_coded_by_scikit_fem_are_refused(tmp_path: Path) -> None:
    MESHES["tri"].save(tmp_path / "coded.vtu")
    with pytest.raises(InputError, match="codes the names inner, outer; load it with skfem"):
        load_mesh(tmp_path / "coded.vtu")


def test_mesh_in_millimetres(tmp_path: Path) -> None:
    save_mesh(annulus(62.0, 82.0, 2, 12), tmp_path / "mm.msh")
    with pytest.warns(UserWarning, match=r"spans 16\d m; if the file is in mm,.* scale=1e-3"):
        large = load_mesh(tmp_path / "mm.msh")
    mesh = load_mesh(tmp_path / "mm.msh", scale=1e-3)
    assert measure(mesh) == pytest.approx(1e-6 * measure(large))
    with pytest.raises(InputError, match=r"invalid scale = 0\.0"):
        load_mesh(tmp_path / "mm.msh", scale=0.0)


def test_missing_file() -> None:
    with pytest.raises(InputError, match=r"'nowhere\.msh' does not exist"):
        load_mesh("nowhere.msh")


def test_impossible_output(tmp_path: Path) -> None:
    mesh = MESHES["tri"]
    with pytest.raises(InputError, match=r"expected one that ends in .msh, .vtk, .vtu, .inp"):
        save_mesh(mesh, tmp_path / "mesh.stl")
    spaced = mesh.with_boundaries({"friction face": mesh.boundaries["inner"]})
    with pytest.raises(InputError, match="invalid surface or volume name 'friction face'"):
        save_mesh(spaced, tmp_path / "mesh.vtu")
    doubled = mesh.with_subdomains({"a": np.arange(4), "b": np.arange(2, 6)})
    with pytest.raises(InputError, match=r"volume 'b' cannot be saved as Gmsh group"):
        save_mesh(doubled, tmp_path / "mesh.msh")
    save_mesh(doubled, tmp_path / "mesh.vtu")
    assert load_mesh(tmp_path / "mesh.vtu").subdomains["b"].tolist() == [2, 3, 4, 5]
