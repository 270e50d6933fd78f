"""Harmonic balance of one mass with a friction point: against a numpy script.

The forced mass of `oscillators`: spring, damper, elasto-plastic bristle, harmonic force. Seven
harmonics, 480 samples of a period, forces by the alternating frequency-time method over two
periods, Newton's method with exact derivatives to the same tolerance, both from the motion of the
mass with a bristle that never slides. The packages pyHarm and NLvib do not install here (the
`pyharm` of the Python package index is about spherical harmonics), so "numpy" is such a program in
forty lines, for this one element: bristle and derivatives marched from sample to sample, as NLvib
does it for its Jenkins element. The reference is the motion after 60 periods from switch to switch
(`oscillators`). The error is the root mean square over a period relative to the largest
displacement: mostly that of seven harmonics.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from harness import OURS, Column, Growth, Question, Row, cpu
from oscillators import BRISTLE, DAMPER, FORCE, LIMIT, MASS, OMEGA, SPRING, chain, reference

HARMONICS, SAMPLES, PERIODS = 7, 480, 60
TOLERANCE = 1e-10
LEAST = 32
"""Samples of the warm-up."""
LOOKS = 64
"""Samples of a period at which the error is taken."""


def series(theta: np.ndarray, harmonics: int) -> np.ndarray:
    """Values (k, 2 H + 1) of 1, cos, sin, cos 2, sin 2, ... at phases."""
    waves = [f(k * theta) for k in range(1, harmonics + 1) for f in (np.cos, np.sin)]
    return np.column_stack([np.ones_like(theta), *waves])


def stuck(harmonics: int) -> np.ndarray:
    """Coefficients (2 H + 1,) of the motion if the bristle never slides."""
    x = FORCE / (SPRING + BRISTLE - MASS * OMEGA**2 + 1j * OMEGA * DAMPER)
    first = np.zeros(2 * harmonics + 1)
    first[1:3] = x.imag, x.real  # Im(x exp(i theta))
    return first


def script(harmonics: int, samples: int) -> np.ndarray:
    """Coefficients by the numpy script."""
    theta = 2.0 * np.pi * np.arange(samples) / samples
    values = series(theta, harmonics)
    back = 2.0 * values.T / samples
    back[0] *= 0.5
    dynamic = np.zeros((2 * harmonics + 1,) * 2)
    dynamic[0, 0] = SPRING
    for k in range(1, harmonics + 1):
        a, b, c = 2 * k - 1, SPRING - MASS * (k * OMEGA) ** 2, DAMPER * k * OMEGA
        dynamic[a : a + 2, a : a + 2] = [[b, c], [-c, b]]
    load = np.zeros(2 * harmonics + 1)
    load[2] = FORCE

    def friction(x):
        """Force of the bristle (samples,) and its derivatives (samples, 2 H + 1), by marching."""
        motion = values @ x
        force, slopes = np.empty(samples), np.empty_like(values)
        f, slope, before = 0.0, np.zeros(len(x)), -1
        for n in (*range(samples), *range(samples)):
            f = f + BRISTLE * (motion[n] - motion[before])
            slope = slope + BRISTLE * (values[n] - values[before])
            if abs(f) > LIMIT:
                f, slope = (LIMIT if f > 0.0 else -LIMIT), np.zeros(len(x))
            force[n], slopes[n], before = f, slope, n
        return force, slopes

    x = stuck(harmonics)
    for _ in range(50):
        force, slopes = friction(x)
        residual = dynamic @ x + back @ force - load
        step = np.linalg.solve(dynamic + back @ slopes, residual)
        x = x - step
        if np.linalg.norm(step) < TOLERANCE * np.linalg.norm(x):
            return x
    raise RuntimeError("Newton's method did not converge")


def ours(harmonics: int):
    """Function of the number of samples that returns the coefficients."""
    import fecontact as fc

    motion = fc.SystemMotion(chain(1, "forced"))
    guess = stuck(harmonics)[:, None]

    def run(samples):
        options = {"samples": samples, "tolerance": TOLERANCE}
        return fc.harmonic_balance(motion, guess, OMEGA, harmonics, **options).series[:, 0]

    return run


def measure(program: str, harmonics: int = HARMONICS, samples: int = SAMPLES) -> Row:
    """CPU time of a solution and its error."""
    run = ours(harmonics) if program == OURS else partial(script, harmonics)
    found: list[np.ndarray] = []
    spent = cpu(lambda: found.append(run(samples)), lambda: run(LEAST))
    theta = 2.0 * np.pi * np.arange(1, LOOKS + 1) / LOOKS
    times = (2.0 * np.pi * PERIODS + theta) / OMEGA
    exact = reference(1, "forced", tuple(times))[:, 0]
    error = np.sqrt(np.mean((series(theta, harmonics) @ found[-1] - exact) ** 2))
    return {"cpu": spent, "ms": 1e3 * spent, "error": float(error / np.abs(exact).max())}


def remarks(rows: list[Row]) -> list[str]:
    """Ratio of the CPU times."""
    found = {row["program"]: row for row in rows if row["samples"] == SAMPLES}
    if len(found) < 2:
        return []
    ratio = found[OURS]["cpu"] / found["numpy"]["cpu"]
    return [f"CPU time of ours over that of the script at {SAMPLES} samples: {ratio:.3g}."]


QUESTION = Question(
    name="harmonic_balance",
    measure=measure,
    cases=tuple(
        {"program": program, "harmonics": HARMONICS, "samples": samples}
        for program in (OURS, "numpy")
        for samples in (120, 240, SAMPLES, 960)
    ),
    smoke=tuple({"program": p, "harmonics": 1, "samples": 16} for p in (OURS, "numpy")),
    columns=(
        Column("program", "program"),
        Column("harmonics", "harmonics"),
        Column("samples", "samples"),
        Column("ms", "CPU ms per solution", ",.1f"),
        Column("error", "error", ".2e"),
    ),
    growths=(Growth("samples", "ms", labels=("samples", "CPU time / ms")),),
    remarks=remarks,
)
