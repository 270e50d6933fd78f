"""Ctrl-C in a running case: it ends, judges nothing, and says so; a script gets what there is."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

import fecontact
from fecontact.body import RigidBody
from fecontact.integrate import simulate
from fecontact.integrate.watch import Terminated
from fecontact.interrupts import ending_on_interrupt, out_of_kernels, part_of
from fecontact.joint import Bearing
from fecontact.results import StoredRun
from fecontact.system import System

SCRIPT = Path(__file__).with_name("long_work.py")
ROOT = Path(fecontact.__file__).parents[1]


def listens():
    """Let a child take SIGINT, which jobs in the background of a shell ignore."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def interrupted(folder, work):
    """Run the case in another process, and send SIGINT once it works."""
    process = subprocess.Popen(
        [sys.executable, "-m", "fecontact", "run", SCRIPT, "--out", folder, "--set",
         f"work={work}"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=listens,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    deadline = time.monotonic() + 60.0
    while not (folder / "started").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    said, errors = process.communicate(timeout=60)
    return process.returncode, said, errors


@pytest.mark.parametrize("work", ["simulate", "load_path", "swallowed"])
def test_an_interrupted_case_ends_and_judges_nothing(tmp_path, work):
    out = tmp_path / "out"
    code, said, errors = interrupted(out, work)
    assert code == 130
    assert said == ""
    assert errors.strip().startswith("interrupted: ")
    assert "\n" not in errors.strip()
    summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    assert summary["status"] == "interrupted"
    assert summary["checks"] == []
    if work == "simulate":
        assert summary["files"] == ["motion.h5"]
        stored = StoredRun.load(out / "motion.h5")
        assert stored.status == "interrupted"
        assert stored.complete > 1


def test_a_script_gets_the_part():
    assert part_of("part") == "part"
    with pytest.raises(KeyboardInterrupt), ending_on_interrupt():
        part_of("part")
    assert part_of("part") == "part"


def test_an_interrupt_that_is_swallowed_is_raised_at_the_end():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    steps = []

    def work():
        with ending_on_interrupt():
            with ending_on_interrupt():
                try:
                    signal.raise_signal(signal.SIGINT)
                except KeyboardInterrupt:
                    steps.append("swallowed")
                steps.append("goes on")
            steps.append("after the inner end")

    try:
        with pytest.raises(KeyboardInterrupt):
            work()
        assert steps == ["swallowed", "goes on"]
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)


def in_a_kernel(error, calls=1):
    """What Python makes of an exception that comes while a compiled kernel calls functions."""
    for _ in range(calls - 1):
        outer = SystemError("returned a result with an exception set")
        outer.__cause__, error = error, outer
    raise SystemError("returned a result with an exception set") from error


@pytest.mark.parametrize("calls", [1, 2, 6])
@pytest.mark.parametrize("kind", [KeyboardInterrupt, Terminated])
def test_an_interrupt_inside_a_kernel_is_an_interrupt(kind, calls):
    with pytest.raises(kind), out_of_kernels():
        in_a_kernel(kind(), calls)
    with pytest.raises(SystemError), out_of_kernels():
        in_a_kernel(ValueError(), calls)
    with pytest.raises(kind), ending_on_interrupt():
        in_a_kernel(kind(), calls)


def test_no_exception_while_a_kernel_makes_its_result():
    """In generated code, as of a named tuple, the signal waits until that code has ended."""
    space = {"signal": signal, "steps": []}
    code = "def made():\n    signal.raise_signal(signal.SIGINT)\n    steps.append('made')\n"
    exec(compile(code, "<string>", "exec"), space)

    def work():
        with out_of_kernels():
            space["made"]()
            time.sleep(5.0)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            work()
    finally:
        signal.signal(signal.SIGINT, before)
    assert space["steps"] == ["made"]


def test_a_motion_interrupted_inside_a_kernel_is_returned():
    mass = RigidBody("mass", 1.0, ("ux",))
    system = System([mass], [Bearing(mass, 1e4, 1e4)])

    def stop(point):
        if point.state.t > 0.005:
            in_a_kernel(KeyboardInterrupt())

    motion = simulate(system, 0.1, method="moreau", step=1e-3, callback=stop)
    assert motion.status == "interrupted"
    assert motion.t[-1] == pytest.approx(0.006)


def test_a_simulation_ends_though_its_interrupt_was_swallowed():
    mass = RigidBody("mass", 1.0, ("ux",))
    system = System([mass], [Bearing(mass, 1e4, 1e4)])
    times = []

    def swallow(point):
        times.append(point.state.t)
        if len(times) == 3:
            with suppress(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt), ending_on_interrupt():
            simulate(system, 0.1, method="moreau", step=1e-3, callback=swallow)
    finally:
        signal.signal(signal.SIGINT, before)
    assert len(times) == 3


def test_other_handlers_are_left_alone():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with ending_on_interrupt():
            signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_signal_that_comes_again_before_the_handler_is_left(monkeypatch):
    """As on a busy machine, where the timer runs out while it is started."""
    done, source = [], "signal.raise_signal(signal.SIGINT); done.append('all of it')"
    started = threading.Thread.start

    def start(self):
        started(self)
        if isinstance(self, threading.Timer):
            time.sleep(0.1)

    monkeypatch.setattr(threading.Thread, "start", start)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)

    def work():
        exec(compile(source, "<string>", "exec"), {"signal": signal, "done": done})
        time.sleep(5.0)

    try:
        with pytest.raises(KeyboardInterrupt), out_of_kernels():
            work()
    finally:
        signal.signal(signal.SIGINT, before)
    assert done == ["all of it"]


COMPILER = f"{Path(fecontact.__file__).anchor}site-packages/llvmlite/binding/module.py"


@pytest.mark.parametrize("file", [COMPILER, "<string>"])
def test_no_interrupt_inside_what_compiled_code_calls(file):
    """It comes once the compiler, or the constructor of a kernel's result, is left."""
    before, done = signal.signal(signal.SIGINT, signal.default_int_handler), []

    def press():
        signal.raise_signal(signal.SIGINT)
        done.append("all of it")

    here = "signal.raise_signal(signal.SIGINT); done.append('all of it')"
    source = here if file == "<string>" else "press()"

    def work():
        exec(compile(source, file, "exec"), {"press": press, "signal": signal, "done": done})
        time.sleep(5.0)

    try:
        with pytest.raises(KeyboardInterrupt), out_of_kernels():
            work()
    finally:
        signal.signal(signal.SIGINT, before)
    assert done == ["all of it"]
