"""CPU time to start: import, commands, and the first simulation on a new machine.

Each command is a process of its own, with its children. Commands are run once before, so that
Python's own bytecode is at hand. `empty cache` gives the compiled kernels an empty folder: what a
new machine pays once.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile

from harness import CHECKOUT, OURS, Column, Question, Row

MASS = """
import numpy as np
import fecontact as fc
mass = fc.RigidBody("mass", 1.0, ("ux", "uz"))
point, ground = fc.Surface(np.zeros((1, 3)), np.ones(1)), fc.RigidFace(None, fc.Plane())
laws = fc.PenaltyNormal(1e5, 100.0), fc.ElastoPlastic(0.3, 1e5, 20.0)
foot = fc.ContactPair(mass, point, ground, *laws, "foot")
system = fc.System([mass], [fc.Force(mass, (0.0, 0.0, -10.0)), foot])
fc.simulate(system, 1e-3, method="{method}", output=1e-3)
"""
RUN = ["-m", "fecontact", "run", "--quick", "--out", "{out}"]
COMMANDS = {
    "import": ["-c", "import fecontact"],
    "--help": ["-m", "fecontact", "--help"],
    "cases": ["-m", "fecontact", "cases"],
    "input error": ["-m", "fecontact", "run", "no/such_case"],
    "mass point, implicit": ["-c", MASS.format(method="implicit")],
    "mass point, explicit": ["-c", MASS.format(method="explicit")],
    "case elastic_disc": [*RUN, "jehle/elastic_disc"],
    "case four_methods": [*RUN, "classic/four_methods"],
}  # fmt: skip
FAILS = ("input error",)


def spent_by(words: list[str], cache: str | None, fails: bool) -> float:
    """CPU time in s of a process and its children."""
    own = {} if cache is None else {"NUMBA_CACHE_DIR": cache}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    answer = subprocess.run([sys.executable, *words], cwd=CHECKOUT, env=os.environ | own,
                            capture_output=True, text=True)  # fmt: skip
    if bool(answer.returncode) != fails:
        raise RuntimeError(f"{words} ended with {answer.returncode}:\n{answer.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(program: str, command: str, cache: str, repeats: int = 3) -> Row:
    """Least CPU time of some calls; with an empty cache of one."""
    fails = command in FAILS
    with tempfile.TemporaryDirectory() as folder:
        words = [word.format(out=f"{folder}/out") if "{out}" in word else word
                 for word in COMMANDS[command]]  # fmt: skip
        if cache == "empty":
            return {"cpu": spent_by(words, f"{folder}/cache", fails)}
        return {"cpu": min(spent_by(words, None, fails) for _ in range(repeats + 1))}


QUESTION = Question(
    name="start",
    measure=measure,
    cases=(
        *({"program": OURS, "command": command, "cache": "filled"} for command in COMMANDS),
        *({"program": OURS, "command": command, "cache": "empty"}
          for command in COMMANDS if command.startswith(("mass", "case "))),
    ),
    smoke=tuple(
        {"program": OURS, "command": command, "cache": "filled", "repeats": 0}
        for command in ("import", "input error")
    ),
    columns=(
        Column("command", "command"),
        Column("cache", "cache of kernels"),
        Column("cpu", "CPU s", ".3g"),
    ),
)  # fmt: skip
