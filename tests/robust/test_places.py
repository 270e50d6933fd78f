"""Folders that cannot be written, no HOME, other users, odd names and old locales.

Other users are forks of this process that give up the rights of root.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import fecontact
from fecontact.body import RigidBody
from fecontact.case import Case, Parameters
from fecontact.case.runner import run_case
from fecontact.cli import app
from fecontact.errors import InputError
from fecontact.fem import STEEL, ElasticSolid
from fecontact.integrate import simulate
from fecontact.joint import Bearing
from fecontact.mesh import block, load_mesh, save_mesh
from fecontact.reduction import load_reduced, reduce_model, save_reduced
from fecontact.results import Result
from fecontact.results.summary import write_summary
from fecontact.system import System

PACKAGE = Path(fecontact.__file__).parent
BARE = {"PATH": os.environ["PATH"], "OPENBLAS_NUM_THREADS": "1"}
"""An environment without HOME, temporary folder and language."""
CASE = """
from dataclasses import dataclass
from fecontact.case import Case, Parameters, quantity


@dataclass(frozen=True)
class Mass(Parameters):
    mass: float = quantity(2.0, "kg")


def run(run):
    run.note("Größe, µ and ≤ in a note")
    run.check("m", run.parameters.mass, 2.0, kind="published", source="Müller", tolerance=0.1)


CASE = Case("Prüfung", (), Mass(), run, quick_s=1)
"""
KERNEL = """
import warnings
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    from fecontact.kernels.decorators import kernel
    @kernel
    def doubled(x):
        return 2.0 * x
    @kernel
    def halved(x):
        return 0.5 * x
    assert doubled(3.0) == 6.0 and halved(6.0) == 3.0
print(len(said), *(each.message for each in said))
"""


@pytest.fixture
def odd_folder(tmp_path):
    folder = tmp_path / "with space" / "Größe [a] 'b' %s"
    folder.mkdir(parents=True)
    return folder


def only_for_others(folder, in_child, as_nobody, action):
    """Run an action as a user who may not write to a folder."""
    os.chmod(folder, 0o555)

    def without_rights():
        as_nobody()
        action()

    try:
        return in_child(without_rights)
    finally:
        os.chmod(folder, 0o755)


@pytest.mark.parametrize("kind", ["body", "result", "summary"])
def test_folder_that_cannot_be_written(open_folder, in_child, as_nobody, kind, small_result):
    body = reduce_model(ElasticSolid(block(1.0, 1.0, 1.0, cells=(1, 1, 1)), STEEL), modes=1)
    system = small_system()

    def action():
        if kind == "body":
            save_reduced(body, open_folder / "file.h5")
        elif kind == "result":
            simulate(system, 0.01, method="moreau", step=1e-3, store=open_folder / "file.h5")
        else:
            write_summary(open_folder, case="c", parameters={}, version="1", elapsed_s=1.0,
                          files=[], checks=[])  # fmt: skip

    ending = only_for_others(open_folder, in_child, as_nobody, action)
    assert ending.kind == "InputError", ending.words
    assert "cannot be written: Permission denied" in ending.words
    assert "\n" not in ending.words
    assert list(open_folder.iterdir()) == []


def small_system():
    mass = RigidBody("mass", 1.0, ("ux",))
    return System([mass], [Bearing(mass, 1e4, 1e4)])


@pytest.fixture
def locked_package(tmp_path):
    """Copy of the package without a place for compiled code, not even for root: where the folders
    of code should be, there are files.
    """
    copy = tmp_path / "package"
    shutil.copytree(PACKAGE, copy / "fecontact", ignore=shutil.ignore_patterns("__pycache__"))
    for folder in [copy / "fecontact", *copy.rglob("*/")]:
        if folder.is_dir():
            (folder / "__pycache__").touch()
    return copy


def test_no_place_for_compiled_code(locked_package):
    """Neither the package nor a home can be written: kernels work, and a warning says so."""
    script = locked_package / "kernel.py"
    script.write_text(KERNEL)
    (locked_package / "__pycache__").touch()
    done = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, check=False, timeout=300,
        env={**BARE, "HOME": "/dev/null", "PYTHONPATH": str(locked_package)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("1 compiled code cannot be kept on disk (")
    assert "NUMBA_CACHE_DIR" in done.stdout
    assert done.stderr == "compiling kernels (once on this machine)\n"


def test_import_and_case_without_any_place(locked_package, tmp_path, command):
    """The whole package imports and a case runs there, with nothing that can be a home; without a
    word, as this one compiles nothing.
    """
    script, out = tmp_path / "own.py", tmp_path / "out"
    script.write_text(CASE, encoding="utf-8")
    done = command("run", script, "--out", out, root=locked_package,
                   env={**BARE, "HOME": "/dev/null"})  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "1 of 1 references met" in done.stdout
    assert done.stderr == ""
    assert json.loads((out / "summary.json").read_text(encoding="utf-8"))["status"] == "met"


def test_full_disk_of_compiled_code(full_disk, open_folder):
    """Machine code that does not fit goes to the user's folder; one line says so; nothing half is
    left.
    """
    script, user = open_folder / "kernel.py", open_folder / "user"
    script.write_text(KERNEL)
    done = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, check=False, timeout=300,
        env={**os.environ, "NUMBA_CACHE_DIR": str(full_disk), "XDG_CACHE_HOME": str(user),
             "PYTHONPATH": str(PACKAGE.parent)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    said = f"1 compiled code cannot be kept in '{full_disk}' (No space left on device): it is kept"
    assert done.stdout.startswith(said)
    assert list(full_disk.rglob("*.tmp*")) == []
    assert len(list(user.rglob("*.nbc"))) == 2


@pytest.mark.parametrize("kind", ["body", "mesh", "result"])
def test_file_that_may_not_be_read(open_folder, in_child, as_nobody, kind):
    """It is not damaged: its reader has no rights."""
    path = open_folder / {"body": "a.h5", "mesh": "a.msh", "result": "r.h5"}[kind]
    path.write_bytes(b"x")
    os.chmod(path, 0o000)
    load = {"body": load_reduced, "mesh": load_mesh, "result": Result.load}[kind]

    def action():
        as_nobody()
        load(path)

    ending = in_child(action)
    assert ending.kind == "InputError", ending.words
    assert ending.words.endswith(f"file '{path}' cannot be read: Permission denied")


@pytest.mark.parametrize("command", ["stability", "export", "view", "run"])
def test_output_folder_that_is_a_file(tmp_path, command, small_result):
    """All commands say the same, with the cure."""
    (tmp_path / "file").touch()
    out = tmp_path / "file" / "out"
    what = ["classic/mode_coupling"] if command in ("stability", "run") else [small_result.run.path]
    what += ["--csv"] if command == "export" else []
    said = CliRunner().invoke(app, [command, *map(str, what), "--out", str(out)])
    assert said.exit_code == 2
    reason = "Not a directory"
    expected = f"error: output folder '{out}' cannot be used ({reason}); choose another with --out"
    assert said.stderr.strip() == expected


def test_output_of_a_case_without_rights(open_folder, in_child, as_nobody):
    """As another user, if this one is root: the case is refused before it runs."""
    out = open_folder / "out"
    out.mkdir(mode=0o555)
    case = Case("c", (), Parameters(), lambda run: None, quick_s=1)

    def action():
        as_nobody()
        os.chdir("/")
        raise SystemExit(run_case("own", case, out=out))

    ending = in_child(action)
    assert ending.kind == "SystemExit"
    assert ending.words.strip().endswith("SystemExit: 2")
    assert list(out.iterdir()) == []


LANGUAGES = {
    "none": {},
    "C": {"LC_ALL": "C"},
    "ascii": {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_odd_names_in_old_locales(odd_folder, command, language, tmp_path):
    """A path with spaces, umlauts and brackets; a terminal that knows ASCII only."""
    script = odd_folder / "fall.py"
    script.write_text(CASE, encoding="utf-8")
    environment = {**BARE, "HOME": str(tmp_path), **LANGUAGES[language]}
    done = command("run", script, "--out", odd_folder / "out", env=environment)
    assert done.returncode == 0, done.stderr
    assert "1 of 1 references met" in done.stdout
    summary = json.loads((odd_folder / "out" / "summary.json").read_text(encoding="utf-8"))
    assert summary["checks"][0]["source"] == "Müller"


def test_pictures_in_old_locales(odd_folder, command, tmp_path):
    """The title of the picture is the name of the body, in letters that the locale lacks."""
    save_mesh(block(0.1, 0.02, 0.01, cells=(2, 1, 1)), odd_folder / "block.msh")
    out = odd_folder / "Körper.h5"
    environment = {**BARE, "HOME": str(tmp_path), **LANGUAGES["ascii"]}
    options = ("--modes", "1", "--out", out)
    done = command("modes", odd_folder / "block.msh", *options, env=environment)
    assert done.returncode == 0, done.stderr
    assert "FT2Font" not in done.stdout
    if "no off-screen graphics" not in done.stdout:
        assert (odd_folder / "Körper_modes.png").stat().st_size > 1000


def test_odd_names_of_all_files(odd_folder, small_result):
    body = reduce_model(ElasticSolid(block(1.0, 1.0, 1.0, cells=(1, 1, 1)), STEEL), modes=1)
    save_reduced(body, odd_folder / "Körper.h5")
    assert load_reduced(odd_folder / "Körper.h5").size == body.size
    for name in ("Netz.msh", "Netz ü.vtu", "Netz.inp"):
        save_mesh(block(1.0, 1.0, 1.0), odd_folder / name)
        assert fecontact.load_mesh(odd_folder / name).nelements == block(1, 1, 1).nelements
    small_result.to_csv(odd_folder / "Größen.csv")
    assert (odd_folder / "Größen.csv").read_text(encoding="utf-8").startswith("t,")
    path = odd_folder / "Läufe 1.h5"
    simulate(small_system(), 0.01, method="moreau", step=1e-3, store=path)
    assert fecontact.Result.load(path).status == "finished"
    with pytest.raises(InputError, match="exists; choose another name"):
        simulate(small_system(), 0.01, method="moreau", step=1e-3, store=path)
