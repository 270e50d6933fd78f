"""Command `fecontact modes`: table, files, every method, and every bad input in one line."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import h5py
import numpy as np
import pytest
from scipy.sparse.linalg import eigsh
from typer.testing import CliRunner

from fecontact.case.registry import mesh_folder
from fecontact.cli import app
from fecontact.errors import SolverError
from fecontact.fem import FACING, KirchhoffPlate
from fecontact.fem import STEEL as STEEL_OF_THE_CARRIER
from fecontact.mesh import annulus, block, load_mesh, save_mesh
from fecontact.reduction import METHODS, load_reduced
from fecontact.reference.structures.annular_plate import annular_plate_frequencies

STEEL = (210e9, 0.3, 7800.0)
DISC = mesh_folder() / "clutch_disc.msh"


def invoke(*arguments):
    return CliRunner().invoke(app, ["modes", *(str(a) for a in arguments)])


def reduce(*arguments):
    result = invoke(*arguments, "--no-pictures")
    assert result.exit_code == 0, result.stderr
    return result


def table(text):
    """Rows of the table of modes: number, frequency in Hz, error of its square."""
    rows = re.findall(r"│ (\d+) +│ ([\d.]+) +│ (\S+) +│", text)
    return np.array(rows, dtype=float)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Small meshes, and a reduced body with the text that was printed when it was made."""
    folder = tmp_path_factory.mktemp("modes")
    save_mesh(block(0.1, 0.03, 0.01, cells=(4, 2, 1)), folder / "block.msh")
    save_mesh(block(100.0, 30.0, 10.0, cells=(4, 2, 1)), folder / "block_mm.msh")
    save_mesh(annulus(0.06, 0.11, 4, 48), folder / "plate.msh")
    save_mesh(annulus(0.06, 0.11, 3, 24, cell="quad"), folder / "quads.msh")
    body = folder / "made.h5"
    made = reduce(folder / "block.msh", "--contact", "z_max", "--modes", 5, "--out", body)
    (folder / "printed.txt").write_text(made.stdout, encoding="utf-8")
    return folder


def test_frequencies_are_those_of_the_strip(tmp_path):
    """Cantilever 400 x 20 x 4 mm in both planes: omega = (beta L)^2 sqrt(E h^2/(12 rho))/L^2.

    1 %: the clamped root hinders the lateral contraction of the wide strip.
    """
    out = tmp_path / "strip.h5"
    result = reduce(
        mesh_folder() / "beam.inp", "--fix", "x_min", "--modes", 3, "--out", out, "--method", "free"
    )
    wave = np.sqrt(210e9 / 7800.0 / 12.0) / 0.4**2 / (2.0 * np.pi)
    first, second = 1.875104**2 * wave, 4.694091**2 * wave
    found = table(result.stdout)
    assert found[:, 0].tolist() == [1, 2, 3]
    np.testing.assert_allclose(found[:2, 1], [first * 0.004, first * 0.020], rtol=0.01)
    np.testing.assert_allclose(found[2, 1], second * 0.004, rtol=0.01)
    assert np.all(found[:, 2] < 1e-6)


def test_file_holds_what_the_table_says(files):
    model = load_reduced(files / "made.h5")
    text = (files / "printed.txt").read_text(encoding="utf-8")
    found = table(text)
    assert found[:, 0].tolist() == [7, 8, 9, 10, 11]
    np.testing.assert_allclose(found[:, 1], model.frequencies[6:11] / (2 * np.pi), atol=1e-4)
    assert f"{model.size} coordinates for {model.basis.shape[0]} unknowns" in text
    assert "method rubin" in text
    assert "6 rigid-body modes" in text
    assert f"{model.size - 11} static shapes" in text
    valid = model.validity_frequency(0.05) / (2 * np.pi)
    assert f"valid to 5% up to {valid:.0f} Hz" in text
    assert "contact 'z_max'" in text


def test_info_prints_the_same_again(files):
    result = invoke("--info", files / "made.h5")
    assert result.exit_code == 0
    assert result.stdout == (files / "printed.txt").read_text(encoding="utf-8")


def test_same_input_same_file(files, tmp_path):
    again = tmp_path / "again.h5"
    reduce(files / "block.msh", "--contact", "z_max", "--modes", 5, "--out", again)
    first, second = load_reduced(files / "made.h5"), load_reduced(again)
    np.testing.assert_array_equal(first.basis, second.basis)


def test_pictures_lie_beside_the_body(files, tmp_path):
    out = tmp_path / "body.h5"
    result = invoke(files / "block.msh", "--modes", 2, "--out", out)
    assert result.exit_code == 0
    written = {file.name for file in tmp_path.iterdir()}
    assert {"body.h5", "body_modes.vtu"} <= written
    assert written <= {"body.h5", "body_modes.vtu", "body_modes.png"}
    assert ("body_modes.png" in written) == ("Picture: " in result.stdout)
    assert "Warp By Vector" in result.stdout


def test_mesh_of_the_same_stem_survives(tmp_path):
    """The pictures of part.h5 must not replace the mesh part.vtu."""
    mesh = tmp_path / "part.vtu"
    save_mesh(block(0.1, 0.03, 0.01, cells=(4, 2, 1)), mesh)
    before = mesh.read_bytes()
    assert invoke(mesh, "--modes", 1, "--out", tmp_path / "part.h5").exit_code == 0
    assert mesh.read_bytes() == before


@pytest.mark.parametrize("name", ["body.vtu", "p2.inp", "part_modes.vtu", "body", "body.H5"])
def test_output_that_would_replace_another_file(files, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text("precious", encoding="utf-8")
    assert refused(invoke(files / "block.msh", "--out", name), [f"--out '{name}'", "ends in .h5"])
    assert (tmp_path / name).read_text(encoding="utf-8") == "precious"


@pytest.mark.parametrize("mesh", ["part.h5", "part_modes.vtu", "part_modes.png", "link.vtu"])
def test_output_that_would_replace_the_mesh(tmp_path, monkeypatch, mesh):
    """Also through another path, or a link."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "part_modes.vtu").write_text("precious", encoding="utf-8")
    (tmp_path / "link.vtu").symlink_to("part_modes.vtu")
    result = invoke(tmp_path / mesh, "--out", "./part.h5")
    assert refused(result, [mesh, "would replace the mesh"])
    assert (tmp_path / "part_modes.vtu").read_text(encoding="utf-8") == "precious"


def test_interface_modes_reduce_craig_bampton(files, tmp_path):
    """Six interface modes instead of every interface node."""
    options = ["--method", "craig-bampton", "--contact", "z_max", "--fix", "x_min", "--modes", 4]
    sizes = []
    for extra in ([], ["--interface-modes", 6, "--tolerance", 1]):
        reduce(files / "block.msh", *options, *extra, "--out", tmp_path / "b.h5")
        body = load_reduced(tmp_path / "b.h5")
        sizes.append(body.size)
    assert body.provenance.parameters["interface_modes"] == "6"
    assert sizes[1] < sizes[0]


def test_large_craig_bampton_asks_for_interface_modes(tmp_path):
    save_mesh(block(0.1, 0.1, 0.01, cells=(13, 13, 1)), tmp_path / "wide.msh")
    options = ["--method", "craig-bampton", "--contact", "z_max", "--modes", 2]
    result = invoke(tmp_path / "wide.msh", *options, "--out", tmp_path / "b.h5")
    assert refused(result, ["coordinates", "--interface-modes", "500"])


def test_highest_frequency_and_step_are_those_of_the_file(files):
    omega = load_reduced(files / "made.h5").frequencies.max()
    text = (files / "printed.txt").read_text(encoding="utf-8")
    assert f"highest frequency {omega / (2 * np.pi):.0f} Hz" in text
    assert f"below 2/omega = {2.0 / omega:.2e} s" in text


def test_finer_loads_are_told_by_their_compliance(files):
    estimate = load_reduced(files / "made.h5").contact["z_max"]
    text = (files / "printed.txt").read_text(encoding="utf-8")
    assert "load shapes; of the compliance" in text
    assert f"up to {estimate.nominal.missing:.1e} are missing" in text
    assert f"finer load shapes {estimate.finer.missing:.1e}: harmless" in text
    assert all(float(percent) <= 100.0 for percent in re.findall(r"([\d.]+)%", text))


@pytest.mark.parametrize("method", METHODS)
def test_every_method(files, tmp_path, method):
    out = tmp_path / "body.h5"
    options = ["--method", method, "--modes", 4, "--contact", "z_max", "--fix", "x_min"]
    result = reduce(files / "block.msh", *options, "--out", out)
    model = load_reduced(out)
    assert model.provenance.method == method
    assert model.rigid == 0
    assert list(model.surfaces) == ["z_max"]
    assert f"method {method}" in result.stdout
    error = model.contact["z_max"].nominal.energy_error
    assert (error <= 0.01) == (method in ("rubin", "craig-bampton", "quasi-static"))


def test_default_method_depends_on_the_contact(files, tmp_path):
    out = tmp_path / "body.h5"
    result = reduce(files / "block.msh", "--modes", 3, "--out", out)
    assert load_reduced(out).provenance.method == "free"
    assert load_reduced(out).rigid == 6
    assert "no contact surface: modes alone do not represent local loads" in result.stdout
    assert load_reduced(files / "made.h5").provenance.method == "rubin"


def test_joints_are_told_with_their_error(files, tmp_path):
    """The method becomes rubin; an interface that was not named keeps its error."""
    out = tmp_path / "body.h5"
    options = ["--fix", "x_min", "--joint", "x_max", "--modes", 3, "--out", out]
    printed = reduce(files / "block.msh", *options).stdout
    model = load_reduced(out)
    assert model.provenance.method == "rubin"
    error = model.interfaces["x_max"].compliance.energy_error
    assert error < 0.01
    assert f"joint 'x_max': answer to any load within {error:.2%} of the full model" in printed
    assert "x_min 0" in printed
    assert "response to these loads valid to 5%" in printed


def test_several_surfaces(files, tmp_path):
    out = tmp_path / "body.h5"
    options = ["--contact", "z_max", "--contact", "y_max", "--fix", "x_min", "--fix", "x_max"]
    reduce(files / "block.msh", *options, "--modes", 2, "--out", out)
    model = load_reduced(out)
    assert list(model.surfaces) == ["z_max", "y_max"]
    ends = np.isin(model.geometry.points[:, 0], [0.0, 0.1])
    assert np.all(model.basis.reshape(-1, 3, model.size)[ends] == 0.0)


def test_material(files, tmp_path):
    """Frequencies of aluminium and steel differ as sqrt(E/rho), nearly: nu is not the same."""
    found = []
    for name in ("steel", "Aluminium"):
        result = reduce(
            files / "block.msh", "--modes", 1, "--material", name, "--out", tmp_path / "b.h5"
        )
        found.append(table(result.stdout)[0, 1])
    ratio = np.sqrt(70e9 / 2700.0 / (210e9 / 7800.0))
    assert found[1] / found[0] == pytest.approx(ratio, rel=0.02)


@pytest.mark.parametrize("mesh", ["plate.msh", "quads.msh"])
def test_plate_of_a_plane_mesh(files, tmp_path, mesh):
    """Free annulus of 2 mm, two nodal diameters: Bessel determinant; coarse meshes."""
    options = ["--thickness", 0.002, "--modes", 2, "--out", tmp_path / "plate.h5"]
    result = reduce(files / mesh, *options)
    exact = annular_plate_frequencies(0.06, 0.11, 0.002, *STEEL, 2, inner="free", outer="free")[0]
    np.testing.assert_allclose(table(result.stdout)[:, 1], exact, rtol=0.02)
    assert "3 rigid-body modes" in result.stdout
    assert "no inertia integrals" not in result.stdout


def test_disc_of_two_materials(tmp_path):
    """Frequencies, mass and contact ring are those of the plate made in Python."""
    out = tmp_path / "disc.h5"
    parts = {"carrier": (STEEL_OF_THE_CARRIER, 0.002), "facing": (FACING, 0.006)}
    options = [
        *(f for n, (m, _) in parts.items() for f in ("--material", f"{n}={m.name}")),
        *(f for n, (_, h) in parts.items() for f in ("--thickness", f"{n}={h}")),
    ]
    result = reduce(DISC, *options, "--fix", "hub", "--contact", "facing.top", "--out", out)
    mesh = load_mesh(DISC)
    plate = KirchhoffPlate(
        mesh,
        {name: h for name, (_, h) in parts.items()},
        {name: m for name, (m, _) in parts.items()},
        {"hub": "clamped"},
    )
    f = plate.free
    squares = eigsh(plate.stiffness[f][:, f], 3, plate.mass[f][:, f], sigma=0.0)[0]
    np.testing.assert_allclose(
        table(result.stdout)[:3, 1], np.sqrt(np.sort(squares)) / (2 * np.pi), rtol=1e-6
    )
    face = load_reduced(out).surface("facing.top")
    radius = np.hypot(*face.points[:, :2].T)
    assert radius.min() > 0.0745  # chords of the circle of 75 mm
    assert np.all(face.points[:, 2] == 0.003)
    assert "materials: carrier=steel, facing=facing" in result.stdout
    again = invoke("--info", out)
    assert "materials: carrier=steel, facing=facing" in again.stdout


def test_one_material_for_several_volumes_is_said(tmp_path):
    options = ["--thickness", 0.002, "--fix", "hub", "--modes", 2, "--out", tmp_path / "disc.h5"]
    for extra in ([], ["--material", "aluminium"]):
        name = extra[1] if extra else "steel"
        text = reduce(DISC, *options, *extra).stdout
        assert f"one material, {name}, for all volumes: carrier, facing" in text


def test_craig_bampton_of_a_plate_with_its_hub_as_interface(tmp_path):
    out = tmp_path / "disc.h5"
    options = ["--thickness", 0.002, "--contact", "facing.top", "--method", "craig-bampton"]
    reduce(DISC, *options, "--interface", "hub", "--modes", 5, "--out", out)
    body = load_reduced(out)
    assert body.rigid == 3
    assert body.contact["facing.top"].nominal.energy_error <= 0.01


def test_mesh_in_millimetres(files, tmp_path):
    found = []
    for mesh, options in (("block.msh", []), ("block_mm.msh", ["--scale", 1e-3])):
        out = tmp_path / "body.h5"
        result = reduce(files / mesh, *options, "--modes", 3, "--out", out, "--method", "free")
        assert result.stderr == ""
        found.append(table(result.stdout)[:, 1])
    np.testing.assert_allclose(found[0], found[1], rtol=1e-6)


def test_unit_slip_warns_in_one_line(files, tmp_path):
    result = reduce(files / "block_mm.msh", "--modes", 1, "--out", tmp_path / "body.h5")
    assert result.stderr.startswith("warning: ")
    assert len(result.stderr.strip().splitlines()) == 1
    for word in ("block_mm.msh", "spans 100 m", "mm", "scale=1e-3"):
        assert word in result.stderr


# Bad input: exit code 2, one line, no traceback, nothing written.

BAD = {
    "no mesh": ([], ["mesh file is missing", "--info"]),
    "missing mesh": (["none.msh"], ["none.msh", "does not exist"]),
    "mesh is a folder": (["."], ["is a folder"]),
    "empty mesh": (["empty.msh"], ["empty.msh", "cannot be read"]),
    "text": (["text.msh"], ["text.msh", "cannot be read", ".msh"]),
    "unknown fix": (["block.msh", "--fix", "moon"], ["surface 'moon'", "known", "x_min"]),
    "unknown contact": (["block.msh", "--contact", "moon"], ["surface 'moon'", "known", "z_max"]),
    "edge of a plate": (
        ["plate.msh", "--thickness", 0.002, "--contact", "outer"],
        ["surface 'outer'", "bottom, top"],
    ),
    "held contact": (
        ["block.msh", "--fix", "z_max", "--contact", "z_max"],
        ["'z_max'", "--fix", "--contact"],
    ),
    "unknown joint": (["block.msh", "--joint", "moon"], ["interface 'moon'", "known", "z_max"]),
    "held joint": (["block.msh", "--fix", "z_max", "--joint", "z_max"], ["'z_max'", "--joint"]),
    "joint of free modes": (
        ["block.msh", "--joint", "z_max", "--method", "free"],
        ["--joint z_max", "rubin"],
    ),
    "unknown material": (["block.msh", "--material", "cheese"], ["cheese", "known", "steel"]),
    "unknown method": (["block.msh", "--method", "rubbin"], ["rubbin", "one of rubin, free"]),
    "fixed without fix": (["block.msh", "--method", "fixed"], ["fixed method", "--fix"]),
    "craig-bampton without contact": (
        ["block.msh", "--method", "craig-bampton"],
        ["craig-bampton", "--contact"],
    ),
    "quasi-static without contact": (
        ["block.msh", "--method", "quasi-static"],
        ["quasi-static", "--contact"],
    ),
    "interface modes of rubin": (
        ["block.msh", "--contact", "z_max", "--interface-modes", 5],
        ["--interface-modes 5", "rubin", "craig-bampton"],
    ),
    "zero interface modes": (
        ["block.msh", "--contact", "z_max", "--method", "craig-bampton", "--interface-modes", 0],
        ["interface-modes = 0", ">= 1"],
    ),
    "too many modes": (["block.msh", "--modes", 9999], ["modes = 9999", "elastic modes"]),
    "zero modes": (["block.msh", "--modes", 0], ["modes = 0", ">= 1"]),
    "zero modes with contact": (
        ["block.msh", "--modes", 0, "--method", "free", "--contact", "z_max"],
        ["modes = 0", ">= 1"],
    ),
    "modes that are no integer": (["block.msh", "--modes", 3.5], ["--modes", "int"]),
    "scale that is no number": (["block.msh", "--scale", "mm"], ["--scale", "valid"]),
    "unknown option": (["block.msh", "--mode", 3], ["--mode"]),
    "option without a value": (["block.msh", "--modes"], ["--modes", "argument"]),
    "one mesh too many": (["block.msh", "plate.msh"], ["plate.msh"]),
    "tolerance of a method without static shapes": (
        ["block.msh", "--contact", "z_max", "--method", "free", "--tolerance", 0.1],
        ["--tolerance 0.1", "free method"],
    ),
    "cutoff without contact": (["block.msh", "--cutoff", 1e5], ["--cutoff 100000", "--contact"]),
    "negative layer": (
        ["block.msh", "--contact", "z_max", "--layer", -1e-12],
        ["layer = -1e-12 m/Pa", ">= 0"],
    ),
    "negative modes": (["block.msh", "--modes", -3], ["modes = -3"]),
    "thickness of a solid": (
        ["block.msh", "--thickness", 0.01],
        ["--thickness 0.01", "the mesh is a solid"],
    ),
    "plate without thickness": (["plate.msh"], ["plane", "--thickness"]),
    "negative thickness": (["plate.msh", "--thickness", -1], ["thickness = -1.0 m", "> 0"]),
    "thickness nan": (["plate.msh", "--thickness", "nan"], ["thickness = nan m", "finite"]),
    "zero scale": (["block.msh", "--scale", 0], ["scale = 0.0", "> 0"]),
    "zero tolerance": (
        ["block.msh", "--contact", "z_max", "--tolerance", 0],
        ["tolerance = 0.0", "above 0"],
    ),
    "missing folder": (
        ["block.msh", "--out", "nowhere/body.h5"],
        ["folder 'nowhere'", "--out", "does not exist"],
    ),
    "out is a folder": (["block.msh", "--out", "."], ["--out '.'", "is a folder"]),
    "repeated material": (
        [DISC, "--material", "steel", "--material", "aluminium", "--thickness", 0.002],
        ["--material steel", "VOLUME=VALUE"],
    ),
    "material of an unknown volume": (
        [DISC, "--material", "rim=steel", "--thickness", 0.002],
        ["volume of --material 'rim'", "carrier, facing"],
    ),
    "unknown material of a volume": (
        [DISC, "--material", "carrier=cheese", "--thickness", 0.002],
        ["cheese", "known", "steel"],
    ),
    "volume without material": (
        [DISC, "--material", "carrier=steel", "--thickness", 0.002],
        ["cells have no material"],
    ),
    "material given twice": (
        [DISC, *("--material", "facing=steel", "--material", "facing=facing"), "--thickness", 0.1],
        ["--material", "twice", "'facing'"],
    ),
    "thickness of an unknown volume": (
        [DISC, "--thickness", "rim=0.002"],
        ["volume of --thickness 'rim'", "carrier, facing"],
    ),
    "thickness that is no number": (
        [DISC, "--thickness", "carrier=thin", "--thickness", "facing=0.1"],
        ["--thickness thin", "a number in m"],
    ),
    "negative thickness of a volume": (
        [DISC, "--thickness", "carrier=-1", "--thickness", "facing=0.1"],
        ["thickness of 'carrier' = -1.0 m", "> 0"],
    ),
    "face of an unknown volume": (
        [DISC, "--thickness", 0.002, "--contact", "rim.top"],
        ["surface 'rim.top'", "facing.top"],
    ),
    "face of a plate as interface": (
        [DISC, "--thickness", 0.002, "--contact", "top", "--method", "craig-bampton"],
        ["interface top", "hub, outer, slots"],
    ),
    "interface of rubin": (
        ["block.msh", "--contact", "z_max", "--interface", "x_min"],
        ["--interface x_min", "rubin", "craig-bampton"],
    ),
    "tolerance of 500 %": (
        ["block.msh", "--contact", "z_max", "--tolerance", 5],
        ["tolerance = 5.0", "at most 1"],
    ),
    "info of a folder": (["--info", "."], ["'.' is a folder"]),
    "info of a missing file": (["--info", "none.h5"], ["none.h5", "does not exist"]),
    "info of a mesh": (["--info", "block.msh"], ["block.msh", "no HDF5 file"]),
}


def refused(result, words):
    """One line on stderr with all the words, exit code 2, no traceback."""
    assert result.exit_code == 2
    assert isinstance(result.exception, SystemExit)
    assert result.stdout == ""
    assert result.stderr.startswith("error: ")
    assert len(result.stderr.strip().splitlines()) == 1
    for word in words:
        assert word in result.stderr
    return True


@pytest.mark.parametrize("name", BAD)
def test_bad_input(files, tmp_path, monkeypatch, name):
    arguments, words = BAD[name]
    for mesh in ("block.msh", "plate.msh"):
        shutil.copy(files / mesh, tmp_path)
    (tmp_path / "empty.msh").write_bytes(b"")
    (tmp_path / "text.msh").write_text("This is no mesh.\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    before = sorted(os.listdir())
    assert refused(invoke(*arguments), words)
    assert sorted(os.listdir()) == before


def damaged(source, target, how):
    """Write a copy of a reduced body that must not be read."""
    shutil.copy(source, target)
    if how == "cut off":
        target.write_bytes(source.read_bytes()[: source.stat().st_size // 2])
        return
    with h5py.File(target, "r+") as file:
        if how == "newer":
            file.attrs["version"] = 99
        elif how == "foreign":
            file.attrs["format"] = "solution of another program"
        elif how == "number changed":
            file["frequencies"][7] *= 1.001
        elif how == "array missing":
            del file["basis"]


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("cut off", ["damaged or no HDF5 file"]),
        ("newer", ["version 99", "update fecontact"]),
        ("foreign", ["holds no reduced model", "solution of another program"]),
        ("number changed", ["damaged", "checksum"]),
        ("array missing", ["damaged", "checksum"]),
    ],
)
def test_info_refuses(files, tmp_path, how, words):
    bad = tmp_path / "bad.h5"
    damaged(files / "made.h5", bad, how)
    assert refused(invoke("--info", bad), ["bad.h5", *words])


def test_info_refuses_hdf5_of_another_program(tmp_path):
    other = tmp_path / "other.h5"
    with h5py.File(other, "w") as file:
        file["temperature"] = np.zeros(3)
    assert refused(invoke("--info", other), ["other.h5", "holds no reduced model", "unknown"])


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_folder_without_permission(files, tmp_path):
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o555)
    result = invoke(files / "block.msh", "--out", locked / "body.h5")
    assert refused(result, ["locked", "not writable"])


def test_full_disc_leaves_the_old_body(files, tmp_path, monkeypatch):
    """The file fails half way; the old one stays and no part of the new one is left."""
    out = tmp_path / "body.h5"
    shutil.copy(files / "made.h5", out)

    def full(self, content):
        with self.open("wb") as file:
            file.write(content[: len(content) // 2])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    result = invoke(files / "block.msh", "--modes", 1, "--out", out)
    assert refused(result, ["body.h5", "cannot be written", "No space left"])
    assert [file.name for file in tmp_path.iterdir()] == ["body.h5"]
    assert out.read_bytes() == (files / "made.h5").read_bytes()


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (SolverError("no answer; ask for fewer modes"), 3, "solver failed: no answer; ask for"),
        (KeyboardInterrupt(), 130, "interrupted"),
    ],
)
def test_failure_writes_nothing(files, tmp_path, monkeypatch, error, code, words):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr("fecontact.cli.modes.reduce_model", fail)
    result = invoke(files / "block.msh", "--out", tmp_path / "body.h5")
    assert result.exit_code == code
    assert words in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_help_names_every_method():
    text = invoke("--help").stdout
    for method in METHODS:
        assert method in text


def test_commands_of_the_user_page(tmp_path, monkeypatch):
    """Every `fecontact modes` line of docs/reduction.md runs as it stands."""
    root = mesh_folder().parent
    page = (root / "docs" / "reduction.md").read_text(encoding="utf-8")
    lines = re.findall(r"^    fecontact modes (.*)$", page, flags=re.MULTILINE)
    assert len(lines) == 4
    (tmp_path / "meshes").symlink_to(mesh_folder())
    monkeypatch.chdir(tmp_path)
    for line in lines:
        result = invoke(*line.split(), "--no-pictures")
        assert result.exit_code == 0, (line, result.stderr)
        assert len(table(result.stdout)) in (30, 31)  # a pair is not cut


def test_layer_and_cutoff(files, tmp_path):
    """A softer layer or a lower cutoff gives fewer coordinates and a larger step."""
    sizes, highest = [], []
    for number, extra in enumerate([[], ["--layer", 1e-9], ["--cutoff", 3e5]]):
        out = tmp_path / f"{number}.h5"
        arguments = ["--contact", "z_max", "--modes", 5, "--out", out]
        printed = reduce(files / "block.msh", *arguments, *extra).stdout
        assert ("through a layer of 1.0e-09 m/Pa" in printed) == (1e-9 in extra)
        body = load_reduced(out)
        sizes.append(body.size)
        highest.append(body.frequencies.max() / (2 * np.pi))
    assert sizes[1] < sizes[0]
    assert highest[1] < highest[0]
    assert 1e5 < highest[2] < 3e5 < highest[0]
