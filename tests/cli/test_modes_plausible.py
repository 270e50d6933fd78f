"""Command `fecontact modes`: mesh error, materials by their constants, slips of units, supports."""

from __future__ import annotations

import re

import meshio
import numpy as np
import pytest
from typer.testing import CliRunner

from fecontact.cli import app
from fecontact.cli.modes import said_of_mesh
from fecontact.mesh import annulus, block, rectangle, save_mesh, solid_annulus
from fecontact.reduction import load_reduced
from fecontact.reference.structures.annular_plate import annular_plate_frequencies


def run(*arguments):
    return CliRunner().invoke(app, ["modes", *(str(a) for a in arguments), "--no-pictures"])


def frequencies(result):
    assert result.exit_code == 0, result.stderr
    return np.array(re.findall(r"│ \d+ +│ ([\d.]+) +│", result.stdout), dtype=float)


def columns(result):
    """Bound against the full model and estimated mesh error in percent, row by row."""
    rows = re.findall(r"│ \d+ +│ [\d.]+ +│ (\S+) +│ \+(\S+) % +│", result.stdout)
    return np.array(rows, dtype=float).T


def test_table_of_a_locked_plate_says_how_much_too_high_it_is(tmp_path):
    """Flat tetrahedra: the bound 1e-6 stands beside the mesh error, warned of before the work."""
    thickness = 0.0003
    mesh = solid_annulus(0.06, 0.11, 0.0, thickness, 2, 12, 1, "tet", 2)
    save_mesh(mesh, tmp_path / "ring.msh")
    result = run(tmp_path / "ring.msh", "--modes", 4, "--out", tmp_path / "ring.h5")
    exact = annular_plate_frequencies(
        0.06, 0.11, thickness, 210e9, 0.3, 7800.0, 2, inner="free", outer="free"
    )[0]
    true = frequencies(result)[0] / exact - 1.0
    assert true > 7.0
    bound, estimated = columns(result)
    assert np.all(bound < 1e-3)
    assert 0.5 < estimated[0] / 100.0 / true < 5.0
    assert "e+" not in result.stdout
    assert "against the full FE model" in result.stdout
    assert "(mesh error not included)" in result.stdout
    assert "the mesh is too coarse: coordinate" in result.stdout
    assert re.search(
        r"warning: the edges of the tet2 cells are 1\d\d times the thick", result.stderr
    )
    assert columns(run("--info", tmp_path / "ring.h5")).tolist() == [
        bound.tolist(),
        estimated.tolist(),
    ]


def flat_disc(gmsh, path, radius, thickness, edge):
    """Disc of 10-node tetrahedra with edges far longer than its thickness, by Gmsh; rim named."""
    gmsh.initialize(interruptible=False)
    try:
        gmsh.option.setNumber("General.Terminal", 0)
        disc = gmsh.model.occ.addCylinder(0.0, 0.0, 0.0, 0.0, 0.0, thickness, radius)
        gmsh.model.occ.synchronize()
        faces = [tag for _, tag in gmsh.model.getEntities(2)]
        rim = [tag for tag in faces if gmsh.model.getType(2, tag) == "Cylinder"]
        gmsh.model.addPhysicalGroup(3, [disc], name="disc")
        gmsh.model.addPhysicalGroup(2, rim, name="rim")
        for name in ("Mesh.MeshSizeMin", "Mesh.MeshSizeMax"):
            gmsh.option.setNumber(name, edge)
        gmsh.model.mesh.generate(3)
        gmsh.model.mesh.setOrder(2)
        gmsh.write(str(path))
    finally:
        gmsh.finalize()


@pytest.mark.parametrize(("thickness", "least"), [(0.0005, 0.5), (0.001, 5.0)])
def test_flat_tetrahedra_of_gmsh_on_a_clamped_disc(tmp_path, thickness, least):
    """Edges of 67 thicknesses: up to nine times 10.2158 sqrt(D/(rho h))/a^2 (Leissa 1969)."""
    gmsh, radius = pytest.importorskip("gmsh"), 0.1
    flat_disc(gmsh, tmp_path / "disc.msh", radius, thickness, 67.0 * thickness)
    result = run(tmp_path / "disc.msh", "--fix", "rim", "--modes", 2, "--out", tmp_path / "d.h5")
    bending = 210e9 * thickness**3 / (12.0 * (1.0 - 0.3**2))
    exact = 10.2158 * np.sqrt(bending / (7800.0 * thickness)) / radius**2 / (2.0 * np.pi)
    true = frequencies(result)[0] / exact - 1.0
    assert true > least
    bound, estimated = columns(result)
    assert bound[0] < 1e-5
    assert 0.5 < estimated[0] / 100.0 / true < 5.0
    assert "against the full FE model" in result.stdout
    assert "the mesh is too coarse" in result.stdout
    ratio = re.search(r"warning: the edges of the tet2 cells are ([\d.]+) times", result.stderr)
    assert 40.0 < float(ratio[1]) < 120.0


def test_mesh_error_can_be_left_out_and_plates_have_none(tmp_path):
    save_mesh(block(0.1, 0.03, 0.01, (4, 2, 1)), tmp_path / "block.msh")
    save_mesh(annulus(0.06, 0.11, 2, 16), tmp_path / "plate.msh")
    plain = run(tmp_path / "block.msh", "--modes", 2, "--no-mesh-error", "--out", tmp_path / "a.h5")
    plate = run(
        tmp_path / "plate.msh", "--modes", 2, "--thickness", 0.002, "--out", tmp_path / "b.h5"
    )
    for result in (plain, plate):
        assert "mesh error not estimated" in result.stdout
    assert load_reduced(tmp_path / "a.h5").mesh_error is None
    assert next(said_of_mesh(load_reduced(tmp_path / "b.h5"))).startswith(
        "mesh error not estimated"
    )


@pytest.fixture(scope="module")
def bar(tmp_path_factory):
    """Bar of two named halves."""
    mesh = block(0.2, 0.02, 0.01, (6, 1, 1))
    left = mesh.p[0, mesh.t].mean(axis=0) < 0.1
    halves = {"near": np.flatnonzero(left), "far": np.flatnonzero(~left)}
    folder = tmp_path_factory.mktemp("bar")
    save_mesh(mesh.with_subdomains(halves), folder / "bar.msh")
    return folder / "bar.msh"


ALUMINIUM = ("--young", 70e9, "--poisson", 0.33, "--density", 2700)


def test_material_by_its_constants(bar, tmp_path):
    """f scales with sqrt(E/rho) at the same nu; the named aluminium gives the same."""
    out = ("--modes", 3, "--out", tmp_path / "b.h5")
    found = frequencies(run(bar, *ALUMINIUM, *out))
    np.testing.assert_allclose(
        found, frequencies(run(bar, "--material", "aluminium", *out)), rtol=1e-6
    )
    constants = ("--young", 4 * 70e9, "--poisson", 0.33, "--density", 2700 * 9)
    np.testing.assert_allclose(frequencies(run(bar, *constants, *out)), found * 2 / 3, rtol=1e-6)
    heavy = frequencies(run(bar, "--material", "steel", "--density", 4 * 7800, *out))
    np.testing.assert_allclose(heavy, frequencies(run(bar, *out)) / 2, rtol=1e-6)


def test_constants_of_one_volume(bar, tmp_path):
    out = ("--modes", 3, "--out", tmp_path / "b.h5")
    words = [w for pair in zip(ALUMINIUM[::2], ALUMINIUM[1::2], strict=True)
             for w in (pair[0], f"far={pair[1]}")]  # fmt: skip
    named = run(bar, "--material", "near=steel", "--material", "far=aluminium", *out)
    mixed = run(bar, "--material", "near=steel", *words, *out)
    np.testing.assert_allclose(frequencies(mixed), frequencies(named), rtol=1e-6)
    assert "materials: near=steel, young far=70000000000.0" in mixed.stdout


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--young", 7e10), ["--poisson and --density missing", "name the --material"]),
        (("--young", "near=7e10", "--poisson", 0.3, "--density", 2700),
         ["--young missing for volume 'far'"]),
        (("--young", "soft"), ["--young soft", "number in Pa"]),
        (("--poisson", 0.7, "--material", "steel"), ["poisson = 0.7", "between -1 and 0.5"]),
    ],
)  # fmt: skip
def test_constants_are_never_guessed(bar, tmp_path, options, words):
    result = run(bar, *options, "--out", tmp_path / "no.h5")
    assert result.exit_code == 2
    for word in words:
        assert word in result.stderr
    assert not (tmp_path / "no.h5").exists()


def test_slips_of_units_are_named_with_the_flag(tmp_path):
    save_mesh(rectangle(0.22, 0.2, (4, 4)), tmp_path / "plate.msh")
    thick = run(tmp_path / "plate.msh", "--thickness", 4, "--modes", 1, "--out", tmp_path / "p.h5")
    assert (
        "thickness = 4 m of a plate that spans 0.22 m; given in mm? Then write 0.004"
        in thick.stderr
    )
    save_mesh(block(8.0, 5.0, 2.0, (2, 1, 1)), tmp_path / "pin.msh")
    large = run(tmp_path / "pin.msh", "--modes", 1, "--out", tmp_path / "p.h5")
    assert "spans 8 m" in large.stderr
    assert "--scale 1e-3" in large.stderr


def test_material_of_a_deck_is_named_as_unused(tmp_path):
    save_mesh(block(0.1, 0.03, 0.01, (2, 1, 1)), tmp_path / "deck.inp")
    with (tmp_path / "deck.inp").open("a") as file:
        file.write("*MATERIAL, NAME=ALU\n*ELASTIC\n70000., 0.33\n*DENSITY\n2.7e-9\n")
    result = run(tmp_path / "deck.inp", "--modes", 1, "--out", tmp_path / "d.h5")
    line = next(x for x in result.stderr.splitlines() if "deck" in x and "not read" in x)
    for word in ("*ELASTIC 70000., 0.33", "*DENSITY 2.7e-9", "--material", "--young"):
        assert word in line


def test_plate_of_quadratic_triangles(tmp_path):
    save_mesh(annulus(0.06, 0.11, 4, 32, "tri", 2), tmp_path / "tri6.msh")
    assert any(b.type == "triangle6" for b in meshio.read(tmp_path / "tri6.msh").cells)
    result = run(
        tmp_path / "tri6.msh", "--thickness", 0.0005, "--modes", 2, "--out", tmp_path / "t.h5"
    )
    exact = annular_plate_frequencies(
        0.06, 0.11, 0.0005, 210e9, 0.3, 7800.0, 2, inner="free", outer="free"
    )
    np.testing.assert_allclose(frequencies(result), exact[[0, 0]], rtol=1e-3)


def test_solid_clamped_on_a_curve(tmp_path):
    """A set of nodes along an edge of an Abaqus deck: a hinge, one rigid motion is left."""
    mesh = block(0.2, 0.02, 0.01, (6, 2, 1))
    save_mesh(mesh, tmp_path / "bar.inp")
    line = np.flatnonzero(np.isclose(mesh.p[0], 0.0) & np.isclose(mesh.p[2], 0.0)) + 1
    with (tmp_path / "bar.inp").open("a") as file:
        file.write("*NSET, NSET=HINGE\n" + ", ".join(str(n) for n in line) + "\n")
    result = run(tmp_path / "bar.inp", "--fix", "HINGE", "--modes", 2, "--out", tmp_path / "h.h5")
    assert result.exit_code == 0, result.stderr
    assert load_reduced(tmp_path / "h.h5").rigid == 1
