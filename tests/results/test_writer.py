"""The result file: round trip, what is ignored, what is refused, a full disk."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np
import pytest

from fecontact.errors import InputError
from fecontact.results import StoredRun, Writer
from fecontact.results.hdf5.file import Header

HEADER = Header({"names": ["a", "b"]}, {"mesh/points": np.eye(3)})


def record(k):
    rng = np.random.default_rng(k)
    return {
        "t": 0.1 * k,
        "q": rng.random(7),
        "lam": np.zeros(0),
        "contacts/0/status": rng.integers(0, 4, 9).astype(np.int8),
        "contacts/0/traction": rng.random((100, 3)),
    }


@pytest.fixture(autouse=True)
def no_clock(monkeypatch):
    """Records are flushed when a test says so, however slow the machine is."""
    monkeypatch.setattr("fecontact.results.hdf5.writer.EVERY_S", np.inf)


def written(path, count, **options):
    writer = Writer(path, HEADER, record(0), **options)
    for k in range(writer.complete, count):
        writer.append(record(k))
    return writer


def assert_holds(run, count):
    assert run.complete == count
    for name in run.shapes:
        expected = np.array([record(k)[name] for k in range(count)])
        if not count:
            expected = np.zeros((0, *run.shapes[name]))
        np.testing.assert_array_equal(run.records(name), expected)


@pytest.mark.parametrize("compress", [False, True])
def test_round_trip(tmp_path, compress):
    path = tmp_path / "run.h5"
    written(path, 700, compress=compress).close("finished", "all well")
    run = StoredRun.load(path)
    assert_holds(run, 700)
    assert (run.status, run.message, run.about) == ("finished", "all well", HEADER.about)
    np.testing.assert_array_equal(run.fixed("mesh/points"), np.eye(3))
    np.testing.assert_array_equal(run.records("q", slice(600, 9999, 7))[3], record(621)["q"])
    np.testing.assert_array_equal(run.record(-2)["q"], record(698)["q"])
    assert os.listdir(tmp_path) == ["run.h5"]


def test_readable_while_written(tmp_path):
    path = tmp_path / "run.h5"
    writer = written(path, 5)
    assert StoredRun.load(path).complete == 0
    assert StoredRun.load(path).status == "running"
    writer.flush()
    assert_holds(StoredRun.load(path), 5)
    writer.append(record(5))
    writer.flush()
    assert_holds(StoredRun.load(path), 6)
    writer.close("finished")
    writer.close("failed")
    assert StoredRun.load(path).status == "finished"


def test_written_in_batches(tmp_path, monkeypatch):
    """A reader sees whole batches while the run goes on, and all at its end."""
    monkeypatch.setattr("fecontact.results.hdf5.writer.MAX_ROWS", 4)
    path = tmp_path / "run.h5"
    writer = Writer(path, HEADER, record(0))
    for k in range(11):
        writer.append(record(k))
        assert_holds(StoredRun.load(path), 4 * ((k + 1) // 4))
    writer.close("finished")
    assert_holds(StoredRun.load(path), 11)


def test_written_at_least_once_a_second(tmp_path, monkeypatch):
    """By the clock; records that come less often are written one by one."""
    now = [0.0]
    monkeypatch.setattr("fecontact.results.hdf5.writer.EVERY_S", 1.0)
    monkeypatch.setattr("fecontact.results.hdf5.writer.time.monotonic", lambda: now[0])
    path = tmp_path / "run.h5"
    writer, seen = Writer(path, HEADER, record(0)), []
    for k, now[0] in enumerate((0.4, 0.9, 1.1, 1.6, 2.0, 2.2, 4.0, 7.0)):
        writer.append(record(k))
        seen.append(StoredRun.load(path).complete)
    assert seen == [0, 0, 3, 3, 3, 6, 7, 8]
    writer.close("finished")
    assert_holds(StoredRun.load(path), 8)


KILLED = """
import os, signal, sys
sys.path.insert(0, {tests!r})
from test_writer import HEADER, Writer, record
from fecontact.results.hdf5 import writer as module
module.EVERY_S, module.MAX_ROWS = float("inf"), 4
writer = Writer({path!r}, HEADER, record(0))
for k in range(11):
    writer.append(record(k))
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_killed_between_batches(tmp_path):
    """The whole batches are there, and another writer goes on from them."""
    path = tmp_path / "run.h5"
    code = KILLED.format(tests=str(Path(__file__).parent), path=str(path))
    assert subprocess.run([sys.executable, "-c", code]).returncode == -signal.SIGKILL
    run = StoredRun.load(path)
    assert run.status == "killed"
    assert_holds(run, 8)
    written(path, 11, earlier=run).close("finished")
    assert_holds(StoredRun.load(path), 11)


def test_a_batch_whose_writing_was_interrupted(tmp_path, monkeypatch):
    """It is full; the next record writes it first."""
    monkeypatch.setattr("fecontact.results.hdf5.writer.MAX_ROWS", 4)
    path = tmp_path / "run.h5"
    writer, once = Writer(path, HEADER, record(0)), iter([KeyboardInterrupt])
    flush = h5py.File.flush

    def interrupted(file):
        for error in once:
            raise error
        flush(file)

    for k in range(3):
        writer.append(record(k))
    monkeypatch.setattr(h5py.File, "flush", interrupted)
    with pytest.raises(KeyboardInterrupt):
        writer.append(record(3))
    assert StoredRun.load(path).complete == 0
    writer.append(record(4))
    assert_holds(StoredRun.load(path), 4)
    writer.close("interrupted")
    assert_holds(StoredRun.load(path), 5)


def test_a_refused_record_leaves_the_others(tmp_path):
    path = tmp_path / "run.h5"
    writer = written(path, 2)
    with pytest.raises(ValueError, match="'q' has the shape"):
        writer.append({**record(2), "q": np.zeros(6)})
    writer.append(record(2))
    writer.close("finished")
    assert_holds(StoredRun.load(path), 3)


def test_long_runs_have_larger_pieces(tmp_path):
    """Of parts that will fill several of them; the records are the same."""
    for expected in (0, 10_000):
        path = tmp_path / f"{expected}.h5"
        written(path, 5, expected=expected).close("finished")
        assert_holds(StoredRun.load(path), 5)
        with h5py.File(path) as file:
            rows = {name: file["records"][name].chunks[0] for name in ("t", "contacts/0/traction")}
        assert rows == {"t": 512, "contacts/0/traction": 109 if expected else 27}


def test_long_message(tmp_path):
    """A message is cut, also in the middle of a letter."""
    path = tmp_path / "run.h5"
    written(path, 1).close("failed", "x" + 600 * "ä")
    assert StoredRun.load(path).message.startswith("xää")


def test_rows_that_are_not_counted_are_ignored(tmp_path, monkeypatch):
    """A crash between the rows and their number: the rows are written again, or ignored."""
    path = tmp_path / "run.h5"
    writer = written(path, 10)
    writer.flush()
    writer.append(record(77))
    once = iter([KeyboardInterrupt])
    flush = h5py.File.flush

    def interrupted(file):
        flush(file)
        for error in once:
            raise error

    monkeypatch.setattr(h5py.File, "flush", interrupted)
    with pytest.raises(KeyboardInterrupt):
        writer.flush()
    with h5py.File(path, "r", libver="latest", swmr=True) as file:
        assert len(file["records/q"]) == 11
    assert_holds(StoredRun.load(path), 10)
    writer.close("interrupted")
    assert StoredRun.load(path).complete == 11


@pytest.mark.parametrize("attribute", ["complete", "_waiting"])
def test_interrupted_after_the_count(tmp_path, monkeypatch, attribute):
    """Records that the file counts already are not written a second time."""
    path = tmp_path / "run.h5"
    writer = written(path, 7)
    once = iter([KeyboardInterrupt])

    def interrupted(self, name, value):
        for error in once if name == attribute else ():
            raise error
        object.__setattr__(self, name, value)

    monkeypatch.setattr(Writer, "__setattr__", interrupted)
    with pytest.raises(KeyboardInterrupt):
        writer.flush()
    writer.append(record(7))
    writer.close("interrupted")
    assert_holds(StoredRun.load(path), 8)


def test_continued_in_place_and_elsewhere(tmp_path):
    path, other = tmp_path / "run.h5", tmp_path / "more.h5"
    written(path, 530).close("interrupted")
    run = StoredRun.load(path)
    written(other, 540, earlier=run).close("finished")
    assert_holds(StoredRun.load(other), 540)
    assert_holds(StoredRun.load(path), 530)
    written(path, 535, earlier=run).close("finished")
    assert_holds(StoredRun.load(path), 535)
    late = tmp_path / "late.h5"
    writer = Writer(late, HEADER, {**record(0), "heat": np.zeros(3)}, earlier=run)
    writer.append({**record(530), "heat": np.ones(3)})
    writer.close("finished")
    heat = StoredRun.load(late).records("heat")
    assert np.isnan(heat[:530]).all()
    np.testing.assert_array_equal(heat[530], np.ones(3))
    np.testing.assert_array_equal(StoredRun.load(late).records("q")[529], record(529)["q"])
    late.unlink()
    with pytest.raises(InputError, match=r"sizes of its records differ \(count\)"):
        Writer(tmp_path / "odd.h5", HEADER, {**record(0), "count": np.int64(1)}, earlier=run)
    bad = {**record(0), "q": np.zeros(8)}
    with pytest.raises(InputError, match=r"sizes of its records differ \(q\)"):
        Writer(path, HEADER, bad, earlier=StoredRun.load(path))
    assert_holds(StoredRun.load(path), 535)
    assert sorted(os.listdir(tmp_path)) == ["more.h5", "run.h5"]


def test_one_writer_and_no_overwriting(tmp_path):
    path = tmp_path / "run.h5"
    first = written(path, 3)
    with pytest.raises(InputError, match="being written by another run"):
        written(path, 1, overwrite=True)
    first.close("finished")
    with pytest.raises(InputError, match="exists; choose another name"):
        written(path, 1)
    assert_holds(StoredRun.load(path), 3)
    written(path, 1, overwrite=True).close("finished")
    assert_holds(StoredRun.load(path), 1)
    with pytest.raises(InputError, match="cannot be written: No such file"):
        written(tmp_path / "nowhere" / "run.h5", 1)


def test_damaged_and_foreign_files(tmp_path):
    path, whole = tmp_path / "run.h5", tmp_path / "whole.h5"
    written(whole, 600).close("finished")
    content = whole.read_bytes()
    rng = np.random.default_rng(1)
    for cut in (0, 100, 3000, len(content) // 2):
        path.write_bytes(content[:cut])
        with pytest.raises(InputError, match=r"run\.h5' is damaged or no result file"):
            StoredRun.load(path).records("contacts/0/traction")
    path.write_bytes(rng.bytes(5000))
    with pytest.raises(InputError, match="damaged or no result file"):
        StoredRun.load(path)
    with pytest.raises(InputError, match="does not exist"):
        StoredRun.load(tmp_path / "none.h5")
    with pytest.raises(InputError, match="is a folder"):
        StoredRun.load(tmp_path)
    with h5py.File(path, "w") as file:
        file["x"] = 1.0
    with pytest.raises(InputError, match=r"holds no simulation: its format is 'unknown'"):
        StoredRun.load(path)
    path.write_bytes(content)
    with h5py.File(path, "r+") as file:
        file["complete"][()] = 601
    with pytest.raises(InputError, match="is shorter than 601 records"):
        StoredRun.load(path)
    with h5py.File(path, "r+") as file:
        file.attrs["version"] = 3
    with pytest.raises(InputError, match="has version 3, this program reads 1 to 2"):
        StoredRun.load(path)


FULL = """
import resource, sys
import numpy as np
from fecontact.errors import InputError
from fecontact.results import StoredRun, Writer
from fecontact.results.hdf5 import writer
from fecontact.results.hdf5.file import Header

writer.EVERY_S = 0.0
path = sys.argv[1]
file = Writer(path, Header({}), {"t": 0.0, "q": np.zeros(5000)})
resource.setrlimit(resource.RLIMIT_FSIZE, (4 << 20, 4 << 20))
try:
    for k in range(1000):
        file.append({"t": float(k), "q": np.full(5000, float(k))})
except InputError as error:
    print(error)
try:
    file.append({"t": 0.0, "q": np.zeros(5000)})
except InputError as error:
    print(error)
file.close("failed", "disk full")
print(StoredRun.load(path).complete)
"""


def test_full_disk(tmp_path):
    """A file that may not grow beyond 4 MB: clear words, and all earlier records are there."""
    path = tmp_path / "run.h5"
    child = subprocess.run(
        [sys.executable, "-c", FULL, str(path)], capture_output=True, text=True, check=False
    )
    assert child.returncode == 0, child.stderr
    said, again, count = child.stdout.splitlines()
    assert said.startswith(f"file '{path}' cannot be written: File too large; its {count} records")
    assert "cannot be written any more" in again
    run = StoredRun.load(path)
    assert run.complete == int(count) > 50
    assert (run.status, run.message) == ("failed", "disk full")
    np.testing.assert_array_equal(run.records("t"), np.arange(run.complete))
    np.testing.assert_array_equal(run.records("q")[:, -1], np.arange(run.complete))


def test_left_by_a_killed_writer(tmp_path):
    """A copy of a file that is being written is what a kill leaves; damage does not hang."""
    path, left = tmp_path / "run.h5", tmp_path / "left.h5"
    writer = written(path, 60)
    writer.flush()
    content = path.read_bytes()
    writer.close("finished")
    left.write_bytes(content)
    run = StoredRun.load(left)
    assert run.status == "killed"
    assert_holds(run, 60)
    assert left.read_bytes() == content
    written(left, 65, earlier=run).close("finished")
    assert_holds(StoredRun.load(left), 65)
    refused, rng = 0, np.random.default_rng(2)
    for place in [content.index(b"OHDR"), *rng.integers(12, 4096, 25).tolist()]:
        left.write_bytes(content[:place] + rng.bytes(8) + content[place + 8 :])
        try:
            damaged = StoredRun.load(left)
            for name in damaged.shapes:
                damaged.records(name)
        except InputError as error:
            refused += "left.h5' is damaged" in str(error)
    assert refused  # the header of the root at least; others hit bytes that are not used
    left.write_bytes(content[:60000])  # in the middle of the rows
    with pytest.raises(InputError, match="is damaged"):
        StoredRun.load(left).records("contacts/0/traction")


def test_overwrite_replaces_results_only(tmp_path):
    path = tmp_path / "notes.h5"
    path.write_text("hello")
    with pytest.raises(InputError, match=r"no result file: .*; it is not replaced"):
        written(path, 1, overwrite=True)
    assert path.read_text() == "hello"
    foreign = tmp_path / "mesh.h5"
    with h5py.File(foreign, "w") as file:
        file["points"] = np.zeros(3)
    with pytest.raises(InputError, match=r"holds no simulation: .*; it is not replaced"):
        written(foreign, 1, overwrite=True)
    with h5py.File(foreign) as file:
        assert list(file) == ["points"]
