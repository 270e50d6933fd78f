"""Machine code on disk belongs to the program, one file for each kernel and its types."""

import re
import sys

import numba
import numpy as np
import pytest
from modules import module_of

from fecontact.kernels import store as module

KERNEL = """
from fecontact.kernels.decorators import kernel


@kernel
def doubled(x):
    return 2.0 * x
"""


def kernel_of(path):
    """Kernel of a file that is imported anew."""
    return module_of(path).doubled


def loaded(path):
    """Import a file anew and call its kernel; how often machine code came from disk."""
    doubled = kernel_of(path)
    assert doubled(3.0) == 6.0
    return sum(doubled.stats.cache_hits.values())


@pytest.fixture(autouse=True)
def user(tmp_path, monkeypatch):
    """Code stands beside its source; the user has a folder of the test, and is told all again."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")
    monkeypatch.setattr(module, "_refused", {})
    folder = tmp_path / "user"
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    for said in (module._folders, module._say_elsewhere, module._say_in_memory):
        said.cache_clear()
    yield folder
    module._folders.cache_clear()


compiles = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="kernels run as plain Python")


@compiles
def test_code_on_disk_is_taken_until_the_kernel_changes(tmp_path):
    path = tmp_path / "kernels.py"
    path.write_text(KERNEL)
    assert loaded(path) == 0
    assert loaded(path) == 1
    path.write_text(KERNEL.replace("2.0 * x", "x + x"))
    assert loaded(path) == 0
    assert loaded(path) == 1


@compiles
def test_code_on_disk_is_taken_when_other_lines_change(tmp_path):
    path = tmp_path / "kernels.py"
    path.write_text(KERNEL)
    assert loaded(path) == 0
    path.write_text("# A remark\n" + KERNEL + "\n\nOTHER = 3\n")
    assert loaded(path) == 1
    assert len(list(tmp_path.rglob("*.nbc"))) == 1


@compiles
def test_each_type_has_its_file(tmp_path):
    path = tmp_path / "kernels.py"
    path.write_text(KERNEL)
    doubled = kernel_of(path)
    assert doubled(3.0) == doubled(3) == doubled(np.float32(3.0)) == 6.0
    assert len(list(tmp_path.rglob("*.nbc"))) == 3
    again = kernel_of(path)
    assert again(3) == 6
    assert sum(again.stats.cache_hits.values()) == 1


TUPLES = """
from typing import NamedTuple

from fecontact.kernels.decorators import kernel


class Pair(NamedTuple):
    first: float
    second: float


@kernel
def first(pair):
    return pair.first
"""
FIELDS = "    first: float\n    second: float\n"
TURNED = "    second: float\n    first: float\n"


@compiles
def test_tuples_with_other_fields_are_other_types(tmp_path):
    """A kernel that is given a tuple need not name its class."""
    path = tmp_path / "tuples.py"
    for text in (TUPLES, TUPLES.replace(FIELDS, TURNED)):
        path.write_text(text)
        tuples = module_of(path)
        assert tuples.first(tuples.Pair(first=1.0, second=2.0)) == 1.0


@compiles
def test_code_that_a_full_disk_did_not_replace_is_not_taken(tmp_path, monkeypatch):
    path = tmp_path / "kernels.py"
    path.write_text(KERNEL)
    assert loaded(path) == 0
    path.write_text(KERNEL.replace("2.0", "3.0"))

    with monkeypatch.context() as disk:
        disk.setattr(module, "_written", lambda *_: "No space left on device")
        tripled = kernel_of(path)
        with pytest.warns(UserWarning, match="No space left on device"):
            assert tripled(3.0) == 9.0
    assert kernel_of(path)(3.0) == 9.0
    assert sum(kernel_of(path).stats.cache_hits.values()) == 0


@compiles
def test_damaged_code_is_compiled_anew(tmp_path):
    path = tmp_path / "kernels.py"
    path.write_text(KERNEL)
    assert loaded(path) == 0
    for file in (tmp_path / "__pycache__").glob("*.nbc"):
        file.write_bytes(file.read_bytes()[:-10])
    assert loaded(path) == 0
    assert loaded(path) == 1


@compiles
@pytest.mark.skipif(sys.platform != "linux", reason="the user's folder has another name")
@pytest.mark.parametrize("chosen", [False, True], ids=["beside the sources", "chosen"])
def test_a_folder_that_cannot_be_written_is_replaced_by_the_user_s(
    tmp_path, user, monkeypatch, chosen
):
    """One warning names both; code that is found there later needs none."""
    path, folder = tmp_path / "kernels.py", tmp_path / ("chosen" if chosen else "__pycache__")
    path.write_text(KERNEL + KERNEL.replace("doubled", "again"))
    folder.touch()  # no folder, not even for root
    if chosen:
        monkeypatch.setattr(numba.config, "CACHE_DIR", str(folder))
    place = re.escape(f"in '{folder}'" if chosen else "beside the sources")
    kernels = module_of(path)
    with pytest.warns(UserWarning, match=f"kept {place} .*kept in '{user}") as said:
        assert kernels.doubled(3.0) == kernels.again(3.0) == 6.0
    assert len(said) == 1
    assert len(list(user.rglob("*.nbc"))) == 2
    assert loaded(path) == 1


@compiles
def test_no_folder_at_all(tmp_path, user):
    path = tmp_path / "kernels.py"
    path.write_text(KERNEL)
    for folder in (tmp_path / "__pycache__", user):
        folder.touch()
    with pytest.warns(UserWarning, match="cannot be kept on disk .*NUMBA_CACHE_DIR") as said:
        assert loaded(path) == 0
    assert len(said) == 1


@compiles
def test_code_of_a_folder_that_is_read_only_is_used(tmp_path, user):
    """As of an installation that somebody else has warmed up."""
    path = tmp_path / "kernels.py"
    path.write_text(KERNEL)
    assert loaded(path) == 0
    module._refused[tmp_path / "__pycache__"] = "Permission denied"
    assert loaded(path) == 1
    assert not user.exists()


@compiles
def test_functions_without_a_file_are_compiled_in_memory(tmp_path, user):
    made = {}
    exec(compile(KERNEL, "<typed in>", "exec"), made)
    assert made["doubled"](3.0) == 6.0
    assert not user.exists()
