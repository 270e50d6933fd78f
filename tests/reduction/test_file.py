import json
from dataclasses import fields, is_dataclass, replace

import h5py
import numpy as np
import pytest
import scipy.sparse as sp

from fecontact.body import ElasticBody
from fecontact.errors import InputError
from fecontact.fem import STEEL, ElasticSolid
from fecontact.mesh import block
from fecontact.reduction import PolynomialLoads, load_reduced, reduce_model, save_reduced
from fecontact.reduction.file import VERSION, _checksum, _collect


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
    refuse(tmp_path, "is a folder")


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


def test_version_1_has_no_layer(tmp_path, free_block):
    """Files written before the layer came: the errors are those of the body alone."""
    path = tmp_path / "old.h5"
    body = reduce_model(free_block, "top", modes=2, layer=0.0)
    save_reduced(body, path)
    with h5py.File(path, "r+") as file:
        about = json.loads(file["about"].asstr()[()])
        for kinds in about["contact"].values():
            for compliance in kinds.values():
                assert compliance.pop("layer") == 0.0
        text, arrays = json.dumps(about), {}
        file.visititems(lambda name, item: _collect(arrays, name, item))
        del file["about"]
        file["about"] = text
        file.attrs["version"] = 1
        file.attrs["checksum"] = _checksum(text, arrays)
    assert_same(load_reduced(path), body)


def test_version_2_has_another_geometric_stiffness(tmp_path):
    """It is that of Green's strain, which a floating body that stretches must not take."""
    path = tmp_path / "old.h5"
    body = reduce_model(ElasticSolid(block(0.1, 0.1, 0.1, cells=(1, 1, 1)), STEEL), modes=1)
    save_reduced(body, path)
    assert_same(load_reduced(path), body)
    with h5py.File(path, "r+") as file:
        file.attrs["version"] = 2
    found = load_reduced(path)
    note = "no geometric stiffness: that of a file of version 2 is out of date"
    provenance = replace(body.provenance, notes=(note,))
    assert_same(found, replace(body, geometric=None, provenance=provenance))
    with pytest.raises(InputError, match=f"old: {note}; reduce.* set geometric_stiffness=False"):
        ElasticBody("old", found)


@pytest.mark.parametrize("version", [0, -1])
def test_impossible_version(path, version):
    with h5py.File(path, "a") as file:
        file.attrs["version"] = version
    refuse(path, f"has version {version}; versions begin with 1")


def test_about_is_a_group(path):
    with h5py.File(path, "a") as file:
        del file["about"]
        file.create_group("about")
    refuse(path, "damaged")


def rewrite(path, name, change):
    """Change an array or the text, and make the checksum fit again."""
    with h5py.File(path, "a") as file:
        old = file[name].asstr()[()] if name == "about" else file[name][()]
        del file[name]
        file[name] = change(old)
        arrays = {}
        file.visititems(lambda key, item: _collect(arrays, key, item))
        file.attrs["checksum"] = _checksum(file["about"].asstr()[()], arrays)


def test_rewritten_file_is_read_if_nothing_changes(path):
    rewrite(path, "basis", lambda a: a)
    rewrite(path, "about", lambda text: text)
    load_reduced(path)


def with_last(value):
    def change(array):
        array = array.copy()
        array.flat[-1] = value
        return array

    return change


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("basis", with_last(np.nan), "'basis' holds numbers that are not finite"),
        ("basis", np.ravel, "invalid 'basis' of shape.*expected a matrix"),
        ("basis", lambda a: a[:, :-1], "invalid 'frequencies' of shape"),
        ("basis", lambda a: a[:-1], "damaged"),
        ("frequencies", with_last(np.inf), "'frequencies' holds numbers"),
        ("frequencies", lambda a: a + 1.0, "invalid 'frequencies': expected 0 of rigid"),
        ("frequencies", with_last(-1.0), "invalid 'frequencies': expected 0 of rigid"),
        ("frequency_error", lambda a: a[1:], "invalid 'frequency_error' of shape"),
        ("geometry/points", lambda a: a[:, :2], "invalid 'geometry/points' of shape"),
        ("geometry/cells/hexahedron", lambda a: a + 1, "names nodes that do not exist"),
        ("geometry/cells/hexahedron", lambda a: 1.0 * a, "does not hold whole numbers"),
        ("geometry/shape/indices", lambda a: a + 10**6, "damaged"),
        ("surfaces/0/normals", np.transpose, "invalid 'surfaces/0/normals' of shape"),
        ("surfaces/0/shape", lambda a: a[:, 1:], "invalid 'surfaces/0/shape' of shape"),
        (
            "surfaces/0/normals",
            lambda a: 2.0 * a,
            "invalid 'surfaces/0/normals' of length .*: expected 1",
        ),
        ("surfaces/0/weights", np.negative, "invalid 'surfaces/0/weights': expected >= 0"),
        (
            "surfaces/0/weights",
            np.zeros_like,
            "invalid 'surfaces/0/weights': expected >= 0, some > 0",
        ),
        ("contact/0/finer/full", lambda a: a[1:], "invalid 'contact/0/finer/full' of shape"),
        ("inertia/coupling", lambda a: a[0], "invalid 'inertia/coupling' of shape"),
        ("inertia/inertia_second", lambda a: 2.0 * a, "not mass-orthonormal"),
        ("about", lambda t: t.replace('"rigid": 6', '"rigid": 600'), "600 rigid-body modes"),
        ("about", lambda t: t.replace('"rigid": 6', '"rigid": "6"'), "damaged"),
        ("about", lambda t: t.replace('"largest": ', '"largest": NaN, "x": '), "largest = nan"),
        ("about", lambda t: t.replace('"layer": ', '"layer": "thin", "x": '), "layer = 'thin'"),
        ("about", lambda t: t.replace('"layer": ', '"layer": true, "x": '), "layer = True"),
        (
            "about",
            lambda t: t.replace('"layer": ', '"layer": -1e-12, "x": '),
            "layer = -1e-12: expected >= 0",
        ),
        (
            "about",
            lambda t: t.replace('"next_frequency": ', '"next_frequency": -'),
            "invalid next_frequency = .*: expected > 0",
        ),
        ("about", lambda t: "[]", "damaged"),
        ("about", lambda t: "{}", "damaged"),
    ],
)
def test_wrong_content_with_a_right_checksum(path, name, change, message):
    rewrite(path, name, change)
    refuse(path, message)


def test_wrong_residual_with_a_right_checksum(tmp_path, free_block):
    path = tmp_path / "body.h5"
    loads = {"top": PolynomialLoads(1)}
    save_reduced(reduce_model(free_block, "top", method="quasi-static", modes=3, loads=loads), path)
    rewrite(path, "residual/participation", lambda a: a[1:])
    refuse(path, "invalid 'residual/participation' of shape")


def test_wrong_geometric_stiffness_with_a_right_checksum(tmp_path):
    path = tmp_path / "body.h5"
    solid = ElasticSolid(block(0.1, 0.03, 0.01, (2, 1, 1)), STEEL, "hex1")
    save_reduced(reduce_model(solid, modes=2), path)
    rewrite(path, "geometric", lambda a: a[:-1])
    refuse(path, "invalid 'geometric' of shape")


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

    monkeypatch.setattr("fecontact.drafts.os.replace", broken)
    with pytest.raises(InputError, match="cannot be written: disk full"):
        save_reduced(reduce_model(free_block, "top", modes=3), path)
    assert path.read_bytes() == before
    assert [p.name for p in path.parent.iterdir()] == [path.name]


def test_unwritable_place(tmp_path, free_block):
    with pytest.raises(InputError, match="cannot be written"):
        save_reduced(reduce_model(free_block, modes=1), tmp_path / "no" / "folder" / "body.h5")
