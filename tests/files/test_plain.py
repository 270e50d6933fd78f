"""Matrices, maps and npz files of strangers."""

from __future__ import annotations

import io
import os
import re
import threading
import zipfile
from pathlib import Path

import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp
from numpy.testing import assert_array_equal

from fecontact.analysis.stability.map_points import MapPoint
from fecontact.analysis.stability.map_store import MapStore
from fecontact.errors import InputError
from fecontact.fem import MatrixModel, NodeSurface, read_matrix
from fecontact.files import plain, read_npz
from fecontact.results.summary import listed_files

K = sp.csr_array(np.diag([2.0, 3.0, 4.0]) + np.eye(3, k=1))


def saved(path: Path, **changes: object) -> Path:
    """The matrix K as scipy saves it, with other arrays."""
    parts = {"format": b"csr", "shape": K.shape, "data": K.data, "indices": K.indices}
    np.savez(path, **(parts | {"indptr": K.indptr} | changes))
    return path


@pytest.mark.parametrize(
    "changes",
    [
        {"indptr": [0, 2**31 - 2, 4, 5]},  # ended the process
        {"indptr": [0, 4, 2, 5]},
        {"indptr": [1, 2, 4, 5]},
        {"indptr": [0, 2, 4, 6]},
        {"indptr": [0, 2, 4]},
        {"indptr": [0.0, 2.0, 4.0, 5.0]},
        {"indices": [0, 1, 1, 2, -1]},
        {"indices": [0, 1, 1, 2, 3]},
        {"indices": [0, 1, 1, 2]},
        {"data": [1.0, 2.0, np.nan, 1.0, 1.0]},
        {"data": np.array(["a"] * 5)},
        {"shape": [3, -3]},
        {"shape": [3, 3, 3]},
        {"format": b"cat"},
        {"format": b"bsr"},
        {"format": b"dia"},
        {"format": b"coo"},
    ],
    ids=str,
)
def test_matrices_that_are_none(tmp_path: Path, changes) -> None:
    with pytest.raises(InputError, match=r"matrix file '.*K.npz' cannot be read: ") as caught:
        read_matrix(saved(tmp_path / "K.npz", **changes))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "bsr", "dia"])
def test_all_formats_of_scipy(tmp_path: Path, form: str) -> None:
    sp.save_npz(tmp_path / "K.npz", K.asformat(form))
    assert_array_equal(read_matrix(tmp_path / "K.npz").toarray(), K.toarray())


@pytest.mark.parametrize("symmetry", ["general", "symmetric", "skew-symmetric"])
@pytest.mark.parametrize("dense", [False, True])
@pytest.mark.parametrize("kind", ["real", "integer"])
def test_matrix_market_as_scipy_reads_it(tmp_path: Path, symmetry, dense, kind) -> None:
    sign = {"general": 0, "symmetric": 1, "skew-symmetric": -1}[symmetry]
    A = np.random.default_rng(3).integers(-9, 9, (5, 5))
    A = A + sign * A.T
    A = A if kind == "integer" else A * 0.1
    path = tmp_path / "A.mtx"
    scipy.io.mmwrite(path, A if dense else sp.coo_array(A), symmetry=symmetry)
    assert_array_equal(read_matrix(path).toarray(), scipy.io.mmread(path, spmatrix=False) if dense
                       else scipy.io.mmread(path, spmatrix=False).toarray())  # fmt: skip


HEAD = "%%MatrixMarket matrix coordinate real general\n% comment\n"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (HEAD + "2 2 1\n1 1 2.5e", "in place of a number"),  # ended the process
        (HEAD + "2 2 1\n1 1 2.5e+", "in place of a number"),
        (HEAD + "2 2 2\n1 1 2.5\n", "too short for the 2 entries"),
        (HEAD + "2 2 1\n1 1 2.5\n2 2 1\n", "holds 6 numbers instead of 3"),
        (HEAD + "2 2 1\n0 1 2.5\n", "in row -1 of 2"),
        (HEAD + "2 2 1\n3 1 2.5\n", "in row 2 of 2"),
        (HEAD + "2 2 1\n1.5 1 2.5\n", "1.5 in place of a whole number"),
        (HEAD + "2 2 1\n1 1 nan\n", "not finite"),
        (HEAD + "2 2 1000000000000\n1 1 1\n", "too short for the 1000000000000 entries"),
        (HEAD + "1000000000000 1000000000000 1\n1 1 1\n", "more than 100 times its size"),
        (HEAD + "-2 2 1\n1 1 1\n", "its sizes '-2 2 1' are none"),
        (HEAD.replace("general", "symmetric") + "2 2 2\n1 2 1\n2 1 1\n", "both triangles"),
        (HEAD.replace("general", "symmetric") + "3 2 1\n2 1 1\n", "its shape is (3, 2)"),
        (HEAD.replace("coordinate", "array") + "1000000 1000000\n1\n", "too short for its shape"),
        (HEAD.replace("real", "quaternion") + "1 1 1\n1 1 1\n", "'coordinate quaternion'"),
        ("%%MatrixMarket", "first line"),
        ("", "first line"),
    ],
)
def test_texts_that_are_no_matrices(tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "K.mtx").write_text(text)
    with pytest.raises(InputError, match=re.escape(why)) as caught:
        read_matrix(tmp_path / "K.mtx")
    assert "\n" not in str(caught.value)


def npz(path: Path, header: bytes, data: bytes) -> Path:
    """An archive with one array of a given header."""
    stream = io.BytesIO()
    np.save(stream, np.zeros(2))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        whole = stream.getvalue()
        length = int.from_bytes(whole[8:10], "little")
        archive.writestr("data.npy", whole[:10] + header.ljust(length - 1) + b"\n" + data)
    return path


@pytest.mark.parametrize(
    ("header", "why"),
    [
        (
            b"{'descr': '<f8', 'fortran_order': False, 'shape': (10000000000,)}",
            "not as long as",
        ),
        (b"{'descr': '<f8', 'fortran_order': False, 'shape': (-2,)}", "not as long as"),
        (b"{'descr': '|O', 'fortran_order': False, 'shape': (2,)}", "holds no plain numbers"),
        (b"{'descr': '<f8', 'fortran_order': False, 'shape': (3,)}", "not as long as"),
        (b"__import__('os').abort()", "malformed"),
    ],
)
def test_arrays_that_lie_about_themselves(tmp_path: Path, header: bytes, why: str) -> None:
    with pytest.raises(InputError, match=f"cannot be read: .*{why}"):
        read_npz(npz(tmp_path / "a.npz", header, bytes(16)))


def test_archive_that_grows(tmp_path: Path, monkeypatch) -> None:
    """4 MB of zeros in 4 kB, with a limit of 1 MB; allowed if the user says so."""
    monkeypatch.setattr(plain, "FLOOR", 1 << 20)
    header = b"{'descr': '|u1', 'fortran_order': False, 'shape': (4194304,)}"
    path = npz(tmp_path / "a.npz", header, bytes(1 << 22))
    with pytest.raises(InputError, match="if you trust it, set FECONTACT_LARGE_FILES=1"):
        read_npz(path)
    monkeypatch.setenv("FECONTACT_LARGE_FILES", "1")
    assert read_npz(path)["data"].size == 1 << 22


def test_special_files(tmp_path: Path) -> None:
    for name in ("K.npz", "K.mtx"):
        os.mkfifo(tmp_path / name)
        with pytest.raises(InputError, match="is a pipe, not a plain file"):
            read_matrix(tmp_path / name)


PLACES = np.array([[0, 0], [0, 1]])


def test_tiles_that_are_not_whole(tmp_path: Path) -> None:
    """A tile is computed again unless it is all there; a pipe in its place is not waited for."""
    store = MapStore(tmp_path / "map", {}, {})
    points = [
        MapPoint(growth=1.0, frequency=2.0, q=np.arange(3.0)),
        MapPoint(growth=1.0, frequency=2.0, q=np.zeros(0), failure="no"),
    ]
    store.save("tile", PLACES, points)
    file = tmp_path / "map" / "tile.npz"
    arrays = dict(np.load(file))
    assert len(store.load("tile", PLACES)) == 2
    for changes in (
        {"size": np.array([3, -1])}, {"size": np.array([2, 0])}, {"size": np.array([3.0, 0.0])},
        {"growth": np.ones(1)}, {"q": np.array([1.0, np.nan, 1.0])}, {"failure": np.ones(2)},
    ):  # fmt: skip
        np.savez(file, **(arrays | changes))
        assert store.load("tile", PLACES) is None
    file.unlink()
    os.mkfifo(file)
    assert store.load("tile", PLACES) is None


def test_summary_that_never_ends(tmp_path: Path) -> None:
    (tmp_path / "summary.json").write_text('{"files": ' + "[" * 100_000)
    assert listed_files(tmp_path) == []
    (tmp_path / "summary.json").write_text('{"files": ["a\\u0000b"]}')
    assert listed_files(tmp_path) == []
    (tmp_path / "summary.json").unlink()
    os.mkfifo(tmp_path / "summary.json")
    waiting = threading.Thread(target=listed_files, args=(tmp_path,), daemon=True)
    waiting.start()
    waiting.join(5.0)
    assert not waiting.is_alive()


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (
            {"surfaces": {"top": np.array([[0, 1, -1]])}},
            "'top' has a node number outside 0 to 2",
        ),
        (
            {"surfaces": {"top": np.array([[0.0, 1.0, 2.0]])}},
            "'top' has node numbers of type",
        ),
        (
            {"cells": {"triangle": np.array([[0, 1, -1]])}},
            "cells has a node number outside",
        ),
        (
            {"cells": {"triangle": np.array([[0, 1, 3]])}},
            "cells has a node number outside",
        ),
        ({"supports": [0.5]}, "invalid supports: expected unknowns"),
        ({"supports": [-1]}, "invalid supports: expected unknowns"),
    ],
    ids=str,
)
def test_numbers_of_a_matrix_model(change, why) -> None:
    """-1 is no node, and 0.5 no unknown: it was taken as 0."""
    nodes = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])
    unknowns = np.array([[0, 2], [1, 2], [2, 2]])
    with pytest.raises(InputError, match=why):
        MatrixModel(sp.eye_array(3), sp.eye_array(3), nodes, unknowns, **change)


def test_facets_of_nodes_that_do_not_exist() -> None:
    points = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])
    with pytest.raises(InputError, match="facets has a node number outside 0 to 2"):
        NodeSurface.from_facets(points, np.array([[0, 1, -1]]))
