"""Options of the commands: help and errors of what was typed load no numerical library."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("numba", "scipy", "skfem", "meshio", "pyvista", "matplotlib", "h5py")
CODE = """
import atexit, sys
heavy = lambda: print("loaded:", *[name for name in {heavy} if name in sys.modules])
atexit.register(heavy)
sys.argv[0] = "fecontact"
from fecontact.cli import main
main()
"""


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--help"], 0, "Commands"),
        (["--version"], 0, "."),
        (["stability", "--help"], 0, "--sweep"),
        (["cases"], 0, "jehle/elastic_disc"),
        (["run", "jehle/elastic_dics"], 2, "closest: jehle/elastic_disc"),
        (["stability", "nowhere.py"], 2, "case script 'nowhere.py' does not exist"),
        (["export", "nowhere.h5"], 2, "file 'nowhere.h5' does not exist"),
        (["view", "nowhere.h5", "--frames", "many"], 2, "Invalid value for '--frames'"),
        (["dance"], 2, "No such command 'dance'"),
    ],
)
def test_first_sight_needs_no_numerical_library(tmp_path, arguments, code, words):
    command = [sys.executable, "-c", CODE.format(heavy=HEAVY), *arguments]
    found = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert found.returncode == code, found.stderr
    assert words in found.stdout + found.stderr
    assert found.stdout.splitlines()[-1].strip() == "loaded:"
    assert len(found.stderr.splitlines()) == (code != 0)
