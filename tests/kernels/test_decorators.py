"""Machine code on disk belongs to the sources of all kernels."""

import errno
import importlib.util

import numba
import pytest
from numba.core.caching import IndexDataCacheFile

from fecontact.kernels import decorators as module
from fecontact.kernels.decorators import fingerprint

KERNEL = """
from fecontact.kernels.decorators import kernel


@kernel
def doubled(x):
    return 2.0 * x
"""


def kernel_of(path):
    """Import a file anew; its kernel."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    kernels = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(kernels)
    return kernels.doubled


def loaded(path):
    """Import a file anew and call its kernel; how often machine code came from disk."""
    doubled = kernel_of(path)
    assert doubled(3.0) == 6.0
    return sum(doubled.stats.cache_hits.values())


@pytest.fixture(autouse=True)
def code_beside_its_source(monkeypatch):
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")


compiles = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="kernels run as plain Python")


@compiles
def test_code_on_disk_is_dropped_when_another_kernel_changes(tmp_path, monkeypatch):
    path = tmp_path / "kernels.py"
    path.write_text(KERNEL)
    assert loaded(path) == 0
    assert loaded(path) == 1
    monkeypatch.setattr(module, "fingerprint", lambda folder: "a callee was edited")
    assert loaded(path) == 0
    assert loaded(path) == 1


@compiles
def test_code_that_a_full_disk_did_not_replace_is_not_taken(tmp_path, monkeypatch):
    """numba writes the index first: it then belongs to new sources, the code to old ones."""
    path = tmp_path / "kernels.py"
    path.write_text(KERNEL)
    assert loaded(path) == 0
    path.write_text(KERNEL.replace("2.0", "3.0"))
    monkeypatch.setattr(module, "fingerprint", lambda folder: "the kernel was edited")

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    module.say_in_memory.cache_clear()
    with monkeypatch.context() as disk:
        disk.setattr(IndexDataCacheFile, "_save_data", full)
        tripled = kernel_of(path)
        with pytest.warns(UserWarning, match="No space left on device"):
            assert tripled(3.0) == 9.0
    assert kernel_of(path)(3.0) == 9.0
    assert sum(kernel_of(path).stats.cache_hits.values()) == 0


@compiles
@pytest.mark.parametrize("ending", [".nbi", ".nbc"])
def test_damaged_code_is_compiled_anew(tmp_path, ending):
    path = tmp_path / "kernels.py"
    path.write_text(KERNEL)
    assert loaded(path) == 0
    for file in (tmp_path / "__pycache__").glob(f"*{ending}"):
        file.write_bytes(file.read_bytes()[:-10])
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


@pytest.mark.parametrize("mark", ["@kernel", "@kernel(fastmath=True)", "@inlined"])
def test_the_stamp_knows_all_that_is_compiled(tmp_path, mark):
    """Functions of a point are compiled into what calls them: an edit of one drops all code."""
    path = tmp_path / "law.py"
    path.write_text(f"import x\n{mark}\ndef f(x):\n    return 2.0 * x\n")
    before = fingerprint(tmp_path)
    path.write_text(path.read_text().replace("2.0", "3.0"))
    fingerprint.cache_clear()
    assert fingerprint(tmp_path) != before
