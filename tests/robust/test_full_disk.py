"""A full disk, once as a small disk that is mounted, once as a limit of the size of files.

Every writer of the package says in one line which file it is; the folder stays as it was, an
earlier file too, and no draft is left.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from fecontact.analysis.stability.map_points import MapPoint
from fecontact.analysis.stability.map_store import MapStore
from fecontact.body import RigidBody
from fecontact.cli import app
from fecontact.drafts import draft_of, write_file
from fecontact.errors import InputError
from fecontact.fem import STEEL, ElasticSolid
from fecontact.integrate import simulate
from fecontact.joint import Bearing
from fecontact.mesh import block, save_mesh
from fecontact.reduction import reduce_model, save_reduced
from fecontact.results import StoredRun
from fecontact.results.hdf5 import writer
from fecontact.results.summary import write_summary
from fecontact.system import System
from fecontact.view.plots import curves_plot, save
from fecontact.view.series import write_series
from fecontact.view.vtk import shape_of, write_modes

LIMIT = 3 << 9
"""Bytes that a file may have; every file of the tests is longer."""


def make_body():
    return reduce_model(ElasticSolid(block(1.0, 1.0, 1.0, cells=(4, 4, 4)), STEEL, "hex1"), modes=3)


@pytest.fixture(scope="session")
def body():
    return make_body()


def summary(folder):
    files = [f"picture_{number}.png" for number in range(2000)]
    write_summary(folder, case="c", parameters={}, version="1", elapsed_s=1.0, files=files,
                  checks=[])  # fmt: skip


def map_tile(folder):
    points = [MapPoint(1.0, 2.0, np.arange(3.0), "")] * 5000
    MapStore(folder / "map", {"case": "c"}, {}).save(
        "seed-0", np.zeros((5000, 2), dtype=int), points
    )


def picture(path):
    t = np.linspace(0.0, 1.0, 500)
    save(curves_plot(t, {"a": np.sin(60.0 * t)}, "t / s", "x / m"), path)


def modes(path, body):
    shape = shape_of(body.geometry)
    rng = np.random.default_rng(1)
    write_modes(path, shape, {f"{k}": rng.random((len(shape.points), 3)) for k in range(9)})


CUBE = block(1.0, 1.0, 1.0, cells=(9, 9, 9))
WRITERS = {
    "body.h5": lambda folder, body, result: save_reduced(body, folder / "body.h5"),
    "table.csv": lambda folder, body, result: result.to_csv(folder / "table.csv"),
    "picture.png": lambda folder, body, result: picture(folder / "picture.png"),
    "modes.vtu": lambda folder, body, result: modes(folder / "modes.vtu", body),
    "0000.vtu": lambda folder, body, result: write_series(result, folder / "series"),
    "summary.json": lambda folder, body, result: summary(folder),
    "seed-0.npz": lambda folder, body, result: map_tile(folder),
    "mesh.msh": lambda folder, body, result: save_mesh(CUBE, folder / "mesh.msh"),
    "mesh.vtu": lambda folder, body, result: save_mesh(CUBE, folder / "mesh.vtu"),
    "mesh.inp": lambda folder, body, result: save_mesh(CUBE, folder / "mesh.inp"),
}
"""By the file that does not fit."""


def files_of(folder):
    return {p: p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def check_refusal(folder, name, before, ending, reason):
    assert ending.kind == "InputError", ending.words
    assert f"{name}' cannot be written: {reason}" in ending.words
    assert "\n" not in ending.words
    small = {"map.json"}  # fits, and is whole
    after = {p: content for p, content in files_of(folder).items() if p.name not in small}
    assert after == before


@pytest.mark.parametrize("name", WRITERS)
def test_files_that_may_not_grow(tmp_path, name, body, small_result, in_limited_child):
    folder = tmp_path / "out"
    folder.mkdir()
    if name != "0000.vtu":
        (folder / name).write_bytes(b"an earlier file")
    before = files_of(folder)
    ending = in_limited_child(LIMIT, lambda: WRITERS[name](folder, body, small_result))
    check_refusal(folder, name, before, ending, "File too large")


def test_full_disk(full_disk, body, small_result, in_child):
    """All writers one after the other: each leaves the disk as it was."""
    for name, write in WRITERS.items():
        before = files_of(full_disk)
        ending = in_child(lambda write=write: write(full_disk, body, small_result))
        check_refusal(full_disk, name, before, ending, "No space left on device")
        for left in ("map.json",):
            for path in full_disk.rglob(left):
                path.unlink()


def test_command_on_a_full_disk(tmp_path, in_limited_child):
    """`fecontact modes --out`: exit code 2 and one line; neither body nor draft."""
    mesh = tmp_path / "mesh.msh"
    save_mesh(block(1.0, 1.0, 1.0, cells=(2, 2, 2)), mesh)

    def action():
        said = CliRunner().invoke(
            app, ["modes", str(mesh), "--modes", "3", "--out", str(tmp_path / "body.h5")]
        )
        raise InputError(f"{said.exit_code} {said.stderr.strip()}")

    ending = in_limited_child(LIMIT, action)
    path = tmp_path / "body.h5"
    assert ending.words == f"2 error: file '{path}' cannot be written: File too large"
    assert [each.name for each in tmp_path.iterdir()] == ["mesh.msh"]


def grow(path, spare=1 << 12):
    """A run of many records whose file meets the end of the disk."""
    writer.EVERY_S, writer.SPARE_BYTES, writer.CHUNK_BYTES = 0.0, spare, 1 << 11
    mass = RigidBody("mass", 1.0, ("ux",))
    system = System([mass], [Bearing(mass, 1e4, 1e4)])
    simulate(system, 20.0, method="moreau", step=1e-3, store=path)


def check_stored(path, ending, reason):
    """The run ended with a message; its records are there, and the file says how it ended."""
    assert ending.kind == "InputError", ending.words
    assert f"'{path}' cannot be written: {reason}; its " in ending.words
    stored = StoredRun.load(path)
    assert f"its {stored.complete} records are kept" in ending.words
    assert stored.status == "failed"
    assert stored.message in ending.words
    assert len(stored.records("t")) == stored.complete > 10
    assert np.isfinite(stored.records("q")).all()
    assert sorted(p.name for p in path.parent.iterdir() if p.name != "filler") == [path.name]


def test_result_file_that_may_not_grow(tmp_path, in_limited_child):
    path = tmp_path / "run.h5"
    check_stored(path, in_limited_child(3 << 16, lambda: grow(path)), "File too large")


def test_result_file_on_a_disk_that_fills(full_disk, in_child):
    (full_disk / "filler").write_bytes(bytes(32 << 10))
    path = full_disk / "run.h5"
    check_stored(path, in_child(lambda: grow(path)), "No space left on device")


def test_result_file_that_cannot_begin(full_disk, in_child):
    """Not even the structure fits: no file, no draft, no lock."""
    (full_disk / "filler").write_bytes(bytes(256 << 10))
    ending = in_child(lambda: grow(full_disk / "run.h5"))
    assert ending.kind == "InputError", ending.words
    assert "run.h5' cannot be written: No space left on device" in ending.words
    assert [path.name for path in full_disk.iterdir()] == ["filler"]


def test_device_that_is_always_full():
    """A device gets no draft and is not replaced."""
    with pytest.raises(InputError, match="'/dev/full' cannot be written: No space left"):
        write_file("/dev/full", b"content")
    assert Path("/dev/full").is_char_device()


def test_draft_follows_links_and_keeps_what_was(tmp_path):
    target, link = tmp_path / "target.txt", tmp_path / "link.txt"
    target.write_text("old")
    link.symlink_to(target)

    def fails():
        with draft_of(link) as draft:
            draft.write_text("half of the new")
            raise RuntimeError("a library fails")

    with pytest.raises(RuntimeError, match="a library fails"):
        fails()
    assert target.read_text() == "old"
    with draft_of(link):
        pass
    assert target.read_text() == "old"
    write_file(link, b"new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["link.txt", "target.txt"]
    with pytest.raises(InputError, match="cannot be written: Is a directory"):
        write_file(tmp_path, b"content")
