"""The command as a module."""

from __future__ import annotations

import subprocess
import sys

import pytest

import fecontact


@pytest.mark.parametrize("module", ["fecontact", "fecontact.cli"])
def test_python_m(module):
    command = [sys.executable, "-m", module, "--version"]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == fecontact.__version__
