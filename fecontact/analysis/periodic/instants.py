"""A motion at many instants: by its compiled form where it has one, else one after another."""

from __future__ import annotations

import numpy as np

from fecontact.analysis.periodic.balance import Balances, Slips
from fecontact.analysis.periodic.compiled_motion import CompiledMotion
from fecontact.analysis.periodic.motion import Motion, YieldingMotion
from fecontact.typing import Floats

__all__ = ["balances", "compiled_form", "slips"]


def compiled_form(motion: Motion) -> CompiledMotion | None:
    """Compiled form of a motion, if it has one."""
    return getattr(motion, "compiled", None)


def balances(motion: Motion, t: Floats, q: Floats, v: Floats, a: Floats, z: Floats) -> Balances:
    """Balances at instants (N,), for coordinates and their rates (N, n) and elastic slip (N, s)."""
    compiled = compiled_form(motion)
    found = None if compiled is None else compiled.balances(t, q, v, a, z)
    if found is not None:
        return found
    none = np.zeros(0)
    given = zip(t.tolist(), q, v, a, z, strict=True)
    return Balances.of([motion.evaluate(*each, none) for each in given])


def slips(motion: YieldingMotion, t: Floats, q: Floats, v: Floats) -> Slips:
    """Slip and limits of undamped bristles at instants (N,)."""
    compiled = compiled_form(motion)
    found = None if compiled is None else compiled.slips(t, q, v)
    if found is not None:
        return found
    still, none = np.zeros(motion.sizes[1]), np.zeros(0)
    rows = []
    for at in zip(t.tolist(), q, v, strict=True):
        now = motion.evaluate(*at, np.zeros_like(at[1]), still, none)
        rows.append((now.rate, now.z_rate_by_q, now.z_rate_by_v, *motion.limit(*at)))
    return Slips(*(np.array(part) for part in zip(*rows, strict=True)))
