from dataclasses import fields, is_dataclass

import h5py
import numpy as np
import pytest
import scipy.sparse as sp

from fecontact.errors import InputError
from fecontact.reduction import PolynomialLoads, load_reduced, reduce_model, save_reduced
from fecontact.reduction.file import VERSION


@pytest.fixture(scope="module", params=["rubin", "quasi-static", "craig-bampton"])
def reduced(request, free_block):
    loads = {"top": PolynomialLoads(1)}
    return reduce_model(free_block, "top", method=request.param, modes=3, loads=loads)


@pytest.fixture
def path(tmp_path, free_block):
    path = tmp_path / "body.h5"
    save_reduced(reduce_model(free_block, "top", modes=2), path)
    return path


def assert_same(a, b):
    assert type(a) is type(b)
    if is_dataclass(a):
        for field in fields(a):
            assert_same(getattr(a, field.name), getattr(b, field.name))
    elif isinstance(a, dict):
        assert list(a) == list(b)
        for key in a:
            assert_same(a[key], b[key])
    elif isinstance(a, sp.csr_array):
        assert (a != b).nnz == 0
    elif isinstance(a, np.ndarray):
        assert a.dtype == b.dtype
        assert np.array_equal(a, b)
    else:
        assert a == b


def test_round_trip(reduced, tmp_path):
    save_reduced(reduced, tmp_path / "body.h5")
    again = load_reduced(tmp_path / "body.h5")
    assert_same(reduced, again)
    assert again.validity_frequency() == reduced.validity_frequency()
    assert [p.name for p in tmp_path.iterdir()] == ["body.h5"]  # nothing left behind


def test_same_model_same_bytes(tmp_path, free_block):
    for name in ("a.h5", "b.h5"):
        save_reduced(reduce_model(free_block, "top", modes=2), tmp_path / name)
    assert (tmp_path / "a.h5").read_bytes() == (tmp_path / "b.h5").read_bytes()


def refuse(path, message):
    with pytest.raises(InputError, match=message) as caught:
        load_reduced(path)
    assert "\n" not in str(caught.value)
    assert path.name in str(caught.value)


def test_missing_file(tmp_path):
    refuse(tmp_path / "absent.h5", "does not exist")


def test_foreign_files(tmp_path):
    text = tmp_path / "notes.h5"
    text.write_text("no HDF5 at all")
    refuse(text, "damaged or no HDF5 file")
    other = tmp_path / "other.h5"
    with h5py.File(other, "w") as file:
        file["x"] = np.arange(3)
    refuse(other, "holds no reduced model: its format is 'unknown'")


def test_newer_version(path):
    with h5py.File(path, "a") as file:
        file.attrs["version"] = VERSION + 1
    refuse(path, f"has version {VERSION + 1}, this program reads up to {VERSION}: update")


def test_changed_number(path):
    with h5py.File(path, "a") as file:
        file["frequencies"][-1] *= 1.0 + 1e-15
    refuse(path, "checksum does not fit")


def test_changed_text(path):
    with h5py.File(path, "a") as file:
        text = file["about"].asstr()[()]
        del file["about"]
        file["about"] = text.replace("rubin", "guyan")
    refuse(path, "checksum does not fit")


def test_lost_array(path):
    with h5py.File(path, "a") as file:
        del file["basis"]
    refuse(path, "damaged")


@pytest.mark.parametrize("part", [0.1, 0.5, 0.99])
def test_truncated_file(path, part):
    content = path.read_bytes()
    path.write_bytes(content[: int(part * len(content))])
    refuse(path, "damaged")


def test_failed_write_keeps_the_old_file(path, monkeypatch, free_block):
    before = path.read_bytes()

    def broken(*args):
        raise OSError("disk full")

    monkeypatch.setattr("fecontact.reduction.file.os.replace", broken)
    with pytest.raises(InputError, match="cannot be written: disk full"):
        save_reduced(reduce_model(free_block, "top", modes=3), path)
    assert path.read_bytes() == before
    assert [p.name for p in path.parent.iterdir()] == [path.name]


def test_unwritable_place(tmp_path, free_block):
    with pytest.raises(InputError, match="cannot be written"):
        save_reduced(reduce_model(free_block, modes=1), tmp_path / "no" / "folder" / "body.h5")
