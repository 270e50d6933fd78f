"""The stamp of a kernel changes with all that is compiled into it, and with nothing else."""

from __future__ import annotations

import subprocess
import sys

import numba
import pytest

from fecontact.kernels.stamps import stamp

pytestmark = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="kernels run as plain Python")

FILES = {
    "caller": """
import middle
from fecontact.kernels.decorators import kernel
from middle import once
from numba.extending import overload


@kernel
def caller(x):
    '''Words.'''
    return once(x) + middle.again(x)
""",
    "middle": """
from callee import SHIFTS, Pair, callee, generated
from fecontact.kernels.calls import inlined
from fecontact.kernels.decorators import kernel


@kernel
def once(x):
    return callee(Pair(x, 1.0)) + SHIFTS[1]


@inlined
def again(x):
    return generated(x)


@kernel(fastmath=True)
def unused(x):
    return 1.0
""",
    "callee": """
from typing import NamedTuple

from fecontact.kernels.decorators import kernel
from hidden import TWO
from numba.extending import overload

SHIFTS = (1.0, 2.0)


class Pair(NamedTuple):
    a: float
    b: float


def _made():
    factor = 3.0

    @kernel
    def inner(pair):
        return factor * pair.a

    return inner


callee = _made()


def generated(x):
    return TWO * x


@overload(generated)
def _generated(x):
    def within(x):
        return TWO * x

    return within
""",
    "hidden": "TWO = 2.0\n",
    "apart": """
from fecontact.kernels.decorators import kernel


@kernel
def apart(x):
    return x
""",
}


@pytest.fixture
def program(tmp_path, monkeypatch):
    """Stamp of the caller in a program whose files are edited before they are imported."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "code"))

    def made(number, file="caller", old="", new=""):
        folder = tmp_path / str(number)
        folder.mkdir()
        for name, text in FILES.items():
            assert name != file or old in text
            (folder / f"{name}.py").write_text(text.replace(old, new) if name == file else text)
        with monkeypatch.context() as path:
            path.syspath_prepend(folder)
            for name in FILES:
                path.delitem(sys.modules, name, raising=False)
            from apart import apart
            from caller import caller

            stamps = tuple(stamp(k.py_func, k.targetoptions) for k in (caller, apart))
            for name in FILES:
                sys.modules.pop(name, None)
        return stamps

    return made


@pytest.mark.parametrize(("file", "old", "new"), [
    ("caller", "once(x) +", "once(x) -"),
    ("middle", "@kernel\ndef once", "@kernel(fastmath=True)\ndef once"),
    ("middle", "SHIFTS[1]", "SHIFTS[0]"),
    ("middle", "return generated(x)", "return -generated(x)"),
    ("callee", "(1.0, 2.0)", "(1.0, 3.0)"),
    ("callee", "* pair.a", "* pair.b"),
    ("callee", "    a: float\n    b: float", "    b: float\n    a: float"),
    ("callee", "factor = 3.0", "factor = 4.0"),
    ("callee", "        return TWO * x", "        return x * TWO"),
    ("hidden", "2.0", "3.0"),
])  # fmt: skip
def test_stamp_follows_what_is_compiled_in(program, file, old, new):
    (before, apart), (after, still) = program(0), program(1, file, old, new)
    assert before != after
    assert apart == still


@pytest.mark.parametrize(("file", "old", "new"), [
    ("caller", "Words", "Other words"),
    ("caller", "\n\n@kernel", "\n# Remark\nx = 1\n\n\n@kernel"),
    ("middle", "return 1.0", "return 2.0"),
    ("apart", "return x", "return 2.0 * x"),
])  # fmt: skip
def test_stamp_is_blind_to_the_rest(program, file, old, new):
    assert program(0)[0] == program(1, file, old, new)[0]


ALL = """
import importlib, pkgutil, fecontact
from numba.core.dispatcher import Dispatcher
from fecontact.contact.laws import elasto_plastic
from fecontact.contact.laws.base import tasks
from fecontact.kernels.stamps import stamp

for found in pkgutil.walk_packages(fecontact.__path__, "fecontact."):
    if "kernels" in found.name or "laws" in found.name or "solvers" in found.name:
        for name, kernel in sorted(vars(importlib.import_module(found.name)).items()):
            if isinstance(kernel, Dispatcher):
                print(found.name, name, stamp(kernel.py_func, kernel.targetoptions))
for task in ("rate", "d_step"):
    print(task, stamp(tasks.TASKS[task](elasto_plastic.ElastoPlastic.point, 0, 0), {}))
"""


def test_every_process_finds_the_same_stamps():
    """Neither addresses nor the order of sets are in them."""
    found = [
        subprocess.run(
            [sys.executable, "-c", ALL], capture_output=True, text=True, check=True,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
        ).stdout
        for seed in ("1", "2")
    ]  # fmt: skip
    assert found[0].count("\n") > 100
    assert found[0] == found[1]
