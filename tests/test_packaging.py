"""Versions: the tested ones are pinned, the oldest ones come from pyproject.toml."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import fecontact

ROOT = Path(fecontact.__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = ("test", "dev", "mesh", "fast")


def number(version):
    return [int(part) for part in re.findall(r"\d+", version)][:3]


def test_constraints_pin_every_requirement_and_name_no_host():
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = dict(line.lower().split("==") for line in lines if not line.startswith("#"))
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+|# .*", line) for line in lines)
    wanted = [*PROJECT["dependencies"]]
    wanted += [each for name in EXTRAS for each in PROJECT["optional-dependencies"][name]]
    for requirement in wanted:
        if requirement.startswith("fecontact["):
            continue
        name, lowest = requirement.lower().split(">=")
        assert number(pins[name]) >= number(lowest), requirement


def test_oldest_versions_are_the_lower_bounds():
    done = subprocess.run(
        [sys.executable, ".ci/oldest.py"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    lines = done.stdout.splitlines()
    assert [line.replace("==", ">=") for line in lines][: len(PROJECT["dependencies"])] == PROJECT[
        "dependencies"
    ]
    assert any(line.startswith("gmsh==") for line in lines)
