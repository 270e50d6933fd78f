"""Actions in a forked child, full disks, and a small result to write in all forms."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import traceback
from dataclasses import dataclass
from pathlib import Path

import pytest

import fecontact
from fecontact.body import RigidBody
from fecontact.integrate import simulate
from fecontact.joint import Bearing
from fecontact.mesh import block
from fecontact.results import BodyGeometry, Result
from fecontact.system import System

ROOT = Path(fecontact.__file__).parents[1]
NOBODY = 65534


@dataclass(frozen=True)
class Ending:
    """How a child ended: type and words of its exception, empty if it came through."""

    kind: str
    words: str


def run_in_child(action) -> Ending:
    """Run an action in a fork of this process, which a crash of a library does not end."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        kind = words = ""
        try:
            action()
        except BaseException as error:
            kind, words = type(error).__name__, str(error)
            if kind not in ("InputError", "SolverError"):
                words = traceback.format_exc()
        os.write(writer, f"{kind}\n{words}".encode()[:4000])
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        kind, _, words = pipe.read().decode().partition("\n")
    status = os.waitpid(child, 0)[1]
    assert status == 0, f"the child ended with signal {os.WTERMSIG(status)}"
    return Ending(kind, words)


@pytest.fixture(scope="session")
def in_child():
    """Function that runs an action in a fork and tells how it ended."""
    return run_in_child


def run_in_limited_child(bytes_per_file, action):
    """The same where no file may grow beyond a size: a full disk that needs no rights."""

    def limited():
        resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_per_file, bytes_per_file))
        action()

    return run_in_child(limited)


@pytest.fixture(scope="session")
def in_limited_child():
    """Function that runs an action in a fork whose files may not grow beyond a size."""
    return run_in_limited_child


@pytest.fixture
def full_disk(tmp_path):
    """Folder on a disk of 256 kB of which 4 kB are free; skipped where nothing may be mounted."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(folder)]
    try:
        done = subprocess.run(mount, capture_output=True, text=True, check=False)
        reason = done.stderr.strip() if done.returncode else ""
    except OSError as error:
        reason = str(error)
    if reason:
        pytest.skip(f"no disk can be mounted here: {reason}")
    try:
        (folder / "filler").write_bytes(bytes((256 - 4) << 10))
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def make_result(path):
    """Result of a mass with a body that can be drawn."""
    mass = RigidBody("mass", 1.0, ("ux",))
    system = System([mass], [Bearing(mass, 1e4, 1e4)])
    geometry = BodyGeometry.of(mass, block(0.1, 0.1, 0.1, cells=(12, 12, 12)))
    start = system.state(q={"mass.ux": 1e-3})
    simulate(system, 0.1, start, "moreau", step=1e-3, store=path, geometry=[geometry])
    return Result.load(path)


@pytest.fixture(scope="session")
def small_result(tmp_path_factory):
    """Result of a mass with a body that can be drawn."""
    return make_result(tmp_path_factory.mktemp("result") / "run.h5")


@pytest.fixture(scope="session")
def command():
    """Function that runs `python -m fecontact`; `env` replaces the whole environment."""

    def run(*arguments, env=os.environ, root=ROOT, **more):
        return subprocess.run(
            [sys.executable, "-m", "fecontact", *(str(each) for each in arguments)],
            capture_output=True, encoding="utf-8", check=False, timeout=300,
            env={**env, "PYTHONPATH": str(root)}, cwd="/", **more,
        )  # fmt: skip

    return run


@pytest.fixture(scope="session")
def as_nobody():
    """Function that gives up the rights of root, who may write everywhere; groups first."""

    def give_up():
        if os.getuid() == 0:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)

    return give_up


@pytest.fixture
def open_folder():
    """Folder that any user can reach."""
    with tempfile.TemporaryDirectory(prefix="fecontact-robust-") as name:
        os.chmod(name, 0o755)
        yield Path(name)
