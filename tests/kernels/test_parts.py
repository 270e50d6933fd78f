"""Kernels that others call are parts of them; whoever calls, they do the same."""

from __future__ import annotations

import gc
import os
import subprocess
import sys

import numba
import numpy as np
import pytest
from modules import module_of
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Flags
from numba.core.errors import TypingError
from numba.core.registry import cpu_target
from numba.core.targetconfig import TargetConfig

from fecontact.kernels.arrays import viewed
from fecontact.kernels.calls import block_address, call_block, inlined
from fecontact.kernels.decorators import kernel

pytestmark = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="kernels run as plain Python")

PROGRAM = """
import numpy as np

from fecontact.kernels.calls import inlined
from fecontact.kernels.decorators import kernel


@inlined
def scaled(x, factor):
    return factor * x


@kernel
def checked(values, limit):
    total = 0.0
    for x in values:
        if x > limit:
            raise ValueError("beyond the limit")
        total += scaled(x, 2.0)
    return total


@kernel(fastmath=True)
def twice(values, limit):
    return checked(values, limit) + checked(values[::-1], limit)
"""


SHARED = """
from fecontact.kernels.decorators import kernel


@kernel(shared=True)
def checked(values, limit):
    total = 0.0
    for x in values:
        if x > limit:
            raise ValueError("beyond the limit")
        total += x
    return total


@kernel
def twice(values, limit):
    return 2.0 * checked(values, limit)


@kernel
def thrice(values, limit):
    return twice(values, limit) + checked(values, limit)


@kernel
def more(values, limit):
    return twice(values, limit) + 1.0
"""


@pytest.fixture
def shared(program):
    """The same with a part that is shared."""
    program.write_text(SHARED)
    return program


@pytest.fixture
def program(tmp_path, monkeypatch):
    """The kernels above, in a file with its own folder of machine code."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "code"))
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    return path


def test_a_part_has_no_machine_code_of_its_own(program):
    made = module_of(program)
    assert made.twice(np.arange(4.0), 5.0) == 24.0
    assert not made.checked.overloads
    parts = list(made.checked.part.overloads.values())
    assert len(parts) == 2  # of an array, and of one that is walked through backwards
    assert not any(part.library._emitted for part in parts)
    assert made.checked(np.arange(4.0), 5.0) == 12.0


@pytest.mark.parametrize("again", [False, True], ids=["new", "from disk"])
def test_errors_of_parts_come_through(program, again):
    made = module_of(program)
    if again:
        assert made.twice(np.arange(4.0), 5.0) == 24.0
        made = module_of(program)
    with pytest.raises(ValueError, match="beyond the limit"):
        made.twice(np.arange(4.0), 2.0)
    assert sum(made.twice.stats.cache_hits.values()) == again


def test_parts_are_kept_on_disk(program):
    """A new caller of old parts compiles itself only."""
    module_of(program).twice(np.arange(4.0), 5.0)
    program.write_text(PROGRAM.replace("return checked(values, limit) +", "return 1.0 +"))
    made = module_of(program)
    assert made.twice(np.arange(4.0), 5.0) == 13.0
    assert sum(made.checked.part.stats.cache_hits.values()) == 1
    assert sum(made.twice.stats.cache_misses.values()) == 1


def test_functions_of_others_call_kernels(program):
    made = module_of(program)

    @numba.njit
    def other(values):
        return made_twice(values, 5.0) + 1.0

    made_twice = made.twice
    assert other(np.arange(4.0)) == 25.0


def test_functions_of_others_within_kernels_stay_callable():
    @numba.njit
    def shifted(x):
        return x + 1.0

    @kernel
    def caller(x):
        return 2.0 * shifted(x)

    assert caller(2.0) == 6.0
    assert shifted(2.0) == 3.0


def test_block_functions_call_parts(program):
    scaled, checked = module_of(program).scaled, module_of(program).checked
    half = inlined(lambda x: 0.5 * x)

    def block(pointer, parameters, h):
        w = viewed(pointer, 3)
        w[0] = scaled(h, 3.0)
        return half(checked(w, 100.0))

    w = np.array([1.0, 2.0, 3.0])
    assert call_block(block_address(block, "of this test"), w, w, 2.0) == 11.0
    assert w[0] == 6.0


def test_numba_is_left_as_it_was(program):
    """Also after a kernel that cannot be compiled."""

    before = TargetConfig.__hash__

    @kernel
    def wrong(x):
        return x.missing

    codegen = cpu_target.target_context.codegen()
    with pytest.raises(TypingError, match="missing"):
        wrong(1.0)
    assert gc.isenabled()
    assert codegen._library_class is JITCodeLibrary
    assert Flags.__hash__ is TargetConfig.__hash__ is before
    assert module_of(program).twice(np.arange(2.0), 5.0) == 4.0
    assert numba.njit(lambda x: x + 1)(1) == 2


def test_a_shared_part_has_one_machine_code(shared):
    made = module_of(shared)
    assert made.thrice(np.arange(4.0), 5.0) == 18.0
    assert made.more(np.arange(4.0), 5.0) == 13.0
    (part,) = made.checked.part.overloads.values()
    name = part.fndesc.mangled_name
    assert made.checked(np.arange(4.0), 5.0) == 6.0
    for caller in (made.thrice, made.more, made.checked):
        (result,) = caller.overloads.values()
        assert result.library._final_module.get_function(name).is_declaration
    assert made.checked.py_func(np.arange(4.0), 5.0) == 6.0


@pytest.mark.parametrize("lost", [[], ["checked"], ["twice"], ["checked", "twice", "thrice"]])
def test_callers_of_a_shared_part_find_it_again(shared, lost):
    """In a new process, also if some code on disk is gone; a new caller of old code too."""
    module_of(shared).thrice(np.arange(4.0), 5.0)
    for name in lost:
        for path in shared.parent.glob(f"code/*/*.{name}.*"):
            path.unlink()
    script = """
import sys
import numpy as np
sys.path.insert(0, sys.argv[1])
import program
print(program.thrice(np.arange(4.0), 5.0), program.more(np.arange(4.0), 5.0))
try:
    program.more(np.arange(4.0), 2.0)
except ValueError as error:
    print(error)
"""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(shared.parent / "code")}
    answer = subprocess.run(
        [sys.executable, "-c", script, str(shared.parent)],
        capture_output=True, text=True, env=environment, check=True,
    )  # fmt: skip
    assert answer.stdout.splitlines() == ["18.0 13.0", "beyond the limit"]


def test_a_shared_part_that_changes_is_compiled_again_with_its_callers(shared):
    assert module_of(shared).thrice(np.arange(4.0), 5.0) == 18.0
    shared.write_text(SHARED.replace("total += x", "total += 10.0 * x"))
    assert module_of(shared).thrice(np.arange(4.0), 5.0) == 180.0


def test_numbers_in_the_code_are_no_types_of_their_own(program):
    @kernel
    def shifted(x, by):
        return x + by

    @kernel
    def caller(x, by):
        return shifted(x, 1) + shifted(x, 2) + shifted(x, by=by)

    assert caller(0, 4) == 7
    assert len(shifted.part.overloads) == 1
