"""HDF5 files of strangers: nothing outside the file is read, and none stops the reader."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import h5py
import numpy as np
import pytest
from typer.testing import CliRunner

from fecontact.cli import app
from fecontact.errors import InputError
from fecontact.fem import STEEL, ElasticSolid
from fecontact.files import hdf5
from fecontact.mesh import block
from fecontact.reduction import load_reduced, reduce_model, save_reduced
from fecontact.results import Result, Writer
from fecontact.results.hdf5.file import Header

SECRET = b"root:x:0:0: the password is swordfish\n" * 4
ABOUT = {
    "method": "implicit", "coordinates": ["a.ux"], "places": [0], "rows": [],
    "bodies": {"a": [0, 1]}, "contacts": [], "energies": ["slip"], "statistics": [],
    "geometry": [],
}  # fmt: skip


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A small result, closed."""
    record = {"t": 0.0, "q": np.ones(1), "v": np.ones(1), "a": np.ones(1), "energies/slip": 1.0}
    writer = Writer(tmp_path / "run.h5", Header(ABOUT), record)
    for k in range(8):
        writer.append(record | {"t": 0.1 * k})
    writer.close("finished")
    return tmp_path / "run.h5"


@pytest.fixture(scope="module")
def body(tmp_path_factory) -> Path:
    """A reduced body."""
    path = tmp_path_factory.mktemp("body") / "body.h5"
    solid = ElasticSolid(block(0.2, 0.1, 0.05, (1, 1, 1)), STEEL)
    save_reduced(reduce_model(solid, "z_max", modes=2), path)
    return path


def external_storage(file: h5py.File, secret: Path) -> None:
    file.create_dataset("records/energies/slip", (8,), "f8", external=[(str(secret), 0, 64)])


def external_link(file: h5py.File, secret: Path) -> None:
    with h5py.File(secret.with_suffix(".h5"), "w") as other:
        other["slip"] = np.frombuffer(SECRET[:64])
    file["records/energies/slip"] = h5py.ExternalLink(secret.with_suffix(".h5"), "slip")


def virtual_dataset(file: h5py.File, secret: Path) -> None:
    with h5py.File(secret.with_suffix(".h5"), "w") as other:
        other["slip"] = np.frombuffer(SECRET[:64])
    layout = h5py.VirtualLayout((8,), "f8")
    layout[:] = h5py.VirtualSource(secret.with_suffix(".h5"), "slip", (8,))
    file.create_virtual_dataset("records/energies/slip", layout)


def soft_link(file: h5py.File, secret: Path) -> None:
    file["records/energies/slip"] = h5py.SoftLink("/records/t")


@pytest.mark.parametrize("leak", [external_storage, external_link, virtual_dataset, soft_link])
def test_no_bytes_of_other_files(run: Path, tmp_path: Path, leak) -> None:
    """`export --csv` printed the bytes of any file of the reader's machine as numbers."""
    secret = tmp_path / "secret"
    secret.write_bytes(SECRET)
    with h5py.File(run, "r+") as file:
        del file["records/energies/slip"]
        leak(file, secret)
    found = CliRunner().invoke(app, ["export", str(run), "--csv"])
    assert found.exit_code == 2
    assert "is refused: " in found.output.replace("\n", " ")
    assert not list(tmp_path.glob("*.csv"))
    with pytest.raises(InputError, match=r"'/records/energies/slip'"):
        Result.load(run)


def test_links_of_groups(run: Path, tmp_path: Path) -> None:
    """A whole group in another file; and groups that hold each other are walked through once."""
    with h5py.File(run, "r+") as file:
        file["records/again"] = file["records"]
        file["fixed/up"] = file["/"]
    assert Result.load(run)["energy.slip"].tolist() == [1.0] * 8
    with h5py.File(run, "r+") as file:
        del file["records/again"], file["fixed/up"]
        file["fixed/other"] = h5py.ExternalLink(tmp_path / "x.h5", "/")
    with pytest.raises(InputError, match="'/fixed/other' is a link to another place"):
        Result.load(run)


def test_reduced_body_with_external_data(body: Path, tmp_path: Path) -> None:
    path = tmp_path / "body.h5"
    path.write_bytes(body.read_bytes())
    (tmp_path / "secret").write_bytes(SECRET)
    with h5py.File(path, "r+") as file:
        shape = file["frequencies"].shape
        del file["frequencies"]
        file.create_dataset("frequencies", shape, "f8", external=[("secret", 0, 8 * shape[0])])
    with pytest.raises(InputError, match="the data of '/frequencies' lie in another file"):
        load_reduced(path)


def test_more_data_than_the_file_has(body: Path, tmp_path: Path, monkeypatch) -> None:
    """A dataset of 8 TB of which nothing is stored."""
    path = tmp_path / "body.h5"
    path.write_bytes(body.read_bytes())
    with h5py.File(path, "r+") as file:
        file.create_dataset("surplus", (10**6, 10**6), "f8", chunks=(100, 100))
    with pytest.raises(InputError, match=r"declares 8e\+12 bytes.* set FECONTACT_LARGE_FILES=1"):
        load_reduced(path)


def test_packed_piece_that_grows(run: Path) -> None:
    """A piece of 80 bytes whose packed form unpacks to 64 MB: HDF5 itself would unpack it all."""
    import zlib

    with h5py.File(run, "r+") as file:
        del file["records/energies/slip"]
        data = file.create_dataset(
            "records/energies/slip", (10,), "f8", chunks=(10,), compression=1
        )
        data.id.write_direct_chunk((0,), zlib.compress(bytes(1 << 26)))
    with pytest.raises(InputError, match="is not as large as it should be"):
        Result.load(run)


def test_packed_data_of_others(run: Path) -> None:
    """What h5repack and other programs write: shuffled, packed and with checksums, in any mix."""
    for options in (
        {"shuffle": True}, {"fletcher32": True}, {"compression": 9}, {"chunks": (3,)},
        {"shuffle": True, "compression": 1, "fletcher32": True},
    ):  # fmt: skip
        with h5py.File(run, "r+") as file:
            values = file["records/energies/slip"][()]
            del file["records/energies/slip"]
            file.create_dataset("records/energies/slip", data=values, **options)
        assert Result.load(run)["energy.slip"].tolist() == [1.0] * 8
    with h5py.File(run, "r+") as file:
        del file["records/energies/slip"]
        properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        properties.set_chunk((8,))
        properties.set_deflate(9)
        properties.set_deflate(9)  # packed twice, a kilobyte may be a gigabyte
        space = h5py.h5s.create_simple((8,))
        kind = h5py.h5t.IEEE_F64LE
        h5py.h5d.create(file["records/energies"].id, b"slip", kind, space, properties)
    with pytest.raises(InputError, match="packed by a method that is not known"):
        Result.load(run)


def test_other_kinds_of_data(body: Path, tmp_path: Path) -> None:
    """References, records and lists are not numbers; other filters would be loaded as programs."""
    for name, options in {
        "reference": {"dtype": h5py.ref_dtype, "shape": (3,)},
        "record": {"dtype": np.dtype([("a", "f8"), ("b", "i4")]), "shape": (3,)},
        "list": {"dtype": h5py.vlen_dtype("f8"), "shape": (3,)},
        "filter": {"dtype": "f8", "shape": (3,), "compression": "lzf"},
    }.items():
        path = tmp_path / f"{name}.h5"
        path.write_bytes(body.read_bytes())
        with h5py.File(path, "r+") as file:
            file.create_dataset("surplus", **options)
        with pytest.raises(InputError, match=r"'/surplus' (does not hold plain|is packed by)"):
            load_reduced(path)


@pytest.mark.parametrize("load", [load_reduced, Result.load])
def test_special_files(tmp_path: Path, load) -> None:
    os.mkfifo(tmp_path / "pipe.h5")
    for path, words in (
        (tmp_path / "pipe.h5", "is a pipe"), (Path("/dev/zero"), "is a device"),
        (tmp_path, "is a folder"), (tmp_path / "none.h5", "does not exist"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=words):
            load(path)


@pytest.mark.parametrize("end", ["while True: pass", "import os; os.abort()"])
def test_a_file_that_stops_the_child(body: Path, tmp_path: Path, monkeypatch, end) -> None:
    """HDF5 that hangs or crashes ends the child, not us; the next file has a new child."""
    path = tmp_path / "body.h5"
    path.write_bytes(body.read_bytes())
    monkeypatch.setattr(hdf5, "_children", {})
    monkeypatch.setattr(hdf5, "PATIENCE_S", 0.5)
    with monkeypatch.context() as patch:
        patch.setattr(hdf5, "START", f"print('ready', flush=True); input()\n{end}")
        start = time.perf_counter()
        with pytest.raises(InputError, match="HDF5 did not come to an end"):
            load_reduced(path)
        assert time.perf_counter() - start < 5.0
    monkeypatch.setattr(hdf5, "PATIENCE_S", 10.0)
    assert load_reduced(path).frequencies.size


def test_without_a_child(body: Path, run: Path, tmp_path: Path, monkeypatch) -> None:
    """Where no child can be started, files are read here, and links are refused all the same."""
    monkeypatch.setattr(hdf5, "_children", {})
    monkeypatch.setattr(hdf5, "_known", set())
    for program in ("raise SystemExit", "print('what?')"):
        monkeypatch.setattr(hdf5, "START", program)
        assert load_reduced(body).frequencies.size
        hdf5._known.clear()
    with h5py.File(run, "r+") as file:
        file["records/other"] = h5py.ExternalLink("x.h5", "/")
    with pytest.raises(InputError, match="'/records/other' is a link to another place"):
        Result.load(run)


def test_threads_and_forks_share_nothing(body: Path, tmp_path: Path) -> None:
    """Files asked for at once get their own answers."""
    paths = [tmp_path / f"{k}.h5" for k in range(8)]
    for k, path in enumerate(paths):
        path.write_bytes(body.read_bytes() if k % 2 else b"no HDF5")
    found: dict[int, bool] = {}

    def load(k: int) -> None:
        try:
            load_reduced(paths[k])
            found[k] = True
        except InputError:
            found[k] = False

    threads = [threading.Thread(target=load, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {k: bool(k % 2) for k in range(8)}


def test_unchanged_files_are_looked_through_once(body: Path, monkeypatch) -> None:
    load_reduced(body)
    monkeypatch.setattr(hdf5, "_asked", lambda *_: pytest.fail("asked again"))
    load_reduced(body)
