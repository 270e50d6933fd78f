"""Machine code on disk belongs to the sources of all kernels."""

import importlib.util

import numba
import pytest

from fecontact.solvers import compiled as module
from fecontact.solvers.compiled import fingerprint

KERNEL = """
from fecontact.solvers.compiled import compiled


@compiled
def doubled(x):
    return 2.0 * x
"""


def loaded(path):
    """Import a file anew and call its kernel; how often machine code came from disk."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    kernels = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(kernels)
    assert kernels.doubled(3.0) == 6.0
    return sum(kernels.doubled.stats.cache_hits.values())


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="kernels run as plain Python")
def test_code_on_disk_is_dropped_when_another_kernel_changes(tmp_path, monkeypatch):
    path = tmp_path / "kernels.py"
    path.write_text(KERNEL)
    assert loaded(path) == 0
    assert loaded(path) == 1
    monkeypatch.setattr(module, "fingerprint", lambda folder: "a callee was edited")
    assert loaded(path) == 0
    assert loaded(path) == 1


def test_fingerprint_sees_kernels_only(tmp_path):
    def stamp():
        fingerprint.cache_clear()
        return fingerprint(tmp_path)

    (tmp_path / "deep").mkdir()
    kernel, other = tmp_path / "deep" / "kernels.py", tmp_path / "other.py"
    kernel.write_text(KERNEL)
    other.write_text("x = 1\n")
    before = stamp()
    other.write_text("x = 2\n")
    assert stamp() == before
    kernel.write_text(KERNEL.replace("2.0", "3.0"))
    assert stamp() != before
    fingerprint.cache_clear()
