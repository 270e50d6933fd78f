"""Runs that are killed, interrupted or that meet a full disk, at random moments.

Each is a fork of this process. What it leaves is read again: a file is whole or absent, a result
holds the records that it counts, and a summary never says more than was computed.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from unittest.mock import patch

import numpy as np

from fecontact.body import RigidBody
from fecontact.case import Case, Parameters
from fecontact.case.registry import load_module
from fecontact.case.runner import run_case
from fecontact.errors import InputError
from fecontact.integrate import simulate
from fecontact.joint import Bearing
from fecontact.results import StoredRun, Writer
from fecontact.results.hdf5 import writer
from fecontact.results.hdf5.file import Header
from fecontact.system import System

ROBUST = Path(__file__).parents[1] / "robust"
RECORDS = 400
LONGEST_S = 0.2
"""Within this time the signal comes; a whole run takes about as long."""


def forked(action, seed, file, number):
    """Run an action in a fork, and send it a signal at a random moment.

    Of odd seeds from the start on, of even ones after its file has appeared. Returns the exit code,
    negative for a signal.
    """
    child = os.fork()
    if child == 0:
        code = 99
        try:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
            code = action()
        except KeyboardInterrupt:
            code = 130  # before or after all that is guarded
        finally:
            os._exit(code)
    while seed % 2 == 0 and not file.exists():
        time.sleep(1e-3)
    time.sleep(LONGEST_S * random.Random(seed).random())
    os.kill(child, number)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def record(number):
    return {"t": float(number), "q": np.full(200, float(number))}


def write(path, earlier=None, batch=1):
    every = 0.0 if batch == 1 else np.inf
    with patch.object(writer, "EVERY_S", every), patch.object(writer, "MAX_ROWS", batch):
        file = Writer(path, Header({"fingerprint": {}}), record(0), earlier=earlier)
        for number in range(file.complete, RECORDS):
            file.append(record(number))
        file.close("finished")
    return 0


def check_records(run):
    np.testing.assert_array_equal(run.records("t"), np.arange(run.complete))
    np.testing.assert_array_equal(run.records("q")[:, -1], np.arange(run.complete))


def killed(seed):
    """A writer is killed; its records are there, and another goes on from them.

    It writes single records, or batches: then whole ones are there.
    """
    batch = (1, 7, 60)[seed % 3]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.h5"
        code = forked(lambda: write(path, batch=batch), seed, path, signal.SIGKILL)
        assert code in (0, -signal.SIGKILL)
        if not path.exists():
            write(path)
            ended = "killed before the file was there"
        else:
            run = StoredRun.load(path)
            assert run.status == ("killed" if run.complete < RECORDS else run.status)
            assert run.complete % batch == 0 or run.complete == RECORDS
            check_records(run)
            ended = "finished before" if run.status == "finished" else "killed, then continued"
            if run.status != "finished":
                write(path, run)
        whole = StoredRun.load(path)
        assert (whole.complete, whole.status) == (RECORDS, "finished")
        check_records(whole)
        return ended


def interrupted(seed):
    """Ctrl-C in a case: it is judged if and only if its simulation came to its end."""

    def work(run):
        writer.EVERY_S = 0.0
        mass = RigidBody("mass", 1.0, ("ux",))
        system = System([mass], [Bearing(mass, 1e4, 1e4)])
        simulate(system, 0.1, method="moreau", step=1e-3, store=run.store("motion.h5"))
        run.check("one", 1.0, 1.0, kind="closed_form", source="arithmetic")

    case = Case("c", (), Parameters(), work, quick_s=1)
    with tempfile.TemporaryDirectory() as name:
        out = Path(name)
        file = out / "motion.h5"
        code = forked(lambda: run_case("c", case, out=out), seed, file, signal.SIGINT)
        assert code in (0, 130), code
        path, motion = out / "summary.json", out / "motion.h5"
        status = StoredRun.load(motion).status if motion.exists() else "none"
        assert status in ("none", "finished", "interrupted", "killed"), status
        summary = json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
        if code == 0:
            assert summary is not None
        if summary is None:
            return "interrupted before it began"
        if summary["status"] == "met":
            assert status == "finished"
            return "finished before"
        assert (summary["status"], summary["checks"], code) == ("interrupted", [], 130)
        return "interrupted"


@cache
def material():
    """Writers of all kinds with what they write."""
    full = load_module(str(ROBUST / "test_full_disk.py"))
    shared = load_module(str(ROBUST / "conftest.py"))
    folder = tempfile.mkdtemp(prefix="fecontact-reliability-")
    return full, shared, full.make_body(), shared.make_result(Path(folder) / "run.h5")


def full_disk(seed):
    """A file that may not grow beyond 0.1 kB to 1 MB: whole, or absent with a message."""
    full, shared, body, result = material()
    rng = random.Random(seed)
    limit = int(10.0 ** rng.uniform(2.0, 6.0))
    name = rng.choice([*full.WRITERS, "run.h5"])
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        if name == "run.h5":
            ending = shared.run_in_limited_child(limit, lambda: write(folder / name))
            if (folder / name).exists():
                check_records(StoredRun.load(folder / name))
        else:
            write_it = full.WRITERS[name]
            ending = shared.run_in_limited_child(limit, lambda: write_it(folder, body, result))
        left = [path for path in folder.rglob("*") if path.is_file()]
        assert not [path.name for path in left if path.name.startswith(".")], left
        assert ending.kind in ("", InputError.__name__), ending.words
        assert "\n" not in ending.words
        if not ending.kind:
            assert [path for path in left if path.name == name]
            return "written"
        assert "cannot be written: File too large" in ending.words
        kept = "; its records are kept" if (folder / "run.h5").exists() else ""
        return f"refused{kept}"


TRIALS = [
    ("result file of a run that is killed (SIGKILL) at a random moment, then continued", 6, 300,
     killed),
    ("case that is interrupted (SIGINT) at a random moment", 6, 300, interrupted),
    ("disk that is full at a random size of file, 100 B to 1 MB; eleven kinds of files", 20, 500,
     full_disk),
]  # fmt: skip
"""What is tried; seeds of the normal tests and of the table; the trial of a seed."""
